// The content of elements as plain objects.

import { withCode } from '../../stream/errors.ts'
import { isName } from '../../text/markup/xml-characters.ts'
import { concatText, limitLength } from '../../text/units.ts'
import type { XmlElement, XmlNode } from '../tree/element.ts'
import {
  ATTRIBUTE_PREFIX,
  type ObjectNames,
  TEXT_NAME,
  type XmlObject,
  type XmlObjectContent,
  type XmlObjectOptions,
  type XmlValue,
} from './xml-object.ts'

/** Says of elements whether they are in an array. Fields of records, which have no options, load none of the paths. */
export interface Lister {
  /** What is known around the element that is converted, and in an element, from what is known around it. */
  readonly start: readonly number[]
  enter(states: readonly number[], element: XmlElement): readonly number[]
  isMatch(states: readonly number[], element: XmlElement): boolean
}

const USUAL_NAMES: ObjectNames = { prefix: ATTRIBUTE_PREFIX, textName: TEXT_NAME }

/** What an element contains, as an object or a text. */
export function contentOf(element: XmlElement): XmlObjectContent {
  return new ObjectBuilder(USUAL_NAMES, new TextReader({}), undefined).contentOf(element) as XmlObjectContent
}

/** An element whose content is not complete. */
class OpenElement {
  readonly element: XmlElement
  readonly children: readonly XmlNode[]
  readonly object: Record<string, unknown> = {}
  readonly states: readonly number[] | undefined
  readonly isListed: boolean
  next = 0
  /** The text before the last tag, without what is between elements. */
  text = ''
  /** The text after it, which may prove to be white space between elements. */
  run = ''

  constructor(element: XmlElement, states: readonly number[] | undefined, isListed: boolean) {
    this.element = element
    this.children = element.children
    this.states = states
    this.isListed = isListed
  }
}

/** Makes objects of elements. Without recursion: elements may be nested to any depth. */
export class ObjectBuilder {
  readonly #names: ObjectNames
  /** Whether an element or an attribute may have the name of the text, or an element that of the property of an attribute. */
  readonly #mayMeet: boolean
  readonly #texts: TextReader
  readonly #lister: Lister | undefined
  /** By the names of attributes, those of their properties. */
  readonly #properties = new Map<string, string>()

  constructor(names: ObjectNames, texts: TextReader, lister: Lister | undefined) {
    this.#names = names
    this.#mayMeet = isName(names.textName) || (names.prefix !== '' && isName(names.prefix))
    this.#texts = texts
    this.#lister = lister
  }

  contentOf(root: XmlElement): XmlObjectContent<XmlValue> {
    const lister = this.#lister
    if (isLeaf(root)) return this.#leaf(root)
    const open: OpenElement[] = [this.#open(root, lister?.enter(lister.start, root), false)]
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
        place.run = joinTexts(place.run, node.text, place.element)
      } else if (node.type === 'element') {
        if (place.run !== '') this.#endRun(place)
        const states = lister?.enter(place.states ?? [], node)
        const isListed = lister?.isMatch(states ?? [], node) ?? false
        if (this.#mayMeet) this.#refuse(node.name, place.element, true)
        if (isLeaf(node)) put(place.object, node.name, this.#leaf(node), isListed)
        else open.push(this.#open(node, states, isListed))
      }
    }
  }

  #open(element: XmlElement, states: readonly number[] | undefined, isListed: boolean): OpenElement {
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

  #refuse(name: string, { name: around, attributes }: XmlElement, isElement = false): void {
    const { prefix, textName } = this.#names
    if (isElement && prefix !== '' && name.startsWith(prefix) && attributes.has(name.slice(prefix.length))) {
      const clash = `attributePrefix ${JSON.stringify(prefix)} gives an attribute of <${around}> the name of the element <${name}>: choose another`
      throw withCode(new RangeError(clash), 'invalid-option')
    }
    if (name !== textName) return
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

/** Sets a property of the object's own, whatever its name. An object has some names before it gets any: `constructor`, `toString`, `__proto__`. */
export function setOwn(object: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  } else (object as Record<string, unknown>)[name] = value
}

/** Adds a value that is no array: one of several with a name is in an array. `isListed`: also one that is alone. */
export function put(object: object, name: string, value: unknown, isListed: boolean): void {
  const record = object as Record<string, unknown>
  const known = record[name]
  // Names that all objects have are not undefined.
  if (known === undefined || !Object.hasOwn(object, name)) setOwn(object, name, isListed ? [value] : value)
  else if (Array.isArray(known)) known.push(value)
  else record[name] = [known, value]
}

/** Numbers have no longer texts: `-1.2345678901234568e-300`. */
const LONGEST_NUMBER = 25

export class TextReader {
  readonly #isTrimmed: boolean
  readonly #hasValues: boolean

  constructor({ trim = false, values = false }: XmlObjectOptions) {
    this.#isTrimmed = trim
    this.#hasValues = values
  }

  /** A text of an element. */
  read(text: string): XmlValue {
    return this.value(this.#isTrimmed ? trimBlanks(text) : text)
  }

  /** The value of an attribute. */
  value(text: string): XmlValue {
    return this.#hasValues ? parseValue(text) : text
  }
}

/** Without the white space of XML at both ends. */
function trimBlanks(text: string): string {
  return text.replace(/^[ \t\r\n]+/, '').replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '')
}

/** A number or a boolean, if `String` makes the same text of it. */
function parseValue(text: string): XmlValue {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text.length > LONGEST_NUMBER || !/^-?\d/.test(text)) return text
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}
