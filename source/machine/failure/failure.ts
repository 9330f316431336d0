// Why a parse failed, in words. What was expected at the farthest position is not recorded on the way, since that would cost in every
// failure that is none: the machine goes back to its last checkpoint, and the interpreter runs the same way again and watches.

import { quoteCharacter } from '../../text/markup/visible.ts'
import { nameCharacter } from '../../text/markup/xml-characters.ts'
import { ParseError, type ParseErrorDetails } from '../../text/parse-error.ts'
import { Op } from '../program/instructions.ts'
import {
  type Continuation,
  END_OF_INPUT,
  type Expectation,
  type ExpectedLiteral,
  type LookId,
  type Note,
  type Place,
  type Program,
  type Rounds,
} from '../program/program.ts'
import { type Frame, Interpreter, type Observer } from '../run/interpreter.ts'
import type { Machine, Outcome } from '../run/machine.ts'
import type { TextPosition } from '../tree/text-position.ts'
import { makeExcerpt } from './excerpt.ts'

/** A rule is named instead of what it can begin with, when that would be at least so many things. */
const MANY = 4
/** More than this a message does not list. */
const MOST_EXPECTED = 12
/** Bytes of input before and after an error that an excerpt may show. */
export const EXCERPT_CONTEXT = 160

/** How a grammar writes a literal or a class of nothing but white space. */
const WHITE_SPACE =
  /^(?:"(?: |\\[tnrf]|\\u(?:000b|00a0|2028|2029|feff))+"|\[(?:[ -]|\\[tnrf]|\\u(?:000b|00a0|2028|2029|feff))+\])$/
/** A space or a tab in it: white space without any is a line end. */
const SPACE = / |\\t/

/** Characters that a message quotes. */
const MOST_QUOTED = 40

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** An error found at an offset, before it is put in words. */
interface Finding extends Pick<ParseErrorDetails, 'expected' | 'rules'> {
  /** The expected literals of more than one character. */
  readonly literals?: readonly ExpectedLiteral[]
}

/** What is wrong, before it is an error. */
export interface Failure {
  readonly message: string
  readonly details: ParseErrorDetails
}

/** The error for a machine that stopped with `failed`, `label` or `malformed`. The machine is not to be run again. `hasYielded`: parts of the round that is dropped were delivered. */
export function explainFailure(machine: Machine, outcome: Outcome, hasYielded = false): ParseError {
  const { message, details } = findFailure(machine, outcome)
  return new ParseError(hasYielded ? `${message}; parts of the same round before it were yielded` : message, details)
}

/** The error for something else that is wrong at an offset whose input is still there. */
export function failAt(machine: Machine, message: string, known: ParseErrorDetails): ParseError {
  return new ParseError(message, {
    ...known,
    ...describe(machine, known.byteOffset, known.code, message, known).details,
  })
}

