/// <reference lib="esnext.disposable" preserve="true" />
// Reading a stream of UTF-8 as text. What has arrived is decoded piece by piece into a window that is shared by clones; reading
// inside the window is slicing a string.
//
//     bytes      ───────┬───────────────────────┬──────────▶
//                       position                decoded
//     window          ┌─┴───────────────────────┤
//                     │index                    │
//
// Two byte cursors: one stands where the text cursor stands and retains the stream from there; the other stands where decoding
// continues, always between two code points.

import { breathe } from '../async/breathe.ts'
import { findTimeoutError, type WaitOptions } from '../async/promise-queue.ts'
import { Cursor } from '../stream/cursor.ts'
import { makeBusyError, makeReleasedError, requireLength, withCode } from '../stream/errors.ts'
import type { StreamCache } from '../stream/stream-cache.ts'
import { ParseError } from './parse-error.ts'
import { findCutSequence, findMalformed, sequenceLength, utf8Length } from './utf8.ts'

/** Bytes decoded at a time: a decoding call costs the same for few bytes as for none, and text decoded in vain is lost time. */
const PIECE = 64 * 1024
const LONGEST_SEQUENCE = 4

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A {@link Cursor} for text: lengths are UTF-16 units, and a length that would cut a surrogate pair is rounded up to the complete code
 * point. Offsets stay bytes. The input is UTF-8; a byte-order mark is read as the character U+FEFF.
 *
 * If the bytes are not UTF-8, everything before them can be read; reading further throws a `ParseError` with the code `malformed-utf8` and
 * the offset of the first wrong byte.
 */
export class TextCursor {
  readonly #position: Cursor
  readonly #decoded: Cursor
  #window = ''
  #index = 0
  /** Every unit from the index on is one byte. */
  #isAscii = true
  #malformed: { message: string; byteOffset: number } | undefined
  #reading = false
  #released = false

  /**
   * Reads a cache from its first retained byte, or continues from a byte cursor. The text cursor then owns the byte cursor: releasing one
   * releases the other.
   */
  constructor(origin: StreamCache | Cursor) {
    this.#position = origin instanceof Cursor ? origin : origin.cursor()
    this.#decoded = this.#position.clone()
  }

  /** Offset of the next code point in bytes from the start of the stream, from 0. */
  get offset(): number {
    return this.#position.offset
  }

  /** Whether nothing is left for this cursor. */
  get done(): boolean {
    return this.#position.done
  }

