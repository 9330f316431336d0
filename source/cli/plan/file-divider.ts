// Dividing the files of a plan into ranges, and finding where these begin and end.

import { type DumpRange, guessCuts, planRanges, verifyCuts } from '../../mediawiki/dump-range.ts'
import type { DumpOptions } from '../../mediawiki/dump-reader.ts'
import type { RecordKind } from '../../mediawiki/lines/added-fields.ts'
import * as xmlCuts from '../../xml/ranges/cuts.ts'
import { planXmlRanges, type RangeTarget, USUAL_TARGET } from '../../xml/ranges/plan-ranges.ts'
import type { XmlRange } from '../../xml/ranges/range.ts'
import { InputError, OutputError } from '../errors/errors.ts'
import { explain } from '../errors/exit-codes.ts'
import { openReading } from '../inputs/xml-readers.ts'
import type { RecordOptions } from '../options/dump-options.ts'
import { tell } from '../terminal/terminal.ts'
import { SelectedRecords, type SelectQuestion } from '../xml/select-question.ts'
import { KeptCuts } from './kept-cuts.ts'
import type { FileIdentity, PlannedFile } from './planned-file.ts'

/** How it is found out where ranges begin and end: by a guess at each cut, or by reading all of the file. */
export type CutKind = 'guessed' | 'verified'

/** What is wanted of dumps. */
export interface AskedOfDumps {
  readonly kind: RecordKind
  readonly question: RecordOptions
}

/** What is wanted of documents of records. */
export interface AskedOfRecords {
  readonly kind: 'records'
  readonly question: SelectQuestion
}

/** How files are divided. */
export interface DivideOptions {
  readonly asked: AskedOfDumps | AskedOfRecords
  /** About how many bytes of a file are in a range, or how many ranges each file is cut into. */
  readonly rangeSize?: number | undefined
  readonly ranges?: number | undefined
  /** How it is found out where ranges begin and end; without it, that is not known before they are read. */
  readonly cuts?: CutKind | undefined
  /** Threads that decompress bzip2, where all of a file is read. */
  readonly jobs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

type DividedRange = DumpRange & Pick<XmlRange, 'within'>

/** What ranges are of: how they are planned, and how their cuts are found. */
interface Division<Range extends DividedRange> {
  /** All that cuts depend on besides the file and the size of ranges. */
  readonly question: object
  plan(): Promise<Range[]>
  guess(ranges: readonly Range[]): Promise<Range[]>
  verify(ranges: readonly Range[]): Promise<Range[]>
}

export class FileDivider {
  readonly #options: DivideOptions
  #isTold = false

  constructor(options: DivideOptions) {
    this.#options = options
  }

  /** The ranges of a file. Throws an `InputError` where it cannot be read. */
  async divide(file: PlannedFile, identity: FileIdentity & { fingerprint: string }): Promise<DividedRange[]> {
    const { asked } = this.#options
    try {
      if (asked.kind !== 'records')
        return await this.#divide(file, identity, await this.#ofDumps(file, identity.size, asked.question))
      const ranges = await this.#divide(file, identity, await this.#ofRecords(file, identity.size, asked.question))
      return ranges.map(({ path: _, prefixes: __, ...range }) => range)
    } catch (error) {
      throw new InputError(file.name, error)
    }
  }

  async #divide<Range extends DividedRange>(
    file: PlannedFile,
    identity: FileIdentity & { fingerprint: string },
    division: Division<Range>,
  ): Promise<Range[]> {
    const { cuts, rangeSize, ranges } = this.#options
    const planned = await division.plan()
    if (cuts === undefined) return planned
    if (cuts === 'guessed' || planned.length < 2) return await division.guess(planned)
    const target = ranges === undefined ? { rangeSize } : { ranges }
    const kept = file.isRemote ? undefined : new KeptCuts(file.name, { ...identity, ...division.question, ...target })
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
  async #keep(kept: KeptCuts, ranges: readonly DividedRange[]): Promise<boolean> {
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

  async #ofDumps(file: PlannedFile, size: number, asked: RecordOptions): Promise<Division<DumpRange>> {
    const { signal, jobs: threads } = this.#options
    const { strict, maxRetained, onError } = asked
    const source = await file.open()
    const options: DumpOptions = { strict, limits: { maxRetained }, threads, signal }
    if (onError !== 'stop') options.onFault = () => {}
    return {
      question: { kind: 'pages', strict, maxRetained, onError },
      plan: () => planRanges(source, size, this.#targetOf(size)),
      guess: (ranges) => guessCuts(source, ranges, { signal }),
      verify: (ranges) => verifyCuts(source, ranges, options),
    }
  }

  async #ofRecords(file: PlannedFile, size: number, asked: SelectQuestion): Promise<Division<XmlRange>> {
    const { signal, jobs: threads } = this.#options
    const { path, prefixes, xml = {} } = asked
    const { onSkippedEntity: _, ...reading } = await openReading(xml)
    const { namespaces, encoding, entities, resolve } = reading
    const source = await file.open()
    const options = { namespaces, encoding, entities, resolve, prefixes, signal, target: this.#targetOf(size) }
    return {
      question: { kind: 'records', path, prefixes, xml },
      plan: async () => {
        const ranges = await planXmlRanges(source, size, path, options)
        const part = ranges.find(({ within }) => within)
        // Otherwise, whoever reads a range would be the first to say so.
        if (part) new SelectedRecords(asked).requireForRanges(part.codec)
        return ranges
      },
      guess: (ranges) => xmlCuts.guessCuts(source, ranges, { signal }),
      verify: (ranges) => xmlCuts.verifyCuts(source, ranges, { ...reading, threads, signal }),
    }
  }

  /** About how many bytes of a file are in a range. */
  #targetOf(size: number): RangeTarget {
    const { rangeSize, ranges } = this.#options
    return ranges === undefined ? (rangeSize ?? USUAL_TARGET) : size / ranges
  }
}
