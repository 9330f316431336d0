// What a match can begin with: the first bytes of it, at most four, as far as they are known. This is what decides between options
// without trying them.

import { ByteSet } from '../machine/byte-set.ts'

/** How many bytes the machine looks ahead. */
export const DEPTH = 4
/** More prefixes than this are joined into one of a single byte: they would cost more than they decide. */
const MOST = 24

/**
 * A way to begin: a set for each byte. Then `complete`, the match ends; `open`, anything may follow; or `end`, the input ends.
 * An over-estimate: what begins otherwise cannot match, but what begins so may still fail.
 */
export interface Prefix {
  readonly sets: readonly ByteSet[]
  readonly tail: 'complete' | 'open' | 'end'
}

/** Several ways to begin; none, when nothing matches. */
export type Prefixes = readonly Prefix[]

/** Of what matches without consuming. */
export const EPSILON: Prefixes = [{ sets: [], tail: 'complete' }]
/** Of what may be anything, also nothing. */
export const ANYTHING: Prefixes = [{ sets: [], tail: 'open' }]
/** Of the end of the input. */
export const END: Prefixes = [{ sets: [], tail: 'end' }]

/** What begins in one of these ways. */
export function unite(...all: readonly Prefixes[]): Prefixes {
  const prefixes: Prefix[] = []
  for (const prefix of all.flat()) {
    if (!prefixes.some((other) => isSame(prefix, other))) prefixes.push(prefix)
  }
  return prefixes.length <= MOST ? prefixes : joinFirstBytes(prefixes)
}

/** What begins with the first and goes on with the second, which is asked for when the first may be shorter than the depth. */
export function concatenate(first: Prefixes, second: () => Prefixes): Prefixes {
  if (!first.some(isExtensible)) return first
  const next = second()
  const all = first.map((prefix) => (isExtensible(prefix) ? next.map((more) => append(prefix, more)) : [prefix]))
  return unite(...all)
}

/** The same, where anything may come behind a match. */
export function leaveOpen(prefixes: Prefixes): Prefixes {
  return prefixes.map(({ sets, tail }) => ({ sets, tail: tail === 'complete' ? 'open' : tail }))
}

/** The first bytes; `canEnd` whether it may also be no byte at all. */
export function firstBytesOf(prefixes: Prefixes): { bytes: ByteSet; canEnd: boolean; isKnown: boolean } {
  let bytes = ByteSet.NONE
  let canEnd = false
  let isKnown = true
  for (const { sets, tail } of prefixes) {
    const [first] = sets
    if (first) bytes = bytes.union(first)
    else if (tail === 'end') canEnd = true
    else isKnown = false
  }
  return { bytes: isKnown ? bytes : ByteSet.ALL, canEnd: canEnd || !isKnown, isKnown }
}

function isExtensible({ sets, tail }: Prefix): boolean {
  return tail === 'complete' && sets.length < DEPTH
}

function append(prefix: Prefix, more: Prefix): Prefix {
  const sets = [...prefix.sets, ...more.sets]
  return sets.length > DEPTH ? { sets: sets.slice(0, DEPTH), tail: 'open' } : { sets, tail: more.tail }
}

function isSame(one: Prefix, other: Prefix): boolean {
  return (
    one.tail === other.tail &&
    one.sets.length === other.sets.length &&
    one.sets.every((set, i) => set.isEqual(other.sets[i] as ByteSet))
  )
}

/** All prefixes of one byte or more as one of a single byte. */
export function joinFirstBytes(prefixes: Prefixes): Prefixes {
  const short = prefixes.filter(({ sets }) => sets.length === 0)
  const bytes = prefixes.reduce((union, { sets: [first] }) => (first ? union.union(first) : union), ByteSet.NONE)
  return [...short, { sets: [bytes], tail: 'open' }]
}
