import { afterEach, expect, test, vi } from 'vitest'
import { chooseChunks, countPlainly, measureWay } from '../../../playground/waiting/measuring.ts'
import { readings } from '../../../playground/waiting/readings.ts'
import { cutText, makeText } from '../../../playground/waiting/text.ts'
import { isThorough } from '../../support/extent.ts'

afterEach(() => vi.restoreAllMocks())

test('what is fast reads all chunks, and what is slow as many as take a fifth of a second', () => {
  expect(chooseChunks(123, 4, 1)).toBe(123)
  expect(chooseChunks(123, 4, 20)).toBe(40)
  expect(chooseChunks(123, 4, 10_000)).toBe(4)
  expect(chooseChunks(3, 3, 10_000)).toBe(3)
  expect(chooseChunks(123, 4, 0)).toBe(123)
})

test.runIf(isThorough)('a way is measured by character, with its promises scaled to all of the text', async () => {
  const chunks = cutText(makeText(1_000_000), 65_536)
  const { way, nanoseconds, share, promises } = await measureWay('await-character', chunks)
  expect(way).toBe('await-character')
  expect(nanoseconds).toBeGreaterThan(1)
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThanOrEqual(1)
  expect(promises / 1_000_000).toBeCloseTo(1, 3)
})

test('a way that misses something is found out', async () => {
  vi.spyOn(readings, 'chunk').mockImplementation((_, count, chunks) => {
    for (const chunk of chunks) for (const byte of chunk.subarray(1)) count.take(byte)
  })
  const chunks = cutText(makeText(100_000), 65_536)
  const { characters } = countPlainly(chunks)
  await expect(measureWay('chunk', chunks)).rejects.toThrow(`chunk found {"characters":${characters - chunks.length},`)
})
