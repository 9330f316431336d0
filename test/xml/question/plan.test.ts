// What fields there may be.

import { describe, expect, expectTypeOf, test } from 'vitest'
import { type CompactRecord, readXml, type XmlShape } from '../../../source/xml/index.ts'
import { findFields, planShape } from '../../../source/xml/question/plan.ts'

const sourcesOf = (shape: XmlShape) => planShape(shape).fields.map(({ sources }) => sources[0])
const read = (fields: unknown) => readXml(['<a/>']).records('a', fields as XmlShape)

describe('fields', () => {
  test('select text, names and attributes, of one element or of all', () => {
    const { fields } = planShape({ a: '.', b: 'x', c: ['x/y'], d: '@id', e: 'x/@p:id', f: 'name()', g: ['*/name()'] })
    expect(
      fields.map(({ isList, sources: [source] }) => [
        source?.takes,
        source?.attribute?.name,
        isList,
        source?.path !== undefined,
      ]),
    ).toEqual([
      ['content', undefined, false, false],
      ['content', undefined, false, true],
      ['content', undefined, true, true],
      ['attribute', 'id', false, false],
      ['attribute', 'p:id', false, true],
      ['name', undefined, false, false],
      ['name', undefined, true, true],
    ])
  })

  test('may be of a namespace, whatever that is called', () => {
    expect(sourcesOf({ a: '{http://x/@y}t', b: '{http://x/@y}t/@z', c: '@{http://x/@y}z' })).toMatchObject([
      { takes: 'content' },
      { takes: 'attribute', attribute: { name: 'z', namespace: undefined } },
      { takes: 'attribute', attribute: { name: 'z', namespace: 'http://x/@y' } },
    ])
  })

  test('may look at attributes on the way', () => {
    expect(sourcesOf({ a: 'x[@n="/@"]/@id' })).toMatchObject([{ takes: 'attribute', attribute: { name: 'id' } }])
    expect(sourcesOf({ a: 'x[@n]' })).toMatchObject([{ takes: 'content' }])
  })

  test.each([
    ['', 'it is empty'],
    ['/a', 'the path of a field starts at the element, without "/"'],
    ['/a', 'without "/"'],
    ['//', 'it is empty'],
    ['a//', 'it ends with "/"'],
    ['.//', 'it is empty'],
    ['a///@id', 'it has three slashes in a row'],
    ['@{u}', 'invalid name "{u}": expected {namespace}name'],
    ['@{*}id', 'use *:id for any namespace'],
    ['*:a:b', 'expected {namespace}name or *:name'],
    ['@*:a:b', 'expected {namespace}name or *:name'],
    ['*:', '"*:" is not a valid step'],
    ['*:*', '"*:*" is not a valid step'],
    ['{u}*:a', '"*:a" is not an element name'],
    ['a/@', 'is not an attribute name'],
    ['@a/b', '"@a" is not a valid step'],
    ['@1', '"1" is not an attribute name'],
    ['text()', 'the field a: invalid path "text()": "text()" is not an element name'],
    ['..', 'is not an element name'],
    [7, 'invalid path 7: it is not a string'],
    [undefined, 'it is not a string'],
    [[], 'the field a: an array of 0 paths; use an array with one path to get all values'],
    [['a', 'b'], 'the field a: an array of 2'],
    [[['a']], 'it is not a string'],
  ])('have no path %j', (path, message) => {
    expect(() => read({ a: path })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    expect(() => read({ a: path })).toThrow(message)
  })

  test.each([undefined, null, [], ['title'], 'title', 7, new Set(['title']), Promise.resolve({ title: 'title' })])(
    'are not %j',
    (fields) => {
      expect(() => read(fields)).toThrow(expect.objectContaining({ name: 'TypeError', code: 'invalid-option' }))
    },
  )

  test('cannot be required if they are lists or hidden, or if a condition says that they are absent', () => {
    expect(() => read({ a: [{ path: 'a', required: true }] })).toThrow('required is not for all values')
    expect(() => read({ a: { path: 'a', required: true, hidden: true } })).toThrow('required is not for hidden fields')
    const where = { a: { present: false } }
    expect(() => readXml('<a/>').records('a', { a: { path: 'a', required: true } }, { where })).toThrow(
      'where: the field a is required; no record is without it',
    )
  })

  test('may have the names of what objects have anyway, except for the one that objects cannot have', async () => {
    const records: object[] = []
    const fields = { constructor: 'x', toString: ['x'] } as const
    for await (const record of readXml(['<r><a><x>1</x></a><a/></r>']).records('a', fields)) records.push(record)
    expect(records).toEqual([
      { constructor: '1', toString: ['1'] },
      { constructor: undefined, toString: [] },
    ])
    expect(() => read({ ['__proto__']: 'x' })).toThrow('a field cannot be named __proto__')
  })

  test('give records their type', () => {
    async function* titles() {
      for await (const { title, tags } of readXml('<a/>').records('a', { title: 'title', tags: ['tag'] })) {
        expectTypeOf(title).toEqualTypeOf<string | undefined>()
        expectTypeOf(tags).toEqualTypeOf<string[]>()
        yield title
      }
    }
    const inVariable = { title: 'title', tags: ['tag'] }
    async function* values() {
      for await (const { title, tags } of readXml('<a/>').records('a', inVariable)) {
        expectTypeOf(title).toEqualTypeOf<string | undefined>()
        expectTypeOf(tags).toEqualTypeOf<string[]>()
        yield title
      }
    }
    async function* shaped() {
      const shape = {
        id: { path: '@Id', as: 'integer' },
        body: { path: 'body', as: 'xml' },
        minor: { path: 'minor', as: 'present' },
        times: [{ path: 'time', as: 'date' }],
        key: { path: '@key', required: true },
        owner: { of: 'owner', fields: { name: 'name' }, required: true },
        author: { of: 'author', fields: { name: 'name', mail: '@mail' } },
        votes: [{ of: 'votes/vote', fields: { by: '@by', value: { path: '.', as: 'number' } } }],
        page: { outer: 'page', fields: { title: { path: 'title' } } },
        facts: { path: 'facts', as: 'children', late: true },
      } as const satisfies XmlShape
      const records = readXml('<a/>').records('a', shape, {
        where: (record) => {
          expectTypeOf<keyof typeof record>().toEqualTypeOf<Exclude<keyof typeof shape, 'facts'>>()
          return record.id === 7
        },
      })
      for await (const record of records) {
        expectTypeOf(record.id).toEqualTypeOf<number | undefined>()
        expectTypeOf(record.body).toEqualTypeOf<string | undefined>()
        expectTypeOf(record.minor).toEqualTypeOf<true | undefined>()
        expectTypeOf(record.times).toEqualTypeOf<Date[]>()
        expectTypeOf<CompactRecord<typeof shape>['times']>().toEqualTypeOf<string[]>()
        expectTypeOf(record.key).toEqualTypeOf<string>()
        expectTypeOf(record.owner.name).toEqualTypeOf<string | undefined>()
        expectTypeOf(record.author?.mail).toEqualTypeOf<string | undefined>()
        expectTypeOf(record.votes[0]?.value).toEqualTypeOf<number | undefined>()
        expectTypeOf(record.page?.title).toEqualTypeOf<string | undefined>()
        expectTypeOf(record.facts).toEqualTypeOf<Record<string, string | string[]> | undefined>()
        yield record
      }
    }
    expect(values).toBeTypeOf('function')
    expect(shaped).toBeTypeOf('function')
    expect(titles).toBeTypeOf('function')
  })
})

test('a field is found by the names of records around it, with dots between them and in them', () => {
  const record = (fields: XmlShape) => ({ of: 'x', fields })
  const plan = planShape({
    a: record({ 'b.c': 'x', b: record({ d: 'x' }) }),
    'a.b': record({ 'e.f': [record({ 'g.h': 'x' })] }),
    'a.b.d': 'x',
  })
  const find = (name: string) => findFields(plan, name, (known) => new Error(known.join())).map((field) => field.name)
  expect(find('a.b.c')).toEqual(['a', 'b.c'])
  expect(find('a.b')).toEqual(['a.b'])
  expect(find('a.b.d')).toEqual(['a.b.d'])
  expect(find('a.b.e.f.g.h')).toEqual(['a.b', 'e.f', 'g.h'])
  expect(() => find('a.b.e.f.g')).toThrow('a.b.e.f.g.h')
})
