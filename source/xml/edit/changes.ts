// What edits change of one element, and the changes as pieces of text between offsets.

import { findForbidden, isName } from '../../text/markup/xml-characters.ts'
import { escapeAttribute, escapeText } from '../../text/markup/xml-markup.ts'
import { shorten } from '../errors/unplaced-error.ts'
import { makeName, type Name } from '../names/names.ts'
import { NamespaceScopes } from '../names/namespaces.ts'
import type { XmlContent } from '../write/content.ts'
import { XmlWriteError } from '../write/markup/write-error.ts'
import { writeContent } from '../write/write-content.ts'
import type { XmlEditCode } from './edit-error.ts'
import type { FoundEnd, FoundTag } from './found.ts'
import type { Scope } from './scope.ts'

/** What may stand beside a root. */
const MISC = /^(?:[ \t\r\n]|<!--(?:(?!-->)[\s\S])*-->|<\?(?:(?!\?>)[\s\S])*\?>)*$/

/** What the changes of all elements of a document share. */
export interface ChangeContext {
  /** The last code point that the encoding of the result has. */
  readonly lastCodePoint: number
  /** Bytes of a character of markup. */
  readonly unit: number
  /** The names of entities that new markup may use. */
  entities(): ReadonlySet<string>
  /** Makes the error for an element. */
  fail(tag: FoundTag, message: string, code: XmlEditCode, cause?: unknown): Error
}

/** Where new content goes. */
export type InsertPlace = 'before' | 'prepend' | 'content' | 'append' | 'after' | 'replacement'

/** Puts markup in the place of the input between two offsets: pieces, each of which is well-formed where it stands. */
export type Put = (from: number, to: number, pieces: readonly string[]) => void

/** What is inserted, in pieces. Those at the beginning of the content and after the element are in reverse order. */
interface Inserted {
  readonly before: string[]
  readonly prepend: string[]
  readonly append: string[]
  readonly after: string[]
}

const NOTHING: readonly string[] = []

export class ElementChanges {
  readonly tag: FoundTag
  /** How many edits of the element have ended. What an edit that has ended was called with changes nothing more. */
  endedEdits = 0
  readonly #context: ChangeContext
  #fate: 'kept' | 'removed' | 'unwrapped' = 'kept'
  #name: string
  /** By the names of attributes that were changed, the new value; undefined for those that go. Undefined as long as none was: that of most elements. */
  #attributes: Map<string, string | undefined> | undefined
  /** What prefixes stand for in the element as it is changed; undefined where namespaces are off. */
  #inner: Scope | undefined
  /** Undefined as long as nothing is inserted. */
  #inserted: Inserted | undefined
  /** What stands for its content. */
  #content: string | undefined

  constructor(tag: FoundTag, context: ChangeContext) {
    this.tag = tag
    this.#context = context
    this.#name = tag.name.raw
    this.#inner = tag.inner
  }

  /** Whether the element is no more, so that no edits of it are called. */
  get isGone(): boolean {
    return this.#fate !== 'kept'
  }

  /** Whether its content is left out. */
  get skipsContent(): boolean {
    return this.#fate === 'removed' || this.#content !== undefined
  }

