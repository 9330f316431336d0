// What a format is: how records are collected into batches, and how batches become bytes. index.ts is the table of all formats.

import type { LineBytes } from '../line-bytes.ts'
import type { RecordValues } from '../value.ts'

/** Options of all formats. A format ignores those of others. */
export interface FormatOptions {
  /** Whether formats of JSON write null for what is absent, and XML an element that says so. */
  readonly hasNulls: boolean
  /** Whether tables keep texts from being run as formulas by spreadsheets. */
  readonly isSafe: boolean
  /** The largest number of records in a batch of columns, at least 1. */
  readonly rows: number
  /** Texts by their names, which files with a schema have in it. `xylem:path` has the paths of the records, and `xylem:shape` their shape, as JSON. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** One of the `codecs` of the format; undefined for the usual one. */
  readonly codec?: string | undefined
  /** Of a database: the name of the table (default: records), and the columns that get an index. */
  readonly table?: string | undefined
  readonly indexes?: readonly string[] | undefined
  /** Of XML: the names of elements (default: records/record). */
  readonly elements?: string | undefined
  /** Path of the file that is written; undefined if the bytes are returned and not written. */
  readonly path?: string | undefined
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
  format(
    names: readonly string[],
    values: readonly unknown[],
    options: Pick<FormatOptions, 'hasNulls' | 'isSafe' | 'elements'>,
  ): string
  /** Any value, which need not be a record, as one line; undefined for notations of records alone. */
  formatAny?(value: unknown, options: Pick<FormatOptions, 'hasNulls' | 'isSafe' | 'elements'>): string
}

export interface Format<Batch = unknown> {
  /** What bytes can be compressed by, with version and level, the usual one first; undefined for formats that are not compressed. The same records are the same bytes. */
  readonly codecs?: readonly string[]
  /** The package that makes the bytes, which users install. */
  readonly package?: string
  /** How lines are written; undefined for formats of columns and of objects. */
  readonly notation?: LineNotation
  /** Begins to collect records with some fields. */
  collect(fields: readonly FormatField[], options: FormatOptions): Collector<Batch>
  /** Begins an output with some fields. Formats that are delivered as they are collected have none. */
  open?(fields: readonly FormatField[], options: FormatOptions): FormatWriter<Batch>
}

/** Complete records in a batch, and how many. */
export interface Collected<Batch> {
  readonly batch: Batch
  readonly records: number
}

/** A record, whoever has found it. */
export interface FormatRecord {
  /** Whether a kernel has written it, as the collector asks for (`writing`). */
  readonly hasLine: boolean
  putLine(output: LineBytes): void
  /** Calls a function with the memory in which the kernel has written it, and the address at which it begins. */
  readLine(read: (bytes: Uint8Array, from: number) => void): void
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
