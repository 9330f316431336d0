// Words and phrases that are hard to read for a newcomer, with what says the same plainly. Pages, messages and help texts have none of them.

export const STIFF: readonly (readonly [stiff: RegExp, plain: string])[] = [
  [/(?<!\bpage )\bfault(s|y)?\b/i, 'error'],
  [/\bbehind\b/i, 'after'],
  [/\b(tells?|told|telling)\b/i, 'reports, says, shows'],
  [/\bpass(es|ed|ing)? over\b/i, 'skips'],
  [/\bmeans\b/i, 'matches, is'],
  [/\bwhole\b(?! numbers?\b)/i, 'complete, all'],
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

/** Whether a text has a stiff phrase. "There is no …" is plain. */
export function isStiff(text: string, stiff: RegExp): boolean {
  return stiff.test(text.replace(/\bthere (is|are) no\b/gi, ''))
}
