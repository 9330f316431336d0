/// <reference lib="esnext.disposable" preserve="true" />
// A source that wraps a source: its bytes, decompressed if they are compressed.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import type { Leaving } from '../async/leaving.ts'
import type { Cursor } from '../stream/cursor.ts'
import { InputLimit } from '../stream/input-limit.ts'
import { readLimits, requireOptions } from '../stream/options.ts'
import { type ByteSource, closeSource } from '../stream/sources/source.ts'
import { type Progress, REUSE, type ReportsProgress, type ReusesMemory } from '../stream/sources/source-reader.ts'
import { STREAM_LIMITS, StreamCache } from '../stream/stream-cache.ts'
import { decompressBzip2 } from './bzip2/bzip2.ts'
import { DECOMPRESS_OPTIONS, type DecompressOptions } from './decompress-options.ts'
import { type Compression, detectCompression, LONGEST_SIGNATURE } from './detect.ts'
import { CompressionError } from './errors.ts'
import { decompressGzip } from './gzip/gzip.ts'
import { peekAvailable } from './peek-available.ts'
import { decompressZstd } from './zstd/zstd.ts'

/** Decompresses from the cursor to the end of its stream. */
type Decompressor = (cursor: Cursor) => AsyncGenerator<Uint8Array, void, undefined>

/** Looks at the first bytes of what is read, decompressed if it is compressed in a format; throws for what cannot be meant. */
type Inspector = (bytes: Uint8Array, format: Compression) => void

/** Those of the program: an archive in what is compressed is nothing that a command reads, while others may want it. */
export const INSPECTORS: Inspector[] = []

/** What a program reads by means of its own, because the library has no packages, by format. It is one table for all sources of the process. */
export const ADDED_FORMATS = new Map<Compression, Decompressor>()

/** How other programs decompress. */
export const BY_HAND = {
  gzip: 'gzip -dc FILE',
  bzip2: 'bzip2 -dc FILE',
  zstd: 'zstd -dc FILE',
  xz: 'xz -dc FILE',
  '7z': '7z x -so FILE',
  zip: 'unzip -p FILE MEMBER',
  lz4: 'lz4 -dc FILE',
  lzma: 'xz -dc FILE',
  tar: 'tar -xOf FILE MEMBER',
} as const

/** A source that detects its compression. */
export interface ReportsFormat {
  /** Undefined until the first bytes have arrived. */
  readonly format: Compression | undefined
}

/**
 * A source of the decompressed bytes of `source`. gzip (all members), bzip2 (all streams) and zstd (all frames) are detected from the first
 * bytes, never from a name; anything else is passed on unchanged.
 *
 * `progress` counts compressed bytes. Iterating throws a `CompressionError` if the input is truncated, corrupt, followed by other data, or
 * in a format that is detected but not supported (xz, 7z, zip, lz4, lzma); everything before the error is delivered first. The other options configure the
 * cache of the compressed bytes. `[Symbol.asyncDispose]` closes `source`, also where nothing of it was read.
 */
export function decompress(
  source: ByteSource,
  options: DecompressOptions = {},
): AsyncIterable<Uint8Array> & AsyncDisposable & ReportsProgress & ReportsFormat {
  return new DecompressedSource(source, options)
}

class DecompressedSource
  implements AsyncIterable<Uint8Array>, AsyncDisposable, ReportsProgress, ReportsFormat, ReusesMemory
{
  /** @internal Offsets in what was decompressed at which blocks were left out. */
  readonly gaps: number[] = []
  readonly #source: ByteSource
  readonly #options: DecompressOptions
  #cache: StreamCache | undefined
  #format: Compression | undefined

  constructor(source: ByteSource, options: DecompressOptions) {
    requireOptions(options, DECOMPRESS_OPTIONS)
    readLimits(options.limits, STREAM_LIMITS)
    this.#source = source
    this.#options = options
  }

  get progress(): Progress {
    return this.#cache?.progress ?? { bytesRead: 0, totalBytes: undefined }
  }

  get format(): Compression | undefined {
    return this.#format
  }

  /** @internal That of what is not compressed. */
  get charset(): string | undefined {
    return this.#format === 'none' ? this.#cache?.charset : undefined
  }

  /** @internal What is not compressed is passed on as it is, and so goes back as it is. */
  [REUSE](chunk: Uint8Array): void {
    if (this.#format === 'none') (this.#source as Partial<ReusesMemory>)[REUSE]?.(chunk)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#cache ? this.#cache.cancel() : closeSource(this.#source))
  }

  // Nothing is opened before: a source that nobody iterates holds nothing.
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const { highWaterMark, limits, idleTimeout, signal: ours, copy, loneSurrogate } = this.#options
    const { maxRetained, maxInput } = limits ?? {}
    const reading = { highWaterMark, limits: { maxRetained }, idleTimeout, signal: ours, copy, loneSurrogate }
    const cache = StreamCache.from(this.#source, reading)
    this.#cache = cache
    return new CancellableGenerator((leaving) => {
      leaving.signal.addEventListener('abort', () => void cache.cancel().catch(() => {}))
      const onFormat = (format: Compression) => {
        this.#format = format
      }
      const { onFault } = this.#options
      const noteGap = (error: CompressionError) => {
        if (error.outputOffset !== undefined) this.gaps.push(error.outputOffset)
        onFault?.(error)
      }
      const options = { ...this.#options, onFault: onFault && noteGap }
      return bounded(readDecompressed(cache, options, onFormat), new InputLimit(0, maxInput), leaving)
    }, ours)
  }
}

/**
 * The pieces up to a limit, or until they are not wanted any more: the cache takes no notice of a signal when all of its input is there, while there
 * may be much to decompress.
 */
async function* bounded(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  limit: InputLimit,
  leaving: Leaving,
): AsyncGenerator<Uint8Array, void, undefined> {
  let offset = 0
  for await (const piece of pieces) {
    leaving.throwIfAborted()
    const within = limit.cut(piece, offset)
    yield within
    offset += within.length
    if (within.length < piece.length) throw limit.makeError()
  }
}

async function* readDecompressed(
  cache: StreamCache,
  options: DecompressOptions,
  onFormat: (format: Compression) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const cursor = cache.cursor()
  try {
    if (options.startBit !== undefined) return yield* decompressBzip2(cursor, options)
    const { bytes } = await peekAvailable(cursor, LONGEST_SIGNATURE)
    const format = detectCompression(bytes)
    onFormat(format)
    let isFirst = true
    for await (const piece of decompressAs(format, cursor, options)) {
      if (isFirst) for (const inspect of INSPECTORS) inspect(piece, format)
      isFirst = false
      yield piece
    }
  } finally {
    cursor.release()
    // The source is closed when the iteration is over. An error in closing must not hide the error that ended it.
    await cache.cancel().catch(() => {})
  }
}

function decompressAs(
  format: Compression,
  cursor: Cursor,
  options: DecompressOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  switch (format) {
    case 'gzip':
      return decompressGzip(cursor)
    case 'bzip2':
      return decompressBzip2(cursor, options)
    case 'zstd':
      return decompressZstd(cursor)
    case 'none':
      return cursor.chunks()
    default: {
      const decompressAdded = ADDED_FORMATS.get(format)
      if (!decompressAdded) throw makeUnsupported(format)
      return decompressAdded(cursor)
    }
  }
}

function makeUnsupported(format: keyof typeof BY_HAND): CompressionError {
  const message = `this format is not supported; decompress it first: ${BY_HAND[format]} | …`
  return new CompressionError(format, 'unsupported', message, { byteOffset: 0 })
}
