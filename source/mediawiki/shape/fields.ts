// What shapes of dumps share, and values from texts.

import { UnplacedError } from '../../xml/errors/unplaced-error.ts'
import { parseValue } from '../../xml/projection/value.ts'

/** What a field says that is a whole number. `what` it is, for messages. */
export function wholeNumber(what: string) {
  const error = { code: 'malformed-page', invalid: `${what} is not a whole number`, missing: `${what} is missing` }
  return { as: 'integer', empty: 'absent', error } as const
}

/** A whole number; undefined when there is none. Throws an `UnplacedError` for anything else, with the place of what it belongs to. */
export function parseInteger(what: string, text: string | undefined, { start }: { start: number }): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const number = parseValue('integer', text)
  if (number !== undefined) return number as number
  throw new UnplacedError(`${what} is not a whole number: ${JSON.stringify(text)}`, 'malformed-page', undefined, start)
}
