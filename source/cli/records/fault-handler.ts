// What is done where an input is wrong.

import type { LimitError } from '../../stream/errors.ts'
import type { ParseError } from '../../text/parse-error.ts'
import type { SkippedRecords } from '../../xml/readings/recovery.ts'
import { describeError } from '../errors/error-data.ts'
import { InputError } from '../errors/errors.ts'
import { ExitCode, explain } from '../errors/exit-codes.ts'
import type { OnError } from '../options/dump-options.ts'
import { requireGood } from '../output/findings.ts'
import { noteError } from '../terminal/outcome.ts'
import { tell } from '../terminal/terminal.ts'

/** What a reader is given as `onFault` or `onError`; undefined where errors are to be thrown. `note` is called for those that are skipped. */
export function makeFaultHandler(
  onError: OnError,
  note: (error: ParseError | LimitError) => void,
): ((error: ParseError | LimitError) => void) | undefined {
  if (onError === 'stop') return undefined
  return (error) => {
    if (onError !== 'skip-block' && error.name === 'CompressionError') throw error
    note(error)
  }
}

/** The message for an error after which reading continues. The first one is noted. */
export function noteSkipped(input: string, error: Error): string {
  noteError(describeError(new InputError(input, error), explain(error)))
  return `${input}: ${explain(error)?.message ?? error.message}; skipped`
}

/** What is skipped of the inputs of a command. */
export class SkippedErrors {
  /** The name of the input that is being read. */
  input = ''
  readonly onFault: ReturnType<typeof makeFaultHandler>
  #count = 0

  constructor(onError: OnError = 'stop') {
    this.onFault = makeFaultHandler(onError, (error) => {
      this.#count++
      tell(noteSkipped(this.input, error))
    })
  }

  /** Says what was left out of the input. */
  report({ records, bytes }: SkippedRecords): void {
    const [some, all] = [records, bytes].map((count) => count.toLocaleString('en'))
    if (bytes > 0) tell(`${this.input}: ${some} ${records === 1 ? 'record' : 'records'} and ${all} bytes were left out`)
  }

  /** Throws a `ReportedError` if there were errors. */
  requireNone(): void {
    if (this.#count > 0) requireGood(ExitCode.FAULTS)
  }
}
