// Programs against a naive interpreter of the grammar language, which works on expressions and characters and does nothing clever, on
// grammars made at random.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Expression, Grammar, GrammarError, type Rule, type SyntaxNode } from '../../../source/grammar/index.ts'
import { ParseError } from '../../../source/text/parse-error.ts'
import { inPieces } from '../../support/collect.ts'
import { isComplete } from '../../support/extent.ts'
import { Sampler } from '../../support/grammar-sampler.ts'
import { parameters } from '../../support/property.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const

// The naive interpreter.

interface Tree {
  type: string
  start: number
  end: number
  count: number
  value: string | Tree[]
}

/** What something matched: where it ends, as an index of a character, and the nodes it gives. */
interface Match {
  at: number
  nodes: Tree[]
}

/** What is thrown by a labelled failure. */
class Labelled {
  readonly message: string
  readonly offset: number

  constructor(message: string, offset: number) {
    this.message = message
    this.offset = offset
  }
}

/** Where something else may be tried: until a cut forbids it. */
interface Point {
  isSpent: boolean
}

/** A call of a rule, or a look-ahead: how far a cut reaches. */
type Frame = Point[]

class NaiveInterpreter {
  readonly #rules: ReadonlyMap<string, Rule>
  readonly #characters: string[]
  /** Offsets in bytes by the index of the character. */
  readonly #offsets: number[] = [0]
  /** Depth of look-aheads. */
  #quiet = 0
  /** Offset in bytes of the farthest failure. */
  farthest = 0

