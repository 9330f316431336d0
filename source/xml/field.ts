// What records hold: of each field the path that leads to its value, from the element that the record is made of.
//
//   title                    the text of the first child of this name        revision/text   of the first such child of a child
//   .                        the text of the element itself                  @id, text/@bytes   the value of an attribute
//   //title, .//title        the first at any depth                          @{urn:x}id         of a namespace
//   name(), */name()         the name of the element, or of a child of it    ['category']    all there are, in their order
//
// Steps are those of paths that select elements (path.ts).

import { describeValue, withCode } from '../stream/errors.ts'
import type { NameTest } from './name-test.ts'
import { Path, parseAttributeName, pathError } from './path.ts'

/** For each field, the path of its value, or an array with one path to get all values. */
export type XmlFields = Readonly<Record<string, string | readonly [path: string]>>

/** The fields of a record: the first value (undefined if there is none), or for an array with one path all values (possibly none). */
export type XmlRecord<Fields extends XmlFields> = {
  -readonly [Name in keyof Fields]: FieldValue<Fields[Name]>
}

/** The value of a field, by how the field is given: one string, or an array with all. */
export type FieldValue<Given> = Given extends string ? string | undefined : string[]

/** One field. */
export interface Field {
  readonly name: string
  /** Among the fields, from 0. */
  readonly number: number
  /** Whether all values are wanted. */
  readonly isList: boolean
  /** The elements that it selects; undefined for the one that the record is made of. */
  readonly path: Path | undefined
  /** What it takes of them. */
  readonly tells: 'text' | 'name' | 'attribute'
  /** The name of the attribute; undefined if it takes none. */
  readonly attribute: NameTest | undefined
}

/** A record that is being made, or is complete: its fields by their names. */
export type FieldValues = Record<string, string | string[] | undefined>

/** Puts in a value; of several, the one that so many stand before. */
export function putValue(values: FieldValues, { isList, name }: Field, slot: number, value: string): void {
  if (isList) (values[name] as string[])[slot] = value
  else values[name] = value
}

const NAME_OF = 'name()'
/** What a path takes of its elements, if not their text. */
const LAST = /(?<=^|\/)(?:@(?:\{[^{}]*\})?[^/[\]{}]*|name\(\))$/u

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid fields. */
export function parseFields(fields: XmlFields): Field[] {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw fieldsError(TypeError, `fields must be an object with a path for each field, not ${describeValue(fields)}`)
  }
  const entries = Object.entries(fields)
  if (entries.length === 0) throw fieldsError(TypeError, 'no fields given; use an object with a path for each field')
  return entries.map(([name, given], number) => parseField(name, number, given))
}

function parseField(name: string, number: number, given: string | readonly [path: string]): Field {
  if (name === '__proto__') throw fieldsError(RangeError, 'a field cannot be named __proto__')
  const isList = Array.isArray(given)
  const text: unknown = isList ? given[0] : given
  if (isList && given.length !== 1) {
    throw fieldsError(
      RangeError,
      `the field ${name} has an array of ${given.length} paths; use an array with one path to get all values`,
    )
  }
  if (typeof text !== 'string') throw fieldError(name, pathError(text, 'it is not a string'))
  if (/^\/(?!\/)/.test(text))
    throw fieldError(name, pathError(text, 'the path of a field starts at the element, without "/"'))
  if (text === '') throw fieldError(name, pathError(text, 'it is empty'))
  const [last = ''] = LAST.exec(text) ?? []
  try {
    const path = parseSteps(last === '' ? text : trimSteps(text.slice(0, -last.length)))
    if (last === '') return { name, number, isList, path, tells: 'text', attribute: undefined }
    if (last === NAME_OF) return { name, number, isList, path, tells: 'name', attribute: undefined }
    return { name, number, isList, path, tells: 'attribute', attribute: parseAttributeName(last.slice(1), text) }
  } catch (error) {
    throw fieldError(name, error as RangeError)
  }
}

/** The steps before `@id` or `name()`: `a` for `a/@id`. For `a//@id`, steps that match the same as `a/**`. */
function trimSteps(text: string): string {
  return text.endsWith('//') ? `${text}**` : text.replace(/\/$/, '')
}

/** A path from the element of the record; undefined for that element. */
function parseSteps(text: string): Path | undefined {
  return text === '' || text === '.' ? undefined : new Path(text, true)
}

function fieldError(name: string, { message }: RangeError): RangeError {
  return fieldsError(RangeError, `the field ${name}: ${message}`) as RangeError
}

function fieldsError(type: typeof TypeError | typeof RangeError, message: string): Error {
  return withCode(new type(message), 'invalid-option')
}
