// Text that is put together: it has everything that was added, from any kind of string.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JoinedText } from '../../../source/xml/tape/joined-text.ts'
import { parameters } from '../../support/property.ts'

describe('joined text', () => {
  test('is what was added, piece by piece', () => {
    const joined = new JoinedText()
    joined.add('one ')
    joined.add('two three', 0, 4)
    joined.add('two three', 4)
    joined.add('')
    expect(joined.length).toBe(13)
    expect(joined.take()).toBe('one two three')
    expect(joined.length).toBe(0)
    expect(joined.take()).toBe('')
  })

  test('is empty again when it was taken', () => {
    const joined = new JoinedText()
    joined.add('abc', 0, 2)
    expect(joined.take()).toBe('ab')
    joined.add('abc', 2)
    expect(joined.take()).toBe('c')
  })

  test('is the same as with +', () => {
    const source = fc.constantFrom('a text of which parts are taken', 'another one', 'ü𝄞', '')
    const piece = fc.tuple(source, fc.nat(32), fc.nat(32))
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const joined = new JoinedText()
        let expected = ''
        for (const [text, one, other] of pieces) {
          const [from, to] = [Math.min(one, other, text.length), Math.min(Math.max(one, other), text.length)]
          joined.add(text, from, to)
          expected += text.slice(from, to)
          expect(joined.length).toBe(expected.length)
        }
        expect(joined.take()).toBe(expected)
      }),
      parameters(1000),
    )
  })
})
