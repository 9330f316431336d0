// Entities outside of the document.

import { DocumentDecoder } from './encoding.ts'
import { Fault } from './fault.ts'

/** What a resolver is asked for. */
export interface ExternalRequest {
  readonly publicId: string | undefined
  readonly systemId: string
  /** The system identifier of the entity in which it was declared; undefined for the document itself. */
  readonly base: string | undefined
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of what a resolver gave. Throws a {@link Fault} where it is in no encoding, or not in the one it declares. */
export function decodeExternal(given: string | Uint8Array | undefined): string | undefined {
  if (typeof given !== 'object') return given?.replace(/^\ufeff/, '')
  const documentDecoder = new DocumentDecoder()
  const text = decoder.decode(documentDecoder.push(given)) + decoder.decode(documentDecoder.end())
  if (documentDecoder.fault !== undefined) throw new Fault(documentDecoder.fault, 'malformed-text')
  return text
}
