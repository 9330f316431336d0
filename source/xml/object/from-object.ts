// Plain objects as elements.

import { describeValue, withCode } from '../../stream/errors.ts'
import { isName } from '../../text/markup/xml-characters.ts'
import type { XmlElementData } from '../tree/element.ts'
import { type ObjectNames, readNames, type XmlObjectOptions } from './xml-object.ts'

/** What is to become an element, and where it stands. */
interface Place {
  readonly value: unknown
  readonly data: XmlElementData
  /** The end of its place in messages, as in `children[0]`; what comes before it is that of the element around it. */
  readonly key: string
  readonly around: Place | undefined
}

/**
 * An element as data, as `XmlElement.toJSON` gives it, from an object as `toObject` gives it; the writer takes it. Options are those with which the object was
 * made. With `ordered`, the result is what `toJSON` of the element gives. Without it, comments, processing instructions and white space between elements are
 * missing, the text of an element is in one piece, and elements of one name stand together.
 *
 * Numbers, booleans, bigints and dates become texts, and null an empty element. What is undefined is left out, and so is an attribute that is null.
 *
 * Throws a `TypeError` or a `RangeError` with the code `invalid-object`, which says where, for anything that is not such an object: several roots, an array in an array,
 * an object in itself, a name that is not an XML name. Prefixes and the characters of texts are checked by the writer. Throws like `toObject` for invalid
 * options.
 */
export function fromObject(object: unknown, options: XmlObjectOptions = {}): XmlElementData {
  const names = readNames(options)
  const first = options.ordered ? orderedPlace(object, undefined, '') : rootPlace(object)
  const add = options.ordered ? addOrdered : (place: Place) => addNamed(place, names)
  const rest: (Place | { readonly ended: object })[] = [first]
  /** The objects around the next one. */
  const open = new Set<object>()
  for (let next = rest.pop(); next; next = rest.pop()) {
    if ('ended' in next) {
      open.delete(next.ended)
      continue
    }
    const { value } = next
    if (typeof value === 'object' && value !== null) {
      if (open.has(value)) throw invalid(next, '', 'the object is in itself', RangeError)
      open.add(value)
      rest.push({ ended: value })
    }
    for (const inner of add(next).reverse()) rest.push(inner)
  }
  return first.data
}

function rootPlace(object: unknown): Place {
  const outside: Place = { value: object, data: emptyElement(''), key: '', around: undefined }
  if (!isPlain(object))
    throw invalid(outside, '', `expected an object with the root element, not ${describeValue(object)}`)
  const [name, ...others] = Object.keys(object).filter((key) => object[key] !== undefined)
  if (name === undefined || others.length > 0) {
    const found = name === undefined ? 'none' : [name, ...others].map((one) => JSON.stringify(one)).join(', ')
    throw invalid(outside, '', `expected one root element, not ${shorten(found)}`, RangeError)
  }
  if (Array.isArray(object[name])) throw invalid(outside, name, 'the root element must not be an array')
  return elementPlace(name, object[name], outside, name)
}

function elementPlace(name: string, value: unknown, around: Place, key: string): Place {
  if (!isName(name)) throw invalid(around, key, `${JSON.stringify(shorten(name))} is not a name of XML`, RangeError)
  return { value, data: emptyElement(name), key, around }
}

/** Adds attributes, texts and elements to the element of an object. Returns the elements. */
function addNamed(place: Place, { prefix, textName }: ObjectNames): Place[] {
  const { value, data } = place
  const inner: Place[] = []
  if (!isPlain(value)) {
    addText(data, textOf(value, place, ''))
    return inner
  }
  for (const [key, one] of Object.entries(value)) {
    if (key === textName) addText(data, textOf(one, place, key))
    else if (prefix !== '' && key.startsWith(prefix)) addAttribute(place, key.slice(prefix.length), one, key)
    else {
      for (const [i, each] of (Array.isArray(one) ? one : [one]).entries()) {
        const itsKey = Array.isArray(one) ? `${key}[${i}]` : key
        if (each === undefined) continue
        if (Array.isArray(each)) throw invalid(place, itsKey, 'an array in an array')
        const element = elementPlace(key, each, place, itsKey)
        data.children.push(element.data)
        inner.push(element)
      }
    }
  }
  return inner
}