  constructor(rules: readonly Rule[], input: string) {
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]))
    this.#characters = Array.from(input)
    for (const character of this.#characters) {
      this.#offsets.push((this.#offsets.at(-1) as number) + encoder.encode(character).length)
    }
  }

  /** The tree of the complete input; a `Labelled`; or undefined. */
  run(entry: string, isPartial: boolean): Tree | Labelled | undefined {
    try {
      const match = this.#callRule(entry, 0)
      if (!match) return undefined
      if (!isPartial && match.at < this.#characters.length) {
        this.#fail(match.at)
        return undefined
      }
      return match.nodes[0]
    } catch (error) {
      if (error instanceof Labelled) return error
      throw error
    }
  }

  #fail(at: number): undefined {
    if (this.#quiet === 0) this.farthest = Math.max(this.farthest, this.#offsets[at] as number)
    return undefined
  }

  #callRule(name: string, at: number): Match | undefined {
    const { members } = this.#rules.get(name) as Rule
    const match = this.#matchAll(members, at, [])
    return match && { at: match.at, nodes: [this.#node(name, at, match)] }
  }

  #node(type: string, at: number, match: Match): Tree {
    const { nodes } = match
    return { type, start: this.#byte(at), end: this.#byte(match.at), count: nodes.length, value: nodes }
  }

  #leaf(from: number, at: number, text = this.#characters.slice(from, at).join('')): Match {
    const count = encoder.encode(text).length
    return { at, nodes: [{ type: 'literal', start: this.#byte(from), end: this.#byte(at), count, value: text }] }
  }

  #byte(at: number): number {
    return this.#offsets[at] as number
  }

  #matchAll(items: readonly Expression[], at: number, frame: Frame): Match | undefined {
    const nodes: Tree[] = []
    let end = at
    for (const item of items) {
      const match = this.#match(item, end, frame)
      if (!match) return undefined
      nodes.push(...match.nodes)
      end = match.at
    }
    return { at: end, nodes }
  }

  /** Tries something: a failure of it is `undefined` where something else may be tried, and 'spent' after a cut. */
  #try(expression: Expression, at: number, frame: Frame): Match | undefined | 'spent' {
    return this.#tryThis(() => this.#match(expression, at, frame), frame)
  }

  #tryThis(run: () => Match | undefined, frame: Frame): Match | undefined | 'spent' {
    const point = { isSpent: false }
    frame.push(point)
    const match = run()
    frame.splice(frame.indexOf(point), 1)
    return match ?? (point.isSpent ? 'spent' : undefined)
  }

  #match(expression: Expression, at: number, frame: Frame): Match | undefined {
    switch (expression.kind) {
      case 'literal': {
        const characters = Array.from(expression.text)
        const isAscii = /^[\0-\x7f]*$/.test(expression.text)
        const isMatch = characters.every((character, i) => {
          const found = this.#characters[at + i]
          return found !== undefined && isLike(found, character, expression.ignoresCase, isAscii)
        })
        if (!isMatch || characters.length === 0) return this.#fail(at)
        return this.#leaf(at, at + characters.length)
      }
      case 'class': {
        const { ranges, isNegated, count } = expression
        const isOne = (character: string) => {
          const point = character.codePointAt(0) as number
          return ranges.some(({ first, last }) => first <= point && point <= last) !== isNegated
        }
        return this.#span(at, count, (index) => isOne(this.#characters[index] as string))
      }
      case 'not':
        return this.#span(at, expression.count, (index) => !this.#look(expression.operand, index))
      case 'reference':
        return this.#callRule(expression.name, at)
      case 'group': {
        const match = this.#matchAll(expression.items, at, frame)
        return match && { at: match.at, nodes: [this.#node('(...)', at, match)] }
      }
      case 'choice': {
        const last = expression.options.at(-1) as Expression
        for (const option of expression.options.slice(0, -1)) {
          const match = this.#try(option, at, frame)
          if (match === 'spent') return undefined
          if (match) return match
        }
        return this.#match(last, at, frame)
      }
      case 'repeat':
        return this.#repeat(expression, at, frame)
      case 'omit': {
        const match = this.#match(expression.operand, at, frame)
        return match && { at: match.at, nodes: [] }
      }
      case 'gather': {
        const match = this.#match(expression.operand, at, frame)
        return match && this.#leaf(at, match.at, match.nodes.map(textOf).join(''))
      }
      case 'look':
        if (this.#look(expression.operand, at) === expression.isNegative) return this.#fail(at)
        return { at, nodes: [] }
      case 'cut':
        for (const point of frame) point.isSpent = true
        return { at, nodes: [] }
      case 'failure':
        throw new Labelled(expression.message, this.#byte(at))
      case 'field': {
        const { operand, isFlag } = expression
        if (!isFlag) return this.#match(operand, at, frame)
        return this.#repeat({ ...OPTION, operand, at: expression.at }, at, frame)
      }
      case 'fold':
        return { at, nodes: [] }
    }
  }

  #span(at: number, { min, max }: { min: number; max: number }, isOne: (index: number) => boolean): Match | undefined {
    let end = at
    while (end - at < max && end < this.#characters.length && isOne(end)) end++
    return end - at < min ? this.#fail(end) : this.#leaf(at, end)
  }

  #repeat(expression: Expression & { kind: 'repeat' }, at: number, frame: Frame): Match | undefined {
    const { operand, separator, count, suffix } = expression
    const nodes: Tree[] = []
    let end = at
    const between =
      separator?.kind === 'group' && !separator.isBracketed ? separator.items : separator ? [separator] : []
    const later = [...between, operand]
    for (let round = 0; round < count.max; round++) {
      const matchOne = (): Match | undefined => {
        return this.#matchAll(round === 0 ? [operand] : later, end, frame)
      }
      const match = round < count.min ? matchOne() : this.#tryThis(matchOne, frame)
      if (match === 'spent' || (!match && round < count.min)) return undefined
      if (!match) break
      nodes.push(...match.nodes)
      end = match.at
    }
    return { at: end, nodes: [this.#node(`(...)${suffix}`, at, { at: end, nodes })] }
  }

  #look(operand: Expression, at: number): boolean {
    this.#quiet++
    try {
      return this.#match(operand, at, []) !== undefined
    } catch (error) {
      if (error instanceof Labelled) return false
      throw error
    } finally {
      this.#quiet--
    }
  }
}

function isLike(found: string, wanted: string, ignoresCase: boolean, isAscii: boolean): boolean {
  if (!ignoresCase || found === wanted) return found === wanted
  if (isAscii) return /^[\0-\x7f]$/.test(found) && found.toLowerCase() === wanted.toLowerCase()
  return found === wanted.toLowerCase() || found === wanted.toUpperCase()
}

function textOf({ value }: Tree): string {
  return typeof value === 'string' ? value : value.map(textOf).join('')
}

const OPTION = { kind: 'repeat', separator: undefined, count: { min: 0, max: 1 }, suffix: '?' } as const

// Grammars.

const RULES = 4
const nameOf = (rule: number) => (rule === 0 ? 'program' : `r${rule}`)

type Write = (rule: number) => string
const constant =
  (text: string): Write =>
  () =>
    text
const join =
  (parts: Write[], separator: string): Write =>
  (rule) =>
    parts.map((part) => part(rule)).join(separator)

const counts = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,2}', '{0,2}', '{2,}', '{* "b"}', '{+ [ab] "c"?}')
const literals = fc.constantFrom(
  '"a"',
  '"b"',
  '"c"',
  '"ab"',
  '"abc"',
  '"aabc"',
  '"bca"',
  '"é"',
  '"è"',
  '"aé"',
  '"🌳"',
  '~"aB"',
  '~"É"',
  '""',
)
const classes = fc.constantFrom(
  '[a]',
  '[ab]',
  '[^a]',
  '[^ab]',
  '[a-c]',
  '[éa]',
  '[^é]',
  '[^]',
  '"a"->"c"',
  '"b"->"a"',
  '[🌳-🌿]',
)

/** Rule `i` refers to those after it only, unless something stands before the reference. */
const { list } = fc.letrec<{ list: Write; item: Write; term: Write }>((tie) => ({
  list: fc
    .tuple(
      fc.array(tie('item'), { minLength: 1, maxLength: 4, depthIdentifier: 'term' }),
      fc.constantFrom(' ', ' ', ' | '),
    )
    .map(([items, operator]) => join(items, operator)),
  item: fc.oneof(
    { depthIdentifier: 'term' },
    {
      weight: 12,
      arbitrary: fc
        .tuple(
          fc.constantFrom('', '', '', '', '%', '...', '%...', '!', '...!', '&', '&!', 'f:', 'g?:', 'f:...'),
          tie('term'),
          counts,
        )
        .map(([prefix, term, count]): Write => {
          const written = (rule: number) => {
            const text = term(rule)
            return prefix !== '' && text.includes('->') && !text.startsWith('(') ? `(${text})` : text
          }
          return (rule) => `${prefix}${written(rule)}${count}`
        }),
    },
    { weight: 1, arbitrary: fc.constant(constant('^')) },
    { weight: 1, arbitrary: fc.constantFrom(constant('@"one"'), constant('@"two"')) },
  ),
  term: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'term' },
    { weight: 4, arbitrary: literals.map(constant) },
    { weight: 2, arbitrary: classes.map(constant) },
    {
      weight: 2,
      arbitrary: fc.nat(RULES - 1).map(
        (to): Write =>
          (from) => {
            return from === RULES - 1 ? '"c"' : nameOf(Math.max(to, from + 1))
          },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(literals, fc.nat(RULES - 1)).map(
        ([text, to]): Write =>
          () =>
            `(${text} ${nameOf(to)})`,
      ),
    },
    {
      weight: 4,
      arbitrary: tie('list').map(
        (inner): Write =>
          (rule) =>
            `(${inner(rule)})`,
      ),
    },
  ),
}))

