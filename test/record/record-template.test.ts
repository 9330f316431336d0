import { describe, expect, test } from 'vitest'
import { RecordTemplate } from '../../source/record/record-template.ts'

describe('records from a template', () => {
  test('say what they are first, and may have fields that are set later', () => {
    const record = RecordTemplate.of(['a', 'b', 'c', 'd', 'e'], 'word', ['start', 'end']).make([1, 2, 3, 4, 5], 0)
    record.start = 6
    record.end = 7
    expect(Object.entries(record).flat()).toEqual([
      'type',
      'word',
      'a',
      1,
      'b',
      2,
      'c',
      3,
      'd',
      4,
      'e',
      5,
      'start',
      6,
      'end',
      7,
    ])
  })

  test.each([1, 5, 9])('do not share values, and have a field called __proto__ like any other (%i fields)', (count) => {
    const names = ['__proto__', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].slice(0, count)
    const template = RecordTemplate.of(names, undefined, [])
    const [one, other] = [template.make(names, 0), template.make(names.toReversed(), 0)]
    expect(Object.keys(one)).toEqual(names)
    expect(Object.values(one)).toEqual(names)
    expect(Object.values(other)).toEqual(names.toReversed())
    expect(Object.getPrototypeOf(one)).toBe(Object.prototype)
  })

  test('have the fields in their order, however many there are, and of however many forms records were made', () => {
    for (let form = 0; form < 40; form++) {
      const names = Array.from({ length: form % 14 }, (_, i) => `field${form}_${i}`)
      const values = ['below', ...names.map((_, i) => i * form)]
      const record = RecordTemplate.of(names, undefined, []).make(values, 1)
      expect(JSON.stringify(record)).toBe(JSON.stringify(Object.fromEntries(names.map((name, i) => [name, i * form]))))
    }
  })
})
