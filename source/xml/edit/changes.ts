// What edits change of one element, and the changes as text between offsets.

import { findLacking } from '../../text/markup/encode-text.ts'
import { findForbidden, isName, nameCharacter } from '../../text/markup/xml-characters.ts'
import { escapeAttribute, escapeText } from '../../text/markup/xml-markup.ts'
import { shorten } from '../errors/unplaced-error.ts'
import { makeName, type Name } from '../names/names.ts'
import { expandedName, NamespaceScopes } from '../names/namespaces.ts'
import type { XmlContent } from '../write/content.ts'
import { writeContent } from '../write/content.ts'
import { XmlWriteError } from '../write/markup/write-error.ts'
import type { DocumentDeclarations } from './declarations.ts'
import type { XmlEditCode } from './edit-error.ts'
import type { FoundEnd, FoundTag } from './found.ts'
import type { Scopes } from './scopes.ts'

/** What may stand beside a root. */
const MISC = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g

/** What the changes of all elements of a document share. */
export interface ChangeContext {
  /** The last code point that the encoding of the result has. */
  readonly lastCodePoint: number
  /** Bytes of a character of markup. */
  readonly unit: number
  /** What prefixes stand for; undefined where namespaces are off. */
  readonly scopes: Scopes | undefined
  /** What the document type declares. */
  declarations(): DocumentDeclarations
  /** Makes the error for an element. */
  fail(tag: FoundTag, message: string, code: XmlEditCode, cause?: unknown): Error
}

/** Where new content goes. */
export type InsertPlace = 'before' | 'prepend' | 'content' | 'append' | 'after' | 'replacement'

/** Puts markup in the place of the input between two offsets. */
export type Put = (from: number, to: number, markup: string) => void

export class ElementChanges {
  readonly tag: FoundTag
  /** How many edits of the element have ended. What an edit that has ended was called with changes nothing more. */
  endedEdits = 0
  readonly #context: ChangeContext
  #fate: 'kept' | 'removed' | 'unwrapped' = 'kept'
  #name: string
  /** By the names of attributes that were changed, the new value; undefined for those that go. Undefined as long as none was: that of most elements. */
  #attributes: Map<string, string | undefined> | undefined
  /** The names of attributes that are written in its tag, and how those that it has are written, by their expanded names. Both are made when they are needed. */
  #written: ReadonlySet<string> | undefined
  #expanded: Map<string, string> | undefined
  // What is inserted before it, at the beginning of its content, at the end of that, and after it.
  #before = ''
  #prepended = ''
  #appended = ''
  #after = ''
  /** Whether what is inserted stands for its content. */
  #replacesContent = false

  constructor(tag: FoundTag, context: ChangeContext) {
    this.tag = tag
    this.#context = context
    this.#name = tag.name.raw
  }

  /** Whether its tags are left out: the element was removed, replaced or unwrapped. Then no more edits of it are called. */
  get isGone(): boolean {
    return this.#fate !== 'kept'
  }

  /** Whether its content is left out. */
  get skipsContent(): boolean {
    return this.#fate === 'removed' || this.#replacesContent
  }

  /** What prefixes stand for in the element; undefined where namespaces are off. */
  get scopes(): Scopes | undefined {
    return this.#context.scopes
  }

  rename(raw: string): void {
    if (this.isGone) return
    const name = this.#requireName(raw)
    const { scopes } = this.#context
    if (scopes && name.prefix !== '') this.#requireDeclared(name, scopes)
    if (raw !== this.#name) this.#requireSameDefaults(raw)
    this.#name = raw
  }

  setAttribute(raw: string, value: string): void {
    if (this.isGone) return
    const name = this.#requireName(raw)
    const bad = findForbidden(value)
    if (bad !== -1) {
      const character = nameCharacter(value, bad)
      throw this.#fail(
        `the value of ${shorten(raw)} has the character ${character}, which XML does not allow`,
        'invalid-character',
      )
    }
    const { scopes } = this.#context
    if (scopes && name.declares !== undefined) this.#declare(name.declares, value, scopes)
    else if (scopes && name.prefix !== '') this.#requireUnique(name, scopes)
    this.#change(raw, value)
  }

  removeAttribute(raw: string): void {
    if (this.isGone) return
    if (this.#context.declarations().hasDefault(this.#name, raw)) throw this.#failToRemove(raw)
    const { scopes } = this.#context
    const isWritten = this.#writtenNames.has(raw)
    const isThere = this.#attributes?.has(raw) ? this.#attributes.get(raw) !== undefined : isWritten
    if (!isThere) return
    const name = makeName(raw)
    if (scopes && name.declares !== undefined) {
      if (name.declares !== '') {
        throw this.#fail(
          `the declaration ${shorten(raw)} cannot be removed: its prefix may be in use`,
          'namespace-declaration',
        )
      }
      if (scopes.isDefaultUsed) throw this.#failToChangeDefault()
      scopes.removeDefault()
    } else if (scopes && name.prefix !== '') {
      this.#expanded?.delete(expandedName(name, scopes.get(name.prefix) ?? ''))
    }
    if (isWritten) this.#change(raw, undefined)
    else this.#attributes?.delete(raw)
  }

