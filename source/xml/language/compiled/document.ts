// The kernel in which the program for documents is compiled.

import { documentModule } from '../../../kernel/generated/xml-document.ts'
import type { KernelCode } from '../../../machine/program/program.ts'

export const DOCUMENT_KERNEL: KernelCode = { bytes: documentModule, isCompiled: true }
