// bzip2, all streams of a file, block by block. The blocks themselves are decoded by seek-bzip until the project has a decoder of
// its own; what is ours is reading from a cursor, the chain of blocks and streams, and their checksums.
//
//     BZh9 │ block │ block │ … │ end, CRC of the stream │ padding to a byte │ BZh9 │ …
//          └ at any bit ───────┘
//
// A block begins with a magic number of 48 bits and the CRC of its content in 32; there is no length, so a block is decoded to find
// its end.

import type { Cursor } from '../stream/cursor.ts'
import { CompressionError, type CompressionErrorCode } from './errors.ts'
import { skipPadding } from './padding.ts'
import { peekAvailable } from './peek-available.ts'

const BLOCK_MAGIC = 0x314159265359
const END_MAGIC = 0x177245385090
const HEADER_LENGTH = 4
/** Magic number and checksum, with seven bits before and behind, in bytes. */
const MARKER_LENGTH = 11
/** What is waited for before a block is tried first: most blocks of text at level 9 are smaller. */
const FIRST_TRY = 256 * 1024
const OUTPUT_PIECE = 1024 * 1024

type DecodeBlock = typeof import('seek-bzip')['default']['decodeBlock']

/** The block goes on behind the bytes that are here. */
class InputExhausted extends Error {}

/**
 * Decompresses from the cursor on, which must stand at a stream header, to the end of its stream, releasing nothing.
 *
 * Yields a block at a time, in pieces of up to 1 MiB. Throws a `CompressionError`, after everything before the fault.
 */
export async function* decompressBzip2(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  const { default: bunzip } = await import('seek-bzip')
  do {
    yield* decompressStream(cursor, bunzip.decodeBlock)
  } while (await standsAtNextStream(cursor))
}

async function* decompressStream(
  cursor: Cursor,
  decodeBlock: DecodeBlock,
): AsyncGenerator<Uint8Array, void, undefined> {
  const header = await cursor.read(HEADER_LENGTH)
  if (header.length < HEADER_LENGTH) throw makeTruncated(cursor)
  if (!isHeader(header)) throw makeError(cursor, 'corrupt', 'a stream header is wrong')
  let streamChecksum = 0
  // Where the next block begins: bits into the byte at the cursor.
  let bit = 0
  for (;;) {
    await cursor.fill(MARKER_LENGTH)
    const marker = cursor.peek(MARKER_LENGTH) as Uint8Array
    const magic = readBits(marker, bit, 48)
    const checksum = readBits(marker, bit + 48, 32)
    if (magic === undefined || checksum === undefined) throw makeTruncated(cursor)
    if (magic === END_MAGIC) {
      if (checksum !== streamChecksum) throw makeError(cursor, 'corrupt', 'the checksum of a stream is wrong')
      cursor.skip(Math.ceil((bit + 80) / 8))
      return
    }
    if (magic !== BLOCK_MAGIC) throw makeError(cursor, 'corrupt', 'no block begins where one should')
    const block = await decodeNextBlock(cursor, header, bit, decodeBlock)
    streamChecksum = (checksum ^ ((streamChecksum << 1) | (streamChecksum >>> 31))) >>> 0
    yield* block.pieces
    cursor.skip(block.length)
    bit = await findNextMarker(cursor)
  }
}

/** Decodes the block at the cursor. `length` is the number of its bytes, without the last one. */
async function decodeNextBlock(cursor: Cursor, header: Uint8Array, bit: number, decodeBlock: DecodeBlock) {
  for (let size = FIRST_TRY; ; size *= 2) {
    const { bytes, end } = await peekAvailable(cursor, size)
    const input = new BlockInput(header, bytes)
    const output = new BlockOutput()
    try {
      decodeBlock(input, HEADER_LENGTH * 8 + bit, output)
      return { pieces: output.pieces(), length: input.position - 1 }
    } catch (error) {
      if (!(error instanceof InputExhausted)) throw makeError(cursor, 'corrupt', 'a block is corrupt', error)
      if (end === 'failed') await cursor.fill(size) // throws the failure
      if (end === 'ended') throw makeTruncated(cursor)
    }
  }
}