const grammars = fc
  .array(list, { minLength: RULES, maxLength: RULES })
  .map((lists) => lists.map((write, rule) => `${nameOf(rule)} ::= ${write(rule)} ;\n`).join(''))
  .filter(isUsable)

/** What can be empty and is repeated is generated, and left out. */
function isUsable(source: string): boolean {
  try {
    Grammar.from(source, { dialect: 'bnf-parser' })
    return true
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error
    const errors = error.problems.filter(({ severity }) => severity === 'error')
    const other = errors.find(({ code }) => code !== 'empty-repetition' && code !== 'misplaced-field')
    if (other) throw error
    return false
  }
}

// Comparing.

function toTree({ type, start, end, count, value }: SyntaxNode): Tree {
  return { type, start, end, count, value: typeof value === 'string' ? value : value.map(toTree) }
}

function format({ type, start, end, count, value }: Tree): string {
  const content = typeof value === 'string' ? JSON.stringify(value) : `(${value.map(format).join(' ')})`
  return `${type} ${start}-${end} #${count} ${content}`
}

/** The next bytes may refuse an option before it is tried, so it cannot fail as far on as it would have: places are not compared. */
const withoutPlace = (outcome: string | undefined) => outcome?.replace(/^error at .*/, 'error')

/** What a parse gives, as text. */
function outcomeOf(act: () => Tree): string {
  try {
    return format(act())
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return describeError(error)
  }
}

