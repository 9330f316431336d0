// What the processes of this benchmark are asked to do, and what they answer.

import type { LoopDelay } from '../loop-watch.ts'
import type { Answer } from '../tally.ts'

export type Job = { readonly runs: number } & (
  | { readonly measure: 'nothing' }
  | { readonly measure: 'reading'; readonly name: string; readonly file: string }
  | { readonly measure: 'pieces'; readonly name: string; readonly bytes: number }
  | { readonly measure: 'loop'; readonly name: string; readonly steps: number }
  | { readonly measure: 'fairness'; readonly name: string; readonly bytes: number }
  | { readonly measure: 'cloning'; readonly name: string; readonly times: number }
)

export interface JobResult<Sample> {
  readonly samples: Sample[]
  /** Of the process, over all runs, in MB. */
  readonly peakMemory: number
}

/** One run of a way of reading. */
export interface ReadingSample {
  readonly seconds: number
  /** From before the source was made, in ms. */
  readonly firstResult: number
  readonly waited: number
  readonly answer: Answer
}

/** One run over bytes in memory. */
export interface PiecesSample {
  readonly seconds: number
  readonly answer: Answer
}

/** One run of a control loop. */
export interface LoopSample {
  readonly seconds: number
  readonly result: number
  readonly delay: LoopDelay
}

export interface FairnessSample {
  readonly seconds: number
  readonly bytes: number
  readonly delay: LoopDelay
}

export interface CloningSample {
  readonly seconds: number
  /** Whether every clone stood where its origin does, and the origin read on as if nothing had been. */
  readonly right: boolean
}