/**
 * The bit of the byte at the cursor behind which the next marker begins. The block's last bit lies in this byte: at which of its
 * eight places is not told, but only one of them is followed by a magic number.
 */
async function findNextMarker(cursor: Cursor): Promise<number> {
  await cursor.fill(MARKER_LENGTH)
  const bytes = cursor.peek(MARKER_LENGTH) as Uint8Array
  for (let bit = 1; bit <= 8; bit++) {
    const magic = readBits(bytes, bit, 48)
    if (magic === BLOCK_MAGIC || magic === END_MAGIC) return bit
  }
  const isTruncated = bytes.length < MARKER_LENGTH
  throw isTruncated ? makeTruncated(cursor) : makeError(cursor, 'corrupt', 'no block begins where one should')
}

/** Whether another stream follows the one that has ended. */
async function standsAtNextStream(cursor: Cursor): Promise<boolean> {
  if (!(await skipPadding(cursor))) return false
  await cursor.fill(HEADER_LENGTH)
  if (isHeader(cursor.peek(HEADER_LENGTH) as Uint8Array)) return true
  throw makeError(cursor, 'trailing-data', 'data that is not bzip2 follows the last stream')
}

function isHeader([b, z, h, level]: Uint8Array): boolean {
  return b === 0x42 && z === 0x5a && h === 0x68 && level !== undefined && level >= 0x31 && level <= 0x39
}

/** Up to 48 bits from a bit position on, most significant first, or undefined when they are not all there. */
function readBits(bytes: Uint8Array, position: number, count: number): number | undefined {
  if (position + count > bytes.length * 8) return undefined
  let value = 0
  for (let bit = position; bit < position + count; bit++) {
    value = value * 2 + (((bytes[bit >> 3] as number) >> (7 - (bit & 7))) & 1)
  }
  return value
}

function makeError(cursor: Cursor, code: CompressionErrorCode, message: string, cause?: unknown): CompressionError {
  return new CompressionError('bzip2', code, message, cursor.offset, cause)
}

function makeTruncated(cursor: Cursor): CompressionError {
  const end = cursor.offset + cursor.available
  return new CompressionError('bzip2', 'truncated', 'the input ends before the stream does', end)
}

/** What seek-bzip reads from: a stream header, then the bytes of a block. */
class BlockInput {
  readonly #header: Uint8Array
  readonly #bytes: Uint8Array
  /** Index of the next byte of the block. */
  position = 0

  constructor(header: Uint8Array, bytes: Uint8Array) {
    this.#header = header
    this.#bytes = bytes
  }

  readByte(): number {
    const byte = this.#bytes[this.position++]
    if (byte === undefined) throw new InputExhausted()
    return byte
  }

  /** Called once, for the header. */
  read(buffer: Uint8Array): number {
    buffer.set(this.#header)
    return this.#header.length
  }

  seek(position: number): void {
    this.position = position - HEADER_LENGTH
  }
}

/** What seek-bzip writes to. A block of 900 kB is usually one piece, but may grow to 46 MB. */
class BlockOutput {
  readonly #full: Uint8Array[] = []
  #piece = new Uint8Array(OUTPUT_PIECE)
  #length = 0

  writeByte(byte: number): void {
    if (this.#length === this.#piece.length) {
      this.#full.push(this.#piece)
      this.#piece = new Uint8Array(OUTPUT_PIECE)
      this.#length = 0
    }
    this.#piece[this.#length++] = byte
  }

  pieces(): Uint8Array[] {
    // A small block must not keep a large buffer: streams of a few bytes each would fill the memory.
    const last =
      this.#length < OUTPUT_PIECE / 2 ? this.#piece.slice(0, this.#length) : this.#piece.subarray(0, this.#length)
    return [...this.#full, last]
  }
}
