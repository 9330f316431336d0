// The fields of a record whose elements are open.

import { concatText } from '../text/units.ts'
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
    // Of one in another less is decoded: what is in it comes after its start, and entities bring text to all.
    return this.count === 0 ? undefined : (this.#fields[0] as OpenField).from
  }

  /** The one that was added last; only where one is open. */
  get innermost(): OpenField {
    return this.#fields[this.count - 1] as OpenField
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

  /** An entity brings text, to which what ends at an offset refers. `decode` adds what lies before that to a text, from an offset on. */
  addText(text: string, end: number, decode: (from: number, before: string) => string): void {
    for (const open of this.#fields.slice(0, this.count)) {
      open.text = concatText(decode(open.from, open.text ?? ''), text)
      open.from = Math.max(open.from, end)
    }
  }
}
