// What is delivered before an error: everything that was complete there, as the undamaged document has it, and nothing else.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDump } from '../../source/mediawiki/dump-reader.ts'
import { makeTransform } from '../../source/stream/make-transform.ts'
import { parseXml, readXml, type XmlElement } from '../../source/xml/index.ts'
import { isThorough, range, sample } from '../support/extent.ts'
import { parameters } from '../support/property.ts'
import { cutAt, randomDocuments } from '../support/random-xml.ts'
import { piecesOf, readPieces } from '../support/xml.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What is put into a document, in addition to what follows or instead of it. */
const DAMAGES = [
  '& ',
  '&nope;',
  '&#0;',
  '</zz>',
  '<',
  ']]>',
  '\u0001',
  '<a b=">',
  '<d n="&nope;"/>',
  undefined,
] as const

interface Damaged {
  readonly bytes: Uint8Array
  /** Offset of the error: all before it is as it was. */
  readonly place: number
}

/** What ends markup that may hold any damage: put in between, the markup only continues to the next of its kind. */
const TERMINATORS = [']]>', '?>']

/** Undefined where the document is still well-formed, or damaged at another place. */
function damage(document: string, place: number, bad: string | undefined): Damaged | undefined {
  const isSplit = (end: string) => range(1, end.length).some((count) => document.startsWith(end, place - count))
  if (bad !== undefined && TERMINATORS.some(isSplit)) return undefined
  const [before, after] = [document.slice(0, place), document.slice(place)]
  const bytes = encoder.encode(bad === undefined ? before : `${before}${bad}${after}`)
  try {
    parseXml(bytes)
    return undefined
  } catch {
    return { bytes, place: encoder.encode(before).length }
  }
}

const NESTINGS = ['outermost', 'innermost', 'all'] as const
type Nesting = (typeof NESTINGS)[number]

type Decide = (names: readonly string[]) => boolean

const PATHS: Record<string, Decide> = {
  a: (names) => names.at(-1) === 'a',
  b: (names) => names.at(-1) === 'b',
  '/r/*': (names) => names.length === 2,
  'a[@n]': (names) => names.at(-1) === 'a',
}

/** The elements that a path matches, in the order of their ends. */
function selectPlainly(root: XmlElement, path: string, nested: Nesting): XmlElement[] {
  const isMeant = (element: XmlElement, names: readonly string[]) =>
    (PATHS[path] as Decide)(names) && (!path.includes('@n') || element.attributes.has('n'))
  const found: XmlElement[] = []
  const visit = (element: XmlElement, names: readonly string[]): boolean => {
    const isMatch = isMeant(element, names)
    if (isMatch && nested === 'outermost') {
      found.push(element)
      return true
    }
    let hasInner = false
    for (const child of element.childElements) hasInner = visit(child, [...names, child.name]) || hasInner
    if (isMatch && (nested === 'all' || !hasInner)) found.push(element)
    return isMatch || hasInner
  }
  visit(root, [root.name])
  return found
}

function tell(element: XmlElement): string {
  const { start, end, namespace, attributes } = element
  return JSON.stringify([start, end, namespace, attributes.details, element])
}

type Way = 'select' | 'select in batches' | 'a transform' | 'records' | 'records in batches'
const WAYS: readonly Way[] = ['select', 'select in batches', 'a transform', 'records', 'records in batches']
const ENGINES = ['wasm', 'plain'] as const
const FIELDS = { name: 'name()', n: '@n', text: '.', b: '**/b', all: ['**/*'], none: 'zz' } as const

function recordOf(element: XmlElement): string {
  const inner = (one: XmlElement): XmlElement[] => one.childElements.flatMap((child) => [child, ...inner(child)])
  const all = inner(element)
  const b = all.find(({ name }) => name === 'b')?.text
  const n = element.attribute('n')
  return JSON.stringify({ name: element.name, n, text: element.text, b, all: all.map(({ text }) => text) })
}

async function handOver(
  way: Way,
  pieces: readonly Uint8Array[],
  path: string,
  { engine, ...options }: { engine: 'wasm' | 'plain'; nested: Nesting },
): Promise<string[]> {
  const given: string[] = []
  const reader = readXml(pieces, { engine })
  try {
    if (way === 'select') for await (const element of reader.select(path, options)) given.push(tell(element))
    else if (way === 'select in batches')
      for await (const batch of reader.select(path, options).batches()) given.push(...batch.map(tell))
    else if (way === 'records')
      for await (const record of reader.records(path, FIELDS, options)) given.push(JSON.stringify(record))
    else if (way === 'records in batches')
      for await (const batch of reader.records(path, FIELDS, options).batches())
        given.push(...batch.map((record) => JSON.stringify(record)))
    else {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece)
          controller.close()
        },
      })
      for await (const element of stream.pipeThrough(makeTransform((source) => readXml(source).select(path, options))))
        given.push(tell(element))
    }
  } catch {
    return given
  }
  throw new Error('the document is not damaged')
}

async function compare(
  root: XmlElement,
  { bytes, place }: Damaged,
  pieces: readonly Uint8Array[],
  way: Way,
  path: string,
  options: { engine: 'wasm' | 'plain'; nested: Nesting },
): Promise<void> {
  const { nested } = options
  const complete = selectPlainly(root, path, nested).filter(({ end }) => end <= place)
  const wanted = complete.map((element) => (way.startsWith('record') ? recordOf(element) : tell(element)))
  const given = await handOver(way, pieces, path, options)
  if (given.join('\n') === wanted.join('\n')) return
  const how = `${way} ${path} (${JSON.stringify(options)}) in pieces of ${pieces.map(({ length }) => length).join()}`
  throw new Error(`${how} of ${decoder.decode(bytes)}\ngiven\n${given.join('\n')}\nwanted\n${wanted.join('\n')}`)
}

