// Entities outside of the document.

import { isBytes } from '../stream/chunk-encoder.ts'
import { describeValue, withCode } from '../stream/errors.ts'
import { DocumentDecoder } from './encoding.ts'
import { Fault } from './fault.ts'

/** What a resolver is asked for. */
export interface ExternalRequest {
  readonly publicId: string | undefined
  readonly systemId: string
  /** The system identifier of the entity in which it was declared; undefined for the document itself. */
  readonly base: string | undefined
  /** Aborts when the answer is not wanted any more; undefined where nobody can say so. */
  readonly signal?: AbortSignal
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The text of what a resolver gave. Throws a {@link Fault} where it is in no encoding, or not in the one it declares, and a `TypeError` with the
 * code `invalid-source` for what is neither text nor bytes.
 */
export function decodeExternal(given: string | Uint8Array | null | undefined): string | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given === 'string') return given.replace(/^\ufeff/, '')
  if (!isBytes(given)) {
    const isLate = typeof (given as { then?: unknown }).then === 'function'
    const hint = isLate ? ': parseXml waits for nothing, readXml does' : ''
    const message = `a resolver gives a string, a Uint8Array or undefined, not ${describeValue(given)}${hint}`
    throw withCode(new TypeError(message), 'invalid-source')
  }
  const documentDecoder = new DocumentDecoder()
  const text = decoder.decode(documentDecoder.push(given)) + decoder.decode(documentDecoder.end())
  if (documentDecoder.fault !== undefined) throw new Fault(documentDecoder.fault, 'malformed-text')
  return text
}
