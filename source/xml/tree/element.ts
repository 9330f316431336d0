// Elements as trees: complete documents that are small, and parts of those that are not.

import { INSPECT, type InspectArguments, NO_CLONE, show } from '../../text/inspection.ts'
import {
  escapeAttribute,
  escapeText,
  writeAttributes,
  writeComment,
  writeInstruction,
} from '../../text/markup/xml-markup.ts'
import { concatText, limitLength } from '../../text/units.ts'
import { doctypes } from '../doctype/doctypes.ts'
import { shorten } from '../errors/unplaced-error.ts'
import type { Around } from '../names/around.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import { matchesName, type NamePattern, parseNamePattern } from '../names/name-pattern.ts'
import type { Name } from '../names/names.ts'
import type { ChildCondition } from '../question/path.ts'

/** Text, whether it was written as such, by references or in CDATA sections. */
export interface XmlText {
  readonly type: 'text'
  readonly text: string
}

export interface XmlComment {
  readonly type: 'comment'
  readonly text: string
}

export interface XmlInstruction {
  readonly type: 'instruction'
  readonly target: string
  readonly data: string
}

/** A node in an element. */
export type XmlNode = XmlElement | XmlText | XmlComment | XmlInstruction

/** An element as plain data. */
export interface XmlElementData {
  name: string
  attributes: [name: string, value: string][]
  children: (XmlElementData | XmlText | XmlComment | XmlInstruction)[]
}

const encoder = new TextEncoder()

/** The entities that bring elements: few elements come from any, and a field would make all of them larger. */
const entities = new WeakMap<XmlElement, string>()

/**
 * An element with its content. You can keep it: it retains only its own part of the input, and the names of its document. Small elements share up to
 * 16 KiB of input and of text, and nested ones of similar size one part. An element in it retains all of it, because its `parent` leads to it.
 */
export class XmlElement {
  readonly type = 'element'
  /** @internal */
  readonly self = this
  /** @internal */
  readonly clone = NO_CLONE
  /** The namespace; undefined when it is in none, or namespaces are off. */
  readonly namespace: string | undefined
  readonly #name: Name
  readonly #start: number
  readonly #attributes: XmlAttributes
  /** Undefined as long as there are none. */
  #children: XmlNode[] | undefined
  #parent: XmlElement | undefined
  #end = 0
  /** Its input; of one that stands alone the declarations around it, because others may be nested in it. */
  #input: Uint8Array | Around | undefined

  /** @internal */
  constructor(name: Name, namespace: string | undefined, start: number, attributes: XmlAttributes, entity?: string) {
    if (entity !== undefined) entities.set(this, entity)
    this.#name = name
    this.namespace = namespace
    this.#start = start
    this.#attributes = attributes
  }

