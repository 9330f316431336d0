// What `xylem pages` and `xylem revisions` do: dumps to records, one a line.

import process from 'node:process'
import { type DumpReader, readDump } from '../mediawiki/dump-reader.ts'
import type { Page } from '../mediawiki/page.ts'
import type { PageLines } from '../mediawiki/page-line-writer.ts'
import type { PageRevision } from '../mediawiki/page-revision.ts'
import type { Revision } from '../mediawiki/revision.ts'
import type { ParseError } from '../text/parse-error.ts'
import { makeLineFilter, makePageFilter, makePageRevisionFilter, needsSiteInfo } from './dump-filter.ts'
import { type DumpInput, findInputs, READ_AHEAD } from './dump-inputs.ts'
import { type DumpCommandOptions, defaultJobs, type RecordKind } from './dump-options.ts'
import { DumpStatistics } from './dump-statistics.ts'
import { FaultFound, InputError, OutputClosed, OutputError, UsageError } from './errors.ts'
import { FieldList } from './output/fields.ts'
import { formatJsonLine } from './output/json-lines.ts'
import { type Output, openOutput } from './output/output.ts'
import { formatTableHead, formatTableRow, type TableKind } from './output/table.ts'
import { ProgressLine } from './progress.ts'
import { findPublishedSum, HashedSource, verifyRevision } from './verification.ts'

/** Revisions whose hash is wrong that are told of one by one. */
const MOST_DIFFERENCES = 10
/** Bytes or UTF-16 units that are put together before they are written. */
const PIECE = 256 * 1024

const DEFAULT_FIELDS: Record<RecordKind, readonly string[]> = {
  pages: [
    'id',
    'ns',
    'title',
    'redirect',
    'revision.id',
    'revision.timestamp',
    'revision.bytes',
    'revision.sha1',
    'revision.text',
  ],
  revisions: ['page.id', 'page.ns', 'page.title', 'id', 'parentid', 'timestamp', 'bytes', 'sha1', 'text'],
}

/** Reads the dumps and writes their records. */
export async function runDumpCommand(
  kind: RecordKind,
  names: readonly string[],
  options: DumpCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const inputs = await findInputs(names)
  if (options.resume) {
    const { runResumably } = await import('./resumable-job.ts')
    await runResumably(kind, inputs, options, signal)
  } else {
    await new DumpJob(kind, options, signal).run(inputs)
  }
}

class DumpJob {
  readonly #kind: RecordKind
  readonly #options: DumpCommandOptions
  readonly #signal: AbortSignal
  readonly #statistics = new DumpStatistics()
  readonly #format: 'jsonl' | TableKind
  readonly #fields: FieldList | undefined
  #progress: ProgressLine | undefined
  #output: Output | undefined
  #written = 0
  #text = ''
  #bytes: Uint8Array[] = []
  #byteCount = 0
  #hasDifference = false

