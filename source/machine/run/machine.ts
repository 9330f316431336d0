// The driver of an engine: feeds it input, makes room, reports absolute offsets, and takes out the parts that are certain.
//
// It waits for nothing and opens nothing: `run` says why it stopped, and the one who calls it gets what is missing.
//
// It has two dozen fields, because the window of input is one thing with many edges: what was written to it, how far it is valid text, what is held, and
// where lines begin in it all change together when it slides. What an engine needs is not here but in registers (`memory.ts`).

import type { Position } from '../../text/line-counter.ts'
import { decodeUtf8 } from '../../text/units.ts'
import { sequenceLength } from '../../text/utf8.ts'
import { Op, Stop, type StopReason } from '../program/instructions.ts'
import type { Place, Program } from '../program/program.ts'
import {
  ENTRY_SIZE,
  EntryFlag,
  MOST_BUDGET,
  MOST_FACTOR,
  NAME_SIZE,
  RECORD_SIZE,
  Register,
  SYMBOL_SIZE,
} from '../program/registers.ts'
import { TextPosition } from '../tree/text-position.ts'
import type { Engine } from './engine.ts'
import { Interpreter, type Observer } from './interpreter.ts'
import {
  EXCESS,
  type Excess,
  findRewindingRules,
  LARGEST_REGION,
  type MachineLimits,
  makeExcessError,
  makeRetainedError,
  makeRewoundError,
} from './limits.ts'
import { MachineMemory, type RegionName } from './memory.ts'
import { STATE_REGISTERS } from './snapshot.ts'

/** Records and input, where a machine has them. */
export interface TapeView {
  /** Four words a record (machine/program/registers.ts); offsets are modulo 2^32. */
  readonly words: Int32Array
  /** The input that is there, and the offset of its first byte. */
  readonly bytes: Uint8Array
  readonly start: number
  /** Takes the first records off the tape, so many of them. */
  drop(count: number): void
}

/**
 * Why a machine stopped: `part` there are parts to take; `malformed` the input has no text at `malformedAt`; `paused` it has run for a
 * while, and is to be run again when others have had their turn.
 */
export type Outcome = 'done' | 'input' | 'part' | 'failed' | 'label' | 'signal' | 'malformed' | 'paused'

/** Outcomes of reasons to stop, besides INPUT. */
const OUTCOMES: Readonly<Partial<Record<StopReason, Outcome>>> = {
  [Stop.DONE]: 'done',
  [Stop.PAUSED]: 'paused',
  [Stop.FAILED]: 'failed',
  [Stop.LABEL]: 'label',
  [Stop.PART]: 'part',
  [Stop.SIGNAL]: 'signal',
}

/** Bytes of input that are taken at once: they and what they make should stay in the processor's second cache. */
const PIECE = 128 * 1024
const LARGE_WINDOW = 256 * 1024
/**
 * Bytes of input that the engine sees at once, and may read again before it pauses: at first, and at the least and the most. They change so
 * that it pauses every few milliseconds, whatever it is and whatever it does with them.
 */
const FIRST_SLICE = 16 * 1024
const LEAST_SLICE = 1024
const LARGEST_SLICE = 2 * PIECE
/** Milliseconds of a run after which slices become smaller, and under which they become larger. */
const LONG_RUN = 4
const SHORT_RUN = 1
/** Entries that the stack may have besides one for each open name. */
const STACK_SLACK = 64
/** Bytes after the position that are kept for the excerpts of messages. */
const CONTEXT = 200
/** Bytes from one checkpoint to the next, in the middle of a span and elsewhere. */
const NEAR_CHECKPOINT = 32 * 1024
const FAR_CHECKPOINT = 128 * 1024
const OVERDUE_CHECKPOINT = 4 * FAR_CHECKPOINT
/** One parse at a time. Not for two at once; `begin` makes it ready for the next. */
export class Machine {
  readonly #memory: MachineMemory
  #program: Program | undefined
  /** 1 for those of its types that are parts. */
  #partTypes = new Uint8Array()
  #limits: MachineLimits | undefined
  /** Offset of the window's first byte, and how many bytes are in the window. */
  #windowStart = 0
  #written = 0
  /** Offset after the last byte that may be matched, and whether the input ends there. */
  #validEnd = 0
  #isFinished = false
  /** How many bytes after its position the engine sees, and may read again: as was good the last time, also for another input. */
  #slice = FIRST_SLICE
  /** Offset of the first byte that is not text; known when it has arrived, or the input ended inside a sequence. */
  #malformedAt: number | undefined
  /** Bytes that were not text and were passed, by their offsets in ascending order: as long as reading may go back to them. */
  readonly #passed = new Map<number, number>()
  #onReplace: ((offset: number) => void) | undefined
  #onDrop: ((retained: number) => void) | undefined
  #countsUnits = true
  /** The complete input, where the caller holds it anyway. */
  #input: Uint8Array | undefined
  /** Where the text is measured up to: never after the last part that was taken, nor before the window. */
  #measured = TextPosition.START
  /** What was asked for last of an input that is at hand, of which errors may be very many. */
  #located = TextPosition.START
  /** Line and column at the offset from which on input was retained last. */
  #dropped = TextPosition.START
  /** Offset where what was taken off the tape last ends. */
  #readTo = 0
  /** Offset where the input begins, or continues after an error; and in which repetition. */
  #start = 0
  #startPlace: Place | undefined
  /** Offset from which on the host wants the input kept. */
  #held: number | undefined
  /** Where the names of open symbols stand that are after the window's start, by their place on the stack. */
  readonly #symbolPlaces: TextPosition[] = []
  /** Number of symbols that were open at the last `relocate`: offsets after it may be lower than theirs. */
  #relocatedSymbols = 0
  readonly #checkpoint = new Uint32Array(STATE_REGISTERS)
  #hasCheckpoint = false
  /** What was read elsewhere ends with these bytes, at the offset `end`. */
  #elsewhere: { readonly end: number; readonly bytes: Uint8Array } | undefined

