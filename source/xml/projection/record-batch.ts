// Records whose elements have ended, in the order in which they ended: numbers rather than objects, because there are many.

import type { LineBytes } from '../../record/line-bytes.ts'
import type { RecordPlan } from '../question/plan.ts'

/** What is known of a record, in the order of the parameters of `add`. */
export const Word = { PLAN: 0, ENTRY: 1, END: 2, LINE_FROM: 3, LINE_END: 4, AROUND: 5 } as const
const WORDS = 6

export class RecordBatch {
  /** Records of the shape that were found in the document so far. */
  foundCount = 0
  /** The memory in which the kernel has written. It may grow, and is then in another place. */
  memory: { readonly bytes: Uint8Array } | undefined
  /** Whether lines of the kernel have something of what is around records. */
  hasAround = false
  /** The output that lines of the kernel's memory belong to and are not copied to yet. */
  output: LineBytes | undefined
  readonly #plans: readonly RecordPlan[]
  readonly #keepsOuter: boolean
  readonly #words: number[] = []
  #count = 0
  /** How many have a line with all that is to be in it. */
  #completeCount = 0

  /** `plans`: by their numbers. `keepsOuter`: whether records around others belong to the batch when they end without any in them. */
  constructor(plans: readonly RecordPlan[], keepsOuter: boolean) {
    this.#plans = plans
    this.#keepsOuter = keepsOuter
  }

  get count(): number {
    return this.#count
  }

  /**
   * Adds a record by the number of its plan, with its entry and the offset at which its element ends. Its line stands between two addresses of the
   * kernel's memory: the same one if the kernel has not written it. `around` is the entry of the record around it, 0 if the kernel has not found that.
   */
  add(plan: number, entry: number, end: number, lineFrom = 0, lineEnd = 0, around = 0): void {
    if (!this.#plans[plan]?.outer) this.foundCount++
    else if (!this.#keepsOuter) return
    if (lineEnd > lineFrom && (!this.hasAround || around !== 0)) this.#completeCount++
    const words = this.#words
    const at = WORDS * this.#count++
    words[at + Word.PLAN] = plan
    words[at + Word.ENTRY] = entry
    words[at + Word.END] = end
    words[at + Word.LINE_FROM] = lineFrom
    words[at + Word.LINE_END] = lineEnd
    words[at + Word.AROUND] = around
  }

  /** Forgets all records. */
  clear(): void {
    this.#count = this.#completeCount = 0
  }

  /** Whether the kernel has written all records completely. Their lines follow each other. */
  get areComplete(): boolean {
    return this.#completeCount === this.#count
  }

  /** Copies lines that are only in the kernel's memory, before that is written to again. */
  settle(): void {
    this.output?.settle()
  }

  planOf(i: number): RecordPlan {
    return this.#plans[this.get(i, Word.PLAN)] as RecordPlan
  }

  /** Whether the line of a record has all that is to be in it. Otherwise it lacks what is around the record, which the kernel has not found. */
  isLineComplete(i: number): boolean {
    return !this.hasAround || this.get(i, Word.AROUND) !== 0
  }

  get(i: number, word: number): number {
    return this.#words[WORDS * i + word] as number
  }
}
