// What is given by mistake is named: a stream that was read before, a name that is undefined, a grammar that is made with new.

import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decompress, Grammar, parseXml, readXml } from '../source/index.ts'

test('a stream that was read before is said to be', async () => {
  const stream = Readable.from([Buffer.from('<a/>')])
  await readXml(stream).check()
  await expect(readXml(stream).check()).rejects.toMatchObject({
    name: 'SourceError',
    message: expect.stringContaining('was read to its end before'),
    cause: { name: 'TypeError', code: 'stream-read' },
  })
  const { body } = new Response('<a/>')
  const reader = body?.getReader()
  const locked = readXml(body as ReadableStream<Uint8Array>).check()
  await expect(locked).rejects.toMatchObject({ name: 'TypeError', code: 'stream-read' })
  await reader?.cancel()
})

test('a name that is not a string is refused by what it is', () => {
  const { root } = parseXml('<a/>')
  const nothing = undefined as unknown as string
  for (const ask of [() => root.child(nothing), () => root.attribute(nothing), () => root.childText(nothing)]) {
    expect(ask).toThrow(
      expect.objectContaining({ message: 'a name must be a string, not undefined', code: 'invalid-option' }),
    )
  }
})

test('a grammar that is made with new says how it is made', () => {
  const Made = Grammar as unknown as new (text: string) => Grammar
  expect(() => new Made('a ::= "b" ;')).toThrow(
    expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining('Grammar.from') }),
  )
})

test('a damaged body has another code than a connection that breaks', async () => {
  const body = gzipSync('<a>text</a>')
  body[body.length - 6] = 1 + (body.at(-6) as number)
  await expect(readXml(decompress(body)).check()).rejects.toMatchObject({
    code: 'source-damaged',
    cause: { name: 'CompressionError' },
  })
  const broken = async function* () {
    yield body.subarray(0, 5)
    throw new Error('broken')
  }
  await expect(readXml(decompress(broken())).check()).rejects.toMatchObject({ code: 'source-failed' })
})
