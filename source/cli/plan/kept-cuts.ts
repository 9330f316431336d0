// Cuts that were verified by reading a file: kept beside it, for the next plan.

import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileRange } from '../../xml/ranges/range.ts'
import { isSealed, sealObject } from './seal.ts'

/** The version of such files; others are ignored. */
const VERSION = 1

/** All that cuts depend on: the file, and how it is read and divided. */
export type CutQuestion = Readonly<Record<string, unknown>>

type Cut = Pick<FileRange, 'start' | 'end' | 'cut'>

export class KeptCuts {
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
