// Records as columns.

import type { RecordValues } from '../value.ts'
import type { ColumnBatch } from './column.ts'
import { type ColumnBuilder, columnBuilders, sizeOf, type ValueCursor } from './column-builder.ts'
import type { Collected, Collector, Format, FormatField, FormatRecord, FormatSetup, FormatWriter } from './format.ts'

/** Bytes of its columns after which a batch ends, so that offsets of 32 bits are enough, and memory is bounded. */
const LARGEST_BATCH = 4 * 1024 * 1024

const collect = (fields: readonly FormatField[], { rows }: FormatSetup) => new ColumnCollector(fields, rows, 'values')

export const format: Format<ColumnBatch> = { collect }

/** Collects columns of records that are made as objects: values of fields may have another form than a kernel writes. */
export function collectObjects(fields: readonly FormatField[], { rows }: FormatSetup): Collector<ColumnBatch> {
  return new ColumnCollector(fields, rows, undefined)
}

/** A format that is made of columns. */
export function columnFormat(
  open: (fields: readonly FormatField[], options: FormatSetup) => FormatWriter<ColumnBatch>,
): Format<ColumnBatch> {
  return { collect, open }
}

class ColumnCollector implements Collector<ColumnBatch> {
  readonly writing: 'values' | undefined
  readonly #most: number
  readonly #builders: readonly ColumnBuilder[]
  #batches: Collected<ColumnBatch>[] = []
  #rows = 0
  #cursor: ValueCursor | undefined
  #around: RecordValues | undefined

  /** `most`: how many rows are in a batch at the most. */
  constructor(fields: readonly FormatField[], most: number, writing: 'values' | undefined) {
    this.writing = writing
    this.#most = most
    this.#builders = columnBuilders(fields)
  }

  add(record: FormatRecord): undefined {
    if (record.hasLine) {
      this.#around = record.around
      record.readLine?.(this.#read)
    } else {
      const values = record.complete()
      // Of a field that is absent, objects may have another value, such as `constructor`.
      for (const builder of this.#builders)
        builder.add(Object.hasOwn(values, builder.name) ? values[builder.name] : undefined)
    }
    this.#rows++
    if (this.#rows >= this.#most || sizeOf(this.#builders) > LARGEST_BATCH) this.#endBatch()
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
    this.#batches.push({ batch: { rows: this.#rows, columns }, records: this.#rows })
    this.#rows = 0
  }

  readonly #read = (bytes: Uint8Array, from: number): void => {
    // The memory of the kernel is another one when it has grown.
    if (this.#cursor?.bytes.buffer !== bytes.buffer) {
      this.#cursor = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset), at: 0 }
    }
    this.#cursor.at = from
    const around = this.#around
    for (const builder of this.#builders) {
      if (around && Object.hasOwn(around, builder.name)) builder.replace(this.#cursor, around[builder.name])
      else builder.read(this.#cursor)
    }
  }
}
