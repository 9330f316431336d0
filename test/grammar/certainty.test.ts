// Nodes that a stream yields before its input is complete, for random grammars.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Grammar, GrammarError } from '../../source/grammar/index.ts'
import { Machine } from '../../source/machine/run/machine.ts'
import { findRetraction } from '../support/certainty.ts'
import { isThorough } from '../support/extent.ts'
import { makeEngines } from '../support/machine.ts'
import { makeRandomGrammar, makeRandomInput } from '../support/naive-grammar.ts'
import { parameters } from '../support/property.ts'
import { Random } from '../support/random.ts'

const machines = makeEngines().map((engine) => new Machine(engine))
const RULES = ['program', 'x', 'y', 'z']

function tryGrammar(text: string): Grammar | undefined {
  try {
    return Grammar.from(text)
  } catch (error) {
    expect(error).toBeInstanceOf(GrammarError) // it repeats what can be empty, or begins with itself
    return undefined
  }
}

describe('nodes that a stream yields', () => {
  test.runIf(isThorough)('belong to the parse whatever comes after, on both engines, however the input is cut', () => {
    const settings = fc.record({
      seed: fc.nat(),
      emit: fc.subarray(RULES, { minLength: 1 }),
      nested: fc.constantFrom('outermost' as const, 'innermost' as const),
      isPartial: fc.boolean(),
    })
    let count = 0
    fc.assert(
      fc.property(settings, ({ seed, ...emission }) => {
        const random = new Random(seed)
        const grammar = tryGrammar(makeRandomGrammar(random))
        if (!grammar) return
        const inputs = Array.from({ length: 8 }, () => makeRandomInput(random))
        for (const prefix of inputs.slice(0, 3)) {
          expect(findRetraction(grammar, machines, emission, prefix, ['', ...inputs])).toBeUndefined()
          count++
        }
      }),
      parameters(3000, 50),
    )
    expect(count).toBeGreaterThan(isThorough ? 100 : 10)
  })
})
