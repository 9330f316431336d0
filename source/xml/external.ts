// Entities outside of the document.

/** What a resolver is asked for. */
export interface ExternalRequest {
  readonly publicId: string | undefined
  readonly systemId: string
  /** The system identifier of the entity in which it was declared; undefined for the document itself. */
  readonly base: string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of what a resolver gave, without what says how it is encoded. */
export function decodeExternal(given: string | Uint8Array | undefined): string | undefined {
  return typeof given === 'object' ? decoder.decode(given) : given
}