  insert(place: InsertPlace, content: XmlContent): void {
    const isOutside = place === 'before' || place === 'after' || place === 'replacement'
    if (this.isGone && (place === 'content' || place === 'replacement')) return
    if (place === 'replacement') this.#requireNoRoot('replaced')
    const text = this.#write(content, isOutside)
    if (isOutside && this.tag.depth === 1 && !/^[ \t\r\n]*$/.test(text.replace(MISC, ''))) {
      throw this.#fail(
        `beside the root <${shorten(this.tag.name.raw)}>, only comments and instructions are allowed`,
        'root-element',
      )
    }
    switch (place) {
      case 'before':
        this.#before += text
        return
      case 'append':
        this.#appended += text
        return
      // As in the DOM: directly there, before what was inserted there before.
      case 'after':
        this.#after = text + this.#after
        return
      case 'prepend':
        this.#prepended = text + this.#prepended
        return
      case 'content':
        this.#prepended = text
        this.#appended = ''
        this.#replacesContent = true
        return
      case 'replacement':
        this.#fate = 'removed'
        this.#after = text + this.#after
    }
  }

  remove(): void {
    this.#requireNoRoot('removed')
    if (!this.isGone) this.#fate = 'removed'
  }

  unwrap(): void {
    this.#requireNoRoot('unwrapped')
    if (this.isGone) return
    const differing = this.#context.scopes?.unwrap()
    if (differing) {
      const [prefix] = differing
      const what = prefix === '' ? 'the default namespace' : `the prefix ${shorten(prefix)}`
      throw this.#fail(
        `<${shorten(this.tag.name.raw)}> cannot be unwrapped: it declares ${what}`,
        'namespace-declaration',
      )
    }
    this.#fate = 'unwrapped'
  }

  /** What changes up to the beginning of its content; of an empty-element tag, all but what is inserted after it. */
  putStart(put: Put): void {
    const { start, tagEnd, isEmpty } = this.tag
    // An empty-element tag is followed by nothing else that it contains.
    const inside = isEmpty ? this.#prepended + this.#appended : this.#prepended
    if (this.isGone) {
      put(start, tagEnd, this.#fate === 'removed' ? this.#before : this.#before + inside)
      return
    }
    put(start, start, this.#before)
    this.#putTag(put)
    if (!isEmpty) put(tagEnd, tagEnd, inside)
    else if (inside !== '') put(tagEnd - 2 * this.#context.unit, tagEnd, `>${inside}</${this.#name}>`)
  }

  /** What changes from the end of its content on. */
  putEnd({ start, end }: FoundEnd, put: Put): void {
    const { tagEnd, nameEnd, isEmpty, start: tagStart, name } = this.tag
    const from = this.skipsContent ? tagEnd : start
    if (this.isGone || isEmpty) {
      const isDone = isEmpty || this.#fate === 'removed'
      put(from, end, isDone ? this.#after : this.#appended + this.#after)
      return
    }
    put(from, start, this.#appended)
    const { unit } = this.#context
    if (this.#name !== name.raw) put(start + 2 * unit, start + unit + (nameEnd - tagStart), this.#name)
    put(end, end, this.#after)
  }

  #putTag(put: Put): void {
    const { start, nameEnd, written, name } = this.tag
    if (this.#name !== name.raw) put(start + this.#context.unit, nameEnd, this.#name)
    const changed = this.#attributes
    if (!changed) return
    let end = nameEnd
    const isWritten = new Set<string>()
    for (const attribute of written) {
      isWritten.add(attribute.name)
      const value = changed.get(attribute.name)
      if (value !== undefined) put(attribute.start, attribute.end, this.#writeAttribute(attribute.name, value))
      else if (changed.has(attribute.name)) put(end, attribute.end, '')
      end = attribute.end
    }
    const added = [...changed].filter(([one, value]) => value !== undefined && !isWritten.has(one))
    const texts = added.map(([one, value]) => ` ${this.#writeAttribute(one, value as string)}`)
    put(end, end, texts.join(''))
  }

  get #writtenNames(): ReadonlySet<string> {
    this.#written ??= new Set(this.tag.written.map(({ name }) => name))
    return this.#written
  }

  #change(name: string, value: string | undefined): void {
    this.#attributes ??= new Map()
    this.#attributes.set(name, value)
  }

  #writeAttribute(name: string, value: string): string {
    return `${name}="${escapeAttribute(value, this.#context.lastCodePoint)}"`
  }

  #write(content: XmlContent, isOutside: boolean): string {
    const { lastCodePoint, scopes } = this.#context
    if (typeof content === 'string' && findForbidden(content) === -1) return escapeText(content, lastCodePoint)
    const declarations = this.#context.declarations()
    let text: string
    try {
      const place = { entities: declarations.entities, lastCodePoint }
      text = scopes
        ? scopes.inResult(isOutside, (prefixes, depth) => writeContent(content, { ...place, prefixes, depth }))
        : writeContent(content, place)
    } catch (error) {
      if (!(error instanceof XmlWriteError)) throw error
      throw this.#fail(error.message, 'invalid-content', error)
    }
    if (!scopes || !text.includes('<')) return text
    const declared = declarations.findNamespaceDefault(text)
    if (declared !== undefined) throw this.#failToName(declared)
    scopes.useDefault(isOutside)
    return text
  }

  // What is allowed.

  #fail(message: string, code: XmlEditCode, cause?: unknown): Error {
    return this.#context.fail(this.tag, message, code, cause)
  }

  #requireNoRoot(what: string): void {
    if (this.tag.depth === 1)
      throw this.#fail(`the root <${shorten(this.tag.name.raw)}> cannot be ${what}`, 'root-element')
  }

  #requireName(raw: string): Name {
    const name = makeName(raw)
    if (!isName(raw) || (this.#context.scopes && !name.isQualified)) {
      throw this.#fail(`${JSON.stringify(shorten(raw))} is not a name`, 'invalid-name')
    }
    const lacking = findLacking(raw, this.#context.lastCodePoint)
    if (lacking === undefined) return name
    const message = `the name ${shorten(raw)} has the character ${lacking}, which the encoding of the document lacks`
    throw this.#fail(message, 'unencodable-name')
  }

  /** With another name, the element must neither lose nor get defaults that have to do with namespaces, nor get back what was removed. */
  #requireSameDefaults(raw: string): void {
    const { name, attributes } = this.tag
    const declarations = this.#context.declarations()
    for (const [attribute, value] of this.#attributes ?? []) {
      if (value === undefined && declarations.hasDefault(raw, attribute)) throw this.#failToRemove(attribute)
    }
    if (!this.#context.scopes || raw === name.raw) return
    if (declarations.namespaceDefault(raw) !== undefined) throw this.#failToName(raw)
    if (declarations.namespaceDefault(name.raw) === undefined) return
    const written = this.#writtenNames
    for (const [attribute] of attributes) {
      if (written.has(attribute) || this.#attributes?.has(attribute) || makeName(attribute).declares === undefined)
        continue
      const message = `<${shorten(name.raw)}> cannot be renamed: the document type declares ${shorten(attribute)} for elements with this name`
      throw this.#fail(message, 'namespace-declaration')
    }
  }

  #failToName(element: string): Error {
    const attribute = this.#context.declarations().namespaceDefault(element) ?? ''
    const message = `the document type gives all elements with the name ${shorten(element)} the attribute ${shorten(attribute)}: new ones cannot have that name`
    return this.#fail(message, 'namespace-declaration')
  }

  #failToRemove(attribute: string): Error {
    const message = `the attribute ${shorten(attribute)} is a default of the document type: it cannot be removed`
    return this.#fail(message, 'declared-attribute')
  }

  #failToChangeDefault(): Error {
    const message = `the default namespace of <${shorten(this.tag.name.raw)}> cannot be changed after content was inserted that depends on it`
    return this.#fail(message, 'namespace-declaration')
  }

  #requireDeclared(name: Name, scopes: Scopes): string {
    const namespace = name.prefix === 'xmlns' ? undefined : scopes.get(name.prefix)
    if (namespace) return namespace
    throw this.#fail(
      `the prefix ${shorten(name.prefix)} of ${shorten(name.raw)} is not declared there`,
      'undeclared-prefix',
    )
  }

  /** No other attribute may have the same local name in the same namespace. */
  #requireUnique(name: Name, scopes: Scopes): void {
    const key = expandedName(name, this.#requireDeclared(name, scopes))
    this.#expanded ??= this.#expandNames(scopes)
    const known = this.#expanded.get(key) ?? name.raw
    if (known !== name.raw) {
      throw this.#fail(`${shorten(name.raw)} and ${shorten(known)} would be the same attribute`, 'duplicate-attribute')
    }
    this.#expanded.set(key, known)
  }

  /** How the attributes with a prefix are written that the element has, by their expanded names. */
  #expandNames(scopes: Scopes): Map<string, string> {
    const expanded = new Map<string, string>()
    for (const raw of [...Array.from(this.tag.attributes, ([one]) => one), ...(this.#attributes?.keys() ?? [])]) {
      const name = makeName(raw)
      const isGone = this.#attributes?.has(raw) && this.#attributes.get(raw) === undefined
      if (isGone || name.prefix === '' || name.declares !== undefined) continue
      expanded.set(expandedName(name, scopes.get(name.prefix) ?? ''), raw)
    }
    return expanded
  }

  #declare(prefix: string, namespace: string, scopes: Scopes): void {
    const fault = new NamespaceScopes().declare(prefix, namespace, 1)
    if (fault) throw this.#fail(fault.message, 'namespace-declaration')
    const known = scopes.get(prefix)
    if (prefix !== '' && known !== undefined && known !== namespace) {
      const message = `the prefix ${shorten(prefix)} stands for ${shorten(known)} there, and may be in use: it cannot get another namespace`
      throw this.#fail(message, 'namespace-declaration')
    }
    const isSame = (known ?? '') === namespace
    if (prefix === '' && scopes.isDefaultUsed && !isSame) throw this.#failToChangeDefault()
    scopes.declare(prefix, namespace)
  }
}
