// Values of many records, field by field, in memory as Apache Arrow lays them out (Arrow Columnar Format 1.5, "Physical Memory Layout").

/** The values of one field of some records. */
export type Column =
  | Utf8Column
  | Int64Column
  | DecimalColumn
  | TimestampColumn
  | Float64Column
  | BoolColumn
  | ListColumn
  | StructColumn

/** What all columns have. */
interface ColumnBase {
  /** The name of the field; `item` for the values of a list. */
  readonly name: string
  /** How many values there are, with those that are absent. */
  readonly length: number
  /** How many values are absent. */
  readonly nullCount: number
  /** A bit for each value, the lowest of each byte first: 0 for an absent value. Undefined if no value is absent. */
  readonly validity: Uint8Array<ArrayBuffer> | undefined
}

/** Texts: fields of the kinds `string` and `xml`; and `attributes`, `children` and `rest`, as JSON. */
export interface Utf8Column extends ColumnBase {
  readonly type: 'utf8'
  /** Where each text begins in `values`, and where the last one ends: one number more than there are values. */
  readonly offsets: Int32Array<ArrayBuffer>
  /** The texts, one after the other, in UTF-8. */
  readonly values: Uint8Array<ArrayBuffer>
}

/** Whole numbers: fields of the kinds `integer` and `offset`. Absent ones are 0. */
export interface Int64Column extends ColumnBase {
  readonly type: 'int64'
  readonly values: BigInt64Array<ArrayBuffer>
}

/** Fields of the kind `decimal`, as whole numbers of 128 bits: 10^`scale` times the value. Absent ones are 0. */
export interface DecimalColumn extends ColumnBase {
  readonly type: 'decimal'
  readonly precision: number
  readonly scale: number
  /** Two numbers for each value, the lower half first. */
  readonly values: BigInt64Array<ArrayBuffer>
}

/** Fields of the kind `date`: milliseconds since 1970 in UTC, which is Arrow's `timestamp[ms, UTC]`. Absent ones are 0. */
export interface TimestampColumn extends ColumnBase {
  readonly type: 'timestamp'
  readonly values: BigInt64Array<ArrayBuffer>
}

/** Fields of the kind `number`. Absent ones are 0. */
export interface Float64Column extends ColumnBase {
  readonly type: 'float64'
  readonly values: Float64Array<ArrayBuffer>
}

/** Fields of the kinds `boolean` and `present`. */
export interface BoolColumn extends ColumnBase {
  readonly type: 'bool'
  /** A bit for each value, the lowest of each byte first. */
  readonly values: Uint8Array<ArrayBuffer>
}

/** Fields with all values. A list without values is not absent. */
export interface ListColumn extends ColumnBase {
  readonly type: 'list'
  /** Where each list begins among the values of `child`, and where the last one ends: one number more than there are lists. */
  readonly offsets: Int32Array<ArrayBuffer>
  readonly child: Column
}

/** Records in records. The fields of an absent one are absent. */
export interface StructColumn extends ColumnBase {
  readonly type: 'struct'
  readonly children: readonly Column[]
}

/** Some records as columns. The memory is of the batch alone: its buffers can be transferred to a worker. */
export interface ColumnBatch {
  /** How many records there are: the length of each column. */
  readonly rows: number
  /** In the order of the fields in the shape. */
  readonly columns: readonly Column[]
}

/** The values of a column: texts as bytes, numbers and dates as they are in it, and null for absent ones. */
export function valuesOf(column: Column): unknown[] {
  const { length, validity } = column
  const values = new Array<unknown>(length)
  const valueAt = readerOf(column)
  for (let i = 0; i < length; i++) values[i] = !validity || isSet(validity, i) ? valueAt(i) : null
  return values
}

function readerOf(column: Column): (i: number) => unknown {
  switch (column.type) {
    case 'utf8': {
      const { values, offsets } = column
      return (i) => values.subarray(offsets[i], offsets[i + 1])
    }
    case 'bool':
      return (i) => isSet(column.values, i)
    case 'decimal': {
      const { values } = column
      return (i) => ((values[2 * i + 1] as bigint) << 64n) | BigInt.asUintN(64, values[2 * i] as bigint)
    }
    case 'list': {
      const { offsets } = column
      const values = valuesOf(column.child)
      return (i) => values.slice(offsets[i], offsets[i + 1])
    }
    case 'struct': {
      const children = column.children.map((child) => [child.name, valuesOf(child)] as const)
      return (i) => Object.fromEntries(children.map(([name, values]) => [name, values[i]]))
    }
    default:
      return (i) => column.values[i]
  }
}

function isSet(bits: Uint8Array, i: number): boolean {
  return (((bits[i >> 3] as number) >> (i & 7)) & 1) === 1
}