function describeError({ code, message, byteOffset }: ParseError): string {
  return code === 'labelled-failure' ? `label ${message.split(' ')[0]} at ${byteOffset}` : `error at ${byteOffset}`
}

function outcomeOfNaive(rules: readonly Rule[], input: string, isPartial: boolean): string {
  const interpreter = new NaiveInterpreter(rules, input)
  const result = interpreter.run('program', isPartial)
  if (result === undefined) return `error at ${interpreter.farthest}`
  if (!(result instanceof Labelled)) return format(result)
  // Where something failed beyond a label, that is the error. How far a parse came is not the same for all that looks ahead.
  return `${interpreter.farthest > result.offset ? 'farther ' : ''}label ${result.message} at ${result.offset}`
}

/** The nodes of some types in a tree, in the order in which they end; of nested ones the outermost or the innermost. */
function findParts(tree: Tree, emit: ReadonlySet<string>, nested: 'outermost' | 'innermost'): Tree[] {
  const isPart = emit.has(tree.type)
  if (isPart && nested === 'outermost') return [tree]
  const inner = typeof tree.value === 'string' ? [] : tree.value.flatMap((child) => findParts(child, emit, nested))
  return isPart && inner.length === 0 ? [tree] : inner
}

async function streamParts(
  grammar: Grammar,
  pieces: Uint8Array[],
  options: Parameters<Grammar['stream']>[1],
): Promise<string[]> {
  const parts: string[] = []
  try {
    for await (const node of grammar.stream(pieces, options)) parts.push(format(toTree(node)))
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    parts.push(describeError(error))
  }
  return parts
}

test('a repetition of what never matches fails, unless there may be none', () => {
  for (const engine of ENGINES) {
    for (const never of ['("b"->"a")', '""', '( "" "a" )', '( "b"->"a" | "" )']) {
      expect(
        Grammar.from(`program ::= ${never}+ ;`, { dialect: 'bnf-parser' }).test('a', { engine, partial: true }),
        never,
      ).toBe(false)
      expect(
        Grammar.from(`program ::= "a" %${never}+ ;`, { dialect: 'bnf-parser' }).test('a', { engine, partial: true }),
        never,
      ).toBe(false)
      expect(Grammar.from(`program ::= "a" ${never}* ;`, { dialect: 'bnf-parser' }).test('a', { engine }), never).toBe(
        true,
      )
    }
  }
})

