// What `xylem pages` and `xylem revisions` do: dumps to records, one a line.

import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { formatFieldsOf } from '../../mediawiki/lines/record-format.ts'
import { ELEMENTS } from '../../mediawiki/shape/fields.ts'
import { FaultFound, InputError, UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { findInputs, type Input, pathsOf } from '../inputs/inputs.ts'
import { sumProgress } from '../inputs/read-inputs.ts'
import { type DumpCommandOptions, type GivenOptions, requireRecordOptions } from '../options/dump-options.ts'
import { requireFormatOptions } from '../options/format-options.ts'
import { listFiles, readLists } from '../options/list-options.ts'
import { guessFormat, requireFolderName, requireRecordsName } from '../output/file-formats.ts'
import { findMissing, reportMissing, requireGood } from '../output/findings.ts'
import { ProgressLine, showsProgress } from '../output/progress.ts'
import { writeRecords } from '../output/record-output.ts'
import { recordsIn } from '../output/write-batches.ts'
import { tellAll } from '../terminal/terminal.ts'
import { RANGE_SIZE } from '../workers/range-sizes.ts'
import { requireAddedFields } from './added-fields.ts'
import { measure } from './dump-statistics.ts'
import { noteSkipped } from './fault-handler.ts'
import type { PublishedSum } from './published-sum.ts'
import { type RecordReport, type RecordRequest, startReport } from './record-lines.ts'
import { RecordReader } from './record-reader.ts'
import { MOST_DIFFERENCES } from './verdicts.ts'

/** Bytes that are read ahead for each thread. Less takes less memory, and waits more often (512 MB of a dump: 3.8 s with an eighth of it, 2.6 s with this). */
const READ_AHEAD = 2 * 1024 * 1024

/** Reads the dumps and writes their records. */
export async function runDumpCommand(
  kind: RecordKind,
  names: readonly string[],
  given: GivenOptions<DumpCommandOptions>,
  signal: AbortSignal,
): Promise<void> {
  requireRecordOptions(kind, given)
  requireAddedFields(kind, given)
  if (given.rangeSize !== undefined && !given.resume)
    throw new UsageError('--range-size sets the size of the parts that --resume writes; use it together with --resume')
  if (given.verifyInputs && !given.resume)
    throw new UsageError('--verify-inputs is about parts of earlier runs; use it together with --resume')
  if (given.maxInput !== undefined && given.resume)
    throw new UsageError(
      '--max-input counts all of a dump; it cannot be used together with --resume, which reads ranges',
    )
  if (given.resume) requireFolderName(given.output, given.format ?? 'jsonl', `${kind} --resume`)
  else requireRecordsName(given.output, given.format, kind)
  const format = given.format ?? (given.resume ? 'jsonl' : guessFormat(given.output))
  const written = requireFormatOptions(format, given)
  const inputs = await findInputs(names)
  const options = await readLists({ ...given, written }, signal)
  if (options.resume) {
    const { runResumably } = await import('../plan/resumable-job.ts')
    await runResumably(kind, inputs, options, signal)
  } else {
    const { verify, stats } = options
    const request = { kind, format, question: options, verify, counts: stats && ('all' as const) }
    await new DumpJob(request, options, await startReport(request), signal).run(inputs, listFiles(given))
  }
}

class DumpJob {
  readonly #options: DumpCommandOptions
  readonly #request: RecordRequest
  readonly #signal: AbortSignal
  readonly #progress: ProgressLine
  /** Of all inputs that were read. */
  readonly #report: RecordReport
  #records = 0
  /** Compressed bytes that were read. */
  #bytesRead = 0
  #hasDifference = false

  constructor(request: RecordRequest, options: DumpCommandOptions, report: RecordReport, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#request = request
    this.#report = report
    this.#progress = new ProgressLine(showsProgress(options), request.kind)
  }

  /** `otherPaths`: files that the output must not overwrite, beside the inputs. */
  async run(inputs: readonly Input[], otherPaths: readonly string[]): Promise<void> {
    const { limit = Number.POSITIVE_INFINITY, fields, written, stats, output } = this.#options
    const { kind, format } = this.#request
    const describe = stats && (await measure())
    await writeRecords({
      format,
      fields: await formatFieldsOf(kind, format, fields),
      written,
      path: output,
      inputPaths: [...pathsOf(inputs), ...otherPaths],
      progress: this.#progress,
      read: (signal) => this.#readAll(inputs, signal),
      signal: this.#signal,
    })
    const counts = { ...this.#report.data, records: this.#records }
    const isOver = this.#records >= limit
    const isEmpty = !isOver && this.#records === 0 && this.#options.warnings !== false
    const advice = isEmpty ? await (await import('../inputs/other-xml.ts')).adviseOnLogs(inputs, this.#signal) : ''
    const found = { records: this.#records, missing: findMissing(this.#options, counts) }
    const exitCode = isOver ? ExitCode.GOOD : reportMissing(kind, found, this.#options, advice)
    if (describe) this.#tell(describe(counts, this.#bytesRead))
    this.#tell(this.#report.say())
    if ((counts.faults ?? 0) > 0 || this.#hasDifference) requireGood(ExitCode.FAULTS)
    requireGood(exitCode)
  }

  async *#readAll(inputs: readonly Input[], signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
    const { limit = Number.POSITIVE_INFINITY } = this.#options
    for (const input of inputs) {
      yield* this.#readInput(input, inputs, signal)
      if (this.#records >= limit) return
    }
  }

  async *#readInput(
    input: Input,
    inputs: readonly Input[],
    signal: AbortSignal,
  ): AsyncGenerator<unknown, void, undefined> {
    const file = input.open(signal)
    const published = this.#request.verify ? await import('./published-sum.ts') : undefined
    const sum = input.path === undefined ? undefined : await published?.findPublishedSum(input.path)
    const hashed = published && sum && new published.HashedSource(file, sum.algorithm)
    const reader = this.#open(input, hashed ?? file, signal)
    const before = this.#bytesRead
    let told = 0
    try {
      for await (const batch of reader.batches()) {
        this.#records += recordsIn(batch)
        told = this.#tellDifferences(reader.report, told)
        yield batch
        const { bytesRead } = reader
        const passed = bytesRead === undefined ? file.progress : { bytesRead, totalBytes: input.size }
        const progress = sumProgress(inputs, before, passed)
        this.#bytesRead = progress.bytesRead
        this.#progress.update(progress, this.#records)
      }
      this.#bytesRead = before + (reader.bytesRead ?? file.progress.bytesRead)
      this.#checkSum(input, sum, hashed?.digest())
    } catch (error) {
      if (error instanceof UsageError) throw error
      const named = new InputError(input.name, error)
      // A text with elements in it is not the one that the dump describes.
      throw this.#options.verify && named.message.includes(ELEMENTS) ? new FaultFound(named) : named
    } finally {
      this.#tellDifferences(reader.report, told)
      this.#report.add(reader.report?.data ?? {})
      await reader.close()
    }
    // A dump without records was read.
    yield undefined
  }

  #open({ name, path, size }: Input, source: AsyncIterable<Uint8Array>, signal: AbortSignal): RecordReader {
    const { jobs, maxInput, limit } = this.#options
    return new RecordReader(
      source,
      { ...this.#request, limit: limit === undefined ? undefined : limit - this.#records },
      {
        jobs,
        maxInput,
        onFault: (error) => {
          this.#report.add({ faults: 1 })
          this.#tell(noteSkipped(name, error).split('\n'))
        },
        file: path === undefined || size === undefined ? undefined : { path, size },
        rangeSize: RANGE_SIZE,
        highWaterMark: READ_AHEAD * jobs,
        signal,
      },
    )
  }

  /** Prints the ids of revisions of an input whose texts differ, but for the first `told`, which are printed already. Returns how many there are. */
  #tellDifferences(report: RecordReport | undefined, told: number): number {
    const { different = [] } = report?.read('verification') ?? {}
    if (different.length === told) return told
    this.#hasDifference = true
    const before = this.#report.read('verification')?.different.length ?? 0
    const ids = different.slice(told, MOST_DIFFERENCES - before)
    const lines = ids.map(
      (id) => `revision ${id ?? 'without an id'}: the text does not match its size or hash in the dump`,
    )
    const isLast = before + told < MOST_DIFFERENCES && before + different.length >= MOST_DIFFERENCES
    this.#tell(isLast ? [...lines, 'further differences are counted but not listed'] : lines)
    return different.length
  }

  #checkSum({ name, path }: Input, sum: PublishedSum | undefined, digest: string | undefined): void {
    if (!this.#options.verify) return
    if (path === undefined || !sum) {
      this.#tell([`${name}: no published checksum was found beside it`])
      return
    }
    const { algorithm, value, from } = sum
    this.#hasDifference ||= digest !== undefined && digest !== value
    if (digest === undefined)
      this.#tell([`${name}: its ${algorithm} was not compared, because the file was not read to its end`])
    else if (digest === value) this.#tell([`${name}: its ${algorithm} matches ${from}`])
    else this.#tell([`${name}: its ${algorithm} is ${digest}, but ${from} says ${value}`])
  }

  #tell(lines: readonly string[]): void {
    if (lines.length > 0) this.#progress.clear()
    tellAll(lines)
  }
}
