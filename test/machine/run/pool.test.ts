import { expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import { GENERAL_KERNEL } from '../../../source/machine/program/general-kernel.ts'
import type { Program } from '../../../source/machine/program/program.ts'
import type { EngineName } from '../../../source/machine/run/engine.ts'
import { acquireMachine, releaseMachine } from '../../../source/machine/run/pool.ts'
import { getProgram } from '../../support/programs.ts'

const program = getProgram('document')
const acquire = (one: Program, engine?: EngineName) => acquireMachine(one, engine)

test('a machine that was given back is used again', () => {
  const machine = acquire(program)
  releaseMachine(machine)
  const again = acquire(program)
  expect(again).toBe(machine)
  releaseMachine(again)
})

test('who asks for no engine gets the kernel, also when a machine without one waits', () => {
  const plain = acquire(program, 'plain')
  expect(plain.engine.name).toBe('plain')
  releaseMachine(plain)
  const machine = acquire(program)
  expect(machine.engine.name).toBe('wasm')
  releaseMachine(machine)
  const again = acquire(program, 'plain')
  expect(again).toBe(plain)
  releaseMachine(again)
})

test('a kernel in which a program is compiled runs that program and no other', () => {
  const grammar = Grammar.from('program ::= "a" ;').compile({
    entry: 'program',
    parts: new Set(),
    nested: 'outermost',
    isPartial: false,
  })
  const kernels = [program, getProgram('check'), getProgram('fragment'), grammar.program].map((one) => {
    const machine = acquire(one)
    releaseMachine(machine)
    return machine.engine.kernel
  })
  expect(kernels).toEqual([program.kernel, getProgram('check').kernel, GENERAL_KERNEL, GENERAL_KERNEL])
  expect(program.kernel).not.toBe(GENERAL_KERNEL)
  expect(program.kernel).not.toBe(getProgram('check').kernel)
})
