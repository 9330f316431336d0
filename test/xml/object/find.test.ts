// Elements that are looked for in a tree.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type XmlElement } from '../../../source/xml/index.ts'
import { descendants, find, findAll, toObject } from '../../../source/xml/object/index.ts'
import { isThorough } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { randomDocuments } from '../../support/random-xml.ts'

const document = parseXml(
  '<r xmlns:p="u"><a n="1"><b c="x">1</b><b c="d">2</b></a><p:a><b>3<a><b c="d">4</b></a></b></p:a><b c="d">5</b></r>',
)
const { root } = document
const textsOf = (elements: readonly XmlElement[]) => elements.map(({ text }) => text)

describe('a path in an element', () => {
  test.each([
    ['a/b[@c="d"]', ['2', '4']],
    ['b', ['1', '2', '34', '4', '5']],
    ['/b', ['5']],
    ['/a/b', ['1', '2']],
    ['//b', ['1', '2', '34', '4', '5']],
    ['/*', ['12', '34', '5']],
    ['*:a/b', ['1', '2', '34', '4']],
    ['{u}a/b', ['34']],
    ['b[a]', ['34']],
    ['a[@n]/b[not(@c="d")]', ['1']],
    ['r', []],
    ['r/b', []],
    [['/b', 'a/a'], ['5']],
  ])('%j matches what is in it', (path, expected) => {
    expect(textsOf(findAll(root, path))).toEqual(expected)
    expect(find(root, path)?.text).toBe(expected[0])
  })

  test('may have prefixes', () => {
    expect(textsOf(findAll(root, 'q:a/b', { prefixes: { q: 'u' } }))).toEqual(['34'])
  })

  test('begins in what is given', () => {
    const a = find(root, '/a') as XmlElement
    expect(textsOf(findAll(a, '/b'))).toEqual(['1', '2'])
    expect(findAll(a, 'a')).toEqual([])
    expect(textsOf(findAll(document, '/r/b'))).toEqual(['5'])
    expect(find(document, '/r')).toBe(root)
  })

  test('is refused if it is not valid, and so are other options', () => {
    const refused = expect.objectContaining({ code: 'invalid-option' })
    for (const path of ['', 'a[', '..', [], 7 as unknown as string]) expect(() => find(root, path)).toThrow(refused)
    expect(() => findAll(root, 'a', { prefix: {} } as object)).toThrow(refused)
    for (const other of [null, undefined, 'a', [], root.toJSON()] as unknown[] as (typeof root)[]) {
      expect(() => find(other, 'a')).toThrow(refused)
      expect(() => [...descendants(other)]).toThrow(refused)
      expect(() => toObject(other)).toThrow(refused)
    }
    expect(() => findAll(root, 'x:a', { prefixes: {} })).toThrow('the prefix x is not in prefixes')
  })

  test('finds what select finds, in the order of start tags', async () => {
    const paths = fc.constantFrom(
      'a',
      'a/b',
      '/r/a',
      '/r/*/b',
      'a//c',
      '*[@n]',
      'b[c]',
      'a/**/d',
      '{u}a',
      '//*[not(@n="1")]/b',
    )
    const property = fc.asyncProperty(randomDocuments, paths, async (xml, path) => {
      const selected: object[] = []
      for await (const element of readXml(xml).select(path, { nested: 'all' })) selected.push(placeOf(element))
      const found = findAll(parseXml(xml), path).map(placeOf)
      const inOrder = (one: object[]) => one.map((place) => JSON.stringify(place)).sort()
      expect(inOrder(found)).toEqual(inOrder(selected))
    })
    await fc.assert(property, parameters(200))
  })
})

function placeOf({ name, start, end, attributes }: XmlElement): object {
  return { name, start, end, attributes: attributes.toJSON() }
}

describe('the descendants of an element', () => {
  test('are all elements in it, in the order of their start tags', () => {
    expect([...descendants(root)].map(({ name }) => name).join(' ')).toBe('a b b p:a b a b b')
    expect([...descendants(document)].length).toBe([...descendants(root)].length + 1)
    expect([...descendants(root.child('b') as XmlElement)]).toEqual([])
    expect([...descendants(root)]).toEqual(findAll(root, '*'))
  })

  test('can be left', () => {
    for (const element of descendants(root)) {
      expect(element.name).toBe('a')
      break
    }
  })

  test.runIf(isThorough)('and what is found may be nested to any depth', () => {
    const depth = 100_000
    const deep = parseXml(`${'<a>'.repeat(depth)}<b/>${'</a>'.repeat(depth)}`)
    let count = 0
    for (const _ of descendants(deep)) count++
    expect(count).toBe(depth + 1)
    expect(find(deep, 'a/a/b')?.name).toBe('b')
    expect(findAll(deep, 'a')).toHaveLength(depth)
  })
})
