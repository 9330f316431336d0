// What only XML does with the tape of a machine, in the machine's memory: going over records that need no inspection, and writing out what texts stand for.

import { NAME_SIZE, RECORD_SIZE, Register } from '../../machine/program/registers.ts'
import type { Machine, TapeView } from '../../machine/run/machine.ts'
import { UnitDecoder } from '../../text/units.ts'
import type { PartTypes } from './part-types.ts'
import { END, PARTNER, RECORD_WORDS, type TapeFrame } from './tape-frame.ts'

/**
 * Bytes of input whose texts are written out at once where all texts are wanted and parts are small. A string of more than 128 KiB gets pages of its own
 * from V8, and back from it: that took a quarter of the time.
 */
export const USUAL_TRANSCRIPT = 60 * 1024
/** Bytes whose texts are written out at once at the most, and what may be written after them. */
const LONGEST_TRANSCRIPT = 1024 * 1024
/**
 * Bytes of input that are decoded at once at the most: beyond, what they stand for would make the memory large for long. And so many there
 * is room for, however small the input is: stretches may overlap.
 */
const LONGEST_DECODED = 16 * 1024 * 1024
const LEAST_DECODED = 32 * 1024
const TRANSCRIPT_SLACK = 64

/** Records of the tape where they lie. */
export interface XmlTapeView extends TapeView {
  /** What the texts among the records stand for, when it was asked for and is to be had: see `Engine.transcribe`. */
  readonly transcript: string | undefined
}

/** The tape of one document. */
export class XmlTape {
  readonly #machine: Machine
  readonly types: PartTypes
  /** Made when something is decoded. */
  #units: UnitDecoder | undefined
  #decodes = false

  constructor(machine: Machine, types: PartTypes) {
    this.#machine = machine
    this.types = types
    machine.memory.setRoles(types.roles)
  }

  /** How many records there is room for. */
  get capacity(): number {
    return this.#machine.memory.size('tape') / RECORD_SIZE
  }

