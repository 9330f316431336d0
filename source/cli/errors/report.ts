// What a person is told of an error, on standard error.

import { noteError } from '../terminal/outcome.ts'
import { tell, tellText } from '../terminal/terminal.ts'
import { ExitCode, type InputError } from './errors.ts'
import { describeError, explain } from './explain.ts'

/** Tells it, and gives the exit code. */
export function report(error: unknown): number {
  const explanation = explain(error)
  if (explanation?.code !== ExitCode.GOOD) noteError(describeError(error, explanation))
  if (!explanation) {
    tell('xylem: internal error; please report it with the following details')
    tellText(stacksOf(error))
    return ExitCode.INTERNAL
  }
  if (explanation.message !== '') tell(`xylem: ${explanation.message}`)
  for (const line of explanation.details?.split('\n') ?? []) tell(line)
  return explanation.code
}

/** Tells an error that a `ReportedError` follows. */
export function tellError(message: string, code: string): void {
  noteError({ message, code })
  tell(`xylem: ${message}`)
}

/** Says which command reads an input that was to be a dump and is other XML, instead of the command that was used. */
export async function tellOfOtherXml({ input }: InputError, command: string, signal: AbortSignal): Promise<void> {
  const { describeOtherXml } = await import('../inputs/other-xml.ts')
  tell(await describeOtherXml(input, command, signal))
}

/** The stack of an error, and of each of its causes. */
function stacksOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? String(error)
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stacksOf(error.cause)}`
}
