// References that are left out, because what they mean was not read: nobody is to lose text without hearing of it.

import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type SkippedEntity, type XmlOptions } from '../../source/xml/index.ts'
import { drain } from '../support/collect.ts'
import { cutsOf } from '../support/machine.ts'

const subset = '<!ENTITY in "x&uuml;y"><!ENTITY out SYSTEM "out.xml"><!ATTLIST r d CDATA "&uuml;">'
const text = `<!DOCTYPE r SYSTEM "r.dtd" [${subset}]><r><a b="1&eacute;2">M&uuml;ller &amp; &lt;</a><z>&in;&out;</z>&uuml;</r>`
const bytes = new TextEncoder().encode(text)
const place = (part: string) => text.indexOf(part, text.indexOf(']>'))
const expected = [
  // In the default of an attribute: where its value begins.
  ['uuml', text.indexOf('&uuml;">')],
  ['eacute', place('&eacute;')],
  ['uuml', place('&uuml;')],
  ['uuml', place('&in;')],
  ['out', place('&out;')],
  ['uuml', text.lastIndexOf('&uuml;')],
]

type Options = Required<Pick<XmlOptions, 'onSkippedEntity'>> & XmlOptions

const ways: [name: string, read: (pieces: Uint8Array[], options: Options) => Promise<void>][] = [
  ['a check', (pieces, options) => readXml(pieces, options).check()],
  ['a check without namespaces', (pieces, options) => readXml(pieces, { ...options, namespaces: false }).check()],
  ['events', (pieces, options) => drain(readXml(pieces, options).events().batches())],
  ['events in pieces', (pieces, options) => drain(readXml(pieces, options).events({ maxText: 2 }).batches())],
  ['elements', (pieces, options) => drain(readXml(pieces, options).select('a'))],
  ['all elements', (pieces, options) => drain(readXml(pieces, options).select('*', { nested: 'all' }))],
  ['innermost elements', (pieces, options) => drain(readXml(pieces, options).select('*', { nested: 'innermost' }))],
  ['records', (pieces, options) => drain(readXml(pieces, options).records('r', { a: 'a', b: '//@b' }))],
  ['records of another element', (pieces, options) => drain(readXml(pieces, options).records('none', { a: 'a' }))],
]

describe.each(ways)('%s', (_, read) => {
  test('reports each reference that is left out once, with its place, whatever is cut', async () => {
    for (const engine of ['wasm', 'plain'] as const) {
      for (const pieces of cutsOf(bytes)) {
        const skipped: SkippedEntity[] = []
        await read(pieces, { engine, onSkippedEntity: (entity) => skipped.push(entity) })
        expect(skipped.map(({ name, byteOffset }) => [name, byteOffset])).toEqual(expected)
      }
    }
  })
})

describe('a document', () => {
  test('that is small reports the same', () => {
    const skipped: SkippedEntity[] = []
    parseXml(text, { onSkippedEntity: (entity) => skipped.push(entity) })
    expect(skipped).toHaveLength(expected.length)
  })

  test('reports what a resolver does not have, each time, and nothing that it has', async () => {
    const external = '<!DOCTYPE r [<!ENTITY a SYSTEM "a"><!ENTITY b SYSTEM "b">]><r>&a;&b;&b;</r>'
    for (const resolve of [({ systemId }: { systemId: string }) => (systemId === 'a' ? 'x' : undefined)]) {
      const skipped: string[] = []
      await readXml(external, { resolve, onSkippedEntity: ({ name }) => skipped.push(name) }).check()
      expect(skipped).toEqual(['b', 'b'])
    }
  })

  test('whose entities are all declared reports nothing', async () => {
    const skipped: SkippedEntity[] = []
    await readXml('<!DOCTYPE r [<!ENTITY a "1">]><r>&a;&amp;</r>', {
      onSkippedEntity: (entity) => skipped.push(entity),
    }).check()
    expect(skipped).toEqual([])
  })

  test('may end with what the callback throws', async () => {
    const onSkippedEntity = () => {
      throw new Error('none may be left out')
    }
    await expect(readXml(text, { onSkippedEntity }).check()).rejects.toThrow('none may be left out')
  })
})
