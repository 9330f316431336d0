// Why a parse failed, in words. What was expected at the farthest position is not recorded on the way, since that would cost in every
// failure that is none: the machine goes back to its last checkpoint, and the interpreter runs the same way again and watches.

import { ParseError, type ParseErrorDetails } from '../text/parse-error.ts'
import { makeExcerpt } from './excerpt.ts'
import { Op } from './instructions.ts'
import { Interpreter, type Observer } from './interpreter.ts'
import type { Machine, Outcome } from './machine.ts'
import type { Expectation, Program } from './program.ts'
import type { TextPosition } from './text-position.ts'

/** A rule is named instead of what it can begin with, when that would be at least so many things. */
const MANY = 4
/** More than this a message does not list. */
const MOST_EXPECTED = 12
/** Bytes of input before and behind a fault that an excerpt may show. */
const CONTEXT = 160

/** A fault found at an offset, before it is put in words. */
interface Finding {
  readonly expected: readonly string[] | undefined
  readonly rules: readonly string[]
}

/** What is wrong, before it is an error. */
export interface Failure {
  readonly message: string
  readonly details: ParseErrorDetails
}

/** The error for a machine that stopped with `failed`, `label` or `malformed`. The machine is not to be run again. */
export function explainFailure(machine: Machine, outcome: Outcome): ParseError {
  const { message, details } = findFailure(machine, outcome)
  return new ParseError(message, details)
}

/** Like `explainFailure`, for those who make an error of their own of it. */
export function findFailure(machine: Machine, outcome: Outcome): Failure {
  const program = machine.program as Program
  switch (outcome) {
    case 'malformed': {
      const offset = machine.malformedAt as number
      const what =
        program.alphabet === 'xml' ? 'no character of XML 1.0, or no UTF-8, is here' : 'the input is not UTF-8 here'
      return describe(machine, offset, 'malformed-text', what, { expected: undefined, rules: findRules(machine) })
    }
    case 'label': {
      const message = program.labels[machine.label] as string
      return describe(machine, machine.position, 'labelled-failure', message, {
        expected: undefined,
        rules: findRules(machine),
      })
    }
    default: {
      const offset = machine.farthest
      const isEnd = offset >= machine.inputEnd
      const position = machine.locate(offset)
      const found = isEnd ? 'the input ends' : `found ${quoteCharacter(machine.copyInput(offset, offset + 4))}`
      const finding = watch(machine, offset)
      const { expected } = finding
      const message = expected?.length ? `expected ${list(expected)}, but ${found}` : `unexpected: ${found}`
      return describeAt(machine, position, isEnd ? 'unexpected-end' : 'unexpected-input', message, finding)
    }
  }
}

function describe(machine: Machine, offset: number, code: string, message: string, finding: Finding): Failure {
  return describeAt(machine, machine.locate(offset), code, message, finding)
}

function describeAt(
  machine: Machine,
  position: TextPosition,
  code: string,
  message: string,
  { expected, rules }: Finding,
): Failure {
  const { byteOffset, line, column } = position
  const before = machine.copyBefore(byteOffset, CONTEXT)
  const behind = machine.copyInput(byteOffset, byteOffset + CONTEXT)
  const excerpt = makeExcerpt(before, behind)
  return { message, details: { code, byteOffset, line, column, excerpt, expected, rules } }
}

/** The rules that are open where the machine stands. */
function findRules(machine: Machine): string[] {
  const pc = machine.programCounter
  const interpreter = new Interpreter(machine.engine.buffer)
  return new Frames(machine.program as Program, interpreter, pc).rules
}

/** The rules that may still go back where the machine stands, those that may most often first. */
export function findRewindingRules(machine: Machine): string[] {
  const { procedures } = machine.program as Program
  const starts = [...procedures].filter(([, rule]) => rule !== '').sort(([one], [other]) => one - other)
  const targets = new Map<number, number>()
  for (const target of machine.rewindTargets) targets.set(target, (targets.get(target) ?? 0) + 1)
  const counts = new Map<string, number>()
  for (const [target, count] of targets) {
    const [, rule] = starts.findLast(([start]) => start <= target) ?? []
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + count)
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([rule]) => rule)
}

/** Runs again from the last checkpoint and tells what was expected at the offset. */
function watch(machine: Machine, offset: number): Finding {
  const program = machine.program as Program
  const rulesAtStop = findRules(machine)
  if (!machine.returnToCheckpoint(offset)) return { expected: undefined, rules: rulesAtStop }
  const watcher = new Watcher(program, offset)
  machine.rerun(watcher)
  return { expected: watcher.expected, rules: watcher.rules ?? rulesAtStop }
}

