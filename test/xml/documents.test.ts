// Documents that follow each other in one stream: complete, byte by byte and at every cut, on both engines.

import { describe, expect, test, vi } from 'vitest'
import { Machine } from '../../source/machine/run/machine.ts'
import { Cursor } from '../../source/stream/cursor.ts'
import { LimitError } from '../../source/stream/errors.ts'
import type { ByteSource } from '../../source/stream/sources/source.ts'
import { StreamCache } from '../../source/stream/stream-cache.ts'
import { XmlError } from '../../source/xml/errors/errors.ts'
import {
  readXml,
  readXmlDocuments,
  type XmlDocumentsOptions,
  type XmlElement,
  type XmlReader,
} from '../../source/xml/index.ts'
import { collectAll, drain, everyCut, inPieces } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'
import { failing, stalling } from '../support/sources.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const

/** Each document by its events: kind, place, and what is in it. */
async function eventsOf(document: XmlReader): Promise<string> {
  const texts: string[] = []
  for await (const events of document.events().batches()) {
    for (const event of events) {
      const content = 'name' in event ? event.name : 'text' in event ? event.text : ''
      texts.push(`${event.type}:${content}@${event.start}-${event.end}`)
    }
  }
  return texts.join(' ')
}

/** What all documents give, and the error. */
async function readAll(
  source: ByteSource,
  options: XmlDocumentsOptions = {},
  read: (document: XmlReader, index: number) => Promise<string> = eventsOf,
): Promise<string[]> {
  const seen: string[] = []
  try {
    for await (const document of readXmlDocuments(source, options)) seen.push(await read(document, seen.length))
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof LimitError)) throw error
    seen.push(`${error.code} ${error.line}:${error.column}@${error.byteOffset}`)
  }
  return seen
}

/** The same for all cuts and engines. */
async function readEveryWay(
  input: string | Uint8Array,
  read?: (document: XmlReader, index: number) => Promise<string>,
  options: XmlDocumentsOptions = {},
): Promise<string[]> {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input
  const results = new Set<string>()
  for (const engine of ENGINES) {
    for (const pieces of everyCut(bytes)) {
      results.add(JSON.stringify(await readAll(pieces, { ...options, engine }, read)))
    }
  }
  expect([...results].length, [...results].join('\n')).toBe(1)
  return JSON.parse([...results][0] as string)
}

