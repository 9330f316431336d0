// Grammars that read the same input again and again: how often they may, and that others have their turn meanwhile.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Grammar, type RunOptions } from '../../source/grammar/index.ts'
import type { Program } from '../../source/machine/program/program.ts'
import { Register } from '../../source/machine/program/registers.ts'
import { Interpreter } from '../../source/machine/run/interpreter.ts'
import { DEFAULT_LIMITS } from '../../source/machine/run/limits.ts'
import { Machine } from '../../source/machine/run/machine.ts'
import { LimitError } from '../../source/stream/errors.ts'
import { everyCut } from '../support/collect.ts'
import { isThorough, sample } from '../support/extent.ts'
import { cutsOf, makeEngines, runProgram } from '../support/machine.ts'
import { makeRandomGrammar, makeRandomInput } from '../support/naive-grammar.ts'
import { Random } from '../support/random.ts'
import { countTurns } from '../support/turns.ts'

const ENGINES = ['wasm', 'plain'] as const
const encode = (text: string) => new TextEncoder().encode(text)

/** Sums, in the way that comes to mind first. Each bracket makes nine times as much work of what is in it. */
const SUMS = Grammar.from(
  `
  program ::= expr ;
  expr    ::= add | sub | term ;
  add     ::= term %"+" expr ;
  sub     ::= term %"-" expr ;
  term    ::= mul | div | factor ;
  mul     ::= factor %"*" term ;
  div     ::= factor %"/" term ;
  factor  ::= number | ( %"(" expr %")" ) ;
  number  ::= [0-9]+ ;`,
  { dialect: 'xylem' },
)
const nest = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`

async function readError(act: () => Promise<unknown> | unknown): Promise<LimitError> {
  try {
    await act()
  } catch (error) {
    expect(error).toBeInstanceOf(LimitError)
    return error as LimitError
  }
  throw new Error('nothing was thrown')
}

async function readAll(nodes: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of nodes) count++
  return count
}

/** What is left of the budget after a run. */
function budgetOf({ memory }: Machine): number[] {
  return [Register.REACHED, Register.BUDGET, Register.BUDGET_HIGH].map((register) => memory.get(register))
}

describe('input that is read again too often', () => {
  test('is a LimitError that says where, by which rules, and which options bound it', async () => {
    const error = await readError(() => SUMS.parse(nest(20)))
    expect(error).toMatchObject({ code: 'rewind-limit', limit: 1000 })
    expect(error.byteOffset).toBeGreaterThan(0)
    expect(error.rules).toEqual(['factor', 'expr'])
    expect(error.message).toMatch(/^the input from byte \d+ is read again too often, by /)
    expect(error.message).toContain('more than 1000 times the input (maxRewound) and 16777216 bytes (freeRewound)')
  })

  test('is found at the same place by both engines, in complete input, byte by byte and at every cut', async () => {
    const limits = { maxRewound: 2, freeRewound: 1000 }
    const input = nest(9)
    const expected = await readError(() => SUMS.parse(input, { limits }))
    for (const engine of ENGINES) {
      const found = [await readError(() => SUMS.parse(input, { limits, engine }))]
      for (const pieces of everyCut(encode(input))) {
        found.push(await readError(() => readAll(SUMS.stream(pieces, { limits, engine }))))
      }
      for (const { message, byteOffset, rules } of found) {
        expect({ message, byteOffset, rules }).toEqual({
          message: expected.message,
          byteOffset: expected.byteOffset,
          rules: expected.rules,
        })
      }
    }
  })

  test('costs a bounded amount of work, however deep it is nested', async () => {
    const limits: RunOptions = { engine: 'plain', limits: { freeRewound: 20_000, maxRewound: 10 } }
    const work = async (depth: number) => {
      const before = Interpreter.work
      await readError(() => SUMS.parse(nest(depth), limits))
      return Interpreter.work - before
    }
    expect(await work(400)).toBeLessThan(8 * (await work(200)))
  })

  test('is allowed as often as somebody wants', () => {
    const input = nest(3)
    expect(() => SUMS.parse(input, { limits: { maxRewound: 1, freeRewound: 100 } })).toThrow(LimitError)
    for (const engine of ENGINES) {
      expect(SUMS.test(input, { limits: { maxRewound: 1, freeRewound: 1_000_000 }, engine })).toBe(true)
      expect(SUMS.test(input, { limits: { maxRewound: 1_000_000, freeRewound: 1 }, engine })).toBe(true)
      expect(SUMS.test(input, { limits: { maxRewound: Number.POSITIVE_INFINITY, freeRewound: 1 }, engine })).toBe(true)
    }
  })

  test('is earned by input that is read for the first time, also where that is long ago', async () => {
    const grammar = Grammar.from(`
      program ::= line* x ;
      line    ::= %[a-z]* %"\\n" ;
      x       ::= pair | y ;
      pair    ::= y "!" ;
      y       ::= ( "(" x ")" ) | "1" ;`)
    const [count, depth] = isThorough ? [20_000, 14] : [2000, 10]
    const lines = encode(`${'a'.repeat(99)}\n`.repeat(count))
    const nested = encode(nest(depth))
    for (const engine of ENGINES) {
      const options = { emit: ['line', 'x'], limits: { maxRewound: 1, freeRewound: 1 }, engine }
      expect(await readAll(grammar.stream([lines, nested], options))).toBe(count + 1)
      await readError(() => readAll(grammar.stream([nested], options)))
    }
  })

  test('is counted alike by both engines, for grammars of any kind and input in any pieces', () => {
    const random = new Random(7)
    const [kernel, plain] = makeEngines().map((engine) => new Machine(engine)) as [Machine, Machine]
    const grammars = isThorough ? 400 : 60
    let spent = 0
    for (let i = 0; i < grammars; i++) {
      const program = tryProgram(makeRandomGrammar(random))
      if (!program) continue
      const bytes = encode(makeRandomInput(random))
      runProgram(kernel, program, [bytes])
      const expected = budgetOf(kernel)
      for (const machine of [kernel, plain]) {
        for (const pieces of cutsOf(bytes)) {
          runProgram(machine, program, pieces)
          expect(budgetOf(machine)).toEqual(expected)
        }
      }
      if (expected[1] !== DEFAULT_LIMITS.freeRewound) spent++
    }
    expect(spent).toBeGreaterThan(grammars / (isThorough ? 20 : 25))
  })

  test('is far from the limit in the example grammars', () => {
    const folder = new URL('../../fixtures/grammar/', import.meta.url)
    const examples = [
      ['json', 'object.input.json'],
      ['xml', 'page.input.xml'],
      ['csv', 'quoted.input.csv'],
      ['bnf', 'self.input.bnf'],
      ['arithmetic', 'precedence.input.txt'],
      ['s-expression', 'define.input.sexp'],
      ['ini', 'sections.input.ini'],
      ['log', 'lines.input.log'],
    ] as const
    for (const [name, file] of sample(examples, 4)) {
      const grammar = Grammar.from(readFileSync(new URL(`${name}/${name}.bnf`, folder), 'utf8'))
      const input = readFileSync(new URL(`${name}/${file}`, folder))
      for (const engine of ENGINES) {
        expect(grammar.parse(new Uint8Array(input), { limits: { maxRewound: 4, freeRewound: 1 }, engine }).end).toBe(
          input.length,
        )
      }
    }
  })
})

describe('a machine that is at work for long', () => {
  test.each(ENGINES)('lets the event loop turn, and heeds a signal (%s)', async (engine) => {
    expect(await readAll(SUMS.stream('1', { engine }))).toBe(1) // what is compiled once
    const { turns, fair } = await countTurns(async (isOver) => {
      const controller = new AbortController()
      const timer = setInterval(() => isOver() && controller.abort(new Error('enough')), 1)
      const options = { engine, signal: controller.signal, limits: { maxRewound: Number.POSITIVE_INFINITY } }
      await expect(readAll(SUMS.stream(nest(100), options))).rejects.toThrow('enough')
      clearInterval(timer)
    })
    expect(turns).toBeGreaterThanOrEqual(fair)
  })

  test.each(ENGINES)('lets it turn also while it goes over much that it has read before (%s)', async (engine) => {
    const grammar = Grammar.from('program ::= ( x* "b" ) | ( x* "c" ) | ( [a]* "d" ) ; x ::= [a] ;')
    const input = new Uint8Array(engine === 'wasm' ? 60_000_000 : 2_000_000).fill(97)
    await grammar.check('d', { engine })
    const { turns, fair } = await countTurns(async (isOver) => {
      while (!isOver()) await grammar.check([input, encode('d')], { engine })
    })
    expect(turns).toBeGreaterThanOrEqual(fair)
  })

  test('sees enough of the input for what needs much of it at once', () => {
    const long = 'b'.repeat(isThorough ? 1_000_000 : 300_000)
    const grammar = Grammar.from(`program ::= ( [ab]* "!" ) | ( "${long}" "?" ) | ( "${long}" ) ;`)
    for (const engine of ENGINES) {
      expect(grammar.test(long, { engine })).toBe(true)
      expect(grammar.test(`${long}c`, { engine })).toBe(false)
    }
  })
})

function tryProgram(text: string): Program | undefined {
  try {
    const grammar = Grammar.from(text, { dialect: 'bnf-parser' })
    return grammar.compile({ entry: 'program', parts: new Set(['program']), nested: 'outermost', isPartial: false })
      .program
  } catch {
    return undefined // it repeats what can be empty, or begins with itself
  }
}
