import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BlockDecoder,
  BlockStatus,
  makeKernelDecoder,
  makePlainDecoder,
} from '../../../source/compression/bzip2/block-decoder.ts'
import { encodeBzip2, makeRandom } from '../../support/bzip2-encoder.ts'
import { readFixture } from '../../support/fixtures.ts'
import { parameters } from '../../support/property.ts'

const kernel = makeKernelDecoder() as BlockDecoder
const plain = await makePlainDecoder()
const HEADER_BITS = 32

/** All that can be seen of a decoder with a block in its first lane. */
function decode(decoder: BlockDecoder, bytes: Uint8Array, bit: number) {
  const status = decoder.retrieve(0, bytes, bit)
  if (status === BlockStatus.GOOD) decoder.kernel.prepare(0)
  const facts = { status, length: decoder.kernel.lengthOf(0), storedChecksum: decoder.kernel.storedChecksumOf(0) >>> 0 }
  while (!decoder.kernel.walk(1, 1000));
  const content: Uint8Array[] = []
  let endsInRun = false
  while (!endsInRun && !decoder.kernel.isEmitted(0)) {
    const piece = decoder.emit(0)
    if (piece) content.push(piece.slice())
    else endsInRun = true
  }
  const checksum = endsInRun ? undefined : decoder.kernel.checksumOf(0) >>> 0
  // Where an error was noticed may differ by what was read ahead, but not where a block ends.
  const end = status === BlockStatus.GOOD ? decoder.kernel.endBitOf(0) : undefined
  return { ...facts, end, endsInRun, checksum, content: Buffer.concat(content) }
}

const contents = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 600 }),
  fc
    .string({ unit: fc.constantFrom('a', 'b', 'the ', '\n'), minLength: 1, maxLength: 800 })
    .map((text) => Buffer.from(text)),
  fc
    .array(fc.tuple(fc.integer({ max: 255, min: 0 }), fc.integer({ min: 1, max: 700 })), { minLength: 1, maxLength: 8 })
    .map((runs) => Buffer.concat(runs.map(([byte, length]) => Buffer.alloc(length, byte)))),
)

describe.each([
  ['the kernel', kernel],
  ['its plain twin', plain],
])('%s', (_, decoder) => {
  test('decodes what an encoder has made, whatever codes it chose', () => {
    fc.assert(
      fc.property(contents, fc.nat(), (content, seed) => {
        const decoded = decode(decoder, encodeBzip2(content, { random: makeRandom(seed) }).subarray(4), 0)
        expect(decoded.content.equals(content)).toBe(true)
        expect(decoded).toMatchObject({ status: BlockStatus.GOOD, checksum: decoded.storedChecksum })
      }),
      parameters(300),
    )
  })

  test('decodes a block that begins at any bit', () => {
    const bytes = encodeBzip2(Buffer.from('at any bit')).subarray(4)
    for (let shift = 0; shift < 8; shift++) {
      const shifted = shiftRight(bytes, shift)
      expect(decode(decoder, shifted, shift).content.toString()).toBe('at any bit')
    }
  })

  test('says that a block is truncated wherever it is cut off, and reads nothing that lies after it', () => {
    const bytes = encodeBzip2(Buffer.from('a text that is cut off')).subarray(4)
    const end = decode(decoder, bytes, 0).end as number
    for (let length = 10; length < bytes.length; length++) {
      const { status } = decode(decoder, bytes.slice(0, length), 0)
      expect(status).toBe(length * 8 < end ? BlockStatus.TRUNCATED : BlockStatus.GOOD)
    }
  })
})

describe('the kernel and its twin', () => {
  test.each(['two-streams.bz2', 'lines.bz2'])('see the same in %s, whichever bits are flipped', (name) => {
    const file = readFixture(`compression/${name}`)
    fc.assert(
      fc.property(fc.array(fc.nat(Math.min(file.length * 8 - 1, 20_000)), { maxLength: 3 }), (bits) => {
        const damaged = file.slice()
        // The magic number is not looked at.
        for (const bit of bits) flip(damaged, Math.max(bit, HEADER_BITS + 48))
        const one = decode(kernel, damaged.subarray(4), 0)
        const two = decode(plain, damaged.subarray(4), 0)
        expect({ ...one, content: one.content.equals(two.content) }).toEqual({ ...two, content: true })
      }),
      parameters(name === 'lines.bz2' ? 60 : 1500),
    )
  })

  test('see the same in bytes that are not a block at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(7), (bytes, bit) => {
        expect(decode(kernel, bytes, bit)).toEqual(decode(plain, bytes, bit))
      }),
      parameters(3000),
    )
  })
})

describe.each([
  ['the kernel', kernel],
  ['its plain twin', plain],
])('the lanes of %s', (_, decoder) => {
  test('hold blocks of different lengths side by side, and corrupt ones', () => {
    const contents = ['one', 'the second '.repeat(300), '', 'x'.repeat(4000)]
    for (const [lane, content] of contents.entries()) {
      const bytes = content === '' ? new Uint8Array(40) : encodeBzip2(Buffer.from(content)).subarray(4)
      const status = decoder.retrieve(lane, bytes, 0)
      expect(status === BlockStatus.GOOD).toBe(content !== '')
      if (content !== '') decoder.kernel.prepare(lane)
    }
    while (!decoder.kernel.walk(contents.length, 500));
    for (const [lane, content] of contents.entries()) {
      const piece = decoder.kernel.isEmitted(lane) ? new Uint8Array(0) : decoder.emit(lane)
      expect(Buffer.from(piece as Uint8Array).toString()).toBe(content)
      if (content !== '')
        expect(decoder.kernel.checksumOf(lane) >>> 0).toBe(decoder.kernel.storedChecksumOf(lane) >>> 0)
    }
  })

  test('can be emitted once more', () => {
    decoder.retrieve(0, encodeBzip2(Buffer.from('again')).subarray(4), 0)
    decoder.kernel.prepare(0)
    while (!decoder.kernel.walk(1, 1000));
    for (let i = 0; i < 2; i++) {
      expect(Buffer.from(decoder.emit(0) as Uint8Array).toString()).toBe('again')
      expect(decoder.kernel.checksumOf(0) >>> 0).toBe(decoder.kernel.storedChecksumOf(0) >>> 0)
      decoder.kernel.rewind(0)
    }
  })
})

function shiftRight(bytes: Uint8Array, bits: number): Uint8Array {
  const shifted = new Uint8Array(bytes.length + 1)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    if (((bytes[bit >> 3] as number) >> (7 - (bit & 7))) & 1) flip(shifted, bit + bits)
  }
  return shifted
}

function flip(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (0x80 >> (bit & 7))
}
