// Wherever bytes may be given as a Uint8Array, an ArrayBuffer and a SharedArrayBuffer are bytes too.

import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  type ByteSource,
  decompress,
  detectCompression,
  Grammar,
  parseXml,
  readDump,
  readXml,
  StreamCache,
} from '../source/index.ts'
import { makeTransform } from '../source/stream/make-transform.ts'
import { readFrom, type Seekable, sizeOf } from '../source/stream/seekable.ts'
import { webStream } from './support/sources.ts'

const document = '<r><a id="é">1</a><a>2</a></r>'
const bytes = new TextEncoder().encode(document)

function shared(from: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(from.length)
  new Uint8Array(buffer).set(from)
  return buffer
}

const kinds: [name: string, convert: (bytes: Uint8Array) => ArrayBuffer | SharedArrayBuffer][] = [
  ['an ArrayBuffer', (from) => Uint8Array.from(from).buffer],
  ['a SharedArrayBuffer', shared],
  ['an ArrayBuffer of another realm', (from) => runInNewContext('Uint8Array.from(from).buffer', { from })],
]

async function all<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const textOf = async (source: ByteSource) => {
  const decoder = new TextDecoder()
  return (await all(StreamCache.from(source))).map((chunk) => decoder.decode(chunk, { stream: true })).join('')
}
const grammar = Grammar.from('program ::= node* ; node ::= "a"->"z" ;')
const dump = new TextEncoder().encode(
  '<mediawiki><siteinfo><sitename>W</sitename></siteinfo><page><title>T</title><ns>0</ns><id>1</id></page></mediawiki>',
)

describe.each(kinds)('%s', (_, convert) => {
  const whole = convert(bytes)
  const cut = [convert(bytes.subarray(0, 12)), convert(bytes.subarray(12))]
  const sources: [string, () => ByteSource][] = [
    ['a source', () => whole],
    ['chunks', () => cut],
    ['chunks that arrive', () => webStream(cut)],
    ['chunks of a generator', () => cut.values()],
  ]

  test.each(sources)('is bytes as %s', async (_, source) => {
    expect(await textOf(source())).toBe(document)
    expect(await textOf(decompress(source()))).toBe(document)
    expect((await all(readXml(source()).select('a'))).map(({ text }) => text)).toEqual(['1', '2'])
    expect(await all(readXml(source()).records('a', { id: '@id' }))).toEqual([{ id: 'é' }, { id: undefined }])
  })

  test('is bytes where a document or an input is read at once', async () => {
    expect(parseXml(whole).root.text).toBe('12')
    const word = convert(new TextEncoder().encode('ab'))
    expect(grammar.parse(word).text).toBe('ab')
    expect(grammar.test(word)).toBe(true)
    expect(await all(grammar.stream(word, { emit: 'node' }))).toHaveLength(2)
    await grammar.check([word, word])
  })

  test('is bytes from a resolver', async () => {
    const text = '<!DOCTYPE a [<!ENTITY e SYSTEM "e">]><a>&e;</a>'
    const resolve = () => convert(new TextEncoder().encode('<b>é</b>'))
    expect(parseXml(text, { resolve }).root.text).toBe('é')
    expect((await all(readXml(text, { resolve }).select('b'))).map((element) => element.text)).toEqual(['é'])
  })

  test('is bytes of a dump, and of what is compressed', async () => {
    expect((await all(readDump(convert(dump)).pages())).map(({ title }) => title)).toEqual(['T'])
    const archive = convert(gzipSync(bytes))
    expect(detectCompression(archive)).toBe('gzip')
    expect(await textOf(decompress(archive))).toBe(document)
    expect(await textOf(decompress([archive, archive]))).toBe(document + document)
  })

  test('is bytes in a pipe', async () => {
    const pipe = () => webStream(cut)
    expect(
      (await all(pipe().pipeThrough(makeTransform((source) => readXml(source).select('a'))))).map(({ text }) => text),
    ).toEqual(['1', '2'])
    expect(
      (await all(pipe().pipeThrough(makeTransform((source) => readXml(source).events().batches())))).flat(),
    ).toHaveLength(8)
  })

  test('is written to a cache', async () => {
    const cache = new StreamCache()
    for (const chunk of cut) cache.write(chunk)
    cache.end()
    expect(await textOf(cache)).toBe(document)
  })

  test('can be read from anywhere', async () => {
    const seekable: Seekable = whole
    expect(await sizeOf(seekable)).toBe(bytes.length)
    expect(await textOf(readFrom(seekable, 3, 6))).toBe('<a ')
  })
})

test('what another thread writes to shared memory afterwards is not seen', async () => {
  const buffer = shared(bytes)
  const cache = StreamCache.from(buffer)
  new Uint8Array(buffer).fill(0)
  expect(await textOf(cache)).toBe(document)
})
