// How records are made: as copies of one that has all their fields. V8 keeps the fields of what `JSON.parse` has made inside of the object, and those of its copies too; of an object that
// begins as `{}`, most would be in a second one. Fields are set four at a time, by functions that are the same but for their inline caches: one that sets fields of many names is slow.

/** The fields of a record by their names. */
export type Properties = Record<string, unknown>

type Copy = (template: Properties) => Properties
type Four = readonly [string, string, string, string]
/** Sets four fields to values that lie one after the other. */
type Set = (record: Properties, names: Four, values: readonly unknown[], from: number) => void

const COPIES: readonly Copy[] = [
  (template) => ({ ...template }),
  (template) => ({ ...template }),
  (template) => ({ ...template }),
  (template) => ({ ...template }),
]

const SETS: readonly Set[] = [
  (record, names, values, from) => {
    record[names[0]] = values[from]
    record[names[1]] = values[from + 1]
    record[names[2]] = values[from + 2]
    record[names[3]] = values[from + 3]
  },
  (record, names, values, from) => {
    record[names[0]] = values[from]
    record[names[1]] = values[from + 1]
    record[names[2]] = values[from + 2]
    record[names[3]] = values[from + 3]
  },
  (record, names, values, from) => {
    record[names[0]] = values[from]
    record[names[1]] = values[from + 1]
    record[names[2]] = values[from + 2]
    record[names[3]] = values[from + 3]
  },
  (record, names, values, from) => {
    record[names[0]] = values[from]
    record[names[1]] = values[from + 1]
    record[names[2]] = values[from + 2]
    record[names[3]] = values[from + 3]
  },
]
let copies = 0
let sets = 0

/** Four fields and where the value of the first of them is; the last four of a record may have some of those before them. */
interface FieldSet {
  readonly set: Set
  readonly names: Four
  readonly at: number
}

/** Records with the same fields. */
export class RecordTemplate {
  readonly #template: Properties
  readonly #copy = COPIES[copies++ % COPIES.length] as Copy
  readonly #names: readonly string[]
  readonly #sets: readonly FieldSet[]

  /** `constant`: fields before the names, with their values; `others`: fields after them. */
  constructor(names: readonly string[], constant: Properties, others: readonly string[]) {
    const all = [...Object.keys(constant), ...names, ...others]
    this.#template = JSON.parse(`{${all.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Properties
    Object.assign(this.#template, constant)
    this.#names = names
    this.#sets = Array.from({ length: names.length < 4 ? 0 : Math.ceil(names.length / 4) }, (_, i) => {
      const at = Math.min(4 * i, names.length - 4)
      return { set: SETS[sets++ % SETS.length] as Set, names: names.slice(at, at + 4) as unknown as Four, at }
    })
  }

  /** A record whose fields have values that lie one after the other. */
  make(values: readonly unknown[], from: number): Properties {
    const record = this.#copy(this.#template)
    const sets = this.#sets
    const names = this.#names
    for (let i = 0; i < sets.length; i++) {
      const { set, names, at } = sets[i] as FieldSet
      set(record, names, values, from + at)
    }
    if (sets.length === 0) for (let i = 0; i < names.length; i++) record[names[i] as string] = values[from + i]
    return record
  }
}

/** Sets a property of an object that may not have it, whatever its name is: `__proto__` is a name like any other. */
export function setProperty(object: Properties, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}
