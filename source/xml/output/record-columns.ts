// Records as columns.

import type { RecordPlan } from '../projection/plan.ts'
import type { RecordValues } from '../projection/shape.ts'
import type { ColumnBatch } from './column.ts'
import { type ColumnBuilder, columnBuilders, type ValueCursor } from './column-builder.ts'
import type { FoundRecord } from './found-record.ts'
import { columnsOf, LineForm } from './line-form.ts'

export interface RecordColumnsOptions {
  readonly plan: RecordPlan
  /** Records in a batch, at most. */
  readonly rows: number
  /** Decides about each record besides the conditions of the reader. */
  readonly isWanted?: ((values: RecordValues) => boolean) | undefined
}

/** A batch, and the offset in the input after its last record. */
interface FoundBatch {
  readonly batch: ColumnBatch
  readonly end: number
}

/** Bytes of the texts in one column after which a batch ends, so that offsets of 32 bits are enough, and memory is bounded. */
const LARGEST_TEXTS = 64 * 1024 * 1024

/** Puts the columns of one document together. */
export class RecordColumns {
  /** What the kernel writes; undefined if it cannot write one of the fields. */
  readonly form: LineForm | undefined
  readonly #options: RecordColumnsOptions
  readonly #builders: readonly ColumnBuilder[]
  #batches: FoundBatch[] = []
  #rows = 0
  #end = 0
  #cursor: ValueCursor | undefined

  constructor(options: RecordColumnsOptions) {
    const columns = columnsOf(options.plan)
    this.form = columns && new LineForm({ columns, format: 'values' })
    this.#options = options
    this.#builders = columnBuilders(options.plan)
  }

  /** Adds a record. */
  add(record: FoundRecord): undefined {
    const { isWanted, rows } = this.#options
    if (isWanted && !isWanted(record.values)) return
    if (record.hasLine) record.readLine(this.#read)
    else {
      record.addLate()
      const { values } = record
      for (const builder of this.#builders) builder.add(values[builder.name])
    }
    this.#rows++
    this.#end = record.end
    if (this.#rows >= rows || this.#builders.some(({ textLength }) => textLength > LARGEST_TEXTS)) this.#endBatch()
  }

  /** The batches that are complete; none: an empty array. */
  take(): FoundBatch[] {
    const batches = this.#batches
    if (batches.length > 0) this.#batches = []
    return batches
  }

  /** The same, with a last one of the records that are left. */
  finish(): FoundBatch[] {
    if (this.#rows > 0) this.#endBatch()
    return this.take()
  }

  #endBatch(): void {
    const columns = this.#builders.map((builder) => builder.take())
    this.#batches.push({ batch: { rows: this.#rows, columns }, end: this.#end })
    this.#rows = 0
  }

  readonly #read = (bytes: Uint8Array, from: number): void => {
    // The memory of the kernel is another one when it has grown.
    if (this.#cursor?.bytes.buffer !== bytes.buffer) {
      this.#cursor = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset), at: 0 }
    }
    this.#cursor.at = from
    for (const builder of this.#builders) builder.read(this.#cursor)
  }
}
