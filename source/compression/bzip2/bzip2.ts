// bzip2, all streams of a file: the chain of blocks and streams, and their checksums.
//
//     BZh9 │ block │ block │ … │ end, CRC of the stream │ padding to a byte │ BZh9 │ …
//          └ at any bit ───────┘
//
// A block begins with a magic number of 48 bits and the CRC of its content in 32; there is no length. So the magic numbers are looked
// for (block-finder.ts), what stands between them is decoded in groups (block-group.ts), whether it is a part of the chain or not, and
// here the chain is followed: where a block ends the next one must begin. What is due and has no worker yet is decoded on this thread: so nothing ever
// waits for a worker that starts slowly, or not at all.

import { breathe } from '../../async/breathe.ts'
import { Pool, type PooledTask } from '../../async/pool.ts'
import type { Cursor } from '../../stream/cursor.ts'
import type { DecompressOptions } from '../decompress-options.ts'
import { CompressionError, type CompressionErrorCode } from '../errors.ts'
import { BlockStatus, LANES, MAX_BLOCK_LENGTH, makeBlockDecoder } from './block-decoder.ts'
import { BlockFinder, LONGEST_BLOCK, readBits, type Segment } from './block-finder.ts'
import { type BlockPart, type CompressedBlock, openGroups } from './block-group.ts'
import { BLOCK_SCRIPT } from './block-script.ts'

const HEADER_LENGTH = 4
const MARKER_BITS = 80
const BYTES_OF_LEVEL = 100_000
/** Groups in flight for each thread: one that is decoded, one that waits for that, and one that waits to be read. */
const GROUPS_PER_THREAD = 3
/** Bytes that a worker decodes ahead: two groups of blocks that do not grow. */
const MOST_WAITING = 8 * 1024 * 1024

/** What is wrong with a block, by its status. */
const FAULTS: Partial<Record<number, string>> = {
  [BlockStatus.RANDOMISED]: 'a block is randomised (written before bzip2 0.9.5), which is not supported',
  [BlockStatus.BAD_ORIGIN]: 'a block is corrupt: its starting row is out of range',
  [BlockStatus.NO_SYMBOLS]: 'a block is corrupt: it uses no bytes',
  [BlockStatus.BAD_TABLE_COUNT]: 'a block is corrupt: it does not have two to six code tables',
  [BlockStatus.BAD_SELECTOR]: 'a block is corrupt: it selects a code table that does not exist',
  [BlockStatus.BAD_CODE_LENGTH]: 'a block is corrupt: its code lengths are invalid',
  [BlockStatus.BAD_CODE]: 'a block is corrupt: a code is not in the selected table',
  [BlockStatus.TOO_LONG]: 'a block is corrupt: it is longer than 900,000 bytes',
  [BlockStatus.NO_SELECTOR_LEFT]: 'a block is corrupt: its symbols have no end mark',
}

type Bzip2Options = Pick<
  DecompressOptions,
  'threads' | 'workerUrl' | 'onFault' | 'startBit' | 'onBlock' | 'onStreamEnd'
>

/**
 * Decompresses from the cursor on, which must stand at a stream header, to the end of its stream, releasing nothing.
 *
 * Yields pieces of up to 1 MiB. A block is given out when its checksum was found right. Throws a `CompressionError`, after everything
 * before the error.
 */
export async function* decompressBzip2(
  cursor: Cursor,
  options: Bzip2Options = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const { startBit } = options
  const start = cursor.offset
  const header = startBit === undefined ? await cursor.read(HEADER_LENGTH) : undefined
  const { threads = 1, workerUrl } = options
  const pool: BlockPool = new Pool({
    script: BLOCK_SCRIPT,
    workerUrl,
    threads: threads > 1 ? threads : 0,
    helps: 'due',
    mostWaiting: MOST_WAITING,
    setup: undefined,
    open: () => openGroups(makeBlockDecoder),
  })
  try {
    yield* new Chain(cursor, pool, options).follow(header, start)
  } finally {
    pool.close()
  }
}

