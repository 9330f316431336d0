// What another program makes of columns: the values that Apache Arrow's library finds in them.

import {
  Bool,
  type Data,
  DataType,
  Decimal,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  Struct,
  TimestampMillisecond,
  tableFromIPC,
  Utf8,
  Vector,
} from 'apache-arrow'
import type { Column } from '../../source/xml/index.ts'

/** The values of a column; undefined for those that are absent. */
export function valuesOf(column: Column): unknown[] {
  return Array.from(new Vector([dataOf(column)]), (value) => plainOf(value, column))
}

function dataOf(column: Column): Data {
  const { length, nullCount } = column
  const nullBitmap = column.validity ?? null
  switch (column.type) {
    case 'utf8': {
      const { offsets: valueOffsets, values: data } = column
      return makeData({ type: new Utf8(), length, nullCount, nullBitmap, valueOffsets, data })
    }
    case 'int64':
      return makeData({ type: new Int64(), length, nullCount, nullBitmap, data: column.values })
    case 'decimal': {
      const { precision, scale, values } = column
      const data = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
      return makeData({ type: new Decimal(scale, precision), length, nullCount, nullBitmap, data })
    }
    case 'timestamp':
      return makeData({ type: new TimestampMillisecond('UTC'), length, nullCount, nullBitmap, data: column.values })
    case 'float64':
      return makeData({ type: new Float64(), length, nullCount, nullBitmap, data: column.values })
    case 'bool':
      return makeData({ type: new Bool(), length, nullCount, nullBitmap, data: column.values })
    case 'list': {
      const child = dataOf(column.child)
      const type = new List(new Field(column.child.name, child.type, true))
      return makeData({ type, length, nullCount, nullBitmap, valueOffsets: column.offsets, child })
    }
    case 'struct': {
      const children = column.children.map(dataOf)
      const fields = column.children.map(({ name }, i) => new Field(name, (children[i] as Data).type, true))
      return makeData({ type: new Struct(fields), length, nullCount, nullBitmap, children })
    }
  }
}

function plainOf(value: unknown, column: Column): unknown {
  if (value === null) return undefined
  if (column.type === 'int64') return Number(value)
  if (column.type === 'timestamp') return new Date(value as number)
  if (column.type === 'list') return Array.from(value as Vector, (one) => plainOf(one, column.child))
  if (column.type !== 'struct') return value
  const values = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(column.children.map((child) => [child.name, plainOf(values[child.name], child)]))
}

/** What stands in a file or a stream of Arrow, as Apache Arrow's library reads it: undefined for absent values. */
export function readArrow(bytes: Uint8Array): {
  readonly names: readonly string[]
  readonly records: readonly unknown[]
  readonly metadata: ReadonlyMap<string, string>
  /** How many rows are in each batch. */
  readonly batches: readonly number[]
} {
  const { schema, batches } = tableFromIPC(bytes)
  const records = batches.flatMap((batch) => {
    const columns = schema.fields.map(({ type }, i) => {
      return Array.from(batch.getChildAt(i) as Vector, (value) => plainBy(value, type))
    })
    return Array.from({ length: batch.numRows }, (_, row) => {
      return Object.fromEntries(schema.fields.map(({ name }, i) => [name, columns[i]?.[row]]))
    })
  })
  const names = schema.fields.map(({ name }) => name)
  return { names, records, metadata: schema.metadata, batches: batches.map(({ numRows }) => numRows) }
}

function plainBy(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return undefined
  if (DataType.isInt(type)) return Number(value)
  if (DataType.isTimestamp(type)) return new Date(value as number)
  if (DataType.isList(type)) {
    const { valueType } = type
    return Array.from(value as Vector, (one) => plainBy(one, valueType))
  }
  if (!DataType.isStruct(type)) return value
  const values = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(type.children.map((child) => [child.name, plainBy(values[child.name], child.type)]))
}

/** Values as programs of other languages have them: null for what is absent, and dates as milliseconds since 1970. */
export function nullable(value: unknown): unknown {
  if (value === undefined) return null
  if (value instanceof Date) return value.getTime()
  if (Array.isArray(value)) return value.map(nullable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nullable(one)]))
}
