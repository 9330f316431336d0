// Several documents in one stream: each, read in any way or not at all, gives what it gives alone. A cursor that is lent stands
// after what was delivered, however the input is cut.

import { LimitError } from '../../../source/stream/errors.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { readXml, readXmlDocuments, XmlError, type XmlEvent, type XmlReader } from '../../../source/xml/index.ts'
import { formOfElement } from '../../../test/conformance/canonical-form.ts'
import { Random } from '../../../test/support/random.ts'
import { cutAtRandom } from '../cuts.ts'
import { makeDocument } from '../documents.ts'
import type { FuzzCase, Target } from '../target.ts'

/** How a document is read: in which way, and after how many items its reader is left. */
interface Plan {
  readonly way: keyof typeof WAYS
  readonly most: number
}

/** An item as text, with offsets from the beginning of its document, and where it ends if that is known. */
interface Item {
  readonly text: string
  readonly end?: number
}

/** What reading has given: items of each document, the error, and where the cursor that was lent was after each item and at last. */
interface Outcome {
  readonly documents: readonly (readonly Item[])[]
  readonly error: string | undefined
  readonly places: readonly number[]
  /** Places that are not after the item that was delivered. */
  readonly misplaced: readonly string[]
}

/** A document up to the end of its root, or its error. */
interface Alone {
  readonly bytes: Uint8Array
  readonly error: string | undefined
}

const SHAPE = { at: { path: '.', as: 'offset' }, b: { path: '//b', as: 'present' }, all: '.', ids: ['//@k'] } as const
const BLANKS = ['', '', ' ', '\n', '\r\n', '\t\n ']
/** What there is no document in. */
const REST = /^\ufeff?(?:[ \t\r\n]|<!--(?:(?!--).)*-->|<\?(?!xml[\s?]).*?\?>)*$/su

/** The ways to read; `base` is where the document begins. */
const WAYS = {
  events: async function* (reader: XmlReader, base: number): AsyncGenerator<Item> {
    for await (const events of reader.events().batches()) for (const event of events) yield itemOf(event, base)
  },
  select: async function* (reader: XmlReader, base: number): AsyncGenerator<Item> {
    for await (const element of reader.select('*', { nested: 'outermost' })) yield formAt(element, base)
  },
  'select all': async function* (reader: XmlReader, base: number): AsyncGenerator<Item> {
    for await (const element of reader.select('//*', { nested: 'all' })) yield formAt(element, base)
  },
  children: async function* (reader: XmlReader, base: number): AsyncGenerator<Item> {
    for await (const element of reader.select('/*/*')) yield formAt(element, base)
  },
  records: async function* (reader: XmlReader, base: number): AsyncGenerator<Item> {
    for await (const { at, ...record } of reader.records('/*/*', SHAPE)) {
      yield { text: JSON.stringify([(at ?? 0) - base, record]) }
    }
  },
  check: async function* (reader: XmlReader): AsyncGenerator<Item> {
    await reader.check()
    yield* []
  },
  none: async function* (): AsyncGenerator<Item> {
    yield* []
  },
}
function itemOf({ start, end, ...event }: XmlEvent, base: number): Item {
  const attributes = 'attributes' in event ? [...event.attributes] : []
  return { text: JSON.stringify([start - base, end - base, { ...event, attributes }]), end: end - base }
}

function formAt(
  element: Parameters<typeof formOfElement>[0] & { readonly start: number; readonly end: number },
  base: number,
): Item {
  const { start, end, entity } = element
  const bytes = Buffer.from(element.bytes ?? []).toString('base64')
  return { text: JSON.stringify([start - base, end - base, entity, bytes, formOfElement(element)]), end: end - base }
}

function describeError(error: unknown, base: number): string {
  if (!(error instanceof XmlError || error instanceof LimitError)) throw error
  return `${error.code} ${error.byteOffset - base}`
}

/** What a reader gives in a way, up to an error. */
async function readAlone(bytes: Uint8Array, way: Plan['way']): Promise<Item[]> {
  const items: Item[] = []
  try {
    for await (const item of WAYS[way](readXml([bytes.slice()]), 0)) items.push(item)
  } catch (error) {
    describeError(error, 0)
  }
  return items
}

/** A document up to the end of its root, without blanks before it; or with the error that comes before that. */
async function isolate(document: Uint8Array): Promise<Alone> {
  const start = document.findIndex((byte) => ![0x20, 0x09, 0x0a, 0x0d].includes(byte))
  const bytes = document.subarray(start === -1 ? document.length : start)
  let depth = 0
  try {
    for await (const events of readXml([bytes.slice()]).events().batches()) {
      for (const { type, end } of events) {
        depth += type === 'start' ? 1 : type === 'end' ? -1 : 0
        if (type === 'end' && depth === 0) return { bytes: bytes.subarray(0, end), error: undefined }
      }
    }
    return { bytes, error: 'none' }
  } catch (error) {
    return { bytes, error: describeError(error, 0) }
  }
}

/** Blanks in the encoding of the document before. */
function blanksAfter({ bytes }: Alone, blanks: string): Uint8Array {
  const text = Buffer.from(blanks, 'utf16le')
  if (bytes[0] === 0xff) return text
  return bytes[0] === 0xfe ? text.swap16() : Buffer.from(blanks)
}