  /** How many UTF-16 units can be read without waiting. Decodes everything that has arrived: do not call it in a loop. */
  get available(): number {
    if (this.#released) return 0
    while (this.#decodeMore());
    return this.#decodedUnits
  }

  /**
   * The next `n` UTF-16 units, one more where that completes a code point, or fewer at the end of the stream (none: an empty string),
   * without moving. Undefined when they are not here yet.
   *
   * Throws a `ParseError` when malformed bytes lie before, a `SourceError` when the source failed before, a `RangeError` unless `n` is a
   * whole number of at least 0.
   */
  peek(n: number): string | undefined {
    if (this.#hasDecoded(n)) return this.#slice(n)
    this.#throwIfMalformed()
    if (this.#decoded.done) return this.#slice(this.#decodedUnits)
    // Asked for more than there is, the byte cursor throws if its source failed. It stands before bytes only inside a sequence.
    this.#decoded.peek(this.#decoded.available + 1)
    return undefined
  }

  /**
   * Waits until `n` UTF-16 units can be peeked (true) or the stream ended with fewer (false). Does not move. Throws like `peek`,
   * and like {@link Cursor.fill}.
   */
  async fill(n: number, options?: WaitOptions): Promise<boolean> {
    requireLength(n)
    const { signal, timeout = Number.POSITIVE_INFINITY } = options ?? {}
    const fault = findTimeoutError(timeout)
    if (fault) throw fault
    signal?.throwIfAborted()
    const turn = breathe()
    if (turn) await turn
    const deadline = performance.now() + timeout
    while (!this.#hasDecoded(n)) {
      this.#throwIfMalformed()
      if (this.#decoded.done) return false
      // What arrives may not be enough, and must not start the time anew.
      const patience = Math.max(0, deadline - performance.now())
      await this.#decoded.fill(this.#decoded.available + 1, { signal, timeout: patience })
    }
    return true
  }

  /**
   * Moves on by `n` UTF-16 units, rounded up like `peek`. Throws a `RangeError` with the code `past-available` when fewer have
   * arrived, and a `ParseError` when malformed bytes lie before.
   */
  skip(n: number): void {
    if (!this.#hasDecoded(n)) {
      this.#throwIfMalformed()
      const message = `cannot skip ${n} units at byte ${this.offset}: only ${this.#decodedUnits} have arrived`
      throw withCode(new RangeError(message), 'past-available')
    }
    const start = this.#index
    this.#index += this.#roundUp(n)
    this.#position.skip(this.#isAscii ? this.#index - start : utf8Length(this.#window, start, this.#index))
  }

  /**
   * Waits for `n` UTF-16 units or the end of the stream, and moves to the end of what it returns (see `peek`). Throws like `fill`, without
   * moving, and a `TypeError` with the code `cursor-busy` while another read waits.
   */
  async read(n: number, options?: WaitOptions): Promise<string> {
    if (this.#reading) throw makeBusyError()
    this.#reading = true
    try {
      options?.signal?.throwIfAborted()
      const turn = breathe()
      if (turn) await turn
      let text = this.peek(n)
      while (text === undefined) {
        await this.fill(n, options)
        text = this.peek(n)
      }
      this.skip(text.length)
      return text
    } finally {
      this.#reading = false
    }
  }

  /** A second cursor at the same place, independent of this one. */
  clone(): TextCursor {
    const clone = new TextCursor(this.#position.clone())
    clone.#decoded.skip(this.#decoded.offset - this.#position.offset)
    clone.#window = this.#window
    clone.#index = this.#index
    clone.#isAscii = this.#isAscii
    clone.#malformed = this.#malformed
    return clone
  }

  /** Releases the cursor, like {@link Cursor.release}. */
  release(): void {
    this.#released = true
    this.#position.release()
    this.#decoded.release()
    this.#window = ''
    this.#index = 0
  }

  [Symbol.dispose](): void {
    this.release()
  }

  get #decodedUnits(): number {
    return this.#window.length - this.#index
  }

  /** Whether `n` units are in the window, after decoding as much as is needed and here. */
  #hasDecoded(n: number): boolean {
    requireLength(n)
    if (this.#released) throw makeReleasedError(this.offset)
    while (this.#decodedUnits < n && this.#decodeMore());
    return this.#decodedUnits >= n
  }

  #slice(n: number): string {
    return this.#window.slice(this.#index, this.#index + this.#roundUp(n))
  }

  /** `n`, or one more when a surrogate pair lies across the end. The window holds complete code points only. */
  #roundUp(n: number): number {
    if (n === 0) return 0
    const last = this.#window.charCodeAt(this.#index + n - 1)
    return last >= 0xd800 && last < 0xdc00 ? n + 1 : n
  }

  /** Decodes the next piece of what has arrived. False when there is none that could be decoded. */
  #decodeMore(): boolean {
    if (this.#malformed) return false
    const bytes = this.#nextCompleteSequences()
    if (bytes.length === 0) return false
    const wellFormed = this.#decode(bytes)
    const isEmpty = this.#decodedUnits === 0
    this.#window = isEmpty ? wellFormed.text : this.#window.slice(this.#index) + wellFormed.text
    this.#index = 0
    this.#isAscii = (isEmpty || this.#isAscii) && wellFormed.text.length === wellFormed.byteLength
    this.#decoded.skip(wellFormed.byteLength)
    return wellFormed.byteLength > 0
  }

  /** Bytes that have arrived, without a sequence that is cut off at their end. */
  #nextCompleteSequences(): Uint8Array {
    const chunk = this.#decoded.peekChunk().subarray(0, PIECE)
    const whole = chunk.subarray(0, findCutSequence(chunk))
    if (whole.length > 0) return whole
    // Nothing, or a sequence that continues in the next chunk: é as C3 | A9.
    const available = Math.min(this.#decoded.available, LONGEST_SEQUENCE)
    const sequence = this.#decoded.peek(available) as Uint8Array
    if (available === 0) return sequence
    const length = sequenceLength(sequence, 0)
    if (length > 0) return sequence.subarray(0, length)
    if (length === 0) return sequence
    if (this.#decoded.ended) {
      this.#malformed = { message: 'the stream ends inside a UTF-8 sequence', byteOffset: this.#decoded.offset }
    }
    return sequence.subarray(0, 0)
  }

  /** The text of the bytes up to the first malformed one. */
  #decode(bytes: Uint8Array): { text: string; byteLength: number } {
    try {
      return { text: decoder.decode(bytes), byteLength: bytes.length }
    } catch {
      const byteLength = findMalformed(bytes)
      const value = (bytes[byteLength] as number).toString(16).toUpperCase().padStart(2, '0')
      this.#malformed = { message: `malformed UTF-8: byte 0x${value}`, byteOffset: this.#decoded.offset + byteLength }
      return { text: decoder.decode(bytes.subarray(0, byteLength)), byteLength }
    }
  }

  #throwIfMalformed(): void {
    if (!this.#malformed) return
    const { message, byteOffset } = this.#malformed
    throw new ParseError(message, { code: 'malformed-utf8', byteOffset })
  }
}
