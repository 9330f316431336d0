// Reading on after errors: the repetition whose round is dropped, and the machine put back to where the next round begins.
//
// A repetition in which reading continues has a frame of its own, and each of its rounds has one above it. A round whose frame is there when the parse has
// failed could not end. Where the machine leaves such a repetition, because no other round matches, it stops, and its state is kept: as long as what comes
// next fails no farther than that round, the error is that of the round.

import type { ParseError } from '../../text/parse-error.ts'
import { sequenceLength } from '../../text/utf8.ts'
import { type Program, type RecoveryPoint, roundsHead, SEARCHED } from '../program/program.ts'
import { ENTRY_SIZE, EntryFlag, Register } from '../program/registers.ts'
import type { Machine, Outcome } from '../run/machine.ts'
import { restoreSnapshot, type Snapshot, takeSnapshot } from '../run/snapshot.ts'
import { type Parts, takeParts } from '../tree/tape.ts'
import { explainFailure } from './failure.ts'

/** A round that could not end. */
export interface Round {
  /** Where the frame of its repetition is on the stack. */
  readonly frame: number
  /** Offsets where it begins, in the input and on the tape. */
  readonly start: number
  readonly tapeEnd: number
  /** The state of the machine with that frame, where it is not the present one. */
  readonly state?: Snapshot
}

/** Where a repetition was left, and how far its last round came. */
interface Exit extends Round {
  readonly state: Snapshot
  readonly farthest: number
}

/** Runs one parse, and continues after errors where its program says so. */
export class Recovery {
  readonly #machine: Machine
  #exit: Exit | undefined
  /** The round that was dropped, while input is skipped. */
  #dropped: Round | undefined
  /** Where the next round was looked for last, up to what says that it begins: the end of the input if nothing does. */
  #searchedTo: number | undefined

  constructor(machine: Machine) {
    this.#machine = machine
  }

  #point(number: number): RecoveryPoint {
    return (this.#machine.program as Program).recoveries[number - 1] as RecoveryPoint
  }

