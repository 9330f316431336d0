// Dividing the files of a plan into ranges, and finding where these begin and end.

import { USUAL_TARGET } from '../../xml/ranges/plan-ranges.ts'
import type { XmlRange } from '../../xml/ranges/range.ts'
import { inInput, OutputError, UsageError } from '../errors/errors.ts'
import { explain } from '../errors/explain.ts'
import { ask } from '../read/ask.ts'
import type { Question, Range } from '../read/question.ts'
import { tell } from '../terminal/terminal.ts'
import { KeptCuts } from './kept-cuts.ts'
import type { FileIdentity, PlannedFile } from './planned-file.ts'

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
