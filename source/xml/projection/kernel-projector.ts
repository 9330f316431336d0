// Finds values in complete records on the tape of a machine, by the kernel (kernel/xml/project.ts), and writes them as lines (kernel/xml/lines.ts).

import { attachXmlKernel, type XmlKernel } from '../../kernel/xml-kernel.ts'
import { RECORD_SIZE, Register } from '../../machine/program/registers.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { WrittenRecord } from '../output/complete-records.ts'
import type { LineForm } from '../output/line-form.ts'
import type { Automaton } from './automaton.ts'
import type { Captures } from './captures.ts'
import { Job } from './job.ts'
import type { Table } from './table.ts'

/** Words of a job that are written for each call, and where its results are. */
const Header = {
  MOST_COVERED: 5,
  SCRATCH: 6,
  ENTRIES: 7,
  ENTRIES_END: 8,
  LISTS: 9,
  LISTS_END: 10,
  FOUND: 11,
  FOUND_END: 12,
  FIRST_ENTRY: 13,
  FIRST_LIST: 14,
  AROUND: 15,
  DONE_STATE: 16,
  STOPPED_AT: 17,
  ENTRY_COUNT: 18,
  LIST_COUNT: 19,
  FOUND_COUNT: 20,
  UNKNOWN_IN: 21,
  UNKNOWN_SYMBOL: 22,
} as const

const Reason = { DONE: 0, LEFT: 1, UNKNOWN_STEP: 2, UNKNOWN_ATTRIBUTE: 3, UNKNOWN_CONDITION: 4, FULL: 5 } as const

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
/** Bytes of a job that there is room for at first. */
const FIRST_JOB_SIZE = 64 * 1024
const ALIGNMENT = 16
const WORDS_OF_FOUND = 8
const MOST_COVERED = 2 ** 31

/** Where the kernel begins, and what it is told. */
export interface KernelTask {
  readonly job: Job
  /** Records of the tape. */
  readonly first: number
  readonly end: number
  /** The state of the element around them, and the one of the elements for which the host has done its part. */
  readonly state: number
  readonly doneState: number
  /** The entry of the record around those that are found; 0 for none, or where the kernel finds it. */
  readonly around: number
  /** Bytes that the fields of one record may cover. */
  readonly mostCovered: number
  /** Called for each record. */
  readonly onFound: (record: FoundEntry) => void
  /** What is to be written of each record; undefined for nothing. */
  readonly form: LineForm | undefined
  /** Called when as many lines were written as there is room for, which hold until this returns; and whether all that was found was written. */
  readonly onWritten: (areAll: boolean) => void
}

/** A record that the kernel has found. It is one record after the other: it must not be kept. */
interface FoundEntry extends WrittenRecord {
  /** The number of its plan, and its entry. */
  readonly number: number
  readonly entry: number
  /** Where its element ends, and how many elements are open with it among those that the kernel was given. */
  readonly end: number
  readonly depth: number
}

/** The kernel, for one document. */
export class KernelProjector {
  readonly #machine: Machine
  readonly #memory: object
  #kernel: XmlKernel | undefined
  readonly #jobs = new Map<Table, Job>()
  /** What is in the machine's memory: which job, which version of it, and where. */
  #job: Job | undefined
  #version = -1
  #address = 0
  /** Where in the job the columns of lines are. */
  #formAt = 0
  /** Bytes of memory to be made room for. */
  #wanted = OUTPUT_SIZE + FIRST_JOB_SIZE

  private constructor(machine: Machine, memory: object) {
    this.#machine = machine
    this.#memory = memory
  }

  /** Undefined where the kernel cannot run. */
  static of(machine: Machine): KernelProjector | undefined {
    const { wasmMemory } = machine.engine
    return wasmMemory && new KernelProjector(machine, wasmMemory)
  }

  /** The job for a table. It is one for each. */
  jobFor(table: Table, automaton: Automaton, endTag: number): Job {
    const known = this.#jobs.get(table)
    if (known) return known
    const job = new Job(table, automaton, endTag)
    this.#jobs.set(table, job)
    return job
  }

  /** The memory in which lines are written. */
  get bytes(): Uint8Array {
    return this.#machine.memory.bytes
  }