describe('any grammar gives what a naive interpreter gives', () => {
  const seeds = fc.array(fc.nat(), { minLength: 10, maxLength: 10 })

  test('for complete inputs and beginnings of them, on both engines', () => {
    const outcomes = { trees: 0, labels: 0, errors: 0 }
    fc.assert(
      fc.property(grammars, seeds, (source, numbers) => {
        const grammar = Grammar.from(source, { dialect: 'bnf-parser' })
        for (const seed of numbers) {
          const input = new Sampler(grammar.rules, seed).input('program')
          for (const partial of [false, true]) {
            const expected = outcomeOfNaive(grammar.rules, input, partial)
            for (const engine of ENGINES) {
              const outcome = outcomeOf(() => toTree(grammar.parse(input, { partial, engine })))
              const what = `${JSON.stringify(input)} ${partial} ${engine}`
              if (outcome.startsWith('error') && expected.startsWith('farther ')) continue
              expect(withoutPlace(outcome), what).toBe(withoutPlace(expected.replace(/^farther /, '')))
              const isTree = !/^(error|label|farther)/.test(expected)
              expect(grammar.test(input, { partial, engine }), JSON.stringify(input)).toBe(isTree)
            }
            const [kind = ''] = expected.replace(/^farther /, '').split(' ')
            outcomes[kind === 'error' ? 'errors' : kind === 'label' ? 'labels' : 'trees']++
          }
        }
      }),
      parameters(400, 12),
    )
    // Only many runs are sure to have some of each.
    if (!isComplete) return
    expect(outcomes.trees).toBeGreaterThan(outcomes.errors / 4)
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0)
  })

  test('for parts of a stream, of any rules, outermost and innermost, however it is cut', async () => {
    const options = fc.record({
      emit: fc.uniqueArray(fc.nat(RULES - 1).map(nameOf), { minLength: 1, maxLength: 3 }),
      nested: fc.constantFrom('outermost' as const, 'innermost' as const),
      partial: fc.boolean(),
      engine: fc.constantFrom(...ENGINES),
    })
    await fc.assert(
      fc.asyncProperty(grammars, seeds, options, fc.integer({ min: 1, max: 7 }), async (source, numbers, run, size) => {
        const grammar = Grammar.from(source, { dialect: 'bnf-parser' })
        const emit = findEmittable(grammar, run.emit, run.nested)
        if (emit.length === 0) return
        for (const seed of numbers) {
          const input = new Sampler(grammar.rules, seed).input('program')
          const interpreter = new NaiveInterpreter(grammar.rules, input)
          const result = interpreter.run('program', run.partial)
          const bytes = encoder.encode(input)
          const streams = [[bytes], inPieces(bytes, 1), inPieces(bytes, size)].map((pieces) => {
            return streamParts(grammar, pieces, { ...run, emit })
          })
          const [whole, ...cut] = await Promise.all(streams)
          for (const parts of cut) expect(parts, JSON.stringify(input)).toEqual(whole)
          if (result !== undefined && !(result instanceof Labelled)) {
            expect(whole, JSON.stringify(input)).toEqual(findParts(result, new Set(emit), run.nested).map(format))
          } else {
            const expected = outcomeOfNaive(grammar.rules, input, run.partial)
            const last = whole?.at(-1)
            if (last?.startsWith('error') && expected.startsWith('farther ')) continue
            expect(withoutPlace(last), JSON.stringify(input)).toBe(withoutPlace(expected.replace(/^farther /, '')))
          }
        }
      }),
      parameters(250, 8),
    )
  })
})

/** The rules that can be delivered together: outermost ones only if they are not always in another of them. */
function findEmittable(grammar: Grammar, rules: readonly string[], nested: 'outermost' | 'innermost'): string[] {
  const emit: string[] = []
  for (const rule of rules) {
    try {
      grammar.stream([], { emit: [...emit, rule], nested })
      emit.push(rule)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
      expect(error).toMatchObject({ code: 'unknown-rule' })
    }
  }
  return emit
}
