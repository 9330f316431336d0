// From patterns to a program. Wherever there is something to choose, the next bytes decide if they can (decision.ts), and a rewind
// entry is made only for what they leave open.

import { Assembler, Label } from '../../machine/program/assembler.ts'
import { ByteSet } from '../../machine/program/byte-set.ts'
import { type Note, type Place, type Program, roundHead, roundsHead } from '../../machine/program/program.ts'
import { EntryFlag } from '../../machine/program/registers.ts'
import { Analysis, findIdlers } from '../analysis/analysis.ts'
import {
  type Decision,
  type DecisionLeaf,
  decide,
  decideOptions,
  decideRound,
  isDecisive,
  leavesOf,
} from '../analysis/decision.ts'
import {
  ANYTHING,
  asFollow,
  concatenate,
  followRound,
  joinFirstBytes,
  openOptions,
  type Prefixes,
  uniteOptions,
} from '../analysis/prefix.ts'
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
  type Origin,
  type Pattern,
  type Procedure,
  type Recovery,
  type RepeatPattern,
  type RoundsPattern,
  sequence,
  sizeOf,
  type Terminal,
} from '../pattern/pattern.ts'
import type { TextRange } from '../syntax/expression.ts'
import { emitDecision } from './emit-decision.ts'
import { emitAction, emitListed, emitTerminal } from './emit-terminal.ts'
import { type Expectations, rulesOf } from './expectations.ts'

/** A place where the machine may have to go back. */
export interface RewindPoint {
  readonly rule: string
  readonly mode: Mode
  /** The choice or the repetition in the grammar's text; undefined for one that a pass made. */
  readonly at: TextRange | undefined
  readonly origin: Origin | undefined
  /** What can be matched here, in the order in which it is tried; for a repetition, a round and the empty pattern: its end. */
  readonly options: readonly Pattern[]
  /** Index in `options` of what is being tried while the machine may still go back. What may be tried when that fails comes after it. */
  readonly tried: number
}

/** What {@link assemble} gives. */
export interface Assembly {
  readonly program: Program
  readonly rewindPoints: readonly RewindPoint[]
  /** Choices and repetitions that are decided by the next bytes. */
  readonly decided: number
}

/** What is assembled. */
export interface Assemblage {
  readonly entry: Procedure
  /** All that the entry can reach. */
  readonly procedures: readonly Procedure[]
  /** Whether anything may come after the entry. */
  readonly isPartial: boolean
  readonly ruleLabels: ReadonlyMap<string, string>
  readonly expectations: Expectations
}

/**
 * Size of all additional copies of a pattern, in patterns. A pattern inside a copy is copied with it. So the limit applies to all copies together:
 * otherwise the code would double with each level of nesting.
 */
const LARGEST_COPY = 24

/** Assembles procedures. Throws a `RangeError` with the code `program-too-large`. */
export function assemble(assemblage: Assemblage): Assembly {
  // Behind an option that is tried, a failure is not what it is inside: the option has been taken then, and no other will be. So what
  // comes after must not decide anything in it. Which are tried is known when all is decided: until no more are. What has to be decided again
  // is only what something else can come after.
  const { entry, procedures, isPartial } = assemblage
  const analysis = new Analysis()
  const scratch = new ProgramAssembly(assemblage, analysis)
  const tried = new Set<Pattern>()
  let changed = analysis.findFollows(procedures, entry, isPartial, tried)
  while (changed.size > 0) {
    const again = new Set<Procedure>()
    for (const procedure of changed) {
      for (const point of scratch.findRewindPoints(procedure)) {
        const pattern = point.options[point.tried] as Pattern
        if (!tried.has(pattern)) again.add(procedure)
        tried.add(pattern)
      }
    }
    changed = analysis.findFollows([...again], entry, isPartial, tried)
  }
  return new ProgramAssembly(assemblage, analysis).assemble()
}

/** Where the options of a choice go on, and how what is there begins: the last one at `done`, the others at `again`. */
interface ChoiceEnds {
  readonly follow: Prefixes
  readonly done: Label
  readonly following: Prefixes
  readonly again: Label
}

