// The records of a shape: the first of them at once, and all of them as a table or as files.

import { button, element } from '../../shell/element.ts'
import { countOf, formatCount } from '../../shell/numbers.ts'
import type { Connection } from '../connection.ts'
import { makeErrorCard } from '../error-card.ts'
import type { ExplorerAnswer, PickedShape, ToldError } from '../protocol.ts'
import { SaveRow } from '../save-row.ts'
import { RecordTable } from './record-table.ts'

/** Records that are shown without being asked for. */
const FIRST = 10

type Listed = Extract<ExplorerAnswer, { type: 'recordsListed' }>

export class RecordsCard {
  readonly element: HTMLElement
  readonly #connection: Connection
  readonly #table: RecordTable
  readonly #saving: SaveRow
  readonly #path = element('code', {})
  readonly #count = element('p', { class: 'label', role: 'status' })
  readonly #error = element('div')
  readonly #all = button('Read all records', () => this.#readAll(), { class: 'button primary' })
  readonly #stop = button('Stop reading records', () => this.#end(), { class: 'button small' })
  #shape: PickedShape = { record: '', fields: [] }
  #mode: 'first' | 'all' | 'stopped' = 'first'
  /** The error at which reading the document ended, which is shown above. */
  #known: ToldError | undefined
  /** The error at which reading the records ended. */
  #told: ToldError | undefined

  /** `name`: of the file. */
  constructor(name: string, connection: Connection) {
    this.#connection = connection
    this.#table = new RecordTable(connection)
    this.#saving = new SaveRow(connection, name, 'Download', () => this.#shape)
    connection.on('recordsListed', (listed) => this.#show(listed))
    connection.on('error', ({ error }) => {
      this.#known = error
      this.#showError()
    })
    this.element = element(
      'section',
      { class: 'card records', 'aria-label': 'Table of records', hidden: true, tabindex: -1 },
      element('h2', {}, 'Records of ', this.#path),
      element('div', { class: 'row' }, this.#count, this.#stop),
      this.#error,
      this.#table.element,
      element('div', { class: 'row' }, this.#all),
      this.#saving.element,
    )
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#saving.isSaving
  }

  /** Whether the visitor has asked for more than the first records. */
  get isUsed(): boolean {
    return this.#mode !== 'first' || this.isSaving
  }

  /** Shows the first records of a shape. Of one without fields, nothing is read. */
  open(shape: PickedShape): void {
    this.#path.textContent = `/${shape.record}`
    this.element.hidden = false
    const hasFields = shape.fields.length > 0
    this.#all.disabled = !hasFields
    this.#saving.isEnabled = hasFields
    this.#table.element.hidden = !hasFields
    if (hasFields) {
      this.#read(shape, 'first')
      return
    }
    this.#shape = shape
    this.#connection.send({ type: 'endRecords' })
    this.#stop.hidden = true
    this.#count.textContent = 'Choose at least one field.'
  }

  close(): void {
    this.#table.close()
    this.#saving.close()
  }

  #readAll(): void {
    this.#read(this.#shape, 'all')
    this.element.focus({ preventScroll: true })
  }

  #read(shape: PickedShape, mode: 'first' | 'all'): void {
    this.#shape = shape
    this.#mode = mode
    this.#all.hidden = mode === 'all'
    this.#stop.hidden = mode === 'first'
    this.#count.textContent = 'Reading records …'
    this.#told = undefined
    this.#showError()
    this.#table.reset(shape.fields.map(({ name }) => name))
    this.#connection.send({ type: 'records', shape, most: mode === 'first' ? FIRST : undefined })
  }

  #show({ kept, all, isFull, isDone, error }: Listed): void {
    // It is about the fields that were chosen before.
    if (this.#shape.fields.length === 0) return
    this.#table.setCount(kept)
    if (isDone && this.#stop === document.activeElement) this.element.focus({ preventScroll: true })
    this.#stop.hidden = isDone || this.#mode !== 'all'
    this.#told = error
    this.#showError()
    if (this.#mode === 'first' && kept === FIRST) {
      this.#count.textContent = `The first ${FIRST} records.`
      return
    }
    // All are shown.
    if (this.#mode === 'first' && isDone && !error) this.#all.hidden = true
    const full = isFull ? ` The table has the first ${formatCount(kept)}; a download has all.` : ''
    const state = this.#mode === 'stopped' ? ', then it was stopped' : isDone ? '' : ' so far'
    this.#count.textContent = `${countOf(all, 'record')}${state}.${full}`
  }

  /** What stands above is not said twice. */
  #showError(): void {
    const error = this.#told
    if (!error) this.#error.replaceChildren()
    else if (error.message !== this.#known?.message) this.#error.replaceChildren(makeErrorCard(error))
    else this.#error.replaceChildren(element('p', { class: 'notice' }, 'The records end at the error above.'))
  }

  #end(): void {
    this.#mode = 'stopped'
    this.#table.element.focus({ preventScroll: true })
    this.#stop.hidden = true
    this.#connection.send({ type: 'endRecords' })
  }
}