  /** As `run` of the machine, for which it stands. */
  run(): Outcome {
    const machine = this.#machine
    const from = machine.retainedFrom
    for (;;) {
      // What was recorded after an exit may yet be undone.
      const outcome = machine.run(this.#exit !== undefined)
      if (this.#exit && !this.#isLive(this.#exit, outcome)) this.#forgetExit()
      if (outcome === 'malformed' && this.#dropped) machine.passMalformed()
      else if (outcome === 'signal') this.#note(from)
      else if (outcome !== 'part' || !this.#exit) return outcome
    }
  }

  /** The parts that are certain, as `takeParts` gives them. */
  takeParts(largestShare?: number): Parts[] {
    return this.#exit ? [] : takeParts(this.#machine, largestShare)
  }

  /** The round to drop after an error; undefined if no round is open, or nothing could be skipped. Take the parts after this. */
  find(outcome: Outcome): Round | undefined {
    const place = this.#placeOf(outcome)
    const open = this.#findOpen()
    const exit = this.#exit
    const isLeft = exit && exit.farthest >= place && (outcome === 'failed' || !open || exit.start > open.start)
    if (!isLeft) this.#forgetExit()
    const round = isLeft ? exit : open
    return round && round.start < this.#machine.inputEnd ? round : undefined
  }

  /** Whether the input ends there, and nothing before says that a round begins: that is one error. */
  isOver(outcome: Outcome): boolean {
    const place = this.#placeOf(outcome)
    return place === this.#searchedTo && place === this.#machine.inputEnd
  }

  /** Drops a round: the error, unless it was reported, after which the machine can be run again. */
  drop(round: Round, outcome: Outcome): ParseError | undefined {
    const machine = this.#machine
    const state = round.state ?? takeSnapshot(machine.memory)
    const place = this.#placeOf(outcome)
    const isKnown = this.isOver(outcome)
    const error = isKnown ? undefined : explainFailure(machine, outcome, machine.takenTo > round.start)
    restoreSnapshot(machine.memory, state)
    this.#forgetExit()
    if (outcome === 'malformed') machine.passMalformed()
    this.#skip(round, place)
    return error
  }

  /** Looks for where the next round begins, from an offset on. */
  #skip(round: Round, from: number): void {
    const { skip } = this.#point(this.#word(round.frame, 0) >>> 5)
    this.#machine.continueIn(round.frame, round.tapeEnd, skip, from)
    this.#dropped = round
  }

  /** Where the error is. */
  #placeOf(outcome: Outcome): number {
    const machine = this.#machine
    if (outcome === 'malformed') return machine.malformedAt as number
    // Where something failed beyond a label, that is what is wrong.
    return outcome === 'label' ? Math.max(machine.position, machine.farthest) : machine.farthest
  }

  /** The machine has left a repetition, or has skipped to what says that a round begins, or to where it may begin. */
  #note(retained: number): void {
    const machine = this.#machine
    const { memory } = machine
    const start = machine.position
    const dropped = this.#dropped
    const frame = memory.get(Register.STACK_TOP) - ENTRY_SIZE
    // What is skipped to may have repetitions in it.
    if (dropped && (memory.get(Register.QUIET) > 0 || frame !== dropped.frame)) return
    if (machine.label === SEARCHED) {
      this.#searchedTo = start
      return
    }
    if (dropped && start <= dropped.start) {
      // One byte of what is not text is a step, too.
      if (start === machine.malformedAt) machine.passMalformed()
      // What is kept begins where the round did.
      this.#skip(dropped, start + sequenceLength(machine.viewInput(start, start + 4), 0))
      return
    }
    if (dropped) {
      this.#dropped = undefined
      // It was looked at to find this place, and is an error of the round that begins here.
      machine.restoreMalformed()
      machine.startAnew(this.#point(machine.label).place)
      return
    }
    const farthest = Math.max(machine.farthest, start)
    // At the end of the input there is nothing to skip.
    if (memory.get(Register.QUIET) > 0 || start === machine.inputEnd || farthest === this.#exit?.farthest) return
    this.#exit = { frame, start, tapeEnd: memory.get(Register.TAPE_END), farthest, state: takeSnapshot(machine.memory) }
    machine.hold(retained)
  }

  #isLive({ farthest }: Exit, outcome: Outcome): boolean {
    const machine = this.#machine
    if (outcome === 'done' || machine.farthest > farthest) return false
    return machine.position <= farthest || machine.memory.get(Register.QUIET) > 0
  }

  #forgetExit(): void {
    if (this.#exit) this.#machine.hold(undefined)
    this.#exit = undefined
  }

  /** The innermost round that is open on the stack, outside of look-aheads, and has some input: at its end, that of an outer one is dropped. */
  #findOpen(): Round | undefined {
    const machine = this.#machine
    const { memory } = machine
    const open: Round[] = []
    for (let entry = ENTRY_SIZE; entry < memory.get(Register.STACK_TOP); entry += ENTRY_SIZE) {
      const head = this.#word(entry, 0)
      if ((head & EntryFlag.LOOK) !== 0) break
      if ((head & 15) !== EntryFlag.ROUNDS || head < roundsHead(1)) continue
      const { frame } = (head & 16) === 0 ? { frame: entry } : (open.pop() as Round)
      // Between rounds, the next one is about to begin.
      const [start, tapeEnd] =
        frame === entry
          ? [memory.get(Register.POSITION), memory.get(Register.TAPE_END)]
          : [this.#word(entry, 1), this.#word(entry, 2)]
      open.push({ frame, start: machine.offsetOf(start), tapeEnd })
    }
    return open.findLast(({ start }) => start < machine.inputEnd)
  }

  #word(entry: number, word: number): number {
    const { memory } = this.#machine
    return memory.words[((memory.get(Register.STACK) + entry) >>> 2) + word] as number
  }
}