/** Where an option goes on: at `done`, where `follow` begins, when it has matched, and at `next` when it does not. */
interface OptionEnds {
  readonly follow: Prefixes
  readonly done: Label
  readonly next: Label
  readonly origin: Origin | undefined
  /** Called if the machine may have to go back. */
  readonly noteRewind: () => void
}

class ProgramAssembly {
  readonly #assemblage: Assemblage
  readonly #analysis: Analysis
  #code: Assembler
  readonly #labels = new Map<Procedure, Label>()
  readonly #idlers: ReadonlySet<Procedure>
  #rewindPoints: RewindPoint[] = []
  #decided = 0
  /** Patterns whose code is emitted once in the procedure, and called in several places. */
  readonly #shared = new Map<Pattern, CallPattern>()
  /** The numbers of the repetitions that are being assembled. */
  readonly #recoveries = new Map<Recovery, number>()
  /** How many copies of the current pattern are emitted. */
  #copies = 1
  /** The procedure that is being assembled. */
  #procedure: Procedure

  constructor(assemblage: Assemblage, analysis: Analysis) {
    const { entry, ruleLabels, expectations } = assemblage
    this.#assemblage = assemblage
    this.#analysis = analysis
    this.#procedure = entry
    this.#code = new Assembler(ruleLabels, expectations.start(entry.rule))
    this.#idlers = findIdlers(assemblage.procedures, analysis)
  }

  assemble(): Assembly {
    const { entry, procedures, isPartial } = this.#assemblage
    this.#code.emit('CALL', [this.#labelOf(entry)])
    if (!isPartial) this.#code.emit('END_OF_INPUT')
    this.#code.emit('DONE')
    for (const procedure of procedures) this.#assembleProcedure(procedure)
    return { program: this.#code.finish(), rewindPoints: this.#rewindPoints, decided: this.#decided }
  }

  /** Where the machine may have to go back in a procedure. The assembly makes no program then, and keeps no code. */
  findRewindPoints(procedure: Procedure): readonly RewindPoint[] {
    this.#rewindPoints = []
    this.#code = new Assembler()
    this.#assembleProcedure(procedure)
    return this.#rewindPoints
  }

  #labelOf(procedure: Procedure): Label {
    const label = this.#labels.get(procedure) ?? new Label()
    this.#labels.set(procedure, label)
    return label
  }

  #assembleProcedure(procedure: Procedure): void {
    const { rule, mode, body } = procedure
    this.#procedure = procedure
    this.#code.place(this.#labelOf(procedure))
    this.#code.beginProcedure(rule)
    if (this.#idlers.has(procedure)) this.#code.emit('TICK')
    if (mode === 'part') this.#code.emit('BEGIN_PART')
    this.#emit(body, this.#analysis.follow(procedure))
    if (mode === 'part') this.#code.emit('END_PART', [this.#code.partType(rule)])
    else if (mode === 'tree') this.#code.emit('RETURN_NODE', [this.#code.type(rule)])
    else this.#code.emit('RETURN')
    // The loop also visits patterns that are added while it runs.
    for (const [pattern, call] of this.#shared) {
      this.#code.place(this.#labelOf(call.procedure))
      this.#code.beginProcedure('')
      this.#emit(pattern, ANYTHING) // it may be tried
      this.#code.emit('RETURN')
    }
    this.#shared.clear()
  }

