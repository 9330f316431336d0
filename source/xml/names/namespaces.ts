// Which prefix stands for which namespace, where (Namespaces in XML 1.0, third edition).

import type { Name } from './names.ts'

export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
/** That of the attributes that declare namespaces (section 3). */
export const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/'

/** That of the attribute `nil`, which says that an element is null (XML Schema Part 1, section 2.7.2). */
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance'

/** The values with which it says so. */
export const NIL = /^[ \t\r\n]*(?:true|1)[ \t\r\n]*$/

/** What is wrong with a declaration, and the constraint it violates. */
export interface NamespaceFault {
  readonly message: string
  readonly constraint: string
}

/** What prefixes stand for at one place; the empty one is the default. */
export type Bindings = ReadonlyMap<string, string>

/** A prefix, empty for the default, and what it stands for. */
export type Declaration = readonly [prefix: string, namespace: string]

/** With more prefixes than this, none is safe: bindings are copied for each change of the declarations. */
const MOST_BINDINGS = 64
const XSI_KEY = ` ${XSI_NAMESPACE}`
const NO_BINDINGS: Bindings = new Map([['xml', XML_NAMESPACE]])

/** Declarations of the open elements. Looking a prefix up takes the same time at any depth. */
export class NamespaceScopes {
  /** For each prefix the namespaces it stands for, the innermost last; an empty one where it is taken back. */
  readonly #bindings = new Map<string, string[]>().set('xml', [XML_NAMESPACE]).set('xmlns', [XMLNS_NAMESPACE])
  /** The prefixes that open elements declare, with the depth of the element. */
  readonly #declared: { readonly depth: number; readonly prefix: string; readonly isMade: boolean }[] = []
  /** How many of these were made here. */
  #made = 0

  /** For each namespace, after a blank, the prefixes that stand for it, and how many namespaces have several. */
  readonly #prefixes = new Map<string, Set<string>>()
  #sharedNamespaces = 0

  /** The namespace of names without a prefix: the default; undefined where none is declared. */
  default: string | undefined
  /** Changes with each declaration that begins or ends to hold. */
  version = 0
  /** The depth of the innermost element that declares something; 0 where none does. */
  depth = 0

  #bindingsNow: { readonly version: number; readonly bindings: Bindings } | undefined

  /** Whether there are too many to be copied. */
  get areMany(): boolean {
    return this.#bindings.size > MOST_BINDINGS
  }

  /** What the safe prefixes and the default stand for: the same map as long as the same declarations hold. */
  get bindings(): Bindings {
    if (this.#bindingsNow?.version !== this.version) {
      this.#bindingsNow = { version: this.version, bindings: this.#copyBindings() }
    }
    return this.#bindingsNow.bindings
  }

  #copyBindings(): Bindings {
    if (this.#declared.length === 0) return NO_BINDINGS
    const prefixes = this.areMany ? ['', 'xml'] : this.#bindings.keys()
    const copy = new Map<string, string>()
    for (const prefix of prefixes) {
      const namespace = this.resolve(prefix)
      if (namespace !== undefined) copy.set(prefix, namespace)
    }
    return copy
  }

  /** What all prefixes and the default stand for, except for prefixes that need no declaration. */
  get declarations(): Declaration[] {
    const declared: Declaration[] = []
    for (const prefix of this.#bindings.keys()) {
      const namespace = this.resolve(prefix)
      if (namespace !== undefined && prefix !== 'xml' && prefix !== 'xmlns') declared.push([prefix, namespace])
    }
    return declared
  }

  /** The namespace of a prefix, an empty one for the default; undefined where none is declared. */
  resolve(prefix: string): string | undefined {
    return this.#bindings.get(prefix)?.at(-1) || undefined
  }

  /** A prefix that stands for a namespace, and is not empty; undefined where none does. */
  find(namespace: string): string | undefined {
    return this.#prefixes.get(` ${namespace}`)?.values().next().value
  }

