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

/** The offset after all that has arrived, as one cursor sees it. */
function cursorEnd({ cursor, offset }: Held): number {
  return offset + cursor.available
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
      expect(cache.retained).toBe(cursorEnd(held[0] as Held) - cache.start)
    }
    for (const { cursor } of held) cursor.release()
    expect(cache.retained).toBe(0)
  })
  await fc.assert(property, parameters(150))
})

test('bytes joined for many cursors over large chunks are the bytes of the stream, however they overlap', () => {
  // Chunks and reads as large as the copies that are shared: these are replaced, outgrown and passed all the time.
  const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 2, maxLength: 12 })
  const acts = fc.array(fc.tuple(fc.constantFrom('peek', 'skip', 'clone', 'release'), fc.nat(9), fc.nat(12_000)), {
    maxLength: 50,
  })
  const property = fc.property(sizes, acts, (sizes, acts) => {
    const length = sizes.reduce((sum, size) => sum + size, 0)
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255)
    const cache = new StreamCache()
    for (let start = 0, i = 0; start < length; start += sizes[i++] as number) {
      cache.write(bytes.slice(start, start + (sizes[i] as number)))
    }
    cache.end()
    const cursors = [cache.cursor()]
    const kept: { view: Uint8Array; offset: number }[] = []
    const isRight = ({ view, offset }: (typeof kept)[number]) =>
      Buffer.compare(view, bytes.subarray(offset, offset + view.length)) === 0
    for (const [act, which, n] of acts) {
      const cursor = cursors[which % cursors.length] as Cursor
      const { offset } = cursor
      if (act === 'peek') {
        const view = cursor.peek(n) as Uint8Array
        expect(view.length).toBe(Math.min(n, length - offset))
        expect(cursor.peek(n)?.buffer).toBe(view.buffer)
        kept.push({ view, offset })
      } else if (act === 'skip') cursor.skip(Math.min(n, cursor.available))
      else if (act === 'clone') cursors.push(cursor.clone())
      else if (cursors.length > 1) cursors.splice(cursors.indexOf(cursor), 1)[0]?.release()
    }
    expect(kept.every(isRight)).toBe(true)
    for (const cursor of cursors) cursor.release()
  })
  fc.assert(property, parameters(200))
})
