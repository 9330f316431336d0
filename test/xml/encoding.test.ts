// Documents in other encodings; whole, byte by byte and at every cut.

import { describe, expect, test } from 'vitest'
import { read } from '../support/xml.ts'

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

  test('gives what comes before what is no text', async () => {
    const { events } = await read(utf16le('\ufeff<a>x<b/>\ud800</a>'))
    expect(events).toEqual(['<a>', '"x"', '<b/>', '</b>'])
  })
})
