// The element around an element.

import assert from 'node:assert'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type XmlElement } from '../../../source/xml/index.ts'
import { collectAll } from '../../support/collect.ts'

const XML = '<r><a n="1"><b>x</b><b><c/></b></a></r>'

describe('the parent of an element', () => {
  test('is the element around it, and there is none around a root', () => {
    const { root } = parseXml(XML)
    const check = (element: XmlElement) => {
      for (const child of element.childElements) {
        expect(child.parent).toBe(element)
        check(child)
      }
    }
    check(root)
    expect(root.parent).toBeUndefined()
  })

  test('is known while the document is read, and of elements that entities bring', () => {
    const { root } = parseXml('<!DOCTYPE r [<!ENTITY e "<a><b/></a>">]><r>&e;</r>')
    expect(root.child('a')?.parent).toBe(root)
    expect(root.child('a')?.child('b')?.parent?.name).toBe('a')
  })

  test('of a selected element is none', async () => {
    for (const nested of ['outermost', 'innermost', 'all'] as const) {
      const [a] = await collectAll(readXml(XML).select('a', { nested }))
      expect(a?.parent).toBeUndefined()
      expect(a?.childElements.map(({ parent }) => parent)).toEqual([a, a])
    }
  })

  test('leads up to the innermost selected element that it is in', async () => {
    const elements = await collectAll(readXml('<r><a>1<a>2<b><c/></b></a></a></r>').select('a', { nested: 'all' }))
    const [inner, outer] = elements as [XmlElement, XmlElement]
    expect([inner.text, outer.text]).toEqual(['2', '12'])
    expect(inner.child('b')?.parent).toBe(inner)
    expect(inner.child('b')?.child('c')?.parent?.parent).toBe(inner)
    expect(outer.child('a')?.parent).toBe(outer)
    expect(outer.child('a')?.child('b')?.parent).toBe(inner)
    expect([inner.parent, outer.parent]).toEqual([undefined, undefined])
  })

  test('is left out where elements are compared, copied, written and shown', async () => {
    const inDocument = parseXml(XML).root.child('a') as XmlElement
    const [selected] = (await collectAll(readXml(XML).select('a'))) as [XmlElement]
    expect(inDocument.parent).not.toBe(selected.parent)
    expect(inDocument).toEqual(selected)
    expect(inDocument).toStrictEqual(selected)
    assert.deepEqual(inDocument, selected)
    assert.deepStrictEqual(inDocument, selected)
    expect(JSON.stringify(inDocument)).toBe(JSON.stringify(selected))
    expect(inspect(inDocument)).toBe(inspect(selected))
    expect(Object.keys(inDocument)).toEqual(Object.keys(selected))
    expect(Object.keys(inDocument)).not.toContain('parent')
    expect(structuredClone(inDocument.toJSON())).toEqual(selected.toJSON())
    expect(() => structuredClone(inDocument)).toThrow('could not be cloned')
  })
})
