// The hash XXH64 with the seed 0 ("xxHash fast digest algorithm", version 0.2.1), on the kernel.

import { compileKernel } from '../../kernel/load.ts'
import { xxh64Module } from './generated/xxh64.ts'
import { PlainXxh64 } from './plain-xxh64.ts'

/** What the kernel and its plain twin both do. */
export interface Xxh64 {
  /** `wasm` for the kernel, `plain` for its twin in TypeScript. */
  readonly engine: 'wasm' | 'plain'
  /** Begins anew. */
  reset(): void
  /** Adds bytes. */
  update(bytes: Uint8Array): void
  /** The hash of all bytes since the beginning, of 64 bits. */
  digest(): bigint
}

/** The exports of source/compression/kernel/xxh64.ts. */
interface Exports {
  memory: WebAssembly.Memory
  WINDOW: WebAssembly.Global<'i32'>
  WINDOW_SIZE: WebAssembly.Global<'i32'>
  begin(): void
  add(length: number): void
  finish(): bigint
}

let kernelModule: WebAssembly.Module | undefined

/** A hash that runs on the kernel, or on its twin where WebAssembly is not to be had. */
export function makeXxh64(): Xxh64 {
  return makeKernelXxh64() ?? new PlainXxh64()
}

/** A hash that runs on the kernel, or undefined where WebAssembly is not to be had. */
export function makeKernelXxh64(): Xxh64 | undefined {
  kernelModule ??= compileKernel(xxh64Module)
  return kernelModule && new KernelXxh64(kernelModule)
}

class KernelXxh64 implements Xxh64 {
  readonly engine = 'wasm'
  readonly #kernel: Exports
  readonly #window: Uint8Array

  constructor(module: WebAssembly.Module) {
    this.#kernel = new WebAssembly.Instance(module).exports as unknown as Exports
    // The kernel's memory never grows, so this view stays attached.
    const { memory, WINDOW, WINDOW_SIZE } = this.#kernel
    this.#window = new Uint8Array(memory.buffer, WINDOW.value, WINDOW_SIZE.value)
    this.reset()
  }

  reset(): void {
    this.#kernel.begin()
  }

  update(bytes: Uint8Array): void {
    const size = this.#window.length
    for (let start = 0; start < bytes.length; start += size) {
      const piece = bytes.subarray(start, start + size)
      this.#window.set(piece)
      this.#kernel.add(piece.length)
    }
  }

  digest(): bigint {
    return BigInt.asUintN(64, this.#kernel.finish())
  }
}
