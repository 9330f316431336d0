// Dividing the files of a plan into ranges, and finding where these begin and end.

import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { USUAL_TARGET } from '../../xml/ranges/plan-ranges.ts'
import type { FileRange, XmlRange } from '../../xml/ranges/range.ts'
import { inInput, OutputError, UsageError } from '../errors/errors.ts'
import { explain } from '../errors/explain.ts'
import { ask } from '../read/ask.ts'
import type { Question, Range } from '../read/question.ts'
import { tell } from '../terminal/terminal.ts'
import type { FileIdentity, PlannedFile } from './planned-file.ts'
import { isSealed, sealObject } from './seal.ts'

/** How files are divided. */
export interface DivideOptions {
  readonly question: Question
  /** About how many bytes of a file are in a range, or how many ranges each file is cut into. */
  readonly rangeSize?: number | undefined
  readonly ranges?: number | undefined
  /** How it is found out where ranges begin and end: by a guess at each cut, or by reading all of the file; without it, that is not known before they are read. */
  readonly cuts?: 'guessed' | 'verified' | undefined
  /** Threads that decompress bzip2, where all of a file is read. */
  readonly jobs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export class FileDivider {
  readonly #options: DivideOptions
  #isTold = false

  constructor(options: DivideOptions) {
    this.#options = options
  }

  /** The ranges of a file. Throws an `InputError` where it cannot be read. */
  async divide(file: PlannedFile, identity: FileIdentity & { fingerprint: string }): Promise<Range[]> {
    const ranges: Partial<XmlRange>[] = await inInput(file.name, () => this.#divide(file, identity))
    // The question has these.
    return ranges.map(({ path: _, prefixes: __, ...range }) => range as Range)
  }

  async #divide(file: PlannedFile, identity: FileIdentity & { fingerprint: string }): Promise<Range[]> {
    const { question, signal, jobs } = this.#options
    const asked = await ask({ question, format: 'jsonl' })
    const division = await asked.divide(await file.open(), identity.size, { jobs, signal })
    const { cuts, rangeSize, ranges } = this.#options
    const planned = await division.plan(ranges === undefined ? (rangeSize ?? USUAL_TARGET) : identity.size / ranges)
    // Otherwise, whoever reads a range would be the first to say so.
    const why = planned[0]?.within && asked.whyNotInRanges(planned[0].codec)
    if (why !== undefined) throw new UsageError(why)
    if (cuts === undefined) return planned
    if (cuts === 'guessed' || planned.length < 2) return await division.guess(planned)
    const target = ranges === undefined ? { rangeSize } : { ranges }
    const kept = file.isRemote ? undefined : new KeptCuts(file.name, { ...identity, ...division.about, ...target })
    const before = await kept?.read()
    if (before) {
      tell(`xylem: ${file.name}: the cuts were verified before, and are read from ${kept?.path}`)
      return before.map((cut) => ({ ...(planned[0] as Range), ...cut }))
    }
    const start = performance.now()
    const verified = await division.verify(planned)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const isKept = kept !== undefined && (await this.#keep(kept, verified))
    const where = isKept ? `, and are kept in ${kept.path}` : ''
    const bytes = identity.size.toLocaleString('en')
    tell(`xylem: ${file.name}: the cuts were verified by reading ${bytes} bytes in ${seconds} s${where}`)
    return verified
  }

  /** Keeps cuts. Where that is not possible, says so once. */
  async #keep(kept: KeptCuts, ranges: readonly Range[]): Promise<boolean> {
    try {
      await kept.write(ranges)
      return true
    } catch (error) {
      const why = explain(new OutputError(kept.path, error as Error))?.message
      if (!this.#isTold) tell(`xylem: verified cuts are not kept for the next plan: ${why}`)
      this.#isTold = true
      return false
    }
  }
}

/** The version of files of cuts; others are ignored. */
const VERSION = 1

/** All that cuts depend on: the file, and how it is read and divided. */
type CutQuestion = Readonly<Record<string, unknown>>

type Cut = Pick<FileRange, 'start' | 'end' | 'cut'>

/** Cuts that were verified by reading a file: kept beside it, for the next plan. */
class KeptCuts {
  readonly path: string
  readonly #about: string

  constructor(file: string, question: CutQuestion) {
    // Patterns such as * do not match names that begin with a dot.
    this.path = join(dirname(file), `.${basename(file)}.xylem-cuts.json`)
    this.#about = JSON.stringify(question)
  }

  /** Where the ranges begin and end that were found before; undefined where nothing is kept, or of something else. */
  async read(): Promise<readonly Cut[] | undefined> {
    try {
      const kept = JSON.parse(await readFile(this.path, 'utf8'))
      const isOurs = isSealed(kept) && 'version' in kept && kept.version === VERSION && 'about' in kept
      if (!isOurs || JSON.stringify(kept.about) !== this.#about) return undefined
      return (kept as unknown as { ranges: readonly Cut[] }).ranges
    } catch {
      return undefined
    }
  }

  /** Keeps them, complete or not at all. Throws what writing throws. */
  async write(ranges: readonly FileRange[]): Promise<void> {
    const cuts = ranges.map(({ start, end, cut }): Cut => ({ start, end, ...(cut && { cut }) }))
    const kept = sealObject({ type: 'cuts', version: VERSION, about: JSON.parse(this.#about), ranges: cuts })
    const attempt = `${this.path}.${process.pid}.${randomUUID()}`
    try {
      await writeFile(attempt, `${JSON.stringify(kept)}\n`)
      await rename(attempt, this.path)
    } catch (error) {
      await rm(attempt, { force: true }).catch(() => {})
      throw error
    }
  }
}
