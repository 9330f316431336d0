// Where runs of tags begin in a program, and what tags do there: what xml/kernel/runs.ts does instead of the instructions.
//
// It is found by going over a tag as the machine would, and looking at which instructions it comes to. Where they are others than those
// that runs.ts stands for, there are no runs.

import { INSTRUCTIONS, type Instruction, lengthOf } from '../../source/machine/program/instruction-table.ts'
import { Op, type OpName } from '../../source/machine/program/instructions.ts'
import type { Program } from '../../source/machine/program/program.ts'

export interface Runs {
  /** The instruction at which a tag may begin. */
  readonly begin: number
  /** Where the content of an inner element returns to. */
  readonly behind: number
  /** Types of records; `text` is undefined if text is not a part. */
  readonly types: {
    readonly name: number
    readonly start: number
    readonly end: number
    readonly text: number | undefined
  }
}

/** An instruction that was come to, and its operand. */
interface Step {
  readonly pc: number
  readonly name: OpName
  readonly operand: number
}

const TEXT = '(?: UNTIL| CALL BEGIN_PART UNTIL END_PART)'
const START = new RegExp(`^CALL BEGIN_PART BYTE NAME PUSH_SYMBOL END_PART CALL BYTE${TEXT}$`)
const END = new RegExp(`^CALL BEGIN_PART WORD MATCH_SYMBOL SPAN BYTE END_PART RETURN${TEXT}$`)
/** Bytes that begin names in ASCII. */
const BEGINNINGS = [...':ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz']

/** The runs of a program in which the procedure of content begins at `content`; undefined if tags are not parts, or unlike others. */
export function findRuns(program: Program, content: number): Runs | undefined {
  for (let pc = content; pc < program.code.length; pc += lengthOf(Op[operationAt(program, pc)])) {
    const runs = findRunsAt(program, pc, content)
    if (runs) return runs
  }
  return undefined
}

function findRunsAt(program: Program, begin: number, content: number): Runs | undefined {
  const operation = operationAt(program, begin)
  if (operation !== 'TEST' && operation !== 'SWITCH') return undefined
  const [start, ...others] = BEGINNINGS.map((name) => follow(program, begin, `<${name}>\n<`))
  if (!start || !isLike(start, START) || others.some((other) => other?.[0]?.pc !== start[0]?.pc)) return undefined
  const call = start[6] as Step
  if (call.operand !== content) return undefined
  const behind = call.pc + lengthOf(Op.CALL)
  const end = follow(program, begin, '</a>\n<', behind)
  if (!end || !isLike(end, END)) return undefined
  const [afterStart, afterEnd] = [start[8 + 3], end[8 + 3]]
  if (afterStart?.operand !== afterEnd?.operand) return undefined
  const types = { name: typeOf(start[4]), start: typeOf(start[5]), end: typeOf(end[6]), text: afterStart?.operand }
  return { begin, behind, types }
}

function isLike(steps: readonly Step[], pattern: RegExp): boolean {
  return pattern.test(steps.map(({ name }) => name).join(' '))
}

function typeOf(step: Step | undefined): number {
  return (step as Step).operand
}

/**
 * The instructions, besides those that only decide, which the machine comes to with these bytes until it is back at the first one;
 * undefined where it does not come back, or something else is in the way. `returnsTo`: where the procedure returns to that it begins in.
 */
function follow(program: Program, begin: number, text: string, returnsTo?: number): Step[] | undefined {
  const returns = returnsTo === undefined ? [] : [returnsTo]
  const steps: Step[] = []
  let at = 0
  let pc = begin
  do {
    const name = operationAt(program, pc)
    const operand = wordAt(program, pc) >>> 8
    if (name === 'TEST' || name === 'SWITCH' || name === 'JUMP') {
      const target = name === 'JUMP' ? operand : decide(program, pc, text.slice(at))
      if (target === undefined) return undefined
      pc = target
      continue
    }
    steps.push({ pc, name, operand })
    pc += lengthOf(Op[name])
    switch (name) {
      case 'BYTE':
      case 'NAME':
      case 'MATCH_SYMBOL':
        at++
        break
      case 'WORD':
        at += operand
        break
      case 'SPAN':
        if (wordAt(program, pc - 1) !== 0) return undefined
        break
      case 'UNTIL':
        at = text.indexOf('<', at)
        break
      case 'CALL':
        returns.push(pc)
        pc = operand
        break
      case 'RETURN':
      case 'END_PART': {
        const back = returns.pop()
        if (back === undefined) return undefined
        pc = back
        break
      }
      case 'BEGIN_PART':
      case 'PUSH_SYMBOL':
        break
      default:
        return undefined
    }
  } while (pc !== begin && steps.length < 20)
  return at === text.length - 1 ? steps : undefined
}

/** Where a TEST or SWITCH leads to; undefined where it looks after the text. */
function decide(program: Program, pc: number, text: string): number | undefined {
  const { data } = program
  const isTest = operationAt(program, pc) === 'TEST'
  const depth = isTest ? wordAt(program, pc + 1) : wordAt(program, pc) >>> 8
  if (depth >= text.length) return undefined
  const byte = text.charCodeAt(depth)
  if (isTest) return data[wordAt(program, pc + 2) + byte] === 0 ? wordAt(program, pc) >>> 8 : pc + lengthOf(Op.TEST)
  const table = wordAt(program, pc + 1)
  const way = data[table + byte] as number
  return new DataView(data.buffer, data.byteOffset).getUint32(table + 256 + 4 * way, true)
}

function operationAt(program: Program, pc: number): OpName {
  return (INSTRUCTIONS[wordAt(program, pc) & 255] as Instruction).name
}

function wordAt(program: Program, pc: number): number {
  return program.code[pc] as number
}
