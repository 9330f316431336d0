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
  readonly #declared: { readonly depth: number; readonly prefix: string }[] = []

  /** For each namespace, after a blank, how many prefixes stand for it, and how many namespaces have several. */
  readonly #prefixCounts = new Map<string, number>()
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

  /** Whether a prefix stands for the namespace of `xsi:nil`. */
  get hasNil(): boolean {
    return (this.#prefixCounts.get(XSI_KEY) ?? 0) > 0
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
  declare(prefix: string, namespace: string, depth: number): NamespaceFault | undefined {
    const fault = findFault(prefix, namespace)
    if (fault) return fault
    this.#count(prefix, -1)
    const bindings = this.#bindings.get(prefix)
    if (bindings) bindings.push(namespace)
    else this.#bindings.set(prefix, [namespace])
    this.#count(prefix, 1)
    this.#declared.push({ depth, prefix })
    this.depth = depth
    this.version++
    if (prefix === '') this.default = namespace || undefined
    return undefined
  }

  /** Forgets what elements at this depth, or deeper, declared. */
  leave(depth: number): void {
    if (depth > this.depth) return
    for (let last = this.#declared.at(-1); last && last.depth >= depth; last = this.#declared.at(-1)) {
      this.#count(last.prefix, -1)
      const bindings = this.#bindings.get(last.prefix)
      bindings?.pop()
      if (bindings?.length === 0) this.#bindings.delete(last.prefix)
      this.#count(last.prefix, 1)
      this.#declared.pop()
      this.version++
    }
    this.depth = this.#declared.at(-1)?.depth ?? 0
    this.default = this.resolve('')
  }

  /** Counts what a prefix stands for now, once more or once less. The default is for elements only, and does not count. */
  #count(prefix: string, step: 1 | -1): void {
    const namespace = prefix === '' ? undefined : this.resolve(prefix)
    if (namespace === undefined) return
    // V8 makes a string of another kind of what is a key, and code that sees strings of many kinds is slow: this one is a user's, too.
    const key = ` ${namespace}`
    const before = this.#prefixCounts.get(key) ?? 0
    this.#prefixCounts.set(key, before + step)
    if (step === 1 && before === 1) this.#sharedNamespaces++
    else if (step === -1 && before === 2) this.#sharedNamespaces--
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
