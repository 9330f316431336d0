// Making an index of a dump that has none: where its pages begin, and in which bzip2 blocks.

import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import { decompress } from '../../compression/decompress.ts'
import { detectCompression, LONGEST_SIGNATURE } from '../../compression/detect.ts'
import { CompressionError } from '../../compression/errors.ts'
import { peekAvailable } from '../../compression/peek-available.ts'
import { readFrom, type Seekable } from '../../stream/seekable.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { detectEncoding } from '../../xml/text/encoding.ts'
import type { DumpOptions } from '../dump-options.ts'
import { readDump } from '../dump-reader.ts'
import { takeFingerprint } from '../head/fingerprint.ts'
import type { IndexEntry, IndexHead } from './index-format.ts'

/**
 * Yields the positions of the pages of a dump, uncompressed or compressed with bzip2, in order. Throws what `readDump` throws, and a
 * `CompressionError` with the code `unsupported` for other formats, which cannot be read from the middle.
 */
export function buildIndex(source: ByteSource, options: DumpOptions = {}): AsyncGenerator<IndexEntry, void, undefined> {
  return new CancellableGenerator(({ signal }) => makeEntries(source, options, signal))
}

/** The head of the index of a dump, with its fingerprint and encoding. Throws what reading the beginning of the dump throws. */
export async function makeIndexHead(dump: Seekable): Promise<IndexHead> {
  const encoding = await detectEncoding(decompress(readFrom(dump, 0)))
  return { version: 1, ...(await takeFingerprint(dump)), encoding }
}

async function* makeEntries(
  source: ByteSource,
  options: DumpOptions,
  signal: AbortSignal,
): AsyncGenerator<IndexEntry, void, undefined> {
  const cache = StreamCache.from(source, { highWaterMark: options.highWaterMark, signal })
  const cursor = cache.cursor()
  try {
    const { bytes } = await peekAvailable(cursor, LONGEST_SIGNATURE)
    const format = detectCompression(bytes)
    if (format !== 'none' && format !== 'bzip2') {
      throw new CompressionError(
        format,
        'unsupported',
        'a dump in this format cannot be indexed; decompress it, or compress it with bzip2',
        {
          byteOffset: 0,
        },
      )
    }
    const blocks = new BlockList()
    const reader = readDump(cursor.chunks(), { ...options, onBlock: (bit, offset) => blocks.add(bit, offset) })
    for await (const { id, title, start } of reader.places()) yield { id, title, ...blocks.placeOf(start) }
  } finally {
    cursor.release()
    await cache.cancel().catch(() => {})
  }
}

/** Number of passed blocks after which they are forgotten together. */
const MOST_PASSED = 1000

/**
 * The blocks in which pages that come may still begin, for an index of your own: `add` is for the option `onBlock` of `readDump`, and `placeOf` for the
 * pages that `places` yields, in their order.
 */
export class BlockList {
  #bits: number[] = []
  #offsets: number[] = []
  #first = 0

  /** A block begins at this bit of the dump; its content has this offset in the decompressed dump. */
  add(bit: number, offset: number): void {
    this.#bits.push(bit)
    this.#offsets.push(offset)
  }

  /** Where a page is that begins at an offset in the decompressed dump, as an index entry says it. Without blocks: at that offset. Offsets must not decrease. */
  placeOf(start: number): Pick<IndexEntry, 'offset' | 'bit' | 'skip'> {
    while ((this.#offsets[this.#first + 1] ?? Number.POSITIVE_INFINITY) <= start) this.#first++
    const [bit, offset] = [this.#bits[this.#first], this.#offsets[this.#first]]
    if (this.#first > MOST_PASSED) this.#forget()
    if (bit === undefined || offset === undefined) return { offset: start }
    return { offset: Math.floor(bit / 8), bit: bit % 8, skip: start - offset }
  }

  #forget(): void {
    this.#bits = this.#bits.slice(this.#first)
    this.#offsets = this.#offsets.slice(this.#first)
    this.#first = 0
  }
}
