// Errors of a dump, in words for those who read dumps.

import { LimitError } from '../stream/errors.ts'
import { XmlError } from '../xml/errors/errors.ts'

/** The same error; a `LimitError` with a message that names the element that is too large, if that is known, and its page. */
export function nameTooLarge<Fault>(error: Fault, child: string | undefined, page: string): Fault | LimitError {
  if (!(error instanceof LimitError) || error.code !== 'retained-limit' || child === undefined) return error
  const { limit } = error
  return new LimitError(`<${child}> of ${page} is larger than the limit of ${limit} bytes (maxRetained)`, error)
}

/** Input that stops being XML before its root begins is most probably not a dump. */
export function explainNoDump({ detail, code, byteOffset, line, column, excerpt }: XmlError): XmlError {
  const message = `not a MediaWiki dump: ${detail}`
  return new XmlError(message, { code, byteOffset, line, column, excerpt })
}
