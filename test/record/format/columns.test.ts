// Records as columns: the same values as the records as objects, as Apache Arrow's library reads them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import {
  type Column,
  type ColumnBatch,
  type ColumnOptions,
  readXml,
  type XmlOptions,
  type XmlShape,
} from '../../../source/xml/index.ts'
import { valuesOf } from '../../support/arrow.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments, repeatContent } from '../../support/random-xml.ts'
import { describeError, piecesOf } from '../../support/xml.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const

interface Found {
  readonly records: unknown[]
  readonly error: unknown
}

/** The records of a batch, from its columns. */
function recordsOf({ rows, columns }: ColumnBatch): unknown[] {
  for (const column of columns) requireSound(column, rows)
  const values = columns.map(valuesOf)
  return Array.from({ length: rows }, (_, i) => {
    return Object.fromEntries(columns.map(({ name }, column) => [name, values[column]?.[i]]))
  })
}

/** What the format says of a column besides its values. */
function requireSound(column: Column, length: number): void {
  expect(column.length).toBe(length)
  const { validity, nullCount } = column
  expect(validity?.length).toBe(nullCount === 0 ? undefined : Math.ceil(length / 8))
  let ones = 0
  for (const byte of validity ?? []) for (let bit = 0; bit < 8; bit++) ones += (byte >> bit) & 1
  // With a bitmap, the bits after the last value are 0.
  if (validity) expect(ones).toBe(length - nullCount)
  if (column.type === 'utf8' || column.type === 'list') {
    expect(column.offsets).toHaveLength(length + 1)
    expect(column.offsets[0]).toBe(0)
  }
  if (column.type === 'utf8') expect(column.values).toHaveLength(column.offsets[length] as number)
  if (column.type === 'int64' || column.type === 'float64' || column.type === 'timestamp')
    expect(column.values).toHaveLength(length)
  if (column.type === 'bool') expect(column.values).toHaveLength(Math.ceil(length / 8))
  if (column.type === 'list') requireSound(column.child, column.offsets[length] as number)
  if (column.type === 'struct') for (const child of column.children) requireSound(child, length)
}

async function columnsOf(
  pieces: readonly Uint8Array[],
  path: string,
  shape: XmlShape,
  { nested, where, lenient, rows, ...options }: XmlOptions & ColumnOptions = {},
): Promise<Found> {
  const records: unknown[] = []
  try {
    for await (const batch of readXml(pieces, options).columns(path, shape, { nested, where, lenient, rows })) {
      expect(batch.rows).toBeGreaterThan(0)
      if (rows !== undefined) expect(batch.rows).toBeLessThanOrEqual(rows)
      records.push(...recordsOf(batch))
    }
    return { records, error: undefined }
  } catch (error) {
    return { records, error: describeError(error) }
  }
}

async function objectsOf(
  pieces: readonly Uint8Array[],
  path: string,
  shape: XmlShape,
  { nested, where, lenient, rows: _, ...options }: XmlOptions & ColumnOptions = {},
): Promise<Found> {
  const records: unknown[] = []
  try {
    const found = readXml(pieces, { ...options, engine: 'plain' }).records(path, shape, { nested, where, lenient })
    for await (const record of found) records.push(record)
    return { records, error: undefined }
  } catch (error) {
    return { records, error: describeError(error) }
  }
}

/** How many products most tests read. */
const COUNT = isThorough ? 150 : 80

