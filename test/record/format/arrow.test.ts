// Arrow's files and streams have the values of the records, as other programs read them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readXml, XmlFormatStream, type XmlShape } from '../../../source/xml/index.ts'
import { nullable, readArrow } from '../../support/arrow.ts'
import { collectAll } from '../../support/collect.ts'
import { isThorough, range, sample } from '../../support/extent.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { parameters } from '../../support/property.ts'
import { findReaders, readTables } from '../../support/python.ts'
import { cutAt, randomDocuments, repeatContent } from '../../support/random-xml.ts'
import { webStream } from '../../support/sources.ts'
import { piecesOf } from '../../support/xml.ts'

const FORMATS = ['arrow', 'arrows'] as const
/** The mark at the end of a stream. */
const END = Buffer.from('ffffffff00000000', 'hex')
const document = Buffer.from(products(40))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-arrow-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function write(
  format: (typeof FORMATS)[number],
  pieces: readonly Uint8Array[] | string,
  path: string,
  shape: XmlShape,
  engine: 'wasm' | 'plain' = 'wasm',
): Promise<Buffer> {
  return Buffer.concat(await collectAll(readXml(pieces, { engine }).write(format, path, shape)))
}

describe.each(FORMATS)('%s', (format) => {
  test('has the records, however the input is cut', async () => {
    const expected = await collectAll(readXml(document).records('p', PRODUCT))
    const whole = await write(format, [document], 'p', PRODUCT)
    expect(readArrow(whole)).toMatchObject({ names: Object.keys(PRODUCT), records: expected })
    for (const engine of ['wasm', 'plain'] as const)
      for (const size of [1, 300])
        expect(await write(format, piecesOf(document, size), 'p', PRODUCT, engine)).toEqual(whole)
    const few = products(8)
    const wholeOfFew = await write(format, few, 'p', PRODUCT)
    for (const cut of sample(range(0, Buffer.byteLength(few)), 20))
      expect((await write(format, cutAt(few, [cut]), 'p', PRODUCT)).equals(wholeOfFew)).toBe(true)
    const stream = webStream([document]).pipeThrough(new XmlFormatStream(format, 'p', PRODUCT))
    expect(Buffer.concat(await collectAll(stream))).toEqual(whole)
  })

  test('has the shape in its metadata', async () => {
    const { metadata } = readArrow(await write(format, '<r/>', 'p', PRODUCT))
    expect([...metadata]).toEqual([['xylem:shape', JSON.stringify(PRODUCT)]])
  })

  test('is complete without records', async () => {
    const bytes = await write(format, '<r/>', 'p', PRODUCT)
    expect(readArrow(bytes)).toMatchObject({ names: Object.keys(PRODUCT), records: [] })
    expect(bytes.includes(END)).toBe(true)
  })

  test('has no mark of its end after an error, and the records before it', async () => {
    const pieces: Uint8Array[] = []
    const writing = readXml('<r><p a="1"/><p a="2"/></x>').write(format, 'p', { a: '@a' })
    const failed = (async () => {
      for await (const bytes of writing) pieces.push(bytes)
    })()
    await expect(failed).rejects.toMatchObject({ code: 'tag-mismatch' })
    const bytes = Buffer.concat(pieces)
    expect(bytes.includes(END)).toBe(false)
    expect(bytes.includes('12')).toBe(true)
  })

  test('has batches of a limited size', async () => {
    const text = 'x'.repeat(1 << 20)
    const large = `<r>${`<t>${text}</t>`.repeat(isThorough ? 70 : 35)}</r>`
    const { batches, records } = readArrow(await write(format, large, 't', { text: '.' }))
    expect(batches).toEqual(isThorough ? [16, 16, 16, 16, 6] : [16, 16, 3])
    expect(records.every((record) => (record as { text: string }).text === text)).toBe(true)
    const small = `<r>${'<t/>'.repeat(65_537)}</r>`
    expect(readArrow(await write(format, small, 't', { n: '@n' })).batches).toEqual([65_536, 1])
  })
})

