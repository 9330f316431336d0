// What a person is told of an error, on standard error.

import { inspect } from 'node:util'
import { ExitCode, explain } from './exit-codes.ts'
import { tell, tellText } from './terminal.ts'

/** Tells it, and gives the exit code. */
export function report(error: unknown): number {
  const explanation = explain(error)
  if (!explanation) {
    tell('xylem: internal error; please report it with the following details')
    tellText(inspect(error))
    return ExitCode.INTERNAL
  }
  if (explanation.message !== '') tell(`xylem: ${explanation.message}`)
  for (const line of explanation.details?.split('\n') ?? []) tell(line)
  return explanation.code
}
