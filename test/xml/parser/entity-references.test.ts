// What says that it comes out of an entity, and so does not stand where its offsets are.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { parseXml, readXml, type XmlElement, type XmlEvent } from '../../../source/xml/index.ts'
import { collectAll, everyCut } from '../../support/collect.ts'
import { parameters } from '../../support/property.ts'

const DOCTYPE =
  '<!DOCTYPE r [<!ENTITY e "x<b c=\'d\'>y</b>&f;<!--c--><?p d?>z"><!ENTITY f "<f>&t;</f>"><!ENTITY t "T"><!ENTITY x SYSTEM "x">]>'
const encoder = new TextEncoder()
const decoder = new TextDecoder()

async function eventsOf(pieces: Iterable<Uint8Array>, options = {}): Promise<XmlEvent[]> {
  return (
    await collectAll(
      readXml(pieces, { resolve: () => '<b/>' })
        .events(options)
        .batches(),
    )
  ).flat()
}

/** Each event as its kind, what it says, its entity, and what stands in the document where it lies. */
function describeEvents(bytes: Uint8Array, events: readonly XmlEvent[]): string[] {
  return events
    .filter(({ type }) => type !== 'doctype')
    .map((event) => {
      const what = 'name' in event ? event.name : 'text' in event ? event.text : 'target' in event ? event.target : ''
      const origin = event.entity === undefined ? '' : ` of ${event.entity}`
      return `${event.type} ${what}${origin}: ${decoder.decode(bytes.subarray(event.start, event.end))}`
    })
}

test('events out of an entity have its name and the place of the reference, at every cut', async () => {
  const bytes = encoder.encode(`${DOCTYPE}<r>a&e;b<c>&t;</c>&amp;&#38;<d/>&x;<!--k--></r>`)
  for (const pieces of everyCut(bytes)) {
    expect(describeEvents(bytes, await eventsOf(pieces))).toEqual([
      'start r: <r>',
      'text ax of e: a&e;',
      'start b of e: &e;',
      'text y of e: &e;',
      'end b of e: &e;',
      'start f of e: &e;',
      'text T of e: &e;',
      'end f of e: &e;',
      'comment c of e: &e;',
      'instruction p of e: &e;',
      'text zb of e: &e;b',
      'start c: <c>',
      'text T of t: &t;',
      'end c: </c>',
      'text &&: &amp;&#38;',
      'start d: <d/>',
      'end d: ',
      'start b of x: &x;',
      'end b of x: &x;',
      'comment k: <!--k-->',
      'end r: </r>',
    ])
  }
})

test('an event that no entity brings has no property for it', async () => {
  const events = await eventsOf([encoder.encode(`${DOCTYPE}<r a="&t;"><!--k-->a&lt;<?p?>&e;<b/></r>`)])
  const outside = events.filter(({ entity }) => entity === undefined)
  expect(outside.length).toBeGreaterThan(5)
  for (const event of outside) expect(Object.keys(event)).not.toContain('entity')
})

test('pieces of a text have the name of an entity if they have text of it, however the document is cut', async () => {
  const bytes = encoder.encode(`${DOCTYPE}<r>abcdef&t;ghijkl&lt;&t;</r>`)
  for (const pieces of everyCut(bytes)) {
    const events = (await eventsOf(pieces, { maxText: 4 })).filter(({ type }) => type === 'text')
    expect(describeEvents(bytes, events)).toEqual([
      'text abcd: abcd',
      'text efTg of t: ef&t;g',
      'text hijk: hijk',
      'text l<T of t: l&lt;&t;',
    ])
  }
})

test('a CDATA section that is an event of its own says its entity', async () => {
  const text = '<!DOCTYPE r [<!ENTITY s "<![CDATA[q]]>">]><r>a<![CDATA[b]]>&s;c</r>'
  const bytes = encoder.encode(text)
  const events = (await eventsOf([bytes], { cdata: true })).filter(({ type }) => type === 'text')
  expect(describeEvents(bytes, events)).toEqual(['text a: a', 'text b: <![CDATA[b]]>', 'text q of s: &s;', 'text c: c'])
})

test('a transform stream and other encodings say it, too', async () => {
  const text = `\ufeff${DOCTYPE}<r>&e;</r>`
  const utf16 = new Uint8Array(Uint16Array.from(text, (character) => character.charCodeAt(0)).buffer)
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(utf16)
      controller.close()
    },
  })
  const events = (
    await collectAll(readable.pipeThrough(makeTransform((source) => readXml(source).events().batches())))
  ).flat()
  const [b] = events.filter((event) => event.type === 'start' && event.name === 'b')
  expect(b).toMatchObject({ entity: 'e', start: text.indexOf('&e;<') * 2, end: text.indexOf('</r>') * 2 })
})

test('elements say the entity that brings them, selected, inside others and in documents', async () => {
  const text = `${DOCTYPE}<r>a&e;<c>&e;</c><b/></r>`
  for (const pieces of everyCut(encoder.encode(text))) {
    const selected = await collectAll(readXml(pieces).select(['b', 'f', 'c']))
    const inner = selected[2]?.childElements ?? []
    const document = parseXml(text).root
    const documents = document.childElements
    const all = [selected, inner, documents].map((elements) => elements.map(({ name, entity }) => `${name} ${entity}`))
    expect(all).toEqual([
      ['b e', 'f e', 'c undefined', 'b undefined'],
      ['b e', 'f e'],
      ['b e', 'f e', 'c undefined', 'b undefined'],
    ])
    expect(document.entity).toBe(undefined)
    const [innermost] = await collectAll(readXml(pieces).select('b', { nested: 'innermost' }))
    expect(innermost?.entity).toBe('e')
    for (const { start, end, entity } of [...selected, ...inner]) {
      if (entity !== undefined) expect(text.slice(start, end)).toBe(`&${entity};`)
    }
    expect((inner[0] as XmlElement).attributes.details).toMatchObject([{ name: 'c', start: undefined, end: undefined }])
  }
})

test('a document that is rewritten by the offsets of events outside of entities is well-formed', async () => {
  const PARTS = [
    'text',
    '&e;',
    '&t;',
    '&lt;',
    '<b>in</b>',
    '<b a="&t;"/>',
    '<c>&e;</c>',
    '<!--k-->',
    '<?p i?>',
    '<![CDATA[s]]>',
  ]
  const content = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(content, fc.nat(), async (inner, cut) => {
      const bytes = encoder.encode(`${DOCTYPE}<r>${inner}</r>`)
      const at = cut % bytes.length
      const pieces: Uint8Array[] = []
      let copied = 0
      let entities = 0
      for (const event of await eventsOf([bytes.subarray(0, at), bytes.subarray(at)])) {
        if (event.entity !== undefined) entities++
        if (event.entity !== undefined || event.type === 'doctype' || event.start === event.end) continue
        if (event.type === 'end' && event.end === copied) continue
        // What lies between is copied, references with it.
        expect(event.start).toBeGreaterThanOrEqual(copied)
        pieces.push(bytes.subarray(copied, event.start))
        const source = bytes.subarray(event.start, event.end)
        pieces.push(event.type === 'text' ? encoder.encode('<new/>') : source)
        copied = event.end
      }
      pieces.push(bytes.subarray(copied))
      const rewritten = (await eventsOf(pieces)).filter(({ entity }) => entity !== undefined).length
      // A text beside a reference is part of what the reference brings, so the same references are there.
      if (rewritten < entities) throw new Error(`${entities} events became ${rewritten}`)
    }),
    parameters(2000),
  )
})
