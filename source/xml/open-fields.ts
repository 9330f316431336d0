// The fields of a record whose elements are open.

import type { Field } from './field.ts'

/** One that is open. */
interface OpenField {
  field: Field
  /** How many values there are before it, where all are wanted. */
  slot: number
  /** How many elements are open with its own. */
  depth: number
  /** Where the text begins that is not decoded yet: an offset in the UTF-8. */
  from: number
  /** What comes before that; undefined where nothing does. */
  text: string | undefined
}

/** The fields whose elements are open, from the outermost on. Of those that were open before, nothing is asked. */
export class OpenFields {
  count = 0
  /** The depth of the element of the innermost; 0 where none is open. */
  depth = 0
  readonly #fields: OpenField[] = []

  /** Offset of what is still needed of the input; undefined where nothing is. */
  get from(): number | undefined {
    return this.count === 0 ? undefined : Math.min(...this.#fields.slice(0, this.count).map(({ from }) => from))
  }

  add(field: Field, slot: number, depth: number, from: number): void {
    const known = this.#fields[this.count]
    if (known) {
      known.field = field
      known.slot = slot
      known.depth = depth
      known.from = from
      known.text = undefined
    } else {
      this.#fields.push({ field, slot, depth, from, text: undefined })
    }
    this.count++
    this.depth = depth
  }

  /** Takes the innermost away: it is good until another is added. Its text is to be taken. */
  pop(): OpenField {
    this.count--
    this.depth = this.count === 0 ? 0 : (this.#fields[this.count - 1] as OpenField).depth
    return this.#fields[this.count] as OpenField
  }

  clear(): void {
    for (const open of this.#fields) open.text = undefined
    this.count = 0
    this.depth = 0
  }

  /** An entity brings text, to which what lies between two offsets refers. */
  addText(text: string, start: number, end: number, decode: (from: number, end: number) => string): void {
    for (const open of this.#fields.slice(0, this.count)) {
      open.text = (open.text ?? '') + decode(open.from, start) + text
      open.from = Math.max(open.from, end)
    }
  }
}
