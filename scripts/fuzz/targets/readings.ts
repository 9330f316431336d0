// Records that are read on past what is broken, that conditions choose, and that are counted: the same however the input is cut, as lines, from ranges, and
// as a naive reading finds them: of each part alone, by conditions on plain objects, and by counting objects.

import { readDump } from '../../../source/mediawiki/index.ts'
import type { LimitError } from '../../../source/stream/errors.ts'
import { readXmlDocuments } from '../../../source/xml/documents.ts'
import type { XmlError } from '../../../source/xml/errors/errors.ts'
import type { RecordOptions } from '../../../source/xml/options.ts'
import type { FieldCondition } from '../../../source/xml/question/where.ts'
import { readXml } from '../../../source/xml/reader.ts'
import { collectAll } from '../../../test/support/collect.ts'
import { readParts } from '../../../test/support/naive-recovery.ts'
import { Random } from '../../../test/support/random.ts'
import { readInRanges } from '../../../test/support/xml-ranges.ts'
import { cutAtRandom } from '../cuts.ts'
import type { FuzzCase, Target } from '../target.ts'

const HEAD = '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY e "E">]>\n<r x="1"><about>these</about>\n'
const SHAPE = {
  id: { path: '@id', as: 'integer', required: true },
  n: { path: 'n', as: 'integer' },
  text: 't',
  all: ['b/c'],
  day: { path: '@d', as: 'date' },
} as const
const OUTER_SHAPE = { page: { outer: 'page', fields: { id: '@id' } }, id: '@id', n: 'n' } as const
const TEXTS = ['', 'a', 'B', 'é&amp;', '&e;', 'a long text of more than a vector, é and others', 'ab']
const DAYS = ['2026-01-02', '2026-01-02T03:04:05Z', '2025-12-31', '1999-01-01']
/** What damage is made of. It opens no comment and no section: in these no start tag is looked for naively. */
const WRONG = ['', '<', '>', '&', '"', '/', '&no;', '<item>', '</item>', '</t>', '</r>', '<z>', '\u0001', 'item', '=']

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

function makeItem(random: Random): string {
  const day = random.oneIn(2) ? ` d="${random.pick(DAYS)}"` : ''
  const list = random.many(0, 3, () => `<c>${random.below(4)}</c>`).join('')
  const number = random.oneIn(4) ? '' : `<n>${random.oneIn(12) ? 'x' : random.below(30) - 5}</n>`
  return `<item id="${random.below(99)}"${day}>${number}<t>${random.pick(TEXTS)}</t><b>${list}</b></item>`
}

/** Content of the root, up to its end, with its first start tag as it was. */
function makeContent(random: Random, isPaged: boolean, damages: number): string {
  const items = () => random.many(1, 8, () => makeItem(random)).join(random.pick(['', '\n']))
  const good = isPaged ? random.many(1, 4, () => `<page id="${random.below(99)}">${items()}</page>`).join('') : items()
  let content = `${good}</r>\n`
  const first = content.indexOf('>') + 1
  for (let i = 0; i < damages; i++) {
    const at = first + random.below(content.length - first)
    content = content.slice(0, at) + random.pick(WRONG) + content.slice(at + random.pick([0, 0, 1, 1, 2, 5, 30]))
  }
  return content
}

interface Outcome {
  readonly records: unknown[]
  readonly faults: string
}

async function readOn(source: Uint8Array[], path: string, shape: typeof SHAPE | typeof OUTER_SHAPE): Promise<Outcome> {
  const [records, errors]: [unknown[], (XmlError | LimitError)[]] = [[], []]
  const reader = readXml(source)
  for await (const record of reader.records(path, shape, { onError: (error) => errors.push(error) }))
    records.push(record)
  const { errors: counted } = reader.skipped
  const said = errors.map(({ code, byteOffset }) => `${code} ${byteOffset}`)
  return { records, faults: `${said} ${counted === said.length && new Set(said).size === said.length}` }
}

