// What a document needs is loaded when the first one needs it: in modules that nobody has used yet, each document must be read as it is later.

import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type * as Xml from '../../source/xml/index.ts'
import { isThorough, range, sample } from '../support/extent.ts'

const ENTITIES = '<!DOCTYPE r [<!ENTITY e "<b>&amp; more</b>"><!ENTITY t "text"><!ATTLIST r a CDATA "given">]>'
const documents: readonly (readonly [name: string, document: string])[] = [
  ['is well-formed', '<r><a>one</a><a>two</a></r>'],
  ['has a tag that does not match', '<r><a>one</b></r>'],
  ['ends too soon', '<r><a>one'],
  ['ends in a comment', '<r><!-- never ended'],
  ['has a document type with entities', `${ENTITIES}<r>&e;&t;</r>`],
  ['has an error after that', `${ENTITIES}<r>&e;&t;</q>`],
  ['has an entity that is not well-formed', '<!DOCTYPE r [<!ENTITY e "<b>">]><r>&e;</r>'],
  ['has an entity that is not declared', '<r>&e;</r>'],
  ['has a document type that is wrong', '<!DOCTYPE r [<!ELEMENT>]><r/>'],
  ['has a document type that does not end', '<!DOCTYPE r [<!ELEMENT r'],
]

async function load(): Promise<typeof Xml> {
  return import('../../source/xml/index.ts')
}

type Read = (xml: typeof Xml, source: AsyncIterable<Uint8Array>, options: Xml.XmlOptions) => AsyncIterable<unknown[]>

const readings: Readonly<Record<string, Read>> = {
  events: (xml, source, options) => xml.readXml(source, options).events().batches(),
  elements: (xml, source, options) => xml.readXml(source, options).select('a').batches(),
  records: (xml, source, options) =>
    xml
      .readXml(source, options)
      .records('r', { a: ['a'], text: '.' })
      .batches(),
  rest: (xml, source, options) =>
    xml
      .readXml(source, options)
      .records('r', { rest: { as: 'rest' } })
      .batches(),
}

