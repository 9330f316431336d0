// Lines in UTF-8, as they are put together.

/** Bytes of memory that is written to at first, and at most, unless more is needed at once. What is taken shares it: memory of its own for each would keep the garbage collector busy. */
const FIRST_SIZE = 4 * 1024
const SIZE = 256 * 1024
const encoder = new TextEncoder()

/** UTF-16 units that are put together before they are encoded: a call takes longer than a short text. */
const LONGEST_TEXT = 16 * 1024
/** UTF-16 units of a text that is not encoded apart, with room for the longest that it may be. */
const LONGEST_SHARED = 4 * LONGEST_TEXT

/** Lines in the kernel's memory (xml/projection/record-batch.ts). */
interface KernelLines {
  readonly memory: { readonly bytes: Uint8Array } | undefined
  output: LineBytes | undefined
  settle(): void
}

export class LineBytes {
  #bytes = new Uint8Array(0)
  /** Where what was written since `take` begins, and its length. */
  #start = 0
  #length = 0
  /** What was written last, if it is text. */
  #text = ''
  /** Lines that follow each other in the kernel's memory are copied together, before something else is written. */
  #batch: KernelLines | undefined
  #lineFrom = 0
  #lineEnd = 0

  /** Bytes that were written since `take`. */
  get length(): number {
    this.settle()
    return this.#length
  }

  /** What was written since `take`: it holds until more is written. */
  get written(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#start + this.#length)
  }

  /** What was written. Keeping it retains up to 256 KiB more. */
  take(): Uint8Array {
    this.settle()
    const { written } = this
    this.#start += this.#length
    this.#length = 0
    return written
  }

  /** Writes bytes as they are, all or those from one index to another. */
  put(bytes: Uint8Array, from = 0, end = bytes.length): void {
    this.settle()
    this.#reserve(end - from)
    const to = this.#bytes
    let at = this.#start + this.#length
    // A call takes longer than writing a few bytes.
    if (end - from > 64) to.set(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end), at)
    else for (let i = from; i < end; i++) to[at++] = bytes[i] as number
    this.#length += end - from
  }

  putByte(byte: number): void {
    this.settle()
    this.#reserve(1)
    this.#bytes[this.#start + this.#length++] = byte
  }

  putText(text: string): void {
    if (this.#batch) this.settle()
    this.#text += text
    if (this.#text.length > LONGEST_TEXT) this.settle()
  }

  /** Writes what stands between two addresses of the kernel's memory: a line, or all but its beginning. */
  putLine(batch: KernelLines, from: number, end: number): void {
    if (batch.output !== this || from !== this.#lineEnd) {
      this.settle()
      batch.settle()
      batch.output = this
      this.#batch = batch
      this.#lineFrom = from
    }
    this.#lineEnd = end
  }

  /** Encodes what is only text, or copies the lines that are only in the kernel's memory. */
  settle(): void {
    if (this.#text !== '') {
      const text = this.#text
      this.#text = ''
      if (text.length > LONGEST_SHARED) this.put(encoder.encode(text))
      else {
        // A UTF-16 unit has three bytes at most.
        this.#reserve(3 * text.length)
        this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#start + this.#length)).written
      }
    }
    const batch = this.#batch
    if (!batch?.memory) return
    this.#batch = batch.output = undefined
    this.put(batch.memory.bytes, this.#lineFrom, this.#lineEnd)
  }

  #reserve(length: number): void {
    const needed = this.#length + length
    if (this.#start + needed <= this.#bytes.length) return
    const usual = Math.min(SIZE, 4 * this.#bytes.length)
    const larger = new Uint8Array(Math.max(FIRST_SIZE, usual, 2 * needed))
    larger.set(this.written)
    this.#bytes = larger
    this.#start = 0
  }
}
