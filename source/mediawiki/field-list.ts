// Some of the fields of a record, by paths such as `revision.contributor.username`.

/** The fields that are wanted. */
export class FieldList {
  readonly names: readonly string[]
  readonly #paths: readonly (readonly string[])[]

  constructor(names: readonly string[]) {
    this.names = names
    this.#paths = names.map((name) => name.split('.'))
  }

  /** The values in the order of the fields; undefined for those that there are not. */
  read(record: object): unknown[] {
    return this.#paths.map((path) => {
      let value: unknown = record
      for (const key of path) {
        value =
          typeof value === 'object' && value !== null && Object.hasOwn(value, key)
            ? (value as Record<string, unknown>)[key]
            : undefined
      }
      return value
    })
  }

  /** An object with these fields, by their names, without those that there are not. */
  pick(record: object): object {
    const values = this.read(record)
    return Object.fromEntries(this.names.flatMap((name, i) => (values[i] === undefined ? [] : [[name, values[i]]])))
  }
}
