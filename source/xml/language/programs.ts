// The programs for XML, ready to run.

import { checkModule } from '../../kernel/generated/xml-check.ts'
import { documentModule } from '../../kernel/generated/xml-document.ts'
import type { Program } from '../../machine/program/program.ts'
import { ProgramStore } from '../../machine/program/stored-programs.ts'
import type { ProgramName } from './assemble-programs.ts'
import { storedPrograms } from './generated/programs.ts'

/** Kernels in which the content of documents is compiled. */
const kernels: Partial<Record<ProgramName, string>> = {
  check: checkModule,
  document: documentModule,
}
let store: ProgramStore<ProgramName> | undefined

/** A program by its name. Restored when it is first asked for. */
export function getProgram(name: ProgramName): Program {
  store ??= new ProgramStore(storedPrograms, kernels)
  return store.get(name)
}
