// Records of usual shape to lines of JSON, by a kernel that is made for their shape. It has no twin: where it cannot run, and of other records, lines are
// written of what the projection finds, and what it is tested against is those.

import { compileKernel } from './load.ts'

/** Why a scan has ended. */
export const ScanEnd = {
  /** The available bytes end in a record, or after one. */
  MORE: 0,
  /** What follows is not a usual record. */
  UNUSUAL: 1,
  /** The record that follows, at the end of what was read, begins at the limit or after it, or no more lines are wanted. */
  OVER: 2,
  /** There is no room for another line: what is there should be taken. */
  FULL: 3,
  /** The filter has thrown. */
  FAILED: 4,
} as const

/** What a scan has shown. */
export interface RecordScan {
  /** A `ScanEnd`. */
  readonly reason: number
  /** Bytes of input that were read. */
  readonly consumed: number
  /** The lines, in memory of the scanner: they hold until the next scan. */
  readonly lines: Uint8Array
  readonly count: number
  /** For each combination of notes (`LineColumn.note`), how many lines have it: by that, shifted by one bit, with 1 for lines that begin another element. */
  readonly notes: Uint32Array
  /** Ids of the outermost element of the first and the last line; 0 where there is none. */
  readonly firstId: number
  readonly lastId: number
  /** Line feeds in what was read, and UTF-16 units after the last one, or all where there is none. */
  readonly lineFeeds: number
  readonly unitsInLine: number
}

/** The fields of the record that is being looked at, by their numbers. They hold until the function returns that was called with them. */
export interface ScannedFields {
  has(field: number): boolean
  /** As it stands in the input; an empty array if it is not there. */
  bytesOf(field: number): Uint8Array
  /** What the content of an element stands for, in UTF-8. Only where a line was written. */
  textOf(field: number): Uint8Array
}

export interface RecordScannerOptions {
  /** Decides about each record; without it, all are wanted. */
  readonly isWanted?: ((fields: ScannedFields) => boolean) | undefined
  /**
   * Called for each line that is written, with its number among those of the scan and what is noted of it (`RecordScan.notes`). Only as many lines count
   * as the scan gives: of others, the calls are forgotten.
   */
  readonly onLine?: ((line: number, notes: number, fields: ScannedFields) => void) | undefined
}

interface Exports {
  memory: WebAssembly.Memory
  INPUT: WebAssembly.Global<'i32'>
  FIELDS: WebAssembly.Global<'i32'>
  COUNTS: WebAssembly.Global<'i32'>
  NOTE_COUNT: WebAssembly.Global<'i32'>
  RESULTS: WebAssembly.Global<'i32'>
  SLACK: WebAssembly.Global<'i32'>
  LINE_OVERHEAD: WebAssembly.Global<'i32'>
  validate(from: number, length: number): number
  writeField(field: number, target: number): number
  scan(
    from: number,
    last: number,
    isFaultBehind: number,
    limit: number,
    output: number,
    room: number,
    isHostAsked: number,
    isHostShown: number,
    most: number,
    idBefore: number,
  ): number
}

/** Bytes of input that there is room for at first, and at most. */
const FIRST_CAPACITY = 512 * 1024
const LARGEST_CAPACITY = 8 * 1024 * 1024
/** Bytes that are kept of what was read, for excerpts around errors. */
const CONTEXT = 160
/** Bytes that are taken over at a time: what is made of them stays in the caches. */
const PIECE = 256 * 1024
/** Bytes at the end of what is there that may be the beginning of a sequence of UTF-8. */
const LONGEST_CUT = 3
const WASM_PAGE = 65536
const MOST_LINES = 2 ** 31 - 1
/** Words of a field: from which address to which it stands, and whether it is there. */
const FIELD_WORDS = 4

/** A kernel, and what it asks. */
interface Kernel {
  readonly exports: Exports
  decide: () => number
  report: (line: number, notes: number) => void
}

/** The modules that were compiled, by their text. */
const compiled = new Map<string, WebAssembly.Module | undefined>()
/** Kernels that nobody uses, by their modules. An engine may not be able to make thousands before it collects those that are gone. */
const idle = new Map<WebAssembly.Module, Kernel[]>()
const MOST_IDLE = 2

/**
 * A scanner by the module of a kernel, as text (embedded-bytes.ts); undefined where WebAssembly SIMD is not to be had.
 */
export function makeRecordScanner(text: string, options: RecordScannerOptions = {}): RecordScanner | undefined {
  if (!compiled.has(text)) compiled.set(text, compileKernel(text))
  const module = compiled.get(text)
  if (!module) return undefined
  const unused = idle.get(module) ?? []
  idle.set(module, unused)
  return new RecordScanner(unused.pop() ?? instantiate(module), unused, options)
}

function instantiate(module: WebAssembly.Module): Kernel {
  const env = {
    decide: () => kernel.decide(),
    report: (line: number, notes: number) => kernel.report(line, notes >>> 0),
  }
  const exports = new WebAssembly.Instance(module, { env }).exports as unknown as Exports
  const kernel: Kernel = { exports, decide: () => 1, report: () => {} }
  return kernel
}

/** Holds input that was not read yet, and reads it. */
export class RecordScanner implements ScannedFields {
  readonly #owner: Kernel
  readonly #kernel: Exports
  /** Where the kernel goes when it is not used any more. */
  readonly #unused: Kernel[]
  readonly #options: RecordScannerOptions
  /** What the filter has thrown. */
  #error: unknown
  #capacity = 0
  #bytes = new Uint8Array(0)
  #fields = new Uint32Array(0)
  /** Addresses of the first byte that was not read, after the last one that is text, and after the last one that is there. */
  #start: number
  #valid: number
  #end: number

