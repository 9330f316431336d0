// Where a cursor stands that was lent to a reader: whatever the chunks, after what was delivered.

import { describe, expect, test } from 'vitest'
import type { Cursor } from '../../source/stream/cursor.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { readXml } from '../../source/xml/index.ts'
import type { XmlReader } from '../../source/xml/reader.ts'
import { drain, everyCut } from '../support/collect.ts'
import { lender } from '../support/lent-cursors.ts'
import { stalling } from '../support/sources.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const
const lend = lender()

const SHAPE = { n: '@n' } as const
const LATE = { text: { path: '.', late: true } } as const
/** How the children of a root are read, one by one or in arrays; each gives how many records an item has. */
const WAYS: Record<string, (reader: XmlReader) => AsyncIterable<unknown>> = {
  select: (reader) => reader.select('b'),
  'select with a condition': (reader) => reader.select('b', { where: ({ name }) => name === 'b' }),
  'select, innermost': (reader) => reader.select(['b', '//b'], { nested: 'innermost' }),
  'select by an attribute': (reader) => reader.select('b[@n]'),
  records: (reader) => reader.records('b', SHAPE),
  'records with a condition': (reader) => reader.records('b', SHAPE, { where: ({ n }) => n !== '' }),
  'records with late fields': (reader) => reader.records('b', LATE),
  'records with what is left': (reader) => reader.records('b', { n: '@n', rest: { as: 'rest' } }),
}

/** The position after so many items. */
async function leaveAfter(items: AsyncIterable<unknown>, count: number): Promise<void> {
  let seen = 0
  for await (const _ of items) if (++seen === count) return
  throw new Error(`there were ${seen} items`)
}

/** The distinct positions of the cursor for all cuts. */
async function positionsOf(
  text: string | Uint8Array,
  act: (reader: XmlReader, cursor: Cursor) => Promise<void>,
): Promise<number[]> {
  const positions = new Set<number>()
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  for (const engine of ENGINES) {
    for (const pieces of everyCut(bytes)) {
      const cursor = lend(pieces)
      await act(readXml(cursor, { engine }), cursor).catch(() => {})
      positions.add(cursor.offset)
    }
  }
  return [...positions]
}

