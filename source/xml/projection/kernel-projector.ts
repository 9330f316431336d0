// Finds values in complete records on the tape of a machine, by the kernel (xml/kernel/project.ts), and writes them as lines (xml/kernel/lines.ts).

import { compileKernel } from '../../kernel/load.ts'
import { RECORD_SIZE, Register } from '../../machine/program/registers.ts'
import type { Machine } from '../../machine/run/machine.ts'
import { align } from '../../machine/run/memory.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { Automaton, State } from '../question/automaton.ts'
import { placeOf, planOf } from '../question/closed-plan.ts'
import { CALL_WORDS, CallWord, CLASS_WORDS, FOUND_WORDS, FoundWord, Reason } from '../question/layout.ts'
import { LineForm, type LineFormOptions } from '../question/line-form.ts'
import type { SymbolClasses } from '../question/name-classes.ts'
import type { RecordPlan } from '../question/plan.ts'
import type { Captures } from './captures.ts'
import { xmlModule } from './generated/xml.ts'
import type { RecordBatch } from './record-batch.ts'

/** Bytes of what the kernel works with, and of what it writes: what is found, lists, and captures. */
const SCRATCH_SIZE = 16 * 1024
const FOUND_SIZE = 32 * 1024
const LISTS_SIZE = 96 * 1024
const CAPTURES_SIZE = 384 * 1024
/** Bytes of lines that are written at once, and so stay near the processor. A longer one is left to the host. */
const LINES_SIZE = 1024 * 1024
const OUTPUT_SIZE = SCRATCH_SIZE + FOUND_SIZE + LISTS_SIZE + CAPTURES_SIZE + LINES_SIZE
/** For less input, and fewer records of the tape, setting up would take longer than it saves. */
const LEAST_INPUT = 1024
const LEAST_RECORDS = 32
/** So many symbols of a document have room at first. */
const FEWEST_SYMBOLS = 4096
const MOST_COVERED = 2 ** 31

/** Where the kernel begins, and what it has to know. */
export interface KernelTask {
  readonly facts: DocumentFacts
  /** The classes of the symbols on the tape. */
  readonly classes: SymbolClasses
  /** Records of the tape. */
  readonly first: number
  readonly end: number
  /** The state of the element around them, and the one of the elements for which the host has done its part. */
  readonly state: State
  readonly doneState: State
  /** The entry of the record around those that are found; 0 for none, or where the kernel finds it. */
  readonly around: number
  /** Whether records in one element around them share what the first of them has found of it. */
  readonly sharesAround: boolean
  /** Gets the records. */
  readonly batch: RecordBatch
  /** Called when as many lines were written as there is room for, which hold until this returns; and whether all that was found was written. */
  readonly onWritten: (areAll: boolean) => void
}

/** The kernel, for one document. */
export class KernelProjector {
  readonly #machine: Machine
  readonly #memory: object
  #kernel: XmlKernel | undefined
  /** The plan, and after it the columns of lines. */
  readonly #words: Int32Array
  readonly #form: LineForm | undefined
  /** Where in the words the columns are. */
  readonly #formAt: number
  /** What is in the machine's memory: where, the classes of which symbols, and of how many. */
  #address = 0
  #classes: Int32Array | undefined
  #classCount = 0
  /** For so many symbols there is room in the memory, or is to be. */
  #symbolRoom = FEWEST_SYMBOLS

  private constructor(machine: Machine, memory: object, plan: Int32Array, form: LineForm | undefined) {
    const columns = form?.encode(plan.length) ?? []
    this.#machine = machine
    this.#memory = memory
    this.#form = form
    this.#formAt = plan.length
    this.#words = new Int32Array(plan.length + columns.length)
    this.#words.set(plan)
    this.#words.set(columns, plan.length)
  }

  /** Undefined where the kernel cannot run, or cannot follow the automaton. `written` says what is to be written of each record; undefined: nothing. */
  static of(
    machine: Machine,
    automaton: Automaton,
    record: RecordPlan,
    written: LineFormOptions | undefined,
  ): KernelProjector | undefined {
    const { wasmMemory } = machine.engine
    const plan = wasmMemory && planOf(automaton)
    return plan ? new KernelProjector(machine, wasmMemory, plan, written && new LineForm(record, written)) : undefined
  }

