// The kernel that runs any program.

import { machineModule } from './generated/machine.ts'
import type { KernelCode } from './program.ts'

export const GENERAL_KERNEL: KernelCode = { bytes: machineModule, isCompiled: false }
