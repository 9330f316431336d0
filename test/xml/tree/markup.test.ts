// Elements as documents of their own.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { parseXml, readXml, type XmlElement, type XmlNode } from '../../../source/xml/index.ts'
import { collectAll, everyCut } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments } from '../../support/random-xml.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const SHAPE = { xml: { path: '.', as: 'xml', standalone: true } } as const

/** All of an element but what its start tag may have more when it stands alone: declarations of namespaces, and the language around it. */
function describe(element: XmlElement, isRoot = true): unknown {
  const { name, namespace, attributes, children } = element
  const written = attributes.details
    .filter((one) => !isRoot || !(one.name === 'xmlns' || one.prefix === 'xmlns' || one.name === 'xml:lang'))
    .map((one) => [one.name, one.namespace, one.value])
  const inner = children.map((child: XmlNode) => (child.type === 'element' ? describe(child, false) : child))
  return [name, namespace, written, inner]
}

/** The language that holds for the content of an element; undefined where none is said. */
function languageOf(element: XmlElement | undefined): string | undefined {
  return element && (element.attribute('xml:lang') ?? languageOf(element.parent))
}

/** The language of each element of a document outside of entities, by its byte offset. */
function languages(element: XmlElement, found = new Map<number, string | undefined>()): typeof found {
  if (element.entity === undefined) found.set(element.start, languageOf(element))
  for (const child of element.childElements) languages(child, found)
  return found
}

async function selectAlone(pieces: Iterable<Uint8Array>, path: string, options = {}): Promise<XmlElement[]> {
  return collectAll(readXml(pieces, options).select(path, { standalone: true }))
}

const TEXT = [
  '<!DOCTYPE r [<!ENTITY e "x<p:b q=\'&#38;#38;\'>y</p:b>&f;"><!ENTITY f "<f/>"><!ENTITY t "T&#38;lt;"><!ATTLIST a d CDATA "1&#9;2">]>',
  '<r xmlns="u" xmlns:p="v" xmlns:z="&lt;w">',
  '<a s="&t;&#10;">1&e;2<![CDATA[<&]]>&#13;<!--k--><?i j?></a><a xmlns="" xmlns:z="k" xsi="p:int"/>&e;<p:b xmlns:p="q"><c/></p:b></r>',
].join('')

test('a selected element that stands alone has the declarations around it, and no reference to an entity, at every cut', async () => {
  for (const pieces of everyCut(encoder.encode(TEXT))) {
    const sources = (await selectAlone(pieces, 'a')).map(({ bytes }) => decoder.decode(bytes))
    expect(sources).toEqual([
      '<a s="T&lt;&#10;" d="1&#9;2" xmlns="u" xmlns:p="v" xmlns:z="&lt;w">1x<p:b q="&amp;">y</p:b><f/>2&lt;&amp;&#13;<!--k--><?i j?></a>',
      '<a xmlns="" xmlns:z="k" xsi="p:int" d="1&#9;2" xmlns:p="v"/>',
    ])
    const [ofEntity, other] = (await selectAlone(pieces, 'p:b')).slice(1).map(({ bytes }) => decoder.decode(bytes))
    expect(ofEntity).toBe('<p:b q="&amp;" xmlns="u" xmlns:p="v" xmlns:z="&lt;w">y</p:b>')
    expect(other).toBe('<p:b xmlns:p="q" xmlns="u" xmlns:z="&lt;w"><c/></p:b>')
    for (const path of ['a', 'p:b', 'f', 'c']) {
      for (const element of await selectAlone(pieces, path)) {
        expect(describe(parseXml(element.bytes as Uint8Array).root)).toEqual(describe(element))
      }
    }
  }
})

test('a selected element that stands alone keeps xml:lang and xml:space of what is around it, at every cut', async () => {
  const text =
    '<!DOCTYPE r [<!ATTLIST q xml:space CDATA "preserve">]>' +
    '<r xml:lang="de"><g><a xml:space="default">1</a></g><q><h xml:lang=""><a>2</a></h><a xml:lang="fr"/></q><a/></r>'
  const expected = [
    '<a xml:space="default" xml:lang="de">1</a>',
    '<a xml:lang="" xml:space="preserve">2</a>',
    '<a xml:lang="fr" xml:space="preserve"/>',
    '<a xml:lang="de"/>',
  ]
  for (const pieces of everyCut(encoder.encode(text))) {
    expect((await selectAlone(pieces, 'a')).map(({ bytes }) => decoder.decode(bytes))).toEqual(expected)
    const records = await collectAll(readXml(pieces).records('a', SHAPE))
    expect(records.map(({ xml }) => xml)).toEqual(expected)
    const [record] = await collectAll(
      readXml(pieces).records('r', { all: [{ path: '//a', as: 'xml', standalone: true }] }),
    )
    expect(record?.all).toEqual(expected)
  }
})

test('without the option, bytes are what stands in the input', async () => {
  const [element] = await collectAll(readXml(TEXT).select('a'))
  expect(decoder.decode(element?.bytes)).toBe('<a s="&t;&#10;">1&e;2<![CDATA[<&]]>&#13;<!--k--><?i j?></a>')
})

test.runIf(isThorough)(
  'a field that stands alone is the same as the selected element, in records, lines and columns, at every cut',
  async () => {
    for (const pieces of everyCut(encoder.encode(TEXT))) {
      for (const path of ['a', 'p:b', 'r/*']) {
        const selected = (await selectAlone(pieces, path)).map(({ bytes }) => decoder.decode(bytes))
        const records = await collectAll(readXml(pieces).records(path, SHAPE))
        expect(records.map(({ xml }) => xml)).toEqual(selected)
        const lines = await collectAll(readXml(pieces).write('jsonl', path, SHAPE))
        const values = lines
          .flatMap((line) => decoder.decode(line).trim().split('\n'))
          .map((line) => JSON.parse(line).xml)
        expect(values).toEqual(selected)
        const [batch] = await collectAll(readXml(pieces).columns(path, SHAPE))
        const column = batch?.columns[0]
        expect(column?.type === 'utf8' && decoder.decode(column.values)).toBe(selected.join(''))
      }
    }
  },
)

