// What can be said of patterns before anything is parsed: whether they can match nothing, how their matches begin, what can come
// behind them, and what a message can say that they expect.

import { ByteSet } from '../machine/byte-set.ts'
import type { CodePointSet } from '../machine/code-point-set.ts'
import type { Expectation } from '../machine/program.ts'
import { childrenOf, isTerminal, itemsOf, type Pattern, type Procedure, type Terminal } from './pattern.ts'
import {
  ANYTHING,
  concatenate,
  DEPTH,
  END,
  EPSILON,
  firstBytesOf,
  leaveOpen,
  type Prefix,
  type Prefixes,
  unite,
} from './prefix.ts'

/** More than this a message would not list. */
const MOST_EXPECTATIONS = 40

/** What can come behind a procedure, by a single byte. */
interface Follow {
  bytes: ByteSet
  canEnd: boolean
}

/** What can come behind a pattern inside its procedure; `passes`: also what comes behind the procedure. */
interface Rest extends Follow {
  passes: boolean
}

const ANY_REST: Rest = { bytes: ByteSet.ALL, canEnd: true, passes: false }

/** Facts about procedures as they are now; not to be used after a body has changed. */
export class Analysis {
  readonly #nullable = new Map<Procedure, boolean>()
  readonly #first = new Map<Procedure, Map<number, Prefixes>>()
  /** By depth. */
  readonly #firstOfPattern = Array.from({ length: DEPTH + 1 }, () => new Map<Pattern, Prefixes>())
  readonly #follow = new Map<Procedure, Follow>()
  #tried: ReadonlySet<Pattern> = new Set()

  /** Whether the pattern can match without consuming anything. */
  isNullable(pattern: Pattern): boolean {
    switch (pattern.kind) {
      case 'literal':
      case 'name':
      case 'listed':
      case 'match':
        return false
      case 'class':
      case 'until':
        return pattern.min === 0
      case 'sequence':
        return pattern.items.every((item) => this.isNullable(item))
      case 'choice':
        return pattern.options.some((option) => this.isNullable(option))
      case 'repeat':
        return pattern.min === 0 || this.isNullable(pattern.operand)
      case 'call':
        return this.#isProcedureNullable(pattern.procedure)
      case 'throw':
        return false
      default:
        return true
    }
  }

