// A folder of parts, one for each range of a plan. A part appears complete or not at all, whenever the process is killed:
//
//     _plan.jsonl             the plan, where the folder belongs to one
//     _attempts/ID.PROCESS    what is being written, with the process and the host that write it, and a number
//     part-00007-ID.jsonl     a part, with the ending of its format, renamed from there when it was complete and on the disk
//     _manifest/ID.json       what is known of it (the trailer of its range), written after it in the same way
//     _SUCCESS                all parts are there, and agree with each other
//
// An engine that reads ranges writes no parts. It has a folder of manifests alone, which are called reports.
//
// Names and parts depend on the range alone, and manifests on the state of the file as well: whoever writes a part twice, or two who write it at once, make the same file. So runs need no
// lock, and one that comes too late finds that its work is done.

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FORMATS } from '../../record/format/index.ts'
import type { Boundary } from '../../xml/ranges/range.ts'
import { RangeChecker } from '../../xml/ranges/range-checker.ts'
import { InputChanged, InputError, OutputError, PartsError, UsageError } from '../errors/errors.ts'
import { addUp, checkFile, type PartTotals } from './part-totals.ts'
import { describeDifference, formatOf, formatPlan, type Plan, type PlannedRange, parsePlan } from './plan.ts'
import { baseNameOf, HOST } from './planned-file.ts'
import type { RangeTrailer } from './range-job.ts'
import { InputCheck } from './read-input.ts'
import { isSealed, type Sealed, sealObject } from './seal.ts'

/** How much of a part is compared with its manifest: its size, or its digest as well; or nothing, where there are manifests alone. */
export type Scrutiny = 'report' | 'size' | 'content'

/** How parts are checked at the end. */
export interface FinishOptions {
  readonly scrutiny?: Scrutiny
  readonly known?: ReadonlySet<string>
  /** Without it, no input is read again. */
  readonly check?: InputCheck
  /** Reads a range of records from where the range before has ended. Without it, ranges that do not follow each other are an error. */
  readonly readAgain?: (range: PlannedRange, from: Boundary) => AsyncGenerator<Uint8Array, RangeTrailer, undefined>
}

/** How often a file is begun anew whose folder somebody removes at that moment. */
const MOST_ATTEMPTS = 10
/** Milliseconds since the last change of an attempt that somebody is probably still writing. */
const RECENT = 10_000
/** Parts that a message lists. */
const MOST_COMPLAINTS = 100

