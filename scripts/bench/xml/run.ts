// Runs the benchmark: prepares what is needed, then measures one process after the other.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InputFile, InputFiles } from '../grammar/inputs.ts'
import { runIsolated } from '../isolated.ts'
import type { RecordKind, Use } from './engine.ts'
import { FLOOR, findEngine, OURS } from './engines.ts'
import { type InputName, inputs } from './inputs.ts'
import type { Job, JobAnswer, Preparation, PreparedPath } from './job.ts'
import { isInstalled, measureProcess, type Outcome } from './measured-process.ts'
import type { Failure, LargeFile, Measurement, Results } from './results.ts'

/** What is measured: uses of the inputs with all engines, and large files with ours. */
export const USES = ['check', 'events', 'records', 'large'] as const

export interface Settings {
  /** Bytes of the inputs, and of the large files from the smallest on. */
  readonly size: number
  readonly large: readonly number[]
  readonly inputs: readonly InputName[]
  readonly engines: readonly string[]
  readonly uses: readonly (typeof USES)[number][]
  readonly files: InputFiles
  readonly runs: number
}

/** The input that the large files are. */
const LARGE_INPUT = 'dump'
/** Strings of a page. */
const PAGE_FIELDS = 3
const FAULTY_DOCUMENT = '<mediawiki><page><title>Wood</titel></page></mediawiki>\n'

