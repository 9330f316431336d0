// Strings from code units that lie in memory.
//
// Node's buffers make a string of UTF-16 in a quarter of the time that its `TextDecoder` takes, which goes through a converter. They are
// there without an import, so that where they are not (in browsers) the decoder does it.

import { LimitError } from '../stream/errors.ts'
import { RecentTexts } from './recent-texts.ts'
import { findCutSequence, utf16Length } from './utf8.ts'

/** UTF-16 units of the longest string of V8 on 64 bits, and so the most that we make anywhere. */
export const LONGEST_STRING = 2 ** 29 - 24
/** Bytes that are decoded at once of text of more bytes than that: V8 counts bytes, and not units. */
const PIECE = 64 * 1024 * 1024

/** What of a Node buffer is used. */
interface UnitBuffer {
  utf8Slice(this: Uint8Array, start: number, end: number): string
  latin1Slice(this: unknown, start: number, end: number): string
  ucs2Slice(start: number, end: number): string
}

interface UnitBufferClass {
  readonly prototype: Partial<UnitBuffer>
  from(buffer: ArrayBuffer): UnitBuffer
}

const { Buffer } = globalThis as unknown as { Buffer?: UnitBufferClass }
const hasSlices = Buffer?.prototype.ucs2Slice !== undefined && Buffer.prototype.latin1Slice !== undefined

const utf8Slice = Buffer?.prototype.utf8Slice
const latin1Slice = Buffer?.prototype.latin1Slice
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const narrowDecoder = new TextDecoder('latin1')
const wideDecoder = new TextDecoder('utf-16le', { ignoreBOM: true })

/** A string would be longer than any can be. Who reads input says where ({@link limitLength}). */
export class StringTooLong extends Error {
  constructor() {
    super(`a string would have more than ${LONGEST_STRING} UTF-16 units`)
  }
}

/** For a string that would be too long a `LimitError` that says of what, at an offset in bytes; any other error as it is. */
export function limitLength(error: unknown, what: string, byteOffset: number): unknown {
  if (!(error instanceof StringTooLong)) return error
  const message = `${what} is longer than the longest possible string (${LONGEST_STRING} UTF-16 units)`
  return new LimitError(message, { code: 'length-limit', byteOffset, limit: LONGEST_STRING })
}

/** Both strings as one. Throws a {@link StringTooLong}. */
export function concatText(one: string, other: string): string {
  if (one.length + other.length > LONGEST_STRING) throw new StringTooLong()
  return one + other
}

/** Strings of at most so many bytes are kept, and found again. */
const SHORT = 16
const recent = new RecentTexts()

function decodeAny(bytes: Uint8Array, from: number, to: number): string {
  return utf8Slice ? utf8Slice.call(bytes, from, to) : decoder.decode(bytes.subarray(from, to))
}

/** The string of the well-formed UTF-8 from one index to another. Throws a {@link StringTooLong}. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > LONGEST_STRING) return decodeLong(bytes.subarray(from, to))
  if (to - from > SHORT) return decodeAny(bytes, from, to)
  return recent.find(bytes, from, to) ?? recent.keep(decodeAny(bytes, from, to))
}

/** A string with a unit for each byte from one index to another, which is the byte where it is ASCII. */
export function decodeLatin1(bytes: Uint8Array, from: number, to: number): string {
  return latin1Slice ? latin1Slice.call(bytes, from, to) : narrowDecoder.decode(bytes.subarray(from, to))
}

function decodeLong(bytes: Uint8Array): string {
  if (utf16Length(bytes) > LONGEST_STRING) throw new StringTooLong()
  let text = ''
  for (let from = 0; from < bytes.length; ) {
    const to = from + findCutSequence(bytes.subarray(from, from + PIECE))
    text += decodeUtf8(bytes, from, to)
    from = to
  }
  return text
}

/** Makes strings of what is in one memory, as long as it is not another one. */
export class UnitDecoder {
  #memory: ArrayBuffer | undefined
  #bytes: Uint8Array | undefined
  #buffer: UnitBuffer | undefined

  /** The string of so many units from an address on: UTF-16 in little-endian order where `isWide`, else ASCII, a byte each. */
  decode(memory: ArrayBuffer, address: number, units: number, isWide: boolean): string {
    if (memory !== this.#memory) this.#view(memory)
    const end = address + (isWide ? 2 * units : units)
    if (this.#buffer) return isWide ? this.#buffer.ucs2Slice(address, end) : this.#buffer.latin1Slice(address, end)
    return (isWide ? wideDecoder : decoder).decode(this.#bytes?.subarray(address, end))
  }

  #view(memory: ArrayBuffer): void {
    this.#memory = memory
    this.#bytes = new Uint8Array(memory)
    this.#buffer = hasSlices ? Buffer?.from(memory) : undefined
  }
}
