// Inputs of commands, by name.

import { InputError } from './errors.ts'

/** The same items; what is thrown on the way is an `InputError` that names the input. */
export async function* nameFaults<T>(input: string, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* items
  } catch (error) {
    throw new InputError(input, error)
  }
}
