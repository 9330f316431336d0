// Text in pieces: the same ones in whatever chunks the document arrives, and not held before they are delivered.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readXml, type XmlEventOptions, type XmlOptions } from '../../source/xml/index.ts'
import { isThorough } from '../support/extent.ts'
import { parameters } from '../support/property.ts'
import { piecesOf } from '../support/xml.ts'

const ENTITIES = `<!ENTITY e "ent"><!ENTITY f "<b>in</b>t"><!ENTITY g "<![CDATA[<&#38;]]>s&#38;#13;"><!ENTITY h "">`
const DOCTYPE = `<!DOCTYPE a [${ENTITIES}]>`
const PARTS = [
  'abc',
  'é',
  '𝄞',
  '&lt;',
  '&#x1D11E;',
  '&e;',
  '&f;',
  '&g;',
  '&h;',
  '\r\n',
  '\r',
  ']]',
  '<c/>',
  '<!--k-->',
  '<?p i?>',
]
const SECTIONS = [
  '<![CDATA[a&b]]>',
  '<![CDATA[]]>',
  '<![CDATA[xyz\r\n𝄞é]]>',
  '<![CDATA[q]]]]>',
  '<![CDATA[longer than all]]>',
]
const ENDS = [
  '</a>',
  '',
  '\u0001',
  '&',
  '<',
  ']]>',
  '&nope;',
  '<![CDATA[un',
  '<![CDATA[x\r',
  '<![CDATA[]]',
  '&#0;',
  '</a',
  '\uFFFE',
  '\r',
  '&e',
]

/** What parts stand for that are not themselves; a NUL for a carriage return that is none of the text's line ends. */
const TEXTS = new Map([
  ...['<c/>', '<!--k-->', '<?p i?>', '&h;'].map((part) => [part, ''] as const),
  ...Object.entries({ '&lt;': '<', '&#x1D11E;': '𝄞', '&e;': 'ent', '&f;': 'int', '&g;': '<&s\0' }),
])

/** The text of parts. */
function textOf(parts: readonly string[], normalizesLineEnds: boolean): string {
  const texts = parts.map((part) => TEXTS.get(part) ?? part.replace(/^<!\[CDATA\[(.*)\]\]>$/s, '$1')).join('')
  return (normalizesLineEnds ? texts.replace(/\r\n?/g, '\n') : texts).replaceAll('\0', '\r')
}

/** What is reported of a document, a line each: offsets, what text there is, and finally the error. */
async function tell(chunks: Iterable<Uint8Array>, options: XmlEventOptions, how: XmlOptions): Promise<string[]> {
  const told: string[] = []
  try {
    for await (const events of readXml(chunks, how).events(options).batches()) {
      for (const event of events) {
        const { start, end, type } = event
        const text = event.type === 'text' ? ` ${event.cdata ? 'cdata ' : ''}${JSON.stringify(event.text)}` : ''
        told.push(`${start}-${end} ${type}${text}`)
      }
    }
  } catch (error) {
    told.push(`${(error as { byteOffset: number }).byteOffset} ${(error as Error).message}`)
  }
  return told
}

/** The same, where texts in a row are one. */
function join(told: readonly string[]): string[] {
  const joined: string[] = []
  for (const line of told) {
    const text = /^(\d+)-(\d+) text "(.*)"$/.exec(line)
    const before = text && /^(\d+)-(\d+) text "(.*)"$/.exec(joined.at(-1) ?? '')
    if (before) joined[joined.length - 1] = `${before[1]}-${text[2]} text "${before[3]}${text[3]}"`
    else joined.push(line)
  }
  return joined
}

