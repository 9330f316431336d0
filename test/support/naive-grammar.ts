// Grammars by the book: random ones, and an interpreter that does what each operator says and nothing else.

import {
  type Count,
  type Expression,
  operandsOf,
  type Repeat,
  type Rule,
} from '../../source/grammar/syntax/expression.ts'
import type { Random } from './random.ts'

const LITERALS = ['a', 'b', 'ab', 'abc', 'aa', 'ba', 'c', 'é', 'abcab', 'ca', 'bc', 'aab']
const CLASSES = ['[ab]', '[a-c]', '[à-ÿ]', '[b]', '[^b]', '[^a-c]', '"a"->"b"']
const COUNTS = ['', '', '?', '*', '+', '{2,3}', '{0,2}', '{2,}']
const NAMES = ['program', 'x', 'y', 'z']
const LETTERS = ['a', 'a', 'b', 'b', 'c', 'é', 'B']
const MOST_STEPS = 100_000

/** Up to eight letters. */
export function makeRandomInput(random: Random): string {
  return random.many(0, 8, () => random.pick(LETTERS)).join('')
}

/** The text of a grammar of four rules, which may well be refused. */
export function makeRandomGrammar(random: Random): string {
  return NAMES.map((name) => {
    const members = Array.from({ length: 1 + random.below(2) }, () => makeRandomTerm(random, 3))
    return `${name} ::= ${members.join(' ')} ;`
  }).join('\n')
}

/** A term of a rule, which may refer to `program`, `x`, `y` and `z`. */
export function makeRandomTerm(random: Random, depth: number): string {
  const kind = depth <= 0 ? random.below(5) : random.below(20)
  const inner = () => makeRandomTerm(random, depth - 1)
  const primary = () => `( ${inner()} )`
  if (kind < 3) return (random.chance(0.08) ? '~' : '') + JSON.stringify(random.pick(LITERALS))
  if (kind === 3) return random.pick(CLASSES) + random.pick(COUNTS)
  if (kind === 4) return random.pick(NAMES)
  if (kind < 8) return `( ${Array.from({ length: 1 + random.below(3) }, inner).join(' ')} )`
  if (kind < 12) return `( ${Array.from({ length: 2 + random.below(3) }, primary).join(' | ')} )`
  if (kind < 15) return primary() + random.pick(COUNTS)
  if (kind === 15) return `!${primary()}${random.pick(COUNTS)}`
  if (kind === 16) return `%${primary()}`
  if (kind === 17) return `...${primary()}`
  if (kind === 18) return (random.chance(0.5) ? '&' : '&!') + primary()
  return random.chance(0.5) ? '^' : inner()
}

/** A tree as nested arrays: type, start, end, children. */
export type Node = readonly [type: string, start: number, end: number, children: readonly Node[]]

/** What an expression matched: indices of code points, and what matched directly below it; of a reference, the members of the rule. */
export interface Derivation {
  readonly expression: Expression
  readonly start: number
  readonly end: number
  readonly below: readonly Derivation[]
}

interface Match {
  /** Index of the code point after it. */
  readonly end: number
  readonly below: readonly Derivation[]
}

/** Whether a cut was passed, since somebody began to ask. */
interface CutFlag {
  isCut: boolean
}

/** The tree of the rule `program`, `fails`, or `too long` where it would take too many steps to know. */
export function matchNaively(rules: readonly Rule[], input: string, partial: boolean): Node | 'fails' | 'too long' {
  const derivation = deriveNaively(rules, input, partial)
  return typeof derivation === 'string' ? derivation : (nodesOf(derivation, offsetsOf(input))[0] as Node)
}

/** As `matchNaively`; but what each expression matched, instead of a tree. */
export function deriveNaively(
  rules: readonly Rule[],
  input: string,
  partial: boolean,
): Derivation | 'fails' | 'too long' {
  const matcher = new NaiveMatcher(rules, input)
  try {
    const derivation = matcher.derive({ kind: 'reference', name: 'program', at: { start: 0, end: 0 } }, 0)
    return derivation && (partial || derivation.end === matcher.length) ? derivation : 'fails'
  } catch (error) {
    if (error instanceof Labelled) return 'fails'
    if (error instanceof RangeError) return 'too long'
    throw error
  }
}

