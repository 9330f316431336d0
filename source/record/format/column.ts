// Values of many records, field by field, in memory as Apache Arrow lays them out (Arrow Columnar Format 1.5, "Physical Memory Layout").

/** The values of one field of some records. */
export type Column = Utf8Column | Int64Column | TimestampColumn | Float64Column | BoolColumn | ListColumn | StructColumn

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
