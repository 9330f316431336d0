import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { formatJson } from '../../source/text/json.ts'
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
      fc.assert(property, parameters(1000, 100))
    },
  )

  test('is written at any depth', () => {
    let data: unknown = []
    for (let i = 0; i < 100_000; i++) data = { a: data }
    expect(formatJson(data as object)).toBe(`${'{"a":'.repeat(100_000)}[]${'}'.repeat(100_000)}`)
    expect(formatJson([new Date(0), data])).toMatch(/^\["1970-01-01T00:00:00.000Z",\{"a":/)
  })
})
