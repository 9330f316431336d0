// Grammars by the book: random ones, and an interpreter that does what each operator says and nothing else.

import type { Count, Expression, Repeat, Rule } from '../../source/grammar/syntax/expression.ts'
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
    const members = Array.from({ length: 1 + random.below(2) }, () => makeTerm(random, 3))
    return `${name} ::= ${members.join(' ')} ;`
  }).join('\n')
}

function makeTerm(random: Random, depth: number): string {
  const kind = depth <= 0 ? random.below(5) : random.below(20)
  const inner = () => makeTerm(random, depth - 1)
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

/** What a labelled failure throws. */
class Labelled extends Error {}

class NaiveMatcher {
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #points: readonly string[]
  #steps = 0

  constructor(rules: readonly Rule[], input: string) {
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#points = Array.from(input)
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
        return points.length > 0 && points.every(isSame) ? { end: start + points.length, below: [] } : undefined
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
        return this.#looks(expression.operand, start) === expression.isNegative ? undefined : { end: start, below: [] }
      case 'cut':
        flag.isCut = true
        return { end: start, below: [] }
      case 'failure':
        throw new Labelled(expression.message)
      case 'fold':
        return { end: start, below: [] }
    }
  }

  #looks(expression: Expression, at: number): boolean {
    try {
      return this.#match(expression, at, { isCut: false }) !== undefined
    } catch (error) {
      if (error instanceof Labelled) return false
      throw error
    }
  }

  #isSame(expected: string, point: string | undefined, ignoresCase: boolean): boolean {
    if (point === undefined) return false
    return point === expected || (ignoresCase && point.toLowerCase() === expected.toLowerCase())
  }

  #matchCounted(start: number, { min, max }: Count, isThere: (at: number) => boolean): Match | undefined {
    let end = start
    while (end - start < max && end < this.length && isThere(end)) end++
    return end - start < min ? undefined : { end, below: [] }
  }

  /** A cut in an option that fails afterwards fails the choice. */
  #matchChoice(options: readonly Expression[], start: number, flag: CutFlag): Match | undefined {
    for (const option of options) {
      const own = { isCut: false }
      const derivation = this.derive(option, start, own)
      flag.isCut ||= own.isCut
      if (derivation) return { end: derivation.end, below: [derivation] }
      if (own.isCut) return undefined
    }
    return undefined
  }

  #matchRepeat({ operand, separator, count }: Repeat, start: number, flag: CutFlag): Match | undefined {
    if (!separator) return this.#matchRounds([operand], count, start, flag)
    const between = separator.kind === 'group' && !separator.isBracketed ? separator.items : [separator]
    return this.#matchRounds([operand], count, start, flag, [...between, operand])
  }

  /** A cut in a round that fails afterwards fails the repetition. */
  #matchRounds(
    first: readonly Expression[],
    count: Count,
    start: number,
    flag: CutFlag,
    later = first,
  ): Match | undefined {
    const below: Derivation[] = []
    let end = start
    let rounds = 0
    for (; rounds < count.max; rounds++) {
      const own = { isCut: false }
      const match = this.#matchAll(rounds === 0 ? first : later, end, own)
      flag.isCut ||= own.isCut
      if (!match && own.isCut) return undefined
      if (!match) break
      below.push(...match.below)
      end = match.end
    }
    return rounds < count.min ? undefined : { end, below }
  }
}
