// Values from texts.

import { Fault } from '../xml/errors/fault.ts'
import { parseValue } from '../xml/projection/value.ts'

/** A whole number; undefined when there is none. Throws a `Fault` for anything else, with the place of what it belongs to. */
export function parseInteger(what: string, text: string | undefined, { start }: { start: number }): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const number = parseValue('integer', text)
  if (number !== undefined) return number as number
  throw new Fault(`${what} is not a whole number: ${JSON.stringify(text)}`, 'malformed-page', undefined, start)
}

/** The same where there must be one. */
export function requireInteger(what: string, text: string | undefined, place: { start: number }): number {
  const number = parseInteger(what, text, place)
  if (number === undefined) throw new Fault(`${what} is missing`, 'malformed-page', undefined, place.start)
  return number
}

/** A copy of an object without the properties that are undefined; the order stays. (To delete them would make a dictionary of it for V8.) */
export function dropUndefined<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  const result: Partial<T> = {}
  for (const key of Object.keys(object) as (keyof T)[]) {
    if (object[key] !== undefined) result[key] = object[key]
  }
  return result as T
}
