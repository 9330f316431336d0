// The kernels that run the programs for XML. Each is loaded when so much was read that it pays.

import { LazyModule } from '../../async/lazy-module.ts'
import type { KernelCode } from '../../machine/program/program.ts'
import type { ProgramName } from './assemble-programs.ts'

/** A kernel for all programs that have none of their own. */
const general = new LazyModule(async () => (await import('../../machine/program/general-kernel.ts')).GENERAL_KERNEL)

export const kernels: Readonly<Record<ProgramName, LazyModule<KernelCode>>> = {
  document: new LazyModule(async () => (await import('./compiled/document.ts')).DOCUMENT_KERNEL),
  check: new LazyModule(async () => (await import('./compiled/check.ts')).CHECK_KERNEL),
  checkFragment: general,
  fragment: general,
  replacement: general,
}

/** A kernel that is there; undefined if there is none. */
export function someKernel(): KernelCode | undefined {
  return Object.values(kernels).find(({ module }) => module)?.module
}