/** Like `explainFailure`, for those who make an error of their own of it. */
export function findFailure(machine: Machine, outcome: Outcome): Failure {
  const program = machine.program as Program
  // Where something failed beyond a label, that is what is wrong: the label only says what else could have stood before it.
  const isBeyond = outcome === 'label' && machine.farthest > machine.position
  switch (isBeyond ? 'failed' : outcome) {
    case 'malformed': {
      const offset = machine.malformedAt as number
      const what = program.alphabet === 'xml' ? explainMalformed(machine, offset) : 'the input is not valid UTF-8 here'
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
      const position = machine.locate(offset)
      const first = quoteFirst(machine.copyInput(offset, offset + 4))
      const finding = watch(machine, offset)
      const { expected } = finding
      const begun = textBegun(machine, offset, finding)
      const isEnd = offset >= machine.inputEnd || begun !== undefined
      const end = begun === undefined ? 'the input ends' : `the input ends after ${begun}`
      const message = describeExpected(expected, isEnd ? end : `found ${first}`)
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
  const { bytes } = machine.wholeInput ?? {}
  const from = Math.max(0, byteOffset - EXCERPT_CONTEXT)
  const end = byteOffset + EXCERPT_CONTEXT
  const before = bytes?.subarray(from, byteOffset) ?? machine.copyBefore(byteOffset, EXCERPT_CONTEXT)
  const excerpt = makeExcerpt(before, bytes?.subarray(byteOffset, end) ?? machine.copyInput(byteOffset, end))
  return { message, details: { code, byteOffset, line, column, excerpt, expected, rules } }
}

/** The rules that are open where the machine stands. */
function findRules(machine: Machine): string[] {
  const program = machine.program as Program
  const frames = new Frames(program, new Interpreter(machine.engine.buffer))
  return [...frames.rulesUpTo(frames.count), ...(program.notes.get(machine.programCounter)?.rules ?? [])]
}

/** Runs again from the last checkpoint and reports what was expected at the offset. */
function watch(machine: Machine, offset: number): Finding {
  const program = machine.program as Program
  const rulesAtStop = findRules(machine)
  if (!machine.returnToCheckpoint(offset)) return { expected: undefined, rules: rulesAtStop }
  const watcher = new Watcher(program, offset)
  if (machine.isAtStart(offset)) {
    watcher.start(new Frames(program, new Interpreter(machine.engine.buffer)), machine.startPlace)
  }
  machine.rerun(watcher)
  return { expected: watcher.expected, rules: watcher.rules ?? rulesAtStop, literals: watcher.literals }
}

/** A point of the grammar within so many frames, where something may come. */
interface Point {
  readonly within: number
  /** The rules of the procedure that are open. */
  readonly rules: readonly string[]
  readonly next: Continuation
}

/** What may come after so many rounds. */
function afterRounds({ min, max, again, reportsOptional, after }: Rounds, count: number): Continuation {
  if (count < min) return { expects: again, beyond: undefined, ended: 0, begins: [] }
  return count < max && reportsOptional ? { ...after, expects: [...again, ...after.expects] } : after
}

/** Collects what could have come after all that was matched up to one offset. */
class Watcher implements Observer {
  readonly offset: number
  readonly #program: Program
  readonly #found = new Map<string, Expectation>()
  /** The rules that are open where something must come, after what was matched last. */
  rules: readonly string[] | undefined

  constructor(program: Program, offset: number) {
    this.#program = program
    this.offset = offset % 2 ** 32
  }

  /** Says that the offset is where the input begins, or continues with a round of a repetition. */
  start(frames: Frames, place: Place | undefined): void {
    const { rules, rounds } = place ?? {}
    if (rules && rounds) {
      this.#walk(frames, [{ rules, within: frames.count, next: afterRounds(rounds, rounds.min) }])
      return
    }
    const { expects, beyond, begins } = this.#program.start
    this.#add(expects)
    if (beyond === undefined) this.#addRules(begins)
    else this.#addEnd()
  }

  observe(pc: number, from: number, interpreter: Interpreter): void {
    const note = this.#program.notes.get(pc)
    if (!note) return
    const count = interpreter.countFrom(from)
    if (note.looks && !interpreter.isFailing) this.#forget(note.looks)
    else if (count === 0) return
    const isRest = ((this.#program.code[pc] as number) & 255) === Op.NAME && count > 1
    const frames = new Frames(this.#program, interpreter)
    const places = isRest ? note.restPlaces : note.places
    this.#walk(
      frames,
      places.map(({ rules, next, rounds }) => {
        const within = frames.count
        return { rules, within, next: rounds ? afterRounds(rounds, count) : next }
      }),
    )
  }

  /** Adds what may come at some points, in their order. Without recursion: there may be any number of frames. */
  #walk(frames: Frames, points: readonly Point[]): void {
    const waiting = points.toReversed()
    /** Frames that were left: what comes after them does not depend on their content. */
    const left = new Set<number>()
    for (let point = waiting.pop(); point; point = waiting.pop()) {
      const { within, rules, next } = point
      const { expects, beyond, ended, begins } = next
      this.#add(expects)
      if (beyond === undefined) {
        this.#addRules([...frames.rulesUpTo(within), ...rules.slice(0, rules.length - ended), ...begins])
      } else if (beyond === 'caller') {
        const frame = frames.findCall(within)
        if (left.has(frame)) continue
        left.add(frame)
        const places = frames.noteAt(frame)?.places
        if (!places) this.#addEnd()
        else
          for (const place of places.toReversed()) waiting.push({ rules: place.rules, next: place.next, within: frame })
      } else {
        const frame = frames.findRounds(within)
        waiting.push({ rules, within: frame, next: afterRounds(beyond, frames.roundsAt(frame) + 1) })
      }
    }
  }

  /** After the entry. */
  #addEnd(): void {
    const { code } = this.#program
    if (((code[1] as number) & 255) === Op.END_OF_INPUT) this.#add([END_OF_INPUT])
    this.#addRules([])
  }

  /** Of several places, those deepest in the grammar are reported. */
  #addRules(rules: readonly string[]): void {
    if (rules.length > (this.rules?.length ?? -1)) this.rules = rules
  }

  #add(expects: readonly Expectation[]): void {
    for (const expectation of expects) {
      const { text, literal, look, rules } = expectation
      this.#found.set([text, literal?.text, look, ...rules].join('\n'), expectation)
    }
  }

  /** Look-aheads have succeeded: what they ask for is there. */
  #forget(looks: readonly LookId[]): void {
    for (const [key, { look }] of this.#found) if (look !== undefined && looks.includes(look)) this.#found.delete(key)
  }

  get literals(): ExpectedLiteral[] {
    return [...this.#found.values()].flatMap(({ literal }) => literal ?? [])
  }

  /** Labels first, then names of rules, then the words of the grammar. Blanks come last: they can stand nearly anywhere. */
  get expected(): string[] {
    const { ruleLabels } = this.#program
    /** The words of the grammar for which each name stands. */
    const texts = new Map<string, string[]>()
    const add = (name: string, { text }: Expectation) => texts.set(name, [...(texts.get(name) ?? []), text])
    let rest: Expectation[] = []
    for (const expectation of this.#found.values()) {
      const labelled = expectation.rules.find((rule) => ruleLabels.has(rule))
      if (labelled === undefined) rest.push(expectation)
      else add(ruleLabels.get(labelled) as string, expectation)
    }
    for (let name = findCommonRule(rest); name !== undefined; name = findCommonRule(rest)) {
      const common = name
      for (const expectation of rest) if (expectation.rules.includes(common)) add(common, expectation)
      rest = rest.filter(({ rules }) => !rules.includes(common))
    }
    for (const expectation of rest) add(expectation.text, expectation)
    const all = [...texts.keys()]
    const areBlanks = (name: string) => isBlank(texts.get(name) as string[])
    return [...all.filter((name) => !areBlanks(name)), ...all.filter(areBlanks)]
  }
}

function isBlank(texts: readonly string[]): boolean {
  return texts.every((text) => WHITE_SPACE.test(text)) && texts.some((text) => SPACE.test(text))
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

/** The frames of a machine: calls, and repetitions that are counted. */
class Frames {
  readonly #program: Program
  readonly #frames: readonly Frame[]

  constructor(program: Program, interpreter: Interpreter) {
    this.#program = program
    // Code that several places share is part of its procedure: its call is none of the grammar.
    this.#frames = interpreter.frames.filter(({ returnsTo }) => {
      if (returnsTo === undefined) return true
      const callee = (program.code[returnsTo - 1] as number) >>> 8
      return program.procedures.get(callee) !== ''
    })
  }

  get count(): number {
    return this.#frames.length
  }

  /** The index of the innermost call within so many frames. */
  findCall(within: number): number {
    return this.#findLast(within, ({ returnsTo }) => returnsTo !== undefined)
  }

  /** The index of the innermost repetition within so many frames. */
  findRounds(within: number): number {
    return this.#findLast(within, ({ returnsTo }) => returnsTo === undefined)
  }

  #findLast(within: number, test: (frame: Frame) => boolean): number {
    let index = within - 1
    while (index > 0 && !test(this.#frames[index] as Frame)) index--
    return Math.max(0, index)
  }

  /** How many rounds of a repetition were counted. */
  roundsAt(index: number): number {
    return this.#frames[index]?.rounds ?? 0
  }

  /** What is known of the place of a call; undefined for that of the entry. */
  noteAt(index: number): Note | undefined {
    const { returnsTo } = this.#frames[index] ?? {}
    return index === 0 || returnsTo === undefined ? undefined : this.#program.notes.get(returnsTo - 1)
  }

  /** The rules that are open within so many frames, except for those of the innermost procedure. */
  rulesUpTo(within: number): string[] {
    return this.#frames.slice(0, within).flatMap((_, index) => this.noteAt(index)?.rules ?? [])
  }
}

function list(items: readonly string[]): string {
  const shown = items.length > MOST_EXPECTED ? [...items.slice(0, MOST_EXPECTED), 'something else'] : items
  if (shown.length === 1) return shown[0] as string
  return `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

function describeExpected(expected: readonly string[] | undefined, found: string): string {
  return expected?.length ? `expected ${list(expected)}, but ${found}` : `unexpected: ${found}`
}

/** Names the character that XML does not allow, if it is one. */
function explainMalformed(machine: Machine, offset: number): string {
  const [character = '\ufffd'] = decoder.decode(machine.copyInput(offset, offset + 3))
  return character === '\ufffd'
    ? 'the input is not valid UTF-8 here'
    : `XML 1.0 does not allow the character ${nameCharacter(character)}`
}

/** The input from an offset on, in quotes, if the input ends within a literal that is expected there; otherwise undefined. */
function textBegun(machine: Machine, offset: number, { literals = [] }: Finding): string | undefined {
  const length = machine.inputEnd - offset
  // A UTF-16 unit takes at most three bytes of UTF-8.
  const candidates = literals.filter(({ text }) => length > 0 && length < 3 * text.length)
  if (candidates.length === 0) return undefined
  const begun = decoder.decode(machine.copyInput(offset, machine.inputEnd))
  const isBegun = candidates.some(({ text, ignoresCase }) => {
    const [whole, start] = ignoresCase ? [text.toLowerCase(), begun.toLowerCase()] : [text, begun]
    return start.length < whole.length && whole.startsWith(start)
  })
  return isBegun ? quoteText(begun) : undefined
}

/** A text in quotes; of a long text, its beginning. */
function quoteText(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MOST_QUOTED))
  const isLong = characters.length > MOST_QUOTED
  return JSON.stringify(isLong ? `${characters.slice(0, MOST_QUOTED).join('')}…` : text)
}

/** The first character of well-formed bytes, which may end inside the next one. */
function quoteFirst(bytes: Uint8Array): string {
  const [character = ''] = decoder.decode(bytes)
  return quoteCharacter(character)
}