describe('a cursor that is lent', () => {
  //            0  3         12        21       30
  const THREE = '<a><b n="1"/> <b n="2"/> <b>3</b> </a> '

  test.each(Object.entries(WAYS))('is after the last item, when a loop is left: %s', async (name, way) => {
    const document = THREE.replace('<b>3', '<b n="3">3')
    for (const [count, end] of [
      [1, 13],
      [2, 24],
      [3, 39],
    ] as const) {
      expect(await positionsOf(document, (reader) => leaveAfter(way(reader), count)), name).toEqual([end])
    }
  })

  test.each(Object.entries(WAYS))('is at the item within the loop: %s', async (_, way) => {
    for (const pieces of everyCut(encoder.encode(THREE))) {
      const cursor = lend(pieces)
      const seen: number[] = []
      for await (const _ of way(readXml(cursor))) seen.push(cursor.offset)
      expect(seen.slice(0, 2)).toEqual([13, 24])
    }
  })

  test.each(Object.entries(WAYS))('is after the last item, when an error comes: %s', async (_, way) => {
    const drain = (reader: XmlReader) => leaveAfter(way(reader), 10)
    expect(await positionsOf('<a><b n="1"/> <b n="2"/> <c/> text </d></a>', drain)).toEqual([24])
    expect(await positionsOf('<a><b n="1"/> <b n="2"/> <c/> text', drain)).toEqual([24])
    expect(await positionsOf('<a><b n="1"/></a> <b n="2"/>', drain)).toEqual([13])
  })

  test.each(Object.entries(WAYS))('is after the last item, when the body of the loop throws: %s', async (_, way) => {
    const fail = async (reader: XmlReader) => {
      for await (const _ of way(reader)) throw new Error('no')
    }
    expect(await positionsOf(THREE, fail)).toEqual([13])
  })

  test('follows so closely that a small stream has room for what comes next', async () => {
    const text = `<a>${`<c>${'x'.repeat(1000)}</c>`.repeat(200)}<b n="1"/></a>`
    const pieces = Array.from({ length: Math.ceil(text.length / 1000) }, (_, i) => text.slice(i * 1000, (i + 1) * 1000))
    const ways = Object.values(WAYS).map((way) => (reader: XmlReader) => drain(way(reader)))
    for (const read of [...ways, (reader: XmlReader) => reader.check()]) {
      for (const [chunks, maxRetained] of [
        [pieces, 3000],
        [pieces, 30_000],
        [[text.slice(0, 25_000), ...pieces.slice(25)], 30_000],
      ] as const) {
        const cursor = lend(chunks, { limits: { maxRetained }, highWaterMark: 1 })
        await read(readXml(cursor))
        expect(cursor.offset).toBe(text.length)
      }
    }
  })

  test('is after each event', async () => {
    for (const engine of ENGINES) {
      for (const pieces of everyCut(encoder.encode(THREE))) {
        const cursor = lend(pieces)
        for await (const { end, type } of readXml(cursor, { engine }).events()) {
          expect(cursor.offset).toBe(end)
          if (type === 'end') break
        }
        expect(cursor.offset).toBe(13)
      }
    }
  })

  test('is after the last event of the last array', async () => {
    for (const engine of ENGINES) {
      for (const pieces of everyCut(encoder.encode(THREE))) {
        for (let arrays = 1; arrays < 4; arrays++) {
          const cursor = lend(pieces)
          let end = 0
          let left = arrays
          for await (const events of readXml(cursor, { engine }).events().batches()) {
            end = events.at(-1)?.end ?? Number.NaN
            expect(cursor.offset).toBe(end)
            if (--left === 0) break
          }
          expect(cursor.offset).toBe(left === 0 ? end : THREE.length)
        }
      }
    }
  })

  test('is after the last element of the last array', async () => {
    for (const engine of ENGINES) {
      for (const pieces of everyCut(encoder.encode(THREE))) {
        const cursor = lend(pieces)
        for await (const elements of readXml(cursor, { engine }).select('b').batches()) {
          expect(cursor.offset).toBe(elements.at(-1)?.end)
          if (elements.at(-1)?.end === 24) break
        }
        expect([24, THREE.length]).toContain(cursor.offset)
      }
    }
  })

  test('is after the last record of the last array of them, or of lines', async () => {
    const ends = new Map([
      [1, 13],
      [2, 24],
      [3, 33],
    ])
    for (const engine of ENGINES) {
      for (const pieces of everyCut(encoder.encode(THREE))) {
        const cursor = lend(pieces)
        for await (const batch of readXml(cursor, { engine }).records('b', SHAPE).batches()) {
          expect(cursor.offset).toBe(ends.get(batch.length))
          break
        }
        for (const format of ['jsonl', 'csv'] as const) {
          const forLines = lend(pieces)
          let count = format === 'csv' ? -1 : 0
          for await (const bytes of readXml(forLines, { engine }).write(format, 'b', SHAPE)) {
            count += bytes.filter((byte) => byte === 10).length
            expect(forLines.offset).toBe(count === 0 ? 0 : ends.get(count))
            if (count > 0) break
          }
        }
      }
    }
  })

  test('is after the last record of a batch of columns', async () => {
    const two = (reader: XmlReader) => leaveAfter(reader.columns('b', SHAPE, { rows: 2 }), 1)
    expect(await positionsOf(THREE, two)).toEqual([24])
    const both = (reader: XmlReader) => leaveAfter(reader.columns('b', SHAPE, { rows: 2 }), 2)
    expect(await positionsOf(THREE, both)).toEqual([33])
    const failing = (reader: XmlReader) => leaveAfter(reader.columns('b', SHAPE, { rows: 2 }), 9)
    expect(await positionsOf(THREE.replace('</a>', '</c>'), failing)).toEqual([33])
  })

  test('is at the end when a document was read, and stays where it was when an error comes before an item', async () => {
    expect(await positionsOf(THREE, (reader) => reader.check())).toEqual([THREE.length])
    expect(await positionsOf(THREE, (reader) => leaveAfter(reader.select('c'), 1))).toEqual([THREE.length])
    expect(await positionsOf('<a><b/></c>', (reader) => reader.check())).toEqual([0])
    expect(await positionsOf('<a><b/></c>', (reader) => leaveAfter(reader.select('c'), 1))).toEqual([0])
  })

  test('stays where it was when nothing is taken', async () => {
    const leave = async (reader: XmlReader) => {
      await reader.select('b').return()
    }
    expect(await positionsOf(THREE, leave)).toEqual([0])
  })

  test('counts in the bytes of the source, whatever the encoding', async () => {
    const bytes = Buffer.from(`\ufeff${THREE}`, 'utf16le')
    expect(await positionsOf(bytes, (reader) => leaveAfter(reader.select('b'), 2))).toEqual([50])
    expect(await positionsOf(bytes, (reader) => leaveAfter(reader.records('b', SHAPE), 2))).toEqual([50])
    expect(await positionsOf(bytes, (reader) => leaveAfter(reader.columns('b', SHAPE, { rows: 2 }), 1))).toEqual([50])
    expect(await positionsOf(bytes, (reader) => reader.check())).toEqual([80])
    const broken = Buffer.from(`\ufeff${THREE.replace('</a>', '</c>')}`, 'utf16le')
    expect(await positionsOf(broken, (reader) => leaveAfter(reader.select('b'), 9))).toEqual([68])
  })

  test('is after the last item that was taken, when a signal aborts', async () => {
    const controller = new AbortController()
    const cursor = lend(stalling([encoder.encode(THREE)]))
    const reading = readXml(cursor, { signal: controller.signal }).select('b')
    await reading.next()
    controller.abort(new Error('enough'))
    await expect(reading.next()).rejects.toThrow('enough')
    expect(cursor.offset).toBe(13)
  })

  test('is after the last item when the loop is left while it waits', async () => {
    const cursor = lend(stalling([encoder.encode('<a><b/> <b/> <c>')]))
    const reading = readXml(cursor).select('b')
    await reading.next()
    await reading.next()
    const waiting = reading.next()
    await reading.return()
    expect([await waiting, cursor.offset]).toEqual([{ done: true, value: undefined }, 12])
  })

  test('lets the stream be freed where nothing is delivered for long', async () => {
    const filler = `<c>${'x'.repeat(1000)}</c>`.repeat(1000)
    const cache = StreamCache.from([`<a><b/>`, ...Array(20).fill(filler), '</d>'])
    const cursor = cache.cursor()
    let most = 0
    const watch = (async () => {
      const reading = readXml(cursor).select('b')
      await reading.next()
      expect(cursor.offset).toBe(7)
      const end = reading.next()
      const timer = setInterval(() => {
        most = Math.max(most, cache.retained)
      })
      await expect(end).rejects.toThrow('</d>')
      clearInterval(timer)
    })()
    await watch
    const end = 7 + 20 * filler.length
    expect(cursor.offset).toBe(end + 2 - 65536)
    expect(most).toBeLessThan(6_000_000)
    cursor.release()
  })

  test('can read what follows, in any way', async () => {
    for (const pieces of everyCut(encoder.encode('<a><b>1</b>GET /'))) {
      const cursor = lend(pieces)
      for await (const { text } of readXml(cursor).select('b')) {
        expect(text).toBe('1')
        break
      }
      expect(new TextDecoder().decode(await cursor.read(5))).toBe('GET /')
    }
  })
})
