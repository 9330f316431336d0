// The decoder of bzip2 blocks that runs on the kernel.

import { compileKernel } from '../../kernel/load.ts'
import type { BlockDecoder } from './block-decoder.ts'
import { bzip2Module } from './generated/bzip2.ts'
import { PlainBlockDecoder } from './plain-block-decoder.ts'

/** Lanes of the kernel: more are not faster, and each takes 5.4 MB. */
const LANES = 4

/** The exports of source/compression/kernel/bzip2.ts. */
interface Exports {
  memory: WebAssembly.Memory
  OUTPUT: WebAssembly.Global<'i32'>
  LANE_AREAS: WebAssembly.Global<'i32'>
  LANE_SIZE: WebAssembly.Global<'i32'>
  INPUT_PADDING: WebAssembly.Global<'i32'>
  initialise(): void
  retrieve(lane: number, input: number, length: number, bit: number): number
  prepare(lane: number): void
  walk(count: number, limit: number): number
  emit(lane: number): number
  rewind(lane: number): void
  isEmitted(lane: number): number
  lengthOf(lane: number): number
  endBitOf(lane: number): number
  storedChecksumOf(lane: number): number
  checksumOf(lane: number): number
}

let kernelModule: WebAssembly.Module | undefined

/** A decoder on the kernel, or on its twin where WebAssembly SIMD is not to be had. Its memory grows as lanes are used. */
export function makeBlockDecoder(): BlockDecoder {
  return makeKernelDecoder() ?? new PlainBlockDecoder()
}

/** A decoder on the kernel, or undefined where WebAssembly SIMD is not to be had. */
export function makeKernelDecoder(): BlockDecoder | undefined {
  kernelModule ??= compileKernel(bzip2Module)
  return kernelModule && new KernelBlockDecoder(kernelModule)
}

class KernelBlockDecoder implements BlockDecoder {
  readonly engine = 'wasm'
  readonly lanes = LANES
  readonly #kernel: Exports
  /** The number of lanes that there is memory for; the input is after them. */
  #lanesThere = 0

  constructor(module: WebAssembly.Module) {
    this.#kernel = new WebAssembly.Instance(module).exports as unknown as Exports
    this.#kernel.initialise()
  }

  retrieve(lane: number, bytes: Uint8Array, bit: number): number {
    this.#lanesThere = Math.max(this.#lanesThere, lane + 1)
    const kernel = this.#kernel
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

  prepare(lane: number): void {
    this.#kernel.prepare(lane)
  }

  endBit(lane: number): number {
    return this.#kernel.endBitOf(lane)
  }
  length(lane: number): number {
    return this.#kernel.lengthOf(lane)
  }
  storedChecksum(lane: number): number {
    return this.#kernel.storedChecksumOf(lane) >>> 0
  }

  walk(count: number, limit: number): boolean {
    return this.#kernel.walk(count, limit) !== 0
  }

  emit(lane: number): Uint8Array | undefined {
    const length = this.#kernel.emit(lane)
    return length < 0 ? undefined : new Uint8Array(this.#kernel.memory.buffer, this.#kernel.OUTPUT.value, length)
  }
  isEmitted(lane: number): boolean {
    return this.#kernel.isEmitted(lane) !== 0
  }
  checksum(lane: number): number {
    return this.#kernel.checksumOf(lane) >>> 0
  }
  rewind(lane: number): void {
    this.#kernel.rewind(lane)
  }
}
