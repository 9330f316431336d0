// The kind int64: whole numbers that JavaScript's numbers cannot have.

import { describe, expect, expectTypeOf, test } from 'vitest'
import { FORMATS } from '../../../source/record/format/index.ts'
import { type ColumnBatch, readXml, type XmlRecord } from '../../../source/xml/index.ts'
import { schemaOf } from '../../../source/xml/question/json-schema.ts'
import { collect, everyCut } from '../../support/collect.ts'
import { run } from '../../support/command.ts'

const ENGINES = ['wasm', 'plain'] as const
const SHAPE = { n: { path: '@n', as: 'int64' }, all: [{ path: 'i', as: 'int64' }] } as const
const encoder = new TextEncoder()
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** Texts, and what each is. */
const GOOD: readonly (readonly [text: string, value: bigint])[] = [
  ['0', 0n],
  ['-1', -1n],
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9223372036854775807', 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n)],
  ['999999999999999999', 999999999999999999n],
  // Those that the kernel leaves to TypeScript.
  ['007', 7n],
  ['-0', 0n],
  ['+5', 5n],
  [' 12\n', 12n],
  ['&#49;2', 12n],
  ['000000000000000000009223372036854775807', 2n ** 63n - 1n],
]
const BAD = [
  '',
  '-',
  '+',
  '1.0',
  '1e3',
  '0x10',
  '1_000',
  '--1',
  '٣',
  '9223372036854775808',
  '-9223372036854775809',
  '1 2',
]
const document = `<r>${GOOD.map(([text]) => `<e n="${text}"><i>${text}</i><i>1</i></e>`).join('')}${'<e n="1"/>'.repeat(100)}</r>`
const bytes = encoder.encode(document)

