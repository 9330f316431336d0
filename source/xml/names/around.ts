// What holds around an element: a document that is made of it says that in its root.

import { nameDeclaration } from '../../text/markup/xml-markup.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { Subject } from '../projection/subject.ts'

/** Attributes as they are written: declarations of namespaces, and those whose values hold in what is in an element. */
export type Around = readonly (readonly [name: string, value: string])[]

/** Attributes that the specification gives to all that is in an element (sections 2.10 and 2.12). */
export const INHERITED = ['xml:lang', 'xml:space']
/** Blank, equals sign and quotation marks. */
const SIGNS = 4

/** Follows the open elements. */
export class OpenAround {
  readonly #facts: DocumentFacts
  readonly #inherited: { readonly depth: number; readonly name: string; readonly value: string }[] = []
  /** What was made last, for which declarations, and how many UTF-16 units it is; undefined if something else is inherited since. */
  #made: { readonly version: number | undefined; readonly around: Around; readonly units: number } | undefined

  constructor(facts: DocumentFacts) {
    this.#facts = facts
  }

  /** An element begins, with which so many are open. */
  enter(depth: number, subject: Subject): void {
    const inherited = this.#inherited
    for (let last = inherited.at(-1); last && last.depth >= depth; last = inherited.at(-1)) {
      inherited.pop()
      this.#made = undefined
    }
    for (const name of INHERITED) {
      const value = subject.find({ namespace: undefined, name })
      if (value === undefined) continue
      inherited.push({ depth, name, value })
      this.#made = undefined
    }
  }

  /** What holds where an element has begun. It counts as what entities make. Throws a `LimitError`. */
  of({ name, start }: Subject): Around {
    const { scopes, count } = this.#facts
    if (!this.#made || this.#made.version !== scopes?.version) {
      const attributes = new Map(this.#inherited.map(({ name, value }) => [name, value]))
      for (const [prefix, namespace] of scopes?.declarations ?? []) attributes.set(nameDeclaration(prefix), namespace)
      const around = [...attributes]
      const units = around.reduce((sum, [name, value]) => sum + name.length + value.length + SIGNS, 0)
      this.#made = { version: scopes?.version, around, units }
    }
    const { around, units } = this.#made
    if (units > 0) count(units, start, 'the declarations around the element', name.raw)
    return around
  }
}
