import { expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

test('a rule literal has nodes of the type that text has', () => {
  const text = 'program ::= literal ; literal ::= "a" ;'
  expect(findPlaces('ambiguous-name', text)).toEqual(['literal'])
  expect(findProblems('ambiguous-name', text)[0]).toMatchObject({ severity: 'warning', start: 22 })
})

test('no other name is ambiguous', () => {
  expect(findPlaces('ambiguous-name', 'program ::= Literal literals ; Literal ::= "a" ; literals ::= "b" ;')).toEqual(
    [],
  )
})
