// The engine in WebAssembly. Its source is machine/kernel/.

import { compileKernel } from '../../kernel/load.ts'
import type { StopReason } from '../program/instructions.ts'
import type { KernelCode } from '../program/program.ts'
import type { Engine } from './engine.ts'

interface Exports {
  memory: WebAssembly.Memory
  run(): StopReason
  undo(logLength: number): void
  rehash(): void
  passXmlText(from: number, end: number): number
  findMalformed(from: number, end: number): number
  findNoXmlCharacter(from: number, end: number): number
  measure(from: number, end: number, countsUnits: number): void
  skim(from: number, end: number, depth: number, floor: number): number
  link(from: number, end: number): void
  transcribe(from: number, end: number, to: number): number
  decode(from: number, end: number, to: number, kind: number): number
}

const PAGE = 65536

/** What was compiled; undefined where WebAssembly's SIMD is not to be had. */
const modules = new Map<KernelCode, WebAssembly.Module | undefined>()

/**
 * An engine of its own memory, or undefined where WebAssembly's SIMD is not to be had. Compiled on first use.
 */
export function makeKernelEngine(kernel: KernelCode): Engine | undefined {
  const module = moduleOf(kernel)
  if (!module) return undefined
  const exports = new WebAssembly.Instance(module).exports as unknown as Exports
  const { memory } = exports
  return {
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
    run: exports.run,
    undo: exports.undo,
    rehash: exports.rehash,
    // WebAssembly gives signed numbers; addresses may be above 2 GiB.
    passXmlText: (from, end) => exports.passXmlText(from, end) >>> 0,
    findMalformed: (from, end) => exports.findMalformed(from, end) >>> 0,
    findNoXmlCharacter: (from, end) => exports.findNoXmlCharacter(from, end) >>> 0,
    measure: exports.measure,
    skim: (from, end, depth, floor) => exports.skim(from, end, depth, floor) >>> 0,
    link: exports.link,
    transcribe: exports.transcribe,
    decode: exports.decode,
  }
}

/** Whether WebAssembly's SIMD is to be had, so that there is an engine. */
export function canRunKernel(kernel: KernelCode): boolean {
  return moduleOf(kernel) !== undefined
}

function compile({ bytes }: KernelCode): WebAssembly.Module | undefined {
  return typeof bytes === 'string' ? compileKernel(bytes) : (bytes as WebAssembly.Module)
}

function moduleOf(kernel: KernelCode): WebAssembly.Module | undefined {
  if (!modules.has(kernel)) modules.set(kernel, compile(kernel))
  return modules.get(kernel)
}
