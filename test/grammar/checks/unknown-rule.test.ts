import { expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

test('a name that no rule has is reported wherever it is', () => {
  const text = 'program ::= ( a | %...!b? ) &c+ &!d{2} program? ;'
  expect(findPlaces('unknown-rule', text)).toEqual(['a', 'b', 'c', 'd'])
  expect(findProblems('unknown-rule', text)[0]).toMatchObject({
    severity: 'error',
    message: 'unknown rule a',
    suggestion: undefined,
  })
})

test.each([
  ['nmae', 'name'],
  ['Name', 'name'],
  ['names', 'name'],
  ['valeu', 'value'],
  ['xyz', undefined],
])('%s is near to %s', (written, meant) => {
  const [problem] = findProblems('unknown-rule', `program ::= ${written} name value ; name ::= "n" ; value ::= "v" ;`)
  expect(problem?.suggestion).toBe(meant === undefined ? undefined : `did you mean ${meant}?`)
})

test('a rule may be referred to before it is written', () => {
  expect(findPlaces('unknown-rule', 'program ::= a ; a ::= "x" program? ;')).toEqual([])
})
