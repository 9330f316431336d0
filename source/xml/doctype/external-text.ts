// The text of an entity outside of the document, from what a resolver gives.

import { TextPosition } from '../../machine/tree/text-position.ts'
import { type TextOrBytes, toBytes } from '../../stream/chunk-encoder.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { findMalformed } from '../../text/utf8.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import { DocumentDecoder } from '../text/encoding.ts'
import { makeTranscoder, OffsetMap } from '../text/transcoders.ts'
import { transcoding } from '../text/transcoding.ts'

/** What a resolver gives: neither text nor bytes where there is nothing to be had. */
export type ExternalText = TextOrBytes | null | undefined

/** Text that came from outside, with line ends as they are to be, and where in it the text declaration ends. */
export interface ReadText {
  readonly text: string
  readonly start: number
}

const TEXT_DECLARATION =
  /^<\?xml(?:\s+version\s*=\s*(?:"1\.[0-9]+"|'1\.[0-9]+'))?\s+encoding\s*=\s*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*')\s*\?>/
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The text that was given; undefined where none was. Throws an {@link UnplacedError} for what is not text, and a `TypeError` with the code
 * `invalid-source` for what is neither text nor bytes.
 */
export function readExternalText(given: ExternalText): ReadText | undefined {
  const text = decodeExternal(given)
  return text === undefined ? undefined : { text, start: endOfTextDeclaration(text) }
}

function decodeExternal(given: ExternalText): string | undefined {
  if (given === undefined || given === null) return undefined
  const bytes = typeof given === 'string' ? undefined : toBytes(given)
  if (typeof given !== 'string' && !bytes) {
    const isLate = typeof (given as { then?: unknown }).then === 'function'
    const hint = isLate ? ' (parseXml cannot wait; use readXml)' : ''
    const message = `a resolver must return a string, bytes or undefined, not ${describeValue(given)}${hint}`
    throw withCode(new TypeError(message), 'invalid-source')
  }
  const written = bytes ? decodeBytes(bytes) : (given as string).replace(/^\ufeff/, '')
  const text = written.replace(/\r\n?/g, '\n') // section 2.11
  const wrong = NO_CHARACTER.exec(text)
  if (!wrong) return text
  throw new UnplacedError(`the character at ${placeIn(text, wrong.index)} is not allowed in XML 1.0`, 'malformed-text')
}

/** Line and column in a text, as a message says them. */
export function placeIn(text: string, index: number): string {
  const before = text.slice(0, index)
  return `line ${before.split('\n').length}, column ${index - before.lastIndexOf('\n')}`
}

function decodeBytes(bytes: Uint8Array): string {
  transcoding.provide({ makeTranscoder, OffsetMap })
  const documentDecoder = new DocumentDecoder()
  const text = decodeUtf8(documentDecoder.push(bytes)) + decodeUtf8(documentDecoder.end())
  if (documentDecoder.fault !== undefined) throw new UnplacedError(documentDecoder.fault, 'malformed-text')
  return text
}

function decodeUtf8(bytes: Uint8Array): string {
  const malformed = findMalformed(bytes)
  if (malformed === -1) return decoder.decode(bytes)
  const { line, column } = TextPosition.START.advance(bytes.subarray(0, malformed))
  throw new UnplacedError(`the bytes at line ${line}, column ${column} are not valid UTF-8`, 'malformed-text')
}

/** Where [77] TextDecl ends; 0 where there is none. */
function endOfTextDeclaration(text: string): number {
  if (!/^<\?xml[ \t\n]/.test(text)) return 0
  const declaration = TEXT_DECLARATION.exec(text)?.[0]
  if (declaration === undefined) {
    throw new UnplacedError('the text declaration of an external entity is malformed', 'text-declaration')
  }
  if (/version\s*=\s*["']1\.1["']/.test(declaration)) {
    throw new UnplacedError('XML 1.1 is not supported in external entities; use XML 1.0', 'unsupported-version')
  }
  return declaration.length
}
