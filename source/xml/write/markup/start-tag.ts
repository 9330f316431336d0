// A start tag whose attributes are not complete yet. Where its names are given by their namespaces, it is known at its end what must be declared.

import { shorten } from '../../errors/unplaced-error.ts'
import type { Name } from '../../names/names.ts'
import { expandedName, XML_NAMESPACE, XMLNS_NAMESPACE } from '../../names/namespaces.ts'
import type { Prefixes } from './prefixes.ts'
import type { XmlWriteErrorCode } from './write-error.ts'
import type { XmlQualifiedName } from './write-name.ts'

/** Attributes up to so many are compared with each other; more are put into a set. */
const FEW = 8

/** Throws an error. */
export type Fail = (code: XmlWriteErrorCode, message: string) => never

type TagName = Name | XmlQualifiedName

const NONE: TagName = { namespace: undefined, localName: '' }

function isWritten(name: TagName): name is Name {
  return 'raw' in name
}

export class StartTag {
  readonly #prefixes: Prefixes | undefined
  readonly #fail: Fail
  #name: TagName = NONE
  #isOpen = false
  /** Whether no name has anything to do with namespaces. */
  #isPlain = true
  readonly #names: TagName[] = []
  readonly #values: string[] = []
  /** The names of attributes as they are written, of a tag with many; undefined as long as there are few. */
  #known: Set<string> | undefined
  /** Values as they were before they were escaped, of attributes that declare something. */
  #declared: Map<string, string> | undefined

  /** Without prefixes, names are only names. */
  constructor(prefixes: Prefixes | undefined, fail: Fail) {
    this.#prefixes = prefixes
    this.#fail = fail
  }

  /** Whether a tag is open. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The name of the element, as far as it is known. */
  get name(): string {
    const name = this.#name
    return isWritten(name) ? name.raw : name.prefix ? `${name.prefix}:${name.localName}` : name.localName
  }

  /** Begins a tag. Only `open` makes it part of the document: a tag whose first attributes are wrong was never there. */
  begin(name: TagName): void {
    this.#name = name
    this.#isPlain = !this.#prefixes || (isWritten(name) && name.isPlain)
    if (this.#names.length === 0) return
    this.#names.length = 0
    this.#values.length = 0
    this.#known = undefined
    this.#declared = undefined
  }

  open(): void {
    this.#isOpen = true
  }

  /** Adds an attribute with a value that was escaped; `value` is what it was before that. */
  add(name: TagName, escaped: string, value: string): void {
    if (isWritten(name)) {
      this.#refuseSecond(name)
      if (this.#prefixes && !name.isPlain) {
        this.#isPlain = false
        if (name.declares !== undefined) {
          this.#declared ??= new Map()
          this.#declared.set(name.declares, value)
        }
      }
    } else this.#isPlain = false
    this.#names.push(name)
    this.#values.push(escaped)
  }

  #refuseSecond({ raw }: Name): void {
    const names = this.#names
    if (names.length < FEW) {
      for (let i = 0; i < names.length; i++) {
        const other = names[i] as TagName
        if (isWritten(other) && other.raw === raw) this.#refuse(raw)
      }
      return
    }
    this.#known ??= new Set(names.map((name) => (isWritten(name) ? name.raw : '')))
    if (this.#known.has(raw)) this.#refuse(raw)
    this.#known.add(raw)
  }

  #refuse(name: string): never {
    return this.#fail('duplicate-attribute', `the attribute ${shorten(name)} stands twice in <${shorten(this.name)}>`)
  }

