import { expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

test.each([
  ['("a"*)*', '("a"*)*'],
  ['("a"?)+', '("a"?)+'],
  ['x*', 'x*'],
  ['("a" | "b"*)+', '("a" | "b"*)+'],
  ['x{2,}', 'x{2,}'],
  ['x{2}', 'x{2}'],
  ['(&"a")*', '(&"a")*'],
  ['(^)+', '(^)+'],
  ['"q" (...x* "b")?', 'x*'],
])('%s repeats what can match nothing', (body, place) => {
  expect(findPlaces('empty-repetition', `program ::= ${body} ; x ::= "y"? ;`)).toEqual([place])
})

test.each([
  'x?',
  'x{0,1}',
  'x{1}',
  '("a"*)?',
  '"a"*',
  '!"a"*',
  '[a]*',
  '(x "b")*',
  '""*',
  '(&"a" "a")+',
  '(@"message")*',
])('%s does not', (body) => {
  expect(findPlaces('empty-repetition', `program ::= ${body} ; x ::= "y"? ;`)).toEqual([])
})

test.each([
  ['("a"*)+', '("a"*)', 'remove one of the two repetitions'],
  ['([a]*)+', '([a]*)', 'remove one of the two repetitions'],
  ['("a"?)+', '("a"?)', 'make each round consume something: use + instead of *, or remove ?'],
  ['(x)+', '(x)', 'make each round consume something: use + instead of *, or remove ?'],
  [
    '("aaaaaaaaaa"* "bbbbbbbbbb"* "cccccccccc"*)+',
    'the repeated expression',
    'make each round consume something: use + instead of *, or remove ?',
  ],
])('%s: what it is called, and what to do', (body, operand, suggestion) => {
  const [problem] = findProblems('empty-repetition', `program ::= ${body} ; x ::= "y"? ;`)
  expect(problem).toMatchObject({
    severity: 'error',
    message: `${operand} can match nothing, but is repeated with +`,
    suggestion,
  })
})
