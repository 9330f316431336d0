// Pages and revisions as columns: the same values as the objects, where the kernel has written them and where it has not.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import type { RecordKind } from '../../../source/mediawiki/lines/added-fields.ts'
import { ChosenFields } from '../../../source/mediawiki/lines/chosen-fields.ts'
import { formatFields } from '../../../source/mediawiki/lines/page-form.ts'
import type { RevisionLineFilter } from '../../../source/mediawiki/lines/page-lines.ts'
import { parseDate } from '../../../source/record/date.ts'
import type { ColumnBatch } from '../../../source/record/format/column.ts'
import { format } from '../../../source/record/format/columns.ts'
import { USUAL_FORMAT } from '../../../source/record/format/index.ts'
import type { ByteSource } from '../../../source/stream/sources/source.ts'
import { valuesOf } from '../../support/arrow.ts'
import { everyCut, inPieces } from '../../support/collect.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { parameters } from '../../support/property.ts'
import { anyPage } from '../../support/random-pages.ts'

const encode = (text: string) => new TextEncoder().encode(text)

const OF_REVISION = ['id', 'timestamp', 'minor', 'contributor', 'comment', 'bytes', 'size', 'sha1', 'slots', 'other']
const FIELDS: Readonly<Record<RecordKind, readonly (readonly string[])[]>> = {
  pages: [
    ['id', 'ns', 'title', 'redirect', 'revision.timestamp', 'revision.text', 'revision.minor'],
    [...OF_REVISION.map((name) => `revision.${name}`), 'uploads', 'discussion', 'title'],
    [
      'revision.contributor',
      'revision.parentid',
      'sites[]=revision/contributor/*',
      'by=revision/contributor/username',
      'revision.contributor.id',
    ],
  ],
  revisions: [
    ['page.id', 'page.title', 'id', 'timestamp', 'text', 'page.ns'],
    [...OF_REVISION, 'slots.0.text', 'page.redirect', 'names[]=contributor/username', 'of=page/title'],
    ['contributor', 'page'],
  ],
}

interface Read {
  readonly records: readonly unknown[]
  readonly counts: Readonly<Record<string, number>>
  /** Rows of each batch. */
  readonly rows: readonly number[]
  readonly error?: unknown
}

async function columnsOf(
  kind: RecordKind,
  source: ByteSource,
  fields: readonly string[],
  filter: RevisionLineFilter = {},
): Promise<Read> {
  const read: { -readonly [Name in keyof Read]: Read[Name] } = { records: [], counts: {}, rows: [] }
  const records: unknown[] = []
  const rows: number[] = []
  const options = { choice: { fields, format, setup: USUAL_FORMAT }, ...filter }
  const reader = readDump(source)
  const batches = kind === 'pages' ? reader.pageLines(options as object) : reader.revisionLines(options)
  try {
    for await (const batch of batches as AsyncIterable<unknown> as AsyncIterable<ColumnBatch>) {
      rows.push(batch.rows)
      records.push(...recordsOf(batch))
    }
  } catch (error) {
    read.error = error
  }
  return { ...read, records, counts: { ...reader.report }, rows }
}

function recordsOf({ rows, columns }: ColumnBatch): unknown[] {
  const values = columns.map(valuesOf)
  return Array.from({ length: rows }, (_, i) =>
    plain(Object.fromEntries(columns.map(({ name }, column) => [name, values[column]?.[i]]))),
  )
}

/** A value as it is in JSON, with timestamps as columns have them, and what has fields that no shape knows as a text. */
function plain(value: unknown, name = ''): unknown {
  if (value instanceof Date) return value.toISOString()
  if (/timestamp$/.test(name) && typeof value === 'string') return parseDate(value.trim())?.toISOString()
  if (/other$|discussion$/.test(name) && typeof value === 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((one) => plain(one))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, plain(one, key)])
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

/** The same by the records as objects. Values that are added are those of lines. */
async function objectsOf(kind: RecordKind, source: Uint8Array, fields: readonly string[]): Promise<unknown[]> {
  const known = new ChosenFields(kind, fields)
  const added = fields.filter((name) => name.includes('='))
  const names = added.map((name) => name.replace(/(\[\])?=.*/, ''))
  let text = ''
  const { format: lines } = await import('../../../source/record/format/jsonl.ts')
  const choice = { fields: added, format: lines }
  const reader = readDump(source)
  const batches = kind === 'pages' ? reader.pageLines({ choice }) : reader.revisionLines({ choice })
  for await (const { bytes } of batches) text += new TextDecoder().decode(bytes)
  const ofLines = text.split('\n')
  const records: unknown[] = []
  const again = readDump(source)
  for await (const record of kind === 'pages' ? again.pages() : again.revisions()) {
    const values = { ...known.valuesOf(record), ...JSON.parse(ofLines[records.length] as string) }
    const inOrder = known.names.map((name) => [name, values[name]])
    records.push(plain(Object.fromEntries(inOrder.filter(([name, one]) => one !== undefined || names.includes(name)))))
  }
  return records
}

