// Decompressing in a pipe of Web Streams.

import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import { makeByteStream } from '../stream/item-stream.ts'
import { connectSides } from '../stream/transform-sides.ts'
import { decompress } from './decompress.ts'
import type { DecompressOptions } from './decompress-options.ts'

/**
 * Turns compressed bytes into what they stand for, as `decompress` does; bytes that are not compressed are passed on:
 *
 * ```ts
 * import { DecompressStream } from 'xylem/compression'
 *
 * const { body } = await fetch('https://example.org/dump.xml.bz2')
 * if (body) for await (const bytes of body.pipeThrough(new DecompressStream())) console.log(bytes.length)
 * ```
 *
 * `readable` is a byte stream if the platform has those. Input is decompressed when the reader asks for bytes. An error in the input errors both sides with
 * the same `CompressionError`, the readable side after the bytes before it. A cancellation cancels the source of the pipe. If the writable side is
 * aborted, the readable side fails with a `SourceError` whose cause is the reason.
 */
export class DecompressStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<TextOrBytes>

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options. */
  constructor(options: DecompressOptions = {}) {
    const { readable, writable } = connectSides(
      (input) => decompress(input, options)[Symbol.asyncIterator]() as AsyncGenerator<Uint8Array, void, undefined>,
      options.signal,
      makeByteStream,
    )
    this.readable = readable
    this.writable = writable
  }
}
