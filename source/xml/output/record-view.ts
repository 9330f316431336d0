// A record whose element has ended, for all who make something of it: conditions, functions, objects, lines, columns. What nobody asks for is not decoded.

import type { LineBytes } from '../../record/line-bytes.ts'
import type { RecordValues, Value } from '../../record/value.ts'
import { type RecordBatch, Word } from '../projection/record-batch.ts'
import type { FieldPlan, RecordPlan } from '../question/plan.ts'
import type { WherePlan } from '../question/where.ts'
import type { XmlElement } from '../tree/element.ts'
import type { FieldView } from './field-view.ts'
import type { RecordReader } from './record-reader.ts'
import { satisfies } from './satisfies.ts'

/** One record of a batch after the other: a view must not be kept. Fields are given by their names; `author.name` is a field of a record in the record. */
export class RecordView {
  readonly #reader: RecordReader
  readonly #batch: RecordBatch
  #index = 0
  /** How many records it shows: more than one if nothing but their lines is wanted. */
  count = 1
  #values: RecordValues | undefined
  #ownValues: RecordValues | undefined

  constructor(reader: RecordReader, batch: RecordBatch) {
    this.#reader = reader
    this.#batch = batch
  }

  /** Turns to another record of the batch, or to several. */
  turnTo(index: number, count = 1): void {
    this.#index = index
    this.count = count
    this.#values = this.#ownValues = undefined
  }

  /** The number by which captures know it, until others are found. */
  get entry(): number {
    return this.#get(Word.ENTRY)
  }

  /** Whether it is one of an element around the records. */
  get isOuter(): boolean {
    return this.#plan.outer !== undefined
  }

  /** Offsets in the input at which its element begins and ends. */
  get start(): number {
    return this.#reader.places.toSource(this.place)
  }

  get end(): number {
    return this.#reader.places.toSource(this.placeEnd)
  }

  /** Offset at which its element begins, for an `UnplacedError`. */
  get place(): number {
    return this.#reader.captures.originOf(this.entry)
  }

  /** Offset in the input after its element. */
  get placeEnd(): number {
    return this.#get(Word.END)
  }

  /** What its audit has marked (`HAS_MORE`, `WalkAudit`). */
  get mark(): number {
    return this.#reader.captures.markOf(this.entry)
  }

  /** Whether a test holds of some value that is no text, as it is written; in lists and records in the record, too. */
  someText(test: (field: FieldPlan, text: string) => boolean): boolean {
    return this.#reader.someText(this.#plan, this.entry, test)
  }

  /** Whether a field has a value. */
  has(name: string): boolean {
    return this.#find(name) !== 0
  }

