// Entities outside of the document.

/** What a resolver is asked for. */
export interface ExternalRequest {
  readonly publicId: string | undefined
  readonly systemId: string
  /** The system identifier of the entity in which it was declared; undefined for the document itself. */
  readonly base: string | undefined
}
