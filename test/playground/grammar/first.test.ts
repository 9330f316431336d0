import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'

const read = (name: string): string =>
  readFileSync(new URL(`../../../playground/grammar/first/${name}`, import.meta.url), 'utf8')

test('the first grammar is short, has no warnings, and gives what its input says', () => {
  const text = read('shopping.bnf')
  expect(text.trimEnd().split('\n').length).toBeLessThan(12)
  for (const dialect of ['bnf-parser', 'xylem'] as const) {
    const grammar = Grammar.from(text, { dialect })
    expect(grammar.warnings).toEqual([])
    expect(grammar.value(read('shopping.txt'))).toEqual([
      { count: 3, name: 'apples', price: 1.2 },
      { count: 1, name: 'loaf of bread' },
      { count: 2, name: 'bottles of milk', price: 0.95 },
    ])
    expect(grammar.test('1 egg')).toBe(true)
  }
})
