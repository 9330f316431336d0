import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { buildIndex, makeIndexHead } from '../../../source/mediawiki/multistream/index-builder.ts'
import {
  formatIndexEnd,
  formatIndexEntry,
  formatIndexHead,
  type IndexEntry,
  type IndexHead,
} from '../../../source/mediawiki/multistream/index-format.ts'
import { MultistreamIndex, readIndex, readPageAt } from '../../../source/mediawiki/multistream/multistream-index.ts'
import type { Page } from '../../../source/mediawiki/shape/page.ts'
import type { Seekable } from '../../../source/stream/seekable.ts'
import { HttpSource } from '../../../source/stream/sources/http.ts'
import { FileSource } from '../../../source/stream/sources/node.ts'
import { encodeBzip2 } from '../../support/bzip2-encoder.ts'
import { everyCut } from '../../support/collect.ts'
import { sample } from '../../support/extent.ts'
import { fixturePath, readFixture } from '../../support/fixtures.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const dump = readFixture('mediawiki/small-dump.xml')
const multistream = readFixture('mediawiki/small-dump-multistream.xml.bz2')

/** The index that MediaWiki would write beside the multistream fixture: pages by threes. */
async function makeIndex(): Promise<string> {
  const starts = [...Buffer.from(multistream).toString('latin1').matchAll(/BZh9/g)].map(({ index }) => index).slice(1)
  let text = ''
  let i = 0
  for await (const { id, title } of readDump(dump).pages()) {
    text += `${starts[Math.floor(i / 3)]}:${id}:${title.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}\n`
    i++
  }
  return text
}

async function readAll(): Promise<Page[]> {
  const pages: Page[] = []
  for await (const page of readDump(dump).pages()) pages.push(page)
  return pages
}

/** A document with a declaration; where the platform cannot encode, `bytes` are those of the only word that is not ASCII. */
function encodeAs(encoding: string, text: string, word: string, bytes: readonly number[] = []): Uint8Array {
  const document = `<?xml version="1.0" encoding="${encoding.replace(/^utf-16../, 'utf-16')}"?>${text}`
  if (encoding === 'utf-8') return encode(document)
  if (encoding === 'iso-8859-1') return new Uint8Array(Buffer.from(document, 'latin1'))
  if (encoding === 'utf-16le') return new Uint8Array(Buffer.from(`\ufeff${document}`, 'utf16le'))
  if (encoding === 'utf-16be') return new Uint8Array(Buffer.from(`\ufeff${document}`, 'utf16le').swap16())
  return new Uint8Array(Buffer.from(document.replaceAll(word, String.fromCharCode(...bytes)), 'latin1'))
}

async function collectEntries(entries: AsyncIterable<IndexEntry>): Promise<IndexEntry[]> {
  const all: IndexEntry[] = []
  for await (const entry of entries) all.push(entry)
  return all
}

