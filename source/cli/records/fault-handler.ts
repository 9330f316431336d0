// What is done where a dump is wrong.

import type { LimitError } from '../../stream/errors.ts'
import type { ParseError } from '../../text/parse-error.ts'
import { describeError } from '../errors/error-data.ts'
import { InputError } from '../errors/errors.ts'
import { explain } from '../errors/exit-codes.ts'
import type { OnError } from '../options/dump-options.ts'
import { noteError } from '../terminal/outcome.ts'

/** What a reader of dumps is given as `onFault`; undefined where errors are to be thrown. `tell` is called for those that are skipped. */
export function makeFaultHandler(
  onError: OnError,
  tell: (error: ParseError | LimitError) => void,
): ((error: ParseError | LimitError) => void) | undefined {
  if (onError === 'stop') return undefined
  return (error) => {
    if (onError === 'skip-page' && error.name === 'CompressionError') throw error
    tell(error)
  }
}

/** The message for an error after which reading continues. The first one is noted. */
export function noteSkipped(input: string, error: Error): string {
  noteError(describeError(new InputError(input, error), explain(error)))
  return `${input}: ${explain(error)?.message ?? error.message}; skipped`
}
