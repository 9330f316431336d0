// Zstandard (RFC 8878), all frames of a file: by Node's zlib where it has it (from 22.15 on), else by fzstd, which is loaded when it is
// needed.

import { builtinModule } from '../async/builtin.ts'
import type { Cursor } from '../stream/cursor.ts'
import { CompressionError, type CompressionErrorCode } from './errors.ts'
import { ZLIB_CHUNK_SIZE, ZlibStream, type ZlibTransform } from './zlib-stream.ts'
import { ZstdFrames } from './zstd-frames.ts'

interface Zlib {
  createZstdDecompress?(options: { chunkSize: number }): ZlibTransform
}

/** Decompresses pieces; what is in them comes out at once. */
interface Decoder {
  /** Where the data is corrupt the pieces before the fault come with it. */
  write(piece: Uint8Array): Promise<Decoded>
  /** What is left at the end; an error where a frame does not end. */
  finish(): Promise<Decoded>
  close(): void
}

interface Decoded {
  pieces: Uint8Array[]
  error?: unknown
}

/** Largest piece of input: what it decompresses to is held at once. */
const PIECE = 64 * 1024

/**
 * Decompresses from the cursor on, which must stand at a frame, to the end of its stream, releasing nothing.
 *
 * Throws a `CompressionError`, after what came before the fault. A frame that wants a window of more than 128 MiB (`zstd --long=28` and
 * above) is corrupt to it.
 */
export async function* decompressZstd(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  const frames = new ZstdFrames()
  const decoder = makeNodeDecoder() ?? (await makePlainDecoder())
  try {
    while (await cursor.fill(1)) {
      const piece = cursor.peekChunk().subarray(0, PIECE)
      const { pieces, error } = await decoder.write(piece)
      yield* pieces
      if (error !== undefined) throw makeError(cursor, 'corrupt', describe(error), error)
      frames.feed(piece)
      cursor.skip(piece.length)
    }
    const { pieces, error } = await decoder.finish()
    yield* pieces
    if (error !== undefined || !frames.isBetween) {
      throw makeError(cursor, 'truncated', 'the input ends before a frame does', error)
    }
  } finally {
    decoder.close()
  }
}

function makeNodeDecoder(): Decoder | undefined {
  const zlib = builtinModule('node:zlib') as Zlib | undefined
  if (!zlib?.createZstdDecompress) return undefined
  const stream = new ZlibStream(zlib.createZstdDecompress({ chunkSize: ZLIB_CHUNK_SIZE }))
  const take = (): Decoded => {
    // A small piece must not keep a large buffer.
    const pieces = stream
      .takeOutput()
      .map((piece) => (piece.length < ZLIB_CHUNK_SIZE / 16 ? new Uint8Array(piece) : piece))
    return { pieces, error: stream.error }
  }
  return {
    async write(piece) {
      await stream.write(piece)
      return take()
    },
    async finish() {
      await stream.finish()
      return take()
    },
    close: () => stream.close(),
  }
}

async function makePlainDecoder(): Promise<Decoder> {
  const { Decompress } = await import('fzstd')
  let pieces: Uint8Array[] = []
  const decompressor = new Decompress((piece) => {
    if (piece.length > 0) pieces.push(piece)
  })
  const push = (piece: Uint8Array, isLast: boolean): Decoded => {
    pieces = []
    try {
      // A copy: it keeps what it was given.
      decompressor.push(piece.slice(), isLast)
      return { pieces }
    } catch (error) {
      return { pieces, error }
    }
  }
  return {
    write: async (piece) => push(piece, false),
    finish: async () => push(new Uint8Array(0), true),
    close() {},
  }
}

function describe(error: unknown): string {
  return `the data is corrupt: ${error instanceof Error ? error.message : String(error)}`
}

function makeError(cursor: Cursor, code: CompressionErrorCode, message: string, cause: unknown): CompressionError {
  return new CompressionError('zstd', code, message, { byteOffset: cursor.offset }, cause)
}
