// gzip (RFC 1952), all members of a file. The members' headers and checksums are read here, and the deflated data is inflated by zlib (deflated.ts): a wrong
// checksum, or something that is not a member, then costs nothing that came before it.

import { breathe } from '../../async/breathe.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { CompressionError, type CompressionErrorCode } from '../errors.ts'
import { skipPadding } from '../padding.ts'
import { type AddToChecksum, findChecksum, inflate } from './deflated.ts'

const FIXED_HEADER_LENGTH = 10
const TRAILER_LENGTH = 8
/** The name and the comment of a member are read in pieces of this size. */
const LONGEST_TEXT_PIECE = 64 * 1024
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
  const addToChecksum = findChecksum()
  do {
    await skipHeader(cursor, addToChecksum)
    yield* readMember(cursor, addToChecksum)
  } while (await skipPadding(cursor))
}

async function skipHeader(cursor: Cursor, addToChecksum: AddToChecksum): Promise<void> {
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
    const chunk = cursor.peekChunk().subarray(0, LONGEST_TEXT_PIECE)
    const end = chunk.indexOf(0)
    await read(end === -1 ? chunk.length : end + 1)
    if (end !== -1) return
  }
}

/** The content of a member, and its trailer. */
async function* readMember(cursor: Cursor, addToChecksum: AddToChecksum): AsyncGenerator<Uint8Array, void, undefined> {
  let checksum = 0
  let length = 0
  for await (const piece of inflate(cursor, makeGzipError)) {
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

async function readComplete(cursor: Cursor, length: number): Promise<Uint8Array> {
  const bytes = await cursor.read(length)
  if (bytes.length < length) throw makeTruncated(cursor)
  return bytes
}

function makeError(cursor: Cursor, code: CompressionErrorCode, message: string): CompressionError {
  return makeGzipError(code, message, cursor.offset)
}

function makeTruncated(cursor: Cursor): CompressionError {
  return makeGzipError('truncated', 'the input ends inside a member', cursor.offset + cursor.available)
}

function makeGzipError(
  code: CompressionErrorCode,
  message: string,
  byteOffset: number,
  cause?: unknown,
): CompressionError {
  return new CompressionError('gzip', code, message, { byteOffset }, cause)
}
