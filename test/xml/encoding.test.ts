// Documents in other encodings; whole, byte by byte and at every cut.

import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { parseXml, readXml } from '../../source/xml/index.ts'
import { piecesOf, read } from '../support/xml.ts'

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf16le = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const utf16be = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16())
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('a document', () => {
  test.each([
    ['UTF-8 with a mark', utf8('\ufeff<a>é木🌳</a>'), 'é木🌳'],
    ['UTF-8 that says so', utf8('<?xml version="1.0" encoding="utf-8"?><a>é</a>'), 'é'],
    ['UTF-16LE with a mark', utf16le('\ufeff<a>é木🌳</a>'), 'é木🌳'],
    ['UTF-16BE with a mark', utf16be('\ufeff<a>é木🌳</a>'), 'é木🌳'],
    ['UTF-16 that says so', utf16be('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>é</a>'), 'é'],
    ['UTF-16BE without a mark', utf16be('<?xml version="1.0" encoding="UTF-16BE"?><a>é</a>'), 'é'],
    ['ISO-8859-1', latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>é\x80</a>'), 'é\x80'],
    ['latin1', latin1("<?xml version='1.0' encoding='latin1'?><a>ÿ</a>"), 'ÿ'],
    ['US-ASCII', latin1('<?xml version="1.0" encoding="US-ASCII"?><a>x</a>'), 'x'],
    ['windows-1252', latin1('<?xml version="1.0" encoding="windows-1252"?><a>\x80</a>'), '€'],
    [
      'Shift_JIS',
      new Uint8Array([...utf8('<?xml version="1.0" encoding="Shift_JIS"?><a>'), 0x96, 0xd8, ...utf8('</a>')]),
      '木',
    ],
  ])('in %s is read', async (_, bytes, text) => {
    const { events, error } = await read(bytes)
    expect(error).toBeUndefined()
    expect(events.at(-2)).toBe(JSON.stringify(text))
  })

  test.each([
    [
      'a mark of UTF-8 and another declaration',
      utf8('\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><a/>'),
      'encoding-mismatch',
    ],
    [
      'a mark of UTF-16 and another declaration',
      utf16le('\ufeff<?xml version="1.0" encoding="UTF-8"?><a/>'),
      'encoding-mismatch',
    ],
    ['a declaration of UTF-16 in bytes', utf8('<?xml version="1.0" encoding="UTF-16"?><a/>'), 'encoding-mismatch'],
    ['an encoding that nobody knows', utf8('<?xml version="1.0" encoding="wood"?><a/>'), 'unknown-encoding'],
    ['UTF-32', new Uint8Array([0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c]), 'unknown-encoding'],
    ['a byte above 127 in US-ASCII', latin1('<?xml version="1.0" encoding="US-ASCII"?><a>é</a>'), 'malformed-text'],
    ['half of a surrogate pair', utf16le('\ufeff<a>\ud800x</a>'), 'malformed-text'],
    ['surrogates the wrong way round', utf16le('\ufeff<a>\udf33\ud83c</a>'), 'malformed-text'],
    ['half a character at the end', utf16le('\ufeff<a/>').slice(0, -1), 'malformed-text'],
    [
      'bytes that are no Shift_JIS',
      new Uint8Array([...utf8('<?xml version="1.0" encoding="Shift_JIS"?><a>'), 0xff, ...utf8('</a>')]),
      'malformed-text',
    ],
  ])('with %s is refused', async (_, bytes, code) => {
    expect((await read(bytes)).error?.code).toBe(code)
  })

  test('may be in an encoding that something else tells, but not in two', async () => {
    expect((await read(latin1('<a>é</a>'), { encoding: 'ISO-8859-1' })).events).toEqual(['<a>', '"é"', '</a>'])
    const declared = utf8('<?xml version="1.0" encoding="UTF-8"?><a/>')
    expect((await read(declared, { encoding: 'ISO-8859-1' })).error?.code).toBe('encoding-mismatch')
    expect((await read(declared, { encoding: 'utf8' })).error).toBeUndefined()
  })

  test.each([
    ['UTF-16LE', utf16le('\ufeff<a b="é">🌳x<c/></a>'), ['2-20', '20-26', '26-34', '34-34', '34-42']],
    ['UTF-16BE', utf16be('\ufeff<a b="é">🌳x<c/></a>'), ['2-20', '20-26', '26-34', '34-34', '34-42']],
  ])('in %s has the offsets of its bytes', async (_, bytes, places) => {
    expect((await read(bytes)).places).toEqual(places)
    const { root } = parseXml(bytes)
    expect([root.start, root.end, root.child('c')?.start]).toEqual([2, 42, 26])
    expect(root.attributes.details[0]).toMatchObject({ start: 8, end: 16 })
    for await (const element of readXml([bytes]).select('c')) {
      expect([element.start, element.end, new TextDecoder().decode(element.bytes)]).toEqual([26, 34, '<c/>'])
    }
  })

  test('in ISO-8859-1 has the offsets of its bytes, also of faults', async () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><a>ÿÿÿ<b></a>'
    const { places, error } = await read(latin1(text))
    expect(places.slice(1)).toEqual(['43-46', '46-49', '49-52'])
    expect(error).toMatchObject({ code: 'tag-mismatch', byteOffset: text.indexOf('</a') + 2, column: 55 })
  })

  test('has the offsets of elements whose tags are longer than what is recorded at once', async () => {
    const head = '<?xml version="1.0" encoding="ISO-8859-1"?><r>'
    const bytes = latin1(`${head}<a b="${'&lt;'.repeat(60_000)}">x</a></r>`)
    for (const cut of [122, 240_057, 240_000]) {
      const pieces = () => [bytes.subarray(0, 122), bytes.subarray(122, cut), bytes.subarray(cut)]
      for await (const element of readXml(pieces()).select('a')) expect(element.start).toBe(head.length)
      const starts: number[] = []
      for await (const events of readXml(pieces()).events()) {
        for (const event of events) if (event.type === 'start') starts.push(event.start)
      }
      expect(starts).toEqual([head.length - 3, head.length])
    }
  })

  test.each([Number.POSITIVE_INFINITY, 50_000])('has the offsets of what waits for an entity: %d', async (maxText) => {
    const start = '\ufeff<!DOCTYPE a [<!ENTITY x SYSTEM "x">]><a>'
    const bytes = utf16le(`${start}&x;${'text é '.repeat(40_000)}&x;</a>`)
    const resolve = async () => '<i/>'
    const places: number[] = []
    for await (const events of readXml(piecesOf(bytes, 10_000), { resolve }).events({ maxText })) {
      for (const { type, start } of events) if (type === 'start') places.push(start)
    }
    expect(places).toEqual([2 * (start.length - 3), 2 * start.length, bytes.length - 14])
  })

  test('of a string is what the string says, whatever it declares', async () => {
    const text = '<?xml version="1.0" encoding="UTF-16"?><a>é</a>'
    expect(parseXml(text).root.text).toBe('é')
    expect(parseXml(`\ufeff${text}`).root).toMatchObject({ text: 'é', start: 42 })
    const chunks = ['<?xml version="1.0" enc', text.slice(23)]
    const streams = [
      StreamCache.from(chunks),
      StreamCache.from(text).cursor(),
      new Blob([text]).stream().pipeThrough(new TextDecoderStream()),
    ]
    for (const source of [text, `\ufeff${text}`, chunks, Array.from(text), ...streams]) {
      const texts: string[] = []
      for await (const element of readXml(source).select('a')) texts.push(element.text)
      expect(texts).toEqual(['é'])
    }
    expect(parseXml('<a/>').root.start).toBe(0)
  })

  test('gives what comes before what is no text', async () => {
    const { events } = await read(utf16le('\ufeff<a>x<b/>\ud800</a>'))
    expect(events).toEqual(['<a>', '"x"', '<b/>', '</b>'])
  })

  test.each([
    ['<a>text', ['<a>', '"text"'], 'no text'],
    ['<a>text<![CDATA[more', ['<a>', '"textmore"'], 'no text'],
    ['<a>&e', ['<a>'], 'no text'],
    ['<a><!D', ['<a>'], 'expected "<!--" or "<![CDATA[", but found "<!"'],
    ['<a></b', ['<a>'], 'the end tag </b> does not match <a> opened at 1:1'],
    ['<a b="" b="" ', [], 'duplicate attribute b'],
  ])('tells what is first before what is no text: %s', async (start, events, message) => {
    const places: unknown[] = []
    for (const bytes of [utf16le(`\ufeff${start}\ud800xyz</a>`), utf8(`${start}\u0001xyz</a>`)]) {
      const reading = await read(bytes)
      expect(reading.events).toEqual(events)
      places.push([reading.error?.line, reading.error?.column])
      if (message !== 'no text') expect(reading.error?.detail).toContain(message)
      else expect(reading.error?.code).toBe('malformed-text')
    }
    expect(places[0]).toEqual(places[1])
  })
})
