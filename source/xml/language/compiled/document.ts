// The kernel in which the program for documents is compiled.

import type { KernelCode } from '../../../machine/program/program.ts'
import { documentModule } from '../generated/document-kernel.ts'

export const DOCUMENT_KERNEL: KernelCode = { bytes: documentModule, isCompiled: true }
