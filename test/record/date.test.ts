// Dates of ISO 8601, XML Schema and RFC 822: which texts are one, and which moment they are.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDate } from '../../source/record/date.ts'
import { parameters } from '../support/property.ts'

describe('a date', () => {
  test.each([
    ['2026-11-24', '2026-11-24T00:00:00.000Z'],
    ['20261124', '2026-11-24T00:00:00.000Z'],
    ['2026-11-24T10:00', '2026-11-24T10:00:00.000Z'],
    ['2026-11-24T10:00Z', '2026-11-24T10:00:00.000Z'],
    ['2026-11-24T10:20:30', '2026-11-24T10:20:30.000Z'],
    ['20261124T102030Z', '2026-11-24T10:20:30.000Z'],
    ['20261124T1020', '2026-11-24T10:20:00.000Z'],
    ['2026-11-24T10:00:00+01:00', '2026-11-24T09:00:00.000Z'],
    ['2026-11-24T10:00:00-05', '2026-11-24T15:00:00.000Z'],
    ['20261124T100000.25-0530', '2026-11-24T15:30:00.250Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-11-24T10:00:00-00:00', '2026-11-24T10:00:00.000Z'],
    ['2026-11-24T24:00', '2026-11-25T00:00:00.000Z'],
    ['2026-11-24T24:00:00.000Z', '2026-11-25T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['0099-12-31', '0099-12-31T00:00:00.000Z'],
    ['+012026-11-24T10:00Z', '+012026-11-24T10:00:00.000Z'],
    ['-000001-12-31', '-000001-12-31T00:00:00.000Z'],
    // A day of XML Schema with a zone is that day.
    ['2026-11-24Z', '2026-11-24T00:00:00.000Z'],
    ['2026-11-24+01:00', '2026-11-24T00:00:00.000Z'],
    ['2026-11-24-14:00', '2026-11-24T00:00:00.000Z'],
    ['2026-11-24T10:00:00+0100', '2026-11-24T09:00:00.000Z'],
    ['2026-11-24T10:00:00.5-0530', '2026-11-24T15:30:00.500Z'],
    ['2026-11-24 10:00:00', '2026-11-24T10:00:00.000Z'],
    ['2026-11-24 10:00:00,123 +0100', '2026-11-24T09:00:00.123Z'],
    ['2026-11-24t10:00z', '2026-11-24T10:00:00.000Z'],
    ['Tue, 24 Nov 2026 10:00:00 GMT', '2026-11-24T10:00:00.000Z'],
    ['tue,24 nov 2026 10:00 ut', '2026-11-24T10:00:00.000Z'],
    ['4 Feb 26 10:00:00 +0130', '2026-02-04T08:30:00.000Z'],
    ['04 Dec 99 10:00:00 Z', '1999-12-04T10:00:00.000Z'],
    ['24 Nov 2026 10:00:00 UTC', '2026-11-24T10:00:00.000Z'],
    ['24 Nov 2026 10:00:00 EST', '2026-11-24T15:00:00.000Z'],
    ['24 Nov 2026 10:00:00 EDT', '2026-11-24T14:00:00.000Z'],
    ['24 Nov 2026 10:00:00 CST', '2026-11-24T16:00:00.000Z'],
    ['24 Nov 2026 10:00:00 MDT', '2026-11-24T16:00:00.000Z'],
    ['24 Nov 2026 10:00:00 PST', '2026-11-24T18:00:00.000Z'],
    ['24 Nov 2026 10:00:00 PDT', '2026-11-24T17:00:00.000Z'],
  ])('is %s', (text, iso) => {
    expect(parseDate(text)?.toISOString()).toBe(iso)
  })

  test('is exact to the millisecond: further digits are cut off, before 1970 as well', () => {
    for (const [fraction, milliseconds] of [
      ['.1', 100],
      [',12', 120],
      ['.123456', 123],
      ['.1239999999999999999999', 123],
      ['.0009', 0],
    ] as const)
      for (const day of ['2026-11-24', '1960-11-24'])
        expect(parseDate(`${day}T10:00:00${fraction}+01:00`)?.getUTCMilliseconds()).toBe(milliseconds)
  })

  test.each([
    ...['', 'now', '2026', '2026-11', '2026-328', '2026-W48-2', '26-11-24', '2026-1-1', '12026-11-24'],
    // A day that is not there.
    ...['2026-02-29', '1900-02-29', '2026-11-31', '2026-13-01', '2026-00-01', '2026-11-00', '20261131'],
    // A time that is not there, such as a leap second.
    ...[
      '2026-11-24T25:00',
      '2026-11-24T10:60',
      '2016-12-31T23:59:60Z',
      '2026-11-24T24:00:01',
      '2026-11-24T24:00:00.0001',
    ],
    ...[
      '2026-11-24T10',
      '2026-11-24T',
      '2026-11-24T10:00:00.',
      '2026-11-24T10:00.5',
      '20261124Z',
      '2026-11-24+15:00',
      '2026-11-24+0100',
    ],
    // Zones, and both forms in one text.
    ...[
      '2026-11-24T10:00+1',
      '2026-11-24T10:00+24:00',
      '2026-11-24T10:00+01:60',
      '2026-11-24T10:00  Z',
      '2026-11-24T10:00CET',
    ],
    ...['2026-11-24T1000Z', '20261124T10:00Z', '2026-1124', '20261124T1000+01:00'],
    // RFC 822 without a zone, with one of the military, with a day or a month that is not there.
    ...[
      '24 Nov 2026 10:00:00',
      '24 Nov 2026 10:00 A',
      '24 Nov 2026 10:00 CET',
      'Tue 24 Nov 2026 10:00 GMT',
      '31 Nov 2026 10:00 GMT',
      '24 Nuv 2026 10:00 GMT',
      '24 Nov 026 10:00 GMT',
      'Nov 24 2026 10:00 GMT',
    ],
    '24.11.2026',
    ...['-000000-01-01', '+275760-09-14', '-271821-04-19', '٢٠٢٦-11-24', '2026-11-24\n', ' 2026-11-24'],
  ])('is not %j', (text) => {
    expect(parseDate(text)).toBeUndefined()
  })

  test('is every date that JavaScript has, as it writes it', () => {
    const property = fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(parseDate(date.toISOString())).toEqual(date)
    })
    fc.assert(property, parameters(5000, 300))
  })

  test('is what JavaScript reads, where both say what it is', () => {
    const digits = (length: number, most: number, least = 0) =>
      fc.integer({ min: least, max: most }).map((n) => `${n}`.padStart(length, '0'))
    const year = fc.oneof(
      digits(4, 9999),
      digits(6, 200_000, 10_000).map((text) => `+${text}`),
    )
    const offset = fc.tuple(fc.constantFrom('+', '-'), digits(2, 23), digits(2, 59))
    const zone = fc.oneof(
      fc.constant('Z'),
      offset.map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    )
    const fraction = fc.oneof(
      fc.constant(''),
      digits(3, 999).map((text) => `.${text}`),
    )
    const time = fc.tuple(digits(2, 25), digits(2, 61), digits(2, 61), fraction, zone)
    const day = fc.tuple(year, digits(2, 13), digits(2, 32)).map((parts) => parts.join('-'))
    const property = fc.property(day, fc.option(time), (day, time) => {
      const [hour, minute, second, fraction, zone] = time ?? []
      const text = time ? `${day}T${hour}:${minute}:${second}${fraction}${zone}` : day
      // The engine counts some days that are not there as days of the next month.
      const midnight = new Date(`${day}T00:00Z`)
      const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
      expect(parseDate(text)?.getTime() ?? Number.NaN, text).toBe(isDay ? Date.parse(text) : Number.NaN)
    })
    fc.assert(property, parameters(20_000, 2000))
  })
})
