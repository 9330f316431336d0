// What is in files of Parquet besides the values.

import { describe, expect, test } from 'vitest'
import { format } from '../../../source/record/format/parquet.ts'
import { readXml, type XmlShape } from '../../../source/xml/index.ts'
import { collectAll } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { readParquet, readParquetMetadata } from '../../support/parquet.ts'
import { PRODUCT, products } from '../../support/products.ts'

async function write(source: string | AsyncIterable<string>, path: string, shape: XmlShape): Promise<Buffer> {
  return Buffer.concat(await collectAll(readXml(source).write('parquet', path, shape)))
}

const hasZstd = process.versions.zstd !== undefined

describe('a file of Parquet', () => {
  test('says how it is compressed, and nothing of a version', async () => {
    const { created_by, row_groups } = readParquetMetadata(await write(products(50), 'p', PRODUCT))
    expect(created_by).toBe('xylem')
    const codecs = row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec))
    expect(new Set(codecs)).toEqual(new Set([hasZstd ? 'ZSTD' : 'SNAPPY']))
  })

  test('has the codecs of its runtime, with versions and levels: the usual one is the first', () => {
    const zstd = hasZstd ? [`zstd ${process.versions.zstd} level 1`] : []
    expect(format.codecs).toEqual([...zstd, 'snappy'])
    expect(format.package).toBe('hyparquet-writer')
  })

  test('has statistics of the columns', async () => {
    const shape = { n: { path: '@n', as: 'integer' }, t: '@t' } as const
    const bytes = await write('<r><p n="-5" t="é"/><p n="7"/><p t="b"/></r>', 'p', shape)
    const [group] = readParquetMetadata(bytes).row_groups
    const found = group?.columns.map(({ meta_data }) => meta_data?.statistics)
    expect(found).toMatchObject([
      { min_value: -5n, max_value: 7n, null_count: 1n },
      { min_value: 'b', max_value: 'é', null_count: 1n },
    ])
  })

  test.runIf(isThorough)('has groups of rows by their bytes, whatever batches they come in', async () => {
    const text = 'x'.repeat(1 << 18)
    async function* document() {
      yield '<r>'
      for (let i = 0; i < (isThorough ? 200 : 70); i++) yield `<t>${text}</t>`
      yield '</r>'
    }
    const large = await readParquet(await write(document(), 't', { text: '.' }))
    expect(large.batches).toEqual(isThorough ? [64, 64, 64, 8] : [64, 6])
    expect(large.records.every((record) => (record as { text: string }).text === text)).toBe(true)
    const small = await readParquet(await write(`<r>${'<t/>'.repeat(150_000)}</r>`, 't', { n: '@n' }))
    expect(small.batches).toEqual([150_000])
  })

  test.runIf(isThorough)('has groups of rows by their cells, where most are absent', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `b${i}`)
    const shape = Object.fromEntries(names.map((name) => [name, { path: `@${name}`, as: 'boolean' }] as const))
    const { row_groups } = readParquetMetadata(await write(`<r>${'<p/>'.repeat(450_000)}</r>`, 'p', shape))
    expect(row_groups.length).toBeGreaterThan(1)
  })

  test('needs a field in each record', async () => {
    for (const shape of [{}, { inner: { of: 'q', fields: {} } }])
      await expect(write('<r><p/></r>', 'p', shape)).rejects.toMatchObject({
        code: 'invalid-option',
        message: 'records in Parquet need at least one field',
      })
  })

  test('breaks off without a footer after an error', async () => {
    const pieces: Uint8Array[] = []
    const writing = readXml('<r><p a="1"/><p a="2"/></x>').write('parquet', 'p', { a: '@a' })
    const failed = (async () => {
      for await (const bytes of writing) pieces.push(bytes)
    })()
    await expect(failed).rejects.toMatchObject({ code: 'tag-mismatch' })
    expect(Buffer.concat(pieces).toString()).toBe('PAR1')
  })
})
