// Text of the input that is longer than strings can be.

import { LimitError } from '../stream/errors.ts'
import { LONGEST_STRING, StringTooLong } from './units.ts'

/** For a string that would be too long a `LimitError` that says of what, at an offset in bytes; any other error as it is. */
export function limitLength(error: unknown, what: string, byteOffset: number): unknown {
  if (!(error instanceof StringTooLong)) return error
  const message = `${what} is longer than the longest possible string (${LONGEST_STRING} UTF-16 units)`
  return new LimitError(message, { code: 'length-limit', byteOffset, limit: LONGEST_STRING })
}
