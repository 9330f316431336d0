// Options for reading a document, judged by what the same document gives without them: elements that stand alone, limits of the input,
// names in any namespace, cursors that are lent, encodings that are given; strings with halves of surrogate pairs, and elements that are null.

import { LimitError } from '../../../source/stream/errors.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import {
  parseXml,
  readXml,
  type SelectOptions,
  type XmlElement,
  XmlError,
  type XmlOptions,
} from '../../../source/xml/index.ts'
import { formOfElement } from '../../../test/conformance/canonical-form.ts'
import { Random } from '../../../test/support/random.ts'
import { cutAtRandom } from '../cuts.ts'
import { makeDocument } from '../documents.ts'
import type { FuzzCase, Target } from '../target.ts'

/** What reading has given up to its error. */
interface Outcome<Item> {
  readonly items: readonly Item[]
  readonly error: string | undefined
}

const NAMES = ['a', 'b', 'c', 'd', 'long-name', 'é']
const NESTED = ['outermost', 'innermost', 'all'] as const

async function attempt<Item>(all: AsyncIterable<Item>): Promise<Outcome<Item>> {
  const items: Item[] = []
  try {
    for await (const item of all) items.push(item)
    return { items, error: undefined }
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof LimitError)) throw error
    return { items, error: `${error.code} ${error.byteOffset} ${error.line}:${error.column}` }
  }
}

function select(
  source: Uint8Array[],
  path: string,
  options: SelectOptions,
  how: XmlOptions = {},
): Promise<Outcome<XmlElement>> {
  return attempt(readXml(source, how).select(path, options))
}

function placeOf({ name, start, end, entity }: XmlElement): string {
  return `${name} ${start}-${end} ${entity}`
}

/** The names and values in an element, with namespaces instead of prefixes. Declarations, `xml:space` and `xml:lang` are left out: an element that stands alone has more of them. */
function contentOf(element: XmlElement): string {
  const form = formOfElement(element)
  const names = [...elementsIn(element)].map((inner) => {
    const attributes = inner.attributes.details.filter(
      ({ name }) => !/^(?:xmlns(?::|$)|xml:(?:space|lang)$)/.test(name),
    )
    const described = attributes.map(({ name, namespace, value }) => JSON.stringify([name, namespace, value]))
    return `${inner.name} ${inner.namespace} ${described.sort().join()}`
  })
  return `${form.replace(/<[^>]*>/g, '<>')} ${names.join('\n')}`
}

function* elementsIn(element: XmlElement): Generator<XmlElement, void, undefined> {
  const waiting = [element]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    waiting.push(...next.childElements)
  }
}

/** Each of all elements can be read alone, from bytes that do not depend on the cuts. */
async function judgeStandalone(bytes: Uint8Array, cuts: number): Promise<string | undefined> {
  for (const nested of NESTED) {
    const complete = await select([bytes.slice()], '//*', { nested, standalone: true })
    const cut = await select(cutAtRandom(bytes, cuts), '//*', { nested, standalone: true })
    const plain = await select([bytes.slice()], '//*', { nested })
    const [places, cutPlaces, plainPlaces] = [complete, cut, plain].map(({ items, error }) =>
      [...items.map(placeOf), error].join('\n'),
    )
    if (places !== cutPlaces) return `cuts change elements that stand alone: ${nested} ${cutPlaces} / ${places}`
    if (places !== plainPlaces) return `standing alone changes elements: ${nested} ${places} / ${plainPlaces}`
    for (const [i, element] of complete.items.entries()) {
      const own = Buffer.from(element.bytes ?? [])
      if (!own.equals(Buffer.from(cut.items[i]?.bytes ?? []))) return `cuts change bytes: ${nested} ${own}`
      let alone: XmlElement
      try {
        alone = parseXml(own).root
      } catch (error) {
        return `an element does not stand alone: ${nested} ${(error as Error).message} ${own}`
      }
      const [given, expected] = [contentOf(alone), contentOf(plain.items[i] as XmlElement)]
      if (given !== expected) return `an element that stands alone is another one: ${nested} ${given} / ${expected}`
    }
  }
  return undefined
}

