// Which fields have a value in some record. A field that was seen is not looked at again.

import type { RecordView } from './record-view.ts'

export class SeenFields {
  readonly #seen: Set<number>
  /** Those that were not seen yet. */
  #fields: readonly { readonly place: number; readonly name: string }[]

  /** Names as {@link RecordView.has} knows them; undefined where it does not, and the field counts as seen. */
  constructor(names: readonly (string | undefined)[]) {
    this.#seen = new Set(names.flatMap((name, place) => (name === undefined ? place : [])))
    this.#fields = names.flatMap((name, place) => (name === undefined ? [] : { name, place }))
  }

  look(record: RecordView): void {
    if (this.#fields.length === 0) return
    const isSeen = ({ name }: { readonly name: string }) => record.has(name)
    const found = this.#fields.filter(isSeen)
    if (found.length === 0) return
    for (const { place } of found) this.#seen.add(place)
    this.#fields = this.#fields.filter((field) => !found.includes(field))
  }

  /** Adds the places of fields that others have seen. */
  add(places: Iterable<number>): void {
    for (const place of places) this.#seen.add(place)
    this.#fields = this.#fields.filter(({ place }) => !this.#seen.has(place))
  }

  /** The places of those that were seen. */
  get places(): ReadonlySet<number> {
    return this.#seen
  }
}
