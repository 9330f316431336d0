// What a match can begin with: the first bytes of it, at most four, as far as they are known. This is what decides between options
// without trying them.

import { ByteSet } from '../../machine/program/byte-set.ts'

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
  /** Bit n: something may be matched that ends after n bytes. Where the next byte refuses the rest, a failure would be there. */
  readonly ends: number
  /** Bit n: where the first n bytes are those of the sets, as many are matched for sure, whatever fails then. */
  readonly sure: number
  /** Whether it matches for sure where all bytes are those of the sets. */
  readonly passes: boolean
  /** How many of the sets are its own, not those of what comes after it: where a byte of these is another, it fails itself. */
  readonly own: number
}

/** Several ways to begin; none, when nothing matches. */
export type Prefixes = readonly Prefix[]

/** Of what matches without consuming. */
export const EPSILON: Prefixes = [{ sets: [], tail: 'complete', ends: 0, sure: 0, passes: true, own: 0 }]
/** Of what matches without consuming, or fails. */
export const LOOK: Prefixes = [{ sets: [], tail: 'complete', ends: 0, sure: 0, passes: false, own: 0 }]
/** Of what may be anything, also nothing. */
export const ANYTHING: Prefixes = [{ sets: [], tail: 'open', ends: 0, sure: 0, passes: false, own: 0 }]
/** Of the end of the input. */
export const END: Prefixes = [{ sets: [], tail: 'end', ends: 0, sure: 0, passes: false, own: 0 }]

/** Those of counts up to the depth. */
const ALL_BITS = 2 ** (DEPTH + 1) - 1

/** What begins in one of these ways. */
export function unite(all: readonly Prefixes[]): Prefixes {
  const prefixes: Prefix[] = []
  for (const ways of all) {
    for (const prefix of ways) {
      const same = prefixes.findIndex((other) => isSame(prefix, other))
      if (same === -1) prefixes.push(prefix)
      else prefixes[same] = joinTwo(prefixes[same] as Prefix, prefix)
      if (prefixes.length > MOST) return joinFirstBytes(all.flat())
    }
  }
  return prefixes
}

/**
 * What begins as one of several options does, of which the first that matches is taken: a later one is matched for sure only where none before it
 * can begin with the same byte.
 */
export function uniteOptions(options: readonly Prefixes[]): Prefixes {
  let before = ByteSet.NONE
  let mayMatchNothing = false
  return unite(
    options.map((prefixes) => {
      const ways = prefixes.map((prefix) => {
        return mayMatchNothing || prefix.sets[0]?.intersects(before) ? unsure(prefix) : prefix
      })
      const { bytes, canEnd } = firstBytesOf(prefixes)
      before = before.union(bytes)
      mayMatchNothing ||= canEnd
      return ways
    }),
  )
}

/** What begins with the first and continues with the second. */
export function concatenate([first, next]: readonly [Prefixes, Prefixes]): Prefixes {
  if (!first.some(isExtensible)) return first
  // Where something may be left out, what comes after it may begin as that does.
  const others = first.filter(({ sets }) => sets.length > 0)
  const otherBytes = others.length > 0 ? firstBytesOf(others).bytes : ByteSet.NONE
  const all = first.map((prefix) => {
    if (!isExtensible(prefix)) return [prefix]
    const mayBeOther = (more: Prefix) => prefix.sets.length === 0 && (more.sets[0]?.intersects(otherBytes) ?? false)
    return next.map((more) => append(prefix, mayBeOther(more) ? unsure(more) : more))
  })
  return unite(all)
}

/** Prefixes after which anything may come. */
export function leaveOpen(prefixes: Prefixes): Prefixes {
  return prefixes.map((prefix) => (prefix.tail === 'complete' ? { ...prefix, tail: 'open' } : prefix))
}

/**
 * How each option begins, of options and what follows them. Only of the last one, what comes after it counts: an earlier one that matches is
 * taken, and no other is tried when what comes after it then fails.
 */
export function openOptions(all: readonly Prefixes[]): Prefixes[] {
  const [last, follow] = all.slice(-2) as [Prefixes, Prefixes]
  return [...all.slice(0, -2).map(leaveOpen), concatenate([last, asFollow(follow)])]
}

