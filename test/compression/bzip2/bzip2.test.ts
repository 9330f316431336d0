import { createRequire } from 'node:module'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { BlockDecoder } from '../../../source/compression/bzip2/block-decoder.ts'
import { decompressBzip2 } from '../../../source/compression/bzip2/bzip2.ts'
import { decompress } from '../../../source/compression/decompress.ts'
import { CompressionError } from '../../../source/compression/errors.ts'
import { SourceError } from '../../../source/stream/errors.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { encodeBzip2, encodeSymbols, makeRandom } from '../../support/bzip2-encoder.ts'
import { collect, collectUntilFault, everyCut, inPieces } from '../../support/collect.ts'
import { isThorough, range, sample } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { growthOf, MOST_GROWTH } from '../../support/growth.ts'
import { parameters } from '../../support/property.ts'
import { failing } from '../../support/sources.ts'
import { countTurns } from '../../support/turns.ts'

const twoStreams = readFixture('compression/two-streams.bz2')
const twoStreamsText = 'The first stream. é木🌳\nThe second stream.\n'
const lines = readFixture('compression/lines.bz2')
const linesText = Array.from({ length: 20000 }, (_, i) => `line ${i} of the text\n`).join('')

afterEach(() => vi.restoreAllMocks())

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a bzip2 source', () => {
  test('gives the content of all streams, from complete input, byte by byte and at every cut', async () => {
    for (const chunks of everyCut(twoStreams)) {
      expect(decode(await collect(decompress(chunks)))).toBe(twoStreamsText)
    }
  })

  test('gives the content of several blocks, from complete input and in pieces', async () => {
    expect(decode(await collect(decompress(lines)))).toBe(linesText)
    expect(decode(await collect(decompress(inPieces(lines, 1000))))).toBe(linesText)
    expect(decode(await collect(decompress(inPieces(lines, 1))))).toBe(linesText)
  })

  test('yields a block that grows to 30 MB in pieces of at most 1 MiB', async () => {
    const zeros = new Uint8Array(1024 * 1024)
    let length = 0
    for await (const piece of decompress(readFixture('compression/zeros.bz2'))) {
      expect(piece.length).toBeLessThanOrEqual(1024 * 1024)
      expect(Buffer.compare(piece, zeros.subarray(0, piece.length))).toBe(0)
      length += piece.length
    }
    expect(length).toBe(30_000_000)
  })

  test('may be empty, and may have empty streams between others', async () => {
    const empty = readFixture('compression/empty.bz2')
    expect(await collect(decompress(empty))).toHaveLength(0)
    expect(decode(await collect(decompress([empty, twoStreams, empty, empty])))).toBe(twoStreamsText)
  })

  test('of tiny streams gives pieces that keep little memory', async () => {
    for await (const piece of decompress(twoStreams)) expect(piece.buffer.byteLength).toBeLessThan(1000)
  })

  test('may be followed by zero bytes', async () => {
    expect(decode(await collect(decompress([twoStreams, new Uint8Array(700)])))).toBe(twoStreamsText)
  })

  test('gives back what was encoded, in whatever blocks and streams, and however it arrives', async () => {
    const part = fc.record({
      content: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 400 }).map((text) => Buffer.from(text)),
      ),
      blockSize: fc.integer({ min: 20, max: 200 }),
      level: fc.integer({ min: 1, max: 9 }),
      padding: fc.constantFrom(0, 0, 1, 50),
      seed: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 200 }),
        async (parts, size) => {
          const streams = parts.map(({ content, blockSize, level, padding, seed }) =>
            Buffer.concat([
              encodeBzip2(content, { blockSize, level, random: makeRandom(seed) }),
              Buffer.alloc(padding),
            ]),
          )
          const decoded = await collect(decompress(inPieces(Buffer.concat(streams), size)))
          expect(Buffer.from(decoded).equals(Buffer.concat(parts.map(({ content }) => content)))).toBe(true)
        },
      ),
      parameters(200),
    )
  })

  test('may have what looks like the beginning of a block, or the end of a stream, inside a block', async () => {
    for (const magic of ['314159265359', '177245385090']) {
      const { bytes, content } = makeFalseMagic(magic)
      for (const chunks of [[bytes], inPieces(bytes, 1), inPieces(bytes, 7)]) {
        expect(
          Buffer.from(await collect(decompress([...chunks, twoStreams]))).equals(
            Buffer.concat([content, Buffer.from(twoStreamsText)]),
          ),
        ).toBe(true)
      }
    }
  })

  test.each(sample(['177245385090', '314159265359'], 1))(
    'is decoded with work in proportion to its size, whatever its blocks have in them: %s',
    async (magic) => {
      for (const count of [100, 5000]) {
        const { bytes, content } = makeManyFalseMagics(magic, count)
        const decode = vi.spyOn(BlockDecoder.prototype, 'retrieve')
        for (const chunks of [[bytes], inPieces(bytes, 1000)]) {
          decode.mockClear()
          const streams = [...chunks, twoStreams, ...chunks]
          const decoded = Buffer.from(await collect(decompress(streams)))
          expect(decoded.equals(Buffer.concat([content, Buffer.from(twoStreamsText), content]))).toBe(true)
          const inputs = decode.mock.calls.map(([, bytes]) => bytes)
          const work = inputs.reduce((sum, { length }) => sum + length, 0)
          expect(work).toBeLessThan(6 * 2 * (bytes.length + twoStreams.length))
          expect(inputs.length).toBeLessThan(100)
        }
      }
    },
  )

  test('of many empty streams is read in time in proportion to their number', async () => {
    const empty = readFixture('compression/empty.bz2')
    const make = (count: number) => {
      const streams = new Uint8Array(Buffer.concat(Array.from({ length: count }, () => empty)))
      return async () => expect(await collect(decompress(streams))).toHaveLength(0)
    }
    expect(await growthOf({ count: isThorough ? 5000 : 3000, make })).toBeLessThan(MOST_GROWTH)
  })

  test('of empty streams without end lets the event loop turn', async () => {
    const empty = readFixture('compression/empty.bz2')
    const chunk = new Uint8Array(Buffer.concat(Array.from({ length: 5000 }, () => empty)))
    function* chunks(isOver: () => boolean) {
      while (!isOver()) yield chunk
    }
    const { turns, fair } = await countTurns((isOver) => collect(decompress(chunks(isOver))))
    expect(turns).toBeGreaterThan(fair)
  })

  test('reports where each block begins, and where its content does', async () => {
    const blocks: [number, number][] = []
    const cursor = StreamCache.from(twoStreams).cursor()
    await collect(decompressBzip2(cursor, { onBlock: (bit, offset) => blocks.push([bit, offset]) }))
    const second = Buffer.from(twoStreams).indexOf('BZh2')
    expect(blocks).toEqual([
      [32, 0],
      [(second + 4) * 8, Buffer.byteLength('The first stream. é木🌳\n')],
    ])
  })

  test('agrees with unbzip2-stream', async () => {
    expect(Buffer.from(await collect(decompress(lines))).equals(await decodeByPeer(lines))).toBe(true)
  })
})