  /** `follow`: how what comes after the pattern begins. */
  #emit(pattern: Pattern, follow: Prefixes): void {
    const code = this.#code
    switch (pattern.kind) {
      case 'literal':
      case 'class':
      case 'name':
      case 'listed':
      case 'until':
      case 'match':
        emitTerminal(this.#code, pattern, this.#noteOfTerminal(pattern))
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
      case 'rounds':
        this.#emitRounds(pattern, follow)
        break
      case 'round':
        code.emit('OPEN', [roundHead(this.#recoveries.get(pattern.recovery) as number)])
        this.#emit(pattern.operand, follow)
        code.emit('DROP')
        break
      case 'look':
        this.#emitLook(pattern)
        break
      case 'call':
        this.#emitCall(pattern)
        break
      case 'open':
        code.emit('OPEN', [0])
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
        code.emit('THROW', [code.label(pattern.message)], this.#note(pattern.origins))
        break
    }
  }

  #emitSequence(items: readonly Pattern[], follow: Prefixes): void {
    const follows: Prefixes[] = []
    let following = follow
    for (const item of items.toReversed()) {
      follows.push(following)
      following = this.#analysis.prefixes.once(concatenate, [this.#analysis.first(item), following])
    }
    for (const item of items) this.#emit(item, follows.pop() as Prefixes)
  }

  #emitCall({ procedure, origins }: CallPattern): void {
    this.#code.emit('CALL', [this.#labelOf(procedure)], this.#note(origins))
  }

  // Choices.

  #emitChoice(choice: ChoicePattern, follow: Prefixes): void {
    if (choice.options.length === 0) {
      this.#code.emit('FAIL')
      return
    }
    const firsts = this.#firstsOf(choice.options, follow)
    const decision = this.#analysis.prefixes.once(decideOptions, firsts)
    const done = new Label()
    if (this.#isLarge(choice, decision)) this.#emitOptionsInOrder(choice, openOptions(firsts), follow)
    else this.#emitDecided(choice, decision, { follow, done, following: follow, again: done })
  }

  /** Whether the code of options that several leaves lead to would be too much. */
  #isLarge(choice: ChoicePattern, decision: Decision): boolean {
    const { options } = choice
    const uses = this.#countUses(choice, decision)
    const copied = options.reduce((size, option, i) => size + ((uses.get(i) ?? 0) - 1) * sizeOf(option), 0)
    return copied * this.#copies > LARGEST_COPY * options.length
  }

  /** How many leaves lead to each option. */
  #countUses(choice: ChoicePattern, decision: Decision): Map<number, number> {
    const uses = new Map<number, number>()
    for (const leaf of leavesOf(decision)) {
      const last = this.#findLast(choice, leaf)
      const options = last === undefined || leaf.options.includes(last) ? leaf.options : [last]
      for (const option of options) uses.set(option, (uses.get(option) ?? 0) + 1)
    }
    return uses
  }

