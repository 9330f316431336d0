// Machines whose memory passes 2 GiB: addresses are unsigned numbers of 32 bits. Memory that nothing is written to takes no room, so the
// regions are moved up there, and nothing large is read.

import { describe, expect, test } from 'vitest'
import { Grammar } from '../../source/grammar/index.ts'
import { GENERAL_KERNEL } from '../../source/machine/program/general-kernel.ts'
import type { Program } from '../../source/machine/program/program.ts'
import { Role } from '../../source/machine/program/registers.ts'
import type { Engine } from '../../source/machine/run/engine.ts'
import { makeKernelEngine } from '../../source/machine/run/kernel-engine.ts'
import { DEFAULT_LIMITS } from '../../source/machine/run/limits.ts'
import { Machine } from '../../source/machine/run/machine.ts'
import { PlainEngine } from '../../source/machine/run/plain-engine.ts'
import { partTypesOf } from '../../source/xml/tape/part-types.ts'
import { XmlTape } from '../../source/xml/tape/xml-tape.ts'
import { isThorough, sample } from '../support/extent.ts'
import { cutsOf, makeEngines, runProgram } from '../support/machine.ts'
import { getProgram, kernels } from '../support/programs.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** A machine for the program, all of whose regions lie above 2 GiB. */
function raise(engine: Engine, program: Program): Machine {
  const machine = new Machine(engine)
  machine.begin(program, DEFAULT_LIMITS)
  machine.memory.enlarge('runs', 2 ** 31)
  expect(machine.memory.address('stack')).toBeGreaterThan(2 ** 31)
  return machine
}

describe('above 2 GiB', () => {
  test.runIf(isThorough)('a grammar matches and refuses what it does below', () => {
    const grammar = Grammar.from(
      'program ::= ( &"a" word %"," | other %";" )* ; word ::= [a-zé木]+ ; other ::= "🌳" | [b]{2,3} ;',
      {
        dialect: 'xylem',
      },
    )
    const purpose = {
      entry: 'program',
      parts: new Set(['word', 'other']),
      nested: 'outermost',
      isPartial: false,
    } as const
    const { program } = grammar.compile(purpose)
    for (const engine of makeEngines()) {
      const high = raise(engine, program)
      const low = new Machine(engine.name === 'wasm' ? (makeKernelEngine(GENERAL_KERNEL) as Engine) : new PlainEngine())
      for (const input of sample(['aé木,🌳;bbb;', '', 'a木?', 'bb', `${'a'.repeat(300)}é,bb;`], 3)) {
        for (const pieces of cutsOf(encode(input))) {
          expect(runProgram(high, program, pieces), input).toEqual(runProgram(low, program, pieces))
        }
      }
      const malformed = [encode('aé,'), Uint8Array.of(0x61, 0xff)]
      expect(runProgram(high, program, malformed)).toMatchObject({ outcome: 'malformed', malformedAt: 5 })
    }
  })

  test.runIf(isThorough).each(['check', 'document'] as const)(
    'XML is read as it is below, by the program %s',
    (name) => {
      const program = getProgram(name)
      const document = encode('<r a="&lt;é">\n  <a>木 &amp; 🌳</a>\n  <a/><!-- c --><b>&#65;]] x</b>\n</r>')
      const engines = [
        makeKernelEngine(kernels[name].required),
        makeKernelEngine(GENERAL_KERNEL),
        new PlainEngine(),
      ] as Engine[]
      for (const engine of sample(engines, 2)) {
        const high = raise(engine, program)
        for (const pieces of [[document], [encode('<r>é</q>')], [Uint8Array.of(...encode('<r>'), 1)]]) {
          const low = new Machine(new PlainEngine())
          expect(runProgram(high, program, pieces)).toEqual(runProgram(low, program, pieces))
        }
      }
    },
  )

  test.runIf(isThorough)('the host skips the records that it skips below', () => {
    const program = getProgram('check')
    const high = raise(makeKernelEngine(GENERAL_KERNEL) as Engine, program)
    high.append(encode('<r><a/></r>'))
    high.finish()
    expect(high.run()).toBe('done')
    const view = high.readTape()
    const count = (view?.words.length ?? 0) / 4
    const tape = new XmlTape(high, { ...partTypesOf(program), roles: new Uint8Array(256).fill(Role.PART) })
    expect(tape.skim(0, count, 0, 0)).toBe(count)
  })
})
