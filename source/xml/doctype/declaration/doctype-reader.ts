// The document type declaration, read in steps: it may want text from outside, and may be long.

import type { DocumentType } from '../document-type.ts'
import type { ExternalRequest } from '../external.ts'
import type { ExternalText } from '../external-text.ts'
import { type DoctypeOptions, DoctypeParser } from './doctype-parser.ts'
import type { Steps } from './doctype-scanner.ts'

/** Reads one declaration. */
export class DoctypeReader {
  /** Where it lies in the document, in bytes. */
  readonly start: number
  readonly end: number
  /** What is wanted after `resolve`. */
  request: ExternalRequest | undefined
  readonly #steps: Steps<DocumentType>
  #type: DocumentType | undefined

  constructor(text: string, options: DoctypeOptions) {
    this.start = options.start
    this.end = options.end
    this.#steps = new DoctypeParser(text, options).read()
  }

  /**
   * Continues, with the answer to the last request: until something is needed from outside, or to the end. `part` only lets other work run. Throws a
   * `UnplacedError` or a `LimitError`.
   */
  advance(answer: ExternalText): 'resolve' | 'part' | 'done' {
    const { done, value } = this.#steps.next(answer)
    this.request = done ? undefined : value
    if (done) this.#type = value
    return done ? 'done' : value ? 'resolve' : 'part'
  }

  /** What it says, at the end. */
  get type(): DocumentType {
    return this.#type as DocumentType
  }
}
