// Which prefixes stand for which namespaces where something is written, looked up in both directions.

import { type Declaration, type NamespaceFault, NamespaceScopes } from '../../names/namespaces.ts'

interface Declared {
  readonly depth: number
  readonly prefix: string
  readonly namespace: string
  /** What the prefix stood for before; undefined for nothing. */
  readonly hidden: string | undefined
  readonly isMade: boolean
}

export class Prefixes {
  readonly #scopes = new NamespaceScopes()
  /** Of each namespace, the prefixes that stand for it here, without the empty one. */
  readonly #byNamespace = new Map<string, Set<string>>()
  readonly #declared: Declared[] = []
  /** How many of the prefixes that open elements declare were made up here. */
  #made = 0

  /** The namespace of names without a prefix; undefined for none. */
  get default(): string | undefined {
    return this.#scopes.default
  }

  /** All that is declared. */
  get declarations(): readonly Declaration[] {
    return this.#scopes.declarations
  }

  /** The namespace of a prefix; undefined where it is not declared. */
  resolve(prefix: string): string | undefined {
    return this.#scopes.resolve(prefix)
  }

  /** A prefix that stands for a namespace, and is not empty. */
  find(namespace: string): string | undefined {
    return this.#byNamespace.get(namespace)?.values().next().value
  }

  /** Declares a prefix for an element at this depth and what is in it. Returns what is wrong, or undefined. */
  declare(prefix: string, namespace: string, depth: number, isMade = false): NamespaceFault | undefined {
    const hidden = this.resolve(prefix)
    const fault = this.#scopes.declare(prefix, namespace, depth)
    if (fault) return fault
    this.#move(prefix, hidden, namespace)
    this.#declared.push({ depth, prefix, namespace, hidden, isMade })
    if (isMade) this.#made++
    return undefined
  }

  #move(prefix: string, from: string | undefined, to: string | undefined): void {
    if (prefix === '' || from === to) return
    if (from !== undefined) {
      const others = this.#byNamespace.get(from)
      others?.delete(prefix)
      if (others?.size === 0) this.#byNamespace.delete(from)
    }
    if (to === undefined) return
    const others = this.#byNamespace.get(to)
    if (others) others.add(prefix)
    else this.#byNamespace.set(to, new Set([prefix]))
  }

  /** Declares a prefix that stands for nothing yet. */
  make(namespace: string, depth: number): string {
    let number = this.#made + 1
    while (this.resolve(`ns${number}`) !== undefined) number++
    this.declare(`ns${number}`, namespace, depth, true)
    return `ns${number}`
  }

  /** Forgets what elements at this depth, or deeper, declared. */
  leave(depth: number): void {
    if (depth > this.#scopes.depth) return
    this.#scopes.leave(depth)
    for (let last = this.#declared.at(-1); last && last.depth >= depth; last = this.#declared.at(-1)) {
      this.#declared.pop()
      this.#move(last.prefix, last.namespace, last.hidden)
      if (last.isMade) this.#made--
    }
  }
}
