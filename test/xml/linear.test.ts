// Twice the input is at most two and a half times the work, whatever it is made of and however small its pieces are.

import { describe, expect, test } from 'vitest'
import { XML_SHAPES } from '../../scripts/fuzz/growth/xml-shapes.ts'
import { Interpreter } from '../../source/machine/run/interpreter.ts'
import { readXml } from '../../source/xml/index.ts'
import { isThorough, sample } from '../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../support/growth.ts'
import { piecesOf } from '../support/xml.ts'

async function readAll(text: string, size: number, engine: 'plain' | 'wasm'): Promise<void> {
  try {
    for await (const _ of readXml(piecesOf(Buffer.from(text), size), { engine })
      .events()
      .batches()) {
      // Each is made.
    }
  } catch {
    // Some of it is refused: that must not take long either.
  }
}

/** Where a run of characters may stand. */
const CONTEXTS: Record<string, (run: string) => string> = {
  text: (run) => `<a>${run}</a>`,
  'an attribute': (run) => `<a b="${run}"/>`,
  'a comment': (run) => `<a><!--${run}x--></a>`,
  'a CDATA section': (run) => `<a><![CDATA[${run}]]></a>`,
  'an instruction': (run) => `<a><?t ${run}?></a>`,
  'the document type': (run) => `<!DOCTYPE a [<!ENTITY e '${run}'>]><a/>`,
  'an ATTLIST': (run) => `<!DOCTYPE a [<!ATTLIST a b CDATA '${run}'>]><a/>`,
  'a tag': (run) => `<a ${run}/>`,
  nothing: (run) => `<a/>${run}`,
}
const RUNS = [
  'x',
  ' ',
  '\r',
  '\r\n',
  ']',
  ']]',
  ']]&gt;',
  '>',
  '-',
  '- ',
  '?',
  '? ',
  '&lt;',
  '&#65;',
  '&',
  '<',
  '"',
  "'",
  'é',
  ':',
]

describe.each(Object.entries(CONTEXTS))('in %s', (_, put) => {
  test.each(sample(RUNS, 3))('many %j are read in steps that grow as they do', async (run) => {
    const work = async (bytes: number) => {
      const before = Interpreter.work
      await readAll(put(run.repeat(bytes / run.length)), 48, 'plain')
      return Interpreter.work - before
    }
    expect(await work(8000)).toBeLessThan(2.5 * (await work(4000)) + 2000)
  })
})

const list = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join(' ')

const SHAPES: Record<string, (count: number) => string> = {
  'attributes of one tag': (count) => `<a ${list(count, (i) => `a${i}="${i}"`)}/>`,
  'attributes that a document type declares': (count) =>
    `<!DOCTYPE a [<!ATTLIST a ${list(count, (i) => `a${i} CDATA "${i}"`)}>]><a/>`,
  'lists of attributes': (count) => `<!DOCTYPE a [${list(count, (i) => `<!ATTLIST a a${i} CDATA "${i}">`)}]><a/>`,
  'declarations of elements': (count) => `<!DOCTYPE a [${list(count, (i) => `<!ELEMENT e${i} ANY>`)}]><a/>`,
  'attributes that are declared, of elements that have none': (count) => {
    return `<!DOCTYPE a [<!ATTLIST a ${list(count / 4, (i) => `a${i} CDATA #IMPLIED`)}>]><a>${'<a/>'.repeat(count)}</a>`
  },
  'parameter entities that name each other': (count) => {
    const chain = list(count, (i) => `<!ENTITY % p${i + 1} "&#37;p${i};">`)
    return `<!DOCTYPE a [<!ENTITY % p0 "">${chain}%p${count};]><a/>`
  },
  'entities that name each other, in a default': (count) => {
    const chain = list(count, (i) => `<!ENTITY e${i + 1} "&e${i};">`)
    return `<!DOCTYPE a [<!ENTITY e0 "x">${chain}<!ATTLIST a b CDATA "&e${count};">]><a/>`
  },
  'entities that name each other, in a value': (count) => {
    const chain = list(count, (i) => `<!ENTITY e${i + 1} "&e${i};">`)
    return `<!DOCTYPE a [<!ENTITY e0 "x">${chain}]><a b="&e${count};"/>`
  },
  'particles of a content model': (count) => `<!DOCTYPE a [<!ELEMENT a (${list(count, (i) => `(b${i}),`)}c)>]><a/>`,
  'CR LF in a document type with errors in no place': (count) => {
    return `<!DOCTYPE a [${list(count, () => '<!--\r\n-->\r\n<?p?>')}]><a/>`
  },
  'declarations of entities': (count) => `<!DOCTYPE a [${list(count, (i) => `<!ENTITY e${i} "${i}">`)}]><a>&e1;</a>`,
  'namespaces of one tag': (count) => `<a ${list(count, (i) => `xmlns:a${i}="u${i}"`)}/>`,
  'attributes in namespaces': (count) => `<a xmlns:p="u" ${list(count, (i) => `p:a${i}="${i}"`)}/>`,
  'elements in elements': (count) => `${'<a>'.repeat(count)}${'</a>'.repeat(count)}`,
  'elements in elements, with a prefix': (count) =>
    `<r xmlns:p="u">${'<p:a>'.repeat(count)}${'</p:a>'.repeat(count)}</r>`,
  'elements in elements, with a namespace each': (count) => {
    return `${list(count, (i) => `<a xmlns:p${i % 10}="u${i}">`)}${'</a>'.repeat(count)}`
  },
  'elements in elements, the last of which has an unknown prefix': (count) => `${'<a>'.repeat(count)}<p:b/>`,
  'different names': (count) => `<r>${list(count, (i) => `<n${i}/>`)}</r>`,
  'references to entities': (count) => `<!DOCTYPE a [<!ENTITY e "<b/>x">]><a>${'&e;'.repeat(count)}</a>`,
  'open elements that nothing closes': (count) => '<a>'.repeat(count),
}

describe('work by the processor grows as there are more', () => {
  test.runIf(isThorough).each(Object.entries(SHAPES))('%s', async (_, write) => {
    const count = isThorough ? 12_000 : 6000
    const make = (size: number) => {
      const text = write(size)
      return () => readAll(text, 16 * 1024, 'wasm')
    }
    expect(await growthOf({ count, make })).toBeLessThan(MOST_GROWTH)
  })

  test.each(sample(Object.entries(XML_SHAPES), 6))('%s', async (_, shape) => {
    expect(await growthOf(shape)).toBeLessThan(MOST_GROWTH)
  })
})
