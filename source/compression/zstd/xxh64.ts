// The hash XXH64 with the seed 0 ("xxHash fast digest algorithm", version 0.2.1), by the kernel or its twin.

import { loadKernel, loadTwin } from '../../kernel/load.ts'
import { xxh64Module } from './generated/xxh64.ts'

/** The exports of source/compression/kernel/xxh64.ts. */
interface Exports {
  memory: WebAssembly.Memory
  WINDOW: WebAssembly.Global<'i32'>
  WINDOW_SIZE: WebAssembly.Global<'i32'>
  HASH: WebAssembly.Global<'i32'>
  begin(): void
  add(length: number): void
  finish(): void
}

/** A hash on the kernel, or on its twin where WebAssembly is not to be had. */
export async function makeXxh64(): Promise<Xxh64> {
  return makeKernelXxh64() ?? (await makePlainXxh64())
}

/** A hash on the kernel, or undefined where WebAssembly is not to be had. */
export function makeKernelXxh64(): Xxh64 | undefined {
  const kernel = loadKernel<Exports>(xxh64Module)
  return kernel && new Xxh64(kernel)
}

export async function makePlainXxh64(): Promise<Xxh64> {
  return new Xxh64(await loadTwin<Exports>(() => import('./generated/xxh64-twin.js')))
}

export class Xxh64 {
  readonly #kernel: Exports
  readonly #window: Uint8Array
  readonly #hash: DataView

  constructor(kernel: Exports) {
    this.#kernel = kernel
    // The kernel's memory never grows, so these views stay attached.
    const { memory, WINDOW, WINDOW_SIZE, HASH } = kernel
    this.#window = new Uint8Array(memory.buffer, WINDOW.value, WINDOW_SIZE.value)
    this.#hash = new DataView(memory.buffer, HASH.value)
    this.reset()
  }

  /** Begins anew. */
  reset(): void {
    this.#kernel.begin()
  }

  /** Adds bytes. */
  update(bytes: Uint8Array): void {
    const size = this.#window.length
    for (let start = 0; start < bytes.length; start += size) {
      const piece = bytes.subarray(start, start + size)
      this.#window.set(piece)
      this.#kernel.add(piece.length)
    }
  }

  /** The hash of all bytes since the beginning, of 64 bits. */
  digest(): bigint {
    this.#kernel.finish()
    return this.#hash.getBigUint64(0, true)
  }
}