export class Run {
  readonly #settings: Settings
  readonly #files = new Map<string, Promise<InputFile>>()
  readonly #failures: Failure[] = []
  /** The path of the program that does the jobs. */
  #program = ''
  #engines: readonly string[] = []

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async measureAll(): Promise<Results> {
    const { runs, uses } = this.#settings
    const missing = this.#settings.engines.filter((name) => {
      const entry = findEngine(name)
      return 'command' in entry && !isInstalled(entry.command[0])
    })
    this.#engines = this.#settings.engines.filter((name) => !missing.includes(name))
    this.#program = (await prepare<PreparedPath>({ prepare: 'program' })).path
    const measurements: Measurement[] = []
    for (const use of uses) {
      if (use === 'large') continue
      for (const input of this.#settings.inputs) measurements.push(...(await this.#compare(use, input)))
    }
    const isLargeAsked = uses.includes('large') && this.#engines.includes(OURS)
    const large = isLargeAsked ? await this.#measureLargeFiles() : []
    return { runs, measurements, large, credulous: await this.#findCredulous(), failures: this.#failures, missing }
  }

  /** All engines on one input, in rounds: a machine that is shared drifts, and whose turn was when must not decide. */
  async #compare(use: Use, input: InputName): Promise<Measurement[]> {
    const measured: Measurement[] = []
    for (let round = 0; round < this.#settings.runs; round++) {
      for (const engine of this.#engines) {
        const { uses, most, readsLengths } = findEngine(engine)
        if (!uses.includes(use) || this.#hasFailed(engine, use, input)) continue
        const file = await this.#makeInput(input, Math.min(this.#settings.size, most ?? Number.POSITIVE_INFINITY))
        const path = readsLengths ? await this.#makeLengths(file.path, inputs[input]) : file.path
        measured.push(...(await this.#measure(use, engine, input, { ...file, path })))
      }
    }
    return this.#engines.flatMap((name) => merge(measured.filter(({ engine }) => engine === name)))
  }

  /** One process; none when it failed, which does not stop the others. */
  async #measure(use: Use, engine: string, input: InputName, { path, bytes }: InputFile): Promise<Measurement[]> {
    try {
      const { seconds, peakMemory, digest } = await this.#runJob({
        measure: use,
        engine,
        file: path,
        kind: inputs[input],
      })
      return [{ use, engine, input, bytes, seconds: [seconds], peakMemory, digests: digest ? [digest] : [] }]
    } catch (error) {
      this.#failures.push({ use, engine, input, message: (error as Error).message.replaceAll(path, 'it') })
      return []
    }
  }

  async #runJob(job: Job): Promise<Outcome & Omit<Partial<JobAnswer>, 'peakMemory'>> {
    const { measure, engine, file } = job
    const entry = findEngine(engine)
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${measure}: ${engine}, ${file} …`)
    try {
      if ('load' in entry) {
        const outcome = await measureProcess(process.execPath, [this.#program, JSON.stringify(job)])
        return { ...outcome, ...(JSON.parse(outcome.output) as JobAnswer) }
      }
      const [command, ...args] = entry.command
      const outcome = await measureProcess(command, [...args, file])
      // Not every version reports it by its exit code.
      if (outcome.output.trim() !== '') throw new Error(`refuses it: ${outcome.output.trim()}`)
      return outcome
    } finally {
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    }
  }

  async #measureLargeFiles(): Promise<LargeFile[]> {
    const measured: LargeFile[] = []
    for (const size of this.#settings.large) {
      const file = await this.#makeInput(LARGE_INPUT, size)
      const [bare] = await this.#measure('check', FLOOR, LARGE_INPUT, file)
      if (!bare) continue
      const uses: Measurement[] = []
      for (const use of ['check', 'events', 'records'] as const) {
        uses.push(...(await this.#measure(use, OURS, LARGE_INPUT, file)))
      }
      const strings = uses.find(({ use }) => use === 'records')?.digests[0]?.strings ?? 0
      const { bytes, records } = file
      const firstRecord = await this.#timeFirstRecord(file)
      measured.push({ input: LARGE_INPUT, bytes, records, recordsRead: strings / PAGE_FIELDS, uses, bare, firstRecord })
    }
    return measured
  }

  /** In ms, NaN when none came. Each in a process of its own: what an engine puts off until its first use belongs to it. */
  async #timeFirstRecord({ path }: InputFile): Promise<number[]> {
    const times: number[] = []
    for (let run = 0; run < this.#settings.runs; run++) {
      const job: Job = { measure: 'first record', engine: OURS, file: path, kind: inputs[LARGE_INPUT] }
      const { firstRecord } = await this.#runJob(job).catch(() => ({ firstRecord: undefined }))
      times.push(firstRecord ?? Number.NaN)
    }
    return times
  }

  /** Who accepts a document that is not well-formed: how fast it does so says nothing. */
  async #findCredulous(): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'bench-xml-'))
    try {
      const file = join(folder, 'faulty.xml')
      await writeFile(file, FAULTY_DOCUMENT)
      const credulous: string[] = []
      for (const engine of this.#engines) {
        if (await this.#accepts(engine, file)) credulous.push(engine)
      }
      return credulous
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  async #accepts(engine: string, file: string): Promise<boolean> {
    try {
      await this.#runJob({ measure: 'check', engine, file, kind: 'pages' })
      return true
    } catch {
      return false
    }
  }

  #makeInput(input: InputName, size: number): Promise<InputFile> {
    const key = `${input} ${size}`
    const file =
      this.#files.get(key) ?? prepare<InputFile>({ prepare: 'input', input, size, files: this.#settings.files })
    this.#files.set(key, file)
    return file
  }

  async #makeLengths(file: string, kind: RecordKind): Promise<string> {
    return (await prepare<PreparedPath>({ prepare: 'lengths', file, kind })).path
  }

  #hasFailed(name: string, use: Use, input: InputName): boolean {
    return this.#failures.some((failure) => failure.engine === name && failure.use === use && failure.input === input)
  }
}

function prepare<Prepared>(preparation: Preparation): Promise<Prepared> {
  return runIsolated<Prepared>(new URL('prepare.ts', import.meta.url), preparation)
}

/** One measurement of several with the same engine, input and use; none of none. */
function merge(measurements: readonly Measurement[]): Measurement[] {
  const [first] = measurements
  if (!first) return []
  const peaks = measurements.flatMap(({ peakMemory }) => peakMemory ?? [])
  return [
    {
      ...first,
      seconds: measurements.flatMap(({ seconds }) => seconds),
      peakMemory: peaks.length > 0 ? Math.max(...peaks) : undefined,
      digests: measurements.flatMap(({ digests }) => digests),
    },
  ]
}
