// Matches in matches, all of which are read: each as if it were the only one.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readXmlInWorker } from 'xylem/worker'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { readXml, type XmlElement, type XmlShape } from '../../../source/xml/index.ts'
import { collectAll, everyCut } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments, repeatContent } from '../../support/random-xml.ts'
import { stalling } from '../../support/sources.ts'

const ENGINES = ['wasm', 'plain'] as const
const all = { nested: 'all' } as const
const encoder = new TextEncoder()
const decoder = new TextDecoder()

const DOCUMENT =
  '<r><a id="1">x<b>1</b><a id="2">y<b>2</b><a id="3"/><c/></a>z<b>3</b></a><o id="7"><a id="4"><b>4</b></a></o></r>'
const SHAPE = {
  id: '@id',
  text: '.',
  own: { path: '.', own: true },
  b: 'b',
  all: ['//b'],
  last: { path: '//b', pick: 'last' },
  children: { path: '.', as: 'children' },
  ids: ['//a/@id'],
  inner: { of: '//a', fields: { id: '@id', b: ['//b'] } },
  around: { outer: '*', fields: { id: '@id' } },
} as const
const RECORDS = [
  { id: '3', text: '', own: '', all: [], children: {}, ids: [], around: { id: '2' } },
  {
    id: '2',
    text: 'y2',
    own: 'y',
    b: '2',
    all: ['2'],
    last: '2',
    children: { b: '2', a: '', c: '' },
    ids: ['3'],
    inner: { id: '3', b: [] },
    around: { id: '1' },
  },
  {
    id: '1',
    text: 'x1y2z3',
    own: 'xz',
    b: '1',
    all: ['1', '2', '3'],
    last: '3',
    children: { b: ['1', '3'], a: 'y2' },
    ids: ['2', '3'],
    inner: { id: '2', b: ['2'] },
    around: {},
  },
  {
    id: '4',
    text: '4',
    own: '',
    b: '4',
    all: ['4'],
    last: '4',
    children: { b: '4' },
    ids: [],
    around: { id: '7' },
  },
]
const LINES = RECORDS.map((record) => `${JSON.stringify(record)}\n`)
const ELEMENTS = [
  '<a id="3"/>',
  '<a id="2">y<b>2</b><a id="3"/><c/></a>',
  '<a id="1">x<b>1</b><a id="2">y<b>2</b><a id="3"/><c/></a>z<b>3</b></a>',
  '<a id="4"><b>4</b></a>',
]

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  return decoder.decode(Buffer.concat(await collectAll(stream)))
}

/** Fields of every kind. */
const FIELDS: XmlShape = {
  text: '.',
  name: 'name()',
  names: ['**/name()'],
  own: { path: '.', own: true },
  owns: [{ path: '**/*', own: true }],
  last: { path: '**/c', pick: 'last' },
  lastOfAny: { path: '**/*', pick: 'last' },
  lastOwn: { path: '**/*', own: true, pick: 'last' },
  attribute: '**/@n',
  attributes: ['**/@n'],
  lastAttribute: { path: '**/@m', pick: 'last' },
  allAttributes: { path: 'b', as: 'attributes' },
  children: { path: '.', as: 'children' },
  lists: [{ path: '**/*', as: 'children', own: true }],
  lastChildren: { path: '**/*', as: 'children', pick: 'last' },
  rest: { as: 'rest' },
  xml: { path: '*', as: 'xml' },
  xmls: [{ path: '**/c', as: 'xml' }],
  present: { path: '**/d', as: 'present' },
  first: { firstOf: ['**/@m', 'b/c', '**/b'] },
  unless: { path: '**/b', unless: '@n' },
  unlessOfAll: [{ path: '**/*', unless: '@n' }],
  empty: { path: '**/c', empty: 'absent' },
  emptyOfAll: [{ path: '**/*', empty: { absentIf: '@n' } }],
  late: { path: '**/b', late: true },
  record: { of: '**/b', fields: { n: '@n', t: '.', c: ['**/c'], rest: { as: 'rest' } } },
  records: [{ of: '**/a', fields: { m: '@m', own: { path: '.', own: true }, b: { of: 'b', fields: { c: '**/c' } } } }],
  newest: { of: '**/a', fields: { n: '@n', t: '.', a: ['**/a'] }, pick: { newest: ['t'] } },
  lastRecord: { of: '**/*', fields: { t: '.', n: '@n' }, pick: 'last' },
}

/** What the only match of a document gives. Its mark is left out. */
async function readAlone(document: string, shape: XmlShape, path: string): Promise<string> {
  const [record, ...others] = await collectAll(readXml(document).records(path, shape))
  expect(others).toEqual([])
  return JSON.stringify(record)
    .replaceAll(' mark=\\"1\\"', '')
    .replaceAll(/"mark":"1",?/g, '')
    .replaceAll(',}', '}')
}

