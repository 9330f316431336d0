// Half of a surrogate pair in a string is no character of XML: every entry refuses it where it is; dumps replace and count it.

import { describe, expect, test } from 'vitest'
import { readDump } from '../../source/mediawiki/index.ts'
import { type ByteSource, StreamCache } from '../../source/stream/index.ts'
import { makeTransform } from '../../source/stream/make-transform.ts'
import { readXmlInWorker } from '../../source/worker/index.ts'
import { editXml } from '../../source/xml/edit/index.ts'
import { parseXml, readXml, readXmlDocuments } from '../../source/xml/index.ts'
import { rawXml, toXml } from '../../source/xml/write/index.ts'
import { collectAll, drain } from '../support/collect.ts'

const LONE = {
  'a high half in text': ['<a>\u00e9\ud83d!</a>', 5],
  'a low half in text': ['<a>\u00e9\ude00!</a>', 5],
  'halves in the wrong order': ['<a>\ude00\ud83d</a>', 3],
  'a high half before a pair': ['<a>\ud83d\ud83d\ude00</a>', 3],
  'a value': ['<a b="\udc00"/>', 6],
  'a name': ['<a\ud800></a\udfff>', 2],
  'the end of the input': ['<a></a>\ud800', 7],
  'a comment': ['<!--\ud800--><a/>', 4],
  'a CDATA section': ['<a><![CDATA[\ud800]]></a>', 12],
  'a document type': ['<!DOCTYPE a [<!ENTITY e "\ud800">]><a/>', 25],
} as const

/** A stream of its own for all strings. */
const streamOf = (texts: readonly string[]): ReadableStream<string> =>
  new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(text)
      controller.close()
    },
  })

const stream = (text: string, pipe: { readable: ReadableStream; writable: WritableStream }) =>
  drain(streamOf([text]).pipeThrough(pipe))

const ENTRIES: Record<string, (text: string) => unknown> = {
  parseXml: (text) => parseXml(text),
  'a string': (text) => readXml(text).check(),
  'a list of one string': (text) => readXml([text]).check(),
  'strings of one unit': (text) => readXml(text.split('')).check(),
  'an asynchronous source of strings': (text) => readXml(streamOf(text.split(''))).check(),
  'a cache for XML': (text) => readXml(StreamCache.from(text, { loneSurrogate: 'U+FFFF' })).check(),
  'the plain engine': (text) => drain(readXml(text, { engine: 'plain' }).events()),
  documents: async (text) => {
    for await (const document of readXmlDocuments(text)) await document.check()
  },
  'a pipe': (text) =>
    stream(
      text,
      makeTransform((source) => readXml(source).events().batches()),
    ),
  'a worker': (text) => collectAll(readXmlInWorker(text, { workerUrl: 'none', decompress: true }).records('a', {})),
  editXml: (text) => drain(editXml(text, {})),
  'a pipe of edits': (text) =>
    stream(
      text,
      makeTransform((source) => editXml(source, {}), { type: 'bytes' }),
    ),
}

describe.each(Object.entries(ENTRIES))('%s', (_, read) => {
  test.each(Object.entries(LONE))('refuses %s', async (_, [text, byteOffset]) => {
    const error = await (async () => read(text))().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'XmlError', code: 'malformed-text', byteOffset })
  })

  test('joins the halves of a pair, and keeps what stands for half of one', async () => {
    await read('<a>\ud83d\ude00\ufffd</a>')
  })
})

test('texts of entities have no half of a pair, whoever gives them', async () => {
  const outside = '<!DOCTYPE a [<!ENTITY e SYSTEM "e">]><a>&e;</a>'
  const resolve = () => 'x\ud800'
  expect(() => parseXml(outside, { resolve })).toThrow(/not allowed in XML/)
  await expect(readXml(outside, { resolve }).check()).rejects.toMatchObject({ name: 'XmlError' })
  const entities = { e: '\ud800' }
  expect(() => parseXml('<a>&e;</a>', { entities })).toThrow()
})

test('nothing that is written has half of a pair', () => {
  for (const text of ['\ud800', '\udc00', 'x\udc00\ud800']) {
    expect(() => toXml({ type: 'text', text } as never)).toThrow()
    expect(() => toXml(['a', {}, rawXml(`<b>${text}</b>`)] as never)).toThrow()
  }
})

describe('a dump', () => {
  const page = (title: string) =>
    `<page><title>${title}</title><ns>0</ns><id>1</id><revision><id>2</id><timestamp>2026-01-01T00:00:00Z</timestamp><text>x\udc00y</text></revision></page>`
  const text = `<mediawiki>${page('A\ud800')}${page('B\ud83d\ude00')}</mediawiki>`
  const sources: Record<string, () => ByteSource> = {
    'a string': () => text,
    'strings of one unit': () => text.split(''),
    'an asynchronous source': () => streamOf(text.split('')),
  }

  test.each(Object.entries(sources))('of %s has them replaced, and counts them', async (_, source) => {
    const dump = readDump(source())
    const pages = await collectAll(dump.pages())
    expect(pages.map(({ title }) => title)).toEqual(['A\ufffd', 'B\u{1f600}'])
    expect(dump.replaced).toBe(3)
    const error = await drain(readDump(source(), { strict: true }).pages()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'malformed-text', byteOffset: text.indexOf('\ud800') })
  })
})
