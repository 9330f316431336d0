// Each instruction, on both engines, complete, byte by byte and at every cut.

import { describe, expect, test } from 'vitest'
import { Assembler, Label } from '../../../source/machine/program/assembler.ts'
import { ByteSet } from '../../../source/machine/program/byte-set.ts'
import { CodePointSet } from '../../../source/machine/program/code-point-set.ts'
import { INSTRUCTIONS } from '../../../source/machine/program/instruction-table.ts'
import { Op, type OpName } from '../../../source/machine/program/instructions.ts'
import type { Program } from '../../../source/machine/program/program.ts'
import { EntryFlag, REWIND_COST } from '../../../source/machine/program/registers.ts'
import { Machine } from '../../../source/machine/run/machine.ts'
import { LimitError } from '../../../source/stream/errors.ts'
import { cutsOf, makeEngines, type Run, runProgram } from '../../support/machine.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const machines = makeEngines().map((engine) => new Machine(engine))
const digits = CodePointSet.of([[48, 57]])
const greek = CodePointSet.of([[0x391, 0x3c9]])
const mixed = CodePointSet.of([
  [48, 57],
  [0x391, 0x3a9],
  [0x1f333, 0x1f333],
])
const tested = new Set<OpName>()

/** A program of one procedure, whose node `part` is delivered. Its body is what `write` puts down. */
function assemble(write: (code: Assembler) => void): Program {
  const code = new Assembler()
  const emit = code.emit.bind(code)
  code.emit = (name, ...rest) => {
    tested.add(name)
    emit(name, ...rest)
  }
  const body = new Label()
  code.emit('CALL', [body])
  code.emit('DONE')
  code.place(body)
  code.emit('BEGIN_PART')
  write(code)
  code.emit('END_PART', [code.type('part')])
  return code.finish()
}

/** The run of a program, which is the same on both engines and for all cuts, with the same retained input at each stop. */
function run(program: Program, input: string): Run {
  const runs = [...cutsOf(encode(input))].map((pieces) => {
    const [one, other] = machines.map((machine) => {
      const retained: number[] = []
      const result = runProgram(machine, program, pieces, { watch: () => retained.push(machine.retainedFrom) })
      return { ...result, retained }
    })
    expect(one).toEqual(other)
    const { retained: _, ...rest } = one as Run & { retained: number[] }
    return rest
  })
  for (const other of runs) expect(other).toEqual(runs[0])
  return runs[0] as Run
}

/** Where a terminal ends that stands alone; undefined where it fails. */
function endOf(write: (code: Assembler) => void, input: string): number | undefined {
  const { outcome, position } = run(assemble(write), input)
  return outcome === 'done' ? position : undefined
}

