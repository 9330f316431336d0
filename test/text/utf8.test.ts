import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCutSequence, findMalformed, sequenceLength, utf8Length, utf16Length } from '../../source/text/utf8.ts'
import { sample } from '../support/extent.ts'
import { anyText, parameters } from '../support/property.ts'

const encode = (text: string) => new TextEncoder().encode(text)
/** Bytes that are nearly UTF-8: well-formed text with a few bytes changed, left out or added. */
const nearlyUtf8 = fc
  .tuple(anyText(12), fc.array(fc.tuple(fc.nat(40), fc.nat(255)), { maxLength: 2 }))
  .map(([text, changes]) => {
    const bytes = encode(text)
    for (const [place, value] of changes) if (place < bytes.length) bytes[place] = value
    return bytes
  })

describe('checking UTF-8', () => {
  test('agrees with the runtime on every sequence of up to three bytes that begins with a lead byte', () => {
    const disagreements: Uint8Array[] = []
    for (let first = 0; first < 256; first++) {
      for (let second = 0; second < 256; second += first < 0x80 ? 255 : 1) {
        for (const third of sample([0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff], 4)) {
          const bytes = new Uint8Array([first, second, third])
          if ((findMalformed(bytes) === -1) !== isUtf8(bytes)) disagreements.push(bytes)
        }
      }
    }
    expect(disagreements).toEqual([])
  })

  test('agrees with the runtime on sequences of four bytes, at the ends of each range', () => {
    const disagreements: Uint8Array[] = []
    const ends = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0xbf, 0xc0, 0xff]
    for (let first = 0xef; first <= 0xff; first++) {
      for (const second of ends) {
        for (const third of ends) {
          for (const fourth of ends) {
            const bytes = new Uint8Array([first, second, third, fourth])
            if ((findMalformed(bytes) === -1) !== isUtf8(bytes)) disagreements.push(bytes)
          }
        }
      }
    }
    expect(disagreements).toEqual([])
  })

  test('knows the length of a sequence, and distinguishes cut-off from malformed ones', () => {
    const lengthOf = (...values: number[]) => sequenceLength(new Uint8Array(values), 0)
    expect([lengthOf(0x41), lengthOf(0xc3, 0xa9), lengthOf(0xe6, 0x9c, 0xa8)]).toEqual([1, 2, 3])
    expect(lengthOf(0xf0, 0x9f, 0x8c, 0xb3, 0xf0)).toBe(4)
    for (const cut of [[0xc2], [0xe0], [0xe0, 0xa0], [0xed, 0x9f], [0xf0], [0xf0, 0x90], [0xf4, 0x8f, 0xbf]]) {
      expect(lengthOf(...cut)).toBe(-1)
    }
    for (const wrong of [[0x80], [0xc1, 0x80], [0xe0, 0x9f], [0xed, 0xa0], [0xf0, 0x8f], [0xf4, 0x90], [0xf5]]) {
      expect(lengthOf(...wrong)).toBe(0)
    }
  })

  test('finds the first wrong sequence, before which all is well', () => {
    fc.assert(
      fc.property(nearlyUtf8, (bytes) => {
        const place = findMalformed(bytes)
        expect(place === -1).toBe(isUtf8(bytes))
        if (place === -1) return
        expect(isUtf8(bytes.subarray(0, place))).toBe(true)
        // Nothing that follows can make it right.
        if (sequenceLength(bytes, place) === 0) {
          expect(isUtf8(new Uint8Array([...bytes.subarray(place), 0x80]))).toBe(false)
        }
      }),
      parameters(1000),
    )
  })

  test('finds where a sequence is cut off by the end', () => {
    const bytes = encode('aé木🌳')
    const cuts = Array.from({ length: bytes.length + 1 }, (_, length) => findCutSequence(bytes.subarray(0, length)))
    expect(cuts).toEqual([0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10])
  })

  test('does not call wrong bytes at the end cut off', () => {
    for (const bytes of [[0x80], [0x61, 0xbf, 0xbf, 0xbf, 0xbf], [0xc0], [0xe0, 0x80], [0xf5], [0xed, 0xa0]]) {
      expect(findCutSequence(new Uint8Array(bytes))).toBe(bytes.length)
    }
  })
})

describe('counting', () => {
  test('the bytes of text, and the UTF-16 units of bytes, agrees with the runtime', () => {
    fc.assert(
      fc.property(anyText(40), (text) => {
        const bytes = encode(text)
        expect(utf8Length(text, 0, text.length)).toBe(bytes.length)
        expect(utf16Length(bytes)).toBe(text.length)
      }),
      parameters(1000),
    )
  })

  test('the bytes of a part of a text counts that part', () => {
    expect(utf8Length('aé木🌳z', 1, 3)).toBe(5)
    expect(utf8Length('aé木🌳z', 3, 5)).toBe(4)
    expect(utf8Length('aé木🌳z', 2, 2)).toBe(0)
  })
})