describe.each(['pages', 'revisions'] as const)('the columns of %s', (kind) => {
  test.each(['small-dump', 'oddities'])('have the values of the objects, at every cut: %s', async (name) => {
    // One timestamp in it is not a time.
    const bytes = encode(
      new TextDecoder()
        .decode(readFixture(`mediawiki/${name}.xml`))
        .replace('>2026</timestamp>', '>2026-01-01</timestamp>'),
    )
    for (const fields of FIELDS[kind].map((names) => names.filter((one) => !one.endsWith('size')))) {
      const expected = await objectsOf(kind, bytes, fields)
      let cut = 0
      for (const pieces of everyCut(bytes)) {
        if (cut++ % 151 > 0) continue
        const { records, error } = await columnsOf(kind, pieces, fields)
        expect(error).toBeUndefined()
        expect(records).toEqual(expected)
      }
    }
  })

  test('have the values of the objects, whatever pages have', async () => {
    const timestamps = fc.constantFrom(
      '2026-01-02T03:04:05Z',
      '2024-02-29T23:59:59Z',
      '2026-12-31T00:00:00.250Z',
      '2001-10-31',
      ' 1999-12-31T24:00:00+01:30 ',
      '2026-<!-- c -->05-06',
      '',
    )
    const size = fc.integer({ min: 1, max: 3000 })
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage(timestamps), { maxLength: 5 }), size, async (pages, size) => {
        const bytes = encode(`<mediawiki>${pages.join('')}</mediawiki>`)
        const odd = encode(`<mediawiki>${pages.join('').replaceAll('<page>', '<page><!-- c -->')}</mediawiki>`)
        for (const names of FIELDS[kind]) {
          const fields = names.filter((one) => !one.endsWith('size'))
          const expected = await objectsOf(kind, bytes, fields)
          for (const dump of [bytes, odd]) {
            const { records, error } = await columnsOf(kind, inPieces(dump, size), fields)
            expect(error).toBeUndefined()
            expect(records).toEqual(expected)
          }
        }
      }),
      parameters(300, 2),
    )
  })
})

