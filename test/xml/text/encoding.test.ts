// Documents in other encodings; complete, byte by byte and at every cut. More is in cases/encodings.txt.

import { describe, expect, test } from 'vitest'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { parseXml, readXml } from '../../../source/xml/index.ts'
import { sample } from '../../support/extent.ts'
import { piecesOf, read } from '../../support/xml.ts'

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf16le = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const utf16be = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16())
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('a document', () => {
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

  test('has the offsets of elements whose tags are longer than what is recorded at once', async () => {
    const head = '<?xml version="1.0" encoding="ISO-8859-1"?><r>'
    const bytes = latin1(`${head}<a b="${'&lt;'.repeat(60_000)}">x</a></r>`)
    for (const cut of sample([122, 240_057, 240_000], 2)) {
      const pieces = () => [bytes.subarray(0, 122), bytes.subarray(122, cut), bytes.subarray(cut)]
      for await (const element of readXml(pieces()).select('a')) expect(element.start).toBe(head.length)
      const starts: number[] = []
      for await (const events of readXml(pieces()).events().batches()) {
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
    for await (const events of readXml(piecesOf(bytes, 10_000), { resolve }).events({ maxText }).batches()) {
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

  test.each([
    ['<a>text', ['<a>', '"text"'], 'no text'],
    ['<a>text<![CDATA[more', ['<a>', '"textmore"'], 'no text'],
    ['<a>&e', ['<a>'], 'no text'],
    ['<a><!D', ['<a>'], 'expected "<!--" or "<![CDATA[", but found "<!"'],
    ['<a></b', ['<a>'], 'the end tag </b> does not match <a> opened at 1:1'],
    ['<a b="" b="" ', [], 'duplicate attribute b'],
  ])('reports an earlier error before malformed text: %s', async (start, events, message) => {
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
