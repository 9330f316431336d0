// The engine in WebAssembly. Its source is kernel/machine/.

import { machineModule } from '../kernel/generated/machine.ts'
import { compileKernel } from '../kernel/load.ts'
import type { Engine } from './engine.ts'
import type { StopReason } from './instructions.ts'

interface Exports {
  memory: WebAssembly.Memory
  run(): StopReason
  undo(logLength: number): void
  rehash(): void
  findMalformed(from: number, end: number): number
  findNoXmlCharacter(from: number, end: number): number
  measure(from: number, end: number): void
  skim(from: number, end: number, depth: number, floor: number): number
  transcribe(from: number, end: number, to: number): number
  decode(from: number, end: number, to: number, kind: number): number
}

const PAGE = 65536

let module: WebAssembly.Module | undefined
let isRefused = false

/** An engine of its own memory, or undefined where WebAssembly's SIMD is not to be had. Compiled on first use. */
export function makeKernelEngine(): Engine | undefined {
  if (isRefused) return undefined
  module ??= compileKernel(machineModule)
  isRefused = module === undefined
  if (!module) return undefined
  const exports = new WebAssembly.Instance(module).exports as unknown as Exports
  const { memory } = exports
  return {
    name: 'wasm',
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
    findMalformed: exports.findMalformed,
    findNoXmlCharacter: exports.findNoXmlCharacter,
    measure: exports.measure,
    skim: exports.skim,
    transcribe: exports.transcribe,
    decode: exports.decode,
  }
}
