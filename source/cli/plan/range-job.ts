// Reading one range of a plan: its records as lines, and what was seen.

import { createHash } from 'node:crypto'
import { RangeReader, type RangeReport } from '../../mediawiki/dump-range.ts'
import { formatFieldsOf } from '../../mediawiki/lines/record-format.ts'
import type { FormatField, FormatSetup } from '../../record/format/format.ts'
import { formatBatches } from '../../record/format-batches.ts'
import type { Report } from '../../record/report.ts'
import type { SeekableSource } from '../../stream/seekable.ts'
import type { Boundary } from '../../xml/ranges/range.ts'
import { readXmlRange } from '../../xml/ranges/xml-range-reader.ts'
import type { SkippedRecords } from '../../xml/readings/recovery.ts'
import { InputChanged, InputError } from '../errors/errors.ts'
import { addFormats } from '../inputs/added-formats.ts'
import { countSkipped, findSkipped } from '../inputs/skipped-entities.ts'
import { openReading } from '../inputs/xml-readers.ts'
import { openWriter } from '../output/record-output.ts'
import { type Batch, recordsIn } from '../output/write-batches.ts'
import { makeFaultHandler, noteSkipped } from '../records/fault-handler.ts'
import { type RecordCounts, readRecordLines, startReport } from '../records/record-lines.ts'
import { tellAll } from '../terminal/terminal.ts'
import { SelectedRecords } from '../xml/select-question.ts'
import { codecOf } from './encoding.ts'
import { formatOf, type PlannedPages, type PlannedRange, type PlannedRecords, xmlRangeOf } from './plan.ts'
import { isSameState, PlannedFile } from './planned-file.ts'
import { NotedSource, type ReadInput } from './read-input.ts'

/** What is counted of a range. Those that are absent belong to dumps, or to lists that the question does not have. */
export type RangeCounts = Pick<RecordCounts, 'records' | 'faults' | 'bytes'> &
  Partial<Pick<RecordCounts, 'pages' | 'firstPage' | 'lastPage' | 'seen' | 'replaced'>>

/** What reading a range has shown: the last line of what `xylem read` prints. */
export interface RangeTrailer extends RangeReport, RangeCounts {
  /** The range's id. */
  readonly range: string
  /** Of documents whose errors are skipped: what was left out. */
  readonly skipped?: SkippedRecords
  /** The SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
  /** What was read of the file. */
  readonly input: ReadInput
}

export interface RangeJobOptions {
  readonly jobs: number
  readonly signal: AbortSignal
  /** Called for each error that is skipped. */
  readonly tell: (text: string) => void
  /** Where the range before has ended, if that is proven: a range of records is read from there on. */
  readonly from?: Boundary | undefined
}

/** The records of a range, as they are read. */
interface RangeReading {
  readonly fields: readonly FormatField[]
  readonly setup: Partial<FormatSetup>
  readonly report: Pick<Report<never, RangeCounts>, 'data' | 'add'>
  batches(): AsyncGenerator<Batch, void, undefined>
  /** Where it began and ended, at the end. */
  readonly reader: { readonly report: RangeReport }
}

/**
 * The lines of a range in pieces; it returns the trailer. Throws an `InputChanged` when the file is not what it was, and an `InputError`
 * for its errors.
 */
export async function* readRange(
  range: PlannedRange,
  options: RangeJobOptions,
): AsyncGenerator<Uint8Array, RangeTrailer, undefined> {
  addFormats()
  const format = formatOf(range)
  const codec = await codecOf(format, range.encoding)
  const file = new PlannedFile(range.file, options.signal)
  const state = await file.requireUnchanged(range)
  const source = new NotedSource(await file.open())
  const hash = createHash('sha256')
  // What an error says of its place counts from where the range begins.
  const name = nameOf(range)
  const { fields, setup, report, batches, reader } =
    range.kind === 'records' ? await openRecords(range, source, options) : await openPages(range, source, options)
  const writer = await openWriter(format, fields, { ...setup, codec })
  async function* countBatches(): AsyncGenerator<Batch, void, undefined> {
    for await (const batch of batches()) {
      report.add({ records: recordsIn(batch) })
      yield batch
    }
  }
  try {
    for await (const bytes of formatBatches(writer, countBatches())) {
      report.add({ bytes: bytes.length })
      hash.update(bytes)
      yield bytes
    }
  } catch (error) {
    throw new InputError(name, error)
  }
  // What was read may be a mixture of what was there before and after a change.
  if (!isSameState(await file.requireUnchanged(range), state))
    throw new InputChanged(`${range.file}: the file was written to or replaced while a range of it was read`)
  const input = { ...state, read: source.read }
  const counts = report.data as RangeCounts
  return { range: range.id, ...counts, digest: hash.digest('hex'), ...findPlaces(name, reader), input }
}

