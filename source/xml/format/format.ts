// What a format is: how records are collected into batches, and how batches become bytes. index.ts is the table of all formats.

import type { LineForm, LineMode } from '../output/line-form.ts'
import type { RecordView } from '../output/record-view.ts'
import type { FieldPlan, RecordPlan } from '../question/plan.ts'
import type { RecordValues } from '../question/shape.ts'

/** Options of all formats. A format ignores those of others. */
export interface FormatOptions {
  /** Whether formats of JSON write null for what is absent. */
  readonly hasNulls: boolean
  /** Whether tables keep texts from being run as formulas by spreadsheets. */
  readonly isSafe: boolean
  /** The largest number of records in a batch of columns, at least 1. */
  readonly rows: number
  /** Path of the file that is written; undefined if the bytes are returned and not written. */
  readonly path?: string | undefined
}

/** What a format writes is bytes; some formats write a file by themselves, and give none. */
type Written = Uint8Array | Promise<Uint8Array>

/** Writes one output. */
export interface FormatWriter<Batch> {
  /** The bytes before the first record. They are written where there is no record, too. */
  begin(): Written
  write(batch: Batch): Written
  /** The bytes after the last record. */
  end(): Written
  /** Closes what the writer has opened, if the output is not completed. */
  abandon?(): void | Promise<void>
}

/** One field of the records that are written: its name, and what it holds. */
export interface FormatField extends Pick<FieldPlan, 'name' | 'kind' | 'isList'> {
  readonly isHidden?: boolean
  readonly record: { readonly fields: readonly FormatField[] } | undefined
}

/** How a record becomes a line, in formats of lines. */
export interface LineNotation {
  /** The notation by its name in the kernel; undefined if the kernel does not know it. */
  readonly mode: LineMode | undefined
  /** What stands between values. */
  readonly separator: string
  /** What stands after the last value. */
  readonly lineEnd: string
  /** A record without the end of its line. A table writes the values alone. */
  format(
    names: readonly string[],
    values: readonly unknown[],
    options: Pick<FormatOptions, 'hasNulls' | 'isSafe'>,
  ): string
}

export interface Format<Batch = unknown> {
  /** How lines are written; undefined for formats of columns and of objects. */
  readonly notation?: LineNotation
  collect(plan: RecordPlan, options: FormatOptions): Collector<Batch>
  /** Whether it writes a file by itself, at `FormatOptions.path`, and gives no bytes. */
  readonly opensFile?: boolean
  /** Begins an output with some fields. Formats that are delivered as they are collected have none. */
  open?(fields: readonly FormatField[], options: FormatOptions): FormatWriter<Batch>
}

/** Complete records in a batch, and how many. */
export interface Collected<Batch> {
  readonly batch: Batch
  readonly records: number
}

/** Puts the records of one document together. */
export interface Collector<Batch> {
  /** What the kernel writes of a record; undefined for nothing. */
  readonly form?: LineForm | undefined
  /** Adds a record. The object that it returns is an item of `take`. */
  add(record: RecordView): RecordValues | undefined
  /** The batches that are complete. `items`: the objects that `add` has returned since the last call. */
  take(items: RecordValues[]): readonly Collected<Batch>[]
  /** The last batches. No more records come, because of the end, of a limit or of an error. It may be called again. */
  finish(): readonly Collected<Batch>[]
}
