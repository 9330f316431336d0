// Edits, those that are ready-made, and elements as edits see them.

import { describeValue, withCode } from '../../stream/errors.ts'
import { shorten } from '../errors/unplaced-error.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { XmlElement } from '../tree/element.ts'
import type { XmlContent } from '../write/content.ts'
import type { ElementChanges } from './changes.ts'

/**
 * An element whose start tag was read. What it says of itself is what the document has; changes are made when all edits of the element were called. The
 * methods that insert are named as in the DOM, and a string is text. Methods can be called until the edit has returned, or until the promise that it has returned is
 * settled; then they throw a `TypeError` with the code `edit-ended`. They throw an `XmlEditError` if the result would not be well-formed.
 */
export class EditedTag {
  readonly #changes: ElementChanges
  /** How many edits of the element had ended when this was made for the next. */
  readonly #endedBefore: number

  /** @internal */
  constructor(changes: ElementChanges) {
    this.#changes = changes
    this.#endedBefore = changes.endedEdits
  }

  /**
   * Indices of the edits that match the element.
   *
   * @internal
   */
  get matches(): readonly number[] {
    return this.#changes.tag.edits
  }

  /** The name as it is written. */
  get name(): string {
    return this.#changes.tag.name.raw
  }

  /** The name without its prefix. */
  get localName(): string {
    return this.#changes.tag.name.localName
  }

  /** The namespace; undefined when it is in none, or namespaces are off. */
  get namespace(): string | undefined {
    return this.#changes.tag.namespace
  }

  get attributes(): XmlAttributes {
    return this.#changes.tag.attributes
  }

  /** The value of an attribute; undefined if it has none. Names, and errors, are those of {@link XmlElement.attribute}. */
  attribute(name: string): string | undefined {
    return this.attributes.get(name)
  }

  /** The offset of its start tag, in bytes of the input from 0. */
  get start(): number {
    return this.#changes.tag.byteOffset
  }

  /**
   * The namespace that a prefix stands for in the element, after what edits have declared so far; the empty prefix is the default. Undefined if it stands for none, and where
   * namespaces are off.
   */
  lookupNamespace(prefix: string): string | undefined {
    return this.#open.scopes?.get(prefix)
  }

  /** A prefix, other than the empty one, that stands for a namespace in the element; undefined if there is none, and where namespaces are off. */
  lookupPrefix(namespace: string): string | undefined {
    return this.#open.scopes?.findPrefix(namespace)
  }

  /** Gives it another name, which may have a prefix that is declared there. Defaults from the document type are those of the new name. */
  rename(name: string): void {
    this.#open.rename(requireText('a name', name))
  }

  /**
   * Gives an attribute a value, or adds the attribute. `xmlns` and `xmlns:…` declare namespaces, for what is set or inserted after that, and for edits in the
   * element. What is in the document follows a new default; what edits insert keeps its namespace.
   */
  setAttribute(name: string, value: string): void {
    this.#open.setAttribute(requireText('a name', name), requireText(`the value of ${shorten(name)}`, value))
  }

  /** Takes an attribute away, if the element has it. One with a default from the document type cannot go. */
  removeAttribute(name: string): void {
    this.#open.removeAttribute(requireText('a name', name))
  }

  /** Inserts before the element, after what was inserted there before. Before the root, only comments and instructions. */
  before(content: XmlContent): void {
    this.#open.insert('before', content)
  }

  /** Inserts directly after the element. After the root, only comments and instructions. */
  after(content: XmlContent): void {
    this.#open.insert('after', content)
  }

  /** Inserts at the beginning of its content. */
  prepend(content: XmlContent): void {
    this.#open.insert('prepend', content)
  }

  /** Inserts at the end of its content. */
  append(content: XmlContent): void {
    this.#open.insert('append', content)
  }

  /** Replaces its content, in which no edits are called then. */
  setContent(content: XmlContent): void {
    this.#open.insert('content', content)
  }

  /** Replaces the element, in which no edits are called then. No more edits of the element are called either. */
  replaceWith(content: XmlContent): void {
    this.#open.insert('replacement', content)
  }

  /** Leaves the element out, in which no edits are called then. No more edits of the element are called either. */
  remove(): void {
    this.#open.remove()
  }

  /** Leaves its tags out. Its content stays, and edits are called there. No more edits of the element itself are called. */
  unwrap(): void {
    this.#open.unwrap()
  }

  get #open(): ElementChanges {
    if (this.#changes.endedEdits === this.#endedBefore) return this.#changes
    throw makeEndedError('changed')
  }
}

/** What the document has of a complete element. */
export interface HeldElement {
  readonly element: XmlElement
  readonly text: string
}

/**
 * A complete element. Edits at tags in it were called before; it does not show what they change. After its edits have ended, `element` and `text` throw a `TypeError` with the
 * code `edit-ended`, unless they were asked for before. What they returned can be kept.
 */
export class EditedElement extends EditedTag {
  readonly #held: HeldElement

  /** @internal */
  constructor(changes: ElementChanges, held: HeldElement) {
    super(changes)
    this.#held = held
  }

  /** The element as a tree, as it is in the document. It is made when it is asked for. */
  get element(): XmlElement {
    return this.#held.element
  }

  /** All text in the element at any depth, as it is in the document. Throws like that of `XmlElement`. */
  get text(): string {
    return this.#held.text
  }
}

/** The error for an element that was kept after its edit. */
export function makeEndedError(action: 'changed' | 'read'): Error {
  return withCode(new TypeError(`an element cannot be ${action} after its edit has ended`), 'edit-ended')
}

function requireText(what: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw withCode(new TypeError(`${what} must be a string, not ${describeValue(value)}`), 'invalid-option')
}

/** An edit of an element whose start tag was read. */
export interface TagEdit {
  /** @internal */
  readonly atTags: (tag: EditedTag) => void | Promise<void>
}

/** An edit of a complete element, which is held in memory; or one at its tags. */
export type Edit = ((element: EditedElement) => void | Promise<void>) | TagEdit

/**
 * An edit at tags: the function is called when the start tag of an element was read, and nothing of its content is held. So elements may be of any size, that
 * of the root too.
 */
export function atTags(edit: (tag: EditedTag) => void | Promise<void>): TagEdit {
  return { atTags: edit }
}

/** Leaves the element out. */
export const remove: TagEdit = atTags((tag) => tag.remove())

/** Leaves the tags of the element out, and keeps its content. */
export const unwrap: TagEdit = atTags((tag) => tag.unwrap())

/** Gives the element another name. */
export function rename(name: string): TagEdit {
  return atTags((tag) => tag.rename(name))
}
