// Cursors that tests lend to readings, which do not release them.

import { afterEach } from 'vitest'
import type { Cursor } from '../../source/stream/cursor.ts'
import type { ByteSource } from '../../source/stream/sources/source.ts'
import { StreamCache, type StreamCacheOptions } from '../../source/stream/stream-cache.ts'

/** Gives what makes a cursor at the start of a source. All of them are released after each test. */
export function lender(): (source: ByteSource, options?: StreamCacheOptions) => Cursor {
  const lent: Cursor[] = []
  afterEach(() => {
    for (const cursor of lent.splice(0)) cursor.release()
  })
  return (source, options) => {
    const cursor = StreamCache.from(source, options).cursor()
    lent.push(cursor)
    return cursor
  }
}
