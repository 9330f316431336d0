// What may follow compressed data: zero bytes, as tapes and block devices leave them.

import type { Cursor } from '../stream/cursor.ts'

/**
 * Skips zero bytes; whether anything else follows. What follows must then be another member or stream: ignoring it, as some
 * tools do, would lose everything after a damaged header silently.
 */
export async function skipPadding(cursor: Cursor): Promise<boolean> {
  while (await cursor.fill(1)) {
    const chunk = cursor.peekChunk()
    const end = chunk.findIndex((byte) => byte !== 0)
    cursor.skip(end === -1 ? chunk.length : end)
    if (end !== -1) return true
  }
  return false
}
