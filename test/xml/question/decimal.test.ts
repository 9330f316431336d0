// The kind decimal: digits as text, of which exactly `scale` stand after the point, and numbers of 128 bits in columns.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import type { FormatName } from '../../../source/record/format/index.ts'
import { kindOf } from '../../../source/record/kinds.ts'
import { readXml, type XmlRecord } from '../../../source/xml/index.ts'
import { schemaOf } from '../../../source/xml/question/json-schema.ts'
import { collect, everyCut } from '../../support/collect.ts'
import { run } from '../../support/command.ts'
import { findReaders } from '../../support/python.ts'

const ENGINES = ['wasm', 'plain'] as const
const MONEY = { path: '@n', as: 'decimal', precision: 10, scale: 2 } as const
const SHAPE = { n: MONEY, all: [{ path: 'i', as: 'decimal', scale: 0 }] } as const
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Texts, and what each is with ten digits of which two stand after the point. */
const GOOD = [
  ['12.5', '12.50'],
  ['-12.50', '-12.50'],
  [' +007.1\n', '7.10'],
  ['.5', '0.50'],
  ['5.', '5.00'],
  ['-0.00', '0.00'],
  ['1.2300000', '1.23'],
  ['&#49;2', '12.00'],
  ['99999999.99', '99999999.99'],
  ['-99999999.99', '-99999999.99'],
  [`${'0'.repeat(50)}1`, '1.00'],
] as const
const BAD = ['', '.', '-', '1e3', '1.234', '0.001', '100000000', '1,5', '--1', '1 2', 'NaN', '٣', '1.2.3']
const WORDS = 'a decimal number with at most 8 digits before the point and 2 after it'
const MOST = '9'.repeat(38)
const document = `<r>${GOOD.map(([text]) => `<e n="${text}"><i>-${MOST}</i><i>1</i></e>`).join('')}<e/></r>`
const bytes = new TextEncoder().encode(document)

