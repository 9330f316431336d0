// Random grammars and inputs: what is compiled gives the trees of a naive interpreter of the same grammar, on both engines, however the
// input is cut.

import { describe, expect, test } from 'vitest'
import { Grammar, type SyntaxNode } from '../../source/grammar/index.ts'
import { isThorough } from '../support/extent.ts'
import { makeRandomGrammar, makeRandomInput, matchNaively } from '../support/naive-grammar.ts'
import { Random } from '../support/random.ts'

const GRAMMARS = isThorough ? 600 : 60
const INPUTS = 10
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

function shape(node: SyntaxNode): unknown {
  const { type, start, end, value } = node
  return [type, start, end, typeof value === 'string' ? [] : value.map(shape)]
}

async function streamShape(grammar: Grammar, pieces: Uint8Array[], partial: boolean): Promise<unknown> {
  for await (const node of grammar.stream(pieces, { partial })) return shape(node)
  return undefined
}

describe(`random grammars (SEED=${seed})`, () => {
  test('give the trees that a naive interpreter gives', async () => {
    const random = new Random(seed)
    let compared = 0
    for (let i = 0; i < GRAMMARS; i++) {
      const text = makeRandomGrammar(random)
      const grammar = tryGrammar(text)
      if (!grammar) continue
      const partial = random.chance(0.5)
      for (let j = 0; j < INPUTS; j++) {
        const input = makeRandomInput(random)
        const expected = matchNaively(grammar.rules, input, partial)
        if (expected === 'too long') continue
        const bytes = new TextEncoder().encode(input)
        for (const engine of ['wasm', 'plain'] as const) {
          const tree = tryParse(grammar, bytes, { partial, engine })
          expect({ text, input, partial, engine, tree }).toEqual({ text, input, partial, engine, tree: expected })
        }
        const cut = random.below(bytes.length + 1)
        const pieces = random.chance(0.5)
          ? Array.from(bytes, (byte) => Uint8Array.of(byte))
          : [bytes.subarray(0, cut), bytes.subarray(cut)]
        if (expected !== 'fails') {
          expect({ text, input, partial, tree: await streamShape(grammar, pieces, partial) }).toEqual({
            text,
            input,
            partial,
            tree: expected,
          })
        }
        compared++
      }
    }
    expect(compared).toBeGreaterThan(GRAMMARS)
  })
})

function tryGrammar(text: string): Grammar | undefined {
  try {
    return Grammar.from(text, { dialect: 'bnf-parser' })
  } catch {
    return undefined // it repeats what can be empty, or begins with itself
  }
}

function tryParse(
  grammar: Grammar,
  bytes: Uint8Array,
  options: { partial: boolean; engine: 'wasm' | 'plain' },
): unknown {
  try {
    return shape(grammar.parse(bytes, options))
  } catch (error) {
    return (error as Error).name === 'ParseError' ? 'fails' : error
  }
}
