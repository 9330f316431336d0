// What `xylem pages` and `xylem revisions` do: dumps to records, one a line.

import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { formatFieldsOf } from '../../mediawiki/lines/record-format.ts'
import { ELEMENTS } from '../../mediawiki/shape/fields.ts'
import type { FormatName } from '../../record/format/index.ts'
import { FaultFound, InputError, UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { findInputs, type Input, pathsOf } from '../inputs/inputs.ts'
import { sumProgress } from '../inputs/read-inputs.ts'
import { type DumpCommandOptions, type GivenOptions, requireRecordOptions } from '../options/dump-options.ts'
import { requireFormatOptions } from '../options/format-options.ts'
import { listFiles, readLists } from '../options/list-options.ts'
import { guessFormat, requireFolderName, requireRecordsName } from '../output/file-formats.ts'
import { Findings, reportMissing, requireGood } from '../output/findings.ts'
import { ProgressLine, showsProgress } from '../output/progress.ts'
import { writeRecords } from '../output/record-output.ts'
import { tell } from '../terminal/terminal.ts'
import { RANGE_SIZE } from '../workers/range-sizes.ts'
import { requireAddedFields } from './added-fields.ts'
import { DumpStatistics } from './dump-statistics.ts'
import { noteSkipped } from './fault-handler.ts'
import type { PublishedSum } from './published-sum.ts'
import type { RecordLines, RecordRequest } from './record-lines.ts'
import { RecordReader } from './record-reader.ts'

/** Revisions whose hash is wrong that are told of one by one. */
const MOST_DIFFERENCES = 10
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
  requireAddedFields(kind, given.fields ?? [])
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
    await new DumpJob(kind, format, options, signal).run(inputs, listFiles(given))
  }
}

class DumpJob {
  readonly #options: DumpCommandOptions
  readonly #request: RecordRequest
  readonly #signal: AbortSignal
  readonly #statistics = new DumpStatistics()
  readonly #progress: ProgressLine
  #hasDifference = false
  readonly #findings: Findings

  constructor(kind: RecordKind, format: FormatName, options: DumpCommandOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#findings = new Findings(options)
    this.#request = { kind, format, question: options, verify: options.verify, counts: options.stats }
    this.#progress = new ProgressLine(showsProgress(options), kind)
  }

  /** `otherPaths`: files that the output must not overwrite, beside the inputs. */
  async run(inputs: readonly Input[], otherPaths: readonly string[]): Promise<void> {
    const { limit = Number.POSITIVE_INFINITY, fields, written, stats, verify, output } = this.#options
    const { kind, format } = this.#request
    if (stats) await this.#statistics.measure()
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
    const isOver = this.#findings.records >= limit
    const isEmpty = !isOver && this.#findings.records === 0 && this.#options.warnings !== false
    const advice = isEmpty ? await (await import('../inputs/other-xml.ts')).adviseOnLogs(inputs, this.#signal) : ''
    const exitCode = isOver ? ExitCode.GOOD : reportMissing(kind, this.#findings, this.#options, advice)
    if (stats) this.#tell(this.#statistics.describe())
    if (verify) this.#tell(this.#statistics.describeVerification())
    if (this.#statistics.faults > 0 || this.#hasDifference) requireGood(ExitCode.FAULTS)
    requireGood(exitCode)
  }

  async *#readAll(inputs: readonly Input[], signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
    const { limit = Number.POSITIVE_INFINITY } = this.#options
    for (const input of inputs) {
      yield* this.#readInput(input, inputs, signal)
      if (this.#findings.records >= limit) return
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
    const before = this.#statistics.bytesRead
    const replacedBefore = this.#statistics.replaced
    try {
      for await (const batch of reader.lines()) {
        for (const lines of batch) {
          this.#count(lines)
          yield* lines.batches
        }
        const { bytesRead } = reader
        const passed = bytesRead === undefined ? file.progress : { bytesRead, totalBytes: input.size }
        const progress = sumProgress(inputs, before, passed)
        this.#statistics.bytesRead = progress.bytesRead
        this.#progress.update(progress, this.#findings.records)
      }
      this.#statistics.bytesRead = before + (reader.bytesRead ?? file.progress.bytesRead)
      this.#checkSum(input, sum, hashed?.digest())
    } catch (error) {
      if (error instanceof UsageError) throw error
      const named = new InputError(input.name, error)
      // A text with elements in it is not the one that the dump describes.
      throw this.#options.verify && named.message.includes(ELEMENTS) ? new FaultFound(named) : named
    } finally {
      this.#statistics.replaced = replacedBefore + reader.replaced
      this.#statistics.use.ranges += reader.use.ranges
      this.#statistics.use.readAgain += reader.use.readAgain
      await reader.close()
    }
    // A dump without records was read.
    yield undefined
  }

  #open({ name, path, size }: Input, source: AsyncIterable<Uint8Array>, signal: AbortSignal): RecordReader {
    const { jobs, maxInput, limit } = this.#options
    return new RecordReader(
      source,
      { ...this.#request, limit: limit === undefined ? undefined : limit - this.#findings.records },
      {
        jobs,
        maxInput,
        onFault: (error) => {
          this.#statistics.faults++
          this.#tell(noteSkipped(name, error))
        },
        file: path === undefined || size === undefined ? undefined : { path, size },
        rangeSize: RANGE_SIZE,
        highWaterMark: READ_AHEAD * jobs,
        signal,
      },
    )
  }

  #count(lines: RecordLines): void {
    this.#statistics.add(lines)
    this.#findings.add(lines.records, lines.seen)
    if (lines.verification) this.#tellDifferences(lines.verification.different)
  }

  #tellDifferences(revisions: readonly number[]): void {
    if (revisions.length === 0) return
    this.#hasDifference = true
    const told = this.#statistics.verdicts.different - revisions.length
    for (const id of revisions.slice(0, Math.max(0, MOST_DIFFERENCES - told)))
      this.#tell(`revision ${id ?? 'without an id'}: the text does not match its size or hash in the dump`)
    if (told < MOST_DIFFERENCES && this.#statistics.verdicts.different >= MOST_DIFFERENCES)
      this.#tell('further differences are counted but not listed')
  }

  #checkSum({ name, path }: Input, sum: PublishedSum | undefined, digest: string | undefined): void {
    if (!this.#options.verify) return
    if (path === undefined || !sum) {
      this.#tell(`${name}: no published checksum was found beside it`)
      return
    }
    const { algorithm, value, from } = sum
    this.#hasDifference ||= digest !== undefined && digest !== value
    if (digest === undefined)
      this.#tell(`${name}: its ${algorithm} was not compared, because the file was not read to its end`)
    else if (digest === value) this.#tell(`${name}: its ${algorithm} matches ${from}`)
    else this.#tell(`${name}: its ${algorithm} is ${digest}, but ${from} says ${value}`)
  }

  #tell(text: string): void {
    this.#progress.clear()
    for (const line of text.split('\n')) tell(line)
  }
}
