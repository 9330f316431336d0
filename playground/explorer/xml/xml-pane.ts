// A document of any kind: its structure, and records of it.

import { element } from '../../shell/element.ts'
import type { Connection } from '../connection.ts'
import { RecordsCard } from './records-card.ts'
import { ShapeEditor } from './shape-editor.ts'
import { StructureTree } from './structure-tree.ts'

export class XmlPane {
  readonly element: HTMLElement
  readonly #tree: StructureTree
  readonly #records: RecordsCard

  /** `name`: of the document. `file`: its name or its address, for the command line. */
  constructor(name: string, file: string, connection: Connection) {
    this.#records = new RecordsCard(name, connection)
    const editor = new ShapeEditor(file, (shape) => this.#records.open(shape))
    this.#tree = new StructureTree(connection, (record) => {
      editor.open(record)
      // On a narrow screen it stands below the structure.
      this.#records.element.focus({ preventScroll: true })
      this.#records.element.scrollIntoView({ block: 'nearest' })
    })
    connection.on('proposed', ({ record }) => editor.propose(record))
    const note = element('p', { class: 'label' })
    connection.on('structure', ({ isCut }) => {
      note.textContent = isCut
        ? 'There are more different paths or attributes than are kept here: some are missing.'
        : ''
    })
    this.element = element(
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
