// An encoding that is known from outside counts more than the declaration: a mark, then the option, then the server, then the declaration (RFC 7303, section 3).

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decompress } from '../../../source/compression/index.ts'
import { readDump } from '../../../source/mediawiki/index.ts'
import { HttpSource } from '../../../source/stream/index.ts'
import { editXml } from '../../../source/xml/edit/index.ts'
import { parseXml, readXml, type XmlError } from '../../../source/xml/index.ts'
import { collect, collectAll, everyCut } from '../../support/collect.ts'

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf16le = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const utf8 = (text: string) => new TextEncoder().encode(text)
const declared = (encoding: string, text = 'é') => `<?xml version="1.0" encoding="${encoding}"?><a>${text}</a>`

/** What each path of the server is: a Content-Type, and bytes. */
const ANSWERS: Record<string, readonly [type: string, bytes: Uint8Array]> = {
  '/latin1': ['text/xml; charset=ISO-8859-1', latin1(declared('UTF-8'))],
  '/quoted': ['application/xml; x="charset=utf-8;"; Charset="iso-8859-1"', latin1('<a>é</a>')],
  '/declared': ['application/xml', latin1(declared('iso-8859-1'))],
  '/marked': ['text/xml; charset=iso-8859-1', utf8(`\ufeff${declared('iso-8859-1')}`)],
  '/wide': ['text/xml; charset=utf-16le', utf16le(' <a>é</a>'.trim())],
  '/wrong': ['text/xml; charset=utf-8', latin1(declared('iso-8859-1'))],
  '/wrong-ascii': ['text/xml; charset=us-ascii', latin1('<a>é</a>')],
  '/unknown': ['text/xml; charset=x-none', utf8('<a>é</a>')],
  '/narrow': ['text/xml; charset=utf-8', utf16le('<a>é</a>')],
  '/dump': ['text/xml; charset=iso-8859-1', utf8('<mediawiki><page><title>é</title><id>1</id></page></mediawiki>')],
}
const server = createServer(({ url = '' }, response) => {
  const [type, bytes] = ANSWERS[url] ?? ['text/plain', new Uint8Array(0)]
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length }).end(bytes)
})
let address = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const textOf = async (source: Parameters<typeof readXml>[0], options = {}): Promise<string | undefined> => {
  const [element] = await collectAll(readXml(source, options).select('a'))
  return element?.text
}

describe('the option', () => {
  test.each([
    ['UTF-8', 'iso-8859-1', latin1(declared('UTF-8'))],
    ['UTF-16', 'utf-8', utf8(declared('UTF-16'))],
    ['an encoding that nobody knows', 'utf-8', utf8(declared('x-none'))],
    ['ISO-8859-1, with a mark', 'utf-8', utf8(`\ufeff${declared('ISO-8859-1')}`)],
    ['UTF-8, with a mark', 'utf-16', utf16le(`\ufeff${declared('UTF-8')}`)],
    ['UTF-8, without a mark', 'utf-16le', utf16le(declared('UTF-8'))],
  ])('counts more than a declaration of %s', async (_, encoding, bytes) => {
    expect(parseXml(bytes, { encoding }).root.text).toBe('é')
    for (const pieces of everyCut(bytes)) expect(await textOf(pieces, { encoding })).toBe('é')
  })

  test.each([
    ['utf-8', utf16le('\ufeff<a/>')],
    ['utf-16be', utf16le('\ufeff<a/>')],
    ['iso-8859-1', utf8('\ufeff<a/>')],
  ])('is an error where a mark says something else: %s', async (encoding, bytes) => {
    expect(() => parseXml(bytes, { encoding })).toThrow(/the given encoding is .*, but it is in/)
  })
})

describe('a server', () => {
  test.each([
    ['/latin1', {}, 'é'],
    ['/quoted', {}, 'é'],
    ['/declared', {}, 'é'],
    ['/marked', {}, 'é'],
    ['/wide', {}, 'é'],
    ['/wrong', { encoding: 'iso-8859-1' }, 'é'],
    ['/unknown', { encoding: 'utf-8' }, 'é'],
  ])('says what the encoding is: %s', async (path, options, text) => {
    expect(await textOf(new HttpSource(address + path), options)).toBe(text)
    expect(await textOf(decompress(new HttpSource(address + path)), options)).toBe(text)
  })

  test.each([
    ['/wrong', 'malformed-text', 46],
    ['/wrong-ascii', 'malformed-text', 3],
    ['/unknown', 'unknown-encoding', 0],
    ['/narrow', 'encoding-mismatch', 0],
  ])('may be wrong, and the message says what to do: %s', async (path, code, byteOffset) => {
    const error = (await textOf(new HttpSource(address + path)).catch((thrown: unknown) => thrown)) as XmlError
    expect(error).toMatchObject({ name: 'XmlError', code, byteOffset })
    expect(error.message).toContain('if the server is wrong, give the encoding with the option encoding')
  })

  test('says nothing of dumps, which are in UTF-8', async () => {
    for (const strict of [false, true]) {
      const [page] = await collectAll(readDump(new HttpSource(`${address}/dump`), { strict }).pages())
      expect(page?.title).toBe('é')
    }
  })
})

test('an edited document declares the encoding that it is in', async () => {
  const edit = async (bytes: Uint8Array, options: object, source: Parameters<typeof editXml>[0] = [bytes]) =>
    Buffer.from(await collect(editXml(source, {}, options)))
  const [, bytes] = ANSWERS['/latin1'] as [string, Uint8Array]
  for (const edited of [
    await edit(bytes, { encoding: 'iso-8859-1' }),
    await edit(bytes, {}, new HttpSource(`${address}/latin1`)),
  ]) {
    expect(edited.toString('latin1')).toBe(declared('ISO-8859-1'))
    expect(parseXml(edited).root.text).toBe('é')
  }
  expect((await edit(bytes, { encoding: 'iso-8859-1', convert: 'utf-8' })).toString()).toBe(declared('UTF-8'))
  expect((await edit(utf8(declared('UTF-16')), { encoding: 'utf-8' })).toString()).toBe(declared('UTF-8'))
})
