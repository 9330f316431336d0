import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { Grammar, makeSchema } from '../../../source/grammar/index.ts'

test('the schema of fields whose kinds are given has all that it refers to', () => {
  const source = 'program ::= row* ; row ::= size:[0-9]+ %"," ( at:word | size:word ) %";" ; word ::= [a-z0-9]+ ;'
  const grammar = Grammar.from(source, { dialect: 'bnf-parser' })
  for (const lenient of [false, true]) {
    const form = { lenient, as: { size: 'integer', at: 'number' } } as const
    const validate = new Ajv2020().compile(makeSchema(grammar, 'program', form))
    expect(validate(grammar.value('1,2;3,4;', form))).toBe(true)
    expect(validate([{ size: ['1'], at: 2 }])).toBe(false)
    expect(validate([{ size: [null, null] }])).toBe(lenient)
  }
  expect(() => makeSchema(grammar, 'size', { as: { size: 'integer' } })).toThrow('the grammar has no such rule')
})
