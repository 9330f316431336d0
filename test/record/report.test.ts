// What is counted of records: reports on parts add up, wherever parts are cut and in whatever order they are added up.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addNumbers,
  count,
  countFields,
  countNames,
  keepFirst,
  keepLast,
  Report,
  sum,
  tally,
} from '../../source/record/report.ts'
import { parameters } from '../support/property.ts'

type Item = Readonly<Record<string, number>>

const start = () =>
  new Report<Item>([
    sum('records', () => true),
    sum('large', ({ a = 0 }) => a > 2),
    count('total', addNumbers, { on: 'written', dataOf: ({ a }: Item) => a }),
    count('first', keepFirst, { on: 'written', dataOf: ({ b }: Item) => b }),
    count('last', keepLast, { on: 'written', dataOf: ({ b }: Item) => b }),
    countNames('names', 2, { on: 'written', dataOf: ({ a = 0, b = 0 }: Item) => tally(`n${a}`, b) }),
    countFields(['a', undefined, 'b', 'c'], (item: Item) => ({ has: (name) => item[name] !== undefined })),
  ])

function read(items: readonly Item[]): Report<Item> {
  const report = start()
  for (const item of items) report.on('written')?.(item)
  return report
}

/** As a message or a trailer has it. */
const sent = (report: Report<Item>) => JSON.parse(JSON.stringify(report.data))

test('reports on parts add up to that on all of them, and adding is associative', () => {
  const number = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
  const item = fc.record({ a: number, b: number }).map((one) => JSON.parse(JSON.stringify(one)) as Item)
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 6 }), { minLength: 3, maxLength: 3 }), (parts) => {
      const whole = sent(read(parts.flat()))
      const [one, two, three] = parts.map(read) as [Report<Item>, Report<Item>, Report<Item>]
      const later = start()
      later.add(sent(two))
      later.add(sent(three))
      one.add(sent(later))
      // Names beyond the most are counted together: which they are depends on the parts.
      const { names, ...data } = sent(one)
      const { names: _, ...expected } = whole
      expect(data).toEqual(expected)
      const counted = names?.names.reduce((total: number, [, one]: [string, { count: number }]) => total + one.count, 0)
      expect((counted ?? 0) + (names?.others ?? 0)).toBe(parts.flat().length)
    }),
    parameters(200),
  )
})

test('a report says that nobody looks at a record, and which fields are looked at', () => {
  const report = new Report<Item>([sum('faults'), sum('large', ({ a = 0 }) => a > 2, 'a')])
  expect(report.on('read')).toBeUndefined()
  expect(report.on('wanted')).toBeUndefined()
  expect(report.on('written')).toBeDefined()
  expect([report.fields(), report.fields(true)]).toEqual([['a'], []])
  expect(new Report([sum('faults')]).on('written')).toBeUndefined()
  report.add({ faults: 2, others: 3 })
  expect(report.data).toEqual({ faults: 2, large: 0 })
})

test('names are counted up to the most, each with where it was first', () => {
  const report = read([
    { a: 1, b: 5 },
    { a: 2, b: 6 },
    { a: 1, b: 7 },
    { a: 3, b: 8 },
  ])
  expect(report.read('names')).toEqual({
    names: [
      ['n1', { count: 2, first: 5 }],
      ['n2', { count: 1, first: 6 }],
    ],
    others: 1,
  })
})
