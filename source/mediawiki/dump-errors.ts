// Errors of a dump, in words for those who read dumps.

import { LimitError } from '../stream/errors.ts'
import { XmlError } from '../xml/errors/errors.ts'
import type { Collector } from './collectors.ts'

/** The same error; a `LimitError` with a message that names the element that is too large, and its page. */
export function nameTooLarge<Fault>(
  error: Fault,
  collector: Pick<Collector<object>, 'describeOpen'>,
): Fault | LimitError {
  if (!(error instanceof LimitError) || error.code !== 'retained-limit') return error
  const { child, page } = collector.describeOpen()
  if (child === undefined) return error
  const { limit } = error
  const where = page === undefined ? '' : ` of ${page}`
  const message = `<${child}>${where} is larger than the limit of ${limit} bytes (maxRetained)`
  return new LimitError(message, error)
}

/** Input that stops being XML before its root begins is most probably not a dump. */
export function explainNoDump({ detail, code, byteOffset, line, column, excerpt }: XmlError): XmlError {
  const message = `not a MediaWiki dump: ${detail}`
  return new XmlError(message, { code, byteOffset, line, column, excerpt })
}
