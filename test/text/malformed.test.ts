import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { TextCursor } from '../../source/text/text-cursor.ts'
import { everyCut, inPieces } from '../support/collect.ts'
import { slowly } from '../support/sources.ts'

const text = 'Wé 木\n🌳🌳é, and wood\r\n\u0000 end 🌳'
const bytes = new TextEncoder().encode(text)

describe('text that is not UTF-8', () => {
  test('can be read up to the first wrong byte, wherever that is and however the bytes are cut', async () => {
    const wrong = new Uint8Array([...bytes.slice(0, 12), 0xff, ...bytes.slice(12)]) // between two code points
    const before = new TextDecoder().decode(bytes.slice(0, 12))
    const expected = { name: 'ParseError', code: 'malformed-utf8', byteOffset: 12 }
    for (const chunks of everyCut(wrong)) {
      const cursor = new TextCursor(StreamCache.from(slowly(chunks)))
      await expect(cursor.fill(before.length + 1)).rejects.toMatchObject(expected)
      expect(() => cursor.peek(before.length + 1)).toThrow(expect.objectContaining(expected))
      expect(() => cursor.skip(before.length + 1)).toThrow(expect.objectContaining(expected))
      await expect(cursor.read(before.length + 1)).rejects.toMatchObject(expected)
      expect(cursor.available).toBe(before.length)
      expect(await cursor.read(before.length)).toBe(before)
      expect([cursor.offset, cursor.done]).toEqual([12, false])
      cursor.release()
    }
  })

  test('is one that ends inside a character, too', async () => {
    for (const chunks of everyCut(new Uint8Array([0x61, 0xf0, 0x9f, 0x8c]))) {
      const cursor = new TextCursor(StreamCache.from(slowly(chunks)))
      expect(await cursor.read(1)).toBe('a')
      const error = await cursor.read(1).catch((error: unknown) => error)
      expect(error).toMatchObject({ code: 'malformed-utf8', byteOffset: 1 })
      expect((error as Error).message).toContain('ends inside')
    }
  })

  test('is reported with its offset at every place of a text', async () => {
    // The boundaries of code points are where a byte that can stand nowhere begins the malformed sequence.
    let boundary = 0
    for (const character of ['', ...text]) {
      boundary += new TextEncoder().encode(character).length
      const before = bytes.subarray(0, boundary)
      const wrong = new Uint8Array([...before, 0xff, ...bytes.subarray(boundary)])
      for (const size of [1, 3, 1000]) {
        const cursor = new TextCursor(StreamCache.from(inPieces(wrong, size)))
        const error = await cursor.read(1000).catch((error: unknown) => error)
        expect(error).toMatchObject({ code: 'malformed-utf8', byteOffset: boundary })
        expect((error as Error).message).toBe(`malformed UTF-8: byte 0xFF (byte ${boundary})`)
        expect(await cursor.read(cursor.available)).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(before))
        expect(cursor.offset).toBe(boundary)
        cursor.release()
      }
    }
  })

  test('is reported by a clone as well, from before and after', async () => {
    const cursor = new TextCursor(StreamCache.from(new Uint8Array([0x61, 0x62, 0xff])))
    const early = cursor.clone()
    await expect(cursor.fill(3)).rejects.toMatchObject({ byteOffset: 2 })
    const late = cursor.clone()
    for (const clone of [early, late]) {
      await expect(clone.read(3)).rejects.toMatchObject({ code: 'malformed-utf8', byteOffset: 2 })
      expect(await clone.read(2)).toBe('ab')
    }
  })

  test('is waited for no longer than a byte needs to be wrong', async () => {
    // Each begins a sequence whose second byte is out of its range: no third byte could help.
    for (const values of [
      [0xe0, 0x9f],
      [0xed, 0xa0],
      [0xf0, 0x8f],
      [0xf4, 0x90],
      [0xc3, 0x41],
    ]) {
      const cache = new StreamCache()
      const cursor = new TextCursor(cache)
      cache.write(new Uint8Array(values.slice(0, 1)))
      expect(cursor.peek(1)).toBeUndefined()
      cache.write(new Uint8Array(values.slice(1)))
      expect(() => cursor.peek(1)).toThrow(expect.objectContaining({ code: 'malformed-utf8', byteOffset: 0 }))
    }
  })
})

describe('text that is longer than what is decoded at a time', () => {
  const PIECE = 64 * 1024

  test('is complete, wherever the end of a piece falls in a character', async () => {
    for (let shift = 0; shift < 5; shift++) {
      const long = `${'x'.repeat(PIECE - 4 + shift)}${'🌳木é'.repeat(20_000)}`
      const encoded = new TextEncoder().encode(long)
      for (const chunks of [[encoded], inPieces(encoded, PIECE), inPieces(encoded, PIECE - 1)]) {
        const cursor = new TextCursor(StreamCache.from(chunks))
        expect((await cursor.read(1e6)) === long).toBe(true)
        expect([cursor.offset, cursor.done]).toEqual([encoded.length, true])
      }
    }
  })

  test('is reported as malformed at the right offset around the end of a piece', async () => {
    for (let place = PIECE - 5; place <= PIECE + 5; place++) {
      for (const values of [[0xff], [0xe2, 0x82, 0x41], [0xf0, 0x9f, 0x8c]]) {
        const long = new Uint8Array(2 * PIECE).fill(0x78)
        long.set(values, place)
        const cursor = new TextCursor(StreamCache.from(long))
        await expect(cursor.read(1e6)).rejects.toMatchObject({ code: 'malformed-utf8', byteOffset: place })
        expect(cursor.available).toBe(place)
        cursor.release()
      }
    }
  })
})
