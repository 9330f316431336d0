// What the records of a program's tape are.

import { NodeType, type Program } from '../../machine/program/program.ts'
import { Role } from '../../machine/program/registers.ts'

/** What needs inspection by itself is not listed. */
const ROLES: Readonly<Record<string, number>> = {
  literal: Role.LITERAL,
  name: Role.NAME,
  startTag: Role.OPEN,
  emptyTag: Role.CLOSE,
  endTag: Role.CLOSE,
  text: Role.TEXT,
  cdata: Role.SECTION,
  comment: Role.PART,
  target: Role.TARGET,
  instruction: Role.INSTRUCTION,
  characterReference: Role.REFERENCE,
}

/** Numbers of the types of records. */
export class PartTypes {
  /** 1 for those that are parts, and 0. */
  readonly isPart: Uint8Array
  readonly startTag: number
  readonly emptyTag: number
  readonly endTag: number
  readonly text: number
  readonly cdata: number
  readonly comment: number
  readonly instruction: number
  readonly target: number
  readonly characterReference: number
  readonly declaration: number
  readonly name: number
  /** What each is when a tape is gone over. */
  readonly roles: Uint8Array

  constructor(types: readonly string[]) {
    const find = (name: string) => types.indexOf(name)
    this.startTag = find('startTag')
    this.emptyTag = find('emptyTag')
    this.endTag = find('endTag')
    this.text = find('text')
    this.cdata = find('cdata')
    this.comment = find('comment')
    this.instruction = find('instruction')
    this.target = find('target')
    this.characterReference = find('characterReference')
    this.declaration = find('declaration')
    this.name = find('name')
    this.roles = Uint8Array.from(types, (name, type) =>
      type === NodeType.HOLE ? Role.HOLE : (ROLES[name] ?? Role.LOOK),
    )
    this.isPart = Uint8Array.from(types, (name, type) =>
      type === NodeType.LITERAL || type === NodeType.HOLE || name === 'name' ? 0 : 1,
    )
  }
}

const known = new WeakMap<Program, PartTypes>()

/** The types of a program. */
export function partTypesOf(program: Program): PartTypes {
  const types = known.get(program) ?? new PartTypes(program.types)
  known.set(program, types)
  return types
}