/** Reads a stream by plans; `bases` are where documents begin. After the documents that there are plans for, the loop is left. */
async function readStream(
  pieces: Uint8Array[],
  plans: readonly Plan[],
  bases: readonly number[],
  { isLent, engine }: { isLent: boolean; engine: 'wasm' | 'plain' },
): Promise<Outcome> {
  const documents: Item[][] = []
  const places: number[] = []
  const misplaced: string[] = []
  const cursor = isLent ? StreamCache.from(pieces).cursor() : undefined
  let error: string | undefined
  try {
    for await (const document of readXmlDocuments(cursor ?? pieces, { engine })) {
      const index = documents.length
      const { way, most } = plans[index] ?? { way: 'none', most: 0 }
      const base = bases[index] ?? Number.NaN
      const items: Item[] = []
      documents.push(items)
      for await (const item of WAYS[way](document, base)) {
        items.push(item)
        // How many events are delivered at once depends on the cuts.
        if (cursor && way !== 'events') {
          places.push(cursor.offset)
          if (item.end !== undefined && base + item.end !== cursor.offset)
            misplaced.push(`${cursor.offset} instead of ${base + item.end}`)
        }
        if (items.length >= most) break
      }
      if (documents.length === plans.length) break
    }
    if (cursor && plans.at(-1)?.way !== 'events') places.push(cursor.offset)
  } catch (thrown) {
    error = describeError(thrown, 0)
  } finally {
    cursor?.release()
  }
  return { documents, error, places, misplaced }
}

async function judge({ parts, settings }: FuzzCase): Promise<string | undefined> {
  const random = new Random(settings.plan as number)
  const alone: Alone[] = []
  const pieces: Uint8Array[] = []
  const bases: number[] = []
  let length = 0
  for (const part of parts) {
    const document = await isolate(part)
    const blanks = blanksAfter(alone.at(-1) ?? document, alone.length > 0 ? random.pick(BLANKS) : '')
    bases.push(length + blanks.length)
    pieces.push(blanks, document.bytes)
    length += blanks.length + document.bytes.length
    alone.push(document)
    if (document.error !== undefined) break
  }
  const names = Object.keys(WAYS) as Plan['way'][]
  const all = alone.map(() => ({ way: random.pick(names), most: random.oneIn(3) ? 1 + random.below(5) : Infinity }))
  // One plan more: it is left by itself, at the end or after some of them.
  const plans = random.oneIn(3)
    ? all.slice(0, 1 + random.below(all.length))
    : [...all, { way: 'none', most: 0 } as const]
  const stream = Buffer.concat(pieces)
  const how = { isLent: random.oneIn(2), engine: random.pick(['wasm', 'plain'] as const) }
  const complete = await readStream([stream.slice()], plans, bases, how)
  const cut = await readStream(cutAtRandom(stream, settings.cuts as number), plans, bases, how)
  if (JSON.stringify(cut) !== JSON.stringify(complete))
    return `cuts change the reading: ${JSON.stringify(cut)} / ${JSON.stringify(complete)} of ${JSON.stringify(plans)}`
  if (complete.misplaced.length > 0)
    return `the cursor is not after the item: ${complete.misplaced} of ${JSON.stringify(plans)}`
  return await compareWithAlone(complete, alone, plans, bases)
}

/** Compares with each document alone. */
async function compareWithAlone(
  { documents, error }: Outcome,
  alone: readonly Alone[],
  plans: readonly Plan[],
  bases: readonly number[],
): Promise<string | undefined> {
  for (const [i, { bytes, error: own }] of alone.entries()) {
    if (i >= plans.length) break
    const items = documents[i]
    if (!items) {
      if (own !== undefined && REST.test(decode(bytes))) return undefined
      const base = bases[i] as number
      if (own !== undefined && error === shift(own, base)) return undefined
      return `document ${i} is missing: ${error} instead of ${own} from ${base} on`
    }
    const { way, most } = plans[i] as Plan
    const expected = (await readAlone(bytes, way)).slice(0, most)
    const [text, expectedText] = [items, expected].map((list) => list.map((item) => item.text).join('\n'))
    if (text !== expectedText) return `${way} gives something else than alone: ${i} ${text} / ${expectedText}`
    if (own !== undefined && i < plans.length - 1 && error !== shift(own, bases[i] as number))
      return `another error than alone: ${error} / ${own} from ${bases[i]} on, ${way}`
  }
  if (error !== undefined && !alone.some(({ error: own }) => own !== undefined)) return `there is an error: ${error}`
  return undefined
}

function shift(error: string, base: number): string {
  const [code, offset] = error.split(' ')
  return `${code} ${Number(offset) + base}`
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(bytes).toString('utf16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return Buffer.from(bytes).toString()
}

export const xmlDocuments: Target = {
  name: 'xml-documents',
  open: async () => 'each document alone',
  make(random) {
    const settings = { cuts: random.below(2 ** 31), plan: random.below(2 ** 31) }
    return { parts: random.many(1, 5, () => makeDocument(random)), settings }
  },
  // Documents may be large.
  judge: async (fuzzCase) => (await judge(fuzzCase))?.slice(0, 4000),
}
