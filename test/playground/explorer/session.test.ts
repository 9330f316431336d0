import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ExplorerAnswer, ToldError } from '../../../playground/explorer/protocol.ts'
import { Session } from '../../../playground/explorer/worker/session.ts'
import { makeDump } from '../../support/dump.ts'
import { isThorough } from '../../support/extent.ts'

type AnswerOf<Type extends ExplorerAnswer['type']> = Extract<ExplorerAnswer, { type: Type }>

/** Reads a file as the page does. Returns what it is told, by type. */
async function read(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<<Type extends ExplorerAnswer['type']>(type: Type) => AnswerOf<Type>[]> {
  const answers: ExplorerAnswer[] = []
  const session = new Session(new Blob([bytes]), 'file', { threads: 1 }, (answer) => answers.push(answer))
  await session.run()
  return <Type extends ExplorerAnswer['type']>(type: Type) =>
    answers.filter((answer): answer is AnswerOf<Type> => answer.type === type)
}

async function findError(bytes: Uint8Array<ArrayBuffer>): Promise<ToldError | undefined> {
  const told = await read(bytes)
  expect(told('state').at(-1)?.state).toBe('failed')
  return told('error')[0]?.error
}

const encode = (text: string): Buffer<ArrayBuffer> => Buffer.from(text)
const bytesOf = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'latin1')
const dump = readFileSync(new URL('../../../fixtures/mediawiki/small-dump.xml', import.meta.url))
const packed = readFileSync(new URL('../../../fixtures/mediawiki/small-dump.xml.bz2', import.meta.url))

describe('a file that is not XML', () => {
  test.for([
    ['an empty file', encode(''), 'This file is empty'],
    ['an empty file in gzip', gzipSync(''), 'This file is empty'],
    ['white space', encode(' \n\n'), 'There is no text in this file'],
    ['a byte order mark alone', encode('\ufeff'), 'There is no text in this file'],
    ['JSON', encode('{"a": [1, "<mediawiki >"]}'), 'This is JSON, not XML'],
    ['JSON with a byte order mark', encode('\ufeff[1, 2]'), 'This is JSON, not XML'],
    ['JSON in gzip', gzipSync('{"a": 1}\n{"a": 2}\n'), 'This is JSON, not XML'],
    ['HTML', encode('<!doctype html>\n<p>one<br>two'), 'This is HTML, not XML'],
    ['HTML without a declaration', encode('\n<html lang=en><p>a</html>'), 'This is HTML, not XML'],
    ['HTML after comments', encode('<!-- saved -->\n<!--\n--><!DOCTYPE html><p>one<br>two'), 'This is HTML, not XML'],
    [
      'old HTML',
      encode('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><HTML><BR></HTML>'),
      'This is HTML, not XML',
    ],
    ['text', encode('id,name\n1,ash\n'), 'This is text, not XML'],
    ['text in an old encoding', bytesOf('H\xeatre commun, en fran\xe7ais\n'), 'This is text, not XML'],
    ['text in UTF-16', Buffer.from('\ufeffHello', 'utf16le'), 'This is text in UTF-16, not XML'],
    ['a zip archive', bytesOf('PK\x03\x04\x14\0\0\0\x08\0\0\0'), 'This is a zip archive, not XML'],
    ['an xz archive', bytesOf('\xfd7zXZ\0\0\x04'), 'This is an xz archive, not XML'],
    ['a 7z archive', bytesOf('7z\xbc\xaf\x27\x1c\0\x04'), 'This is a 7z archive, not XML'],
    ['a tar archive in gzip', gzipSync(bytesOf(`a.xml${'\0'.repeat(252)}ustar\0`)), 'This is a tar archive, not XML'],
    ['gzip in gzip', gzipSync(gzipSync('<a/>')), 'This is a gzip archive, not XML'],
    ['PDF', bytesOf('%PDF-1.7\n%\xe2\xe3'), 'This is a PDF document, not XML'],
    ['a picture', bytesOf('\xff\xd8\xff\xe0\0\x10JFIF'), 'This is a JPEG image, not XML'],
    ['a database', bytesOf('SQLite format 3\0'), 'This is an SQLite database, not XML'],
    ['other data', bytesOf('\x01\x02\0\xc8\xc9abc\x07'), 'This is binary data, not XML'],
  ] as const)('%s is called what it is', async ([, bytes, title]) => {
    const error = await findError(Buffer.from(bytes))
    expect(error?.title).toBe(title)
    expect(error?.advice).toMatch(/\.$/)
  })

  test('has no place if it is not text', async () => {
    const picture = await findError(bytesOf('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'))
    expect([picture?.explanation, picture?.line, picture?.excerpt]).toEqual([undefined, undefined, undefined])
    const archive = await findError(bytesOf('PK\x03\x04\x14\0\0\0\x08\0\0\0'))
    expect([archive?.explanation, archive?.byteOffset]).toEqual([undefined, undefined])
    const json = await findError(encode('{"a": 1}'))
    expect(json?.explanation).toBe('Expected "<", but found "{": text is allowed only in the root element')
  })

  test('is not HTML because its name begins like a tag of HTML', async () => {
    for (const name of ['html-report', 'body.parts', 'header']) {
      expect((await findError(encode(`<${name}><a></${name}>`)))?.title).toBe('This XML is not well-formed')
    }
  })

  test('is XML if it begins so, whatever characters are in it', async () => {
    const error = await findError(encode('<a>\n<b>\0</b></a>'))
    expect(error).toMatchObject({ title: 'This XML is not well-formed', line: 2, column: 4 })
  })

  test('is not a dump because it mentions one', async () => {
    const told = await read(encode('{"a": "<mediawiki >"}'))
    expect(told('opened')).toMatchObject([{ kind: 'xml', other: 'JSON' }])
    const declared = await read(encode('<!DOCTYPE a [<!ENTITY b "<mediawiki>c</mediawiki>">]><a>&b;</a>'))
    expect(declared('opened')).toMatchObject([{ kind: 'xml', other: undefined }])
    expect(declared('state').at(-1)?.state).toBe('done')
  })
})

