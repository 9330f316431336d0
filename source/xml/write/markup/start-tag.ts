// A start tag whose attributes are not complete yet. Where its names are given by their namespaces, it is known at its end what must be declared.

import { nameDeclaration } from '../../../text/markup/xml-markup.ts'
import { shorten } from '../../errors/unplaced-error.ts'
import type { Name } from '../../names/names.ts'
import { expandedName, type NamespaceScopes, XML_NAMESPACE, XMLNS_NAMESPACE } from '../../names/namespaces.ts'
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

/** A tag as it is written, without its last bracket, and the name of its element. */
interface WrittenTag {
  readonly tag: string
  readonly name: string
}

export class StartTag {
  readonly #prefixes: NamespaceScopes | undefined
  readonly #escape: (namespace: string) => string
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
  /** Declarations that are added at the end of the tag. */
  #added = ''

  /** Without prefixes, names are only names. `escapeValue` escapes a namespace. */
  constructor(prefixes: NamespaceScopes | undefined, escapeValue: (namespace: string) => string, fail: Fail) {
    this.#prefixes = prefixes
    this.#escape = escapeValue
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

  /** Ends the tag of an element at a depth. If it throws, the tag is still open. */
  end(depth: number): WrittenTag {
    const written = this.#isPlain ? this.#writePlain() : this.#resolve(depth, this.#prefixes as NamespaceScopes)
    this.#isOpen = false
    return written
  }

  #writePlain(): WrittenTag {
    const { raw: name } = this.#name as Name
    let tag = `<${name}`
    for (let i = 0; i < this.#names.length; i++) tag += ` ${(this.#names[i] as Name).raw}="${this.#values[i]}"`
    return { tag, name }
  }

  #resolve(depth: number, prefixes: NamespaceScopes): WrittenTag {
    this.#added = ''
    try {
      for (const [prefix, namespace] of this.#declared ?? []) this.#declare(prefix, namespace, depth)
      // What is written as it is comes first: no declaration is made of a prefix that stands for something.
      for (const name of [this.#name, ...this.#names]) if (isWritten(name)) this.#requireDeclared(name, prefixes)
      const name = this.#nameElement(this.#name, prefixes, depth)
      let tag = `<${name}`
      for (const [i, one] of this.#names.entries()) {
        tag += ` ${isWritten(one) ? one.raw : this.#nameAttribute(one, prefixes, depth)}="${this.#values[i]}"`
      }
      this.#refuseSameExpanded(prefixes)
      return { tag: tag + this.#added, name }
    } catch (error) {
      prefixes.leave(depth)
      throw error
    }
  }

  #declare(prefix: string, namespace: string, depth: number): void {
    const fault = this.#prefixes?.declare(prefix, namespace, depth)
    if (fault) this.#fail('invalid-namespace', fault.message)
  }

  /** Adds a declaration. Returns the prefix. */
  #addDeclared(prefix: string, namespace: string, depth: number): string {
    this.#declare(prefix, namespace, depth)
    return this.#add(prefix, namespace)
  }

  #add(prefix: string, namespace: string): string {
    this.#added += ` ${nameDeclaration(prefix)}="${this.#escape(namespace)}"`
    return prefix
  }

  #requireDeclared({ raw, prefix, declares }: Name, prefixes: NamespaceScopes): void {
    if (prefix === '' || declares !== undefined || prefix === 'xml') return
    if (prefix !== 'xmlns' && prefixes.resolve(prefix) !== undefined) return
    this.#fail('undeclared-prefix', `the prefix of ${shorten(raw)} is not declared`)
  }

  #nameElement(name: TagName, prefixes: NamespaceScopes, depth: number): string {
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
        this.#addDeclared('', '', depth)
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
        this.#addDeclared('', namespace, depth)
        return localName
      }
    }
    const isTaken = prefix !== '' && prefix !== undefined && ![namespace, undefined].includes(prefixes.resolve(prefix))
    if (isTaken && prefixes.default === namespace) return localName
    return `${this.#choosePrefix(namespace, prefix, prefixes, depth)}:${localName}`
  }

  #nameAttribute(name: XmlQualifiedName, prefixes: NamespaceScopes, depth: number): string {
    const { namespace, localName, prefix } = name
    if (!namespace) return localName
    const fixed = this.#fixedPrefix(namespace, localName)
    return `${fixed ?? this.#choosePrefix(namespace, prefix, prefixes, depth)}:${localName}`
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

  /** A prefix for a namespace: the one that is preferred, unless it stands for another. */
  #choosePrefix(namespace: string, preferred: string | undefined, prefixes: NamespaceScopes, depth: number): string {
    const present = preferred && prefixes.resolve(preferred)
    if (preferred && present === namespace) return preferred
    if (preferred && present === undefined) return this.#addDeclared(preferred, namespace, depth)
    return prefixes.find(namespace) ?? this.#add(prefixes.make(namespace, depth), namespace)
  }

  #refuseSameExpanded(prefixes: NamespaceScopes): void {
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