/** Collects what instructions expect that are run at one offset. */
class Watcher implements Observer {
  readonly offset: number
  readonly #program: Program
  readonly #found = new Map<string, Expectation>()
  rules: string[] | undefined

  constructor(program: Program, offset: number) {
    this.#program = program
    this.offset = offset % 2 ** 32
  }

  observe(pc: number, isBehind: boolean, interpreter: Interpreter): void {
    const note = this.#program.notes.get(pc)
    const op = (this.#program.code[pc] as number) & 255
    if (!note || (isBehind && op !== Op.SPAN && op !== Op.NAME)) return
    // A span that ends here could have gone on. That a name could have, which is called one, goes without saying.
    if (isBehind && op === Op.NAME && this.#program.ruleLabels.has(note.rules.at(-1) ?? '')) return
    const expects = isBehind ? (note.more ?? note.expects).filter(({ isNot }) => !isNot) : note.expects
    if (expects.length === 0) return
    const frames = new Frames(this.#program, interpreter, pc)
    const outer = isBehind ? [] : frames.rulesFrom(this.offset)
    for (const expectation of expects) {
      const rules = [...outer, ...expectation.rules]
      this.#found.set(`${expectation.text}\n${rules.join('\n')}`, { ...expectation, rules })
    }
    if (!isBehind) this.rules = frames.rules
  }

  /** Labels first, then names of rules, then the words of the grammar. */
  get expected(): string[] {
    const { ruleLabels } = this.#program
    const labels: string[] = []
    const names: string[] = []
    let rest: Expectation[] = []
    for (const expectation of this.#found.values()) {
      const labelled = expectation.rules.find((rule) => ruleLabels.has(rule))
      if (labelled === undefined) rest.push(expectation)
      else labels.push(ruleLabels.get(labelled) as string)
    }
    for (let name = findCommonRule(rest); name !== undefined; name = findCommonRule(rest)) {
      names.push(name)
      rest = rest.filter(({ rules }) => !rules.includes(name as string))
    }
    return [...new Set([...labels, ...names, ...rest.map(({ text }) => text)])]
  }
}

/** The rule that most of what is expected begins, and the outermost of such; undefined when none stands for many things. */
function findCommonRule(expectations: readonly Expectation[]): string | undefined {
  const texts = new Map<string, Set<string>>()
  for (const { text, rules } of expectations) {
    for (const rule of rules) texts.set(rule, (texts.get(rule) ?? new Set()).add(text))
  }
  let best: string | undefined
  for (const [rule, { size }] of texts) {
    if (size >= MANY && size > (best === undefined ? 0 : (texts.get(best)?.size ?? 0))) best = rule
  }
  return best
}

/** The open calls of a machine, with the names of their rules. */
class Frames {
  /** For each call but the first: the rules it stands in, those that begin with it, what it calls, and where it began. */
  readonly #calls: { rules: readonly string[]; begins: readonly string[]; callee: string; start: number }[]
  readonly #innermost: readonly string[]

  constructor(program: Program, interpreter: Interpreter, pc: number) {
    this.#calls = interpreter.calls.slice(1).map(({ returnsTo, start }) => {
      const at = returnsTo - 1
      const note = program.notes.get(at)
      // Code that several places share is no rule of its own: its callee is ''.
      const callee = program.procedures.get((program.code[at] as number) >>> 8) ?? ''
      return { rules: note?.rules ?? [], begins: note?.begins ?? [], callee, start }
    })
    this.#innermost = program.notes.get(pc)?.rules ?? []
  }

  /** All rules, from the outermost in. */
  get rules(): string[] {
    let isShared = false
    const rules = this.#calls.flatMap((call) => {
      const own = isShared ? call.rules.slice(1) : call.rules
      isShared = call.callee === ''
      return own
    })
    return [...rules, ...(isShared ? this.#innermost.slice(1) : this.#innermost)]
  }

  /** The rules that began at an offset (modulo 2^32), but for the outermost. */
  rulesFrom(offset: number): string[] {
    return this.#calls.flatMap(({ begins, callee, start }) => {
      if (start !== offset) return []
      return callee === '' ? begins : [...begins, callee]
    })
  }
}

function list(items: readonly string[]): string {
  const shown = items.length > MOST_EXPECTED ? [...items.slice(0, MOST_EXPECTED), 'something else'] : items
  if (shown.length === 1) return shown[0] as string
  return `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

/** The first character of well-formed bytes, which may end inside the next one. */
function quoteCharacter(bytes: Uint8Array): string {
  const [character = ''] = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return JSON.stringify(character)
}
