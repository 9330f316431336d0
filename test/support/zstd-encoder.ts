// Writes frames of Zstandard, for tests: plainly, and with more freedom than real encoders take.

import { makeRandom } from './bzip2-encoder.ts'

/** What a frame's header says; a window of 128 KiB where nothing is said. */
export interface FrameOptions {
  /** The byte that says how large the window is: 10 and above are the exponent, from bit 3 on. Left out with `contentSize` it is the content. */
  window?: number
  contentSize?: number
  checksum?: Uint8Array
  dictionary?: number
  reserved?: boolean
}

/** A frame of these blocks. */
export function encodeFrame(blocks: readonly Uint8Array[], options: FrameOptions = {}): Uint8Array {
  const { window, contentSize, checksum, dictionary, reserved = false } = options
  const isSingleSegment = window === undefined && contentSize !== undefined
  const descriptor =
    (contentSize === undefined ? 0 : 0x80) |
    (isSingleSegment ? 0x20 : 0) |
    (reserved ? 0x08 : 0) |
    (checksum ? 0x04 : 0) |
    (dictionary === undefined ? 0 : 3)
  return new Uint8Array(
    Buffer.concat([
      Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, descriptor),
      isSingleSegment ? new Uint8Array(0) : Uint8Array.of(window ?? 7 << 3),
      dictionary === undefined ? new Uint8Array(0) : littleEndian(dictionary, 4),
      contentSize === undefined ? new Uint8Array(0) : littleEndian(contentSize, 4),
      ...blocks.map((block, index) => setLast(block, index === blocks.length - 1)),
      checksum ?? new Uint8Array(0),
    ]),
  )
}

/** A frame that is skipped. */
export function encodeSkippable(content: Uint8Array, kind = 0): Uint8Array {
  return Buffer.concat([littleEndian(0x184d2a50 + kind, 4), littleEndian(content.length, 4), content])
}

export function encodeRaw(content: Uint8Array): Uint8Array {
  return encodeBlock(0, content.length, content)
}

export function encodeRun(byte: number, count: number): Uint8Array {
  return encodeBlock(1, count, Uint8Array.of(byte))
}

/** A block of a type by its number, of a size that may be wrong. */
export function encodeBlock(type: number, size: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([littleEndian((size << 3) | (type << 1), 3), content])
}

/** So many literals, and then what is repeated: its length, from 3 on, and its offset, or one of the last three by 1, 2 or 3, as value. */
export interface Sequence {
  literals: number
  match: number
  offsetValue: number
}

/**
 * A compressed block of plain literals and sequences. The codes of all sequences are given by those of the first one: numbers of literals
 * and lengths of less than 16 and 35 must be equal in all, and offset values have as many bits.
 */
export function encodeSequences(literals: Uint8Array, sequences: readonly Sequence[]): Uint8Array {
  const [first] = sequences
  const literalsHeader = littleEndian((literals.length << 4) | (3 << 2), 3)
  if (!first) return encodeCompressed([literalsHeader, literals, Uint8Array.of(0)])
  const offsetBits = 31 - Math.clz32(first.offsetValue)
  const bits = new ReverseBitWriter()
  // They are read from the end.
  for (const { offsetValue } of sequences.toReversed()) bits.write(offsetValue - 2 ** offsetBits, offsetBits)
  const codes = Uint8Array.of(0x54, first.literals, offsetBits, first.match - 3)
  const count = littleEndian(sequences.length - 0x7f00, 2)
  const header = sequences.length < 128 ? [Uint8Array.of(sequences.length)] : [countOf(sequences.length, count)]
  return encodeCompressed([literalsHeader, literals, ...header, codes, bits.finish()])
}

function countOf(count: number, large: Uint8Array): Uint8Array {
  if (count >= 0x7f00) return Uint8Array.of(255, ...large)
  return Uint8Array.of(128 + (count >> 8), count & 255)
}

function encodeCompressed(parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  return encodeBlock(2, content.length, content)
}

function setLast(block: Uint8Array, isLast: boolean): Uint8Array {
  const copy = new Uint8Array(block)
  if (isLast) copy[0] = (copy[0] as number) | 1
  return copy
}

function littleEndian(value: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** i))
}

/** Bits; the last ones are read first. */
class ReverseBitWriter {
  readonly #bits: number[] = []

  write(value: number, count: number): void {
    for (let bit = 0; bit < count; bit++) this.#bits.push((value >>> bit) & 1)
  }

  finish(): Uint8Array {
    const bits = [...this.#bits, 1]
    return Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
      bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, index) => sum + bit * 2 ** index, 0),
    )
  }
}

const WORDS = 'wood xylem phloem bark leaf root the of and <page> </page> &amp; [[ ]] é 木 🌳 1 22 333'.split(' ')

/** The contents of the frames of fixtures/compression/frames.zst, in their order. */
export function makeFrameContents(): Buffer[] {
  const random = makeRandom(11)
  const words = (count: number) =>
    Buffer.from(Array.from({ length: count }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]).join(' '))
  const noise = (length: number, values: number) => Buffer.from(Array.from({ length }, () => random() * values))
  return [
    ...[1, 5, 40, 300, 3000].map((count) => words(count)),
    words(20_000),
    words(8000),
    words(8000),
    Buffer.concat([words(5000), noise(3000, 256), words(5000), Buffer.alloc(200_000, 7), words(10)]),
    noise(4000, 256),
    noise(20_000, 3),
    noise(5000, 200),
    noise(200, 20),
    Buffer.alloc(300_000),
    Buffer.alloc(0),
  ]
}
