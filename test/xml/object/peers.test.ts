// The options of toObject beside those of fast-xml-parser and xml2js, on the same documents: the tables in docs/moving.md say which is which.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type X2jOptions, XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { type ParserOptions, parseStringPromise, processors } from 'xml2js'
import { parseXml } from '../../../source/xml/index.ts'
import { toObject, type XmlObjectOptions } from '../../../source/xml/object/index.ts'
import { root } from '../../support/markdown.ts'

const FEED = `<feed xml:lang="en">
  <title>News &amp; more</title>
  <entry id="1"><title>One</title></entry>
  <entry id="2"><title>  Two </title><draft/></entry>
  <count>2</count><ratio>0.5</ratio><done>true</done>
</feed>`
const documents: Readonly<Record<string, string>> = {
  feed: FEED,
  'one entry': '<feed><entry id="1"><tag>x</tag></entry></feed>',
  'no attributes': '<a><b>1</b><b>2</b><c/></a>',
  CDATA: '<a><b><![CDATA[<x> & y]]></b></a>',
  ...Object.fromEntries(
    ['feed.rss', 'junit.xml', 'drawing.svg'].map((name) => [
      name,
      readFileSync(join(root, 'fixtures/recipes', name), 'utf8'),
    ]),
  ),
}
const names = Object.keys(documents)

/** What fast-xml-parser makes of a document as xylem does by default. */
const FAST: X2jOptions = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  ignoreDeclaration: true,
}

describe('an option of fast-xml-parser', () => {
  test.each<[string, X2jOptions, XmlObjectOptions]>([
    ['trimValues', {}, { trim: true }],
    ['attributeNamePrefix', { attributeNamePrefix: '@_' }, { trim: true, attributePrefix: '@_' }],
    ['textNodeName', { textNodeName: '_' }, { trim: true, textName: '_' }],
    [
      'parseTagValue and parseAttributeValue',
      { parseTagValue: true, parseAttributeValue: true },
      { trim: true, values: true },
    ],
    ['isArray by name', { isArray: (name) => name === 'entry' }, { trim: true, arrays: 'entry' }],
    ['isArray by path', { isArray: (_, path) => path === 'feed.entry' }, { trim: true, arrays: '/feed/entry' }],
  ])('%s gives what xylem gives with its own', (_, theirs, ours) => {
    for (const name of names) {
      // It makes 0 of `0.00`, and 7 of `007`, which is not what is written.
      if (ours.values && name.includes('.')) continue
      const document = documents[name] as string
      const expected = new XMLParser({ ...FAST, ...theirs }).parse(document)
      expect(toObject(parseXml(document), ours), name).toEqual(expected)
    }
  })

  test('preserveOrder gives the same in another form', () => {
    const document = '<p a="1">one <b>two</b> three<i/></p>'
    const options = { ...FAST, trimValues: false, preserveOrder: true }
    const children = [{ '#text': 'one ' }, { b: [{ '#text': 'two' }] }, { '#text': ' three' }, { i: [] }]
    expect(new XMLParser(options).parse(document)).toEqual([{ p: children, ':@': { '@a': '1' } }])
    expect(toObject(parseXml(document), { ordered: true })).toEqual({
      name: 'p',
      attributes: { a: '1' },
      children: [
        'one ',
        { name: 'b', attributes: {}, children: ['two'] },
        ' three',
        { name: 'i', attributes: {}, children: [] },
      ],
    })
  })

  test('parseTagValue changes texts that values keeps', () => {
    const document = '<r><a>007</a><a>1.0</a><a>1e3</a></r>'
    expect(new XMLParser(FAST).parse(document)).toEqual({ r: { a: ['007', '1.0', '1e3'] } })
    expect(new XMLParser({ ...FAST, parseTagValue: true }).parse(document)).toEqual({ r: { a: [7, 1, 1000] } })
    expect(toObject(parseXml(document), { values: true })).toEqual({ r: { a: ['007', '1.0', '1e3'] } })
  })
})

/** The attributes of xml2js, which are in an object of their own, as ours are. */
function flatten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flatten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      return name === '$' ? Object.entries(one).map(([key, text]) => [`@${key}`, text]) : [[name, flatten(one)]]
    }),
  )
}

describe('an option of xml2js', () => {
  test.each<[string, ParserOptions, XmlObjectOptions]>([
    ['explicitArray: false', { explicitArray: false }, {}],
    ['explicitArray', {}, { arrays: '*' }],
    ['charkey', { explicitArray: false, charkey: 'value' }, { textName: 'value' }],
    ['trim', { explicitArray: false, trim: true }, { trim: true }],
    [
      'valueProcessors',
      {
        explicitArray: false,
        valueProcessors: [processors.parseNumbers, processors.parseBooleans],
        attrValueProcessors: [processors.parseNumbers, processors.parseBooleans],
      },
      { values: true },
    ],
  ])('%s gives what xylem gives with its own', async (_, theirs, ours) => {
    for (const name of names) {
      if (ours.values && name.includes('.')) continue
      const document = documents[name] as string
      const expected = flatten(await parseStringPromise(document, theirs))
      const names = { textName: theirs.charkey ?? '_' }
      expect(toObject(parseXml(document), { ...names, ...ours }), name).toEqual(expected)
    }
  })

  test('mergeAttrs gives names without prefix', async () => {
    for (const name of names) {
      const document = documents[name] as string
      const expected = await parseStringPromise(document, { explicitArray: false, mergeAttrs: true })
      expect(toObject(parseXml(document), { attributePrefix: '', textName: '_' }), name).toEqual(expected)
    }
  })
})
