// Programs of documents that end where the root does. They differ in two instructions, so what is compiled for a program runs its twin as well.

import { Op } from '../../machine/program/instructions.ts'
import type { Program } from '../../machine/program/program.ts'

const twins = new WeakMap<Program, Program>()

/** A program that matches a document up to the end of its root, and neither looks at what follows nor waits for it. */
export function endAtRoot(program: Program): Program {
  const known = twins.get(program)
  if (known) return known
  const code = program.code.slice()
  // The entry calls the rule `document`, and would now want the end of the input.
  const document = findProcedure(program, 'document')
  code[code.indexOf(callOf(document)) + 1] = Op.DONE
  // In it, the content of the root ends before the first instruction for what follows.
  const content = code.indexOf(callOf(findProcedure(program, 'content')), document)
  code[content + 1] = Op.RETURN
  const twin = Object.create(program, { code: { value: code, enumerable: true } }) as Program
  twins.set(program, twin)
  return twin
}

function findProcedure(program: Program, rule: string): number {
  for (const [index, name] of program.procedures) if (name === rule) return index
  throw new Error(`the program has no procedure ${rule}`)
}

function callOf(index: number): number {
  return Op.CALL | (index << 8)
}
