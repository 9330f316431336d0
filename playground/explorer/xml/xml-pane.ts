// A document of any kind: its structure, and records of it.

import { element } from '../../shell/element.ts'
import { countOf } from '../../shell/numbers.ts'
import type { Connection } from '../connection.ts'
import type { ExplorerAnswer } from '../protocol.ts'
import { RecordsCard } from './records-card.ts'
import { ShapeEditor } from './shape-editor.ts'
import { StructureTree } from './structure-tree.ts'

export class XmlPane {
  readonly element: HTMLElement
  readonly #tree: StructureTree
  readonly #records: RecordsCard

  /** `name`: of the document. `file`: the file or the address that the command line reads; undefined if there is none. */
  constructor(name: string, file: string | undefined, connection: Connection) {
    this.#records = new RecordsCard(name, connection)
    const editor = new ShapeEditor(file, (shape) => {
      this.#tree.mark(shape.record)
      this.#records.open(shape)
    })
    this.#tree = new StructureTree(connection, (record) => {
      editor.open(record)
      // On a narrow screen it stands below the structure.
      this.#records.element.focus({ preventScroll: true })
      this.#records.element.scrollIntoView({ block: 'nearest' })
    })
    connection.on('proposed', ({ record }) => {
      editor.propose(record, this.#records.isUsed)
    })
    connection.on('state', ({ state }) => {
      if (state === 'done') editor.conclude()
    })
    const note = element('p', { class: 'label' })
    const skipped = element('p', { class: 'notice', hidden: true })
    connection.on('skipped', (answer) => {
      skipped.textContent = describeSkipped(answer)
      skipped.hidden = false
    })
    let nodes = 0
    connection.on('structure', ({ added, isCut }) => {
      nodes += added.length
      this.element.hidden = nodes === 0
      // The root alone cannot be a record.
      editor.element.hidden = nodes === 1
      note.textContent = isCut
        ? 'There are more different paths or attributes than are kept here: some are missing.'
        : ''
    })
    const panes = element(
      'div',
      { class: 'panes document' },
      element(
        'section',
        { class: 'card structure', 'aria-label': 'Structure' },
        element('h2', {}, 'Structure'),
        note,
        this.#tree.element,
      ),
      element('div', { class: 'stack' }, this.#records.element, editor.element),
    )
    // As long as nothing is seen, there is nothing to choose.
    this.element = element('div', { class: 'stack', hidden: true }, skipped, panes)
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#records.isSaving
  }

  close(): void {
    this.#tree.close()
    this.#records.close()
  }
}

function describeSkipped({ count, names, hasMoreNames }: Extract<ExplorerAnswer, { type: 'skipped' }>): string {
  const list = names.map((name) => `&${name};`).join(', ')
  return (
    `${countOf(count, 'reference')} to ${count === 1 ? 'an entity is' : 'entities are'} left out: ${list}${hasMoreNames ? ' and others' : ''}. ` +
    `${count === 1 ? 'Its' : 'Their'} text is declared in another file, which this page does not read. So it is missing in the examples, in the table and in downloads.`
  )
}
