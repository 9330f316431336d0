// What options of commands may be.

import { expect, test } from 'vitest'
import { parseSize, parseSizeOrNone } from '../../../source/cli/options/option-values.ts'
import { run } from '../../support/command.ts'

test.each([
  ['1', 1],
  ['500', 500],
  ['64k', 64_000],
  ['5M', 5_000_000],
  ['2G', 2_000_000_000],
  ['64Ki', 65_536],
  ['16Mi', 16_777_216],
  ['2Gi', 2_147_483_648],
])('the size %s is %d bytes', (text, size) => {
  expect(parseSize(text)).toBe(size)
  expect(parseSizeOrNone(text)).toBe(size)
})

test('a size may be 0 only for some options', () => {
  expect(parseSizeOrNone('0')).toBe(0)
  expect(() => parseSize('0')).toThrow('1 or greater')
  expect(() => parseSize('0k')).toThrow('1 or greater')
})

test.each(['', 'k', '-1', '1.5M', '5 M', '5m', '5K', '5kb', '5MB', '5T', '5MiB', '1e6'])('%j is not a size', (text) => {
  const words = 'which k, M or G (1,000), or Ki, Mi or Gi (1,024) may follow, such as 64Mi.'
  expect(() => parseSize(text)).toThrow(`It must be a whole number, 1 or greater, ${words}`)
  expect(() => parseSizeOrNone(text)).toThrow(`It must be a whole number, 0 or greater, ${words}`)
})

test.each([
  [['check'], '--max-input'],
  [['check'], '--max-retained'],
  [['check'], '--free-expansion'],
  [['select', 'a'], '--max-input'],
  [['parse', '-g', 'x.bnf'], '--max-input'],
  [['parse', '-g', 'x.bnf'], '--free-rewound'],
  [['pages', 'x.xml'], '--max-input'],
  [['revisions', 'x.xml'], '--range-size'],
  [['plan', 'x.xml'], '--range-size'],
  [['get', 'x.xml'], '--max-input'],
  [['index', 'x.xml'], '--max-retained'],
])('xylem %j says what %s may be', async (args, option) => {
  const { code, stderr } = await run([...args, option, '5X'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('or Ki, Mi or Gi (1,024) may follow, such as 64Mi.')])
})
