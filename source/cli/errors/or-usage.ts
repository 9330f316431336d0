// Wrong use of the library is wrong use of a command.

import { UsageError } from './errors.ts'

/** What messages of the library say of its options, and what commands call these. */
const WORDS: readonly (readonly [string, string])[] = [
  ['is not in prefixes', 'is not given with --prefix'],
  ['use an array for several paths', 'use --path for each of several paths'],
]

/** What a function gives. Throws a `UsageError` for its errors about options; `file` is the file that they are about. */
export function orUsage<Result>(run: () => Result, file?: string): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    const message = WORDS.reduce((text, [from, to]) => text.replace(from, to), error.message)
    throw new UsageError(file === undefined ? message : `${file}: ${message}`)
  }
}