/** With a limit, everything before it is as without one. */
async function judgeLimit(bytes: Uint8Array, cuts: number, maxInput: number): Promise<string | undefined> {
  const limits = { limits: { maxInput } }
  const ways: [name: string, read: (source: Uint8Array[], how?: XmlOptions) => Promise<Outcome<string>>][] = [
    [
      'select',
      async (source, how) => {
        const { items, error } = await select(source, '//*', { nested: 'all' }, how)
        const write = (element: XmlElement) => `${element.end} ${element.entity ?? ''} ${formOfElement(element)}`
        return { items: items.map(write), error }
      },
    ],
    [
      'records',
      (source, how) =>
        attempt(
          (async function* () {
            const shape = { all: '.', ids: ['//@k'] } as const
            for await (const record of readXml(source, how).records('//*', shape, { nested: 'all' }))
              yield JSON.stringify(record)
          })(),
        ),
    ],
    [
      'events',
      (source, how) =>
        attempt(
          (async function* () {
            for await (const events of readXml(source, how).events().batches())
              for (const { type, start, end } of events) yield `${end} ${type} ${start}`
          })(),
        ),
    ],
  ]
  for (const [name, read] of ways) {
    const unlimited = await read([bytes.slice()])
    const complete = await read([bytes.slice()], limits)
    const cut = await read(cutAtRandom(bytes, cuts), limits)
    const [one, other] = [complete, cut].map((outcome) => JSON.stringify(outcome))
    if (one !== other) return `cuts change the reading with a limit: ${name} ${maxInput} ${other} / ${one}`
    const isEarlier = unlimited.error !== undefined && Number(unlimited.error.split(' ')[1]) < maxInput
    if (bytes.length <= maxInput || (isEarlier && complete.error === unlimited.error)) {
      if (one !== JSON.stringify(unlimited)) return `a limit changes what is below it: ${name} ${one}`
      continue
    }
    if (!complete.error?.startsWith(`input-limit ${maxInput} `))
      return `the limit is not met: ${name} ${maxInput} ${complete.error} / ${unlimited.error}`
    const expected = unlimited.items.slice(0, complete.items.length)
    // A text may be cut off by the limit, as by any other error.
    const last = expected.length - 1
    const isCut = name === 'events' && expected[last]?.split(' ')[1] === 'text'
    if (isCut && Number.parseInt(complete.items[last] as string, 10) <= maxInput)
      expected[last] = complete.items[last] as string
    if (JSON.stringify(complete.items) !== JSON.stringify(expected)) return `a limit changes items: ${name} ${maxInput}`
    // An entity is read when the text that refers to it is complete.
    const isDue = (item: string) => Number.parseInt(item, 10) <= maxInput && /^\d+ {2}/.test(item)
    const missing = unlimited.items.slice(complete.items.length).filter(isDue)
    if (name === 'select' && missing.length > 0) return `the limit loses elements: ${maxInput} ${missing}`
  }
  return undefined
}

/** A name in any namespace matches the elements with this local name, in any way of reading. */
async function judgeAnyNamespace(bytes: Uint8Array, cuts: number, name: string): Promise<string | undefined> {
  const all = await select([bytes.slice()], '//*', { nested: 'all' })
  const expected = [...all.items.filter(({ localName }) => localName === name).map(placeOf), all.error].join('\n')
  for (const path of [`*:${name}`, `//*:${name}`]) {
    const named = await select(cutAtRandom(bytes, cuts), path, { nested: 'all' })
    const found = [...named.items.map(placeOf), named.error].join('\n')
    if (found !== expected) return `${path} selects something else: ${found} / ${expected}`
    const shape = { at: { path: '.', as: 'offset' }, k: '@*:k', inner: [`*:${name}/@*:k`] } as const
    const records = await attempt(readXml(cutAtRandom(bytes, cuts)).records(path, shape, { nested: 'all' }))
    const values = all.items
      .filter(({ localName }) => localName === name)
      .map((element) => ({
        at: element.start,
        k: valuesOf(element)[0],
        inner: element.childElements.filter((child) => child.localName === name).flatMap(valuesOf),
      }))
    const [given, wanted] = [records.items, values].map((list) => {
      return JSON.stringify(list.map(({ at, k, inner }) => [at, k, inner]))
    })
    if (given !== wanted) return `records of ${path} are others: ${given} / ${wanted}`
  }
  return undefined
}

