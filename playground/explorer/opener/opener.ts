// Where a document comes from: a file that is dropped or chosen, an address, what is pasted, or a sample.

import { button, element } from '../../shell/element.ts'
import type { DocumentSource } from '../protocol.ts'
import { makeFetchCard } from './fetch-card.ts'
import { isMarkup, toFile } from './pasted-text.ts'
import { MADE, SAMPLES } from './samples.ts'

/** A document, and what it is called. */
export interface Opened {
  readonly source: DocumentSource
  readonly name: string
  /** Whether it comes with the page, or is made by it. */
  readonly isSample?: boolean
  /** How many files were dropped or pasted together, of which this is the first. */
  readonly count?: number
}

const NOT_ALLOWED =
  'This page opens http:// only from its own server and from http://localhost. Does https:// work for this address?'
const NO_PASSWORD =
  'Browsers do not fetch addresses with a name or a password in them. Download the file, and drop it here.'
const NO_ADDRESS = 'An address begins with https:// or http://.'

export class Opener {
  readonly element: HTMLElement
  readonly #onOpen: (opened: Opened) => void
  readonly #problem = element('p', { class: 'problem', role: 'alert' })
  readonly #asking = element('div')
  readonly #choose: HTMLButtonElement
  readonly #address = element('input', {
    class: 'field address',
    type: 'url',
    id: 'address',
    placeholder: 'https://example.org/dump.xml.bz2',
    spellcheck: 'false',
  })
  readonly #text = element('textarea', {
    class: 'field paste',
    rows: 6,
    spellcheck: 'false',
    'aria-label': 'XML',
    placeholder: '<feed>…</feed>',
  })
  /** Counts what was chosen, so that a sample that loads slowly does not replace what was chosen after it. */
  #chosen = 0

  /** `onOpen` is called with what the visitor has chosen. */
  constructor(onOpen: (opened: Opened) => void) {
    this.#onOpen = onOpen
    const input = element('input', {
      type: 'file',
      class: 'only-heard',
      id: 'file',
      tabindex: -1,
      'aria-label': 'File',
    })
    input.addEventListener('change', () => {
      this.openFirst(input.files)
      // So that the same file can be chosen again.
      input.value = ''
    })
    this.#choose = button('Choose a file', () => input.click(), { class: 'button primary' })
    const samples = SAMPLES.map(({ label, name, load }) =>
      button(label, () => void this.#openSample(name, load), { class: 'button small' }),
    )
    const made = MADE.map(({ label, name, source }) =>
      button(label, () => this.#open({ source, name, isSample: true }), {
        class: 'button small',
        'aria-label': `Make ${label} of 100 MB`,
      }),
    )
    this.element = element(
      'div',
      { class: 'opener stack' },
      element('h1', {}, 'Look into XML of any size'),
      element(
        'p',
        { class: 'lead' },
        'A file of many gigabytes opens at once: it is read where it lies, and what was read is shown while the rest comes. Nothing is uploaded.',
      ),
      this.#asking,
      element(
        'div',
        { class: 'card drop stack' },
        element('p', {}, 'Drop an .xml, .bz2, .gz or .zst file anywhere on this page, or paste XML'),
        this.#choose,
        input,
        this.#makeAddressForm(),
        this.#makePasteField(),
        element('div', { class: 'row' }, element('span', {}, 'or look at:'), ...samples),
        element('div', { class: 'row' }, element('span', {}, 'or make 100 MB here:'), ...made),
        this.#problem,
      ),
    )
    document.addEventListener('paste', (event) => this.#paste(event))
  }

  /** Focuses what is used first. */
  focus(): void {
    this.#choose.focus()
  }

  /** Nothing is asked or said any more. */
  reset(): void {
    this.#chosen++
    this.#say('')
    this.#asking.replaceChildren()
  }

  /** Opens the first of the files that the visitor has chosen. */
  openFirst(files: FileList | null | undefined): void {
    if (files?.[0]) this.#open({ source: files[0], name: files[0].name, count: files.length })
  }

  /** Opens an address that the visitor has entered. */
  openAddress(text: string): void {
    const address = this.#readAddress(text)
    if (address) this.#openUrl(address)
  }

  /** Asks whether to open the address of a link. `onDecline` is called if the answer is no. */
  askForAddress(text: string, onDecline: () => void): void {
    const address = this.#readAddress(text)
    if (!address) return
    const decline = () => {
      this.#asking.replaceChildren()
      this.focus()
      onDecline()
    }
    this.#asking.replaceChildren(makeFetchCard(address, () => this.#openUrl(address), decline))
  }

  /** The address that a text is. Where the page cannot open it, says why. */
  #readAddress(text: string): URL | undefined {
    const address = readAddress(text)
    const problem = address ? findProblem(address) : NO_ADDRESS
    if (problem === undefined) return address
    this.#say(problem)
    return undefined
  }

  #makeAddressForm(): HTMLElement {
    const form = element(
      'form',
      { class: 'row' },
      element('label', { for: 'address' }, 'or open an address:'),
      this.#address,
      element('button', { class: 'button', type: 'submit' }, 'Open'),
    )
    form.noValidate = true
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.openAddress(this.#address.value)
    })
    return form
  }

  #makePasteField(): HTMLElement {
    const open = () => this.#openText(this.#text.value)
    this.#text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) open()
    })
    return element(
      'details',
      { class: 'paste-field' },
      element('summary', {}, 'or paste XML here'),
      this.#text,
      element('div', { class: 'row' }, button('Open this text', open, { class: 'button' })),
    )
  }

  /** What is pasted anywhere while this is seen. In a field, only XML is not left to the field. */
  #paste(event: ClipboardEvent): void {
    const { clipboardData, target } = event
    if (!clipboardData || !this.element.isConnected || !this.element.checkVisibility()) return
    const { files } = clipboardData
    const hasFile = files.length > 0
    const text = clipboardData.getData('text/plain')
    const isInField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (!hasFile && (isInField ? !isMarkup(text) : text.trim() === '')) return
    event.preventDefault()
    if (hasFile) this.openFirst(files)
    else if (isMarkup(text)) this.#openText(text)
    else if (readAddress(text)) {
      // Pasted with nothing chosen: the button fetches it.
      this.#address.value = text.trim()
      this.#address.focus()
    } else this.#say('What was pasted is not XML, which begins with “<”.')
  }

  #openText(text: string): void {
    if (text.trim() === '') {
      this.#say('Paste or write XML into the field first.')
      return
    }
    this.#text.value = ''
    this.#open({ source: toFile(text), name: 'pasted.xml' })
  }

  #openUrl(address: URL): void {
    this.#open({ source: address.href, name: decodePart(address.pathname.split('/').at(-1) || address.host) })
  }

  async #openSample(name: string, load: () => Promise<Blob>): Promise<void> {
    const chosen = ++this.#chosen
    try {
      const source = await load()
      if (chosen === this.#chosen) this.#open({ source, name, isSample: true })
    } catch (error) {
      if (chosen === this.#chosen)
        this.#say(`The sample could not be loaded: ${(error as Error).message}. Is the server still there?`)
    }
  }

  #open(opened: Opened): void {
    this.#onOpen(opened)
    // Afterwards: what had the focus may be a part of the question.
    this.reset()
  }

  #say(problem: string): void {
    this.#problem.textContent = problem
  }
}

/** The address that a text is; undefined if it is none. */
function readAddress(text: string): URL | undefined {
  const trimmed = text.trim()
  return (/^https?:\/\//i.test(trimmed) && URL.parse(trimmed, document.baseURI)) || undefined
}

/** Why the page cannot open an address; undefined if it can. */
function findProblem(address: URL): string | undefined {
  if (address.username !== '' || address.password !== '') return NO_PASSWORD
  return isAllowed(address) ? undefined : NOT_ALLOWED
}

/** Whether the policy of the page allows to read an address. That of the page in one file allows all. */
function isAllowed({ protocol, hostname, origin }: URL): boolean {
  return IS_ONE_FILE || protocol === 'https:' || hostname === 'localhost' || origin === location.origin
}

/** A part of an address as it is read. One that is not encoded correctly stays as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
