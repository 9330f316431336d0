// A document of any kind: its structure, and records of it.

import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import type { Connection } from './connection.ts'
import { DownloadButton } from './download-button.ts'
import { makeErrorCard } from './error-card.ts'
import type { PickedShape } from './protocol.ts'
import { RecordTable } from './record-table.ts'
import { ShapeEditor } from './shape-editor.ts'
import { StructureTree } from './structure-tree.ts'

const EVERY_PAGE = { namespaces: undefined, redirects: 'all', title: '' } as const

export class XmlPane {
  readonly element: HTMLElement
  readonly #table: RecordTable
  readonly #downloads: readonly DownloadButton[]
  #shape: PickedShape | undefined

  /** `name`: of the file. */
  constructor(name: string, connection: Connection) {
    const editor = new ShapeEditor((shape) => this.#read(shape, connection, records))
    const tree = new StructureTree((node) => editor.open(node))
    this.#table = new RecordTable(connection)
    const count = element('p', { class: 'label', role: 'status' })
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
      { class: 'card', 'aria-label': 'Table of records', hidden: true },
      count,
      error,
      this.#table.element,
      element('div', { class: 'row' }, ...this.#downloads.map((download) => download.element)),
    )
    const note = element('p', { class: 'label' })
    connection.on('structure', ({ roots, isCut }) => {
      tree.update(roots)
      note.textContent = isCut
        ? 'There are more different paths or attributes than are kept here: some are missing.'
        : ''
    })
    connection.on('recordsListed', ({ kept, all, isFull, isDone, error: told }) => {
      this.#table.setCount(kept)
      const full = isFull ? ` The table has the first ${formatCount(kept)}; a download has all.` : ''
      count.textContent = `${formatCount(all)} records${isDone ? '' : ' so far'}.${full}`
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
          tree.element,
        ),
        editor.element,
      ),
      records,
    )
  }

  close(): void {
    this.#table.close()
    for (const download of this.#downloads) download.close()
  }

  #read(shape: PickedShape, connection: Connection, records: HTMLElement): void {
    this.#shape = shape
    records.hidden = false
    this.#table.reset(shape.fields.map(({ name }) => name))
    connection.send({ type: 'records', shape })
    records.scrollIntoView({ block: 'nearest' })
  }
}
