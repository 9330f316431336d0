// References to entities that a document leaves out, because their text is outside of it.

import type { SkippedEntity } from 'xylem/xml/streaming'

/** Names that are kept. */
const MOST_NAMES = 5
/** UTF-16 units of a name. */
const LONGEST_NAME = 50

export class SkippedReferences {
  readonly #names = new Set<string>()
  #count = 0
  #hasMoreNames = false

  get count(): number {
    return this.#count
  }

  /** The first names, and whether there are others. */
  get names(): { readonly names: readonly string[]; readonly hasMoreNames: boolean } {
    return { names: [...this.#names], hasMoreNames: this.#hasMoreNames }
  }

  readonly add = ({ name }: SkippedEntity): void => {
    this.#count++
    const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
    if (this.#names.size < MOST_NAMES) this.#names.add(short)
    else this.#hasMoreNames ||= !this.#names.has(short)
  }
}