describe('a broken file', () => {
  test.for([
    [
      'a wrong end tag',
      encode('<a>\n<b></a>'),
      'This XML is not well-formed',
      'The end tag </a> does not match <b>, opened at line 2, column 1',
    ],
    [
      'an ampersand',
      encode('<a>Fish & chips</a>'),
      'This XML is not well-formed',
      'Expected a name after "&", but found " ": write an ampersand as &amp;',
    ],
    [
      'a document that ends too early',
      dump.subarray(0, 5000),
      'The document ends too early',
      'The input ends, but <format>, opened at line 161, column 7, is not closed',
    ],
    [
      'a page of a dump',
      encode('<mediawiki><page/></mediawiki>'),
      'A page of this dump is not as MediaWiki writes it',
      'A page has no title',
    ],
    [
      'gzip that is cut',
      gzipSync(dump).subarray(0, 500),
      'The file ends too early',
      'gzip: the input ends inside a member',
    ],
    [
      'bzip2 that is cut',
      packed.subarray(0, 1500),
      'The file ends too early',
      'bzip2: the input ends inside a stream, at bit 12000',
    ],
    [
      'an unknown encoding',
      encode('<?xml version="1.0" encoding="X-1"?><a/>'),
      'This encoding is not known',
      'Unknown encoding X-1',
    ],
  ] as const)('says in words what is wrong with %s', async ([, bytes, title, explanation]) => {
    const error = await findError(Buffer.from(bytes))
    expect([error?.title, error?.explanation]).toEqual([title, explanation])
  })

  test('says nothing of what was read before, which the state says', async () => {
    for (const bytes of [encode('<a>'), encode('<'), encode('</a>'), packed.subarray(0, 40)]) {
      expect((await findError(bytes))?.advice).not.toMatch(/read before/)
    }
  })

  test('says where', async () => {
    const error = await findError(encode('<a>\n<b></a>'))
    expect(error).toMatchObject({ line: 2, column: 6, byteOffset: 9, excerpt: '<b></a>\n     ^' })
    // What an archive has held before its error is no place in it.
    expect((await findError(packed.subarray(0, 1500)))?.byteOffset).toBe(undefined)
  })
})

describe('a document of any shape', () => {
  test.runIf(isThorough)('is read to the end, with a tree of as many nodes as are kept', async () => {
    const deep = `${'<d>'.repeat(5000)}x${'</d>'.repeat(5000)}`
    const wide = Array.from({ length: 120_000 }, (_, i) => `<n${i} a${i}="1"/>`).join('')
    const long = `n${'a'.repeat(20_000)}`
    const told = await read(encode(`<r>${deep}${wide}<${long}/></r>`))
    expect(told('state').map(({ state }) => state)).toEqual(['reading', 'done'])
    const parents = told('structure').flatMap(({ added }) => [...added])
    expect([parents.length, told('structure').at(-1)?.isCut]).toEqual([100_000, true])
    expect(parents.every((parent, node) => parent < node)).toBe(true)
    expect(told('progress').at(-1)?.items).toBe(125_002)
  })

  test.runIf(isThorough)('reports how much of it was in memory at most', async () => {
    const { mostRetained = 0, decoded = 0 } =
      (await read(encode(`<r>${'<p>text</p>'.repeat(500_000)}</r>`)))('progress').at(-1) ?? {}
    expect(mostRetained).toBeGreaterThan(0)
    expect(mostRetained).toBeLessThan(decoded)
  })

  test('reports references that are left out, with the first names', async () => {
    const names = Array.from({ length: 7 }, (_, i) => `&n${i};`).join('')
    const told = await read(encode(`<!DOCTYPE r SYSTEM "r.dtd"><r>${names}&n0;</r>`))
    expect(told('skipped').at(-1)).toMatchObject({
      count: 8,
      names: ['n0', 'n1', 'n2', 'n3', 'n4'],
      hasMoreNames: true,
    })
  })
})

test.runIf(isThorough)('a filter reports no progress once the dump is read', async () => {
  const answers: ExplorerAnswer[] = []
  const bytes = new Blob([...makeDump(40_000)])
  const session = new Session(bytes, 'file', { threads: 1 }, (answer) => answers.push(answer))
  await session.run()
  const count = answers.length
  // As long as reports are apart.
  await wait(250)
  await session.filter({ namespaces: undefined, redirects: 'only', title: '' })
  const types = answers.slice(count).map(({ type }) => type)
  expect(types.length).toBeGreaterThan(1)
  expect(new Set(types)).toEqual(new Set(['listed']))
  expect(answers.at(-1)).toMatchObject({ shown: 4000, isFiltered: true })
})
