// A record whose element has ended, for those who make something of it. What nobody asks for is not decoded.

import type { FieldPlan, RecordPlan } from '../projection/plan.ts'
import type { RecordValues, Value } from '../projection/shape.ts'
import type { CompleteRecords } from './complete-records.ts'
import type { LineBytes } from './line-bytes.ts'

/** How a writer answers for its records. */
export interface RecordAccess {
  /** Where an entry begins. */
  originOf(entry: number): number
  toSource(offset: number): number
  /** The entry of the value of a field; 0 for none. */
  firstOf(entry: number, field: FieldPlan): number
  /** The fields that are not late. */
  build(plan: RecordPlan, entry: number): RecordValues
  /** Those of them that are not of elements around the record. */
  buildOwn(plan: RecordPlan, entry: number): RecordValues
  addLate(values: RecordValues, plan: RecordPlan, entry: number): void
  readField(entry: number, field: FieldPlan): Value
  /** The memory in which the kernel has written. */
  viewWritten(): Uint8Array
}

/** A record that something is made of. It is one record after the other: it must not be kept. */
export class FoundRecord {
  /** The number by which the writer knows it. */
  entry = 0
  readonly #access: RecordAccess
  #records: CompleteRecords | undefined
  #index = 0
  #values: RecordValues | undefined
  #ownValues: RecordValues | undefined

  constructor(access: RecordAccess) {
    this.#access = access
  }

  /** Makes it one of several records. */
  become(records: CompleteRecords, index: number): void {
    this.#records = records
    this.#index = index
    this.entry = records.entryOf(index)
    this.#values = this.#ownValues = undefined
  }

  /** Its fields without those that are late, which `addLate` adds. They are made when they are asked for. */
  get values(): RecordValues {
    this.#values ??= this.#access.build(this.#plan, this.entry)
    return this.#values
  }

  /**
   * `values` without records of the elements around it, for writers that know these already: around each record there may be more than around the one before,
   * so making all of them would take time with the square of the number of records.
   */
  get ownValues(): RecordValues {
    this.#ownValues ??= this.#access.buildOwn(this.#plan, this.entry)
    return this.#ownValues
  }

  /** Adds the fields that are late, to `values` by default. */
  addLate(values = this.values): void {
    this.#access.addLate(values, this.#plan, this.entry)
  }

  /** One of its fields that are not late, or of another record of the same shape that is complete as well, by its entry. */
  readField(field: FieldPlan, entry = this.entry): Value {
    return this.#access.readField(entry, field)
  }

  /** Where the record begins that is the value of a field; undefined if there is none. */
  startOf(field: FieldPlan): number | undefined {
    const value = this.#access.firstOf(this.entry, field)
    return value === 0 ? undefined : this.#access.toSource(this.#access.originOf(value))
  }

  /** Where its element begins and ends, in the input; and where it begins, for a `Fault`. */
  get start(): number {
    return this.#access.toSource(this.place)
  }

  get end(): number {
    return this.#access.toSource(this.#found.endOf(this.#index))
  }

  get place(): number {
    return this.#access.originOf(this.entry)
  }

  /** How many elements were open with its own. */
  get depth(): number {
    return this.#found.depthOf(this.#index)
  }

  /** Whether it is one around the records. */
  get isOuter(): boolean {
    return this.#plan.outer !== undefined
  }

  /** Whether the kernel has written it, by the line form of the projector, with all of it or without what is around it; `putLine` writes that. */
  get hasLine(): boolean {
    return this.lineLength > 0
  }

  /** Whether that is without what is around it, which the host has found. */
  get isPart(): boolean {
    return this.hasLine && !this.#found.isWhole(this.#index)
  }

  /** The entry of the value of a field; 0 for none. */
  entryOf(field: FieldPlan): number {
    return this.#access.firstOf(this.entry, field)
  }

  /** Bytes of that line; 0 where there is none. */
  get lineLength(): number {
    return this.#found.lineEndOf(this.#index) - this.#found.lineFromOf(this.#index)
  }

  /** What is there of it, if it has a line (`LineColumn.note`). */
  get notes(): number {
    return this.#found.notesOf(this.#index)
  }

  /** `from`: how many of its bytes are left out. */
  putLine(output: LineBytes, from = 0): void {
    output.put(
      this.#access.viewWritten(),
      this.#found.lineFromOf(this.#index) + from,
      this.#found.lineEndOf(this.#index),
    )
  }

  /** Calls a function with the bytes in which the kernel has written it, and where it begins there. */
  readLine(read: (bytes: Uint8Array, from: number) => void): void {
    read(this.#access.viewWritten(), this.#found.lineFromOf(this.#index))
  }

  get #found(): CompleteRecords {
    return this.#records as CompleteRecords
  }

  get #plan(): RecordPlan {
    return this.#found.planOf(this.#index)
  }
}
