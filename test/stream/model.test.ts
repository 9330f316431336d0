// The stream layer against a plain model: an array of bytes and a list of offsets.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cursor } from '../../source/stream/cursor.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { chunkedBytes, parameters } from '../support/property.ts'
import { slowly } from '../support/sources.ts'

interface Step {
  act: 'peek' | 'skip' | 'read' | 'fill' | 'clone' | 'release'
  which: number
  n: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    act: fc.constantFrom<Step['act'][]>('peek', 'skip', 'read', 'fill', 'clone', 'release'),
    which: fc.nat(10),
    n: fc.nat(100),
  }),
  { maxLength: 60 },
)

/** A cursor, and where it should stand. */
interface Held {
  cursor: Cursor
  offset: number
}

async function take({ act, n }: Step, one: Held, held: Held[], bytes: Uint8Array): Promise<void> {
  const { cursor, offset } = one
  const rest = bytes.slice(offset, offset + n)
  switch (act) {
    case 'fill':
      expect(await cursor.fill(n)).toBe(offset + n <= bytes.length)
      break
    case 'peek': {
      const peeked = cursor.peek(n)
      if (peeked) expect(peeked).toEqual(rest)
      else expect(cursor.available).toBeLessThan(n)
      break
    }
    case 'skip': {
      const distance = Math.min(n, cursor.available)
      cursor.skip(distance)
      one.offset += distance
      break
    }
    case 'read':
      expect(await cursor.read(n)).toEqual(rest)
      one.offset += rest.length
      break
    case 'clone':
      held.push({ cursor: cursor.clone(), offset })
      break
    case 'release':
      if (held.length === 1) break // the last one would close the stream
      cursor.release()
      held.splice(held.indexOf(one), 1)
      break
  }
}

test('any number of cursors see the same bytes, and retain the stream from the slowest on', async () => {
  const property = fc.asyncProperty(chunkedBytes, steps, fc.nat(60), async (chunks, steps, highWaterMark) => {
    const bytes = new Uint8Array(Buffer.concat(chunks))
    const cache = StreamCache.from(slowly(chunks), { highWaterMark })
    const held: Held[] = [{ cursor: cache.cursor(), offset: 0 }]
    for (const step of steps) {
      const one = held[step.which % held.length] as Held
      await take(step, one, held, bytes)
      expect(held.map(({ cursor }) => cursor.offset)).toEqual(held.map(({ offset }) => offset))
      expect(cache.start).toBe(Math.min(...held.map(({ offset }) => offset)))
    }
    for (const { cursor } of held) cursor.release()
    expect(cache.retained).toBe(0)
  })
  await fc.assert(property, parameters(150))
})
