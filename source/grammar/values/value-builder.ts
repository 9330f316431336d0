// From parts on the tape to values, in one pass and without nodes: what an entry is made of lies before it, so its values are on the top of a stack.

import { RECORD_SHIFT } from '../../machine/program/registers.ts'
import type { Parts } from '../../machine/tree/tape.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import { concatText } from '../../text/units.ts'
import type { Notation } from '../syntax/expression.ts'
import type {
  ConstantAction,
  FixedAction,
  LooseAction,
  MapAction,
  SlotAction,
  TextAction,
  ValueAction,
  VariantAction,
} from './action.ts'
import { type FindRules, InvalidValue } from './invalid-value.ts'
import { isPlain, NOTATION_WORDS, readNotation } from './notation.ts'
import { TextWindow } from './text-window.ts'

export interface ValueBuilderOptions {
  /** Whether records have `start` and `end`. */
  readonly hasPositions: boolean
  /** Whether a text that is not of its kind gives null; otherwise it is an error. */
  readonly isLenient: boolean
  /** For errors. */
  readonly findRules: FindRules
}

/** What a value on the stack is besides: in no slot, or a mark that says the variant of a record. */
const NO_SLOT = -1
const VARIANT = -2

/** Words of an entry (machine/program/registers.ts). */
const START = 1
const END = 2
const FIRST = 3

/** Kinds of actions as numbers; none: what lies there is of no value. */
const Code = { text: 1, constant: 2, array: 3, fixed: 4, loose: 5, slot: 6, variant: 7, begin: 8, map: 9 } as const
const NO_CODE = 0

/** Digits of a number that is exact whatever they are. */
const MOST_DIGITS = 15
/** Bytes of numbers; that of the point as a digit would be. */
const ZERO = 0x30
const MINUS = 0x2d
const POINT = -2
const FIRST_DEPTH = 64
const NO_BYTES = new Uint8Array(0)

type Properties = Record<string, unknown>

/** Makes values of parts. What it needs is kept from one part to the next. */
export class ValueBuilder {
  readonly #types: readonly string[]
  readonly #actions: readonly (ValueAction | undefined)[]
  /** By types, what their actions are. */
  readonly #codes: Uint8Array
  readonly #options: ValueBuilderOptions
  #text = new TextWindow(NO_BYTES, 0)
  #bytes: Uint8Array = NO_BYTES
  #words: Int32Array = new Int32Array(0)
  #start = TextPosition.START
  #roots: readonly number[] = []
  /** The offset in the input of the first byte, modulo 2^32. */
  #base = 0
  /** The offset of the tape that the first entry has, modulo 2^32. */
  #tapeStart = 0
  // The stack: values, the first entry that each is made of, its slot, and the offset at which it begins, modulo 2^32.
  #values: unknown[] = []
  #firsts = new Int32Array(FIRST_DEPTH)
  #slots = new Int32Array(FIRST_DEPTH)
  #starts = new Int32Array(FIRST_DEPTH)
  #top = 0

  /** `types`: those of the program; `actions`: what becomes of nodes of a type. */
  constructor(types: readonly string[], actions: ReadonlyMap<string, ValueAction>, options: ValueBuilderOptions) {
    this.#types = types
    this.#actions = types.map((type) => actions.get(type))
    this.#codes = Uint8Array.from(this.#actions, (action) => (action ? Code[action.kind] : NO_CODE))
    this.#options = options
  }

  /**
   * Calls `put` with each value of some parts, in their order, and the offset in the input after it. Throws an `InvalidValue`, after the values before it.
   */
  build(parts: Parts, put: (value: unknown, end: number) => void): void {
    const { records, roots, tapeStart, bytes, start } = parts
    const words = new Int32Array(records.buffer, records.byteOffset, records.length)
    this.#text = new TextWindow(bytes, start.byteOffset)
    this.#bytes = bytes
    this.#words = words
    this.#start = start
    this.#roots = roots
    this.#base = (start.byteOffset % 2 ** 32) | 0
    this.#tapeStart = tapeStart | 0
    for (const root of roots) {
      this.#top = 0
      // What lies between two parts is of one that is around both, and not delivered.
      for (let entry = this.#firstOf(root); entry < root; entry++) {
        const type = words[4 * entry] as number
        const code = this.#codes[type] as number
        if (code !== NO_CODE) this.#apply(code, this.#actions[type] as ValueAction, entry)
      }
      put(this.#values[0], start.byteOffset + this.#endOf(root))
    }
    // What is left on the stack would not be garbage.
    this.#values = []
  }

  /** Does what an entry asks for. Numbers and no names decide: this runs for each entry. */
  #apply(code: number, action: ValueAction, entry: number): void {
    const first = this.#firstOf(entry)
    switch (code) {
      case Code.text:
        this.#push(this.#textOf(action as TextAction, entry, first), entry, first)
        break
      case Code.constant:
        this.#push((action as ConstantAction).value, entry, first)
        break
      case Code.array:
        this.#putArray(entry, first)
        break
      case Code.fixed:
        this.#putFixed(action as FixedAction, entry, first)
        break
      case Code.map:
        this.#putMap(action as MapAction, entry, first)
        break
      case Code.loose:
        this.#putLoose(action as LooseAction, entry, first)
        break
      case Code.slot:
        this.#slots[this.#top - 1] = (action as SlotAction).slot
        break
      case Code.variant:
        this.#push((action as VariantAction).variant, entry, first)
        this.#slots[this.#top - 1] = VARIANT
        break
      case Code.begin:
        this.#starts[this.#top - 1] = this.#word(entry, START)
        break
    }
  }

