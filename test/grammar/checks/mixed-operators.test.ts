import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GrammarText, parseGrammar } from '../../../source/grammar/syntax/syntax.ts'
import { parameters } from '../../support/property.ts'
import { findPlaces, findProblems } from './find-problems.ts'

const suggest = (body: string) =>
  findProblems('mixed-operators', `x ::= ${body} ;`, 'bnf-parser').map(({ suggestion }) => suggestion)

test.each([
  ['a | b c', '( a | b ) c', 'a | ( b c )'],
  ['a b | c d', '( ( a b ) | c ) d', '( a b ) | ( c d )'],
  [
    '"p" "q" | "r" "s" | "t" | "u"',
    '( ( ( "p" "q" ) | "r" ) "s" ) | "t" | "u"',
    '( "p" "q" ) | ( "r" "s" ) | "t" | "u"',
  ],
  ['a | ( b c ) | d e?', '( a | ( b c ) | d ) e?', 'a | ( b c ) | ( d e? )'],
  ['%a b | ...c !d', '( ( %a b ) | ...c ) !d', '( %a b ) | ( ...c !d )'],
  ['( a | b ) | c d', '( ( a | b ) | c ) d', '( a | b ) | ( c d )'],
])('%s is shown as it is read, and as it may have been meant', (body, read, meant) => {
  expect(suggest(body)).toEqual([`write  ${read}  to keep this meaning, or  ${meant}`])
})

test('where both are the same, there is one way to write it', () => {
  expect(suggest('a b | c')).toEqual(['write  ( a b ) | c'])
  expect(suggest('a b | c | d')).toEqual(['write  ( a b ) | c | d'])
})

test('each bracket is examined by itself, and reported once', () => {
  const places = (body: string) => findPlaces('mixed-operators', `x ::= ${body} ;`, 'bnf-parser')
  expect(places('( a b | c )')).toEqual(['( a b | c )'])
  expect(places('( a | b c )')).toEqual(['( a | b c )'])
  expect(places('a ( b | c d )* e')).toEqual(['( b | c d )'])
  expect(places('a | b ( c d | e )')).toEqual(['a | b ( c d | e )', '( c d | e )'])
})

test.each(['a b c', 'a | b | c', 'a ( b | c )', '( a b ) | c', '( a | b ) | c', '( a | b ) c'])(
  '%s is not mixed',
  (body) => {
    expect(suggest(body)).toEqual([])
  },
)

test('it is a warning, and in the dialect xylem nothing is wrong with it', () => {
  expect(findProblems('mixed-operators', 'x ::= a | b c ;', 'bnf-parser')).toMatchObject([{ severity: 'warning' }])
  expect(findProblems('mixed-operators', 'x ::= a | b c ;', 'xylem')).toEqual([])
})

test('where no dialect is given, one warning says that the other one reads the grammar otherwise', () => {
  const problems = findProblems('mixed-operators', 'x ::= ( a b ) | c | ( d | e f ) ;\ny ::= a | b c ;', 'none')
  expect(problems).toMatchObject([
    {
      severity: 'warning',
      line: 1,
      message: 'a sequence binds stronger than a choice; the dialect bnf-parser reads this otherwise',
      suggestion: 'write  d | ( e f )  or give the dialect',
    },
  ])
  const long = `x ::= a | ${'b '.repeat(150)};`
  const [problem] = findProblems('mixed-operators', long, 'none')
  expect(problem?.suggestion).toBe('add brackets, or give the dialect')
})

test.each(['a b | c', 'a b | c | d', 'a b c', '( a | b ) c', 'a | b | ( c d )', '"a | b" c'])(
  '%s is the same in both dialects, and nothing is said of it',
  (body) => {
    expect(findProblems('mixed-operators', `x ::= ${body} ;`, 'none')).toEqual([])
  },
)

/** What was read, without where it stands. */
function shapeOf({ rules }: GrammarText): string {
  return JSON.stringify(rules, (key, value) => (key === 'at' || key === 'nameAt' ? undefined : value))
}

test('the warning comes exactly where the readings of the dialects differ', () => {
  const term = fc.constantFrom('a', 'b', '( a b | c )', '( a | b c )', '%a', 'b*')
  fc.assert(
    fc.property(fc.array(fc.tuple(term, fc.constantFrom(' ', ' | ')), { minLength: 1, maxLength: 7 }), (terms) => {
      const text = `x ::= ${terms.flat().slice(0, -1).join('')} ;`
      const [one, other] = (['xylem', 'bnf-parser'] as const).map((dialect) => shapeOf(parseGrammar(text, dialect)))
      expect(findProblems('mixed-operators', text, 'none').length > 0, text).toBe(one !== other)
    }),
    parameters(2000),
  )
})
