// The one loader of the WebAssembly kernels. A module's bytes are embedded as text and compiled synchronously on first
// use: the kernels are a few kilobytes, far below what browsers allow to be compiled on the main thread.

import { decodeBytes } from './embedded-bytes.ts'

/**
 * Compiles an embedded module.
 *
 * Returns undefined where WebAssembly or its SIMD instructions are missing or refused (an old engine, a content security
 * policy without 'wasm-unsafe-eval'): the caller then runs the plain twin.
 */
export function compileKernel(text: string): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(decodeBytes(text))
  } catch {
    return undefined
  }
}

/** Compiles and instantiates an embedded module without imports. Returns undefined like {@link compileKernel}. */
export function loadKernel(text: string): WebAssembly.Exports | undefined {
  const module = compileKernel(text)
  return module && new WebAssembly.Instance(module).exports
}
