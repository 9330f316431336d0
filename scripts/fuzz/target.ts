// What is fuzzed. A target makes cases at random, and says of each whether something is wrong with what xylem makes of it.

import type { Random } from '../../test/support/random.ts'

/** Values that a case needs besides its bytes. They are not reduced. */
export type Settings = Readonly<Record<string, string | number | boolean | readonly number[]>>

export interface FuzzCase {
  /** What is read: a document, an archive, a grammar and its input. A failure is reduced by taking bytes away. */
  readonly parts: readonly Uint8Array[]
  readonly settings: Settings
}

export interface Target {
  readonly name: string
  /** What it is compared with here, in words: the oracles that could be had. */
  open?(): Promise<string>
  make(random: Random): FuzzCase
  /** What is wrong, in a line whose words up to the first colon name the kind of failure; undefined where all is well. */
  judge(fuzzCase: FuzzCase): Promise<string | undefined>
  close?(): Promise<void>
}

/** Judges a case. What no target expects to be thrown is a failure as well. */
export async function judgeCase(target: Target, fuzzCase: FuzzCase): Promise<string | undefined> {
  try {
    return await target.judge(fuzzCase)
  } catch (error) {
    return `throws a ${error instanceof Error ? error.name : typeof error}: ${error instanceof Error ? error.stack : error}`
  }
}

/** The case of a number, which depends on the seed and on nothing else. */
export function caseSeed(seed: number, index: number): number {
  return (Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b)) >>> 0
}