/** Where a range began and ended. Throws an `InputError` if these are not the places of its cut. */
function findPlaces(name: string, reader: RangeReading['reader']): RangeReport {
  try {
    const { from, to, toWithin, blocks } = reader.report
    return { from, to, ...(toWithin && { toWithin }), blocks }
  } catch (error) {
    throw new InputError(name, error)
  }
}

/** How messages name a range. */
function nameOf({ file, start, codec, kind }: PlannedRange): string {
  if (start === 0) return file
  // Bytes of a document that is not compressed are those of the file.
  return kind === 'records' && codec === 'none' ? file : `${file}, in the range that starts at byte ${start}`
}

async function openPages(
  range: PlannedPages,
  source: SeekableSource,
  { jobs, signal, tell }: RangeJobOptions,
): Promise<RangeReading> {
  const { kind, question } = range
  const name = nameOf(range)
  const report = await startReport({ kind, question, counts: 'pages' })
  const onFault = makeFaultHandler(question.onError, (error) => {
    report.add({ faults: 1 })
    tell(noteSkipped(name, error))
  })
  const reader = new RangeReader(source, range, {
    signal,
    threads: jobs,
    strict: question.strict,
    limits: { maxRetained: question.maxRetained },
    ...(onFault && { onFault }),
  })
  const format = formatOf(range)
  return {
    fields: await formatFieldsOf(kind, format, question.fields),
    setup: { ...question.written },
    report,
    batches: () => readRecordLines(reader.reader, { kind, format, question }, report),
    reader,
  }
}

async function openRecords(
  range: PlannedRecords,
  source: SeekableSource,
  { jobs: threads, signal, from, tell }: RangeJobOptions,
): Promise<RangeReading> {
  const { question } = range
  const { xml } = question
  const format = formatOf(range)
  const { onError = 'stop' } = question
  const onFault = makeFaultHandler(onError, (error) => {
    records.report.add({ faults: 1 })
    tell(noteSkipped(nameOf(range), error))
  })
  const records = new SelectedRecords(question, format, onFault)
  const skipped = countSkipped(range.file)
  const reading = { signal, threads, from, ...(onError === 'skip-block' && { onFault }) }
  const options = { ...(await openReading(xml)), ...reading, onSkippedEntity: skipped.see }
  const reader = readXmlRange(source, xmlRangeOf(range), options)
  async function* batches(): AsyncGenerator<Batch, void, undefined> {
    yield* records.batches((shape, reading, more) => reader.writtenBatches(format, shape, reading, more))
    if (onFault) records.report.add({ skipped: reader.skipped })
    const fault = xml?.entities === 'skip' ? undefined : findSkipped(skipped)
    if (fault) throw fault
    tellAll([...records.report.say(), ...skipped.say()])
  }
  return {
    fields: records.fields,
    setup: { ...records.written, metadata: records.metadata },
    report: records.report,
    batches,
    reader,
  }
}

/** Where a range of records begins, found out by reading all that is before it. Throws an `InputError` for what is wrong there. */
export async function findStart(
  range: PlannedRecords,
  { signal, jobs: threads }: Pick<RangeJobOptions, 'signal' | 'jobs'>,
): Promise<Boundary> {
  const { cut: _, ...after } = xmlRangeOf(range)
  const before = { ...after, start: 0, end: range.start }
  const source = await new PlannedFile(range.file, signal).open()
  const reader = readXmlRange(source, before, {
    ...(await openReading(range.question.xml)),
    onSkippedEntity: undefined,
    signal,
    threads,
  })
  try {
    await reader.check()
  } catch (error) {
    throw new InputError(range.file, error)
  }
  return reader.report.to
}