  /**
   * Another one with the same content, which has to be complete, and without its input.
   *
   * @internal
   */
  copy(): XmlElement {
    const { namespace, start, attributes, entity } = this
    const copy = new XmlElement(this.#name, namespace, start, attributes, entity)
    copy.#children = this.#children
    copy.#end = this.#end
    doctypes.module?.SkippedEntities.copy(this, copy)
    for (const child of copy.children) if (child.type === 'element') child.#parent = copy
    return copy
  }

  /** The name as it is written. */
  get name(): string {
    return this.#name.raw
  }

  /** The prefix of the name; empty if there is none. */
  get prefix(): string {
    return this.#name.prefix
  }

  /** The name without its prefix. */
  get localName(): string {
    return this.#name.localName
  }

  get attributes(): XmlAttributes {
    return this.#attributes
  }

  /**
   * The element around it; undefined for the root of a document and for a selected element. Where selected elements are in others (`nested: 'all'`), it leads
   * from what is in several up to the innermost. It belongs neither to the content that is compared nor to copies.
   */
  get parent(): XmlElement | undefined {
    return this.#parent
  }

  /** The offset of its start tag, in bytes of the input from 0. For an element from an entity, the offset of the reference. */
  get start(): number {
    return this.#start
  }

  /**
   * The name of the entity that brings the element; undefined if it stands in the document. `start` and `end` are then those of the reference
   * to it in the document. If entities refer to others, it is the outermost.
   */
  get entity(): string | undefined {
    return entities.get(this)
  }

  /** Where its end tag ends: an offset in bytes of the input. */
  get end(): number {
    return this.#end
  }

  /**
   * The input of the element in UTF-8, a new copy each time. Only for selected elements; undefined for elements inside them, and in
   * documents. With the option `standalone`, they are written when they are asked for; that throws like `text`.
   */
  get bytes(): Uint8Array | undefined {
    const input = this.#input
    return isAround(input) ? encoder.encode(this.standalone(input)) : input?.slice()
  }

  /** Elements, texts, comments and processing instructions in document order. Adjacent text is one node. */
  get children(): readonly XmlNode[] {
    this.#children ??= []
    return this.#children
  }

  /** The child elements, in document order; an empty array if there are none. */
  get childElements(): readonly XmlElement[] {
    return this.children.filter((node) => node.type === 'element')
  }

  /**
   * The value of the attribute with this name; undefined if there is none. Here and in `child`, `childrenNamed` and `childText`, a name is
   * compared as it is written, with its prefix; `{namespace}name` is compared by namespace and local name, `{}name` is in no namespace, and
   * `*:name` is a local name in any namespace or none. A name that begins like these and is not of their form throws a `RangeError` with the code
   * `invalid-option`.
   */
  attribute(name: string): string | undefined {
    return this.attributes.get(name)
  }

  /** The first child element with this name; undefined if there is none. Throws like `attribute`. */
  child(name: string): XmlElement | undefined {
    const test = parseNamePattern(name)
    return this.children.find((node): node is XmlElement => node.type === 'element' && node.#isNamed(test))
  }

  /** All child elements with this name; an empty array if there are none. Throws like `attribute`. */
  childrenNamed(name: string): XmlElement[] {
    const test = parseNamePattern(name)
    return this.children.filter((node): node is XmlElement => node.type === 'element' && node.#isNamed(test))
  }

  /**
   * Whether conditions on its children hold.
   *
   * @internal
   */
  hasChildren(conditions: readonly ChildCondition[]): boolean {
    return conditions.every(({ element, isInverted }) => {
      return this.children.some((node) => node.type === 'element' && node.#isNamed(element)) !== isInverted
    })
  }

  /** The text of the first child element with this name; undefined if there is none. Throws like `attribute`. */
  childText(name: string): string | undefined {
    return this.child(name)?.text
  }

  /**
   * All text in the element at any depth, in document order; an empty string if there is none. Throws a `LimitError` with the code
   * `length-limit` if the text is too long for a string.
   */
  get text(): string {
    const texts: string[] = []
    // Without recursion: elements may be nested to any depth.
    const rest: XmlNode[] = this.children.toReversed()
    for (let node = rest.pop(); node; node = rest.pop()) {
      if (node.type === 'text') texts.push(node.text)
      else if (node.type === 'element') for (const child of node.children.toReversed()) rest.push(child)
    }
    return join(texts, 'text', this)
  }

  /** The text directly in the element, not in child elements; an empty string if there is none. Throws like `text`. */
  get ownText(): string {
    return join(
      this.children.map((node) => (node.type === 'text' ? node.text : '')),
      'text',
      this,
    )
  }

  /**
   * The element as plain data, at any depth; `JSON.stringify` itself writes some thousand levels. Attributes are pairs, because their names can be
   * names of properties that all objects have.
   */
  toJSON(): XmlElementData {
    const root = dataOf(this)
    const rest: [XmlElement, XmlElementData][] = [[this, root]]
    for (let next = rest.pop(); next; next = rest.pop()) {
      const [element, data] = next
      for (const child of element.children) {
        const childData = child.type === 'element' ? dataOf(child) : child
        data.children.push(childData)
        if (child.type === 'element') rest.push([child, childData as XmlElementData])
      }
    }
    return root
  }

  /** @internal */
  get [Symbol.toStringTag](): string {
    return writeElement(this, ({ name, namespace, attributes }) => [
      describeName({ name, namespace }),
      attributes.details.map((one) => [describeName(one), one.value]),
    ])
  }

  /** @internal */
  [INSPECT](...how: InspectArguments): string {
    const { name, namespace, attributes, children, start, end } = this
    return show('XmlElement', name, { name, namespace, attributes, children, start, end }, how)
  }

  /**
   * The element as a document of its own, with what holds around it.
   *
   * @internal
   */
  standalone(around: Around): string {
    return writeElement(this, ({ self, name, attributes }) => {
      if (self !== this) return [name, attributes]
      return [name, [...attributes, ...around.filter(([one]) => !attributes.has(one))]]
    })
  }

  /** @internal */
  append(node: XmlNode): void {
    if (node.type === 'element') node.#parent = this
    // Most elements have one child, and an array that begins empty has room for many with its first.
    if (this.#children) this.#children.push(node)
    else this.#children = [node]
  }

  /** @internal */
  close(end: number, input?: Uint8Array | Around): void {
    this.#end = end
    this.#input = input
  }

  #isNamed(test: NamePattern): boolean {
    return matchesName(test, this.#name, this.namespace)
  }
}

function isAround(input: unknown): input is Around {
  return Array.isArray(input)
}

function dataOf({ name, attributes }: XmlElement): XmlElementData {
  return { name, attributes: [...attributes], children: [] }
}

/** What a start tag has: the name of the element, and its attributes. */
type TagParts = readonly [name: string, attributes: Iterable<readonly [name: string, value: string]>]

/** An element with all that is in it; `partsOf` gives what its start tags have. Without recursion: elements may be nested to any depth. */
function writeElement(root: XmlElement, partsOf: (element: XmlElement) => TagParts): string {
  const pieces: string[] = []
  const rest: (XmlNode | string)[] = [root]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') pieces.push(next)
    else if (next.type === 'text') pieces.push(escapeText(next.text))
    else if (next.type === 'comment') pieces.push(writeComment(next.text))
    else if (next.type === 'instruction') pieces.push(writeInstruction(next.target, next.data))
    else {
      const { name, children } = next
      const [shown, attributes] = partsOf(next)
      pieces.push(`<${shown}${writeAttributes(attributes)}${children.length > 0 ? '>' : '/>'}`)
      if (children.length > 0) rest.push(`</${name}>`)
      for (let i = children.length - 1; i >= 0; i--) rest.push(children[i] as XmlNode)
    }
  }
  return join(pieces, 'markup', root)
}

function join(pieces: readonly string[], what: string, { name, start }: XmlElement): string {
  try {
    return pieces.reduce(concatText, '')
  } catch (error) {
    throw limitLength(error, `the ${what} of <${shorten(name)}>`, start)
  }
}

/** A name with its namespace: no name has a brace. */
function describeName({ name, namespace }: { readonly name: string; readonly namespace: string | undefined }): string {
  return namespace === undefined ? name : `{${escapeAttribute(namespace)}}${name}`
}
