// What arrives as a chunk, as bytes.

import { makeChunkError } from './errors.ts'

/** Memory that is read as bytes. What is shared is copied, because another thread may write to it. */
export type Bytes = Uint8Array | ArrayBuffer | SharedArrayBuffer

/** Text, which is encoded as UTF-8, or bytes. */
export type TextOrBytes = Bytes | string

/** What half of a surrogate pair becomes: the replacement character, as in any encoder, or a noncharacter of the same length in UTF-8, which XML refuses. */
export type LoneSurrogate = 'U+FFFD' | 'U+FFFF'

const NOTHING = new Uint8Array(0)
const encoder = new TextEncoder()
/** Half of a surrogate pair that lacks the other half. */
const LONE_SURROGATE = /\p{Surrogate}/gu

/** Whether each surrogate of a text is in a pair. */
export function isWellFormed(text: string & { isWellFormed?(): boolean }): boolean {
  return text.isWellFormed ? text.isWellFormed() : text.search(LONE_SURROGATE) === -1
}

/** The UTF-8 of a text, in which half of a surrogate pair becomes the given character. */
export function encodeText(text: string, loneSurrogate: LoneSurrogate): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(text)
  // Text in ASCII is not searched.
  if (loneSurrogate === 'U+FFFD' || bytes.length === text.length || isWellFormed(text)) return bytes
  return encoder.encode(text.replace(LONE_SURROGATE, '\uffff'))
}

/** Turns the chunks of one stream into bytes, one after the other. */
export class ChunkEncoder {
  /** Whether chunks are copied. Whoever has made them may write to them again then. */
  copies: boolean
  readonly #loneSurrogate: LoneSurrogate
  /**
   * A high surrogate that ended a string: its low half may begin the next one.
   *
   *     'a\ud83c' | '\udf33b'
   *       ^^^^^^ is carried over the cut
   */
  #highSurrogate = ''
  /** Whether the first chunk was a string; undefined before it. */
  isOfText: boolean | undefined

  constructor(copies: boolean, loneSurrogate: LoneSurrogate = 'U+FFFD') {
    this.copies = copies
    this.#loneSurrogate = loneSurrogate
  }

  /** The chunk's bytes: its own, a copy of them, or the UTF-8 of a string. */
  encode(chunk: TextOrBytes): Uint8Array {
    this.isOfText ??= typeof chunk === 'string'
    if (typeof chunk === 'string') return this.#encodeString(chunk)
    const bytes = toPlainBytes(chunk, this.copies)
    if (this.#highSurrogate === '' || bytes.length === 0) return bytes
    // A string that ended in half a pair is followed by bytes: the half is alone.
    return concatBytes(this.end(), bytes)
  }

  /** The bytes of what was carried over: those of half a surrogate pair; usually none. */
  end(): Uint8Array {
    if (this.#highSurrogate === '') return NOTHING
    const lone = encodeText(this.#highSurrogate, this.#loneSurrogate)
    this.#highSurrogate = ''
    return lone
  }

  #encodeString(chunk: string): Uint8Array {
    let text = this.#highSurrogate + chunk
    this.#highSurrogate = ''
    const last = text.charCodeAt(text.length - 1)
    if (last >= 0xd800 && last < 0xdc00) {
      this.#highSurrogate = text.slice(-1)
      text = text.slice(0, -1)
    }
    return encodeText(text, this.#loneSurrogate)
  }
}

/** Both in memory of their own. */
export function concatBytes(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}

/** The bytes of a value; undefined if it has none. Shared memory is copied, because decoders of the platform refuse it. */
export function toBytes(value: unknown): Uint8Array | undefined {
  const bytes = viewBytes(value)
  return bytes === value ? bytes : bytes && unshare(bytes)
}

/** The bytes of a value, never a copy; undefined if it has none. */
export function viewBytes(value: unknown): Uint8Array | undefined {
  switch (Object.prototype.toString.call(value)) {
    case '[object Uint8Array]':
      return value as Uint8Array
    case '[object ArrayBuffer]':
    case '[object SharedArrayBuffer]':
      return new Uint8Array(value as ArrayBufferLike)
    default:
      return undefined
  }
}

/** Bytes that nobody else writes to: copied if they are in shared memory. */
export function unshare(bytes: Uint8Array): Uint8Array {
  return Object.prototype.toString.call(bytes.buffer) === '[object SharedArrayBuffer]' ? bytes.slice() : bytes
}

/** A view of the memory as a `Uint8Array` proper: a Node `Buffer` has other methods, and other realms have other classes. */
function toPlainBytes(chunk: Bytes, copy: boolean): Uint8Array {
  const bytes = toBytes(chunk)
  if (!bytes) throw makeChunkError(chunk)
  if (copy) return new Uint8Array(bytes)
  if (bytes.constructor === Uint8Array) return bytes
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
