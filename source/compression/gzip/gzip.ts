// gzip (RFC 1952), all members of a file. The members' headers and checksums are read here and only the deflated data goes to Node's
// zlib: a wrong checksum, or something that is not a member, then costs nothing that came before it. Where there is no zlib, the data
// is inflated in TypeScript (inflater.ts).

import { breathe } from '../../async/breathe.ts'
import { builtinModule } from '../../async/builtin.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { CompressionError, type CompressionErrorCode } from '../errors.ts'
import { skipPadding } from '../padding.ts'
import { peekAvailable } from '../peek-available.ts'
import { ZLIB_CHUNK_SIZE, ZlibStream, type ZlibTransform } from '../zlib-stream.ts'

/** What is used of node:zlib. */
interface Zlib {
  createInflateRaw(options: { chunkSize: number }): ZlibTransform
  crc32(bytes: Uint8Array, value: number): number
}

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
const RESERVED = 0xe0

/**
 * Decompresses from the cursor on, which must stand at a member, to the end of its stream, releasing nothing.
 *
 * Yields pieces of up to 1 MiB, and holds two of them at most. Throws a `CompressionError`, after what came before the error.
 */
export async function* decompressGzip(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  const zlib = findZlib()
  const addToChecksum = zlib?.crc32 ?? crc32
  do {
    await skipHeader(cursor, addToChecksum)
    yield* readMember(cursor, zlib ? inflateByZlib(cursor, zlib) : inflate(cursor), addToChecksum)
  } while (await skipPadding(cursor))
}

function findZlib(): Zlib | undefined {
  const zlib = builtinModule('node:zlib') as Partial<Zlib> | undefined
  return zlib?.createInflateRaw && zlib.crc32 ? (zlib as Zlib) : undefined
}

async function skipHeader(cursor: Cursor, addToChecksum: Zlib['crc32']): Promise<void> {
  await cursor.fill(2)
  const [id1, id2 = 0x8b] = cursor.peek(2) as Uint8Array
  if (id1 !== 0x1f || id2 !== 0x8b) {
    throw makeError(cursor, 'trailing-data', 'data that is not gzip follows the last member')
  }
  let checksum = 0
  const read = async (length: number): Promise<Uint8Array> => {
    const bytes = await readComplete(cursor, length)
    checksum = addToChecksum(bytes, checksum)
    return bytes
  }
  const [, , method, flags = 0] = await read(FIXED_HEADER_LENGTH)
  if (method !== 8) throw makeError(cursor, 'corrupt', 'unknown compression method')
  if (flags & RESERVED) throw makeError(cursor, 'corrupt', 'the header of a member has a reserved flag')
  if (flags & FEXTRA) {
    const [low = 0, high = 0] = await read(2)
    await read(low + high * 256)
  }
  if (flags & FNAME) await readText(cursor, read)
  if (flags & FCOMMENT) await readText(cursor, read)
  if (!(flags & FHCRC)) return
  const expected = checksum & 0xffff
  const [low = 0, high = 0] = await readComplete(cursor, 2)
  if (low + high * 256 !== expected)
    throw makeError(cursor, 'corrupt', 'the checksum of the header of a member is wrong')
}

/** Reads text and the zero byte that ends it, in pieces. */
async function readText(cursor: Cursor, read: (length: number) => Promise<Uint8Array>): Promise<void> {
  for (;;) {
    if (!(await cursor.fill(1))) throw makeTruncated(cursor)
    const chunk = cursor.peekChunk().subarray(0, LARGEST_PIECE)
    const end = chunk.indexOf(0)
    await read(end === -1 ? chunk.length : end + 1)
    if (end !== -1) return
  }
}

/** The content of a member, and its trailer. */
async function* readMember(
  cursor: Cursor,
  content: AsyncIterable<Uint8Array>,
  addToChecksum: Zlib['crc32'],
): AsyncGenerator<Uint8Array, void, undefined> {
  let checksum = 0
  let length = 0
  for await (const piece of content) {
    checksum = addToChecksum(piece, checksum)
    length += piece.length
    yield piece
    const turn = breathe()
    if (turn) await turn
  }
  const trailer = await readComplete(cursor, TRAILER_LENGTH)
  const fields = new DataView(trailer.buffer, trailer.byteOffset)
  if (fields.getUint32(0, true) !== checksum) throw makeError(cursor, 'corrupt', 'the checksum of a member is wrong')
  if (fields.getUint32(4, true) !== length % 2 ** 32)
    throw makeError(cursor, 'corrupt', 'the length of a member is wrong')
}

async function* inflateByZlib(cursor: Cursor, zlib: Zlib): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = new ZlibStream(zlib.createInflateRaw({ chunkSize: ZLIB_CHUNK_SIZE }))
  try {
    while (!stream.ended) {
      if (!(await cursor.fill(1))) throw makeTruncated(cursor)
      const size = Math.min(Math.max(Math.floor(cursor.offset / 16), SMALLEST_PIECE), LARGEST_PIECE)
      cursor.skip(yield* stream.write(cursor.peekChunk().subarray(0, size)))
      if (stream.error) throw makeError(cursor, 'corrupt', 'the deflated data is corrupt', stream.error)
    }
  } finally {
    stream.close()
  }
}

async function* inflate(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
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
      throw makeError(cursor, 'corrupt', `the deflated data is corrupt: ${fault.message}`, fault)
    if (fault !== undefined) throw fault
    if (inflater.ended) return
    if (!isFull && end === 'failed') await cursor.fill(wanted) // throws the failure
    if (!isFull && end === 'ended') throw makeTruncated(cursor)
  }
}

async function readComplete(cursor: Cursor, length: number): Promise<Uint8Array> {
  const bytes = await cursor.read(length)
  if (bytes.length < length) throw makeTruncated(cursor)
  return bytes
}

function makeError(cursor: Cursor, code: CompressionErrorCode, message: string, cause?: unknown): CompressionError {
  return new CompressionError('gzip', code, message, { byteOffset: cursor.offset }, cause)
}

function makeTruncated(cursor: Cursor): CompressionError {
  const byteOffset = cursor.offset + cursor.available
  return new CompressionError('gzip', 'truncated', 'the input ends inside a member', { byteOffset })
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