/** Offsets in bytes by the index of the code point. */
export function offsetsOf(input: string): readonly number[] {
  const offsets = [0]
  for (const point of input) offsets.push((offsets.at(-1) as number) + new TextEncoder().encode(point).length)
  return offsets
}

/** The nodes that an expression gives. */
function nodesOf({ expression, start, end, below }: Derivation, offsets: readonly number[]): readonly Node[] {
  const node = (type: string, children: readonly Node[]): Node[] => {
    return [[type, offsets[start] as number, offsets[end] as number, children]]
  }
  const children = () => below.flatMap((one) => nodesOf(one, offsets))
  switch (expression.kind) {
    case 'literal':
    case 'class':
    case 'not':
    case 'gather':
      return node('literal', [])
    case 'reference':
      return node(expression.name, children())
    case 'group':
      return node('(...)', children())
    case 'repeat':
      return node(`(...)${expression.suffix}`, children())
    case 'choice':
      return children()
    case 'field':
      return expression.isFlag ? node('(...)?', children()) : children()
    default:
      return []
  }
}

/** Reading a rule `program` with its errors: where they are, what was dropped, and the tree; without a tree if the last error is not of a round. */
export interface NaiveReading {
  readonly errors: readonly number[]
  readonly tree: Node | undefined
}

/** A round that could not end. */
interface FailedRound {
  readonly repeat: Repeat
  readonly start: number
  /** Whether a round has ended before: of rounds that match nothing, two may begin at one place. */
  readonly isFirst: boolean
  /** How far the parse had come when it failed. */
  readonly farthest: number
}

/**
 * As `matchNaively`; but after each error, all is read again from the start, with the rounds left out that could not end. `too long` where it would take too many steps.
 */
export function readOnNaively(rules: readonly Rule[], input: string): NaiveReading | 'too long' {
  const offsets = offsetsOf(input)
  const dropped = new Map<Repeat, Map<number, number>>()
  const errors: number[] = []
  let searchedTo: number | undefined
  for (;;) {
    const matcher = new NaiveMatcher(rules, input, dropped)
    const found = matcher.read()
    if (found === 'too long') return found
    if ('expression' in found) return { errors, tree: nodesOf(found, offsets)[0] }
    const { round, place } = found
    // All up to the end is one error, unless a round could begin there after something that says so.
    if (place < matcher.length || place !== searchedTo) errors.push(offsets[place] as number)
    if (!round || round.start >= matcher.length) return { errors, tree: undefined }
    const places = dropped.get(round.repeat) ?? new Map<number, number>()
    const skipped = matcher.skip(round, place)
    searchedTo = skipped.searchedTo
    dropped.set(round.repeat, places.set(keyOf(round), skipped.end))
  }
}

function keyOf({ start, isFirst }: Pick<FailedRound, 'start' | 'isFirst'>): number {
  return 2 * start + Number(isFirst)
}

/** What a labelled failure throws. */
class Labelled extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Thrown where a parse fails and cannot go back, because an error before was reported. */
class Final extends Error {}

class NaiveMatcher {
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #points: readonly string[]
  #steps = 0
  /** Where rounds are left out, and continue: by their repetition and their start. */
  readonly #dropped: ReadonlyMap<Repeat, ReadonlyMap<number, number>>
  #droppings = 0
  /** The farthest place of a failure outside of look-aheads. */
  #farthest = 0
  #looking = 0
  /** Rounds that are open, and the last one that failed. */
  readonly #open: Omit<FailedRound, 'farthest'>[] = []
  #failed: FailedRound | undefined

  constructor(
    rules: readonly Rule[],
    input: string,
    dropped: ReadonlyMap<Repeat, ReadonlyMap<number, number>> = new Map(),
  ) {
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#points = Array.from(input)
    this.#dropped = dropped
  }

