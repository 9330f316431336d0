import { expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/grammar.ts'

/** The pieces of the text that are warned of, and the messages. */
function findConsumed(text: string): [place: string, message: string][] {
  const warnings = Grammar.from(text).warnings.filter(({ code }) => code === 'consumed-part')
  return warnings.map(({ start, end, message }) => [text.slice(start, end), message])
}

const RULES = 'x ::= [a-f] ; word ::= [a-z]+ ; line ::= %"-" word ; pair ::= x "=" x ; deep ::= "(" deep? ")" ;'

test.each([
  ['[a-z]* "b"', '"b"'],
  ['[a-z]+ [b-d] "!"', '[b-d]'],
  ['word ( "b" | x )', '"b"'],
  ['line x', 'x'],
  ['...( "." [a-z]* ) key:x', 'x'],
  ['!";"* ~"é"', '~"é"'],
  ['!";"* [^;]{2}', '[^;]{2}'],
  ['x* &"a" x', 'x'],
  ['pair* pair', 'pair'],
  ['( "(" pair+ ) pair', 'pair'],
  ['"é"* "é"', '"é"'],
  ['( word x )?', 'x'],
  ['[^]* "end"', '"end"'],
])('%s: a part that can never match', (body, place) => {
  expect(findConsumed(`program ::= ${body} ; ${RULES}`)).toEqual([[place, expect.any(String)]])
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
  expect(findConsumed(`program ::= ${body} ; ${RULES}`)).toEqual([])
})

test('says which repetition takes it, and what to do', () => {
  const [warning] = Grammar.from('program ::= "(" [^]* ")" ;').warnings
  expect(warning).toMatchObject({
    severity: 'warning',
    message: '")" can never match here: the repetition before it (any character) continues as long as there is one',
    suggestion: 'let the repetition stop before the last one: ( x &x )* x',
  })
})
