import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { builtinModule } from '../../../source/async/builtin.ts'
import { decompress } from '../../../source/compression/decompress.ts'
import { CompressionError } from '../../../source/compression/errors.ts'
import { ZlibStream } from '../../../source/compression/zlib-stream.ts'
import { PlainDecoder } from '../../../source/compression/zstd/plain-decoder.ts'
import { collect, collectUntilFault, everyCut, inPieces } from '../../support/collect.ts'
import { isThorough, range, sample } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { parameters } from '../../support/property.ts'
import { failing } from '../../support/sources.ts'
import { countTurns } from '../../support/turns.ts'
import {
  encodeBlock,
  encodeFrame,
  encodeRaw,
  encodeRun,
  encodeSequences,
  encodeSkippable,
  makeFrameContents,
} from '../../support/zstd-encoder.ts'

const twoFrames = readFixture('compression/two-frames.zst')
const twoFramesText = 'The first frame. é木🌳\nThe second frame.\n'
const lines = readFixture('compression/lines.zst')
const linesText = Array.from({ length: 20000 }, (_, i) => `line ${i} of the text\n`).join('')

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const hasZstd = 'createZstdDecompress' in (builtinModule('node:zlib') as object)

afterEach(() => vi.restoreAllMocks())

describe.each(hasZstd ? ['zlib', 'plain'] : ['plain'])('a zstd source, by the %s decoder', (engine) => {
  beforeEach(() => {
    if (engine === 'zlib') return
    vi.spyOn(process as { getBuiltinModule(name: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
  })

  test('gives the content of all frames, from complete input, byte by byte and at every cut', async () => {
    for (const chunks of everyCut(twoFrames)) expect(decode(await collect(decompress(chunks)))).toBe(twoFramesText)
  })

  test('gives content of several blocks, in pieces of any size', async () => {
    for (const size of [100, 5000, lines.length]) {
      expect(decode(await collect(decompress(inPieces(lines, size))))).toBe(linesText)
    }
  })

  test('gives content of all kinds of blocks, literals, tables and windows', async () => {
    const frames = readFixture('compression/frames.zst')
    const content = Buffer.concat(makeFrameContents())
    for (const size of [1000, frames.length]) {
      expect(Buffer.from(await collect(decompress(inPieces(frames, size)))).equals(content)).toBe(true)
    }
  })

  test('may have frames that are skipped, before, between and after others, and zero bytes at the end', async () => {
    const skipped = encodeSkippable(new Uint8Array(300).fill(1), 7)
    const bytes = Buffer.concat([encodeSkippable(new Uint8Array(0)), skipped, twoFrames, skipped, twoFrames, skipped])
    for (const chunks of [[new Uint8Array(bytes)], inPieces(bytes, 1), [bytes, new Uint8Array(700)]]) {
      expect(decode(await collect(decompress(chunks)))).toBe(twoFramesText.repeat(2))
    }
  })

  test('may be a frame without content, with or without a block', async () => {
    expect(await collect(decompress(encodeFrame([encodeRaw(new Uint8Array(0))])))).toHaveLength(0)
    expect(await collect(decompress(encodeFrame([encodeRaw(new Uint8Array(0))], { contentSize: 0 })))).toHaveLength(0)
    expect(await collect(decompress(encodeFrame([encodeRun(1, 0)])))).toHaveLength(0)
  })

  test('gives what sequences repeat, also of what blocks before have, and of the last three offsets', async () => {
    const blocks = [
      encodeRaw(Buffer.from('abcdefgh')),
      // Three bytes 8 back, as no block has said yet; then 4 back, and 1 back by one less than the last but two.
      encodeSequences(Buffer.from('12'), [{ literals: 1, match: 4, offsetValue: 3 }]),
      encodeSequences(Buffer.from('345'), [
        { literals: 1, match: 3, offsetValue: 2 },
        { literals: 1, match: 3, offsetValue: 3 },
      ]),
      encodeSequences(new Uint8Array(0), [{ literals: 0, match: 5, offsetValue: 3 }]),
      encodeSequences(Buffer.from('end'), []),
      encodeSequences(
        Buffer.from('xy'),
        Array.from({ length: 200 }, () => ({ literals: 0, match: 3, offsetValue: 4 })),
      ),
    ]
    const text = decode(await collect(decompress(encodeFrame(blocks))))
    expect(text).toBe(followSequences())
  })

  test('gives the largest block, and a window that is moved on', async () => {
    const noise = Buffer.from(Array.from({ length: 1024 }, (_, i) => (i * 7919) % 251))
    const repeat = encodeSequences(new Uint8Array(0), [{ literals: 0, match: 34, offsetValue: 1024 + 3 }])
    // A window of 1 KiB, and 3,000 blocks that repeat what is just in it.
    const frame = encodeFrame([encodeRaw(noise), ...Array.from({ length: 3000 }, () => repeat)], { window: 0 })
    const content = Buffer.from(await collect(decompress(frame)))
    expect(content.length).toBe(1024 + 3000 * 34)
    expect(content.every((byte, i) => byte === noise[i % 1024])).toBe(true)
    const largest = encodeFrame([encodeRun(5, 131_072), encodeRaw(new Uint8Array(131_072).fill(6))])
    expect(await collect(decompress(largest))).toHaveLength(262_144)
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
    // A block that is not noticed to be corrupt has a wrong checksum.
    expect(linesText.startsWith(decode(bytes).slice(0, 100_000))).toBe(true)
    expect(error).toMatchObject({ code: 'corrupt', format: 'zstd' })
    if (engine === 'plain') expect((error as CompressionError).byteOffset).toBeLessThanOrEqual(lines.length / 2)
  })

  test('with a wrong checksum gives all it holds first', async () => {
    const text = 'wood'
    const frame = (checksum: number[]) =>
      encodeFrame([encodeRaw(Buffer.from(text))], { checksum: Uint8Array.from(checksum) })
    const right = await collect(decompress(frame([0xb8, 0xa5, 0xba, 0x47])))
    expect(decode(right)).toBe(text)
    for (const chunks of everyCut(frame([0xb8, 0xa5, 0xba, 0x46]))) {
      const { bytes, error } = await collectUntilFault(decompress(chunks))
      expect(decode(bytes)).toBe(text)
      expect(error).toMatchObject({
        code: 'corrupt',
        byteOffset: 13,
        message: 'zstd: the checksum of a frame is wrong (byte 13)',
      })
    }
  })

  test('is noticed whichever bit is flipped after the signature, and gives nothing wrong before', async () => {
    const frame = twoFrames.slice(0, Buffer.from(twoFrames).indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 4))
    const whole = await collect(decompress(frame))
    for (const bit of sample(range(32, frame.length * 8), 60)) {
      const damaged = frame.slice()
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
      const { bytes, error } = await collectUntilFault(decompress(damaged))
      // The bit that has no meaning, and larger windows.
      if (error === undefined) expect(bytes).toEqual(whole)
      else expect(error, `bit ${bit}`).toBeInstanceOf(CompressionError)
    }
  })

  test('is content or an error that says so, whatever is changed in it', async () => {
    const frames = readFixture('compression/frames.zst')
    const change = fc.record({ place: fc.nat(frames.length - 1), byte: fc.nat(255) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const damaged = frames.slice()
        for (const { place, byte } of changes) damaged[place] = byte
        const { error } = await collectUntilFault(decompress(damaged))
        if (error !== undefined) expect(error).toBeInstanceOf(CompressionError)
      }),
      parameters(200),
    )
  })

  test.each<[string, Uint8Array, string, number, string]>([
    [
      'a reserved flag',
      encodeFrame([encodeRaw(Buffer.from('a'))], { reserved: true }),
      'corrupt',
      0,
      'a reserved flag',
    ],
    [
      'a dictionary',
      encodeFrame([encodeRaw(Buffer.from('a'))], { dictionary: 77 }),
      'unsupported',
      0,
      'needs the dictionary 77',
    ],
    [
      'a window of more than 128 MiB',
      encodeFrame([encodeRaw(Buffer.from('a'))], { window: (17 << 3) | 1 }),
      'unsupported',
      0,
      'a window of 144 MiB, more than the supported 128 MiB; decompress it first: zstd -dc --long=31',
    ],
    [
      'the largest window there is',
      encodeFrame([encodeRaw(Buffer.from('a'))], { window: 255 }),
      'unsupported',
      0,
      'window',
    ],
    [
      'a block of no type',
      encodeFrame([encodeRaw(Buffer.from('a')), encodeBlock(3, 0, Buffer.of())]),
      'corrupt',
      10,
      'type',
    ],
    [
      'a block that is too large',
      encodeFrame([encodeRun(1, 131_073)]),
      'corrupt',
      6,
      '131073 bytes, more than the maximum of 131072',
    ],
    [
      'a block that is larger than the window',
      encodeFrame([encodeRaw(new Uint8Array(1025))], { window: 0 }),
      'corrupt',
      6,
      '1025 bytes, more than the maximum of 1024',
    ],
    [
      'less content than it says',
      encodeFrame([encodeRun(1, 99)], { contentSize: 100 }),
      'corrupt',
      9,
      'size of 100 bytes',
    ],
    [
      'more content than it says',
      encodeFrame([encodeRun(1, 99), encodeRun(1, 99), encodeRun(1, 99)], { contentSize: 100, window: 56 }),
      'corrupt',
      14,
      'size of 100 bytes',
    ],
    [
      'sequences that go back before its beginning',
      encodeFrame([
        encodeRaw(Buffer.from('abc')),
        encodeSequences(Buffer.from('d'), [{ literals: 1, match: 3, offsetValue: 8 }]),
      ]),
      'corrupt',
      12,
      'a block is corrupt',
    ],
    [
      'more than a block may have',
      encodeFrame(
        [
          encodeRun(1, 1024),
          encodeSequences(
            Buffer.from('d'),
            Array.from({ length: 40 }, () => ({ literals: 0, match: 34, offsetValue: 4 })),
          ),
        ],
        { window: 0 },
      ),
      'corrupt',
      10,
      'a block is corrupt',
    ],
    [
      'a block that ends in its header',
      encodeFrame([encodeBlock(2, 2, Buffer.of(0x0c, 0x01))]),
      'corrupt',
      6,
      'a block is corrupt',
    ],
  ])('that has %s is refused, with its place, after what comes before', async (_, frame, code, byteOffset, message) => {
    const { bytes, error } = await collectUntilFault(decompress(frame))
    expect(error).toMatchObject({ code, byteOffset })
    // What is wrong with a block, zlib says in its own words.
    if (engine === 'plain') expect((error as Error).message).toContain(message)
    const before = await collectUntilFault(decompress(frame.slice(0, byteOffset)))
    expect(bytes).toEqual(before.bytes)
  })

  test('whose sequences go back beyond its window is refused, which zlib does not notice', async () => {
    const noise = encodeRaw(new Uint8Array(1000))
    const beyond = encodeSequences(Buffer.from('d'), [{ literals: 1, match: 3, offsetValue: 1025 + 3 }])
    const { error } = await collectUntilFault(decompress(encodeFrame([noise, noise, beyond], { window: 0 })))
    if (engine === 'plain') expect(error).toMatchObject({ code: 'corrupt', byteOffset: 6 + 2 * 1003 })
  })

  test('is an error when something else follows, because frames could be lost after it', async () => {
    for (const rest of ['no frame', '\n', '\x28\n', '\0\0x']) {
      const { bytes, error } = await collectUntilFault(decompress([twoFrames, Buffer.from(rest)]))
      expect(decode(bytes)).toBe(twoFramesText)
      expect(error).toMatchObject({
        code: 'trailing-data',
        byteOffset: twoFrames.length + (rest.lastIndexOf('\0') + 1),
      })
    }
    const cut = await collectUntilFault(decompress([twoFrames, Buffer.of(0x28, 0xb5)]))
    expect(cut.error).toMatchObject({ code: 'truncated', byteOffset: twoFrames.length + 2 })
    const skipped = await collectUntilFault(decompress([twoFrames, encodeSkippable(new Uint8Array(9)).slice(0, -1)]))
    expect(skipped.error).toMatchObject({ code: 'truncated', byteOffset: twoFrames.length + 16 })
  })

  test('of a few bytes for a large window takes little memory', async () => {
    const frame = encodeFrame([encodeRaw(Buffer.from('wood'))], { window: 17 << 3 })
    const before = process.memoryUsage().arrayBuffers
    expect(decode(await collect(decompress([frame, frame, frame])))).toBe('wood'.repeat(3))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
  })

  test.runIf(isThorough)(
    'that becomes 32,000 times as large is decoded block by block, no faster than these are taken',
    async () => {
      const frame = encodeFrame(Array.from({ length: 4000 }, () => encodeRun(7, 131_072)))
      const decoded =
        engine === 'zlib' ? vi.spyOn(ZlibStream.prototype, 'write') : vi.spyOn(PlainDecoder.prototype, 'decode')
      let taken = 0
      for await (const piece of decompress(frame)) {
        expect(piece).toHaveLength(131_072)
        // One more for the header.
        expect(decoded.mock.calls.length).toBeLessThanOrEqual(++taken + 1)
        if (taken === 1000) break
      }
      expect(taken).toBe(1000)
    },
  )

  test('of tiny frames and blocks without end lets the event loop turn', async () => {
    for (const unit of [encodeFrame([encodeRaw(Buffer.of(1))]), encodeSkippable(Buffer.of(1))]) {
      const chunk = new Uint8Array(Buffer.concat(Array.from({ length: 1000 }, () => unit)))
      function* chunks(isOver: () => boolean) {
        while (!isOver()) yield chunk
      }
      const { turns, fair } = await countTurns((isOver) => collect(decompress(chunks(isOver), { highWaterMark: 0 })))
      expect(turns).toBeGreaterThan(fair)
    }
  })

  test('that fails when all has arrived gives everything', async () => {
    const { bytes, error } = await collectUntilFault(decompress(failing([twoFrames], new Error('the disk is gone'))))
    expect(decode(bytes)).toBe(twoFramesText)
    expect(error).toMatchObject({ code: 'source-failed' })
  })
})

/** What the blocks of the test of sequences stand for, followed by hand. */
function followSequences(): string {
  // 8 is the third of the offsets that a frame begins with.
  let text = 'abcdefgh' + '1' + 'bcde' + '2'
  const repeat = (offset: number, length: number) => {
    for (let i = 0; i < length; i++) text += text[text.length - offset]
  }
  // The last offsets are 8, 1, 4: the second is 1, and then the third, which is 4.
  text += '3'
  repeat(1, 3)
  text += '4'
  repeat(4, 3)
  text += '5'
  // They are 4, 1, 8. After no literals the third value stands for one less than the first.
  repeat(3, 5)
  text += 'end'
  // An offset of 1, and what is left.
  repeat(1, 600)
  return `${text}xy`
}
