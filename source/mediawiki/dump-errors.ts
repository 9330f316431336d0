// Errors of a dump, in words for those who read dumps.

import { LimitError } from '../stream/errors.ts'
import type { Position } from '../text/line-counter.ts'
import { XmlError } from '../xml/errors/errors.ts'
import type { Collector } from './collectors.ts'

/** A `LimitError` whose message names the element that is too large, and its page. */
export function nameTooLarge(
  error: LimitError,
  { child, page }: ReturnType<Collector<object>['describeOpen']>,
): LimitError {
  if (child === undefined) return error
  const { limit } = error
  const where = page === undefined ? '' : ` of ${page}`
  const message = `<${child}>${where} is larger than the limit of ${limit} bytes (maxRetained)`
  return new LimitError(message, error)
}

/** The error for what follows the end of a dump. */
export function makeTrailing(position: Position): XmlError {
  return new XmlError('unexpected data after the end of the dump', { code: 'unexpected-input', ...position })
}

/** The error for pages that end where a part of the dump is missing. */
export function makeMissing(position: Position): XmlError {
  return new XmlError('the dump continues after a part that is missing', { code: 'unexpected-end', ...position })
}

/** Input that stops being XML before its root begins is most probably not a dump. */
export function explainNoDump({ detail, code, byteOffset, line, column, excerpt }: XmlError): XmlError {
  const message = `not a MediaWiki dump: ${detail}`
  return new XmlError(message, { code, byteOffset, line, column, excerpt })
}
