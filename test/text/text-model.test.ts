// The text cursor against plain models: a string with an index, and the runtime's decoder.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { TextCursor } from '../../source/text/text-cursor.ts'
import { inPieces } from '../support/collect.ts'
import { anyText, parameters } from '../support/property.ts'
import { slowly } from '../support/sources.ts'

const byteLength = (part: string) => new TextEncoder().encode(part).length

test('a text cursor behaves like a string with an index, whatever is done with it', async () => {
  const acts = fc.array(fc.record({ act: fc.constantFrom('peek', 'skip', 'read', 'clone'), n: fc.nat(12) }), {
    maxLength: 20,
  })
  const texts = fc
    .array(fc.constantFrom('a', 'é', '木', '🌳', 'word', '\n'), { maxLength: 30 })
    .map((parts) => parts.join(''))
  const property = fc.asyncProperty(texts, fc.nat(7), acts, async (whole, size, acts) => {
    const encoded = new TextEncoder().encode(whole)
    const pieces = Array.from({ length: encoded.length }, (_, i) => encoded.slice(i, i + 1))
    const chunks = size === 0 ? [encoded] : pieces.map((_, i) => encoded.slice(i * size, (i + 1) * size))
    let cursor = new TextCursor(StreamCache.from(slowly(chunks)))
    let index = 0
    for (const { act, n } of acts) {
      const cut = whole.slice(index, index + n)
      const slice = /[\ud800-\udbff]$/.test(cut) ? whole.slice(index, index + n + 1) : cut
      if (act === 'peek') {
        await cursor.fill(n)
        expect(cursor.peek(n)).toBe(slice)
      } else if (act === 'read') {
        expect(await cursor.read(n)).toBe(slice)
        index += slice.length
      } else if (act === 'skip') {
        if (!(await cursor.fill(n))) continue
        cursor.skip(n)
        index += slice.length
      } else {
        const clone = cursor.clone()
        cursor.release()
        cursor = clone
      }
      expect(cursor.offset).toBe(byteLength(whole.slice(0, index)))
    }
    cursor.release()
  })
  await fc.assert(property, parameters(150))
})

const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The longest well-formed beginning, by trying all. */
function decodeBeginning(bytes: Uint8Array): { text: string; byteLength: number } {
  for (let byteLength = bytes.length; ; byteLength--) {
    try {
      return { text: fatal.decode(bytes.subarray(0, byteLength)), byteLength }
    } catch {}
  }
}

test('a text cursor reads the well-formed beginning of any bytes, in any pieces, and says where it ends', async () => {
  // Leads, continuations and ASCII, so that nearly every sequence is nearly right.
  const byte = fc.constantFrom(0x61, 0x80, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc3, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf5)
  const bytes = fc.oneof(
    fc.array(byte, { maxLength: 12 }).map((values) => Uint8Array.from(values)),
    fc.tuple(anyText(8), fc.array(byte, { maxLength: 3 })).map(([text, values]) => {
      return new Uint8Array([...new TextEncoder().encode(text), ...values])
    }),
  )
  const property = fc.asyncProperty(bytes, fc.integer({ min: 1, max: 12 }), fc.nat(5), async (bytes, size, unit) => {
    const expected = decodeBeginning(bytes)
    const cursor = new TextCursor(StreamCache.from(slowly(inPieces(bytes, size))))
    let text = ''
    let error: unknown
    try {
      for (let part = await cursor.read(unit + 1); part !== ''; part = await cursor.read(unit + 1)) text += part
    } catch (thrown) {
      error = thrown
      text += await cursor.read(cursor.available)
    }
    expect(text).toBe(expected.text)
    expect(cursor.offset).toBe(expected.byteLength)
    if (expected.byteLength === bytes.length) expect([error, cursor.done]).toEqual([undefined, true])
    else expect(error).toMatchObject({ code: 'malformed-utf8', byteOffset: expected.byteLength })
    cursor.release()
  })
  await fc.assert(property, parameters(1000))
})
