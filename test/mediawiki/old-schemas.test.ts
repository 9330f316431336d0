// Dumps before schema 0.7: pages and revisions may have no ids, before 0.6 redirects have no titles and pages no namespaces.

import { describe, expect, test } from 'vitest'
import { type DumpReader, readDump } from '../../source/mediawiki/dump-reader.ts'
import { buildIndex } from '../../source/mediawiki/multistream/index-builder.ts'
import type { ColumnBatch } from '../../source/record/format/column.ts'
import { format as COLUMNS } from '../../source/record/format/columns.ts'
import { valuesOf } from '../support/arrow.ts'
import { collectAll, drain, everyCut } from '../support/collect.ts'
import { extent, sample } from '../support/extent.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const revision = (year: number, text: string, id = '') =>
  `<revision>${id}<timestamp>${year}-01-15T13:15:00Z</timestamp><text>${text}</text></revision>`
const OAK = `<page><title>Oak</title>${revision(2001, 'old')}${revision(2003, 'new')}${revision(2002, 'mid')}</page>`
const TREE = `<page><title>Tree</title><redirect />${revision(2001, '#REDIRECT [[Oak]]')}</page>`
const ELM = `<page><title>Elm</title><id>7</id><redirect title="Oak"/>${revision(2001, 'elm', '<id>9</id>')}</page>`
const dumpOf = (version: string, pages: string) => encode(`<mediawiki version="${version}">${pages}</mediawiki>`)

const SEEN = [
  { title: 'Oak', revision: { timestamp: '2003-01-15T13:15:00Z', text: 'new' } },
  { title: 'Tree', redirect: '', revision: { text: '#REDIRECT [[Oak]]' } },
  { id: 7, title: 'Elm', redirect: 'Oak', revision: { id: 9, text: 'elm' } },
]
const linesOf = async (reader: DumpReader) => {
  let text = ''
  for await (const { bytes } of reader.pageLines()) text += new TextDecoder().decode(bytes)
  return { text, ...reader.report }
}

describe('a dump before schema 0.7', () => {
  test('has pages and revisions without ids; the newest revision is found by its time', async () => {
    const pages = OAK + TREE + ELM
    const few = [...everyCut(dumpOf('0.3', pages))]
    // So many pages are read by the kernel.
    const many = [...everyCut(dumpOf('0.3', pages.repeat(extent(10, 20, 20))))]
    for (const chunks of [...few, ...sample(many, 2)]) {
      const found = await collectAll(readDump(chunks).pages())
      expect(found.slice(-3)).toMatchObject(SEEN)
      for (const page of found.slice(-3, -1)) expect(page).not.toHaveProperty('id')
      const lines = await linesOf(readDump(chunks))
      const count = found.length
      expect(lines).toMatchObject({ pages: count, redirects: (2 * count) / 3, revisions: count })
      expect(lines.text).toBe(found.map((page) => `${JSON.stringify(page)}\n`).join(''))
      const revisions = await collectAll(readDump(chunks).revisions())
      expect(revisions.slice(-5).map(({ page, id, text }) => [page.id, page.title, page.redirect, id, text])).toEqual([
        [undefined, 'Oak', undefined, undefined, 'old'],
        [undefined, 'Oak', undefined, undefined, 'new'],
        [undefined, 'Oak', undefined, undefined, 'mid'],
        [undefined, 'Tree', '', undefined, '#REDIRECT [[Oak]]'],
        [7, 'Elm', 'Oak', 9, 'elm'],
      ])
      const reader = readDump(chunks)
      for await (const _ of reader.revisionLines());
      expect(reader.report).toMatchObject({ pages: count, revisions: (5 * count) / 3, redirects: (2 * count) / 3 })
      for (const [redirects, titles] of [
        ['only', ['Tree', 'Elm']],
        ['out', ['Oak']],
      ] as const) {
        let text = ''
        for await (const { bytes } of readDump(chunks).pageLines({ redirects })) text += new TextDecoder().decode(bytes)
        const records = text.trimEnd().split('\n').slice(-titles.length)
        expect(records.map((line) => JSON.parse(line).title)).toEqual(titles)
      }
    }
  })

  test('has columns with nulls for ids', async () => {
    const fields = ['id', 'title', 'redirect', 'revision.id']
    const values: unknown[][] = []
    const lines = readDump([dumpOf('0.6', OAK + TREE + ELM)]).pageLines({ choice: { fields, format: COLUMNS } })
    for await (const { columns } of lines as AsyncIterable<unknown> as AsyncIterable<ColumnBatch>)
      values.push(...columns.map(valuesOf))
    expect(values).toEqual([
      [undefined, undefined, 7],
      ['Oak', 'Tree', 'Elm'],
      [undefined, '', 'Oak'],
      [undefined, undefined, 9],
    ])
  })

  test('is an error for who needs ids, and so is one of another version, or without a version', async () => {
    const missing = { code: 'malformed-page', message: expect.stringContaining('the id of a page is missing') }
    const old = dumpOf('0.6', OAK)
    await expect(drain(readDump([old]).places())).rejects.toMatchObject(missing)
    await expect(drain(buildIndex([old]))).rejects.toMatchObject(missing)
    await expect(drain(readDump([old]).pageLines({ where: { ids: [{ first: 1, last: 2 }] } }))).rejects.toMatchObject(
      missing,
    )
    for (const version of ['0.7', '0.10', '0.11', '1.0', 'x']) {
      await expect(drain(readDump([dumpOf(version, OAK)]).pages())).rejects.toMatchObject(missing)
      await expect(drain(readDump([dumpOf(version, OAK)]).revisionLines())).rejects.toMatchObject(missing)
    }
    await expect(drain(readDump(`<mediawiki>${OAK}</mediawiki>`).pages())).rejects.toMatchObject(missing)
    const wrong = OAK.replace('<title>', '<id>x</id><title>')
    await expect(drain(readDump([dumpOf('0.3', wrong)]).pages())).rejects.toMatchObject({
      message: expect.stringContaining('the id of a page is not a whole number'),
    })
  })
})
