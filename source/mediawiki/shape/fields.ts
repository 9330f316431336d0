// What shapes of dumps share.

import { INTERNAL } from '../../xml/question/shape.ts'

/** A mark of our own fields. It has the type of any object, because declarations cannot name the symbol. */
export const OURS: object = { [INTERNAL]: true }
/** What is wrong with a text that has elements in it. No version of the schema allows them. */
export const ELEMENTS = 'contains an element; in the texts of a dump, "<" is written as &lt;'
/** What a text says that has elements in it. */
export const MARKUP = { code: 'malformed-page', elements: ELEMENTS } as const
/** A text without elements. */
export const OWN = { ...OURS, own: true, error: MARKUP } as const
/** Of elements that come twice the last one counts, as it always has. */
export const LAST = { ...OURS, own: true, pick: 'last' } as const
export const LAST_TEXT = { ...LAST, error: MARKUP } as const

/** An id that is required since schema 0.7. `what` it is, for messages. */
export function id(what: string) {
  const { error, ...field } = wholeNumber(what)
  return { ...field, required: true, error: { ...error, since: '0.7' } } as const
}

/** What a field says that is a whole number. `what` it is, for messages. */
export function wholeNumber(what: string) {
  const error = { ...MARKUP, invalid: `${what} is not a whole number`, missing: `${what} is missing` }
  return { ...OURS, as: 'integer', empty: 'absent', error } as const
}
