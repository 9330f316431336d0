// Reading on after errors in records: which records are left out, and where reading continues.

import { type LimitError, withCode } from '../../stream/errors.ts'
import { type ErrorPolicyFor, readErrorPolicy } from '../../stream/options.ts'
import type { XmlError } from '../errors/errors.ts'
import { RecordNames } from '../names/record-names.ts'
import type { Path } from '../question/path.ts'
import type { Projection } from '../question/projection.ts'

/** What to do at an error in a record: stop, or skip the record. A function is called with each error, and the record is skipped; to stop, it throws. */
export type ErrorPolicy = ErrorPolicyFor<XmlError | LimitError>

/** What was left out because of errors. */
export interface SkippedRecords {
  /** Errors after which reading has continued. */
  errors: number
  /** Records that had begun, and were left out. */
  records: number
  /** Bytes that no record has: from the start of the record with the error, or from the error, to the next record that is read. */
  bytes: number
}

/** What is done at errors in the records of one document. */
export class Recovery {
  /** The elements with which reading continues: the outermost ones of which something is read. */
  readonly paths: readonly Path[]
  readonly names: RecordNames
  readonly skipped: SkippedRecords = { errors: 0, records: 0, bytes: 0 }
  /** Whether reading is to stop, because who gets the errors has thrown. */
  isOver = false
  /** Says where in its file an error is. */
  locate: (error: XmlError | LimitError) => XmlError | LimitError = (error) => error
  readonly #onError: (error: XmlError | LimitError) => void

  constructor(paths: readonly Path[], names: RecordNames, onError: (error: XmlError | LimitError) => void) {
    this.paths = paths
    this.names = names
    this.#onError = onError
  }

  /** Reports an error. */
  report(error: XmlError | LimitError): void {
    this.isOver = true
    this.#onError(this.locate(error))
    this.isOver = false
    this.skipped.errors++
  }

  /** Counts what was left out. */
  skip(bytes: number, records: number): void {
    this.skipped.bytes += bytes
    this.skipped.records += records
  }
}

/** Whether reading continues after errors. */
export function recovers(onError: ErrorPolicy = 'stop'): boolean {
  return onError !== 'stop'
}

/** Undefined where reading stops at errors. `named`: the elements with which it continues. Throws a `TypeError` or a `RangeError` with the code `invalid-option`. */
export function recoveryOf(
  { anchors }: Projection,
  onError: ErrorPolicy = 'stop',
  named = anchors,
): Recovery | undefined {
  const report = readErrorPolicy(onError)
  if (!report) return undefined
  const names = named && RecordNames.of(named)
  if (anchors && names) return new Recovery(anchors, names, report)
  const message =
    'onError: after an error, reading continues at the next element with a name; for that, a path must end with a name and have no conditions before it, and only one field may have outer'
  throw withCode(new RangeError(message), 'invalid-option')
}