  /** @internal */
  constructor(owner: Kernel, unused: Kernel[], options: RecordScannerOptions) {
    this.#owner = owner
    this.#kernel = owner.exports
    this.#unused = unused
    this.#options = options
    owner.decide = () => this.#decide()
    owner.report = (line, notes) => options.onLine?.(line, notes, this)
    this.#start = this.#valid = this.#end = this.#kernel.INPUT.value
    this.#resize(FIRST_CAPACITY)
  }

  /** Gives the memory back. The scanner is not to be used any more. */
  release(): void {
    // What nobody uses must not keep what was asked.
    this.#owner.decide = () => 1
    this.#owner.report = () => {}
    if (this.#capacity === FIRST_CAPACITY && this.#unused.length < MOST_IDLE) this.#unused.push(this.#owner)
  }

  /** What the filter has thrown, after a scan with the reason `FAILED`. */
  get error(): unknown {
    return this.#error
  }

  /** Bytes of input that were not read. */
  get length(): number {
    return this.#end - this.#start
  }

  /** Takes over some of the bytes, and says how many; none where what is there is as much as can be. */
  append(bytes: Uint8Array): number {
    const base = this.#kernel.INPUT.value
    if (this.#end + PIECE > base + this.#capacity) this.#compact()
    if (this.#end === base + this.#capacity && this.#capacity < LARGEST_CAPACITY) this.#resize(2 * this.#capacity)
    const length = Math.min(bytes.length, PIECE, base + this.#capacity - this.#end)
    this.#bytes.set(length < bytes.length ? bytes.subarray(0, length) : bytes, this.#end)
    this.#end += length
    return length
  }

  /** Drops input that was read elsewhere. */
  drop(length: number): void {
    this.#start = Math.min(this.#end, this.#start + length)
  }

  /**
   * Reads elements that begin less than `limit` bytes after the first byte that was not read, and writes `most` lines at most. `idBefore`: the id of the
   * line before them.
   */
  scan(limit: number, most = MOST_LINES, idBefore = Number.NaN): RecordScan {
    const kernel = this.#kernel
    if (this.#valid < this.#start) this.#valid = this.#start
    this.#valid = kernel.validate(this.#valid, this.#end - this.#valid)
    const isFaultBehind = this.#end - this.#valid > LONGEST_CUT
    const output = kernel.INPUT.value + this.#capacity + kernel.SLACK.value
    const end = Math.min(limit, LARGEST_CAPACITY)
    const reason = kernel.scan(
      this.#start,
      this.#valid,
      isFaultBehind ? 1 : 0,
      this.#start + end,
      output,
      this.#room,
      this.#options.isWanted ? 1 : 0,
      this.#options.onLine ? 1 : 0,
      Math.min(most, MOST_LINES),
      idBefore,
    )
    const results = new DataView(kernel.memory.buffer, kernel.RESULTS.value)
    const word = (index: number) => results.getUint32(4 * index, true)
    const count = word(2)
    this.#start += word(0)
    return {
      reason,
      consumed: word(0),
      lines: this.#bytes.subarray(output, output + word(1)),
      count,
      notes: new Uint32Array(kernel.memory.buffer, kernel.COUNTS.value, kernel.NOTE_COUNT.value),
      firstId: count > 0 ? results.getFloat64(16, true) : 0,
      lastId: count > 0 ? results.getFloat64(24, true) : 0,
      lineFeeds: word(8),
      unitsInLine: word(9),
    }
  }

  /** A copy of up to `length` bytes before what was not read, some of them. */
  copyBefore(length: number): Uint8Array {
    const from = this.#start - Math.min(length, CONTEXT)
    return this.#bytes.slice(Math.max(this.#kernel.INPUT.value, from), this.#start)
  }

  has(field: number): boolean {
    return this.#fields[FIELD_WORDS * field + 2] === 1
  }

  bytesOf(field: number): Uint8Array {
    const at = FIELD_WORDS * field
    return this.#bytes.subarray(this.#fields[at], this.#fields[at + 1])
  }

  textOf(field: number): Uint8Array {
    const end = this.#kernel.writeField(field, this.#scratch)
    return this.#bytes.subarray(this.#scratch, end)
  }

  /** Where texts are written for a function: after the lines. */
  get #scratch(): number {
    const { INPUT, SLACK } = this.#kernel
    return INPUT.value + this.#capacity + this.#room + 2 * SLACK.value
  }

  #decide(): number {
    try {
      return this.#options.isWanted?.(this) ? 1 : 0
    } catch (error) {
      this.#error = error
      return -1
    }
  }

  /** Bytes of lines that there is room for: those of a page that is all of the input, or more of smaller ones. */
  get #room(): number {
    return 2 * this.#capacity + this.#kernel.LINE_OVERHEAD.value
  }

  /** Moves what was not read to where the input begins, with some of what was before it. */
  #compact(): void {
    const base = this.#kernel.INPUT.value
    const moved = Math.max(0, this.#start - CONTEXT - base)
    this.#bytes.copyWithin(base, base + moved, this.#end)
    this.#start -= moved
    this.#valid = Math.max(this.#start, this.#valid - moved)
    this.#end -= moved
  }

  #resize(capacity: number): void {
    const { memory, INPUT, FIELDS, SLACK } = this.#kernel
    this.#capacity = capacity
    const scratch = this.#options.onLine ? capacity + SLACK.value : 0
    const wanted = INPUT.value + capacity + this.#room + 2 * SLACK.value + scratch
    const missing = wanted - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE))
    this.#bytes = new Uint8Array(memory.buffer)
    this.#fields = new Uint32Array(memory.buffer, FIELDS.value)
  }
}
