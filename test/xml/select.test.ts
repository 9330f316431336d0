// Elements that paths mean, and documents as trees.

import { describe, expect, test } from 'vitest'
import { makeTransform } from '../../source/stream/make-transform.ts'
import type { SelectOptions, XmlOptions } from '../../source/xml/index.ts'
import { parseXml, readXml, type XmlElement, XmlError } from '../../source/xml/index.ts'
import { collectAll } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'
import { cutsOf } from '../support/machine.ts'
import { stalling } from '../support/sources.ts'

const DOCUMENT = '<r><a id="1">x<b>1</b><a id="2"><b>2 &amp; é</b></a></a><c xmlns="u"><a id="3"/></c></r>'
const bytes = new TextEncoder().encode(DOCUMENT)
const decoder = new TextDecoder()

/** The source of each element, which is the same at every cut. */
async function select(path: string | string[], options: SelectOptions & XmlOptions = {}): Promise<string[]> {
  const { nested, where, ...reading } = options
  const all: string[][] = []
  for (const pieces of cutsOf(bytes)) {
    const found: string[] = []
    for await (const element of readXml(pieces, reading).select(path, { nested, where }))
      found.push(decoder.decode(element.bytes))
    all.push(found)
  }
  for (const other of all) expect(other).toEqual(all[0])
  return all[0] as string[]
}

const A1 = '<a id="1">x<b>1</b><a id="2"><b>2 &amp; é</b></a></a>'
const A2 = '<a id="2"><b>2 &amp; é</b></a>'

