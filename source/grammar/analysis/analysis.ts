// What can be said of patterns before anything is parsed: whether they can match nothing, how their matches begin, and what can come
// after them.

import { ByteSet } from '../../machine/program/byte-set.ts'
import type { CodePointSet } from '../../machine/program/code-point-set.ts'
import { DependentFacts } from '../facts/dependent-facts.ts'
import { callsIn, contains, isTerminal, type Pattern, type Procedure, type Terminal } from '../pattern/pattern.ts'
import {
  ANYTHING,
  concatenate,
  DEPTH,
  END,
  EPSILON,
  firstBytesOf,
  LOOK,
  leaveOpen,
  mayFail,
  type Prefix,
  type Prefixes,
  PrefixMemory,
  unite,
  uniteOptions,
} from './prefix.ts'

/** What can come after a procedure, by a single byte. */
interface Follow {
  readonly bytes: ByteSet
  readonly canEnd: boolean
}

/** What can come after a pattern inside its procedure; `passes`: also what comes after the procedure. */
interface Rest extends Follow {
  readonly passes: boolean
}

const NO_FOLLOW: Follow = { bytes: ByteSet.NONE, canEnd: false }
const ANY_FOLLOW: Follow = { bytes: ByteSet.ALL, canEnd: true }
const ANY_REST: Rest = { ...ANY_FOLLOW, passes: false }

/** A procedure, and how many bytes are asked for of how it begins. */
interface Beginning {
  readonly procedure: Procedure
  readonly depth: number
}