/** Events are those before the place, and last perhaps a text that the damage is in. */
async function compareEvents(all: readonly string[], { bytes }: Damaged, pieces: readonly Uint8Array[]): Promise<void> {
  const { events, error } = await readPieces(pieces)
  expect(error).toBeDefined()
  const whole = events.at(-1)?.startsWith('"') ? events.slice(0, -1) : events
  const isPrefix = whole.every((event, i) => event === all[i])
  if (!isPrefix) throw new Error(`events of ${decoder.decode(bytes)}: ${events.join(' ')}; wanted ${all.join(' ')}`)
}

const SUBSET = '<!ENTITY e "E<b m=\'1\'><c/>in</b>"><!ENTITY s "S"><!ATTLIST d k CDATA "v">'
const EVERYTHING =
  `<!DOCTYPE r [${SUBSET}]><r><a n="1">1</a><a>x&e;y&lt;é<![CDATA[<]]>&s;<!--c--><?t d?><b/>z</a>\r\n` +
  `<a n='&s;&#65;'>&e;</a><d/>&e;<a n=""/><p:b xmlns:p="u" p:n="2"><a>3</a></p:b></r>`

describe('at every place of a document', () => {
  const first = EVERYTHING.indexOf('<r>') + 3
  const { root } = parseXml(EVERYTHING)
  test.each(DAMAGES)('%j ends what is yielded', { timeout: 300_000 }, async (bad) => {
    const { events } = await readPieces([encoder.encode(EVERYTHING)])
    let count = 0
    for (const place of sample(range(first, EVERYTHING.length), 4)) {
      const damaged = damage(EVERYTHING, place, bad)
      if (!damaged) continue
      const { bytes } = damaged
      for (const size of [place % 2 === 0 ? bytes.length : 2 + (place % 40), 1]) {
        for (let i = 0; i < 2; i++) {
          const way = WAYS[count % WAYS.length] as Way
          const path = Object.keys(PATHS)[count % 4] as string
          const nested = NESTINGS[count++ % 3] as Nesting
          await compare(root, damaged, piecesOf(bytes, size), way, path, {
            nested,
            engine: ENGINES[place % 2] as 'wasm',
          })
        }
        await compareEvents(events, damaged, piecesOf(bytes, size))
      }
    }
    expect(count).toBeGreaterThan(isThorough ? 400 : 10)
  })
})

test('of random documents only what is complete is yielded', { timeout: 300_000 }, async () => {
  const nested = fc.constantFrom(...NESTINGS)
  const engine = fc.constantFrom('wasm' as const, 'plain' as const)
  await fc.assert(
    fc.asyncProperty(
      randomDocuments,
      fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), bad: fc.constantFrom(...DAMAGES) }),
      fc.record({ way: fc.constantFrom(...WAYS), path: fc.constantFrom(...Object.keys(PATHS)) }),
      fc.record({ nested, engine }),
      fc.array(fc.nat(1500), { maxLength: 4 }),
      async (document, { share, bad }, { way, path }, options, cuts) => {
        const first = document.indexOf('>', document.indexOf('<r')) + 1
        const damaged = damage(document, first + Math.floor(share * (document.length - first - 1)), bad)
        if (!damaged) return
        const pieces = cutAt(decoder.decode(damaged.bytes), cuts)
        await compare(parseXml(document).root, damaged, pieces, way, path, options)
        const { events } = await readPieces([encoder.encode(document)])
        await compareEvents(events, damaged, pieces)
      },
    ),
    parameters(1000, 25),
  )
})

describe('of a dump only pages that are complete are yielded', () => {
  const page = (id: number, text: string) =>
    `<page><title>P${id}</title><id>${id}</id><revision><id>${id}</id><text>${text}</text></revision></page>\n`
  const head = `<!DOCTYPE mediawiki [<!ENTITY e "E &#38;lt; in">]><mediawiki>\n`
  const dump = `${head}${page(1, 'one')}${page(2, 'x&e;y &lt;')}${page(3, '&e;&e;')}</mediawiki>`

  test.each(['pages', 'revisions'] as const)('%s', { timeout: 300_000 }, async (how) => {
    const readAll = async (pieces: readonly Uint8Array[], onFault?: () => void): Promise<string[]> => {
      const given: string[] = []
      const reader = readDump(pieces, { strict: true, ...(onFault && { onFault }) })
      try {
        for await (const item of reader[how]()) given.push(JSON.stringify(item))
      } catch (error) {
        if (onFault) throw error
      }
      return given
    }
    const all = await readAll([encoder.encode(dump)])
    expect(all).toHaveLength(3)
    const ends = [...dump.matchAll(how === 'pages' ? /<\/page>/g : /<\/revision>/g)].map(
      ({ 0: end, index }) => index + end.length,
    )
    const second = dump.indexOf(page(2, 'x&e;y &lt;'))
    for (const place of sample(range(second, dump.indexOf('</page>', second) + 8), 3)) {
      for (const bad of sample(['& ', '&nope;', '</zz>', undefined], 2)) {
        const damaged = damage(dump, place, bad)
        if (!damaged) continue
        const wanted = all.slice(0, ends.filter((end) => end <= place).length)
        for (const size of [1 << 20, 1]) {
          const pieces = piecesOf(damaged.bytes, size)
          expect(await readAll(pieces), `${JSON.stringify(bad)} at ${place}`).toEqual(wanted)
          const skipping = await readAll(pieces, () => {})
          expect(
            skipping.filter((one) => !all.includes(one)),
            `${JSON.stringify(bad)} at ${place}`,
          ).toEqual([])
        }
      }
    }
  })
})
