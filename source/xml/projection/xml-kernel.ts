// What xml/kernel/ exports: work on the tape of a machine that only XML has, on the machine's memory.

import { compileKernel } from '../../kernel/load.ts'
import { xmlModule } from './generated/xml.ts'

export interface XmlKernel {
  /** Goes over parts between two addresses of the tape; why it stopped (xml/kernel/project.ts). */
  project(call: number, from: number, end: number, state: number, windowOffset: number): number
  /**
   * Writes what was found last as JSON (xml/kernel/lines.ts): of `last` records those from `first` on, each as `mode` says (LineForm), between two
   * addresses. The first that is not written because there is no room.
   */
  writeLines(columns: number, count: number, mode: number, first: number, last: number, to: number, end: number): number
  /** Writes what was found last as values for columns (xml/kernel/values.ts). */
  writeValues(columns: number, count: number, first: number, last: number, to: number, end: number): number
  /**
   * Writes at the address `to` what the well-formed XML text between two addresses stands for, of the kind that Decode lists, in one of the notations
   * of xml/kernel/output.ts; at most twice as long. The address after it.
   */
  writeText(from: number, end: number, to: number, kind: number, notation: number): number
}

/** Machines are used again and again. */
const attached = new WeakMap<object, XmlKernel>()

/** The kernel on a memory of WebAssembly; undefined where its SIMD is not to be had. */
export function attachXmlKernel(memory: object): XmlKernel | undefined {
  const known = attached.get(memory)
  if (known) return known
  const module = compileKernel(xmlModule)
  if (!module) return undefined
  const kernel = new WebAssembly.Instance(module, { env: { memory: memory as WebAssembly.Memory } })
    .exports as unknown as XmlKernel
  attached.set(memory, kernel)
  return kernel
}
