// What docs/grammar.md says is run: grammars, inputs, and the trees or errors that they give.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Grammar, type SyntaxNode } from '../../source/grammar/index.ts'

const page = readFileSync(new URL('../../docs/grammar.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/```bnf\n(.*?)```\n\n(?:```text\n(.*?)```\n\n)?```(tree|error)\n(.*?)```/gs)]
const language = Grammar.from(/```grammar\n(.*?)```/s.exec(page)?.[1] as string, { dialect: 'xylem' })

function format(node: SyntaxNode, depth = 0): string {
  const { type, value, start, end } = node
  const line = `${'  '.repeat(depth)}${typeof value === 'string' ? JSON.stringify(value) : type} ${start}-${end}\n`
  return typeof value === 'string' ? line : line + value.map((child) => format(child, depth + 1)).join('')
}

/** The tree of an input, or what is wrong with it or with the grammar. A line feed at the end counts where the grammar wants it. */
function show(source: string, input: string): string {
  try {
    return format(Grammar.from(source).parse(input))
  } catch (error) {
    const { name, message } = error as Error
    return `${name === 'ParseError' ? (error as { report(): string }).report() : message}\n`
  }
}

describe('the grammar reference', () => {
  test.each(examples.map(([, source, input, kind, expected]) => ({ source, input, kind, expected })))(
    'says what $source gives',
    ({ source = '', input = '', kind, expected }) => {
      const text = kind === 'tree' ? input.replace(/\n$/, '') : input
      expect(show(source, text)).toBe(expected)
    },
  )

  test('has an example of each operator', () => {
    expect(examples.length).toBeGreaterThan(10)
  })

  test('has a grammar of grammars that reads all others, and itself', () => {
    for (const [, source = ''] of page.matchAll(/```(?:bnf|grammar)\n(.*?)```/gs)) {
      expect(language.test(source)).toBe(true)
    }
    expect(language.test('program ::= ;')).toBe(false)
  })
})
