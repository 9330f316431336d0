// Elements as trees: whole documents that are small, and parts of those that are not.

import { INSPECT, type InspectArguments, show } from '../text/inspection.ts'
import { limitLength } from '../text/length-limit.ts'
import { concatText } from '../text/units.ts'
import { XmlAttributes } from './attributes.ts'
import { shorten } from './fault.ts'
import type { Name } from './names.ts'
import type { RecordedContent, Recording } from './recorded-content.ts'

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

/** What stands in an element. */
export type XmlNode = XmlElement | XmlText | XmlComment | XmlInstruction

/** An element as plain data. */
export interface XmlElementData {
  name: string
  attributes: [name: string, value: string][]
  children: (XmlElementData | XmlText | XmlComment | XmlInstruction)[]
}

/** What is known of an element when it begins. */
export interface ElementHead {
  readonly name: Name
  readonly namespace: string | undefined
  readonly start: number
  /** Undefined where the records of its content have its tag. */
  readonly attributes?: XmlAttributes
}

/**
 * An element with all that is in it. It may be kept: it holds its own part of the input, which small elements share (at most 16 KiB), and the
 * names of its document. Children and texts are made when they are asked for.
 */
export class XmlElement {
  readonly type = 'element'
  /** Where its start tag begins: an offset in bytes of the input, from 0. Of what an entity brings, where the reference does. */
  readonly start: number
  /** The namespace; undefined when it is in none, or namespaces are off. */
  readonly namespace: string | undefined
  readonly #name: Name
  #attributes: XmlAttributes | undefined
  /** The children, or what they can be made of, and attributes too. */
  #own: XmlNode[] | undefined
  #recorded: RecordedContent | undefined
  #end = 0
  /** Its input, or what it shares with other elements. */
  #input: Uint8Array | Recording | undefined

  /** @internal */
  constructor({ name, namespace, start, attributes }: ElementHead) {
    this.#name = name
    this.namespace = namespace
    this.start = start
    this.#attributes = attributes
  }

  /**
   * One whose content was recorded.
   *
   * @internal
   */
  static recorded(head: ElementHead, end: number, content: RecordedContent, input?: Recording): XmlElement {
    const element = new XmlElement(head)
    element.#recorded = content
    element.close(end, input)
    return element
  }

  /** The name as it is written. */
  get name(): string {
    return this.#name.raw
  }

  /** What stands before the colon of its name; empty when there is none. */
  get prefix(): string {
    return this.#name.prefix
  }

  /** The name without its prefix. */
  get localName(): string {
    return this.#name.localName
  }

  get attributes(): XmlAttributes {
    this.#attributes ??= this.#recorded?.attributes ?? XmlAttributes.NONE
    return this.#attributes
  }

  /** Where its end tag ends: an offset in bytes of the input. */
  get end(): number {
    return this.#end
  }

  /** The input that it was read from, in UTF-8: a new copy each time. Only of elements that were selected; undefined for what is in them, and in documents. */
  get bytes(): Uint8Array | undefined {
    const input = this.#input
    return input === undefined || input instanceof Uint8Array ? input?.slice() : input.slice(this.start, this.#end)
  }

  /** Elements, text, comments and processing instructions in their order. No two texts stand side by side. */
  get children(): readonly XmlNode[] {
    return this.#children
  }

  /** The elements among its children, in their order; none: an empty array. */
  get childElements(): readonly XmlElement[] {
    return this.#recorded ? this.#recorded.elements : this.#children.filter((node) => node.type === 'element')
  }

  /** The value of an attribute; undefined when there is none of the name. */
  attribute(name: string): string | undefined {
    return this.attributes.get(name)
  }

  /** The first child element of a name; undefined when there is none. */
  child(name: string): XmlElement | undefined {
    if (this.#recorded) return this.#recorded.child(name)
    return this.#children.find((node): node is XmlElement => node.type === 'element' && node.name === name)
  }

  /** All child elements of a name; none: an empty array. */
  childrenNamed(name: string): XmlElement[] {
    if (this.#recorded) return this.#recorded.childrenNamed(name)
    return this.#children.filter((node): node is XmlElement => node.type === 'element' && node.name === name)
  }

  /** The text of the first child element of a name; undefined when there is none. */
  childText(name: string): string | undefined {
    return this.#recorded ? this.#recorded.childText(name) : this.child(name)?.text
  }

  /** All text in it, at any depth, in its order; none: an empty string. Throws a `LimitError` where that is too long for a string. */
  get text(): string {
    if (this.#recorded) return this.#recorded.text
    const texts: string[] = []
    // Without recursion: elements may be nested to any depth.
    const rest: XmlNode[] = this.#children.toReversed()
    for (let node = rest.pop(); node; node = rest.pop()) {
      if (node.type === 'text') texts.push(node.text)
      else if (node.type === 'element') for (const child of node.#children.toReversed()) rest.push(child)
    }
    return this.#join(texts)
  }

  /** Text in it that is in no element in it; none: an empty string. Throws like `text`. */
  get ownText(): string {
    if (this.#recorded) return this.#recorded.ownText
    return this.#join(this.#children.map((node) => (node.type === 'text' ? node.text : '')))
  }

  #join(texts: readonly string[]): string {
    try {
      return texts.reduce(concatText, '')
    } catch (error) {
      throw limitLength(error, `the text of <${shorten(this.name)}>`, this.start)
    }
  }

  /** The element as plain data. Attributes are pairs: their names may be those of what objects have anyway. */
  toJSON(): XmlElementData {
    const root = dataOf(this)
    const rest: [XmlElement, XmlElementData][] = [[this, root]]
    for (let next = rest.pop(); next; next = rest.pop()) {
      const [element, data] = next
      for (const child of element.#children) {
        const childData = child.type === 'element' ? dataOf(child) : child
        data.children.push(childData)
        if (child.type === 'element') rest.push([child, childData as XmlElementData])
      }
    }
    return root
  }

  /** @internal */
  [INSPECT](...how: InspectArguments): string {
    const { name, namespace, attributes, children, start, end } = this
    return show('XmlElement', name, { name, namespace, attributes, children, start, end }, how)
  }

  /** @internal */
  append(node: XmlNode): void {
    this.#children.push(node)
  }

  /** @internal */
  close(end: number, input?: Uint8Array | Recording): void {
    this.#end = end
    this.#input = input
  }

  get #children(): XmlNode[] {
    this.#own ??= this.#recorded?.nodes ?? []
    return this.#own
  }
}

function dataOf({ name, attributes }: XmlElement): XmlElementData {
  return { name, attributes: [...attributes], children: [] }
}
