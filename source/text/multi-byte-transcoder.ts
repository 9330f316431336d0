// Encodings with characters of several bytes, which the platform decodes.
//
// The bytes are cut into characters here, and complete characters are decoded: `TextDecoder` of Node 20 throws a TypeError of its own at some
// cuts of malformed streams, and says nowhere at which byte something is malformed.

import { CUT_CHARACTER, type Transcoder } from './transcoder.ts'

/** How many bytes a character has, by its first byte and the one after it. */
type CharacterLength = (first: number, second: number) => number

const isTwo: CharacterLength = (first) => (first > 0x80 && first < 0xff ? 2 : 1)

/** By the WHATWG Encoding Standard, sections 10 to 13. */
export const MULTI_BYTE: ReadonlyMap<string, CharacterLength> = new Map<string, CharacterLength>([
  ['gbk', isTwo],
  [
    'gb18030',
    (first, second) => (isTwo(first, second) === 2 && second >= 0x30 && second <= 0x39 ? 4 : isTwo(first, 0)),
  ],
  ['big5', isTwo],
  ['euc-kr', isTwo],
  ['euc-jp', (first) => (first === 0x8f ? 3 : first === 0x8e || (first > 0xa0 && first < 0xff) ? 2 : 1)],
  ['shift_jis', (first) => ((first > 0x80 && first < 0xa0) || (first > 0xdf && first < 0xfd) ? 2 : 1)],
  // Of the mode with two bytes: see `DOUBLE`.
  ['iso-2022-jp', () => 1],
])

const ESCAPE = 0x1b
const ESCAPE_LENGTH = 3
/** What changes to two bytes a character in ISO-2022-JP: ESC $ @, ESC $ B. */
const DOUBLE = 0x24
/** Bytes that are decoded at once where some of more are malformed; and of these, one character. */
const FEW = 1024
const NOTHING = new Uint8Array(0)
const encoder = new TextEncoder()
/** What ICU makes of bytes that mean nothing. */
const MEANINGLESS = /[\u0080-\u009f\uf8f0-\uf8ff]/

interface Output {
  text: string
  readonly lengths: number[]
}

/** Characters in a row. */
interface Run {
  readonly end: number
  /** Bytes of each. */
  readonly lengths: number[]
  /** The escape sequence that holds after them. */
  readonly mode: Uint8Array
}

export class MultiByteTranscoder implements Transcoder {
  error: string | undefined
  lengths = NOTHING
  readonly #encoding: string
  readonly #lengthOf: CharacterLength
  /** The escape sequence that holds for what comes next; empty for none. */
  #mode: Uint8Array = NOTHING
  /** A character that is cut off: 81 30 | 81 30. An escape sequence belongs to the character after it. */
  #rest: Uint8Array = NOTHING

  constructor(encoding: string) {
    this.#encoding = encoding
    this.#lengthOf = MULTI_BYTE.get(encoding) as CharacterLength
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.error !== undefined) return NOTHING
    const input = this.#rest.length > 0 ? concat(this.#rest, bytes) : bytes
    const output: Output = { text: '', lengths: [] }
    this.#rest = input.slice(this.#take(input, 0, input.length + 1, output))
    this.lengths = Uint8Array.from(output.lengths)
    return encoder.encode(output.text)
  }

  end(): void {
    const isEscape = this.#rest.length === ESCAPE_LENGTH && this.#decodeBytes(this.#rest) === ''
    if (this.#rest.length > 0 && !isEscape) this.error ??= CUT_CHARACTER
  }

  sourceLength(): number {
    return 1
  }

  /** Decodes the complete characters from an index on, about `size` bytes at once. Returns where it has ended: before what is malformed. */
  #take(input: Uint8Array, start: number, size: number, output: Output): number {
    let at = start
    for (let run = this.#findRun(input, at, size); run.end > at; run = this.#findRun(input, at, size)) {
      const text = this.#decode(input, at, run)
      if (text !== undefined) {
        output.text += text
        for (const length of run.lengths) output.lengths.push(length)
        this.#mode = run.mode
        at = run.end
        continue
      }
      if (size === 1) this.error = `the bytes here are not valid ${this.#encoding}`
      else at = this.#take(input.subarray(0, run.end), at, size > FEW ? FEW : 1, output)
      if (this.error !== undefined) break
    }
    return at
  }

  /** The complete characters from an index on, about so many bytes; at least one, if one is complete. */
  #findRun(input: Uint8Array, start: number, size: number): Run {
    const lengths: number[] = []
    let mode = this.#mode
    let at = start
    while (at < input.length && at - start < size) {
      let next = at
      let nextMode = mode
      while (this.#encoding === 'iso-2022-jp' && input[next] === ESCAPE) {
        nextMode = input.slice(next, next + ESCAPE_LENGTH)
        next += ESCAPE_LENGTH
      }
      const isDouble = nextMode[1] === DOUBLE && (input[next] as number) > 0x20
      // The length of one that is cut after its first byte may be unknown: it is two or more.
      next += isDouble ? 2 : this.#lengthOf(input[next] as number, input[next + 1] ?? 0)
      if (next > input.length) break
      lengths.push(next - at)
      at = next
      mode = nextMode
    }
    return { end: at, lengths, mode }
  }

  /** The text of some characters; undefined where one of them is malformed. */
  #decode(input: Uint8Array, start: number, { end, lengths }: Run): string | undefined {
    const bytes = input.subarray(start, end)
    const text = this.#decodeBytes(bytes[0] === ESCAPE ? bytes : concat(this.#mode, bytes))
    if (text === undefined || (MEANINGLESS.test(text) && this.#encoding !== 'gb18030')) return undefined
    const extra = countPoints(text) - lengths.length
    if (extra === 0) return text
    // A character of Big5 may be two in Unicode.
    if (lengths.length > 1 || extra < 0) return undefined
    for (let i = 0; i < extra; i++) lengths.push(0)
    return text
  }

  #decodeBytes(bytes: Uint8Array): string | undefined {
    try {
      return new TextDecoder(this.#encoding, { ignoreBOM: true, fatal: true }).decode(bytes)
    } catch {
      return undefined
    }
  }
}

// Not that of the stream layer: this is loaded late, and would cut in two what a page loads first.
function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}

function countPoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
