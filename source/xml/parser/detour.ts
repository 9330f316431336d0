// Reading parts of a document in another way than by the parser of it: what lies between two children of an element, and is content by
// itself. The parser gets the position where it continues.

import type { Cursor } from '../../stream/cursor.ts'
import type { Position } from '../../text/line-counter.ts'

export interface Detour {
  /** How many elements are open where it may begin. */
  readonly depth: number
  /** Begins after what the parser has read. */
  begin(position: Position): void
  /**
   * Moves the cursor forward through content, as far as it can with what has arrived, but not past the offset `until`. `more`: it needs as many
   * bytes as `needed` says; `again`: there is more that it may read; `parser`: what follows is for the parser; `over`: nothing more is wanted.
   */
  pass(cursor: Cursor, until: number): 'more' | 'again' | 'parser' | 'over'
  /** Bytes from the cursor on. */
  readonly needed: number
  /** Where the cursor stands, and the end of what it has passed, or all of that; undefined when it has not moved. */
  end(): { readonly position: Position; readonly before: Uint8Array } | undefined
  /** How much of a chunk, which begins at an offset of the cursor, the parser is to be given before the next detour may begin. */
  cut(chunk: Uint8Array, offset: number): number
  release(): void
}
