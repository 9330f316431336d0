// Finding where the blocks of bzip2 begin, without decoding them: by their magic numbers, which stand at any bit.
//
// What is found may be false: the 48 bits may occur inside a block (once in 2^48 places, or because somebody put them there). Whoever decodes
// knows where a block ends, and says so.

import type { Cursor } from '../../stream/cursor.ts'
import { SourceError } from '../../stream/errors.ts'

const BLOCK_MAGIC = 0x314159265359
const END_MAGIC = 0x177245385090
const MAGIC_BITS = 48
const MAGIC_BYTES = 6
/**
 * After so many bytes, a block without a following magic number is yielded as it is. A block has 900,000 symbols of up to
 * 20 bits, at most; what an encoder writes is smaller than 1 MB.
 */
export const LONGEST_BLOCK = 2_400_000
/** Bytes that are kept when that happens: a stream header and the magic number after it are found together. */
const KEPT = 16

/** Most bytes that are taken at a time: a large chunk is not copied completely. */
const MOST_TAKEN = 1024 * 1024

/** Where a segment begins. */
interface Mark {
  /** `block` and `end` are magic numbers; a `gap` continues where the segment before was too long, or where a block has ended. */
  readonly kind: 'block' | 'end' | 'gap'
  /** In bits from the start of the stream. */
  readonly bit: number
}

/** A stretch of a compressed stream, from a mark to the next one. */
export interface Segment extends Mark {
  /** From the byte in which it begins to that in which the next one begins. A copy. */
  readonly bytes: Uint8Array
}

/**
 * Cuts the stream into segments. It takes bytes from the cursor as they arrive, and looks no further than to the next mark. A block may be
 * longer than its segment: so all bytes are kept from the first segment on that was not released.
 */
export class BlockFinder {
  readonly #cursor: Cursor
  /** What was taken and is kept: `#length` bytes from `#start` on, which is an offset in the stream. */
  #buffer = new Uint8Array(0)
  #start: number
  #length = 0
  /** Offset of the first byte of the segments that were given out and not released. */
  #held: number | undefined
  /** Offset at which to look next. */
  #place: number
  /** Before this bit nothing is a mark. */
  #firstBit = 0
  /** Where the segment begins that is not complete. */
  #open: Mark | undefined
  /** More marks that were found in the last look, in order. */
  #found: Mark[] = []
  #failure: SourceError | undefined
  #hasEnded = false

  /** The cursor stands where the first magic number is expected. */
  constructor(cursor: Cursor) {
    this.#cursor = cursor
    this.#start = cursor.offset
    this.#place = cursor.offset
  }

  /** Why no more comes, where the source failed. */
  get failure(): SourceError | undefined {
    return this.#failure
  }

  /** The offset after the last byte that was taken. */
  get end(): number {
    return this.#start + this.#length
  }