  constructor(engine: Engine) {
    this.#memory = new MachineMemory(engine)
  }

  get engine(): Engine {
    return this.#memory.engine
  }

  /** Lets another engine continue where this one has stopped. Views of the memory do not hold any more. Throws a `RangeError` when there is no memory. */
  moveTo(engine: Engine): void {
    this.#memory.moveTo(engine)
  }

  get memory(): MachineMemory {
    return this.#memory
  }

  /** The program that is loaded. */
  get program(): Program | undefined {
    return this.#program
  }

  /**
   * Makes the machine ready for a parse whose first byte has the position `start`.
   *
   * With `input`, the caller holds the complete input for as long as the parts are used: it is then not copied into them, and lines are
   * not counted on the way.
   */
  begin(program: Program, limits: MachineLimits, start = TextPosition.START, input?: Uint8Array): void {
    const memory = this.#memory
    if (this.#program !== program) {
      memory.load(program)
      this.#partTypes = Uint8Array.from(program.types, (_, type) => (program.parts.has(type) ? 1 : 0))
    } else if (program.usesSymbols) memory.forgetNames()
    this.#program = program
    this.#limits = limits
    this.#windowStart = start.byteOffset
    this.#written = 0
    this.#validEnd = start.byteOffset
    this.#isFinished = false
    this.#malformedAt = undefined
    this.#passed.clear()
    this.#onReplace = undefined
    this.#onDrop = undefined
    this.#countsUnits = true
    this.#input = input
    this.#measured = this.#dropped = this.#located = start
    this.#symbolPlaces.length = 0
    this.#relocatedSymbols = 0
    this.#readTo = start.byteOffset
    this.#start = start.byteOffset
    this.#startPlace = undefined
    this.#held = undefined
    this.#hasCheckpoint = false
    this.#elsewhere = undefined
    const offset = start.byteOffset % 2 ** 32
    for (let register = 0; register < STATE_REGISTERS; register++) memory.set(register, 0)
    for (const register of [Register.POSITION, Register.MARK, Register.FARTHEST, Register.REACHED]) {
      memory.set(register, offset)
    }
    memory.set(Register.WINDOW_START, offset)
    memory.set(Register.REWIND_FACTOR, Math.min(Math.floor(limits.maxRewound), MOST_FACTOR))
    this.#setBudget(limits.maxRewound === Number.POSITIVE_INFINITY ? MOST_BUDGET : limits.freeRewound)
    memory.set(Register.STACK_TOP, ENTRY_SIZE)
    memory.set(Register.SCOPE_NOW, 1) // names that are new were seen in scope 0
    memory.set(Register.SCOPE_NEWEST, 1)
    memory.set(Register.TAPE_START, 0)
    memory.limit('stack', this.#mostStack)
    if (program.usesSymbols) memory.limit('symbols', this.#mostSymbols)
    memory.limit('tape', limits.maxNodes * RECORD_SIZE)
    memory.limit('names', (limits.maxNames + 1) * NAME_SIZE)
    this.#setTapeMark()
  }

  /**
   * From now on malformed text is replaced by something of the same length, and this is called with its offset; without it, it is an error.
   * To be said before there is input; it holds until `begin`.
   */
  replaceMalformed(onReplace: ((offset: number) => void) | undefined): void {
    this.#onReplace = onReplace
  }

  /**
   * Calls this before input is dropped that may still be asked for: up to an offset. To be said before there is input; it holds until
   * `begin`.
   */
  beforeDrop(onDrop: (retained: number) => void): void {
    this.#onDrop = onDrop
  }

  /** Says that nobody wants the indices of positions: they are NaN from here on, until `begin`. Lines alone cost less to count. */
  forgoIndices(): void {
    this.#countsUnits = false
  }

  /** Offset of the next byte to be matched. */
  get position(): number {
    return this.#absolute(this.#memory.get(Register.POSITION))
  }

  /** Index of the instruction that the machine stopped at, in words of code. */
  get programCounter(): number {
    return this.#memory.get(Register.PC)
  }

  /** The farthest offset at which something failed, outside of look-aheads. */
  get farthest(): number {
    return this.#absolute(this.#memory.get(Register.FARTHEST))
  }

  /** Whether the input begins at an offset, or continues after an error. */
  isAtStart(offset: number): boolean {
    return offset === this.#start
  }

  /** The repetition in which it has continued; undefined if it begins there. */
  get startPlace(): Place | undefined {
    return this.#startPlace
  }

  /** Offset of the first byte that is still there. */
  get windowStart(): number {
    return this.#windowStart
  }

  /** Offset after the last byte that arrived. */
  get inputEnd(): number {
    return this.#windowStart + this.#written
  }

  /** Where the part begins that is open; undefined when none is. Known also after a failure. */
  get openPart(): number | undefined {
    const part = this.#memory.get(Register.PART)
    return part === 0 ? undefined : this.#absolute(this.#entryWord(part, 1))
  }

  /** The name of its rule. */
  get openRule(): string | undefined {
    const part = this.#memory.get(Register.PART)
    return part === 0 ? undefined : this.#program?.procedures.get(this.#calleeOf(this.#entryWord(part, 0)))
  }

  /** The records in it, as far as there are some: a copy. None: empty. Take the certain parts before. */
  get openRecords(): Int32Array {
    return this.openRecordsFrom(0)
  }

  /** The same, but for so many of them. */
  openRecordsFrom(count: number): Int32Array {
    const memory = this.#memory
    const end = (memory.get(Register.TAPE_END) - memory.get(Register.TAPE_START)) | 0
    return this.#copyRecords(Math.min(end, this.certainLength + count * RECORD_SIZE), end)
  }

  /**
   * Takes out what is read of the gathered literal that stands `depth` calls and captures deep in the part that is open: 0 where it is the
   * part itself. The part and the literal then begin after it, and what was before is retained no longer. A hole that is open is left in.
   * Undefined where nothing is read, or it may yet be undone. Take the certain parts before.
   */
  cutLiteral(depth: number): { records: Int32Array; start: number; end: number } | undefined {
    const memory = this.#memory
    const part = memory.get(Register.PART)
    const literal = part + depth * ENTRY_SIZE
    const hole = literal + ENTRY_SIZE
    const top = memory.get(Register.STACK_TOP)
    const oldest = memory.get(Register.OLDEST)
    const tapeStart = memory.get(Register.TAPE_START)
    if (part === 0 || hole > top || (oldest !== 0 && oldest < hole) || this.certainLength > 0) return undefined
    const [end, tapeEnd] =
      hole === top
        ? [memory.get(Register.POSITION), memory.get(Register.TAPE_END)]
        : [this.#entryWord(hole, 1), this.#entryWord(hole, 2)]
    const start = this.#entryWord(literal, 1)
    if (start === end) return undefined
    const length = (tapeEnd - tapeStart) | 0
    const records = this.#copyRecords(0, length)
    for (let entry = part; entry <= literal; entry += ENTRY_SIZE) {
      this.#setEntryWord(entry, 1, end)
      this.#setEntryWord(entry, 2, tapeEnd)
    }
    this.#moveTape(length)
    // In the end it is far back, and its distance must not wrap around.
    memory.set(Register.CLOSED, tapeEnd)
    this.#readTo = this.#absolute(end)
    return { records, start: this.#absolute(start), end: this.#absolute(end) }
  }

  /** Offset after the last byte that may be matched. */
  get validEnd(): number {
    return this.#validEnd
  }

  /** Where the code continues at each rewind entry that is open, from the outermost in, and where the machine stands. */
  get rewindTargets(): number[] {
    const top = this.#memory.get(Register.STACK_TOP)
    const targets: number[] = []
    for (let entry = ENTRY_SIZE; entry < top; entry += ENTRY_SIZE) {
      const head = this.#entryWord(entry, 0)
      if ((head & EntryFlag.REWIND) !== 0) targets.push(head >>> 4)
    }
    return [...targets, this.programCounter]
  }

  /** Offset of the first byte that is not text in the grammar's alphabet; undefined as long as there is none. */
  get malformedAt(): number | undefined {
    return this.#malformedAt
  }

  /** Offset from which on the input may still be needed, for a rewind or for a part. Nothing before it will be delivered. */
  get retainedFrom(): number {
    const needed = this.#neededFrom()
    if (!this.#hasCheckpoint) return needed
    return Math.min(needed, this.#windowStart + this.#toWindow(this.#checkpoint[Register.POSITION] as number))
  }

  /** The message of the labelled failure, or the code of the signal, that the machine stopped for. */
  get label(): number {
    return this.#memory.get(Register.LABEL)
  }

  /**
   * Takes over as many of the bytes as are good to take at once, and says how many; they are copied. Call `run` before the next.
   *
   * Throws a `LimitError` when more would have to be retained than may be.
   */
  append(bytes: Uint8Array): number {
    if (this.#malformedAt !== undefined) return bytes.length
    const whole = Math.min(bytes.length, PIECE)
    // Where pieces always end with a record, the machine may never stop at a place for a checkpoint, and would keep all input from the last one.
    const length = whole > 1 && this.#isCheckpointOverdue ? whole >> 1 : whole
    const memory = this.#memory
    const needed = this.#neededFrom()
    const { maxRetained } = this.#limits as MachineLimits
    if (this.inputEnd - needed > maxRetained) throw this.#makeRetainedError(needed, length)
    if (this.#written + length > memory.size('window')) this.#makeRoom(length)
    const end = memory.get(Register.WINDOW) + this.#written
    memory.bytes.set(length < bytes.length ? bytes.subarray(0, length) : bytes, end)
    const validUntil = memory.get(Register.WINDOW) + this.#validEnd - this.#windowStart
    this.#written += length
    this.#validate(validUntil, end + length)
    return length
  }

  /** Says that no more input comes. */
  finish(): void {
    const end = this.#validEnd
    if (end < this.inputEnd && this.#onReplace) this.#replaceRest(end)
    else if (end < this.inputEnd) this.#malformedAt ??= end // a sequence is cut off
    if (this.#malformedAt === undefined) this.#isFinished = true
  }

  /** Says that what comes next is not text: the input is `malformed` there. */
  refuse(): void {
    this.#malformedAt ??= this.inputEnd
  }

  /**
   * Runs until something is wanted or found, or for some milliseconds. After `input`, append more or finish; after `part`, take the parts;
   * after `paused`, run it again.
   *
   * With `keepsParts`, it does not stop to have parts taken. Throws a `LimitError` when a limit is passed.
   */
  run(keepsParts = false): Outcome {
    this.#takeCheckpoint()
    const start = Date.now()
    const from = this.position
    this.#memory.set(Register.FUEL, this.#slice)
    this.#showInput(from + this.#slice)
    for (;;) {
      const stop = this.engine.run()
      const outcome = this.#outcomeOf(stop)
      // One instruction may need more than it saw.
      if (outcome === 'paused' && stop === Stop.INPUT && this.position === from) this.#slice *= 2
      else if (outcome === 'paused') this.#adaptSlice(Date.now() - start)
      if (outcome !== undefined) return outcome
      if (stop === Stop.TAPE_FULL && !keepsParts && this.certainLength > 0) return 'part'
      this.#enlargeFor(stop)
    }
  }

  /** Lets it see the input up to an offset, or to the start of the character there. */
  #showInput(offset: number): void {
    const { bytes } = this.#memory
    const window = this.#memory.get(Register.WINDOW) - this.#windowStart
    let end = Math.min(this.#validEnd, offset)
    while (end < this.#validEnd && ((bytes[window + end] as number) & 0xc0) === 0x80) end--
    this.#memory.set(Register.INPUT_END, end % 2 ** 32)
    this.#memory.set(Register.IS_FINAL, this.#isFinished && end === this.#validEnd ? 1 : 0)
  }

  /** What the host is to do when the engine has stopped; undefined where the machine can help itself. */
  #outcomeOf(stop: StopReason): Outcome | undefined {
    if (stop !== Stop.INPUT) return OUTCOMES[stop]
    // There may be input that it did not see.
    if (this.#absolute(this.#memory.get(Register.INPUT_END)) < this.#validEnd) return 'paused'
    return this.#malformedAt === undefined ? 'input' : 'malformed'
  }

  /** Changes how much the engine does at once, after a run of so many milliseconds. */
  #adaptSlice(milliseconds: number): void {
    const size = Math.min(this.#slice, LARGEST_SLICE)
    if (milliseconds > LONG_RUN) this.#slice = Math.max(LEAST_SLICE, size / 2)
    else this.#slice = milliseconds < SHORT_RUN ? Math.min(LARGEST_SLICE, 2 * size) : size
  }

  /** By the numbers of types, 1 for those of parts. */
  get partTypes(): Uint8Array {
    return this.#partTypes
  }

  /** The complete input, if the caller holds it anyway, and the position of its first byte. */
  get wholeInput(): { readonly bytes: Uint8Array; readonly start: TextPosition } | undefined {
    return this.#input && { bytes: this.#input, start: this.#measured }
  }

  /** Offset where what was taken off the tape last ends. */
  get takenTo(): number {
    return this.#readTo
  }

  /**
   * Shows the certain part of the tape where it lies, or `length` bytes of it, without a copy, and drops it when that has been read. The view is of
   * the memory of the machine, and holds until it runs again. Undefined where nothing is certain.
   */
  readTape(length = this.certainLength): TapeView | undefined {
    if (length === 0) return undefined
    const memory = this.#memory
    const { buffer } = memory.engine
    return {
      words: new Int32Array(buffer, memory.get(Register.TAPE), length / 4),
      bytes: new Uint8Array(buffer, memory.get(Register.WINDOW), this.#written),
      start: this.#windowStart,
      drop: (count) => {
        if (count > 0) this.#dropTape(count * RECORD_SIZE)
      },
    }
  }

  /** The offset of one as registers and the tape have it: modulo 2^32. */
  offsetOf(offset: number): number {
    return this.#absolute(offset)
  }

  /** Offset where the last terminal began. */
  get mark(): number {
    return this.#absolute(this.#memory.get(Register.MARK))
  }

  /** The text from the mark to the position: the name that a signal reports. */
  get marked(): string {
    return this.textAt(this.mark, this.position)
  }

  /** The text of the input from `start` to `end`, which must still be there. */
  textAt(start: number, end: number): string {
    const text = this.viewInput(start, end)
    return decodeUtf8(text, 0, text.length)
  }

  /** How many names are known: symbols are from 1 to this. */
  get nameCount(): number {
    return this.#memory.get(Register.NAME_COUNT)
  }

  /** The name that a symbol stands for. */
  nameOf(symbol: number): string {
    return this.readName(symbol, decodeUtf8)
  }

  /** What `read` makes of the bytes of that name, which are of the machine's memory. */
  readName<Result>(symbol: number, read: (bytes: Uint8Array, from: number, to: number) => Result): Result {
    const memory = this.#memory
    const entry = (memory.get(Register.NAMES) + symbol * NAME_SIZE) >>> 2
    const start = memory.get(Register.NAME_BYTES) + (memory.words[entry] as number)
    return read(memory.bytes, start, start + (memory.words[entry + 1] as number))
  }

  /** Whether the symbol at an index, from the outermost, is not matched yet and its name begins at an offset. */
  isSymbolOpen(index: number, offset: number): boolean {
    return index < this.#memory.get(Register.SYMBOL_DEPTH) && this.#symbolStart(index) === offset
  }

  /** The symbol that was pushed last and is not matched yet, and where its name began; undefined when there is none. */
  get openSymbol(): { symbol: number; position: TextPosition | undefined } | undefined {
    const memory = this.#memory
    const depth = memory.get(Register.SYMBOL_DEPTH)
    if (depth === 0) return undefined
    const entry = (memory.get(Register.SYMBOLS) + (depth - 1) * SYMBOL_SIZE) >>> 2
    const start = this.#symbolStart(depth - 1)
    const noted = this.#symbolPlaces[depth - 1]
    const known = noted?.byteOffset === start ? noted : undefined
    // What lies after it may be measured already.
    const first = Math.min(this.#dropped.byteOffset, this.#measured.byteOffset)
    const position = known ?? (start >= first ? this.locate(start) : undefined)
    return { symbol: memory.words[entry] as number, position }
  }

  /** Keeps the input from an offset on that is still there, until it is said otherwise. It counts as retained. */
  hold(offset: number | undefined): void {
    this.#held = offset
  }

  /** Line, column and index (unless it is forgone) of an offset that is not before `retainedFrom`. Fast for offsets after the last one asked for. */
  locate(offset: number): TextPosition {
    if (this.#input) {
      const start = this.#measured.byteOffset
      if (this.#located.byteOffset > offset) this.#located = this.#measured
      this.#located = this.#located.advance(this.#input.subarray(this.#located.byteOffset - start, offset - start))
      return this.#located
    }
    if (this.#measured.byteOffset === offset) return this.#measured
    if (this.#measured.byteOffset > offset) this.#measured = this.#dropped
    if (this.#program?.usesSymbols) this.#noteSymbols(offset)
    return this.#measure(offset)
  }

  /** Line, column and index (unless it is forgone) after what was matched. */
  locatePosition(): TextPosition {
    return this.locate(this.position)
  }

  /**
   * Lets the input continue at another offset, line and column than after what has arrived: what lies between them was read elsewhere, and
   * `before` is its end, or all of it, or undefined where it is not known. Indices are not known from there on. Only where all that
   * has arrived was matched and read, and cannot be undone.
   */
  relocate({ byteOffset, line, column }: Position, before: Uint8Array | undefined): void {
    const memory = this.#memory
    const missing = before ? Math.max(0, CONTEXT - before.length) : 0
    const context = Uint8Array.of(...this.copyBefore(this.inputEnd, missing), ...(before ?? []))
    this.#elsewhere = { end: byteOffset, bytes: context }
    const { index } = this.locatePosition()
    this.#relocatedSymbols = memory.get(Register.SYMBOL_DEPTH)
    this.#measured = this.#dropped = new TextPosition(byteOffset, line, column, index)
    this.#windowStart = byteOffset
    this.#written = 0
    this.#validEnd = byteOffset
    this.#readTo = byteOffset
    this.#hasCheckpoint = false
    const offset = byteOffset % 2 ** 32
    const places = [Register.POSITION, Register.MARK, Register.FARTHEST, Register.REACHED, Register.WINDOW_START]
    for (const register of places) memory.set(register, offset)
  }

  /** Up to `length` bytes of what stands before an offset, as far as they are still there: a copy. */
  copyBefore(offset: number, length: number): Uint8Array {
    const from = offset - length
    const elsewhere = this.#elsewhere
    if (!elsewhere || offset < elsewhere.end || from >= elsewhere.end) return this.copyInput(from, offset)
    const { end, bytes } = elsewhere
    return Uint8Array.of(...bytes.subarray(Math.max(0, bytes.length - (end - from))), ...this.copyInput(end, offset))
  }

  /** The bytes of input from `start` to `end`, as far as they are still there: a copy. */
  copyInput(start: number, end: number): Uint8Array {
    return this.viewInput(start, end).slice()
  }

  /** The bytes of input from `start` to `end`, as far as they are still there: a view of the machine's memory, until it takes input or runs. */
  viewInput(start: number, end: number): Uint8Array {
    const from = Math.max(0, start - this.#windowStart)
    const to = Math.min(this.#written, end - this.#windowStart)
    const address = this.#memory.get(Register.WINDOW)
    return this.#memory.bytes.subarray(address + from, address + Math.max(from, to))
  }

  /** The memory with all input that is retained, the offset of its first byte, and what is added to an offset for its address; as long as `viewInput`. */
  viewWindow(): { readonly bytes: Uint8Array; readonly start: number; readonly toAddress: number } {
    const start = this.#windowStart
    return { bytes: this.#memory.bytes, start, toAddress: this.#memory.get(Register.WINDOW) - start }
  }

  /**
   * Puts the machine back to where its checkpoint was taken, so that what failed can be run again. False when that cannot be done, or
   * would not reach `offset` from before.
   */
  returnToCheckpoint(offset: number): boolean {
    const memory = this.#memory
    const position = this.#absolute(this.#checkpoint[Register.POSITION] as number)
    const logLength = this.#checkpoint[Register.LOG_LENGTH] as number
    if (!this.#hasCheckpoint || offset < position || memory.get(Register.LOG_LOW) < logLength) return false
    // What was expected at the very place of the checkpoint, before it was taken, is not known any more.
    const isExact = this.#checkpoint[Register.RESUMED] === 1 || position === this.#start
    if (offset === position && !isExact) return false
    const top = memory.get(Register.STACK) + (this.#checkpoint[Register.STACK_TOP] as number)
    const saves = memory.get(Register.SAVES)
    for (let i = 0; i < memory.get(Register.SAVED); i++) {
      const from = saves + i * ENTRY_SIZE
      memory.bytes.copyWithin(top - (i + 1) * ENTRY_SIZE, from, from + ENTRY_SIZE)
    }
    this.engine.undo(logLength)
    this.#checkpoint.forEach((value, register) => {
      memory.set(register, value)
    })
    this.#forgetTape()
    return true
  }

  /** Lets the tape begin where it ends: what is recorded from here on is not wanted, and what was there may have been taken out. */
  #forgetTape(): void {
    this.#memory.set(Register.TAPE_START, this.#memory.get(Register.TAPE_END))
  }

  /** Runs the interpreter instead of the engine until nothing more comes, and records nothing. */
  rerun(observer: Observer): void {
    this.#memory.set(Register.PART, 0)
    this.#showInput(this.#validEnd)
    let outcome: Outcome | undefined
    do {
      this.#memory.set(Register.FUEL, LARGEST_SLICE)
      const stop = new Interpreter(this.engine.buffer, observer).run()
      outcome = this.#outcomeOf(stop)
      if (outcome === undefined) this.#enlargeFor(stop)
      else this.#forgetTape()
    } while (outcome === undefined || outcome === 'part' || outcome === 'signal' || outcome === 'paused')
  }

  // Reading on after errors.

  /** Continues at another instruction and position, with the stack up to a frame and the tape up to an offset. Nothing before can be undone any more. */
  continueIn(frame: number, tapeEnd: number, programCounter: number, position: number): void {
    const memory = this.#memory
    for (let entry = ENTRY_SIZE; entry < frame; entry += ENTRY_SIZE) {
      this.#setEntryWord(entry, 0, this.#entryWord(entry, 0) & ~EntryFlag.REWIND)
    }
    // What was taken off the tape has gone.
    const tapeStart = memory.get(Register.TAPE_START)
    const length = Math.max(0, (tapeEnd - tapeStart) | 0)
    memory.set(Register.TAPE_END, tapeStart + length)
    // Parts of what is dropped that could yet be undone have gone as well: the last part is one before them.
    if (((memory.get(Register.CLOSED) - tapeStart) | 0) > length) {
      memory.set(Register.CLOSED, tapeStart + this.#lengthOfParts(length))
    }
    if (memory.get(Register.PART) > frame) memory.set(Register.PART, 0)
    memory.set(Register.STACK_TOP, frame + ENTRY_SIZE)
    for (const register of [Register.OLDEST, Register.QUIET, Register.RESUMED]) memory.set(register, 0)
    for (const register of [Register.POSITION, Register.MARK, Register.FARTHEST]) {
      memory.set(register, position % 2 ** 32)
    }
    memory.set(Register.PC, programCounter)
    this.#hasCheckpoint = false
  }

  /** Explains failures from here on as if the input began here, in a repetition. */
  startAnew(place: Place): void {
    this.#start = this.position
    this.#startPlace = place
    this.#hasCheckpoint = false
    this.#memory.set(Register.FARTHEST, this.#start % 2 ** 32)
  }

  /** Replaces the malformed text that it stopped at, and looks for more after it. */
  passMalformed(): void {
    const window = this.#memory.get(Register.WINDOW) - this.#windowStart
    const offset = this.#malformedAt as number
    const retained = this.retainedFrom
    for (const passed of this.#passed.keys()) {
      if (passed >= retained) break
      this.#passed.delete(passed)
    }
    this.#passed.set(offset, this.#memory.bytes[window + offset] as number)
    const next = this.#replace(window + offset)
    this.#malformedAt = undefined
    this.#validate(next, window + this.inputEnd)
  }

  /** Puts back the malformed text that was passed but not matched: what is read next is not to take it for text. */
  restoreMalformed(): void {
    const window = this.#memory.get(Register.WINDOW) - this.#windowStart
    let first: number | undefined
    for (const [offset, byte] of this.#passed) {
      if (offset < this.position) continue
      this.#memory.bytes[window + offset] = byte
      first ??= offset
    }
    this.#passed.clear()
    if (first === undefined) return
    this.#malformedAt = this.#validEnd = first
    // Whether more comes is asked again after it is passed.
    this.#isFinished = false
  }

  // Input.

  #validate(from: number, end: number): void {
    const { engine } = this
    const isXml = (this.#program as Program).alphabet === 'xml'
    for (let at = isXml ? engine.passXmlText(from, end) : from; ; ) {
      const malformed = engine.findMalformed(at, end)
      // Fewer than four bytes may be the beginning of a sequence that is cut off.
      const isCut = malformed < end && end - malformed < 4 && isCutSequence(this.#memory.bytes.subarray(malformed, end))
      let valid = isXml ? engine.findNoXmlCharacter(at, malformed) : malformed
      if (this.#onReplace) {
        for (; valid < malformed; valid = engine.findNoXmlCharacter(at, malformed)) at = this.#replace(valid)
        if (malformed < end && !isCut) {
          at = this.#replace(malformed)
          continue
        }
      }
      const offset = this.#windowStart + valid - this.#memory.get(Register.WINDOW)
      this.#validEnd = offset
      if (valid < malformed || (malformed < end && !isCut)) this.#malformedAt = offset
      return
    }
  }

  /** A sequence is cut off by the end of the input. */
  #replaceRest(offset: number): void {
    const window = this.#memory.get(Register.WINDOW) - this.#windowStart
    for (let at = offset; at < this.inputEnd; at++) this.#replace(window + at)
    this.#validEnd = this.inputEnd
  }

  /**
   * Replaces malformed text by something that is as long: for the three bytes of a noncharacter U+FFFD, else a question mark
   * for a byte. Returns where to continue.
   */
  #replace(at: number): number {
    const { bytes } = this.#memory
    const isNoncharacter = bytes[at] === 0xef && bytes[at + 1] === 0xbf
    if (isNoncharacter) bytes[at + 2] = 0xbd
    else bytes[at] = 0x3f
    this.#onReplace?.(this.#windowStart + at - this.#memory.get(Register.WINDOW))
    return isNoncharacter ? at + 3 : at + 1
  }

  /** Makes room in the window for so many bytes more: by dropping what is not needed, or by enlarging it. */
  #makeRoom(length: number): void {
    const memory = this.#memory
    const retained = this.retainedFrom
    const keep = Math.max(0, retained - CONTEXT - this.#windowStart)
    if (keep > 0) this.#slide(keep, retained)
    const wanted = this.#written + length
    const size = memory.size('window')
    if (wanted <= size) return
    const comfortable = Math.min(Math.max(LARGE_WINDOW, size * 2), LARGEST_REGION)
    if (comfortable > wanted && this.#tryEnlarge('window', comfortable)) return
    if (wanted > LARGEST_REGION || !this.#tryEnlarge('window', wanted)) {
      throw this.#makeRetainedError(this.#neededFrom(), length)
    }
  }

  /** False where there is no memory for it. */
  #tryEnlarge(region: RegionName, size: number): boolean {
    try {
      this.#memory.enlarge(region, size)
      return true
    } catch (error) {
      if (error instanceof RangeError) return false
      throw error
    }
  }

  /** Notes where the names of open symbols stand that are about to be dropped. Each is noted once. */
  #noteSymbols(until: number): void {
    const depth = this.#memory.get(Register.SYMBOL_DEPTH)
    this.#relocatedSymbols = Math.min(this.#relocatedSymbols, depth)
    let first = depth
    while (first > this.#relocatedSymbols && this.#symbolStart(first - 1) >= this.#measured.byteOffset) first--
    this.#symbolPlaces.length = Math.min(this.#symbolPlaces.length, first)
    for (let i = first; i < depth && this.#symbolStart(i) < until; i++) {
      this.#symbolPlaces[i] = this.#measure(this.#symbolStart(i))
    }
  }

  #symbolStart(index: number): number {
    const memory = this.#memory
    const entry = (memory.get(Register.SYMBOLS) + index * SYMBOL_SIZE) >>> 2
    const start = memory.words[entry + 1] as number
    const noted = this.#symbolPlaces[index]
    // A distance modulo 2^32 cannot distinguish what is far back from what is ahead.
    return noted && noted.byteOffset % 2 ** 32 === start ? noted.byteOffset : this.#absolute(start)
  }

  /** Drops the window's first bytes. */
  #slide(count: number, retained: number): void {
    const memory = this.#memory
    if (this.#program?.usesSymbols && !this.#input) this.#noteSymbols(retained)
    this.#onDrop?.(retained)
    if (!this.#input && retained > this.#dropped.byteOffset) {
      // More than this may be measured already.
      const ahead = this.#measured
      if (ahead.byteOffset > retained) this.#measured = this.#dropped
      if (retained > this.#measured.byteOffset) this.#measure(retained)
      this.#dropped = this.#measured
      if (ahead.byteOffset > retained) this.#measured = ahead
    }
    const { farthest, mark } = this
    const reached = this.#absolute(memory.get(Register.REACHED))
    const address = memory.get(Register.WINDOW)
    memory.bytes.copyWithin(address, address + count, address + this.#written)
    this.#windowStart += count
    this.#written -= count
    memory.set(Register.WINDOW_START, this.#windowStart % 2 ** 32)
    // A failure before the window is never the farthest any more; its distance must not wrap round.
    if (farthest < this.#windowStart) memory.set(Register.FARTHEST, this.#windowStart % 2 ** 32)
    // What was reached counts all the same.
    const unreached = this.#windowStart - reached
    if (unreached > 0) {
      memory.set(Register.REACHED, this.#windowStart % 2 ** 32)
      this.#setBudget(this.#budget + unreached * memory.get(Register.REWIND_FACTOR))
    }
    // Nor must that of where a span began: 2^32 bytes later it would seem to be empty. All that matters is that it is not.
    if (mark < this.#windowStart) memory.set(Register.MARK, this.#windowStart % 2 ** 32)
  }

  #measure(offset: number): TextPosition {
    const memory = this.#memory
    const address = memory.get(Register.WINDOW) - this.#windowStart
    this.engine.measure(address + this.#measured.byteOffset, address + offset, this.#countsUnits ? 1 : 0)
    this.#measured = this.#measured.add(
      offset - this.#measured.byteOffset,
      memory.get(Register.LINE_FEEDS),
      this.#countsUnits ? memory.get(Register.UNITS) : Number.NaN,
      memory.get(Register.UNITS_IN_LINE),
    )
    return this.#measured
  }

  /** Offset from which on input is needed, apart from what only the message of a failure would need. */
  #neededFrom(): number {
    const memory = this.#memory
    let from = this.#toWindow(memory.get(Register.POSITION))
    // A name in the middle is needed from its start on: it will be looked up.
    const isInName = memory.get(Register.RESUMED) === 1 && this.#nextOperation() === Op.NAME
    if (isInName) from = Math.min(from, this.#toWindow(memory.get(Register.MARK)))
    if (this.#held !== undefined) from = Math.min(from, this.#held - this.#windowStart)
    const entries = [memory.get(Register.OLDEST)]
    if (!this.#input) entries.push(memory.get(Register.PART))
    for (const entry of entries) {
      if (entry > 0) from = Math.min(from, this.#toWindow(this.#entryWord(entry, 1)))
    }
    return this.#windowStart + from
  }

  // Room.

  #enlargeFor(stop: StopReason): void {
    const memory = this.#memory
    const { maxNodes, maxNames } = this.#limits as MachineLimits
    switch (stop) {
      case Stop.STACK_FULL:
        this.#double(EXCESS.rules, this.#mostStack)
        this.#enlarge('saves', memory.size('stack'), EXCESS.rules)
        break
      case Stop.TAPE_FULL:
        this.#double(EXCESS.nodes, maxNodes * RECORD_SIZE)
        this.#setTapeMark()
        break
      case Stop.LOG_FULL:
        this.#enlarge('log', memory.size('log') * 2, EXCESS.nodes)
        break
      case Stop.SYMBOLS_FULL:
        this.#double(EXCESS.names, this.#mostSymbols)
        break
      case Stop.NAMES_FULL:
        this.#double(EXCESS.symbols, (maxNames + 1) * NAME_SIZE)
        this.#enlarge('nameBytes', memory.size('nameBytes') * 2 + this.#written, EXCESS.symbols)
        this.#enlarge('hashes', memory.size('hashes') * 2, EXCESS.symbols)
        memory.bytes.fill(0, memory.get(Register.HASHES), memory.get(Register.HASHES) + memory.size('hashes'))
        this.engine.rehash()
        break
      default:
        throw makeRewoundError(
          this.position,
          findRewindingRules(this.program as Program, this.rewindTargets),
          this.#limits as MachineLimits,
        )
    }
  }

  /** Where names are open, those are what is limited, and calls and rewind entries stand on top of them. */
  get #mostStack(): number {
    const { maxDepth } = this.#limits as MachineLimits
    return (maxDepth + (this.#program?.usesSymbols ? STACK_SLACK : 1)) * ENTRY_SIZE
  }

  get #mostSymbols(): number {
    return Math.floor((this.#limits as MachineLimits).maxDepth) * SYMBOL_SIZE
  }

  /** Enlarges the region of something, which may have `most` bytes. */
  #double(excess: Excess, most: number): void {
    const size = this.#memory.size(excess.region)
    const limits = this.#limits as MachineLimits
    if (size >= most) throw makeExcessError(excess, limits[excess.option], this.position, limits)
    this.#enlarge(excess.region, Math.min(size * 2, most), excess)
  }

  /** Throws a `LimitError` for what there is too much of when there is no memory. */
  #enlarge(region: RegionName, size: number, excess: Excess): void {
    if (size <= LARGEST_REGION && this.#tryEnlarge(region, size)) return
    const held = Math.floor(this.#memory.size(excess.region) / excess.size)
    const limits = this.#limits as MachineLimits
    throw makeExcessError(excess, Math.min(held, limits[excess.option]), this.position, limits)
  }

  #makeRetainedError(retainedFrom: number, requested: number): Error {
    const part = this.#memory.get(Register.PART)
    const isPart = part > 0 && this.#absolute(this.#entryWord(part, 1)) === retainedFrom
    const isHeld = this.#held === retainedFrom
    const holder = isPart || isHeld ? 'the part that begins' : 'a choice or repetition that may go back'
    const retained = this.inputEnd - retainedFrom
    const retention = { byteOffset: this.position, retainedFrom, retained, requested, holder }
    return makeRetainedError(retention, this.#limits as MachineLimits)
  }

  get #budget(): number {
    const memory = this.#memory
    return memory.get(Register.BUDGET_HIGH) * 2 ** 32 + memory.get(Register.BUDGET)
  }

  #setBudget(bytes: number): void {
    const budget = Math.min(Math.floor(bytes), MOST_BUDGET)
    this.#memory.set(Register.BUDGET, budget % 2 ** 32)
    this.#memory.set(Register.BUDGET_HIGH, Math.floor(budget / 2 ** 32))
  }

  // The tape.

  /** A certain part stops the machine when half of the tape is used. */
  #setTapeMark(): void {
    this.#memory.set(Register.TAPE_MARK, this.#memory.size('tape') >>> 1)
  }

  /** Bytes of tape up to the end of the last part that nothing can undo. */
  get certainLength(): number {
    const memory = this.#memory
    const start = memory.get(Register.TAPE_START)
    const closed = (memory.get(Register.CLOSED) - start) | 0
    const oldest = memory.get(Register.OLDEST)
    const undoable = oldest === 0 ? closed : (this.#entryWord(oldest, 2) - start) | 0
    if (closed <= undoable) return Math.max(0, closed)
    // The last part may be undone. Records after the one before it are those of a part that is open, and may be delivered yet.
    return this.#lengthOfParts(undoable)
  }

  /** Bytes of tape up to the end of the last part in so many. */
  #lengthOfParts(length: number): number {
    let record = length / RECORD_SIZE - 1
    while (record >= 0 && !this.#isPart(record)) record--
    return Math.max(0, record + 1) * RECORD_SIZE
  }

  #recordWord(record: number, word: number): number {
    return this.#memory.words[(this.#memory.get(Register.TAPE) >>> 2) + record * 4 + word] as number
  }

  #isPart(record: number): boolean {
    return this.#partTypes[this.#recordWord(record, 0)] === 1
  }

  /** Takes the first records off the tape. */
  #dropTape(length: number): void {
    const memory = this.#memory
    this.#readTo = this.#absolute(this.#recordWord(length / RECORD_SIZE - 1, 2))
    const start = this.#moveTape(length)
    // A part that contains a delivered part will not be delivered itself.
    const part = memory.get(Register.PART)
    if (part > 0 && ((start - this.#entryWord(part, 2)) | 0) > 0) {
      memory.set(Register.PART, this.#findOpenPart(part + ENTRY_SIZE, start))
    }
  }

  /** Lets the tape begin so much later. */
  #moveTape(length: number): number {
    const memory = this.#memory
    const address = memory.get(Register.TAPE)
    const start = (memory.get(Register.TAPE_START) + length) >>> 0
    const rest = (memory.get(Register.TAPE_END) - start) | 0
    if (rest > 0) memory.bytes.copyWithin(address, address + length, address + length + rest)
    memory.set(Register.TAPE_START, start)
    return start
  }

  /** A copy of the records between two places of the tape. */
  #copyRecords(from: number, to: number): Int32Array {
    const memory = this.#memory
    return new Int32Array(memory.engine.buffer, memory.get(Register.TAPE) + from, (to - from) / 4).slice()
  }

  /** The outermost part that is open on the stack from an entry on, and began when the tape was no shorter; 0 when there is none. */
  #findOpenPart(from: number, tapeEnd: number): number {
    const { code } = this.#program as Program
    const top = this.#memory.get(Register.STACK_TOP)
    for (let entry = from; entry < top; entry += ENTRY_SIZE) {
      const head = this.#entryWord(entry, 0)
      if ((head & EntryFlag.CALL) === 0 || ((this.#entryWord(entry, 2) - tapeEnd) | 0) < 0) continue
      if (((code[this.#calleeOf(head)] as number) & 255) === Op.BEGIN_PART) return entry
    }
    return 0
  }

  /** Where the procedure begins that an entry of the stack was pushed for: the first word of a call's. */
  #calleeOf(head: number): number {
    const { code } = this.#program as Program
    return (code[(head >>> 4) - 1] as number) >>> 8
  }

  // Offsets.

  #takeCheckpoint(): void {
    const memory = this.#memory
    if (this.#hasCheckpoint && !this.#isTimeForCheckpoint()) return
    if (memory.get(Register.OLDEST) === 0) memory.set(Register.LOG_LENGTH, 0)
    memory.set(Register.LOG_LOW, memory.get(Register.LOG_LENGTH))
    memory.set(Register.LOW, memory.get(Register.STACK_TOP))
    memory.set(Register.SAVED, 0)
    for (let register = 0; register < STATE_REGISTERS; register++) this.#checkpoint[register] = memory.get(register)
    this.#hasCheckpoint = true
  }

  /**
   * Not while something that failed farther on may yet be the error. Best in the middle of a span, since nothing was expected there
   * before; after a while anywhere.
   */
  #isTimeForCheckpoint(): boolean {
    const memory = this.#memory
    const position = memory.get(Register.POSITION)
    if (((position - memory.get(Register.FARTHEST)) | 0) <= 0) return false
    const distance = (position - (this.#checkpoint[Register.POSITION] as number)) | 0
    return distance >= (memory.get(Register.RESUMED) === 1 ? NEAR_CHECKPOINT : FAR_CHECKPOINT)
  }

  get #isCheckpointOverdue(): boolean {
    const position = this.#memory.get(Register.POSITION)
    return (
      this.#hasCheckpoint && ((position - (this.#checkpoint[Register.POSITION] as number)) | 0) >= OVERDUE_CHECKPOINT
    )
  }

  #nextOperation(): number {
    const { code } = this.#program as Program
    return (code[this.#memory.get(Register.PC)] as number) & 255
  }

  #entryWord(entry: number, word: number): number {
    return this.#memory.words[((this.#memory.get(Register.STACK) + entry) >>> 2) + word] as number
  }

  #setEntryWord(entry: number, word: number, value: number): void {
    this.#memory.words[((this.#memory.get(Register.STACK) + entry) >>> 2) + word] = value
  }

  /** The distance of an offset modulo 2^32 from the window's start; negative for one before it. */
  #toWindow(offset: number): number {
    return (offset - this.#memory.get(Register.WINDOW_START)) | 0
  }

  #absolute(offset: number): number {
    return this.#windowStart + this.#toWindow(offset)
  }
}

/** Whether the bytes, which end the input so far, can be the beginning of a sequence. */
function isCutSequence(bytes: Uint8Array): boolean {
  return sequenceLength(bytes, 0) === -1
}
