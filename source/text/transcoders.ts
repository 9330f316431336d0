// The transcoders by the names of encodings; those of UTF-16 and of encodings with a byte for each character.

import { MULTI_BYTE, MultiByteTranscoder } from './multi-byte-transcoder.ts'
import { CUT_CHARACTER, type Transcoder } from './transcoder.ts'

/** A transcoder; undefined for UTF-8, which needs none. The name is one that `normalizeEncoding` gives, other than `utf-16`. */
export function makeTranscoder(encoding: string): Transcoder | undefined {
  switch (encoding) {
    case 'utf-8':
      return undefined
    case 'utf-16le':
      return new Utf16Transcoder(0)
    case 'utf-16be':
      return new Utf16Transcoder(1)
    default:
      return MULTI_BYTE.has(encoding) ? new MultiByteTranscoder(encoding) : new SingleByteTranscoder(encoding)
  }
}

class Utf16Transcoder implements Transcoder {
  error: string | undefined
  readonly lengths = undefined
  /** Which of two bytes is the low one. */
  readonly #low: 0 | 1
  /** The first byte of a unit whose second has not arrived: … 3C | 00. */
  #half: number | undefined
  /** The first unit of a pair whose second has not arrived. */
  #high = 0

  constructor(low: 0 | 1) {
    this.#low = low
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.error !== undefined) return NOTHING
    const units = Math.floor((bytes.length + (this.#half === undefined ? 0 : 1)) / 2)
    // A unit becomes three bytes at the most, a pair four.
    const output = new Uint8Array(units * 3 + 4)
    let length = 0
    let at = 0
    for (let unit = 0; unit < units && this.error === undefined; unit++) {
      const first = this.#half ?? (bytes[at++] as number)
      this.#half = undefined
      const second = bytes[at++] as number
      const code = this.#low === 0 ? first | (second << 8) : (first << 8) | second
      length = this.#write(code, output, length)
    }
    if (at < bytes.length) this.#half = bytes[at] as number
    return output.subarray(0, length)
  }

  #write(code: number, output: Uint8Array, at: number): number {
    const isLow = code >= 0xdc00 && code <= 0xdfff
    if (this.#high !== 0 || isLow) {
      if (this.#high === 0 || !isLow) {
        this.error = 'unpaired surrogate'
        return at
      }
      const point = 0x10000 + ((this.#high - 0xd800) << 10) + (code - 0xdc00)
      this.#high = 0
      return writeUtf8(point, output, at)
    }
    if (code < 0xd800 || code > 0xdbff) return writeUtf8(code, output, at)
    this.#high = code
    return at
  }

  end(): void {
    if (this.#half !== undefined || this.#high !== 0) this.error ??= CUT_CHARACTER
  }

  sourceLength(lead: number): number {
    return lead < 0xf0 ? 2 : 4
  }
}

/** One byte for each character. */
class SingleByteTranscoder implements Transcoder {
  error: string | undefined
  readonly lengths = undefined
  readonly #encoding: string
  /** By the byte; -1 for one that is not a character. */
  readonly #points: Int32Array

  constructor(encoding: string) {
    this.#encoding = encoding
    this.#points = readCodePage(encoding)
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.error !== undefined) return NOTHING
    const points = this.#points
    const output = new Uint8Array(bytes.length * 3)
    let length = 0
    for (const byte of bytes) {
      const point = points[byte] as number
      if (point === -1) {
        this.error = `the byte 0x${byte.toString(16)} is not a character of ${this.#encoding}`
        break
      }
      length = writeUtf8(point, output, length)
    }
    return output.subarray(0, length)
  }

  end(): void {}

  sourceLength(): number {
    return 1
  }
}

/** The code points of the 256 bytes; -1 for none. */
function readCodePage(encoding: string): Int32Array {
  if (encoding === 'iso-8859-1') return Int32Array.from({ length: 256 }, (_, byte) => byte)
  if (encoding === 'us-ascii') return Int32Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? byte : -1))
  // In one call that is not of a stream, Node 20 decodes windows-1252 as ISO-8859-1.
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  const text = decoder.decode(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
    { stream: true },
  )
  return Int32Array.from(text, (character) => (character === '\ufffd' ? -1 : (character.codePointAt(0) as number)))
}

const NOTHING = new Uint8Array(0)

function writeUtf8(point: number, output: Uint8Array, at: number): number {
  let next = at
  if (point < 0x80) {
    output[next++] = point
    return next
  }
  if (point < 0x800) {
    output[next++] = 0xc0 | (point >> 6)
  } else {
    if (point < 0x10000) {
      output[next++] = 0xe0 | (point >> 12)
    } else {
      output[next++] = 0xf0 | (point >> 18)
      output[next++] = 0x80 | ((point >> 12) & 63)
    }
    output[next++] = 0x80 | ((point >> 6) & 63)
  }
  output[next++] = 0x80 | (point & 63)
  return next
}
