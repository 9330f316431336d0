// From instructions with labels to a program.

import { concatBytes } from '../../stream/chunk-encoder.ts'
import { withCode } from '../../stream/errors.ts'
import type { ByteSet } from './byte-set.ts'
import type { CodePointSet } from './code-point-set.ts'
import { GENERAL_KERNEL } from './general-kernel.ts'
import { INSTRUCTIONS, lengthOf } from './instruction-table.ts'
import { Op, type OpName } from './instructions.ts'
import type { Continuation, Note, Place, Program } from './program.ts'

/** A place in code that is not known yet. */
export class Label {
  /** Index in words of code; -1 until it is placed. */
  index = -1
}

/** What `type` is asked for to get the numbers of {@link NodeType}: no rule has these names. */
export const LITERAL_TYPE = '#literal'
export const HOLE_TYPE = '#hole'

/** Operands that stand beside the operation are below this, and so are indices of instructions. */
const OPERAND_LIMIT = 2 ** 24
/** No name begins with it. */
const PART_MARK = 'part '

const SYMBOL_OPERATIONS: ReadonlySet<OpName> = new Set(['PUSH_SYMBOL', 'MATCH_SYMBOL', 'POP_SYMBOL', 'UNIQUE'])
const NO_NOTE: Note = { rules: [], places: [], restPlaces: [] }
const NOTHING: Continuation = { expects: [], beyond: 'caller', ended: 0, begins: [] }

/** Collects code and data. Equal data is kept once. */
export class Assembler {
  readonly #code: number[] = []
  /** Where the last label was placed: what stands before it must not go. */
  #lastPlace = -1
  readonly #fixups: { index: number; label: Label; shift: number }[] = []
  readonly #tables: { offset: number; ways: readonly Label[]; end: Label }[] = []
  readonly #pieces: Uint8Array[] = []
  #dataLength = 0
  /** Where each jump stands, and leads to. */
  readonly #jumps = new Map<number, Label>()
  readonly #known = new Map<string, number>()
  readonly #types = new Map([LITERAL_TYPE, HOLE_TYPE].map((name, number) => [name, number]))
  readonly #labels = new Map<string, number>()
  readonly #ruleLabels: ReadonlyMap<string, string>
  readonly #start: Continuation
  readonly #notes = new Map<number, Note>()
  readonly #procedures = new Map<number, string>()
  readonly #parts = new Set<number>()
  readonly #recoveries: { readonly skip: Label; readonly place: Place }[] = []
  #usesSymbols = false

  /** `start`: what could stand where the input begins, for messages. */
  constructor(ruleLabels: ReadonlyMap<string, string> = new Map(), start = NOTHING) {
    this.#ruleLabels = ruleLabels
    this.#start = start
  }

  /** Index of the next instruction. */
  get here(): number {
    return this.#code.length
  }

  /** Appends an instruction. Operands stand in the order of the table; a first operand that the table does not list is left out. */
  emit(name: OpName, operands: readonly (number | Label)[] = [], note: Note = NO_NOTE): void {
    const op = Op[name]
    const { operands: kinds } = INSTRUCTIONS[op] as (typeof INSTRUCTIONS)[number]
    if (operands.length !== kinds.length) throw new RangeError(`${name} takes ${kinds.length} operands`)
    const start = this.#code.length
    if (SYMBOL_OPERATIONS.has(name)) this.#usesSymbols = true
    if (name === 'END_PART') this.#parts.add(operands[0] as number)
    if (note !== NO_NOTE) this.#notes.set(start, note)
    for (let i = 0; i < lengthOf(op); i++) {
      const operand = operands[i] ?? 0
      if (i === 0 && typeof operand === 'number') requireOperand(operand)
      const shift = i === 0 ? 8 : 0
      if (operand instanceof Label) this.#fixups.push({ index: start + i, label: operand, shift })
      this.#code.push(((operand instanceof Label ? 0 : operand << shift) | (i === 0 ? op : 0)) >>> 0)
    }
  }

  /** Says that the next instruction is where a label refers to. A jump to there, right before it, is taken back. */
  place(label: Label): void {
    const last = this.#fixups.at(-1)
    const isJump = last?.label === label && last.index === this.here - 1 && this.#code[last.index] === Op.JUMP
    if (isJump && this.#lastPlace < this.here) {
      this.#code.pop()
      this.#fixups.pop()
      this.#notes.delete(this.here)
    }
    label.index = this.here
    this.#lastPlace = this.here
  }

  /** Says that the next instruction begins the procedure of a rule. */
  beginProcedure(rule: string): void {
    this.#procedures.set(this.here, rule)
    this.#lastPlace = this.here
  }

