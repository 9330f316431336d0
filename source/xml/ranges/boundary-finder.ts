// Finds where a range ends, for the parser that reads it: at the first record after the range's own bytes that stands in the same elements as the first
// record of the document. The parser decides what is a record there, so what only looks like one, in a comment or a value, ends no range.

import type { RecordNames } from '../names/record-names.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { RECORD_WORDS, type TapeFrame } from '../tape/tape-frame.ts'
import { isSamePath, OpenElements, type OpenPath } from './open-path.ts'

export interface BoundaryOptions {
  readonly names: RecordNames
  /** The elements around the records at which a range may end. */
  readonly within: OpenPath
  /** The offset from which on records are not to be read, as far as it is known. */
  readonly ownedUntil: () => number
}

export class BoundaryFinder {
  readonly #options: BoundaryOptions
  /** How many elements are open around the records. */
  readonly #depth: number
  #open: OpenElements | undefined
  /** By the types of records on the tape, how many more elements are open after them. */
  readonly #steps = new Int8Array(256)
  /** Offset of the start tag of the first record that is not to be read; undefined as long as it has not come. */
  foundAt: number | undefined

  constructor(options: BoundaryOptions) {
    this.#options = options
    this.#depth = options.within.elements.length
  }

  /** A document begins, or is read from another place on. */
  begin(facts: DocumentFacts): void {
    const { startTag, endTag, emptyTag } = facts.types
    this.#steps[startTag] = 1
    for (const type of [endTag, emptyTag]) this.#steps[type] = -1
    this.#open = new OpenElements(facts, this.#depth)
  }

  /** Follows the elements around records from one record of the tape to another. Returns the first one that belongs to another range; `end` for none. */
  find(frame: TapeFrame, first: number, end: number, depthBefore: number): number {
    const { words } = frame
    const steps = this.#steps
    const innermost = this.#depth
    ;(this.#open as OpenElements).cut(depthBefore)
    let depth = depthBefore
    // Nearly all that is recorded are names and values, and tags in records. What is rare is left to others, so that this loop is compiled once.
    for (let at = first * RECORD_WORDS; at < end * RECORD_WORDS; at += RECORD_WORDS) {
      const type = (words[at] as number) & 255
      const step = steps[type] as number
      if (step === 0) continue
      if (depth <= innermost && !this.#follow(frame, at / RECORD_WORDS, depth)) return nameOf(frame, at / RECORD_WORDS)
      depth += step
    }
    return end
  }

  /** Follows a tag around records, or of a record; so many elements are open before it. False for a record of another range. */
  #follow(frame: TapeFrame, tag: number, depth: number): boolean {
    const open = this.#open as OpenElements
    if (frame.typeOf(tag) !== frame.types.startTag) open.leave(depth)
    else if (depth < this.#depth) open.enter(frame, nameOf(frame, tag), tag, depth + 1)
    else if (this.#isForeign(frame, tag)) {
      this.foundAt = frame.startOf(tag)
      return false
    }
    return true
  }

  /** Whether a start tag is that of a record at which the range ends. */
  #isForeign(frame: TapeFrame, tag: number): boolean {
    const { names, within, ownedUntil } = this.#options
    if (frame.startOf(tag) < ownedUntil() || !names.has(frame.nameOf(nameOf(frame, tag)))) return false
    const path = (this.#open as OpenElements).pathAt(this.#depth)
    return path !== undefined && isSamePath(path, within)
  }
}

/** The record of the name in a start tag: the first one after the part before it. */
function nameOf({ words, types }: TapeFrame, tag: number): number {
  let record = tag
  while (record > 0 && types.isPart[(words[(record - 1) * RECORD_WORDS] as number) & 255] === 0) record--
  return record
}