describe('terminals', () => {
  test('BYTE matches its byte only', () => {
    const byte = (code: Assembler) => code.emit('BYTE', [97])
    expect(endOf(byte, 'ab')).toBe(1)
    expect(endOf(byte, 'ba')).toBeUndefined()
    expect(endOf(byte, '')).toBeUndefined()
  })

  test('WORD matches two to four bytes, and fails as soon as one differs', () => {
    const word = (code: Assembler) => code.emit('WORD', [3, 0x636261, 0xffffff])
    expect(endOf(word, 'abcd')).toBe(3)
    expect(endOf(word, 'abd')).toBeUndefined()
    expect(endOf(word, 'ab')).toBeUndefined()
  })

  test('LITERAL matches bytes of any number', () => {
    const literal = (code: Assembler) => code.emit('LITERAL', [code.literal(encode('größer')), 8])
    expect(endOf(literal, 'größer!')).toBe(8)
    expect(endOf(literal, 'größe')).toBeUndefined()
  })

  test('FOLD takes capitals of ASCII for small letters, and nothing else', () => {
    const fold = (code: Assembler) => code.emit('FOLD', [code.literal(encode('ab[é')), 5])
    expect(endOf(fold, 'aB[é')).toBe(5)
    expect(endOf(fold, 'ab{é')).toBeUndefined()
    expect(endOf(fold, 'AB[É')).toBeUndefined()
  })

  test('CLASS matches one code point, of any length', () => {
    const one = (set: CodePointSet) => (code: Assembler) => code.emit('CLASS', [code.class(set)])
    expect(endOf(one(digits), '7')).toBe(1)
    expect(endOf(one(digits), 'é')).toBeUndefined()
    expect(endOf(one(greek), 'Ω')).toBe(2)
    expect(endOf(one(mixed), '🌳🌳')).toBe(4)
    expect(endOf(one(mixed), '🌴')).toBeUndefined()
    expect(endOf(one(mixed.complement()), '🌴')).toBe(4)
    expect(endOf(one(digits), '')).toBeUndefined()
  })

  test('SPAN takes as many as there are, more than a block of SIMD at once', () => {
    const span = (set: CodePointSet, min: number) => (code: Assembler) => code.emit('SPAN', [code.class(set), min])
    expect(endOf(span(digits, 0), 'x')).toBe(0)
    expect(endOf(span(digits, 1), 'x')).toBeUndefined()
    expect(endOf(span(digits, 1), `${'1234567890'.repeat(4)}x`)).toBe(40)
    expect(endOf(span(mixed, 1), '1Ω🌳2ω')).toBe(8)
    expect(endOf(span(digits.complement(), 1), `${'é木🌳 '.repeat(6)}1`)).toBe(60)
    expect(endOf(span(CodePointSet.ALL, 0), 'é木')).toBe(5)
  })

  test('SPAN_COUNTED stops at its most, and fails below its least', () => {
    const span = (code: Assembler) => code.emit('SPAN_COUNTED', [code.class(mixed), 2, 3])
    expect(endOf(span, '1Ω2Ω')).toBe(4)
    expect(endOf(span, '1Ωx')).toBe(3)
    expect(endOf(span, '1x')).toBeUndefined()
    expect(endOf(span, '1')).toBeUndefined()
  })

  test('UNTIL stops before the first of its literals, or at the end', () => {
    const until = (min: number) => (code: Assembler) => {
      const literals = ['-->', '-]', '…'].map(encode)
      const others = CodePointSet.beginningWith(ByteSet.of(0x2d, 0xe2)).complement()
      code.emit('UNTIL', [code.class(others), code.literals(literals), min])
    }
    expect(endOf(until(0), 'a--b-->')).toBe(4)
    expect(endOf(until(0), 'a€-]')).toBe(4)
    expect(endOf(until(0), 'é„…')).toBe(5)
    expect(endOf(until(0), 'a--')).toBe(3)
    expect(endOf(until(1), '-->')).toBeUndefined()
    expect(endOf(until(1), '')).toBeUndefined()
  })

  test('END_OF_INPUT waits to know', () => {
    const end = (code: Assembler) => code.emit('END_OF_INPUT')
    expect(endOf(end, '')).toBe(0)
    expect(endOf(end, 'a')).toBeUndefined()
  })
})

