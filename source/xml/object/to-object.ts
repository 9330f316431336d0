// Elements as plain objects.

import { withCode } from '../../stream/errors.ts'
import { limitLength } from '../../text/length-limit.ts'
import { concatText } from '../../text/units.ts'
import type { XmlDocument } from '../tree/document.ts'
import type { XmlElement, XmlNode } from '../tree/element.ts'
import { mayMeet, type ObjectNames, readNames, USUAL_NAMES } from './options.ts'
import { type PathStates, TreePaths } from './paths.ts'
import { put, setOwn } from './put.ts'
import { TextReader } from './texts.ts'
import { toOrdered } from './to-ordered.ts'
import type { XmlObject, XmlObjectContent, XmlObjectOf, XmlObjectOptions, XmlValue } from './xml-object.ts'

/**
 * An element as a plain object, `{ name: content }`; for a document, its root. Comments and processing instructions are left out, and so is white space
 * between elements; with `ordered`, everything is kept, and the result is a {@link XmlOrderedObject}. Works at any depth.
 *
 * Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, and a `RangeError` with this code if `textName` is also the
 * name of an element or of an attribute where both would be in one object.
 */
export function toObject<const Options extends XmlObjectOptions = Record<never, never>>(
  source: XmlElement | XmlDocument,
  options?: Options,
): XmlObjectOf<Options>
export function toObject(source: XmlElement | XmlDocument, options: XmlObjectOptions = {}): unknown {
  const element = 'root' in source ? source.root : source
  const names = readNames(options)
  const texts = new TextReader(options)
  if (options.ordered) return toOrdered(element, texts)
  const object = {}
  setOwn(object, element.name, new ObjectBuilder(names, texts, listerOf(options.arrays)).contentOf(element))
  return object
}

/** What an element contains, as an object or a text. */
export function contentOf(element: XmlElement): XmlObjectContent {
  return new ObjectBuilder(USUAL_NAMES, new TextReader({}), undefined).contentOf(element) as XmlObjectContent
}

/** Says of elements whether they are in an array. */
type Lister = { readonly paths: TreePaths } | { readonly test: (element: XmlElement) => unknown }

function listerOf(arrays: XmlObjectOptions['arrays']): Lister | undefined {
  if (arrays === undefined) return undefined
  return typeof arrays === 'function' ? { test: arrays } : { paths: new TreePaths(arrays) }
}

/** An element whose content is not complete. */
class OpenElement {
  readonly element: XmlElement
  readonly children: readonly XmlNode[]
  readonly object: Record<string, unknown> = {}
  readonly states: PathStates | undefined
  readonly isListed: boolean
  next = 0
  /** The text so far, and that after the last tag. */
  text = ''
  run = ''

  constructor(element: XmlElement, states: PathStates | undefined, isListed: boolean) {
    this.element = element
    this.children = element.children
    this.states = states
    this.isListed = isListed
  }
}

class ObjectBuilder {
  readonly #names: ObjectNames
  readonly #mayMeet: boolean
  readonly #texts: TextReader
  readonly #lister: Lister | undefined
  /** By the names of attributes, those of their properties. */
  readonly #properties = new Map<string, string>()

  constructor(names: ObjectNames, texts: TextReader, lister: Lister | undefined) {
    this.#names = names
    this.#mayMeet = mayMeet(names)
    this.#texts = texts
    this.#lister = lister
  }

  contentOf(root: XmlElement): XmlObjectContent<XmlValue> {
    const lister = this.#lister
    const paths = lister && 'paths' in lister ? lister.paths : undefined
    if (isLeaf(root)) return this.#leaf(root)
    const open: OpenElement[] = [this.#open(root, paths?.enter(paths.start, root), false)]
    for (;;) {
      const place = open.at(-1) as OpenElement
      const node = place.children[place.next++]
      if (!node) {
        this.#endRun(place)
        open.pop()
        const around = open.at(-1)
        if (!around) return place.object as XmlObject<XmlValue>
        put(around.object, place.element.name, place.object, place.isListed)
      } else if (node.type === 'text') {
        place.run = place.run === '' ? node.text : concatText(place.run, node.text)
      } else if (node.type === 'element') {
        if (place.run !== '') this.#endRun(place)
        const states = paths?.enter(place.states as PathStates, node)
        const isListed = lister !== undefined && this.#isListed(lister, node, states)
        if (this.#mayMeet) this.#refuse(node.name, place.element)
        if (isLeaf(node)) put(place.object, node.name, this.#leaf(node), isListed)
        else open.push(this.#open(node, states, isListed))
      }
    }
  }

  #isListed(lister: Lister, element: XmlElement, states: PathStates | undefined): boolean {
    return 'paths' in lister ? lister.paths.isMatch(states as PathStates, element) : Boolean(lister.test(element))
  }

  #open(element: XmlElement, states: PathStates | undefined, isListed: boolean): OpenElement {
    const place = new OpenElement(element, states, isListed)
    this.#addAttributes(place.object, element)
    return place
  }

  /** What an element without elements contains. */
  #leaf(element: XmlElement): XmlObjectContent<XmlValue> {
    const { attributes } = element
    const text = this.#texts.read(textOf(element))
    if (attributes.size === 0) return text
    const object = {}
    this.#addAttributes(object, element)
    if (text !== '') setOwn(object, this.#names.textName, text)
    return object
  }

  #addAttributes(object: object, element: XmlElement): void {
    const { attributes } = element
    if (attributes.size === 0) return
    for (const [name, value] of attributes) {
      let property = this.#properties.get(name)
      if (property === undefined) {
        property = this.#names.prefix + name
        this.#properties.set(name, property)
      }
      if (this.#mayMeet) this.#refuse(property, element)
      setOwn(object, property, this.#texts.value(value))
    }
  }

  /** A tag ends a text. White space alone is between elements. */
  #endRun(place: OpenElement): void {
    const { run } = place
    place.run = ''
    if (isBlank(run)) return
    place.text = joinTexts(place.text, run, place.element)
    setOwn(place.object, this.#names.textName, this.#texts.read(place.text))
  }

  #refuse(name: string, { name: around }: XmlElement): void {
    if (name !== this.#names.textName) return
    const message = `textName ${JSON.stringify(name)} is also the name of an element or an attribute in <${around}>: choose another`
    throw withCode(new RangeError(message), 'invalid-option')
  }
}

function isLeaf({ children }: XmlElement): boolean {
  for (let i = 0; i < children.length; i++) if ((children[i] as XmlNode).type === 'element') return false
  return true
}

function textOf(element: XmlElement): string {
  const { children } = element
  const [first] = children
  if (!first) return ''
  if (children.length === 1 && first.type === 'text') return first.text
  return element.ownText
}

function joinTexts(one: string, other: string, { name, start }: XmlElement): string {
  try {
    return one === '' ? other : concatText(one, other)
  } catch (error) {
    throw limitLength(error, `the text of <${name}>`, start)
  }
}

const SPACE = 32

function isBlank(text: string): boolean {
  return text === '' || (text.charCodeAt(0) <= SPACE && !/[^ \t\r\n]/.test(text))
}
