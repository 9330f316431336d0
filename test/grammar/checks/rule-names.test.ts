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
