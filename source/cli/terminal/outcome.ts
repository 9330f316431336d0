// What a run has written and reported so far. There is one at a time, like the standard output that it belongs to.

/** An error as data. What is not known of it is absent. */
export interface ErrorData {
  /** The message for people, in one line. */
  readonly message: string
  /** Stable name of what is wrong. */
  readonly code: string
  /** The input, or the output, that it is about. */
  readonly file?: string
  readonly byteOffset?: number
  /** From 1; columns in UTF-16 units. */
  readonly line?: number
  readonly column?: number
}

export interface Outcome {
  /** Bytes that were written to standard output. */
  bytes: number
  /** Records of an output that is complete; absent for any other. */
  rows?: number
  /** The sealed trailer of a range that was read completely. */
  range?: object
  /** The first error that was reported. */
  error?: ErrorData
}

const outcomes = new WeakMap<object, Outcome>()

/** The outcome of the run that writes to this standard output. */
export function outcome(): Outcome {
  const known = outcomes.get(process.stdout)
  if (known) return known
  const begun: Outcome = { bytes: 0 }
  outcomes.set(process.stdout, begun)
  return begun
}

/** Notes an error, unless one was noted before. */
export function noteError(error: ErrorData): void {
  outcome().error ??= error
}

/** Prints a text on standard output, and counts its bytes. Nobody waits until it is passed on. */
export function print(text: string): void {
  outcome().bytes += Buffer.byteLength(text)
  process.stdout.write(text)
}
