// What text stands for: as the kernel decodes it, and as its twin in plain TypeScript does.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decode } from '../../../source/machine/program/registers.ts'
import { decodeCharacterData, decodePlainly } from '../../../source/xml/text/character-data.ts'
import { parameters } from '../../support/property.ts'

const encoder = new TextEncoder()

function decode(text: string, kind: keyof typeof Decode): string {
  const bytes = encoder.encode(`<${text}>`)
  return decodeCharacterData(bytes, 1, bytes.length - 1, Decode[kind])
}

/** Longer than what is decoded without the kernel. */
const PADDING = 'padding '.repeat(10)

describe.each(['', PADDING])('text after %j', (padding) => {
  test.each([
    ['PLAIN', 'a &amp; \r\n\t', 'a &amp; \r\n\t'],
    ['VERBATIM', 'a &amp; \r\n\t\rb\r', 'a &amp; \n\t\nb\n'],
    ['TEXT', 'a &amp;&lt;&gt;&quot;&apos; \r\n\t\r&#13;', 'a &<>"\' \n\t\n\r'],
    ['VALUE', 'a &amp;\r\n\t\n\r&#9;&#xA;', 'a &    \t\n'],
    ['TEXT', '&#65;&#x1d11e;&#x1D11E;é𝄞&#233;', 'A𝄞𝄞é𝄞é'],
    ['TEXT', '', ''],
  ] as const)('%s %j stands for %j', (kind, text, expected) => {
    expect(decode(padding + text, kind)).toBe(padding + expected)
  })
})

test('what is decoded stands for the same wherever ASCII ends', () => {
  for (let length = 0; length < 70; length++) {
    const text = `${'x'.repeat(length)}é&lt;${'y'.repeat(length)}𝄞ж`
    expect(decode(PADDING + text, 'TEXT')).toBe(PADDING + text.replace('&lt;', '<'))
  }
})

test('any text stands for what its pieces stand for', () => {
  const pieces = fc.constantFrom('&lt;', '&#x41;', '\r', '\n', '\t', 'é', '漢字', '𝄞', 'plain text', ']]')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), fc.constantFrom('TEXT', 'VALUE', 'VERBATIM'), (all, kind) => {
      const text = all.join('')
      const folded = text.replace(/\r\n?/g, '\n')
      const blank = kind === 'VALUE' ? text.replace(/\r\n|[\r\n\t]/g, ' ') : folded
      const filled = kind === 'VERBATIM' ? blank : blank.replaceAll('&lt;', '<').replaceAll('&#x41;', 'A')
      expect(decode(text, kind)).toBe(filled)
      expect(decode(PADDING + text, kind)).toBe(PADDING + filled)
    }),
    parameters(500),
  )
})

test('characters of any length in UTF-8 stand for themselves, in any order', () => {
  const characters = fc.constantFrom('a', 'é', '\u0080', '\u07FF', '\u0800', '\uFFFD', '𐀀', '\u{10FFFF}')
  fc.assert(
    fc.property(
      fc.array(characters, { minLength: 80, maxLength: 200 }),
      fc.constantFrom('PLAIN', 'TEXT'),
      (all, kind) => {
        expect(decode(all.join(''), kind)).toBe(all.join(''))
      },
    ),
    parameters(1000),
  )
})

test('content stands for its text without markup, in the kernel and without it', () => {
  const pieces = fc.constantFrom(
    ...['plain text', 'é', '漢', '𝄞', '&lt;', '&#x41;', '&none;', '&a65;', '\r\n', '>', ']]'],
    ...['<a>', '</a >', '<b c="&lt;">', '<b c=\'">\' d="\'"/>', '<!-- <a> & -->', '<!---->', '<?p <a?> ?>', '<?q?>'],
    ...['<![CDATA[<a>&lt;\r]]>', '<![CDATA[]]]]>', '<![CDATA[]]>', `<e f="${'x'.repeat(40)}">`],
  )
  const plain = (all: readonly string[]) => {
    return all
      .join('\0')
      .replace(/<!\[CDATA\[(.*?)\]\]>/gs, (_, text: string) => text.replaceAll('<', '\u0001').replaceAll('&', '\u0002'))
      .replace(/<!--.*?-->|<\?.*?\?>|<\/a >|<a>|<b c="&lt;">|<b c='">' d="'"\/>|<e f="x*">/gs, '')
      .replace(/\0/g, '')
      .replace(/\r\n?/g, '\n')
      .replaceAll('&lt;', '<')
      .replaceAll('&#x41;', 'A')
      .replace(/&none;|&a65;/g, '')
      .replaceAll('\u0001', '<')
      .replaceAll('\u0002', '&')
  }
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (all) => {
      const bytes = encoder.encode(PADDING + all.join(''))
      const expected = PADDING + plain(all)
      expect(decodeCharacterData(bytes, 0, bytes.length, Decode.CONTENT)).toBe(expected)
      expect(decodePlainly(bytes, 0, bytes.length, Decode.CONTENT)).toBe(expected)
    }),
    parameters(500),
  )
})
