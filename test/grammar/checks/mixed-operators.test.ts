import { expect, test } from 'vitest'
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
