// What another program makes of columns: the values that Apache Arrow's library finds in them.

import {
  Bool,
  type Data,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  Struct,
  TimestampMillisecond,
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
