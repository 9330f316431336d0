import { expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

test('a rule that program never reaches is reported', () => {
  const text = 'program ::= a ; a ::= ( "x" | %b ) ; b ::= program? ; c ::= d ; d ::= c a ;'
  expect(findPlaces('unreachable-rule', text)).toEqual(['c', 'd'])
  expect(findProblems('unreachable-rule', text)[0]).toMatchObject({
    severity: 'warning',
    message: 'the rule c is not reachable from program',
    suggestion: "remove it, unless it is an entry: { entry: 'c' }",
  })
})

test('a rule that is only looked ahead to is come to', () => {
  expect(findPlaces('unreachable-rule', 'program ::= &a &!b !c "x" ; a ::= "a" ; b ::= "b" ; c ::= "c" ;')).toEqual([])
})

test('without a rule program, parses may begin with any', () => {
  expect(findPlaces('unreachable-rule', 'a ::= "x" ; b ::= "y" ;')).toEqual([])
})
