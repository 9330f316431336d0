import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { formatJson, formatObject } from '../../source/text/json.ts'
import { parameters } from '../support/property.ts'

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.string(),
    fc.constantFrom(undefined, null, true, 1.5, Number.NaN),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.nat().map(String)), tie('value')),
  ),
})).value

describe('plain data that is too deep for the stack', () => {
  test.each([undefined, null] as const)(
    'has the text that it would have if the stack were larger (absent: %s)',
    (absent) => {
      const write = JSON.stringify
      const property = fc.property(fc.array(value), (data) => {
        const expected = write(data, absent === null ? (_, inner) => (inner === undefined ? null : inner) : undefined)
        const spy = vi.spyOn(JSON, 'stringify').mockImplementationOnce(() => {
          throw new RangeError('Maximum call stack size exceeded')
        })
        try {
          expect(formatJson(data, absent)).toBe(expected)
        } finally {
          spy.mockRestore()
        }
      })
      fc.assert(property, parameters(1000))
    },
  )

  test('is written at any depth', () => {
    let data: unknown = []
    for (let i = 0; i < 100_000; i++) data = { a: data }
    expect(formatJson(data as object)).toBe(`${'{"a":'.repeat(100_000)}[]${'}'.repeat(100_000)}`)
    expect(formatJson([new Date(0), data])).toMatch(/^\["1970-01-01T00:00:00.000Z",\{"a":/)
  })
})

test('an object or array that is in itself is refused with its place, but not one in several places', () => {
  const twice = { x: [1n] }
  expect(formatJson({ a: twice, b: [twice, twice] })).toBe('{"a":{"x":[1]},"b":[{"x":[1]},{"x":[1]}]}')
  const ring: unknown[] = [twice]
  ring.push({ b: ring })
  for (const [data, place] of [
    [ring, '1.b'],
    [{ a: twice, c: { ring } }, 'c.ring.1.b'],
  ] as const) {
    expect(() => formatJson(data)).toThrow(new TypeError(`the value at ${place} is in itself`))
  }
})

describe('an object with keys in an order', () => {
  test('has them in this order, whatever they are, and as often as they are given', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'constructor', '__proto__', 'toJSON', '7', '07', '1a', '', '"'))
    const value = fc.constantFrom(undefined, null, 1, 'x', [undefined, { b: undefined }], { toJSON: 1 }, new Date(0))
    const property = fc.property(keys, fc.array(value), fc.constantFrom(undefined, null), (keys, values, absent) => {
      const members = keys.flatMap((key, i) => {
        const value = values[i] === undefined ? absent : values[i]
        return value === undefined ? [] : `${JSON.stringify(key)}:${formatJson(value, absent)}`
      })
      for (let i = 0; i < 2; i++) expect(formatObject(keys, values, absent)).toBe(`{${members.join()}}`)
    })
    fc.assert(property, parameters(2000, 200))
  })
})