  /** All of the input, or the error that ends it and the round that it is in. */
  read(): Derivation | { place: number; round: Omit<FailedRound, 'farthest'> | undefined } | 'too long' {
    try {
      const derivation = this.derive({ kind: 'reference', name: 'program', at: { start: 0, end: 0 } }, 0)
      if (derivation?.end === this.length) return derivation
      if (derivation) this.#fail(derivation.end)
    } catch (error) {
      if (error instanceof RangeError) return 'too long'
      if (error instanceof Labelled) {
        const at = Math.max(error.at, this.#farthest)
        const open = this.#open.at(-1)
        const failed = this.#failed && this.#failed.farthest >= at ? this.#failed : undefined
        return { place: at, round: failed && (!open || failed.start > open.start) ? failed : open }
      }
      if (!(error instanceof Final)) throw error
    }
    return {
      place: this.#farthest,
      round: this.#failed?.farthest === this.#farthest ? this.#failed : this.#open.at(-1),
    }
  }

  /** Where the next round begins after one that failed at a place, and where what says so begins. */
  skip({ repeat, start }: Omit<FailedRound, 'farthest'>, place: number): { searchedTo: number; end: number } {
    this.#looking++
    const syncs = this.#syncsOf(repeat)
    for (let at = place; at <= this.length; at++) {
      for (const sync of syncs) {
        const match = this.#match(sync, at, { isCut: false })
        if (match && match.end > start) return { searchedTo: at, end: match.end }
        if (match) break
      }
    }
    return { searchedTo: this.length, end: this.length }
  }

  /** Where rounds begin again that the rules say which a repetition refers to. */
  #syncsOf({ operand, separator, count }: Repeat): Expression[] {
    const find = (expression: Expression): Expression | Expression[] => {
      if (expression.kind === 'reference') return this.#rules.get(expression.name)?.sync ?? []
      if (expression.kind === 'look' || expression.kind === 'not') return []
      return expression.kind === 'repeat' && expression.count.max > 1 ? [] : operandsOf(expression).flatMap(find)
    }
    return count.max < Number.POSITIVE_INFINITY ? [] : [operand, ...(separator ? [separator] : [])].flatMap(find)
  }

  #fail(at: number): undefined {
    if (this.#looking === 0) this.#farthest = Math.max(this.#farthest, at)
    return undefined
  }

  /** After an error was reported, nothing before it is tried otherwise. */
  #requireWayBack(droppings: number): void {
    if (this.#droppings > droppings) throw new Final()
  }

  get length(): number {
    return this.#points.length
  }

  derive(expression: Expression, start: number, flag: CutFlag = { isCut: false }): Derivation | undefined {
    const match = this.#match(expression, start, flag)
    return match && { expression, start, ...match }
  }

