// From patterns to a program. Wherever there is something to choose, the next bytes decide if they can (decision.ts), and a rewind
// entry is made only for what they leave open.

import { Assembler, Label } from '../machine/assembler.ts'
import { ByteSet } from '../machine/byte-set.ts'
import type { Expectation, Note, Program } from '../machine/program.ts'
import { Analysis } from './analysis.ts'
import { type Decision, type DecisionLeaf, decide, isDecisive, leavesOf } from './decision.ts'
import { emitDecision } from './emit-decision.ts'
import { emitAction, emitListed, emitTerminal } from './emit-terminal.ts'
import type { TextRange } from './expression.ts'
import {
  type CallPattern,
  type ChoicePattern,
  type ClassPattern,
  contains,
  EMPTY,
  itemsOf,
  type LookPattern,
  type Mode,
  netOpens,
  type Pattern,
  type Procedure,
  type RepeatPattern,
  sequence,
  sizeOf,
} from './pattern.ts'
import { ANYTHING, concatenate, leaveOpen, type Prefixes, unite } from './prefix.ts'

/** A place where the machine may have to go back. */
export interface RewindPoint {
  readonly rule: string
  readonly mode: Mode
  /** The choice or the repetition in the grammar's text; undefined for one that a pass made. */
  readonly at: TextRange | undefined
  /** What is being tried while the machine may still go back. */
  readonly tried: Pattern
}

/** What {@link assemble} gives. */
export interface Assembly {
  readonly program: Program
  readonly rewindPoints: readonly RewindPoint[]
  /** Choices and repetitions that are decided by the next bytes. */
  readonly decided: number
}

/** Code of more patterns than this is not put down twice. */
const LARGEST_COPY = 24
const END_OF_INPUT: Expectation = { text: 'end of input', rules: [], isNot: false }

/** Assembles the procedures that the entry can reach. When `isPartial`, anything may come behind the entry. */
export function assemble(
  entry: Procedure,
  procedures: readonly Procedure[],
  isPartial: boolean,
  ruleLabels: ReadonlyMap<string, string>,
): Assembly {
  // Behind an option that is tried, a failure is not what it is inside: the option has been taken then, and no other will be. So what
  // comes behind must not decide anything in it. Which are tried is known when all is decided: until no more are.
  const analysis = new Analysis()
  const tried = new Set<Pattern>()
  for (;;) {
    analysis.findFollows(procedures, entry, isPartial, tried)
    const assembly = new ProgramAssembly(procedures, analysis, ruleLabels).assemble(entry, isPartial)
    for (const point of assembly.rewindPoints) tried.add(point.tried)
    if (!analysis.findFollows(procedures, entry, isPartial, tried)) return assembly
  }
}

/** Where the options of a choice go on, and how what is there begins: the last one at `done`, the others at `again`. */
interface ChoiceEnds {
  readonly follow: Prefixes
  readonly done: Label
  readonly behind: Prefixes
  readonly again: Label
}

/** Code that is called in several places of one procedure. */
interface Shared {
  readonly label: Label
  readonly pattern: Pattern
}

class ProgramAssembly {
  readonly #procedures: readonly Procedure[]
  readonly #analysis: Analysis
  readonly #code: Assembler
  readonly #labels = new Map<Procedure, Label>()
  readonly #rewindPoints: RewindPoint[] = []
  #decided = 0
  /** How many tries are open that will fail anyway, for a message: what is tried in them does not count. */
  #refusals = 0
  #shared: Shared[] = []
  /** The procedure that is being assembled. */
  #procedure: Procedure

  constructor(procedures: readonly Procedure[], analysis: Analysis, ruleLabels: ReadonlyMap<string, string>) {
    this.#analysis = analysis
    this.#procedures = procedures
    this.#procedure = procedures[0] as Procedure
    this.#code = new Assembler(ruleLabels)
    for (const procedure of procedures) this.#labels.set(procedure, new Label())
  }