/** Facts about procedures as they are now; not to be used after a body has changed. */
export class Analysis {
  readonly #nullable = new DependentFacts<Procedure, boolean>(({ body }) => this.isNullable(body), false)
  readonly #always = new DependentFacts<Procedure, boolean>(({ body }) => this.alwaysMatches(body), false)
  readonly #first = new DependentFacts<Beginning, Prefixes>(
    ({ procedure, depth }) => this.first(procedure.body, depth, false),
    ANYTHING,
  )
  readonly #beginnings = new Map<Procedure, Beginning[]>()
  /** By depth, and whether a cut counts. Of terminals all is known at once. */
  readonly #firstOfPattern = Array.from({ length: 2 * DEPTH + 2 }, () => new Map<Pattern, Prefixes>())
  readonly prefixes = new PrefixMemory()
  readonly #follow = new Map<Procedure, Follow>()
  /** Of each procedure what it calls, and what can come after that in it. */
  readonly #calls = new Map<Procedure, readonly (readonly [Procedure, Rest])[]>()

  /** Whether the pattern can match without consuming anything. */
  isNullable(pattern: Pattern): boolean {
    // A recursion that consumes nothing is refused when the grammar is checked.
    return this.#passes(pattern, this.#nullable, false)
  }

  /** Whether the pattern matches whatever comes. */
  alwaysMatches(pattern: Pattern): boolean {
    return this.#passes(pattern, this.#always, true)
  }

  #passes(pattern: Pattern, known: DependentFacts<Procedure, boolean>, always: boolean): boolean {
    const passes = (child: Pattern) => this.#passes(child, known, always)
    switch (pattern.kind) {
      case 'class':
      case 'until':
        return pattern.min === 0
      case 'sequence':
        return pattern.items.every(passes)
      case 'choice':
        return pattern.options.some(passes) && !(always && hasCut(pattern))
      case 'repeat':
        return (pattern.min === 0 || passes(pattern.operand)) && !(always && hasCut(pattern))
      case 'rounds':
      case 'round':
        return passes(pattern.operand)
      case 'call':
        return known.get(pattern.procedure)
      case 'open':
      case 'close':
      case 'leaf':
        return true
      case 'look':
      case 'action':
      case 'cut':
        return !always
      default:
        return false
    }
  }

  /**
   * How matches begin, with at most `depth` bytes.
   *
   * A cut of the rule itself decides something when it is passed, whatever comes after it; one of a rule that is called does not matter.
   */
  first(pattern: Pattern, depth = DEPTH, isOfRule = true): Prefixes {
    if (depth === 0) return ANYTHING
    const isLeaf = isTerminal(pattern)
    const known = this.#firstOfPattern[isLeaf ? 0 : 2 * depth + Number(isOfRule)] as Map<Pattern, Prefixes>
    const found = known.get(pattern)
    if (found) return found
    const first = this.#findFirst(pattern, depth, isOfRule)
    if (isLeaf || !this.#first.isIncomplete) known.set(pattern, first)
    return first
  }

  #findFirst(pattern: Pattern, depth: number, isOfRule: boolean): Prefixes {
    switch (pattern.kind) {
      case 'literal':
      case 'class':
      case 'name':
      case 'listed':
      case 'until':
      case 'match':
        return firstOfTerminal(pattern)
      case 'sequence':
        return this.#firstOfItems(pattern.items, depth, isOfRule)
      case 'choice':
        return uniteOptions(pattern.options.map((option) => this.first(option, depth, isOfRule)))
      case 'repeat': {
        const once = this.first(pattern.operand, depth, isOfRule)
        return withCount(pattern.max > 1 && hasCut(pattern) ? mayFail(once) : once, pattern.min, pattern.max)
      }
      case 'rounds':
      case 'round':
        return this.first(pattern.operand, depth, isOfRule)
      case 'call':
        return this.#firstOfProcedure(pattern.procedure, depth)
      case 'cut':
        return isOfRule ? ANYTHING : EPSILON
      case 'throw':
        return ANYTHING
      case 'look':
      case 'action':
        return LOOK
      default:
        return EPSILON
    }
  }

  /** How matches of the items, one after the other, begin. */
  #firstOfItems(items: readonly Pattern[], depth: number, isOfRule: boolean): Prefixes {
    let first = EPSILON
    for (const item of items) {
      const shortest = shortestExtensible(first)
      if (shortest >= depth) break
      first = this.prefixes.once(concatenate, [first, this.first(item, depth - shortest, isOfRule)])
    }
    return first
  }

  #firstOfProcedure(procedure: Procedure, depth: number): Prefixes {
    const beginnings = this.#beginnings.get(procedure) ?? []
    this.#beginnings.set(procedure, beginnings)
    beginnings[depth] ??= { procedure, depth }
    return this.#first.get(beginnings[depth] as Beginning)
  }

  /** What can come after a procedure; after `findFollows`. */
  follow(procedure: Procedure): Prefixes {
    const { bytes, canEnd } = this.#follow.get(procedure) ?? ANY_FOLLOW
    const prefixes: Prefixes = bytes.isEmpty ? [] : [{ ...(ANYTHING[0] as Prefix), sets: [bytes], own: 1 }]
    return canEnd ? [...prefixes, ...END] : prefixes
  }

  /**
   * Finds what can come after procedures, of which some are new, or something in them is `tried` now: after that comes anything. After the entry
   * comes the end of the input, or anything when `isPartial`. The procedures for which that is something else than it was.
   */
  findFollows(
    procedures: readonly Procedure[],
    entry: Procedure,
    isPartial: boolean,
    tried: ReadonlySet<Pattern>,
  ): Set<Procedure> {
    const changed = new Set<Procedure>()
    for (const procedure of procedures) {
      if (!this.#follow.has(procedure)) changed.add(procedure)
      this.#calls.set(procedure, this.#findCalls(procedure, tried))
    }
    if (changed.has(entry)) this.#follow.set(entry, isPartial ? ANY_FOLLOW : { ...NO_FOLLOW, canEnd: true })
    const waiting = new Set(procedures)
    for (const caller of waiting) {
      waiting.delete(caller)
      const own = this.#follow.get(caller) ?? NO_FOLLOW
      this.#follow.set(caller, own)
      for (const [callee, rest] of this.#calls.get(caller) ?? []) {
        const follow = this.#follow.get(callee) ?? NO_FOLLOW
        const bytes = follow.bytes.union(rest.passes ? rest.bytes.union(own.bytes) : rest.bytes)
        const canEnd = follow.canEnd || rest.canEnd || (rest.passes && own.canEnd)
        if (bytes.isEqual(follow.bytes) && canEnd === follow.canEnd) continue
        this.#follow.set(callee, { bytes, canEnd })
        changed.add(callee)
        waiting.add(callee)
      }
    }
    return changed
  }

  #findCalls(procedure: Procedure, tried: ReadonlySet<Pattern>): [Procedure, Rest][] {
    const calls: [Procedure, Rest][] = []
    const visit = (callee: Procedure, rest: Rest): void => {
      calls.push([callee, rest])
    }
    this.#visitCalls(procedure.body, { ...NO_FOLLOW, passes: true }, tried, visit)
    return calls
  }

  /** Says for each call what can come after it. */
  #visitCalls(
    pattern: Pattern,
    after: Rest,
    tried: ReadonlySet<Pattern>,
    visit: (procedure: Procedure, rest: Rest) => void,
  ): void {
    const rest = tried.has(pattern) ? ANY_REST : after
    switch (pattern.kind) {
      case 'call':
        visit(pattern.procedure, rest)
        break
      case 'sequence': {
        let next = rest
        for (const item of pattern.items.toReversed()) {
          this.#visitCalls(item, next, tried, visit)
          next = this.#before(item, next)
        }
        break
      }
      case 'choice':
        for (const option of pattern.options) this.#visitCalls(option, rest, tried, visit)
        break
      case 'repeat': {
        const nothing = { ...rest, bytes: ByteSet.NONE, canEnd: false, passes: false }
        const again = pattern.max === 1 ? nothing : this.#before(pattern.operand, nothing)
        const next = { ...rest, bytes: rest.bytes.union(again.bytes), canEnd: rest.canEnd || again.canEnd }
        this.#visitCalls(pattern.operand, next, tried, visit)
        break
      }
      case 'rounds':
        this.#visitCalls(pattern.operand, rest, tried, visit)
        this.#visitCalls(pattern.search, ANY_REST, tried, visit)
        if (pattern.again) this.#visitCalls(pattern.again, rest, tried, visit)
        break
      case 'round':
        this.#visitCalls(pattern.operand, rest, tried, visit)
        break
      case 'look':
        this.#visitCalls(pattern.operand, ANY_REST, tried, visit)
        break
      default:
        break
    }
  }

  /** What can come after what stands before the pattern, when `rest` comes after the pattern. */
  #before(pattern: Pattern, rest: Rest): Rest {
    const first = this.first(pattern, 1)
    const isNullable = first.some(({ sets, tail }) => sets.length === 0 && tail === 'complete')
    const { bytes, canEnd } = firstBytesOf(first.filter(({ sets, tail }) => sets.length > 0 || tail !== 'complete'))
    if (!isNullable) return { bytes, canEnd, passes: false }
    return { bytes: bytes.union(rest.bytes), canEnd: canEnd || rest.canEnd, passes: rest.passes }
  }
}

