// The kernel in which the program for checks is compiled.

import { checkModule } from '../../../kernel/generated/xml-check.ts'
import type { KernelCode } from '../../../machine/program/program.ts'

export const CHECK_KERNEL: KernelCode = { bytes: checkModule, isCompiled: true }
