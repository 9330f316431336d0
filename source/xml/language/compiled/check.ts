// The kernel in which the program for checks is compiled.

import type { KernelCode } from '../../../machine/program/program.ts'
import { checkModule } from '../generated/check-kernel.ts'

export const CHECK_KERNEL: KernelCode = { bytes: checkModule, isCompiled: true }
