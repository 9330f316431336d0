// What a person is told of an error, on standard error.

import { tell, tellText } from '../terminal/terminal.ts'
import { ExitCode, explain } from './exit-codes.ts'

/** Tells it, and gives the exit code. */
export function report(error: unknown): number {
  const explanation = explain(error)
  if (!explanation) {
    tell('xylem: internal error; please report it with the following details')
    tellText(stacksOf(error))
    return ExitCode.INTERNAL
  }
  if (explanation.message !== '') tell(`xylem: ${explanation.message}`)
  for (const line of explanation.details?.split('\n') ?? []) tell(line)
  return explanation.code
}

/** The stack of an error, and of each of its causes. */
function stacksOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? String(error)
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stacksOf(error.cause)}`
}