  /** The option that is not tried, but taken. If no option is left and the last one can match nothing, it is taken: what follows it then fails. */
  #findLast({ options: all }: ChoicePattern, { options, doomed }: DecisionLeaf): number | undefined {
    const last = options.at(-1)
    if (last !== undefined || doomed.length > 0) return last
    return this.#analysis.isNullable(all.at(-1) as Pattern) ? all.length - 1 : undefined
  }

  /** Emits a pattern of which there are `count` copies. */
  #emitCopies(count: number, emit: () => void): void {
    const around = this.#copies
    this.#copies *= count
    emit()
    this.#copies = around
  }

  /** Decides by the next bytes, with a block of code for each leaf. */
  #emitDecided(choice: ChoicePattern, decision: Decision, ends: ChoiceEnds): void {
    if (isDecisive(decision)) this.#decided++
    const leaves = leavesOf(decision)
    const waiting = new Set(leaves)
    const blocks = new Map<Decision, Label>(leaves.map((leaf) => [leaf, new Label()]))
    const bodies = new Bodies(this.#countUses(choice, decision))
    const emitBlock = (leaf: DecisionLeaf): boolean => {
      if (!waiting.delete(leaf)) return false
      this.#code.place(blocks.get(leaf) as Label)
      this.#emitDoomed(leaf, bodies)
      this.#emitTries(choice, leaf, ends, bodies)
      return true
    }
    emitDecision(this.#code, decision, blocks, emitBlock, this.#noteOfLook(choice.origin))
    for (const leaf of waiting) emitBlock(leaf)
    this.#emitBodies(choice.options, bodies)
    this.#code.place(ends.done)
  }

  /** Tries options that will fail, for messages: in the code that is put down for them anyway. Where no other is left, the last one need not come back. */
  #emitDoomed({ options, doomed }: DecisionLeaf, bodies: Bodies): void {
    doomed.forEach((number, i) => {
      const next = new Label()
      const isLast = options.length === 0 && i === doomed.length - 1
      if (!isLast) this.#code.emit('CHOICE', [next])
      this.#code.emit('JUMP', [bodies.use(number)])
      if (!isLast) this.#code.place(next)
    })
  }

  /** Puts down those options that nothing but what is doomed leads to. */
  #emitBodies(options: readonly Pattern[], bodies: Bodies): void {
    for (const [number, label] of bodies.missing) {
      this.#code.place(label)
      this.#emit(options[number] as Pattern, ANYTHING)
      this.#code.emit('FAIL')
    }
  }

  /** How each option begins, and what follows them. */
  #firstsOf(options: readonly Pattern[], follow: Prefixes): Prefixes[] {
    return [...options.map((option) => this.#analysis.first(option)), follow]
  }

  /** Tries the options that a leaf leaves, in their order. */
  #emitTries(
    choice: ChoicePattern,
    leaf: DecisionLeaf,
    { follow, done, following, again }: ChoiceEnds,
    bodies: Bodies,
  ): void {
    const { options, doomed } = leaf
    const patterns = options.map((option) => choice.options[option] as Pattern)
    for (const [i, option] of options.slice(0, -1).entries()) {
      const tried = patterns[i] as Pattern
      if (this.#emitListed(tried, again)) continue
      this.#emitCopies(bodies.count(option), () => this.#emitTry(tried, again, bodies.place(option)))
      this.#noteRewind(choice, patterns, i)
    }
    const number = choice.options.length - 1
    const last = this.#findLast(choice, leaf)
    if (last !== undefined) {
      const option = choice.options[last] as Pattern
      this.#code.place(bodies.place(last))
      this.#emitCopies(bodies.count(last), () => this.#emit(option, last === number ? follow : following))
      this.#code.emit('JUMP', [last === number ? done : again])
    } else if (doomed.length === 0) {
      this.#code.emit('FAIL')
    }
  }

  /** An option that fails before it has matched anything needs no rewind entry. False for another. */
  #emitListed(option: Pattern, done: Label): boolean {
    const [listed, ...rest] = itemsOf(option)
    if (listed?.kind !== 'listed' || !rest.every(({ kind }) => kind === 'leaf' || kind === 'close')) return false
    const next = new Label()
    emitListed(this.#code, listed, next, this.#noteOfTerminal(listed))
    for (const item of rest) this.#emit(item, ANYTHING)
    this.#code.emit('JUMP', [done])
    this.#code.place(next)
    return true
  }

  /** Tries one option: goes to `done` when it matches, and on after it when it fails. */
  #emitTry(option: Pattern, done: Label, body: Label): void {
    const next = new Label()
    const matched = new Label()
    // Nodes that were opened before the choice lie below the rewind entry: they are closed when it has gone.
    const items = itemsOf(option)
    const end = items.length - Math.max(0, -netOpens(option))
    this.#code.emit('CHOICE', [next])
    this.#code.place(body)
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
    const rests: Prefixes[] = [[]]
    for (const first of prefixes.toReversed()) rests.push(uniteOptions([first, rests.at(-1) as Prefixes]))
    const done = new Label()
    choice.options.forEach((option, i) => {
      const decision = this.#analysis.prefixes.once(decide, [
        prefixes[i] as Prefixes,
        rests[prefixes.length - 1 - i] as Prefixes,
      ])
      const noteRewind = () => this.#noteRewind(choice, choice.options, i)
      this.#emitUnlessRefused(option, decision, { follow, done, next: new Label(), origin: choice.origin, noteRewind })
    })
    this.#code.emit('FAIL')
    this.#code.place(done)
  }

  /** Emits the first option of a decision, where the next bytes do not refuse it. */
  #emitUnlessRefused(option: Pattern, decision: Decision, ends: OptionEnds): void {
    const code = this.#code
    const { follow, done, next, origin, noteRewind } = ends
    const may = new Label()
    const doomed = new Label()
    const body = new Label()
    const leaves = leavesOf(decision)
    const blockOf = (leaf: DecisionLeaf) => {
      return leaf.options.includes(0) ? may : leaf.doomed.includes(0) ? doomed : next
    }
    const blocks = new Map<Decision, Label>(leaves.map((leaf) => [leaf, blockOf(leaf)]))
    emitDecision(code, decision, blocks, () => false, this.#noteOfLook(origin))
    if (leaves.some((leaf) => blockOf(leaf) === doomed)) {
      code.place(doomed)
      code.emit('CHOICE', [next])
      code.emit('JUMP', [body])
    }
    code.place(may)
    if (isDecisive(decision)) {
      code.place(body)
      this.#emit(option, follow)
      code.emit('JUMP', [done])
    } else {
      this.#emitTry(option, done, body)
      noteRewind()
    }
    code.place(next)
  }

  // Repetitions.

  #emitRepeat(repeat: RepeatPattern, after: Prefixes): void {
    const { operand, min, max, at, origin } = repeat
    // A look-ahead may refuse a round whatever its bytes are. Then what comes after the repetition is tried, though it will fail: that is what messages are about.
    const follow = beginsWithLook(operand) ? asFollow(joinFirstBytes(after)) : after
    if (min === 0 && max === 1) {
      this.#emitChoice({ kind: 'choice', options: [operand, EMPTY], at, origin }, follow)
      return
    }
    if (max !== Number.POSITIVE_INFINITY || min > 1) {
      this.#emitCounted(repeat, follow)
      return
    }
    const { decision, following } = this.#decideRound(operand, follow)
    if (operand.kind === 'choice' && min === 0 && this.#emitChoiceLoop(operand, follow, following)) return
    const isDecided = isDecisive(decision)
    if (isDecided) this.#decided++
    // Where no byte leads to a round, the first one must still fail.
    const startsInside = min === 1 && isDecided && leavesOf(decision).some(isSurelyRound)
    const isBefore = min === 1 && !startsInside
    const count = leavesOf(decision).filter(hasRound).length + Number(isBefore)
    this.#emitShared(operand, count, (body) => {
      if (isBefore) this.#emit(body, following)
      this.#emitLoop(body, decision, following, { startsInside, repeat })
    })
  }

  /** A repetition of a choice as one choice, of another round and of the end. False where that would be too much code. */
  #emitChoiceLoop({ options, at, origin }: ChoicePattern, follow: Prefixes, following: Prefixes): boolean {
    const choice: ChoicePattern = { kind: 'choice', options: [...options, EMPTY], at, origin }
    const decision = this.#analysis.prefixes.once(decideOptions, this.#firstsOf(choice.options, follow))
    if (this.#isLarge(choice, decision)) return false
    const again = new Label()
    this.#code.place(again)
    this.#emitDecided(choice, decision, { follow, done: new Label(), following, again })
    return true
  }

  /** What the next bytes say of one more round (0) against continuing after the repetition (1). */
  #decideRound(operand: Pattern, follow: Prefixes): { decision: Decision; following: Prefixes } {
    const ways = [this.#analysis.first(operand), follow] as const
    const { prefixes } = this.#analysis
    return { decision: prefixes.once(decideRound, ways), following: prefixes.once(followRound, ways) }
  }

  #emitLoop(
    body: Pattern,
    decision: Decision,
    following: Prefixes,
    { startsInside, repeat }: { startsInside: boolean; repeat: RepeatPattern },
  ): void {
    const code = this.#code
    const loop = new Label()
    const done = new Label()
    const bodies = new Bodies(new Map())
    const leaves = leavesOf(decision)
    const hasBlock = ({ options, doomed }: DecisionLeaf) => options.includes(0) || doomed.length > 0
    const blocks = new Map<Decision, Label>(leaves.map((leaf) => [leaf, hasBlock(leaf) ? new Label() : done]))
    const surely = leaves.find(isSurelyRound)
    if (startsInside && surely) code.emit('JUMP', [blocks.get(surely) as Label])
    code.place(loop)
    const waiting = new Set(leaves.filter(hasBlock))
    const emitBlock = (leaf: DecisionLeaf): boolean => {
      if (!waiting.delete(leaf)) return false
      const { options, doomed } = leaf
      code.place(blocks.get(leaf) as Label)
      if (doomed.length > 0) {
        if (options.length > 0) code.emit('CHOICE', [done])
        code.emit('JUMP', [bodies.use(0)])
      } else if (options.length === 1) {
        code.place(bodies.place(0))
        this.#emit(body, following)
        code.emit('JUMP', [loop])
      } else {
        this.#emitTriedRounds(body, { loop, done, start: bodies.place(0), isAlways: leaves.length === 1 })
        this.#noteRewind(repeat, [repeat.operand, EMPTY], 0)
      }
      return true
    }
    emitDecision(code, decision, blocks, emitBlock, this.#noteOfLook(repeat.origin))
    for (const leaf of waiting) emitBlock(leaf)
    this.#emitBodies([body], bodies)
    code.place(done)
  }

  /** A round that may fail; the next one goes back to `loop`, to look again, or is tried at once when looking never helps. */
  #emitTriedRounds(
    body: Pattern,
    { loop, done, start, isAlways }: { loop: Label; done: Label; start: Label; isAlways: boolean },
  ): void {
    const code = this.#code
    const again = new Label()
    code.emit('CHOICE', [done])
    code.place(again)
    code.place(start)
    this.#emit(body, ANYTHING)
    if (isAlways) code.emit('PARTIAL_COMMIT', [again])
    else code.emit('COMMIT', [loop])
  }

  /** A repetition in a frame of its own, to which reading goes back after an error in a round (machine/run/recovery.ts). It says where it ends, and where a round begins after an error. */
  #emitRounds({ operand, search, again, recovery, origin }: RoundsPattern, follow: Prefixes): void {
    const code = this.#code
    const [start, done, skip, end] = [new Label(), new Label(), new Label(), new Label()] as const
    const number = code.recovery(skip, this.#assemblage.expectations.placeOf(origin, true))
    this.#recoveries.set(recovery, number)
    code.emit('OPEN', [roundsHead(number)])
    code.place(start)
    this.#emit(operand, follow)
    code.place(done)
    code.emit('SIGNAL', [number, code.literals([])])
    code.emit('DROP')
    code.emit('JUMP', [end])
    code.place(skip)
    this.#emit(search, ANYTHING)
    code.emit('SIGNAL', [number, code.literals([])])
    if (again) this.#emit(again, follow)
    code.emit('JUMP', [again ? done : start])
    code.place(end)
  }

  /** Rounds that are counted in a frame. */
  #emitCounted(repeat: RepeatPattern, follow: Prefixes): void {
    const { operand } = repeat
    const { decision, following } = this.#decideRound(operand, follow)
    this.#emitShared(operand, 2, (body) => this.#emitCountedRounds(body, repeat, decision, following))
  }

  #emitCountedRounds(body: Pattern, repeat: RepeatPattern, decision: Decision, following: Prefixes): void {
    const code = this.#code
    const { operand, min, max, origin } = repeat
    const required = new Label()
    const step = new Label()
    const count = new Label()
    const done = new Label()
    code.emit('OPEN', [EntryFlag.ROUNDS])
    code.emit('JUMP', [count])
    code.place(required)
    this.#emit(body, following)
    code.place(step)
    code.emit('STEP')
    code.place(count)
    code.emit('COUNT', [required, min, Math.min(max, 0xffffffff), done])
    const noteRewind = () => this.#noteRewind(repeat, [operand, EMPTY], 0)
    this.#emitUnlessRefused(body, decision, { follow: following, done: step, next: done, origin, noteRewind })
    code.emit('DROP')
  }

  /** Emits code that has `count` copies of a pattern, or, if the pattern is large, calls of it. */
  #emitShared(pattern: Pattern, count: number, emit: (body: Pattern) => void): void {
    const isLarge = sizeOf(pattern) * (count - 1) * this.#copies > LARGEST_COPY
    if (isLarge && !contains(pattern, isCut) && pattern.kind !== 'round') emit(this.#share(pattern))
    else this.#emitCopies(count, () => emit(pattern))
  }

  /** A call of the pattern, whose code is emitted once. */
  #share(pattern: Pattern): CallPattern {
    const known = this.#shared.get(pattern)
    if (known) return known
    const procedure: Procedure = { rule: '', mode: 'silent', body: pattern }
    const call: CallPattern = { kind: 'call', procedure, origins: [] }
    this.#shared.set(pattern, call)
    return call
  }

  // Look-ahead.

  #emitLook({ operand, isNegative, origins }: LookPattern): void {
    const code = this.#code
    const note = { ...this.#note(origins), looks: origins.map(({ expression }) => expression.at.start) }
    const done = new Label()
    const failed = new Label()
    if (operand.kind === 'class' && isDecidedByByte(operand)) {
      code.emit('TEST', [isNegative ? done : failed, 0, code.set(operand.set.firstBytes)], note)
      if (!isNegative) code.emit('JUMP', [done])
      code.place(failed)
      code.emit('FAIL')
      code.place(done)
      return
    }
    code.emit('LOOK', [isNegative ? done : failed])
    this.#emit(operand, ANYTHING)
    code.emit('BACK_COMMIT', [isNegative ? failed : done], note)
    code.place(failed)
    code.emit('FAIL')
    code.place(done)
  }

  #noteRewind({ at, origin }: ChoicePattern | RepeatPattern, options: readonly Pattern[], tried: number): void {
    const { rule, mode } = this.#procedure
    this.#rewindPoints.push({ rule, mode, at, origin, options, tried })
  }

  // Notes.

  #noteOfTerminal(pattern: Terminal): Note {
    const isCounted = pattern.kind === 'class' && pattern.max !== Number.POSITIVE_INFINITY
    const isCounting = isCounted && (pattern.min !== 1 || pattern.max !== 1)
    const restPlaces = pattern.kind === 'name' ? this.#placesOf(pattern.restOrigins, false) : []
    return { ...this.#note(pattern.origins, isCounting), restPlaces }
  }

  #note(origins: readonly Origin[], isCounting = false): Note {
    return { ...this.#noteOfLook(origins.at(-1)), places: this.#placesOf(origins, isCounting) }
  }

  #noteOfLook(origin: Origin | undefined): Note {
    return { rules: origin ? rulesOf(origin) : [this.#procedure.rule], places: [], restPlaces: [] }
  }

  #placesOf(origins: readonly Origin[], isCounting: boolean): Place[] {
    return origins.map((origin) => this.#assemblage.expectations.placeOf(origin, isCounting))
  }
}

