import { expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

test.each([
  ['&x "a"', '&x'],
  ['&![a-z]* "a"', '&![a-z]*'],
  ['!( "a"? x ) "b"', '!( "a"? x )'],
  ['&( "a" | x ) "b"', '&( "a" | x )'],
])('%s looks for nothing', (body, place) => {
  expect(findPlaces('empty-look-ahead', `program ::= ${body} ; x ::= "y"? ;`)).toEqual([place])
})

test.each(['&"a" x', '&( x &"a" ) "a"', '&!( &"a" ) "b"', '!"a"* "a"', '&( @"no" ) "a"'])('%s does not', (body) => {
  expect(findPlaces('empty-look-ahead', `program ::= ${body} ; x ::= "y"? ;`)).toEqual([])
})

test.each([
  ['&( "a"? )', 'always', '( "a"? )'],
  ['&!( "a"* )', 'never', '( "a"* )'],
  ['!( "a"* )', 'never', '( "a"* )'],
])('%s %s succeeds', (look, how, operand) => {
  const [problem] = findProblems('empty-look-ahead', `program ::= ${look} "b" ;`)
  expect(problem).toMatchObject({
    severity: 'warning',
    message: `${look} ${how} succeeds: ${operand} can match nothing`,
    suggestion: 'look for something that must be there: use + instead of *, or remove ?',
  })
})