async function* piecesOf(document: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(document)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** All that is delivered, and the error. Texts come in one piece. */
async function readAll(xml: typeof Xml, name: string, document: string, size: number, options: Xml.XmlOptions = {}) {
  const items: unknown[] = []
  let error: string | undefined
  try {
    const read = readings[name] as Read
    for await (const batch of read(xml, piecesOf(document, size), options)) items.push(...batch)
  } catch (thrown) {
    const { name: type, message, code } = thrown as Xml.XmlError
    error = `${type} ${code}: ${message}`
  }
  return JSON.stringify({ items, error })
}

beforeEach(() => {
  vi.resetModules()
})

describe.each(Object.keys(readings))('the first document that is read as %s', (name) => {
  test.each(sample(documents, 3))('is read as later ones if it %s, complete and byte by byte', async (_, document) => {
    for (const size of sample([1, document.length], 1)) {
      vi.resetModules()
      const xml = await load()
      const first = await readAll(xml, name, document, size)
      const second = await readAll(xml, name, document, size)
      expect(second).toBe(first)
    }
  })

  test('is read without WebAssembly, if that is wanted', async () => {
    const [, document] = documents[5] as (typeof documents)[number]
    const plain = await readAll(await load(), name, document, 3, { engine: 'plain' })
    expect(await readAll(await load(), name, document, 3)).toBe(plain)
  })
})

test.each(sample(documents, 4))(
  'a document that %s has the same error as a tree and as events, whichever is first',
  async (_, document) => {
    const errorOf = (xml: typeof Xml) => {
      try {
        xml.parseXml(document)
        return undefined
      } catch (error) {
        const { name, message, code } = error as Xml.XmlError
        return `${name} ${code}: ${message}`
      }
    }
    const asTree = errorOf(await load())
    vi.resetModules()
    const { error } = JSON.parse(await readAll(await load(), 'events', document, 1)) as { error?: string }
    expect(error).toBe(asTree)
  },
)

test('a fragment can be the first that is read', async () => {
  const { readXml } = await load()
  const names: string[] = []
  for await (const { name } of readXml('<a/>text<b/>', { fragment: true }).select(['a', 'b'])) names.push(name)
  expect(names).toEqual(['a', 'b'])
})

test('a reading that is left while it waits for its module ends', async () => {
  const { readXml } = await load()
  const reading = readXml('<r><a/></r>').select('a')
  const next = reading.next()
  await reading.return()
  expect(await next).toEqual({ done: true, value: undefined })
})

test('the source is opened by the first next, also when modules are loaded first', async () => {
  const { readXml } = await load()
  const { StreamCache } = await import('../../source/stream/stream-cache.ts')
  const cursor = StreamCache.from(['<r><a>1</a></r>']).cursor()
  const reading = readXml(cursor).select('a')
  const next = reading.next()
  // The reading has a cursor of its own by now.
  cursor.release()
  expect((await next).value?.text).toBe('1')
  await reading.return()

  vi.resetModules()
  const again = await load()
  const { body } = new Response('<r><a/></r>')
  const elements = again.readXml(body as ReadableStream<Uint8Array>).select('a')
  const first = elements.next()
  expect(body?.locked).toBe(true)
  expect((await first).value?.name).toBe('a')
})

const UNIT = '<a b="c">é &amp; text<c/></a>\n<a><![CDATA[<x>]]>&#x1F333;</a><!-- c -->'

/** More than what is read without a kernel: that begins after `padding` bytes more of a unit. */
function makeLong(padding: number, end = '</a></r>'): string {
  return `<r>${' '.repeat(padding)}${UNIT.repeat(400)}<a>last${end}`
}

describe.each(Object.keys(readings))('a long document that is read as %s', (name) => {
  const paddings = range(0, new TextEncoder().encode(UNIT).length)
  const all = (['</a></r>', '</b></r>'] as const).flatMap((end) => paddings.map((padding) => [end, padding] as const))
  const cases = sample(all, 2, 24)
  /** What is read without a kernel, in modules that are loaded once for all cases. */
  const plain = new Map<string, string>()
  beforeAll(async () => {
    const xml = await load()
    for (const [end, padding] of cases) {
      const document = makeLong(padding, end)
      plain.set(document, await readAll(xml, name, document, 5000, { engine: 'plain' }))
    }
  })

  test.each(cases)(
    'that ends with %s is continued by the kernel as without it, wherever that begins (%i)',
    async (end, padding) => {
      const document = makeLong(padding, end)
      const found = await readAll(await load(), name, document, end === '</b></r>' ? 100_000 : 5000)
      expect(found).toBe(plain.get(document))
    },
  )

  test.runIf(isThorough)('is read to its end if no kernel can be loaded', async () => {
    const modules = [
      'xml/language/generated/check-kernel',
      'xml/language/generated/document-kernel',
      'machine/program/generated/machine',
      'xml/projection/generated/xml',
    ].map((module) => `../../source/${module}.ts`)
    for (const module of modules)
      vi.doMock(module, () => {
        throw new Error('offline')
      })
    try {
      const { readXml } = await import('../../source/xml/streaming.ts')
      const found = await readAll({ readXml } as typeof Xml, name, makeLong(0), 5000)
      expect(found).toBe(await readAll({ readXml } as typeof Xml, name, makeLong(0), 5000, { engine: 'plain' }))
      const forced = readAll({ readXml } as typeof Xml, name, makeLong(0), 5000, { engine: 'wasm' })
      expect(JSON.parse(await forced).error).toContain('module-unavailable')
    } finally {
      for (const module of modules) vi.doUnmock(module)
    }
  })
})

describe('a module that cannot be loaded', () => {
  const modules = ['readings/elements', 'language/generated/document']

  test.each(modules)('ends a reading with a code, and closes the source: %s', async (module) => {
    vi.doMock(`../../source/xml/${module}.ts`, () => {
      throw new Error('offline')
    })
    try {
      const { readXml } = await import('../../source/xml/streaming.ts')
      let isCancelled = false
      const source = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new TextEncoder().encode('<r><a/>')),
        cancel() {
          isCancelled = true
        },
      })
      const next = readXml(source).select('a').next()
      await expect(next).rejects.toMatchObject({ code: 'module-unavailable', cause: expect.anything() })
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(isCancelled).toBe(true)
    } finally {
      vi.doUnmock(`../../source/xml/${module}.ts`)
    }
  })
})