describe('a damaged bzip2 source', () => {
  test('with a magic number inside the footer of a stream is corrupt there, however it is cut', async () => {
    const end = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
    const bytes = Uint8Array.from([...Buffer.from('BZh9'), ...end, 0, 0, ...end, 0, 0, 0, 0])
    for (const chunks of everyCut(bytes)) {
      await expect(collect(decompress(chunks))).rejects.toMatchObject({
        code: 'corrupt',
        bitOffset: 32,
        message: expect.stringContaining('the checksum of a stream is wrong'),
      })
    }
  })

  test('that is cut off anywhere gives what came before and is called truncated, or is the first stream alone', async () => {
    const firstStream = findSecondHeader(twoStreams)
    for (const length of [firstStream, ...sample(range(3, twoStreams.length), 12)]) {
      const { bytes, error } = await collectUntilFault(decompress(twoStreams.slice(0, length)))
      expect(twoStreamsText.startsWith(decode(bytes))).toBe(true)
      if (length === firstStream) expect(error).toBeUndefined()
      else expect(error).toMatchObject({ code: expect.stringMatching(/truncated|trailing-data/), format: 'bzip2' })
      if (length > firstStream) expect(decode(bytes)).toMatch(/^The first stream. é木🌳\n/)
    }
  })

  test('gives all blocks before the damaged one, and then a CompressionError with the place', async () => {
    const damaged = lines.slice()
    const place = Math.floor(lines.length * 0.7)
    damaged[place] = (damaged[place] as number) ^ 0x10
    const { bytes, error } = await collectUntilFault(decompress(damaged))
    expect(bytes.length).toBeGreaterThan(90_000)
    expect(linesText.startsWith(decode(bytes))).toBe(true)
    expect(error).toBeInstanceOf(CompressionError)
    const { code, line, column } = error as CompressionError
    expect({ code, line, column }).toEqual({ code: 'corrupt', line: undefined, column: undefined })
    expect((error as CompressionError).byteOffset).toBeLessThanOrEqual(place)
    expect((error as CompressionError).message).toMatch(/^bzip2: .* \(byte \d+\)$/)
  })

  test('is reported with the bit at which the block begins, and what was delivered before', async () => {
    const damaged = lines.slice()
    const place = Math.floor(lines.length * 0.7)
    damaged[place] = (damaged[place] as number) ^ 0x10
    const blocks: number[] = []
    await collect(decompressBzip2(StreamCache.from(lines).cursor(), { onBlock: (bit) => blocks.push(bit) }))
    const { bytes, error } = await collectUntilFault(decompress(damaged))
    const { bitOffset, outputOffset, message } = error as CompressionError
    expect(bitOffset).toBe(blocks.findLast((bit) => bit < place * 8))
    expect(outputOffset).toBe(bytes.length)
    expect(message).toContain(`at bit ${bitOffset} (byte ${Math.floor((bitOffset as number) / 8)})`)
  })

  test('is skipped block by block with a listener for errors', async () => {
    for (const share of [0.1, 0.5, 0.97]) {
      const damaged = lines.slice()
      const place = Math.floor(lines.length * share)
      damaged[place] = (damaged[place] as number) ^ 0x10
      const faults: CompressionError[] = []
      const bytes = await collect(decompress(damaged, { onFault: (error) => faults.push(error) }))
      expect(faults).toHaveLength(1)
      const { outputOffset = 0 } = faults[0] as CompressionError
      const text = decode(bytes)
      expect(linesText.startsWith(text.slice(0, outputOffset))).toBe(true)
      expect(linesText.endsWith(text.slice(outputOffset))).toBe(true)
      expect(text.length).toBeGreaterThan(linesText.length - 100_001)
      expect(text.length).toBeLessThan(linesText.length)
    }
  })

  test('that is cut off is reported to a listener, too', async () => {
    const faults: CompressionError[] = []
    const bytes = await collect(decompress(lines.slice(0, -3), { onFault: (error) => faults.push(error) }))
    expect(decode(bytes)).toBe(linesText)
    expect(faults).toMatchObject([{ code: 'truncated', outputOffset: linesText.length }])
  })

  test("with a block of another stream's length, or randomised, is an error that says so", async () => {
    const large = Buffer.from(encodeBzip2(Buffer.from(makeNoise(102_000)), { level: 9, blockSize: 200_000 }))
    large[3] = 0x31
    const { error } = await collectUntilFault(decompress(large))
    expect((error as Error).message).toContain('it is longer than 100000 bytes')
    const randomised = Buffer.from(twoStreams)
    randomised[14] = (randomised[14] as number) | 0x80
    expect((await collectUntilFault(decompress(randomised))).error).toMatchObject({ code: 'unsupported' })
  })

  test('is noticed whichever bit is flipped after the signature, and gives nothing wrong', async () => {
    for (const bit of sample(range(80, twoStreams.length * 8), 20, 500)) {
      const damaged = twoStreams.slice()
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
      const { bytes, error } = await collectUntilFault(decompress(damaged))
      // Bits of padding and of codes that are never used may be anything.
      if (error === undefined) expect(decode(bytes)).toBe(twoStreamsText)
      else expect(twoStreamsText.startsWith(decode(bytes))).toBe(true)
    }
  })

  test('is an error when something else follows, because streams could be lost after it', async () => {
    const { bytes, error } = await collectUntilFault(decompress([twoStreams, Buffer.from('no stream')]))
    expect(decode(bytes)).toBe(twoStreamsText)
    expect(error).toMatchObject({ code: 'trailing-data', byteOffset: twoStreams.length })
  })

  test('whose source fails when all has arrived gives everything', async () => {
    const { bytes, error } = await collectUntilFault(decompress(failing([twoStreams], new Error('the disk is gone'))))
    expect(decode(bytes)).toBe(twoStreamsText)
    expect(error).toMatchObject({ code: 'source-failed', cause: { message: 'the disk is gone' } })
  })

  test('whose source fails gives the blocks before, and then the failure of the source', async () => {
    const half = lines.slice(0, Math.floor(lines.length / 2))
    const { bytes, error } = await collectUntilFault(decompress(failing([half], new Error('the disk is gone'))))
    expect(linesText.startsWith(decode(bytes))).toBe(true)
    expect(bytes.length).toBeGreaterThan(90_000)
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ code: 'source-failed', cause: { message: 'the disk is gone' } })
  })
})

