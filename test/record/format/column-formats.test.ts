// Files of columns have the values of the records, as other programs read them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FormatName } from '../../../source/record/format/index.ts'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { readXml, type XmlShape } from '../../../source/xml/index.ts'
import { nullable } from '../../support/arrow.ts'
import { collectAll } from '../../support/collect.ts'
import { COLUMN_FORMATS } from '../../support/column-formats.ts'
import { isThorough, range, sample } from '../../support/extent.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { parameters } from '../../support/property.ts'
import { findReaders, readTables } from '../../support/python.ts'
import { cutAt, randomDocuments, repeatContent } from '../../support/random-xml.ts'
import { webStream } from '../../support/sources.ts'
import { piecesOf } from '../../support/xml.ts'

const document = Buffer.from(products(40))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-columns-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function write(
  format: FormatName,
  pieces: readonly Uint8Array[] | string,
  path: string,
  shape: XmlShape,
  engine: 'wasm' | 'plain' = 'wasm',
): Promise<Buffer> {
  return Buffer.concat(await collectAll(readXml(pieces, { engine }).write(format, path, shape)))
}

describe.each(COLUMN_FORMATS)('%s', (format, read) => {
  test.runIf(isThorough)('has the records, however the input is cut', async () => {
    const expected = await collectAll(readXml(document).records('p', PRODUCT))
    const whole = await write(format, [document], 'p', PRODUCT)
    expect(await read(whole)).toMatchObject({ names: Object.keys(PRODUCT), records: expected })
    for (const engine of ['wasm', 'plain'] as const)
      for (const size of [1, 300])
        expect(await write(format, piecesOf(document, size), 'p', PRODUCT, engine)).toEqual(whole)
    const few = products(8)
    const wholeOfFew = await write(format, few, 'p', PRODUCT)
    for (const cut of sample(range(0, Buffer.byteLength(few)), 20))
      expect((await write(format, cutAt(few, [cut]), 'p', PRODUCT)).equals(wholeOfFew)).toBe(true)
    const stream = webStream([document]).pipeThrough(
      makeTransform((source) => readXml(source).write(format, 'p', PRODUCT), { type: 'bytes' }),
    )
    expect(Buffer.concat(await collectAll(stream))).toEqual(whole)
  })

  test('has the paths and the shape in its metadata', async () => {
    const { metadata } = await read(await write(format, '<r/>', 'p', PRODUCT))
    expect([...metadata]).toEqual([
      ['xylem:path', '["p"]'],
      ['xylem:shape', JSON.stringify(PRODUCT)],
    ])
  })

  test('is complete without records', async () => {
    const bytes = await write(format, '<r/>', 'p', PRODUCT)
    expect(await read(bytes)).toMatchObject({ names: Object.keys(PRODUCT), records: [] })
  })

  test('keeps absent and empty values apart, in lists and records too', async () => {
    const text = '<r><p/><p><t/><l/><q/></p><p><t>x</t><l>a</l><l/><q t=""><l/></q></p></r>'
    const shape = {
      t: 't',
      l: ['l'],
      q: { of: 'q', fields: { t: '@t', l: ['l'] } },
      all: [{ of: 'q', fields: { t: '@t', l: ['l'] } }],
    } as const
    const expected = [
      { l: [], all: [] },
      { t: '', l: [''], q: { l: [] }, all: [{ l: [] }] },
      { t: 'x', l: ['a', ''], q: { t: '', l: [''] }, all: [{ t: '', l: [''] }] },
    ]
    const bytes = await write(format, text, 'p', shape)
    expect((await read(bytes)).records).toEqual(expected)
  })
})

const shapes: readonly XmlShape[] = [
  { n: '@n', t: '.', b: 'b', c: ['**/c'] },
  { n: { path: '@n', as: 'integer' }, xml: { path: '*', as: 'xml' }, own: { path: '.', own: true } },
  { all: [{ of: 'b', fields: { m: '@m', t: { path: '.', empty: 'absent' } } }], last: { path: '*', pick: 'last' } },
  {
    c: { path: '**/c', unless: '@n', as: 'present' },
    at: { path: 'd', as: 'offset' },
    k: { of: '**/d', fields: { k: ['@k'], in: [{ of: '*', fields: { n: '@n' } }] } },
  },
]

test.runIf(isThorough)('random documents are read with the values of the records', { timeout: 300_000 }, async () => {
  const cases: { path: string; expected: unknown }[] = []
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(randomDocuments, fc.integer({ min: 1, max: 6 })),
      fc.constantFrom(...shapes),
      fc.constantFrom(...COLUMN_FORMATS),
      fc.array(fc.nat(4000), { maxLength: 4 }),
      async ([one, times], shape, [format, read], cuts) => {
        const text = repeatContent(one, times)
        const expected = await collectAll(readXml(text).records('a', shape)).catch(() => undefined)
        if (!expected) return
        const bytes = await write(format, cutAt(text, cuts), 'a', shape)
        const { records } = await read(bytes)
        expect(records, text).toEqual(expected)
        const path = join(folder, `${cases.length}.${format}`)
        writeFileSync(path, bytes)
        cases.push({ path, expected: nullable(records) })
      },
    ),
    parameters(400, 30),
  )
  if (!findReaders()) return
  const tables = await readTables(cases.map(({ path }) => path))
  for (const [i, { rows }] of tables.entries())
    for (const [reader, found] of Object.entries(rows)) expect(found, `${reader}: ${i}`).toEqual(cases[i]?.expected)
})

test.runIf(isThorough && findReaders())(
  'pyarrow, DuckDB, polars and pandas read the values of the records',
  async () => {
    const dated = { ...PRODUCT, at: { path: 'at', as: 'date' } } as const
    const text = products(40).replaceAll('</p>', '<at>1969-12-31T23:59:59.999Z</at></p>').replace('</p>\n', '<at/></p>')
    const paths = COLUMN_FORMATS.map(([format]) => join(folder, `all.${format}`))
    for (const [i, [format]] of COLUMN_FORMATS.entries())
      writeFileSync(paths[i] as string, await write(format, text, 'p', dated))
    const records = await collectAll(readXml(text).records('p', dated))
    const tables = await readTables(paths)
    for (const [i, { metadata, rows }] of tables.entries()) {
      const [format, read] = COLUMN_FORMATS[i] as (typeof COLUMN_FORMATS)[number]
      expect(metadata).toEqual({ 'xylem:path': '["p"]', 'xylem:shape': JSON.stringify(dated) })
      expect(Object.keys(rows)).toEqual(['pyarrow', 'duckdb', 'polars', ...(format === 'arrows' ? [] : ['pandas'])])
      const { records: own } = await read(await write(format, text, 'p', dated))
      expect(own).toEqual(records)
      for (const [reader, found] of Object.entries(rows)) expect(found, `${format}: ${reader}`).toEqual(nullable(own))
    }
  },
)
