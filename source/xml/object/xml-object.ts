// What elements are as plain objects, and the options for that.
//
//   <feed xml:lang="en">                    { feed: {
//     <title>News</title>                       '@xml:lang': 'en',
//     <entry id="1">One</entry>                 title: 'News',
//     <entry id="2">Two</entry>                 entry: [{ '@id': '1', '#text': 'One' }, { '@id': '2', '#text': 'Two' }],
//     <done/>                                   done: '',
//   </feed>                                 } }

import { withCode } from '../../stream/errors.ts'
import { type OptionKinds, requireOptions } from '../../stream/options.ts'
import type { XmlElement } from '../tree/element.ts'

/** A text or a value; without the option `values`, always a string. */
export type XmlValue = string | number | boolean

/** What an element contains: its text alone, or an object where it has attributes or elements. */
export type XmlObjectContent<Value extends XmlValue = string> = Value | XmlObject<Value>

/**
 * Names and what they stand for: the attributes of an element (`@id`), its text (`#text`), and its elements, in the order of the document. Several elements of
 * one name are an array. It is an ordinary object, in which any name is a property of its own, `__proto__` as well.
 */
export interface XmlObject<Value extends XmlValue = string> {
  [name: string]: XmlObjectContent<Value> | XmlObjectContent<Value>[]
}

/** An element with its content in order (`ordered`). An attribute named `__proto__` is a property of its own. */
export interface XmlOrderedObject<Value extends XmlValue = string> {
  name: string
  attributes: Record<string, Value>
  children: XmlOrderedNode<Value>[]
}

/** What is in an element: a text, an element (it has a `name`), a comment (it has a `comment`) or a processing instruction (it has a `target`). */
export type XmlOrderedNode<Value extends XmlValue = string> =
  | Value
  | XmlOrderedObject<Value>
  | { comment: string }
  | { target: string; data: string }

/** Options for `toObject` and `fromObject`. */
export interface XmlObjectOptions {
  /** Stands before the names of attributes (default: `@`). If it may begin a name, elements may be named like attributes: both are then in one array. */
  readonly attributePrefix?: string | undefined
  /** The name of the text of an element with attributes or elements (default: `#text`). An element or attribute that is named like it is an error. */
  readonly textName?: string | undefined
  /**
   * Elements that are in an array, also if they are alone: paths as for `select`, or a function. A name matches at any depth, `a/b` an element `b` in an element `a`;
   * `/feed/entry` begins with the element that is converted. `*` matches all. The element that is converted itself is in no array.
   */
  readonly arrays?: string | readonly string[] | ((element: XmlElement) => unknown) | undefined
  /** Whether white space around texts is left out (default: false). Attributes keep theirs. */
  readonly trim?: boolean | undefined
  /**
   * Whether texts and the values of attributes become numbers and booleans where `String` gives the same text for them (default: false): `1.5` and `true`, but not `1.50`,
   * `007`, `1e3` or `NaN`.
   */
  readonly values?: boolean | undefined
  /** Whether the content of elements keeps its order, with comments and processing instructions (default: false): see {@link XmlOrderedObject}. */
  readonly ordered?: boolean | undefined
}

/** What `toObject` gives with options. */
export type XmlObjectOf<Options> = [Given<Options, 'ordered'>] extends [true]
  ? XmlOrderedObject<ValueOf<Options>>
  : [Given<Options, 'ordered'>] extends [false | undefined]
    ? XmlObject<ValueOf<Options>>
    : XmlObject<ValueOf<Options>> | XmlOrderedObject<ValueOf<Options>>

type ValueOf<Options> = [Given<Options, 'values'>] extends [false | undefined] ? string : XmlValue

/** What an option is; undefined where it is not given. */
type Given<Options, Name> = Name extends keyof Options ? Options[Name] : undefined

export const ATTRIBUTE_PREFIX = '@'
export const TEXT_NAME = '#text'

/** How attributes and texts are named. */
export interface ObjectNames {
  readonly prefix: string
  readonly textName: string
}

const OPTIONS: OptionKinds<XmlObjectOptions> = {
  attributePrefix: 'string',
  textName: 'string',
  arrays: 'any',
  trim: 'boolean',
  values: 'boolean',
  ordered: 'boolean',
}

/**
 * Throws a `TypeError` or a `RangeError` with the code `invalid-option` for options that do not exist, are of the wrong kind, or do not go together.
 */
export function readNames(options: XmlObjectOptions): ObjectNames {
  requireOptions(options, OPTIONS)
  const { attributePrefix, textName, arrays, ordered } = options
  const isNamed = attributePrefix !== undefined || textName !== undefined || arrays !== undefined
  if (ordered && isNamed)
    throw invalid(TypeError, 'attributePrefix, textName and arrays cannot be used together with ordered')
  if (textName === '') throw invalid(RangeError, 'textName must not be empty')
  const names = { prefix: attributePrefix ?? ATTRIBUTE_PREFIX, textName: textName ?? TEXT_NAME }
  if (names.prefix !== '' && names.textName.startsWith(names.prefix)) {
    throw invalid(RangeError, `textName ${JSON.stringify(names.textName)} must not begin with attributePrefix`)
  }
  return names
}

function invalid(type: typeof TypeError | typeof RangeError, message: string): Error {
  return withCode(new type(message), 'invalid-option')
}
