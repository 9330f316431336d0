// Filters of pages and revisions: what they look at, and what they let through, compared with what they mean.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { computedFields, conditionsOf, type RecordFilter } from '../../../source/mediawiki/lines/filter-conditions.ts'
import type { PageTraits } from '../../../source/mediawiki/lines/page-traits.ts'
import { countLists } from '../../../source/mediawiki/lines/record-counters.ts'
import { Report } from '../../../source/record/report.ts'
import { readByWhere } from '../../../source/xml/question/where.ts'
import { collectAll, inPieces } from '../../support/collect.ts'
import { isWantedByFilter, type NaivePage, type NaiveRevision } from '../../support/naive-filter.ts'
import { LINE_FORMATS } from '../../support/notations.ts'
import { parameters } from '../../support/property.ts'

/** A revision as a dump has it. */
interface GivenRevision extends Omit<NaiveRevision, 'size'> {
  readonly id: number
  readonly bytes?: number | undefined
  readonly text?: string | undefined
  readonly isSuppressed: boolean
}

/** A page as a dump has it. `isLate`: where it redirects to is said after its first revision. */
interface GivenPage extends NaivePage {
  readonly revisions: readonly GivenRevision[]
  readonly isLate: boolean
}

const element = (name: string, content: unknown) => (content === undefined ? '' : `<${name}>${content}</${name}>`)

function writeRevision({ id, timestamp, model, minor, contributor, bytes, text, isSuppressed }: GivenRevision): string {
  const who = contributor as { deleted?: true; ip?: string; username?: string } | undefined
  const by =
    who &&
    `<contributor${who.deleted ? ' deleted="deleted"' : ''}>${element('username', who.username)}${element('ip', who.ip)}</contributor>`
  const attributes = `${bytes === undefined ? '' : ` bytes="${bytes}"`}${isSuppressed ? ' deleted="deleted"' : ''}`
  const content =
    text === undefined && bytes === undefined && !isSuppressed ? '' : `<text${attributes}>${text ?? ''}</text>`
  return `<revision><id>${id}</id>${element('timestamp', timestamp)}${by ?? ''}${minor ? '<minor/>' : ''}${element('model', model)}${content}</revision>`
}

function writePage({ id, ns, title, redirect, revisions, isLate }: GivenPage): string {
  const target = redirect === undefined ? '' : `<redirect title="${redirect}"/>`
  const [first = '', ...others] = revisions.map(writeRevision)
  return `<page>${element('title', title)}${element('ns', ns)}<id>${id}</id>${isLate ? '' : target}${first}${isLate ? target : ''}${others.join('')}</page>`
}

function sizeOf({ bytes, text, isSuppressed }: GivenRevision): number | undefined {
  if (isSuppressed) return undefined
  if (bytes !== undefined && bytes >= 0) return bytes
  // An empty text whose size is not 0 is not there.
  if (text === undefined || (text === '' && bytes !== undefined)) return undefined
  return Buffer.byteLength(text.replace('&amp;', '&'))
}

/** The ids of the pages, or of the revisions, that a filter lets through. */
function expectedIds(kind: 'pages' | 'revisions', pages: readonly GivenPage[], filter: RecordFilter): number[] {
  return pages.flatMap((page) => {
    const { revisions, redirect, isLate } = page
    if (kind === 'revisions') {
      const seen = { ...page, redirect: isLate && revisions.length > 0 ? undefined : redirect }
      return revisions
        .filter((one) => isWantedByFilter(filter, seen, { ...one, size: sizeOf(one) }))
        .map(({ id }) => id)
    }
    const key = ({ timestamp = '', id }: GivenRevision) => timestamp + String(id).padStart(9, '0')
    const [newest] = [...revisions].sort((one, other) => (key(one) < key(other) ? 1 : -1))
    return isWantedByFilter(filter, page, newest && { ...newest, size: sizeOf(newest) }) ? [page.id] : []
  })
}