  constructor(kind: RecordKind, options: DumpCommandOptions, signal: AbortSignal) {
    this.#kind = kind
    this.#options = options
    this.#signal = signal
    this.#format = options.format ?? guessFormat(options.output)
    const names = options.fields ?? (this.#format === 'jsonl' ? undefined : DEFAULT_FIELDS[kind])
    this.#fields = names && new FieldList(names)
  }

  async run(inputs: readonly DumpInput[]): Promise<void> {
    const { limit = Number.POSITIVE_INFINITY, quiet, output, stats, verify } = this.#options
    // Where records scroll over the same terminal, a line about them would be in the way.
    this.#progress = new ProgressLine(!quiet && (output !== undefined || !process.stdout.isTTY), this.#kind)
    try {
      for (const input of inputs) {
        await this.#readInput(input, inputs)
        if (this.#written >= limit) break
      }
    } catch (error) {
      // Why reading stopped counts, not what writing then says; but what was read before is not to be lost.
      await this.#flush().catch(() => {})
      await this.#output?.close().catch(() => {})
      throw error
    } finally {
      this.#progress.clear()
    }
    await this.#flush()
    await this.#output?.close()
    if (stats) this.#tell(this.#statistics.describe(verify === true))
    if (this.#statistics.faults > 0 || this.#hasDifference) throw new FaultFound(undefined)
  }

  async #readInput(input: DumpInput, inputs: readonly DumpInput[]): Promise<void> {
    const { limit = Number.POSITIVE_INFINITY, verify } = this.#options
    const file = input.open()
    const sum = verify && input.path !== undefined ? await findPublishedSum(input.path) : undefined
    const hashed = sum && new HashedSource(file, sum.algorithm)
    const reader = this.#open(input, hashed ?? file)
    const before = this.#statistics.bytesRead
    const replacedBefore = this.#statistics.replaced
    let batches: AsyncGenerator<readonly (Page | PageRevision | PageLines)[], void, undefined> | undefined
    try {
      batches = await this.#batches(reader)
      let isFirst = true
      for (;;) {
        const next = batches.next()
        // It is awaited below; until then a fault in it is not one that nobody looks at.
        next.catch(() => {})
        // What is to be written waits for more, but not for long, and the first records not at all.
        if (this.#hasText && (isFirst || !(await isSoon(next)))) await this.#flush()
        isFirst &&= !this.#hasText && this.#written === 0
        const batch = await next
        // A dump that cannot be read must not empty the output of an earlier run, so the output is opened after the first records.
        await this.#openOutput(inputs)
        if (batch.done) break
        for (const record of batch.value) {
          if (this.#written < limit) await this.#writeRecord(record)
        }
        const { bytesRead, totalBytes } = file.progress
        this.#statistics.bytesRead = before + bytesRead
        this.#progress?.update(
          { bytesRead: before + bytesRead, totalBytes: totalBytes && before + totalBytes },
          this.#written,
        )
        if (this.#written >= limit) return
      }
      this.#statistics.bytesRead = before + file.progress.bytesRead
      this.#checkSum(input, sum, hashed?.digest())
    } catch (error) {
      throw error instanceof UsageError || isOfOutput(error) ? error : new InputError(input.name, error)
    } finally {
      this.#statistics.replaced = replacedBefore + reader.replaced
      await batches?.return(undefined)
      await reader.close()
    }
  }

  #open(input: DumpInput, source: AsyncIterable<Uint8Array>): DumpReader {
    const { jobs = defaultJobs(), strict = false, onError } = this.#options
    const onFault = (error: ParseError): void => {
      if (onError === 'skip-page' && error.name === 'CompressionError') throw error
      this.#statistics.faults++
      this.#tell(`${input.name}: ${error.message.replace(/\s*\n\s*/g, ' ')}; passed over`)
    }
    return readDump(source, {
      signal: this.#signal,
      highWaterMark: READ_AHEAD * jobs,
      threads: jobs,
      strict,
      ...(onError !== 'stop' && { onFault }),
    })
  }

  async #batches(
    reader: DumpReader,
  ): Promise<AsyncGenerator<readonly (Page | PageRevision | PageLines)[], void, undefined>> {
    const siteInfo = needsSiteInfo(this.#options) ? await reader.siteInfo : undefined
    if (this.#kind === 'revisions') return reader.revisionBatches(makePageRevisionFilter(this.#options, siteInfo))
    const { limit, verify } = this.#options
    const lineFilter = makeLineFilter(this.#options, siteInfo)
    if (lineFilter && limit === undefined && !verify && !this.#fields) return reader.pageLines(lineFilter)
    return reader.pageBatches(makePageFilter(this.#options, siteInfo))
  }

  async #openOutput(inputs: readonly DumpInput[]): Promise<void> {
    if (this.#output) return
    this.#output = await openOutput(
      this.#options.output,
      inputs.flatMap(({ path }) => path ?? []),
      this.#signal,
    )
    if (this.#format !== 'jsonl') this.#text += formatTableHead(this.#format, this.#fields as FieldList)
  }

  async #writeRecord(record: Page | PageRevision | PageLines): Promise<void> {
    if (isLines(record)) {
      this.#add(record.bytes)
      if (this.#byteCount >= PIECE) await this.#flush()
      this.#statistics.add(record)
      this.#written += record.pages
      return
    }
    this.#count(record)
    this.#text += this.#formatRecord(record)
    this.#written++
    if (this.#text.length >= PIECE) await this.#flush()
  }

  #formatRecord(record: Page | PageRevision): string {
    if (this.#format !== 'jsonl') return formatTableRow(this.#format, this.#fields as FieldList, record)
    return formatJsonLine(this.#fields ? this.#fields.pick(record) : record)
  }

  /** Adds bytes to what will be written; those that lie behind the last ones in memory become one with them. */
  #add(bytes: Uint8Array): void {
    this.#byteCount += bytes.length
    const last = this.#bytes.at(-1)
    if (last && last.buffer === bytes.buffer && last.byteOffset + last.length === bytes.byteOffset) {
      this.#bytes[this.#bytes.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + bytes.length)
    } else this.#bytes.push(bytes)
  }

  get #hasText(): boolean {
    return this.#text !== '' || this.#byteCount > 0
  }

  async #flush(): Promise<void> {
    const text = this.#text
    const bytes = this.#bytes
    this.#text = ''
    this.#bytes = []
    this.#byteCount = 0
    if (text !== '') await this.#output?.write(text)
    for (const piece of bytes) await this.#output?.write(piece)
  }

  #lastPage: number | undefined

  #count(record: Page | PageRevision): void {
    let revision: Revision | undefined
    if ('page' in record) {
      revision = record
      if (record.page.id !== this.#lastPage) this.#statistics.countPage(record.page)
      this.#lastPage = record.page.id
    } else {
      revision = record.revision
      this.#statistics.countPage(record)
    }
    if (!revision) return
    this.#statistics.countRevision(revision)
    if (!this.#options.verify) return
    const verdict = verifyRevision(revision)
    this.#statistics.verdicts[verdict]++
    if (verdict !== 'different') return
    this.#hasDifference = true
    const told = this.#statistics.verdicts.different
    if (told <= MOST_DIFFERENCES)
      this.#tell(`revision ${revision.id}: the text does not have the hash that the dump gives for it`)
    if (told === MOST_DIFFERENCES) this.#tell('more of these are only counted (--stats)')
  }

  #checkSum(input: DumpInput, sum: Awaited<ReturnType<typeof findPublishedSum>>, digest: string | undefined): void {
    if (!sum || digest === undefined) return
    if (digest === sum.value) {
      if (this.#options.stats) this.#tell(`${input.name}: has the ${sum.algorithm} of ${sum.from}`)
      return
    }
    this.#hasDifference = true
    this.#tell(`${input.name}: its ${sum.algorithm} is ${digest}, but ${sum.from} says ${sum.value}`)
  }

  #tell(text: string): void {
    this.#progress?.clear()
    process.stderr.write(`${text}\n`)
  }
}

function isOfOutput(error: unknown): boolean {
  return error instanceof OutputError || error instanceof OutputClosed
}

/** Milliseconds that lines wait for more of them. */
const SOON = 20

/** Whether a promise is settled soon. */
async function isSoon(promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, SOON, false)
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  const isSettled = await Promise.race([settled, late])
  clearTimeout(timer)
  return isSettled
}

function isLines(record: Page | PageRevision | PageLines): record is PageLines {
  return 'bytes' in record && record.bytes instanceof Uint8Array
}

function guessFormat(output: string | undefined): 'jsonl' | TableKind {
  const [, extension] = /\.(csv|tsv)(?:\.gz|\.zst)?$/i.exec(output ?? '') ?? []
  return (extension?.toLowerCase() as TableKind | undefined) ?? 'jsonl'
}
