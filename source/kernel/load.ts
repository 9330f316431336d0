// The one loader of the WebAssembly kernels. A module's bytes are embedded as base64 and compiled synchronously on first
// use: the kernels are a few kilobytes, far below what browsers allow to be compiled on the main thread.

import { decodeBase64 } from './base64.ts'

/**
 * Compiles an embedded module.
 *
 * Returns undefined where WebAssembly or its SIMD instructions are missing or refused (an old engine, a content security
 * policy without 'wasm-unsafe-eval'): the caller then runs the plain twin.
 */
export function compileKernel(base64: string): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(decodeBase64(base64))
  } catch {
    return undefined
  }
}

/** Compiles and instantiates an embedded module without imports. Returns undefined like {@link compileKernel}. */
export function loadKernel(base64: string): WebAssembly.Exports | undefined {
  const module = compileKernel(base64)
  return module && new WebAssembly.Instance(module).exports
}
