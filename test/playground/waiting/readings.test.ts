import { describe, expect, test } from 'vitest'
import { Counter } from '../../../playground/waiting/counter.ts'
import { countPlainly } from '../../../playground/waiting/measuring.ts'
import { readings } from '../../../playground/waiting/readings.ts'
import { cutText, makeText, streamChunks } from '../../../playground/waiting/text.ts'
import type { WayName } from '../../../playground/waiting/ways.ts'
import { groups, measuringOrder } from '../../../playground/waiting/ways.ts'

async function read(way: WayName, chunks: Uint8Array[]): Promise<Counter> {
  const count = new Counter()
  await readings[way](streamChunks(chunks), count, chunks)
  return count
}

describe.each(Object.keys(readings) as WayName[])('the way %s', (way) => {
  test('counts the same at every size of chunks, also where words are cut and chunks are single bytes', async () => {
    // Ends within a word.
    const text = makeText(500)
    const expected = countPlainly([text])
    expect(expected).toEqual({ characters: 500, words: 68, lines: 5 })
    for (let size = 1; size <= text.length; size++) {
      expect((await read(way, cutText(text, size))).answer, `chunks of ${size}`).toEqual(expected)
    }
  })

  test('counts a text that ends with a line feed, one of a single word, and an empty one', async () => {
    for (const text of ['one two\nthree\n', 'one', '']) {
      const bytes = new TextEncoder().encode(text)
      const chunks = text === '' ? [] : cutText(bytes, 4)
      expect((await read(way, chunks)).answer, JSON.stringify(text)).toEqual(countPlainly(chunks))
    }
  })
})

test('only eager ways await a promise for each piece', async () => {
  const chunks = cutText(makeText(100_000), 10_000)
  const { characters, words } = countPlainly(chunks)
  for (const { ways } of groups) {
    for (const { name, isEager } of ways) {
      const { awaited } = await read(name, chunks)
      if (isEager) expect(awaited, name).toBeGreaterThanOrEqual(name === 'await-character' ? characters : words)
      else expect(awaited, name).toBeLessThanOrEqual(chunks.length + 1)
    }
  }
})

test('each way is shown once, and the floor is measured first', () => {
  expect([...measuringOrder].sort()).toEqual(Object.keys(readings).sort())
  expect(measuringOrder[0]).toBe('loop')
})
