// gzip (RFC 1952), all members of a file. Where Node's zlib is to be had, the members' headers and checksums are read here and only
// the deflated data goes to the library: a wrong checksum, or something that is not a member, then costs nothing that came before
// it. Elsewhere the whole work is the runtime's DecompressionStream.

import type { Cursor } from '../stream/cursor.ts'
import { LimitError, SourceError } from '../stream/errors.ts'
import { CompressionError, type CompressionErrorCode } from './errors.ts'
import { skipPadding } from './padding.ts'

// The part of node:zlib that is used. It is asked for at run time, so that nothing here imports Node's modules.
interface Zlib {
  createInflateRaw(options: { chunkSize: number }): InflateRaw
  crc32(bytes: Uint8Array, value: number): number
}
interface InflateRaw {
  readonly bytesWritten: number
  readonly readableLength: number
  on(event: 'data', listener: (bytes: Uint8Array) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'end', listener: () => void): void
  write(bytes: Uint8Array, callback: () => void): void
  end(): void
  destroy(): void
}

/** Output buffer of zlib: with its default of 16 KiB it reaches 0.4 of the throughput (Node 20: 241 against 545 MB/s). */
const CHUNK_SIZE = 1024 * 1024
// Where deflated data is corrupt, zlib keeps what it had made of the piece it was given. So pieces are a sixteenth of what was read
// before, between these bounds: small files lose next to nothing, and large ones run at full speed.
const SMALLEST_PIECE = 512
const LARGEST_PIECE = 64 * 1024

const FIXED_HEADER_LENGTH = 10
const TRAILER_LENGTH = 8
// FLG, section 2.3.1.
const FHCRC = 2
const FEXTRA = 4
const FNAME = 8
const FCOMMENT = 16

/**
 * Decompresses from the cursor on, which must stand at a member, to the end of its stream, releasing nothing.
 *
 * Throws a `CompressionError`, after what came before the fault. Where there is no zlib (in browsers, and before Node 20.16), the
 * runtime decides whether a second member is read, and what it had made when it finds a fault, or the source fails, may be lost.
 */
export async function* decompressGzip(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  const zlib = findZlib()
  if (!zlib) {
    yield* decompressByRuntime(cursor)
    return
  }
  do {
    await skipHeader(cursor)
    yield* inflateMember(cursor, zlib)
  } while (await skipPadding(cursor))
}

function findZlib(): Zlib | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Partial<Zlib> | undefined } }
  const zlib = process?.getBuiltinModule?.('node:zlib')
  return zlib?.createInflateRaw && zlib.crc32 ? (zlib as Zlib) : undefined
}

async function skipHeader(cursor: Cursor): Promise<void> {
  await cursor.fill(2)
  const [id1, id2 = 0x8b] = cursor.peek(2) as Uint8Array
  if (id1 !== 0x1f || id2 !== 0x8b) {
    throw makeError(cursor, 'trailing-data', 'data that is not gzip follows the last member')
  }
  const [, , method, flags = 0] = await readWhole(cursor, FIXED_HEADER_LENGTH)
  if (method !== 8) throw makeError(cursor, 'corrupt', 'the method of compression is unknown')
  if (flags & FEXTRA) {
    const [low = 0, high = 0] = await readWhole(cursor, 2)
    await readWhole(cursor, low + high * 256)
  }
  if (flags & FNAME) await skipZeroTerminated(cursor)
  if (flags & FCOMMENT) await skipZeroTerminated(cursor)
  if (flags & FHCRC) await readWhole(cursor, 2)
}

async function skipZeroTerminated(cursor: Cursor): Promise<void> {
  while ((await readWhole(cursor, 1))[0] !== 0);
}

