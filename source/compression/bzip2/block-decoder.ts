// Decoding the blocks of bzip2, several at a time; the chain of blocks is not known here.

/** What became of a block. What must change together: the constants in bzip2/kernel.ts. */
export const BlockStatus = {
  GOOD: 0,
  /** The bytes given end before the block does. */
  TRUNCATED: 1,
  RANDOMISED: 2,
  BAD_ORIGIN: 3,
  NO_SYMBOLS: 4,
  BAD_TABLE_COUNT: 5,
  BAD_SELECTOR: 6,
  BAD_CODE_LENGTH: 7,
  BAD_CODE: 8,
  TOO_LONG: 9,
  NO_SELECTOR_LEFT: 10,
} as const

/** Bytes of a block before sorting, at most. */
export const MAX_BLOCK_LENGTH = 900_000

/**
 * What the kernel and its plain twin both do. A lane holds one block, from `retrieve` until the next one; lanes count from 0. Each block is
 * retrieved and, if it is good, prepared, before the next one is retrieved. Then `walk` is called until it returns true, and `emit` for each
 * until `isEmitted`.
 */
export interface BlockDecoder {
  /** `wasm` for the kernel, `plain` for its twin in TypeScript. */
  readonly engine: 'wasm' | 'plain'
  /** How many blocks it holds. Several are decoded faster together than one after the other. */
  readonly lanes: number
  /**
   * Reads the block whose magic number begins at bit `bit` (0 to 7, from the most significant) of `bytes`. Returns a
   * {@link BlockStatus}. Bytes after the block are ignored.
   */
  retrieve(lane: number, bytes: Uint8Array, bit: number): number
  /** Makes the block ready to be walked. To be called when `retrieve` has returned `GOOD`, before anything else is retrieved. */
  prepare(lane: number): void
  /** Where the block ends, in bits from the first byte given; after an error, where it was noticed. */
  endBit(lane: number): number
  /** Bytes of the block before sorting. */
  length(lane: number): number
  /** The checksum that stands before the block. */
  storedChecksum(lane: number): number
  /** Brings the first `count` lanes on by up to `limit` bytes each (an even number). True when all are complete. */
  walk(count: number, limit: number): boolean
  /** More of the block, at most 1 MiB: a view that is valid until the next call. Undefined where the block ends in a run without length. */
  emit(lane: number): Uint8Array | undefined
  isEmitted(lane: number): boolean
  /** The checksum of what was emitted. */
  checksum(lane: number): number
  /** Makes `emit` begin at the start again. */
  rewind(lane: number): void
}