  rename(raw: string): void {
    if (this.isGone) return
    const name = this.#requireName(raw)
    if (this.#inner && name.prefix !== '') this.#requireDeclared(name, this.#inner)
    this.#name = raw
  }

  setAttribute(raw: string, value: string): void {
    if (this.isGone) return
    const name = this.#requireName(raw)
    const bad = findForbidden(value)
    if (bad !== -1) {
      const code = `U+${value.charCodeAt(bad).toString(16).toUpperCase().padStart(4, '0')}`
      throw this.#fail(
        `the value of ${shorten(raw)} has the character ${code}, which XML does not allow`,
        'invalid-character',
      )
    }
    if (this.#inner && name.declares !== undefined) this.#declare(name.declares, value, this.#inner)
    else if (this.#inner && name.prefix !== '') this.#requireUnique(name, this.#inner)
    this.#change(raw, value)
  }

  removeAttribute(raw: string): void {
    const { attributes, written, outer } = this.tag
    const isWritten = written.some(({ name }) => name === raw)
    const isThere = this.#attributes?.has(raw) ? this.#attributes.get(raw) !== undefined : attributes.has(raw)
    if (this.isGone || !isThere) return
    const { declares } = makeName(raw)
    if (this.#inner && declares !== undefined) {
      if (declares !== '') {
        throw this.#fail(
          `the declaration ${shorten(raw)} cannot be removed: its prefix may be in use`,
          'namespace-declaration',
        )
      }
      this.#inner = this.#inner.with('', outer?.get('') ?? '')
    }
    if (isWritten) this.#change(raw, undefined)
    else if (!this.#attributes?.delete(raw))
      throw this.#fail(
        `the attribute ${shorten(raw)} is a default of the document type: it cannot be removed`,
        'declared-attribute',
      )
  }

  insert(place: InsertPlace, content: XmlContent): void {
    const isOutside = place === 'before' || place === 'after' || place === 'replacement'
    if (this.isGone && (place === 'content' || place === 'replacement')) return
    if (place === 'replacement') this.#requireNoRoot('replaced')
    const text = this.#write(content, isOutside ? this.tag.outer : this.#inner)
    if (isOutside && this.tag.depth === 1 && !MISC.test(text)) {
      throw this.#fail(
        `beside the root <${shorten(this.tag.name.raw)}>, only comments and instructions are allowed`,
        'root-element',
      )
    }
    this.#inserted ??= { before: [], prepend: [], append: [], after: [] }
    const { before, prepend, append, after } = this.#inserted
    switch (place) {
      case 'before':
        before.push(text)
        return
      case 'append':
        append.push(text)
        return
      // As in the DOM: directly there, before what was inserted there before.
      case 'after':
        after.push(text)
        return
      case 'prepend':
        prepend.push(text)
        return
      case 'content':
        prepend.length = 0
        append.length = 0
        this.#content = text
        return
      default:
        this.#fate = 'removed'
        after.push(text)
    }
  }

  remove(): void {
    this.#requireNoRoot('removed')
    if (!this.isGone) this.#fate = 'removed'
  }

