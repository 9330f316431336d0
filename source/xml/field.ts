// What records hold: of each field the path that leads to its value, from the element that the record is made of.
//
//   title                    the text of the first child of this name        revision/text   of the first such child of a child
//   .                        the text of the element itself                  @id, text/@bytes   the value of an attribute
//   name(), */name()        the name of the element, or of a child of it    ['category']    all there are, in their order
//
// Steps are those of paths that select elements (path.ts).

import { describeValue, withCode } from '../stream/errors.ts'
import { isName } from './name-characters.ts'
import { Path, pathError } from './path.ts'

/** Of each field the path of its value, or an array with the path of all its values. */
export type XmlFields = Readonly<Record<string, string | readonly [path: string]>>

/** Its fields: of a path the first value, undefined where there is none; of an array with a path all of them, which may be none. */
export type XmlRecord<Fields extends XmlFields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends string ? string | undefined : string[]
}

/** One field. */
export interface Field {
  readonly name: string
  /** Among the fields, from 0. */
  readonly number: number
  /** Whether all values are wanted. */
  readonly isList: boolean
  /** The elements that it tells of; undefined for the one that the record is made of. */
  readonly path: Path | undefined
  /** What it tells of them. */
  readonly tells: 'text' | 'name' | 'attribute'
  /** The name of the attribute; empty where it tells of none. */
  readonly attribute: string
}

/** A record that is being made, or is whole: its fields by their names. */
export type FieldValues = Record<string, string | string[] | undefined>

/** Puts in a value; of several, the one that so many stand before. */
export function putValue(values: FieldValues, { isList, name }: Field, slot: number, value: string): void {
  if (isList) (values[name] as string[])[slot] = value
  else values[name] = value
}

const NAME_OF = 'name()'

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for what are no fields. */
export function parseFields(fields: XmlFields): Field[] {
  const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
  const entries = isObject ? Object.entries(fields as XmlFields) : []
  if (entries.length === 0) {
    const message = `fields are an object with a path for each of them, not ${describeValue(fields)}`
    throw withCode(new TypeError(message), 'invalid-option')
  }
  return entries.map(([name, path], number) => parseField(name, number, path))
}

function parseField(name: string, number: number, given: string | readonly [path: string]): Field {
  if (name === '__proto__') {
    throw withCode(new RangeError('an object can have no field of the name __proto__'), 'invalid-option')
  }
  const isList = Array.isArray(given)
  const text: unknown = isList && given.length === 1 ? given[0] : given
  if (typeof text !== 'string') throw pathError(text, 'it is no string')
  if (text.startsWith('/')) throw pathError(text, 'that of a field leads on from the element of the record')
  const last = /(?:^|\/)(?<last>@[^/[\]]*|name\(\))$/u.exec(text)
  const steps = last ? text.slice(0, last.index) : text
  const path = steps === '' || steps === '.' ? undefined : new Path(`/${steps}`)
  if (!last && steps === '') throw pathError(text, 'it is empty')
  const what = last?.groups?.last ?? ''
  if (what === '') return { name, number, isList, path, tells: 'text', attribute: '' }
  if (what === NAME_OF) return { name, number, isList, path, tells: 'name', attribute: '' }
  const attribute = what.slice(1)
  if (!isName(attribute)) throw pathError(text, `"${attribute}" is no name of an attribute`)
  return { name, number, isList, path, tells: 'attribute', attribute }
}
