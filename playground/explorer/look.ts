// A file that is looked into: its worker, how far it is read, and what was found.

import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import { Connection } from './connection.ts'
import { DumpPane, type Visit } from './dump/dump-pane.ts'
import { makeErrorCard } from './error-card.ts'
import type { Opened } from './opener/opener.ts'
import type { DocumentSource } from './protocol.ts'
import { StatusCard } from './status-card.ts'
import { XmlPane } from './xml/xml-pane.ts'

/** What a file asks of the view. */
export interface LookEvents {
  /** Another file is wanted. */
  onOther(): void
  /** A link in the file is followed: what is open now can be come back to. */
  onStep(): void
}

const PHONE = matchMedia('(max-width: 40rem)')

export class Look {
  readonly element: HTMLElement
  readonly #ended = new AbortController()
  readonly #connection: Connection
  readonly #status: StatusCard
  readonly #isKept: boolean
  #isRead = false
  #pane: DumpPane | XmlPane | undefined

  constructor({ source, name, isSample = false, count = 1 }: Opened, { onOther, onStep }: LookEvents) {
    this.#isKept = isSample || !(source instanceof Blob)
    const errors = element('div')
    const content = element('div')
    const connection = new Connection()
    this.#connection = connection
    this.#status = new StatusCard(name, connection, onOther)
    connection.on('opened', ({ kind, whyNoPages }) => {
      this.#pane =
        kind === 'mediawiki'
          ? new DumpPane(name, whyNoPages, connection, onStep)
          : new XmlPane(name, findFile(source), connection)
      content.replaceChildren(this.#pane.element)
    })
    connection.on('error', ({ error }) => errors.replaceChildren(makeErrorCard(error)))
    connection.on('state', ({ state }) => {
      this.#isRead = state !== 'reading' && state !== 'paused'
    })
    connection.send({ type: 'open', source, name })
    const below = element('div', { class: 'card' })
    // On a phone, what was found stands above the charts.
    const placeCharts = () => this.#status.placeCharts(PHONE.matches ? below : undefined)
    PHONE.addEventListener('change', placeCharts, { signal: this.#ended.signal })
    placeCharts()
    const others = `This is the first of ${formatCount(count)} files. One is opened at a time: drop the others one by one.`
    const note = count > 1 ? element('p', { class: 'notice', role: 'status' }, others) : undefined
    this.element = element('div', { class: 'stack' }, this.#status.element, note, errors, content, below)
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#pane?.isSaving ?? false
  }

  /** Whether leaving the page would end something, or lose what cannot be opened again with a click. */
  get wouldBeLost(): boolean {
    return !this.#isKept || !this.#isRead || this.isSaving
  }

  /** The page of a dump that is open. */
  get visit(): Visit | undefined {
    return this.#pane instanceof DumpPane ? this.#pane.visit : undefined
  }

  returnTo(visit: Visit): void {
    if (this.#pane instanceof DumpPane) this.#pane.returnTo(visit)
  }

  focus(): void {
    this.#status.focus()
  }

  close(): void {
    this.#ended.abort()
    this.#pane?.close()
    this.#connection.close()
  }
}

/** What the visitor has outside of the page: an address or the name of a file. Undefined for what was pasted, or comes with the page. */
function findFile(source: DocumentSource): string | undefined {
  if (typeof source === 'string') return source
  return source instanceof File ? source.name : undefined
}
