// Parts of a tree as the machine recorded them.

import { RECORD_SIZE, Register } from '../program/registers.ts'
import type { Machine } from '../run/machine.ts'
import { LARGEST_SHARE } from './largest-share.ts'
import type { TextPosition } from './text-position.ts'

/**
 * Parts that became certain together, with what they need of the tape and of the input. Small ones share a copy, so that a part costs
 * hardly anything. A part that is kept retains at most `LARGEST_SHARE` bytes of it more than its own.
 */
export interface Parts {
  /** Four words a record (machine/program/registers.ts). */
  readonly records: Uint32Array
  /** The indices of the parts' own records, in ascending order. */
  readonly roots: readonly number[]
  /** The offset of the tape, modulo 2^32, that the first record has. */
  readonly tapeStart: number
  /** The input from the start of the first part to the end of the last one, or more of it. */
  readonly bytes: Uint8Array
  /** The position of the first of the bytes; where lines were not counted, since the complete input is at hand, the start. */
  readonly start: TextPosition
}

// Words of a record.
const TYPE = 0
const START = 1
const END = 2
const FIRST = 3
const RECORD_WORDS = 4

/**
 * Takes the parts that are certain off the tape of a machine, in the order of the input. They own what they hold, or refer to the input. `largestShare`: bytes of a copy that
 * parts may share.
 */
export function takeParts(machine: Machine, largestShare = LARGEST_SHARE): Parts[] {
  const view = machine.readTape()
  if (!view) return []
  const tape = new CertainTape(machine, view.words)
  const { roots } = tape
  const taken: Parts[] = []
  for (let from = 0; from < roots.length; ) {
    let to = from + 1
    while (to < roots.length && tape.shareOf(roots[from] as number, roots[to] as number) <= largestShare) to++
    taken.push(tape.copy(roots.slice(from, to)))
    from = to
  }
  view.drop(view.words.length / RECORD_WORDS)
  return taken
}

/** The certain part of a tape, where it lies. */
class CertainTape {
  readonly #machine: Machine
  readonly #words: Uint32Array
  readonly #start: number

  constructor(machine: Machine, words: Int32Array) {
    this.#machine = machine
    this.#words = new Uint32Array(words.buffer, words.byteOffset, words.length)
    this.#start = machine.memory.get(Register.TAPE_START)
  }

  /** The records of the parts, in ascending order. */
  get roots(): number[] {
    const { partTypes } = this.#machine
    const roots: number[] = []
    for (let record = this.#words.length / RECORD_WORDS - 1; record >= 0; ) {
      const isRoot = partTypes[this.#word(record, TYPE)] === 1
      if (isRoot) roots.push(record)
      record = (isRoot ? this.#firstOf(record) : record) - 1
    }
    return roots.reverse()
  }

  /** Bytes of input and tape from the start of one part to the end of another. */
  shareOf(one: number, other: number): number {
    const input = (this.#word(other, END) - this.#word(one, START)) >>> 0
    return input + (other - this.#firstOf(one)) * RECORD_SIZE
  }

  copy(roots: readonly number[]): Parts {
    const machine = this.#machine
    const first = this.#firstOf(roots[0] as number)
    const last = roots.at(-1) as number
    const start = machine.offsetOf(this.#word(roots[0] as number, START))
    const whole = machine.wholeInput
    return {
      records: this.#words.slice(first * RECORD_WORDS, (last + 1) * RECORD_WORDS),
      roots: roots.map((root) => root - first),
      tapeStart: (this.#start + first * RECORD_SIZE) >>> 0,
      bytes: whole?.bytes ?? machine.copyInput(start, machine.offsetOf(this.#word(last, END))),
      start: whole?.start ?? machine.locate(start),
    }
  }

  /** The index of the first record of a subtree. */
  #firstOf(record: number): number {
    return ((this.#word(record, FIRST) - this.#start) >>> 0) / RECORD_SIZE
  }

  #word(record: number, word: number): number {
    return this.#words[record * RECORD_WORDS + word] as number
  }
}
