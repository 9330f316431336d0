import { expect, test } from 'vitest'
import { Grammar, ParseError } from 'xylem/grammar'
import { SHEET } from '../../../../playground/grammar/sheet/sheet-parts.ts'
import { NOTATIONS, type Rule, walk } from '../../../../source/grammar/syntax/expression.ts'
import { parseGrammar } from '../../../../source/grammar/syntax/syntax.ts'
import { TEXT_KINDS } from '../../../../source/record/kinds.ts'

const lines = SHEET.flatMap((part) => part.lines)

/** The rules of a line, in both dialects; a line without `::=` is what a rule matches. */
function rulesOf(code: string): readonly Rule[] {
  const text = code.includes('::=') ? code : `line ::= ${code} ;`
  return (['bnf-parser', 'xylem'] as const).flatMap((dialect) => {
    const { found, rules } = parseGrammar(text, dialect)
    expect(found.problems, text).toEqual([])
    return rules
  })
}

test.each(lines)('$code can be read, and is explained in a few words', ({ code, meaning }) => {
  const [one, other] = rulesOf(code)
  expect(JSON.stringify(one)).toBe(JSON.stringify(other))
  expect(code.length).toBeLessThan(48)
  expect(meaning.length).toBeLessThan(80)
})

/** Rules that lines refer to. */
const OTHERS = {
  word: 'word ::= [a-z]+ ;',
  number: 'number ::= [0-9]+ ;',
  pair: 'pair ::= key:word %"=" value:number ;',
}

test.each(SHEET.find(({ title }) => title === 'Values')?.lines ?? [])('$code gives values', ({ code }) => {
  const text = code.includes('::=') ? code : `line ::= ${code} ;`
  const [entry = ''] = text.split(' ', 1)
  const others = Object.entries(OTHERS).flatMap(([name, rule]) => (name === entry ? [] : rule))
  const grammar = Grammar.from([text, ...others].join('\n'))
  // An input that does not match is another error.
  try {
    grammar.value('?', { entry })
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
  }
})

test('the sheet has all that a grammar can be made of', () => {
  const rules = lines.flatMap(({ code }) => rulesOf(code))
  const kinds = new Set(rules.flatMap(({ members }) => [...walk(members)].map(({ kind }) => kind)))
  expect([...kinds].sort()).toEqual(
    'choice class cut failure field fold gather group literal look not omit reference repeat'.split(' '),
  )
  const all = JSON.stringify(lines)
  for (const name of [...TEXT_KINDS, ...NOTATIONS, 'map']) expect(all).toContain(`@${name}`)
  for (const part of ['"isFlag":true', '"ignoresCase":true', '"isNegated":true', '"isNegative":true', '"isMap":true']) {
    expect(JSON.stringify(rules)).toContain(part)
  }
  expect(rules.some(({ label }) => label !== undefined)).toBe(true)
  for (const suffix of ['?', '*', '+', '{3}', '{2,}', '{2,5}']) {
    expect(JSON.stringify(rules)).toContain(`"suffix":"${suffix}"`)
  }
})