  unwrap(): void {
    this.#requireNoRoot('unwrapped')
    if (this.isGone) return
    const { outer, inner } = this.tag
    for (const scope of [inner, this.#inner]) {
      const differing = scope && [...scope].find(([prefix, namespace]) => (outer?.get(prefix) ?? '') !== namespace)
      if (!differing) continue
      const what = differing[0] === '' ? 'the default namespace' : `the prefix ${shorten(differing[0])}`
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
    const before = this.#inserted?.before ?? NOTHING
    const inside = this.#insideOf(isEmpty)
    if (this.isGone) {
      put(start, tagEnd, this.#fate === 'removed' ? before : [...before, ...inside])
      return
    }
    put(start, start, before)
    this.#putTag(put)
    const isFilled = isEmpty && inside.some((piece) => piece !== '')
    if (isFilled) put(tagEnd - 2 * this.#context.unit, tagEnd, ['>', ...inside, `</${this.#name}>`])
    else if (!isEmpty) put(tagEnd, tagEnd, inside)
  }

  /** What changes from the end of its content on. */
  putEnd({ start, end }: FoundEnd, put: Put): void {
    const { tagEnd, nameEnd, isEmpty, start: tagStart, name } = this.tag
    const append = this.#inserted?.append ?? NOTHING
    const after = this.#inserted?.after.toReversed() ?? NOTHING
    const from = this.skipsContent ? tagEnd : start
    if (this.isGone || isEmpty) {
      const isDone = isEmpty || this.#fate === 'removed'
      put(from, end, isDone ? after : [...append, ...after])
      return
    }
    put(from, start, append)
    const { unit } = this.#context
    if (this.#name !== name.raw) put(start + 2 * unit, start + unit + (nameEnd - tagStart), [this.#name])
    put(end, end, after)
  }

  /** What is inserted from the beginning of its content on: of an empty-element tag, all that it contains then. */
  #insideOf(isEmpty: boolean): readonly string[] {
    if (!this.#inserted) return NOTHING
    const { prepend, append } = this.#inserted
    return [...prepend.toReversed(), this.#content ?? '', ...(isEmpty ? append : NOTHING)]
  }

  #putTag(put: Put): void {
    const { start, nameEnd, written, name } = this.tag
    if (this.#name !== name.raw) put(start + this.#context.unit, nameEnd, [this.#name])
    const changed = this.#attributes
    if (!changed) return
    let end = nameEnd
    const isWritten = new Set<string>()
    for (const attribute of written) {
      isWritten.add(attribute.name)
      const value = changed.get(attribute.name)
      if (value !== undefined) put(attribute.start, attribute.end, [this.#writeAttribute(attribute.name, value)])
      else if (changed.has(attribute.name)) put(end, attribute.end, NOTHING)
      end = attribute.end
    }
    const added = [...changed].filter(([one, value]) => value !== undefined && !isWritten.has(one))
    const texts = added.map(([one, value]) => ` ${this.#writeAttribute(one, value as string)}`)
    put(end, end, texts)
  }

  #change(name: string, value: string | undefined): void {
    this.#attributes ??= new Map()
    this.#attributes.set(name, value)
  }

  #writeAttribute(name: string, value: string): string {
    return `${name}="${escapeAttribute(value, this.#context.lastCodePoint)}"`
  }

  #write(content: XmlContent, scope: Scope | undefined): string {
    const { lastCodePoint: last, entities } = this.#context
    if (typeof content === 'string' && findForbidden(content) === -1) return escapeText(content, last)
    try {
      const declarations = [...(scope ?? [])].filter(([prefix, namespace]) => prefix !== 'xml' && namespace !== '')
      return writeContent(content, { declarations, entities: entities(), namespaces: scope !== undefined, last })
    } catch (error) {
      if (!(error instanceof XmlWriteError)) throw error
      throw this.#fail(error.message, 'invalid-content', error)
    }
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
    if (!isName(raw) || (this.#inner && !name.isQualified)) {
      throw this.#fail(`${JSON.stringify(shorten(raw))} is not a name`, 'invalid-name')
    }
    const last = this.#context.lastCodePoint
    const lacking = [...raw].find((character) => (character.codePointAt(0) as number) > last)
    if (lacking === undefined) return name
    const message = `the name ${shorten(raw)} has the character ${lacking}, which the encoding of the document lacks`
    throw this.#fail(message, 'unencodable-name')
  }

  #requireDeclared(name: Name, scope: Scope): string {
    const namespace = name.prefix === 'xmlns' ? undefined : scope.get(name.prefix)
    if (namespace) return namespace
    throw this.#fail(
      `the prefix ${shorten(name.prefix)} of ${shorten(name.raw)} is not declared there`,
      'undeclared-prefix',
    )
  }

  /** No other attribute may have the same local name in the same namespace. */
  #requireUnique(name: Name, scope: Scope): void {
    const namespace = this.#requireDeclared(name, scope)
    const names = new Set([...Array.from(this.tag.attributes, ([one]) => one), ...(this.#attributes?.keys() ?? [])])
    for (const raw of names) {
      const other = makeName(raw)
      const isThere = raw !== name.raw && (!this.#attributes?.has(raw) || this.#attributes.get(raw) !== undefined)
      if (!isThere || other.prefix === '' || other.localName !== name.localName || other.declares !== undefined)
        continue
      if (scope.get(other.prefix) !== namespace) continue
      throw this.#fail(`${shorten(name.raw)} and ${shorten(raw)} would be the same attribute`, 'duplicate-attribute')
    }
  }

  #declare(prefix: string, namespace: string, scope: Scope): void {
    const fault = new NamespaceScopes().declare(prefix, namespace, 1)
    if (fault) throw this.#fail(fault.message, 'namespace-declaration')
    const known = scope.get(prefix)
    if (prefix !== '' && known !== undefined && known !== namespace) {
      const message = `the prefix ${shorten(prefix)} stands for ${shorten(known)} there, and may be in use: it cannot get another namespace`
      throw this.#fail(message, 'namespace-declaration')
    }
    this.#inner = scope.with(prefix, namespace)
  }
}
