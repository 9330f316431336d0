import { describe, expect, test } from 'vitest'
import { findNullable as findFacts } from '../../../source/grammar/facts/nullable.ts'
import { parseGrammar } from '../../../source/grammar/syntax/syntax.ts'

/** The names of the rules that can match nothing, in the order of the text. */
function findNullable(text: string): string[] {
  const { rules, found } = parseGrammar(text, 'xylem')
  expect(found.problems).toEqual([])
  const nullable = findFacts(rules)
  for (const { name, members } of rules) {
    expect(members.every((member) => nullable.expressions.has(member))).toBe(nullable.rules.has(name))
  }
  return rules.map(({ name }) => name).filter((name) => nullable.rules.has(name))
}

describe('an expression', () => {
  test.each([
    '"a"?',
    '"a"*',
    '"a"{0,3}',
    '[a-z]*',
    '"a"->"z"?',
    '!"a"*',
    '!"a"?',
    '&"a"',
    '&!"a"',
    '^',
    '%"a"?',
    '..."a"*',
  ])('%s can match nothing', (body) => {
    expect(findNullable(`x ::= ${body} ;`)).toEqual(['x'])
  })

  test.each(['"a"', '""', '~"a"', '"a"+', '"a"{2}', '[a-z]', '[^]+', '!"a"', '!"a"+', '@"message"', '%"a"', '..."a"+'])(
    '%s cannot match nothing',
    (body) => {
      expect(findNullable(`x ::= ${body} ;`)).toEqual([])
    },
  )

  test.each([
    ['"a"? "b"*', true],
    ['"a"? "b"', false],
    ['"a" | "b"?', true],
    ['"a" | "b"', false],
    ['("a"? ("b"* ^))', true],
    ['("a"?){2}', true],
    ['("a"?)+', true],
    ['^ "" &"a"', false],
    ['"a"? @"message"', false],
  ])('%s is judged by its parts', (body, expected) => {
    expect(findNullable(`x ::= ${body} ;`)).toEqual(expected ? ['x'] : [])
  })
})

describe('a rule', () => {
  test('can match nothing when all that it refers to can, in any order of the rules', () => {
    expect(findNullable('a ::= b c ; b ::= c? ; c ::= d | "x" ; d ::= "y"* ;')).toEqual(['a', 'b', 'c', 'd'])
  })

  test('that needs itself cannot, unless there is another way', () => {
    expect(findNullable('a ::= a ; b ::= "(" b ")" | c ; c ::= b | "x"? ; d ::= e ; e ::= d ;')).toEqual(['b', 'c'])
  })

  test('that does not exist matches something', () => {
    expect(findNullable('a ::= nothing ;')).toEqual([])
  })

  test('at the end of a long chain is found without deep recursion', () => {
    const rules = Array.from({ length: 2000 }, (_, i) => `r${i} ::= r${i + 1} ;`)
    expect(findNullable(`r2000 ::= "a"? ; ${rules.reverse().join(' ')}`).length).toBe(2001)
  })
})