describe('columns of dumps', () => {
  test('have fields of a contributor that is one of several kinds as the objects have them', async () => {
    const parts = ['<username>u</username>', '<username/>', '<ip>::1</ip>', '<ip/>', '<id>7</id>']
    const contributors = ['', ' deleted="deleted"'].flatMap((attribute) =>
      parts.flatMap((one) => parts.map((two) => `<contributor${attribute}>${one}${two}</contributor>`)),
    )
    const valid = contributors.filter((one) => /name|ip|deleted/.test(one))
    const pages = [...valid, ''].map(
      (one, id) => `<page><title>t</title><id>${id}</id><revision><id>1</id>${one}</revision></page>`,
    )
    const bytes = encode(`<mediawiki>${pages.join('')}</mediawiki>`)
    const fields = ['id', ...['username', 'id', 'ip', 'deleted'].map((name) => `revision.contributor.${name}`)]
    const { records, error } = await columnsOf('pages', bytes, fields)
    expect(error).toBeUndefined()
    expect(records).toEqual(await objectsOf('pages', bytes, fields))
  })

  const page = (id: number, text = 'x', timestamp = '2026-01-02T03:04:05Z') =>
    `<page><title>t${id}</title><ns>0</ns><id>${id}</id><revision><id>${id}</id><timestamp>${timestamp}</timestamp><text bytes="1">${text}</text></revision></page>\n`
  const dumpOf = (...pages: readonly string[]) => encode(`<mediawiki>${pages.join('')}</mediawiki>`)

  test('are of the kinds that the shape says, with timestamps, records and lists', () => {
    const names = [
      'id',
      'title',
      'revision.timestamp',
      'revision.minor',
      'revision.contributor',
      'revision.contributor.id',
    ]
    const more = [
      'revision.size',
      'revision.slots',
      'revision.slots.0.origin',
      'revision.slots.0',
      'uploads.1.timestamp',
    ]
    const open = ['discussion.ThreadSubject', 'revision.other', 'x=a', 'y[]=b']
    const fields = formatFields('pages', [...names, ...more, ...open], format)
    expect(fields.map(({ name, kind, isList }) => `${name} ${kind}${isList ? '[]' : ''}`)).toEqual([
      'id integer',
      'title string',
      'revision.timestamp date',
      'revision.minor present',
      'revision.contributor record',
      'revision.contributor.id integer',
      'revision.size byteLength',
      'revision.slots record[]',
      'revision.slots.0.origin integer',
      'revision.slots.0 record',
      'uploads.1.timestamp date',
      'discussion.ThreadSubject string',
      'revision.other rest',
      'x string',
      'y string[]',
    ])
    expect(fields[4]?.record?.fields.map(({ name }) => name)).toEqual(['deleted', 'ip', 'username', 'id'])
  })

  test.runIf(isThorough)(
    'are in batches as large as the format wants, however little of the input arrives at once',
    async () => {
      const count = 66_000
      const bytes = dumpOf(...Array.from({ length: count }, (_, i) => page(i + 1)))
      for (const size of [bytes.length, 10_000]) {
        const { rows, counts, error } = await columnsOf('pages', inPieces(bytes, size), ['id'])
        expect({ rows, error }).toEqual({ rows: [65_536, count - 65_536], error: undefined })
        expect(counts).toMatchObject({ pages: count, revisions: count })
      }
    },
  )

  test('have as many records as are wanted, and are counted as lines are', async () => {
    const bytes = readFixture('mediawiki/small-dump.xml')
    for (const kind of ['pages', 'revisions'] as const) {
      const all = await columnsOf(kind, bytes, ['id'])
      for (const limit of [0, 1, 2, all.records.length]) {
        const { records, counts } = await columnsOf(kind, bytes, ['id'], { limit })
        expect(records).toEqual(all.records.slice(0, limit))
        const reader = readDump(bytes)
        for await (const _ of kind === 'pages' ? reader.pageLines({ limit }) : reader.revisionLines({ limit }));
        expect(counts).toEqual(reader.report)
      }
    }
  })

  test('have everything before an error', async () => {
    const bytes = encode(`<mediawiki>${page(1)}${page(2)}<page><title>t</titel>`)
    for (const pieces of everyCut(bytes)) {
      const { records, error } = await columnsOf('pages', pieces, ['id'])
      expect({ records, error }).toMatchObject({ records: [{ id: 1 }, { id: 2 }], error: { code: 'tag-mismatch' } })
    }
  })

  test.runIf(isThorough)(
    'have the page of each revision, also of pages that are larger than what is held at once',
    async () => {
      const revision = (id: number, more = '') =>
        `<revision>${more}<id>${id}</id><timestamp>2026-01-02T03:04:05Z</timestamp><contributor><ip>${id}</ip></contributor><text bytes="9">${'x'.repeat(500)}</text></revision>`
      const revisions = Array.from({ length: 3000 }, (_, i) => revision(i + 1, i % 1000 === 7 ? '<!-- odd -->' : ''))
      const large = `<page><title>large</title><ns>4</ns><id>2</id>${revisions.join('')}</page>`
      const bytes = dumpOf(page(1), large, page(3))
      for (const fields of [
        ['id', 'page.title', 'timestamp', 'page.ns'],
        ['contributor', 'page', 'slots'],
        ['names[]=contributor/username', 'id', 'page.redirect'],
        ['of=page/title', 'id', 'page.id'],
        ['text', 'minor'],
      ]) {
        const expected = await objectsOf('revisions', bytes, fields)
        for (const size of sample([100_000, 20_000], 1)) {
          const { records, counts, error } = await columnsOf('revisions', inPieces(bytes, size), fields)
          expect({ error, isSame: JSON.stringify(records) === JSON.stringify(expected) }).toEqual({
            error: undefined,
            isSame: true,
          })
          expect(counts).toMatchObject({ pages: 3, revisions: 3002 })
        }
      }
    },
  )

  test('refuse a timestamp that is not a time, where lines have what is written', async () => {
    const bytes = dumpOf(page(1), page(2, 'x', '2026-13-01T00:00:00Z'))
    const { records, error } = await columnsOf('pages', bytes, ['id', 'revision.timestamp'])
    expect(records).toHaveLength(1)
    expect(error).toMatchObject({
      code: 'malformed-page',
      message: expect.stringContaining('a timestamp is not a time of ISO 8601: "2026-13-01T00:00:00Z"'),
    })
    expect(await columnsOf('pages', bytes, ['id'])).toMatchObject({ records: [{ id: 1 }, { id: 2 }] })
  })
})