  /** Makes room, unless little input is there. Nothing may hold a view of the machine's memory. */
  reserve(): void {
    const { memory, inputEnd, windowStart, nameCount } = this.#machine
    if (inputEnd - windowStart < LEAST_INPUT) return
    while (this.#symbolRoom <= nameCount) this.#symbolRoom *= 2
    if (memory.size('projection') < this.#size) memory.enlarge('projection', this.#size)
  }

  /** Whether so many records of the tape are enough for it, and it has room. */
  isFor(records: number): boolean {
    const { memory, nameCount } = this.#machine
    return records >= LEAST_RECORDS && memory.size('projection') >= this.#size && nameCount < this.#symbolRoom
  }

  /**
   * Finds the records among those of the tape, and adds what is found to captures. The first record of the tape that is left, which may be the
   * first one that was given.
   */
  project(given: KernelTask, captures: Captures): number {
    let { first } = given
    this.#kernel ??= attachXmlKernel(this.#memory)
    const kernel = this.#kernel
    if (!kernel) return first
    for (;;) {
      const call = this.#prepare(given, captures)
      const { engine } = this.#machine
      const tape = this.#machine.memory.get(Register.TAPE)
      const [from, end] = [tape + first * RECORD_SIZE, tape + given.end * RECORD_SIZE]
      const reason = kernel.project(this.#address, from, end, placeOf(given.state), this.#machine.windowStart)
      this.#adopt(call, engine.buffer, captures)
      this.#deliver(kernel, call, given)
      first += call[CallWord.STOPPED_AT] as number
      if (reason !== Reason.FULL || call[CallWord.FOUND_COUNT] === 0) return first
    }
  }

  /** Says what was found, and writes as much of it as there is room for, again and again. */
  #deliver(kernel: XmlKernel, call: Int32Array, { facts, batch, onWritten }: KernelTask): void {
    batch.memory = this.#machine.memory
    batch.hasAround = this.#form?.hasAround ?? false
    // The kernel knows the offsets of what is parsed, and not those of the source.
    const canWrite = facts.normalizesLineEnds && !(facts.toSource && this.#form?.hasOffsets)
    const form = canWrite ? this.#form : undefined
    const count = call[CallWord.FOUND_COUNT] as number
    const address = (call[CallWord.FOUND] as number) >>> 0
    const found = new Uint32Array(call.buffer, address, FOUND_WORDS * count)
    const ends = new Float64Array(call.buffer, address, (FOUND_WORDS / 2) * count)
    const to = (call[CallWord.ENTRIES_END] as number) >>> 0
    for (let i = 0; i < count; ) {
      let stop = count
      const end = to + LINES_SIZE
      if (form?.isBinary) stop = kernel.writeValues(this.#formAt, form.columnCount, i, count, to, end)
      else if (form) stop = kernel.writeLines(this.#formAt, form.columnCount, form.mode, i, count, to, end)
      const hasRoom = stop > i
      let begun = to
      // One that is too long by itself is left.
      for (stop = Math.max(stop, i + 1); i < stop; i++) {
        const at = FOUND_WORDS * i
        const length = form && hasRoom ? (found[at + FoundWord.LINE_END] as number) : 0
        const lineEnd = length === 0 ? begun : to + length
        batch.add(
          found[at + FoundWord.NUMBER] as number,
          found[at + FoundWord.ENTRY] as number,
          ends[(at + FoundWord.ELEMENT_END) / 2] as number,
          begun,
          lineEnd,
          found[at + FoundWord.AROUND],
        )
        begun = lineEnd
      }
      if (form) onWritten(i === count)
    }
  }

  /** Bytes of a call with the words after it; and of that and all that is written. */
  get #callSize(): number {
    return align(4 * (CALL_WORDS + this.#words.length))
  }

  get #size(): number {
    return this.#callSize + align(4 * CLASS_WORDS * this.#symbolRoom) + OUTPUT_SIZE
  }

  /** Puts the words and the classes of symbols into the machine's memory, as far as they are not there yet. */
  #putPlan(classes: SymbolClasses): void {
    const { memory, nameCount } = this.#machine
    const address = memory.address('projection')
    const isThere = this.#address === address
    if (!isThere) new Int32Array(memory.engine.buffer, address + 4 * CALL_WORDS, this.#words.length).set(this.#words)
    this.#address = address
    if (!isThere || this.#classes !== classes.words) this.#classCount = 0
    const [from, end] = [this.#classCount, nameCount + 1]
    if (from === end) return
    for (let symbol = Math.max(1, from); symbol < end; symbol++) classes.of(symbol)
    this.#classes = classes.words
    const words = classes.words.subarray(CLASS_WORDS * from, CLASS_WORDS * end)
    const to = address + this.#callSize + 4 * CLASS_WORDS * from
    new Int32Array(memory.engine.buffer, to, words.length).set(words)
    this.#classCount = end
  }

  /** The words of a call, with what the kernel has to know. */
  #prepare(task: KernelTask, captures: Captures): Int32Array {
    this.#putPlan(task.classes)
    const call = new Int32Array(this.#machine.memory.engine.buffer, this.#address, CALL_WORDS)
    const sizes = [align(4 * CLASS_WORDS * this.#symbolRoom), SCRATCH_SIZE, FOUND_SIZE, LISTS_SIZE, CAPTURES_SIZE]
    let at = this.#address + this.#callSize
    for (const [i, size] of [0, ...sizes].entries()) {
      at += size
      call[CallWord.CLASSES + i] = at
    }
    call[CallWord.END_TAG] = task.facts.types.endTag
    call[CallWord.MOST_COVERED] = Math.min(task.facts.maxRetained, MOST_COVERED)
    call[CallWord.FIRST_ENTRY] = captures.entryCount
    call[CallWord.FIRST_LIST] = captures.listCount
    call[CallWord.AROUND] = task.around
    call[CallWord.SHARES_AROUND] = task.sharesAround ? 1 : 0
    call[CallWord.DONE_STATE] = placeOf(task.doneState)
    return call
  }

  /** Takes over captures that the kernel has written. */
  #adopt(call: Int32Array, buffer: ArrayBuffer, captures: Captures): void {
    const viewOf = (place: number, count: number) => new Float64Array(buffer, (call[place] as number) >>> 0, count)
    const lists = viewOf(CallWord.LISTS, call[CallWord.LIST_COUNT] as number)
    captures.adopt(viewOf(CallWord.ENTRIES, captures.wordsOf(call[CallWord.ENTRY_COUNT] as number)), lists)
  }
}

/** What xml/kernel/ exports: work on the tape of a machine that only XML has, on the machine's memory. */
interface XmlKernel {
  /** Goes over parts between two addresses of the tape; why it stopped (xml/kernel/project.ts). */
  project(call: number, from: number, end: number, state: number, windowOffset: number): number
  /**
   * Writes what was found last as JSON (xml/kernel/lines.ts): of `last` records those from `first` on, each as `mode` says (LineForm), between two
   * addresses. The first that is not written because there is no room.
   */
  writeLines(columns: number, count: number, mode: number, first: number, last: number, to: number, end: number): number
  /** Writes what was found last as values for columns (xml/kernel/values.ts). */
  writeValues(columns: number, count: number, first: number, last: number, to: number, end: number): number
  /**
   * Writes at the address `to` what the well-formed XML text between two addresses stands for, of the kind that Decode lists, in one of the notations
   * of xml/kernel/output.ts; at most twice as long. The address after it.
   */
  writeText(from: number, end: number, to: number, kind: number, notation: number): number
}

/** Machines are used again and again. */
const attached = new WeakMap<object, XmlKernel>()

/** The kernel on a memory of WebAssembly; undefined where its SIMD is not to be had. */
export function attachXmlKernel(memory: object): XmlKernel | undefined {
  const known = attached.get(memory)
  if (known) return known
  const module = compileKernel(xmlModule)
  if (!module) return undefined
  const kernel = new WebAssembly.Instance(module, { env: { memory: memory as WebAssembly.Memory } })
    .exports as unknown as XmlKernel
  attached.set(memory, kernel)
  return kernel
}
