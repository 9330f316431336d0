// The pages have none of the words and phrases that are hard to read, and no long sentences.

import { describe, expect, test } from 'vitest'
import { otherPages, pages, proseOf, readPage } from '../support/markdown.ts'
import { isStiff, STIFF } from '../support/plain-english.ts'

const everyPage = [...pages, ...otherPages]
const lines = everyPage.flatMap((path) =>
  proseOf(readPage(path))
    .split('\n')
    .map((text, index) => ({ place: `${path}:${index + 1}`, text })),
)

describe('the documentation is in plain English', () => {
  test.each(STIFF)('%s: write "%s"', (stiff) => {
    const found = lines.filter(({ text }) => isStiff(text, stiff))
    expect(found.map(({ place, text }) => `${place}: ${text.trim()}`)).toEqual([])
  })

  test('a sentence has no more than 40 words', () => {
    const long = everyPage.flatMap((path) =>
      sentencesOf(proseOf(readPage(path))).flatMap((sentence) =>
        sentence.split(/\s+/).length > 40 ? [`${path}: ${sentence}`] : [],
      ),
    )
    expect(long).toEqual([])
  })
})

/** The sentences of paragraphs and items of lists; tables and headings are left out. */
function sentencesOf(prose: string): string[] {
  const blocks = prose
    .split('\n')
    .map((line) => (/^\s*([|#<]|$)/.test(line) ? '' : line.replace(/^\s*([-*]|\d+\.) /, '\n')))
    .join('\n')
    .split(/\n\s*\n/)
  return blocks.flatMap((block) => block.replace(/\s+/g, ' ').split(/[.:;!?](?= )/)).map((sentence) => sentence.trim())
}
