// What is counted while records are read. Reports on parts of a source add up, in the order of the parts, and are JSON: so trailers of ranges have them, and messages of workers.

/** When a counter sees something: a record that was read, that satisfies all conditions, or that was written; an entity whose text is missing; or what was replaced. */
export type Moment = 'read' | 'wanted' | 'written' | 'entity' | 'replaced'

/** What a counter sees. */
interface Watching {
  /** Without it, others add what they know. */
  readonly on?: Moment
  /** The fields that it reads: plans are closed before the first byte. */
  readonly fields?: readonly string[]
  /** Whether errors in these fields count, even if they are not written. */
  readonly checks?: true
}

/** One thing that is counted. */
export interface Counter<Item = never, Data = unknown> extends Watching {
  readonly name: string
  /** The part of the report in which its data stand. */
  readonly in?: string
  see(item: Item): void
  /** What was seen, as JSON; undefined if that is nothing. */
  readonly data: Data | undefined
  /** Adds the data of a later part. */
  add(later: Data): void
  /** What there is to say at the end, in lines. */
  say(): readonly string[]
}

interface CounterOptions<Item, Data, State> extends Watching {
  readonly in?: string
  /** The data of an item; undefined if it does not count. `known`: what items before it have given. */
  readonly dataOf?: (item: Item, known: State | undefined) => Data | undefined
  readonly write?: (state: State | undefined) => Data | undefined
  readonly say?: (data: Data) => readonly string[]
}

export const addNumbers = (known = 0, later: number): number => known + later
export const keepFirst = <Data>(known: Data | undefined, later: Data): Data => known ?? later
export const keepLast = <Data>(_: Data | undefined, later: Data): Data => later

/** A counter that joins the data of items, and of later parts. */
export function count<Item, Data, State = Data>(
  name: string,
  join: (known: State | undefined, later: Data) => State,
  { dataOf, write = (state) => state as Data | undefined, say, ...more }: CounterOptions<Item, Data, State> = {},
): Counter<Item, Data> {
  let state: State | undefined
  const add = (later: Data | undefined) => {
    if (later !== undefined) state = join(state, later)
  }
  return {
    name,
    ...more,
    see: (item) => add(dataOf?.(item, state)),
    get data() {
      return write(state)
    },
    add,
    say() {
      const { data } = this
      return (data !== undefined && say?.(data)) || []
    },
  }
}

/** How many written records there are of which something holds. Without it, others add numbers. */
export function sum<Item>(name: string, holds?: (item: Item) => boolean, ...fields: string[]): Counter<Item, number> {
  const dataOf = (item: Item) => (holds?.(item) ? 1 : undefined)
  return count(name, addNumbers, { write: (known = 0) => known, ...(holds && { on: 'written', fields, dataOf }) })
}

/** The places in a list of values that some record has. `open`, called if there is a record, gives what finds those of a record. */
export function countSeen<Item>(
  name: string,
  on: Moment,
  length: number,
  open: () => (item: Item) => readonly number[],
): Counter<Item, readonly number[]> {
  let find: ((item: Item) => readonly number[]) | undefined
  const join = (seen = new Set<number>(), places: readonly number[]) => {
    for (const place of places) seen.add(place)
    return seen
  }
  const dataOf = (item: Item, seen: ReadonlySet<number> | undefined) => {
    if (seen?.size === length) return undefined
    find ??= open()
    return find(item)
  }
  return count(name, join, { in: 'seen', on, dataOf, write: (seen = new Set()) => [...seen].sort((a, b) => a - b) })
}

/** Which fields have a value in some record. A name is undefined if that is not to be known: then the field counts as seen. */
export function countFields<Item>(
  names: readonly (string | undefined)[],
  recordOf: (item: Item) => { has(name: string): boolean },
): Counter<Item, readonly number[]> {
  const isKnown = (place: number) => names[place] !== undefined
  // One that was seen is not looked at again.
  let left = [...names.keys()].filter(isKnown)
  const find = (item: Item) => {
    const record = recordOf(item)
    const found = left.filter((place) => record.has(names[place] as string))
    if (found.length > 0) left = left.filter((place) => !found.includes(place))
    return found
  }
  const counter = countSeen('fields', 'written', names.length, () => find)
  counter.add([...names.keys()].filter((place) => !isKnown(place)))
  return counter
}

/** How often there is something, by its name: names in the order in which they came, each with where it was first. */
export interface Tally {
  readonly names: readonly (readonly [name: string, counted: { readonly count: number; readonly first: number }])[]
  /** Of others than these names. */
  readonly others: number
}

/** That there is something once. */
export function tally(name: string, first = 0): Tally {
  return { names: [[name, { count: 1, first }]], others: 0 }
}

/** Counts by names, of which there are `most`, all others together. `tallyOf` an item has it once. */
export function countNames<Item>(
  name: string,
  most: number,
  options?: CounterOptions<Item, Tally, unknown>,
): Counter<Item, Tally> {
  const start = () => ({ names: new Map<string, Tally['names'][number][1]>(), others: 0 })
  const join = (state = start(), { names, others }: Tally) => {
    state.others += others
    for (const [name, counted] of names) {
      const known = state.names.get(name)
      if (known) state.names.set(name, { ...known, count: known.count + counted.count })
      else if (state.names.size < most) state.names.set(name, counted)
      else state.others += counted.count
    }
    return state
  }
  return count(name, join, { write: (state) => state && { ...state, names: [...state.names] }, ...options })
}

/** The data of counters, by their names. */
type AnyData = Record<string, unknown>

export class Report<Item = never, Data extends object = AnyData> {
  readonly #counters: readonly Counter<Item>[]

  constructor(counters: readonly Counter<Item>[]) {
    this.#counters = counters
  }

  /** What shows an item to all who want to see it; undefined if nobody does. */
  on(moment: Moment): ((item: Item) => void) | undefined {
    const counters = this.#counters.filter(({ on }) => on === moment)
    const show = (item: Item) => {
      for (const counter of counters) counter.see(item)
    }
    return counters.length > 0 ? show : undefined
  }

  /** The fields that are looked at, or those of them in which errors count. */
  fields(areChecked = false): string[] {
    return this.#counters.flatMap(({ fields = [], checks = false }) => (checks || !areChecked ? fields : []))
  }

  /** What one counter has seen so far. */
  read<Name extends keyof Data>(name: Name): Data[Name] | undefined {
    return this.#counters.find((counter) => counter.name === name)?.data as Data[Name] | undefined
  }

  get data(): Partial<Data> {
    const all: AnyData = {}
    for (const { in: part, name, data } of this.#counters) {
      if (part !== undefined) all[part] = { ...(all[part] as AnyData | undefined), [name]: data }
      else if (data !== undefined) all[name] = data
    }
    return all as Partial<Data>
  }

  /** Adds the data of a later part. */
  add(data: Partial<Data>): void {
    for (const counter of this.#counters) {
      const { in: part, name } = counter
      const own = part === undefined ? data : (data as AnyData)[part]
      counter.add((own as AnyData | undefined)?.[name])
    }
  }

  /** What there is to say at the end, in lines. */
  say(): string[] {
    return this.#counters.flatMap((counter) => counter.say())
  }
}
