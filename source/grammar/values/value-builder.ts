// From parts on the tape to values, in one pass and without nodes: what an entry is made of lies before it, so its values are on the top of a stack.

import { RECORD_SHIFT } from '../../machine/program/registers.ts'
import type { Parts } from '../../machine/tree/tape.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import { type Properties, type RecordTemplate, setProperty } from '../../record/record-template.ts'
import { concatText } from '../../text/units.ts'
import type { Notation } from '../syntax/expression.ts'
import {
  type Actions,
  type CallAction,
  type ConstantAction,
  type FixedAction,
  type LooseAction,
  type MapAction,
  type TextAction,
  templatesOf,
  type ValueAction,
  type VariantAction,
} from './action.ts'
import { describeRefused, type FindRules, InvalidValue, type Reason } from './invalid-value.ts'
import { isPlain, NOTATION_WORDS, readNotation, readSimple } from './notation.ts'
import { TextWindow } from './text-window.ts'

export interface ValueBuilderOptions {
  /** Whether records have `start` and `end`. */
  readonly hasPositions: boolean
  /** Whether a text that is not of its kind gives null; otherwise it is an error. */
  readonly isLenient: boolean
  /** For errors. */
  readonly findRules: FindRules
  /** Functions that get the values of rules, by their names. */
  readonly actions: Actions
}

/** What a value on the stack is besides: in no slot, or a mark that says the variant of a record. */
const NO_SLOT = -1
const VARIANT = -2

/** Words of an entry (machine/program/registers.ts). */
const START = 1
const END = 2
const FIRST = 3

/** Kinds of actions as numbers; none: what lies there is of no value. */
const RECORDS = { fixed: 4, loose: 5, mark: 6, variant: 7, begin: 8 } as const
const Code = { text: 1, constant: 2, array: 3, ...RECORDS, map: 9, call: 10 } as const
const NO_CODE = 0

/** Digits of a number that is exact whatever they are. */
const MOST_DIGITS = 15
/** Bytes of numbers; that of the point as a digit would be. */
const ZERO = 0x30
const MINUS = 0x2d
const POINT = -2
const FIRST_DEPTH = 64
const NO_BYTES = new Uint8Array(0)

/** Makes values of parts. What it needs is kept from one part to the next. */
export class ValueBuilder {
  readonly #types: readonly string[]
  readonly #actions: readonly (ValueAction | undefined)[]
  /** By types, what their actions are. */
  readonly #codes: Uint8Array
  /** By types, in which slot a value is. */
  readonly #slotsOf: Int32Array
  /** By types, how their records begin: one template for each variant. */
  readonly #templates: readonly (readonly RecordTemplate[])[]
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
  // The stack: values, the slot of each, and the offset at which it begins, modulo 2^32.
  #values: unknown[] = []
  #slots = new Int32Array(FIRST_DEPTH)
  #starts = new Int32Array(FIRST_DEPTH)
  #top = 0
  /** By slots, the fields of a loose record. */
  readonly #fields: unknown[] = []

  /** `types`: those of the program; `actions`: what becomes of nodes of a type. */
  constructor(types: readonly string[], actions: ReadonlyMap<string, ValueAction>, options: ValueBuilderOptions) {
    this.#types = types
    this.#actions = types.map((type) => actions.get(type))
    this.#codes = Uint8Array.from(this.#actions, (action) => (action ? Code[action.kind] : NO_CODE))
    this.#slotsOf = Int32Array.from(this.#actions, (action) => action?.slot ?? NO_SLOT)
    this.#templates = this.#actions.map((action) => templatesOf(action, options.hasPositions))
    this.#options = options
  }

