import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ChunkEncoder } from '../../source/stream/chunk-encoder.ts'
import { chunkedText, parameters } from '../support/property.ts'

function encodeAll(chunks: (string | Uint8Array)[]): Uint8Array {
  const encoder = new ChunkEncoder(false)
  const pieces = chunks.map((chunk) => encoder.encode(chunk))
  return new Uint8Array(Buffer.concat([...pieces, encoder.end()]))
}

describe('encoding chunks', () => {
  test('loses nothing where a string is cut, also inside a surrogate pair', () => {
    fc.assert(
      fc.property(chunkedText, (chunks) => {
        expect(encodeAll(chunks)).toEqual(new TextEncoder().encode(chunks.join('')))
      }),
      parameters(500),
    )
  })

  test('cuts a pair at every place of a text', () => {
    // With the first and the last of each half: D800, DBFF, DC00, DFFF.
    const text = 'a🌳b🌳🌳\u{10000}\u{103ff}\u{10fc00}\u{10ffff}\ud7ff\ue000'
    for (let cut = 0; cut <= text.length; cut++) {
      expect(encodeAll([text.slice(0, cut), text.slice(cut)])).toEqual(new TextEncoder().encode(text))
    }
    expect(encodeAll(text.split(''))).toEqual(new TextEncoder().encode(text))
  })

  test('makes U+FFFD of half a pair that stays alone', () => {
    const replacement = [0xef, 0xbf, 0xbd]
    expect([...encodeAll(['\ud83c'])]).toEqual(replacement)
    expect([...encodeAll(['\ud83c', 'x'])]).toEqual([...replacement, 0x78])
    expect([...encodeAll(['\ud83c', new Uint8Array([1])])]).toEqual([...replacement, 1])
    expect([...encodeAll(['\udf33'])]).toEqual(replacement)
  })

  test('keeps half a pair for its other half over chunks that are empty', () => {
    for (const empty of ['', new Uint8Array(0)]) {
      expect(encodeAll(['\ud83c', empty, '\udf33'])).toEqual(new TextEncoder().encode('🌳'))
    }
  })

  test('keeps halves apart that are not a pair', () => {
    for (const halves of [
      ['\ud83c', '\ud83c', '\udf33'],
      ['\udf33', '\ud83c'],
      ['a\ud83c', 'b'],
      ['\ud83c', '\udf33\udf33'],
    ]) {
      expect(encodeAll(halves)).toEqual(new TextEncoder().encode(halves.join('')))
    }
  })

  test('takes bytes over as they are, as a Uint8Array proper', () => {
    const encoder = new ChunkEncoder(false)
    const bytes = new Uint8Array([1, 2, 3])
    expect(encoder.encode(bytes)).toBe(bytes)
    const buffer = Buffer.from('abc')
    const taken = encoder.encode(buffer)
    expect(taken.constructor).toBe(Uint8Array)
    expect(taken.buffer).toBe(buffer.buffer)
    expect(taken.byteOffset).toBe(buffer.byteOffset)
    const foreign: Uint8Array = runInNewContext('new Uint8Array([1, 2, 3])')
    expect(encoder.encode(foreign).constructor).toBe(Uint8Array)
    expect(encoder.encode(foreign)).toEqual(new Uint8Array([1, 2, 3]))
  })

  test('copies them when asked to', () => {
    const buffer = Buffer.from('abc')
    const copy = new ChunkEncoder(true).encode(buffer)
    buffer.fill(0)
    expect(copy).toEqual(new Uint8Array([0x61, 0x62, 0x63]))
  })

  test.each([[7], [null], [undefined], [{}], [[1, 2]], [new Uint16Array(2)], [new DataView(new ArrayBuffer(2))]])(
    'refuses %j',
    (chunk) => {
      const encode = () => new ChunkEncoder(false).encode(chunk as unknown as string)
      expect(encode).toThrow(TypeError)
      expect(encode).toThrow(expect.objectContaining({ code: 'invalid-chunk' }))
    },
  )
})