  #matchAll(items: readonly Expression[], start: number, flag: CutFlag): Match | undefined {
    const below: Derivation[] = []
    let end = start
    for (const item of items) {
      const derivation = this.derive(item, end, flag)
      if (!derivation) return undefined
      below.push(derivation)
      end = derivation.end
    }
    return { end, below }
  }

  #match(expression: Expression, start: number, flag: CutFlag): Match | undefined {
    if (++this.#steps > MOST_STEPS) throw new RangeError('too long')
    switch (expression.kind) {
      case 'literal': {
        const points = Array.from(expression.text)
        const isSame = (point: string, i: number) =>
          this.#isSame(point, this.#points[start + i], expression.ignoresCase)
        return points.length > 0 && points.every(isSame) ? { end: start + points.length, below: [] } : this.#fail(start)
      }
      case 'class': {
        const { ranges, isNegated } = expression
        return this.#matchCounted(start, expression.count, (at) => {
          const point = this.#points[at]?.codePointAt(0) as number
          return ranges.some(({ first, last }) => first <= point && point <= last) !== isNegated
        })
      }
      case 'not':
        return this.#matchCounted(start, expression.count, (at) => !this.#looks(expression.operand, at))
      case 'reference':
        return this.#matchAll((this.#rules.get(expression.name) as Rule).members, start, { isCut: false })
      case 'group':
        return this.#matchAll(expression.items, start, flag)
      case 'choice':
        return this.#matchChoice(expression.options, start, flag)
      case 'repeat':
        return this.#matchRepeat(expression, start, flag)
      case 'omit':
      case 'gather':
        return this.#matchAll([expression.operand], start, flag)
      case 'field':
        if (expression.isFlag) return this.#matchRounds([expression.operand], { min: 0, max: 1 }, start, flag)
        return this.#matchAll([expression.operand], start, flag)
      case 'look':
        return this.#looks(expression.operand, start) === expression.isNegative
          ? this.#fail(start)
          : { end: start, below: [] }
      case 'cut':
        flag.isCut = true
        return { end: start, below: [] }
      case 'failure':
        throw new Labelled(expression.message, start)
      case 'fold':
        return { end: start, below: [] }
    }
  }

  #looks(expression: Expression, at: number): boolean {
    const open = this.#open.length
    this.#looking++
    try {
      return this.#match(expression, at, { isCut: false }) !== undefined
    } catch (error) {
      if (error instanceof Labelled) return false
      throw error
    } finally {
      this.#looking--
      this.#open.length = open
    }
  }

  #isSame(expected: string, point: string | undefined, ignoresCase: boolean): boolean {
    if (point === undefined) return false
    return point === expected || (ignoresCase && point.toLowerCase() === expected.toLowerCase())
  }

  #matchCounted(start: number, { min, max }: Count, isThere: (at: number) => boolean): Match | undefined {
    let end = start
    while (end - start < max && end < this.length && isThere(end)) end++
    return end - start < min ? this.#fail(end) : { end, below: [] }
  }

  /** A cut in an option that fails afterwards fails the choice. */
  #matchChoice(options: readonly Expression[], start: number, flag: CutFlag): Match | undefined {
    for (const option of options) {
      const own = { isCut: false }
      const droppings = this.#droppings
      const derivation = this.derive(option, start, own)
      if (!derivation) this.#requireWayBack(droppings)
      flag.isCut ||= own.isCut
      if (derivation) return { end: derivation.end, below: [derivation] }
      if (own.isCut) return undefined
    }
    return undefined
  }

  #matchRepeat(repeat: Repeat, start: number, flag: CutFlag): Match | undefined {
    const { operand, separator, count } = repeat
    const recovering = this.#looking === 0 && this.#syncsOf(repeat).length > 0 ? repeat : undefined
    if (!separator) return this.#matchRounds([operand], count, start, flag, [operand], recovering)
    const between = separator.kind === 'group' && !separator.isBracketed ? separator.items : [separator]
    return this.#matchRounds([operand], count, start, flag, [...between, operand], recovering)
  }

  /** A cut in a round that fails afterwards fails the repetition. */
  #matchRounds(
    first: readonly Expression[],
    count: Count,
    start: number,
    flag: CutFlag,
    later = first,
    recovering?: Repeat,
  ): Match | undefined {
    const below: Derivation[] = []
    let end = start
    let rounds = 0
    let { min } = count
    for (; rounds < count.max; rounds++) {
      const after = recovering && this.#dropped.get(recovering)?.get(keyOf({ start: end, isFirst: rounds === 0 }))
      if (after !== undefined) {
        this.#droppings++
        this.#farthest = after
        this.#failed = undefined
        end = after
        min = 0
        rounds = -1
        continue
      }
      const own = { isCut: false }
      const droppings = this.#droppings
      if (recovering) this.#open.push({ repeat: recovering, start: end, isFirst: rounds === 0 })
      const match = this.#matchAll(rounds === 0 ? first : later, end, own)
      if (recovering) this.#open.pop()
      flag.isCut ||= own.isCut
      if (!match && recovering && end < this.length && this.#farthest > (this.#failed?.farthest ?? -1)) {
        this.#failed = { repeat: recovering, start: end, isFirst: rounds === 0, farthest: this.#farthest }
      }
      if (!match) this.#requireWayBack(droppings)
      if (!match && own.isCut) return undefined
      if (!match) break
      below.push(...match.below)
      end = match.end
    }
    return rounds < min ? undefined : { end, below }
  }
}
