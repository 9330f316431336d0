// What shapes of dumps share.

import { INTERNAL } from '../../xml/question/shape.ts'

/** What is wrong with a text that has elements in it. No version of the schema allows them. */
export const ELEMENTS = 'contains an element; in the texts of a dump, "<" is written as &lt;'
/** What a text says that has elements in it. */
export const MARKUP = { code: 'malformed-page', elements: ELEMENTS } as const
/** A text without elements. */
export const OWN = { [INTERNAL]: true, own: true, error: MARKUP } as const
/** Of elements that come twice the last one counts, as it always has. */
export const LAST = { [INTERNAL]: true, own: true, pick: 'last' } as const
export const LAST_TEXT = { ...LAST, error: MARKUP } as const

/** An id that is required since schema 0.7. `what` it is, for messages. */
export function id(what: string) {
  const { error, ...field } = wholeNumber(what)
  return { ...field, required: true, error: { ...error, since: '0.7' } } as const
}

/** What a field says that is a whole number. `what` it is, for messages. */
export function wholeNumber(what: string) {
  const error = { ...MARKUP, invalid: `${what} is not a whole number`, missing: `${what} is missing` }
  return { [INTERNAL]: true, as: 'integer', empty: 'absent', error } as const
}
