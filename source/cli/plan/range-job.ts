// Reading one range of a plan: its records in a format, and what was seen.

import { createHash } from 'node:crypto'
import { formatBatches } from '../../record/format-batches.ts'
import type { Boundary, RangeReport } from '../../xml/ranges/range.ts'
import { readXmlRange } from '../../xml/ranges/xml-range-reader.ts'
import { InputChanged, InputError, inInput } from '../errors/errors.ts'
import { addFormats } from '../inputs/added-formats.ts'
import { openReading, warnOfSkipped } from '../inputs/xml-readers.ts'
import { openWriter } from '../output/record-output.ts'
import { type Batch, recordsIn } from '../output/write-batches.ts'
import { ask } from '../read/ask.ts'
import { noteFaults } from '../read/fault-handler.ts'
import type { Asked, RecordCounts, RecordQuestion } from '../read/question.ts'
import { tellAll } from '../terminal/terminal.ts'
import { codecOf, formatOf, type PlannedRange } from './plan.ts'
import { isSameState, PlannedFile } from './planned-file.ts'
import { NotedSource, type ReadInput } from './read-input.ts'

/** What reading a range has shown: the last line of what `xylem read` prints. */
export interface RangeTrailer extends RangeReport, Partial<RecordCounts> {
  /** The range's id. */
  readonly range: string
  readonly records: number
  readonly faults: number
  readonly bytes: number
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

/**
 * The records of a range in pieces; it returns the trailer. Throws an `InputChanged` when the file is not what it was, and an `InputError`
 * for its errors.
 */
export async function* readRange(
  range: PlannedRange,
  { tell, ...options }: RangeJobOptions,
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
  const asked: Asked = await ask({ question: range.question, format, counts: 'pages' }, (error) =>
    noteFaults(name, asked.report, tell)(error),
  )
  const { report } = asked
  const reading = await asked.readRange(source, range, options)
  const writer = await openWriter(format, asked.fields, { ...asked.setup, codec })
  async function* countBatches(): AsyncGenerator<Batch, void, undefined> {
    for await (const batch of reading.batches()) {
      report.add({ records: recordsIn(batch) })
      yield batch
    }
    tellAll([...report.say(), ...warnOfSkipped(range.file, report.data.entities)])
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
  const counts = report.data as Pick<RangeTrailer, keyof RecordCounts>
  const places = await inInput(name, () => reading.progress.report)
  return { range: range.id, ...counts, digest: hash.digest('hex'), ...places, input }
}

/** How messages name a range. */
function nameOf({ file, start, codec, question }: PlannedRange): string {
  if (start === 0) return file
  // Bytes of a document that is not compressed are those of the file.
  return question.kind === 'records' && codec === 'none' ? file : `${file}, in the range that starts at byte ${start}`
}

/** Where a range of records begins, found out by reading all that is before it. Throws an `InputError` for what is wrong there. */
export async function findStart(
  range: PlannedRange,
  { path, prefixes, xml }: RecordQuestion,
  { signal, jobs: threads }: Pick<RangeJobOptions, 'signal' | 'jobs'>,
): Promise<Boundary> {
  const { cut: _, ...after } = range
  const before = { ...after, start: 0, end: range.start, path, ...(prefixes && { prefixes }) }
  const source = await new PlannedFile(range.file, signal).open()
  const reading = { ...(await openReading(xml)), onSkippedEntity: undefined, signal, threads }
  const reader = readXmlRange(source, before, reading)
  await inInput(range.file, () => reader.check())
  return reader.report.to
}
