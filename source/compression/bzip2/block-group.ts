// Decoding groups of bzip2 blocks side by side, and checking them: on this thread, and in workers.

import { type BlockDecoder, BlockStatus } from './block-decoder.ts'

/** A block as it stands in the stream: its magic number begins at bit `bit` of the first byte. */
export interface CompressedBlock {
  readonly bytes: Uint8Array
  readonly bit: number
}

/** What became of a block, and some of its content. */
export interface BlockPart {
  /** The place of the block in its group. */
  readonly index: number
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
  /** Pieces of up to 1 MiB; none where there was an error. */
  readonly pieces: Uint8Array[]
  /** Whether these are the last ones of the block. */
  readonly isLast: boolean
}

/** Bytes that a lane is walked at a time: a few milliseconds of work. */
const WALK_STEP = 200_000
/** Of a block that is larger than one piece, this many are made at a time. */
const PIECES = 4

/**
 * Returns what decodes groups of up to `LANES` blocks, each with a decoder of its own. It gives the parts of the blocks in order, and undefined every few
 * milliseconds, so that others may continue.
 */
export function openGroups(
  makeDecoder: () => BlockDecoder | Promise<BlockDecoder>,
): (blocks: readonly CompressedBlock[]) => AsyncGenerator<BlockPart | undefined, void, undefined> {
  const free: BlockDecoder[] = []
  return async function* (blocks) {
    const decoder = free.pop() ?? (await makeDecoder())
    try {
      yield* decodeGroup(decoder, blocks)
    } finally {
      free.push(decoder)
    }
  }
}

function* decodeGroup(
  decoder: BlockDecoder,
  blocks: readonly CompressedBlock[],
): Generator<BlockPart | undefined, void, undefined> {
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
  for (const [lane, status] of statuses.entries()) yield* readLane(decoder, lane, status)
}

function* readLane(
  decoder: BlockDecoder,
  lane: number,
  status: number,
): Generator<BlockPart | undefined, void, undefined> {
  const { kernel } = decoder
  const stored = kernel.storedChecksumOf(lane)
  const facts = {
    index: lane,
    status,
    end: kernel.endBitOf(lane),
    length: kernel.lengthOf(lane),
    checksum: stored >>> 0,
  }
  const first = status === BlockStatus.GOOD ? decoder.emit(lane)?.slice() : undefined
  const isWhole = kernel.isEmitted(lane) !== 0
  let isIntact = first !== undefined
  // Nothing is given out before its checksum is known to be right. A block that grows is gone through twice for that.
  while (isIntact && !kernel.isEmitted(lane)) {
    isIntact = decoder.emit(lane) !== undefined
    yield
  }
  isIntact &&= kernel.checksumOf(lane) === stored
  if (!isIntact || isWhole) {
    yield { ...facts, isIntact, pieces: isIntact && first ? [first] : [], isLast: true }
    return
  }
  kernel.rewind(lane)
  for (let isLast = false; !isLast; ) {
    const pieces: Uint8Array[] = []
    while (pieces.length < PIECES && !kernel.isEmitted(lane)) {
      const piece = decoder.emit(lane)
      if (piece) pieces.push(piece.slice())
    }
    isLast = kernel.isEmitted(lane) !== 0
    yield { ...facts, isIntact, pieces, isLast }
  }
}
