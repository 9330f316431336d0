// Plain objects as elements.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml } from '../../../source/xml/index.ts'
import { fromObject, toObject, type XmlObjectOptions } from '../../../source/xml/object/index.ts'
import { toXml } from '../../../source/xml/write/index.ts'
import { isThorough } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { randomDocuments } from '../../support/random-xml.ts'

const text = (text: string) => ({ type: 'text', text })
const element = (name: string, attributes: [string, string][] = [], children: unknown[] = []) => {
  return { name, attributes, children }
}

describe('an object as an element', () => {
  test.each([
    ['text', { a: 'x' }, element('a', [], [text('x')])],
    ['nothing', { a: '' }, element('a')],
    ['null', { a: null }, element('a')],
    ['an empty object', { a: {} }, element('a')],
    [
      'attributes, text and elements in their order',
      { a: { '@b': '1', c: '', '#text': 'x', d: 'y' } },
      element('a', [['b', '1']], [element('c'), text('x'), element('d', [], [text('y')])]),
    ],
    [
      'arrays',
      { a: { b: ['1', { '@c': '2' }, null, ''] } },
      element('a', [], [element('b', [], [text('1')]), element('b', [['c', '2']]), element('b'), element('b')]),
    ],
    ['an empty array', { a: { b: [] } }, element('a')],
    [
      'values',
      { a: { '@b': 1.5, '@c': true, d: 7n, e: new Date(0), '#text': 0 } },
      element(
        'a',
        [
          ['b', '1.5'],
          ['c', 'true'],
        ],
        [element('d', [], [text('7')]), element('e', [], [text('1970-01-01T00:00:00.000Z')]), text('0')],
      ),
    ],
    [
      'what is undefined, which is left out',
      { x: undefined, a: { '@b': undefined, '@c': null, d: undefined, e: [undefined], '#text': undefined } },
      element('a'),
    ],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 'x' }), element('a', [], [text('x')])],
  ])('may have %s', (_, object, expected) => {
    expect(fromObject(object)).toEqual(expected)
  })

  test('may have names that all objects have', () => {
    const object = JSON.parse('{"__proto__":{"@__proto__":"1","__proto__":["2"],"constructor":"3","toString":""}}')
    expect(fromObject(object)).toEqual(
      element(
        '__proto__',
        [['__proto__', '1']],
        [element('__proto__', [], [text('2')]), element('constructor', [], [text('3')]), element('toString')],
      ),
    )
  })

  test('may use one object in several places', () => {
    const shared = { b: '1' }
    expect(fromObject({ a: { c: shared, d: [shared, shared] } }).children).toHaveLength(3)
  })

  test('has the names that options say', () => {
    const object = { a: { $b: '1', _: 'x' } }
    expect(fromObject(object, { attributePrefix: '$', textName: '_' })).toEqual(element('a', [['b', '1']], [text('x')]))
    expect(fromObject({ a: { b: '1' } }, { attributePrefix: '' })).toEqual(
      element('a', [], [element('b', [], [text('1')])]),
    )
  })
})

describe('an ordered object as an element', () => {
  test('may leave out what is empty', () => {
    const object = { name: 'a', children: ['x', 1, true, { name: 'b' }, { comment: 'c' }, { target: 't' }] }
    expect(fromObject(object, { ordered: true })).toEqual(
      element(
        'a',
        [],
        [
          text('x'),
          text('1'),
          text('true'),
          element('b'),
          { type: 'comment', text: 'c' },
          { type: 'instruction', target: 't', data: '' },
        ],
      ),
    )
  })
})

const circle: Record<string, unknown> = { b: '' }
circle.c = [circle]

