// Random grammars and inputs: what is compiled gives the tree of an interpreter that does what each operator says and nothing else, on both
// engines, complete and cut; where the input does not match, all say the same of it.

import { Grammar, GrammarError, type SyntaxNode } from '../../../source/grammar/index.ts'
import { ParseError } from '../../../source/text/parse-error.ts'
import { makeRandomGrammar, makeRandomInput, matchNaively } from '../../../test/support/naive-grammar.ts'
import { cutAtRandom } from '../cuts.ts'
import type { FuzzCase, Target } from '../target.ts'

/** A tree as JSON, or an error with its place. */
type Outcome = { readonly tree: string } | { readonly error: string }

const ENGINES = ['wasm', 'plain'] as const

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
    return Grammar.from(text)
  } catch (error) {
    if (error instanceof GrammarError) return undefined // it repeats what can be empty, or begins with itself
    throw error
  }
}

async function judge({ parts, settings }: FuzzCase): Promise<string | undefined> {
  const decoder = new TextDecoder()
  const [text = '', input = ''] = parts.map((part) => decoder.decode(part))
  const { partial, cuts } = settings as { partial: boolean; cuts: number }
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
  return undefined
}

export const grammars: Target = {
  name: 'grammars',
  open: async () => 'a naive interpreter',
  make(random) {
    const encoder = new TextEncoder()
    const parts = [makeRandomGrammar(random), makeRandomInput(random)].map((text) => encoder.encode(text))
    return { parts, settings: { partial: random.oneIn(2), cuts: random.below(2 ** 31) } }
  },
  judge,
}
