// Objects with private content, as comparing and copying functions see them.

import assert from 'node:assert'
import { expect, test } from 'vitest'
import { Grammar, parseXml, readXml, type SyntaxNode, type XmlElement } from '../source/index.ts'
import { collectAll as collect } from './support/collect.ts'
import { isThorough } from './support/extent.ts'
import { isBun } from './support/runtime.ts'

async function selectFirst(text: string, path = 'a'): Promise<XmlElement> {
  return (await collect(readXml(text).select(path)))[0] as XmlElement
}

async function attributesOfEvent(tag: string) {
  const events = (await collect(readXml(`<r>${tag}</r>`).events().batches())).flat()
  const start = events.find((event) => event.type === 'start' && event.name === 'a')
  return start?.type === 'start' ? start.attributes : undefined
}

const grammar = Grammar.from('program ::= (word blanks)*; word ::= [a-z]+; blanks ::= [ \\n]*;')
const parse = (text: string): SyntaxNode => grammar.parse(text)

/** Pairs of equal content, as different objects that were read from different documents, and what differs from both. */
const cases: Record<string, () => Promise<{ equal: unknown[]; different: unknown[] }>> = {
  elements: async () => ({
    equal: [
      await selectFirst('<a x="1">t<b/>&amp;<!--c--><?p d?></a>'),
      await selectFirst('<r>elsewhere <a x="1">t<b></b>&#38;<!--c--><?p d?></a></r>'),
      await selectFirst('<!DOCTYPE r [<!ENTITY e "&#38;amp;">]><r><a x="1">t<b/>&e;<!--c--><?p d?></a></r>'),
      parseXml('<?xml version="1.0"?><a x="1">t<b/><![CDATA[&]]><!--c--><?p d?></a>').root,
    ],
    different: [
      await selectFirst('<a x="2">t<b/>&amp;<!--c--><?p d?></a>'),
      await selectFirst('<a y="1">t<b/>&amp;<!--c--><?p d?></a>'),
      await selectFirst('<a x="1">u<b/>&amp;<!--c--><?p d?></a>'),
      await selectFirst('<a x="1">t<c/>&amp;<!--c--><?p d?></a>'),
      await selectFirst('<a x="1">t&amp;<!--c--><?p d?></a>'),
      await selectFirst('<a x="1">t<b/>&amp;<!--d--><?p d?></a>'),
      await selectFirst('<a x="1">t<b/>&amp;<!--c--><?p e?></a>'),
      await selectFirst('<a x="1">t<b/>&amp;<!--c--><?p d?><b/></a>'),
      await selectFirst('<a x="1">t<b>&amp;</b><!--c--><?p d?></a>'),
      await selectFirst('<a x="1">t&lt;b/>&amp;<!--c--><?p d?></a>'),
      parseXml('<a x="1" xmlns="n">t<b/>&amp;<!--c--><?p d?></a>').root,
    ],
  }),
  'elements whose names are in namespaces': async () => ({
    equal: [
      parseXml('<r xmlns="n" xmlns:p="m"><a><p:b p:c=""/></a></r>').root.child('a'),
      await selectFirst('<q xmlns:p="m" xmlns="n"><a><p:b p:c=""/></a></q>'),
    ],
    different: [
      await selectFirst('<q xmlns:p="o" xmlns="n"><a><p:b p:c=""/></a></q>'),
      await selectFirst('<q xmlns:p="m" xmlns="o"><a><p:b p:c=""/></a></q>'),
      await selectFirst('<q xmlns:p="m"><a><p:b p:c=""/></a></q>'),
    ],
  }),
  attributes: async () => ({
    equal: [
      await attributesOfEvent('<a x="1" y="2"/>'),
      await attributesOfEvent('<b/><a  x="&#49;" y="2"></a>'),
      parseXml('<a x="1" y="2"/>').root.attributes,
      (await selectFirst('<a x="1" y="2"/>')).attributes,
    ],
    different: [
      await attributesOfEvent('<a x="1" y="3"/>'),
      await attributesOfEvent('<a x="1"/>'),
      parseXml('<a/>').root.attributes,
    ],
  }),
  'syntax nodes': async () => ({
    equal: [parse('one\ntwo'), parse('one\ntwo'), (await collect(grammar.stream(['one', '\ntwo'])))[0]],
    different: [parse('one\ntwe'), parse('one two'), parse('one\n'), parse('o\nnetwo'), parse('')],
  }),
}

const functions: Record<string, (one: unknown, other: unknown) => void> = {
  'assert.deepStrictEqual': assert.deepStrictEqual,
  'assert.deepEqual': assert.deepEqual,
  toEqual: (one, other) => expect(one).toEqual(other),
  toStrictEqual: (one, other) => expect(one).toStrictEqual(other),
}

for (const [kind, make] of Object.entries(cases)) {
  for (const [name, compare] of Object.entries(functions)) {
    // Bun's comparing functions do not look at tags.
    test.skipIf(isBun)(`${kind} are equal to ${name} if their content is, and only then`, async () => {
      const { equal, different } = await make()
      const [first, ...others] = equal
      expect(first).toBeDefined()
      for (const other of others) {
        compare(first, other)
        compare([{ it: first }], [{ it: other }])
      }
      for (const other of different) {
        for (const one of equal) {
          expect(() => compare(one, other)).toThrow()
          expect(() => compare([{ it: other }], [{ it: one }])).toThrow()
        }
      }
    })
  }

  test(`cloning ${kind} is refused with advice`, async () => {
    const { equal } = await make()
    for (const node of equal) {
      for (const value of [node, { ...(node as object) }, { deep: [node] }]) {
        if (isBun) expect(() => structuredClone(value)).toThrow()
        else expect(() => structuredClone(value)).toThrow(/toJSON\(\)/)
      }
      const { port1, port2 } = new MessageChannel()
      expect(() => port1.postMessage(node)).toThrow()
      port1.close()
      port2.close()
      const data = (node as XmlElement).toJSON()
      expect(structuredClone(data)).toEqual(data)
    }
  })

  test(`a copy of ${kind} by spreading has all of the content as self`, async () => {
    for (const node of (await make()).equal) {
      const copy = { ...(node as XmlElement), more: 1 } as unknown as { self: unknown }
      expect(copy.self).toBe(node)
      expect(JSON.parse(JSON.stringify(copy))).toMatchObject({ self: JSON.parse(JSON.stringify(node)), more: 1 })
    }
  })
}

test.skipIf(isBun)('elements of many levels, and with as many children, are compared', async () => {
  const count = isThorough ? 100_000 : 12_000
  const texts = {
    deep: (end: string) => `${'<a>'.repeat(count)}${end}${'</a>'.repeat(count)}`,
    wide: (end: string) => `<a>${'<b c="d">e</b>'.repeat(count)}${end}</a>`,
  }
  const options = { limits: { maxDepth: 2 * count } }
  for (const make of Object.values(texts)) {
    const select = async (end: string) => (await collect(readXml(make(end), options).select('a')))[0]
    assert.deepStrictEqual(await select('one'), parseXml(make('one'), options).root)
    assert.notDeepStrictEqual(await select('one'), await select('two'))
  }
})
