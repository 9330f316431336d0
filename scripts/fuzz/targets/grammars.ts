// Random grammars and inputs: what is compiled gives the tree of an interpreter that does what each operator says and nothing else, on both
// engines, complete and cut; where the input does not match, all say the same of it. The nodes that a stream
// yields for a beginning of the input belong to the parse whatever comes after.

import { Grammar, GrammarError, type SyntaxNode } from '../../../source/grammar/index.ts'
import { Machine } from '../../../source/machine/run/machine.ts'
import { ParseError } from '../../../source/text/parse-error.ts'
import { type Emission, findRetraction } from '../../../test/support/certainty.ts'
import { makeEngines } from '../../../test/support/machine.ts'
import { makeRandomGrammar, makeRandomInput, matchNaively } from '../../../test/support/naive-grammar.ts'
import { cutAtRandom } from '../cuts.ts'
import type { FuzzCase, Target } from '../target.ts'

/** A tree as JSON, or an error with its place. */
type Outcome = { readonly tree: string } | { readonly error: string }

const ENGINES = ['wasm', 'plain'] as const
const RULES = ['program', 'x', 'y', 'z']
let machines: readonly Machine[] | undefined

function shapeOf({ type, start, end, value }: SyntaxNode): unknown {
  return [type, start, end, typeof value === 'string' ? [] : value.map(shapeOf)]
}

async function attempt(read: () => Promise<SyntaxNode | undefined> | SyntaxNode): Promise<Outcome> {
  try {
    const node = await read()
    return { tree: JSON.stringify(node && shapeOf(node)) }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const { name, code, message, excerpt, expected, rules } = error
    return { error: JSON.stringify({ name, code, message, excerpt, expected, rules }) }
  }
}

async function readFirst(nodes: AsyncIterable<SyntaxNode>): Promise<SyntaxNode | undefined> {
  let first: SyntaxNode | undefined
  for await (const node of nodes) first ??= node
  return first
}

function tryGrammar(text: string): Grammar | undefined {
  try {
    return Grammar.from(text, { dialect: 'bnf-parser' })
  } catch (error) {
    if (error instanceof GrammarError) return undefined // it repeats what can be empty, or begins with itself
    throw error
  }
}

async function judge({ parts, settings }: FuzzCase): Promise<string | undefined> {
  const decoder = new TextDecoder()
  const [text = '', input = '', ...suffixes] = parts.map((part) => decoder.decode(part))
  const { partial, cuts, emit = [], innermost } = settings as unknown as CaseSettings
  const grammar = tryGrammar(text)
  if (!grammar?.rules.some(({ name }) => name === 'program')) return undefined
  const naive = matchNaively(grammar.rules, input, partial)
  if (naive === 'too long') return undefined
  const bytes = new TextEncoder().encode(input)
  const expected = naive === 'fails' ? undefined : JSON.stringify(naive)
  let first: string | undefined
  for (const engine of ENGINES) {
    const options = { partial, engine }
    const ways: [string, Promise<Outcome>][] = [
      ['parse', attempt(() => grammar.parse(bytes, options))],
      ['stream', attempt(() => readFirst(grammar.stream([bytes], options)))],
      ['stream in pieces', attempt(() => readFirst(grammar.stream(cutAtRandom(bytes, cuts), options)))],
    ]
    for (const [name, promise] of ways) {
      const outcome = await promise
      if ('tree' in outcome && outcome.tree !== expected)
        return `${name} (${engine}) gives another tree: ${outcome.tree} / ${expected ?? 'none'}`
      if (!('error' in outcome)) continue
      if (expected !== undefined) return `${name} (${engine}) does not match: ${outcome.error}`
      first ??= outcome.error
      if (outcome.error !== first) return `${name} (${engine}) says something else: ${outcome.error} / ${first}`
    }
  }
  if (emit.length === 0) return undefined
  const emission: Emission = {
    emit: emit.map((number) => RULES[number] as string),
    nested: innermost ? 'innermost' : 'outermost',
    isPartial: partial,
  }
  machines ??= makeEngines().map((engine) => new Machine(engine))
  const retraction = findRetraction(grammar, machines, emission, input, ['', ...suffixes])
  return retraction && `a node is not certain: ${retraction}`
}

interface CaseSettings {
  readonly partial: boolean
  readonly cuts: number
  /** The numbers of rules whose nodes are yielded; undefined in old cases. */
  readonly emit?: readonly number[]
  readonly innermost?: boolean
}

export const grammars: Target = {
  name: 'grammars',
  open: async () => 'a naive interpreter',
  make(random) {
    const encoder = new TextEncoder()
    const inputs = random.many(2, 5, () => makeRandomInput(random))
    const parts = [makeRandomGrammar(random), ...inputs].map((text) => encoder.encode(text))
    const emit = random.many(1, 3, () => random.below(RULES.length))
    const settings = { partial: random.oneIn(2), cuts: random.below(2 ** 31), emit, innermost: random.oneIn(2) }
    return { parts, settings }
  },
  judge,
}
