// The programs for XML, ready to run. Each is a module of its own, and is loaded when the first document needs it.

import { LazyModule } from '../../async/lazy-module.ts'
import type { Program } from '../../machine/program/program.ts'
import { restoreProgram, type StoredProgram } from '../../machine/program/stored-programs.ts'
import { explanations } from '../errors/explanations.ts'
import type { ProgramName } from './assemble-programs.ts'
import { kernels } from './kernels.ts'

/** Those that documents and fragments are read by. */
export type DocumentProgram = Exclude<ProgramName, 'replacement'>

export const programModules: Readonly<Record<DocumentProgram, LazyModule<{ readonly program: StoredProgram }>>> = {
  document: new LazyModule(() => import('./generated/document.ts')),
  check: new LazyModule(() => import('./generated/check.ts')),
  checkFragment: new LazyModule(() => import('./generated/check-fragment.ts')),
  fragment: new LazyModule(() => import('./generated/fragment.ts')),
}
const restored = new Map<DocumentProgram, Program>()

/** A program by its name, whose module is there. Restored when it is first asked for. */
export function getProgram(name: DocumentProgram): Program {
  const known = restored.get(name)
  if (known) return known
  const program = restore(name, programModules[name].required.program)
  restored.set(name, program)
  return program
}

/** Restores a program. Its messages are those of all programs. */
export function restore(name: ProgramName, stored: StoredProgram, kernel = kernels[name]): Program {
  return restoreProgram(
    name,
    stored,
    () => explanations.module?.getMessages(),
    () => kernel.module,
  )
}
