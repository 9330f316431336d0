import { describe, expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import { makeExcerpt } from '../../../source/machine/failure/excerpt.ts'
import { escapeUnseen, quoteCharacter, widthOf } from '../../../source/text/markup/visible.ts'
import { parseXml } from '../../../source/xml/index.ts'

/** What is thrown. */
function catchError(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing is thrown')
}

describe('a character that nobody sees', () => {
  test.each([
    ['\ufeff', 'U+FEFF'],
    ['\u200b', 'U+200B'],
    ['\u00a0', 'U+00A0'],
    ['\u3000', 'U+3000'],
    ['\u001b', 'U+001B'],
    ['\u0301', 'U+0301'],
    ['\u{e0041}', 'U+E0041'],
    ['\n', '"\\n"'],
    ['\t', '"\\t"'],
    [' ', '" "'],
    ['"', '"\\""'],
    ['木', '"木"'],
    ['🌳', '"🌳"'],
  ])('%j is found as %s', (character, quoted) => {
    expect(quoteCharacter(character)).toBe(quoted)
  })

  test('is escaped in a text, unless it belongs to the letters beside it', () => {
    expect(escapeUnseen('a\u200bb\u00a0c\ufeff\u{e0041}\u001b')).toBe('a\\u200bb\\u00a0c\\ufeff\\u{e0041}\\u001b')
    for (const text of ['می‌خواهم', '👩‍👧 ❤️', 'a b\tc\n', 'é 木']) expect(escapeUnseen(text)).toBe(text)
    expect(escapeUnseen('b\u200db')).toBe('b\\u200db')
  })

  test('is named by messages of XML and of grammars', () => {
    const grammar = Grammar.from('program ::= [a-z]+ ;')
    expect(catchError(() => grammar.parse('a\u00a0b'))).toMatchObject({
      message: 'expected [a-z] or end of input, but found U+00A0 (line 1, column 2, byte 1)',
    })
    expect(catchError(() => Grammar.from('program\ufeff ::= "a" ;')).message).toMatch('but found U+FEFF')
    expect(catchError(() => parseXml('<a b=\u200b"1"/>')).message).toMatch(
      'expected a value in quotes, but found U+200B',
    )
    expect(catchError(() => parseXml('<ab></a\u200bb>')).message).toMatch(
      'the end tag </a\\u200bb> does not match <ab>',
    )
    expect(catchError(() => parseXml('<a>\u001b</a>')).message).toMatch('does not allow the character U+001B')
  })
})

describe('the width of a text in a terminal', () => {
  test.each([
    ['abc', 3],
    ['中文', 4],
    ['ｶﾅ ＡＢ', 7],
    ['한글', 4],
    ['\u1112\u1161\u11ab', 2],
    ['e\u0301é', 2],
    ['🌳', 2],
    ['🇩🇪', 2],
    ['©→½', 3],
    ['\u{20000}', 2],
  ])('of %j is %i', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  test('decides where the caret stands, below an input and below a grammar', () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    expect(makeExcerpt(bytes('中文e\u0301🌳'), bytes('!'))).toBe(`中文e\u0301🌳!\n${' '.repeat(7)}^`)
    expect(makeExcerpt(bytes('a\u200bb'), bytes('!'))).toBe('a\ufffdb!\n   ^')
    expect(makeExcerpt(bytes('木'.repeat(70)), bytes('!'))).toBe(`…${'木'.repeat(60)}!\n${' '.repeat(121)}^`)
    expect(catchError(() => Grammar.from('program ::= "木" other ;'))).toMatchObject({
      excerpt: `program ::= "木" other ;\n${' '.repeat(17)}^^^^^`,
    })
  })
})
