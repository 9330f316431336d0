// JSON in UTF-8, as it is put together.

const FIRST_SIZE = 64 * 1024
const encoder = new TextEncoder()

export class JsonBytes {
  #bytes = new Uint8Array(FIRST_SIZE)
  #length = 0

  /** Bytes that were written since `take`. */
  get length(): number {
    return this.#length
  }

  /** What was written, at the beginning of these. */
  get bytes(): Uint8Array {
    return this.#bytes
  }

  /** Takes back what was written after so many bytes. */
  cut(length: number): void {
    this.#length = length
  }

  /** A copy of what was written. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return bytes
  }

  /** Writes bytes as they are, all or those from one index to another. */
  put(bytes: Uint8Array, from = 0, end = bytes.length): void {
    this.#reserve(end - from)
    const to = this.#bytes
    let at = this.#length
    // A call takes longer than writing a few bytes.
    if (end - from > 64) to.set(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end), at)
    else for (let i = from; i < end; i++) to[at++] = bytes[i] as number
    this.#length += end - from
  }

  putByte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  /** Writes a value as `JSON.stringify` does. */
  putValue(value: unknown): void {
    this.put(encoder.encode(JSON.stringify(value)))
  }

  #reserve(length: number): void {
    const end = this.#length + length
    if (end <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