  assemble(entry: Procedure, isPartial: boolean): Assembly {
    this.#code.emit('CALL', [this.#labels.get(entry) as Label])
    if (!isPartial) this.#code.emit('END_OF_INPUT', [], { expects: [END_OF_INPUT], rules: [], begins: [] })
    this.#code.emit('DONE')
    for (const procedure of this.#procedures) this.#assembleProcedure(procedure)
    return { program: this.#code.finish(), rewindPoints: this.#rewindPoints, decided: this.#decided }
  }

  #assembleProcedure(procedure: Procedure): void {
    const { rule, mode, body } = procedure
    this.#procedure = procedure
    this.#code.place(this.#labels.get(procedure) as Label)
    this.#code.beginProcedure(rule)
    if (mode === 'part') this.#code.emit('BEGIN_PART')
    this.#emit(body, this.#analysis.follow(procedure))
    if (mode === 'part') this.#code.emit('END_PART', [this.#code.type(rule)])
    else if (mode === 'tree') this.#code.emit('RETURN_NODE', [this.#code.type(rule)])
    else this.#code.emit('RETURN')
    for (let shared = this.#shared.shift(); shared; shared = this.#shared.shift()) {
      this.#code.place(shared.label)
      this.#code.beginProcedure('')
      this.#emit(shared.pattern, ANYTHING) // it may be tried
      this.#code.emit('RETURN')
    }
  }

  /** `follow`: how what comes behind the pattern begins. */
  #emit(pattern: Pattern, follow: Prefixes): void {
    const code = this.#code
    switch (pattern.kind) {
      case 'literal':
      case 'class':
      case 'name':
      case 'listed':
      case 'until':
      case 'match':
        emitTerminal(this.#code, pattern, this.#note(pattern.expects, pattern.path))
        break
      case 'sequence':
        this.#emitSequence(pattern.items, follow)
        break
      case 'choice':
        this.#emitChoice(pattern, follow)
        break
      case 'repeat':
        this.#emitRepeat(pattern, follow)
        break
      case 'look':
        this.#emitLook(pattern)
        break
      case 'call':
        this.#emitCall(pattern)
        break
      case 'open':
        code.emit('OPEN')
        break
      case 'close':
        code.emit('CLOSE', [code.type(pattern.type)])
        break
      case 'leaf':
        code.emit('LEAF', [code.type(pattern.type)])
        break
      case 'action':
        emitAction(code, pattern)
        break
      case 'cut':
        code.emit('CUT')
        break
      case 'throw':
        code.emit('THROW', [code.label(pattern.message)], this.#note([], pattern.path))
        break
    }
  }

  #emitSequence(items: readonly Pattern[], follow: Prefixes): void {
    const follows: Prefixes[] = []
    let behind = follow
    for (const item of items.toReversed()) {
      follows.push(behind)
      const next = behind
      behind = concatenate(this.#analysis.first(item), () => next)
    }
    for (const item of items) this.#emit(item, follows.pop() as Prefixes)
  }

  #emitCall({ procedure, path, begins }: CallPattern): void {
    this.#code.emit('CALL', [this.#labels.get(procedure) as Label], { ...this.#note([], path), begins })
  }

  // Choices.

  #emitChoice(choice: ChoicePattern, follow: Prefixes): void {
    if (choice.options.length === 0) {
      this.#code.emit('FAIL')
      return
    }
    const prefixes = this.#prefixesOf(choice.options, follow)
    const decision = decide(prefixes)
    const done = new Label()
    if (this.#isLarge(choice, decision)) this.#emitOptionsInOrder(choice, prefixes, follow)
    else this.#emitDecided(choice, decision, { follow, done, behind: follow, again: done })
  }

  /** Whether the code of options that several leaves lead to would be too much. */
  #isLarge({ options }: ChoicePattern, decision: Decision): boolean {
    const leaves = leavesOf(decision)
    const copies = options.reduce((size, option, i) => size + (usesOf(i, leaves) - 1) * sizeOf(option), 0)
    return copies > LARGEST_COPY * options.length
  }

  /** Decides by the next bytes, with a block of code for each leaf. */
  #emitDecided(choice: ChoicePattern, decision: Decision, ends: ChoiceEnds): void {
    if (isDecisive(decision)) this.#decided++
    const leaves = leavesOf(decision)
    const waiting = new Set(leaves)
    const blocks = new Map<Decision, Label>(leaves.map((leaf) => [leaf, new Label()]))
    const emitBlock = (leaf: DecisionLeaf): boolean => {
      if (!waiting.delete(leaf)) return false
      this.#code.place(blocks.get(leaf) as Label)
      this.#emitTries(choice, leaf, ends)
      return true
    }
    const expects = leaves.length > 1 ? this.#analysis.expectations(choice) : []
    emitDecision(this.#code, decision, blocks, emitBlock, this.#note(expects, choice.path ?? []))
    for (const leaf of waiting) emitBlock(leaf)
    this.#code.place(ends.done)
  }

