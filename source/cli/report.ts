// What a person is told of an error, on standard error.

import { ExitCode, explain } from './exit-codes.ts'

/** Tells it, and gives the exit code. */
export function report(error: unknown): number {
  const explanation = explain(error)
  if (!explanation) {
    console.error('xylem: a fault in xylem itself; please report it with what follows')
    console.error(error)
    return ExitCode.INTERNAL
  }
  if (explanation.message !== '') console.error(`xylem: ${explanation.message}`)
  if (explanation.details) console.error(explanation.details)
  return explanation.code
}
