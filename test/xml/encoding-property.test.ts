// Documents in every encoding that the platform knows, right and malformed: the same complete, byte by byte and at every cut.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type XmlError } from '../../source/xml/index.ts'
import { everyCut } from '../support/collect.ts'
import { sample } from '../support/extent.ts'
import { parameters } from '../support/property.ts'
import { read, readPieces } from '../support/xml.ts'

/** Names of the WHATWG Encoding Standard; those that this platform does not know are left out. */
const LABELS = [
  ...['ibm866', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8'],
  ...['iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16', 'koi8-r', 'koi8-u'],
  ...['macintosh', 'windows-874', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'x-mac-cyrillic', 'gbk', 'gb18030', 'big5'],
  ...['euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr', 'iso-8859-1', 'us-ascii', 'utf-8'],
].filter((label) => {
  try {
    return new TextDecoder(label) !== undefined
  } catch {
    return false
  }
})
const MULTI_BYTE = ['gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr']

const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const join = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const declare = (label: string) => ascii(`<?xml version="1.0" encoding="${label}"?>\n<a>\n`)

/** What is thrown, and where: the same however the document is cut. */
async function errorOf(bytes: Uint8Array): Promise<object | undefined> {
  const { error } = await read(bytes)
  if (!error) return undefined
  const { name, code, message, byteOffset, line, column } = error
  for (const pieces of sample([...everyCut(bytes)], 3)) {
    const other = (await readPieces(pieces)).error as XmlError
    expect({ ...other, message: other.message }).toEqual({ ...error, message })
  }
  expect(name).toBe('XmlError')
  return { code, byteOffset, line, column }
}

describe.each(LABELS)('%s', (label) => {
  test('is read as the platform decodes it, with the offsets of its bytes', async () => {
    const samples: Record<string, string> = {
      gbk: 'd6d0 80 41 b9fa',
      gb18030: 'd6d0 8431a437 41 9439da33 81308130',
      big5: 'a4a4 41 b0ea',
      'euc-jp': 'c6fc 8eb1 8fb0a1 41',
      'iso-2022-jp': '1b2442467c 1b284241 1b2442 4b5c3c31 1b284a5c 1b284941 1b2842',
      shift_jis: '93fa b1 41 967b',
      'euc-kr': 'c7d1 41 b1b9',
      'utf-8': 'c3a9 e69ca8 f09f8cb3',
      'us-ascii': '7e',
    }
    const text = Buffer.from((samples[label] ?? 'e1 e2 41 f1').replaceAll(' ', ''), 'hex')
    const bytes = join(declare(label), text, ascii('<b/></a>'))
    const { events, places, error } = await read(bytes)
    expect(error).toBeUndefined()
    // Of Node's decoders only those of streams know windows-1252.
    const decoded =
      label === 'iso-8859-1' ? text.toString('latin1') : new TextDecoder(label).decode(text, { stream: true })
    expect(decoded).not.toContain('\ufffd'.repeat(2))
    expect(events[2]).toBe(JSON.stringify(`\n${decoded}`))
    // In ISO-2022-JP an escape sequence belongs to the character after it.
    const start = bytes.length - '<b/></a>'.length - (label === 'iso-2022-jp' ? 3 : 0)
    const end = bytes.length - '</a>'.length
    expect(places.slice(2)).toEqual([
      `${declare(label).length - 1}-${start}`,
      `${start}-${end}`,
      `${end}-${end}`,
      `${end}-${bytes.length}`,
    ])
    expect(parseXml(bytes).root.child('b')?.start).toBe(start)
  })
})

describe('malformed text', () => {
  test.each([
    ['gb18030', '813081'],
    ['gb18030', '81308862'],
    ['gb18030', '81303c'],
    ['gb18030', '81'],
    ['gb18030', 'ff'],
    ['gbk', '81'],
    ['gbk', 'ff'],
    ['big5', '8120'],
    ['big5', '80'],
    ['euc-jp', '8fa27e'],
    ['euc-jp', '8f'],
    ['euc-jp', '8e'],
    ['euc-jp', 'a120'],
    ['euc-jp', '9f'],
    ['iso-2022-jp', '1b'],
    ['iso-2022-jp', '1b24'],
    ['iso-2022-jp', '1b241b2842'],
    ['iso-2022-jp', '1b2442210a'],
    ['iso-2022-jp', '1b28421b284241'],
    ['iso-2022-jp', '0e'],
    ['shift_jis', 'ff'],
    ['shift_jis', '8120'],
    ['euc-kr', 'c720'],
    ['euc-kr', 'c7'],
    ['windows-1253', 'd2'],
    ['us-ascii', '80'],
    ['utf-8', 'c3'],
    ['utf-8', 'ed a080'],
  ])('in %s, %s, is one error where it begins, however it is cut', async (label, hex) => {
    const start = declare(label)
    const bad = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    const place = { code: 'malformed-text', byteOffset: start.length + 1, line: 3, column: 2 }
    expect(await errorOf(join(start, ascii('x'), bad, ascii('</a>')))).toEqual(place)
    expect(await errorOf(join(start, ascii('x'), bad))).toMatchObject({ byteOffset: start.length + 1 })
  })

  test('is an error with a place at every cut, and nothing else is', async () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x1b, 0x24, 0x28, 0x42, 0x81, 0x30, 0x8e, 0x8f, 0x3c, 0x41))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...MULTI_BYTE, ...LABELS),
        fc.array(byte, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(100), { maxLength: 5 }),
        async (label, given, cuts) => {
          const bytes = join(declare(label), Uint8Array.from(given.filter((one) => one !== 0x26)), ascii('</a>'))
          const whole = await readPieces([bytes])
          const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
          const pieces = places.slice(1).map((place, i) => bytes.slice(places[i], place))
          const cut = await readPieces(pieces)
          const summary = ({ events, places: where, error }: typeof whole) => {
            return { events, where, message: error?.message, code: error?.code, excerpt: error?.excerpt }
          }
          expect(summary(cut)).toEqual(summary(whole))
          expect(whole.error?.byteOffset ?? 0).toBeLessThanOrEqual(bytes.length)
        },
      ),
      parameters(3000),
    )
  })

  test.each([['81303c'], ['8130'], ['ff']])(
    'in an external entity, %s, is an error where it is referred to',
    async (hex) => {
      const entity = join(ascii('<?xml encoding="gb18030"?>x'), Buffer.from(hex, 'hex'))
      const documents = [
        '<!DOCTYPE a [<!ENTITY e SYSTEM "e.xml">]>\n<a>&e;</a>',
        '<!DOCTYPE a SYSTEM "e.xml">\n<a/>',
        '<!DOCTYPE a [\n<!ENTITY % e SYSTEM "e.xml">%e;]><a/>',
      ]
      for (const document of documents) {
        const error = await readXml([document], { resolve: () => entity })
          .check()
          .catch((reason: unknown) => reason)
        expect(error).toMatchObject({ name: 'XmlError', code: 'malformed-text', line: expect.any(Number) })
        expect((error as Error).message).toContain('e.xml')
        expect(() => parseXml(document, { resolve: () => entity })).toThrow((error as Error).message)
      }
    },
  )
})