describe('branches', () => {
  /** Matches `a` or `b` where the branch went one way or the other. */
  function wayOf(branch: (code: Assembler, other: Label) => void, input: string): string {
    const program = assemble((code) => {
      const other = new Label()
      const done = new Label()
      branch(code, other)
      code.emit('SIGNAL', [1, code.literals([])])
      code.emit('JUMP', [done])
      code.place(other)
      code.emit('SIGNAL', [2, code.literals([])])
      code.place(done)
    })
    return run(program, input).signals.join() === '1' ? 'through' : 'away'
  }

  test('TEST looks at one byte on, and takes the end of the input for another byte', () => {
    const branch = (code: Assembler, other: Label) => code.emit('TEST', [other, 2, code.set(ByteSet.of(120))])
    expect(wayOf(branch, 'abx')).toBe('through')
    expect(wayOf(branch, 'aby')).toBe('away')
    expect(wayOf(branch, 'ab')).toBe('away')
  })

  test('TEST_WORD looks at up to four bytes', () => {
    const branch = (code: Assembler, other: Label) => code.emit('TEST_WORD', [other, 0x64636261, 0xffffffff])
    expect(wayOf(branch, 'abcd')).toBe('through')
    expect(wayOf(branch, 'abce')).toBe('away')
    expect(wayOf(branch, 'abc')).toBe('away')
  })

  test('SWITCH goes where its table says', () => {
    const branch = (code: Assembler, other: Label) => {
      const through = new Label()
      const ways = Array.from({ length: 256 }, (_, byte) => (byte === 120 ? through : other))
      code.emit('SWITCH', [1, code.table(ways, other)])
      code.place(through)
    }
    expect(wayOf(branch, 'ax')).toBe('through')
    expect(wayOf(branch, 'ay')).toBe('away')
    expect(wayOf(branch, 'a')).toBe('away')
  })

  test('LISTED matches the literal that is next, or goes elsewhere', () => {
    const branch = (code: Assembler, other: Label) => {
      code.emit('LISTED', [other, code.literals(['&lt;', '&quot;'].map((text) => new TextEncoder().encode(text)))])
    }
    expect(wayOf(branch, '&lt;')).toBe('through')
    expect(wayOf(branch, '&quot;')).toBe('through')
    expect(wayOf(branch, '&quox;')).toBe('away')
    expect(wayOf(branch, '&quot')).toBe('away')
    expect(wayOf(branch, '')).toBe('away')
  })

  test('FAIL fails', () => {
    expect(endOf((code) => code.emit('FAIL'), 'a')).toBeUndefined()
  })
})

describe('rewinding', () => {
  test('an empty node inside an option that fails is not in the tree', () => {
    const program = assemble((code) => {
      const other = new Label()
      const done = new Label()
      code.emit('CHOICE', [other])
      code.emit('OPEN', [0])
      code.emit('CLOSE', [code.type('empty')])
      code.emit('BYTE', [97])
      code.emit('COMMIT', [done])
      code.place(other)
      code.emit('BYTE', [98])
      code.emit('LEAF', [0])
      code.place(done)
    })
    expect(run(program, 'b').parts).toEqual([['part', 0, 1, ['literal', 0, 1]]])
    expect(run(program, 'a').parts).toEqual([['part', 0, 1, ['empty', 0, 0]]])
  })

  test('PARTIAL_COMMIT continues from where it is', () => {
    const program = assemble((code) => {
      const again = new Label()
      const done = new Label()
      code.emit('CHOICE', [done])
      code.place(again)
      code.emit('BYTE', [97])
      code.emit('LEAF', [0])
      code.emit('BYTE', [98])
      code.emit('PARTIAL_COMMIT', [again])
      code.place(done)
    })
    expect(run(program, 'ababac')).toMatchObject({ outcome: 'done', position: 4 })
    expect(run(program, 'ababac').parts).toEqual([['part', 0, 4, ['literal', 0, 1], ['literal', 2, 3]]])
  })

  /** `x` after a look-ahead at what `write` puts down. */
  const look = (isNegative: boolean) => (code: Assembler) => {
    const failed = new Label()
    const done = new Label()
    code.emit('LOOK', [isNegative ? done : failed])
    code.emit('WORD', [2, 0x6261, 0xffff])
    code.emit('BACK_COMMIT', [isNegative ? failed : done])
    code.place(failed)
    code.emit('FAIL')
    code.place(done)
    code.emit('CLASS', [code.class(CodePointSet.ALL)])
  }

  test('LOOK and BACK_COMMIT look over the end of a chunk and consume nothing', () => {
    expect(endOf(look(false), 'ab')).toBe(1)
    expect(endOf(look(false), 'ac')).toBeUndefined()
    expect(endOf(look(true), 'ac')).toBe(1)
    expect(endOf(look(true), 'ab')).toBeUndefined()
    expect(run(assemble(look(false)), 'ac').farthest).toBe(0)
  })

  const thrown = (isInLook: boolean) => (code: Assembler) => {
    const done = new Label()
    code.emit(isInLook ? 'LOOK' : 'CHOICE', [done])
    code.emit('THROW', [code.label('that is wrong')])
    code.place(done)
  }

  test('THROW ends the parse with its label, unless a look-ahead is open', () => {
    expect(run(assemble(thrown(false)), 'a')).toMatchObject({ outcome: 'label', label: 'that is wrong', position: 0 })
    expect(run(assemble(thrown(true)), 'a')).toMatchObject({ outcome: 'done', position: 0 })
  })

  const cut = (isCut: boolean) => (code: Assembler) => {
    const other = new Label()
    const done = new Label()
    code.emit('CHOICE', [other])
    code.emit('BYTE', [97])
    if (isCut) code.emit('CUT')
    code.emit('BYTE', [98])
    code.emit('COMMIT', [done])
    code.place(other)
    code.emit('WORD', [2, 0x6361, 0xffff])
    code.place(done)
  }

  test('CUT spends the rewind entries of the call', () => {
    expect(endOf(cut(false), 'ac')).toBe(2)
    expect(endOf(cut(true), 'ac')).toBeUndefined()
    expect(endOf(cut(true), 'ab')).toBe(2)
  })
})

