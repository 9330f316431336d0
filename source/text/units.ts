// Strings from code units that lie in memory.
//
// Node's buffers make a string of UTF-16 in a quarter of the time that its `TextDecoder` takes, which goes through a converter. They are
// there without an import, so that where they are not (in browsers) the decoder does it.

/** What of a Node buffer is used. */
interface UnitBuffer {
  utf8Slice(this: Uint8Array, start: number, end: number): string
  latin1Slice(start: number, end: number): string
  ucs2Slice(start: number, end: number): string
}

interface UnitBufferClass {
  readonly prototype: Partial<UnitBuffer>
  from(buffer: ArrayBuffer): UnitBuffer
}

const { Buffer } = globalThis as unknown as { Buffer?: UnitBufferClass }
const hasSlices = Buffer?.prototype.ucs2Slice !== undefined && Buffer.prototype.latin1Slice !== undefined

const utf8Slice = Buffer?.prototype.utf8Slice
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const wideDecoder = new TextDecoder('utf-16le', { ignoreBOM: true })

/** The string of the well-formed UTF-8 from one index to another. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  return utf8Slice ? utf8Slice.call(bytes, from, to) : decoder.decode(bytes.subarray(from, to))
}

/** Makes strings of what is in one memory, as long as it is not another one. */
export class UnitDecoder {
  #memory: ArrayBuffer | undefined
  #bytes = new Uint8Array()
  #buffer: UnitBuffer | undefined

  /** The string of so many units from an address on: UTF-16 in little-endian order where `isWide`, else ASCII, a byte each. */
  decode(memory: ArrayBuffer, address: number, units: number, isWide: boolean): string {
    if (memory !== this.#memory) this.#view(memory)
    const end = address + (isWide ? 2 * units : units)
    if (this.#buffer) return isWide ? this.#buffer.ucs2Slice(address, end) : this.#buffer.latin1Slice(address, end)
    return (isWide ? wideDecoder : decoder).decode(this.#bytes.subarray(address, end))
  }

  #view(memory: ArrayBuffer): void {
    this.#memory = memory
    this.#bytes = new Uint8Array(memory)
    this.#buffer = hasSlices ? Buffer?.from(memory) : undefined
  }
}
