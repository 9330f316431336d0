// Warnings about nested input that is parsed again at each level.

import { describe, expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import { Interpreter } from '../../../source/machine/run/interpreter.ts'
import { sample } from '../../support/extent.ts'

/** Sums of products, with `sum` in brackets again. */
const grammarOf = (rules: string) => Grammar.from(`program ::= sum ;\n${rules}`, { dialect: 'xylem' })
const found = (grammar: Grammar) => grammar.warnings.filter(({ code }) => code === 'repeated-beginning')
const nest = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`
const OPERAND = 'operand ::= [0-9]+ | ( "(" sum ")" ) ;'

/** Steps of the machine for an input of so many brackets in each other. */
function workOf(grammar: Grammar, depth: number): number {
  const before = Interpreter.work
  expect(grammar.parse(nest(depth), { engine: 'plain' }).end).toBe(2 * depth + 1)
  return Interpreter.work - before
}

describe('a choice or repetition is warned of', () => {
  test('by the names of its rule and of what is parsed again, with its place and what to do', () => {
    const grammar = grammarOf(`
      sum     ::= add | sub | product ;
      add     ::= product %"+" sum ;
      sub     ::= product %"-" sum ;
      product ::= times | by | operand ;
      times   ::= operand %"*" product ;
      by      ::= operand %"/" product ;
      ${OPERAND}`)
    const warnings = found(grammar)
    expect(warnings.map(({ severity, line, column }) => [severity, line, column])).toEqual([
      ['warning', 3, 19],
      ['warning', 6, 19],
    ])
    expect(warnings[0]?.message).toBe(
      'in sum, more than one way to continue here begins with product, which is then parsed again; ' +
        'product can contain sum, so the time can double with each level of nesting',
    )
    expect(warnings[1]?.message).toContain('in product, more than one way to continue here begins with operand')
    expect(warnings[0]?.suggestion).toContain('factor out the common beginning: write  product ( "x" | "y" )?')
  })

  const beginnings = [
    ['options that begin alike', 'sum ::= ( operand "+" sum ) | operand ;'],
    ['options of which one is in another rule', 'sum ::= add | operand ; add ::= operand "+" sum ;'],
    ['options that begin alike after what may be left out', 'sum ::= ( "-"? operand "+" sum ) | ( " "? operand ) ;'],
    ['an optional beginning, and what comes after it', 'sum ::= ( operand "+" )? operand ;'],
    ['a repetition, and what comes after it', 'sum ::= ( operand "+" )* operand ;'],
    ['a counted repetition, and what comes after it', 'sum ::= ( operand "+" ){0,9} operand ;'],
    ['a repetition of options, and what comes after it', 'sum ::= ( ( operand "+" ) | ( operand? "-" ) )* operand ;'],
    ['options that repeat what they begin with', 'sum ::= ( operand{1,3} "+" ) | operand ;'],
    ['a cut that comes too late', 'sum ::= ( operand "+" ^ sum ) | operand ;'],
  ] as const
  test.each(sample(beginnings, 5))('where it is %s, and each level of nesting doubles the work', (_, sum) => {
    const large = grammarOf(`${sum} operand ::= [0-9]+ | ( "(" sum ")" ) | ( "[" ( "a" "b" "c" "d" )* "e" "f" "]" ) ;`)
    for (const grammar of [grammarOf(`${sum} ${OPERAND}`), large]) {
      expect(found(grammar).length).toBe(1)
      expect(found(grammar)[0]?.message).toMatch(/^in (sum|add), .* begins with operand,/)
      expect(workOf(grammar, 7)).toBeGreaterThan(8 * workOf(grammar, 3))
    }
  })
})

describe('nothing is warned of', () => {
  test.each([
    ['options are one beginning and how it goes on', 'sum ::= operand ( ( "+" | "-" ) operand )* ;'],
    ['options are factored', 'sum ::= "(" ( ( sum "+" sum ")" ) | ( sum ")" ) ) | [0-9] ;'],
    ['the first bytes decide', 'sum ::= ( "+" operand ) | ( "-" operand ) | operand ;'],
    ['a cut follows what options begin with', 'sum ::= ( operand ^ ( "+" sum )? ) | ( operand "!" ) ;'],
  ])('where %s, and the work grows with the input', (_, sum) => {
    const grammar = grammarOf(`${sum} ${OPERAND}`)
    expect(found(grammar)).toEqual([])
    expect(workOf(grammar, 16)).toBeLessThan(4 * workOf(grammar, 8))
  })

  test('where what is parsed again cannot contain the choice', () => {
    const grammar = grammarOf('sum ::= ( list ";" ) | list ; list ::= "(" list? ")" ;')
    expect(found(grammar)).toEqual([])
  })

  test('in a look-ahead, which parses again on purpose', () => {
    expect(found(grammarOf(`sum ::= &( operand "+" ) operand "+" sum | "(" sum ")" ; ${OPERAND}`))).toEqual([])
  })
})

test('the parses that are looked at begin with the first rule where none is called program', () => {
  const codesOf = (rules: string) => Grammar.from(rules).warnings.map(({ code }) => code)
  const sum = 'sum ::= operand "+" sum | operand ;'
  expect(codesOf(`${sum} ${OPERAND}`)).toEqual(['repeated-beginning'])
  expect(codesOf(`digit ::= [0-9] ; ${sum} ${OPERAND}`)).toEqual([])
})
