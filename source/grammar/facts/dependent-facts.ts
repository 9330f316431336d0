// Facts that depend on others of their kind, as those about procedures do on those of the procedures that they call.

/**
 * What is known of keys, worked out when it is asked for. What one depends on may depend on others to any depth: so what is missing is noted, taken
 * for what is assumed, and worked out first; then it is tried again.
 */
export class DependentFacts<Key, Value> {
  readonly #compute: (key: Key) => Value
  readonly #assumed: Value
  readonly #known = new Map<Key, Value>()
  /** Those that something waits for: what depends on itself is what is assumed there. */
  readonly #open = new Set<Key>()
  #missing: Set<Key> | undefined

  constructor(compute: (key: Key) => Value, assumed: Value) {
    this.#compute = compute
    this.#assumed = assumed
  }

  /** Whether something was missing so far in what is being worked out. */
  get isIncomplete(): boolean {
    return (this.#missing?.size ?? 0) > 0
  }

  get(key: Key): Value {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#missing) {
      this.#missing.add(key)
      return this.#assumed
    }
    const waiting = [key]
    for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
      const missing = this.#known.has(next) ? [] : this.#try(next)
      if (missing.length === 0) waiting.pop()
      else for (const other of missing) waiting.push(other)
    }
    return this.#known.get(key) as Value
  }

  /** Works out one, and gives what is missing for it. */
  #try(key: Key): Key[] {
    this.#open.add(key)
    this.#missing = new Set()
    const value = this.#compute(key)
    const missing = [...this.#missing].filter((other) => !this.#open.has(other))
    this.#missing = undefined
    if (missing.length > 0) return missing
    this.#known.set(key, value)
    this.#open.delete(key)
    return []
  }
}
