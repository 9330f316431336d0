// Where text that was transcoded stood before.

/** A stretch of UTF-8 as it was made. */
interface Stretch {
  /** Offset of its first byte, and of what it was made of. */
  readonly start: number
  readonly sourceStart: number
  readonly bytes: Uint8Array
  /** Bytes of the source for each character; undefined where the first byte of its UTF-8 says so. */
  readonly lengths: Uint8Array | undefined
}

/** Offsets of UTF-8 to those of what it was made of. Fast for offsets after the last one asked for. */
export class OffsetMap {
  readonly #sourceLength: (lead: number) => number
  readonly #stretches: Stretch[] = []
  /** What was asked for last; -1 for nothing. */
  #lastOffset = -1
  #lastSource = 0
  /** How many characters of its stretch are before it. */
  #lastCount = 0

  /** `sourceLength` says how many bytes a character took, by the first byte of its UTF-8, where no list does. */
  constructor(sourceLength: (lead: number) => number) {
    this.#sourceLength = sourceLength
  }

  /** Notes what was made of the source from an offset on, and of how many bytes of it each character, where there is a list. */
  add(bytes: Uint8Array, start: number, sourceStart: number, lengths: Uint8Array | undefined): void {
    if (bytes.length > 0) this.#stretches.push({ start, sourceStart, bytes, lengths })
  }

  /** Offsets before this one are not asked for any more. */
  release(offset: number): void {
    let count = 0
    while (count + 1 < this.#stretches.length && (this.#stretches[count + 1] as Stretch).start <= offset) count++
    if (count === 0) return
    this.#stretches.splice(0, count)
    this.#lastOffset = -1
  }

  /** The offset in the source. What was released is taken for the start of what was not. */
  toSource(offset: number): number {
    const stretch = this.#find(offset)
    if (!stretch) return offset
    const { start, sourceStart, bytes, lengths } = stretch
    const isBehind = this.#lastOffset > start && this.#lastOffset <= offset
    let at = isBehind ? this.#lastOffset - start : 0
    let source = isBehind ? this.#lastSource : sourceStart
    let count = isBehind ? this.#lastCount : 0
    const end = Math.min(offset - start, bytes.length)
    for (; at < end; at++) {
      const byte = bytes[at] as number
      if (byte >= 0x80 && byte < 0xc0) continue
      source += lengths ? (lengths[count] as number) : this.#sourceLength(byte)
      count++
    }
    this.#lastOffset = start + Math.max(at, 0)
    this.#lastSource = source
    this.#lastCount = count
    return source
  }

  /** The last stretch that begins at or before an offset, or the first one. */
  #find(offset: number): Stretch | undefined {
    const stretches = this.#stretches
    let first = 0
    for (let last = stretches.length - 1; first < last; ) {
      const middle = (first + last + 1) >> 1
      if ((stretches[middle] as Stretch).start <= offset) first = middle
      else last = middle - 1
    }
    return stretches[first]
  }
}