describe('text in pieces', () => {
  test('is the same in whatever chunks it arrives, as far as the first error', async () => {
    const content = fc.array(fc.constantFrom(...PARTS, ...SECTIONS), { maxLength: 12 })
    const options = fc.record({ maxText: fc.integer({ min: 1, max: 8 }), cdata: fc.boolean() })
    const how = fc.record({ fragment: fc.boolean(), normalizeLineEnds: fc.boolean() })
    const end = fc.constantFrom('</a>', ...ENDS)
    const property = fc.asyncProperty(
      content,
      end,
      fc.boolean(),
      options,
      how,
      async (parts, last, isWide, given, xml) => {
        const text = `${xml.fragment ? '' : DOCTYPE}<a>${parts.join('')}${last}`
        const bytes = isWide ? Buffer.from(`\uFEFF${text}`, 'utf16le') : Buffer.from(text)
        const whole = await tell([bytes], given, xml)
        for (const size of [1, 2, 3, 7, 64]) expect(await tell(piecesOf(bytes, size), given, xml)).toEqual(whole)
        for (const size of [3, 40])
          expect(await tell(piecesOf(bytes, size), given, { ...xml, engine: 'plain' })).toEqual(whole)
        for (let at = 1; at < bytes.length; at += 5) {
          expect(await tell([bytes.subarray(0, at), bytes.subarray(at)], given, xml)).toEqual(whole)
        }
        if (last === '</a>' && !xml.fragment) {
          const texts = whole.map((line) => /^\d+-\d+ text (?:cdata )?(".*")$/.exec(line)?.[1] ?? '""')
          expect(texts.map((literal) => JSON.parse(literal)).join('')).toBe(textOf(parts, xml.normalizeLineEnds))
        }
        if (!given.cdata) expect(join(whole)).toEqual(join(await tell([bytes], {}, xml)))
      },
    )
    await fc.assert(property, parameters(300, 6))
  })

  test.each([
    ['un', 'un'],
    ['un\r\nclosed', 'un\nclosed'],
    ['u]]', 'u]]'],
    ['un\r', 'un\n'],
    ['un\u0001', 'un'],
    ['\r\nun]\u0001', '\nun]'],
  ])('is what there is of a CDATA section that is not closed: %j', async (written, text) => {
    const bytes = Buffer.from(`<a><![CDATA[${written}`)
    const section = `3-${12 + written.replace('\u0001', '').length} text ${JSON.stringify(text)}`
    for (const size of [1, 2, 5, 100]) {
      for (const maxText of [1, 3, 100, Number.POSITIVE_INFINITY]) {
        const told = await tell(piecesOf(bytes, size), { maxText }, {})
        expect(join(told).slice(0, 2)).toEqual(['0-3 start', section])
      }
    }
  })

  test('is not a document type declaration though it looks like one', async () => {
    const chunks = [`<![CDATA[${'a'.repeat(140)}`, '<!DOCTYPE x [<!BAD]>'].map((text) => Buffer.from(text))
    const told = await tell(chunks, { maxText: 100 }, { fragment: true })
    expect(told).toEqual([`0-109 text "${'a'.repeat(100)}"`, `109-169 text "${'a'.repeat(40)}<!DOCTYPE x [<!BAD]>"`])
  })

  test('lies where its characters do', async () => {
    const bytes = Buffer.from('<a>ab&lt;é<![CDATA[xy\r\nz]]>12</a>')
    const expected = [
      '0-3 start',
      '3-9 text "ab<"',
      '9-22 text "éxy"',
      '22-29 text "\\nz1"',
      '29-30 text "2"',
      '30-34 end',
    ]
    for (const size of [1, 4, 100]) {
      const told = await tell(piecesOf(bytes, size), { maxText: 3 }, {})
      expect(told).toEqual(expected)
    }
    expect(await tell([bytes], { maxText: 3, cdata: true }, {})).toEqual([
      '0-3 start',
      '3-9 text "ab<"',
      '9-11 text "é"',
      '11-24 text cdata "xy\\n"',
      '24-28 text cdata "z"',
      '28-30 text "12"',
      '30-34 end',
    ])
  })

  test.each([
    ['words', 'some text é ', 'some text é '],
    ['references', '&lt;', '<'],
    ['references to characters', '&#x41;', 'A'],
    ['a CDATA section', '<![CDATA[a & b\r\n]]>', 'a & b\n'],
    ['its line ends', '<![CDATA[\r\n]]>', '\n'],
    ['what looks like its end', '<![CDATA[]]]]>', ']]'],
  ])('is not held until it has ended: %s', async (_, written, text) => {
    const [, open, repeated = '', close] = /^(<!\[CDATA\[)?(.*?)(\]\]>)?$/s.exec(written) as RegExpExecArray
    const chunk = Buffer.from(repeated.repeat(10_000))
    const chunks = isThorough ? 100 : 12
    function* produce() {
      yield Buffer.from(`<a>${open ?? ''}`)
      for (let i = 0; i < chunks; i++) yield* piecesOf(chunk, 30_001)
      yield Buffer.from(`${close ?? ''}</a>`)
    }
    const pieces: string[] = []
    const limits = { maxRetained: 100_000 }
    for await (const events of readXml(produce(), { limits }).events({ maxText: 20_000 }).batches()) {
      for (const event of events) if (event.type === 'text') pieces.push(event.text)
    }
    expect(new Set(pieces.slice(0, -1).map(({ length }) => length))).toEqual(new Set([20_000]))
    expect(pieces.join('') === text.repeat(10_000 * chunks)).toBe(true)
  })

  test('is held completely where pieces are not wanted, up to the limit', async () => {
    const reading = async () => {
      const chunks = ['<a>', ...Array.from({ length: 50 }, () => 'some text '.repeat(1000)), '</a>']
      for await (const _ of readXml(chunks, { limits: { maxRetained: 100_000 } })
        .events()
        .batches());
    }
    await expect(reading()).rejects.toMatchObject({ code: 'retained-limit' })
  })
})