  /** The number of a node type. */
  type(name: string): number {
    return numberIn(this.#types, name)
  }

  /** That of the nodes of this type that are parts: others may be in a part that holds the innermost one. */
  partType(name: string): number {
    return numberIn(this.#types, PART_MARK + name)
  }

  /** The number of a repetition in which reading continues after errors, at what `skip` is placed before. */
  recovery(skip: Label, place: Place): number {
    return this.#recoveries.push({ skip, place })
  }

  /** The number of a labelled failure's message. */
  label(message: string): number {
    return numberIn(this.#labels, message)
  }

  literal(bytes: Uint8Array): number {
    return this.#once(`literal ${bytes.join()}`, 1, () => bytes)
  }

  literals(all: readonly Uint8Array[]): number {
    const long = all.filter(({ length }) => length > 1)
    const short = all.filter(({ length }) => length === 1)
    const bits = new Array<number>(4).fill(0)
    for (const literal of short) {
      const byte = literal[0] as number
      bits[byte >>> 5] = (bits[byte >>> 5] as number) | (1 << (byte & 31))
    }
    const entries = [...long, ...short].flatMap((bytes) => {
      const { value, mask } = wordOf(bytes.subarray(0, 4))
      return [this.literal(bytes), bytes.length, value, mask]
    })
    const words = [all.length, long.length, ...bits, ...entries]
    return this.#once(`literals ${words.join()}`, 4, () => bytesOf(words))
  }

  set(set: ByteSet): number {
    return this.#once(`set ${set.key}`, 4, () => Uint8Array.from({ length: 256 }, (_, byte) => Number(set.has(byte))))
  }

  class(set: CodePointSet): number {
    return this.#once(`class ${set.ranges.join()}`, 16, () => {
      const bytes = new Uint8Array(272)
      for (let byte = 0; byte < 128; byte++) {
        if (set.has(byte)) bytes[byte & 15] = (bytes[byte & 15] as number) | (1 << (byte >> 4))
      }
      for (let byte = 0; byte < 256; byte++) {
        bytes[16 + byte] = { none: 0, all: 1, some: 2 }[set.coverageOfFirstByte(byte)]
      }
      const all = set.coverage(0x80, 0x10ffff) === 'all' ? 0xffffffff : 0
      const ranges = set.ranges.filter(([, last]) => last >= 0x80)
      return concatBytes(bytes, bytesOf([all, ranges.length, ...ranges.flat()]))
    })
  }

  /** Where each of the 256 bytes goes, and where the end of the input goes. */
  table(ways: readonly Label[], end: Label): number {
    const targets = [...new Set(ways)]
    const numbers = new Map(targets.map((target, i) => [target, i + 1]))
    const bytes = new Uint8Array(256 + 4 * (targets.length + 1))
    ways.forEach((way, byte) => {
      bytes[byte] = numbers.get(way) as number
    })
    const offset = this.#append(bytes, 4)
    this.#tables.push({ offset: offset + 256, ways: targets, end })
    return offset
  }

  /** The program. Throws an `Error` when a label is not placed, and a `RangeError` with the code `program-too-large`. */
  finish(): Program {
    requireOperand(this.#code.length)
    const code = Uint32Array.from(this.#code)
    for (const { index, label } of this.#fixups) if (this.#code[index] === Op.JUMP) this.#jumps.set(index, label)
    for (const { index, label, shift } of this.#fixups) {
      code[index] = (code[index] as number) | (this.#targetOf(label) << shift)
    }
    const data = new Uint8Array(this.#dataLength)
    let offset = 0
    for (const piece of this.#pieces) {
      data.set(piece, offset)
      offset += piece.length
    }
    const view = new DataView(data.buffer)
    for (const { offset: at, ways, end } of this.#tables) {
      ;[end, ...ways].forEach((label, i) => {
        view.setUint32(at + 4 * i, this.#targetOf(label), true)
      })
    }
    return {
      kernel: GENERAL_KERNEL,
      code,
      data,
      types: ['literal', '', ...[...this.#types.keys()].slice(2).map((name) => name.replace(PART_MARK, ''))],
      parts: this.#parts,
      labels: [...this.#labels.keys()],
      ruleLabels: this.#ruleLabels,
      alphabet: 'unicode',
      start: this.#start,
      notes: this.#notes,
      usesSymbols: this.#usesSymbols,
      recoveries: this.#recoveries.map(({ skip, place }) => ({ skip: indexOf(skip), place })),
      procedures: this.#procedures,
    }
  }

  /** Where a jump to the label ends: not at another jump. Throws an `Error` when a label is not placed. */
  #targetOf(label: Label): number {
    const seen = new Set<Label>()
    let target = label
    for (let jump = this.#jumps.get(target.index); jump && !seen.has(jump); jump = this.#jumps.get(target.index)) {
      seen.add(jump)
      target = jump
    }
    return indexOf(target)
  }

  /** Where data is that has this key. */
  #once(key: string, alignment: number, make: () => Uint8Array): number {
    const offset = this.#known.get(key) ?? this.#append(make(), alignment)
    this.#known.set(key, offset)
    return offset
  }

  #append(bytes: Uint8Array, alignment: number): number {
    const padding = (alignment - (this.#dataLength % alignment)) % alignment
    const offset = this.#dataLength + padding
    if (padding > 0) this.#pieces.push(new Uint8Array(padding))
    this.#pieces.push(bytes)
    this.#dataLength = offset + bytes.length
    return offset
  }
}

/** The number of something in the order in which things were asked for. */
function numberIn(numbers: Map<string, number>, name: string): number {
  const number = numbers.get(name) ?? numbers.size
  numbers.set(name, number)
  return number
}

/** Up to four bytes as a word, and which of its bits count. */
export function wordOf(bytes: Uint8Array): { value: number; mask: number } {
  const value = bytes.reduce((word, byte, i) => word | (byte << (8 * i)), 0) >>> 0
  return { value, mask: bytes.length === 4 ? 0xffffffff : 2 ** (8 * bytes.length) - 1 }
}

function requireOperand(operand: number): void {
  if (operand >= OPERAND_LIMIT) {
    throw withCode(
      new RangeError('the grammar is too large: its program has more than 2^24 words'),
      'program-too-large',
    )
  }
}

function indexOf(label: Label): number {
  if (label.index === -1) throw new Error('a label of the program is not placed')
  return label.index
}

/** Words as little-endian bytes, on any machine. */
export function bytesOf(words: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 * words.length)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < words.length; i++) view.setUint32(4 * i, words[i] as number, true)
  return bytes
}
