// The engine in WebAssembly. Its source is machine/kernel/.

import { compileKernel } from '../../kernel/load.ts'
import type { KernelCode } from '../program/program.ts'
import type { Engine } from './engine.ts'

/** What a kernel exports is what an engine does, with signed numbers, and the memory. */
interface Exports extends Omit<Engine, 'name' | 'kernel' | 'wasmMemory' | 'buffer' | 'grow'> {
  readonly memory: WebAssembly.Memory
}

const PAGE = 65536

/**
 * An engine of its own memory, or undefined where WebAssembly's SIMD is not to be had. Compiled on first use.
 */
export function makeKernelEngine(kernel: KernelCode): Engine | undefined {
  const module = moduleOf(kernel)
  if (!module) return undefined
  const exports = new WebAssembly.Instance(module).exports as unknown as Exports
  const { memory } = exports
  return {
    ...exports,
    name: 'wasm',
    kernel,
    wasmMemory: memory,
    get buffer() {
      return memory.buffer as ArrayBuffer
    },
    grow(length) {
      const missing = length - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
    },
    // Addresses may be above 2 GiB.
    passXmlText: (from, end) => exports.passXmlText(from, end) >>> 0,
    findMalformed: (from, end) => exports.findMalformed(from, end) >>> 0,
    findNoXmlCharacter: (from, end) => exports.findNoXmlCharacter(from, end) >>> 0,
    skim: (from, end, depth, floor) => exports.skim(from, end, depth, floor) >>> 0,
  }
}

/** Whether WebAssembly's SIMD is to be had, so that there is an engine. */
export function canRunKernel(kernel: KernelCode): boolean {
  return moduleOf(kernel) !== undefined
}

function moduleOf({ bytes }: KernelCode): WebAssembly.Module | undefined {
  return typeof bytes === 'string' ? compileKernel(bytes) : (bytes as WebAssembly.Module)
}