  /** Makes room for jobs of the size that was wanted last, unless little input is there. Nothing may hold a view of the machine's memory. */
  reserve(): void {
    const { memory, inputEnd, windowStart } = this.#machine
    if (inputEnd - windowStart < LEAST_INPUT) return
    if (memory.size('projection') < this.#wanted) memory.enlarge('projection', this.#wanted)
  }

  /** Whether so many records of the tape are enough for it, and it has room. */
  isFor(records: number): boolean {
    return records >= LEAST_RECORDS && this.#machine.memory.size('projection') >= this.#wanted
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
      const words = this.#prepare(given, captures)
      if (!words) return first
      const { engine } = this.#machine
      const tape = this.#machine.memory.get(Register.TAPE)
      const [from, end] = [tape + first * RECORD_SIZE, tape + given.end * RECORD_SIZE]
      const reason = kernel.project(this.#address, from, end, given.state, this.#machine.windowStart)
      this.#adopt(words, engine.buffer, captures)
      this.#deliver(kernel, words, given)
      first += words[Header.STOPPED_AT] as number
      if (reason === Reason.FULL && words[Header.FOUND_COUNT] !== 0) continue
      if (reason === Reason.DONE || !this.#learn(reason, given.job, words)) return first
    }
  }

  /** Says what was found, and writes as much of it as there is room for, again and again. */
  #deliver(kernel: XmlKernel, words: Int32Array, { form, onFound, onWritten }: KernelTask): void {
    const count = words[Header.FOUND_COUNT] as number
    const address = (words[Header.FOUND] as number) >>> 0
    const found = new Uint32Array(words.buffer, address, WORDS_OF_FOUND * count)
    const ends = new Float64Array(words.buffer, address, (WORDS_OF_FOUND / 2) * count)
    const record = {
      number: 0,
      entry: 0,
      end: 0,
      depth: 0,
      lineFrom: 0,
      lineEnd: 0,
      isWhole: false as boolean,
      notes: 0,
      around: 0,
    } satisfies FoundEntry
    const to = (words[Header.ENTRIES_END] as number) >>> 0
    for (let i = 0; i < count; ) {
      let stop = count
      const end = to + LINES_SIZE
      if (form?.isBinary) stop = kernel.writeValues(this.#formAt, form.columnCount, i, count, to, end)
      else if (form) stop = kernel.writeLines(this.#formAt, form.columnCount, form.mode, i, count, to, end)
      const hasRoom = stop > i
      let begun = to
      // One that is too long by itself is left.
      for (stop = Math.max(stop, i + 1); i < stop; i++) {
        const at = WORDS_OF_FOUND * i
        const length = form && hasRoom ? (found[at + 1] as number) : 0
        record.entry = found[at] as number
        record.end = ends[at / 2 + 1] as number
        record.number = found[at + 4] as number
        record.depth = found[at + 5] as number
        record.lineFrom = begun
        record.lineEnd = length === 0 ? begun : to + length
        record.notes = found[at + 6] as number
        record.around = found[at + 7] as number
        record.isWhole = length > 0 && (!form?.hasAround || record.around !== 0)
        onFound(record)
        begun = record.lineEnd
      }
      if (form) onWritten(i === count)
    }
  }

  /** The job in the machine's memory, with what is to be known for a call; undefined if there is no room for it. */
  #prepare({ job, around, doneState, mostCovered, form }: KernelTask, captures: Captures): Int32Array | undefined {
    const { memory } = this.#machine
    const { words, version } = job
    if (!words) return undefined
    const columns = form?.encode(words.length)
    const jobSize = align(4 * (words.length + (columns?.length ?? 0)))
    const size = jobSize + OUTPUT_SIZE
    if (size > memory.size('projection')) {
      this.#wanted = Math.ceil((size * 5) / 4 / ALIGNMENT) * ALIGNMENT
      return undefined
    }
    const address = memory.address('projection')
    const there = new Int32Array(memory.engine.buffer, address, words.length)
    if (this.#job !== job || this.#version !== version || this.#address !== address) {
      there.set(words)
      if (columns) new Int32Array(memory.engine.buffer, address + 4 * words.length, columns.length).set(columns)
    }
    this.#formAt = words.length
    this.#job = job
    this.#version = version
    this.#address = address
    let at = address + jobSize
    const place = (size: number) => {
      at += size
      return at
    }
    there[Header.MOST_COVERED] = Math.min(mostCovered, MOST_COVERED)
    there[Header.SCRATCH] = at
    there[Header.FOUND] = place(SCRATCH_SIZE)
    there[Header.LISTS] = there[Header.FOUND_END] = place(FOUND_SIZE)
    there[Header.ENTRIES] = there[Header.LISTS_END] = place(LISTS_SIZE)
    there[Header.ENTRIES_END] = place(CAPTURES_SIZE)
    there[Header.FIRST_ENTRY] = captures.entryCount
    there[Header.FIRST_LIST] = captures.listCount
    there[Header.AROUND] = around
    there[Header.DONE_STATE] = doneState
    return there
  }

  /** Takes over captures that the kernel has written. */
  #adopt(words: Int32Array, buffer: ArrayBuffer, captures: Captures): void {
    const viewOf = (place: number, count: number) => new Float64Array(buffer, (words[place] as number) >>> 0, count)
    const lists = viewOf(Header.LISTS, words[Header.LIST_COUNT] as number)
    captures.adopt(viewOf(Header.ENTRIES, captures.wordsOf(words[Header.ENTRY_COUNT] as number)), lists)
  }

  /** Adds to a job what the kernel did not know. False if that is not why it stopped, or cannot be said. */
  #learn(reason: number, job: Job, words: Int32Array): boolean {
    const [where, symbol] = [words[Header.UNKNOWN_IN] as number, words[Header.UNKNOWN_SYMBOL] as number]
    if (reason === Reason.UNKNOWN_STEP) return job.learnStep(where, symbol)
    if (reason === Reason.UNKNOWN_ATTRIBUTE) return job.learnAttribute(where, symbol)
    return reason === Reason.UNKNOWN_CONDITION && job.learnCondition(where, symbol)
  }
}

/** Numbers of eight bytes begin at multiples of that. */
function align(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT
}
