import { expect, test } from 'vitest'
import { RecentTexts } from '../../source/text/recent-texts.ts'
import { isThorough } from '../support/extent.ts'

const encoder = new TextEncoder()

/** The string of a text's bytes, as whoever makes strings asks for it; undefined if it was not kept. */
function read(texts: RecentTexts, text: string): string | undefined {
  const bytes = encoder.encode(`<${text}>`)
  const found = texts.find(bytes, 1, bytes.length - 1)
  if (found === undefined) texts.keep(text)
  return found
}

test('a string is found again after it came twice', () => {
  const texts = new RecentTexts()
  expect([read(texts, 'name'), read(texts, 'name'), read(texts, 'name')]).toEqual([undefined, undefined, 'name'])
})

test('strings that are not ASCII are never kept', () => {
  const texts = new RecentTexts()
  for (let i = 0; i < 4; i++) expect(read(texts, 'größe')).toBeUndefined()
})

test.runIf(isThorough)('what is found is the string of the bytes, whatever else came to its place', () => {
  const texts = new RecentTexts()
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 5000; i++) {
      const text = String(i % 700)
      expect([text, undefined]).toContain(read(texts, text))
    }
  }
})
