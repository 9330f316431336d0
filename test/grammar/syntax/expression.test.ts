import { expect, test } from 'vitest'
import { walk } from '../../../source/grammar/syntax/expression.ts'
import { parseGrammar } from '../../../source/grammar/syntax/syntax.ts'

test('walking comes to an expression before what is below it', () => {
  const { rules } = parseGrammar('x ::= ( %"a" | b* ) ;', 'xylem')
  const kinds = [...walk(rules[0]?.members ?? [])].map(({ kind }) => kind)
  expect(kinds).toEqual(['choice', 'omit', 'literal', 'repeat', 'reference'])
})
