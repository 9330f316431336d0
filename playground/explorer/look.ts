// A file that is looked into: its worker, how far it is read, and what was found.

import { element } from '../shell/element.ts'
import { Connection } from './connection.ts'
import { DumpPane } from './dump/dump-pane.ts'
import { makeErrorCard } from './error-card.ts'
import type { Opened } from './opener.ts'
import { StatusCard } from './status-card.ts'
import { XmlPane } from './xml/xml-pane.ts'

export class Look {
  readonly element: HTMLElement
  readonly #connection: Connection
  readonly #status: StatusCard
  readonly #hasAddress: boolean
  #isRead = false
  #pane: DumpPane | XmlPane | undefined

  /** `onOther` is called when another file is wanted. */
  constructor({ source, name, isSample = false }: Opened, onOther: () => void) {
    this.#hasAddress = isSample || typeof source === 'string'
    const errors = element('div')
    const content = element('div')
    const connection = new Connection((message) => {
      const advice = 'Reload the page. If that does not help, this browser may be too old, or forbid what is needed.'
      const nothing = { code: undefined, line: undefined, column: undefined, byteOffset: undefined, excerpt: undefined }
      this.#isRead = true
      errors.replaceChildren(makeErrorCard({ title: 'The file cannot be read here', advice, message, ...nothing }))
    })
    this.#connection = connection
    this.#status = new StatusCard(name, connection, onOther)
    connection.on('opened', ({ kind, whyNoPages }) => {
      this.#pane = kind === 'mediawiki' ? new DumpPane(name, whyNoPages, connection) : new XmlPane(name, connection)
      content.replaceChildren(this.#pane.element)
    })
    connection.on('error', ({ error }) => errors.replaceChildren(makeErrorCard(error)))
    connection.on('state', ({ state }) => {
      this.#isRead = state !== 'reading' && state !== 'paused'
    })
    connection.send({ type: 'open', source, name })
    this.element = element('div', { class: 'stack' }, this.#status.element, errors, content)
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#pane?.isSaving ?? false
  }

  /** Whether leaving the page would end something, or lose what cannot be opened again by its address. */
  get wouldBeLost(): boolean {
    return !this.#hasAddress || !this.#isRead || this.isSaving
  }

  focus(): void {
    this.#status.focus()
  }

  close(): void {
    this.#pane?.close()
    this.#connection.close()
  }
}
