// Hexadecimal by the runtime's own decoders and by the loop, which must agree.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { decodeHex } from '../../source/kernel/hex.ts'

afterEach(() => vi.unstubAllGlobals())

/** Bytes of every length up to some, and of every value. */
const all = Array.from({ length: 300 }, (_, length) => Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255))

class PlainBytes extends Uint8Array {}
Object.defineProperty(PlainBytes, 'fromHex', { value: undefined })

describe('hexadecimal', () => {
  test.each([
    ['what this version of Node has', {}],
    ['Buffer', { Uint8Array: PlainBytes }],
    ['a loop', { Uint8Array: PlainBytes, Buffer: undefined }],
  ])('is decoded by %s, into memory of its own', (_, globals) => {
    const texts = all.map((bytes) => Buffer.from(bytes).toString('hex'))
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    const decoded = texts.map(decodeHex)
    vi.unstubAllGlobals()
    for (const [i, bytes] of decoded.entries()) {
      expect([...bytes]).toEqual([...(all[i] as Uint8Array)])
      expect(bytes.buffer.byteLength).toBe(bytes.length)
    }
  })
})
