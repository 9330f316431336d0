// Looking ahead by as much as may be wanted, without losing what has arrived when the source fails before.

import type { Cursor } from '../stream/cursor.ts'
import { SourceError } from '../stream/errors.ts'

/**
 * The next `n` bytes, or fewer where the stream has `ended` or `failed` with fewer. To throw the failure, fill.
 */
export async function peekAvailable(
  cursor: Cursor,
  n: number,
): Promise<{ bytes: Uint8Array; end: 'ended' | 'failed' | undefined }> {
  let end: 'ended' | 'failed' | undefined
  try {
    if (!(await cursor.fill(n))) end = 'ended'
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    end = 'failed'
  }
  return { bytes: cursor.peek(Math.min(n, cursor.available)) as Uint8Array, end }
}