describe('documents in one stream', () => {
  test('end with their roots', async () => {
    expect(await readEveryWay('<a/><b>x</b>\n<c/>\n')).toEqual([
      'start:a@0-4 end:a@4-4',
      'start:b@4-7 text:x@7-8 end:b@8-12',
      'start:c@13-17 end:c@17-17',
    ])
  })

  test('have what stands before their roots: blanks, comments, instructions, a mark and a declaration', async () => {
    const text =
      '\n <?xml version="1.0"?>\n<!--1--><a/>\r\n\ufeff<?xml version="1.0"?><?p?><!DOCTYPE b><b/><!--2--> <c/> \n'
    expect(await readEveryWay(text)).toEqual([
      'declaration:@2-23 comment:1@24-32 start:a@32-36 end:a@36-36',
      'declaration:@41-62 instruction:@62-67 doctype:b@67-79 start:b@79-83 end:b@83-83',
      'comment:2@83-91 start:c@92-96 end:c@96-96',
    ])
  })

  test('are none in an empty stream, and none where only blanks, comments and instructions are left', async () => {
    for (const text of ['', ' \n', '<!-- a > - b -->', '<!----><!--->-->', '\ufeff<?p x?>\n', '<?xmlx?>', '<?ml?>']) {
      expect(await readEveryWay(text), text).toEqual([])
      expect(await readEveryWay(`<a/>${text}`), text).toEqual(['start:a@0-4 end:a@4-4'])
    }
    expect(
      await readEveryWay(
        Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a/>\n<!-- \u2d2d\u3e3e --> \n', 'utf16le'),
      ),
    ).toHaveLength(1)
  })

  test('do not hide text between them, nor something cut off at the end', async () => {
    const found: string[] = []
    for (const rest of [
      'x',
      '\u0000',
      '<!-- b',
      '<!-- a -- b -->',
      '<!--a--->',
      '<!',
      '<',
      '<?xml version="1.0"?>',
      '</a>',
      '\uffff',
    ]) {
      const [first, second, ...others] = await readEveryWay(`<a/>\n${rest}`)
      expect([first, others]).toEqual(['start:a@0-4 end:a@4-4', []])
      found.push(second as string)
    }
    expect(found).toEqual([
      'unexpected-input 2:1@5',
      'malformed-text 2:1@5',
      'unexpected-end 2:7@11',
      'unexpected-input 2:8@12',
      'unexpected-input 2:6@10',
      'unexpected-end 2:1@5',
      'unexpected-end 2:2@6',
      'unexpected-end 2:22@26',
      'unexpected-input 2:2@6',
      'malformed-text 2:1@5',
    ])
  })

  test('may have different encodings', async () => {
    const parts = [
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9</a>\n', 'latin1'),
      Buffer.from('\ufeff<b>\u6728</b>\n', 'utf16le'),
      Buffer.from('<c>\u6728</c>'),
      Buffer.from('\ufeff<d>\u6728</d>', 'utf16le').swap16(),
      Buffer.from('\n', 'utf16le').swap16(),
      Buffer.from('\n'),
      Buffer.from('\ufeff<e>\u6728</e>'),
    ]
    const [latin, , , big] = parts as [Buffer, Buffer, Buffer, Buffer]
    const results = await readEveryWay(Buffer.concat(parts))
    expect(results.map((text) => text.replace(/@[0-9-]+/g, ''))).toEqual([
      'declaration: start:a text:é end:a',
      'start:b text:木 end:b',
      'start:c text:木 end:c',
      'start:d text:木 end:d',
      'start:e text:木 end:e',
    ])
    const start = latin.length
    expect(results[1]).toBe(
      `start:b@${start + 2}-${start + 8} text:木@${start + 8}-${start + 10} end:b@${start + 10}-${start + 18}`,
    )
    expect(big.length).toBe(18)
  })

  test('can each be read in another way', async () => {
    const ways = [
      async (document: XmlReader) => JSON.stringify(await collectAll(document.select('/*/*'))),
      async (document: XmlReader) => JSON.stringify(await collectAll(document.records('i', { n: '@n' }))),
      async (document: XmlReader) =>
        Buffer.concat(await collectAll(document.write('jsonl', 'i', { n: '@n' }))).toString(),
      async (document: XmlReader) => String((await collectAll(document.columns('i', { n: '@n' })))[0]?.rows),
      async (document: XmlReader) => String(await document.check()),
      async () => 'not read',
    ]
    const text = Array.from(ways, (_, i) => `<d><i n="${i}"/></d>\n`).join('')
    expect(await readEveryWay(text, (document, i) => (ways[i] as (typeof ways)[0])(document))).toEqual([
      '[{"name":"i","attributes":[["n","0"]],"children":[]}]',
      '[{"n":"1"}]',
      '{"n":"2"}\n',
      '1',
      'undefined',
      'not read',
    ])
  })

  test('are read to their ends and checked when the next one is asked for', async () => {
    const first = async (document: XmlReader) => {
      for await (const { text } of document.select('i')) return text
      return 'none'
    }
    expect(await readEveryWay('<a><i>1</i><i>2</i></a><b><i>3</i><c/></b><d/>', first)).toEqual(['1', '3', 'none'])
    expect(await readEveryWay('<a><i>1</i>\n</b></a><b><i>3</i></b>', first)).toEqual(['1', 'tag-mismatch 2:3@14'])
    expect(await readEveryWay('<a><i>1</i>\n</b></a><b/>', async () => 'x')).toEqual(['x', 'tag-mismatch 2:3@14'])
  })

  test('have errors at places in the stream, which are thrown again by the request for the next', async () => {
    expect(await readEveryWay('<a/>\n  <b>\n  </c>')).toEqual(['start:a@0-4 end:a@4-4', 'tag-mismatch 3:5@15'])
    expect(await readEveryWay(Buffer.from('<a/>\n <?xml version="1.0" encoding="x-none"?><b/>'))).toEqual([
      'start:a@0-4 end:a@4-4',
      'unknown-encoding 2:2@6',
    ])
    const documents = readXmlDocuments('<a></b><c/>')
    const { value } = await documents.next()
    const error = await (value as XmlReader).check().catch((thrown) => thrown)
    expect(error).toBeInstanceOf(XmlError)
    await expect(documents.next()).rejects.toBe(error)
    expect(await documents.next()).toEqual({ done: true, value: undefined })
  })

  test('have limits of their own', async () => {
    const text = `<a>${'<b/>'.repeat(4)}</a>`
    const options = { limits: { maxInput: text.length } }
    expect(await readEveryWay(`${text}\n${text}`, async (document) => String(await document.check()), options)).toEqual(
      ['undefined', 'undefined'],
    )
    const tooLong = await readEveryWay(`${text}\n<c/>${text.replace('</a>', '<b/></a>')}`, undefined, options)
    expect(tooLong.at(-1)).toBe(`input-limit 2:${1 + 4 + text.length}@${text.length + 1 + 4 + text.length}`)
  })

  test('are complete without a byte after them, and found when their roots begin', async () => {
    for (const pieces of everyCut(encoder.encode('<a>1</a>\n<!-- c --><b/>'))) {
      const documents = readXmlDocuments(stalling(pieces))
      const { value: first } = await documents.next()
      expect(await eventsOf(first as XmlReader)).toBe('start:a@0-3 text:1@3-4 end:a@4-8')
      const { value: second } = await documents.next()
      expect(await eventsOf(second as XmlReader)).toBe(
        'comment:c@9-19 start:b@19-23 end:b@23-23'.replace('comment:c', 'comment: c '),
      )
      const third = documents.next()
      await documents.return()
      expect(await third).toEqual({ done: true, value: undefined })
    }
    const begun = readXmlDocuments(stalling(['<?xml version="1.0"?><stream a="1"']))
    expect((await begun.next()).done).toBe(false)
    await begun.return()
  })

  test('can be left while they are skipped, and while one of them waits', async () => {
    const source = stalling(['<a><b/>'])
    const documents = readXmlDocuments(source)
    const { value } = await documents.next()
    const reading = (value as XmlReader).select('b')
    await reading.next()
    const waiting = reading.next()
    await reading.return()
    expect((await waiting).done).toBe(true)
    const next = documents.next()
    await documents.return()
    expect((await next).done).toBe(true)
    expect(source.isClosed).toBe(true)
    expect((await reading.next()).done).toBe(true)
  })

  test('abort with a signal', async () => {
    const controller = new AbortController()
    const documents = readXmlDocuments(stalling(['<a/>']), { signal: controller.signal })
    await documents.next()
    const next = documents.next()
    controller.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
  })

  test('throw the error of the source, after what came before', async () => {
    const documents = readXmlDocuments(failing([encoder.encode('<a/><b>')], new Error('broken')))
    const { value } = await documents.next()
    await (value as XmlReader).check()
    const { value: second } = await documents.next()
    await expect((second as XmlReader).check()).rejects.toThrow('broken')
    await expect(documents.next()).rejects.toThrow('broken')
  })

  test('cannot be read when the next one was asked for, nor twice', async () => {
    const documents = readXmlDocuments('<a/><b/>')
    const { value: first } = await documents.next()
    await documents.next()
    expect(() => (first as XmlReader).select('a')).toThrow(expect.objectContaining({ code: 'stream-read' }))
    await expect((first as XmlReader).check()).rejects.toThrow(expect.objectContaining({ code: 'stream-read' }))
    await documents.return()
  })

  test('give an item to those who wait for it when the next one is asked for, and an error to those who ask again', async () => {
    const passed = expect.objectContaining({ code: 'stream-read' })
    const source = async function* () {
      for (const piece of ['<a><i>1</i>', '<i>2</i>', '<i>3</i></a>', '<b/>']) {
        await new Promise((resolve) => setTimeout(resolve))
        yield piece
      }
    }
    const documents = readXmlDocuments(source())
    const { value: first } = await documents.next()
    const items = (first as XmlReader).select('i')
    await items.next()
    const waiting = items.next()
    const [next, { value: second }] = await Promise.all([documents.next(), waiting])
    expect([(second as XmlElement).text, next.done]).toEqual(['2', false])
    await expect(items.next()).rejects.toThrow(passed)
    await documents.return()

    const others = readXmlDocuments('<a><i/></a><b/><c/>')
    const { value: begun } = await others.next()
    const late = (begun as XmlReader).records('i', {})
    const { value: skipped } = await others.next()
    await expect(late.next()).rejects.toThrow(passed)
    const third = others.next()
    expect(() => (skipped as XmlReader).select('b')).toThrow(passed)
    expect((await third).done).toBe(false)
    await others.return()
  })

  test('are not well-formed for those who check them while the next one is asked for, or all are left', async () => {
    const documents = readXmlDocuments(stalling(['<a><b/>']))
    const { value } = await documents.next()
    const checked = (value as XmlReader).check()
    await Promise.resolve()
    await Promise.all([
      expect(checked).rejects.toThrow(expect.objectContaining({ code: 'source-cancelled' })),
      documents.return(),
    ])
    const broken = readXmlDocuments('<a></b>')
    const { value: first } = await broken.next()
    const check = (first as XmlReader).check()
    await Promise.all([expect(check).rejects.toThrow(), expect(broken.next()).rejects.toThrow('</b>')])
  })

  test('throw the reason of a signal where one of them waits', async () => {
    for (const read of [(one: XmlReader) => one.check(), (one: XmlReader) => collectAll(one.select('b'))]) {
      const controller = new AbortController()
      const documents = readXmlDocuments(stalling(['<a><b/>']), { signal: controller.signal })
      const { value } = await documents.next()
      const reading = read(value as XmlReader)
      setTimeout(() => controller.abort(new Error('enough')), 5)
      await expect(reading).rejects.toThrow('enough')
      await expect(documents.next()).rejects.toThrow('enough')
    }
  })

  test('can be disposed of one by one', async () => {
    const seen: string[] = []
    for await (const document of readXmlDocuments('<a/><b/>')) {
      await document[Symbol.asyncDispose]()
      seen.push('disposed')
    }
    expect(seen).toEqual(['disposed', 'disposed'])
  })

  test('may be as many and as small as they like, or large', async () => {
    const [small, children] = isThorough ? [20_000, 50_000] : [2000, 10_000]
    let count = 0
    for await (const _ of readXmlDocuments('<a><b/></a>\n'.repeat(small))) count++
    expect(count).toBe(small)
    const large = `<a>${'<b>text</b>'.repeat(children)}</a>`
    const counts: number[] = []
    for await (const document of readXmlDocuments([large, large])) {
      counts.push((await collectAll(document.select('b'))).length)
    }
    expect(counts).toEqual([children, children])
  })

  test('may be far apart', async () => {
    const gapOf = (size: number) =>
      `${' '.repeat(3 * size)}\ufeff<!--${'-x'.repeat(1.5 * size)}-->\n<?p ${'?'.repeat(2 * size)}?>${'\n'.repeat(size)}`
    const encodings = [
      (text: string) => Buffer.from(text),
      (text: string) => Buffer.from(text, 'utf16le'),
      (text: string) => Buffer.from(text, 'utf16le').swap16(),
    ]
    for (const encode of encodings) {
      for (const start of ['<a/>', '<a/> ', '<a/>\n\n', '<a>x</a>']) {
        // Byte by byte, a short gap is cut at the same kinds of places.
        for (const size of [1, 1023, 1025, 100_000]) {
          const gap = gapOf(size === 1 && !isThorough ? 20 : 1024)
          const bytes = encode(`\ufeff${start}${gap}<b/>${gap}`)
          const [first, second, ...others] = await readAll(inPieces(bytes, size))
          expect(first).toContain('start:a')
          expect(second).toContain(` start:b@${bytes.indexOf(encode('<b/>'))}-`)
          expect(others).toEqual([])
        }
      }
    }
  })

  test('are each read in pieces that grow with them, and not the rest of the chunk again and again', async () => {
    const append = vi.spyOn(Machine.prototype, 'append')
    const peek = vi.spyOn(Cursor.prototype, 'peek')
    const lengths = async (count: number, size: number) => {
      append.mockClear()
      peek.mockClear()
      await drain(readXmlDocuments(`<a>${'x'.repeat(size)}</a>`.repeat(count)))
      const read = append.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0)
      return { read, seen: peek.mock.calls.reduce((sum, [length]) => sum + length, 0) }
    }
    const small = await lengths(1000, 10)
    expect(small.read).toBeLessThan(1000 * 1100)
    // Where it begins, after blanks, and its encoding.
    expect(small.seen).toBeLessThan(1000 * 3300)
    const large = await lengths(10, 50_000)
    expect(large.read).toBeLessThan(2.1 * 500_000)
    append.mockRestore()
    peek.mockRestore()
  })

  test('take no option that makes fragments of them', () => {
    expect(() => readXmlDocuments('', { fragment: true } as XmlDocumentsOptions)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
  })
})

