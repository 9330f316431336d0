// Names as a question sees them: all names that it cannot tell apart are one class. The classes are known before a document begins; only which class
// a symbol of a document belongs to is found out while reading.

import { matchesName, type NamePattern } from '../names/name-pattern.ts'
import { makeName, type Name } from '../names/names.ts'
import type { Bindings } from '../names/namespaces.ts'
import type { DocumentFacts } from '../parser/sink.ts'
import type { Automaton } from './automaton.ts'

/** A name that stands for all names of its class. */
export interface Sample {
  readonly name: Name
  readonly namespace: string | undefined
}

/** A namespace that no pattern names. */
const OTHER_NAMESPACE = '\0'

/** The classes of names that some patterns tell apart, from 0: names that none of them matches. */
export class NameClasses {
  /** One name of each class. */
  readonly samples: readonly Sample[]
  /** Whether what prefixes stand for decides something. */
  readonly hasNamespaces: boolean
  /** Whether only names as they are written count. */
  readonly #areWritten: boolean
  readonly #patterns: readonly NamePattern[]
  /** The indices of patterns by their names, as written or local; undefined for those of all names in a namespace. */
  readonly #byName = new Map<string | undefined, number[]>()
  /** By the patterns that match its names, the class. */
  readonly #classes = new Map<string, number>()

  constructor(patterns: readonly NamePattern[]) {
    const asking = patterns.filter(({ name, namespace }) => name !== undefined || namespace !== undefined)
    const textOf = ({ name, namespace, isAnywhere }: NamePattern) =>
      JSON.stringify([name, namespace, isAnywhere ?? false])
    this.#patterns = [...new Map(asking.map((pattern) => [textOf(pattern), pattern])).values()]
    for (const [i, { name }] of this.#patterns.entries()) {
      const alike = this.#byName.get(name)
      if (alike) alike.push(i)
      else this.#byName.set(name, [i])
    }
    const namespaces = new Set(this.#patterns.map(({ namespace }) => namespace))
    this.hasNamespaces = [...namespaces].some((namespace) => namespace !== undefined)
    this.#areWritten = this.#patterns.every(({ namespace, isAnywhere }) => namespace === undefined && !isAnywhere)
    const samples: Sample[] = []
    for (const raw of this.#rawNames()) {
      for (const namespace of [undefined, OTHER_NAMESPACE, ...namespaces]) {
        const sample = { name: makeName(raw), namespace }
        const key = this.#keyOf(sample)
        if (!this.#classes.has(key)) this.#classes.set(key, samples.push(sample) - 1)
        if (!this.hasNamespaces) break
      }
    }
    this.samples = samples
  }

  get count(): number {
    return this.samples.length
  }

  /** The class of a name, which is in a namespace or in none. */
  of(name: Name, namespace: string | undefined): number {
    // Then each pattern has a name of its own, and the class after its index.
    if (this.#areWritten) return (this.#byName.get(name.raw)?.[0] ?? -1) + 1
    return this.#classes.get(this.#keyOf({ name, namespace })) as number
  }

  /** Whether the names of a class match a pattern. */
  matches(pattern: NamePattern, nameClass: number): boolean {
    const { name, namespace } = this.samples[nameClass] as Sample
    return matchesName(pattern, name, namespace)
  }

  /** Names among which all classes occur in some namespace. No XML name is empty or begins with a question mark. */
  *#rawNames(): Generator<string, void, undefined> {
    yield ''
    for (const name of this.#byName.keys()) {
      if (name === undefined) continue
      yield name
      if (!this.#areWritten) yield* [`?:${name}`, `xmlns:${name}`]
    }
  }

  /** The patterns that match a name. */
  #keyOf({ name, namespace }: Sample): string {
    const { raw, localName } = name
    let key = ''
    for (const asked of raw === localName ? [raw, undefined] : [raw, localName, undefined]) {
      for (const i of this.#byName.get(asked) ?? []) {
        if (matchesName(this.#patterns[i] as NamePattern, name, namespace)) key += `${i} `
      }
    }
    return key
  }
}

const UNKNOWN = -1
const FEWEST_WORDS = 32

/** The classes of the symbols of a document, as long as prefixes stand for the same namespaces. It grows. */
export class SymbolClasses {
  /** For each symbol two words, the classes of its name as that of an element and of an attribute; -1 as long as nobody has asked. */
  words: Int32Array<ArrayBuffer> = new Int32Array(FEWEST_WORDS).fill(UNKNOWN)
  readonly #automaton: Automaton
  readonly #facts: Pick<DocumentFacts, 'names'>
  readonly #bindings: Bindings | undefined

  constructor(automaton: Automaton, facts: Pick<DocumentFacts, 'names'>, bindings: Bindings | undefined) {
    this.#automaton = automaton
    this.#facts = facts
    this.#bindings = bindings
  }

  elementOf(symbol: number): number {
    return this.#wordAt(2 * symbol, symbol)
  }

  attributeOf(symbol: number): number {
    return this.#wordAt(2 * symbol + 1, symbol)
  }

  #wordAt(at: number, symbol: number): number {
    const known = at < this.words.length ? (this.words[at] as number) : UNKNOWN
    if (known !== UNKNOWN) return known
    this.#add(symbol)
    return this.words[at] as number
  }

  #add(symbol: number): void {
    const at = 2 * symbol
    if (at >= this.words.length) {
      const words = new Int32Array(2 * (at + 2)).fill(UNKNOWN)
      words.set(this.words)
      this.words = words
    }
    const name = this.#facts.names.get(symbol)
    const namespace = this.#bindings?.get(name.prefix)
    const { elements, attributes } = this.#automaton
    this.words[at] = elements.of(name, namespace)
    // Attributes without a prefix are in no namespace.
    this.words[at + 1] = attributes.of(name, name.prefix === '' ? undefined : namespace)
  }
}

/** For so many ways to declare namespaces the classes are kept. */
const MOST_KEPT = 16

/** The classes of a document's symbols: those for each set of declarations that holds somewhere. */
export class DocumentClasses {
  readonly #automaton: Automaton
  readonly #facts: Pick<DocumentFacts, 'names' | 'scopes'>
  /** By what prefixes stand for. */
  readonly #kept = new Map<string, SymbolClasses>()
  #current: SymbolClasses | undefined
  #bindings: Bindings | undefined

  constructor(automaton: Automaton, facts: Pick<DocumentFacts, 'names' | 'scopes'>) {
    this.#automaton = automaton
    this.#facts = facts
  }

  /** Those for what prefixes stand for now. */
  get current(): SymbolClasses {
    const bindings = this.#automaton.hasNamespaces ? this.#facts.scopes?.bindings : undefined
    if (this.#current && bindings === this.#bindings) return this.#current
    this.#bindings = bindings
    const key = bindings ? JSON.stringify([...bindings]) : ''
    this.#current = this.#kept.get(key) ?? new SymbolClasses(this.#automaton, this.#facts, bindings)
    if (this.#kept.size < MOST_KEPT) this.#kept.set(key, this.#current)
    return this.#current
  }
}