type Group = PooledTask<readonly CompressedBlock[], BlockPart>
type BlockPool = Pool<undefined, readonly CompressedBlock[], BlockPart>

/** What follows in the chain. */
type Expectation =
  /** A block or the end of the stream, at this bit. */
  | { kind: 'marker'; bit: number }
  /** Zeros, another stream, or nothing. */
  | { kind: 'stream' }
  /** After an error: anything that can be used. */
  | { kind: 'anything' }

/** A segment, with its group and its place in it if it is a block. */
interface Link {
  readonly segment: Segment
  readonly group: Group | undefined
  readonly index: number
  /** Whether the group is over with it. */
  readonly isLast: boolean
}

class Chain {
  readonly #finder: BlockFinder
  readonly #pool: BlockPool
  readonly #options: Bzip2Options
  /** What was found and not come to yet, in order. */
  readonly #links: Link[] = []
  #groupsInFlight = 0
  /** One until a group is decoded: starting workers would hold that up. */
  #mostGroups = 1
  /** Groups that were begun: the first ones are small, so that something comes soon. */
  #groupsBegun = 0
  #expected: Expectation = { kind: 'anything' }
  /** Bytes of a block in this stream, at most. */
  #mostBytes = MAX_BLOCK_LENGTH
  /** Undefined when a block of the stream was lost. */
  #streamChecksum: number | undefined
  /** Decompressed bytes that were given out. */
  #offset = 0

  constructor(cursor: Cursor, pool: BlockPool, options: Bzip2Options) {
    this.#finder = new BlockFinder(cursor)
    this.#pool = pool
    this.#options = options
  }

