// How XML is written.

import { describeValue, withCode } from '../../stream/errors.ts'
import type { OptionKinds } from '../../stream/options.ts'
import type { MarkupOptions } from './markup/markup-writer.ts'
import type { XmlWriteEncoding } from './write-encoding.ts'

/** Options for all that writes XML. */
export interface MarkupWriteOptions {
  /**
   * What each level begins with: so many spaces, or white space (default: nothing, so no lines are added). Lines are added only where there is no text
   * beside them, and nowhere below that, and not in elements with `xml:space="preserve"`.
   */
  indent?: number | string | undefined
  /** Whether an element without content is one tag: `<a/>` and not `<a></a>` (default: true). */
  selfClose?: boolean | undefined
  /** Whether prefixes stand for namespaces (default: true). Without namespaces, names are written as they are, and nothing is declared. */
  namespaces?: boolean | undefined
}

/** Options for what becomes bytes. */
export interface XmlWriterOptions extends MarkupWriteOptions {
  /**
   * The encoding (default: `utf-8`). `utf-16` is `utf-16le`; both, and `utf-16be`, begin with a byte order mark. What `iso-8859-1` and `us-ascii` lack becomes references;
   * in names, comments, instructions and the document type, it is an error. In `iso-8859-1`, a declaration is written if there is none.
   */
  encoding?: XmlWriteEncoding | undefined
  /** Bytes that may wait to be read before there is no more room (default: 64 KiB). */
  highWaterMark?: number | undefined
}

export const MARKUP_OPTIONS: OptionKinds<MarkupWriteOptions> = {
  indent: 'any',
  selfClose: 'boolean',
  namespaces: 'boolean',
}
export const WRITER_OPTIONS: OptionKinds<XmlWriterOptions> = {
  ...MARKUP_OPTIONS,
  encoding: 'string',
  highWaterMark: 'any',
}

/** Spaces of a level at most. */
const MOST_SPACES = 16

/** The options of markup. Throws a `TypeError` or a `RangeError` with the code `invalid-option`. */
export function markupOptions({ indent = '', selfClose, namespaces }: MarkupWriteOptions): MarkupOptions {
  return { indent: typeof indent === 'number' ? spaces(indent) : requireBlank(indent), selfClose, namespaces }
}

function spaces(count: number): string {
  if (Number.isInteger(count) && count >= 0 && count <= MOST_SPACES) return ' '.repeat(count)
  throw invalidIndent(count)
}

function requireBlank(indent: unknown): string {
  if (typeof indent === 'string' && /^[ \t]*$/.test(indent)) return indent
  throw invalidIndent(indent)
}

function invalidIndent(indent: unknown): RangeError {
  const message = `indent must be a number of spaces from 0 to ${MOST_SPACES}, or spaces and tabs, not ${describeValue(indent)}`
  return withCode(new RangeError(message), 'invalid-option')
}