  #putArray(entry: number, first: number): void {
    const from = this.#lowest(first)
    const items = this.#values.slice(from, this.#top)
    this.#top = from
    this.#push(items, entry, first)
  }

  /** Of entries with the same key, the last one counts. */
  #putMap({ rule }: MapAction, entry: number, first: number): void {
    const from = this.#lowest(first)
    const map: Properties = {}
    for (let i = from; i < this.#top; i += 2) {
      const key = this.#values[i] as string | null
      if (key === null) {
        // Nothing could stand for it.
        const at = ((this.#starts[i] as number) - this.#base) >>> 0
        throw this.#errorAt(`expected a key for ${rule}, but its text is none`, 'a key', rule, entry, at)
      }
      setProperty(map, key, this.#values[i + 1])
    }
    this.#top = from
    this.#push(map, entry, first)
  }

  #putFixed({ names, type, isFold }: FixedAction, entry: number, first: number): void {
    const from = this.#top - names.length
    const record: Properties = type === undefined ? {} : { type }
    for (let i = 0; i < names.length; i++) setProperty(record, names[i] as string, this.#values[from + i])
    this.#pushRecord(record, isFold, from, entry, first)
  }

  #putLoose({ names, isList, variants, type, isFold }: LooseAction, entry: number, first: number): void {
    const from = this.#lowest(first) - Number(isFold)
    const mark = this.#slots.subarray(from, this.#top).indexOf(VARIANT)
    const slots = variants[mark === -1 ? 0 : (this.#values[from + mark] as number)] as readonly number[]
    const record: Properties = type === undefined ? {} : { type }
    for (const slot of slots) setProperty(record, names[slot] as string, isList[slot] ? [] : undefined)
    // What the rule has made so far is its first field.
    if (isFold) this.#slots[from] = 0
    for (let i = from; i < this.#top; i++) {
      const slot = this.#slots[i] as number
      if (slot < 0) continue
      const name = names[slot] as string
      if (isList[slot]) (record[name] as unknown[]).push(this.#values[i])
      else setProperty(record, name, this.#values[i])
    }
    this.#pushRecord(record, isFold, from, entry, first)
  }

  /** Puts a record in the place of its values. That of a fold begins where its rule does. */
  #pushRecord(record: Properties, isFold: boolean, from: number, entry: number, first: number): void {
    this.#top = from
    const start = isFold ? (this.#starts[from] as number) : this.#word(entry, START)
    if (this.#options.hasPositions) {
      record.start = this.#start.byteOffset + ((start - this.#base) >>> 0)
      record.end = this.#start.byteOffset + this.#endOf(entry)
    }
    this.#push(record, entry, isFold ? (this.#firsts[from] as number) : first)
    this.#starts[from] = start
  }

  /** A value that an entry gives, which is made of the entries from the first on. */
  #push(value: unknown, entry: number, first: number): void {
    if (this.#top === this.#firsts.length) this.#grow()
    this.#values[this.#top] = value
    this.#firsts[this.#top] = first
    this.#slots[this.#top] = NO_SLOT
    this.#starts[this.#top] = this.#word(entry, START)
    this.#top++
  }

  #grow(): void {
    const larger = (numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
      const copy = new Int32Array(2 * numbers.length)
      copy.set(numbers)
      return copy
    }
    this.#firsts = larger(this.#firsts)
    this.#slots = larger(this.#slots)
    this.#starts = larger(this.#starts)
  }

  /** The lowest of the values on the top of the stack that are made of entries from one on. */
  #lowest(first: number): number {
    let from = this.#top
    while (from > 0 && (this.#firsts[from - 1] as number) >= first) from--
    return from
  }

  #word(entry: number, word: number): number {
    return this.#words[4 * entry + word] as number
  }

  /** The first of the entries that an entry is made of. */
  #firstOf(entry: number): number {
    return (this.#word(entry, FIRST) - this.#tapeStart) >>> RECORD_SHIFT
  }

  /** Offsets in the bytes. */
  #startOf(entry: number): number {
    return (this.#word(entry, START) - this.#base) >>> 0
  }

  #endOf(entry: number): number {
    return (this.#word(entry, END) - this.#base) >>> 0
  }

  // Texts.

  #textOf(action: TextAction, entry: number, first: number): unknown {
    const { textKind, notation } = action
    if (notation === undefined && first === entry && (textKind?.name === 'integer' || textKind?.name === 'number')) {
      const number = this.#digitsOf(entry, textKind.name === 'integer')
      if (number !== undefined) return number
    }
    const text = notation === undefined ? this.#sliceAround(entry, first) : this.#readNotation(action, entry, first)
    if (textKind === undefined || text === null) return text
    return textKind.parse(text) ?? this.#refuse(action, textKind.words as string, text, entry)
  }

  /** What the text of an entry stands for. */
  #readNotation(action: TextAction, entry: number, first: number): string | null {
    const notation = action.notation as Notation
    const { quotes } = action
    const around = quotes && !quotes.isOmitted ? 1 : 0
    const start = this.#startOf(entry) + around
    const end = this.#endOf(entry) - around
    // Most texts are as they are written.
    const isEnclosed = around === 0 || (start <= end && this.#bytes[end] === quotes?.mark.charCodeAt(0))
    if (first === entry && isEnclosed && isPlain(notation, this.#bytes, start, end)) return this.#text.slice(start, end)
    const text = this.#sliceAround(entry, first)
    return readNotation(notation, text, quotes) ?? this.#refuse(action, NOTATION_WORDS[notation], text, entry)
  }

  /**
   * The number that a few digits are, with a sign and a fraction where it may have them; undefined for anything else. It needs no string. Both what it divides are exact, and so
   * the quotient is the nearest number (Clinger, How to Read Floating Point Numbers Accurately, 1990).
   */
  #digitsOf(entry: number, isWhole: boolean): number | undefined {
    const end = this.#endOf(entry)
    let at = this.#startOf(entry)
    const isNegative = this.#bytes[at] === MINUS
    if (isNegative) at++
    const first = at
    if (end - first > MOST_DIGITS || end === first) return undefined
    let number = 0
    let scale = 0
    for (; at < end; at++) {
      const digit = (this.#bytes[at] as number) - ZERO
      if (digit >= 0 && digit <= 9) {
        number = 10 * number + digit
        scale *= 10
      } else if (!isWhole && digit === POINT && scale === 0 && at > first && at + 1 < end) scale = 1
      else return undefined
    }
    const read = scale === 0 ? number : number / scale
    if (!isNegative) return read
    // There is no -0 among whole numbers.
    return isWhole ? 0 - read : -read
  }

  /** The text of an entry without the holes in it. */
  #sliceAround(entry: number, first: number): string {
    const start = this.#startOf(entry)
    if (first === entry) return this.#text.slice(start, this.#endOf(entry))
    let text = ''
    let from = start
    for (let hole = first; hole < entry; hole++) {
      text = concatText(text, this.#text.slice(from, this.#startOf(hole)))
      from = this.#endOf(hole)
    }
    return concatText(text, this.#text.slice(from, this.#endOf(entry)))
  }

  #refuse({ rule, label }: TextAction, words: string, text: string, entry: number): null {
    if (this.#options.isLenient) return null
    const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
    const what = label === undefined ? `${words} for ${rule}` : `${label} (${words})`
    const field = this.#fieldOf(entry)
    const where = field === undefined || field === rule ? '' : ` in the field ${field}`
    const message = `expected ${what}${where}, but found ${JSON.stringify(shown)}`
    throw this.#errorAt(message, label ?? words, rule, entry, this.#startOf(entry), field)
  }

  #errorAt(message: string, words: string, rule: string, entry: number, at: number, field?: string): InvalidValue {
    const { byteOffset } = this.#start
    const root = this.#roots.find((one) => one >= entry) as number
    return new InvalidValue(message, {
      start: byteOffset + at,
      end: byteOffset + Math.max(at, this.#endOf(entry)),
      partStart: byteOffset + this.#startOf(root),
      part: this.#types[this.#word(root, 0)] as string,
      expected: [words],
      rule,
      field,
      findRules: this.#options.findRules,
    })
  }

  /** The field that the value of an entry goes to, when what lies before it is on the stack. */
  #fieldOf(entry: number): string | undefined {
    let [last, first, slot] = [entry, this.#firstOf(entry), 0]
    for (let next = entry + 1; 4 * next < this.#words.length; next++) {
      const action = this.#actions[this.#word(next, 0)]
      if (action?.kind === 'slot' && next === last + 1) slot = action.slot
      if (this.#firstOf(next) > first) continue
      if (action?.kind === 'loose') return action.names[slot]
      const from = this.#firstOf(next)
      if (action?.kind === 'fixed')
        return action.names[this.#lowest(first) - this.#lowest(from) + Number(action.isFold)]
      ;[last, first] = [next, from]
    }
    return undefined
  }
}

/** Characters of a text that a message shows. */
const LONGEST_SHOWN = 60

/** Sets a property of a record, whatever its name is: `__proto__` is a name like any other. */
function setProperty(record: Properties, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  else record[name] = value
}