/** The values of the attributes with the local name `k`. */
function valuesOf({ attributes }: XmlElement): string[] {
  return attributes.details.filter(({ name }) => /^(?!xmlns:)(?:[^:]*:)?k$/.test(name)).map(({ value }) => value)
}

/** A cursor that is lent is after each item, whatever the cuts. */
async function judgeCursor(bytes: Uint8Array, cuts: number, random: Random): Promise<string | undefined> {
  const nested = random.pick(NESTED)
  const path = random.pick(['*', '//*', '/*/*', '//a', '*:b'])
  const most = random.oneIn(2) ? 1 + random.below(6) : Number.POSITIVE_INFINITY
  const engine = random.pick(['wasm', 'plain'] as const)
  const isRecord = random.oneIn(2)
  const placesIn = async (source: Uint8Array[]): Promise<string> => {
    const cursor = StreamCache.from(source).cursor()
    const places: number[] = []
    try {
      const reader = readXml(cursor, { engine })
      const items: AsyncIterable<unknown> = isRecord
        ? reader.records(path, { all: '.' }, { nested })
        : reader.select(path, { nested })
      const { error } = await attempt(
        (async function* () {
          for await (const item of items) {
            places.push(cursor.offset)
            if (places.length >= most) break
            yield item
          }
        })(),
      )
      return `${places} ${error} ${cursor.offset}`
    } finally {
      cursor.release()
    }
  }
  const complete = await placesIn([bytes.slice()])
  const cut = await placesIn(cutAtRandom(bytes, cuts))
  if (cut !== complete)
    return `cuts move the cursor: ${isRecord ? 'records' : 'elements'} of ${path} ${nested} ${cut} / ${complete}`
  return undefined
}

