// Elements as plain objects.

import { describe, expect, expectTypeOf, test } from 'vitest'
import { parseXml } from '../../../source/xml/index.ts'
import {
  toObject,
  type XmlObject,
  type XmlObjectOptions,
  type XmlOrderedObject,
  type XmlValue,
} from '../../../source/xml/object/index.ts'
import { isThorough } from '../../support/extent.ts'

function convert(xml: string, options?: XmlObjectOptions): unknown {
  return toObject(parseXml(xml), options)
}

describe('an element as an object', () => {
  test.each([
    ['without attributes and content is an empty text', '<a/>', { a: '' }],
    ['with text alone is the text', '<a> x &amp; <![CDATA[<y>]]>\n</a>', { a: ' x & <y>\n' }],
    ['with comments and instructions alone is what is left', '<a><!-- c -->x<?p?>y</a>', { a: 'xy' }],
    ['with white space alone keeps it', '<a> <b>\n</b></a>', { a: { b: '\n' } }],
    ['has attributes first', '<a b="1" c="">x</a>', { a: { '@b': '1', '@c': '', '#text': 'x' } }],
    ['with attributes has no text if it is empty', '<a b="1"/>', { a: { '@b': '1' } }],
    [
      'with attributes keeps white space that is its only content',
      '<a b="1"> </a>',
      { a: { '@b': '1', '#text': ' ' } },
    ],
    ['has elements of one name in an array', '<a><b>1</b><c/><b>2</b></a>', { a: { b: ['1', '2'], c: '' } }],
    ['has no white space between elements', '<a>\n  <b/>\n\t<c/>\r\n</a>', { a: { b: '', c: '' } }],
    ['has its text in one piece', '<a><b/>x <b/> y<c/> </a>', { a: { b: ['', ''], '#text': 'x  y', c: '' } }],
    ['has text around comments as one', '<a>x<!-- c --> <?p?><b/></a>', { a: { '#text': 'x ', b: '' } }],
    [
      'has declarations of namespaces and prefixes',
      '<p:a xmlns:p="u"><p:b p:c="1"/></p:a>',
      { 'p:a': { '@xmlns:p': 'u', 'p:b': { '@p:c': '1' } } },
    ],
    [
      'has defaults of attributes and entities',
      '<!DOCTYPE a [<!ENTITY e "<b>x</b>"><!ATTLIST a c CDATA "d">]><a>&e;</a>',
      { a: { '@c': 'd', b: 'x' } },
    ],
    ['has other white space than that of XML', '<a>\u00a0<b/></a>', { a: { '#text': '\u00a0', b: '' } }],
  ])('%s', (_, xml, expected) => {
    expect(convert(xml)).toEqual(expected)
    expect(JSON.stringify(convert(xml))).toBe(JSON.stringify(expected))
    expect(toObject(parseXml(xml).root)).toEqual(expected)
  })

  test('has keys in the order of the document, and text where it first appears', () => {
    const { a } = convert('<a z="1"><y/>t<x/><y/>u<w/></a>') as { a: object }
    expect(Object.keys(a)).toEqual(['@z', 'y', '#text', 'x', 'w'])
  })

  test.runIf(isThorough)('may be nested to any depth', () => {
    const depth = 100_000
    const { root } = parseXml(`${'<a>x<b/>'.repeat(depth)}${'</a>'.repeat(depth)}`)
    for (const options of [{}, { arrays: 'a' }, { ordered: true }] as const) {
      let levels = 0
      let next: unknown = toObject(root, options)
      while (typeof next === 'object' && next !== null) {
        const { a, children } = next as { a?: unknown; children?: unknown[] }
        next = children ? children.at(-1) : Array.isArray(a) ? a[0] : a
        levels++
      }
      expect(levels).toBeGreaterThanOrEqual(depth)
    }
  })
})

