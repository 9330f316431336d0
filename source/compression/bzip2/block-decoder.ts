// Decoding the blocks of bzip2, several at a time, by the kernel or its twin; the chain of blocks is not known here.

import { loadKernel, loadTwin } from '../../kernel/load.ts'
import { bzip2Module } from './generated/bzip2.ts'

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

/** How many blocks a decoder holds. Several are decoded faster together than one after the other; more are not faster, and each takes 5.4 MB. */
export const LANES = 4

/** The exports of source/compression/kernel/bzip2.ts. */
interface Exports {
  memory: WebAssembly.Memory
  OUTPUT: WebAssembly.Global<'i32'>
  LANE_AREAS: WebAssembly.Global<'i32'>
  LANE_SIZE: WebAssembly.Global<'i32'>
  INPUT_PADDING: WebAssembly.Global<'i32'>
  initialise(): void
  retrieve(lane: number, input: number, length: number, bit: number): number
  /** Makes a block ready to be walked. To be called when `retrieve` has returned `GOOD`, before anything else is retrieved. */
  prepare(lane: number): void
  /** Brings the first `count` lanes on by up to `limit` bytes each (an even number). Not 0 when all are complete. */
  walk(count: number, limit: number): number
  emit(lane: number): number
  /** Makes `emit` begin at the start again. */
  rewind(lane: number): void
  isEmitted(lane: number): number
  /** Bytes of the block before sorting. */
  lengthOf(lane: number): number
  /** Where the block ends, in bits from the first byte given; after an error, where it was noticed. */
  endBitOf(lane: number): number
  /** The checksum that stands before the block, and that of what was emitted; signed. */
  storedChecksumOf(lane: number): number
  checksumOf(lane: number): number
}

/** A decoder on the kernel, or on its twin where WebAssembly SIMD is not to be had. */
export async function makeBlockDecoder(): Promise<BlockDecoder> {
  return makeKernelDecoder() ?? (await makePlainDecoder())
}

/** A decoder on the kernel, or undefined where WebAssembly SIMD is not to be had. */
export function makeKernelDecoder(): BlockDecoder | undefined {
  const kernel = loadKernel<Exports>(bzip2Module)
  return kernel && new BlockDecoder(kernel)
}

export async function makePlainDecoder(): Promise<BlockDecoder> {
  return new BlockDecoder(await loadTwin<Exports>(() => import('./generated/bzip2-twin.js')))
}

/**
 * A lane holds one block, from `retrieve` until the next one; lanes count from 0. Each block is retrieved and, if it is good, prepared,
 * before the next one is retrieved. Then the kernel's `walk` is called until all are complete, and `emit` for each until `isEmitted`.
 */
export class BlockDecoder {
  readonly kernel: Exports
  /** The number of lanes that there is memory for, which grows as they are used; the input is after them. */
  #lanesThere = 0

  constructor(kernel: Exports) {
    this.kernel = kernel
    kernel.initialise()
  }

  /**
   * Reads the block whose magic number begins at bit `bit` (0 to 7, from the most significant) of `bytes`. Returns a
   * {@link BlockStatus}. Bytes after the block are ignored.
   */
  retrieve(lane: number, bytes: Uint8Array, bit: number): number {
    this.#lanesThere = Math.max(this.#lanesThere, lane + 1)
    const kernel = this.kernel
    const input = kernel.LANE_AREAS.value + this.#lanesThere * kernel.LANE_SIZE.value
    const end = input + bytes.length
    const padding = kernel.INPUT_PADDING.value
    const missing = end + padding - kernel.memory.buffer.byteLength
    if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65536))
    const memory = new Uint8Array(kernel.memory.buffer)
    memory.set(bytes, input)
    memory.fill(0, end, end + padding)
    return kernel.retrieve(lane, input, bytes.length, bit)
  }

  /** More of the block, at most 1 MiB: a view that is valid until the next call. Undefined where the block ends in a run without length. */
  emit(lane: number): Uint8Array | undefined {
    const length = this.kernel.emit(lane)
    return length < 0 ? undefined : new Uint8Array(this.kernel.memory.buffer, this.kernel.OUTPUT.value, length)
  }
}
