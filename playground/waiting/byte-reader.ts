// A reader of a stream as one writes it by hand. It can give each byte and each word in a promise, or at once.

import { BLANK } from './text.ts'

export class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()
  #at = 0
  /** How often it has waited for a chunk. */
  fills = 0

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  /** Waits for the next chunk. False: the stream has ended. Only for when all of the last chunk is read. */
  async fill(): Promise<boolean> {
    this.fills++
    const { value } = await this.#reader.read()
    this.#chunk = value ?? new Uint8Array()
    this.#at = 0
    return value !== undefined
  }

  /** The next byte; undefined if it has not arrived. */
  takeByte(): number | undefined {
    return this.#at < this.#chunk.length ? this.#chunk[this.#at++] : undefined
  }

  /** The next byte; undefined at the end. */
  async readByte(): Promise<number | undefined> {
    while (this.#at === this.#chunk.length) if (!(await this.fill())) return undefined
    return this.#chunk[this.#at++]
  }

  /** The next word with what separates it; undefined at the end. */
  async readWord(): Promise<Uint8Array | undefined> {
    // What has arrived of a word that is cut by the edge of a chunk.
    let begun: Uint8Array | undefined
    for (;;) {
      const end = findWordEnd(this.#chunk, this.#at)
      const piece = this.#chunk.subarray(this.#at, end)
      this.#at = end
      const word = begun ? join(begun, piece) : piece
      if (isComplete(word)) return word
      if (!(await this.fill())) return word.length > 0 ? word : undefined
      begun = word
    }
  }

  /** Calls a function for each byte. */
  async forEachByte(take: (byte: number) => void): Promise<void> {
    while (await this.fill()) {
      const chunk = this.#chunk
      for (let i = 0; i < chunk.length; i++) take(chunk[i] as number)
      this.#at = chunk.length
    }
  }
}

/** The index after the next blank; the length where there is none. */
export function findWordEnd(bytes: Uint8Array, from: number): number {
  let end = from
  while (end < bytes.length && (bytes[end] as number) > BLANK) end++
  return Math.min(end + 1, bytes.length)
}

function isComplete(word: Uint8Array): boolean {
  return word.length > 0 && (word[word.length - 1] as number) <= BLANK
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}

/** The chunks of a stream. Not all browsers can iterate over streams themselves. */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader()
  for (let { value } = await reader.read(); value; { value } = await reader.read()) yield value
}

/** The words of a stream, each with what separates it. */
export async function* readWords(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let begun: Uint8Array | undefined
  for await (const chunk of readChunks(stream)) {
    for (let at = 0; at < chunk.length; ) {
      const end = findWordEnd(chunk, at)
      const piece = chunk.subarray(at, end)
      at = end
      const word: Uint8Array = begun ? join(begun, piece) : piece
      begun = isComplete(word) ? undefined : word
      if (!begun) yield word
    }
  }
  if (begun) yield begun
}
