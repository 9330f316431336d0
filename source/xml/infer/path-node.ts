// What was seen of the elements at one path: how many there are, and what is in them.

import { ValueSurvey } from './value-kinds.ts'

export class PathNode {
  readonly name: string
  readonly parent: PathNode | undefined
  readonly depth: number
  readonly children = new Map<string, PathNode>()
  readonly attributes = new Map<string, ValueSurvey>()
  /** How many have ended; in how many parents there is one; the most in one parent. */
  count = 0
  parents = 0
  most = 0
  /** The texts of those without elements in them. */
  readonly texts = new ValueSurvey()
  /** How many have a text that is not blank, and how many have elements in them as well. */
  textual = 0
  mixed = 0
  /** How many have elements in them. */
  nested = 0
  /** How many are null. */
  nils = 0
  /** Bytes from the start of each to its end. */
  bytes = 0
  /** Whether there was no room for all that is in them. */
  isCut = false
  /** The parent in which one was seen last, and how many there. */
  #seenIn = -1
  #seen = 0
  /** Whether one without elements has any text. */
  #hasAnyText = false

  constructor(name: string, parent?: PathNode) {
    this.name = name
    this.parent = parent
    this.depth = parent ? parent.depth + 1 : 0
  }

  /** From the root, as paths are written. */
  get path(): string {
    return this.parent ? `${this.parent.path}/${this.name}` : this.name
  }

  /** One begins in a parent, which has a number. */
  begin(parent: number): void {
    this.#seen = this.#seenIn === parent ? this.#seen + 1 : 1
    if (this.#seen === 1) this.parents++
    this.#seenIn = parent
    if (this.#seen > this.most) this.most = this.#seen
  }

  /** One, which has a number, is not counted. */
  forget(number: number, attributes: readonly string[]): void {
    for (const child of this.children.values()) if (child.#seenIn === number) child.parents--
    for (const name of attributes) {
      const values = this.attributes.get(name)
      if (values) values.count--
    }
  }

  /** Whether there are several in one parent. */
  get repeats(): boolean {
    return this.most > 1
  }

  /** How many different names attributes and children have. */
  get nameCount(): number {
    return this.attributes.size + this.children.size
  }

  /** Whether something other than text is in them. */
  get hasStructure(): boolean {
    return this.isCut || this.nameCount > 0
  }

  /** Whether some have a text between elements. */
  get isMixed(): boolean {
    return this.textual > 0 && this.children.size > 0
  }

  /** Whether there is text in them, or might be in those that are null. Where some have elements in them, blanks are none. */
  get hasText(): boolean {
    return this.children.size > 0 ? this.textual > 0 : this.#hasAnyText || this.nils > 0
  }

  addText(text: string): void {
    if (text !== '') this.#hasAnyText = true
    this.texts.add(text)
  }

  /** Adds what was seen at another path, as if it were the same. */
  merge(other: PathNode): void {
    this.count += other.count
    this.parents += other.parents
    this.most = Math.max(this.most, other.most)
    this.texts.merge(other.texts)
    this.textual += other.textual
    this.mixed += other.mixed
    this.nested += other.nested
    this.nils += other.nils
    this.bytes += other.bytes
    this.isCut ||= other.isCut
    this.#hasAnyText ||= other.#hasAnyText
    for (const [name, values] of other.attributes) {
      const known = this.attributes.get(name) ?? new ValueSurvey()
      this.attributes.set(name, known)
      known.merge(values)
    }
    for (const [name, child] of other.children) {
      const known = this.children.get(name) ?? new PathNode(name, this)
      this.children.set(name, known)
      known.merge(child)
    }
  }
}
