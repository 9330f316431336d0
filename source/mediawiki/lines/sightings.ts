// Which of the values that are asked for were seen in records. Values are known by their places in their lists, so what several readings have seen adds up.

import type { RecordView } from '../../xml/output/record-view.ts'
import { SeenFields } from '../../xml/output/seen-fields.ts'
import { formsOfContributor, nameOf } from '../names/wiki-names.ts'
import type { NumberRange } from './number-ranges.ts'
import type { PageTraits, RevisionTraits } from './traits.ts'

/** The lists of values of a filter. Each condition holds for what has one of the values. */
export interface ValueLists {
  /** Numbers of namespaces. */
  readonly ns?: readonly string[]
  /** Complete titles; and each as the wiki of the dump writes it, which may be another. */
  readonly titles?: readonly string[]
  readonly resolvedTitles?: readonly string[]
  readonly ids?: readonly NumberRange[]
  readonly model?: readonly string[]
  /** Names and addresses, in any of their forms. */
  readonly contributor?: readonly string[]
}

/** What lists of values a question may have. */
export const LISTS = ['ns', 'titles', 'ids', 'model', 'contributor', 'fields'] as const
export type ListName = (typeof LISTS)[number]

/** Of the lists of a question, the places of values that were seen. It can be sent to a worker, and stands in trailers. */
export type Seen = { readonly [Name in ListName]?: readonly number[] }

type RevisionOf = () => RevisionTraits | undefined

/** A list of which some value was not seen yet. `find` gives the places of those that a record has. */
interface Watch {
  readonly name: ListName
  readonly length: number
  readonly find: (page: Omit<PageTraits, 'revision'>, revisionOf: RevisionOf) => readonly number[]
}

/** Notes what is seen in the records that are wanted. A list of which everything was seen is not looked at again. */
export class Sightings {
  readonly #seen = new Map<ListName, Set<number>>()
  readonly #namespaces: ReadonlyMap<number, readonly number[]>
  #watches: readonly Watch[]
  readonly #fields: SeenFields | undefined

  /** `fields`: names of fields that are asked for, see {@link SeenFields}. */
  constructor(lists: ValueLists, fields?: readonly (string | undefined)[]) {
    for (const name of ['ns', 'titles', 'ids', 'model', 'contributor'] as const) {
      if (lists[name]) this.#seen.set(name, new Set())
    }
    this.#fields = fields && new SeenFields(fields)
    this.#namespaces = placesOf(lists.ns ?? [], (ns) => [Number(ns)])
    this.#watches = watchesOf(lists)
  }

  /** A page is in a namespace, whatever else is asked for. */
  seeNamespace(ns: number): void {
    for (const place of this.#namespaces.get(ns) ?? []) this.#seen.get('ns')?.add(place)
  }

  /** A record is wanted, of a page and a revision. */
  see(page: Omit<PageTraits, 'revision'>, revisionOf: RevisionOf): void {
    if (this.#watches.length === 0) return
    let isComplete = false
    for (const { name, length, find } of this.#watches) {
      const seen = this.#seen.get(name) as Set<number>
      for (const place of find(page, revisionOf)) seen.add(place)
      isComplete ||= seen.size === length
    }
    if (isComplete) this.#watches = this.#watches.filter(({ name, length }) => this.#seen.get(name)?.size !== length)
  }

  /** A record is written. */
  seeFields(record: RecordView): void {
    this.#fields?.look(record)
  }

  /** What was seen; empty where nothing is asked for by a list. */
  get seen(): Seen {
    const lists = [...this.#seen, ...(this.#fields ? [['fields', this.#fields.places] as const] : [])]
    return Object.fromEntries(lists.map(([name, places]) => [name, [...places].sort((one, two) => one - two)]))
  }
}

function watchesOf({ titles, resolvedTitles = [], ids, model, contributor }: ValueLists): Watch[] {
  const watches: Watch[] = []
  if (titles) {
    const forms = titles.map((title, place) => [title, resolvedTitles[place] ?? title])
    const places = placesOf(forms, (both) => both)
    watches.push({ name: 'titles', length: titles.length, find: ({ title }) => places.get(title) ?? [] })
  }
  if (ids) watches.push(watchIds(ids))
  if (model) {
    const places = placesOf(model, (name) => [name])
    const find: Watch['find'] = (_page, revisionOf) => places.get(revisionOf()?.model ?? '') ?? []
    watches.push({ name: 'model', length: model.length, find })
  }
  if (contributor) {
    const places = placesOf(contributor, formsOfContributor)
    const find: Watch['find'] = (_page, revisionOf) => places.get(nameOf(revisionOf()?.contributor) ?? '') ?? []
    watches.push({ name: 'contributor', length: contributor.length, find })
  }
  return watches
}

/** A list of ids may have millions, so those around one are searched. */
function watchIds(ids: readonly NumberRange[]): Watch {
  const ranges = ids.map((range, place) => ({ ...range, place })).sort((one, two) => one.first - two.first)
  // How far any of the ranges up to one reach.
  const reach: number[] = []
  for (const { last } of ranges) reach.push(Math.max(last, reach.at(-1) ?? last))
  const find = ({ id }: { readonly id: number }) => {
    let low = 0
    let high = ranges.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ranges[middle]?.first as number) <= id) low = middle + 1
      else high = middle
    }
    const places: number[] = []
    for (let i = low - 1; i >= 0 && (reach[i] as number) >= id; i--) {
      const range = ranges[i]
      if (range && id <= range.last) places.push(range.place)
    }
    return places
  }
  return { name: 'ids', length: ids.length, find }
}

function placesOf<Value, Key>(list: readonly Value[], keysOf: (value: Value) => readonly Key[]): Map<Key, number[]> {
  const places = new Map<Key, number[]>()
  for (const [place, value] of list.entries()) {
    for (const key of keysOf(value)) {
      const known = places.get(key)
      if (known) known.push(place)
      else places.set(key, [place])
    }
  }
  return places
}