describe('what is not such an object', () => {
  test.each<[unknown, string, XmlObjectOptions?]>([
    ['x', 'invalid object: expected an object with the root element, not "x"'],
    [null, 'invalid object: expected an object with the root element, not null'],
    [[{ a: '' }], 'invalid object: expected an object with the root element, not an object of class Array'],
    [{}, 'invalid object: expected one root element, not none'],
    [{ a: '', b: '' }, 'invalid object: expected one root element, not "a", "b"'],
    [{ a: ['', ''] }, 'invalid object at a: the root element must not be an array'],
    [{ a: { b: [['x']] } }, 'invalid object at a.b[0]: an array in an array'],
    [{ a: { b: [{ '@c': {} }] } }, 'invalid object at a.b[0].@c: expected a text, not '],
    [{ a: { '#text': ['x'] } }, 'invalid object at a.#text: expected a text, not an object of class Array'],
    [{ a: { b: () => 1 } }, 'invalid object at a.b: expected a text, not a function'],
    [{ a: new Map() }, 'invalid object at a: expected a text, not '],
    [{ a: { b: new Date(Number.NaN) } }, 'invalid object at a.b: expected a text, not '],
    [{ 'a b': '' }, 'invalid object at a b: "a b" is not a name of XML'],
    [{ a: { b: { '1': '' } } }, 'invalid object at a.b.1: "1" is not a name of XML'],
    [{ a: { '@': '' } }, 'invalid object at a.@: "" is not a name of XML'],
    [{ a: circle }, 'invalid object at a.c[0]: the object is in itself'],
    [parseXml('<a/>').root, 'invalid object'],
    ['x', 'invalid object: expected { name, attributes, children }, not "x"', { ordered: true }],
    [{ name: 1 }, 'invalid object: name must be a string, not 1', { ordered: true }],
    [{ name: '1' }, 'invalid object: "1" is not a name of XML', { ordered: true }],
    [
      { name: 'a', child: [] },
      'invalid object: unknown property "child": expected name, attributes, children',
      { ordered: true },
    ],
    [
      { name: 'a', attributes: [] },
      'invalid object at attributes: expected an object, not an object of class Array',
      { ordered: true },
    ],
    [
      { name: 'a', attributes: { 'b c': '' } },
      'invalid object at attributes.b c: "b c" is not a name of XML',
      { ordered: true },
    ],
    [{ name: 'a', children: 'x' }, 'invalid object at children: expected an array, not "x"', { ordered: true }],
    [
      { name: 'a', children: [{ name: 'b', children: [[]] }] },
      'invalid object at children[0].children[0]: expected a text, not an object of class Array',
      { ordered: true },
    ],
    [
      { name: 'a', children: [{ comment: 1 }] },
      'invalid object at children[0]: expected a string, not 1',
      { ordered: true },
    ],
    [
      { name: 'a', children: [{ target: 't', text: '' }] },
      'invalid object at children[0]: unknown property "text": expected target, data',
      { ordered: true },
    ],
  ])('is refused with its place: %o', (object, message, options) => {
    const refused = expect.objectContaining({ code: 'invalid-object', message: expect.stringContaining(message) })
    expect(() => fromObject(object, options)).toThrow(refused)
  })

  test('is refused with the last keys of its place, if that is deep', () => {
    let object: unknown = { 'b c': '' }
    for (let i = 0; i < 100_000; i++) object = { a: object }
    expect(() => fromObject(object)).toThrow(/^invalid object at … a(\.a){8}\.b c: "b c" is not a name of XML$/)
  })
})

test.runIf(isThorough)('an object of any depth becomes an element', () => {
  const depth = 100_000
  const { root } = parseXml('<a>'.repeat(depth) + '</a>'.repeat(depth))
  for (const options of [{}, { ordered: true }] as const) {
    let levels = 0
    let next: unknown = fromObject(toObject(root, options), options)
    while (next) {
      next = (next as { children: unknown[] }).children[0]
      levels++
    }
    expect(levels).toBe(depth)
  }
})

test('any element comes back from its ordered object as it was', () => {
  const property = fc.property(randomDocuments, fc.boolean(), (xml, values) => {
    const { root } = parseXml(xml)
    const object = toObject(root, { ordered: true, values })
    expect(fromObject(object, { ordered: true })).toEqual(root.toJSON())
    expect(fromObject(JSON.parse(JSON.stringify(object)), { ordered: true })).toEqual(root.toJSON())
  })
  fc.assert(property, parameters(400))
})

test('any object comes back from its element as it was, also when that is written', () => {
  const property = fc.property(randomDocuments, fc.boolean(), (xml, values) => {
    const object = toObject(parseXml(xml), { values })
    const written = toXml(fromObject(object))
    expect(JSON.stringify(toObject(parseXml(written), { values }))).toBe(JSON.stringify(object))
  })
  fc.assert(property, parameters(400))
})

test('any element comes back from its ordered object when that is written', () => {
  const property = fc.property(randomDocuments, (xml) => {
    const { root } = parseXml(xml)
    const written = toXml(fromObject(toObject(root, { ordered: true }), { ordered: true }))
    expect(parseXml(written).root).toEqual(root)
  })
  fc.assert(property, parameters(400))
})
