// Entities outside of the document.

import { TextPosition } from '../../machine/tree/text-position.ts'
import { type TextOrBytes, toBytes } from '../../stream/chunk-encoder.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { findMalformed } from '../../text/utf8.ts'
import { Fault, shorten } from '../errors/fault.ts'
import { DocumentDecoder } from '../text/encoding.ts'
import type { EntityCounter } from './entity-limits.ts'

/** The entity that a resolver must return. */
export interface ExternalRequest {
  readonly publicId: string | undefined
  readonly systemId: string
  /** The system identifier of the entity in which it was declared; undefined for the document itself. */
  readonly base: string | undefined
  /** Aborts when the answer is no longer needed; undefined without the option `signal`. */
  readonly signal?: AbortSignal
}

/** What a resolver gives: neither text nor bytes where there is nothing to be had. */
export type ExternalText = TextOrBytes | null | undefined

/** Where something external is declared; without a system identifier it is not external. */
interface ExternalIdentifier {
  readonly publicId?: string | undefined
  readonly systemId?: string | undefined
  readonly base?: string | undefined
}

/** Text that came from outside, with line ends as they are to be, and where in it the text declaration ends. */
export interface ReadText {
  readonly text: string
  readonly start: number
}

const TEXT_DECLARATION =
  /^<\?xml(?:\s+version\s*=\s*(?:"1\.[0-9]+"|'1\.[0-9]+'))?\s+encoding\s*=\s*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*')\s*\?>/
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Asks for the external entities of one document, and reads what is given. Offsets are those of references in the document. */
export class ExternalEntities {
  readonly #counter: EntityCounter
  readonly #resolves: boolean

  /** Without `resolves` nothing is to be had. */
  constructor(counter: EntityCounter, resolves: boolean) {
    this.#counter = counter
    this.#resolves = resolves
  }

  /** What to ask a resolver for; undefined where there is none. Throws a `LimitError`. */
  request({ publicId, systemId, base }: ExternalIdentifier, byteOffset: number): ExternalRequest | undefined {
    if (!this.#resolves || systemId === undefined) return undefined
    this.#counter.ask(systemId, byteOffset)
    return { publicId, systemId, base }
  }

  /**
   * The text that was given; undefined where none was. Throws a {@link Fault} for what is not text, a `LimitError`, and a `TypeError` with
   * the code `invalid-source` for what is neither text nor bytes.
   */
  read(given: ExternalText, { systemId }: ExternalRequest, byteOffset: number): ReadText | undefined {
    try {
      const text = decodeExternal(given)
      if (text !== undefined) this.#counter.addExternal(text.length, systemId, byteOffset)
      return text === undefined ? undefined : { text, start: endOfTextDeclaration(text) }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      throw new Fault(`in ${shorten(systemId)}: ${error.message}`, error.code, error.constraint, byteOffset)
    }
  }
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
  throw new Fault(`the character at ${placeIn(text, wrong.index)} is not allowed in XML 1.0`, 'malformed-text')
}

/** Line and column in a text, as a message says them. */
export function placeIn(text: string, index: number): string {
  const before = text.slice(0, index)
  return `line ${before.split('\n').length}, column ${index - before.lastIndexOf('\n')}`
}

function decodeBytes(bytes: Uint8Array): string {
  const documentDecoder = new DocumentDecoder()
  const text = decodeUtf8(documentDecoder.push(bytes)) + decodeUtf8(documentDecoder.end())
  if (documentDecoder.fault !== undefined) throw new Fault(documentDecoder.fault, 'malformed-text')
  return text
}

function decodeUtf8(bytes: Uint8Array): string {
  const malformed = findMalformed(bytes)
  if (malformed === -1) return decoder.decode(bytes)
  const { line, column } = TextPosition.START.advance(bytes.subarray(0, malformed))
  throw new Fault(`the bytes at line ${line}, column ${column} are not valid UTF-8`, 'malformed-text')
}

/** Where [77] TextDecl ends; 0 where there is none. */
function endOfTextDeclaration(text: string): number {
  if (!/^<\?xml[ \t\n]/.test(text)) return 0
  const declaration = TEXT_DECLARATION.exec(text)?.[0]
  if (declaration === undefined) {
    throw new Fault('the text declaration of an external entity is malformed', 'text-declaration')
  }
  if (/version\s*=\s*["']1\.1["']/.test(declaration)) {
    throw new Fault('XML 1.1 is not supported in external entities; use XML 1.0', 'unsupported-version')
  }
  return declaration.length
}
