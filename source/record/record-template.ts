// How records are made: as copies of one that has all their fields. V8 keeps the fields of what `JSON.parse` has made inside of the object, and those of its copies too; of an object that
// begins as `{}`, most would be in a second one. Only for few forms of records: a function that copies many forms is slower than `{}`, so there are several that are the same but for their
// inline caches, and each copies its own records.

/** The fields of a record by their names. */
export type Properties = Record<string, unknown>

type Copy = (template: Properties) => Properties

const COPIES: readonly Copy[] = [
  (template) => ({ ...template }),
  (template) => ({ ...template }),
  (template) => ({ ...template }),
  (template) => ({ ...template }),
]

/** Forms of records that one function copies: as many as an inline cache holds. */
const FORMS = 4

/** Records with the same fields. */
export class RecordTemplate {
  /** Those of records that are copied, by their fields. */
  static readonly #known = new Map<string, RecordTemplate>()
  readonly #names: readonly string[]
  readonly #type: string | undefined
  readonly #template: Properties
  /** Undefined if there are too many forms already. */
  readonly #copy: Copy | undefined

  private constructor(names: readonly string[], type: string | undefined, all: readonly string[]) {
    this.#names = names
    this.#type = type
    this.#template = JSON.parse(`{${all.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Properties
    if (type !== undefined) this.#template.type = type
    this.#copy = COPIES[Math.floor(RecordTemplate.#known.size / FORMS)]
  }

  /** `type`: the first value of the records, if they say what they are; `others`: fields that are set later. */
  static of(names: readonly string[], type: string | undefined, others: readonly string[]): RecordTemplate {
    const all = [...(type === undefined ? [] : ['type']), ...names, ...others]
    const key = JSON.stringify([type, names.length, all])
    const known = RecordTemplate.#known.get(key) ?? new RecordTemplate(names, type, all)
    if (known.#copy) RecordTemplate.#known.set(key, known)
    return known
  }

  /** A record whose fields have values that lie one after the other. */
  make(values: readonly unknown[], from: number): Properties {
    const copy = this.#copy
    const names = this.#names
    if (!copy) {
      const record: Properties = this.#type === undefined ? {} : { type: this.#type }
      for (let i = 0; i < names.length; i++) setProperty(record, names[i] as string, values[from + i])
      return record
    }
    const record = copy(this.#template)
    for (let i = 0; i < names.length; i++) record[names[i] as string] = values[from + i]
    return record
  }
}

/** Sets a property of an object that may not have it, whatever its name is: `__proto__` is a name like any other. */
export function setProperty(object: Properties, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}