  /** Whether a condition holds of it. An invalid value counts as absent: who writes the record reports it. */
  satisfies(condition: WherePlan): boolean {
    return satisfies(this.#reader, this.entry, condition, 'seen')
  }

  /** The record as a function sees it. */
  see<Seen extends object>(view: FieldView<Seen>): Seen {
    return view.of(this.#reader, this.entry)
  }

  /** The text that is the value of a field; undefined if there is none. */
  text(name: string): string | undefined {
    const value = this.#find(name)
    return value === 0 ? undefined : this.#reader.texts.textOf(this.#fieldsOf(name).at(-1) as FieldPlan, value)
  }

  /** The number that the text of a field is, NaN for one that is none; undefined if there is no value. */
  number(name: string): number | undefined {
    const value = this.#find(name)
    return value === 0 ? undefined : (this.#reader.texts.digitsOf(value) ?? Number(this.text(name)))
  }

  /** The value of a field that is not late. */
  value(name: string): Value {
    return this.#reader.valueOf(this.entry, this.#fieldsOf(name)[0] as FieldPlan)
  }

  /** The element of a field of the kind `object`, which every record has. */
  element(name: string): XmlElement {
    return this.#reader.elementOf(this.entry, this.#fieldsOf(name)[0] as FieldPlan)
  }

  /** How many matches in its element become no records; 0 where nobody counts these. */
  get innerMatches(): number {
    const { inner } = this.#plan
    return inner ? this.#reader.countOf(this.entry, inner) : 0
  }

  /** How many values a list has. */
  countOf(name: string): number {
    return this.#reader.countOf(this.entry, this.#fieldsOf(name)[0] as FieldPlan)
  }

  /** Offset in the input at which the record begins that is the value of a field; undefined if there is none. */
  startOf(name: string): number | undefined {
    const value = this.#find(name)
    return value === 0 ? undefined : this.#reader.places.toSource(this.#reader.captures.originOf(value))
  }

  /** All its fields. */
  complete(): RecordValues {
    if (this.#values) this.addLate()
    else this.#values = this.#reader.build(this.#plan, this.entry, 'all')
    return this.#values
  }

  /** Its fields without those that are late, which `addLate` adds. */
  get values(): RecordValues {
    this.#values ??= this.#reader.build(this.#plan, this.entry, 'early')
    return this.#values
  }

  /**
   * `values` without records of the elements around it, for those who know these already: around each record there may be more than around the one
   * before, so making all of them would take time with the square of the number of records.
   */
  get ownValues(): RecordValues {
    this.#ownValues ??= this.#reader.build(this.#plan, this.entry, 'own')
    return this.#ownValues
  }

  /** Adds the fields that are late, to `values` by default. */
  addLate(values = this.values): void {
    this.#reader.addLate(values, this.#plan, this.entry)
  }

  /** A copy of its values, or of those of the record in a field, without the properties that are undefined. */
  compact<T extends object>(values: RecordValues, name?: string): T {
    return dropUndefined<T>(
      (name === undefined ? this.#plan : this.#fieldsOf(name).at(-1)?.record) as RecordPlan,
      values,
    )
  }

  /** Whether the kernel has written it, by the line form of the projector. */
  get hasLine(): boolean {
    return this.lineLength > 0
  }

  /** Whether what it has written has all that is to be in the line; otherwise, what is around the record is missing. */
  get isLineComplete(): boolean {
    return this.hasLine && this.#batch.isLineComplete(this.#index)
  }

  get lineLength(): number {
    return this.#lineEnd - this.#get(Word.LINE_FROM)
  }

  /** Writes its line. `skipped`: how many bytes of it are left out at the start. */
  putLine(output: LineBytes, skipped = 0): void {
    output.putLine(this.#batch, this.#get(Word.LINE_FROM) + skipped, this.#lineEnd)
  }

  /** Calls a function with the memory in which the kernel has written it, and the address at which it begins. */
  readLine(read: (bytes: Uint8Array, from: number) => void): void {
    read((this.#batch.memory as NonNullable<RecordBatch['memory']>).bytes, this.#get(Word.LINE_FROM))
  }

  get #lineEnd(): number {
    return this.#batch.get(this.#index + this.count - 1, Word.LINE_END)
  }

  get #plan(): RecordPlan {
    return this.#batch.planOf(this.#index)
  }

  #get(word: number): number {
    return this.#batch.get(this.#index, word)
  }

  #fieldsOf(name: string): readonly FieldPlan[] {
    return this.#reader.fieldsOf(this.#plan, name)
  }

  #find(name: string): number {
    return this.#reader.entryOf(this.entry, this.#fieldsOf(name))
  }
}

/** The order of the properties stays. (To delete them would make a dictionary of it for V8.) */
function dropUndefined<T extends object>({ fields }: RecordPlan, values: RecordValues): T {
  const result: RecordValues = {}
  for (const { name, record } of fields) {
    const value = values[name]
    if (value === undefined) continue
    if (!record) result[name] = value
    else if (Array.isArray(value)) result[name] = value.map((one) => one && dropUndefined(record, one as RecordValues))
    else result[name] = dropUndefined<RecordValues>(record, value as RecordValues)
  }
  return result as T
}