  /** Whether a prefix stands for the namespace of `xsi:nil`. */
  get hasNil(): boolean {
    return (this.#prefixes.get(XSI_KEY)?.size ?? 0) > 0
  }

  /** The namespace of an attribute; undefined where it is in none. By definition, `xmlns` is in that of declarations although it has no prefix (section 3). */
  ofAttribute({ prefix, declares }: Name): string | undefined {
    if (prefix === '') return declares === undefined ? undefined : XMLNS_NAMESPACE
    return this.resolve(prefix)
  }

  /**
   * Whether names with the prefix are certainly correct as long as nothing else is declared: it stands for something, and no two prefixes
   * stand for the same, so that attributes of different names have different expanded names. With many prefixes none is.
   */
  isSafe(prefix: string): boolean {
    return !this.areMany && this.#sharedNamespaces === 0 && prefix !== 'xmlns' && this.resolve(prefix) !== undefined
  }

  /** Declares a prefix for an element at this depth and what is in it. Says what is wrong, or undefined. */
  declare(prefix: string, namespace: string, depth: number, isMade = false): NamespaceFault | undefined {
    const fault = findFault(prefix, namespace)
    if (fault) return fault
    const hidden = this.resolve(prefix)
    const bindings = this.#bindings.get(prefix)
    if (bindings) bindings.push(namespace)
    else this.#bindings.set(prefix, [namespace])
    this.#move(prefix, hidden, namespace)
    this.#declared.push({ depth, prefix, isMade })
    if (isMade) this.#made++
    this.depth = depth
    this.version++
    if (prefix === '') this.default = namespace || undefined
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
    if (depth > this.depth) return
    for (let last = this.#declared.at(-1); last && last.depth >= depth; last = this.#declared.at(-1)) {
      const { prefix, isMade } = last
      const namespace = this.resolve(prefix)
      const bindings = this.#bindings.get(prefix)
      bindings?.pop()
      if (bindings?.length === 0) this.#bindings.delete(prefix)
      this.#move(prefix, namespace, this.resolve(prefix))
      this.#declared.pop()
      if (isMade) this.#made--
      this.version++
    }
    this.depth = this.#declared.at(-1)?.depth ?? 0
    this.default = this.resolve('')
  }

  /** A prefix stands for another namespace. The default is for elements only, and does not count. */
  #move(prefix: string, from: string | undefined, to: string | undefined): void {
    if (prefix === '' || from === to) return
    if (from !== undefined) {
      const others = this.#prefixes.get(` ${from}`)
      if (others?.delete(prefix) && others.size === 1) this.#sharedNamespaces--
    }
    if (to === undefined) return
    // V8 makes a string of another kind of what is a key, and code that sees strings of many kinds is slow: this one is a user's, too.
    const others = this.#prefixes.get(` ${to}`)
    if (!others) this.#prefixes.set(` ${to}`, new Set([prefix]))
    else if (others.add(prefix).size === 2) this.#sharedNamespaces++
  }
}

function findFault(prefix: string, namespace: string): NamespaceFault | undefined {
  const reserved = 'NSC: Reserved Prefixes and Namespace Names'
  if (prefix === 'xmlns') return { message: 'the prefix xmlns must not be declared', constraint: reserved }
  if (prefix === 'xml' && namespace !== XML_NAMESPACE) {
    return {
      message: `the prefix xml must not be bound to another namespace than ${XML_NAMESPACE}`,
      constraint: reserved,
    }
  }
  if (prefix !== 'xml' && namespace === XML_NAMESPACE) {
    return { message: `only the prefix xml may be bound to ${XML_NAMESPACE}`, constraint: reserved }
  }
  if (namespace === XMLNS_NAMESPACE) {
    return { message: `no prefix may be bound to ${XMLNS_NAMESPACE}`, constraint: reserved }
  }
  if (prefix !== '' && namespace === '') {
    return { message: `the prefix ${prefix} must not be undeclared`, constraint: 'NSC: No Prefix Undeclaring' }
  }
  return undefined
}

/** An attribute's name with its namespace as one text: neither holds a NUL. */
export function expandedName(name: Name, namespace: string): string {
  return `${name.localName}\0${namespace}`
}