const revision = fc.record({
  timestamp: fc.constantFrom(
    undefined,
    '2025-12-31T23:59:59Z',
    '2026-01-01T00:00:00Z',
    '2026-01-31T12:00:00Z',
    '2026-02-01T00:00:00Z',
  ),
  model: fc.constantFrom(undefined, 'wikitext', 'css'),
  minor: fc.constantFrom(undefined, true as const),
  contributor: fc.constantFrom(
    undefined,
    { deleted: true as const },
    { ip: '192.0.2.1' },
    { username: 'Ada' },
    { username: 'ada b' },
  ),
  bytes: fc.constantFrom(undefined, -1, 0, 3, 10),
  text: fc.constantFrom(undefined, '', 'abc', 'ä&amp;b'),
  isSuppressed: fc.nat(4).map((number) => number === 0),
})
const page = fc.record({
  ns: fc.constantFrom(undefined, 0, 1, 10),
  title: fc.constantFrom('Wood', 'wood', 'Talk:Wood', 'Talk : x', 'Tree:x'),
  redirect: fc.constantFrom(undefined, 'Tree'),
  revisions: fc.array(revision, { maxLength: 3 }),
  isLate: fc.boolean(),
})
const pages = fc.array(page, { maxLength: 6 }).map((given) =>
  given.map((one, i): GivenPage => {
    const id = i + 1
    return { ...one, id, revisions: one.revisions.map((revision, k) => ({ ...revision, id: 10 * id + k })) }
  }),
)
const optional = <Value>(...values: readonly Value[]) => fc.constantFrom(undefined, undefined, undefined, ...values)
const filter = fc
  .record({
    ns: optional(['0'], ['1', '10']),
    prefixes: optional({ talk: 1, user: 2 }),
    redirects: optional('in', 'out', 'only'),
    title: optional('^W', 'd$'),
    ignoreCase: optional(true),
    titles: optional(['Wood', 'Talk:Wood']),
    resolvedTitles: optional(['Tree:x']),
    ids: optional(
      [
        { first: 2, last: 3 },
        { first: 3, last: 4 },
      ],
      [
        { first: 4, last: Number.MAX_SAFE_INTEGER },
        { first: 1, last: 1 },
      ],
    ),
    since: optional('2026', '2026-01-31', '2026-01-01T00:00'),
    until: optional('2025', '2026-01', '2026-01-31', '2026-01-31T12:00'),
    model: optional(['css'], ['wikitext', 'x']),
    minor: optional('in', 'out', 'only'),
    minSize: optional(0, 3),
    maxSize: optional(3, 5),
    contributor: optional(['ada', '192.0.2.1'], ['Ada_b', 'ada_b']),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)) as RecordFilter)
  .filter(({ ns, prefixes }) => ns !== undefined || prefixes === undefined)

const CHOICES = [
  undefined,
  { fields: ['id'], format: LINE_FORMATS.jsonl },
  { fields: ['id'], format: LINE_FORMATS.jsonl, checksAll: true },
]

test('filters let through what they mean, whatever is written, and however the dump is cut', async () => {
  await fc.assert(
    fc.asyncProperty(pages, filter, fc.constantFrom(...CHOICES), fc.nat(40), async (given, where, choice, length) => {
      const bytes = new TextEncoder().encode(`<mediawiki>${given.map(writePage).join('')}</mediawiki>`)
      const pieces = length === 0 ? [bytes] : inPieces(bytes, length)
      for (const kind of ['pages', 'revisions'] as const) {
        const options = { where, ...(choice && { choice }) }
        const reader = readDump(pieces)
        const lines = await collectAll(kind === 'pages' ? reader.pageLines(options) : reader.revisionLines(options))
        const text = new TextDecoder().decode(Buffer.concat(lines.map((one) => one.bytes)))
        const ids = text
          .split('\n')
          .slice(0, -1)
          .map((line) => (JSON.parse(line) as { id: number }).id)
        expect(ids).toEqual(expectedIds(kind, given, where))
      }
    }),
    parameters(2000, 60),
  )
})

