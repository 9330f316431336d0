// Which prefixes stand for which namespaces where something is written, looked up in both directions.

import { type Declaration, type NamespaceFault, NamespaceScopes } from '../../names/namespaces.ts'

/** Prefixes of a namespace that are tried, the newest first: the others may be hidden by inner declarations. */
const TRIED = 8

interface Declared {
  readonly depth: number
  readonly namespace: string
  readonly isMade: boolean
}

export class Prefixes {
  readonly #scopes = new NamespaceScopes()
  /** Of each namespace, its prefixes that open elements declare. */
  readonly #byNamespace = new Map<string, string[]>()
  readonly #declared: Declared[] = []
  /** How many of the prefixes that open elements declare were made up here. */
  #made = 0

  /** `declarations` hold around what is written. */
  constructor(declarations: readonly Declaration[] = []) {
    for (const [prefix, namespace] of declarations) this.declare(prefix, namespace, 0)
  }

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
    const prefixes = this.#byNamespace.get(namespace)
    for (let i = (prefixes?.length ?? 0) - 1, tried = 0; i >= 0 && tried < TRIED; i--, tried++) {
      const prefix = prefixes?.[i] as string
      if (prefix !== '' && this.resolve(prefix) === namespace) return prefix
    }
    return undefined
  }

  /** Declares a prefix for an element at this depth and what is in it. Returns what is wrong, or undefined. */
  declare(prefix: string, namespace: string, depth: number, isMade = false): NamespaceFault | undefined {
    const fault = this.#scopes.declare(prefix, namespace, depth)
    if (fault) return fault
    const prefixes = this.#byNamespace.get(namespace)
    if (prefixes) prefixes.push(prefix)
    else this.#byNamespace.set(namespace, [prefix])
    this.#declared.push({ depth, namespace, isMade })
    if (isMade) this.#made++
    return undefined
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
      const prefixes = this.#byNamespace.get(last.namespace)
      prefixes?.pop()
      if (prefixes?.length === 0) this.#byNamespace.delete(last.namespace)
      if (last.isMade) this.#made--
    }
  }
}
