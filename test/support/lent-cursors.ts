// Cursors that tests lend to readings, which do not release them.

import { afterEach } from 'vitest'
import type { Cursor } from '../../source/stream/cursor.ts'
import type { ByteSource } from '../../source/stream/source.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'

/** Gives what makes a cursor at the start of a source. All of them are released after each test. */
export function lender(): (source: ByteSource) => Cursor {
  const lent: Cursor[] = []
  afterEach(() => {
    for (const cursor of lent.splice(0)) cursor.release()
  })
  return (source) => {
    const cursor = StreamCache.from(source).cursor()
    lent.push(cursor)
    return cursor
  }
}
