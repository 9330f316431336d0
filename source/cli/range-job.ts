// Reading one range of a plan: its records as lines, and what was seen.

import { createHash } from 'node:crypto'
import { Command } from 'commander'
import { type BlockReport, RangeReader } from '../mediawiki/dump-range.ts'
import type { DumpReader } from '../mediawiki/dump-reader.ts'
import type { Page } from '../mediawiki/page.ts'
import type { PageRevision } from '../mediawiki/page-revision.ts'
import { FileSource } from '../stream/sources/node.ts'
import type { ParseError } from '../text/parse-error.ts'
import { makeLineFilter, makePageFilter, makePageRevisionFilter } from './dump-filter.ts'
import { addRecordOptions, type RecordOptions } from './dump-options.ts'
import { InputError } from './errors.ts'
import { FieldList } from './output/fields.ts'
import { formatJsonLine } from './output/json-lines.ts'
import { type PlannedRange, requireUnchanged } from './plan.ts'

/** What reading a range has shown: the last line of what `xylem read` prints. */
export interface RangeTrailer {
  /** The range's id. */
  readonly range: string
  /** Lines, and pages that they are about. */
  readonly records: number
  readonly pages: number
  /** Ids of the first and the last page; absent when there is none. */
  readonly firstPage?: number
  readonly lastPage?: number
  /** Characters that were replaced, and faults that were passed over. */
  readonly replaced: number
  readonly faults: number
  /** Bytes of the lines, and their SHA-256 in hexadecimal. */
  readonly bytes: number
  readonly digest: string
  readonly blocks: BlockReport
}

export interface RangeJobOptions {
  readonly jobs: number
  readonly signal: AbortSignal
  /** Is told of faults that are passed over. */
  readonly tell: (text: string) => void
}

/** UTF-16 units that are put together before they are passed on. */
const PIECE = 64 * 1024

/**
 * The lines of a range in pieces; it returns the trailer. Throws an `InputChanged` when the file is not what it was, and an `InputError`
 * for its faults.
 */
export async function* readRange(
  range: PlannedRange,
  { jobs, signal, tell }: RangeJobOptions,
): AsyncGenerator<Uint8Array, RangeTrailer, undefined> {
  await requireUnchanged(range)
  const records = parseRecordOptions(range.arguments)
  const fields = records.fields && new FieldList(records.fields)
  const hash = createHash('sha256')
  const seen = { records: 0, pages: 0, faults: 0, bytes: 0 }
  let firstPage: number | undefined
  let lastPage: number | undefined
  const onFault = (error: ParseError): void => {
    if (records.onError === 'skip-page' && error.name === 'CompressionError') throw error
    seen.faults++
    tell(`${range.file}: ${error.message.replace(/\s*\n\s*/g, ' ')}; passed over`)
  }
  const rangeReader = new RangeReader(new FileSource(range.file), range, {
    signal,
    threads: jobs,
    strict: records.strict ?? false,
    ...(records.onError !== 'stop' && { onFault }),
  })
  const { reader } = rangeReader
  const lineFilter = range.kind === 'pages' && !fields ? makeLineFilter(records, undefined) : undefined
  const take = (bytes: Uint8Array): Uint8Array => {
    hash.update(bytes)
    seen.bytes += bytes.length
    return bytes
  }
  try {
    const lineBatches = lineFilter ? reader.pageLines(lineFilter) : []
    for await (const batch of lineBatches) {
      for (const lines of batch) {
        seen.records += lines.pages
        seen.pages += lines.pages
        firstPage ??= lines.firstPage
        lastPage = lines.lastPage
        yield take(lines.bytes)
      }
    }
    let text = ''
    for await (const batch of lineFilter ? [] : readRecords(reader, range, records)) {
      for (const record of batch) {
        const { id } = 'page' in record ? record.page : record
        if (id !== lastPage) seen.pages++
        firstPage ??= id
        lastPage = id
        seen.records++
        text += formatJsonLine(fields ? fields.pick(record) : record)
        if (text.length < PIECE) continue
        yield take(Buffer.from(text))
        text = ''
      }
    }
    if (text !== '') yield take(Buffer.from(text))
  } catch (error) {
    throw new InputError(range.file, error)
  }
  return {
    range: range.id,
    ...seen,
    ...(firstPage !== undefined && { firstPage }),
    ...(lastPage !== undefined && { lastPage }),
    replaced: reader.replaced,
    digest: hash.digest('hex'),
    blocks: rangeReader.report,
  }
}

function readRecords(
  reader: DumpReader,
  { kind }: PlannedRange,
  records: RecordOptions,
): AsyncGenerator<(Page | PageRevision)[], void, undefined> {
  if (kind === 'pages') return reader.pageBatches(makePageFilter(records, undefined))
  return reader.revisionBatches(makePageRevisionFilter(records, undefined))
}

function parseRecordOptions(args: readonly string[]): RecordOptions {
  const command = addRecordOptions(new Command('range')).exitOverride()
  return command.parse(args as string[], { from: 'user' }).opts<RecordOptions & { onError: RecordOptions['onError'] }>()
}