export class PartFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Makes the folder; with a plan, its ranges alone may be there. Throws a `UsageError` when there is a file of this name or the parts are
   * those of another plan, and an `InputChanged` where that is because a dump has changed.
   */
  async open(plan?: Plan): Promise<void> {
    try {
      for (const folder of [this.#path, this.#in('_attempts'), this.#in('_manifest')])
        await mkdir(folder, { recursive: true })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' || code === 'ENOTDIR') throw new UsageError(`not a folder: ${this.#path}`)
      throw new OutputError(this.#path, error as Error)
    }
    if (!plan) return
    await this.#requireSamePlan(plan)
    await this.#writeComplete(this.#in('_plan.jsonl'), formatPlan(plan), 'plan')
  }

  /** Whether somebody else seems to be writing parts at this moment: of processes of this host, only one that lives. */
  async isBusy(): Promise<boolean> {
    const names = await readdir(this.#in('_attempts')).catch(() => [])
    const times = names.filter(mayLive).map((name) =>
      stat(this.#in('_attempts', name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    )
    return (await Promise.all(times)).some((time) => Date.now() - time < RECENT)
  }

  /** What the manifest says of a range if its part is there and unchanged; undefined if the range must be read. */
  async find(range: PlannedRange): Promise<RangeTrailer | undefined> {
    try {
      return await this.#check(range, 'content')
    } catch (error) {
      if (error instanceof PartsError) return undefined
      throw error
    }
  }

  /** Writes the part of a range, and what its reading has shown. */
  async write(range: PlannedRange, pieces: AsyncGenerator<Uint8Array, RangeTrailer, undefined>): Promise<RangeTrailer> {
    const { path, file } = await this.#beginAttempt(range.id)
    try {
      let trailer: RangeTrailer
      try {
        let next = await pieces.next()
        for (; !next.done; next = await pieces.next()) {
          const { value } = next
          await this.#attempt(() => file.writeFile(value))
        }
        trailer = next.value
        await this.#attempt(() => file.sync())
      } finally {
        await file.close()
      }
      if (!(await this.#tryRename(path, this.#partOf(range)))) {
        // Another run has found all parts, and removed what was being written.
        return await this.#check(range, 'content').catch((error: unknown) => {
          throw error instanceof PartsError ? new PartsError(`${this.#path}: ${error.message}`) : error
        })
      }
      await this.#writeComplete(this.#manifestOf(range), `${JSON.stringify(sealObject(trailer))}\n`, range.id)
      return trailer
    } catch (error) {
      await pieces.return(undefined as never).catch(() => {})
      await rm(path, { force: true }).catch(() => {})
      throw error
    }
  }

  /**
   * Checks that all parts of a plan are there and agree, that each is as it was written, and that they account for all of their files; then
   * says so in `_SUCCESS`. Parts that are `known`, by the ids of their ranges, were written or checked by this process just before. Throws a
   * `PartsError`, an `InputChanged` where ranges were read from different states of a file, and an `InputError` where the checksum of a file
   * is wrong; then, `_SUCCESS` is not there any more.
   */
  async finish(plan: Plan, options: FinishOptions = {}): Promise<PartTotals> {
    const totals = await this.#account(plan, options).catch(async (error: unknown) => {
      if ([PartsError, InputChanged, InputError].some((type) => error instanceof type)) await this.#withdraw(plan)
      throw error
    })
    const success = { ...totals, plan: plan.digest, scrutiny: options.scrutiny ?? 'content' }
    await this.#writeComplete(this.#in('_SUCCESS'), `${JSON.stringify(success)}\n`, 'success')
    await this.#removeAttempts()
    return totals
  }

  /** Removes what an earlier check has said of the parts of a plan. Throws nothing: what is wrong with the parts counts. */
  async #withdraw({ digest }: Plan): Promise<void> {
    const path = this.#in('_SUCCESS')
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text.includes(digest)) await rm(path, { force: true }).catch(() => {})
  }

  /** The totals of parts that were checked. */
  async #account(plan: Plan, options: FinishOptions): Promise<PartTotals> {
    const { scrutiny = 'content', known, readAgain, check = new InputCheck() } = options
    const trailers: RangeTrailer[] = []
    const complaints: string[] = []
    for (const range of plan.ranges) {
      const trailer = await this.#check(range, known?.has(range.id) ? 'size' : scrutiny).catch((error: unknown) => {
        if (!(error instanceof PartsError)) throw error
        complaints.push(error.message)
      })
      if (trailer) trailers.push(trailer)
    }
    if (complaints.length > 0)
      throw new PartsError(`${this.#path}: ${listComplaints(complaints, scrutiny === 'report' ? 'reports' : 'parts')}`)
    for (const [i, range] of plan.ranges.entries()) await check.add(range, (trailers[i] as RangeTrailer).input)
    let again = 0
    for (const file of new Set(plan.ranges.map((range) => range.file))) {
      if (readAgain) again += await this.#prove(file, plan.ranges, trailers, { readAgain, check })
      checkFile(file, plan.ranges, trailers)
    }
    const totals = await addUp(plan, trailers)
    return again > 0 ? { ...totals, readAgain: again } : totals
  }

  /** Reads ranges of a file again that did not begin where the range before has ended. Returns how many. */
  async #prove(
    file: string,
    ranges: readonly PlannedRange[],
    trailers: RangeTrailer[],
    { readAgain, check }: Pick<Required<FinishOptions>, 'readAgain' | 'check'>,
  ): Promise<number> {
    const checker = new RangeChecker({ hasFaults: true })
    let count = 0
    for (const [i, range] of ranges.entries()) {
      if (range.file !== file || range.question.kind !== 'records') continue
      if (!checker.follows({ ...range, ...(trailers[i] as RangeTrailer) })) {
        const trailer = await this.write(range, readAgain(range, checker.boundary))
        await check.add(range, trailer.input)
        trailers[i] = trailer
        count++
      }
      checker.add({ ...range, ...(trailers[i] as RangeTrailer) })
    }
    return count
  }

  async #requireSamePlan(plan: Plan): Promise<void> {
    const own = new Set(plan.ranges.map((range) => basename(this.#partOf(range))))
    const names = await this.#attempt(() => readdir(this.#path))
    const other = names.find((name) => name.startsWith('part-') && !own.has(name))
    const before = await this.#readPlan()
    if (other === undefined && (before === undefined || before.digest === plan.digest)) return
    const changed = plan.ranges.find(({ file, fingerprint }) =>
      before?.ranges.some((old) => baseNameOf(old.file) === baseNameOf(file) && old.fingerprint !== fingerprint),
    )
    if (changed)
      throw new InputChanged(
        `${changed.file}: the file has changed since the first run with ${this.#path}; use another folder`,
      )
    const difference = before ? describeDifference(before, plan) : ''
    const [written, wanted] = [before, plan].map((one) => one?.ranges[0]?.encoding)
    if (written && wanted && written !== wanted)
      throw new UsageError(`${this.#path} contains parts written by ${written}, not by ${wanted}; use another folder`)
    const example = other === undefined ? '' : `, such as ${other}`
    throw new UsageError(
      `${this.#path} contains parts of a different plan${difference && `, ${difference}`}${example}; use another folder, or the same dumps, options and version of xylem as before`,
    )
  }

  /** The plan that the folder belongs to; undefined where there is none that can be read. */
  async #readPlan(): Promise<Plan | undefined> {
    try {
      return parsePlan(await readFile(this.#in('_plan.jsonl'), 'utf8'))
    } catch {
      return undefined
    }
  }

  /** The trailer of a part. Throws a `PartsError` that says what is wrong with the part. */
  async #check(range: PlannedRange, scrutiny: Scrutiny): Promise<RangeTrailer> {
    const part = this.#partOf(range)
    const complain = (what: string): never => {
      throw new PartsError(`${what} (range ${range.index}, ${range.id})`)
    }
    const text = await readIfThere(() => readFile(this.#manifestOf(range), 'utf8'))
    const hasPart = scrutiny !== 'report'
    const status = hasPart ? await readIfThere(() => stat(part)) : undefined
    if (!text || (hasPart && !status)) return complain(`a ${hasPart ? 'part' : 'report'} is missing`)
    const trailer = parseTrailer(text)
    const noun = hasPart ? 'manifest' : 'report'
    if (trailer?.range !== range.id)
      return complain(`a ${noun} was edited or is damaged; delete it, and read the range again`)
    if (!trailer.input)
      return complain(`a ${noun} does not say what state of its file was read; read the range again with this version`)
    if (!status) return trailer
    if (status.size !== trailer.bytes)
      complain(`${basename(part)} has ${status.size} bytes instead of ${trailer.bytes}`)
    if (scrutiny === 'size') return trailer
    if ((await digestOf(part)) !== trailer.digest) complain(`${basename(part)} was changed after it was written`)
    return trailer
  }

  async #writeComplete(path: string, text: string, name: string): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const attempt = await this.#beginAttempt(name)
      try {
        await this.#attempt(async () => {
          await attempt.file.writeFile(text)
          await attempt.file.sync()
        })
      } finally {
        await attempt.file.close()
      }
      if (await this.#tryRename(attempt.path, path)) return
      if (attempts === MOST_ATTEMPTS) throw new OutputError(path, new Error('another run keeps removing it'))
    }
  }

  /** Removes `_attempts`. Where another run begins a file in it at this moment, that run will remove it. */
  async #removeAttempts(): Promise<void> {
    try {
      await rm(this.#in('_attempts'), { recursive: true, force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw new OutputError(this.#path, error as Error)
    }
  }

  /** Opens a new file in `_attempts`, which another run may remove when it has finished. */
  async #beginAttempt(name: string): Promise<{ path: string; file: Awaited<ReturnType<typeof open>> }> {
    const path = this.#in('_attempts', `${name}.${process.pid}.${HOST}.${randomUUID()}`)
    for (let attempts = 1; ; attempts++) {
      try {
        await mkdir(this.#in('_attempts'), { recursive: true })
        return { path, file: await open(path, 'wx') }
      } catch (error) {
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
        if (!isGone || attempts === MOST_ATTEMPTS) throw new OutputError(this.#path, error as Error)
      }
    }
  }

  /** Gives a file its name. False when the file is gone. */
  async #tryRename(from: string, to: string): Promise<boolean> {
    try {
      await rename(from, to)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw new OutputError(this.#path, error as Error)
    }
  }

  async #attempt<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      throw new OutputError(this.#path, error as Error)
    }
  }

  #manifestOf({ id }: PlannedRange): string {
    return this.#in('_manifest', `${id}.json`)
  }

  #partOf(range: PlannedRange): string {
    const { index, id } = range
    const [ending] = FORMATS[formatOf(range)].endings
    return this.#in(`part-${String(index).padStart(5, '0')}-${id}.${ending}`)
  }

  #in(...names: string[]): string {
    return join(this.#path, ...names)
  }
}

/** What is wrong with parts or reports. */
function listComplaints(complaints: readonly string[], noun: string): string {
  const [only, ...others] = complaints
  if (others.length === 0) return only as string
  const more = complaints.length - MOST_COMPLAINTS
  const listed = [...complaints.slice(0, MOST_COMPLAINTS), ...(more > 0 ? [`and ${more} more`] : [])]
  return `${complaints.length} ${noun} are missing or wrong: ${listed.join('; ')}`
}

/** Whether the process that has begun an attempt may be at it: not if it was one of this host, and is gone. */
function mayLive(attempt: string): boolean {
  const [, pid, host] = /\.(\d+)\.([0-9a-f]{8})\.[^.]*$/.exec(attempt) ?? []
  if (host !== HOST) return true
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function parseTrailer(text: string): RangeTrailer | undefined {
  try {
    const value = JSON.parse(text)
    return isSealed(value) ? (value as Sealed<RangeTrailer>) : undefined
  } catch {
    return undefined
  }
}

/** What is read of a file; undefined where there is none. */
async function readIfThere<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The SHA-256 of a file, in hexadecimal. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
