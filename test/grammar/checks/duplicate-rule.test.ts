import { expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

test('the second rule of a name is reported, and where the first one is', () => {
  const [problem, ...others] = findProblems('duplicate-rule', 'program ::= x ;\nx ::= "a" ;\n\nx ::= "b" ;')
  expect(problem).toMatchObject({ severity: 'error', line: 4, message: 'duplicate rule x; first defined in line 2' })
  expect(others).toEqual([])
})

test('each further rule of a name is reported', () => {
  expect(findPlaces('duplicate-rule', 'x ::= "a" ; x ::= "b" ; x ::= "c" ;')).toEqual(['x', 'x'])
})

test('names that differ in case are two', () => {
  expect(findPlaces('duplicate-rule', 'x ::= "a" ; X ::= "b" ;')).toEqual([])
})
