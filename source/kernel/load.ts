// The one loader of the WebAssembly kernels. A module's bytes are embedded as text and compiled synchronously on first
// use: the kernels are a few kilobytes, far below what browsers allow to be compiled on the main thread.

import { LazyModule } from '../async/lazy-module.ts'
import { decodeBytes } from './embedded-bytes.ts'

const compiled = new Map<string, WebAssembly.Module | undefined>()

/**
 * An embedded module, which is compiled once.
 *
 * Returns undefined where WebAssembly or its SIMD instructions are missing or refused (an old engine, a content security
 * policy without 'wasm-unsafe-eval'): the caller then runs the plain twin.
 */
export function compileKernel(text: string): WebAssembly.Module | undefined {
  if (!compiled.has(text)) compiled.set(text, compile(text))
  return compiled.get(text)
}

function compile(text: string): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(decodeBytes(text))
  } catch {
    return undefined
  }
}

/** An instance of an embedded module without imports. Returns undefined like {@link compileKernel}. */
export function loadKernel<Exports>(text: string): Exports | undefined {
  const module = compileKernel(text)
  return module && (new WebAssembly.Instance(module).exports as Exports)
}

/**
 * An instance of a kernel's twin: what Binaryen makes of the same source in JavaScript, without SIMD, which exports the same. It is a module that is loaded only
 * where WebAssembly is refused. Throws an `Error` with the code `module-unavailable` if it cannot be had.
 */
export async function loadTwin<Exports>(load: () => Promise<{ instantiate(): unknown }>): Promise<Exports> {
  const { instantiate } = await new LazyModule(load).load()
  return instantiate() as Exports
}