  /**
   * Calls `put` with each value of some parts, in their order, and the offset in the input after it. It uses the parts up: an entry that was read says how high the stack was, and no
   * longer what it is made of. Throws an `InvalidValue`, after the values before it.
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
        const first = this.#firstOf(entry)
        words[4 * entry + FIRST] = this.#top
        if (this.#codes[type] === NO_CODE) continue
        this.#apply(type, entry, first)
        const slot = this.#slotsOf[type] as number
        if (slot !== NO_SLOT) this.#slots[this.#top - 1] = slot
      }
      put(this.#values[0], start.byteOffset + this.#endOf(root))
    }
    // What is left on the stack would not be garbage.
    this.#values = []
  }

  /** Does what an entry asks for. Numbers and no names decide: this runs for each entry. */
  #apply(type: number, entry: number, first: number): void {
    const action = this.#actions[type] as ValueAction
    switch (this.#codes[type]) {
      case Code.text:
        this.#push(this.#textOf(action as TextAction, entry, first), entry)
        break
      case Code.constant:
        this.#push((action as ConstantAction).value, entry)
        break
      case Code.array:
        this.#putArray(entry, first)
        break
      case Code.fixed:
        this.#putFixed(action as FixedAction, type, entry)
        break
      case Code.map:
        this.#putMap(action as MapAction, entry, first)
        break
      case Code.loose:
        this.#putLoose(action as LooseAction, type, entry, first)
        break
      case Code.variant:
        this.#push((action as VariantAction).variant, entry)
        this.#slots[this.#top - 1] = VARIANT
        break
      case Code.begin:
        this.#starts[this.#top - 1] = this.#word(entry, START)
        break
      case Code.call:
        this.#call(action as CallAction, entry)
        break
    }
  }

  #call({ rule }: CallAction, entry: number): void {
    const value = this.#values[--this.#top]
    const act = this.#options.actions[rule] as Actions[string]
    const { byteOffset } = this.#start
    try {
      this.#push(act(value, byteOffset + this.#startOf(entry), byteOffset + this.#endOf(entry)), entry)
    } catch (cause) {
      const said = cause instanceof Error ? cause.message : cause
      const message = typeof said === 'string' && said !== '' ? said : `the function of ${rule} threw what says nothing`
      throw this.#errorAt(message, { rule, field: this.#fieldOf(entry), cause }, entry)
    }
  }

  #putArray(entry: number, first: number): void {
    const from = this.#heightOf(first)
    const items = from === this.#top ? [] : this.#values.slice(from, this.#top)
    this.#top = from
    this.#push(items, entry)
  }

  /** Of entries with the same key, the last one counts. */
  #putMap({ rule }: MapAction, entry: number, first: number): void {
    const from = this.#heightOf(first)
    const map: Properties = {}
    for (let i = from; i < this.#top; i += 2) {
      const key = this.#values[i] as string | null
      if (key === null) {
        // Nothing could stand for it.
        const at = ((this.#starts[i] as number) - this.#base) >>> 0
        throw this.#errorAt(
          `expected a key for ${rule}, but its text is none`,
          { rule, expected: ['a key'] },
          entry,
          at,
        )
      }
      setProperty(map, key, this.#values[i + 1])
    }
    this.#top = from
    this.#push(map, entry)
  }

  #putFixed({ names, isFold }: FixedAction, type: number, entry: number): void {
    const from = this.#top - names.length
    const [template] = this.#templates[type] as [RecordTemplate]
    this.#pushRecord(template.make(this.#values, from), isFold, from, entry)
  }

  #putLoose({ isList, variants, isFold }: LooseAction, type: number, entry: number, first: number): void {
    const from = this.#heightOf(first) - Number(isFold)
    const mark = variants.length > 1 ? this.#slots.subarray(from, this.#top).indexOf(VARIANT) : -1
    const variant = mark === -1 ? 0 : (this.#values[from + mark] as number)
    const order = variants[variant] as readonly number[]
    const fields = this.#fields
    for (let i = 0; i < order.length; i++) {
      const slot = order[i] as number
      fields[slot] = isList[slot] ? [] : undefined
    }
    // What the rule has made so far is its first field.
    if (isFold) this.#slots[from] = 0
    for (let i = from; i < this.#top; i++) {
      const slot = this.#slots[i] as number
      if (slot < 0) continue
      if (isList[slot]) (fields[slot] as unknown[]).push(this.#values[i])
      else fields[slot] = this.#values[i]
    }
    const template = this.#templates[type]?.[variant] as RecordTemplate
    // The names of slots are those of the first variant, and then others.
    const record = template.make(variant === 0 ? fields : order.map((slot) => fields[slot]), 0)
    this.#pushRecord(record, isFold, from, entry)
  }

  /** Puts a record in the place of its values. That of a fold begins where its rule does. */
  #pushRecord(record: Properties, isFold: boolean, from: number, entry: number): void {
    this.#top = from
    const start = isFold ? (this.#starts[from] as number) : this.#word(entry, START)
    if (this.#options.hasPositions) {
      record.start = this.#start.byteOffset + ((start - this.#base) >>> 0)
      record.end = this.#start.byteOffset + this.#endOf(entry)
    }
    this.#push(record, entry)
    this.#starts[from] = start
  }

  /** A value that an entry gives. */
  #push(value: unknown, entry: number): void {
    if (this.#top === this.#slots.length) this.#grow()
    this.#values[this.#top] = value
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
    this.#slots = larger(this.#slots)
    this.#starts = larger(this.#starts)
  }

  /** How high the stack was before an entry: of what is made of the entries from it on, the lowest value is there. */
  #heightOf(entry: number): number {
    return this.#word(entry, FIRST)
  }

  #word(entry: number, word: number): number {
    return this.#words[4 * entry + word] as number
  }

  /** The first of the entries that an entry, which was not read yet, is made of. */
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
    const { quotes, escapes } = action
    const around = quotes && !quotes.isOmitted ? 1 : 0
    const start = this.#startOf(entry) + around
    const end = this.#endOf(entry) - around
    const isEnclosed = around === 0 || (start <= end && this.#bytes[end] === quotes?.mark.charCodeAt(0))
    if (first === entry && isEnclosed && !escapes) {
      // Most texts are as they are written, or have escapes of two bytes.
      if (isPlain(this.#bytes, start, end)) return this.#text.slice(start, end)
      const read = readSimple(notation, this.#bytes, start, end, quotes?.mark)
      if (read !== undefined) return read
    }
    const text = this.#sliceAround(entry, first)
    return readNotation(notation, text, quotes, escapes) ?? this.#refuse(action, NOTATION_WORDS[notation], text, entry)
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

  #refuse(action: TextAction, words: string, text: string, entry: number): null {
    if (this.#options.isLenient) return null
    const { rule, label = words } = action
    const field = this.#fieldOf(entry)
    throw this.#errorAt(describeRefused(action, words, text, field), { rule, field, expected: [label] }, entry)
  }

  #errorAt(message: string, why: Reason, entry: number, at = this.#startOf(entry)): InvalidValue {
    const { byteOffset } = this.#start
    const root = this.#roots.find((one) => one >= entry) as number
    return new InvalidValue(message, {
      ...why,
      start: byteOffset + at,
      end: byteOffset + Math.max(at, this.#endOf(entry)),
      partStart: byteOffset + this.#startOf(root),
      part: this.#types[this.#word(root, 0)] as string,
      findRules: this.#options.findRules,
    })
  }

  /** The field that the value of an entry goes to, when what lies before it is on the stack. */
  #fieldOf(entry: number): string | undefined {
    let [last, height, slot] = [entry, this.#top, this.#actions[this.#word(entry, 0)]?.slot]
    for (let next = entry + 1; 4 * next < this.#words.length; next++) {
      const action = this.#actions[this.#word(next, 0)]
      const first = this.#firstOf(next)
      if (action?.kind === 'mark' && next === last + 1) slot = action.slot
      if (first > last) continue
      if (action?.kind === 'loose') return action.names[slot ?? 0]
      const from = this.#heightOf(first)
      if (action?.kind === 'fixed') return action.names[height - from + Number(action.isFold)]
      ;[last, height, slot] = [next, from, action?.slot ?? slot]
    }
    return undefined
  }
}
