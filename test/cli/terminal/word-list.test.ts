// Texts as words of a shell, which messages suggest.

import { expect, test } from 'vitest'
import { quotePath, quoteWord } from '../../../source/cli/terminal/word-list.ts'

test.each([
  ['feed.rss', 'feed.rss', 'feed.rss'],
  ['-feed.rss', '-feed.rss', './-feed.rss'],
  ["it's", "'it'\\''s'", "'it'\\''s'"],
  ['- a', "'- a'", "'./- a'"],
  ['', "''", "''"],
])('%j is one word, and not an option where it is a path', (text, word, path) => {
  expect(quoteWord(text)).toBe(word)
  expect(quotePath(text)).toBe(path)
})
