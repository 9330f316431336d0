import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BlockFinder, LONGEST_BLOCK, readBits, type Segment } from '../../../source/compression/bzip2/block-finder.ts'
import { SourceError } from '../../../source/stream/errors.ts'
import type { ByteSource } from '../../../source/stream/sources/source.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { everyCut, inPieces } from '../../support/collect.ts'
import { parameters } from '../../support/property.ts'
import { failing } from '../../support/sources.ts'

const BLOCK = 0x314159265359
const END = 0x177245385090

async function findAll(source: ByteSource): Promise<{ segments: Segment[]; finder: BlockFinder }> {
  const cursor = StreamCache.from(source).cursor()
  const finder = new BlockFinder(cursor)
  const segments: Segment[] = []
  do {
    for (let segment = finder.take(); segment; segment = finder.take()) segments.push(segment)
  } while (await finder.wait())
  return { segments, finder }
}

/** Bytes with magic numbers written at the given bits. */
function write(length: number, magics: { bit: number; magic: number }[]): Uint8Array {
  const bytes = new Uint8Array(length)
  for (const { bit, magic } of magics) {
    for (let i = 0; i < 48; i++) {
      if (Math.floor(magic / 2 ** (47 - i)) % 2 === 1)
        bytes[(bit + i) >> 3] = (bytes[(bit + i) >> 3] as number) | (0x80 >> ((bit + i) & 7))
    }
  }
  return bytes
}

describe('a finder of blocks', () => {
  test('finds magic numbers at any bit, in complete input, byte by byte and at every cut', async () => {
    for (let bit = 0; bit < 40; bit++) {
      const bytes = write(40, [
        { bit, magic: BLOCK },
        { bit: bit + 110, magic: END },
      ])
      for (const chunks of everyCut(bytes)) {
        const { segments } = await findAll(chunks)
        expect(segments.map(({ kind, bit: at }) => [kind, at])).toEqual([
          ['block', bit],
          ['end', bit + 110],
        ])
      }
    }
  })

  test('gives every byte from the first magic number on, those in which two segments meet twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 200, maxLength: 400 }),
        fc.nat(90),
        fc.nat(90),
        fc.integer({ min: 1, max: 90 }),
        async (noise, one, two, size) => {
          const bytes = noise.slice()
          const first = one + 8
          const second = first + 60 + two
          for (const [bit, magic] of [
            [first, BLOCK],
            [second, BLOCK],
          ] as const) {
            for (let i = 0; i < 48; i++) {
              const mask = 0x80 >> ((bit + i) & 7)
              const isSet = Math.floor(magic / 2 ** (47 - i)) % 2 === 1
              bytes[(bit + i) >> 3] = isSet
                ? (bytes[(bit + i) >> 3] as number) | mask
                : (bytes[(bit + i) >> 3] as number) & ~mask
            }
          }
          const { segments } = await findAll(inPieces(bytes, size))
          expect(segments.map(({ bit }) => bit)).toEqual([first, second])
          expect(segments.map(({ bytes: part }) => Buffer.from(part).toString('hex'))).toEqual([
            Buffer.from(bytes.subarray(first >> 3, Math.ceil(second / 8))).toString('hex'),
            Buffer.from(bytes.subarray(second >> 3)).toString('hex'),
          ])
          expect(readBits((segments[1] as Segment).bytes, second % 8, 48)).toBe(BLOCK)
        },
      ),
      parameters(200),
    )
  })

  test('gives out what is longer than a block can be in several segments, and keeps no more than that', async () => {
    const bytes = new Uint8Array(3 * LONGEST_BLOCK)
    bytes.set(write(6, [{ bit: 0, magic: BLOCK }]))
    const { segments } = await findAll(inPieces(bytes, 100_000))
    expect(segments.map(({ kind }) => kind)).toEqual(['block', 'gap', 'gap'])
    expect(segments.reduce((sum, { bytes: part }) => sum + part.length, 0)).toBe(bytes.length)
  })

  test('gives what had arrived when the source failed, and keeps the failure', async () => {
    const bytes = write(40, [{ bit: 3, magic: BLOCK }])
    const { segments, finder } = await findAll(failing([bytes], new Error('the disk is gone')))
    expect(segments).toHaveLength(1)
    expect(finder.failure).toBeInstanceOf(SourceError)
    expect(finder.end).toBe(40)
  })

  test('looks no further than it is asked for, and copies no more of a large chunk than it needs', async () => {
    const bytes = write(5_000_000, [
      { bit: 0, magic: BLOCK },
      { bit: 800, magic: BLOCK },
    ])
    const cursor = StreamCache.from(bytes).cursor()
    const finder = new BlockFinder(cursor)
    await finder.wait()
    expect(finder.take()).toMatchObject({ kind: 'block', bit: 0 })
    expect(finder.end).toBeLessThan(1_500_000)
  })

  test('reads beyond a segment, and finds none that begins before the end of a block', async () => {
    const bytes = write(
      400,
      [40, 900, 1000, 1100, 1500].map((bit) => ({ bit, magic: BLOCK })),
    )
    for (const chunks of [[bytes], inPieces(bytes, 1), inPieces(bytes, 130)]) {
      const finder = new BlockFinder(StreamCache.from(chunks).cursor())
      const take = async () => {
        for (;;) {
          const segment = finder.take()
          if (segment || !(await finder.wait())) return segment
        }
      }
      expect(await take()).toMatchObject({ kind: 'block', bit: 40 })
      expect(await finder.read(40, 170)).toEqual(bytes.subarray(5, 175))
      expect(await finder.read(40, 10_000)).toEqual(bytes.subarray(5))
      // The block ends in the middle between two of them.
      finder.skipTo(1050)
      finder.release(1050)
      expect(await take()).toEqual({ kind: 'gap', bit: 1050, bytes: bytes.slice(131, 138) })
      expect(await take()).toMatchObject({ kind: 'block', bit: 1100 })
      // It ends where the next one begins.
      finder.skipTo(1500)
      expect(await take()).toMatchObject({ kind: 'block', bit: 1500 })
      expect(await take()).toBeUndefined()
    }
  })

  test('keeps no more than what was not released', async () => {
    const bytes = write(
      3_000_000,
      Array.from({ length: 300 }, (_, i) => ({ bit: i * 80_000, magic: BLOCK })),
    )
    const finder = new BlockFinder(StreamCache.from(inPieces(bytes, 1000)).cursor())
    let most = 0
    do {
      for (let segment = finder.take(); segment; segment = finder.take()) {
        finder.release(segment.bit)
        most = Math.max(most, (await finder.read(segment.bit, 1)).buffer.byteLength)
      }
    } while (await finder.wait())
    expect(most).toBeLessThan(100_000)
  })

  test('finds nothing in nothing', async () => {
    expect((await findAll(new Uint8Array(0))).segments).toEqual([])
    expect((await findAll(new Uint8Array(100))).segments).toEqual([])
  })
})
