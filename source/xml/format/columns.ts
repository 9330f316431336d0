// Records as columns.

import { columnsOf, LineForm } from '../output/line-form.ts'
import type { RecordView } from '../output/record-view.ts'
import type { ColumnBatch } from './column.ts'
import { type ColumnBuilder, columnBuilders, type ValueCursor } from './column-builder.ts'
import type {
  Collected,
  Collector,
  CollectorOptions,
  Format,
  FormatField,
  FormatOptions,
  FormatWriter,
} from './format.ts'

/** Bytes of the texts in one column after which a batch ends, so that offsets of 32 bits are enough, and memory is bounded. */
const LARGEST_TEXTS = 64 * 1024 * 1024

const collect = (options: CollectorOptions): Collector<ColumnBatch> => new ColumnCollector(options)

export const format: Format<ColumnBatch> = { collect }

/** A format that is made of columns. */
export function columnFormat(
  open: (fields: readonly FormatField[], options: FormatOptions) => FormatWriter<ColumnBatch>,
): Format<ColumnBatch> {
  return { collect, open }
}

class ColumnCollector implements Collector<ColumnBatch> {
  /** Undefined if the kernel cannot write one of the fields. */
  readonly form: LineForm | undefined
  readonly #options: CollectorOptions
  readonly #builders: readonly ColumnBuilder[]
  #batches: Collected<ColumnBatch>[] = []
  #rows = 0
  #left: number
  #end = 0
  #cursor: ValueCursor | undefined

  constructor(options: CollectorOptions) {
    const columns = columnsOf(options.plan)
    this.form = columns && new LineForm({ columns, format: 'values' })
    this.#options = options
    this.#left = options.limit
    this.#builders = columnBuilders(options.plan)
  }

  add(record: RecordView): undefined {
    const { isWanted, rows } = this.#options
    if (this.#left <= 0 || (isWanted && !isWanted(record.values))) return
    if (record.hasLine) record.readLine(this.#read)
    else {
      record.addLate()
      const { values } = record
      for (const builder of this.#builders) builder.add(values[builder.name])
    }
    this.#rows++
    this.#left--
    this.#end = record.end
    const isFull = this.#rows >= rows || this.#left === 0
    if (isFull || this.#builders.some(({ textLength }) => textLength > LARGEST_TEXTS)) this.#endBatch()
  }

  take(): Collected<ColumnBatch>[] {
    const batches = this.#batches
    if (batches.length > 0) this.#batches = []
    return batches
  }

  finish(): Collected<ColumnBatch>[] {
    if (this.#rows > 0) this.#endBatch()
    return this.take()
  }

  #endBatch(): void {
    const columns = this.#builders.map((builder) => builder.take())
    this.#batches.push({ batch: { rows: this.#rows, columns }, ends: [this.#end] })
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
