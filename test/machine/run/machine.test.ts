// The driver: parts, what is retained, limits, text that is none, offsets of any size, memory that grows.

import { describe, expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/grammar.ts'
import { explainFailure } from '../../../source/machine/failure/failure.ts'
import { Assembler, Label } from '../../../source/machine/program/assembler.ts'
import { ByteSet } from '../../../source/machine/program/byte-set.ts'
import { CodePointSet } from '../../../source/machine/program/code-point-set.ts'
import type { Program } from '../../../source/machine/program/program.ts'
import { Register } from '../../../source/machine/program/registers.ts'
import { DEFAULT_LIMITS } from '../../../source/machine/run/limits.ts'
import { Machine } from '../../../source/machine/run/machine.ts'
import { takeParts } from '../../../source/machine/tree/tape.ts'
import { TextPosition } from '../../../source/machine/tree/text-position.ts'
import { isThorough } from '../../support/extent.ts'
import { cutsOf, makeEngines, runOn, runProgram, shapeOf } from '../../support/machine.ts'
import { getProgram } from '../../support/programs.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const engines = () => makeEngines().map((engine) => new Machine(engine))
const letters = CodePointSet.of([[97, 122]])

/** `( word "," )*`, whose words are delivered; with a rewind entry around all of it, each word is held until the end. */
function makeWords(isHeld: boolean): Program {
  const code = new Assembler()
  const list = new Label()
  const word = new Label()
  const loop = new Label()
  const done = new Label()
  const held = new Label()
  code.emit('CALL', [list])
  code.emit('END_OF_INPUT')
  code.emit('DONE')
  code.place(list)
  if (isHeld) code.emit('CHOICE', [held])
  code.place(loop)
  code.emit('TEST', [done, 0, code.set(letters.firstBytes)])
  code.emit('CALL', [word])
  code.emit('BYTE', [44])
  code.emit('JUMP', [loop])
  code.place(done)
  if (isHeld) code.emit('BYTE', [46])
  if (isHeld) code.emit('COMMIT', [held])
  code.place(held)
  code.emit('RETURN')
  code.place(word)
  code.emit('BEGIN_PART')
  code.emit('SPAN', [code.class(letters), 1])
  code.emit('LEAF', [0])
  code.emit('END_PART', [code.type('word')])
  return code.finish()
}

/** `"(" list* ")"`, as parts that may be nested: only the innermost are delivered. */
function makeNested(): Program {
  const code = new Assembler()
  const list = new Label()
  const loop = new Label()
  const done = new Label()
  code.emit('CALL', [list])
  code.emit('DONE')
  code.place(list)
  code.emit('BEGIN_PART')
  code.emit('BYTE', [40])
  code.emit('LEAF', [0])
  code.place(loop)
  code.emit('TEST', [done, 0, code.set(ByteSet.of(40))])
  code.emit('CALL', [list])
  code.emit('JUMP', [loop])
  code.place(done)
  code.emit('BYTE', [41])
  code.emit('LEAF', [0])
  code.emit('END_PART', [code.type('list')])
  return code.finish()
}

describe('parts', () => {
  test('are certain at once when nothing can undo them', () => {
    for (const machine of engines()) {
      machine.begin(makeWords(false), DEFAULT_LIMITS)
      machine.append(encode('ab,cd'))
      expect(runOn(machine)).toBe('input')
      const [taken] = takeParts(machine)
      expect(taken?.roots.map((root) => shapeOf(makeWords(false), taken, root))).toEqual([
        ['word', 0, 2, ['literal', 0, 2]],
      ])
      expect(takeParts(machine)).toEqual([])
    }
  })

  test('wait while a rewind entry before them is open, and are gone when it is used', () => {
    const program = makeWords(true)
    for (const machine of engines()) {
      machine.begin(program, DEFAULT_LIMITS)
      machine.append(encode('ab,cd,'))
      runOn(machine)
      expect(takeParts(machine)).toEqual([])
      expect(machine.retainedFrom).toBe(0)
      expect(runProgram(machine, program, [encode('ab,cd,.')]).parts).toHaveLength(2)
      expect(runProgram(machine, program, [encode('ab,cd,!')])).toMatchObject({ outcome: 'failed', parts: [] })
    }
  })

  test('that hold others are not yielded where the innermost are wanted', () => {
    const program = makeNested()
    const leaf = (start: number) => [
      'list',
      start,
      start + 2,
      ['literal', start, start + 1],
      ['literal', start + 1, start + 2],
    ]
    for (const machine of engines()) {
      for (const pieces of cutsOf(encode('(()(()()))'))) {
        expect(runProgram(machine, program, pieces).parts).toEqual([leaf(1), leaf(4), leaf(6)])
      }
    }
  })

  test.runIf(isThorough)('that were taken do not come into it when a failure is explained', () => {
    for (const machine of engines()) {
      const words = encode('abc,'.repeat(900))
      const pieces = Array.from({ length: 20 }, (_, i) => words.subarray(i * 180, (i + 1) * 180))
      const { outcome, parts } = runProgram(machine, makeWords(false), [...pieces, encode('abc!')])
      expect({ outcome, parts: parts.length }).toEqual({ outcome: 'failed', parts: 901 })
      const { memory } = machine
      const before = memory.address('tape')
      // The stack itself is filled once more.
      const kept = memory.bytes.slice(memory.address('saves'), before)
      expect(explainFailure(machine, outcome).message).toMatch('found "!" (line 1, column 3604, byte 3603)')
      // Running again writes after what was recorded, never before it, where other things are.
      expect(memory.bytes.slice(memory.address('saves'), before)).toEqual(kept)
    }
  })

  test('that were taken stay as they are while memory grows', () => {
    const program = makeWords(false)
    for (const machine of engines()) {
      machine.begin(program, DEFAULT_LIMITS)
      machine.append(encode('first,'))
      runOn(machine)
      const [first] = takeParts(machine)
      const before = JSON.stringify([first?.records, first?.bytes])
      const long = encode(`${'x'.repeat(300_000)},`)
      for (let fed = 0; fed < long.length; runOn(machine)) fed += machine.append(long.subarray(fed))
      expect(takeParts(machine)).toHaveLength(1)
      expect(JSON.stringify([first?.records, first?.bytes])).toBe(before)
    }
  })

  test.runIf(isThorough)('may be of a hundred megabytes', () => {
    const machine = engines()[0] as Machine
    machine.begin(makeWords(false), DEFAULT_LIMITS)
    const chunk = new Uint8Array(1024 * 1024).fill(97)
    for (let i = 0; i < 100; i++) {
      for (let fed = 0; fed < chunk.length; ) {
        fed += machine.append(chunk.subarray(fed))
        expect(runOn(machine)).toBe('input')
      }
    }
    machine.append(encode(','))
    runOn(machine)
    const [taken] = takeParts(machine)
    expect(taken?.bytes.length).toBe(100 * 1024 * 1024)
  })
})

describe('text', () => {
  const program = makeWords(false)

  test('that is malformed is an error only when it is needed', () => {
    const input = new Uint8Array(2000).fill(97)
    input[10] = 33
    input[1000] = 0xff
    for (const machine of engines()) {
      expect(runProgram(machine, program, [input])).toMatchObject({
        outcome: 'failed',
        farthest: 10,
        malformedAt: 1000,
      })
      input[10] = 44
      const run = runProgram(machine, program, [input])
      expect(run).toMatchObject({ outcome: 'malformed', malformedAt: 1000 })
      expect(run.parts).toHaveLength(1)
      input[10] = 33
    }
  })

  test('that ends inside a sequence is an error at the sequence', () => {
    for (const machine of engines()) {
      const pieces = [encode('ab,'), Uint8Array.of(0xe6, 0x9c)]
      expect(runProgram(machine, program, pieces)).toMatchObject({ outcome: 'malformed', malformedAt: 3, position: 3 })
    }
  })

  test('has lines and columns after what was dropped, and indices unless they are switched off', () => {
    const code = new Assembler()
    const body = new Label()
    code.emit('CALL', [body])
    code.emit('DONE')
    code.place(body)
    code.emit('SPAN', [code.class(CodePointSet.of([[33, 33]]).complement()), 0])
    code.emit('BYTE', [33])
    code.emit('RETURN')
    const text = 'é🌳\r\n木 x\n'.repeat(30_000)
    for (const machine of engines()) {
      for (const wantsIndices of [true, false]) {
        machine.begin(code.finish(), DEFAULT_LIMITS)
        if (!wantsIndices) machine.forgoIndices()
        const bytes = encode(`${text}tail?`)
        for (let fed = 0; fed < bytes.length; runOn(machine)) fed += machine.append(bytes.subarray(fed))
        const { line, column, index, byteOffset } = machine.locate(machine.position)
        expect({ line, column, byteOffset }).toEqual({ line: 60_001, column: 6, byteOffset: bytes.length })
        expect(index).toBe(wantsIndices ? text.length + 5 : Number.NaN)
      }
    }
  })
})

describe('input that continues elsewhere', () => {
  test('is reported with the lines and columns that it has, and with the text before it', () => {
    for (const machine of engines()) {
      machine.begin(makeWords(false), DEFAULT_LIMITS)
      machine.append(encode('ab,cd,'))
      expect(runOn(machine)).toBe('input')
      expect(takeParts(machine).flatMap(({ roots }) => roots)).toHaveLength(2)
      machine.relocate({ byteOffset: 1000, line: 70, column: 5 }, encode('one,\nwxy,'))
      machine.append(encode('ef,gh!'))
      const outcome = runOn(machine)
      expect(takeParts(machine).flatMap(({ roots }) => roots)).toHaveLength(2)
      const { line, column, byteOffset, excerpt } = explainFailure(machine, outcome)
      expect({ line, column, byteOffset }).toEqual({ line: 70, column: 10, byteOffset: 1005 })
      expect(excerpt).toBe('wxy,ef,gh!\n         ^')
    }
  })
})

describe('offsets', () => {
  test.each([2 ** 32 - 5, 2 ** 32, 2 ** 45 - 3])('may be anything, as from byte %d', (offset) => {
    const program = makeWords(false)
    for (const machine of engines()) {
      for (const pieces of cutsOf(encode('ab,cdef,g,'))) {
        machine.begin(program, DEFAULT_LIMITS, new TextPosition(offset, 7, 8, 9))
        const found: number[] = []
        const rest = [...pieces]
        for (let outcome = runOn(machine); outcome !== 'done'; outcome = runOn(machine)) {
          for (const { start, bytes } of takeParts(machine)) found.push(start.byteOffset - offset, bytes.length)
          const piece = rest.shift()
          if (piece) machine.append(piece)
          else machine.finish()
        }
        for (const { start, bytes } of takeParts(machine)) found.push(start.byteOffset - offset, bytes.length)
        expect(machine.position).toBe(offset + 10)
        expect(found[0]).toBe(0)
        expect((found.at(-2) as number) + (found.at(-1) as number)).toBe(9)
      }
    }
  })
})

describe('a span', () => {
  test('is known not to be empty, however long it is', () => {
    for (const machine of engines()) {
      machine.begin(getProgram('check'), DEFAULT_LIMITS)
      machine.append(Buffer.from('<a>'))
      const piece = Buffer.alloc(128 * 1024, 'x')
      for (let i = 0; i < 8; i++) {
        runOn(machine)
        dropAll(machine)
        machine.append(piece)
      }
      // The distance is that of two offsets modulo 2^32.
      expect(machine.position - machine.mark).toBeGreaterThan(0)
      expect(machine.position - machine.mark).toBeLessThan(4 * piece.length)
    }
  })
})

describe('a literal that is cut', () => {
  test('leaves nothing on the tape that its distance grows from', () => {
    for (const machine of engines()) {
      machine.begin(getProgram('document'), DEFAULT_LIMITS)
      machine.append(Buffer.from('<a>'))
      runOn(machine)
      dropAll(machine)
      const holes = Buffer.from('\r'.repeat(1000))
      for (let i = 0; i < 20; i++) {
        machine.append(holes)
        expect(runOn(machine)).toBe('input')
        expect(machine.readTape()).toBeUndefined()
        expect(machine.cutLiteral(0)?.records.length).toBe(4 * (i === 0 ? 999 : 1000))
        expect(machine.memory.get(Register.CLOSED)).toBe(machine.memory.get(Register.TAPE_START))
      }
    }
  })
})

describe('input that always ends with a record', () => {
  test.runIf(isThorough)('is not kept, although the machine waits at places where something has failed', () => {
    // Whether a line end belongs to the list or to what follows it is open wherever a piece ends.
    const text =
      'program ::= row{* %newline} %newline? ; row ::= cell{+ %","} ; cell ::= &"#" ^ [^,\\n]* | [a-z]* ; newline ::= "\\n" ;'
    const { program } = Grammar.from(text, { dialect: 'xylem' }).compile({ entry: 'program', parts: new Set() })
    const piece = encode('a,#b,\n'.repeat(1000))
    const length = isThorough ? 4e6 : 12e5
    for (const machine of engines()) {
      machine.begin(program, DEFAULT_LIMITS, TextPosition.START)
      for (let read = 0; read < length; read += piece.length) {
        for (let fed = 0; fed < piece.length; ) {
          fed += machine.append(piece.subarray(fed))
          expect(runOn(machine)).toBe('input')
        }
      }
      expect(machine.inputEnd - machine.retainedFrom).toBeLessThan(1e6)
    }
  })
})

describe('limits', () => {
  const fault = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return error
    }
    return undefined
  }

  test('nesting goes as deep as the limit, and not on the stack of the engine', () => {
    const program = makeNested()
    const depth = 1_000_000
    const input = encode('('.repeat(depth) + ')'.repeat(depth))
    const machine = engines()[0] as Machine
    expect(runProgram(machine, program, [input], { limits: { maxDepth: depth + 10 } }).outcome).toBe('done')
    for (const small of engines()) {
      const error = fault(() =>
        runProgram(small, program, [input.subarray(0, 50_000)], { limits: { maxDepth: 20_000 } }),
      )
      expect(error).toMatchObject({ name: 'LimitError', code: 'depth-limit', limit: 20_000 })
      expect(runProgram(small, program, [encode('()')]).outcome).toBe('done')
    }
  })

  test('of nodes and of retained input are reported by name', () => {
    const held = makeWords(true)
    const input = encode('ab,'.repeat(isThorough ? 200_000 : 100_000))
    for (const machine of engines()) {
      const nodes = fault(() => runProgram(machine, held, [input], { limits: { maxNodes: 10_000 } }))
      expect(nodes).toMatchObject({ name: 'LimitError', code: 'node-limit', limit: 10_000 })
      const retained = fault(() => runProgram(machine, held, [input], { limits: { maxRetained: 200_000 } }))
      expect(retained).toMatchObject({ name: 'LimitError', code: 'retained-limit', limit: 200_000, retainedFrom: 0 })
    }
  })

  test('of names are reported by name', () => {
    const code = new Assembler()
    const loop = new Label()
    code.emit('CALL', [loop])
    code.emit('DONE')
    code.place(loop)
    code.emit('NAME', [code.class(letters), code.class(letters)])
    code.emit('UNIQUE', [code.type('name')])
    code.emit('BYTE', [44])
    code.emit('JUMP', [loop])
    const program = code.finish()
    const name = (i: number) =>
      Array.from(i.toString(26), (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')
    const names = Array.from({ length: 5000 }, (_, i) => name(i))
    for (const machine of engines()) {
      const many = encode(`${names.join()},b,`)
      expect(runProgram(machine, program, [many])).toMatchObject({ outcome: 'failed', farthest: many.length - 1 })
      const error = fault(() => runProgram(machine, program, [many], { limits: { maxNames: 2000 } }))
      expect(error).toMatchObject({ name: 'LimitError', code: 'name-limit', limit: 2000 })
    }
  })
})

/** Takes what is certain off the tape. */
function dropAll(machine: Machine): void {
  const view = machine.readTape()
  view?.drop(view.words.length / 4)
}
