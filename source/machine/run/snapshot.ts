// The state of a machine, to which it may be put back.

import { Register } from '../program/registers.ts'
import type { MachineMemory } from './memory.ts'

/** Registers that say where the machine is, and that a checkpoint keeps. */
export const STATE_REGISTERS = Register.BUDGET_HIGH + 1

/** Its registers, its stack, and the end of its tape that may yet be undone. */
export interface Snapshot {
  readonly registers: Uint32Array
  readonly tapeStart: number
  readonly stack: Uint8Array
  readonly tape: Uint8Array
}

/** No parts are to be taken between this and `restoreSnapshot`; why the parse failed may be explained. */
export function takeSnapshot(memory: MachineMemory): Snapshot {
  const { bytes } = memory
  const stack = memory.get(Register.STACK)
  const oldest = memory.get(Register.OLDEST)
  const tapeStart = memory.get(Register.TAPE_START)
  const tapeEnd = memory.get(Register.TAPE_END)
  // The third word of an entry is where the tape ended when it was pushed.
  const certain = oldest === 0 ? tapeEnd : (memory.words[((stack + oldest) >>> 2) + 2] as number)
  const [from, to] = [certain, tapeEnd].map(
    (offset) => memory.get(Register.TAPE) + Math.max(0, (offset - tapeStart) | 0),
  )
  return {
    registers: Uint32Array.from({ length: STATE_REGISTERS }, (_, register) => memory.get(register)),
    tapeStart,
    stack: bytes.slice(stack, stack + memory.get(Register.STACK_TOP)),
    tape: bytes.slice(from, to),
  }
}

export function restoreSnapshot(memory: MachineMemory, { registers, tapeStart, stack, tape }: Snapshot): void {
  registers.forEach((value, register) => {
    memory.set(register, value)
  })
  memory.set(Register.TAPE_START, tapeStart)
  memory.bytes.set(stack, memory.get(Register.STACK))
  const tapeEnd = memory.get(Register.TAPE) + ((memory.get(Register.TAPE_END) - tapeStart) | 0)
  memory.bytes.set(tape, tapeEnd - tape.length)
}
