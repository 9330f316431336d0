// What was left out when a document was read is never left out silently when it is written.

import { expect, test } from 'vitest'
import { parseXml, readXml } from '../../../source/xml/index.ts'
import { toXml, writeXml } from '../../../source/xml/write/index.ts'
import { collectAll } from '../../support/collect.ts'
import { cutsOf } from '../../support/machine.ts'

const text =
  '<!DOCTYPE r SYSTEM "r.dtd" [<!ENTITY in "x&out;y">]><r><a>&e;</a><b c="1&f;">z</b><d>&in;</d>&e;<g>t</g></r>'
const bytes = new TextEncoder().encode(text)
const resolve = () => '<!ENTITY e "E"><!ENTITY f "F"><!ENTITY out "O">'
const refused = expect.objectContaining({ name: 'XmlWriteError', code: 'skipped-entity' })

test('events that lack the text of an entity are refused, whatever is cut', async () => {
  for (const pieces of cutsOf(bytes)) {
    await expect(collectAll(writeXml(readXml(pieces).events()))).rejects.toEqual(refused)
  }
})

test('elements that lack the text of an entity are refused, and others are not, whatever is cut', async () => {
  for (const pieces of cutsOf(bytes)) {
    const elements = await collectAll(readXml(pieces).select('r/*'))
    const lacking = elements.filter((element) => {
      try {
        toXml(element)
        return false
      } catch (error) {
        expect(error).toEqual(refused)
        return true
      }
    })
    expect(lacking.map(({ name }) => name)).toEqual(['a', 'b', 'd'])
    const [root] = await collectAll(readXml(pieces).select('r'))
    expect(() => toXml(root as NonNullable<typeof root>)).toThrow(refused)
  }
})

test('nested matches are refused each by itself', async () => {
  const all = await collectAll(readXml(text).select('*', { nested: 'all' }))
  const fine = all.filter((element) => {
    try {
      return toXml(element) !== ''
    } catch {
      return false
    }
  })
  expect(fine.map(({ name }) => name)).toEqual(['g'])
})

test('documents are refused, and their elements', () => {
  const document = parseXml(text)
  expect(() => toXml(document)).toThrow(refused)
  expect(() => toXml(document.root)).toThrow(refused)
  expect(toXml(document.root.child('g') as typeof document.root)).toBe('<g>t</g>')
})

test('documents whose defaults of attributes lack the text of an entity are refused', async () => {
  const defaults = '<!DOCTYPE a SYSTEM "d" [<!ATTLIST a x CDATA "pre&e;post">]><a/>'
  expect(() => toXml(parseXml(defaults))).toThrow(refused)
  await expect(collectAll(writeXml(readXml(defaults).events()))).rejects.toEqual(refused)
})

test('with the text of the entities all is written', async () => {
  const written = await collectAll(writeXml(readXml(text, { resolve }).events(), { doctype: 'omit' }))
  expect(Buffer.concat(written).toString()).toBe('<r><a>E</a><b c="1F">z</b><d>xOy</d>E<g>t</g></r>')
  expect(toXml(parseXml(text, { resolve }).root)).toBe('<r><a>E</a><b c="1F">z</b><d>xOy</d>E<g>t</g></r>')
})

test('the message names the entity and its place', () => {
  const { root } = parseXml(text)
  const message = `the text of the entity e was left out when this was read (byte ${text.indexOf('&e;')}): give a resolver`
  expect(() => toXml(root.child('a') as typeof root)).toThrow(message)
})
