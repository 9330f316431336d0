// References to entities that were not read.

/** A reference that was left out, because the declaration or the text of its entity was not read. */
export interface SkippedEntity {
  readonly name: string
  /** Where the reference begins, in bytes of the input. */
  readonly byteOffset: number
}