  #isProcedureNullable(procedure: Procedure): boolean {
    const known = this.#nullable.get(procedure)
    if (known !== undefined) return known
    this.#nullable.set(procedure, false) // a recursion that consumes nothing is refused when the grammar is checked
    const isNullable = this.isNullable(procedure.body)
    this.#nullable.set(procedure, isNullable)
    return isNullable
  }

  /**
   * How matches begin, with at most `depth` bytes.
   *
   * A cut of the rule itself decides something when it is passed, whatever comes behind it; one of a rule that is called does not matter.
   */
  first(pattern: Pattern, depth = DEPTH, isOfRule = true): Prefixes {
    if (depth === 0) return ANYTHING
    const known = this.#firstOfPattern[isOfRule ? depth : 0] as Map<Pattern, Prefixes>
    const found = isOfRule ? known.get(pattern) : undefined
    if (found) return found
    const first = this.#findFirst(pattern, depth, isOfRule)
    if (isOfRule) known.set(pattern, first)
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
        return unite(...pattern.options.map((option) => this.first(option, depth, isOfRule)))
      case 'repeat': {
        const once = this.first(pattern.operand, depth, isOfRule)
        const first = pattern.max > 1 ? leaveOpen(once) : once
        return pattern.min === 0 ? unite(first, EPSILON) : first
      }
      case 'call':
        return this.#firstOfProcedure(pattern.procedure, depth)
      case 'cut':
        return isOfRule ? ANYTHING : EPSILON
      case 'throw':
        return ANYTHING
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
      first = concatenate(first, () => this.first(item, depth - shortest, isOfRule))
    }
    return first
  }

  #firstOfProcedure(procedure: Procedure, depth: number): Prefixes {
    const byDepth = this.#first.get(procedure) ?? new Map<number, Prefixes>()
    this.#first.set(procedure, byDepth)
    const known = byDepth.get(depth)
    if (known) return known
    byDepth.set(depth, ANYTHING)
    const first = this.first(procedure.body, depth, false)
    byDepth.set(depth, first)
    return first
  }

  /** What can come behind a procedure; after `findFollows`. */
  follow(procedure: Procedure): Prefixes {
    const { bytes, canEnd } = this.#follow.get(procedure) ?? { bytes: ByteSet.ALL, canEnd: true }
    const prefixes: Prefix[] = bytes.isEmpty ? [] : [{ sets: [bytes], tail: 'open' }]
    return canEnd ? [...prefixes, ...END] : prefixes
  }

  /**
   * Finds what can come behind each procedure. Behind the entry comes the end of the input, or anything when `isPartial`; behind what is
   * `tried`, anything. Says whether that is something else than it was.
   */
  findFollows(
    procedures: readonly Procedure[],
    entry: Procedure,
    isPartial: boolean,
    tried: ReadonlySet<Pattern>,
  ): boolean {
    const before = new Map(this.#follow)
    this.#tried = tried
    for (const procedure of procedures) this.#follow.set(procedure, { bytes: ByteSet.NONE, canEnd: false })
    this.#follow.set(entry, isPartial ? { bytes: ByteSet.ALL, canEnd: true } : { bytes: ByteSet.NONE, canEnd: true })
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false
      const add = (procedure: Procedure, rest: Rest, caller: Procedure) => {
        const follow = this.#follow.get(procedure) as Follow
        const own = this.#follow.get(caller) as Follow
        const bytes = follow.bytes.union(rest.passes ? rest.bytes.union(own.bytes) : rest.bytes)
        const canEnd = follow.canEnd || rest.canEnd || (rest.passes && own.canEnd)
        if (bytes.isEqual(follow.bytes) && canEnd === follow.canEnd) return
        this.#follow.set(procedure, { bytes, canEnd })
        hasChanged = true
      }
      for (const caller of procedures) {
        const visit = (procedure: Procedure, rest: Rest) => add(procedure, rest, caller)
        this.#visitCalls(caller.body, { bytes: ByteSet.NONE, canEnd: false, passes: true }, visit)
      }
    }
    return procedures.some((procedure) => {
      const old = before.get(procedure)
      const { bytes, canEnd } = this.#follow.get(procedure) as Follow
      return !old?.bytes.isEqual(bytes) || old.canEnd !== canEnd
    })
  }

  /** Tells of each call what can come behind it. */
  #visitCalls(pattern: Pattern, behind: Rest, visit: (procedure: Procedure, rest: Rest) => void): void {
    const rest = this.#tried.has(pattern) ? ANY_REST : behind
    switch (pattern.kind) {
      case 'call':
        visit(pattern.procedure, rest)
        break
      case 'sequence': {
        let next = rest
        for (const item of pattern.items.toReversed()) {
          this.#visitCalls(item, next, visit)
          next = this.#before(item, next)
        }
        break
      }
      case 'choice':
        for (const option of pattern.options) this.#visitCalls(option, rest, visit)
        break
      case 'repeat': {
        const nothing = { ...rest, bytes: ByteSet.NONE, canEnd: false, passes: false }
        const again = pattern.max === 1 ? nothing : this.#before(pattern.operand, nothing)
        const next = { ...rest, bytes: rest.bytes.union(again.bytes), canEnd: rest.canEnd || again.canEnd }
        this.#visitCalls(pattern.operand, next, visit)
        break
      }
      case 'look':
        this.#visitCalls(pattern.operand, ANY_REST, visit)
        break
      default:
        break
    }
  }

  /** What can come behind what stands before the pattern, when `rest` comes behind the pattern. */
  #before(pattern: Pattern, rest: Rest): Rest {
    const first = this.first(pattern, 1)
    const isNullable = first.some(({ sets, tail }) => sets.length === 0 && tail === 'complete')
    const { bytes, canEnd } = firstBytesOf(first.filter(({ sets, tail }) => sets.length > 0 || tail !== 'complete'))
    if (!isNullable) return { bytes, canEnd, passes: false }
    return { bytes: bytes.union(rest.bytes), canEnd: canEnd || rest.canEnd, passes: rest.passes }
  }

  /** Bytes that the first terminal of a pattern takes at once: where it fails, it does so before them. */
  headLength(pattern: Pattern, within: ReadonlySet<Procedure> = new Set()): number {
    if (pattern.kind === 'literal') return pattern.bytes.length
    if (pattern.kind === 'listed') return Math.min(...pattern.literals.map(({ length }) => length))
    if (pattern.kind === 'call') {
      const { procedure } = pattern
      return within.has(procedure) ? 1 : this.headLength(procedure.body, new Set([...within, procedure]))
    }
    const head = itemsOf(pattern).find((item) => isTerminal(item) || item.kind === 'call')
    return head && head !== pattern ? this.headLength(head, within) : 1
  }

  /** What a message can say is expected where the pattern begins. */
  expectations(pattern: Pattern): Expectation[] {
    const found = new Map<string, Expectation>()
    this.#collectExpectations(pattern, [], found, new Set())
    return [...found.values()]
  }

  #collectExpectations(
    pattern: Pattern,
    rules: readonly string[],
    found: Map<string, Expectation>,
    within: ReadonlySet<Procedure>,
  ): void {
    if (found.size >= MOST_EXPECTATIONS || pattern.kind === 'look') return
    if (isTerminal(pattern)) {
      for (const expects of pattern.expects) {
        const all = { ...expects, rules: [...rules, ...expects.rules] }
        found.set(`${all.text} ${all.rules.join()}`, all)
      }
      return
    }
    if (pattern.kind === 'call') {
      const { procedure, begins } = pattern
      if (within.has(procedure)) return
      const inner = procedure.rule === '' ? rules : [...rules, ...begins, procedure.rule]
      this.#collectExpectations(procedure.body, inner, found, new Set([...within, procedure]))
      return
    }
    const isSequence = pattern.kind === 'sequence'
    for (const child of isSequence ? itemsOf(pattern) : childrenOf(pattern)) {
      this.#collectExpectations(child, rules, found, within)
      if (isSequence && !this.isNullable(child)) return
    }
  }
}

