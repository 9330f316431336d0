import { describe, expect, test } from 'vitest'
import { readNotation } from '../../../../playground/grammar/editor/notation.ts'

function read(text: string): string[] {
  return readNotation(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)
}

describe('the notation of grammars', () => {
  test('has names, literals, classes, messages, operators and comments', () => {
    expect(read('a @"an a" ::= %"b\\"" [^\\]x]{2,} | b->c ; # d ::=')).toEqual([
      'definition a',
      'message @"an a"',
      'operator ::=',
      'operator %',
      'literal "b\\""',
      'class [^\\]x]',
      'operator {2,}',
      'operator |',
      'name b',
      'operator ->',
      'name c',
      'operator ;',
      'comment # d ::=',
    ])
  })

  test('has fields, separators and annotations', () => {
    expect(read('a @integer ::= k:b{* ","} f?:c left:< ;')).toEqual([
      'definition a',
      'message @integer',
      'operator ::=',
      'operator k:',
      'name b',
      'operator *',
      'literal ","',
      'operator f?:',
      'name c',
      'operator left:<',
      'operator ;',
    ])
  })

  test('has literals of several lines', () => {
    expect(read('"a\nb" c')).toEqual(['literal "a\nb"', 'name c'])
  })

  test('ends a literal or a class that is not closed with its line', () => {
    expect(read('a ::= "b ;\nc ::= [d ;\ne ::= f ;')).toEqual([
      'definition a',
      'operator ::=',
      'literal "b ;',
      'definition c',
      'operator ::=',
      'class [d ;',
      'definition e',
      'operator ::=',
      'name f',
      'operator ;',
    ])
  })

  test('steps over what is unknown', () => {
    expect(read("'木' $ 5")).toEqual([])
  })

  test('is read in time that grows with the text', () => {
    const began = performance.now()
    readNotation('a @"'.repeat(20_000))
    readNotation('a  '.repeat(20_000))
    readNotation(`a${' '.repeat(50_000)}`)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