describe('names that objects have', () => {
  const xml =
    '<__proto__><constructor>1</constructor><toString/><toString>2</toString><__proto__ __proto__="3">4</__proto__><__proto__/><hasOwnProperty/></__proto__>'

  test('are data of the object and change nothing else', () => {
    const object = convert(xml) as object
    expect(JSON.stringify(object)).toBe(
      '{"__proto__":{"constructor":"1","toString":["","2"],"__proto__":[{"@__proto__":"3","#text":"4"},""],"hasOwnProperty":""}}',
    )
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
    expect(JSON.parse(JSON.stringify(object))).toEqual(object)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('are data with any options', () => {
    const merged = convert('<a constructor="1" __proto__="2"><__proto__/></a>', { attributePrefix: '' }) as object
    expect(JSON.stringify(merged)).toBe('{"a":{"constructor":"1","__proto__":["2",""]}}')
    const named = convert('<a b="1">x</a>', { textName: '__proto__' }) as { a: object }
    expect(JSON.stringify(named)).toBe('{"a":{"@b":"1","__proto__":"x"}}')
    expect(Object.getPrototypeOf(named.a)).toBe(Object.prototype)
    const { attributes } = toObject(parseXml('<a __proto__="1" valueOf="2"/>'), { ordered: true })
    expect(JSON.stringify(attributes)).toBe('{"__proto__":"1","valueOf":"2"}')
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype)
  })
})

describe('the option', () => {
  test('attributePrefix names attributes', () => {
    expect(convert('<a b="1"><c/></a>', { attributePrefix: '$' })).toEqual({ a: { $b: '1', c: '' } })
    expect(convert('<a b="1"><b>2</b></a>', { attributePrefix: '' })).toEqual({ a: { b: ['1', '2'] } })
  })

  test('textName names the text', () => {
    expect(convert('<a b="1">x<c/></a>', { textName: '_' })).toEqual({ a: { '@b': '1', _: 'x', c: '' } })
  })

  test.each([
    [
      '<r><a b="1">x<_/></a></r>',
      { textName: '_' },
      'textName "_" is also the name of an element or an attribute in <a>: choose another',
    ],
    ['<a _="1">x</a>', { textName: '_', attributePrefix: '' }, 'in <a>: choose another'],
    [
      '<r><a x="1"><_x>2</_x></a></r>',
      { attributePrefix: '_' },
      'attributePrefix "_" gives an attribute of <a> the name of the element <_x>',
    ],
    ['<a/>', { textName: '' }, 'textName must not be empty'],
    ['<a/>', { textName: '@text' }, 'textName "@text" must not begin with attributePrefix'],
    ['<a/>', { arrays: 'a[' }, 'invalid path "a["'],
    ['<a/>', { arrays: [] }, 'it is an empty array'],
  ])('with a value that does not fit %s is refused: %o', (xml, options, message) => {
    const refused = expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(message) })
    expect(() => convert(xml, options)).toThrow(refused)
  })

  test('that does not exist, or does not go together with ordered, is a TypeError', () => {
    const refused = expect.objectContaining({ name: 'TypeError', code: 'invalid-option' })
    expect(() => convert('<a/>', { array: ['a'] } as object)).toThrow(refused)
    for (const other of [{ attributePrefix: '@' }, { textName: '#text' }, { arrays: 'a' }]) {
      expect(() => convert('<a/>', { ordered: true, ...other })).toThrow(refused)
    }
  })

  test.each<[string, XmlObjectOptions['arrays'], unknown]>([
    ['a name', 'b', { a: { b: ['1'], c: { b: ['2'] } } }],
    ['names', ['b', 'c'], { a: { b: ['1'], c: [{ b: ['2'] }] } }],
    ['a path at any depth', 'c/b', { a: { b: '1', c: { b: ['2'] } } }],
    ['a path from the element', '/a/b', { a: { b: ['1'], c: { b: '2' } } }],
    ['a path with the element', 'a/b', { a: { b: ['1'], c: { b: '2' } } }],
    ['all', '*', { a: { b: ['1'], c: [{ b: ['2'] }] } }],
    ['a condition on a child', '*[b]', { a: { b: '1', c: [{ b: '2' }] } }],
    ['a function', ({ name, parent }) => name === 'b' && parent?.name === 'c', { a: { b: '1', c: { b: ['2'] } } }],
  ])('arrays takes %s', (_, arrays, expected) => {
    expect(convert('<a><b>1</b><c><b>2</b></c></a>', { arrays })).toEqual(expected)
  })

  test('arrays takes namespaces', () => {
    expect(convert('<a xmlns:p="u"><p:b/></a>', { arrays: '{u}b' })).toEqual({ a: { '@xmlns:p': 'u', 'p:b': [''] } })
  })

  test('trim leaves out white space around texts, but not in them and not in attributes', () => {
    const xml = '<a b=" 1 "> x  y\n<c> \t </c><d>\r\n</d>\u00a0<e> z</e></a>'
    const expected = { a: { '@b': ' 1 ', '#text': 'x  y\n\u00a0', c: '', d: '', e: 'z' } }
    expect(convert(xml, { trim: true })).toEqual(expected)
  })

  test('trim takes linear time for any text', () => {
    const text = `${`${' '.repeat(1000)}x`.repeat(1000)}`
    expect(convert(`<a>${text}</a>`, { trim: true })).toEqual({ a: text.trim() })
  })

  test.each<[string, XmlValue]>([
    ['0', 0],
    ['-1.5', -1.5],
    ['12345678901234567890', '12345678901234567890'],
    ['9007199254740993', '9007199254740993'],
    ['1e+21', 1e21],
    ['-1.2345678901234568e-300', -1.2345678901234568e-300],
    ['true', true],
    ['false', false],
    ...[
      '1.50',
      '007',
      '+1',
      '1e3',
      ' 1',
      '1_000',
      '0x1',
      '-0',
      '-',
      '',
      'NaN',
      'Infinity',
      'TRUE',
      '.5',
      '1.',
      'null',
    ].map((text): [string, XmlValue] => [text, text]),
  ])('values makes a value of %j only where the same text comes back', (text, value) => {
    const object = convert(`<a b="${text}"><c>${text}</c>${text}</a>`, { values: true }) as { a: XmlObject<XmlValue> }
    expect(object.a['@b']).toBe(value)
    expect(object.a.c).toBe(value)
    expect(String(value)).toBe(text)
  })

  test('ordered keeps mixed content, comments and instructions in order', () => {
    const xml = '<p a="1">one <b>two</b> <!--c-->three<?t d?><b/>\n</p>'
    expect(convert(xml, { ordered: true })).toEqual({
      name: 'p',
      attributes: { a: '1' },
      children: [
        'one ',
        { name: 'b', attributes: {}, children: ['two'] },
        ' ',
        { comment: 'c' },
        'three',
        { target: 't', data: 'd' },
        { name: 'b', attributes: {}, children: [] },
        '\n',
      ],
    })
    expect(convert('<a b="2"> 1 <c/> </a>', { ordered: true, trim: true, values: true })).toEqual({
      name: 'a',
      attributes: { b: 2 },
      children: [1, { name: 'c', attributes: {}, children: [] }],
    })
  })
})

test('TypeScript knows what options give', () => {
  const { root } = parseXml('<a/>')
  expectTypeOf(toObject(root)).toEqualTypeOf<XmlObject>()
  expectTypeOf(toObject(root, { trim: true })).toEqualTypeOf<XmlObject>()
  expectTypeOf(toObject(root, { values: true })).toEqualTypeOf<XmlObject<XmlValue>>()
  expectTypeOf(toObject(root, { ordered: true })).toEqualTypeOf<XmlOrderedObject>()
  expectTypeOf(toObject(root, { ordered: true, values: true })).toEqualTypeOf<XmlOrderedObject<XmlValue>>()
  const options: XmlObjectOptions = {}
  expectTypeOf(toObject(root, options)).toEqualTypeOf<XmlObject<XmlValue> | XmlOrderedObject<XmlValue>>()
})
