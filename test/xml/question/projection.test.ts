import { describe, expect, test } from 'vitest'
import { readXml } from '../../../source/xml/index.ts'
import { XmlAttributes } from '../../../source/xml/names/attributes.ts'
import { makeName } from '../../../source/xml/names/names.ts'
import { automatonOf } from '../../../source/xml/question/automaton.ts'
import { projectionOf } from '../../../source/xml/question/projection.ts'
import type { XmlShape } from '../../../source/xml/question/shape.ts'

const nested = 'outermost'

async function recordsOf(document: string, path: string, shape: XmlShape): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const record of readXml(document).records(path, shape)) records.push(record)
  return records
}

describe('a projection', () => {
  test('is worked out once for the same path, shape, prefixes and nesting, whichever objects say so', () => {
    const ask = () =>
      projectionOf({
        path: ['a', 'p:b'],
        shape: { id: '@id', tags: ['tag'], inner: { of: 'p:c', fields: { name: 'name' } } },
        prefixes: { p: 'urn:p' },
        nested,
      })
    expect(ask()).toBe(ask())
  })

  test.each([
    ['another path', { path: 'b', shape: { id: '@id', name: 'name' }, nested }],
    ['several paths', { path: ['a'], shape: { id: '@id', name: 'name' }, nested }],
    ['another source of a field', { path: 'a', shape: { id: '@id', name: 'names' }, nested }],
    ['all values of a field', { path: 'a', shape: { id: '@id', name: ['name'] }, nested }],
    ['fields in another order', { path: 'a', shape: { name: 'name', id: '@id' }, nested }],
    ['one more field', { path: 'a', shape: { id: '@id', name: 'name', more: 'more' }, nested }],
    ['no shape', { path: 'a', nested }],
    ['prefixes', { path: 'a', shape: { id: '@id', name: 'name' }, prefixes: { p: 'urn:p' }, nested }],
    ['other nesting', { path: 'a', shape: { id: '@id', name: 'name' }, nested: 'innermost' }],
    ['elements that are watched', { path: 'a', shape: { id: '@id', name: 'name' }, nested, watch: 'a' }],
  ] as const)('is another one for %s', (_, question) => {
    const usual = projectionOf({ path: 'a', shape: { id: '@id', name: 'name' }, nested })
    expect(projectionOf(question)).not.toBe(usual)
  })

  test('follows a shape that is changed after it was used', async () => {
    const shape: Record<string, string> = { name: 'name' }
    const document = '<r><a id="1"><name>one</name></a></r>'
    expect(await recordsOf(document, 'a', shape)).toEqual([{ name: 'one' }])
    shape.name = '@id'
    shape.id = '@id'
    expect(await recordsOf(document, 'a', shape)).toEqual([{ name: '1', id: '1' }])
  })

  test('is used for documents that are read at the same time, with other names and namespaces', async () => {
    const shape = { values: ['{urn:v}v'] } as const
    const document = (prefix: string, extra: string) =>
      `<r xmlns:${prefix}="urn:v"><a><${extra}/><${prefix}:v>${prefix}</${prefix}:v></a><a><v>no</v></a></r>`
    const read = async (prefix: string, extra: string) => {
      const bytes = new TextEncoder().encode(document(prefix, extra))
      async function* pieces() {
        for (const byte of bytes) yield Uint8Array.of(byte)
      }
      const values: unknown[] = []
      for await (const record of readXml(pieces()).records('a', shape)) values.push(record.values)
      return values
    }
    const all = await Promise.all([read('p', 'x'), read('q', 'y'), read('r', 'x')])
    expect(all).toEqual([
      [['p'], []],
      [['q'], []],
      [['r'], []],
    ])
  })

  test('is not remembered for what is refused', () => {
    const refused = { path: 'a', shape: { name: () => 'name' } as unknown as XmlShape, nested } as const
    for (const _ of [1, 2]) expect(() => projectionOf(refused)).toThrow(/the field name/)
  })

  test('without fields is not that of elements themselves', () => {
    const empty = projectionOf({ path: 'a', shape: {}, nested })
    expect(projectionOf({ path: 'a', shape: {}, nested })).toBe(empty)
    expect(projectionOf({ path: 'a', nested })).not.toBe(empty)
  })

  test('takes a proxy for what it shows', () => {
    const shape = new Proxy({ name: 'name' }, {})
    expect(projectionOf({ path: 'proxy', shape, nested })).toBe(
      projectionOf({ path: 'proxy', shape: { ...shape }, nested }),
    )
  })

  test('is not mixed up with objects of classes, whose properties need not be their own', async () => {
    class Field {
      readonly #path: string
      constructor(path: string) {
        this.#path = path
      }
      get path(): string {
        return this.#path
      }
    }
    const document = '<r><a><b>B</b><c>C</c><b>last</b></a></r>'
    for (const [path, value] of [
      ['b', 'B'],
      ['c', 'C'],
    ] as const) {
      expect(await recordsOf(document, 'a', { v: new Field(path) })).toEqual([{ v: value }])
    }
    expect(await recordsOf(document, 'a', { v: { path: 'b' } })).toEqual([{ v: 'B' }])
    const inherited = Object.assign(Object.create({ pick: 'last' }), { path: 'b' })
    expect(await recordsOf(document, 'a', { v: inherited })).toEqual([{ v: 'last' }])
  })

  test('knows no namespace from one with the name undefined', async () => {
    const read = (document: string) => recordsOf(document, 'a', { v: '{undefined}b' })
    expect(await read('<r><a><b>B</b></a></r>')).toEqual([{ v: undefined }])
    expect(await recordsOf('<r xmlns="undefined"><a><b>B</b></a></r>', '{undefined}a', { v: '{undefined}b' })).toEqual([
      { v: 'B' },
    ])
    expect(await read('<r><p:a xmlns:p="x"/><a xmlns:q="undefined"><q:b>B</q:b></a></r>')).toEqual([{ v: 'B' }])
  })

  test('is forgotten after sixteen others', () => {
    const first = projectionOf({ path: 'first', nested })
    for (let i = 0; i < 16; i++) projectionOf({ path: `other${i}`, nested })
    expect(projectionOf({ path: 'first', nested })).not.toBe(first)
  })

  test('has one automaton, which documents do not change', () => {
    const projection = projectionOf({ path: 'many/*', nested })
    const automaton = automatonOf(projection)
    const count = automaton.states?.length
    for (let i = 0; i <= 4096; i++) {
      const name = makeName(`n${i}`)
      automaton.enter(automaton.start, automaton.elements.of(name, undefined), XmlAttributes.NONE)
    }
    expect(automatonOf(projection)).toBe(automaton)
    expect(automaton.states?.length).toBe(count)
  })
})
