// Content that is put into a document that is there already.

import { describe, expect, test } from 'vitest'
import { parseXml } from '../../../source/xml/index.ts'
import { NamespaceScopes } from '../../../source/xml/names/namespaces.ts'
import { writeContent } from '../../../source/xml/write/content.ts'
import { rawXml } from '../../../source/xml/write/index.ts'

const element = (name: string, text = '') => ({
  name,
  attributes: [] as [string, string][],
  children: text === '' ? [] : [{ type: 'text' as const, text }],
})

describe('content that is written into a document', () => {
  test('is text, elements, raw markup and arrays of these', () => {
    const content = ['a & b', element('c', 'd'), [rawXml('<e>&amp;</e>'), { type: 'comment' as const, text: 'f' }]]
    expect(writeContent(content)).toBe('a &amp; b<c>d</c><e>&amp;</e><!--f-->')
    expect(writeContent('')).toBe('')
  })

  test('uses the declarations that hold there, and declares what is missing', () => {
    const { root } = parseXml('<r xmlns="u" xmlns:p="v"><p:a p:b="1"><c/></p:a></r>')
    const content = root.childElements
    const write = (declarations: Record<string, string>) => {
      const prefixes = new NamespaceScopes()
      for (const [prefix, namespace] of Object.entries(declarations)) prefixes.declare(prefix, namespace, 2)
      const text = writeContent(content, { prefixes, depth: 2 })
      expect(() => writeContent([...content, '\0'], { prefixes, depth: 2 })).toThrow('U+0000')
      expect(Object.fromEntries(prefixes.declarations)).toEqual(declarations)
      return text
    }
    expect(write({ '': 'u', p: 'v' })).toBe('<p:a p:b="1"><c/></p:a>')
    expect(write({})).toBe('<p:a p:b="1" xmlns:p="v"><c xmlns="u"/></p:a>')
    expect(write({ p: 'w', q: 'v', '': 'u' })).toBe('<q:a q:b="1"><c/></q:a>')
  })

  test('is written with names as they are where namespaces are off', () => {
    const { root } = parseXml('<r xmlns:p="v"><p:a/></r>')
    expect(writeContent(root.childElements)).toBe('<p:a/>')
  })

  test('has references for what the encoding lacks, and refuses names with such characters', () => {
    expect(writeContent(['é€', element('a', '€')], { lastCodePoint: 0xff })).toBe('é&#8364;<a>&#8364;</a>')
    expect(() => writeContent(element('a€'), { lastCodePoint: 0xff })).toThrow(
      'the encoding does not have the character €',
    )
    expect(() => writeContent(element('Ā'), { lastCodePoint: 0xff })).toThrow(
      'the encoding does not have the character Ā',
    )
    expect(() => writeContent({ type: 'comment', text: '€' }, { lastCodePoint: 0xff })).toThrow(
      'the encoding does not have',
    )
    expect(() => writeContent(rawXml('€'), { lastCodePoint: 0xff })).toThrow('the encoding does not have')
  })

  test.each([
    ['<a>', 'there is no end tag for <a> [WFC: Element Type Match]'],
    ['</a>', 'the end tag </a> has no start tag [WFC: Element Type Match]'],
    ['<a></b>', 'the end tag </b> does not match <a> [WFC: Element Type Match]'],
  ])('says of raw markup what is wrong with it alone: %s', (xml, message) => {
    expect(() => writeContent(rawXml(xml))).toThrow(`raw markup is not well-formed content: ${message}`)
  })

  test('may refer to the entities of the document in raw markup', () => {
    expect(writeContent(rawXml('&e;&lt;'), { entities: new Set(['e']) })).toBe('&e;&lt;')
    expect(() => writeContent(rawXml('&f;'), { entities: new Set(['e']) })).toThrow('the entity f is not declared')
  })
})
