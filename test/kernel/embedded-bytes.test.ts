// Bytes as text, and back.

import { expect, test } from 'vitest'
import { encodeBytes } from '../../scripts/kernels/encode-bytes.mjs'
import { decodeBytes } from '../../source/kernel/embedded-bytes.ts'

/** Bytes of every length up to some, and of every value. */
const all = Array.from({ length: 300 }, (_, length) => Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255))

test('bytes come back as they were, in memory of their own', () => {
  for (const bytes of all) {
    const decoded = decodeBytes(encodeBytes(bytes))
    expect([...decoded]).toEqual([...bytes])
    expect(decoded.buffer.byteLength).toBe(bytes.length)
  }
})

test('the text needs no backslash in any string', () => {
  expect(encodeBytes(Uint8Array.from({ length: 256 }, (_, i) => i))).toMatch(/^[!#%&(-[\]-_a-~]+$/)
})
