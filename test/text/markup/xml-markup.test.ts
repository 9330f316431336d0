import { expect, test } from 'vitest'
import { encodeText, findLacking, LAST_CODE_POINT } from '../../../source/text/markup/encode-text.ts'
import { findForbidden, isXmlCharacter } from '../../../source/text/markup/xml-characters.ts'
import {
  escapeAttribute,
  escapeText,
  nameDeclaration,
  writeAttributes,
  writeComment,
  writeInstruction,
} from '../../../source/text/markup/xml-markup.ts'
import { isThorough } from '../../support/extent.ts'

test('what would not come back from text becomes references', () => {
  expect(escapeText('a & b < c > d "e" \'f\'\t\n\r]]>')).toBe('a &amp; b &lt; c &gt; d "e" \'f\'\t\n&#13;]]&gt;')
  expect(escapeText('as it is')).toBe('as it is')
})

test('what would not come back from an attribute becomes references', () => {
  expect(escapeAttribute('a & b < c > d "e" \'f\'\t\n\r')).toBe(
    "a &amp; b &lt; c &gt; d &quot;e&quot; 'f'&#9;&#10;&#13;",
  )
})

test('attributes, declarations, comments and instructions are written as they stand in a document', () => {
  const declarations = ['', 'p'].map((prefix) => [nameDeclaration(prefix), `u<${prefix}`] as const)
  expect(writeAttributes([...declarations, ['a', '"']])).toBe(' xmlns="u&lt;" xmlns:p="u&lt;p" a="&quot;"')
  expect(writeAttributes([])).toBe('')
  expect(writeComment(' c ')).toBe('<!-- c -->')
  expect([writeInstruction('p', ''), writeInstruction('p', 'q')]).toEqual(['<?p?>', '<?p q?>'])
})

test('what an encoding lacks becomes references to its code points', () => {
  expect(escapeText('é € 😀 <', 0xff)).toBe('é &#8364; &#128512; &lt;')
  expect(escapeAttribute('é"', 0x7f)).toBe('&#233;&quot;')
  expect(escapeText('é € 😀', LAST_CODE_POINT)).toBe('é € 😀')
  expect(findLacking('é 😀', 0xff)).toBe('😀')
  expect(findLacking('é 😀', LAST_CODE_POINT)).toBe(undefined)
})

test.each([
  ['utf-8', 'é', [0xc3, 0xa9]],
  ['utf-16le', 'é😀', [0xe9, 0, 0x3d, 0xd8, 0, 0xde]],
  ['utf-16be', 'é', [0, 0xe9]],
  ['iso-8859-1', 'é', [0xe9]],
])('text is encoded in %s', (encoding, text, bytes) => {
  expect([...encodeText(text, encoding)]).toEqual(bytes)
})

test.runIf(isThorough)('the first character that is none of XML is found, at every code point', () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    if ((point & 0xfff) > 0x20 && point > 0x3000 && point < 0xd7ff) continue
    const text = `a😀${String.fromCodePoint(point)}b`
    if (isXmlCharacter(point) !== (findForbidden(text) === -1)) throw new Error(point.toString(16))
  }
  expect(findForbidden('a\u{1}b\u{2}')).toBe(1)
  expect(findForbidden('😀\ud83d')).toBe(2)
  expect(findForbidden('\ude00')).toBe(0)
  expect(findForbidden('')).toBe(-1)
})
