import { describe, expect, test } from 'vitest'
import { decodeUtf8, UnitDecoder } from '../../source/text/units.ts'
import { isThorough } from '../support/extent.ts'

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
      // Another module, of the same file: to load all modules anew would cost the files of tests that come after it seconds.
      const path = '../../source/text/units.ts?without-buffers'
      const { UnitDecoder: Portable }: { UnitDecoder: typeof UnitDecoder } = await import(path)
      const decoder = new Portable()
      expect(decoder.decode(memory, 6, TEXT.length, true)).toBe(TEXT)
      expect(decoder.decode(ascii, 2, 5, false)).toBe('ASCII')
    } finally {
      globalThis.Buffer = nodeBuffer
    }
  })
})

describe('a string of UTF-8', () => {
  test.runIf(isThorough)('is right for texts of any length that come again and again among others', () => {
    const letters = ['a', 'b', '\u0000', '\u007f', 'ß', '漢', '𝄞']
    let seed = 7
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
      return (seed >>> 16) % below
    }
    for (let i = 0; i < 20_000; i++) {
      // Mostly of two letters, so that most are among the recent ones, or stand where one of them would.
      const choice = random(8) === 0 ? letters.length : 2
      const text = Array.from({ length: random(20) }, () => letters[random(choice)]).join('')
      const bytes = Buffer.from(`x${text}x`)
      expect(decodeUtf8(bytes, 1, bytes.length - 1)).toBe(text)
    }
  })

  test('does not change with the bytes that it was made of', () => {
    const bytes = new Uint8Array(Buffer.from('same'))
    const text = decodeUtf8(bytes, 0, 4)
    bytes.fill(0x7a)
    expect(decodeUtf8(bytes, 0, 4)).toBe('zzzz')
    expect(text).toBe('same')
  })
})