describe('a decimal', () => {
  test('is its digits in records, JSON and tables, wherever the input is cut', async () => {
    const records = GOOD.map(([, n]) => ({ n, all: [`-${MOST}`, '1'] }))
    const lines = [...records, { all: [] }].map((record) => `${JSON.stringify(record)}\n`).join('')
    const rows = GOOD.map(([, n]) => `${n},"[""-${MOST}"",""1""]"\r\n`).join('')
    for (const engine of ENGINES) {
      const items = []
      for await (const item of readXml(bytes, { engine }).records('e', SHAPE)) items.push(item)
      expect(items).toEqual([...records, { n: undefined, all: [] }])
      let cut = 0
      for (const pieces of everyCut(bytes)) {
        if (cut++ % 97 > 0) continue
        expect(decode(await collect(readXml(pieces, { engine }).write('jsonl', 'e', SHAPE)))).toBe(lines)
        expect(decode(await collect(readXml(pieces, { engine }).write('csv', 'e', SHAPE)))).toBe(
          `n,all\r\n${rows},[]\r\n`,
        )
      }
    }
    expectTypeOf<XmlRecord<typeof SHAPE>>().toEqualTypeOf<{ n: string | undefined; all: string[] }>()
  })

  test('is a number of 128 bits in columns', async () => {
    for await (const { columns } of readXml(bytes).columns('e', SHAPE)) {
      const [n, all] = columns
      expect(n).toMatchObject({ type: 'decimal', precision: 10, scale: 2, nullCount: 1 })
      if (n?.type === 'decimal') expect([...n.values.subarray(0, 4)]).toEqual([1250n, 0n, -1250n, -1n])
      if (all?.type !== 'list' || all.child.type !== 'decimal') throw new Error('not a list of decimals')
      const [low = 0n, high = 0n] = all.child.values
      expect((high << 64n) | BigInt.asUintN(64, low)).toBe(-BigInt(MOST))
    }
  })

  test.each(BAD)('is not %j', async (text) => {
    for (const engine of ENGINES) {
      const reading = collect(readXml(`<e n="${text}"/>`, { engine }).write('jsonl', 'e', { n: MONEY }))
      await expect(reading).rejects.toMatchObject({
        code: 'invalid-value',
        message: expect.stringContaining(`the value ${JSON.stringify(text)} of the field n is not ${WORDS}`),
      })
      for await (const { n } of readXml(`<e n="${text}"/>`, { engine }).records('e', { n: MONEY }, { lenient: true }))
        expect(n).toBeUndefined()
    }
  })

  test('takes time in proportion to its zeros', () => {
    const zeros = '0'.repeat(1_000_000)
    expect(kindOf('decimal(10,2)').parse(`${zeros}1.5${zeros}`)).toBe('1.50')
    expect(kindOf('decimal(10,2)').parse(`${zeros}x`)).toBeUndefined()
  })

  test.each([
    [{ as: 'decimal' }, /the field n: a decimal has a precision from 1 to 38 digits, and a scale from 0 to as many/],
    [{ as: 'decimal', scale: 3, precision: 2 }, /a decimal has a precision/],
    [{ as: 'decimal', scale: -1 }, /a decimal has a precision/],
    [{ as: 'decimal', scale: 1.5 }, /a decimal has a precision/],
    [{ as: 'decimal', scale: 1, precision: 39 }, /a decimal has a precision/],
    [{ as: 'number', scale: 1 }, /the field n: scale is not for the kind number/],
    [{ as: 'decimal', scale: 2, default: '1.5' }, /default must be a value of the kind decimal\(38,2\)/],
  ])('is not %j', (field, message) => {
    expect(() => readXml('<r/>').records('e', { n: { path: '@n', ...field } as never })).toThrow(message)
  })

  test.each<[name: string, where: object, count: number]>([
    ['digits', { n: { in: ['12.5', '-12.500'] } }, 2],
    ['a number', { n: { in: [7.1] } }, 1],
    ['bounds', { n: { from: '-12.5', below: '7.1' } }, 6],
    ['values of a list', { all: { below: `-${MOST.slice(1)}` } }, GOOD.length],
  ])('is compared with %s', async (_, where, count) => {
    let found = 0
    for await (const _ of readXml(bytes).records('e', SHAPE, { where: where as never })) found++
    expect(found).toBe(count)
    const wrong = { where: { n: { in: ['1.234'] } } }
    expect(() => readXml(bytes).records('e', SHAPE, wrong)).toThrow(`n must be compared with ${WORDS}, not with`)
  })

  test('is a text of digits in a JSON Schema', () => {
    const { properties } = schemaOf(SHAPE)
    expect(properties?.n).toEqual({ type: 'string', pattern: '^-?\\d{1,8}\\.\\d{2}$' })
    for (const [, text] of GOOD) expect(text).toMatch(new RegExp(properties?.n?.pattern as string))
  })

  test('is a kind on the command line, with conditions', async () => {
    const args = ['select', 'e', '-', '--field', 'n:decimal(10,2)=@n', '--where', 'n>12.5']
    expect(await run(args, document)).toMatchObject({ stderr: '', stdout: '{"n":"99999999.99"}\n' })
    const list = ['select', 'e', '-', '--field', 'n[]:decimal(38,0)=i', '--limit', '1']
    expect((await run(list, document)).stdout).toBe(`{"n":["-${MOST}","1"]}\n`)
    for (const field of ['n:decimal=@n', 'n:decimal(10)=@n', 'n:decimal(1,2)=@n'])
      expect((await run(['select', 'e', '-', '--field', field], document)).stderr).toContain(
        'a decimal has a precision',
      )
  })

  test('is a kind of grammars', async () => {
    const grammar = Grammar.from('program ::= (price:price [ ]*)* ; price @decimal(6,2) ::= [0-9.]+ ;', {
      dialect: 'xylem',
    })
    expect(grammar.value('1.5 20')).toEqual({ price: ['1.50', '20.00'] })
    expect(() => grammar.value('1.555')).toThrow(
      'a decimal number with at most 4 digits before the point and 2 after it',
    )
    expect(() => Grammar.from('program @decimal(1,2) ::= [0-9]+ ;')).toThrow('a decimal has a precision')
    expect(grammar.value('7', { as: { price: 'decimal(3,1)' } })).toEqual({ price: ['7.0'] })
  })
})

test.runIf(findReaders())('pyarrow and DuckDB read decimals as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-decimal-'))
  try {
    const script = join(folder, 'read.py')
    writeFileSync(
      script,
      `import sys, pyarrow.ipc, pyarrow.parquet, duckdb
name, path = sys.argv[1:]
table = pyarrow.parquet.read_table(path) if name == 'parquet' else pyarrow.ipc.open_file(path).read_all()
print(table.schema.field('n').type, table.schema.field('all').type.value_type)
for row in table.to_pylist(): print(row['n'], *row['all'])
if name == 'parquet': print(*duckdb.sql(f"select n from '{path}'").types)
`,
    )
    const values = GOOD.map(([, n]) => `${n} -${MOST} 1\n`).join('')
    for (const name of ['arrow', 'parquet'] satisfies FormatName[]) {
      const path = join(folder, `values.${name}`)
      writeFileSync(path, await collect(readXml(bytes).write(name, 'e', SHAPE)))
      const out = execFileSync(findReaders() as string, [script, name, path], { encoding: 'utf8' })
      const types = 'decimal128(10, 2) decimal128(38, 0)\n'
      expect(out).toBe(`${types}${values}None\n${name === 'parquet' ? 'DECIMAL(10,2)\n' : ''}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