async function* inflateMember(cursor: Cursor, zlib: Zlib): AsyncGenerator<Uint8Array, void, undefined> {
  let checksum = 0
  let length = 0
  const inflater = new Inflater(zlib)
  try {
    while (!inflater.ended) {
      if (!(await cursor.fill(1))) throw makeTruncated(cursor)
      const size = Math.min(Math.max(Math.floor(cursor.offset / 16), SMALLEST_PIECE), LARGEST_PIECE)
      const consumed = await inflater.write(cursor.peekChunk().subarray(0, size))
      cursor.skip(consumed)
      for (const piece of inflater.takeOutput()) {
        checksum = zlib.crc32(piece, checksum)
        length += piece.length
        // A small piece must not keep a large buffer: members of a few bytes each would fill the memory.
        yield piece.length < CHUNK_SIZE / 16 ? new Uint8Array(piece) : piece
      }
      if (inflater.error) throw makeError(cursor, 'corrupt', 'the deflated data is corrupt', inflater.error)
    }
  } finally {
    inflater.close()
  }
  const trailer = await readWhole(cursor, TRAILER_LENGTH)
  const fields = new DataView(trailer.buffer, trailer.byteOffset)
  if (fields.getUint32(0, true) !== checksum) throw makeError(cursor, 'corrupt', 'the checksum of a member is wrong')
  if (fields.getUint32(4, true) !== length % 2 ** 32)
    throw makeError(cursor, 'corrupt', 'the length of a member is wrong')
}

/** zlib's inflating stream, driven a piece at a time so that nothing it has made is lost when it fails. */
class Inflater {
  readonly #stream: InflateRaw
  #output: Uint8Array[] = []
  /** Called after each event of the stream. */
  #notify: () => void = () => {}
  ended = false
  error: Error | undefined

  constructor(zlib: Zlib) {
    this.#stream = zlib.createInflateRaw({ chunkSize: CHUNK_SIZE })
    this.#stream.on('data', (bytes) => {
      this.#output.push(bytes)
      this.#notify()
    })
    this.#stream.on('error', (error) => {
      this.error = error
      this.#notify()
    })
    this.#stream.on('end', () => {
      this.ended = true
      this.#notify()
    })
  }

  /** Inflates a piece, and says how much of it was used: less than all when the deflated data ended in it. */
  write(piece: Uint8Array): Promise<number> {
    const before = this.#stream.bytesWritten
    return new Promise((resolve) => {
      let isWritten = false
      this.#notify = () => {
        const used = this.#stream.bytesWritten - before
        const isDrained = isWritten && this.#stream.readableLength === 0
        // Input left over means that the data has ended, which the stream tells a little later.
        if (this.error || this.ended || (isDrained && used === piece.length)) resolve(used)
      }
      this.#stream.write(piece, () => {
        isWritten = true
        this.#notify()
      })
    })
  }

  takeOutput(): Uint8Array[] {
    const output = this.#output
    this.#output = []
    return output
  }

  close(): void {
    this.#stream.destroy()
  }
}

async function* decompressByRuntime(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  const feeding = feed(cursor, writer)
  // Its fault is thrown below, once what was decompressed has been read.
  feeding.catch(() => {})
  const reader = readable.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    await feeding
  } catch (error) {
    if (error instanceof SourceError || error instanceof LimitError) throw error
    // Runtimes have different classes and messages for it.
    const message = error instanceof Error ? error.message : String(error)
    throw makeError(cursor, 'corrupt', message, error)
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function feed(cursor: Cursor, writer: WritableStreamDefaultWriter<BufferSource>): Promise<void> {
  try {
    while (await cursor.fill(1)) {
      const chunk = cursor.peekChunk()
      await writer.write(chunk as Uint8Array<ArrayBuffer>)
      cursor.skip(chunk.length)
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  }
}

async function readWhole(cursor: Cursor, length: number): Promise<Uint8Array> {
  const bytes = await cursor.read(length)
  if (bytes.length < length) throw makeTruncated(cursor)
  return bytes
}

function makeError(cursor: Cursor, code: CompressionErrorCode, message: string, cause?: unknown): CompressionError {
  return new CompressionError('gzip', code, message, { byteOffset: cursor.offset }, cause)
}

function makeTruncated(cursor: Cursor): CompressionError {
  return makeError(cursor, 'truncated', 'the input ends before a member does')
}