test('a stream is the middle of the file, at addresses that are multiples of 8', async () => {
  const [file, stream] = await Promise.all(FORMATS.map((format) => write(format, [document], 'p', PRODUCT)))
  expect(file?.subarray(0, 8).toString('latin1')).toBe('ARROW1\0\0')
  expect(file?.subarray(8, 8 + (stream?.length as number))).toEqual(stream)
  expect(stream?.subarray(-8)).toEqual(END)
  expect((stream?.length as number) % 8).toBe(0)
  expect(file?.subarray(-6).toString('latin1')).toBe('ARROW1')
})

test('a stream that was cut between two batches looks complete to others: its last bytes say whether it is', async () => {
  const whole = await write('arrows', `<r>${'<t n="1"/>'.repeat(65_537)}</r>`, 't', { n: '@n' })
  const last = whole.lastIndexOf(Buffer.from('ffffffff', 'hex'), whole.length - 9)
  const cut = whole.subarray(0, last)
  expect(readArrow(cut).batches).toEqual([65_536])
  expect(cut.subarray(-8).equals(END)).toBe(false)
})

const shapes: readonly XmlShape[] = [
  { n: '@n', t: '.', b: 'b', c: ['**/c'] },
  { n: { path: '@n', as: 'integer' }, xml: { path: '*', as: 'xml' }, own: { path: '.', own: true } },
  { all: [{ of: 'b', fields: { m: '@m', t: { path: '.', empty: 'absent' } } }], last: { path: '*', pick: 'last' } },
  {
    c: { path: '**/c', unless: '@n', as: 'present' },
    at: { path: 'd', as: 'offset' },
    k: { of: '**/d', fields: { k: ['@k'] } },
  },
]

test('random documents are read with the values of the records', { timeout: 300_000 }, async () => {
  const cases: { path: string; expected: unknown }[] = []
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(randomDocuments, fc.integer({ min: 1, max: 6 })),
      fc.constantFrom(...shapes),
      fc.constantFrom(...FORMATS),
      fc.array(fc.nat(4000), { maxLength: 4 }),
      async ([one, times], shape, format, cuts) => {
        const text = repeatContent(one, times)
        const expected = await collectAll(readXml(text).records('a', shape)).catch(() => undefined)
        if (!expected) return
        const bytes = await write(format, cutAt(text, cuts), 'a', shape)
        const { records } = readArrow(bytes)
        expect(records, text).toEqual(expected)
        const path = join(folder, `${cases.length}.${format}`)
        writeFileSync(path, bytes)
        cases.push({ path, expected: nullable(records) })
      },
    ),
    parameters(300, 20),
  )
  if (!findReaders()) return
  const tables = await readTables(cases.map(({ path }) => path))
  for (const [i, { rows }] of tables.entries())
    for (const [reader, read] of Object.entries(rows)) expect(read, `${reader}: ${i}`).toEqual(cases[i]?.expected)
})

test.runIf(findReaders())('pyarrow, DuckDB, polars and pandas read the values of the records', async () => {
  const dated = { ...PRODUCT, at: { path: 'at', as: 'date' } } as const
  const text = products(40).replaceAll('</p>', '<at>1969-12-31T23:59:59.999Z</at></p>').replace('</p>\n', '<at/></p>')
  const paths = FORMATS.map((format) => join(folder, `all.${format}`))
  for (const [i, format] of FORMATS.entries()) writeFileSync(paths[i] as string, await write(format, text, 'p', dated))
  const expected = await collectAll(readXml(text).records('p', dated))
  const rows = expected.map((record) => {
    return nullable(Object.fromEntries(Object.keys(dated).map((name) => [name, (record as never)[name]])))
  })
  const tables = await readTables(paths)
  for (const [i, read] of tables.entries()) {
    expect(read.metadata).toEqual({ 'xylem:shape': JSON.stringify(dated) })
    expect(Object.keys(read.rows)).toEqual(['pyarrow', 'duckdb', 'polars', ...(i === 0 ? ['pandas'] : [])])
    // Records in records have what is absent too.
    const withNested = nullable(readArrow(await write(FORMATS[i] as 'arrow', text, 'p', dated)).records)
    for (const found of Object.values(read.rows)) expect(found).toEqual(withNested)
    expect(withNested).toMatchObject(rows)
  }
})
