import { describe, expect, test } from 'vitest'
import { type Dialect, Grammar } from 'xylem/grammar'
import { judgeRules } from '../../../../playground/grammar/rules/streaming-verdict.ts'

/** The rules that hold input back, with the rule and the text that does. */
function judge(text: string, dialect: Dialect = 'bnf-parser'): Record<string, string[]> {
  const verdicts = judgeRules({ text, dialect, grammar: Grammar.from(text, { dialect }) })
  return Object.fromEntries(
    Array.from(verdicts, ({ rule, held }) => [
      rule,
      held.map((place) => `${place.rule} ${place.line}: ${text.slice(place.start, place.end)}`),
    ]),
  )
}

describe('the verdict on a rule', () => {
  test('is that it holds nothing back if the next bytes decide', () => {
    expect(judge('program ::= line* ; line ::= ( "a" word* ) | ( "b" word* ) ; word ::= [a-z]+ %" " ;')).toEqual({
      program: [],
      line: [],
      word: [],
    })
  })

  const choice = `program ::= list* ;
# a comment: x ::= y ;
list    ::= ( name %":" item* ) | ( word %";" item* ) ;
name    ::= [a-z]+ ;
word    ::= [a-z0-9]+ ;
item    ::= %"-" [a-z]+ %"." ;
`

  test('names the place that holds input back, also where the rule is a round of a repetition', () => {
    const held = 'list 3: ( name %":" item* ) | ( word %";" item* )'
    expect(judge(choice)).toEqual({ program: [], list: [held], name: [], word: [], item: [] })
    expect(judge(choice, 'xylem')).toEqual({ program: [], list: [held], name: [], word: [], item: [] })
  })

  test('changes with a cut', () => {
    expect(judge(choice.replace('%":"', '%":" ^')).list).toEqual([])
  })

  test('is the same for the rule `program` as the warnings of the grammar', () => {
    const text = 'program ::= list ; list ::= ( a b* ) | ( c b* ) ; a ::= [a-z]+ ; c ::= [a-z0-9]+ ; b ::= "-" a ;'
    const { program, list } = judge(text)
    expect(program).toEqual(list)
    expect(program).toEqual(['list 1: ( a b* ) | ( c b* )'])
    expect(Grammar.from(text).warnings.map(({ code }) => code)).toEqual(['held-input'])
  })

  test('is found for rules that refer to `program`, and for grammars without it', () => {
    const text = 'list ::= ( a program* ) | ( c program* ) ; a ::= [a-z]+ ; c ::= [a-z0-9]+ ; program ::= "-" list ;'
    const held = 'list 1: ( a program* ) | ( c program* )'
    expect(judge(text)).toEqual({ list: [held], a: [], c: [], program: [held] })
    expect(judge(text.replaceAll('program', 'p000000')).list).toEqual([held.replaceAll('program', 'p000000')])
  })
})
