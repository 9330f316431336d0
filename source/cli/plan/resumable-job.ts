// `--resume`: a plan, its ranges into a folder of parts, and its end. What an earlier run has finished is not read again.

import type { RecordKind } from '../../mediawiki/added-fields.ts'
import { ToldAlready, UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { type Input, requireFiles } from '../inputs/inputs.ts'
import type { DumpCommandOptions } from '../options/dump-options.ts'
import { isStandardOutput } from '../output/output.ts'
import { describeEmptyNamespaces } from '../records/dump-filter.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { tell } from '../terminal/terminal.ts'
import { TaskPool } from '../workers/task-pool.ts'
import { PartFolder } from './part-folder.ts'
import { makePlan, type PlannedRange } from './plan.ts'
import type { RangeTrailer } from './range-job.ts'
import { type RangeResult, type RangeSetup, writeRange } from './range-task.ts'

export async function runResumably(
  kind: RecordKind,
  inputs: readonly Input[],
  options: DumpCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { output, limit, rangeSize, jobs, quiet, stats, verify } = options
  if (output === undefined || isStandardOutput(output))
    throw new UsageError('--resume needs a folder to write to: --output DIR')
  if (limit !== undefined || verify) {
    throw new UsageError('--resume cannot be used together with --limit or --verify')
  }
  const files = requireFiles(inputs, '--resume')
  const plan = await makePlan(files, { kind, records: options, rangeSize })
  const folder = new PartFolder(output)
  await folder.open(plan)
  if (!quiet && (await folder.isBusy()))
    tell(`${output}: another run seems to be writing the same parts; both will produce the same files`)
  const job = new ResumableJob(plan.ranges, folder, { kind, jobs, isQuiet: quiet === true, signal })
  await job.run(output)
  const totals = await folder.finish(plan, { known: job.known })
  const { emptyNamespaces } = totals
  if (emptyNamespaces) tell(describeEmptyNamespaces(emptyNamespaces))
  if (stats) {
    const { parts, records, bytes } = totals
    const counts = `${records.toLocaleString('en')} ${kind}, ${bytes.toLocaleString('en')} bytes`
    tell(`${parts} parts (${job.kept} of them from earlier runs), ${counts}`)
  }
  if (totals.faults > 0) throw new ToldAlready(ExitCode.FAULTS)
}

interface JobOptions {
  readonly kind: RecordKind
  readonly jobs: number
  readonly isQuiet: boolean
  readonly signal: AbortSignal
}

/** A range that is being read; undefined where it was before. */
interface Begun {
  readonly range: PlannedRange
  readonly result: Promise<RangeResult> | undefined
  readonly trailer: RangeTrailer | undefined
}

class ResumableJob {
  /** Parts from an earlier run. */
  kept = 0
  /** Ids of ranges whose parts were compared with their manifests, or written. */
  readonly known = new Set<string>()
  readonly #ranges: readonly PlannedRange[]
  readonly #folder: PartFolder
  readonly #options: JobOptions
  readonly #progress: ProgressLine

  constructor(ranges: readonly PlannedRange[], folder: PartFolder, options: JobOptions) {
    this.#ranges = ranges
    this.#folder = folder
    this.#options = options
    this.#progress = new ProgressLine(!options.isQuiet, options.kind)
  }

  /** Reads the ranges whose parts are not there; `path` is the folder's. */
  async run(path: string): Promise<void> {
    const { jobs, signal } = this.#options
    const totalBytes = this.#ranges.reduce((sum, range) => sum + length(range), 0)
    const setup: RangeSetup = { folder: path }
    const isAlone = this.#ranges.length === 1
    const pool = new TaskPool<RangeSetup, PlannedRange, RangeResult>({
      threads: jobs === 1 || isAlone ? 0 : Math.min(jobs, this.#ranges.length),
      worker: new URL('./range-worker.js', import.meta.url),
      setup,
      // One range has all threads for itself, to decompress.
      doHere: (range) => writeRange(setup, range, { jobs: isAlone ? jobs : 1, signal }),
      isFirstHere: false,
    })
    const begun: Begun[] = []
    let bytesRead = 0
    let count = 0
    try {
      for (let next = 0; next < this.#ranges.length || begun.length > 0; ) {
        signal.throwIfAborted()
        if (next < this.#ranges.length && begun.length < pool.capacity) {
          begun.push(await this.#begin(this.#ranges[next++] as PlannedRange, pool))
          continue
        }
        const { range, result, trailer } = begun.shift() as Begun
        const { records } = trailer ?? this.#tell(await untilAborted(result as Promise<RangeResult>, signal))
        this.known.add(range.id)
        bytesRead += length(range)
        count += records
        this.#progress.update({ bytesRead, totalBytes }, count)
      }
    } finally {
      pool.close()
      this.#progress.clear()
    }
  }

  async #begin(range: PlannedRange, pool: TaskPool<RangeSetup, PlannedRange, RangeResult>): Promise<Begun> {
    const trailer = await this.#folder.find(range)
    if (trailer) this.kept++
    const result = trailer ? undefined : pool.do(range)
    // The promise is awaited in its turn. Until then, its error does not count as unhandled.
    result?.catch(() => {})
    return { range, result, trailer }
  }

  #tell({ trailer, told }: RangeResult): RangeTrailer {
    if (told.length > 0) this.#progress.clear()
    for (const text of told) tell(text)
    return trailer
  }
}

/** What a promise comes to, unless the signal aborts before. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let abort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function length({ start, end }: PlannedRange): number {
  return end - start
}