/** Whether there is a cut in the pattern: after it, what could be left out cannot. */
function hasCut(pattern: Pattern): boolean {
  return contains(pattern, ({ kind }) => kind === 'cut')
}

function firstOfTerminal(pattern: Terminal): Prefixes {
  switch (pattern.kind) {
    case 'literal': {
      const { bytes, ignoresCase } = pattern
      const sets = Array.from(bytes.subarray(0, DEPTH), (byte) => bytesLike(byte, ignoresCase))
      // It matches completely or not at all.
      if (bytes.length > DEPTH) return [{ ...OTHER, sets, own: DEPTH }]
      const ends = 1 << bytes.length
      return [{ sets, tail: 'complete', ends, sure: ends, passes: true, own: bytes.length }]
    }
    case 'class':
      return withCount(firstOfSet(pattern.set), pattern.min, pattern.max)
    case 'name':
      return leaveOpen(firstOfSet(pattern.set))
    case 'match':
      return leaveOpen(firstOfSet(pattern.name.set)).map((prefix) => ({ ...prefix, ends: 0, sure: 0 }))
    case 'listed': {
      // One instruction distinguishes them from something else: not a check of each byte.
      const sets = [0, 1].map((index) => ByteSet.from(pattern.literals.map((bytes) => bytes[index] as number)))
      return [{ ...OTHER, sets, own: 2 }]
    }
    case 'until':
      return withCount(firstOfOthers(pattern.literals, []), pattern.min, Number.POSITIVE_INFINITY)
  }
}

