// Reading one range of a plan: its records as lines, and what was seen.

import { createHash } from 'node:crypto'
import { RangeReader, type RangeReport } from '../../mediawiki/dump-range.ts'
import { formatFieldsOf } from '../../mediawiki/lines/record-format.ts'
import type { Seen } from '../../mediawiki/lines/sightings.ts'
import type { FormatField, FormatSetup } from '../../record/format/format.ts'
import { formatBatches } from '../../record/format-batches.ts'
import type { SeekableSource } from '../../stream/seekable.ts'
import type { Boundary } from '../../xml/ranges/range.ts'
import { readXmlRange } from '../../xml/ranges/xml-range-reader.ts'
import { InputChanged, InputError } from '../errors/errors.ts'
import { addFormats } from '../inputs/added-formats.ts'
import { SkippedEntities } from '../inputs/skipped-entities.ts'
import { openReading } from '../inputs/xml-readers.ts'
import { openWriter } from '../output/record-output.ts'
import { makeFaultHandler, noteSkipped } from '../records/fault-handler.ts'
import { readRecordLines } from '../records/record-lines.ts'
import { type ReadBatches, SelectedRecords } from '../xml/select-question.ts'
import { codecOf } from './encoding.ts'
import { formatOf, type PlannedPages, type PlannedRange, type PlannedRecords, xmlRangeOf } from './plan.ts'
import { isSameState, PlannedFile } from './planned-file.ts'
import { NotedSource, type ReadInput } from './read-input.ts'

/** What reading a range has shown: the last line of what `xylem read` prints. */
export interface RangeTrailer extends RangeReport {
  /** The range's id. */
  readonly range: string
  readonly records: number
  /** Of dumps: pages that the records are about, and ids of the first and the last one that has a number as its id; absent when there is none. */
  readonly pages?: number
  readonly firstPage?: number
  readonly lastPage?: number
  /** What was seen of the lists of the question, by places in them; absent where it has none. Of records, what fields were seen. */
  readonly seen?: Seen
  /** Of dumps: characters that were replaced. */
  readonly replaced?: number
  /** Errors that were skipped. */
  readonly faults: number
  /** Bytes of the lines, and their SHA-256 in hexadecimal. */
  readonly bytes: number
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
  batches(): AsyncGenerator<unknown, void, undefined>
  /** What reading has shown, at the end; counts of what was written belong between the two. */
  readonly trailer: () => readonly [
    counts: Pick<RangeTrailer, 'records' | 'pages' | 'faults'>,
    more: Partial<RangeTrailer> & RangeReport,
  ]
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
  let length = 0
  // What an error says of its place counts from where the range begins.
  const name = nameOf(range)
  const { fields, setup, batches, trailer } =
    range.kind === 'records' ? await openRecords(range, source, options) : await openPages(range, source, options)
  const writer = await openWriter(format, fields, { ...setup, codec })
  try {
    for await (const bytes of formatBatches(writer, batches())) {
      length += bytes.length
      hash.update(bytes)
      yield bytes
    }
  } catch (error) {
    throw new InputError(name, error)
  }
  // What was read may be a mixture of what was there before and after a change.
  if (!isSameState(await file.requireUnchanged(range), state))
    throw new InputChanged(`${range.file}: the file was written to or replaced while a range of it was read`)
  const [counts, more] = finish(name, trailer)
  const { from, to, toWithin, blocks, ...rest } = more
  const input = { ...state, read: source.read }
  const report = { from, to, ...(toWithin && { toWithin }), blocks }
  return { range: range.id, ...counts, bytes: length, ...rest, digest: hash.digest('hex'), ...report, input }
}

/** What reading has shown. Throws an `InputError` if the range did not begin or end at the places of its cut. */
function finish(name: string, trailer: RangeReading['trailer']): ReturnType<RangeReading['trailer']> {
  try {
    return trailer()
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
  const counts = { records: 0, pages: 0, faults: 0 }
  let firstPage: number | undefined
  let lastPage: number | undefined
  let seen: Seen | undefined
  const onFault = makeFaultHandler(question.onError, (error) => {
    counts.faults++
    tell(noteSkipped(name, error))
  })
  const rangeReader = new RangeReader(source, range, {
    signal,
    threads: jobs,
    strict: question.strict,
    limits: { maxRetained: question.maxRetained },
    ...(onFault && { onFault }),
  })
  const format = formatOf(range)
  const fields = await formatFieldsOf(kind, format, question.fields)
  async function* batches(): AsyncGenerator<unknown, void, undefined> {
    for await (const batch of readRecordLines(rangeReader.reader, { kind, format, question })) {
      for (const lines of batch) {
        counts.records += lines.records
        counts.pages += lines.pages
        firstPage ??= knownId(lines.firstPage)
        lastPage = knownId(lines.lastPage) ?? lastPage
        seen = lines.seen ?? seen
        yield* lines.batches
      }
    }
  }
  return {
    fields,
    setup: { ...question.written },
    batches,
    trailer: () => [
      counts,
      {
        ...(firstPage !== undefined && { firstPage }),
        ...(lastPage !== undefined && { lastPage }),
        ...(seen && { seen }),
        replaced: rangeReader.reader.replaced,
        ...rangeReader.report,
      },
    ],
  }
}

async function openRecords(
  range: PlannedRecords,
  source: SeekableSource,
  { jobs: threads, signal, from }: RangeJobOptions,
): Promise<RangeReading> {
  const { question } = range
  const { xml } = question
  const format = formatOf(range)
  const records = new SelectedRecords(question, format)
  const skipped = new SkippedEntities()
  const options = { ...(await openReading(xml)), signal, threads, from, onSkippedEntity: skipped.add }
  const reader = readXmlRange(source, xmlRangeOf(range), options)
  let count = 0
  async function* batches(): AsyncGenerator<unknown, void, undefined> {
    const read: ReadBatches = (shape, reading, more) => reader.writtenBatches(format, shape, reading, more)
    for await (const batch of records.batches(read)) {
      count += 'rows' in batch ? batch.rows : batch.records
      yield batch
    }
    if (skipped.fault && xml?.entities !== 'skip') throw skipped.fault
    records.report()
    skipped.report(range.file)
  }
  return {
    fields: records.fields,
    setup: { ...records.written, metadata: records.metadata },
    batches,
    trailer: () => [
      { records: count, faults: 0 },
      { seen: { fields: records.sightings.fields }, ...reader.report },
    ],
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

/** An id that is a number: one that is not asked for may be something else. */
function knownId(id: number): number | undefined {
  return Number.isNaN(id) ? undefined : id
}