/** A stream whose only block has a magic number among its symbols. */
function makeFalseMagic(hex: string): { bytes: Uint8Array; content: Buffer } {
  const magic = BigInt(`0x${hex}`)
  // Eight symbols of seven bits: eight of these bits are free.
  for (let free = 0n; free < 9n * 256n; free++) {
    const shift = free / 256n
    const bits = (((free % 256n) >> shift) << (48n + shift)) | (magic << shift) | (free % (1n << shift))
    const symbols = Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(49 - 7 * i)) & 127n))
    if (symbols.some((symbol) => symbol < 2 || symbol > 126)) continue
    const all = [...Array.from({ length: 40 }, (_, i) => 2 + ((i * 7) % 120)), ...symbols, 9, 8, 7]
    const encoded = encodeSymbols(all, 7)
    if (encoded) return encoded
  }
  throw new Error('no symbols spell it')
}

/** A stream whose only block has a magic number so many times, one after the other: its codes have eight bits. */
function makeManyFalseMagics(hex: string, count: number): { bytes: Uint8Array; content: Buffer } {
  const magics = Array.from({ length: count }, () => [...Buffer.from(hex, 'hex')]).flat()
  const encoded = encodeSymbols([...magics, 9, 8, 7], 8)
  if (!encoded) throw new Error('it ends in a run')
  return encoded
}

/** Bytes without order. */
function makeNoise(length: number): Uint8Array {
  const random = makeRandom(7)
  return Uint8Array.from({ length }, () => random() * 256)
}

/** Where the header of the second stream stands. */
function findSecondHeader(bytes: Uint8Array): number {
  return Buffer.from(bytes).indexOf('BZh2')
}

async function decodeByPeer(bytes: Uint8Array): Promise<Buffer> {
  const unbzip2 = createRequire(import.meta.url)('unbzip2-stream') as () => NodeJS.ReadWriteStream
  const stream = unbzip2()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
  stream.end(Buffer.from(bytes))
  await ended
  return Buffer.concat(chunks)
}
