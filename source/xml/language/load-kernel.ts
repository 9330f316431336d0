// Kernels that are served as files of WebAssembly: browsers compile them while they arrive, and keep what they have compiled.

import type { LazyModule } from '../../async/lazy-module.ts'
import type { KernelCode, Program } from '../../machine/program/program.ts'
import { kernels } from './kernels.ts'
import { type DocumentProgram, getProgram, programModules } from './programs.ts'

/** The section of such a file that says which program is compiled in it. scripts/build/kernel-files.mjs writes it. */
export const SECTION = 'xylem'

/** Those that have compiled programs. */
const KERNEL_PROGRAMS = ['check', 'document'] as const satisfies readonly DocumentProgram[]

/**
 * Loads a kernel from a URL, where copies of the files `xylem/records.wasm` (for records, lines, columns and checks) and `xylem/elements.wasm` (for elements
 * and events) are served. Without it, or where it is called too late, the kernel comes as a module of JavaScript. Call it before the first document is
 * read:
 *
 * ```ts
 * import { loadKernel } from 'xylem/xml'
 *
 * await loadKernel('https://example.org/records.wasm')
 * ```
 *
 * Throws an `Error` with the code `module-unavailable` if the file cannot be fetched or compiled, or is not that of this version; documents are then read
 * as without it.
 */
export async function loadKernel(url: string | URL): Promise<void> {
  let module: WebAssembly.Module
  let name: DocumentProgram | undefined
  try {
    module = await compile(await fetch(url))
    name = await findProgram(module)
  } catch (cause) {
    throw makeError(`the kernel at ${url} could not be loaded`, cause)
  }
  if (!name) throw makeError(`the file at ${url} is not a kernel of this version of xylem`)
  const kernel: LazyModule<KernelCode> = kernels[name]
  kernel.provide({ bytes: module, isCompiled: true })
}

/** What a file must say that is made for a program. */
export async function identify(name: DocumentProgram): Promise<string> {
  await programModules[name].load()
  return `${name} ${digest(getProgram(name))}`
}

async function compile(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`.trimEnd())
  // The platform refuses other types, and parameters of this one.
  const isStream = response.headers.get('content-type')?.trim().toLowerCase() === 'application/wasm'
  return isStream ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer())
}

async function findProgram(module: WebAssembly.Module): Promise<DocumentProgram | undefined> {
  const [section] = WebAssembly.Module.customSections(module, SECTION)
  const identity = section && new TextDecoder().decode(section)
  const name = KERNEL_PROGRAMS.find((each) => identity?.startsWith(`${each} `))
  // A kernel for other code would match something else, and nobody would notice.
  return name && (await identify(name)) === identity ? name : undefined
}

/** A number that differs where programs do (FNV-1a). */
function digest({ code, data }: Program): number {
  let hash = 0x811c9dc5
  for (const values of [code, data]) for (const value of values) hash = Math.imul(hash ^ value, 0x01000193)
  return hash >>> 0
}

function makeError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code: 'module-unavailable' })
}
