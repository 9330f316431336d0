import { expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

const RULES = 'x ::= [a-f] ; word ::= [a-z]+ ; line ::= %"-" word ; pair ::= x "=" x ; deep ::= "(" deep? ")" ;'

test.each([
  ['[a-z]* "b"', '"b"'],
  ['[a-z]+ [b-d] "!"', '[b-d]'],
  ['word ( "b" | x )', '( "b" | x )'],
  ['line x', 'x'],
  ['...( "." [a-z]* ) key:x', 'key:x'],
  ['!";"* ~"é"', '~"é"'],
  ['!";"* [^;]{2}', '[^;]{2}'],
  ['x* &"a" x', 'x'],
  ['pair* pair', 'pair'],
  ['( "(" pair+ ) pair', 'pair'],
  ['"é"* "é"', '"é"'],
  ['( word x )?', 'x'],
  ['[^]* "end"', '"end"'],
])('%s: a part that can never match', (body, place) => {
  expect(findPlaces('consumed-part', `program ::= ${body} ; ${RULES}`)).toEqual([place])
})

test.each([
  '[a-z]* "B"',
  '[a-z]* ~"b"',
  '[a-z]* "b"?',
  '[a-z]* [a-z]*',
  '[a-z]{1,3} "b"',
  '[a-z]* ( "b" | "!" )',
  '!"end"* "end"',
  '!";"* ";"',
  '[a-z]* %" "? "b"',
  'pair* x',
  'pair{* ","} pair',
  'deep* deep?',
  'word* "-"',
  '( word | x ) "b"',
  '( x &x )* x',
])('%s: none', (body) => {
  expect(findPlaces('consumed-part', `program ::= ${body} ; ${RULES}`)).toEqual([])
})

test('says which repetition takes it, and what to do', () => {
  const [problem] = findProblems('consumed-part', 'program ::= "(" [^]* ")" ;')
  expect(problem).toMatchObject({
    severity: 'warning',
    message: '")" can never match here: [^]* goes on as long as there is one',
    suggestion: 'let the repetition stop before the last one: ( x &x )* x',
  })
})
