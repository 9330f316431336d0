// Inputs of commands, by name.

import type { ByteSource } from '../stream/source.ts'
import { FileSource, StandardInput } from '../stream/sources/node.ts'
import { InputError } from './errors.ts'
import { tell } from './terminal.ts'

/** A file, or for `-` standard input; where that is a terminal, it is said what is waited for. */
export function openInput(file: string): ByteSource {
  if (file !== '-') return new FileSource(file)
  if (process.stdin.isTTY)
    tell('xylem: reading standard input from the terminal; end it with Ctrl-D, or give a file name')
  return new StandardInput()
}

/** The same items; what is thrown on the way is an `InputError` that names the input. */
export async function* nameFaults<T>(input: string, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* items
  } catch (error) {
    throw new InputError(input, error)
  }
}
