// Where one of several documents in a stream ends in which something is wrong, as it seems: after the end tag of its root, or before the XML declaration of the
// next one.

import type { Cursor } from '../../stream/cursor.ts'
import type { Position } from '../../text/line-counter.ts'
import { decodeUtf8 } from '../../text/units.ts'
import { LONGEST_NAME, type RecordNames } from '../names/record-names.ts'
import { SkippedText } from '../text/skipped-text.ts'
import type { OpenPath } from './open-path.ts'
import { fillName, peekName } from './pass-to.ts'

const LESS_THAN = 0x3c
const SLASH = 0x2f
const GREATER_THAN = 0x3e

/** Finds ends of documents where names of records are looked for. */
export class DocumentEnds {
  readonly #names: RecordNames
  readonly #root: string

  constructor(names: RecordNames, { elements: [root = ''] }: OpenPath) {
    this.#names = names
    this.#root = root.replace(/^\{.*\}/s, '')
  }

  /** Whether bytes begin with the start tag of a record, or a document ends. Undefined if that depends on what follows them. */
  begin(bytes: Uint8Array): boolean | undefined {
    const begins = this.#names.begin(bytes)
    if (begins !== false) return begins
    if (bytes[1] === SLASH && !bytes.includes(GREATER_THAN)) return undefined
    return this.#lengthOf(bytes) !== undefined
  }

  /** The start of the markup in which an error is, if the document ends there; otherwise where the error is. */
  async findOpen(cursor: Cursor, failed: Position): Promise<Position> {
    // The cursor has moved only to what a parser has read without an error, which is not after one.
    const length = failed.byteOffset - cursor.offset
    const bytes = cursor.peek(Math.min(length + 1, cursor.available)) as Uint8Array
    const at = bytes.lastIndexOf(LESS_THAN)
    if (at === -1) return failed
    await fillName(cursor, this, at)
    if (this.#lengthOf(peekName(cursor, at)) === undefined) return failed
    const { line, column } = failed
    return { byteOffset: cursor.offset + at, line, column: column - (length - at) }
  }

  /** Moves a cursor from where the search has ended after the document, and returns where that is; undefined if a record begins there. */
  pass(cursor: Cursor, found: Position | undefined): Position | undefined {
    if (!found) return { byteOffset: cursor.offset, line: 1, column: 1 }
    const length = this.#lengthOf(peekName(cursor))
    if (length === undefined) return undefined
    const skipped = new SkippedText(found)
    skipped.skip(cursor.peek(length) as Uint8Array)
    cursor.skip(length)
    return skipped.position
  }

  /** How much of some bytes belongs to the document if it ends there. */
  #lengthOf(bytes: Uint8Array): number | undefined {
    const text = decodeUtf8(bytes, 0, Math.min(LONGEST_NAME, bytes.length))
    const [end, name] = /^<(?:\?xml(?=[ \t\r\n])|\/([^ \t\r\n>]+)[ \t\r\n]*>)/.exec(text) ?? []
    if (end === undefined || (name ?? this.#root) !== this.#root) return undefined
    return name === undefined ? 0 : new TextEncoder().encode(end).length
  }
}