describe('a path', () => {
  test.each([
    ['a', [A1, '<a id="3"/>']],
    ['/a', []],
    ['/r/a', [A1]],
    ['a/a', [A2]],
    ['a/b', ['<b>1</b>', '<b>2 &amp; é</b>']],
    ['r/*', [A1, '<c xmlns="u"><a id="3"/></c>']],
    ['/r/**/b', ['<b>1</b>', '<b>2 &amp; é</b>']],
    ['*', [DOCUMENT]],
    ['a[@id="2"]', [A2]],
    ["a[@id='3']", ['<a id="3"/>']],
    ['a[@x]', []],
    ['a//b', ['<b>1</b>', '<b>2 &amp; é</b>']],
    ['/r//b', ['<b>1</b>', '<b>2 &amp; é</b>']],
    ['//b', ['<b>1</b>', '<b>2 &amp; é</b>']],
    ['//a/b', ['<b>1</b>', '<b>2 &amp; é</b>']],
    ['/r//a//b', ['<b>1</b>', '<b>2 &amp; é</b>']],
    ['/a//b', []],
    ['r//*', [A1, '<c xmlns="u"><a id="3"/></c>']],
    ['//c//a[@id]', ['<a id="3"/>']],
    ['{u}c//{u}a', ['<a id="3"/>']],
    ['*:a', [A1, '<a id="3"/>']],
    ['*:c/*:a', ['<a id="3"/>']],
    ['{}r/*:c[@*:xmlns="u"]//*:a[@*:id="3"]', ['<a id="3"/>']],
    ['a[@*:u]', []],
    ['a[@{}id="3"]', ['<a id="3"/>']],
    ['c[@{http://www.w3.org/2000/xmlns/}xmlns="u"]', ['<c xmlns="u"><a id="3"/></c>']],
    ['a[@{u}id]', []],
    ['{u}a', ['<a id="3"/>']],
    ['a[not(@id)]', []],
    ['*[not(@*:id)]', [DOCUMENT]],
    ['/r//*[not( @id = "1" )][@id!="2"]', ['<a id="3"/>']],
    ['a[b]', [A1]],
    ['a[b][a]', [A1]],
    ['a[not(a)]', ['<a id="3"/>']],
    ['a/a[b][not(@x)]', [A2]],
    ['a[not(*)]', ['<a id="3"/>']],
    ['c[{u}a]', ['<c xmlns="u"><a id="3"/></c>']],
    ['*:c[*:a]', ['<c xmlns="u"><a id="3"/></c>']],
    ['c[{}a]', []],
    ['{}b', ['<b>1</b>', '<b>2 &amp; é</b>']],
  ])('%s matches %j', async (path, elements) => {
    expect(await select(path)).toEqual(elements)
  })

  test('may be one of several', async () => {
    expect(await select(['c', 'a/a/b'])).toEqual(['<b>2 &amp; é</b>', '<c xmlns="u"><a id="3"/></c>'])
  })

  test('gives the innermost of nested matches where that is wanted', async () => {
    expect(await select('a', { nested: 'innermost' })).toEqual([A2, '<a id="3"/>'])
  })

  test('gives all nested matches in the order of their ends where that is wanted', async () => {
    const [inner, outer, ...others] = (await select('a', { nested: 'all' })) as string[]
    expect([inner, others]).toEqual([A2, ['<a id="3"/>']])
    expect(outer).toContain(A2)
  })

  test('gives those alone for which a predicate is true', async () => {
    expect(await select('a', { where: ({ text }) => text === '' })).toEqual(['<a id="3"/>'])
    expect(await select('a[not(b)]', { where: ({ text }) => text !== '' })).toEqual([])
  })

  test('asks for a child when the element ends, so that an outer match without it hides inner ones, unless all are wanted', async () => {
    const text = '<r><a><x/><a><b/></a></a></r>'
    const found = async (options: SelectOptions) =>
      (await collectAll(readXml(text).select('a[b]', options))).map(({ bytes }) => decoder.decode(bytes))
    expect(await found({})).toEqual([])
    expect(await found({ nested: 'all' })).toEqual(['<a><b/></a>'])
    expect(await found({ nested: 'innermost' })).toEqual(['<a><b/></a>'])
    const records = (nested: SelectOptions['nested']) =>
      collectAll(readXml(text).records('a[b]', { x: { path: 'x', as: 'present' } }, { nested }))
    expect(await records('outermost')).toEqual([])
    expect(await records('all')).toEqual([{ x: undefined }])
  })

  test('asks for a child only where that can be known, and is refused with the reason otherwise', () => {
    const reason =
      'which is known only when the element ends; that works in the last step of the path of elements alone'
    expect(() => readXml('<a/>').select('a[b]/c')).toThrow(`invalid path "a[b]/c": "a[b]" asks for a child, ${reason}`)
    const field = 'invalid path "b/c[d]": "c[d]" asks for a child'
    expect(() => readXml('<a/>').records('a', { x: 'b/c[d]/@e' })).toThrow(`the field x: ${field}, ${reason}`)
    const around = { outer: '/a[b]', fields: { x: '@x' } }
    expect(() => readXml('<a/>').records('b', { around })).toThrow(`"/a[b]" asks for a child, ${reason}`)
    const several = 'invalid path "a[b]": of several paths, all must have the same predicates on children'
    for (const paths of [
      ['a[b]', 'c'],
      ['c', 'a[b]'],
      ['a[b]', 'c[not(b)]'],
    ])
      expect(() => readXml('<a/>').select(paths)).toThrow(several)
    expect(() => readXml('<a/>').select('a[1]')).toThrow(
      '"[1]" is not a valid predicate (there are no positions: a field has the first value, or all in an array)',
    )
    for (const [path, advice] of [
      ['a[contains(@b,"1")]', 'there are no functions but not(): [not(@id)]'],
      ['a[@b="1" and @c="2"]', 'write a predicate for each: [@a="1"][@b="2"]'],
      ['a[@b="1" or @b="2"]', 'use an array for several paths'],
      ['a[last()]', 'there are no positions: a field has the first value, or all in an array'],
    ] as const)
      expect(() => readXml('<a/>').select(path)).toThrow(`is not a valid predicate (${advice})`)
  })

  test('may ask for the same child in several paths', async () => {
    expect(await select(['c[*]', 'a/a[*]'])).toEqual([A2, '<c xmlns="u"><a id="3"/></c>'])
  })

  const NO_PATHS = [
    '',
    '/',
    '//',
    'a/',
    'a//',
    '///a',
    'a///b',
    '{u}**',
    '**[@id]',
    '{u}a}',
    'a[@{u}]',
    'a[@{*}id]',
    'a[',
    'a[b]/c',
    'a[b/c]',
    'a[b="1"]',
    'a[1]',
    'a[**]',
    'a[@id and @x]',
    'a[not(@id) and @x]',
    'a[not(not(@id))]',
    'a[last()]',
    'a[b[@c]]',
    'a[@!="1"]',
    'a b',
    'a,b',
    'a/text()',
    './a',
    '../a',
    'a>b',
    'child::a',
    '<a>',
    '1a',
    '{*}a',
    'a!',
  ]
  test.each(NO_PATHS)('%j is refused at once', (path) => {
    expect(() => readXml(['<a/>']).select(path)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })

  test('may have any value in a predicate', async () => {
    const document = '<r><a x="]"/><a x="[@"/><a x="/"/></r>'
    for (const value of [']', '[@', '/']) {
      const found: XmlElement[] = []
      for await (const element of readXml(document).select(`a[@x="${value}"]`)) found.push(element)
      expect(found.map((element) => element.attribute('x'))).toEqual([value])
    }
  })

  test('is refused with a hint where it is several, or none', () => {
    expect(() => readXml('<a/>').select('a|b')).toThrow('use an array for several paths')
    expect(() => readXml('<a/>').select([])).toThrow('it is an empty array')
    expect(() => readXml('<a/>').select(7 as unknown as string)).toThrow('invalid path 7')
  })

  test('gives the elements before the one at which a predicate throws', async () => {
    const found: string[] = []
    const where = ({ text }: XmlElement) => {
      if (text === '3') throw new Error('no three')
      return true
    }
    const reading = async () => {
      for await (const { text } of readXml('<r><a>1</a><a>2</a><a>3</a></r>').select('a', { where })) found.push(text)
    }
    await expect(reading()).rejects.toThrow('no three')
    expect(found).toEqual(['1', '2'])
  })
})

describe('an element', () => {
  const { root } = parseXml(DOCUMENT)

  test('has a name, attributes, children and text', () => {
    const [a, c] = root.children
    expect(root).toMatchObject({ name: 'r', prefix: '', localName: 'r', namespace: undefined, start: 0 })
    expect(root.child('a')).toBe(a)
    expect(root.child('x')).toBeUndefined()
    expect(root.childrenNamed('c')).toEqual([c])
    expect(root.child('c')?.child('a')).toMatchObject({ namespace: 'u' })
    expect(root.child('a')?.attribute('id')).toBe('1')
    expect(root.child('a')?.attribute('x')).toBeUndefined()
    expect(root.child('a')?.text).toBe('x12 & é')
    expect(root.child('a')?.childText('b')).toBe('1')
    expect(root.child('a')?.childElements.map(({ text }) => text)).toEqual(['1', '2 & é'])
    expect(root.child('a')?.ownText).toBe('x')
    expect(parseXml('<b>x</b>').root.childElements).toEqual([])
  })

  test('finds children and attributes by their local names in any namespace', async () => {
    const document =
      '<r xmlns:p="u" xmlns:id="v"><i p:id="1" id="2"><p:b>x</p:b><b>y</b><c:b xmlns:c="w">&none;z</c:b></i></r>'
    const declared = `<!DOCTYPE r [<!ENTITY none "">]>${document}`
    for (const text of [document.replace('&none;', ''), declared]) {
      const elements = [parseXml(text).root.child('*:i') as XmlElement]
      for (const engine of ['wasm', 'plain'] as const) {
        for (const pieces of cutsOf(new TextEncoder().encode(text))) {
          for await (const element of readXml(pieces, { engine }).select('*:i')) elements.push(element)
        }
      }
      for (const element of elements) {
        expect(element.childrenNamed('*:b').map(({ name }) => name)).toEqual(['p:b', 'b', 'c:b'])
        expect([element.child('*:b')?.text, element.childText('*:b'), element.childText('*:none')]).toEqual([
          'x',
          'x',
          undefined,
        ])
        const { attributes } = element
        expect([element.attribute('*:id'), attributes.get('*:id'), attributes.has('*:id')]).toEqual(['1', '1', true])
        // A declaration is not an attribute of the prefix that it declares.
        expect([attributes.has('*:p'), parseXml(text).root.attribute('*:id')]).toEqual([false, undefined])
      }
    }
    const { root } = parseXml('<r/>')
    for (const name of ['*:', '*:a:b', '{*}b', '{u'])
      expect(() => root.child(name)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })

  test('keeps the details of its attributes', () => {
    const { attributes } = parseXml('<a xmlns:p="u" b="1" p:c="2"/>').root
    expect(attributes.size).toBe(3)
    expect([...attributes]).toEqual([
      ['xmlns:p', 'u'],
      ['b', '1'],
      ['p:c', '2'],
    ])
    expect(attributes.details[2]).toEqual({
      name: 'p:c',
      prefix: 'p',
      localName: 'c',
      namespace: 'u',
      value: '2',
      start: 21,
      end: 27,
    })
    expect(attributes.has('__proto__')).toBe(false)
  })

  test('is plain data by toJSON, also when it is deep', () => {
    expect(parseXml('<a b="c">x<d/><!--y--></a>').root.toJSON()).toEqual({
      name: 'a',
      attributes: [['b', 'c']],
      children: [
        { type: 'text', text: 'x' },
        { name: 'd', attributes: [], children: [] },
        { type: 'comment', text: 'y' },
      ],
    })
    const depth = isThorough ? 100_000 : 20_000
    const deep = parseXml(`${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`).root
    expect(deep.text).toBe('x')
    expect(deep.toJSON().name).toBe('a')
  })
})

describe('a document', () => {
  test('has a root, and what stands around it', () => {
    const document = parseXml('<?xml version="1.0"?><!--x--><!DOCTYPE a [<!ENTITY e "f">]><a>&e;</a><?y z?>')
    expect(document.declaration).toMatchObject({ version: '1.0' })
    expect(document.doctype?.name).toBe('a')
    expect(document.children).toMatchObject([{ type: 'comment' }, { type: 'element' }, { type: 'instruction' }])
    expect(document.root.text).toBe('f')
  })

  test('that is not well-formed is refused', () => {
    expect(() => parseXml('<a>')).toThrow(XmlError)
  })
})

describe('a selection', () => {
  test('gives the elements before an error', async () => {
    const found: string[] = []
    const reading = async () => {
      for await (const { text } of readXml(['<r><a>1</a><a>2</a><b></r>']).select('a')) found.push(text)
    }
    await expect(reading()).rejects.toBeInstanceOf(XmlError)
    expect(found).toEqual(['1', '2'])
  })

  test('closes the source when it is left early', async () => {
    const source = stalling(['<r><a>1</a><a>2</a><x>'])
    for await (const { text } of readXml(source).select('a')) {
      expect(text).toBe('1')
      break
    }
    expect(source.isClosed).toBe(true)
  })

  test('gives an element as soon as its end has arrived', async () => {
    const elements = readXml(stalling(['<r><a>1</a>'])).select('a')
    expect((await elements.next()).value?.text).toBe('1')
    await elements.return()
  })
})

describe('a pipe of Web Streams', () => {
  test('gives elements', async () => {
    const texts: string[] = []
    const stream = new Blob([DOCUMENT]).stream().pipeThrough(makeTransform((source) => readXml(source).select('b')))
    for await (const { text } of stream) texts.push(text)
    expect(texts).toEqual(['1', '2 & é'])
  })

  test('gives events', async () => {
    let count = 0
    for await (const events of new Blob([DOCUMENT])
      .stream()
      .pipeThrough(makeTransform((source) => readXml(source).events().batches())))
      count += events.length
    expect(count).toBe(17)
  })
})