  /**
   * Ends the tag of an element at a depth: what it is without its last bracket, and the name of the element as it is written. `escapeValue` escapes namespaces.
   */
  end(depth: number, escapeValue: (value: string) => string): { tag: string; name: string } {
    const names = this.#names
    const values = this.#values
    if (this.#isPlain) {
      const name = (this.#name as Name).raw
      let tag = `<${name}`
      for (let i = 0; i < names.length; i++) tag += ` ${(names[i] as Name).raw}="${values[i]}"`
      this.#isOpen = false
      return { tag, name }
    }
    try {
      const written = this.#resolve(depth, this.#prefixes as Prefixes, escapeValue)
      this.#isOpen = false
      return written
    } catch (error) {
      // The tag is still open, and so is what is around it.
      this.#prefixes?.leave(depth)
      throw error
    }
  }

  #resolve(depth: number, prefixes: Prefixes, escapeValue: (value: string) => string): { tag: string; name: string } {
    for (const [prefix, namespace] of this.#declared ?? []) {
      const fault = prefixes.declare(prefix, namespace, depth)
      if (fault) this.#fail('invalid-namespace', fault.message)
    }
    // What is written as it is comes first: no declaration is made of a prefix that stands for something.
    for (const name of [this.#name, ...this.#names]) if (isWritten(name)) this.#requireDeclared(name)
    const made: string[] = []
    const declare = (prefix: string, namespace: string): void => {
      const fault = prefixes.declare(prefix, namespace, depth)
      if (fault) this.#fail('invalid-namespace', fault.message)
      made.push(` xmlns${prefix && `:${prefix}`}="${escapeValue(namespace)}"`)
    }
    const make = (namespace: string): string => {
      const prefix = prefixes.make(namespace, depth)
      made.push(` xmlns:${prefix}="${escapeValue(namespace)}"`)
      return prefix
    }
    const name = this.#nameElement(this.#name, prefixes, declare, make)
    let attributes = ''
    for (const [i, attribute] of this.#names.entries()) {
      attributes += ` ${this.#nameAttribute(attribute, prefixes, declare, make)}="${this.#values[i]}"`
    }
    this.#refuseSameExpanded(prefixes)
    return { tag: `<${name}${attributes}${made.join('')}`, name }
  }

  #requireDeclared({ raw, prefix, declares }: Name): void {
    if (prefix === '' || declares !== undefined || prefix === 'xml') return
    if (prefix !== 'xmlns' && (this.#prefixes as Prefixes).resolve(prefix) !== undefined) return
    this.#fail('undeclared-prefix', `the prefix of ${shorten(raw)} is not declared`)
  }

  #nameElement(
    name: TagName,
    prefixes: Prefixes,
    declare: (prefix: string, namespace: string) => void,
    make: (namespace: string) => string,
  ): string {
    if (isWritten(name)) {
      if (name.declares !== undefined)
        this.#fail('invalid-name', `an element cannot have the name ${shorten(name.raw)}`)
      return name.raw
    }
    const { namespace, localName, prefix } = name
    if (!namespace) {
      if (prefixes.default !== undefined) {
        const message = `the name ${shorten(localName)} is in no namespace, but its tag declares a default`
        if (this.#declared?.has('')) this.#fail('invalid-namespace', message)
        declare('', '')
      }
      return localName
    }
    const fixed = this.#fixedPrefix(namespace, localName)
    if (fixed !== undefined) return `${fixed}:${localName}`
    if (!prefix) {
      if (prefixes.default === namespace) return localName
      const known = prefix === undefined ? prefixes.find(namespace) : undefined
      if (known !== undefined) return `${known}:${localName}`
      if (!this.#declared?.has('')) {
        declare('', namespace)
        return localName
      }
    }
    const isTaken = prefix !== '' && prefix !== undefined && ![namespace, undefined].includes(prefixes.resolve(prefix))
    if (isTaken && prefixes.default === namespace) return localName
    return `${choosePrefix(namespace, prefix, prefixes, declare, make)}:${localName}`
  }

  #nameAttribute(
    name: TagName,
    prefixes: Prefixes,
    declare: (prefix: string, namespace: string) => void,
    make: (namespace: string) => string,
  ): string {
    if (isWritten(name)) return name.raw
    const { namespace, localName, prefix } = name
    if (!namespace) return localName
    const known = this.#fixedPrefix(namespace, localName) ?? (prefix ? undefined : prefixes.find(namespace))
    return `${known ?? choosePrefix(namespace, prefix, prefixes, declare, make)}:${localName}`
  }

  /** The prefix of a namespace that has always the same. */
  #fixedPrefix(namespace: string, localName: string): string | undefined {
    if (namespace === XMLNS_NAMESPACE) {
      this.#fail(
        'invalid-name',
        `${shorten(localName)} is in the namespace of declarations: write them as xmlns:prefix`,
      )
    }
    return namespace === XML_NAMESPACE ? 'xml' : undefined
  }

  #refuseSameExpanded(prefixes: Prefixes): void {
    const seen = new Set<string>()
    for (const name of this.#names) {
      const written = isWritten(name)
      if (written && name.declares !== undefined) continue
      const namespace = written ? (name.prefix === '' ? '' : prefixes.resolve(name.prefix)) : name.namespace
      const expanded = expandedName(name as Name, namespace ?? '')
      if (seen.has(expanded)) this.#refuse(name.localName)
      seen.add(expanded)
    }
  }
}

/** A prefix for a namespace: the one that is preferred, unless it stands for another. */
function choosePrefix(
  namespace: string,
  preferred: string | undefined,
  prefixes: Prefixes,
  declare: (prefix: string, namespace: string) => void,
  make: (namespace: string) => string,
): string {
  if (preferred) {
    const present = prefixes.resolve(preferred)
    if (present === namespace) return preferred
    if (present === undefined) {
      declare(preferred, namespace)
      return preferred
    }
  }
  return prefixes.find(namespace) ?? make(namespace)
}