  /** The next segment that is here, or undefined when more must arrive, or nothing is left. */
  take(): Segment | undefined {
    for (;;) {
      const next = this.#findNext()
      const open = this.#open
      if (next) {
        this.#open = next
        if (open && open.bit < next.bit) return this.#cut(open, next.bit)
      } else if (open && this.end - open.bit / 8 > LONGEST_BLOCK) {
        const end = (this.end - KEPT) * 8
        this.#open = { kind: 'gap', bit: end }
        return this.#cut(open, end)
      } else if (this.#cursor.available > 0) {
        this.#takeChunk()
      } else {
        if (!open || !this.#hasEnded) return undefined
        this.#open = undefined
        return this.#cut(open, this.end * 8)
      }
    }
  }

  /** Waits until more has arrived. False when the stream has ended or failed, and all of it was given out. */
  async wait(): Promise<boolean> {
    if (this.#hasEnded) return false
    await this.#fill()
    return this.#cursor.available > 0 || this.#open !== undefined
  }

  /**
   * So many bytes from the one on that has this bit, which must be that of a segment that was not released. Fewer where the stream ends or
   * fails. A view, which is valid until the next call.
   */
  async read(bit: number, length: number): Promise<Uint8Array> {
    const start = Math.floor(bit / 8)
    while (this.end < start + length) {
      if (this.#cursor.available === 0) await this.#fill()
      if (this.#cursor.available === 0) break
      this.#takeChunk()
    }
    const from = start - this.#start
    return this.#buffer.subarray(from, Math.min(from + length, this.#length))
  }

  /** Nothing before this bit will be read any more. */
  release(bit: number): void {
    this.#held = Math.floor(bit / 8)
  }

  /** A block ends at this bit: what looks like a mark before it is none. */
  skipTo(bit: number): void {
    this.#firstBit = bit
    this.#found = this.#found.filter((mark) => mark.bit >= bit)
    this.#place = Math.max(this.#place, Math.floor(bit / 8))
    if (this.#open && this.#open.bit < bit) this.#open = { kind: 'gap', bit }
  }

  async #fill(): Promise<void> {
    if (this.#hasEnded) return
    try {
      if (!(await this.#cursor.fill(1))) this.#hasEnded = true
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      this.#failure = error
      this.#hasEnded = true
    }
  }

  #takeChunk(): void {
    const chunk = this.#cursor.peekChunk().subarray(0, MOST_TAKEN)
    this.#makeRoom(chunk.length)
    this.#buffer.set(chunk, this.#length)
    this.#length += chunk.length
    this.#cursor.skip(chunk.length)
  }

  /** Makes room for more bytes, and drops those that nobody will ask for. */
  #makeRoom(length: number): void {
    // Where nothing is found yet, a magic number may have begun.
    const first = this.#open ? Math.floor(this.#open.bit / 8) : this.#place - MAGIC_BYTES
    const dropped = Math.max(0, Math.min(first, this.#held ?? first) - this.#start)
    const kept = this.#buffer.subarray(dropped, this.#length)
    if (this.#length + length > this.#buffer.length) {
      this.#buffer = new Uint8Array(Math.max(2 * (kept.length + length), 4096))
      this.#buffer.set(kept)
    } else if (dropped > this.#buffer.length / 2) {
      this.#buffer.copyWithin(0, dropped, this.#length)
    } else {
      return
    }
    this.#start += dropped
    this.#length = kept.length
  }

  /**
   * Looks at every fourth pair of bytes: of a magic number, whose place is any bit, one such pair is a part, sixteen bits from one of
   * its first 32 on. Only one pair in a thousand can be.
   */
  #findNext(): Mark | undefined {
    const buffer = this.#buffer
    const end = this.#length - MAGIC_BYTES
    let place = this.#place - this.#start
    while (place <= end && this.#found.length === 0) {
      const pair = (buffer[place] as number) * 256 + (buffer[place + 1] as number)
      const part = PARTS[pair] as number
      if (part !== 0) this.#examine(place, CANDIDATES[part] as readonly Candidate[])
      place += 4
    }
    this.#place = place + this.#start
    return this.#found.shift()
  }

  #examine(place: number, candidates: readonly Candidate[]): void {
    for (const { kind, magic, shift } of candidates) {
      const at = place * 8 - shift
      const bit = this.#start * 8 + at
      if (at >= 0 && bit >= this.#firstBit && readBits(this.#buffer, at, MAGIC_BITS) === magic) {
        this.#found.push({ kind, bit })
      }
    }
  }

  #cut({ kind, bit }: Mark, endBit: number): Segment {
    this.#held ??= Math.floor(bit / 8)
    const from = Math.floor(bit / 8) - this.#start
    const to = Math.ceil(endBit / 8) - this.#start
    return { kind, bit, bytes: this.#buffer.slice(from, to) }
  }
}

/** What a pair of bytes may be a part of: a magic number that begins so many bits before it. */
interface Candidate {
  readonly kind: 'block' | 'end'
  readonly magic: number
  readonly shift: number
}

/** For every pair of bytes, as `#findNext` looks at them, which of the lists in CANDIDATES: the first one is empty. */
const PARTS = new Uint8Array(65536)
const CANDIDATES: Candidate[][] = [[]]
for (let shift = 31; shift >= 0; shift--) {
  for (const [kind, magic] of [
    ['block', BLOCK_MAGIC],
    ['end', END_MAGIC],
  ] as const) {
    const pair = Math.floor(magic / 2 ** (32 - shift)) % 65536
    if (PARTS[pair] === 0) PARTS[pair] = CANDIDATES.push([]) - 1
    CANDIDATES[PARTS[pair] as number]?.push({ kind, magic, shift })
  }
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
