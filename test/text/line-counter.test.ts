import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLineFeeds, LineCounter } from '../../source/text/line-counter.ts'
import { everyCut } from '../support/collect.ts'
import { parameters } from '../support/property.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The position after a text, in the simplest way. */
function locate(text: string) {
  const lines = text.split('\n')
  return { byteOffset: encode(text).length, line: lines.length, column: (lines.at(-1) as string).length + 1 }
}

test('the position after a text is the same however the text is cut', () => {
  for (const text of ['', 'a', '\n', 'a\nb', 'é木🌳\n\n🌳é', 'one\r\ntwo\r\n', 'no line feed 🌳']) {
    for (const chunks of everyCut(encode(text))) {
      const counter = new LineCounter()
      for (const chunk of chunks) counter.advance(chunk)
      expect(counter.position).toEqual(locate(text))
    }
  }
})

test('the position after every prefix of a text is correct', () => {
  const texts = fc.array(fc.constantFrom('a', '\n', 'é', '木', '🌳', 'word '), { maxLength: 30 })
  const property = fc.property(texts, (pieces) => {
    const counter = new LineCounter()
    let text = ''
    for (const piece of pieces) {
      text += piece
      counter.advance(encode(piece))
      expect(counter.position).toEqual(locate(text))
    }
  })
  fc.assert(property, parameters(200))
})

test('a clone continues by itself', () => {
  const counter = new LineCounter()
  counter.advance(encode('one\ntwo'))
  const clone = counter.clone()
  clone.advance(encode('\nthree'))
  expect(counter.position).toEqual(locate('one\ntwo'))
  expect(clone.position).toEqual(locate('one\ntwo\nthree'))
})

test('line feeds are counted in bytes of any length', () => {
  for (const length of [0, 1, 15, 16, 17, 100, 600_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i % 7 === 3 ? 10 : i % 256))
    expect(countLineFeeds(bytes)).toBe(bytes.filter((byte) => byte === 10).length)
  }
})

test('line feeds are counted in bytes that begin anywhere in memory, with any bytes beside them', () => {
  const memory = Uint8Array.from({ length: 4096 }, (_, i) => (i % 3 === 0 ? 10 : (i * 7) % 256))
  for (let from = 0; from < 8; from++) {
    for (let to = from; to < from + 40; to++) {
      const bytes = memory.subarray(from, to)
      expect(countLineFeeds(bytes)).toBe(bytes.filter((byte) => byte === 10).length)
    }
  }
  for (let byte = 0; byte < 256; byte++) {
    expect(countLineFeeds(new Uint8Array(32).fill(byte))).toBe(byte === 10 ? 32 : 0)
    expect(countLineFeeds(Uint8Array.from({ length: 32 }, (_, i) => (i % 4 === 1 ? 10 : byte)))).toBe(
      byte === 10 ? 32 : 8,
    )
  }
})
