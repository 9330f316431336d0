// What shapes of dumps share.

/** Of elements that come twice the last one counts, as it always has. */
export const LAST = { own: true, pick: 'last' } as const

/** What a field says that is a whole number. `what` it is, for messages. */
export function wholeNumber(what: string) {
  const error = { code: 'malformed-page', invalid: `${what} is not a whole number`, missing: `${what} is missing` }
  return { as: 'integer', empty: 'absent', error } as const
}
