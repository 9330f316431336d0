// What a format is: how records are collected into batches, and how batches become bytes. index.ts is the table of all formats.

import type { LineBytes } from '../line-bytes.ts'
import type { RecordValues } from '../value.ts'

/** Options for the output. Each format has some of them; those of others are refused. */
export interface FormatOptions {
  /** Whether keys of absent values are left out in formats of JSON, or have the value null (default: `omit`). In XML, null is an element with `xsi:nil="true"`. */
  readonly absent?: 'omit' | 'null' | undefined
  /** Whether texts in tables that a spreadsheet would run as a formula get an apostrophe before them (default: false). */
  readonly safe?: boolean | undefined
  /** Whether tables begin with a byte order mark, by which Excel knows that they are UTF-8 (default: false). */
  readonly bom?: boolean | undefined
  /**
   * The names of elements in the format `xml`: of the root and of a record, such as `products/product` (default: `records/record`). With a third name, the items of a list
   * are elements of this name in one element; otherwise the element of the field is repeated.
   */
  readonly elements?: string | undefined
  /** The name of the table in a database (default: by the name of the file), and the fields that get an index. */
  readonly table?: string | undefined
  readonly index?: readonly string[] | undefined
}

/** What a format works with: the options, and what its caller knows. */
export interface FormatSetup extends FormatOptions {
  /** The largest number of records in a batch of columns, at least 1. */
  readonly rows: number
  /** Texts by their names, which files with a schema have in it. `xylem:path` has the paths of the records, and `xylem:shape` their shape, as JSON. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** One of the `codecs` of the format; undefined for the usual one. */
  readonly codec?: string | undefined
  /** Path of the file that is written, and the one that it will get; undefined if the bytes are returned and not written. */
  readonly path?: string | undefined
  readonly finalPath?: string | undefined
}

/** What a format writes is bytes; some formats write a file by themselves, and give none. */
type Written = Uint8Array | Promise<Uint8Array>

/** Writes one output. */
export interface FormatWriter<Batch> {
  /** The bytes before the first record. They are written where there is no record, too. */
  begin(): Written
  /** The bytes of a batch, in one piece or in several. */
  write(batch: Batch): Written | readonly Uint8Array[]
  /** The bytes after the last record. */
  end(): Written
  /** Closes what the writer has opened, if the output is not completed. */
  abandon?(): void | Promise<void>
}

/** One field of the records that are written. */
export interface FormatField {
  readonly name: string
  /** What a value of it is (column-builder.ts). A value of any other kind is a text, or becomes JSON. */
  readonly kind: string
  readonly isList: boolean
  readonly isHidden?: boolean
  /** The record that is its value. */
  readonly record: { readonly fields: readonly FormatField[] } | undefined
}

/** Notations of lines that a kernel may know. */
export type LineMode = 'object' | 'csv' | 'tsv'

/** How a record becomes a line, in formats of lines. */
export interface LineNotation {
  /** The notation by its name in kernels; undefined if they do not know it. */
  readonly mode: LineMode | undefined
  /** What stands between values. */
  readonly separator: string
  /** What stands after the last value. */
  readonly lineEnd: string
  /** A record without the end of its line. A table writes the values alone. */
  format(names: readonly string[], values: readonly unknown[], options: FormatOptions): string
  /** Any value, which need not be a record, as one line; undefined for notations of records alone. */
  formatAny?(value: unknown, options: FormatOptions): string
}

export interface Format<Batch = unknown> {
  /** What bytes can be compressed by, with version and level, the usual one first; undefined for formats that are not compressed. The same records are the same bytes. */
  readonly codecs?: readonly string[]
  /** The package that makes the bytes, which users install. */
  readonly package?: string
  /** How lines are written; undefined for formats of columns and of objects. */
  readonly notation?: LineNotation
  /** Begins to collect records with some fields. */
  collect(fields: readonly FormatField[], setup: FormatSetup): Collector<Batch>
  /** Begins an output with some fields. Formats that are delivered as they are collected have none. */
  open?(fields: readonly FormatField[], setup: FormatSetup): FormatWriter<Batch>
}

/** Complete records in a batch, and how many. */
export interface Collected<Batch> {
  readonly batch: Batch
  readonly records: number
}

/** A record, whoever has found it. */
export interface FormatRecord {
  /** Whether a kernel has written it, as the collector asks for (`writing`). Others have neither of the two functions. */
  readonly hasLine?: boolean
  /** How many records it stands for: more than one where their lines follow each other. */
  readonly count?: number
  putLine?(output: LineBytes): void
  /** Calls a function with the memory in which the kernel has written it, and the address at which it begins. */
  readLine?(read: (bytes: Uint8Array, from: number) => void): void
  /** Values of some fields, in the place of those that the kernel has written. */
  readonly around?: RecordValues | undefined
  /** A value that formats may write as it is, record or not; undefined for a record that is written by its fields. */
  readonly bare?: unknown
  /** All its fields. */
  complete(): RecordValues
}

/** Puts the records of one input together. */
export interface Collector<Batch> {
  /** What a kernel may write of a record: a line, or values for columns (xml/kernel/values.ts). Without it, records are objects. */
  readonly writing?: LineMode | 'values' | undefined
  /** Adds a record. The object that it returns is an item of `take`. */
  add(record: FormatRecord): RecordValues | undefined
  /** The batches that are complete. `items`: the objects that `add` has returned since the last call. */
  take(items: RecordValues[]): readonly Collected<Batch>[]
  /** The last batches. No more records come, because of the end, of a limit or of an error. It may be called again. */
  finish(): readonly Collected<Batch>[]
}
