// Words and phrases that are hard to read for who is new, with what says the same plainly.

import { describe, expect, test } from 'vitest'
import { pages, proseOf, readPage } from '../support/markdown.ts'

const STIFF: readonly (readonly [stiff: RegExp, plain: string])[] = [
  [/\bfault(s|y)?\b/i, 'error'],
  [/\bbehind\b/i, 'after'],
  [/\b(tells?|told|telling)\b/i, 'reports, says, shows'],
  [/\bpass(es|ed|ing)? over\b/i, 'skips'],
  [/\bmeans\b/i, 'matches, is'],
  [/\bwhole\b/i, 'complete, all'],
  [/\b(goes|go|going|went) on\b/i, 'continues'],
  [/\bneeds? a look\b/i, 'needs inspection'],
  [/\bwho (wants?|has|gives|keeps)\b/i, 'if you …'],
  [/\b(is|are) no (?!longer\b|more\b)/i, 'is not a …, there is no …'],
  [/\bhas to be\b/i, 'must be; or the imperative'],
  [/\bbut for\b/i, 'except for'],
  [/\bin place of\b/i, 'instead of'],
  [/\bof which\b/i, 'a sentence of its own'],
  [/\bunless said otherwise\b/i, 'by default'],
  [/\bmend(s|ed|ing)?\b/i, 'fix, repair'],
  [/\bround (it|them)\b/i, 'around'],
  [/\bhand(s|ed|ing)? over\b|\b(is|are) handed\b/i, 'yields'],
]

const lines = pages.flatMap((path) =>
  proseOf(readPage(path))
    .split('\n')
    .map((text, index) => ({ place: `${path}:${index + 1}`, text })),
)

describe('the documentation is in plain English', () => {
  test.each(STIFF)('%s: write "%s"', (stiff) => {
    const found = lines.filter(({ text }) => stiff.test(text.replace(/\bthere (is|are) no\b/gi, '')))
    expect(found.map(({ place, text }) => `${place}: ${text.trim()}`)).toEqual([])
  })

  test('a sentence has no more than 40 words', () => {
    const long = pages.flatMap((path) =>
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
