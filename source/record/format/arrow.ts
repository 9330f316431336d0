// Apache Arrow's formats of files and of streams (Arrow Columnar Format 1.5, "Serialization and Interprocess Communication"). The buffers of columns
// are written as they are. A stream is a schema, batches, and a mark of its end; in a file, a list of the batches follows.

import {
  type FlatNumber,
  type FlatPart,
  flatBuffer,
  flatStructs,
  flatTable,
  flatText,
  flatVector,
} from '../flat-buffers.ts'
import type { Column, ColumnBatch } from './column.ts'
import { columnBuilders } from './column-builder.ts'
import { columnFormat } from './columns.ts'
import type { FormatField, FormatSetup, FormatWriter } from './format.ts'

const CONTINUES = 0xffffffff
/** Messages and buffers begin at multiples of it. */
const ALIGNMENT = 8
/** These bytes stand before the first message of a file, and the first six at its end. */
const MAGIC = new TextEncoder().encode('ARROW1\0\0')
/** Bytes of a piece that is not copied. */
const LONG = 64 * 1024
const PADDING = new Uint8Array(ALIGNMENT)
/** Version 5 of the metadata. */
const VERSION = short(4)
const SCHEMA_HEADER = byte(1)
const BATCH_HEADER = byte(3)

/** Numbers and tables of types (Schema.fbs). */
const TYPES: Readonly<Record<Exclude<Column['type'], 'decimal'>, readonly [FlatNumber, FlatPart]>> = {
  int64: [byte(2), flatTable(int(64), byte(1))],
  // In double precision.
  float64: [byte(3), flatTable(short(2))],
  utf8: [byte(5), flatTable()],
  bool: [byte(6), flatTable()],
  // In milliseconds.
  timestamp: [byte(10), flatTable(short(1), flatText('UTC'))],
  list: [byte(12), flatTable()],
  struct: [byte(13), flatTable()],
}

/** Files. */
export const format = columnFormat((fields, options) => {
  const schema = schemaOf(fields, options)
  const blocks: (readonly number[])[] = []
  let offset = ALIGNMENT
  const stream = openStream(schema, (type, metadata, body) => {
    if (type === BATCH_HEADER) blocks.push([offset, metadata, body])
    offset += metadata + body
  })
  return {
    ...stream,
    begin: async () => join([MAGIC, await stream.begin()]),
    end: async () => {
      const footer = flatBuffer(flatTable(VERSION, schema, flatStructs([]), flatStructs(blocks)))
      return join([await stream.end(), footer, wordsOf(footer.length), MAGIC.subarray(0, 6)])
    },
  }
})

/** Streams. */
export const stream = columnFormat((fields, options) => openStream(schemaOf(fields, options), () => {}))

/** Writes a stream. `note` gets the type, and the lengths of the metadata and of the body, of each message. */
function openStream(
  schema: FlatPart,
  note: (type: FlatNumber, metadata: number, body: number) => void,
): FormatWriter<ColumnBatch> {
  const writeMessage = (type: FlatNumber, header: FlatPart, buffers: readonly Uint8Array[]): Uint8Array[] => {
    const body = buffers.reduce((sum, { length }) => sum + padded(length), 0)
    const metadata = flatBuffer(flatTable(VERSION, type, header, long(body)))
    const prefix = wordsOf(CONTINUES, metadata.length)
    note(type, prefix.length + metadata.length, body)
    return putTogether(
      [prefix, metadata, ...buffers].flatMap((piece) => [
        piece,
        PADDING.subarray(0, padded(piece.length) - piece.length),
      ]),
    )
  }
  return {
    begin: () => join(writeMessage(SCHEMA_HEADER, schema, [])),
    write: ({ rows, columns }) => {
      const nodes: (readonly number[])[] = []
      const buffers: Uint8Array[] = []
      for (const column of columns) addColumn(column, nodes, buffers)
      let offset = 0
      const places = buffers.map(({ length }) => {
        const start = offset
        offset += padded(length)
        return [start, length]
      })
      return writeMessage(BATCH_HEADER, flatTable(long(rows), flatStructs(nodes), flatStructs(places)), buffers)
    },
    end: () => wordsOf(CONTINUES, 0),
  }
}

function schemaOf(fields: readonly FormatField[], { metadata = {} }: FormatSetup): FlatPart {
  const columns = columnBuilders(fields).map((builder) => builder.take())
  const pairs = Object.entries(metadata).map(([name, text]) => flatTable(flatText(name), flatText(text)))
  return flatTable(undefined, flatVector(columns.map(fieldOf)), pairs.length > 0 ? flatVector(pairs) : undefined)
}

/** A field that may be absent. */
function fieldOf(column: Column): FlatPart {
  // Of 128 bits.
  const decimal = column.type === 'decimal' && ([byte(7), flatTable(int(column.precision), int(column.scale))] as const)
  const [number, type] = decimal || TYPES[column.type as keyof typeof TYPES]
  const children = flatVector(childrenOf(column).map(fieldOf))
  return flatTable(flatText(column.name), byte(1), number, type, undefined, children)
}

function childrenOf(column: Column): readonly Column[] {
  if (column.type === 'list') return [column.child]
  return column.type === 'struct' ? column.children : []
}

/** Adds the lengths and the buffers of a column and of those in it. */
function addColumn(column: Column, nodes: (readonly number[])[], buffers: Uint8Array[]): void {
  nodes.push([column.length, column.nullCount])
  buffers.push(column.validity ?? new Uint8Array(0))
  if (column.type === 'utf8' || column.type === 'list') buffers.push(bytesOf(column.offsets))
  if ('values' in column) buffers.push(bytesOf(column.values))
  for (const child of childrenOf(column)) addColumn(child, nodes, buffers)
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Fewer pieces with all these bytes: short ones are copied together. */
function putTogether(pieces: readonly Uint8Array[]): Uint8Array[] {
  const fewer: Uint8Array[] = []
  let short: Uint8Array[] = []
  for (const piece of pieces) {
    if (piece.length < LONG) short.push(piece)
    else {
      fewer.push(join(short), piece)
      short = []
    }
  }
  return [...fewer, join(short)].filter(({ length }) => length > 0)
}

function wordsOf(...words: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(words).buffer)
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT
}

function byte(value: number): FlatNumber {
  return { width: 1, value }
}

function short(value: number): FlatNumber {
  return { width: 2, value }
}

function int(value: number): FlatNumber {
  return { width: 4, value }
}

function long(value: number): FlatNumber {
  return { width: 8, value }
}
