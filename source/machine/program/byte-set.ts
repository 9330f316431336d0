// A set of byte values.

/** Bytes 0 to 255, as bits of eight words. Immutable. */
export class ByteSet {
  static readonly NONE = new ByteSet(new Uint32Array(8))
  static readonly ALL = new ByteSet(new Uint32Array(8).fill(0xffffffff))

  readonly #words: Uint32Array
  #list: readonly number[] | undefined
  #key: string | undefined

  private constructor(words: Uint32Array) {
    this.#words = words
  }

  static of(...bytes: readonly number[]): ByteSet {
    return ByteSet.from(bytes)
  }

  static from(bytes: readonly number[]): ByteSet {
    const words = new Uint32Array(8)
    for (const byte of bytes) words[byte >> 5] = (words[byte >> 5] as number) | (1 << (byte & 31))
    return new ByteSet(words)
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0)
  }

  /** How many bytes it holds. */
  get size(): number {
    return this.list.length
  }

  /** Its bytes in ascending order. */
  get list(): readonly number[] {
    this.#list ??= listBits(this.#words)
    return this.#list
  }

  /** A text that is equal for equal sets, and for no others. */
  get key(): string {
    this.#key ??= Array.from(this.#words, (word) => word.toString(36)).join()
    return this.#key
  }

  has(byte: number): boolean {
    return (((this.#words[byte >> 5] as number) >>> (byte & 31)) & 1) === 1
  }

  union(other: ByteSet): ByteSet {
    return new ByteSet(this.#words.map((word, i) => word | (other.#words[i] as number)))
  }

  intersects(other: ByteSet): boolean {
    return this.#words.some((word, i) => (word & (other.#words[i] as number)) !== 0)
  }

  complement(): ByteSet {
    return new ByteSet(this.#words.map((word) => ~word))
  }

  isEqual(other: ByteSet): boolean {
    for (let i = 0; i < 8; i++) if (this.#words[i] !== other.#words[i]) return false
    return true
  }
}

function listBits(words: Uint32Array): number[] {
  const bits: number[] = []
  for (let i = 0; i < words.length; i++) {
    for (let rest = words[i] as number; rest !== 0; rest &= rest - 1) bits.push(i * 32 + 31 - Math.clz32(rest & -rest))
  }
  return bits
}
