// The kernels that run the programs for XML. Each is loaded when so much was read that it pays.

import { LazyModule } from '../../async/lazy-module.ts'
import type { KernelCode } from '../../machine/program/program.ts'
import type { ProgramName } from './assemble-programs.ts'

/** The kernel for all programs that have none of their own, and for trees: what is compiled makes those no faster. */
export const generalKernel = new LazyModule(
  async () => (await import('../../machine/program/general-kernel.ts')).GENERAL_KERNEL,
)

export const kernels: Readonly<Record<ProgramName, LazyModule<KernelCode>>> = {
  document: new LazyModule(async () => (await import('./compiled/document.ts')).DOCUMENT_KERNEL),
  check: new LazyModule(async () => (await import('./compiled/check.ts')).CHECK_KERNEL),
  checkFragment: generalKernel,
  fragment: generalKernel,
  replacement: generalKernel,
}

/** Bytes of all documents together that are read without a kernel: small documents, and the first results of large ones, need none. */
const MOST = 16 * 1024

let used = 0

/** Bytes that may still be read without a kernel. */
export function readableWithoutKernel(): number {
  return MOST - used
}

/** Says that so many bytes were read without a kernel. */
export function countWithoutKernel(bytes: number): void {
  used += bytes
}
