// Grammars by the book: random ones, and an interpreter that does what each operator says and nothing else.

import type { Count, Expression, Rule } from '../../source/grammar/syntax/expression.ts'
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

interface Match {
  /** Index of the code point after it. */
  readonly end: number
  readonly nodes: readonly Node[]
}

/** Whether a cut was passed, since somebody began to ask. */
interface CutFlag {
  isCut: boolean
}

/** The tree of the rule `program`, `fails`, or `too long` where it would take too many steps to know. */
export function matchNaively(rules: readonly Rule[], input: string, partial: boolean): Node | 'fails' | 'too long' {
  const matcher = new NaiveMatcher(rules, input)
  try {
    const match = matcher.matchRule('program', 0)
    return match && (partial || match.end === matcher.length) ? (match.nodes[0] as Node) : 'fails'
  } catch (error) {
    if (error instanceof RangeError) return 'too long'
    throw error
  }
}

class NaiveMatcher {
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #points: readonly string[]
  /** Byte offsets of code points. */
  readonly #offsets: readonly number[]
  #steps = 0

  constructor(rules: readonly Rule[], input: string) {
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#points = Array.from(input)
    const offsets = [0]
    for (const point of this.#points) offsets.push((offsets.at(-1) as number) + new TextEncoder().encode(point).length)
    this.#offsets = offsets
  }

  get length(): number {
    return this.#points.length
  }

  matchRule(name: string, start: number): Match | undefined {
    const match = this.#matchAll((this.#rules.get(name) as Rule).members, start, { isCut: false })
    return match && { end: match.end, nodes: [this.#node(name, start, match)] }
  }

  #node(type: string, start: number, { end, nodes }: Match): Node {
    return [type, this.#offsets[start] as number, this.#offsets[end] as number, nodes]
  }

  #literal(start: number, end: number): Match {
    return { end, nodes: [this.#node('literal', start, { end, nodes: [] })] }
  }

  #matchAll(items: readonly Expression[], start: number, flag: CutFlag): Match | undefined {
    const nodes: Node[] = []
    let end = start
    for (const item of items) {
      const match = this.#match(item, end, flag)
      if (!match) return undefined
      nodes.push(...match.nodes)
      end = match.end
    }
    return { end, nodes }
  }

  #match(expression: Expression, start: number, flag: CutFlag): Match | undefined {
    if (++this.#steps > MOST_STEPS) throw new RangeError('too long')
    switch (expression.kind) {
      case 'literal': {
        const points = Array.from(expression.text)
        const isSame = (point: string, i: number) =>
          this.#isSame(point, this.#points[start + i], expression.ignoresCase)
        return points.length > 0 && points.every(isSame) ? this.#literal(start, start + points.length) : undefined
      }
      case 'class': {
        const { ranges, isNegated } = expression
        return this.#matchCounted(start, expression.count, (at) => {
          const point = this.#points[at]?.codePointAt(0) as number
          return ranges.some(({ first, last }) => first <= point && point <= last) !== isNegated
        })
      }
      case 'not':
        return this.#matchCounted(
          start,
          expression.count,
          (at) => !this.#match(expression.operand, at, { isCut: false }),
        )
      case 'reference':
        return this.matchRule(expression.name, start)
      case 'group': {
        const match = this.#matchAll(expression.items, start, flag)
        return match && { end: match.end, nodes: [this.#node('(...)', start, match)] }
      }
      case 'choice':
        return this.#matchChoice(expression.options, start, flag)
      case 'repeat':
        return this.#matchRepeat(expression, start, flag)
      case 'omit': {
        const match = this.#match(expression.operand, start, flag)
        return match && { end: match.end, nodes: [] }
      }
      case 'gather': {
        const match = this.#match(expression.operand, start, flag)
        return match && this.#literal(start, match.end)
      }
      case 'look': {
        const isThere = this.#match(expression.operand, start, { isCut: false }) !== undefined
        return isThere === expression.isNegative ? undefined : { end: start, nodes: [] }
      }
      case 'cut':
        flag.isCut = true
        return { end: start, nodes: [] }
      default:
        return undefined
    }
  }

  #isSame(expected: string, point: string | undefined, ignoresCase: boolean): boolean {
    if (point === undefined) return false
    return point === expected || (ignoresCase && point.toLowerCase() === expected.toLowerCase())
  }

  #matchCounted(start: number, { min, max }: Count, isThere: (at: number) => boolean): Match | undefined {
    let end = start
    while (end - start < max && end < this.length && isThere(end)) end++
    return end - start < min ? undefined : this.#literal(start, end)
  }

  /** A cut in an option that fails afterwards fails the choice. */
  #matchChoice(options: readonly Expression[], start: number, flag: CutFlag): Match | undefined {
    for (const option of options) {
      const own = { isCut: false }
      const match = this.#match(option, start, own)
      flag.isCut ||= own.isCut
      if (match || own.isCut) return match
    }
    return undefined
  }

  /** A cut in a round that fails afterwards fails the repetition. */
  #matchRepeat(repeat: Expression & { kind: 'repeat' }, start: number, flag: CutFlag): Match | undefined {
    const { operand, count, suffix } = repeat
    const nodes: Node[] = []
    let end = start
    let rounds = 0
    for (; rounds < count.max; rounds++) {
      const own = { isCut: false }
      const match = this.#match(operand, end, own)
      flag.isCut ||= own.isCut
      if (!match && own.isCut) return undefined
      if (!match) break
      nodes.push(...match.nodes)
      end = match.end
    }
    return rounds < count.min ? undefined : { end, nodes: [this.#node(`(...)${suffix}`, start, { end, nodes })] }
  }
}
