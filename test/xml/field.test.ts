// What fields there may be.

import { describe, expect, expectTypeOf, test } from 'vitest'
import { parseFields } from '../../source/xml/field.ts'
import { readXml, type XmlFields } from '../../source/xml/index.ts'

const read = (fields: unknown) => readXml(['<a/>']).records('a', fields as XmlFields)

describe('fields', () => {
  test('select text, names and attributes, of one element or of all', () => {
    const fields = parseFields({ a: '.', b: 'x', c: ['x/y'], d: '@id', e: 'x/@p:id', f: 'name()', g: ['*/name()'] })
    expect(
      fields.map(({ tells, attribute, isList, path }) => [tells, attribute?.name, isList, path !== undefined]),
    ).toEqual([
      ['text', undefined, false, false],
      ['text', undefined, false, true],
      ['text', undefined, true, true],
      ['attribute', 'id', false, false],
      ['attribute', 'p:id', false, true],
      ['name', undefined, false, false],
      ['name', undefined, true, true],
    ])
  })

  test('may be of a namespace, whatever that is called', () => {
    expect(parseFields({ a: '{http://x/@y}t', b: '{http://x/@y}t/@z', c: '@{http://x/@y}z' })).toMatchObject([
      { tells: 'text' },
      { tells: 'attribute', attribute: { name: 'z', namespace: undefined } },
      { tells: 'attribute', attribute: { name: 'z', namespace: 'http://x/@y' } },
    ])
  })

  test('may look at attributes on the way', () => {
    expect(parseFields({ a: 'x[@n="/@"]/@id' })).toMatchObject([{ tells: 'attribute', attribute: { name: 'id' } }])
    expect(parseFields({ a: 'x[@n]' })).toMatchObject([{ tells: 'text' }])
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
    ['@{*}id', 'omit the namespace'],
    ['a/@', 'is not an attribute name'],
    ['@a/b', '"@a" is not a valid step'],
    ['@1', '"1" is not an attribute name'],
    ['text()', 'the field a: invalid path "text()": "text()" is not an element name'],
    ['..', 'is not an element name'],
    [7, 'invalid path 7: it is not a string'],
    [undefined, 'it is not a string'],
    [[], 'the field a has an array of 0 paths; use an array with one path to get all values'],
    [['a', 'b'], 'the field a has an array of 2'],
    [[['a']], 'it is not a string'],
  ])('have no path %j', (path, message) => {
    expect(() => read({ a: path })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    expect(() => read({ a: path })).toThrow(message)
  })

  test.each([undefined, null, {}, [], ['title'], 'title', 7])('are not %j', (fields) => {
    expect(() => read(fields)).toThrow(expect.objectContaining({ name: 'TypeError', code: 'invalid-option' }))
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
    async function* values(fields: XmlFields) {
      for await (const { value } of readXml('<a/>').records('a', fields)) {
        expectTypeOf(value).toEqualTypeOf<string | string[] | undefined>()
        yield value
      }
    }
    expect(values).toBeTypeOf('function')
    expect(titles).toBeTypeOf('function')
  })
})
