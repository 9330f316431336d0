// Where a file comes from: dropped, chosen, at an address, or a sample.

import { load as loadDump } from 'file:../../fixtures/mediawiki/small-dump.xml.bz2'
import { load as loadFeed } from 'file:../../fixtures/recipes/feed.atom'
import { load as loadMap } from 'file:../../fixtures/recipes/map.osm'
import { button, element } from '../shell/element.ts'

/** A file, or an absolute address; and what it is called. */
export interface Opened {
  readonly source: Blob | string
  readonly name: string
  /** Whether it comes with the page. */
  readonly isSample?: boolean
}

/** What comes with the page. */
export const SAMPLES = [
  { label: 'a small wiki (bzip2)', name: 'small-dump.xml.bz2', load: loadDump },
  { label: 'a map (OpenStreetMap)', name: 'map.osm', load: loadMap },
  { label: 'a feed (Atom)', name: 'feed.atom', load: loadFeed },
]

export class Opener {
  readonly element: HTMLElement
  readonly #onOpen: (opened: Opened) => void
  readonly #problem = element('p', { class: 'problem', role: 'alert' })
  readonly #choose: HTMLButtonElement
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
      this.openFile(input.files?.[0])
      // So that the same file can be chosen again.
      input.value = ''
    })
    const address = element('input', {
      class: 'field address',
      type: 'url',
      id: 'address',
      placeholder: 'https://example.org/dump.xml.bz2',
      spellcheck: 'false',
    })
    const form = element(
      'form',
      { class: 'row' },
      element('label', { for: 'address' }, 'or open an address:'),
      address,
      element('button', { class: 'button', type: 'submit' }, 'Open'),
    )
    form.noValidate = true
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.openAddress(address.value)
    })
    this.#choose = button('Choose a file', () => input.click(), { class: 'button primary' })
    const samples = SAMPLES.map(({ label, name, load }) =>
      button(label, () => void this.#openSample(name, load), { class: 'button small' }),
    )
    this.element = element(
      'div',
      { class: 'opener' },
      element('h1', {}, 'Look into XML of any size'),
      element(
        'p',
        { class: 'lead' },
        'A dump of many gigabytes opens at once: it is read where it lies, and what was read is shown while the rest comes. Nothing is uploaded.',
      ),
      element(
        'div',
        { class: 'card drop' },
        element('p', {}, 'Drop an .xml, .bz2, .gz or .zst file anywhere on this page'),
        this.#choose,
        input,
        form,
        element('div', { class: 'row' }, element('span', {}, 'or look at'), ...samples),
        this.#problem,
      ),
    )
  }

  /** Focuses what is used first. */
  focus(): void {
    this.#choose.focus()
  }

  openFile(file: File | undefined): void {
    if (file) this.#open({ source: file, name: file.name })
  }

  openAddress(text: string): void {
    const address = URL.parse(text.trim(), document.baseURI)
    if (!/^https?:\/\//i.test(text.trim()) || !address) {
      this.#say('An address begins with https:// or http://.')
      return
    }
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
    this.#chosen++
    this.#say('')
    this.#onOpen(opened)
  }

  #say(problem: string): void {
    this.#problem.textContent = problem
  }
}

/** A part of an address as it is read. One that is not encoded correctly stays as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
