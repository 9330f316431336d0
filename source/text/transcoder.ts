// From other encodings to UTF-8, which is what all parsers here read.

/** What a source holds that is no text in its encoding. */
interface EncodingFault {
  readonly message: string
}

/** Turns chunks into UTF-8, cut anywhere. What comes before a fault is given first; then `fault` is there, and nothing more comes. */
export interface Transcoder {
  readonly fault: EncodingFault | undefined
  /** The UTF-8 of bytes that follow those before; without what is not whole yet. */
  push(bytes: Uint8Array): Uint8Array
  /** Says that no more bytes come. */
  end(): void
}

/** A transcoder; undefined for what needs none, or is not known. The name is one that `normalizeEncoding` gives. */
export function makeTranscoder(encoding: string): Transcoder | undefined {
  switch (encoding) {
    case 'utf-8':
      return undefined
    case 'utf-16le':
      return new Utf16Transcoder(0)
    case 'utf-16be':
      return new Utf16Transcoder(1)
    case 'iso-8859-1':
      return new SingleByteTranscoder(0xff, encoding)
    case 'us-ascii':
      return new SingleByteTranscoder(0x7f, encoding)
    default:
      return new DecoderTranscoder(encoding)
  }
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['utf8', 'utf-8'],
  ['iso8859-1', 'iso-8859-1'],
  ['iso_8859-1', 'iso-8859-1'],
  ['latin1', 'iso-8859-1'],
  ['l1', 'iso-8859-1'],
  ['ibm819', 'iso-8859-1'],
  ['cp819', 'iso-8859-1'],
  ['ascii', 'us-ascii'],
  ['iso646-us', 'us-ascii'],
])
const OWN = new Set(['utf-8', 'utf-16', 'utf-16le', 'utf-16be', 'iso-8859-1', 'us-ascii'])

/** The name of an encoding as we write it; undefined for one that is not known. `TextDecoder` takes latin1 for windows-1252. */
export function normalizeEncoding(label: string): string | undefined {
  const name = label.toLowerCase()
  const own = ALIASES.get(name) ?? name
  if (OWN.has(own)) return own
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

class Utf16Transcoder implements Transcoder {
  fault: EncodingFault | undefined
  /** Which of two bytes is the low one. */
  readonly #low: 0 | 1
  /** The first byte of a unit whose second has not arrived: … 3C | 00. */
  #half: number | undefined
  /** The first unit of a pair whose second has not arrived. */
  #high = 0

  constructor(high: 0 | 1) {
    this.#low = high
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.fault) return NOTHING
    const units = Math.floor((bytes.length + (this.#half === undefined ? 0 : 1)) / 2)
    // A unit becomes three bytes at the most, a pair four.
    const output = new Uint8Array(units * 3 + 4)
    let length = 0
    let at = 0
    for (let unit = 0; unit < units && !this.fault; unit++) {
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
        this.fault = { message: 'half of a surrogate pair stands alone' }
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
    if (this.#half !== undefined || this.#high !== 0) this.fault ??= { message: 'the input ends inside a character' }
  }
}

class SingleByteTranscoder implements Transcoder {
  fault: EncodingFault | undefined
  readonly #highest: number
  readonly #name: string

  constructor(highest: number, name: string) {
    this.#highest = highest
    this.#name = name
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.fault) return NOTHING
    const output = new Uint8Array(bytes.length * 2)
    let length = 0
    for (const byte of bytes) {
      if (byte > this.#highest) {
        this.fault = { message: `the byte 0x${byte.toString(16)} is no character of ${this.#name}` }
        break
      }
      length = writeUtf8(byte, output, length)
    }
    return output.subarray(0, length)
  }

  end(): void {}
}

/** What the platform knows. It puts U+FFFD where bytes mean nothing, which these encodings have no bytes for. */
class DecoderTranscoder implements Transcoder {
  fault: EncodingFault | undefined
  readonly #decoder: TextDecoder
  readonly #name: string

  constructor(name: string) {
    this.#decoder = new TextDecoder(name, { ignoreBOM: true })
    this.#name = name
  }

  push(bytes: Uint8Array): Uint8Array {
    return this.fault ? NOTHING : this.#take(this.#decoder.decode(bytes, { stream: true }))
  }

  end(): void {
    if (!this.fault) this.#take(this.#decoder.decode())
  }

  #take(text: string): Uint8Array {
    const wrong = text.indexOf('\ufffd')
    if (wrong !== -1) this.fault = { message: `the bytes here are no text in ${this.#name}` }
    return encoder.encode(wrong === -1 ? text : text.slice(0, wrong))
  }
}

const encoder = new TextEncoder()
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