/** Lines as the objects that they are of. */
async function readLines(bytes: Uint8Array, path: string, shape: typeof SHAPE, options: RecordOptions) {
  const pieces: Uint8Array[] = []
  for await (const piece of readXml(bytes).write('jsonl', path, shape, options)) pieces.push(piece)
  const lines = Buffer.concat(pieces).toString().split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

async function judgeRecovery(content: string, isPaged: boolean, random: Random): Promise<string | undefined> {
  const [anchor, path] = isPaged ? ['page', 'page/item'] : ['item', 'item']
  const shape = isPaged ? OUTER_SHAPE : SHAPE
  const bytes = encode(HEAD + content)
  const expected = JSON.stringify(await readParts(HEAD, content, anchor, path, shape))
  const complete = await readOn([bytes.slice()], path, shape)
  if (JSON.stringify(complete.records) !== expected)
    return `reading on gives other records: ${JSON.stringify(complete.records)} / ${expected}`
  if (!complete.faults.endsWith('true')) return `errors are not counted once each: ${complete.faults}`
  const cut = await readOn(cutAtRandom(bytes, random.below(2 ** 31)), path, shape)
  const [one, other] = [complete, cut].map((outcome) => JSON.stringify(outcome))
  if (one !== other) return `cuts change reading on: ${other} / ${one}`
  if (isPaged) return undefined
  const lines = JSON.stringify(await readLines(bytes, path, SHAPE, { onError: 'skip' }))
  if (lines !== expected) return `reading on writes other lines: ${lines} / ${expected}`
  const cuts = random.many(0, 5, () => random.below(bytes.length))
  const ranges = JSON.stringify((await readInRanges(bytes, cuts, path, SHAPE, {}, { onError: 'skip' })).records)
  return ranges === expected ? undefined : `ranges read on otherwise: ${cuts}: ${ranges} / ${expected}`
}

/** What is no text is replaced once, as if a question mark stood there, also in ranges. */
async function judgeReplaced(content: string, random: Random): Promise<string | undefined> {
  const damaged = encode(HEAD + content.replace(/(?<=[a-z])[aB]/g, (text) => (random.oneIn(3) ? '\u0001' : text)))
  const expected = Array.from(damaged.keys()).filter((offset) => damaged[offset] === 1)
  const mended = damaged.map((byte) => (byte === 1 ? 0x3f : byte))
  const asked = { onError: 'skip' } as const
  const all = JSON.stringify(await collectAll(readXml(mended).records('item', SHAPE, asked)))
  const places: number[] = []
  const options = { onReplace: (offset: number) => places.push(offset) }
  const pieces = cutAtRandom(damaged, random.below(2 ** 31))
  const reader = readXml(pieces, options)
  const found = JSON.stringify(await collectAll(reader.records('item', SHAPE, asked)))
  if (found !== all) return `what is replaced is read otherwise: ${found} / ${all}`
  const sorted = places.splice(0).sort((one, other) => one - other)
  await collectAll(readXml(damaged, options).records('item', SHAPE, asked))
  const whole = places.sort((one, other) => one - other)
  if (whole.join() !== sorted.join()) return `cuts change which places are replaced: ${sorted} / ${whole}`
  // After the last record nothing needs to be read, and what is left out is not replaced.
  const isExpected =
    reader.skipped.errors === 0
      ? expected.join().startsWith(sorted.join())
      : sorted.every((place, i) => expected.includes(place) && place !== sorted[i - 1])
  if (!isExpected) return `other places are replaced: ${sorted} / ${expected}`
  const cuts = random.many(0, 5, () => random.below(damaged.length))
  const ranges = JSON.stringify((await readInRanges(damaged, cuts, 'item', SHAPE, options, asked)).records)
  return ranges === all ? undefined : `ranges replace otherwise: ${cuts}: ${ranges} / ${all}`
}

/** Documents that follow each other are read on as each of them alone. */
async function judgeDocuments(content: string, random: Random): Promise<string | undefined> {
  // Where an end tag of the root is too much, the next document would begin after it.
  const contents = [content, ...random.many(1, 2, () => makeContent(random, false, random.below(3)))]
  const texts = contents.map((one) => HEAD + one.replace(/<\/r>(?!\n$)/g, ''))
  const expected: unknown[] = []
  for (const text of texts) expected.push(await collectAll(readXml(text).records('item', SHAPE, { onError: 'skip' })))
  const found: unknown[] = []
  for await (const document of readXmlDocuments(cutAtRandom(encode(texts.join('')), random.below(2 ** 31))))
    found.push(await collectAll(document.records('item', SHAPE, { onError: 'skip' })))
  const [one, other] = [found, expected].map((records) => JSON.stringify(records))
  return one === other ? undefined : `documents are read on otherwise: ${one} / ${other}`
}

type Item = { id: number; n?: number; text?: string; all: string[]; day?: Date }

/** A condition on one field, and what it says of an object. */
function makeCondition(random: Random): [name: string, condition: FieldCondition, holds: (item: Item) => boolean] {
  const [from, to] = [random.below(30) - 5, random.below(30) - 5]
  const text = random.pick(['a', 'B', 'b', 'é'])
  const number = ({ n }: Item) => n ?? Number.NaN
  const cases: readonly (() => ReturnType<typeof makeCondition>)[] = [
    () => ['n', { from, to }, (item) => number(item) >= from && number(item) <= to],
    () => ['n', { above: from }, (item) => number(item) > from],
    () => ['n', { in: [to, { from }] }, (item) => number(item) === to || number(item) >= from],
    () => ['n', { notIn: [from, to] }, ({ n }) => n !== undefined && n !== from && n !== to],
    () => ['n', { present: false }, ({ n }) => n === undefined],
    () => ['text', { matches: text, ignoreCase: true }, (item) => new RegExp(text, 'iu').test(item.text ?? '\0')],
    () => ['text', { from: text }, (item) => item.text !== undefined && item.text >= text],
    () => ['all', { in: [String(from), '2'] }, ({ all }) => all.some((one) => one === String(from) || one === '2')],
    () => ['id|n', { in: [from, 7] }, ({ id, n }) => [id, n].some((one) => one === from || one === 7)],
    () => ['day', { from: '2026-01-02' }, ({ day }) => day !== undefined && day >= new Date('2026-01-02')],
    () => ['day', { to: '2026-01-02' }, ({ day }) => day !== undefined && day < new Date('2026-01-03')],
  ]
  return random.pick(cases)()
}

async function judgeFilters(content: string, random: Random): Promise<string | undefined> {
  const bytes = encode(HEAD + content)
  const chosen = random.many(1, 3, () => makeCondition(random))
  const where: Record<string, FieldCondition[]> = {}
  for (const [name, condition] of chosen) where[name] = [...(where[name] ?? []), condition]
  const all: Item[] = []
  for await (const record of readXml(bytes).records('item', SHAPE, { onError: 'skip' })) all.push(record as Item)
  const wanted = all.filter((item) => chosen.every(([, , holds]) => holds(item)))
  const expected = JSON.stringify(wanted)
  const options = { where, onError: 'skip' } as const
  const found: unknown[] = []
  for await (const record of readXml(cutAtRandom(bytes, random.below(2 ** 31))).records('item', SHAPE, options))
    found.push(record)
  const [given, lines] = [found, await readLines(bytes, 'item', SHAPE, options)].map((some) => JSON.stringify(some))
  if (given !== expected) return `conditions choose otherwise: ${JSON.stringify(where)} ${given} / ${expected}`
  if (lines !== expected) return `conditions choose other lines: ${JSON.stringify(where)} ${lines} / ${expected}`
  const [withDay, without] = [makeCondition(random), makeCondition(random)]
  const each = [withDay, without].map(([name, condition]) => ({ [name]: condition }))
  const ofPaths: unknown[] = []
  const paths = ['item[@d]', 'item[not(@d)]']
  for await (const record of readXml(bytes).records(paths, SHAPE, { where: each as never, onError: 'skip' }))
    ofPaths.push(record)
  const [given2, expected2] = [ofPaths, all.filter((item) => (item.day ? withDay : without)[2](item))].map((some) =>
    JSON.stringify(some),
  )
  return given2 === expected2
    ? undefined
    : `conditions of paths choose otherwise: ${JSON.stringify(each)} ${given2} / ${expected2}`
}

function makePage(random: Random): string {
  const revisions = random.many(0, 3, () => {
    const text = random.pick([
      '<text bytes="2">ab</text>',
      '<text bytes="5"/>',
      '<text bytes="-1" deleted="deleted"/>',
      '<text>é</text>',
      '',
    ])
    const who = random.pick(['<contributor><ip>::1</ip></contributor>', '<contributor deleted="deleted"/>', ''])
    return `<revision><id>${1 + random.below(99)}</id>${who}${text}</revision>`
  })
  const redirect = random.oneIn(3) ? '<redirect title="A"/>' : ''
  return `<page><title>T${random.below(9)}</title><ns>0</ns><id>${1 + random.below(99)}</id>${redirect}${revisions.join('')}</page>`
}

async function judgeCounters(random: Random): Promise<string | undefined> {
  const pages = random.many(0, 9, () => makePage(random))
  const dump = encode(`<mediawiki version="0.11">\n${pages.join('\n')}</mediawiki>`)
  for (const lines of ['pageLines', 'revisionLines'] as const) {
    const ofPages = lines === 'pageLines'
    const counts: Record<string, number> = { pages: 0, redirects: 0, revisions: 0, missingTexts: 0, suppressed: 0 }
    const add = (name: string, isSo: unknown) => {
      counts[name] = (counts[name] as number) + (isSo ? 1 : 0)
    }
    let last: number | undefined
    const seen: (number | undefined)[] = []
    for await (const record of readDump(dump.slice())[ofPages ? 'pages' : 'revisions']()) {
      const page = 'page' in record ? record.page : record
      const revision = 'page' in record ? record : record.revision
      // Revisions that follow each other are of one page if that has one id.
      const isNew = ofPages || seen.at(-1) !== page.id
      add('pages', isNew)
      add('redirects', isNew && page.redirect !== undefined)
      seen.push(page.id)
      counts.firstPage ??= page.id as number
      last = page.id
      add('revisions', revision)
      add('missingTexts', revision && revision.text === undefined && (revision.bytes ?? 0) > 0)
      add(
        'suppressed',
        revision && ((revision.bytes ?? 0) < 0 || (revision.contributor && 'deleted' in revision.contributor)),
      )
    }
    if (last !== undefined) counts.lastPage = last
    const dumped = readDump(cutAtRandom(dump, random.below(2 ** 31)))
    let records = 0
    for await (const batch of dumped[lines]()) records += batch.records
    const [given, expected] = [dumped.report, counts].map((data) => JSON.stringify(Object.entries(data).sort()))
    if (given !== expected) return `counters of ${lines} differ: ${given} / ${expected}`
    if (records !== seen.length) return `records of ${lines} differ: ${records} / ${seen.length}`
  }
  return undefined
}

async function judge({ parts: [part], settings }: FuzzCase): Promise<string | undefined> {
  const random = new Random(settings.options as number)
  const [content, isPaged] = [decode(part), settings.isPaged as boolean]
  return (
    (await judgeRecovery(content, isPaged, random)) ??
    (isPaged ? undefined : await judgeFilters(content, random)) ??
    (isPaged ? undefined : await judgeDocuments(content, random)) ??
    (isPaged ? undefined : await judgeReplaced(content, random)) ??
    (await judgeCounters(random))
  )
}

export const readings: Target = {
  name: 'readings',
  open: async () => 'parts that are read alone, conditions on objects, objects that are counted',
  make(random) {
    const isPaged = random.oneIn(3)
    const settings = { options: random.below(2 ** 31), isPaged }
    return { parts: [encode(makeContent(random, isPaged, random.below(4)))], settings }
  },
  judge: async (fuzzCase) => (await judge(fuzzCase))?.slice(0, 4000),
}
