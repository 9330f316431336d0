// Finding byte sequences and counting line feeds in bytes of any length, by the scanning kernel.

import { loadKernel } from '../kernel/load.ts'
import { scanModule } from './generated/scan.ts'
import { plainScanner } from './plain-scanner.ts'

/** What the kernel and its plain twin both do. Offsets are indices into the bytes given, from 0. */
export interface Scanner {
  /** `wasm` for the kernel, `plain` for its twin in TypeScript. */
  readonly engine: 'wasm' | 'plain'
  /** The index of the first occurrence of `needle` that begins at or after `from`, or -1. An empty needle is found at `from`. */
  findBytes(haystack: Uint8Array, needle: Uint8Array, from: number): number
  /** How many of the bytes are line feeds (byte 10). */
  countLineFeeds(bytes: Uint8Array): number
}

/** The exports of source/text/kernel/scan.ts. */
interface ScanExports {
  memory: WebAssembly.Memory
  NEEDLE: WebAssembly.Global<'i32'>
  NEEDLE_SIZE: WebAssembly.Global<'i32'>
  WINDOW: WebAssembly.Global<'i32'>
  WINDOW_SIZE: WebAssembly.Global<'i32'>
  find(length: number, needleLength: number): number
  countLineFeeds(length: number): number
}

/** The scanner that runs on the kernel, or undefined where WebAssembly SIMD is not to be had. */
export function loadWasmScanner(): Scanner | undefined {
  const exports = loadKernel<ScanExports>(scanModule)
  return exports && makeWasmScanner(exports)
}

function makeWasmScanner(kernel: ScanExports): Scanner {
  // The kernel's memory never grows, so these views stay attached.
  const needleArea = new Uint8Array(kernel.memory.buffer, kernel.NEEDLE.value, kernel.NEEDLE_SIZE.value)
  const windowArea = new Uint8Array(kernel.memory.buffer, kernel.WINDOW.value, kernel.WINDOW_SIZE.value)

  return {
    engine: 'wasm',

    findBytes(haystack, needle, from) {
      if (needle.length === 0 || needle.length > needleArea.length) {
        return plainScanner.findBytes(haystack, needle, from)
      }
      needleArea.set(needle)
      // Windows grow: what is found soon costs little copying. Neighbouring ones share needle.length - 1 bytes, so that an
      // occurrence cut by an edge is complete in the second one.
      let size = Math.max(SMALLEST_WINDOW, 2 * needle.length)
      for (let start = from; start < haystack.length; ) {
        const end = Math.min(start + size, haystack.length)
        windowArea.set(haystack.subarray(start, end))
        const found = kernel.find(end - start, needle.length)
        if (found !== -1) return start + found
        start += size - (needle.length - 1)
        size = Math.min(2 * size, windowArea.length)
      }
      return -1
    },

    countLineFeeds(bytes) {
      let count = 0
      for (let start = 0; start < bytes.length; start += windowArea.length) {
        const end = Math.min(start + windowArea.length, bytes.length)
        windowArea.set(bytes.subarray(start, end))
        count += kernel.countLineFeeds(end - start)
      }
      return count
    },
  }
}

/** Bytes that are copied for a first look: the mean page of a wiki is 2 KB. */
const SMALLEST_WINDOW = 2048

let shared: Scanner | undefined

/** The scanner of this thread: the kernel, or its twin where the kernel cannot run. Compiled on first use. */
export function scanner(): Scanner {
  shared ??= loadWasmScanner() ?? plainScanner
  return shared
}
