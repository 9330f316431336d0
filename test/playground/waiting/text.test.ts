import { expect, test } from 'vitest'
import { cutText, makeText, streamChunks } from '../../../playground/waiting/text.ts'

test('the text is the same each time: short words with one blank or line feed after each', () => {
  const text = new TextDecoder().decode(makeText(10_000))
  expect(text).toBe(new TextDecoder().decode(makeText(10_000)))
  expect(text).toHaveLength(10_000)
  expect(text).toMatch(/^(?:[a-z]{1,12}[ \n])+[a-z]{0,12}$/)
  const lines = text.split('\n').slice(0, -1)
  expect(lines.length).toBeGreaterThan(90)
  for (const line of lines) expect(line.length).toBeLessThan(100)
})

test('a smaller text is the beginning of a larger one', () => {
  expect(makeText(1001)).toEqual(makeText(2000).subarray(0, 1001))
})

test('chunks are views of the text, and the stream gives them in order', async () => {
  const text = makeText(1000)
  const chunks = cutText(text, 300)
  expect(chunks.map(({ length }) => length)).toEqual([300, 300, 300, 100])
  expect(chunks.every(({ buffer }) => buffer === text.buffer)).toBe(true)
  const given: Uint8Array[] = []
  for await (const chunk of streamChunks(chunks)) given.push(chunk)
  expect(given).toEqual(chunks)
})
