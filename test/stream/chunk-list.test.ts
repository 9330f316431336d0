import { describe, expect, test } from 'vitest'
import { ChunkList, type Place } from '../../source/stream/chunk-list.ts'

/** A list of chunks of one byte each: 0, 1, 2, … */
function makeList(count: number): ChunkList {
  const list = new ChunkList()
  for (let i = 0; i < count; i++) list.append(new Uint8Array([i & 255]))
  return list
}

/** How often anything on the list's chunks is looked at while `act` runs. */
function countSteps(place: Place, act: () => void): number {
  let steps = 0
  const watched = place.chunk
  const { next } = watched
  Object.defineProperty(watched, 'next', {
    configurable: true,
    get() {
      steps++
      return next
    },
    set() {
      steps++
    },
  })
  act()
  return steps
}

describe('a list of chunks', () => {
  test('finds the chunk of a new, a copied and a moved place in as many steps with 100,000 chunks as with 10', () => {
    const [few, many] = [10, 100_000].map((count) => {
      const list = makeList(count)
      const place = list.enter()
      list.move(place, 5)
      const steps = countSteps(place, () => {
        list.duplicate(place)
        list.move(place, 1)
        list.enter()
      })
      return { steps, offset: place.chunk.start }
    })
    expect(many).toEqual(few)
    expect(many?.steps).toBeLessThan(10)
  })

  test('finds the end at once, because who has read everything stands in the tail', () => {
    const list = makeList(100_000)
    const place = list.enter()
    list.move(place, 100_000)
    const { chunk } = place
    list.append(new Uint8Array([7, 8]))
    expect(place.chunk).toBe(chunk)
    expect(chunk.bytes).toEqual(new Uint8Array([7, 8]))
  })

  test('keeps everything until there is a place, and then from the first place on', () => {
    const list = makeList(10)
    expect([list.start, list.end]).toEqual([0, 10])
    const first = list.enter()
    const second = list.duplicate(first)
    list.move(first, 7)
    expect(list.start).toBe(0)
    list.move(second, 3)
    expect(list.start).toBe(3)
    list.leave(second)
    expect(list.start).toBe(7)
    list.leave(first)
    expect([list.start, list.end, list.placeCount]).toEqual([10, 10, 0])
  })

  test('knows whether everything before an offset is freed', () => {
    const list = new ChunkList()
    list.append(new Uint8Array(10))
    list.append(new Uint8Array(10))
    expect(list.isFreedBefore(0)).toBe(true)
    expect(list.isFreedBefore(1)).toBe(false)
    const place = list.enter()
    list.move(place, 4)
    expect([4, 5].map((offset) => list.isFreedBefore(offset))).toEqual([true, false])
    list.move(place, 8)
    expect([4, 12, 13].map((offset) => list.isFreedBefore(offset))).toEqual([true, true, false])
  })

  test('cuts dropped chunks from those behind them', () => {
    const list = makeList(3)
    const place = list.enter()
    const dropped = place.chunk
    list.move(place, 2)
    expect(dropped.next).toBeUndefined()
  })

  test('joins a place once, for whoever reads it, and grows the copy in place', () => {
    const list = makeList(100)
    const first = list.enter()
    const second = list.duplicate(first)
    const joined = list.join(first, 10)
    expect([...joined]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(list.join(second, 50).buffer).toBe(joined.buffer)
    list.move(second, 20)
    const later = list.join(second, 60)
    expect(later.buffer).toBe(joined.buffer)
    expect([later[0], later[59]]).toEqual([20, 79])
    list.append(new Uint8Array([100, 101]))
    expect(list.join(second, 82).buffer).toBe(joined.buffer)
    expect(list.join(second, 82)[81]).toBe(101)
  })

  test('copies each byte a bounded number of times when a window slides over small chunks', () => {
    const list = makeList(60_000)
    const place = list.enter()
    const buffers = new Set<ArrayBufferLike>()
    for (let step = 0; step < 50_000; step++) {
      buffers.add(list.join(place, 8000).buffer)
      list.move(place, 1)
    }
    // Each copy is twice the window, so it serves 8,000 steps.
    expect(buffers.size).toBeLessThan(10)
  })
})
