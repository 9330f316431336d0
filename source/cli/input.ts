// Inputs of commands, and the faults in them.

/** A fault in a named input; `cause` is the fault. */
export class InputError extends Error {
  readonly input: string

  constructor(input: string, cause: unknown) {
    super(`${input}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.input = input
  }
}

/** The same items; what is thrown on the way is an `InputError` that names the input. */
export async function* nameFaults<T>(input: string, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* items
  } catch (error) {
    throw new InputError(input, error)
  }
}
