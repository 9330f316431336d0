import { expect, test } from 'vitest'
import { check } from '../../../source/grammar/checks/index.ts'
import type { Problem } from '../../../source/grammar/syntax/errors.ts'
import { type Dialect, parseGrammar } from '../../../source/grammar/syntax/syntax.ts'

function findAll(text: string, dialect: Dialect): Problem[] {
  const grammar = parseGrammar(text, dialect)
  expect(grammar.found.problems).toEqual([])
  check(grammar, dialect)
  return grammar.found.problems
}

test('problems of all kinds come in the order of the text', () => {
  const text = `program ::= a | a x ;
    a ::= "q" | "qr" "s" ;
    b ::= b "x" ;
    c ::= ("y"?)+ ;
    literal ::= "a" ;
    a ::= "z" ;`
  expect(findAll(text, 'bnf-parser').map(({ line, code, severity }) => `${line} ${code} ${severity}`)).toEqual([
    '1 mixed-operators warning',
    '1 unreachable-option warning',
    '1 unknown-rule error',
    '2 mixed-operators warning',
    '2 unreachable-option warning',
    '3 left-recursion error',
    '3 unreachable-rule warning',
    '4 unreachable-rule warning',
    '4 empty-repetition error',
    '5 unreachable-rule warning',
    '5 ambiguous-name warning',
    '6 duplicate-rule error',
  ])
})

test('a sound grammar has none', () => {
  const text = 'program ::= ( name %"," )* name ; name ::= [a-z]+ ;'
  for (const dialect of ['bnf-parser', 'xylem'] as const) {
    expect(findAll(text, dialect)).toEqual([])
  }
})

test('what is nested as deep as a grammar may be is checked', () => {
  for (const [open, close] of [
    ['%...!(', ')'],
    ['("q" ', ')+'],
    ['("q" | ', ')?'],
  ] as const) {
    const text = `program ::= ${open.repeat(500)}"a"${close.repeat(500)} ;`
    expect(() => findAll(text, 'bnf-parser')).not.toThrow()
  }
  const text = `program ::= ${'"a" "b" | '.repeat(500)}"c" ;`
  expect(findAll(text, 'bnf-parser').map(({ code }) => code)).toContain('mixed-operators')
})
