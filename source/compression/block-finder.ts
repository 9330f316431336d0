// Finding where the blocks of bzip2 begin, without decoding them: by their magic numbers, which stand at any bit.
//
// What is found may be false: the 48 bits may occur inside a block (once in 2^48 places). Whoever decodes knows where a block ends,
// and passes over what lies before.

import type { Cursor } from '../stream/cursor.ts'
import { SourceError } from '../stream/errors.ts'

const BLOCK_MAGIC = 0x314159265359
const END_MAGIC = 0x177245385090
const MAGIC_BITS = 48
const MAGIC_BYTES = 6
/**
 * Bytes behind which a block that was not followed by a magic number is given out as it is. A block has 900,000 symbols of up to
 * 20 bits, at most; what an encoder writes is smaller than 1 MB.
 */
export const LONGEST_BLOCK = 2_400_000
/** Bytes that are kept when that happens: a stream header and the magic number behind it are found together. */
const KEPT = 16

/** A stretch of a compressed stream. */
export interface Segment {
  /** `block` and `end` begin with a magic number, `gap` goes on where the one before was too long. */
  readonly kind: 'block' | 'end' | 'gap'
  /** Where it begins, in bits from the start of the stream. */
  readonly bit: number
  /** From the byte in which it begins to that in which the next one begins. A copy. */
  readonly bytes: Uint8Array
}

/** Cuts the stream into segments. It takes bytes from the cursor as they arrive, and keeps those of the segment that is not complete. */
export class BlockFinder {
  readonly #cursor: Cursor
  /** What was taken and not given out: `#length` bytes from `#start` on, which is an offset in the stream. */
  #buffer = new Uint8Array(0)
  #start: number
  #length = 0
  /** Where to look next, in bytes from `#start`. */
  #place = 0
  readonly #found: { kind: Segment['kind']; bit: number }[] = []
  #failure: SourceError | undefined
  #hasEnded = false

  /** The cursor stands where the first magic number is expected. */
  constructor(cursor: Cursor) {
    this.#cursor = cursor
    this.#start = cursor.offset
  }

  /** Why no more comes, where the source failed. */
  get failure(): SourceError | undefined {
    return this.#failure
  }

  /** The offset behind the last byte that has arrived. */
  get end(): number {
    return this.#start + this.#length
  }

  /** The next segment that is here, or undefined when more must arrive, or nothing is left. */
  take(): Segment | undefined {
    for (;;) {
      const [first, second] = this.#found
      if (first && second) {
        this.#found.shift()
        return this.#cut(first.kind, first.bit, second.bit)
      }
      if (first && this.end - first.bit / 8 > LONGEST_BLOCK) {
        const end = (this.end - KEPT) * 8
        this.#found[0] = { kind: 'gap', bit: end }
        return this.#cut(first.kind, first.bit, end)
      }
      if (this.#cursor.available === 0) break
      this.#takeChunk()
    }
    if (!this.#hasEnded) return undefined
    const last = this.#found.shift()
    return last && this.#cut(last.kind, last.bit, this.end * 8)
  }

  /** Waits until more has arrived. False when the stream has ended or failed, and all of it was given out. */
  async wait(): Promise<boolean> {
    if (this.#hasEnded) return false
    try {
      if (!(await this.#cursor.fill(1))) this.#hasEnded = true
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      this.#failure = error
      this.#hasEnded = true
    }
    return this.#cursor.available > 0 || this.#found.length > 0
  }

  #takeChunk(): void {
    const chunk = this.#cursor.peekChunk()
    this.#makeRoom(chunk.length)
    this.#buffer.set(chunk, this.#length)
    this.#length += chunk.length
    this.#cursor.skip(chunk.length)
    this.#search()
  }

  /** Makes room for more bytes, and drops those before the segment that is not complete. */
  #makeRoom(length: number): void {
    const first = this.#found[0]
    // Where nothing is found yet, a magic number may have begun.
    const needed = first ? Math.floor(first.bit / 8) - this.#start : Math.max(0, this.#place - MAGIC_BYTES)
    const kept = this.#buffer.subarray(needed, this.#length)
    if (this.#length + length > this.#buffer.length) {
      this.#buffer = new Uint8Array(Math.max(2 * (kept.length + length), 4096))
      this.#buffer.set(kept)
    } else if (needed > this.#buffer.length / 2) {
      this.#buffer.copyWithin(0, needed, this.#length)
    } else {
      return
    }
    this.#start += needed
    this.#place -= needed
    this.#length = kept.length
  }

  /**
   * Looks at every fourth pair of bytes: of a magic number, whose place is any bit, one such pair is a part, sixteen bits from one of
   * its first 32 on. Only one pair in a thousand can be.
   */
  #search(): void {
    const buffer = this.#buffer
    const end = this.#length - MAGIC_BYTES
    let place = this.#place
    for (; place <= end; place += 4) {
      const pair = (buffer[place] as number) * 256 + (buffer[place + 1] as number)
      if (IS_PART[pair] !== 0) this.#examine(place)
    }
    this.#place = place
  }

  #examine(place: number): void {
    for (let shift = 31; shift >= 0; shift--) {
      const bit = place * 8 - shift
      if (bit < 0) continue
      const value = readBits(this.#buffer, bit, MAGIC_BITS)
      if (value === BLOCK_MAGIC) this.#found.push({ kind: 'block', bit: this.#start * 8 + bit })
      else if (value === END_MAGIC) this.#found.push({ kind: 'end', bit: this.#start * 8 + bit })
    }
  }

  #cut(kind: Segment['kind'], bit: number, endBit: number): Segment {
    const from = Math.floor(bit / 8) - this.#start
    const to = Math.ceil(endBit / 8) - this.#start
    return { kind, bit, bytes: this.#buffer.slice(from, to) }
  }
}

/** For every pair of bytes whether it is a part of a magic number, as `#search` looks at them. */
const IS_PART = markParts()

function markParts(): Uint8Array {
  const marks = new Uint8Array(65536)
  for (const magic of [BLOCK_MAGIC, END_MAGIC]) {
    for (let shift = 0; shift < 32; shift++) marks[Math.floor(magic / 2 ** (32 - shift)) % 65536] = 1
  }
  return marks
}

/** Up to 48 bits from a bit position on, most significant first. They must be there. */
export function readBits(bytes: Uint8Array, position: number, count: number): number {
  let value = 0
  let at = position
  for (let left = count; left > 0; ) {
    const room = 8 - (at & 7)
    const taken = Math.min(room, left)
    const bits = ((bytes[Math.floor(at / 8)] as number) >> (room - taken)) & ((1 << taken) - 1)
    value = value * 2 ** taken + bits
    at += taken
    left -= taken
  }
  return value
}