function firstOfTerminal(pattern: Terminal): Prefixes {
  switch (pattern.kind) {
    case 'literal': {
      const sets = Array.from(pattern.bytes.subarray(0, DEPTH), (byte) => bytesLike(byte, pattern.ignoresCase))
      return [{ sets, tail: pattern.bytes.length > DEPTH ? 'open' : 'complete' }]
    }
    case 'class':
      return withCount(firstOfSet(pattern.set), pattern.min, pattern.max)
    case 'name':
      return leaveOpen(firstOfSet(pattern.set))
    case 'match':
      return leaveOpen(firstOfSet(pattern.name.set))
    case 'listed': {
      // What tells them from something else is seen by one instruction: not by a look at each byte.
      const sets = [0, 1].map((index) => ByteSet.of(...pattern.literals.map((bytes) => bytes[index] as number)))
      return [{ sets, tail: 'open' }]
    }
    case 'until':
      return withCount(firstOfOthers(pattern.literals, []), pattern.min, Number.POSITIVE_INFINITY)
  }
}

/** How text begins in which none of the literals does, when it begins with the bytes of `path`, which all of them begin with. */
function firstOfOthers(literals: readonly Uint8Array[], path: readonly ByteSet[]): Prefixes {
  const depth = path.length
  if (literals.some(({ length }) => length === depth)) return []
  if (depth === DEPTH) return [{ sets: path, tail: 'open' }]
  const next = ByteSet.of(...literals.map((literal) => literal[depth] as number))
  const others: Prefix = { sets: [...path, next.complement()], tail: 'open' }
  const end: Prefix[] = depth > 0 ? [{ sets: path, tail: 'end' }] : []
  const longer = next.list.map((byte) => {
    const alike = literals.filter((literal) => literal[depth] === byte)
    return firstOfOthers(alike, [...path, ByteSet.of(byte)])
  })
  return unite([others, ...end], ...longer)
}

function withCount(once: Prefixes, min: number, max: number): Prefixes {
  const first = max > 1 ? leaveOpen(once) : once
  return min === 0 ? unite(first, EPSILON) : first
}

function firstOfSet(set: CodePointSet): Prefixes {
  const bytes = set.firstBytes.list
  const ascii = bytes.filter((byte) => byte < 0x80)
  const others = bytes.filter((byte) => byte >= 0x80)
  const prefixes: Prefix[] = []
  if (ascii.length > 0) prefixes.push({ sets: [ByteSet.of(...ascii)], tail: 'complete' })
  if (others.length > 0) prefixes.push({ sets: [ByteSet.of(...others)], tail: 'open' })
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