  /**
   * Shows the certain part of the tape, as `Machine.readTape` does; with a transcript, which is that of so many bytes of input, or of one part. Undefined
   * where nothing is certain.
   */
  read(transcribed: number): XmlTapeView | undefined {
    const machine = this.#machine
    const { certainLength } = machine
    if (certainLength === 0) return undefined
    if (this.#decodes)
      this.#reserve(Math.min(Math.max(machine.inputEnd - machine.windowStart, LEAST_DECODED), LONGEST_DECODED))
    const length = transcribed === 0 ? certainLength : this.#usualLength(certainLength, transcribed)
    const transcript = transcribed === 0 ? undefined : this.#transcribe(length)
    const { words, bytes, start, drop } = machine.readTape(length) as TapeView
    return { words, bytes, start, drop, transcript }
  }

  /** Says of a symbol's name whether it needs no inspection when `skim` meets it. */
  passName(symbol: number, isPassed = true): void {
    const { memory } = this.#machine
    const word = ((memory.get(Register.NAMES) + symbol * NAME_SIZE) >>> 2) + 2
    memory.words[word] = ((memory.words[word] as number) & ~1) | (isPassed ? 1 : 0)
  }

  /**
   * Inspects the records of a view from `record` to `end`. Returns the first record of the part that needs inspection, or `end`. `depth` elements
   * are open; the end of the one at the depth `floor` needs inspection. `skimDepth` says how many are open there.
   */
  skim(record: number, end: number, depth: number, floor: number): number {
    const { memory, engine } = this.#machine
    const tape = memory.get(Register.TAPE)
    return (engine.skim(tape + record * RECORD_SIZE, tape + end * RECORD_SIZE, depth, floor) - tape) / RECORD_SIZE
  }

  get skimDepth(): number {
    return this.#machine.memory.get(Register.SKIM_DEPTH)
  }

  /**
   * Lets an engine that can drop parts at once that `skim` would skip, as long as nothing is on the tape, from here on and until
   * it is said otherwise; undefined: none. Then `skimDepth` says how many elements are open where the tape begins.
   */
  skimAhead(where: { readonly depth: number; readonly floor: number } | undefined): void {
    const { memory } = this.#machine
    memory.set(Register.SKIMS, where ? 1 : 0)
    memory.set(Register.SKIM_DEPTH, where?.depth ?? 0)
    memory.set(Register.SKIM_FLOOR, where?.floor ?? 0)
    memory.set(Register.SKIM_FOUND, 0)
  }

  /** Offset where the last part ended that was dropped at once since `skimAhead`; undefined when there was none. */
  get skimEnd(): number | undefined {
    const { memory } = this.#machine
    return memory.get(Register.SKIM_FOUND) === 1 ? this.#machine.offsetOf(memory.get(Register.SKIM_END)) : undefined
  }

  /** Writes into the records of a frame from `first` to `end` where elements end. */
  link(frame: TapeFrame, first: number, end: number): void {
    const { memory, engine } = this.#machine
    if (!frame.isOnTape || !engine.wasmMemory) {
      linkTags(frame.words, frame.types, first, end)
      return
    }
    const tape = memory.get(Register.TAPE)
    engine.link(tape + first * RECORD_SIZE, tape + end * RECORD_SIZE)
  }

  /** Says that `decode` will be called, so that each view comes with room for that. */
  prepareDecoding(): void {
    this.#decodes = true
  }

  /**
   * What stretches of the retained input stand for, one after the other. `ranges` begins with `count` numbers, three for
   * each: two offsets and a kind (Decode). How many units there are up to the end of each is written into `ends`. Undefined where the engine
   * does not say, or there is no room: nothing is moved while views may be there.
   */
  decode(ranges: readonly number[], count: number, ends?: number[]): string | undefined {
    let bytes = 0
    for (let i = 0; i < count; i += 3) bytes += (ranges[i + 1] as number) - (ranges[i] as number)
    const { memory, engine, windowStart } = this.#machine
    if (2 * bytes + TRANSCRIPT_SLACK > memory.size('transcript')) return undefined
    const window = memory.get(Register.WINDOW) - windowStart
    const address = memory.address('transcript')
    let units = 0
    for (let i = 0; i < count; i += 3) {
      const [from, end, kind] = [ranges[i] as number, ranges[i + 1] as number, ranges[i + 2] as number]
      units = engine.decode(window + from, window + end, i === 0 ? address : 0, kind)
      if (units === -1) return undefined
      if (ends) ends[i / 3] = units
    }
    return this.#stringOf(units)
  }

  /** Bytes of tape, at most `certain`, whose parts lie in so many bytes of input; those of one part at least. */
  #usualLength(certain: number, transcribed: number): number {
    const count = certain / RECORD_SIZE
    const words = this.#wordsOf(count)
    const { takenTo } = this.#machine
    const isNear = (record: number) => this.#distance(words, record, takenTo) <= transcribed
    if (isNear(count - 1)) return certain
    // What closes later ends later.
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isNear(middle)) low = middle + 1
      else high = middle
    }
    const isPart = (record: number) => this.types.isPart[words[record * RECORD_WORDS] as number] === 1
    let record = low - 1
    while (record >= 0 && !isPart(record)) record--
    if (record < 0) for (record = low; !isPart(record); record++);
    return (record + 1) * RECORD_SIZE
  }

  /** What the texts among the tape's first records stand for; undefined where the engine does not say, or it is long. */
  #transcribe(length: number): string | undefined {
    const { memory, engine, takenTo } = this.#machine
    const last = length / RECORD_SIZE - 1
    const bytes = this.#distance(this.#wordsOf(last + 1), last, takenTo)
    if (bytes > LONGEST_TRANSCRIPT) return undefined
    this.#reserve(bytes)
    const tape = memory.get(Register.TAPE)
    const units = engine.transcribe(tape, tape + length, memory.address('transcript'))
    return units === -1 ? undefined : this.#stringOf(units)
  }

  #wordsOf(count: number): Int32Array {
    const { memory, engine } = this.#machine
    return new Int32Array(engine.buffer, memory.get(Register.TAPE), count * RECORD_WORDS)
  }

  /** Bytes of input from an offset to the end of a record: offsets on the tape are modulo 2^32. */
  #distance(words: Int32Array, record: number, from: number): number {
    return ((words[record * RECORD_WORDS + END] as number) - from) >>> 0
  }

  /** What was written into the transcript. */
  #stringOf(units: number): string {
    const { memory, engine } = this.#machine
    this.#units ??= new UnitDecoder()
    return this.#units.decode(engine.buffer, memory.address('transcript'), units, memory.get(Register.UNITS) === 2)
  }

  /** Makes room for what so many bytes of input may stand for. */
  #reserve(bytes: number): void {
    const { memory } = this.#machine
    const size = 2 * bytes + TRANSCRIPT_SLACK
    if (size > memory.size('transcript')) memory.enlarge('transcript', 2 * size)
  }
}

/**
 * Links the tags among the records from `first` to `end`: to look for the end of each element in its content would take time with the square of its depth.
 * Into the last word of each start tag it writes how many records later the tag is that ends its element; 0 if it is not there. The kernel does the
 * same for records on the tape (`link` in xml/kernel/tape.ts).
 */
function linkTags(words: Int32Array, { startTag, endTag, emptyTag }: PartTypes, first: number, end: number): void {
  // Tags that are open are chained: where the distance will stand, there stands the tag that was open before.
  let open = -1
  for (let at = first * RECORD_WORDS; at < end * RECORD_WORDS; at += RECORD_WORDS) {
    const type = words[at] as number
    if (type === startTag) {
      words[at + PARTNER] = open
      open = at
    } else if ((type === endTag || type === emptyTag) && open !== -1) {
      const before = words[open + PARTNER] as number
      words[open + PARTNER] = (at - open) / RECORD_WORDS
      open = before
    }
  }
  while (open !== -1) {
    const before = words[open + PARTNER] as number
    words[open + PARTNER] = 0
    open = before
  }
}
