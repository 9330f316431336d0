// What is done where an input is wrong.

import type { SkippedRecords } from '../../xml/readings/recovery.ts'
import { InputError } from '../errors/errors.ts'
import { describeError, explain } from '../errors/explain.ts'
import type { OnError } from '../options/dump-options.ts'
import { noteError } from '../terminal/outcome.ts'
import { tell } from '../terminal/terminal.ts'
import type { Asked, NoteError } from './question.ts'

/** What a reader is given as `onFault` or `onError`; undefined where errors are to be thrown. `note` is called for those that are skipped. */
export function makeFaultHandler(onError: OnError, note: NoteError): NoteError | undefined {
  if (onError === 'stop') return undefined
  return (error) => {
    if (onError !== 'skip-block' && error.name === 'CompressionError') throw error
    note(error)
  }
}

/** What counts errors after which reading continues, and says what they are. The first one is noted. */
export function noteFaults(
  input: string,
  report: Pick<Asked['report'], 'add'>,
  say: (text: string) => void = tell,
): NoteError {
  return (error) => {
    report.add({ faults: 1 })
    noteError(describeError(new InputError(input, error), explain(error)))
    say(`${input}: ${explain(error)?.message ?? error.message}; skipped`)
  }
}

/** Says what was left out of an input because of errors. */
export function tellSkipped(
  input: string,
  { records, bytes }: SkippedRecords = { errors: 0, records: 0, bytes: 0 },
): void {
  const [some, all] = [records, bytes].map((count) => count.toLocaleString('en'))
  if (bytes > 0) tell(`${input}: ${some} ${records === 1 ? 'record' : 'records'} and ${all} bytes were left out`)
}