test('a list of fields, a field in a record inside, and a field that where looks at stand alone', async () => {
  const shape = {
    all: [{ path: '*', as: 'xml', standalone: true }],
    inner: { of: 'p:b', fields: SHAPE },
    none: { path: 'missing', as: 'xml', standalone: true },
  } as const
  const found = await collectAll(readXml(TEXT).records('a', shape, { where: ({ inner }) => inner !== undefined }))
  const declared = 'xmlns="u" xmlns:p="v" xmlns:z="&lt;w"'
  expect(found).toEqual([
    {
      all: [`<p:b q="&amp;" ${declared}>y</p:b>`, `<f ${declared}/>`],
      inner: { xml: `<p:b q="&amp;" ${declared}>y</p:b>` },
      none: undefined,
    },
  ])
})

test('attributes of elements out of an entity are in the rest of a record, too', async () => {
  const text = "<!DOCTYPE r [<!ENTITY e \"<b m='1'><c n='2'/></b>\">]><r><a>&e;</a></r>"
  const found = await collectAll(readXml(text).records('a', { others: { as: 'rest' } } as const))
  const c = { name: 'c', attributes: [['n', '2']], children: [] }
  expect(found).toEqual([{ others: [{ name: 'b', attributes: [['m', '1']], children: [c] }] }])
})

test('what a resolver gave is in elements that stand alone, and in the rest of a record', async () => {
  const outside: Record<string, string> = { 'r.dtd': '<!ENTITY e "<b>&x;</b>"><!ENTITY x SYSTEM "x">', x: '<y>é</y>' }
  const text = '<!DOCTYPE r SYSTEM "r.dtd"><r><a>1&e;</a></r>'
  const shape = { ...SHAPE, others: { as: 'rest' } } as const
  for (const pieces of everyCut(encoder.encode(text))) {
    const reader = readXml(pieces, { resolve: async ({ systemId }) => outside[systemId] })
    const y = { name: 'y', attributes: [], children: [{ type: 'text', text: 'é' }] }
    expect(await collectAll(reader.records('a', shape))).toEqual([
      { xml: '<a>1<b><y>é</y></b></a>', others: [{ name: 'b', attributes: [], children: [y] }] },
    ])
    const skipping = readXml(pieces)
    expect(await collectAll(skipping.records('a', shape))).toEqual([{ xml: '<a>1</a>', others: undefined }])
  }
})

test.runIf(isThorough)('random elements that stand alone are parsed to the same tree', async () => {
  const paths = fc.constantFrom('a', 'b/c', '/r/*', '*')
  await fc.assert(
    fc.asyncProperty(randomDocuments, paths, fc.array(fc.nat(1200), { maxLength: 4 }), async (document, path, cuts) => {
      const pieces = cutAt(document, cuts)
      const elements = await selectAlone(pieces, path)
      const records = await collectAll(readXml(pieces).records(path, SHAPE))
      const around = languages(parseXml(document).root)
      for (const [i, element] of elements.entries()) {
        const source = decoder.decode(element.bytes)
        const { root } = parseXml(source)
        expect(describe(root)).toEqual(describe(element))
        if (element.entity === undefined) expect(languageOf(root)).toBe(around.get(element.start))
        expect(records[i]?.xml).toBe(source)
      }
      expect(records.length).toBe(elements.length)
    }),
    parameters(1000),
  )
})

test('more prefixes than are usual are declared, and innermost elements, other encodings and streams stand alone', async () => {
  const many = Array.from({ length: 100 }, (_, i) => `xmlns:p${i}="n${i}"`).join(' ')
  const text = `<r ${many}><a><a x="p99:y">é</a></a></r>`
  const wanted = `<a x="p99:y" ${many}>é</a>`
  const [plain] = await collectAll(readXml(text).select('a', { nested: 'innermost', standalone: true }))
  expect(decoder.decode(plain?.bytes)).toBe(wanted)
  const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${text}`, (character) => character.charCodeAt(0)).buffer)
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(utf16)
      controller.close()
    },
  })
  const stream = readable.pipeThrough(makeTransform((source) => readXml(source).select('a/a', { standalone: true })))
  expect((await collectAll(stream)).map(({ bytes }) => decoder.decode(bytes))).toEqual([wanted])
})

test('an element of 100,000 levels stands alone', async () => {
  const count = 100_000
  const text = `<r xmlns="u">${'<a>'.repeat(count)}${'</a>'.repeat(count)}</r>`
  const [element] = await selectAlone([encoder.encode(text)], 'a', { limits: { maxDepth: 2 * count } })
  expect(element?.bytes?.length).toBe(7 * (count - 1) + '<a xmlns="u"></a>'.length - 3)
})

test('the option must be true or false, and a field must be of the kind xml', () => {
  const invalid = { standalone: 'yes' } as unknown as { standalone: boolean }
  expect(() => readXml('<a/>').select('a', invalid)).toThrow(/standalone/)
  expect(() => readXml('<a/>').records('a', { a: { path: '.', standalone: true } })).toThrow(
    'standalone is for the kind xml',
  )
  expect(() => readXml('<a/>').records('a', { a: { path: '.', as: 'xml', ...invalid } })).toThrow('true or false')
})
