// What was decompressed of a frame, as far back as sequences may refer to it.

/** Bytes that may be written after what is copied. */
export const COPY_PADDING = 4
/** Room for so many blocks besides the window, at least: so often less must the window be moved to the front. */
const SPARE_BLOCKS = 8
/** What is allocated at first, however large the window is said to be. */
const SMALLEST = 1024 * 1024

export class History {
  /** From index 0 on, up to `end`. */
  bytes = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  end = 0
  /** How far back may be referred to. */
  window = 0
  /** Bytes of a block at most. */
  blockSize = 0

  /** Begins a frame with a window of so many bytes, and blocks of up to so many. */
  begin(window: number, blockSize: number): void {
    this.window = window
    this.blockSize = blockSize
    this.end = 0
  }

  append(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.end)
    this.end += bytes.length
  }

  repeat(byte: number, count: number): void {
    this.bytes.fill(byte, this.end, this.end + count)
    this.end += count
  }

  /** Makes room for a block after what is there. */
  makeRoom(): void {
    const needed = this.end + this.blockSize + COPY_PADDING
    if (needed <= this.bytes.length) return
    const most = this.window + Math.max(SPARE_BLOCKS * this.blockSize, this.window >> 2) + COPY_PADDING
    if (this.bytes.length < most) {
      const larger = new Uint8Array(Math.min(most, Math.max(SMALLEST, 2 * needed)))
      larger.set(this.bytes.subarray(0, this.end))
      this.bytes = larger
      this.view = new DataView(larger.buffer)
    } else {
      this.bytes.copyWithin(0, this.end - this.window, this.end)
      this.end = this.window
    }
  }
}

/** Copies forward by words of four bytes: up to three more are written than asked for, and what is copied may overlap by no less than a word. */
export function copyWords(source: DataView, from: number, target: DataView, to: number, length: number): void {
  for (let i = 0; i < length; i += 4) target.setUint32(to + i, source.getUint32(from + i, true), true)
}
