// A document of any kind: its structure, and records of it.

import { button, element } from '../../shell/element.ts'
import { countOf, formatCount } from '../../shell/numbers.ts'
import type { Connection } from '../connection.ts'
import { DownloadButton } from '../download-button.ts'
import { makeErrorCard } from '../error-card.ts'
import type { ExplorerAnswer, PickedShape } from '../protocol.ts'
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
    const skipped = element('p', { class: 'notice', hidden: true })
    connection.on('skipped', (answer) => {
      skipped.textContent = describeSkipped(answer)
      skipped.hidden = false
    })
    connection.on('structure', ({ added, isCut }) => {
      if (added.length > 0) this.element.hidden = false
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
      this.#count.textContent = `${countOf(all, 'record')}${state}.${full}`
      error.replaceChildren(...(told ? [makeErrorCard(told)] : []))
    })
    this.element = element(
      'div',
      // As long as nothing is seen, there is nothing to choose.
      { class: 'stack', hidden: true },
      skipped,
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

function describeSkipped({ count, names, hasMoreNames }: Extract<ExplorerAnswer, { type: 'skipped' }>): string {
  const list = names.map((name) => `&${name};`).join(', ')
  return (
    `${countOf(count, 'reference')} to ${count === 1 ? 'an entity is' : 'entities are'} left out: ${list}${hasMoreNames ? ' and others' : ''}. ` +
    `${count === 1 ? 'Its' : 'Their'} text is declared in another file, which this page does not read. So it is missing in the examples, in the table and in downloads.`
  )
}
