// The machine in plain TypeScript: the twin of machine/kernel/kernel.ts, and what runs where WebAssembly is refused. It works on the
// same registers and regions, so it can continue where the kernel stopped; that is how a failure is explained (failure.ts).
//
// Longer than other files: it is one instruction set. Positions are offsets of the input throughout; an address is made where a byte
// is read. The many `as number` say that a typed array read inside its bounds gives a number.

import { sequenceLength } from '../../text/utf8.ts'
import { Op, Stop, type StopReason } from '../program/instructions.ts'
import {
  ENTRY_SIZE,
  EntryFlag,
  LOG_ENTRY_SIZE,
  LogKind,
  MOST_BUDGET,
  NAME_SIZE,
  RECORD_SIZE,
  REGISTERS,
  REWIND_COST,
  Register,
  SYMBOL_SIZE,
} from '../program/registers.ts'

const ENTRY_WORDS = ENTRY_SIZE / 4

/** What a terminal found. */
const Match = { NO: 0, YES: 1, MORE: 2 } as const
type Match = (typeof Match)[keyof typeof Match]

/** Called for each instruction outside of look-aheads after which the machine is at the watched offset. */
export interface Observer {
  /** Offset of the input, modulo 2^32. */
  readonly offset: number
  /** `pc` is the index of the instruction; `from` the offset from which it has matched, which is the watched one where it has matched nothing. */
  observe(pc: number, from: number, interpreter: Interpreter): void
}

/** A call that is open, and where it continues; or a repetition, and how many rounds were counted. */
export interface Frame {
  readonly returnsTo: number | undefined
  readonly rounds: number
}

/** Runs programs on a memory. */
export class Interpreter {
  readonly #bytes: Uint8Array
  readonly #words: Uint32Array
  readonly #observer: Observer | undefined
  /** The position, the registers that change all the time, and where the regions are. */
  #pc = 0
  #p = 0
  #mark = 0
  #end = 0
  #shift = 0
  #isFinal = false
  /** Length of the listed literal that was matched last. */
  #listedLength = 0

  /** What all interpreters have done: instructions run, and bytes skipped. Tests compare it to see that the work grows in proportion to the input. */
  static work = 0

  constructor(buffer: ArrayBuffer, observer?: Observer) {
    this.#bytes = new Uint8Array(buffer)
    this.#words = new Uint32Array(buffer)
    this.#observer = observer
  }