describe('an encoding', () => {
  test('that is not known is refused where it is an option', async () => {
    for (const encoding of ['wood', 'utf-32', '', 'replacement']) {
      expect(() => readXml(['<a/>'], { encoding })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
      expect(() => parseXml('<a/>', { encoding })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    }
    expect(() => readXml(['<a/>'], { encoding: 'wood' })).toThrow(RangeError)
  })

  test('of an external entity that is not known, or not the one it declares, is an error', async () => {
    const cases = [
      [ascii('<?xml encoding="wood"?>x'), 'unknown-encoding'],
      [Buffer.from('\ufeff<?xml encoding="UTF-8"?>x', 'utf16le'), 'encoding-mismatch'],
      [Buffer.from('x<y/>', 'utf16le'), 'malformed-text'],
    ] as const
    for (const [entity, code] of cases) {
      for (const document of [
        '<!DOCTYPE a [<!ENTITY e SYSTEM "e.xml">]>\n<a>&e;</a>',
        '<!DOCTYPE a SYSTEM "e.xml">\n<a/>',
      ]) {
        const error = await readXml([document], { resolve: () => new Uint8Array(entity) })
          .check()
          .catch((reason: unknown) => reason)
        expect(error, document).toMatchObject({ name: 'XmlError', code })
      }
    }
  })

  test.each(['utf-16le', 'utf-16be'])('must be declared if it is %s without a byte order mark', async (kind) => {
    const encode = (text: string) => {
      const wide = Buffer.from(text, 'utf16le')
      return new Uint8Array(kind === 'utf-16le' ? wide : wide.swap16())
    }
    expect(await errorOf(encode('<a>é</a>'))).toEqual({
      code: 'undeclared-encoding',
      byteOffset: 0,
      line: 1,
      column: 1,
    })
    expect(await errorOf(encode('<?xml version="1.0"?><a>é</a>'))).toMatchObject({ code: 'undeclared-encoding' })
    expect(await errorOf(encode('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'))).toBeUndefined()
    expect(await errorOf(encode('\ufeff<a>é</a>'))).toBeUndefined()
    expect((await read(encode('<a>é</a>'), { encoding: 'utf-16' })).events).toEqual(['<a>', '"é"', '</a>'])
    expect((await read(encode('\n<a>é</a>'), { encoding: kind })).events).toEqual(['<a>', '"é"', '</a>'])
  })
})