describe('all matches in matches', () => {
  test.each(ENGINES)('give records in the order of their end tags, complete and cut, with %s', async (engine) => {
    for (const pieces of everyCut(encoder.encode(DOCUMENT))) {
      const reader = () => readXml(pieces, { engine })
      expect(await collectAll(reader().records('a', SHAPE, all))).toEqual(
        RECORDS.map((record) => expect.objectContaining(record)),
      )
      expect(await textOf(reader().write('jsonl', 'a', SHAPE, all))).toBe(LINES.join(''))
      const elements = await collectAll(reader().select('a', all))
      expect(elements.map(({ bytes }) => decoder.decode(bytes))).toEqual(ELEMENTS)
    }
  })

  test('come as columns, in transform streams and out of a worker as well', async () => {
    const expected = RECORDS.map(({ id }) => id)
    const reader = readXml(DOCUMENT)
    const [batch] = await collectAll(reader.columns('a', { id: '@id' }, all))
    expect(batch?.rows).toBe(4)
    const stream = () => new Blob([DOCUMENT]).stream()
    const records = await collectAll(
      stream().pipeThrough(makeTransform((source) => readXml(source).records('a', { id: '@id' }, all))),
    )
    expect(records.map(({ id }) => id)).toEqual(expected)
    const elements = await collectAll(stream().pipeThrough(makeTransform((source) => readXml(source).select('a', all))))
    expect(elements.map((element) => element.attribute('id'))).toEqual(expected)
    const ofWorker = readXmlInWorker(DOCUMENT).records('a', { id: '@id' }, all)
    expect((await collectAll(ofWorker)).map(({ id }) => id)).toEqual(expected)
  })

  test('are what each filter decides about by itself', async () => {
    const where = ({ id }: { id: string | undefined }) => id !== '1'
    const records = await collectAll(readXml(DOCUMENT).records('a', { id: '@id' }, { ...all, where }))
    expect(records.map(({ id }) => id)).toEqual(['3', '2', '4'])
    const options = { ...all, where: { id: { in: ['2'] } } } as const
    expect(await collectAll(readXml(DOCUMENT).records('a', { id: '@id' }, options))).toEqual([{ id: '2' }])
    const isWanted = (element: XmlElement) => element.attribute('id') !== '2'
    const elements = await collectAll(readXml(DOCUMENT).select('a', { ...all, where: isWanted }))
    expect(elements.map((element) => element.attribute('id'))).toEqual(['3', '1', '4'])
  })

  test('are delivered before the ones around them have ended', async () => {
    const beginning = '<a><b>1</b><a>2</a>'
    const records = readXml(stalling(beginning)).records('a', { text: '.' }, all)
    expect(await records.next()).toEqual({ done: false, value: { text: '2' } })
    await records.return(undefined)
    const elements = readXml(stalling(beginning)).select('a', all)
    expect((await elements.next()).value?.text).toBe('2')
    await elements.return(undefined)
  })

  test('give elements that are complete, whose content belongs to the one around as well', async () => {
    const [, inner, outer] = await collectAll(readXml(DOCUMENT).select('a', all))
    expect(inner?.text).toBe('y2')
    expect(outer?.child('a')?.toJSON()).toEqual(inner?.toJSON())
    expect([outer?.child('a')?.bytes, inner?.start, inner?.end]).toEqual([undefined, 22, 60])
  })

  test.runIf(isThorough)('retain no more than what is open, in one around all others', async () => {
    const count = isThorough ? 40_000 : 10_000
    function* source(): Generator<string> {
      yield '<a id="0">'
      for (let i = 0; i < count; i++) yield `<a id="1"><b>${'x'.repeat(40)}</b></a>`
      yield '</a>'
    }
    let found = 0
    const options = { limits: { maxRetained: 200_000 } }
    for await (const { id, b } of readXml(source(), options).records('a', { id: '@id', b: 'b' }, all)) {
      found++
      if (id === '1' && b?.length !== 40) throw new Error(`${b}`)
    }
    expect(found).toBe(count + 1)
  })

  test.runIf(isThorough)('give the records that each gives alone', { timeout: 300_000 }, async () => {
    const names = fc.uniqueArray(fc.constantFrom(...Object.keys(FIELDS)), { minLength: 1, maxLength: 6 })
    const how = fc.record({ engine: fc.constantFrom(...ENGINES), times: fc.integer({ min: 1, max: 2 }) })
    const cuts = fc.array(fc.nat(1200), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        randomDocuments,
        fc.constantFrom('a', 'b', '*'),
        names,
        how,
        cuts,
        async (one, name, chosen, how, cuts) => {
          const document = repeatContent(one, how.times)
          const shape = Object.fromEntries(chosen.map((field) => [field, FIELDS[field] as XmlShape[string]]))
          const bytes = encoder.encode(document)
          const expected: string[] = []
          const elements = await collectAll(readXml(document).select(name, all))
          const kept: number[] = []
          for (const [i, element] of elements.entries()) {
            const tag = bytes.subarray(element.start, element.start + 1 + encoder.encode(element.name).length)
            // What an entity brings does not stand in the document.
            if (decoder.decode(tag) !== `<${element.name}`) continue
            kept.push(i)
            const [before, after] = [
              bytes.subarray(0, element.start + tag.length),
              bytes.subarray(element.start + tag.length),
            ]
            const marked = `${decoder.decode(before)} mark="1"${decoder.decode(after)}`
            expected.push(await readAlone(marked, shape, `${name}[@mark]`))
          }
          const { engine } = how
          const records = await collectAll(readXml(cutAt(document, cuts), { engine }).records(name, shape, all))
          const found = kept.map((i) => JSON.stringify(records[i]))
          expect([records.length, found], `${name} ${JSON.stringify(shape)} of ${document}`).toEqual([
            elements.length,
            expected,
          ])
        },
      ),
      parameters(150, 3),
    )
  })
})
