// A source that wraps a source: its bytes, decompressed if they are compressed.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { type OptionKinds, readLimits, requireOptions } from '../stream/options.ts'
import type { ByteSource, Progress, ReportsProgress } from '../stream/source.ts'
import { STREAM_CACHE_OPTIONS, STREAM_LIMITS, StreamCache, type StreamCacheOptions } from '../stream/stream-cache.ts'
import { decompressBzip2 } from './bzip2.ts'
import { type Compression, detectCompression, LONGEST_SIGNATURE } from './detect.ts'
import { CompressionError } from './errors.ts'
import { decompressGzip } from './gzip.ts'
import { peekAvailable } from './peek-available.ts'
import { decompressZstd } from './zstd/zstd.ts'

/** What to do by hand about the formats that are recognised and not read. */
const HINTS = {
  xz: 'xz -dc FILE',
  '7z': '7z x -so FILE',
} as const

export interface DecompressOptions extends StreamCacheOptions {
  /**
   * Threads that decode bzip2, whose blocks do not depend on each other; default 1, the thread of the caller. With more, workers are
   * started, and where they are not to be had it is one thread all the same. What comes out, and its order, is equal.
   */
  threads?: number | undefined
  /**
   * Is told of each fault in place of its being thrown, and reading then goes on with the next block of bzip2 that can be found.
   * `error.outputOffset` is where in the decompressed stream something is missing. Other formats cannot go on behind a fault: they
   * throw.
   */
  onFault?: ((error: CompressionError) => void) | undefined
  /**
   * The bit of the source, from its first one on, at which a block of bzip2 begins that is to be the first one, or `anywhere` for the first
   * one that can be found: the source is read as bzip2 from there on, whatever stands before. The checksum of that stream is not checked.
   */
  startBit?: number | 'anywhere' | undefined
  /**
   * Is told of each block of bzip2 before its content is given: the bit of the source where it begins, the offset of its content, and the
   * checksum of that.
   */
  onBlock?: ((bit: number, offset: number, checksum: number) => void) | undefined
  /** Is told of the end of each stream of bzip2: the bit where its marker begins, and the checksum of the stream. */
  onStreamEnd?: ((bit: number, checksum: number) => void) | undefined
}

export const DECOMPRESS_OPTIONS: OptionKinds<DecompressOptions> = {
  ...STREAM_CACHE_OPTIONS,
  threads: 'any',
  onFault: 'function',
  startBit: 'any',
  onBlock: 'function',
  onStreamEnd: 'function',
}

/** A source that finds out how it is compressed. */
export interface ReportsFormat {
  /** Undefined until the first bytes have arrived. */
  readonly format: Compression | undefined
}

/**
 * A source of the decompressed bytes of `source`: gzip (all members), bzip2 (all streams) and zstd (all frames) are recognised by their
 * first bytes, never by a name; everything else is passed on as it is.
 *
 * `progress` is that of the compressed source. Iterating fails with a `CompressionError` where the input is truncated, corrupt,
 * followed by something else, or in a format that is only recognised (xz, 7z); everything before was delivered. The options are
 * those of the cache that pools the compressed bytes.
 */
export function decompress(
  source: ByteSource,
  options: DecompressOptions = {},
): AsyncIterable<Uint8Array> & ReportsProgress & ReportsFormat {
  return new DecompressedSource(source, options)
}

class DecompressedSource implements AsyncIterable<Uint8Array>, ReportsProgress, ReportsFormat {
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

  // Nothing is opened before: a source that nobody iterates holds nothing.
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const { highWaterMark, limits, idleTimeout, signal: ours, copy } = this.#options
    const cache = StreamCache.from(this.#source, { highWaterMark, limits, idleTimeout, signal: ours, copy })
    this.#cache = cache
    return new CancellableGenerator((signal) => {
      signal.addEventListener('abort', () => void cache.cancel().catch(() => {}))
      return readDecompressed(cache, this.#options, (format) => {
        this.#format = format
      })
    })
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
    switch (format) {
      case 'gzip':
        return yield* decompressGzip(cursor)
      case 'bzip2':
        return yield* decompressBzip2(cursor, options)
      case 'zstd':
        return yield* decompressZstd(cursor)
      case 'none':
        return yield* cursor.chunks()
      default:
        throw makeUnsupported(format)
    }
  } finally {
    cursor.release()
    // The source is closed when the iteration is over. A fault in closing must not hide the fault that ended it.
    await cache.cancel().catch(() => {})
  }
}

function makeUnsupported(format: keyof typeof HINTS): CompressionError {
  const message = `this format is not read; decompress it before: ${HINTS[format]} | …`
  return new CompressionError(format, 'unsupported', message, { byteOffset: 0 })
}