describe('a cursor that is lent to documents', () => {
  test('is after the document that was read, or after the last item of it', async () => {
    const text = '<a><i>1</i><i>2</i></a> \n<b/>'
    for (const engine of ENGINES) {
      for (const pieces of everyCut(encoder.encode(text))) {
        const cursor = StreamCache.from(pieces).cursor()
        const documents = readXmlDocuments(cursor, { engine })
        const { value } = await documents.next()
        const items = (value as XmlReader).select('i')
        await items.next()
        expect(cursor.offset).toBe(11)
        await items.next()
        await items.next()
        expect(cursor.offset).toBe(23)
        await documents.return()
        expect(new TextDecoder().decode(await cursor.read(6))).toBe(' \n<b/>')
        cursor.release()
      }
    }
  })

  // RFC 6120, section 4.3.3: after STARTTLS and SASL, a new stream begins on the same connection, and the one before is never closed.
  test('reads an XMPP stream that begins again within the one before', async () => {
    const HEADER =
      '<?xml version="1.0"?><stream:stream xmlns="jabber:client" xmlns:stream="http://etherx.jabber.org/streams">'
    const text = `${HEADER}<stream:features/><success xmlns="urn:ietf:params:xml:ns:xmpp-sasl"/>\n${HEADER}<iq id="1"/><iq id="2"/></stream:stream>`
    for (const engine of ENGINES) {
      for (const pieces of everyCut(encoder.encode(text))) {
        const cursor = StreamCache.from(stalling(pieces)).cursor()
        const seen: string[] = []
        const readStream = async () => {
          for await (const document of readXmlDocuments(cursor, { engine })) {
            for await (const stanza of document.select('/*/*')) {
              seen.push(`${stanza.localName}@${stanza.start}`)
              if (stanza.localName === 'success' || stanza.attributes.get('id') === '2') return
            }
          }
        }
        await readStream()
        const restart = HEADER.length + 18 + 51
        expect(cursor.offset).toBe(restart)
        await readStream()
        cursor.release()
        expect(seen).toEqual([
          `features@${HEADER.length}`,
          `success@${HEADER.length + 18}`,
          `iq@${restart + 1 + HEADER.length}`,
          `iq@${restart + 1 + HEADER.length + 12}`,
        ])
      }
    }
  })

  test('reads a document after another one with readXml, too', async () => {
    const cursor = StreamCache.from(['<a><b/></a>', '<c/>']).cursor()
    for await (const document of readXmlDocuments(cursor)) {
      await document.check()
      break
    }
    expect(cursor.offset).toBe(11)
    await readXml(cursor).check()
    expect(cursor.offset).toBe(15)
    cursor.release()
  })
})