describe('the index of a multistream dump', () => {
  test('is read plain or compressed, complete, byte by byte and at every cut', async () => {
    const text = '579:10:One: a title\n579:12:Two &amp; &quot;three&quot; &#039;&lt;\n9000:13:Four\n'
    const expected = [
      { offset: 579, end: 9000, id: 10, title: 'One: a title' },
      { offset: 579, end: 9000, id: 12, title: 'Two & "three" \'<' },
      { offset: 9000, id: 13, title: 'Four' },
    ]
    for (const chunks of everyCut(encode(text))) expect(await collectEntries(readIndex(chunks))).toEqual(expected)
    for (const bytes of [encodeBzip2(encode(text)), gzipSync(text), encode(text.trimEnd())]) {
      expect(await collectEntries(readIndex(bytes))).toEqual(expected)
    }
  })

  test('finds pages by title and by id', async () => {
    const index = await MultistreamIndex.open(await makeIndex())
    expect(index.size).toBe(10)
    expect([...index.entries()]).toHaveLength(10)
    expect(index.findTitle('Talk:Xylem')).toMatchObject({ id: 8 })
    expect(index.findId(5)).toMatchObject({ title: 'Suppressed' })
    expect(index.findTitle('talk:xylem')).toBeUndefined()
    expect(index.findId(999)).toBeUndefined()
  })

  test('leads to every page, in bytes, in a Blob, in a file and over HTTP', async () => {
    const index = await MultistreamIndex.open(await makeIndex())
    const pages = await readAll()
    const server = createServer((request, response) => {
      const [, from = '0', to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
      const end = Math.min(to ? Number(to) + 1 : multistream.length, multistream.length)
      const range = `bytes ${from}-${end - 1}/${multistream.length}`
      response.writeHead(206, { 'content-length': end - Number(from), 'content-range': range })
      response.end(multistream.subarray(Number(from), end))
    }).listen(0)
    const url = `http://localhost:${(server.address() as AddressInfo).port}/dump`
    const sources: Seekable[] = [
      multistream,
      new Blob([multistream as Uint8Array<ArrayBuffer>]),
      new FileSource(fixturePath('mediawiki/small-dump-multistream.xml.bz2')),
      new HttpSource(url),
    ]
    for (const source of sources) {
      for (const page of sample(pages, 3)) {
        expect(await readPageAt(source, index.findTitle(page.title) as IndexEntry)).toEqual(page)
      }
    }
    server.close()
  })

  test('that does not belong to the dump leads to nothing', async () => {
    const [entry] = await collectEntries(readIndex(await makeIndex()))
    expect(await readPageAt(multistream, { ...(entry as IndexEntry), id: 4711 })).toBeUndefined()
  })

  test('with a line that is none is refused, with its place', async () => {
    const reading = collectEntries(readIndex('1:2:three\nnone\n'))
    await expect(reading).rejects.toMatchObject({ code: 'malformed-index', byteOffset: 10 })
  })
})

describe('an index that is built', () => {
  test.each([
    ['a plain dump', dump],
    ['a dump of one bzip2 stream', encodeBzip2(dump, { blockSize: 700 })],
    ['a multistream dump', multistream],
  ])('of %s leads to every page', async (_, bytes) => {
    const pages = await readAll()
    const text = (await collectEntries(buildIndex(bytes))).map(formatIndexEntry).join('')
    const entries = await collectEntries(readIndex(text))
    expect(entries.map(({ id, title }) => [id, title])).toEqual(pages.map(({ id, title }) => [id, title]))
    for (const [i, entry] of sample([...entries.entries()], 4)) expect(await readPageAt(bytes, entry)).toEqual(pages[i])
  })

  test('says at its beginning which dump it is of, and at its end that it is complete', async () => {
    const head = await makeIndexHead(dump)
    expect(head).toMatchObject({ version: 1, size: dump.length, encoding: 'utf-8' })
    expect(head.head).toMatch(/^[0-9a-f]{64}$/)
    const lines = (await collectEntries(buildIndex(dump))).map(formatIndexEntry)
    const text = [formatIndexHead(head), ...lines, formatIndexEnd(lines.length)].join('')
    for (const chunks of everyCut(encode(text))) {
      let said: IndexHead | undefined
      const onHead = (value: IndexHead) => {
        said = value
      }
      expect(await collectEntries(readIndex(chunks, { onHead }))).toHaveLength(10)
      expect(said).toEqual(head)
    }
    expect((await MultistreamIndex.open(text)).head).toEqual(head)
    expect((await MultistreamIndex.open(lines.join(''))).head).toBeUndefined()
  })

  test('is refused where it is not complete, or too much is in it', async () => {
    const lines = (await collectEntries(buildIndex(dump))).map(formatIndexEntry)
    const head = formatIndexHead(await makeIndexHead(dump))
    const end = formatIndexEnd(lines.length)
    for (const [text, message] of [
      [head + lines.join(''), 'this index is not complete'],
      [head + lines.slice(0, 4).join(''), 'this index is not complete'],
      [head, 'this index is not complete'],
      [head + lines.slice(1).join('') + end, 'this index has 9 of its 10 pages'],
      [head + lines.join('') + end + lines[0], 'unexpected data after the last line of this index'],
      [head.replace('"version":1', '"version":2') + lines.join('') + end, 'this index has an unsupported version'],
      [`${head.slice(0, 40)}\n${lines.join('')}${end}`, 'not a valid index line'],
    ] as const) {
      const reading = collectEntries(readIndex(text))
      await expect(reading).rejects.toMatchObject({
        code: 'malformed-index',
        message: expect.stringContaining(message),
      })
    }
  })

  test('has one line for a title that has more', async () => {
    const page = (title: string, id: number) => `<page><title>${title}</title><id>${id}</id></page>`
    const odd = encode(`<mediawiki>${page('one&#10;2:3:two&#13;', 1)}${page('&amp;#10;', 2)}</mediawiki>`)
    const text = (await collectEntries(buildIndex(odd))).map(formatIndexEntry).join('')
    const titles = (await collectEntries(readIndex(text))).map(({ title }) => title)
    expect(titles).toEqual(['one\n2:3:two\r', '&#10;'])
  })

  test.each(sample(['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'shift_jis', 'gb18030'], 3))(
    'leads to every page of a dump in %s, plain and in bzip2',
    async (encoding) => {
      // 木 is in all but one of them, é in all but another one.
      const word = encoding === 'iso-8859-1' ? '\u00e9' : encoding === 'shift_jis' ? '\u6728' : '\u6728\u00e9'
      const bytesOf: Record<string, number[]> = {
        shift_jis: [0x96, 0xd8],
        gb18030: [0xc4, 0xbe, 0xa8, 0xa6],
      }
      const page = (id: number) =>
        `<page><title>t${id}${word}</title><id>${id}</id><revision><id>1</id><text>${word.repeat(id * 9)}</text></revision></page>\n`
      const text = `<mediawiki>${Array.from({ length: 40 }, (_, id) => page(id)).join('')}</mediawiki>`
      const bytes = encodeAs(encoding, text, word, bytesOf[encoding])
      for (const file of [bytes, encodeBzip2(bytes, { blockSize: 900 })]) {
        const head = await makeIndexHead(file)
        expect(head.encoding).toBe(encoding)
        const expected: Page[] = []
        for await (const each of readDump(file).pages()) expected.push(each)
        expect(expected[39]).toMatchObject({ title: `t39${word}`, revision: { text: word.repeat(351) } })
        const entries = await collectEntries(buildIndex(file))
        expect(entries.map(({ title }) => title)).toEqual(expected.map(({ title }) => title))
        for (const [i, entry] of sample([...entries.entries()], 3)) {
          expect(await readPageAt(file, entry, { encoding: head.encoding })).toEqual(expected[i])
        }
      }
    },
  )

  test('cannot be one of a gzip file', async () => {
    await expect(collectEntries(buildIndex(gzipSync(dump)))).rejects.toMatchObject({
      code: 'unsupported',
      format: 'gzip',
    })
  })
})

test('a server that sends no parts, or nothing, is an error that says so', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/gone' ? 404 : 200)
    response.end('all of it')
  }).listen(0)
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const entry = { id: 1, title: 'x', offset: 5 }
  await expect(readPageAt(new HttpSource(`${url}/x`), entry)).rejects.toMatchObject({
    cause: { message: `${url}/x: asked for bytes=0-4194303, the server does not support ranges: it answers 200 OK` },
  })
  await expect(readPageAt(new HttpSource(`${url}/gone`), entry)).rejects.toMatchObject({
    cause: { message: `${url}/gone: asked for bytes=0-4194303, the server answers 404 Not Found` },
  })
  server.close()
})

test('a dump that changes between two look-ups is an error that says so', async () => {
  let etag = '"one"'
  const server = createServer((request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1])
    response.writeHead(206, { etag, 'content-range': `bytes ${from}-${dump.length - 1}/${dump.length}` })
    response.end(dump.subarray(from))
  }).listen(0)
  const source = new HttpSource(`http://localhost:${(server.address() as AddressInfo).port}`)
  const [entry] = await collectEntries(buildIndex(dump))
  expect(await readPageAt(source, entry as IndexEntry)).toMatchObject({ id: entry?.id })
  etag = '"two"'
  await expect(readPageAt(source, entry as IndexEntry)).rejects.toMatchObject({ code: 'source-changed' })
  server.close()
})
