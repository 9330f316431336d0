// What is asked of inputs, as data: it stands in plans and is sent to workers; and what reads the records of an input or of a range of it.

import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { DumpReport, Seen } from '../../mediawiki/lines/record-counters.ts'
import type { FormatField, FormatOptions, FormatSetup } from '../../record/format/format.ts'
import type { FormatName } from '../../record/format/index.ts'
import type { Report, Tally } from '../../record/report.ts'
import type { LimitError } from '../../stream/errors.ts'
import type { Seekable } from '../../stream/seekable.ts'
import type { ParseError } from '../../text/parse-error.ts'
import type { FieldShape } from '../../xml/question/shape.ts'
import type { RangeTarget } from '../../xml/ranges/plan-ranges.ts'
import type { Boundary, XmlRange } from '../../xml/ranges/range.ts'
import type { RangeProgress } from '../../xml/ranges/range-progress.ts'
import type { SkippedRecords } from '../../xml/readings/recovery.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import type { XmlReading } from '../inputs/xml-readers.ts'
import type { RecordOptions } from '../options/dump-options.ts'
import type { Batch } from '../output/write-batches.ts'
import type { Verification } from './verdicts.ts'

/** Which records of dumps are wanted, and what of them. Ranges and workers get namespaces by their numbers. */
export interface DumpQuestion extends RecordOptions {
  readonly kind: RecordKind
  readonly maxInput?: number
}

/** Which elements of documents are wanted as records, and what of them. */
export interface RecordQuestion {
  readonly kind: 'records'
  readonly path: readonly string[]
  /** Fields in their order. */
  readonly fields: readonly (readonly [name: string, field: FieldShape | readonly FieldShape[]])[]
  readonly prefixes?: Readonly<Record<string, string>> | undefined
  /** Conditions, as they are written on the command line. */
  readonly where?: readonly string[] | undefined
  readonly lenient?: true | undefined
  readonly nested?: 'innermost' | 'all' | undefined
  /** The options of the format. */
  readonly written?: FormatOptions | undefined
  /** What is done at errors; absent where reading stops. */
  readonly onError?: 'skip' | 'skip-block' | undefined
  /** How the document is read. */
  readonly xml?: XmlReading | undefined
}

export type Question = DumpQuestion | RecordQuestion

/** A question, and how its records are written. */
export interface Request<Asked extends Question = Question> {
  readonly question: Asked
  readonly format: FormatName
  /** What is counted of dumps, whatever is written: pages, or redirects, missing texts and suppressed revisions as well. */
  readonly counts?: 'pages' | 'all' | undefined
  /** Whether texts of dumps are compared with their hashes. */
  readonly verify?: boolean | undefined
}

/** What is counted of records. What is absent belongs to the other kind of question, or was not to be counted. */
export interface RecordCounts extends DumpReport {
  readonly records: number
  /** Errors that were skipped, and what was left out because of them. */
  readonly faults: number
  readonly skipped: SkippedRecords
  /** Bytes that were written for a range of a plan. */
  readonly bytes: number
  /** Values of lists of the question that were found: of fields, those that have a value in some record. */
  readonly seen: Seen
  /** Characters that were replaced, because XML does not allow them. */
  readonly replaced: number
  readonly verification: Verification
  /** References that were left out. */
  readonly entities: Tally
  /** Ranges that were read by themselves, and are proven; 1 for a document that was not cut. */
  readonly ranges: number
  /** Bytes of the file in ranges that were read again. */
  readonly readAgain: number
}

/** A range of a file, without what the question says. */
export type Range = Omit<XmlRange, 'path' | 'prefixes'>

/** Where ranges have ended that are proven: the boundary, and the bytes of content before it. */
export interface Proven {
  readonly range: Range
  readonly boundary: Boundary
  readonly length: number
}

/** How an input is read on this thread. */
export interface ReadOptions {
  /** Threads that decompress. */
  readonly jobs: number
  readonly signal: AbortSignal
  /** How many records are wanted. */
  readonly limit?: number | undefined
  /** What was read already. */
  readonly after?: Proven | undefined
}

/** How a range is read. */
export interface RangeOptions {
  readonly jobs?: number
  readonly signal?: AbortSignal
  /** Where the range before has ended, if that is proven: a range of records is read from there on. */
  readonly from?: Boundary | undefined
  readonly maxInput?: number
}

/** The records of a range, as they are read. */
export interface RangeReading {
  batches(): AsyncGenerator<Batch, void, undefined>
  readonly progress: RangeProgress
}

/** How a file is divided into ranges, and how their cuts are found. */
export interface Division {
  /** All that cuts depend on besides the file and the size of ranges. */
  readonly about: object
  plan(target: RangeTarget): Promise<Range[]>
  guess(ranges: readonly Range[]): Promise<Range[]>
  verify(ranges: readonly Range[]): Promise<Range[]>
}

/** Called for each error that is skipped. */
export type NoteError = (error: ParseError | LimitError) => void

/** A question that was checked, and what was seen of its records so far. */
export interface Asked {
  /** As workers are asked. */
  readonly request: Request
  /** What files with a schema have. */
  readonly fields: readonly FormatField[]
  readonly setup: Partial<FormatSetup>
  readonly report: Report<never, RecordCounts>
  /** Whether inputs must be read from the beginning to the end. */
  readonly isWhole: boolean
  /** Why ranges of a file cannot be read by themselves; undefined if they can. */
  whyNotInRanges(codec: Range['codec']): string | undefined
  divide(
    source: Seekable,
    size: number,
    options: { jobs?: number | undefined; signal?: AbortSignal | undefined },
  ): Promise<Division>
  /** Replaces names in the question by what they mean in an input, before its ranges are read. */
  resolve(input: OpenInput, options: ReadOptions): Promise<void>
  /** Reads an input. */
  read(input: OpenInput, options: ReadOptions): AsyncGenerator<Batch, void, undefined>
  readRange(source: Seekable, range: Range, options: RangeOptions): Promise<RangeReading>
}
