// What the worker tells the page. It begins when it is started; to stop it, the page ends it.

import type { Answer } from './counter.ts'
import type { WayName } from './ways.ts'

/** What a way has taken. */
export interface Measured {
  readonly way: WayName
  /** Of the fastest run, for each character. */
  readonly nanoseconds: number
  /** How much of the text a run has read, from 0 to 1. */
  readonly share: number
  /** Promises awaited, scaled to all of the text. */
  readonly promises: number
}

export type Message =
  | { readonly kind: 'text'; readonly answer: Answer; readonly chunks: number }
  | { readonly kind: 'measuring'; readonly way: WayName }
  | { readonly kind: 'measured'; readonly measured: Measured }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string }
