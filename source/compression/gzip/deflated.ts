// Deflated data (RFC 1951) and its checksum, as they are in gzip and in zip. Node's zlib inflates; where there is none, the data is inflated in
// TypeScript (inflater.ts).

import { builtinModule } from '../../async/builtin.ts'
import type { Cursor } from '../../stream/cursor.ts'
import type { CompressionError, CompressionErrorCode } from '../errors.ts'
import { peekAvailable } from '../peek-available.ts'
import { ZLIB_CHUNK_SIZE, ZlibStream, type ZlibTransform } from '../zlib-stream.ts'

/** Continues a CRC-32 with bytes. */
export type AddToChecksum = (bytes: Uint8Array, before: number) => number

/** Makes an error of the format that has the data; `byteOffset` is that of the cursor. */
export type MakeError = (
  code: CompressionErrorCode,
  message: string,
  byteOffset: number,
  cause?: unknown,
) => CompressionError

/** What is used of node:zlib. */
interface Zlib {
  createInflateRaw(options: { chunkSize: number }): ZlibTransform
  readonly crc32: AddToChecksum
}

// Where deflated data is corrupt, zlib keeps what it had made of the piece it was given. So pieces are a sixteenth of what was read
// before, between these bounds: small files lose next to nothing, and large ones run at full speed.
const SMALLEST_PIECE = 512
const LARGEST_PIECE = 64 * 1024

export function findChecksum(): AddToChecksum {
  return findZlib()?.crc32 ?? crc32
}

/**
 * Inflates from the cursor on, to the end of the deflated data. Yields pieces of up to 1 MiB. Throws the errors that are made, after what came before
 * the error.
 */
export function inflate(cursor: Cursor, makeError: MakeError): AsyncGenerator<Uint8Array, void, undefined> {
  const zlib = findZlib()
  return zlib ? inflateByZlib(cursor, zlib, makeError) : inflateByHand(cursor, makeError)
}

function findZlib(): Zlib | undefined {
  const zlib = builtinModule('node:zlib') as Partial<Zlib> | undefined
  return zlib?.createInflateRaw && zlib.crc32 ? (zlib as Zlib) : undefined
}

async function* inflateByZlib(
  cursor: Cursor,
  zlib: Zlib,
  makeError: MakeError,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = new ZlibStream(zlib.createInflateRaw({ chunkSize: ZLIB_CHUNK_SIZE }))
  try {
    while (!stream.ended) {
      if (!(await cursor.fill(1))) throw makeTruncated(cursor, makeError)
      const size = Math.min(Math.max(Math.floor(cursor.offset / 16), SMALLEST_PIECE), LARGEST_PIECE)
      cursor.skip(yield* stream.write(cursor.peekChunk().subarray(0, size)))
      if (stream.error) throw makeError('corrupt', 'the deflated data is corrupt', cursor.offset, stream.error)
    }
  } finally {
    stream.close()
  }
}

async function* inflateByHand(cursor: Cursor, makeError: MakeError): AsyncGenerator<Uint8Array, void, undefined> {
  // Loaded where it is needed: nearly all runtimes have zlib.
  const { InflateError, Inflater } = await import('./inflater.ts')
  const inflater = new Inflater()
  for (let isFull = false; !inflater.ended; ) {
    const wanted = cursor.available + (isFull ? 0 : 1)
    const { bytes, end } = await peekAvailable(cursor, Math.min(wanted, LARGEST_PIECE))
    let fault: unknown
    try {
      cursor.skip(inflater.write(bytes, end !== undefined))
    } catch (error) {
      fault = error
    }
    isFull = inflater.isFull
    const piece = inflater.take()
    if (piece.length > 0) yield piece
    if (fault instanceof InflateError)
      throw makeError('corrupt', `the deflated data is corrupt: ${fault.message}`, cursor.offset, fault)
    if (fault !== undefined) throw fault
    if (inflater.ended) return
    if (!isFull && end === 'failed') await cursor.fill(wanted) // throws the failure
    if (!isFull && end === 'ended') throw makeTruncated(cursor, makeError)
  }
}

function makeTruncated(cursor: Cursor, makeError: MakeError): CompressionError {
  return makeError('truncated', 'the input ends inside a member', cursor.offset + cursor.available)
}

const CHECKSUM_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The CRC-32 of RFC 1952, section 8. */
function crc32(bytes: Uint8Array, before: number): number {
  let value = ~before
  for (const byte of bytes) value = (value >>> 8) ^ (CHECKSUM_TABLE[(value ^ byte) & 255] as number)
  return ~value >>> 0
}