describe('an int64', () => {
  test('is a bigint in records', async () => {
    for (const engine of ENGINES) {
      const records = await collectRecords(readXml([bytes], { engine }).records('e', SHAPE))
      expect(records.slice(0, GOOD.length)).toEqual(GOOD.map(([, n]) => ({ n, all: [n, 1n] })))
    }
    expectTypeOf<XmlRecord<typeof SHAPE>>().toEqualTypeOf<{ n: bigint | undefined; all: bigint[] }>()
  })

  test('is its digits in JSON and tables, wherever the input is cut', async () => {
    const lines = GOOD.map(([, n]) => `{"n":${n},"all":[${n},1]}\n`).join('')
    const rows = GOOD.map(([, n]) => `${n},"[${n},1]"\r\n`).join('')
    for (const engine of ENGINES) {
      let cut = 0
      for (const pieces of everyCut(bytes)) {
        if (cut++ % 97 > 0) continue
        const json = decode(await collect(readXml(pieces, { engine }).write('jsonl', 'e', SHAPE)))
        expect(json).toBe(lines + '{"n":1,"all":[]}\n'.repeat(100))
        const csv = decode(await collect(readXml(pieces, { engine }).write('csv', 'e', SHAPE)))
        expect(csv).toBe(`n,all\r\n${rows}${'1,[]\r\n'.repeat(100)}`)
      }
    }
    const nulls = decode(await collect(readXml('<e/>').write('jsonl', 'e', { n: SHAPE.n }, { absent: 'null' })))
    expect(nulls).toBe('{"n":null}\n')
  })

  test('is a number of 64 bits in columns', async () => {
    for (const engine of ENGINES) {
      for await (const { columns } of readXml([bytes], { engine }).columns('e', SHAPE)) {
        const [n, all] = columns as ColumnBatch['columns']
        expect(n).toMatchObject({ type: 'int64', values: { length: GOOD.length + 100 } })
        if (n?.type === 'int64') expect([...n.values].slice(0, GOOD.length)).toEqual(GOOD.map(([, value]) => value))
        if (all?.type === 'list' && all.child.type === 'int64')
          expect([...all.child.values]).toEqual(GOOD.flatMap(([, value]) => [value, 1n]))
      }
    }
  })

  test.each(BAD)('is not %j', async (text) => {
    const wrong = `<r><e n="1"/><e n="${text}"/>${'<e n="1"/>'.repeat(100)}</r>`
    for (const engine of ENGINES) {
      const reading = collect(readXml(wrong, { engine }).write('jsonl', 'e', SHAPE))
      await expect(reading).rejects.toMatchObject({
        code: 'invalid-value',
        message: expect.stringContaining(
          `the value ${JSON.stringify(text)} of the field n is not a whole number from -9223372036854775808 to 9223372036854775807`,
        ),
      })
      const lenient = readXml(wrong, { engine }).records('e', SHAPE, { lenient: true })
      expect((await collectRecords(lenient))[1]).toMatchObject({ n: undefined })
    }
  })

  test('is refused without reading a text of many digits', async () => {
    const digits = '7'.repeat(1_000_000)
    const reading = collectRecords(readXml(`<e n="${digits}"/>`).records('e', SHAPE))
    await expect(reading).rejects.toMatchObject({ code: 'invalid-value' })
  })

  test.each<[name: string, where: object, count: number]>([
    ['a bigint', { n: { in: [9007199254740993n] } }, 1],
    ['a number', { n: { in: [7, 12] } }, 3],
    ['digits', { n: { notIn: ['1', '0'] } }, GOOD.length - 2],
    ['bounds', { n: { above: 9007199254740992n, to: 9223372036854775807n } }, 4],
    ['a bound that is a number', { n: { below: 0 } }, 3],
    ['its digits', { n: { matches: '^9' } }, 4],
    ['values of a list', { all: { from: 9223372036854775807n } }, 2],
  ])('is compared with %s', async (_, where, count) => {
    for (const engine of ENGINES)
      expect(
        await collectRecords(readXml([bytes], { engine }).records('e', SHAPE, { where: where as never })),
      ).toHaveLength(count)
  })

  test('is not compared with what is not a whole number', () => {
    for (const value of [1.5, 'x', true, Number.NaN, new Date(0)]) {
      const where = { n: { in: [value] } } as never
      expect(() => readXml('<r/>').records('e', SHAPE, { where })).toThrow(
        /where: n must be compared with a whole number of 64 bits, not with/,
      )
    }
  })

  test('says which record is the newest', async () => {
    const shape = { v: { of: 'v', fields: { n: SHAPE.n, t: '.' }, pick: { newest: ['n'] } } } as const
    const versions = ['9007199254740993', '9007199254740992', '0'].map((n) => `<v n="${n}">${n}</v>`).join('')
    const records = await collectRecords(readXml(`<r>${`<e>${versions}</e>`.repeat(50)}</r>`).records('e', shape))
    expect(records[49]).toEqual({ v: { n: 9007199254740993n, t: '9007199254740993' } })
  })

  test('is an integer in a JSON Schema', () => {
    expect(schemaOf(SHAPE)).toMatchObject({ properties: { n: { type: 'integer' } } })
  })

  test('is a kind on the command line, with conditions', async () => {
    const args = ['select', 'e', '-', '--field', 'id:int64=@n', '--where', 'id>9007199254740992']
    expect((await run(args, document)).stdout).toBe(
      ['9007199254740993', '9223372036854775807', '999999999999999999', '9223372036854775807']
        .map((id) => `{"id":${id}}\n`)
        .join(''),
    )
    const { code, stderr } = await run([...args.slice(0, -1), 'id>1.5'], document)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"1.5" is not a whole number from -9223372036854775808 to 9223372036854775807'),
    })
  })

  test('is exact in all formats of columns', async () => {
    const { readArrow } = await import('../../support/arrow.ts')
    expect(FORMATS.arrow.kind).toBe('columns')
    const file = await collect(readXml(document).write('arrow', 'e', { n: SHAPE.n }))
    expect(readArrow(file).names).toEqual(['n'])
    expect(Buffer.from(file).includes(Buffer.from(BigInt64Array.of(9007199254740993n).buffer))).toBe(true)
  })
})

async function collectRecords(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const item of items) records.push(item)
  return records
}
