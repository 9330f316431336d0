// The names of records: how a range finds its first one, before anything is parsed.

import type { Cursor } from '../../stream/cursor.ts'
import { decodeUtf8 } from '../../text/units.ts'
import type { Name } from '../names/names.ts'
import { type Path, splitSteps } from '../question/path.ts'
import { skipTo } from './pass-to.ts'
import type { FileRange } from './range.ts'

/** Bytes after a `<` in which a name has to end that is looked for. */
const LONGEST_NAME = 256
const LESS_THAN = 0x3c

/** The names of elements that may be records, whatever is around them. */
export class RecordNames {
  /** Names as they are written, and local names. */
  readonly #written = new Set<string>()
  readonly #local = new Set<string>()

  /**
   * The names in which paths end; undefined if that may be any name, or if what is around a record decides by more than its name: then a range cannot
   * find its first record.
   */
  static of(paths: readonly Path[], texts: readonly string[]): RecordNames | undefined {
    const names = new RecordNames()
    for (const path of paths) {
      const { name, namespace, isAnywhere } = path.names.at(-1) ?? {}
      if (name === undefined || name.length > LONGEST_NAME / 4) return undefined
      if (namespace === undefined && !isAnywhere) names.#written.add(name)
      else names.#local.add(name)
    }
    const hasConditions = texts.some((text) =>
      splitSteps(text).some((step, i, all) => i < all.length - 1 && step.includes('[')),
    )
    return hasConditions ? undefined : names
  }

  has({ raw, localName }: Pick<Name, 'raw' | 'localName'>): boolean {
    return this.#written.has(raw) || this.#local.has(localName)
  }

  /** Moves a cursor from the start of a range to its first record, as it seems. False when there is none before an offset. */
  async findFirst(
    cursor: Cursor,
    { codec, start }: FileRange,
    headLength: number,
    until: () => number,
  ): Promise<boolean> {
    // In the head there is none.
    if (codec === 'none') await skipTo(cursor, () => Math.min(headLength - start, until()))
    return await this.#find(cursor, until)
  }

  /** Moves the cursor to the next start tag of one of these, as it seems: it may be in a comment. False when there is none before an offset. */
  async #find(cursor: Cursor, until: () => number): Promise<boolean> {
    while (cursor.available > 0 || (await cursor.fill(1))) {
      const chunk = cursor.peekChunk()
      const found = chunk.indexOf(LESS_THAN)
      cursor.skip(found === -1 ? chunk.length : found)
      if (cursor.offset >= until()) return false
      if (found === -1) continue
      if (cursor.available < LONGEST_NAME) await cursor.fill(LONGEST_NAME)
      if (this.#begins(cursor.peek(Math.min(cursor.available, LONGEST_NAME)) as Uint8Array)) return true
      cursor.skip(1)
    }
    return false
  }

  /** Whether bytes begin with a start tag. */
  #begins(bytes: Uint8Array): boolean {
    let end = 1
    while (end < bytes.length && !endsName(bytes[end] as number)) end++
    if (end === 1 || end === bytes.length) return false
    const raw = decodeUtf8(bytes, 1, end)
    return this.has({ raw, localName: raw.slice(raw.indexOf(':') + 1) })
  }
}

/** Whether a byte ends the name in a start tag: a blank, a slash or `>`; or shows that it is no name. */
function endsName(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2f || byte === 0x3e || byte === LESS_THAN
}
