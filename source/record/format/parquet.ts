// Apache Parquet, written by hyparquet-writer: a package that users install, because most do not need it.

import type { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type Column, type ColumnBatch, valuesOf } from './column.ts'
import { columnBuilders } from './column-builder.ts'
import { columnFormat } from './columns.ts'
import type { Format, FormatField, FormatSetup, FormatWriter } from './format.ts'

/** An element of a schema. */
type Element = ParquetWriter['schema'][number]

/** What is used of Node's zlib. Versions before Node 22.15 have no zstd. */
interface Zlib {
  readonly constants: { readonly ZSTD_c_compressionLevel: number }
  zstdCompressSync?(bytes: Uint8Array, options: { params: Record<number, number> }): Uint8Array
}

interface Runtime {
  process?: { versions?: { zstd?: string }; getBuiltinModule?(name: string): Zlib }
}

const PACKAGE = 'hyparquet-writer'
/** That of most programs that write Parquet. */
const ZSTD_LEVEL = 1
/** The batches of a group of rows have this many bytes, this many rows, or this many slots: absent values take memory while they are written, too. */
const GROUP_SIZE = 16 * 1024 * 1024
const GROUP_ROWS = 1024 * 1024
const GROUP_SLOTS = 4 * 1024 * 1024
const { process } = globalThis as Runtime
/** Asked for here: a module that is loaded late imports from all of what programs always load, or from none of it. */
const zlib = process?.getBuiltinModule?.('node:zlib')
const zstd = zlib?.zstdCompressSync ? [`zstd ${process?.versions?.zstd} level ${ZSTD_LEVEL}`] : []

export const format: Format<ColumnBatch> = {
  ...columnFormat((fields, options) => new ParquetOutput(fields, options)),
  codecs: [...zstd, 'snappy'],
  package: PACKAGE,
}

class ParquetOutput implements FormatWriter<ColumnBatch> {
  readonly #schema: readonly Element[]
  readonly #options: FormatSetup
  /** Both are there when the output has begun: what was written since the bytes were taken last, and what writes there. */
  #output: ByteWriter | undefined
  #writer: ParquetWriter | undefined
  /** Batches that wait for more of them, and how large they are. */
  #batches: ColumnBatch[] = []
  #size = 0
  #rows = 0

  constructor(fields: readonly FormatField[], options: FormatSetup) {
    const columns = columnBuilders(fields).map((builder) => builder.take())
    this.#schema = groupOf({ name: 'schema' }, columns)
    this.#options = options
  }

  async begin(): Promise<Uint8Array> {
    const { ByteWriter, ParquetWriter } = await loadWriter()
    const { codec = format.codecs?.[0], metadata = {} } = this.#options
    this.#output = new ByteWriter()
    this.#writer = new ParquetWriter({
      writer: this.#output,
      schema: [...this.#schema],
      codec: codec === 'snappy' ? 'SNAPPY' : 'ZSTD',
      compressors: { ZSTD: compressByZstd },
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      // Without a version: parts that were written twice are the same.
      createdBy: 'xylem',
    })
    return this.#take()
  }

  write(batch: ColumnBatch): Uint8Array {
    this.#batches.push(batch)
    for (const column of batch.columns) this.#size += sizeOf(column)
    this.#rows += batch.rows
    const slots = this.#rows * this.#schema.length
    if (this.#size >= GROUP_SIZE || this.#rows >= GROUP_ROWS || slots >= GROUP_SLOTS) this.#writeGroup()
    return this.#take()
  }

  end(): Uint8Array {
    if (this.#rows > 0) this.#writeGroup()
    this.#writer?.finish()
    return this.#take()
  }

  #writeGroup(): void {
    const columnData = this.#batches[0]?.columns.map(({ name }, i) => {
      return { name, data: this.#batches.flatMap(({ columns }) => valuesOf(columns[i] as Column)) }
    })
    this.#writer?.write({ columnData: columnData ?? [], rowGroupSize: this.#rows })
    this.#batches = []
    this.#size = this.#rows = 0
  }

  #take(): Uint8Array {
    const output = this.#output as ByteWriter
    const bytes = output.getBytes().slice()
    // The memory is written to anew.
    output.index = 0
    return bytes
  }
}

function compressByZstd(bytes: Uint8Array): Uint8Array {
  const { constants, zstdCompressSync } = zlib as Required<Zlib>
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
}

/** Throws an `Error` with the code `package-missing` where it is not installed. */
async function loadWriter(): Promise<typeof import('hyparquet-writer')> {
  try {
    // Bundlers would look for a name. Builds have comments here that keep them from warning (scripts/build.mjs).
    return await import(String(PACKAGE))
  } catch (cause) {
    const message = `Parquet is written by the package ${PACKAGE}, which is not installed; run: npm install ${PACKAGE}`
    throw Object.assign(new Error(message, { cause }), { code: 'package-missing' })
  }
}

/** A column in a schema, with those in it. Everything may be absent. */
function elementsOf(column: Column, name = column.name): Element[] {
  const element = { name, repetition_type: 'OPTIONAL' } as const
  switch (column.type) {
    case 'utf8':
      return [{ ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' }]
    case 'int64':
      return [{ ...element, type: 'INT64' }]
    case 'decimal': {
      const { precision, scale } = column
      const logical = { type: 'DECIMAL', precision, scale } as const
      const decimal = { converted_type: 'DECIMAL', logical_type: logical, precision, scale } as const
      return [{ ...element, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal }]
    }
    case 'timestamp': {
      const logical = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const
      return [{ ...element, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type: logical }]
    }
    case 'float64':
      return [{ ...element, type: 'DOUBLE' }]
    case 'bool':
      return [{ ...element, type: 'BOOLEAN' }]
    case 'list': {
      const list = { name: 'list', repetition_type: 'REPEATED', num_children: 1 } as const
      return [{ ...element, converted_type: 'LIST', num_children: 1 }, list, ...elementsOf(column.child, 'element')]
    }
    case 'struct': {
      return groupOf(element, column.children)
    }
  }
}

/** Throws a `RangeError` with the code `invalid-option` for a record without fields, which Parquet does not have. */
function groupOf(element: Element, children: readonly Column[]): Element[] {
  if (children.length === 0)
    throw Object.assign(new RangeError('records in Parquet need at least one field'), { code: 'invalid-option' })
  return [{ ...element, num_children: children.length }, ...children.flatMap((child) => elementsOf(child))]
}

/** About how many bytes the values of a column have. As what is written, booleans take as much as other values. */
function sizeOf(column: Column): number {
  if (column.type === 'struct') return column.children.reduce((sum, child) => sum + sizeOf(child), 0)
  if (column.type === 'list') return column.offsets.byteLength + sizeOf(column.child)
  if (column.type === 'bool') return 4 * column.length
  return column.values.byteLength + (column.type === 'utf8' ? column.offsets.byteLength : 0)
}