/** What can come after a round of a repetition: another one, or what follows. */
export function followRound([round, follow]: readonly [Prefixes, Prefixes]): Prefixes {
  return unite([leaveOpen(round), follow])
}

/** Prefixes of what follows something else: none of their bytes are its own. */
export function asFollow(prefixes: Prefixes): Prefixes {
  return prefixes.map((prefix) => ({ ...prefix, own: 0 }))
}

/** Prefixes of what may fail whatever its first bytes are. */
export function mayFail(prefixes: Prefixes): Prefixes {
  return prefixes.map((prefix) => ({ ...prefix, passes: false }))
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

/** All prefixes of one byte or more as one of a single byte. */
export function joinFirstBytes(prefixes: Prefixes): Prefixes {
  const short = new Map<string, Prefix>()
  let bytes = ByteSet.NONE
  let sure = ALL_BITS
  for (const prefix of prefixes) {
    const [first] = prefix.sets
    const known = short.get(prefix.tail)
    if (!first) short.set(prefix.tail, known ? joinTwo(known, prefix) : prefix)
    else {
      bytes = bytes.union(first)
      sure &= prefix.sure
    }
  }
  return [...short.values(), { sets: [bytes], tail: 'open', ends: 0, sure: sure & 2, passes: false, own: 1 }]
}

/** Remembers what was made of ways to begin: of rules that are written alike, many begin alike. */
export class PrefixMemory {
  readonly #numbers = new Map<Prefixes, number>()
  /** By what they are: those that are equal have the same number. */
  readonly #numbersByKey = new Map<string, number>()
  readonly #made = new Map<unknown, Map<string, unknown>>()

  /** What a function makes of ways to begin. It is called once for those that are equal. */
  once<All extends readonly Prefixes[], Made>(make: (all: All) => Made, all: All): Made {
    const made = (this.#made.get(make) ?? new Map()) as Map<string, Made>
    this.#made.set(make, made)
    const key = all.map((prefixes) => this.#numberOf(prefixes)).join()
    const known = made.get(key) ?? make(all)
    made.set(key, known)
    return known
  }

  #numberOf(prefixes: Prefixes): number {
    const known = this.#numbers.get(prefixes)
    if (known !== undefined) return known
    const key = prefixes.map(keyOf).join(' ')
    const number = this.#numbersByKey.get(key) ?? this.#numbersByKey.size
    this.#numbersByKey.set(key, number)
    this.#numbers.set(prefixes, number)
    return number
  }
}

function keyOf({ sets, tail, ends, sure, passes, own }: Prefix): string {
  return `${sets.map(({ key }) => key).join('/')} ${tail} ${ends} ${sure} ${passes} ${own}`
}

function isExtensible({ sets, tail }: Prefix): boolean {
  return tail === 'complete' && sets.length < DEPTH
}

function append(prefix: Prefix, more: Prefix): Prefix {
  const { length } = prefix.sets
  const sets = [...prefix.sets, ...more.sets]
  const isTooLong = sets.length > DEPTH
  return {
    sets: isTooLong ? sets.slice(0, DEPTH) : sets,
    tail: isTooLong ? 'open' : more.tail,
    ends: (prefix.ends | (more.ends << length)) & ALL_BITS,
    sure: (prefix.passes ? prefix.sure | (more.sure << length) : prefix.sure) & ALL_BITS,
    passes: prefix.passes && more.passes && !isTooLong,
    own: Math.min(length + more.own, DEPTH),
  }
}

function unsure(prefix: Prefix): Prefix {
  return { ...prefix, sure: 0, passes: false }
}

/** Two that are the same except for what is known of them. */
function joinTwo(one: Prefix, other: Prefix): Prefix {
  return {
    ...one,
    ends: one.ends | other.ends,
    sure: one.sure & other.sure,
    passes: one.passes && other.passes,
    own: Math.min(one.own, other.own),
  }
}

function isSame(one: Prefix, other: Prefix): boolean {
  return (
    one.tail === other.tail &&
    one.sets.length === other.sets.length &&
    one.sets.every((set, i) => set.isEqual(other.sets[i] as ByteSet))
  )
}
