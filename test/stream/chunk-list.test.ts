import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Chunk, ChunkList, type Place } from '../../source/stream/chunk-list.ts'
import { isThorough } from '../support/extent.ts'
import { parameters } from '../support/property.ts'

/** A list of chunks of one byte each: 0, 1, 2, … */
function makeList(count: number): ChunkList {
  const list = new ChunkList()
  for (let i = 0; i < count; i++) list.append(new Uint8Array([i & 255]))
  return list
}

/** Counts how often a chunk of the list, any of them, is looked into or skipped, from now on. */
function watchChunks(list: ChunkList): { steps: () => number } {
  let steps = 0
  const first = list.enter()
  for (let chunk: Chunk | undefined = first.chunk, next: Chunk | undefined; chunk; chunk = next) {
    next = chunk.next
    const fields: Chunk = { ...chunk }
    for (const name of ['bytes', 'next', 'places', 'bridge'] as const) {
      Object.defineProperty(chunk, name, {
        get() {
          steps++
          return fields[name]
        },
        set(value) {
          steps++
          Object.assign(fields, { [name]: value })
        },
      })
    }
  }
  steps = 0
  return { steps: () => steps }
}

describe('a list of chunks', () => {
  test('finds the chunk for a place in as many steps with very many chunks as with 10', () => {
    const [few, many] = [10, isThorough ? 100_000 : 20_000].map((count) => {
      const list = makeList(count)
      const { steps } = watchChunks(list) // its own place holds everything
      const middle = list.enter()
      list.move(middle, count / 2)
      const end = list.duplicate(middle)
      list.move(end, count / 2)
      const before = steps()
      list.move(list.duplicate(middle), 1)
      list.join(middle, 3)
      list.move(list.duplicate(end), 0)
      list.leave(list.enter())
      list.append(new Uint8Array(3))
      list.move(end, 2)
      return steps() - before
    })
    expect(many).toBe(few)
    expect(many).toBeLessThan(100)
  })

  test('finds the end at once, because a cursor that has read everything stands in the tail', () => {
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

  test('knows its start without looking at all places again', () => {
    const list = makeList(1)
    const slowest = list.enter()
    for (let i = 0; i < 1000; i++) list.duplicate(slowest)
    expect(list.start).toBe(0)
    let looks = 0
    for (let place = slowest.chunk.places; place; place = place.next) {
      const { next } = place
      Object.defineProperty(place, 'next', {
        configurable: true,
        get() {
          looks++
          return next
        },
      })
      if (!next) break
    }
    looks = 0
    for (let i = 0; i < 100; i++) expect(list.start).toBe(0)
    expect(looks).toBe(0)
  })

  test('begins where the slowest place stands, wherever places go', () => {
    const list = new ChunkList()
    for (let i = 0; i < 4; i++) list.append(new Uint8Array(10))
    const [first, second] = [list.enter(), list.enter()]
    list.move(first, 3)
    list.move(second, 11)
    expect(list.start).toBe(3)
    // To the same index in the next chunk, where another one stands before it.
    list.move(first, 10)
    expect(list.start).toBe(11)
    second.position++ // as cursors move inside a chunk
    expect(list.start).toBe(12)
    const third = list.duplicate(first)
    list.leave(first)
    expect(list.start).toBe(12)
    list.move(second, 5)
    expect(list.start).toBe(13)
    list.move(third, 20)
    expect(list.start).toBe(17)
    list.leave(second)
    expect(list.start).toBe(33)
    list.leave(third)
    expect([list.start, list.end]).toEqual([40, 40])
  })

  test('begins at the right place whatever is done, asked for or not', () => {
    const act = fc.record({
      act: fc.constantFrom('move', 'enter', 'copy', 'leave', 'ask'),
      which: fc.nat(5),
      n: fc.nat(12),
    })
    const property = fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const list = new ChunkList()
      for (let i = 0; i < 100; i++) list.append(new Uint8Array(4))
      const places = [list.enter()]
      const offsetOf = (place: Place) => place.chunk.start + place.position
      for (const { act, which, n } of acts) {
        const place = places[which % places.length] as Place
        if (act === 'move') list.move(place, Math.min(n, list.end - offsetOf(place)))
        else if (act === 'enter') places.push(list.enter())
        else if (act === 'copy') places.push(list.duplicate(place))
        else if (act === 'ask' || places.length === 1) expect(list.start).toBe(Math.min(...places.map(offsetOf)))
        else list.leave(places.splice(places.indexOf(place), 1)[0] as Place)
      }
      expect(list.start).toBe(Math.min(...places.map(offsetOf)))
      expect(list.placeCount).toBe(places.length)
    })
    fc.assert(property, parameters(300))
  })

  test('cuts dropped chunks from those after them', () => {
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

  test('joins once for each of two places that take turns, if no bridge spans both', () => {
    const list = new ChunkList()
    for (let i = 0; i < 10; i++) list.append(new Uint8Array(4096).fill(i))
    const slow = list.enter()
    const fast = list.duplicate(slow)
    list.move(fast, 2000)
    const [first, second] = [list.join(slow, 4100), list.join(fast, 8000)]
    for (let i = 0; i < 3; i++) {
      expect(list.join(slow, 4100).buffer).toBe(first.buffer)
      expect(list.join(fast, 8000).buffer).toBe(second.buffer)
      expect(list.join(list.duplicate(slow), 4100).buffer).toBe(first.buffer)
    }
    expect([first[4095], first[4096], second[2095], second[2096], second[7999]]).toEqual([0, 1, 0, 1, 2])
  })

  test('keeps no joined bytes for a place that has moved on or left', () => {
    const list = makeList(20)
    const place = list.enter()
    const other = list.duplicate(place)
    list.join(place, 10)
    list.join(other, 10)
    list.move(place, 5)
    list.leave(other)
    expect([place.bridge, other.bridge]).toEqual([undefined, undefined])
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
