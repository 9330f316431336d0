// The document type declaration, read in steps: it may want text from outside.

import { type DoctypeOptions, DoctypeParser } from './doctype-parser.ts'
import type { DocumentType } from './document-type.ts'
import type { ExternalRequest } from './external.ts'

/** Reads one declaration. */
export class DoctypeReader {
  /** Where it lies in the document, in bytes. */
  readonly start: number
  readonly end: number
  readonly #steps: Generator<ExternalRequest, DocumentType, string | undefined>
  #type: DocumentType | undefined

  constructor(text: string, start: number, end: number, options: DoctypeOptions) {
    this.start = start
    this.end = end
    this.#steps = new DoctypeParser(text, start, options).read()
  }

  /** Goes on, with the text that was asked for; what is wanted next, or undefined at the end. Throws a `Fault` or a `LimitError`. */
  next(answer: string | undefined): ExternalRequest | undefined {
    const { done, value } = this.#steps.next(answer)
    if (!done) return value
    this.#type = value
    return undefined
  }

  /** What it says, at the end. */
  get type(): DocumentType {
    return this.#type as DocumentType
  }
}
