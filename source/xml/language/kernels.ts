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