describe('calls and nodes', () => {
  test('CALL, RETURN and RETURN_NODE nest', () => {
    const program = assemble((code) => {
      const rule = new Label()
      const silent = new Label()
      const done = new Label()
      code.emit('CALL', [rule])
      code.emit('CALL', [silent])
      code.emit('JUMP', [done])
      code.place(rule)
      code.emit('BYTE', [97])
      code.emit('LEAF', [0])
      code.emit('RETURN_NODE', [code.type('rule')])
      code.place(silent)
      code.emit('BYTE', [98])
      code.emit('RETURN')
      code.place(done)
    })
    expect(run(program, 'ab').parts).toEqual([['part', 0, 2, ['rule', 0, 1, ['literal', 0, 1]]]])
  })

  test('TICK pays for what reads nothing', () => {
    const limits = { maxRewound: 0, freeRewound: 10 * REWIND_COST }
    for (const machine of machines) {
      const tick = (count: number) => {
        const program = assemble((code) => {
          for (let i = 0; i < count; i++) code.emit('TICK')
        })
        return runProgram(machine, program, [], { limits }).outcome
      }
      expect(tick(10)).toBe('done')
      expect(() => tick(11)).toThrow(LimitError)
    }
  })

  test('COUNT, STEP and DROP count rounds', () => {
    const rounds = (code: Assembler) => {
      const required = new Label()
      const step = new Label()
      const count = new Label()
      const done = new Label()
      code.emit('OPEN', [EntryFlag.ROUNDS])
      code.emit('JUMP', [count])
      code.place(required)
      code.emit('BYTE', [97])
      code.place(step)
      code.emit('STEP')
      code.place(count)
      code.emit('COUNT', [required, 2, 3, done])
      code.emit('CHOICE', [done])
      code.emit('BYTE', [97])
      code.emit('COMMIT', [step])
      code.place(done)
      code.emit('DROP')
    }
    expect(endOf(rounds, 'a')).toBeUndefined()
    expect(endOf(rounds, 'aab')).toBe(2)
    expect(endOf(rounds, 'aaaa')).toBe(3)
  })
})