/** The text of a document, without its mark. */
function decode(bytes: Uint8Array): string {
  const marks: Record<string, string> = { '255 254': 'utf-16le', '254 255': 'utf-16be' }
  const wide = marks[bytes.subarray(0, 2).join(' ')]
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

const ENCODED: Record<string, (text: string) => Uint8Array> = {
  'utf-8': (text) => new TextEncoder().encode(text),
  'utf-16le': (text) => new Uint8Array(Buffer.from(text, 'utf16le')),
  'iso-8859-1': (text) => new Uint8Array(Buffer.from(text, 'latin1')),
}

/** What is in a document, and the code and place of its error: not the offset, which depends on the encoding. */
async function readText(source: readonly (string | Uint8Array)[], how: XmlOptions): Promise<string> {
  const { items, error = '' } = await attempt(readXml(source, how).select('//*', { nested: 'all' }))
  return [...items.map(formOfElement), error.replace(/ \d+/, '')].join('\n')
}

/** An encoding that is given counts, whatever the document declares. */
async function judgeEncoding(bytes: Uint8Array, cuts: number, random: Random): Promise<string | undefined> {
  const body = decode(bytes).replace(/^<\?xml[^>]*>/, '')
  const encoding = random.pick(/[^\0-\xff]/.test(body) ? ['utf-8', 'utf-16le'] : Object.keys(ENCODED))
  const declared = random.pick(['UTF-8', 'UTF-16', 'ISO-8859-1', 'x-none', encoding])
  const text = `<?xml version="1.0" encoding="${declared}"?>${body}`
  const encoded = (ENCODED[encoding] as (text: string) => Uint8Array)(text)
  const [given, expected] = [await readText(cutAtRandom(encoded, cuts), { encoding }), await readText([text], {})]
  return given === expected
    ? undefined
    : `a given encoding is not followed: ${encoding} ${declared} ${given} / ${expected}`
}

/** Half of a surrogate pair is an error wherever it is, and however strings are cut. */
async function judgeSurrogates(bytes: Uint8Array, random: Random): Promise<string | undefined> {
  const whole = decode(bytes)
  const at = random.below(whole.length + 1)
  const text = whole.slice(0, at) + random.pick(['\ud83d', '\ude00', '\ude00\ud83d']) + whole.slice(at)
  if (!/\p{Surrogate}/u.test(text)) return undefined
  const cut = random.below(text.length + 1)
  const complete = await readText([text], {})
  for (const pieces of [text.split(''), [text.slice(0, cut), text.slice(cut)]]) {
    const given = await readText(pieces, {})
    if (given !== complete) return `cuts change a string: ${given} / ${complete}`
  }
  return complete.endsWith('\n') || complete === ''
    ? `half of a surrogate pair is accepted: ${JSON.stringify(text)}`
    : undefined
}

/** An element with `xsi:nil` is null in each way to read records, by its namespace, and wrong where it has content. */
async function judgeNil(random: Random, cuts: number): Promise<string | undefined> {
  const prefix = random.pick(['xsi', 'n', 'xsi'])
  const values = random.many(1, 40, () => random.pick(['1', '-20', 'nil', 'nil', 'other', 'wrong']))
  const isTyped = random.below(2) === 0
  const rows = values.map((value, i) => {
    if (value === 'nil')
      return `<r><v ${prefix}:nil="${random.pick(['true', '1'])}"${random.pick(['', ' k="1"'])}/></r>`
    if (value === 'other') return `<r><v o:nil="true" ${prefix}:nil="false">${i}</v></r>`
    if (value === 'wrong') return random.below(20) === 0 ? `<r><v ${prefix}:nil="1">${i}</v></r>` : '<r/>'
    return `<r><v>${value}</v></r>`
  })
  const names = `xmlns:${prefix}="http://www.w3.org/2001/XMLSchema-instance" xmlns:o="urn:o"`
  const text = `<d ${names}>${random.pick(['', '\n'])}${rows.join('')}</d>`
  const wrong = rows.findIndex((row) => /nil="1">\d/.test(row))
  const expected = (wrong === -1 ? rows : rows.slice(0, wrong)).map((row) => {
    const [, value] = /<v[^>]*>([^<]+)</.exec(row) ?? []
    return value === undefined ? {} : { v: isTyped ? Number(value) : value }
  })
  const shape = { v: isTyped ? ({ path: 'v', as: 'integer' } as const) : 'v' }
  const bytes = new TextEncoder().encode(text)
  for (const source of [[bytes], cutAtRandom(bytes, cuts)]) {
    const records = await attempt(readXml(source).records('r', shape))
    const lines = await attempt(readXml(source).write('jsonl', 'r', shape))
    const written = Buffer.concat(lines.items).toString().split('\n').filter(Boolean)
    for (const items of [records.items.map((record) => JSON.stringify(record)), written]) {
      const given = items.join('\n')
      const wanted = expected.map((record) => JSON.stringify(record)).join('\n')
      if (given !== wanted) return `null elements: ${given} instead of ${wanted}`
    }
    for (const { error = '' } of [records, lines]) {
      if (error.startsWith('invalid-value') !== (wrong !== -1)) return `null with content: ${error} ${rows[wrong]}`
    }
  }
  return undefined
}

async function judge({ parts: [bytes = new Uint8Array()], settings }: FuzzCase): Promise<string | undefined> {
  const cuts = settings.cuts as number
  const random = new Random(settings.options as number)
  const maxInput = random.below(bytes.length + 2)
  return (
    (await judgeStandalone(bytes, cuts)) ??
    (await judgeLimit(bytes, cuts, maxInput)) ??
    (await judgeAnyNamespace(bytes, cuts, random.pick(NAMES))) ??
    (await judgeCursor(bytes, cuts, random)) ??
    (await judgeEncoding(bytes, cuts, random)) ??
    (await judgeSurrogates(bytes, random)) ??
    (await judgeNil(random, cuts))
  )
}

export const xmlOptions: Target = {
  name: 'xml-options',
  open: async () => 'reading without the options',
  make(random) {
    const settings = { cuts: random.below(2 ** 31), options: random.below(2 ** 31) }
    return { parts: [makeDocument(random)], settings }
  },
  // Documents may be large.
  judge: async (fuzzCase) => (await judge(fuzzCase))?.slice(0, 4000),
}
