// A folder of parts, one for each range of a plan. A part appears whole or not at all, whenever the process is killed:
//
//     _attempts/ID.NUMBER     what is being written
//     part-00007-ID.jsonl     a part, renamed from there when it was whole and on the disk
//     _manifest/ID.json       what is known of it (the trailer of its range), written after it in the same way
//     _SUCCESS                all parts are there, and agree with each other
//
// Names and content depend on the range alone: who writes a part twice, or two who write it at once, make the same file.

import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { checkStreams } from '../mediawiki/dump-range.ts'
import { InputError, OutputError, PartsError, UsageError } from './errors.ts'
import type { PlannedRange } from './plan.ts'
import type { RangeTrailer } from './range-job.ts'

/** What all parts have together. */
export interface PartTotals {
  parts: number
  records: number
  pages: number
  bytes: number
  replaced: number
  faults: number
}

export class PartFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Makes the folder. Throws a `UsageError` when there is a file of this name, or it has parts of ranges that are not among these; without
   * them, that is not looked at.
   */
  async open(ranges?: readonly PlannedRange[]): Promise<void> {
    try {
      for (const folder of [this.#path, this.#in('_attempts'), this.#in('_manifest')])
        await mkdir(folder, { recursive: true })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' || code === 'ENOTDIR') throw new UsageError(`it is no folder: ${this.#path}`)
      throw new OutputError(this.#path, error as Error)
    }
    if (!ranges) return
    const own = new Set(ranges.map((range) => basename(this.#partOf(range))))
    const names = await this.#attempt(() => readdir(this.#path))
    const other = names.find((name) => name.startsWith('part-') && !own.has(name))
    if (other === undefined) return
    throw new UsageError(
      `${this.#path} has parts of another plan, such as ${other}: the dump, what is wanted of it or --range-size was different`,
    )
  }

  /** What the manifest says of a range whose part is there; undefined when it has to be read. */
  async find(range: PlannedRange): Promise<RangeTrailer | undefined> {
    try {
      const trailer = JSON.parse(await readFile(this.#manifestOf(range), 'utf8')) as RangeTrailer
      const { size } = await stat(this.#partOf(range))
      return trailer.range === range.id && size === trailer.bytes ? trailer : undefined
    } catch {
      return undefined
    }
  }

  /** Writes the part of a range, and what its reading has shown. */
  async write(range: PlannedRange, pieces: AsyncGenerator<Uint8Array, RangeTrailer, undefined>): Promise<RangeTrailer> {
    const attempt = this.#attemptOf(range)
    try {
      const file = await this.#attempt(() => open(attempt, 'wx'))
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
      await this.#attempt(() => rename(attempt, this.#partOf(range)))
      await this.#writeWhole(this.#manifestOf(range), `${JSON.stringify(trailer)}\n`, range)
      return trailer
    } catch (error) {
      await pieces.return(undefined as never).catch(() => {})
      await rm(attempt, { force: true }).catch(() => {})
      throw error
    }
  }

  /**
   * Checks that all parts of a plan are there and agree, and says so in `_SUCCESS`. Throws a `PartsError`, and an `InputError` where the
   * checksum of a file is wrong.
   */
  async finish(ranges: readonly PlannedRange[]): Promise<PartTotals> {
    const totals: PartTotals = { parts: 0, records: 0, pages: 0, bytes: 0, replaced: 0, faults: 0 }
    const trailers: RangeTrailer[] = []
    for (const range of ranges) {
      const trailer = await this.find(range)
      if (!trailer) throw new PartsError(`${this.#path}: the part of range ${range.index} (${range.id}) is missing`)
      trailers.push(trailer)
      totals.parts++
      totals.records += trailer.records
      totals.pages += trailer.pages
      totals.bytes += trailer.bytes
      totals.replaced += trailer.replaced
      totals.faults += trailer.faults
    }
    for (const file of new Set(ranges.map((range) => range.file))) this.#check(file, ranges, trailers)
    await this.#writeWhole(this.#in('_SUCCESS'), `${JSON.stringify(totals)}\n`, ranges[0])
    await rm(this.#in('_attempts'), { recursive: true, force: true })
    return totals
  }

  /** Checks the parts of one file against each other. */
  #check(file: string, ranges: readonly PlannedRange[], trailers: readonly RangeTrailer[]): void {
    const own = trailers.filter((_, i) => ranges[i]?.file === file)
    // Where faults were passed over, blocks are missing.
    if (own.every(({ faults }) => faults === 0)) {
      try {
        checkStreams(own.map(({ blocks }) => blocks))
      } catch (error) {
        throw new InputError(file, error)
      }
    }
    let last = Number.NEGATIVE_INFINITY
    for (const { firstPage, lastPage } of own) {
      if (firstPage === undefined) continue
      if (firstPage === last) throw new PartsError(`${file}: page ${firstPage} is in two parts`)
      last = lastPage as number
    }
  }

  async #writeWhole(path: string, text: string, range: PlannedRange | undefined): Promise<void> {
    await mkdir(this.#in('_attempts'), { recursive: true })
    const attempt = this.#attemptOf(range)
    await this.#attempt(async () => {
      const file = await open(attempt, 'wx')
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(attempt, path)
    })
  }

  async #attempt<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      throw new OutputError(this.#path, error as Error)
    }
  }

  #attemptOf(range: PlannedRange | undefined): string {
    return this.#in('_attempts', `${range?.id ?? 'plan'}.${randomUUID()}`)
  }
  #manifestOf({ id }: PlannedRange): string {
    return this.#in('_manifest', `${id}.json`)
  }
  #partOf({ index, id }: PlannedRange): string {
    return this.#in(`part-${String(index).padStart(5, '0')}-${id}.jsonl`)
  }
  #in(...names: string[]): string {
    return join(this.#path, ...names)
  }
}
