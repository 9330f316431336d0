// What can be said of decompressing.

import type { OptionKinds } from '../stream/options.ts'
import { STREAM_CACHE_OPTIONS, type StreamCacheOptions } from '../stream/stream-cache.ts'
import type { CompressionError } from './errors.ts'

export interface DecompressOptions extends StreamCacheOptions {
  /** `maxRetained` is that of the compressed bytes; `maxInput` counts the decompressed ones. */
  limits?: StreamCacheOptions['limits']
  /**
   * The number of threads that decode bzip2 (default: 1, the thread of the caller). With more, workers are started; if they are not
   * available, one thread is used. The output does not depend on it.
   */
  threads?: number | undefined
  /**
   * Where the script of the workers is: a copy of the file `xylem/block-worker.js`. Without it, workers in browsers are started from a Blob URL, which
   * some pages forbid. What workers cannot do is done on this thread.
   */
  workerUrl?: string | URL | undefined
  /**
   * Called with each error instead of throwing it; reading continues with the next bzip2 block that can be found. `error.outputOffset` is
   * the position in the decompressed stream where data is missing. Other formats cannot continue after an error: they throw.
   */
  onFault?: ((error: CompressionError) => void) | undefined
  /**
   * The bit of the source, from 0, where the first bzip2 block to read begins, or `anywhere` for the first block that can be found. The
   * source is read as bzip2 from there, whatever is before. The checksum of that stream is not checked.
   */
  startBit?: number | 'anywhere' | undefined
  /**
   * Called for each bzip2 block before its content is delivered, with the bit of the source where it begins, the offset of its content, and
   * its checksum.
   */
  onBlock?: ((bit: number, offset: number, checksum: number) => void) | undefined
  /** Called at the end of each bzip2 stream, with the bit where its end mark begins, and the checksum of the stream. */
  onStreamEnd?: ((bit: number, checksum: number) => void) | undefined
}

export const DECOMPRESS_OPTIONS: OptionKinds<DecompressOptions> = {
  ...STREAM_CACHE_OPTIONS,
  threads: 'any',
  workerUrl: 'any',
  onFault: 'function',
  startBit: 'any',
  onBlock: 'function',
  onStreamEnd: 'function',
}
