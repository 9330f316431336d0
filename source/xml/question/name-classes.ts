// Names as a question sees them: all names that it cannot tell apart are one class. The classes are known before a document begins; only which class
// a symbol of a document belongs to is found out while reading.

import { matchesName, type NamePattern } from '../names/name-pattern.ts'
import { makeName, type Name, type NameTable } from '../names/names.ts'
import { type Bindings, XSI_NAMESPACE } from '../names/namespaces.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { NIL_CLASS } from './layout.ts'

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
  /** Indices of patterns by their names, as written or local; undefined for those of all names in a namespace. */
  readonly #byName = new Map<string | undefined, number[]>()
  /** By the patterns that match its names, the class; and the other way round. */
  readonly #classes = new Map<string, number>()
  readonly #classesOf = new Map<NamePattern, number[]>()

  constructor(patterns: readonly NamePattern[]) {
    const asking = patterns.filter(({ name, namespace }) => name !== undefined || namespace !== undefined)
    for (const [i, { name }] of asking.entries()) this.#byName.set(name, [...(this.#byName.get(name) ?? []), i])
    this.#patterns = asking
    const namespaces = new Set(asking.map(({ namespace }) => namespace))
    this.hasNamespaces = [...namespaces].some((namespace) => namespace !== undefined)
    this.#areWritten = asking.every(({ namespace, isAnywhere }) => namespace === undefined && !isAnywhere)
    const samples: Sample[] = []
    for (const raw of this.#rawNames()) {
      for (const namespace of this.hasNamespaces ? [OTHER_NAMESPACE, ...namespaces] : [undefined]) {
        const name = makeName(raw)
        const key = this.#keyOf(name, namespace)
        if (this.#classes.has(key)) continue
        const nameClass = samples.push({ name, namespace }) - 1
        this.#classes.set(key, nameClass)
        for (const i of this.#matching(name, namespace)) this.#addClass(asking[i] as NamePattern, nameClass)
      }
    }
    this.samples = samples
  }

  /** The class of a name, which is in a namespace or in none. */
  of(name: Name, namespace: string | undefined): number {
    return this.#classes.get(this.#keyOf(name, namespace)) ?? 0
  }

  /** The classes whose names match a pattern that names something. */
  classesOf(pattern: NamePattern): readonly number[] {
    return this.#classesOf.get(pattern) ?? []
  }

  /** Whether the names of a class match a pattern. */
  matches(pattern: NamePattern, nameClass: number): boolean {
    const { name, namespace } = this.samples[nameClass] as Sample
    return matchesName(pattern, name, namespace)
  }

  /** Names among which all classes occur in some namespace. No XML name is empty or begins with a question mark. */
  #rawNames(): string[] {
    const names = ['', ...this.#byName.keys()]
    return names.flatMap((name = '') => (this.#areWritten ? name : [name, `?:${name}`, `xmlns:${name}`]))
  }

  /** What says which patterns match a name. */
  #keyOf(name: Name, namespace: string | undefined): string {
    return this.#areWritten ? name.raw : this.#matching(name, namespace).join()
  }

  /** Indices of the patterns that match a name. */
  #matching(name: Name, namespace: string | undefined): number[] {
    const { raw, localName } = name
    const asked = raw === localName ? [raw, undefined] : [raw, localName, undefined]
    const alike = asked.flatMap((one) => this.#byName.get(one) ?? [])
    return alike.filter((i) => matchesName(this.#patterns[i] as NamePattern, name, namespace))
  }

  #addClass(pattern: NamePattern, nameClass: number): void {
    const known = this.#classesOf.get(pattern)
    if (known) known.push(nameClass)
    else this.#classesOf.set(pattern, [nameClass])
  }
}

const UNKNOWN = -1
const FEWEST_WORDS = 32
/** For so many ways to declare namespaces the classes are kept. */
const MOST_KEPT = 16

/** What an automaton says of names. */
interface ClassedNames {
  readonly hasNamespaces: boolean
  /** The classes of names of elements, and those of names of attributes. */
  readonly elements: Pick<NameClasses, 'of'>
  readonly attributes: Pick<NameClasses, 'of'>
}

/** The classes of a document's symbols, which grow as its names come up. They hold as long as prefixes stand for the same namespaces. */
export class SymbolClasses {
  /** For each symbol two words, the classes of its name as that of an element and of an attribute; -1 as long as nobody has asked. */
  words: Int32Array<ArrayBuffer> = new Int32Array(FEWEST_WORDS).fill(UNKNOWN)
  readonly #automaton: ClassedNames
  readonly #facts: Pick<DocumentFacts, 'names' | 'scopes'>
  #bindings: Bindings | undefined
  #key = ''
  /** By the names of entities, their classes. */
  readonly #others = new Map<NameTable, SymbolClasses>()
  /** By what prefixes stand for. */
  readonly #kept = new Map<string, Int32Array<ArrayBuffer>>()

  constructor(automaton: ClassedNames, facts: Pick<DocumentFacts, 'names' | 'scopes'>) {
    this.#automaton = automaton
    this.#facts = facts
  }

  /** The classes of the symbols in a frame: what an entity brings has symbols of its own. */
  in({ names }: TapeFrame): SymbolClasses {
    let classes: SymbolClasses = this
    if (names !== this.#facts.names) {
      const known = this.#others.get(names)
      classes = known ?? new SymbolClasses(this.#automaton, { names, scopes: this.#facts.scopes })
      this.#others.set(names, classes)
    }
    classes.#update()
    return classes
  }

  /** Other declarations may hold than before. */
  #update(): void {
    const { hasNamespaces } = this.#automaton
    const { scopes } = this.#facts
    const bindings = hasNamespaces || scopes?.hasNil ? scopes?.bindings : undefined
    if (bindings === this.#bindings) return
    this.#bindings = bindings
    const deciding = [...(bindings ?? [])].filter(([, namespace]) => hasNamespaces || namespace === XSI_NAMESPACE)
    const written = deciding.length > 0 ? JSON.stringify(deciding) : ''
    const key = bindings && scopes?.areMany ? `${scopes.version}` : written
    if (key === this.#key) return
    if (this.#kept.size < MOST_KEPT) this.#kept.set(this.#key, this.words)
    this.#key = key
    this.words = this.#kept.get(this.#key) ?? new Int32Array(FEWEST_WORDS).fill(UNKNOWN)
  }

  /** The class of the name with a symbol: that of an element, or with 1 for `word` that of an attribute, which may have `NIL_CLASS`. */
  of(symbol: number, word = 0): number {
    const at = 2 * symbol + word
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
    const { names, scopes } = this.#facts
    const name = names.get(symbol)
    const namespace = (scopes?.areMany ? scopes.resolve(name.prefix) : undefined) ?? this.#bindings?.get(name.prefix)
    const { elements, attributes } = this.#automaton
    this.words[at] = elements.of(name, namespace)
    // Attributes without a prefix are in no namespace.
    const inNamespace = name.prefix === '' ? undefined : namespace
    const nil = inNamespace === XSI_NAMESPACE && name.localName === 'nil' ? NIL_CLASS : 0
    this.words[at + 1] = attributes.of(name, inNamespace) | nil
  }
}
