// Cuts a dump into pieces of complete pages, which can be parsed by themselves if the part before the first page precedes them.
//
// The cuts are a guess: `</page>` may stand in a comment or in a CDATA section, although no dump has such. Whoever parses a piece finds out
// whether it consists of complete pages; as long as all before it did, it is parsed as it would have been in its place.

import type { Cursor } from '../stream/cursor.ts'
import type { ByteSource } from '../stream/source.ts'
import { StreamCache, type StreamCacheOptions } from '../stream/stream-cache.ts'
import { findPage, findPageEnd } from './page-search.ts'

/** Bytes of the first piece, and of those that are usual; one with a page that is larger than the largest is not cut off. */
const FIRST_PIECE = 64 * 1024
const USUAL_PIECE = 4 * 1024 * 1024
const LARGEST_PIECE = 64 * 1024 * 1024
/** Bytes in which the first page has to begin. */
const LARGEST_HEAD = 1024 * 1024
/** Milliseconds that pages wait for more of them. */
const PATIENCE = 50
const TAG_END = 0x3e

export class DumpSplitter {
  readonly #cache: StreamCache
  readonly #cursor: Cursor
  readonly #allocate: (length: number) => Uint8Array
  #wanted = FIRST_PIECE

  /** `allocate` gives memory of a length for the next piece; where a piece turns out to be longer, it is asked again. */
  constructor(source: ByteSource, options: StreamCacheOptions, allocate: (length: number) => Uint8Array) {
    this.#allocate = allocate
    this.#cache = StreamCache.from(source, options)
    this.#cursor = this.#cache.cursor()
  }

  /**
   * What comes before the first page, up to the end of a tag, to be asked for first; undefined where no page begins in the first MiB: then
   * all is in `rest`. Throws a `SourceError` when the source fails before.
   */
  async readHead(): Promise<Uint8Array | undefined> {
    const page = this.#cursor.clone()
    try {
      if (!(await findPage(page, LARGEST_HEAD))) return undefined
      const head = this.#copyTo(new Uint8Array(page.offset - this.#cursor.offset))
      const end = head.lastIndexOf(TAG_END) + 1
      this.#cursor.skip(end)
      return end === 0 ? undefined : head.subarray(0, end)
    } finally {
      page.release()
    }
  }

  /**
   * The next piece: some pages and what is between them. Undefined where no more can be cut off, also where the source has failed: what is
   * left is in `rest`.
   */
  async next(): Promise<Uint8Array | undefined> {
    const cursor = this.#cursor
    for (let wanted = this.#wanted; ; wanted *= 2) {
      let isMore = await this.#waitFor(wanted, PATIENCE)
      for (;;) {
        const bytes = this.#copyTo(this.#allocate(Math.min(wanted, cursor.available)))
        const end = findPageEnd(bytes)
        if (end !== -1) {
          cursor.skip(end)
          this.#wanted = Math.min(2 * this.#wanted, USUAL_PIECE)
          return bytes.subarray(0, end)
        }
        if (bytes.length >= wanted) break
        if (!isMore) return undefined
        isMore = await this.#waitFor(bytes.length + 1, Number.POSITIVE_INFINITY)
        if (!isMore) return undefined
      }
      if (wanted >= LARGEST_PIECE) return undefined
    }
  }

  /** What was not given, to the end of the source, as it arrives. Throws a `SourceError` where that fails. */
  rest(): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#cursor.chunks()
  }

  /** Closes the source. */
  async close(): Promise<void> {
    this.#cursor.release()
    await this.#cache.cancel().catch(() => {})
  }

  /** Waits for so many bytes, and not much longer than some milliseconds. Returns whether there may be more of them. */
  async #waitFor(count: number, timeout: number): Promise<boolean> {
    try {
      return await this.#cursor.fill(count, { timeout })
    } catch (error) {
      // An error of the source is reported by those who read the rest.
      return (error as Error).name === 'TimeoutError'
    }
  }

  /** Fills an array with the next bytes, which are here. */
  #copyTo(bytes: Uint8Array): Uint8Array {
    const ahead = this.#cursor.clone()
    for (let at = 0; at < bytes.length; ) {
      const chunk = ahead.peekChunk().subarray(0, bytes.length - at)
      bytes.set(chunk, at)
      ahead.skip(chunk.length)
      at += chunk.length
    }
    ahead.release()
    return bytes
  }
}