describe('a filter', () => {
  test('without conditions lets everything through, and looks at nothing', () => {
    expect(conditionsOf('pages', { redirects: 'in', minor: 'in' })).toEqual({})
  })

  test.each<[RecordFilter, string[]]>([
    [{ ns: ['0', '10'] }, ['ns']],
    [{ ns: ['0'], prefixes: {} }, ['ns', 'title']],
    [{ redirects: 'only' }, ['redirect']],
    [{ title: 'W..d$' }, ['title']],
    [{ titles: ['x', 'Template:Wood'] }, ['title']],
    [{ ids: [{ first: 5, last: 9 }] }, ['id']],
    [{ since: '2026-01-31' }, ['revision.timestamp']],
    [{ since: '2026', until: '2026-01-31' }, ['revision.timestamp']],
    [{ model: ['css', 'wikitext'] }, ['revision.model']],
    [{ minor: 'only' }, ['revision.minor']],
    [{ minSize: 1, maxSize: 2 }, ['revision.bytes', 'revision.text', 'revision.@deleted']],
    [{ contributor: ['Ada'] }, ['revision.contributor.username', 'revision.contributor.ip']],
  ])('reads only the fields that it names: %j', (filter, fields) => {
    expect(readByWhere(conditionsOf('pages', filter), computedFields('pages', filter))).toEqual(fields)
  })

  test('names fields of the page of a revision as those', () => {
    const filter: RecordFilter = { redirects: 'only', title: 'Wood', minor: 'only' }
    expect(Object.keys(conditionsOf('revisions', filter))).toEqual(['page.redirect', 'page.title', 'minor'])
  })

  test('notes the namespaces that pages are in, whatever else is wanted of these', async () => {
    const where: RecordFilter = { ns: ['0', '10'], redirects: 'out' }
    const dump = [10, 4].map((ns) => writePage({ id: 7, ns, title: 'a', redirect: 'b', revisions: [], isLate: false }))
    const report = new Report(countLists('pages', where))
    const reader = readDump(`<mediawiki>${dump.join('')}</mediawiki>`)
    expect(await collectAll(reader.pageLines({ where, report }))).toEqual([])
    expect(report.data).toEqual({ seen: { ns: [1] } })
  })
})

describe('a function', () => {
  const dump = `<mediawiki>${writePage({
    id: 1,
    ns: 0,
    title: 'Wood',
    redirect: 'Tree',
    isLate: false,
    revisions: [
      {
        id: 10,
        timestamp: '2026-01-31T12:00:00Z',
        model: 'css',
        minor: true,
        contributor: { username: 'Ada' },
        isSuppressed: false,
      },
    ],
  })}</mediawiki>`
  const seen = {
    id: 1,
    ns: 0,
    title: 'Wood',
    redirect: 'Tree',
    revision: { timestamp: '2026-01-31T12:00:00Z', model: 'css', minor: true, contributor: { username: 'Ada' } },
  }

  test.each(['jsonl', 'columns'] as const)('sees the same, whatever is written as %s', async (name) => {
    const found: unknown[] = []
    const isWanted = (page: PageTraits) => found.push({ ...page, revision: { ...page.revision } }) > 0
    const { revision, ...page } = seen
    const { FORMATS } = await import('../../../source/record/format/index.ts')
    const { format } = await FORMATS[name].module.load()
    for (const fields of [['id'], ['revision.timestamp', 'title']]) {
      const filter = {
        choice: { fields, format, setup: { rows: 9 } },
        report: new Report(countLists('pages', {})),
        isWanted,
      }
      await collectAll(readDump(dump).pageLines(filter))
    }
    await collectAll(
      readDump(dump).revisionLines({ isWanted: ({ page, ...one }) => found.push({ ...page, revision: one }) > 0 }),
    )
    expect(found).toEqual([seen, seen, { ...page, revision }])
  })
})