describe('columns', () => {
  const bytes = encoder.encode(products(COUNT))

  test.each(ENGINES)('have the values of the records: %s', async (engine) => {
    const expected = await objectsOf([bytes], 'p', PRODUCT)
    expect(expected).toMatchObject({ error: undefined, records: { length: COUNT } })
    for (const size of sample([333, 1, 7000, bytes.length], 1)) {
      for (const rows of sample([undefined, 1, 7, 64], 2))
        expect(await columnsOf(piecesOf(bytes, size), 'p', PRODUCT, { engine, rows })).toEqual(expected)
    }
  })

  test('have the fields in their order, each as its kind is laid out', async () => {
    const batches = readXml([bytes]).columns('p', PRODUCT)
    const { value } = (await batches.next()) as { value: ColumnBatch }
    await batches.return()
    const types = value.columns.map(({ name, type }) => `${name} ${type}`)
    expect(types).toEqual([
      'id int64',
      'name utf8',
      'price float64',
      'isSold bool',
      'tags list',
      'maker struct',
      'votes list',
      'isNew bool',
      'note utf8',
      'text utf8',
      'latest struct',
      'source utf8',
      'place int64',
    ])
    const votes = value.columns.find(({ name }) => name === 'votes')
    expect(votes).toMatchObject({
      child: { name: 'item', type: 'struct', children: [{ name: 'by' }, { name: 'value' }] },
    })
  })

  test('have whole numbers and decimals exactly', async () => {
    const numbers = [
      '0',
      '-1',
      '999999999999999',
      '-4294967297',
      '9007199254740991',
      '-9007199254740991',
      '0.1',
      '-0.30000000000001',
    ]
    const more = ['123456.789', '1e22', '.5', '+7', '0.000001', '99999999999999.9', '-0']
    const document = `<r>${[...numbers, ...more].map((n) => `<n>${n}</n>`).join('')}${'<n>1</n>'.repeat(100)}</r>`
    for (const as of ['integer', 'number'] as const) {
      const shape = { n: { path: '.', as } } as const
      const expected = await objectsOf([encoder.encode(document)], 'n', shape, { lenient: true })
      expect(await columnsOf([encoder.encode(document)], 'n', shape, { lenient: true })).toEqual(expected)
    }
  })

  test('have dates as milliseconds since 1970, in lists and records too', async () => {
    const times = [
      '1970-01-01',
      '1969-12-31T23:59:59.999Z',
      '+200000-01-01',
      '-200000-01-01',
      '2026-11-24T10:00:00.5+01:00',
    ]
    const document = `<r>${times.map((time) => `<p t="${time}"><d>${time}</d></p><p/>`).join('')}</r>`
    const date = { path: 'd', as: 'date' } as const
    const shape = { t: { path: '@t', as: 'date' }, all: [date], p: { of: '.', fields: { date } } } as const
    const expected = await objectsOf([encoder.encode(document)], 'p', shape)
    for (const engine of ENGINES)
      expect(await columnsOf([encoder.encode(document)], 'p', shape, { engine })).toEqual(expected)
    const batches = readXml(document).columns('p', shape)
    const { value } = (await batches.next()) as { value: ColumnBatch }
    await batches.return()
    expect(value.columns[0]).toMatchObject({ name: 't', type: 'timestamp', nullCount: times.length })
    expect(value.columns[0]).toMatchObject({ values: { 0: 0n, 1: 0n, 2: -1n, 8: 1_795_510_800_500n } })
  })

  test('have every day of the calendar, and refuse what looks like one', async () => {
    const years = ['0000', '0001', '0004', '1582', '1900', '1969', '1970', '2000', '2023', '2024', '9999']
    const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(2, '0'))
    const days = years.flatMap((year) =>
      numbers(14).flatMap((month) => sample(numbers(33), 33).map((day) => `${year}-${month}-${day}`)),
    )
    const times = ['T00:00:00', 'T23:59:59Z', 'T12:30:07.045', 'T12:30:07.999Z', 'T24:00:00Z', 'T23:60:00', 'T23:59:60']
    const odd = ['T1:00:00Z', 'T10:00:00.5Z', 'T10:00Z', 'T10-00-00Z', ' 10:00:00', 'Z', 'T10:00:00.1234', 't10:00:00']
    const others = [
      '2026/01/02',
      '2026-1-02',
      '-026-01-02',
      '2026-01-02&#32;',
      '2026-01-<!-- -->02',
      '20260102',
      '',
      'x',
    ]
    const texts = [...days, ...[...times, ...odd].map((time) => `2026-11-24${time}`), ...others]
    const document = encoder.encode(`<r>${texts.map((text) => `<d>${text}</d>`).join('')}</r>`)
    const shape = { d: { path: '.', as: 'date' } } as const
    const expected = await objectsOf([document], 'd', shape, { lenient: true })
    expect(await columnsOf([document], 'd', shape, { lenient: true })).toEqual(expected)
  })

  test('have the fields of all records that one may be', async () => {
    const one = (i: number) =>
      [
        '<by gone=""><name>n</name></by>',
        `<by><ip>${i}</ip><name>n</name></by>`,
        `<by><name>n${i}</name><id>${i}</id></by>`,
      ]
        .concat(['<by/>', '', '<by><id>7</id></by>', '<by><ip/></by>'])
        .map((by) => `<p>${by}</p>`)
        .join('')
    const document = encoder.encode(`<r>${Array.from({ length: 30 }, (_, i) => one(i)).join('')}</r>`)
    const options = [
      { isGone: { path: '@gone', as: 'present' } },
      { ip: 'ip' },
      { name: 'name', id: { path: 'id', as: 'integer' } },
    ] as const
    // Names that are whole numbers come first in objects, and so do their columns.
    const renamed = [options[0], { ip: 'ip' }, { name: 'name', 7: { path: 'id', as: 'integer' } }] as const
    for (const oneOf of [options, renamed]) {
      const shape = { by: { of: 'by', oneOf } } as const
      const expected = await objectsOf([document], 'p', shape)
      for (const engine of ENGINES) expect(await columnsOf([document], 'p', shape, { engine })).toEqual(expected)
    }
  })

  test('have what is wanted', async () => {
    for (const where of [
      { id: { from: 20, to: 40 } },
      ({ id = 0 }: { id?: number | undefined }) => id % 7 === 0,
    ] as const) {
      const options = { where: where as ColumnOptions['where'] }
      const expected = await objectsOf([bytes], 'p', PRODUCT, options)
      expect(expected.records.length).toBeGreaterThan(10)
      for (const engine of ENGINES)
        expect(await columnsOf([bytes], 'p', PRODUCT, { ...options, engine })).toEqual(expected)
    }
  })

  test('come before a value that is not of its kind, and before an error in the document', async () => {
    const wrong = products(100).replace('<price>-49</price>', '<price>much</price>')
    const broken = products(100).replace('<price>-49', '<price>-49</x>')
    for (const document of [wrong, broken]) {
      const pieces = piecesOf(encoder.encode(document), 3000)
      const expected = await objectsOf(pieces, 'p', PRODUCT)
      expect(expected.records).toHaveLength(49)
      for (const engine of ENGINES) {
        for (const rows of sample([10, undefined], 1))
          expect(await columnsOf(pieces, 'p', PRODUCT, { engine, rows })).toEqual(expected)
      }
    }
  })

  test('have what the kernel cannot write as JSON', async () => {
    const shape = {
      all: { path: '.', as: 'attributes' },
      some: { path: '.', as: 'children' },
      rest: { as: 'rest' },
    } as const
    const { records } = await objectsOf([bytes], 'p', shape)
    const json = records.map((record) => {
      return Object.fromEntries(
        Object.entries(record as object).map(([name, value]) => [name, value && JSON.stringify(value)]),
      )
    })
    expect(await columnsOf([bytes], 'p', shape)).toEqual({ records: json, error: undefined })
  })

  test.runIf(isThorough)('end a batch before its texts are too long', async () => {
    const text = 'x'.repeat(1 << 20)
    async function* document() {
      yield '<r>'
      for (let i = 0; i < 80; i++) yield `<t>${text}</t>`
      yield '</r>'
    }
    const sizes: number[] = []
    for await (const { rows, columns } of readXml(document()).columns('t', { text: '.' })) {
      sizes.push(rows)
      expect(columns[0]).toMatchObject({ values: { length: rows * text.length } })
    }
    expect(sizes.reduce((sum, rows) => sum + rows)).toBe(80)
    expect(sizes.length).toBeGreaterThan(1)
  })

  test('of a document without records: no batch', async () => {
    expect(await columnsOf([encoder.encode('<r/>')], 'p', PRODUCT)).toEqual({ records: [], error: undefined })
  })

  test('have buffers of their own, which can be transferred', async () => {
    const batches: ColumnBatch[] = []
    for await (const batch of readXml([bytes]).columns('p', { name: 'name', id: '@id' }, { rows: 20 })) {
      const buffers = batch.columns.flatMap((column) =>
        column.type === 'utf8' ? [column.values.buffer, column.offsets.buffer] : [],
      )
      batches.push(structuredClone(batch, { transfer: buffers }))
    }
    const expected = await objectsOf([bytes], 'p', { name: 'name', id: '@id' })
    expect(batches.flatMap(recordsOf)).toEqual(expected.records)
  })

  test('of random documents are those of the records', { timeout: 300_000 }, async () => {
    const shapes = fc.constantFrom<XmlShape>(
      { n: '@n', t: '.', b: 'b', c: ['**/c'] },
      { n: { path: '@n', as: 'integer' }, xml: { path: '*', as: 'xml' }, own: { path: '.', own: true } },
      { all: [{ of: 'b', fields: { m: '@m', t: { path: '.', empty: 'absent' } } }], last: { path: '*', pick: 'last' } },
      {
        c: { path: '**/c', unless: '@n', as: 'present' },
        at: { path: 'd', as: 'offset' },
        k: { of: '**/d', fields: { k: ['@k'] } },
      },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(randomDocuments, fc.integer({ min: 1, max: 6 })),
        shapes,
        fc.record({
          nested: fc.constantFrom('outermost' as const, 'innermost' as const, 'all' as const),
          lenient: fc.boolean(),
          engine: fc.constantFrom(...ENGINES),
          rows: fc.integer({ min: 1, max: 9 }),
        }),
        fc.array(fc.nat(4000), { maxLength: 4 }),
        async ([one, times], shape, options, cuts) => {
          const document = repeatContent(one, times)
          const pieces = cutAt(document, cuts)
          expect(await columnsOf(pieces, 'a', shape, options), document).toEqual(
            await objectsOf(pieces, 'a', shape, options),
          )
        },
      ),
      parameters(300, 5),
    )
  })
})

test('the options are checked at the call', () => {
  const reader = readXml('<r/>')
  expect(() => reader.columns('r', [] as never)).toThrow(TypeError)
  expect(() => reader.columns('r[', { a: 'a' })).toThrow(RangeError)
  expect(() => reader.columns('r', { a: 'a' }, { rows: 0 })).toThrow('rows must be a number of at least 1, not 0')
  expect(() => makeTransform((source) => readXml(source).columns('r', { a: 'a' }, { row: 5 } as object))).toThrow(
    /did you mean rows/,
  )
})

test('a Web Stream of columns has the same batches', async () => {
  const { readable, writable } = makeTransform((source) => readXml(source).columns('p', PRODUCT, { rows: 30 }))
  const writer = writable.getWriter()
  const written = writer.write(products(50)).then(() => writer.close())
  const batches: ColumnBatch[] = []
  for await (const batch of readable) batches.push(batch)
  await written
  expect(batches.map(({ rows }) => rows)).toEqual([30, 20])
  expect(batches.flatMap(recordsOf)).toEqual((await objectsOf([encoder.encode(products(50))], 'p', PRODUCT)).records)
})
