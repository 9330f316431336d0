// Grammars that are long in one way: time and memory grow as they do, and what a long choice matches is what each of its options would.

import { expect, test } from 'vitest'
import { GRAMMAR_SHAPES, GRAMMAR_TEXTS, useGrammar } from '../../scripts/fuzz/growth/grammar-shapes.ts'
import { grammars } from '../../scripts/fuzz/targets/grammars.ts'
import { Grammar } from '../../source/grammar/index.ts'
import { extent, isComplete, isThorough, sample } from '../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../support/growth.ts'
import { Random } from '../support/random.ts'

test.runIf(isThorough).each(Object.entries(GRAMMAR_SHAPES))(
  '%s take time in proportion to them',
  { timeout: 60_000 },
  async (_, shape) => {
    expect(await growthOf(isComplete ? { ...shape, count: Math.max(1_000, shape.count) } : shape)).toBeLessThan(
      MOST_GROWTH,
    )
  },
)

const texts = Object.entries(GRAMMAR_TEXTS)

test.each(sample(texts, 1))('what is known of the rewind points of many %s is in proportion to them', (_, make) => {
  const sizes = [100, 400].map((size) => {
    const grammar = Grammar.from(make(size), { dialect: 'bnf-parser' })
    const purpose = { entry: 'program', parts: new Set(['program']), nested: 'outermost', isPartial: false } as const
    const { program, rewindPoints } = grammar.compile(purpose)
    const options = new Set(rewindPoints.map((point) => point.options))
    const tried = [...options].reduce((sum, { length }) => sum + length, 0)
    return program.code.length + program.data.length + rewindPoints.length + tried
  }) as [number, number]
  expect(sizes[1]).toBeLessThan(5 * sizes[0])
})

test('a list of 100,000 words is read and matches', { timeout: 60_000 }, () => {
  useGrammar((GRAMMAR_TEXTS['options that are words'] as (size: number) => string)(isThorough ? 100_000 : 10_000))
})

test('a long choice of literals matches what its options do in their order', { timeout: 60_000 }, async () => {
  const random = new Random(33)
  const encoder = new TextEncoder()
  for (let round = 0; round < extent(20, 100, 400); round++) {
    const letters = ['a', 'b', 'é', ...(random.oneIn(2) ? ['c', 'd', '\n'] : [])]
    const text = () => random.many(1, 5, () => random.pick(letters)).join('')
    const literals = random.many(25, 60, () => JSON.stringify(text()))
    if (random.oneIn(4)) literals.splice(random.below(literals.length), 0, 'x', '[c-d]')
    const around = random.pick([
      (choice: string) => `program ::= ( ${choice} )* ;`,
      (choice: string) => `program ::= ( ( ${choice} ) ";" )* ;`,
      (choice: string) => `program ::= ( x ";" )* ;\nx ::= ${choice} | "x" ;`,
      (choice: string) => `program ::= ( &!( ${choice} ) y | "b" )* ;\ny ::= [a-z] ;`,
      (choice: string) => `program ::= ...( %( ${choice} ) [a-z]+ )* ;`,
    ])
    const rules = ['x', 'y', 'z'].map((name) => `${name} ::= [${name}z] ;`)
    const grammar = around(literals.join(' | '))
    const missing = rules.filter((rule) => !grammar.includes(`${rule[0]} ::=`)).join('\n')
    const input = random.many(0, 6, () => text() + random.pick(['', ';', ';'])).join('')
    const fuzzCase = {
      parts: [grammar + missing, input].map((part) => encoder.encode(part)),
      settings: { partial: random.oneIn(3), cuts: random.below(2 ** 31), emit: [], innermost: false },
    }
    expect({ grammar, input, failure: await grammars.judge(fuzzCase as never) }).toMatchObject({ failure: undefined })
  }
})
