// Entities that a document may refer to without declaring them: the option `entities`.

import { describe, expect, test } from 'vitest'
import { makeTransform } from '../../source/stream/make-transform.ts'
import { readXmlInWorker } from '../../source/worker/index.ts'
import {
  parseXml,
  readXml,
  readXmlDocuments,
  type XmlElement,
  type XmlOptions,
  type XmlReader,
} from '../../source/xml/index.ts'
import { inferShape } from '../../source/xml/infer/index.ts'
import { checkRanges, planXmlRanges, readXmlRange } from '../../source/xml/ranges/index.ts'
import { collectAll as all, drain } from '../support/collect.ts'
import { cutsOf } from '../support/machine.ts'

const entities = { uuml: 'ü', markup: '<b c="1">&amp;', blanks: '\t\r\n ', none: '', astral: '😀' }
const content =
  '<r><a b="1&uuml;&markup;&blanks;2">M&uuml;ller &amp; &lt;&markup;</a><z>&uuml;</z><a>&none;<i>&blanks;</i><![CDATA[&x;]]>&astral;</a>&markup;</r>'

/** The same document, with a document type that declares the entities, and with one of the same length that does not. */
function documents(): { declared: Uint8Array; undeclared: Uint8Array } {
  const declarations = [
    '<!ENTITY uuml "ü"><!ENTITY markup "&#38;lt;b c=&#38;quot;1&#38;quot;&#38;gt;&#38;amp;amp;">',
    '<!ENTITY blanks "&#38;#9;&#38;#13;&#38;#10; "><!ENTITY none ""><!ENTITY astral "😀">',
  ].join('')
  const encoder = new TextEncoder()
  const padding = ' '.repeat(encoder.encode(declarations).length)
  const [declared, undeclared] = [declarations, padding].map((subset) =>
    encoder.encode(`<!DOCTYPE r [${subset}]>${content}`),
  )
  return { declared: declared as Uint8Array, undeclared: undeclared as Uint8Array }
}
const { declared, undeclared } = documents()

const elementOf = (element: XmlElement) => [element.toJSON(), element.start, element.end, element.text, element.bytes]
const shape = { b: '@b', text: '.', i: 'i', xml: { path: 'i', as: 'xml' }, rest: { as: 'rest' } } as const

const ways: [name: string, read: (reader: XmlReader) => Promise<unknown>][] = [
  ['a check', (reader) => reader.check()],
  ['events', async (reader) => (await all(reader.events())).filter(({ type }) => type !== 'doctype')],
  [
    'events in pieces',
    async (reader) => (await all(reader.events({ maxText: 3 }))).filter(({ type }) => type !== 'doctype'),
  ],
  ['elements', async (reader) => (await all(reader.select('*', { nested: 'all' }))).map(elementOf)],
  [
    'elements that stand alone',
    async (reader) => (await all(reader.select('a', { standalone: true }))).map(({ bytes }) => bytes),
  ],
  ['records', (reader) => all(reader.records('a', shape))],
  [
    'records with elements that stand alone',
    (reader) => all(reader.records('a', { i: { path: '.', as: 'xml', standalone: true } })),
  ],
  ['lines', async (reader) => Buffer.concat(await all(reader.write('jsonl', 'a', shape))).toString()],
]

describe.each(ways)('%s', (_, read) => {
  test('gives what it gives of a document that declares the entities, whatever is cut', async () => {
    for (const engine of ['wasm', 'plain'] as const) {
      const expected = await read(readXml(declared, { engine }))
      for (const pieces of cutsOf(undeclared)) {
        expect(await read(readXml(pieces, { engine, entities }))).toEqual(expected)
      }
    }
  })
})

