// Counts the references that a document leaves out, and warns of them at the end.

import type { SkippedEntity } from '../../xml/doctype/skipped-entity.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import { shorten } from '../../xml/errors/unplaced-error.ts'
import { tell } from '../terminal/terminal.ts'
import { describeSkipped } from './xml-readers.ts'

/** Names in the warning. References to other entities are only counted. */
const MOST_NAMES = 5

export interface SkippedCount {
  readonly count: number
  readonly entities: readonly (readonly [name: string, counted: { readonly first: number; readonly count: number }])[]
}

export class SkippedEntities {
  #count = 0
  /** By name: the offset of the first reference, and the number of references. */
  readonly #entities = new Map<string, { readonly first: number; count: number }>()

  readonly add = ({ name, byteOffset }: SkippedEntity): void => {
    this.#count++
    const known = this.#entities.get(name)
    if (known) known.count++
    else if (this.#entities.size < MOST_NAMES) this.#entities.set(name, { first: byteOffset, count: 1 })
  }

  /** Adds what others have counted after all of this. */
  merge({ count, entities }: SkippedCount): void {
    this.#count += count
    for (const [name, { first, count }] of entities) {
      const known = this.#entities.get(name)
      if (known) known.count += count
      else if (this.#entities.size < MOST_NAMES) this.#entities.set(name, { first, count })
    }
  }

  get counted(): SkippedCount {
    return { count: this.#count, entities: [...this.#entities] }
  }

  /** The error that it is where it is not wanted; undefined for none. */
  get fault(): XmlError | undefined {
    const [first] = this.#entities
    return first && new XmlError(describeSkipped(first[0]), { code: 'skipped-entity', byteOffset: first[1].first })
  }

  /** Warns on standard error, if there were any. */
  report(input: string): void {
    if (this.#count === 0) return
    const parts = Array.from(this.#entities, ([name, { first, count }]) => {
      return `&${shorten(name)}; (${count}, first at byte ${first})`
    })
    const counted = Array.from(this.#entities.values()).reduce((sum, { count }) => sum + count, 0)
    if (this.#count > counted) parts.push(`others (${this.#count - counted})`)
    const what = this.#count === 1 ? '1 reference to an entity was' : `${this.#count} references to entities were`
    tell(
      `xylem: warning: ${input}: ${what} left out, because the declarations outside of the document were not read: ${parts.join(', ')}`,
    )
  }
}