describe('symbols', () => {
  const letters = CodePointSet.of([[97, 122]])
  const letter = (code: Assembler) => code.class(letters)
  const name = (code: Assembler) => code.emit('NAME', [letter(code), letter(code)])
  const push = (code: Assembler) => {
    name(code)
    code.emit('PUSH_SYMBOL', [code.type('name')])
  }
  const unique = (code: Assembler) => {
    name(code)
    code.emit('UNIQUE', [code.type('name')])
  }

  test('NAME matches one code point of a class and what there is of another', () => {
    const rest = CodePointSet.of([
      [48, 57],
      [0xe9, 0xe9],
      [0x6728, 0x6728],
    ])
    const both = (code: Assembler) => code.emit('NAME', [letter(code), code.class(rest)])
    expect(endOf(both, 'a1é木2b')).toBe(8)
    expect(endOf(both, 'ab')).toBe(1)
    expect(endOf(both, '1a')).toBeUndefined()
    expect(endOf(both, '')).toBeUndefined()
    expect(endOf(both, `a${'1'.repeat(100)}`)).toBe(101)
  })

  const tags = (code: Assembler) => {
    push(code)
    code.emit('BYTE', [47])
    code.emit('MATCH_SYMBOL', [letter(code)])
  }

  test('MATCH_SYMBOL matches the name that was pushed, and pops it', () => {
    expect(endOf(tags, 'abc/abc')).toBe(7)
    expect(endOf(tags, 'abc/abd')).toBeUndefined()
    expect(endOf(tags, 'abc/ab')).toBeUndefined()
    expect(endOf(tags, 'abc/abcd')).toBeUndefined()
    expect(endOf(tags, 'abc/abc1')).toBe(7)
    expect(endOf(tags, 'abcdefghijklmno/abcdefghijklmno')).toBe(31)
    expect(endOf(tags, 'abcdefghijklmno/abcdefghijklmnp')).toBeUndefined()
    expect(endOf((code) => code.emit('MATCH_SYMBOL', [letter(code)]), '')).toBeUndefined()
    const twice = (code: Assembler) => {
      tags(code)
      code.emit('MATCH_SYMBOL', [letter(code)])
    }
    expect(endOf(twice, 'a/a')).toBeUndefined()
  })

  test('POP_SYMBOL pops without matching', () => {
    const program = (code: Assembler) => {
      push(code)
      code.emit('BYTE', [47])
      push(code)
      code.emit('POP_SYMBOL')
      code.emit('BYTE', [47])
      code.emit('MATCH_SYMBOL', [letter(code)])
    }
    expect(endOf(program, 'a/b/a')).toBe(5)
    expect(endOf(program, 'a/b/b')).toBeUndefined()
    expect(endOf((code) => code.emit('POP_SYMBOL'), '')).toBeUndefined()
  })

  const two = (code: Assembler) => {
    code.emit('SCOPE')
    unique(code)
    code.emit('BYTE', [44])
    unique(code)
  }

  test('UNIQUE fails for a name that was seen in its scope', () => {
    expect(endOf(two, 'a,b')).toBe(3)
    expect(endOf(two, 'a,a')).toBeUndefined()
  })

  test('SIGNAL stops for names that are not listed', () => {
    const code = new Assembler()
    const signal = new Label()
    code.emit('CALL', [signal])
    code.emit('DONE')
    code.place(signal)
    name(code)
    code.emit('SIGNAL', [7, code.literals([encode('ab'), encode('abcdefghi')])])
    code.emit('RETURN')
    const program = code.finish()
    expect(run(program, 'ab').signals).toEqual([])
    expect(run(program, 'abcdefghi').signals).toEqual([])
    expect(run(program, 'a').signals).toEqual([7])
    expect(run(program, 'abcdefghj').signals).toEqual([7])
  })

  test('a rewind undoes each of them', () => {
    // An option changes everything and fails; then what was before must be there again.
    const program = assemble((code) => {
      const other = new Label()
      code.emit('SCOPE')
      push(code)
      code.emit('BYTE', [44])
      unique(code)
      code.emit('BYTE', [47])
      code.emit('CHOICE', [other])
      code.emit('MATCH_SYMBOL', [letter(code)])
      code.emit('SCOPE')
      code.emit('BYTE', [44])
      unique(code)
      push(code)
      code.emit('FAIL')
      code.place(other)
      code.emit('MATCH_SYMBOL', [letter(code)]) // the name before the option, which is on top again
      code.emit('BYTE', [44])
      unique(code) // of the scope before the option
    })
    expect(run(program, 'ab,cd/ab,ef')).toMatchObject({ outcome: 'done', position: 11 })
    expect(run(program, 'ab,cd/ab,cd')).toMatchObject({ outcome: 'failed' })
    expect(run(program, 'ab,cd/cd,ef')).toMatchObject({ outcome: 'failed' })
  })
})

test('all of them are tested', () => {
  const names = INSTRUCTIONS.map(({ name }) => name)
  expect(names.filter((name) => !tested.has(name))).toEqual([])
})

test('each stands in the table at its code', () => {
  expect(INSTRUCTIONS.map(({ name }) => Op[name])).toEqual(INSTRUCTIONS.map((_, code) => code))
})