  /** `header` stands at byte offset `byte`. */
  #beginStream(header: Uint8Array, byte: number): void {
    this.#mostBytes = ((header[3] as number) - 0x30) * BYTES_OF_LEVEL
    this.#streamChecksum = 0
    this.#expected = { kind: 'marker', bit: (byte + HEADER_LENGTH) * 8 }
  }

  /** `header` is what stands at byte offset `start`. */
  async *follow(header: Uint8Array | undefined, start: number): AsyncGenerator<Uint8Array, void, undefined> {
    const { startBit } = this.#options
    if (startBit === 'anywhere') {
      this.#expected = { kind: 'anything' }
    } else if (startBit !== undefined) {
      this.#expected = { kind: 'marker', bit: startBit }
    } else {
      if (!header || header.length < HEADER_LENGTH) throw this.#truncated()
      if (!isHeader(header)) throw this.#error('corrupt', 'invalid stream header', start * 8)
      this.#beginStream(header, start)
    }
    for (let link = await this.#next(); link; link = await this.#next()) {
      try {
        yield* this.#read(link)
      } catch (error) {
        this.#recover(error)
      } finally {
        if (link.isLast) await this.#release(link)
      }
    }
    const failure = this.#finder.failure
    if (failure) throw failure
    if (this.#expected.kind === 'marker') this.#recover(this.#truncated())
  }

  /** The next segment, when there is one. As many groups as are worth it are in flight then. */
  async #next(): Promise<Link | undefined> {
    const turn = breathe()
    if (turn) await turn
    for (;;) {
      while (this.#hasRoom && this.#takeGroup());
      const link = this.#links.shift()
      if (link) return link
      if (!(await this.#finder.wait())) return undefined
    }
  }

  get #hasRoom(): boolean {
    const most = this.#mostGroups
    // Segments without a block are in no group, and there may be many of them.
    return this.#groupsInFlight < most && this.#links.length < 2 * most * LANES
  }

  /** Takes the segments of a group that are here, and lets their blocks be decoded. Returns whether there were any. */
  #takeGroup(): boolean {
    const { threads = 1 } = this.#options
    const size = Math.min(LANES, 2 ** Math.floor(this.#groupsBegun / threads))
    const segments: Segment[] = []
    for (let blocks = 0; blocks < size && segments.length < 2 * LANES; ) {
      const segment = this.#finder.take()
      if (!segment) break
      segments.push(segment)
      if (segment.kind === 'block') blocks++
    }
    const blocks = segments.filter(({ kind }) => kind === 'block')
    const inputs = blocks.map(({ bytes, bit }) => ({ bytes, bit: bit % 8 }))
    const group = blocks.length > 0 ? this.#decode(inputs) : undefined
    if (group) {
      this.#groupsInFlight++
      this.#groupsBegun++
    }
    for (const segment of segments) {
      const index = blocks.indexOf(segment)
      const isLast = group !== undefined && index === blocks.length - 1
      this.#links.push({ segment, group: index === -1 ? undefined : group, index, isLast })
    }
    return segments.length > 0
  }

  /** What is small does not need workers. */
  #decode(blocks: readonly CompressedBlock[]): Group {
    return this.#groupsBegun === 0 ? this.#pool.beginHere(blocks) : this.#pool.begin(blocks)
  }

  async #release({ group }: Link): Promise<void> {
    if (group) await this.#pool.leave(group)
    this.#groupsInFlight--
    const { threads = 1 } = this.#options
    if (threads > 1) this.#mostGroups = threads * GROUPS_PER_THREAD
  }

  async *#read(link: Link): AsyncGenerator<Uint8Array, void, undefined> {
    const { segment } = link
    const expected = this.#expected
    this.#finder.release(segment.bit)
    switch (expected.kind) {
      case 'marker':
        // Inside a block that was decoded: no magic number, although it looks like one.
        if (segment.bit < expected.bit) return
        if (segment.bit > expected.bit || segment.kind === 'gap') {
          throw this.#error('corrupt', 'a block header is missing', expected.bit)
        }
        break
      case 'stream':
        // Only zeros were between this and the end of the last stream.
        if (segment.kind !== 'gap') throw this.#trailingData(Math.floor(segment.bit / 8))
        this.#findStream(segment.bytes, 0, Math.floor(segment.bit / 8))
        return
      case 'anything':
        if (segment.kind === 'gap') return
        this.#expected = { kind: 'marker', bit: segment.bit }
    }
    if (segment.kind === 'end') await this.#endStream(segment)
    else yield* this.#readBlock(link)
  }

  async *#readBlock({ segment, group, index }: Link): AsyncGenerator<Uint8Array, void, undefined> {
    if (!group) return
    const part = await this.#partOf(group, index)
    if (part.status === BlockStatus.TRUNCATED) yield* this.#readLongerBlock(segment)
    else yield* this.#giveBlock(segment.bit, part, group)
  }

  /** The next part of a block. What comes of blocks before it was not used. */
  async #partOf(group: Group, index: number): Promise<BlockPart> {
    for (;;) {
      const part = (await this.#pool.next(group)) as BlockPart
      if (part.index === index) return part
    }
  }

  /**
   * A block that continues after what looks like the next magic number. It is decoded again with twice as many bytes each time, so that all
   * attempts together take no more than some times as long as the last one, wherever such numbers stand.
   */
  async *#readLongerBlock({ bit, bytes: { length } }: Segment): AsyncGenerator<Uint8Array, void, undefined> {
    for (let wanted = 0; wanted < LONGEST_BLOCK; ) {
      wanted = Math.min(2 * Math.max(wanted, length), LONGEST_BLOCK)
      const bytes = await this.#finder.read(bit, wanted)
      const group = this.#pool.beginHere([{ bytes, bit: bit % 8 }])
      try {
        const part = await this.#partOf(group, 0)
        if (part.status !== BlockStatus.TRUNCATED) return yield* this.#giveBlock(bit, part, group)
      } finally {
        await this.#pool.leave(group)
      }
      if (bytes.length < wanted) throw this.#finder.failure ?? this.#truncated()
    }
    throw this.#error('corrupt', FAULTS[BlockStatus.TOO_LONG] as string, bit)
  }

  async *#giveBlock(bit: number, first: BlockPart, group: Group): AsyncGenerator<Uint8Array, void, undefined> {
    this.#checkBlock(bit, first)
    this.#options.onBlock?.(bit, this.#offset, first.checksum)
    yield* this.#give(first.pieces)
    for (let part = first; !part.isLast; ) {
      part = await this.#partOf(group, first.index)
      yield* this.#give(part.pieces)
    }
    this.#endBlock(bit, first)
  }

  *#give(pieces: readonly Uint8Array[]): Generator<Uint8Array, void, undefined> {
    for (const piece of pieces) {
      this.#offset += piece.length
      yield piece
    }
  }

  #checkBlock(bit: number, { status, length, isIntact }: BlockPart): void {
    const fault = FAULTS[status]
    if (fault) throw this.#error(status === BlockStatus.RANDOMISED ? 'unsupported' : 'corrupt', fault, bit)
    if (!isIntact) throw this.#error('corrupt', 'the checksum of a block is wrong', bit)
    if (length > this.#mostBytes) {
      throw this.#error('corrupt', `a block is corrupt: it is longer than ${this.#mostBytes} bytes`, bit)
    }
  }

  #endBlock(bit: number, { end, checksum }: BlockPart): void {
    const endBit = bit - (bit % 8) + end
    this.#expected = { kind: 'marker', bit: endBit }
    this.#finder.skipTo(endBit)
    const before = this.#streamChecksum
    if (before !== undefined) this.#streamChecksum = (checksum ^ ((before << 1) | (before >>> 31))) >>> 0
  }

  async #endStream(segment: Segment): Promise<void> {
    const { bit } = segment
    const shift = bit % 8
    const length = Math.ceil((shift + MARKER_BITS) / 8)
    // In a damaged footer, what looks like a magic number may begin.
    const bytes = segment.bytes.length < length ? await this.#finder.read(bit, length) : segment.bytes
    if (bytes.length < length) throw this.#finder.failure ?? this.#truncated()
    const checksum = readBits(bytes, shift + 48, 32)
    if (this.#streamChecksum !== undefined && checksum !== this.#streamChecksum) {
      throw this.#error('corrupt', 'the checksum of a stream is wrong', bit)
    }
    this.#options.onStreamEnd?.(bit, checksum)
    this.#findStream(bytes, length, Math.floor(bit / 8))
  }

  /** Looks for the header of the next stream in the bytes after the end of one, which are at offset `start`. */
  #findStream(bytes: Uint8Array, from: number, start: number): void {
    this.#expected = { kind: 'stream' }
    const found = bytes.findIndex((byte, index) => index >= from && byte !== 0)
    if (found === -1) return
    const header = bytes.subarray(found, found + HEADER_LENGTH)
    if (!isHeader(header)) throw this.#trailingData(start + found)
    this.#beginStream(header, start + found)
  }

  #recover(error: unknown): void {
    const { onFault } = this.#options
    if (!onFault || !(error instanceof CompressionError)) throw error
    onFault(error)
    this.#expected = { kind: 'anything' }
    this.#streamChecksum = undefined
    this.#mostBytes = MAX_BLOCK_LENGTH
  }

  #trailingData(byte: number): CompressionError {
    return this.#error('trailing-data', 'data that is not bzip2 follows the last stream', byte * 8)
  }

  #error(code: CompressionErrorCode, message: string, bit: number): CompressionError {
    return new CompressionError('bzip2', code, message, {
      byteOffset: Math.floor(bit / 8),
      bitOffset: bit,
      outputOffset: this.#offset,
    })
  }

  #truncated(): CompressionError {
    const byteOffset = this.#finder.end
    const place = { byteOffset, bitOffset: byteOffset * 8, outputOffset: this.#offset }
    return new CompressionError('bzip2', 'truncated', 'the input ends inside a stream', place)
  }
}

function isHeader([b, z, h, level = 0]: Uint8Array): boolean {
  return b === 0x42 && z === 0x5a && h === 0x68 && level >= 0x31 && level <= 0x39
}
