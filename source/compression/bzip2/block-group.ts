// Decoding a group of bzip2 blocks side by side, and checking them. It waits for nothing: what it does on this thread and what it
// does in a worker is the same.

import { type BlockDecoder, BlockStatus } from './block-decoder.ts'

/** Pieces of a block's content, and whether they are the last ones. */
export interface MorePieces {
  pieces: Uint8Array[]
  isComplete: boolean
}

/** A block as it stands in the stream: its magic number begins at bit `bit` of the first byte. */
export interface CompressedBlock {
  readonly bytes: Uint8Array
  readonly bit: number
}

/** What became of a block. */
export interface BlockResult {
  /** A `BlockStatus`. */
  readonly status: number
  /** Where it ends, in bits from the first byte given; after an error, where it was noticed. */
  readonly end: number
  /** Bytes before sorting. */
  readonly length: number
  /** The checksum that stands before the block. */
  readonly checksum: number
  /** Whether the content has that checksum. */
  readonly isIntact: boolean
  /** The content, in pieces of up to 1 MiB; empty where there was an error, and where the content is larger than one piece. */
  readonly pieces: Uint8Array[]
  /** Whether `pieces` is all. */
  readonly isComplete: boolean
}

/** Bytes that a lane is walked at a time: a few milliseconds of work. */
const WALK_STEP = 200_000
/** Of a block that is larger than one piece, this many are made at a time. */
const PIECES = 4

export class BlockGroup {
  readonly #decoder: BlockDecoder

  constructor(decoder: BlockDecoder) {
    this.#decoder = decoder
  }

  /** Decodes up to `LANES` blocks. Yields every few milliseconds, so that the caller may let others continue. */
  *decode(blocks: readonly CompressedBlock[]): Generator<void, BlockResult[], undefined> {
    const decoder = this.#decoder
    const { kernel } = decoder
    const statuses: number[] = []
    for (const [lane, { bytes, bit }] of blocks.entries()) {
      const status = decoder.retrieve(lane, bytes, bit)
      statuses.push(status)
      yield
      if (status !== BlockStatus.GOOD) continue
      kernel.prepare(lane)
      yield
    }
    // A lane with a corrupt block has nothing to walk.
    while (!kernel.walk(blocks.length, WALK_STEP)) yield
    const results: BlockResult[] = []
    for (const [lane, status] of statuses.entries()) {
      results.push(yield* this.#finish(lane, status))
      yield
    }
    return results
  }

  /** More of a block that was not complete. */
  more(lane: number): MorePieces {
    const { kernel } = this.#decoder
    const pieces: Uint8Array[] = []
    while (pieces.length < PIECES && !kernel.isEmitted(lane)) {
      const piece = this.#decoder.emit(lane)
      if (piece) pieces.push(piece.slice())
    }
    return { pieces, isComplete: kernel.isEmitted(lane) !== 0 }
  }

  *#finish(lane: number, status: number): Generator<void, BlockResult, undefined> {
    const decoder = this.#decoder
    const { kernel } = decoder
    const stored = kernel.storedChecksumOf(lane)
    const facts = { status, end: kernel.endBitOf(lane), length: kernel.lengthOf(lane), checksum: stored >>> 0 }
    const bad = { ...facts, isIntact: false, pieces: [], isComplete: true }
    if (status !== BlockStatus.GOOD) return bad
    // Nothing is given out before its checksum is known to be right. A block that grows is gone through twice for that.
    const first = decoder.emit(lane)?.slice()
    const isComplete = kernel.isEmitted(lane) !== 0
    if (!first) return bad
    while (!kernel.isEmitted(lane)) {
      if (!decoder.emit(lane)) return bad
      yield
    }
    if (kernel.checksumOf(lane) !== stored) return bad
    if (isComplete) return { ...facts, isIntact: true, pieces: [first], isComplete }
    kernel.rewind(lane)
    return { ...facts, isIntact: true, pieces: [], isComplete }
  }
}
