import { describe, expect, test, vi } from 'vitest'
import { UnitDecoder } from '../../source/text/units.ts'

const TEXT = 'größe 漢字 𝄞 \uFEFF\u0000'

describe('units in memory', () => {
  const wide = Buffer.concat([Buffer.alloc(6), Buffer.from(TEXT, 'utf16le')])
  const memory = wide.buffer.slice(wide.byteOffset, wide.byteOffset + wide.length) as ArrayBuffer
  const ascii = new Uint8Array(Buffer.from('..ASCII..')).buffer

  test('are a string of UTF-16, or of ASCII', () => {
    const decoder = new UnitDecoder()
    expect(decoder.decode(memory, 6, TEXT.length, true)).toBe(TEXT)
    expect(decoder.decode(ascii, 2, 5, false)).toBe('ASCII')
    expect(decoder.decode(memory, 6, 0, true)).toBe('')
  })

  test('are the same where there are no buffers of Node', async () => {
    const { Buffer: nodeBuffer } = globalThis
    try {
      Reflect.deleteProperty(globalThis, 'Buffer')
      vi.resetModules()
      const { UnitDecoder: Portable } = await import('../../source/text/units.ts')
      const decoder = new Portable()
      expect(decoder.decode(memory, 6, TEXT.length, true)).toBe(TEXT)
      expect(decoder.decode(ascii, 2, 5, false)).toBe('ASCII')
    } finally {
      globalThis.Buffer = nodeBuffer
    }
  })
})
