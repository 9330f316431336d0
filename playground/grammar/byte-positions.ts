// From offsets in bytes, which the library counts in, to indices in a text, which the editor counts in.

/** The index in UTF-16 units of each offset in the UTF-8 of a text. */
export class BytePositions {
  /** Undefined where all characters are ASCII: then an offset is an index. */
  readonly #indices: Uint32Array | undefined
  readonly #length: number

  constructor(text: string) {
    const bytes = new TextEncoder().encode(text)
    this.#length = text.length
    this.#indices = bytes.length === text.length ? undefined : findIndices(bytes)
  }

  /** Whether offsets and indices are the same. */
  get areSame(): boolean {
    return this.#indices === undefined
  }

  /** An offset inside a character is the index where the character begins. */
  indexOf(offset: number): number {
    return this.#indices?.[Math.min(offset, this.#indices.length - 1)] ?? Math.min(offset, this.#length)
  }
}

function findIndices(bytes: Uint8Array): Uint32Array {
  const indices = new Uint32Array(bytes.length + 1)
  let [index, width] = [0, 0]
  for (const [offset, byte] of bytes.entries()) {
    const isFirst = (byte & 0xc0) !== 0x80
    if (isFirst) {
      index += width
      // Four bytes of UTF-8 are two units of UTF-16.
      width = byte >= 0xf0 ? 2 : 1
    }
    indices[offset] = index
  }
  indices[bytes.length] = index + width
  return indices
}