  /**
   * How each option begins. Only of the last one, what comes behind it counts: an earlier one that matches is taken, and no other is
   * tried when what comes behind it then fails.
   */
  #prefixesOf(options: readonly Pattern[], follow: Prefixes): Prefixes[] {
    return options.map((option, i) => {
      const first = this.#analysis.first(option)
      return i === options.length - 1 ? concatenate(first, () => follow) : leaveOpen(first)
    })
  }

  /** Tries the options that a leaf leaves, in their order. */
  #emitTries(choice: ChoicePattern, leaf: DecisionLeaf, { follow, done, behind, again }: ChoiceEnds): void {
    const options = leaf.isRefused ? this.#chooseRefused(choice, leaf) : leaf.options
    if (leaf.isRefused) this.#refusals++
    this.#emitTriesOf(choice, options, { follow, done, behind, again })
    if (leaf.isRefused) this.#refusals--
  }

  #emitTriesOf(choice: ChoicePattern, options: readonly number[], { follow, done, behind, again }: ChoiceEnds): void {
    for (const number of options.slice(0, -1)) {
      const tried = choice.options[number] as Pattern
      if (this.#emitListed(tried, again)) continue
      this.#emitTry(tried, again)
      this.#noteRewind(tried, choice.at)
    }
    // Where the last option can match nothing, it is for what comes behind to fail.
    const number = choice.options.length - 1
    const otherwise = this.#analysis.isNullable(choice.options[number] as Pattern) ? number : undefined
    const last = options.at(-1) ?? otherwise
    if (last === undefined) {
      this.#code.emit('FAIL')
      return
    }
    this.#emit(choice.options[last] as Pattern, last === number ? follow : behind)
    this.#code.emit('JUMP', [last === number ? done : again])
  }

  /** Options that will all fail: all of them, if they are small, else the one that probably fails last. */
  #chooseRefused({ options }: ChoicePattern, leaf: DecisionLeaf): readonly number[] {
    const size = leaf.options.reduce((sum, number) => sum + sizeOf(options[number] as Pattern), 0)
    if (size <= LARGEST_COPY) return leaf.options
    const lengths = leaf.options.map((number) => this.#analysis.headLength(options[number] as Pattern))
    return [leaf.options[lengths.indexOf(Math.min(...lengths))] as number]
  }

  /** An option that fails before it has matched anything needs no rewind entry. False for another. */
  #emitListed(option: Pattern, done: Label): boolean {
    const [listed, ...rest] = itemsOf(option)
    if (listed?.kind !== 'listed' || !rest.every(({ kind }) => kind === 'leaf' || kind === 'close')) return false
    const next = new Label()
    emitListed(this.#code, listed, next, this.#note(listed.expects, listed.path))
    for (const item of rest) this.#emit(item, ANYTHING)
    this.#code.emit('JUMP', [done])
    this.#code.place(next)
    return true
  }

  /** Tries one option: goes to `done` when it matches, and on behind it when it fails. */
  #emitTry(option: Pattern, done: Label): void {
    const next = new Label()
    const matched = new Label()
    // Nodes that were opened before the choice lie below the rewind entry: they are closed when it has gone.
    const items = itemsOf(option)
    const end = items.length - Math.max(0, -netOpens(option))
    this.#code.emit('CHOICE', [next])
    this.#emit(sequence(items.slice(0, end)), ANYTHING)
    this.#code.emit('COMMIT', [end === items.length ? done : matched])
    if (end < items.length) {
      this.#code.place(matched)
      for (const close of items.slice(end)) this.#emit(close, ANYTHING)
      this.#code.emit('JUMP', [done])
    }
    this.#code.place(next)
  }

  /** Options one after the other, none put down twice: each with a look at its first bytes, and a rewind entry if a later one may match. */
  #emitOptionsInOrder(choice: ChoicePattern, prefixes: readonly Prefixes[], follow: Prefixes): void {
    const done = new Label()
    choice.options.forEach((option, i) => {
      const next = new Label()
      const decision = decide([prefixes[i] as Prefixes, unite(...prefixes.slice(i + 1))])
      const may = new Label()
      const blocks = new Map<Decision, Label>(
        leavesOf(decision).map((leaf) => [leaf, leaf.options.includes(0) ? may : next]),
      )
      const note = this.#note(this.#analysis.expectations(option), choice.path ?? [])
      emitDecision(this.#code, decision, blocks, () => false, note)
      this.#code.place(may)
      if (isDecisive(decision)) {
        this.#emit(option, follow)
        this.#code.emit('JUMP', [done])
      } else {
        this.#emitTry(option, done)
        this.#noteRewind(option, choice.at)
      }
      this.#code.place(next)
    })
    this.#code.emit('FAIL')
    this.#code.place(done)
  }

  // Repetitions.

  #emitRepeat(repeat: RepeatPattern, follow: Prefixes): void {
    const { operand, min, max, at } = repeat
    if (min === 0 && max === 1) {
      this.#emitChoice({ kind: 'choice', options: [operand, EMPTY], at }, follow)
      return
    }
    if (max !== Number.POSITIVE_INFINITY || min > 1) {
      this.#emitCounted(repeat, follow)
      return
    }
    const { decision, behind } = this.#decideRound(operand, follow)
    if (operand.kind === 'choice' && min === 0 && this.#emitChoiceLoop(operand, follow, behind)) return
    const isDecided = isDecisive(decision)
    if (isDecided) this.#decided++
    const body = isDecided ? operand : this.#share(operand)
    // Where no byte leads to a round, the first one must still fail.
    const startsInside = min === 1 && isDecided && leavesOf(decision).some(isSurelyRound)
    if (min === 1 && !startsInside) this.#emit(body, behind)
    this.#emitLoop(body, decision, behind, { startsInside, at, original: operand })
  }

  /** A repetition of a choice as one choice, of another round and of the end. False where that would be too much code. */
  #emitChoiceLoop({ options, at }: ChoicePattern, follow: Prefixes, behind: Prefixes): boolean {
    const choice: ChoicePattern = { kind: 'choice', options: [...options, EMPTY], at }
    const decision = decide(this.#prefixesOf(choice.options, follow))
    if (this.#isLarge(choice, decision)) return false
    const again = new Label()
    this.#code.place(again)
    this.#emitDecided(choice, decision, { follow, done: new Label(), behind, again })
    return true
  }

  /** What the next bytes say of one more round (0) against going on behind the repetition (1). */
  #decideRound(operand: Pattern, follow: Prefixes): { decision: Decision; behind: Prefixes } {
    const first = this.#analysis.first(operand)
    const behind = unite(leaveOpen(first), follow)
    return { decision: decide([leaveOpen(first), follow]), behind }
  }

  #emitLoop(
    body: Pattern,
    decision: Decision,
    behind: Prefixes,
    { startsInside, at, original }: { startsInside: boolean; at: TextRange | undefined; original: Pattern },
  ): void {
    const code = this.#code
    const loop = new Label()
    const done = new Label()
    const leaves = leavesOf(decision)
    const blocks = new Map<Decision, Label>(leaves.map((leaf) => [leaf, leaf.options.includes(0) ? new Label() : done]))
    const surely = leaves.find(isSurelyRound)
    // Where it will fail either way, what fails in the round is found by trying it, unless that is too much code.
    const isCopied = ({ isRefused }: DecisionLeaf) => !isRefused || sizeOf(body) <= LARGEST_COPY
    if (surely)
      for (const leaf of leaves)
        if (!isCopied(leaf) && blocks.get(leaf) !== done) blocks.set(leaf, blocks.get(surely) as Label)
    if (startsInside && surely) code.emit('JUMP', [blocks.get(surely) as Label])
    code.place(loop)
    const waiting = new Set(leaves.filter((leaf) => leaf.options.includes(0) && (isCopied(leaf) || !surely)))
    const emitBlock = (leaf: DecisionLeaf): boolean => {
      if (!waiting.delete(leaf)) return false
      code.place(blocks.get(leaf) as Label)
      if (leaf.options.length === 1) {
        this.#emit(body, behind)
        code.emit('JUMP', [loop])
      } else {
        if (leaf.isRefused) this.#refusals++
        this.#emitTriedRounds(body, { loop, done, isAlways: leaves.length === 1 })
        this.#noteRewind(original, at)
        if (leaf.isRefused) this.#refusals--
      }
      return true
    }
    const expects = leaves.length > 1 ? this.#analysis.expectations(original) : []
    emitDecision(this.#code, decision, blocks, emitBlock, this.#note(expects, []))
    for (const leaf of waiting) emitBlock(leaf)
    code.place(done)
  }

  /** A round that may fail; the next one goes back to `loop`, to look again, or is tried at once when looking never helps. */
  #emitTriedRounds(body: Pattern, { loop, done, isAlways }: { loop: Label; done: Label; isAlways: boolean }): void {
    const code = this.#code
    const again = new Label()
    code.emit('CHOICE', [done])
    code.place(again)
    this.#emit(body, ANYTHING)
    if (isAlways) code.emit('PARTIAL_COMMIT', [again])
    else code.emit('COMMIT', [loop])
  }

  /** Rounds that are counted in a frame. */
  #emitCounted({ operand, min, max, at }: RepeatPattern, follow: Prefixes): void {
    const code = this.#code
    const { decision, behind } = this.#decideRound(operand, follow)
    const body = this.#share(operand)
    const required = new Label()
    const step = new Label()
    const count = new Label()
    const done = new Label()
    code.emit('OPEN')
    code.emit('JUMP', [count])
    code.place(required)
    this.#emit(body, behind)
    code.place(step)
    code.emit('STEP')
    code.place(count)
    code.emit('COUNT', [required, min, Math.min(max, 0xffffffff), done])
    const round = new Label()
    const blocks = new Map<Decision, Label>(
      leavesOf(decision).map((leaf) => [leaf, leaf.options.includes(0) && !leaf.isRefused ? round : done]),
    )
    const note = this.#note(this.#analysis.expectations(operand), [])
    emitDecision(this.#code, decision, blocks, () => false, note)
    code.place(round)
    if (!isDecisive(decision)) {
      this.#emitTry(body, step)
      this.#noteRewind(operand, at)
    } else {
      this.#emit(body, behind)
      code.emit('JUMP', [step])
    }
    code.place(done)
    code.emit('DROP')
  }

  /** The pattern, or where it is large a call of it, so that it can be put down several times. */
  #share(pattern: Pattern): Pattern {
    if (sizeOf(pattern) <= LARGEST_COPY || contains(pattern, ({ kind }) => kind === 'cut')) return pattern
    const procedure: Procedure = { rule: '', mode: 'silent', body: pattern }
    const label = new Label()
    this.#labels.set(procedure, label)
    this.#shared.push({ label, pattern })
    return { kind: 'call', procedure, path: [], begins: [] }
  }

  // Look-ahead.

  #emitLook({ operand, isNegative }: LookPattern): void {
    const code = this.#code
    const done = new Label()
    const failed = new Label()
    if (operand.kind === 'class' && isDecidedByByte(operand)) {
      code.emit('TEST', [isNegative ? done : failed, 0, code.set(operand.set.firstBytes)])
      if (!isNegative) code.emit('JUMP', [done])
      code.place(failed)
      code.emit('FAIL')
      code.place(done)
      return
    }
    code.emit('LOOK', [isNegative ? done : failed])
    this.#emit(operand, ANYTHING)
    code.emit('BACK_COMMIT', [isNegative ? failed : done])
    code.place(failed)
    code.emit('FAIL')
    code.place(done)
  }

  #noteRewind(tried: Pattern, at: TextRange | undefined): void {
    if (this.#refusals > 0) return
    const { rule, mode } = this.#procedure
    this.#rewindPoints.push({ rule, mode, at, tried })
  }

  #note(expects: readonly Expectation[], path: readonly string[]): Note {
    return { expects, rules: [this.#procedure.rule, ...path], begins: [] }
  }
}

/** Whether a leaf of a repetition leaves one more round, and not its end. */
function isSurelyRound({ options, isRefused }: DecisionLeaf): boolean {
  return !isRefused && options.length === 1 && options[0] === 0
}

/** Whether the first byte says whether a code point of the class comes. */
function isDecidedByByte({ set, min, max }: ClassPattern): boolean {
  return min === 1 && max === 1 && ByteSet.ALL.list.every((byte) => set.coverageOfFirstByte(byte) !== 'some')
}

/** How often an option is put down. */
function usesOf(option: number, leaves: readonly DecisionLeaf[]): number {
  return leaves.filter(({ options, isRefused }) => !isRefused && options.includes(option)).length
}
