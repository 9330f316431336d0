// The DTD that is read for those that documents name.

import { ParseError } from '../../text/parse-error.ts'
import { readExternalText } from '../../xml/doctype/external-text.ts'
import { UnplacedError } from '../../xml/errors/unplaced-error.ts'
import { InputError } from '../errors/errors.ts'
import { readSmallInput } from './read-inputs.ts'

/** The text of a DTD. Throws an `InputError`. */
export async function readDtd(file: string, signal: AbortSignal): Promise<string> {
  const { name, bytes } = await readSmallInput(file, signal)
  try {
    return readExternalText(bytes)?.text ?? ''
  } catch (error) {
    if (!(error instanceof UnplacedError)) throw error
    throw new InputError(name, new ParseError(error.message, { code: error.code, byteOffset: 0 }))
  }
}
