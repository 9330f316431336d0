// A document of any kind: its structure, and records of it.

import { button, element } from '../../shell/element.ts'
import { formatCount } from '../../shell/numbers.ts'
import type { Connection } from '../connection.ts'
import { DownloadButton } from '../download-button.ts'
import { makeErrorCard } from '../error-card.ts'
import type { PickedShape } from '../protocol.ts'
import { RecordTable } from './record-table.ts'
import { ShapeEditor } from './shape-editor.ts'
import { StructureTree } from './structure-tree.ts'

const EVERY_PAGE = { namespaces: undefined, redirects: 'all', title: '' } as const

export class XmlPane {
  readonly element: HTMLElement
  readonly #tree: StructureTree
  readonly #table: RecordTable
  readonly #downloads: readonly DownloadButton[]
  readonly #count = element('p', { class: 'label', role: 'status' })
  readonly #stop: HTMLButtonElement
  #shape: PickedShape | undefined
  #isStopped = false

  /** `name`: of the file. */
  constructor(name: string, connection: Connection) {
    const editor = new ShapeEditor((shape) => this.#read(shape, connection, records))
    this.#tree = new StructureTree(connection, (record) => editor.open(record))
    this.#table = new RecordTable(connection)
    this.#stop = button('Stop reading records', () => this.#end(connection), { class: 'button small' })
    const error = element('div')
    const stem = name.replace(/\.(?:xml|bz2|gz|zst)/g, '')
    this.#downloads = (['jsonl', 'csv'] as const).map(
      (format) =>
        new DownloadButton(connection, format === 'csv' ? 'Download CSV' : 'Download JSON lines', () => ({
          name: `${stem}.${format}`,
          shape: this.#shape,
          filter: EVERY_PAGE,
          format,
        })),
    )
    const records = element(
      'section',
      { class: 'card', 'aria-label': 'Table of records', hidden: true, tabindex: -1 },
      element('div', { class: 'row' }, this.#count, this.#stop),
      error,
      this.#table.element,
      element('div', { class: 'row' }, ...this.#downloads.map((download) => download.element)),
    )
    const note = element('p', { class: 'label' })
    connection.on('structure', ({ isCut }) => {
      note.textContent = isCut
        ? 'There are more different paths or attributes than are kept here: some are missing.'
        : ''
    })
    connection.on('recordsListed', ({ kept, all, isFull, isDone, error: told }) => {
      this.#table.setCount(kept)
      if (isDone && this.#stop === document.activeElement) records.focus({ preventScroll: true })
      this.#stop.hidden = isDone || this.#isStopped
      const full = isFull ? ` The table has the first ${formatCount(kept)}; a download has all.` : ''
      const state = this.#isStopped ? ', then it was stopped' : isDone ? '' : ' so far'
      this.#count.textContent = `${formatCount(all)} records${state}.${full}`
      error.replaceChildren(...(told ? [makeErrorCard(told)] : []))
    })
    this.element = element(
      'div',
      { class: 'stack' },
      element(
        'div',
        { class: 'panes' },
        element(
          'section',
          { class: 'card structure', 'aria-label': 'Structure' },
          element('h2', {}, 'Structure'),
          note,
          this.#tree.element,
        ),
        editor.element,
      ),
      records,
    )
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#downloads.some(({ isSaving }) => isSaving)
  }

  close(): void {
    this.#tree.close()
    this.#table.close()
    for (const download of this.#downloads) download.close()
  }

  #read(shape: PickedShape, connection: Connection, records: HTMLElement): void {
    this.#shape = shape
    this.#isStopped = false
    this.#stop.hidden = false
    this.#count.textContent = 'Reading records …'
    records.hidden = false
    this.#table.reset(shape.fields.map(({ name }) => name))
    connection.send({ type: 'records', shape })
    records.scrollIntoView({ block: 'nearest' })
  }

  #end(connection: Connection): void {
    this.#isStopped = true
    this.#table.element.focus({ preventScroll: true })
    this.#stop.hidden = true
    connection.send({ type: 'endRecords' })
  }
}
