// Zstandard (RFC 8878), all frames of a file. Frames and blocks are separated here, and a decoder is given a block at a time: so input never
// becomes more at once than a block may have, and what a file must look like does not depend on the decoder.
//
//     header │ block │ block │ … │ checksum │ header │ …
//              └ whether it is the last, type, size │ content

import { breathe } from '../../async/breathe.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { CompressionError, type CompressionErrorCode } from '../errors.ts'
import { skipPadding } from '../padding.ts'
import { peekAvailable } from '../peek-available.ts'
import { type FrameDecoder, ZstdError } from './frame-decoder.ts'
import {
  BLOCK_HEADER_LENGTH,
  type BlockHeader,
  CHECKSUM_LENGTH,
  DESCRIPTOR_END,
  type FrameHeader,
  identifyFrame,
  MAGIC_LENGTH,
  measureFrameHeader,
  parseBlockHeader,
  parseFrameHeader,
  readNumber,
  SKIPPABLE_HEADER_LENGTH,
} from './frame-header.ts'
import { makeZlibDecoder } from './zlib-decoder.ts'

const MEBIBYTE = 2 ** 20
/** Bytes of the largest window that is kept. */
const MOST_WINDOW = 128 * MEBIBYTE

/**
 * Decompresses from the cursor on, which must stand at a frame, to the end of its stream, releasing nothing.
 *
 * Yields pieces of up to 128 KiB. Throws a `CompressionError`, after everything before the corrupt block. A frame that wants a
 * dictionary, or a window of more than 128 MiB (`zstd --long=28` and above), is unsupported. Memory is bounded by one and a quarter of the
 * window, and 2 MiB.
 */
export async function* decompressZstd(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = makeZlibDecoder() ?? (await loadPlainDecoder())
  try {
    do {
      const kind = identifyFrame((await peekAvailable(cursor, MAGIC_LENGTH)).bytes)
      if (kind === 'frame') yield* readFrame(cursor, decoder)
      else if (kind === 'skippable') await skipFrame(cursor)
      else throw makeError(cursor, 'trailing-data', 'data that is not zstd follows the last frame')
    } while (await skipPadding(cursor))
  } finally {
    decoder.close()
  }
}

/** Our own decoder, which is loaded where it is needed. */
async function loadPlainDecoder(): Promise<FrameDecoder> {
  const { makePlainDecoder } = await import('./plain-decoder.ts')
  return makePlainDecoder()
}

async function skipFrame(cursor: Cursor): Promise<void> {
  const header = await peekComplete(cursor, SKIPPABLE_HEADER_LENGTH)
  let left = SKIPPABLE_HEADER_LENGTH + readNumber(header, MAGIC_LENGTH, SKIPPABLE_HEADER_LENGTH - MAGIC_LENGTH)
  while (left > 0) {
    if (!(await cursor.fill(1))) throw makeTruncated(cursor)
    const length = Math.min(left, cursor.available)
    cursor.skip(length)
    left -= length
  }
}

async function* readFrame(cursor: Cursor, decoder: FrameDecoder): AsyncGenerator<Uint8Array, void, undefined> {
  const header = await readHeader(cursor, decoder)
  let total = 0
  for (let isLast = false; !isLast; ) {
    const turn = breathe()
    if (turn) await turn
    const block = parseBlockHeader(await peekComplete(cursor, BLOCK_HEADER_LENGTH))
    checkBlock(cursor, block, header)
    const bytes = await peekComplete(cursor, BLOCK_HEADER_LENGTH + (block.type === 'rle' ? 1 : block.size))
    const pieces = await refuseErrors(cursor, 'a block', () => decoder.decode(block, bytes))
    total = pieces.reduce((sum, piece) => sum + piece.length, total)
    isLast = block.isLast
    const { contentSize = total } = header
    if (total > contentSize || (isLast && total < contentSize)) {
      throw makeError(
        cursor,
        'corrupt',
        `the content of a frame does not have the declared size of ${contentSize} bytes`,
      )
    }
    cursor.skip(bytes.length)
    for (const piece of pieces) if (piece.length > 0) yield piece
  }
  if (!header.hasChecksum) return
  const isRight = await decoder.check(await peekComplete(cursor, CHECKSUM_LENGTH))
  if (!isRight) throw makeError(cursor, 'corrupt', 'the checksum of a frame is wrong')
  cursor.skip(CHECKSUM_LENGTH)
}

async function readHeader(cursor: Cursor, decoder: FrameDecoder): Promise<FrameHeader> {
  const bytes = await peekComplete(cursor, measureFrameHeader(await peekComplete(cursor, DESCRIPTOR_END)))
  const header = parseFrameHeader(bytes)
  const { window, isReserved, dictionary } = header
  if (isReserved) throw makeError(cursor, 'corrupt', 'the header of a frame has a reserved flag')
  if (dictionary !== 0)
    throw makeError(
      cursor,
      'unsupported',
      `a frame needs the dictionary ${dictionary}, which is missing; decompress it first: zstd -D DICTIONARY -dc FILE | …`,
    )
  if (window > MOST_WINDOW) {
    const size = `${Math.ceil(window / MEBIBYTE)} MiB, more than the supported ${MOST_WINDOW / MEBIBYTE} MiB`
    const hint = 'decompress it first: zstd -dc --long=31 FILE | …'
    throw makeError(cursor, 'unsupported', `a frame needs a window of ${size}; ${hint}`)
  }
  await refuseErrors(cursor, 'the header of a frame', () => decoder.begin(header, bytes))
  cursor.skip(bytes.length)
  return header
}

function checkBlock(cursor: Cursor, { type, size }: BlockHeader, { blockSize }: FrameHeader): void {
  if (type === 'reserved') throw makeError(cursor, 'corrupt', 'a block has a reserved type')
  if (size > blockSize)
    throw makeError(cursor, 'corrupt', `a block has ${size} bytes, more than the maximum of ${blockSize}`)
}

/** What decoding gives; a {@link ZstdError} becomes an error with the place of the cursor. */
async function refuseErrors<Result>(
  cursor: Cursor,
  what: string,
  decode: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await decode()
  } catch (error) {
    if (!(error instanceof ZstdError)) throw error
    throw makeError(cursor, 'corrupt', `${what} is corrupt: ${error.message}`, error.cause)
  }
}

/** The next bytes, without moving; an error where the stream ends before. */
async function peekComplete(cursor: Cursor, length: number): Promise<Uint8Array> {
  const bytes = cursor.peek(length) ?? ((await cursor.fill(length)) && cursor.peek(length))
  if (!bytes || bytes.length < length) throw makeTruncated(cursor)
  return bytes
}

function makeError(cursor: Cursor, code: CompressionErrorCode, message: string, cause?: unknown): CompressionError {
  return new CompressionError('zstd', code, message, { byteOffset: cursor.offset }, cause)
}

function makeTruncated(cursor: Cursor): CompressionError {
  const byteOffset = cursor.offset + cursor.available
  return new CompressionError('zstd', 'truncated', 'the input ends inside a frame', { byteOffset })
}
