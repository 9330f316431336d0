import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kindOf as entryOf } from '../../../source/record/kinds.ts'
import { isPrintedAs, ValueSurvey } from '../../../source/xml/infer/value-kinds.ts'

function kindOf(...texts: readonly string[]): string {
  const survey = new ValueSurvey()
  for (const text of texts) survey.add(text)
  return survey.kind
}

describe('the kind of values', () => {
  test.each([
    ['integer', ['0', '7', '-12', '9007199254740991']],
    ['number', ['1.5', '7', '-0.25']],
    ['boolean', ['true', 'false']],
    ['date', ['2026-01-02T03:04:05.000Z']],
    ['string', ['007', '7']],
    ['string', ['1e3']],
    ['string', ['+1']],
    ['string', ['1.0']],
    ['string', ['-0']],
    ['string', ['.5']],
    ['string', [' 7']],
    ['string', ['']],
    ['string', ['7', '']],
    ['string', ['true', '1']],
    ['string', ['NaN']],
    ['string', ['Infinity']],
    ['string', ['0x10']],
    ['string', ['2026-01-02']],
    ['string', ['2026-01-02T03:04:05Z']],
    ['string', ['7', 'true']],
    ['string', []],
  ])('is %s for %j', (kind, texts) => {
    expect(kindOf(...texts)).toBe(kind)
  })

  test('is int64 for whole numbers of 64 bits that JavaScript does not represent', () => {
    expect(kindOf('9007199254740993')).toBe('int64')
    expect(kindOf('7', '-9223372036854775808')).toBe('int64')
    expect(kindOf('7', '9223372036854775808')).toBe('string')
    expect(kindOf('9007199254740993', '07')).toBe('string')
    expect(kindOf('7.5', '9007199254740993')).toBe('string')
    expect(kindOf('99999999999999999999')).toBe('string')
  })

  test('gives back each text as it is', () => {
    const text = fc.oneof(
      fc.double().map(String),
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.string(),
    )
    fc.assert(
      fc.property(text, (one) => {
        const kind = kindOf(one)
        const value = entryOf(kind).parse(one)
        expect(value instanceof Date ? value.toISOString() : String(value)).toBe(one)
        expect(isPrintedAs(kind as 'string', one)).toBe(true)
      }),
    )
  })
})

test('dates that would be printed in another way are known', () => {
  const survey = new ValueSurvey()
  survey.add('2026-01-02')
  survey.add('2026-01-02T03:04Z')
  expect([survey.kind, survey.areOtherDates]).toEqual(['string', true])
  survey.add('soon')
  expect(survey.areOtherDates).toBe(false)
})

test('an example is the first value that is short and can be printed', () => {
  const survey = new ValueSurvey()
  for (const text of ['', 'x'.repeat(100), 'a\nb', 'b', 'c']) survey.add(text)
  expect(survey.example).toBe('b')
})
