// Places in the input that are noted before the input goes.

import type { Position } from '../../text/line-counter.ts'
import { LocatedError, type UnplacedError } from '../errors/unplaced-error.ts'
import type { DocumentFacts } from '../parser/consumer.ts'

export class Places {
  readonly #facts: DocumentFacts
  /** The offsets in the source of offsets in its UTF-8, in ascending order. */
  readonly #sources = new Map<number, number>()
  /** Lines and columns of values that are an error, or may be part of one. */
  readonly #positions = new Map<number, Position>()
  /** How many of these were left when some were forgotten. */
  #leftPositions = 0

  constructor(facts: DocumentFacts) {
    this.#facts = facts
  }

  /** Notes line and column of an offset. */
  note(offset: number): void {
    if (!this.#positions.has(offset)) this.#positions.set(offset, this.#facts.machine.locate(offset))
  }

  /** Notes where an offset is in the source. */
  noteSource(offset: number): void {
    const source = this.#facts.toSource?.(offset)
    if (source !== undefined) this.#sources.set(offset, source)
  }

  /** The offset in the source of an offset in its UTF-8. */
  toSource(offset: number): number {
    return this.#sources.get(offset) ?? this.#facts.toSource?.(offset) ?? offset
  }

  /** Adds line and column to an error if they were noted. */
  locate(fault: UnplacedError): UnplacedError {
    const { message, code, constraint, offset } = fault
    const position = offset === undefined ? undefined : this.#positions.get(offset)
    return position && !(fault instanceof LocatedError) ? new LocatedError(message, code, constraint, position) : fault
  }

  /** Forgets the places of offsets before one. */
  forget(before: number): void {
    // They are in no order, so there must be as many to forget as to look through.
    if (this.#positions.size > 2 * this.#leftPositions) {
      for (const offset of this.#positions.keys()) if (offset < before) this.#positions.delete(offset)
      this.#leftPositions = this.#positions.size
    }
    for (const offset of this.#sources.keys()) {
      if (offset >= before) break
      this.#sources.delete(offset)
    }
  }
}
