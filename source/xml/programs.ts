// The programs for XML, ready to run.

import { checkModule } from '../kernel/generated/xml-check.ts'
import { checkPlainlyModule } from '../kernel/generated/xml-checkPlainly.ts'
import { documentModule } from '../kernel/generated/xml-document.ts'
import type { Program } from '../machine/program.ts'
import { restoreProgram, type StoredProgram } from '../machine/stored-program.ts'
import type { ProgramName } from './assemble-programs.ts'
import { check, checkFragment, checkPlainly, document, fragment, replacement } from './generated/programs.ts'

const stored: Readonly<Record<ProgramName, string>> = {
  check,
  checkFragment,
  checkPlainly,
  document,
  fragment,
  replacement,
}
/** Kernels in which the content of documents is compiled. */
const kernels: Partial<Record<ProgramName, string>> = {
  check: checkModule,
  checkPlainly: checkPlainlyModule,
  document: documentModule,
}
const restored = new Map<ProgramName, Program>()

/** A program by its name. Restored when it is first asked for. */
export function getProgram(name: ProgramName): Program {
  const known = restored.get(name)
  if (known) return known
  const program = restoreProgram(JSON.parse(stored[name]) as StoredProgram, kernels[name])
  restored.set(name, program)
  return program
}