/** An ordered object is an element, a comment or an instruction by the one of these properties that it has. It may have the others in its list. */
const KINDS = { name: ['attributes', 'children'], comment: [], target: ['data'] } as const

function orderedPlace(value: unknown, around: Place | undefined, key: string): Place {
  const place = { value, data: emptyElement(''), key, around }
  if (!isPlain(value)) throw invalid(place, '', `expected { name, attributes, children }, not ${describeValue(value)}`)
  requireProperties(value, 'name', place)
  const { name } = value
  if (typeof name !== 'string') throw invalid(place, '', `name must be a string, not ${describeValue(name)}`)
  if (!isName(name)) throw invalid(place, '', `${JSON.stringify(shorten(name))} is not a name of XML`, RangeError)
  place.data.name = name
  return place
}

/** Adds attributes and content to the element of an ordered object. Returns the elements. */
function addOrdered(place: Place): Place[] {
  const { attributes = {}, children = [] } = place.value as Record<string, unknown>
  if (!isPlain(attributes)) throw invalid(place, 'attributes', `expected an object, not ${describeValue(attributes)}`)
  if (!Array.isArray(children)) throw invalid(place, 'children', `expected an array, not ${describeValue(children)}`)
  for (const [name, value] of Object.entries(attributes)) addAttribute(place, name, value, `attributes.${name}`)
  const inner: Place[] = []
  for (const [i, child] of children.entries()) {
    const key = `children[${i}]`
    if (!isPlain(child)) addText(place.data, textOf(child, place, key))
    else if ('comment' in child || 'target' in child) place.data.children.push(nodeOf(child, place, key))
    else {
      const element = orderedPlace(child, place, key)
      place.data.children.push(element.data)
      inner.push(element)
    }
  }
  return inner
}

function nodeOf(
  node: Readonly<Record<string, unknown>>,
  around: Place,
  key: string,
): XmlElementData['children'][number] {
  const place = { value: node, data: around.data, key, around }
  const isComment = 'comment' in node
  requireProperties(node, isComment ? 'comment' : 'target', place)
  const { comment, target, data = '' } = node
  for (const text of isComment ? [comment] : [target, data]) {
    if (typeof text !== 'string') throw invalid(place, '', `expected a string, not ${describeValue(text)}`)
  }
  return isComment
    ? { type: 'comment', text: comment as string }
    : { type: 'instruction', target: target as string, data: data as string }
}

function requireProperties(value: object, kind: keyof typeof KINDS, place: Place): void {
  const known: readonly string[] = [kind, ...KINDS[kind]]
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw invalid(place, '', `unknown property ${JSON.stringify(shorten(unknown))}: expected ${known.join(', ')}`)
}

function addAttribute(place: Place, name: string, value: unknown, key: string): void {
  if (value === undefined || value === null) return
  if (!isName(name)) throw invalid(place, key, `${JSON.stringify(shorten(name))} is not a name of XML`, RangeError)
  place.data.attributes.push([name, textOf(value, place, key)])
}

function addText({ children }: XmlElementData, text: string): void {
  if (text !== '') children.push({ type: 'text', text })
}

function emptyElement(name: string): XmlElementData {
  return { name, attributes: [], children: [] }
}

/** The text of a value that is not an object. */
function textOf(value: unknown, place: Place, key: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (['number', 'boolean', 'bigint'].includes(typeof value)) return String(value)
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  throw invalid(place, key, `expected a text, not ${describeValue(value)}`)
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  // That of another realm has none above it, either.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const MOST_SHOWN = 80

function shorten(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** The error for what is no object of this form. Of a place that is deep, its last keys are shown. */
function invalid(
  place: Place,
  key: string,
  message: string,
  type: typeof TypeError | typeof RangeError = TypeError,
): Error {
  const keys = key === '' ? [] : [key]
  let around: Place | undefined = place
  for (; around && keys.length < 10; around = around.around) if (around.key !== '') keys.unshift(around.key)
  const path = `${around ? '… ' : ''}${keys.map(shorten).join('.')}`
  return withCode(new type(`invalid object${path && ` at ${path}`}: ${message}`), 'invalid-object')
}
