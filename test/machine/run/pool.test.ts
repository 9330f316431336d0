import { expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import { acquireMachine, releaseMachine } from '../../../source/machine/run/pool.ts'
import { getProgram } from '../../../source/xml/language/programs.ts'

const program = getProgram('document')

test('a machine that was given back is used again', () => {
  const machine = acquireMachine(program)
  releaseMachine(machine)
  const again = acquireMachine(program)
  expect(again).toBe(machine)
  releaseMachine(again)
})

test('who asks for no engine gets the kernel, also when a machine without one waits', () => {
  const plain = acquireMachine(program, 'plain')
  expect(plain.engine.name).toBe('plain')
  releaseMachine(plain)
  const machine = acquireMachine(program)
  expect(machine.engine.name).toBe('wasm')
  releaseMachine(machine)
  const again = acquireMachine(program, 'plain')
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
    const machine = acquireMachine(one)
    releaseMachine(machine)
    return machine.engine.kernel
  })
  expect(kernels).toEqual([program.kernel, getProgram('check').kernel, undefined, undefined])
  expect(program.kernel).toBeDefined()
  expect(program.kernel).not.toBe(getProgram('check').kernel)
})
