import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { decompress } from '../../source/compression/decompress.ts'
import { CompressionError } from '../../source/compression/errors.ts'
import { SourceError } from '../../source/stream/errors.ts'
import { collect, collectUntilFault, everyCut, inPieces } from '../support/collect.ts'
import { readFixture } from '../support/fixtures.ts'
import { failing } from '../support/sources.ts'

const twoStreams = readFixture('compression/two-streams.bz2')
const twoStreamsText = 'The first stream. é木🌳\nThe second stream.\n'
const lines = readFixture('compression/lines.bz2')
const linesText = Array.from({ length: 20000 }, (_, i) => `line ${i} of the text\n`).join('')

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a bzip2 source', () => {
  test('gives the content of all streams, whole, byte by byte and at every cut', async () => {
    for (const chunks of everyCut(twoStreams)) {
      expect(decode(await collect(decompress(chunks)))).toBe(twoStreamsText)
    }
  })

  test('gives the content of several blocks, whole and in pieces', async () => {
    expect(decode(await collect(decompress(lines)))).toBe(linesText)
    expect(decode(await collect(decompress(inPieces(lines, 1000))))).toBe(linesText)
    expect(decode(await collect(decompress(inPieces(lines, 1))))).toBe(linesText)
  })

  test('hands over a block that grows to 30 MB in pieces of at most 1 MiB', async () => {
    let length = 0
    for await (const piece of decompress(readFixture('compression/zeros.bz2'))) {
      expect(piece.length).toBeLessThanOrEqual(1024 * 1024)
      expect(piece.every((byte) => byte === 0)).toBe(true)
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

  test('agrees with unbzip2-stream', async () => {
    expect(Buffer.from(await collect(decompress(lines))).equals(await decodeByPeer(lines))).toBe(true)
  })
})

describe('a damaged bzip2 source', () => {
  test('that is cut off anywhere gives what came before and is called truncated, or is the first stream alone', async () => {
    const firstStream = findSecondHeader(twoStreams)
    for (let length = 3; length < twoStreams.length; length++) {
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
    expect(error).toMatchObject({ code: 'corrupt', line: undefined, column: undefined })
    expect((error as CompressionError).byteOffset).toBeLessThanOrEqual(place)
    expect((error as CompressionError).message).toMatch(/^bzip2: .* \(byte \d+\)$/)
  })

  test('is noticed whichever bit is flipped behind the signature, and gives nothing wrong', async () => {
    for (let bit = 80; bit < twoStreams.length * 8; bit++) {
      const damaged = twoStreams.slice()
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
      const { bytes, error } = await collectUntilFault(decompress(damaged))
      // Bits of padding and of codes that are never used may be anything.
      if (error === undefined) expect(decode(bytes)).toBe(twoStreamsText)
      else expect(twoStreamsText.startsWith(decode(bytes))).toBe(true)
    }
  })

  test('is an error when something else follows, because streams could be lost behind it', async () => {
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
