import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadKernel } from '../../source/kernel/load.ts'
import { plainScanner } from '../../source/text/plain-scanner.ts'
import { loadWasmScanner, type Scanner, scanner } from '../../source/text/scanner.ts'
import { isThorough } from '../support/extent.ts'
import { parameters } from '../support/property.ts'

const wasm = loadWasmScanner() as Scanner
const encode = (text: string) => new TextEncoder().encode(text)

/** The answer in the simplest way. */
function findNaively(haystack: Uint8Array, needle: Uint8Array, from: number): number {
  return Buffer.from(haystack).indexOf(needle, from)
}

describe.each([
  ['the kernel', wasm],
  ['its plain twin', plainScanner],
])('%s', (_, engine) => {
  test.each([
    ['a page of text', 'page', 0, 2],
    ['a page of text', 'page', 2, 2],
    ['a page of text', 'page', 3, -1],
    ['a page of text', 't', 0, 10],
    ['abcabcabd', 'abcabd', 0, 3],
    ['', 'x', 0, -1],
    ['short', 'longer than it', 0, -1],
    ['at the very end of more than sixteen bytes', 'bytes', 0, 37],
    ['anything', '', 3, 3],
  ])('finds in %j %j from %i at %i', (haystack, needle, from, expected) => {
    expect(engine.findBytes(encode(haystack), encode(needle), from)).toBe(expected)
  })

  test('finds what lies across the edges of its windows', () => {
    const haystack = new Uint8Array(1_200_000)
    const needle = encode('</page>')
    const edges = [
      2048,
      2048 + 4096 - 6,
      6130,
      14_316,
      30_694,
      63_456,
      128_986,
      260_052,
      262_144,
      522_190,
      784_328,
      1_199_993,
    ]
    for (const edge of edges) {
      for (let place = edge - 16; place <= edge + 16 && place + needle.length <= haystack.length; place++) {
        haystack.set(needle, place)
        expect(engine.findBytes(haystack, needle, 0)).toBe(place)
        haystack.fill(0, place, place + needle.length)
      }
    }
  })

  test('finds from any offset, also when windows begin there', () => {
    const haystack = new Uint8Array(300_000)
    const needle = encode('</page>')
    for (const place of [0, 2000, 2047, 140_000, 299_993]) haystack.set(needle, place)
    const froms = [
      0, 1, 5, 1999, 2000, 2001, 2046, 2047, 2048, 139_999, 140_001, 270_000, 299_993, 299_994, 300_000, 300_001,
    ]
    for (const from of froms) expect(engine.findBytes(haystack, needle, from)).toBe(findNaively(haystack, needle, from))
  })

  test('finds in a view what lies in the view, and not beside it', () => {
    const memory = encode('</page> between </page>')
    const view = memory.subarray(3, -1)
    expect(engine.findBytes(view, encode('</page>'), 0)).toBe(-1)
    expect(engine.findBytes(view, encode('</page'), 0)).toBe(13)
  })

  test('is not misled by what it looked for and in before', () => {
    expect(engine.findBytes(encode('a longer text with a needle in it'), encode('needle'), 0)).toBe(21)
    expect(engine.findBytes(encode('short'), encode('needle'), 0)).toBe(-1)
    expect(engine.findBytes(encode('nee'), encode('ne'), 0)).toBe(0)
    expect(engine.findBytes(encode('e'), encode('e'), 0)).toBe(0)
    expect(engine.countLineFeeds(encode('\n'.repeat(40)))).toBe(40)
    expect(engine.countLineFeeds(encode('x'))).toBe(0)
  })

  test('finds needles of any length', () => {
    const haystack = Uint8Array.from({ length: 9000 }, (_, i) => (i * i) % 251)
    for (const length of [1, 2, 15, 16, 17, 1023, 1024, 1025, 3000]) {
      const needle = haystack.slice(5000, 5000 + length)
      expect(engine.findBytes(haystack, needle, 0)).toBe(findNaively(haystack, needle, 0))
    }
  })

  test('finds what the simplest search finds', () => {
    const bytes = fc.uint8Array({ max: 2, maxLength: 200 })
    const property = fc.property(
      bytes,
      fc.uint8Array({ max: 2, minLength: 1, maxLength: 6 }),
      fc.nat(50),
      (haystack, needle, from) => {
        expect(engine.findBytes(haystack, needle, from)).toBe(findNaively(haystack, needle, from))
      },
    )
    fc.assert(property, parameters(500))
  })

  test('counts line feeds in bytes of any length', () => {
    for (const length of [0, 1, 15, 16, 17, 100, 262_144, 262_145, 600_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i % 7 === 3 ? 10 : i % 256))
      expect(engine.countLineFeeds(bytes)).toBe(bytes.filter((byte) => byte === 10).length)
    }
  })
})

test('the kernel runs here, and is what is used', () => {
  expect(wasm.engine).toBe('wasm')
  expect(scanner().engine).toBe('wasm')
})

test('a module that cannot be compiled is none, so that the plain twin is used', () => {
  expect(loadKernel(btoa('this is no module'))).toBeUndefined()
})

test.runIf(isThorough)('the embedded kernels are what their sources compile to', () => {
  const script = fileURLToPath(new URL('../../scripts/generate-kernels.mjs', import.meta.url))
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
})