  /** Runs until something stops it. */
  run(): StopReason {
    this.#shift = this.#get(Register.WINDOW) - this.#get(Register.WINDOW_START)
    // Offsets are modulo 2^32; inside a run they are kept as distances from the window's start plus that start, without wrapping.
    this.#p = this.#unwrap(this.#get(Register.POSITION))
    this.#mark = this.#unwrap(this.#get(Register.MARK))
    this.#end = this.#unwrap(this.#get(Register.INPUT_END))
    this.#isFinal = this.#get(Register.IS_FINAL) !== 0
    this.#pc = this.#get(Register.PC)
    let stop: StopReason | undefined
    while (stop === undefined) {
      const pc = this.#pc
      const before = this.#p
      const from = this.#get(Register.RESUMED) === 1 ? this.#mark : before
      const result = this.#step()
      Interpreter.work += 1 + Math.max(0, this.#p - before)
      if (this.#observer) this.#observe(this.#observer, pc, from)
      if (result === 'fail') stop = this.#fail()
      else if (result !== 'next') stop = result
    }
    this.#set(Register.PC, this.#pc)
    this.#set(Register.POSITION, this.#p)
    this.#set(Register.MARK, this.#mark)
    return stop
  }

  /** Calls the observer for an instruction that was run, when the machine is at the watched offset. */
  #observe(observer: Observer, pc: number, from: number): void {
    const isThere = this.#p === this.#unwrap(observer.offset) && this.#get(Register.RESUMED) === 0
    if (isThere && this.#get(Register.QUIET) === 0) observer.observe(pc, from, this)
  }

  /** The frames of calls and of repetitions that are counted, from the outermost in. */
  get frames(): Frame[] {
    const frames: Frame[] = []
    for (let entry = ENTRY_SIZE; entry < this.#get(Register.STACK_TOP); entry += ENTRY_SIZE) {
      const at = this.#entry(entry)
      const head = this.#words[at] as number
      if ((head & EntryFlag.CALL) !== 0) frames.push({ returnsTo: head >>> 4, rounds: 0 })
      if (head === EntryFlag.ROUNDS) frames.push({ returnsTo: undefined, rounds: this.#words[at + 3] as number })
    }
    return frames
  }

  /** Whether the next instruction fails. */
  get isFailing(): boolean {
    return ((this.#words[(this.#get(Register.CODE) >>> 2) + this.#pc] as number) & 255) === Op.FAIL
  }

  /** How many code points there are from an offset to the position. */
  countFrom(offset: number): number {
    let count = 0
    for (let at = offset; at < this.#p; at += this.#lengthAt(at)) count++
    return count
  }

  /** Undoes the changes of symbols that were logged since the undo log had this length. */
  undo(logLength: number): void {
    for (let i = this.#get(Register.LOG_LENGTH) - 1; i >= logLength; i--) {
      const at = (this.#get(Register.LOG) + i * LOG_ENTRY_SIZE) >>> 2
      const head = this.#words[at] as number
      const value = this.#words[at + 1] as number
      this.#undoOne(head & 255, head >>> 8, value)
    }
    this.#set(Register.LOG_LENGTH, logLength)
    if (logLength < this.#get(Register.LOG_LOW)) this.#set(Register.LOG_LOW, logLength)
  }

  #undoOne(kind: number, what: number, value: number): void {
    const depth = this.#get(Register.SYMBOL_DEPTH)
    if (kind === LogKind.PUSH) this.#set(Register.SYMBOL_DEPTH, depth - 1)
    if (kind === LogKind.SCOPE) this.#set(Register.SCOPE_NOW, value)
    if (kind === LogKind.PART) this.#set(Register.CLOSED, value)
    if (kind === LogKind.SEEN) this.#words[this.#nameEntry(what) + 3] = value
    if (kind === LogKind.POP) {
      this.#words.set([what, value], this.#symbol(depth))
      this.#set(Register.SYMBOL_DEPTH, depth + 1)
    }
  }

  /** Enters all names into the cleared table of hashes. */
  rehash(): void {
    const hashes = this.#get(Register.HASHES) >>> 2
    const mask = (this.#get(Register.HASHES_SIZE) >>> 2) - 1
    for (let name = 1; name <= this.#get(Register.NAME_COUNT); name++) {
      let slot = ((this.#words[this.#nameEntry(name) + 2] as number) >>> 1) & mask
      while (this.#words[hashes + slot] !== 0) slot = (slot + 1) & mask
      this.#words[hashes + slot] = name
    }
  }

  /** Runs one instruction. */
  #step(): StopReason | 'next' | 'fail' {
    const words = this.#words
    const at = (this.#get(Register.CODE) >>> 2) + this.#pc
    const word = words[at] as number
    const a = word >>> 8
    const b = words[at + 1] as number
    const c = words[at + 2] as number
    switch (word & 255) {
      case Op.DONE:
        return Stop.DONE
      case Op.FAIL:
        return 'fail'
      case Op.BYTE:
        return this.#terminal(this.#matchBytes([a]), 1, 1)
      case Op.WORD:
        return this.#terminal(this.#matchBytes(bytesOf(b, a)), a, 3)
      case Op.LITERAL:
        return this.#terminal(this.#matchBytes(this.#data(a, b)), b, 2)
      case Op.LISTED:
        return this.#listed(a, b)
      case Op.FOLD:
        return this.#terminal(this.#matchBytes(this.#data(a, b), true), b, 2)
      case Op.CLASS:
        if (this.#p >= this.#end) return this.#atEnd()
        return this.#terminal(this.#isMember(a, this.#p) ? Match.YES : Match.NO, this.#lengthAt(this.#p), 1)
      case Op.SPAN:
        return this.#span(a, b)
      case Op.NAME:
        return this.#name(a, b)
      case Op.SPAN_COUNTED:
        return this.#spanCounted(a, b, c)
      case Op.UNTIL:
        return this.#until(a, b, c)
      case Op.END_OF_INPUT:
        if (this.#p < this.#end) return 'fail'
        return this.#isFinal ? this.#next(1) : Stop.INPUT
      case Op.JUMP:
        return this.#goTo(a)
      case Op.TICK:
        this.#next(1)
        return this.#pay(this.#p)
      case Op.TEST: {
        const byte = this.#byteAt(this.#p + b)
        if (byte === undefined && !this.#isFinal) return Stop.INPUT
        return byte !== undefined && this.#bytes[this.#get(Register.DATA) + c + byte] === 1
          ? this.#next(3)
          : this.#goTo(a)
      }
      case Op.TEST_WORD: {
        const length = 4 - (Math.clz32(c) >>> 3)
        const match = this.#matchBytes(bytesOf(b, length))
        if (match === Match.MORE) return Stop.INPUT
        return match === Match.YES ? this.#next(3) : this.#goTo(a)
      }
      case Op.SWITCH: {
        const byte = this.#byteAt(this.#p + a)
        if (byte === undefined && !this.#isFinal) return Stop.INPUT
        const way = byte === undefined ? 0 : (this.#bytes[this.#get(Register.DATA) + b + byte] as number)
        return this.#goTo(words[((this.#get(Register.DATA) + b + 256) >>> 2) + way] as number)
      }
      case Op.CHOICE:
        return this.#push((a << 4) | EntryFlag.REWIND, 1)
      case Op.LOOK:
        return this.#push((a << 4) | EntryFlag.REWIND | EntryFlag.LOOK, 1)
      case Op.COMMIT:
        this.#pop()
        return this.#goTo(a)
      case Op.PARTIAL_COMMIT:
        this.#renew()
        return this.#goTo(a)
      case Op.BACK_COMMIT:
        this.#goTo(a)
        return this.#goBack(this.#pop())
      case Op.CUT:
        this.#cut()
        return this.#next(1)
      case Op.THROW:
        return this.#throw(a)
      case Op.CALL:
        return this.#push(((this.#pc + 1) << 4) | EntryFlag.CALL, 0, a)
      case Op.RETURN:
        return this.#goTo((words[this.#pop()] as number) >>> 4)
      case Op.OPEN:
        return this.#push(a, 1)
      case Op.DROP:
        this.#pop()
        return this.#next(1)
      case Op.CLOSE:
        if (this.#isTapeFull()) return Stop.TAPE_FULL
        this.#record(a, this.#pop())
        return this.#next(1)
      case Op.LEAF:
        if (this.#get(Register.PART) === 0) return this.#next(1)
        if (this.#isTapeFull()) return Stop.TAPE_FULL
        this.#write(a, this.#mark, this.#get(Register.TAPE_END))
        return this.#next(1)
      case Op.RETURN_NODE: {
        if (this.#isTapeFull()) return Stop.TAPE_FULL
        const entry = this.#pop()
        this.#record(a, entry)
        return this.#goTo((words[entry] as number) >>> 4)
      }
      case Op.BEGIN_PART:
        if (this.#get(Register.PART) === 0) this.#set(Register.PART, this.#get(Register.STACK_TOP) - ENTRY_SIZE)
        return this.#next(1)
      case Op.END_PART:
        return this.#endPart(a)
      case Op.COUNT: {
        const rounds = words[this.#entry(this.#get(Register.STACK_TOP) - ENTRY_SIZE) + 3] as number
        if (rounds < b) return this.#goTo(a)
        return rounds >= c ? this.#goTo(words[at + 3] as number) : this.#next(4)
      }
      case Op.STEP: {
        const entry = this.#touchTop()
        words[entry + 3] = (words[entry + 3] as number) + 1
        return this.#next(1)
      }
      case Op.SIGNAL:
        this.#next(2)
        if (this.#isListed(b)) return 'next'
        this.#set(Register.LABEL, a)
        return Stop.SIGNAL
      case Op.PUSH_SYMBOL:
        return this.#pushSymbol(a)
      case Op.MATCH_SYMBOL:
        return this.#matchSymbol(a)
      case Op.POP_SYMBOL:
        if (this.#get(Register.SYMBOL_DEPTH) === 0) return 'fail'
        if (!this.#hasLogRoom()) return Stop.LOG_FULL
        this.#popSymbol()
        return this.#next(1)
      case Op.SCOPE:
        if (!this.#hasLogRoom()) return Stop.LOG_FULL
        this.#log(LogKind.SCOPE, 0, this.#get(Register.SCOPE_NOW))
        this.#set(Register.SCOPE_NEWEST, this.#get(Register.SCOPE_NEWEST) + 1)
        this.#set(Register.SCOPE_NOW, this.#get(Register.SCOPE_NEWEST))
        return this.#next(1)
      case Op.UNIQUE:
        return this.#unique(a)
      default:
        throw new Error(`no such instruction: ${word & 255}`)
    }
  }

  /** Goes back to the newest rewind entry; the reason to stop when there is none. What is open then stays on the stack. */
  #fail(): StopReason | undefined {
    if (this.#get(Register.QUIET) === 0 && this.#p > this.#unwrap(this.#get(Register.FARTHEST))) {
      this.#set(Register.FARTHEST, this.#p)
    }
    while (this.#get(Register.OLDEST) !== 0) {
      const entry = this.#pop()
      const head = this.#words[entry] as number
      if ((head & EntryFlag.REWIND) === 0) continue
      const top = this.#get(Register.STACK_TOP)
      if (top <= this.#get(Register.PART)) this.#set(Register.PART, 0)
      this.#pc = head >>> 4
      const stop = this.#goBack(entry)
      return stop === 'next' ? undefined : stop
    }
    return Stop.FAILED
  }

  // Terminals.

  #terminal(match: Match, length: number, instructionLength: number): StopReason | 'next' | 'fail' {
    if (match === Match.MORE) return Stop.INPUT
    if (match === Match.NO) return 'fail'
    this.#mark = this.#p
    this.#p += length
    return this.#next(instructionLength)
  }

  /** What a terminal answers that finds no byte. */
  #atEnd(): StopReason | 'fail' {
    return this.#isFinal ? 'fail' : Stop.INPUT
  }

  /** Whether a literal is next; with `folds`, A-Z in the input stand for a-z. */
  #matchBytes(literal: ArrayLike<number>, folds = false): Match {
    for (let i = 0; i < literal.length; i++) {
      const byte = this.#byteAt(this.#p + i)
      if (byte === undefined) return this.#isFinal ? Match.NO : Match.MORE
      const isUpper = folds && byte >= 65 && byte <= 90
      if ((isUpper ? byte | 32 : byte) !== literal[i]) return Match.NO
    }
    return Match.YES
  }

  #span(set: number, least: number): StopReason | 'next' | 'fail' {
    this.#markOrResume()
    this.#p = this.#findSpanEnd(set, this.#p)
    if (this.#p === this.#end && !this.#isFinal) return this.#suspend()
    return this.#p === this.#mark && least > 0 ? 'fail' : this.#next(2)
  }

  #name(first: number, rest: number): StopReason | 'next' | 'fail' {
    if (this.#get(Register.RESUMED) === 0) {
      if (this.#p >= this.#end) return this.#atEnd()
      if (!this.#isMember(first, this.#p)) return 'fail'
      this.#mark = this.#p
      this.#p += this.#lengthAt(this.#p)
    }
    this.#set(Register.RESUMED, 0)
    this.#p = this.#findSpanEnd(rest, this.#p)
    return this.#p === this.#end && !this.#isFinal ? this.#suspend() : this.#next(2)
  }

  #spanCounted(set: number, least: number, most: number): StopReason | 'next' | 'fail' {
    let count = 0
    let at = this.#p
    while (count < most && at < this.#end && this.#isMember(set, at)) {
      at += this.#lengthAt(at)
      count++
    }
    if (at === this.#end && count < most && !this.#isFinal) return Stop.INPUT
    this.#mark = this.#p
    // Where it fails, it is the one that is missing.
    this.#p = at
    if (count < least) return 'fail'
    return this.#next(3)
  }

  #until(set: number, list: number, least: number): StopReason | 'next' | 'fail' {
    this.#markOrResume()
    let found: Match = Match.NO
    for (;;) {
      this.#p = this.#findSpanEnd(set, this.#p)
      if (this.#p === this.#end) break
      found = this.#matchAny(list)
      if (found !== Match.NO) break
      this.#p += this.#lengthAt(this.#p)
    }
    if (found !== Match.YES && !this.#isFinal) return this.#suspend()
    return this.#p === this.#mark && least > 0 ? 'fail' : this.#next(3)
  }

  #listed(otherwise: number, list: number): StopReason | 'next' | 'fail' {
    const match = this.#matchAny(list)
    return match === Match.NO ? this.#goTo(otherwise) : this.#terminal(match, this.#listedLength, 2)
  }

  /** Whether one of the listed literals is next; its length is then the `listedLength`. */
  #matchAny(list: number): Match {
    let answer: Match = Match.NO
    for (let i = 0; i < this.#countListed(list); i++) {
      const literal = this.#literalOf(list, i)
      const match = this.#matchBytes(literal)
      this.#listedLength = literal.length
      if (match === Match.YES) return match
      if (match === Match.MORE) answer = match
    }
    return answer
  }

  #markOrResume(): void {
    if (this.#get(Register.RESUMED) === 0) this.#mark = this.#p
    this.#set(Register.RESUMED, 0)
  }

  /** Stops in the middle of a run, so that it continues with its mark. */
  #suspend(): StopReason {
    this.#set(Register.RESUMED, 1)
    return Stop.INPUT
  }

  #findSpanEnd(set: number, from: number): number {
    let at = from
    while (at < this.#end && this.#isMember(set, at)) at += this.#lengthAt(at)
    return at
  }

  /** Whether the code point at an offset is of the class. */
  #isMember(set: number, offset: number): boolean {
    const first = this.#bytes[offset + this.#shift] as number
    const data = this.#get(Register.DATA)
    const says = this.#bytes[data + set + 16 + first]
    if (says !== 2) return says === 1
    const point = this.#decode(offset)
    const at = (data + set + 276) >>> 2
    for (let i = 0; i < (this.#words[at] as number); i++) {
      const firstPoint = this.#words[at + 1 + 2 * i] as number
      if (point >= firstPoint && point <= (this.#words[at + 2 + 2 * i] as number)) return true
    }
    return false
  }

  #decode(offset: number): number {
    const at = offset + this.#shift
    const length = sequenceLength(this.#bytes, at)
    let point = (this.#bytes[at] as number) & (0xff >> (length + 1))
    for (let i = 1; i < length; i++) point = (point << 6) | ((this.#bytes[at + i] as number) & 63)
    return point
  }

  #lengthAt(offset: number): number {
    return sequenceLength(this.#bytes, offset + this.#shift)
  }

  /** The byte at an offset; undefined where none has arrived. */
  #byteAt(offset: number): number | undefined {
    return offset < this.#end ? this.#bytes[offset + this.#shift] : undefined
  }

  // The stack.

  /** Pushes an entry for here, and continues after the instruction, or at the target of a call. */
  #push(head: number, isRewind: 0 | 1, target?: number): StopReason | 'next' {
    const top = this.#get(Register.STACK_TOP)
    if (top === this.#get(Register.STACK_SIZE)) return Stop.STACK_FULL
    const entry = this.#entry(top)
    const isEntryOfRewind = isRewind === 1 && (head & EntryFlag.REWIND) !== 0
    this.#words[entry] = head
    this.#words[entry + 1] = this.#p
    this.#words[entry + 2] = this.#get(Register.TAPE_END)
    this.#words[entry + 3] = isEntryOfRewind ? this.#get(Register.LOG_LENGTH) : 0
    if (isEntryOfRewind && this.#get(Register.OLDEST) === 0) this.#set(Register.OLDEST, top)
    if ((head & EntryFlag.LOOK) !== 0) this.#set(Register.QUIET, this.#get(Register.QUIET) + 1)
    this.#set(Register.STACK_TOP, top + ENTRY_SIZE)
    return target === undefined ? this.#next(1) : this.#goTo(target)
  }

  /** Pops an entry: the index of its first word. */
  #pop(): number {
    const top = this.#get(Register.STACK_TOP) - ENTRY_SIZE
    this.#saveFrom(top)
    if (top === this.#get(Register.OLDEST)) this.#set(Register.OLDEST, 0)
    this.#set(Register.STACK_TOP, top)
    return this.#entry(top)
  }

  /** The entry on top, about to be changed. */
  #touchTop(): number {
    const top = this.#get(Register.STACK_TOP) - ENTRY_SIZE
    this.#saveFrom(top)
    return this.#entry(top)
  }

  /** Keeps for the checkpoint what is in the stack from `top` up and was there when it was taken. */
  #saveFrom(top: number): void {
    while (this.#get(Register.LOW) > top) {
      const low = this.#get(Register.LOW) - ENTRY_SIZE
      const saved = this.#get(Register.SAVED)
      const source = this.#entry(low)
      this.#words.copyWithin((this.#get(Register.SAVES) >>> 2) + saved * ENTRY_WORDS, source, source + ENTRY_WORDS)
      this.#set(Register.SAVED, saved + 1)
      this.#set(Register.LOW, low)
    }
  }

  /** Puts back the position, the tape and the symbols of a rewind entry, and pays for it. */
  #goBack(entry: number): StopReason | 'next' {
    if (((this.#words[entry] as number) & EntryFlag.LOOK) !== 0)
      this.#set(Register.QUIET, this.#get(Register.QUIET) - 1)
    const from = this.#p
    this.#p = this.#unwrap(this.#words[entry + 1] as number)
    this.#set(Register.TAPE_END, this.#words[entry + 2] as number)
    this.undo(this.#words[entry + 3] as number)
    return this.#pay(from)
  }

  /** Pays for going back from an offset to here. */
  #pay(from: number): StopReason | 'next' {
    const cost = from - this.#p + REWIND_COST
    // What is read for the first time may be read again.
    const gained = Math.max(0, from - this.#unwrap(this.#get(Register.REACHED)))
    const before = this.#get(Register.BUDGET_HIGH) * 2 ** 32 + this.#get(Register.BUDGET)
    const budget = Math.min(before + gained * this.#get(Register.REWIND_FACTOR), MOST_BUDGET) - cost
    if (gained > 0) this.#set(Register.REACHED, from)
    this.#set(Register.BUDGET, budget)
    this.#set(Register.BUDGET_HIGH, Math.floor(budget / 2 ** 32))
    const fuel = (this.#get(Register.FUEL) | 0) - cost
    this.#set(Register.FUEL, fuel)
    if (budget < 0) return Stop.REWOUND
    return fuel < 0 ? Stop.PAUSED : 'next'
  }

  #renew(): void {
    const entry = this.#touchTop()
    if (this.#get(Register.OLDEST) === 0) this.#set(Register.OLDEST, this.#get(Register.STACK_TOP) - ENTRY_SIZE)
    this.#words[entry] = (this.#words[entry] as number) | EntryFlag.REWIND
    this.#words[entry + 1] = this.#p
    this.#words[entry + 2] = this.#get(Register.TAPE_END)
    this.#words[entry + 3] = this.#get(Register.LOG_LENGTH)
  }

  #cut(): void {
    for (let top = this.#get(Register.STACK_TOP) - ENTRY_SIZE; top > 0; top -= ENTRY_SIZE) {
      const entry = this.#entry(top)
      const head = this.#words[entry] as number
      if ((head & (EntryFlag.CALL | EntryFlag.LOOK)) !== 0) return
      if ((head & EntryFlag.REWIND) === 0) continue
      this.#saveFrom(top)
      this.#words[entry] = head & ~EntryFlag.REWIND
      if (top === this.#get(Register.OLDEST)) this.#set(Register.OLDEST, 0)
    }
  }

  #throw(label: number): StopReason | 'fail' {
    let top = this.#get(Register.STACK_TOP) - ENTRY_SIZE
    while (top > 0 && ((this.#words[this.#entry(top)] as number) & EntryFlag.LOOK) === 0) top -= ENTRY_SIZE
    if (top === 0) {
      this.#set(Register.LABEL, label)
      return Stop.LABEL
    }
    while (this.#get(Register.STACK_TOP) > top + ENTRY_SIZE) this.#pop()
    return 'fail'
  }

  // The tape.

  #isTapeFull(): boolean {
    const length = (this.#get(Register.TAPE_END) - this.#get(Register.TAPE_START)) >>> 0
    return length === this.#get(Register.TAPE_SIZE)
  }

  /** Records the node whose frame is at `entry`, where a part is open. */
  #record(type: number, entry: number): void {
    if (this.#get(Register.PART) === 0) return
    this.#write(type, this.#words[entry + 1] as number, this.#words[entry + 2] as number)
  }

  #write(type: number, start: number, first: number): void {
    // What runs again is recorded already.
    if (this.#observer) return
    const tapeEnd = this.#get(Register.TAPE_END)
    const length = (tapeEnd - this.#get(Register.TAPE_START)) >>> 0
    const at = (this.#get(Register.TAPE) + length) >>> 2
    this.#words[at] = type
    this.#words[at + 1] = start
    this.#words[at + 2] = this.#p
    this.#words[at + 3] = first
    this.#set(Register.TAPE_END, tapeEnd + RECORD_SIZE)
  }

  #endPart(type: number): StopReason | 'next' {
    if (this.#isTapeFull()) return Stop.TAPE_FULL
    if (!this.#hasLogRoom()) return Stop.LOG_FULL
    const entry = this.#pop()
    const first = this.#words[entry + 2] as number
    const holdsPart = ((this.#get(Register.CLOSED) - first) | 0) > 0
    const isCertain = this.#get(Register.OLDEST) === 0
    if (this.#get(Register.PART) !== 0 && !holdsPart) {
      this.#record(type, entry)
      if (!isCertain) this.#log(LogKind.PART, 0, this.#get(Register.CLOSED))
      this.#set(Register.CLOSED, this.#get(Register.TAPE_END))
    }
    if (isCertain || this.#get(Register.STACK_TOP) === this.#get(Register.PART)) this.#set(Register.PART, 0)
    this.#goTo((this.#words[entry] as number) >>> 4)
    const length = (this.#get(Register.TAPE_END) - this.#get(Register.TAPE_START)) >>> 0
    return isCertain && length >= this.#get(Register.TAPE_MARK) ? Stop.PART : 'next'
  }

  // Symbols.

  /** The bytes from the mark to the position. */
  get #marked(): Uint8Array {
    return this.#bytes.subarray(this.#mark + this.#shift, this.#p + this.#shift)
  }

  #isListed(list: number): boolean {
    const text = this.#marked
    for (let i = 0; i < this.#countListed(list); i++) {
      const literal = this.#literalOf(list, i)
      if (literal.length === text.length && literal.every((byte, j) => byte === text[j])) return true
    }
    return false
  }

  #pushSymbol(type: number): StopReason | 'next' {
    const depth = this.#get(Register.SYMBOL_DEPTH)
    if (this.#isTapeFull()) return Stop.TAPE_FULL
    if (!this.#hasLogRoom()) return Stop.LOG_FULL
    if (depth * SYMBOL_SIZE === this.#get(Register.SYMBOLS_SIZE)) return Stop.SYMBOLS_FULL
    const name = this.#intern(this.#marked)
    if (name === 0) return Stop.NAMES_FULL
    this.#log(LogKind.PUSH, 0, 0)
    this.#words.set([name, this.#mark], this.#symbol(depth))
    this.#set(Register.SYMBOL_DEPTH, depth + 1)
    if (this.#get(Register.PART) !== 0) this.#write(type, this.#mark, name)
    return this.#next(1)
  }

  #matchSymbol(rest: number): StopReason | 'next' | 'fail' {
    const depth = this.#get(Register.SYMBOL_DEPTH)
    if (depth === 0) return 'fail'
    const bytes = this.#bytesOf(this.#words[this.#symbol(depth - 1)] as number)
    const match = this.#matchBytes(bytes)
    if (match === Match.YES) {
      const end = this.#p + bytes.length
      if (end === this.#end && !this.#isFinal) return Stop.INPUT
      if (end < this.#end && this.#isMember(rest, end)) return 'fail'
      if (!this.#hasLogRoom()) return Stop.LOG_FULL
      this.#popSymbol()
    }
    return this.#terminal(match, bytes.length, 1)
  }

  #popSymbol(): void {
    const depth = this.#get(Register.SYMBOL_DEPTH) - 1
    const symbol = this.#symbol(depth)
    this.#log(LogKind.POP, this.#words[symbol] as number, this.#words[symbol + 1] as number)
    this.#set(Register.SYMBOL_DEPTH, depth)
  }

  #unique(type: number): StopReason | 'next' | 'fail' {
    if (this.#isTapeFull()) return Stop.TAPE_FULL
    if (!this.#hasLogRoom()) return Stop.LOG_FULL
    const name = this.#intern(this.#marked)
    if (name === 0) return Stop.NAMES_FULL
    const entry = this.#nameEntry(name)
    const seen = this.#words[entry + 3] as number
    if (seen === this.#get(Register.SCOPE_NOW)) return 'fail'
    this.#log(LogKind.SEEN, name, seen)
    this.#words[entry + 3] = this.#get(Register.SCOPE_NOW)
    if (this.#get(Register.PART) !== 0) this.#write(type, this.#mark, name)
    return this.#next(1)
  }

  /** The number of a name; 0 when there is no room for a new one. */
  #intern(bytes: Uint8Array): number {
    const hash = this.#hashOf(bytes)
    const hashes = this.#get(Register.HASHES) >>> 2
    const slots = this.#get(Register.HASHES_SIZE) >>> 2
    let slot = (hash >>> 1) & (slots - 1)
    for (let name = this.#words[hashes + slot] as number; name !== 0; name = this.#words[hashes + slot] as number) {
      if (this.#isName(name, hash, bytes)) return name
      slot = (slot + 1) & (slots - 1)
    }
    const name = this.#get(Register.NAME_COUNT) + 1
    const used = this.#get(Register.NAME_BYTES_USED)
    // At most half of the slots are used.
    if (name * 2 > slots || (name + 1) * NAME_SIZE > this.#get(Register.NAMES_SIZE)) return 0
    if (used + bytes.length > this.#get(Register.NAME_BYTES_SIZE)) return 0
    this.#bytes.set(bytes, this.#get(Register.NAME_BYTES) + used)
    this.#words.set([used, bytes.length, hash, 0, 0, 0, 0, 0], this.#nameEntry(name))
    this.#bytes.set(bytes.subarray(0, 16), 4 * this.#nameEntry(name) + 16)
    this.#words[hashes + slot] = name
    this.#set(Register.NAME_BYTES_USED, used + bytes.length)
    this.#set(Register.NAME_COUNT, name)
    return name
  }

  /** The kernel's hash: words of four bytes, mixed; of short names two words or four, with zeros after. */
  #hashOf(bytes: Uint8Array): number {
    let hash = this.#get(Register.SEED) ^ bytes.length
    const length = Math.max(bytes.length, bytes.length <= 8 ? 8 : 16)
    for (let i = 0; i < length; i += 4) {
      const word =
        (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24)
      hash = Math.imul(hash ^ word, 0x9e3779b1)
      hash ^= hash >>> 15
    }
    return (hash & ~1) >>> 0
  }

  #isName(name: number, hash: number, bytes: Uint8Array): boolean {
    const at = this.#nameEntry(name)
    if (((this.#words[at + 2] as number) & ~1) >>> 0 !== hash || this.#words[at + 1] !== bytes.length) return false
    return this.#bytesOf(name).every((byte, i) => byte === bytes[i])
  }

  #bytesOf(name: number): Uint8Array {
    const at = this.#nameEntry(name)
    const start = this.#get(Register.NAME_BYTES) + (this.#words[at] as number)
    return this.#bytes.subarray(start, start + (this.#words[at + 1] as number))
  }

  #hasLogRoom(): boolean {
    return (this.#get(Register.LOG_LENGTH) + 1) * LOG_ENTRY_SIZE <= this.#get(Register.LOG_SIZE)
  }

  #log(kind: number, what: number, value: number): void {
    const length = this.#get(Register.LOG_LENGTH)
    const at = (this.#get(Register.LOG) + length * LOG_ENTRY_SIZE) >>> 2
    this.#words[at] = (what << 8) | kind
    this.#words[at + 1] = value
    this.#set(Register.LOG_LENGTH, length + 1)
  }

  // Addresses.

  #next(length: number): 'next' {
    this.#pc += length
    return 'next'
  }

  #goTo(target: number): 'next' {
    this.#pc = target
    return 'next'
  }

  /** An offset modulo 2^32 as one that can be compared: its distance from the window's start, back or ahead, added to that. */
  #unwrap(offset: number): number {
    const start = this.#get(Register.WINDOW_START)
    return start + ((offset - start) | 0)
  }

  /** How many literals are listed. */
  #countListed(list: number): number {
    return this.#words[(this.#get(Register.DATA) + list) >>> 2] as number
  }

  #literalOf(list: number, index: number): Uint8Array {
    const at = ((this.#get(Register.DATA) + list) >>> 2) + 6 + 4 * index
    return this.#data(this.#words[at] as number, this.#words[at + 1] as number)
  }

  #data(offset: number, length: number): Uint8Array {
    const start = this.#get(Register.DATA) + offset
    return this.#bytes.subarray(start, start + length)
  }

  /** The index of the first word of a stack entry. */
  #entry(offset: number): number {
    return (this.#get(Register.STACK) + offset) >>> 2
  }

  /** The index of the first word of an entry of the stack of symbols. */
  #symbol(depth: number): number {
    return (this.#get(Register.SYMBOLS) + depth * SYMBOL_SIZE) >>> 2
  }

  /** The index of the first word of a name. */
  #nameEntry(symbol: number): number {
    return (this.#get(Register.NAMES) + symbol * NAME_SIZE) >>> 2
  }

  #get(register: number): number {
    return this.#words[REGISTERS / 4 + register] as number
  }

  #set(register: number, value: number): void {
    this.#words[REGISTERS / 4 + register] = value
  }
}

/** The first bytes of a word, from the lowest: so many. */
function bytesOf(word: number, count: number): number[] {
  return [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24].slice(0, count)
}
