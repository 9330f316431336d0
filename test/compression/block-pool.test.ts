// Workers are files of the built package, so it is what is tested here.

import { describe, expect, test } from 'vitest'
import { CompressionError, decompress } from 'xylem/compression'
import { decompress as decompressSource } from '../../source/compression/decompress.ts'
import { encodeBzip2, encodeSymbols, makeRandom } from '../support/bzip2-encoder.ts'
import { collect, collectUntilFault, inPieces } from '../support/collect.ts'
import { isThorough, sample } from '../support/extent.ts'
import { readFixture } from '../support/fixtures.ts'

const lines = readFixture('compression/lines.bz2')
const linesText = Array.from({ length: 20000 }, (_, i) => `line ${i} of the text\n`).join('')
const many = makeMany()

describe('bzip2 on several threads', () => {
  test.each(sample([2, 3, 8], 1))('gives the same as on one, in the same order (%i threads)', async (threads) => {
    expect(Buffer.from(await collect(decompress(lines, { threads }))).toString()).toBe(linesText)
    for (const chunks of [[many.bytes], inPieces(many.bytes, 1000)]) {
      expect(Buffer.from(await collect(decompress(chunks, { threads }))).equals(many.content)).toBe(true)
    }
  })

  test('gives blocks that have magic numbers in them, between others', async () => {
    const symbols = Array.from({ length: 300 }, () => [...Buffer.from('314159265359', 'hex')]).flat()
    const { bytes, content } = encodeSymbols([...symbols, 9, 8, 7], 8) as { bytes: Uint8Array; content: Buffer }
    const decoded = await collect(decompress([bytes, many.bytes, bytes, many.bytes, bytes], { threads: 2 }))
    const expected = Buffer.concat([content, many.content, content, many.content, content])
    expect(Buffer.from(decoded).equals(expected)).toBe(true)
  })

  test.runIf(isThorough)('yields a block that grows to 30 MB in pieces of at most 1 MiB', async () => {
    const zeros = readFixture('compression/zeros.bz2')
    let length = 0
    for await (const piece of decompress([zeros, lines, zeros], { threads: 2 })) {
      expect(piece.length).toBeLessThanOrEqual(1024 * 1024)
      length += piece.length
    }
    expect(length).toBe(60_000_000 + linesText.length)
  })

  test('gives all blocks before a damaged one, and the same error as on one thread', async () => {
    const damaged = many.bytes.slice()
    const place = Math.floor(many.bytes.length * 0.6)
    damaged[place] = (damaged[place] as number) ^ 4
    const alone = await collectUntilFault(decompress(damaged))
    const together = await collectUntilFault(decompress(damaged, { threads: 2 }))
    expect(together.error).toBeInstanceOf(CompressionError)
    expect((together.error as Error).message).toBe((alone.error as Error).message)
    expect(Buffer.from(together.bytes).equals(Buffer.from(alone.bytes))).toBe(true)
  })

  test('is the same with a listener for errors', async () => {
    const damaged = many.bytes.slice()
    for (const share of [0.2, 0.21, 0.8]) {
      const place = Math.floor(many.bytes.length * share)
      damaged[place] = (damaged[place] as number) ^ 4
    }
    const read = async (threads: number) => {
      const faults: string[] = []
      const bytes = await collect(decompress(damaged, { threads, onFault: ({ message }) => faults.push(message) }))
      return { faults, bytes: Buffer.from(bytes).toString('latin1') }
    }
    const alone = await read(1)
    expect(alone.faults.length).toBeGreaterThan(1)
    expect(await read(2)).toEqual(alone)
  })

  test('can be left early, and ends its threads', async () => {
    for await (const piece of decompress(many.bytes, { threads: 2 })) {
      expect(piece.length).toBeGreaterThan(0)
      break
    }
  })

  test('continues on one thread when the workers cannot be started', async () => {
    // In the sources there is no block-worker.js.
    const bytes = await collect(decompressSource(many.bytes, { threads: 2 }))
    expect(Buffer.from(bytes).equals(many.content)).toBe(true)
  })
})

/** Many small blocks, in many streams. */
function makeMany(): { bytes: Uint8Array; content: Buffer } {
  const random = makeRandom(3)
  const contents = Array.from({ length: 40 }, (_, i) =>
    Buffer.from(Array.from({ length: 100 + i * 20 }, () => `${Math.floor(random() * 30)} `).join('')),
  )
  const streams = contents.map((content) => encodeBzip2(content, { blockSize: 700, random }))
  return { bytes: new Uint8Array(Buffer.concat(streams)), content: Buffer.concat(contents) }
}
