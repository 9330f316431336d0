// Where the frames of Zstandard end (RFC 8878, section 3.1), without decompressing them: not every decompressor says that the input has
// ended in a frame.

/** What is read next: so many bytes, and what they are. */
type Part = 'magic' | 'size' | 'descriptor' | 'header' | 'block' | 'content' | 'checksum'

const SKIPPABLE = 0x184d2a50

/** Follows the frames of a stream that comes in pieces. Of data that is corrupt what it says means nothing. */
export class ZstdFrames {
  #part: Part = 'magic'
  /** Bytes of the part that have not come, and the value of those that have, least significant first. */
  #left = 4
  #value = 0
  #taken = 0
  #hasChecksum = false
  #isLastBlock = false

  /** Whether a frame could begin where the stream is. */
  get isBetween(): boolean {
    return this.#part === 'magic' && this.#taken === 0
  }

  feed(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(this.#left, bytes.length - at)
      // Only the first bytes of a part are looked at.
      for (let i = 0; i < count && this.#taken + i < 4; i++)
        this.#value += (bytes[at + i] as number) * 256 ** (this.#taken + i)
      this.#taken += count
      this.#left -= count
      at += count
      while (this.#left === 0) this.#begin(...this.#next(this.#value))
    }
  }

  /** A part is there as a whole, with this value: what comes next, and how long it is. */
  #next(value: number): [part: Part, length: number] {
    switch (this.#part) {
      case 'magic':
        return Math.floor(value / 16) * 16 === SKIPPABLE ? ['size', 4] : ['descriptor', 1]
      case 'size':
        this.#isLastBlock = true
        this.#hasChecksum = false
        return ['content', value]
      case 'descriptor': {
        const isSingle = (value & 0x20) !== 0
        const contentSize = [isSingle ? 1 : 0, 2, 4, 8][value >> 6] as number
        const dictionary = [0, 1, 2, 4][value & 3] as number
        this.#hasChecksum = (value & 4) !== 0
        return ['header', (isSingle ? 0 : 1) + dictionary + contentSize]
      }
      case 'header':
        return ['block', 3]
      case 'block':
        this.#isLastBlock = (value & 1) === 1
        // A repeated byte is one byte, however often it is.
        return ['content', ((value >> 1) & 3) === 1 ? 1 : value >> 3]
      case 'content':
        if (!this.#isLastBlock) return ['block', 3]
        return this.#hasChecksum ? ['checksum', 4] : ['magic', 4]
      case 'checksum':
        return ['magic', 4]
    }
  }

  #begin(part: Part, length: number): void {
    this.#part = part
    this.#left = length
    this.#value = 0
    this.#taken = 0
  }
}
