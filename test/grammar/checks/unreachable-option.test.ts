import { describe, expect, test } from 'vitest'
import { findPlaces, findProblems } from './find-problems.ts'

const OTHERS = 'name ::= [a-z]+ ; blanks ::= " "* ; more ::= "x" | blanks ; ahead ::= &"a" ;'

const findIn = (body: string) => findPlaces('unreachable-option', `program ::= ${body} ; ${OTHERS}`)

describe('an option can never match', () => {
  test.each([
    ['behind a beginning of its text', '"a" | "ab"', ['"ab"']],
    ['behind its text', '"a" | "b" | "a"', ['"a"']],
    ['behind a beginning of its first text', '"ab" | ( "a" "b" name )', ['( "a" "b" name )']],
    ['behind a text that is omitted or gathered', '%"a" | ...( "a" "b" )', ['...( "a" "b" )']],
    ['behind a sequence that is the same text', '( "a" "b" ) | "abc"', ['"abc"']],
    ['behind its first rule', 'name | name "," name', ['name "," name']],
    ['behind its first members', 'name "," | ( name ( "," name ) )', ['( name ( "," name ) )']],
    ['behind a class that is the same', '[a-z] "x" | [a-z] "x" "y"', ['[a-z] "x" "y"']],
    ['behind a repetition that may be empty', '"a"* | "b"', ['"b"']],
    ['behind an option', '"a"? | "b" | "c"', ['"b"', '"c"']],
    ['behind a class that may be empty', '[a-z]* | "1"', ['"1"']],
    ['behind a rule that always matches', 'blanks | "b"', ['"b"']],
    ['behind a rule with an option that always matches', 'more | "b"', ['"b"']],
    ['behind a choice that always matches', '( "a" | "b"? ) | "c"', ['"c"']],
    ['when it is an empty literal', '"" | "a"', ['""']],
    ['when its range is inverted', '"a" | "z"->"a"', ['"z"->"a"']],
    ['deep inside', '"q" ( &( "a" | "ab" ) )', ['"ab"']],
  ])('%s: %s', (_, body, places) => {
    expect(findIn(body)).toEqual(places)
  })
})

describe('an option may match', () => {
  test.each([
    '"ab" | "a"',
    '"a" | "b"',
    '"a" | &"b" "a"',
    '"a" "b" | "a" "c"',
    'name "," | name',
    '[a-z] | [a-y]',
    '"a"+ | "b"',
    '(&"a"){1} | "b"',
    'ahead | "b"',
    '&"a" | "b"',
    '~"a" | "A"',
    '"A" | ~"a"',
    '"a" | "z"->"a"?',
    '!"a" | "a"',
  ])('%s', (body) => {
    expect(findIn(body)).toEqual([])
  })
})

test('it is an error in the dialect xylem, and a warning in the other, which allows it', () => {
  const text = 'program ::= "a" | "ab" ;'
  expect(findProblems('unreachable-option', text)).toMatchObject([
    {
      severity: 'error',
      message: 'this option can never match: "a" comes before it and always matches first',
      suggestion: 'put the longer or more specific option first',
    },
  ])
  expect(findProblems('unreachable-option', text, 'bnf-parser')).toMatchObject([{ severity: 'warning' }])
})

test('an option that can never match is to be left out', () => {
  expect(findProblems('unreachable-option', 'program ::= "a" | "" ;')).toMatchObject([
    { message: 'this option can never match', suggestion: 'remove it' },
  ])
})
