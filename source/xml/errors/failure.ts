// An error of a document that is thrown when its excerpt is complete, or no more of the input comes without waiting: so it is the same however input is
// cut that is all there.

import { makeExcerpt } from '../../machine/failure/excerpt.ts'
import { XmlError, type XmlErrorDetails } from './errors.ts'

/** Bytes of input before and after an error that an excerpt may show. */
export const EXCERPT = 160
const LINE_FEED = 10

export class Failure {
  /** Where it is in the UTF-8. */
  readonly offset: number
  readonly #message: string
  readonly #details: XmlErrorDetails
  readonly #before: Uint8Array
  #after: Uint8Array
  #isComplete = false

  /** What is wrong, and the available input around it. */
  constructor(message: string, details: XmlErrorDetails, offset: number, before: Uint8Array, after: Uint8Array) {
    this.offset = offset
    this.#message = message
    this.#details = details
    this.#before = before
    this.#after = after
    this.add(new Uint8Array(0))
  }

  /** Whether all has arrived that is shown. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** More input has arrived. */
  add(bytes: Uint8Array): void {
    if (this.#isComplete) return
    const after = new Uint8Array(Math.min(EXCERPT, this.#after.length + bytes.length))
    after.set(this.#after)
    after.set(bytes.subarray(0, after.length - this.#after.length), this.#after.length)
    this.#after = after
    this.#isComplete = after.length === EXCERPT || after.includes(LINE_FEED)
  }

  /** No more input comes. */
  finish(): void {
    this.#isComplete = true
  }

  makeError(): XmlError {
    return new XmlError(this.#message, { ...this.#details, excerpt: makeExcerpt(this.#before, this.#after) })
  }
}