/** How text begins in which none of the literals does, when it begins with the bytes of `path`, which all of them begin with. */
function firstOfOthers(literals: readonly Uint8Array[], path: readonly ByteSet[]): Prefixes {
  const depth = path.length
  if (literals.some(({ length }) => length === depth)) return []
  if (depth === DEPTH) return [{ ...OTHER, sets: path, own: depth }]
  const next = ByteSet.from(literals.map((literal) => literal[depth] as number))
  // What begins no literal is matched: a character of it at the least.
  const others: Prefix = { ...OTHER, sets: [...path, next.complement()], sure: depth === 0 ? 2 : 0, own: depth + 1 }
  const end: Prefix[] = depth > 0 ? [{ ...OTHER, sets: path, tail: 'end', own: depth }] : []
  const longer = next.list.map((byte) => {
    const alike = literals.filter((literal) => literal[depth] === byte)
    return firstOfOthers(alike, [...path, ByteSet.of(byte)])
  })
  return unite([[others, ...end], ...longer])
}

/** Of text that is not known to its end. */
const OTHER: Prefix = { sets: [], tail: 'open', ends: 0, sure: 0, passes: false, own: 0 }

function withCount(once: Prefixes, min: number, max: number): Prefixes {
  const first = max > 1 ? leaveOpen(min > 1 ? mayFail(once) : once) : once
  return min === 0 ? unite([first, EPSILON]) : first
}

function firstOfSet(set: CodePointSet): Prefixes {
  const ascii = set.firstBytes.list.filter((byte) => byte < 0x80)
  const others = set.firstBytes.list.filter((byte) => byte >= 0x80)
  const prefixes: Prefix[] = []
  if (ascii.length > 0)
    prefixes.push({ sets: [ByteSet.from(ascii)], tail: 'complete', ends: 2, sure: 2, passes: true, own: 1 })
  for (const isSure of [true, false]) {
    const bytes = others.filter((byte) => (set.coverageOfFirstByte(byte) === 'all') === isSure)
    if (bytes.length > 0) prefixes.push({ ...OTHER, sets: [ByteSet.from(bytes)], sure: isSure ? 2 : 0, own: 1 })
  }
  return prefixes
}

function bytesLike(byte: number, ignoresCase: boolean): ByteSet {
  const isLetter = byte >= 0x61 && byte <= 0x7a
  return ignoresCase && isLetter ? ByteSet.of(byte, byte - 32) : ByteSet.of(byte)
}

function shortestExtensible(prefixes: Prefixes): number {
  const lengths = prefixes.filter(({ tail }) => tail === 'complete').map(({ sets }) => sets.length)
  return Math.min(DEPTH, ...lengths)
}

// Rules that are called and match nothing may call each other twice, and those others, and so on. That grows with the grammar as powers of two do, and reads
// nothing, so that no limit would be met.

/** Calls within one that matches nothing, from which on it is worth to be counted. */
const MANY = 64

/** The procedures that may match nothing by very many calls of others. */
export function findIdlers(procedures: readonly Procedure[], analysis: Analysis): Set<Procedure> {
  const calls: DependentFacts<Procedure, number> = new DependentFacts((procedure) => {
    if (!analysis.isNullable(procedure.body)) return 0
    return callsIn(procedure.body).reduce(
      (sum, callee) => Math.min(sum + calls.get(callee), Number.MAX_SAFE_INTEGER),
      1,
    )
  }, 0)
  return new Set(procedures.filter((procedure) => calls.get(procedure) > MANY))
}