describe('an entity that is known', () => {
  test('is a text: neither markup nor references in it count, and blanks in it are kept', () => {
    const { root } = parseXml('<r a="&x;">&x;</r>', { entities: { x: '<b>&amp;]]>\t\r\n"\'' } })
    expect(root.text).toBe('<b>&amp;]]>\t\r\n"\'')
    expect(root.attributes.get('a')).toBe('<b>&amp;]]>\t\r\n"\'')
    expect(root.childElements).toEqual([])
  })

  test('has its name in what it brings', async () => {
    const events = await all(readXml('<r>&x;</r>', { entities: { x: 'y' } }).events())
    expect(events[1]).toMatchObject({ type: 'text', text: 'y', entity: 'x', start: 3, end: 6 })
  })

  test('gives way to a declaration of the document', () => {
    expect(parseXml('<!DOCTYPE r [<!ENTITY x "mine">]><r>&x;&y;</r>', { entities: { x: '1', y: '2' } }).root.text).toBe(
      'mine2',
    )
  })

  test('is known in entities and in defaults of attributes that the document declares', () => {
    const type = '<!DOCTYPE r [<!ENTITY y "(&x;)"><!ATTLIST r a CDATA "-&x;">]>'
    const { root } = parseXml(`${type}<r>&y;</r>`, { entities: { x: '1' } })
    expect([root.text, root.attributes.get('a')]).toEqual(['(1)', '-1'])
  })

  test('is not left out where it may be declared in a part that was not read', () => {
    const skipped: string[] = []
    const onSkippedEntity = ({ name }: { name: string }) => skipped.push(name)
    const document = '<!DOCTYPE r SYSTEM "xhtml.dtd"><r a="&x;">&x;&y;</r>'
    const { root } = parseXml(document, { entities: { x: '1' }, onSkippedEntity })
    expect([root.text, root.attributes.get('a'), skipped]).toEqual(['1', '1', ['y']])
  })

  test('counts for the limits of entities', async () => {
    const options: XmlOptions = {
      entities: { x: 'y'.repeat(1000) },
      limits: { freeExpansion: 1500, maxAmplification: 10 },
    }
    for (const document of ['<r>&x;&x;</r>', '<r a="&x;&x;"/>', '<!DOCTYPE r [<!ATTLIST r a CDATA "&x;&x;">]><r/>']) {
      await expect(readXml(document, options).check()).rejects.toMatchObject({ code: 'entity-limit' })
      expect(() => parseXml(document, options as never)).toThrow('maxAmplification')
    }
  })

  test('does not make others known, nor what an object inherits', async () => {
    for (const name of ['y', 'toString', '__proto__', 'X']) {
      const checked = readXml(`<r>&${name};</r>`, { entities: { x: '1' } }).check()
      await expect(checked).rejects.toMatchObject({ code: 'undeclared-entity', byteOffset: 3 })
      expect(() => parseXml(`<r a="&${name};"/>`, { entities: { x: '1' } })).toThrow('is not declared')
    }
  })

  test('is known in a fragment, in each of several documents, in a worker, in pipes, and where a shape is inferred', async () => {
    const options = { entities: { x: '1' } }
    const fragment = readXml('&x;<a>&x;</a>', { ...options, fragment: true })
    expect((await all(fragment.events())).filter(({ type }) => type === 'text')).toHaveLength(2)
    const texts: string[] = []
    for await (const document of readXmlDocuments('<a>&x;</a><a>&x;&x;</a>', options)) {
      for await (const { text } of document.select('a')) texts.push(text)
    }
    expect(texts).toEqual(['1', '11'])
    const worker = readXmlInWorker('<r><a>&x;</a></r>', options)
    expect(await all(worker.records('a', { text: '.' }))).toEqual([{ text: '1' }])
    const stream = new Blob(['<r>&x;</r>'])
      .stream()
      .pipeThrough(makeTransform((source) => readXml(source, options).events().batches()))
    expect((await all(stream as never)).flat()).toHaveLength(3)
    const rows = '<r><row><a>&x;</a></row><row><a>&x;</a></row></r>'
    expect(await inferShape(rows, options)).toMatchObject({ paths: ['/r/row'], records: 2 })
  })

  test('is known in ranges of a file', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `<row n="${i}">&x;${'.'.repeat(100)}</row>`)
    const bytes = new TextEncoder().encode(`<r>&x;\n${rows.join('\n')}</r>`)
    const source = new Blob([bytes])
    const options = { entities: { x: '<1>' } }
    const ranges = await planXmlRanges(source, bytes.length, 'row', { ...options, target: 8000 })
    expect(ranges.length).toBeGreaterThan(2)
    const texts: string[] = []
    const reports: Parameters<typeof checkRanges>[1][number][] = []
    for (const range of ranges) {
      const reader = readXmlRange(source, range, options)
      for await (const { text } of reader.records({ text: '.' })) texts.push(text as string)
      reports.push({ ...range, ...(await reader.report) })
    }
    expect(texts).toEqual(rows.map(() => `<1>${'.'.repeat(100)}`))
    checkRanges(bytes.length, reports)
  })
})

describe('the option', () => {
  test('is checked when reading begins: names have no "&" and ";", and texts have characters of XML', async () => {
    const wrong: unknown[] = [{ 'nbsp;': ' ' }, { '&x;': '1' }, { '': '1' }, { x: 1 }, { x: '\0' }, { x: '\ud800' }]
    for (const given of [...wrong, { lt: '>' }, { x: undefined }, { x: 1n }]) {
      const options = { entities: given as Record<string, string> }
      const expected = expect.objectContaining({ name: 'TypeError', code: 'invalid-option' })
      expect(() => parseXml('<r/>', options)).toThrow(expected)
      await expect(readXml('<r/>', options).check()).rejects.toEqual(expected)
      await expect(all(readXml('<r/>', options).records('r', { a: '@a' }))).rejects.toEqual(expected)
      await expect(readXml('<r/>', { ...options, engine: 'plain' }).check()).rejects.toEqual(expected)
    }
    for (const given of [[], 'x', 1, null]) {
      expect(() => readXml('<r/>', { entities: given as never })).toThrow('entities must be an object')
    }
    expect(parseXml('<r>&lt;</r>', { entities: { lt: '<' } }).root.text).toBe('<')
  })

  test('that names no entity of the document changes nothing', async () => {
    await drain(readXml('<r><a/></r>', { entities }).events())
    expect(parseXml('<r>&amp;</r>', { entities }).root.text).toBe('&')
  })
})
