// What options of commands may be.

import { InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import { parseSize, parseSizeOrNone, parseTime } from '../../../source/cli/options/option-values.ts'
import { run } from '../../support/command.ts'
import { fixturePath } from '../../support/fixtures.ts'

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

describe('a date', () => {
  test.each([
    ['2024', '2024'],
    ['2024-05', '2024-05'],
    ['2024-02-29', '2024-02-29'],
    ['20240229', '2024-02-29'],
    ['2024-05-01T12:00', '2024-05-01T12:00'],
    ['2024-05-01T12:00Z', '2024-05-01T12:00'],
    ['2024-05-01T12:34:56', '2024-05-01T12:34:56'],
    ['2024-05-01T12:34:56Z', '2024-05-01T12:34:56'],
    ['2024-05-01t12:34:56z', '2024-05-01T12:34:56'],
    ['2024-05-01 12:00', '2024-05-01T12:00'],
    ['2024-05-01 12:34:56', '2024-05-01T12:34:56'],
    ['20240501123456', '2024-05-01T12:34:56'],
    [' 2024-05-01 ', '2024-05-01'],
  ])('%j is %j', (text, date) => {
    expect(parseTime(text)).toBe(date)
  })

  test.each([
    '',
    '24',
    '202405',
    '2024-5-1',
    '2024-13',
    '2024-00',
    '2024-02-30',
    '2023-02-29',
    '20230229',
    '2024-05-01T24:00:00Z',
    '2024-05-01T12:60',
    '2024-05-01T12',
    '202405011200',
    '2024-05-01+02:00',
    '2024Z',
    '01.05.2024',
    '5/1/2024',
    'yesterday',
    '2024-05-01T12:00:00Zx',
  ])('%j is refused, with examples', (text) => {
    expect(() => parseTime(text)).toThrow(InvalidArgumentError)
    expect(() => parseTime(text)).toThrow(/2026-01-31.*20260131120000 \(UTC\)/)
  })
})

describe('--since and --until', () => {
  const dump = fixturePath('mediawiki/small-dump.xml')

  /** Timestamps of the revisions that are printed. */
  async function timestamps(...args: string[]): Promise<string[]> {
    const { stdout } = await run(['revisions', dump, '--fields', 'timestamp', ...args])
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).timestamp)
  }

  test('include all of a year, month, day or minute, and the second itself', async () => {
    const all = await timestamps()
    const [some = ''] = all.filter((time) => time !== all[0])
    const digits = some.replace(/\D/g, '')
    for (const date of [4, 7, 10, 16, 19].map((length) => some.slice(0, length)).concat(digits, digits.slice(0, 8))) {
      const start = parseTime(date)
      const until = await timestamps('--until', date)
      expect(until).toEqual(all.filter((time) => time < start || time.startsWith(start)))
      expect(until).toContain(some)
      expect(await timestamps('--since', date)).toEqual(all.filter((time) => time >= start))
      expect(await timestamps('--since', date, '--until', date)).toEqual(all.filter((time) => time.startsWith(start)))
    }
  })

  test('say what a date may be where one is not valid', async () => {
    const { code, stdout, stderr } = await run(['pages', dump, '--until', '2024-02-30'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain("argument '2024-02-30' is invalid. It must be a date such as 2026")
  })
})
