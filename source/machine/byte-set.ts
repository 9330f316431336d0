// A set of byte values.

/** Bytes 0 to 255, as bits of eight words. Immutable. */
export class ByteSet {
  static readonly NONE = new ByteSet(new Uint32Array(8))
  static readonly ALL = new ByteSet(new Uint32Array(8).fill(0xffffffff))

  readonly #words: Uint32Array

  private constructor(words: Uint32Array) {
    this.#words = words
  }

  static of(...bytes: readonly number[]): ByteSet {
    const words = new Uint32Array(8)
    for (const byte of bytes) words[byte >> 5] = (words[byte >> 5] as number) | (1 << (byte & 31))
    return new ByteSet(words)
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0)
  }

  /** How many bytes it holds. */
  get size(): number {
    return [...this].length
  }

  has(byte: number): boolean {
    return (((this.#words[byte >> 5] as number) >>> (byte & 31)) & 1) === 1
  }

  union(other: ByteSet): ByteSet {
    return new ByteSet(this.#words.map((word, i) => word | (other.#words[i] as number)))
  }

  complement(): ByteSet {
    return new ByteSet(this.#words.map((word) => ~word))
  }

  isEqual(other: ByteSet): boolean {
    return this.#words.every((word, i) => word === other.#words[i])
  }

  intersects(other: ByteSet): boolean {
    return this.#words.some((word, i) => (word & (other.#words[i] as number)) !== 0)
  }

  *[Symbol.iterator](): Generator<number, void, undefined> {
    for (let byte = 0; byte < 256; byte++) if (this.has(byte)) yield byte
  }
}
