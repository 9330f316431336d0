import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { builtinModule } from '../../source/async/builtin.ts'
import { decompress } from '../../source/compression/decompress.ts'
import { CompressionError } from '../../source/compression/errors.ts'
import { collect, collectUntilFault, everyCut, inPieces } from '../support/collect.ts'
import { readFixture } from '../support/fixtures.ts'
import { failing } from '../support/sources.ts'

const twoFrames = readFixture('compression/two-frames.zst')
const twoFramesText = 'The first frame. é木🌳\nThe second frame.\n'
const lines = readFixture('compression/lines.zst')
const linesText = Array.from({ length: 20000 }, (_, i) => `line ${i} of the text\n`).join('')

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const hasZstd = 'createZstdDecompress' in (builtinModule('node:zlib') as object)

afterEach(() => vi.restoreAllMocks())

describe.each(hasZstd ? ['zlib', 'fzstd'] : ['fzstd'])('a zstd source, by %s', (engine) => {
  beforeEach(() => {
    if (engine === 'zlib') return
    vi.spyOn(process as { getBuiltinModule(name: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
  })

  test('gives the content of all frames, whole, byte by byte and at every cut', async () => {
    for (const chunks of everyCut(twoFrames)) expect(decode(await collect(decompress(chunks)))).toBe(twoFramesText)
  })

  test('gives content of several blocks, in pieces of any size', async () => {
    for (const size of [100, 5000, lines.length]) {
      expect(decode(await collect(decompress(inPieces(lines, size))))).toBe(linesText)
    }
  })

  test('that is cut off anywhere gives what came before, and is called truncated, or is the first frame alone', async () => {
    const second = Buffer.from(twoFrames).indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 4)
    for (let length = 4; length < twoFrames.length; length++) {
      const { bytes, error } = await collectUntilFault(decompress(twoFrames.slice(0, length)))
      // What came before may end in the middle of a character.
      expect(Buffer.from(twoFramesText).subarray(0, bytes.length).equals(bytes)).toBe(true)
      if (length === second) expect(error).toBeUndefined()
      else expect(error, `${length}`).toBeInstanceOf(CompressionError)
    }
    const { bytes, error } = await collectUntilFault(decompress(lines.slice(0, -20)))
    expect(linesText.startsWith(decode(bytes))).toBe(true)
    expect(error).toMatchObject({ code: 'truncated', format: 'zstd', byteOffset: lines.length - 20 })
  })

  test('that is damaged is an error with the place', async () => {
    const damaged = lines.slice()
    damaged.fill(0xff, lines.length / 2, lines.length / 2 + 100)
    const { bytes, error } = await collectUntilFault(decompress(damaged))
    expect(linesText.startsWith(decode(bytes).slice(0, 1000))).toBe(true)
    expect(error).toMatchObject({ code: 'corrupt', format: 'zstd' })
  })

  test('that fails when all has arrived gives everything', async () => {
    const { bytes, error } = await collectUntilFault(decompress(failing([twoFrames], new Error('the disk is gone'))))
    expect(decode(bytes)).toBe(twoFramesText)
    expect(error).toMatchObject({ code: 'source-failed' })
  })
})