/** Where the code of options begins. */
class Bodies {
  readonly #labels = new Map<number, Label>()
  readonly #placed = new Set<number>()
  readonly #counts: ReadonlyMap<number, number>

  /** `counts`: how many copies of each option are emitted. */
  constructor(counts: ReadonlyMap<number, number>) {
    this.#counts = counts
  }

  count(option: number): number {
    return this.#counts.get(option) ?? 1
  }

  /** The label of an option, which something leads to. */
  use(option: number): Label {
    const label = this.#labels.get(option) ?? new Label()
    this.#labels.set(option, label)
    return label
  }

  /** The label to place where the code of an option begins; one of no use where there is such code already. */
  place(option: number): Label {
    if (this.#placed.has(option)) return new Label()
    this.#placed.add(option)
    return this.use(option)
  }

  /** Options that something leads to, and that have no code. */
  get missing(): [option: number, label: Label][] {
    return [...this.#labels].filter(([option]) => !this.#placed.has(option))
  }
}

/** Whether a leaf of a repetition leads to a round. */
function hasRound({ options, doomed }: DecisionLeaf): boolean {
  return options.includes(0) && doomed.length === 0
}

/** Whether a look-ahead decides first whether a pattern matches, or an option of it. */
function beginsWithLook(pattern: Pattern): boolean {
  if (pattern.kind === 'sequence') return beginsWithLook(pattern.items.find(({ kind }) => kind !== 'open') as Pattern)
  return pattern.kind === 'look' || (pattern.kind === 'choice' && pattern.options.some(beginsWithLook))
}

function isCut({ kind }: Pattern): boolean {
  return kind === 'cut'
}

/** Whether a leaf of a repetition leaves one more round, and not its end. */
function isSurelyRound({ options, doomed }: DecisionLeaf): boolean {
  return options.length === 1 && options[0] === 0 && doomed.length === 0
}

/** Whether the first byte says whether a code point of the class comes. */
function isDecidedByByte({ set, min, max }: ClassPattern): boolean {
  return min === 1 && max === 1 && ByteSet.ALL.list.every((byte) => set.coverageOfFirstByte(byte) !== 'some')
}
