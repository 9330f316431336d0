// Base64 by the runtime's own decoders and by the loop, which must agree.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { decodeBase64 } from '../../source/kernel/base64.ts'

afterEach(() => vi.unstubAllGlobals())

/** Bytes of every length up to some, and of every value. */
const all = Array.from({ length: 300 }, (_, length) => Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255))

/** Only what atob needs. */
class PlainBytes extends Uint8Array {}
Object.defineProperty(PlainBytes, 'fromBase64', { value: undefined })

describe('base64', () => {
  test.each([
    ['what this version of Node has', {}],
    ['Buffer', { Uint8Array: PlainBytes }],
    ['atob', { Uint8Array: PlainBytes, Buffer: undefined }],
  ])('is decoded by %s, into memory of its own', (_, globals) => {
    const texts = all.map((bytes) => Buffer.from(bytes).toString('base64'))
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    const decoded = texts.map(decodeBase64)
    vi.unstubAllGlobals()
    for (const [i, bytes] of decoded.entries()) {
      expect([...bytes]).toEqual([...(all[i] as Uint8Array)])
      expect(bytes.buffer.byteLength).toBe(bytes.length)
    }
  })
})
