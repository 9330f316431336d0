// What functions of users see of records: views, which decode a field when it is read.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { readXml } from '../../../source/xml/index.ts'
import { CaptureTexts } from '../../../source/xml/output/capture-texts.ts'
import { collectAll } from '../../support/collect.ts'

const COUNT = 50
const ids = Array.from({ length: COUNT }, (_, i) => i)
const item = (id: number) => `<i id="${id}"><t>T${id}</t><by><n>N${id}</n><x>y</x></by><k>a</k><k>b</k><d>late</d></i>`
const document = `<r>${ids.map(item).join('')}</r>`
const SHAPE = {
  id: { path: '@id', as: 'integer' },
  title: 't',
  by: { of: 'by', fields: { name: 'n', x: 'x' } },
  tags: ['k'],
  none: 'none',
  late: { path: 'd', late: true },
} as const

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a function', () => {
  test.each([
    ['nothing', () => false, 0],
    ['a text, twice', (record: { title?: unknown }) => record.title === 0 || record.title === 1, COUNT],
    [
      'a text of a record in the record',
      (record: { by?: { name?: unknown } | undefined }) => record.by?.name === 0,
      COUNT,
    ],
    ['the texts of a list', (record: { tags?: unknown }) => record.tags === 0, 2 * COUNT],
    ['a whole number, without a text of it', (record: { id?: unknown }) => record.id === -1, 0],
    ['what is not there', (record: { none?: unknown }) => record.none !== undefined, 0],
  ])('that reads %s has nothing else decoded', async (_, where, count) => {
    const decoded = vi.spyOn(CaptureTexts.prototype, 'textOf')
    expect(await collectAll(readXml(document).records('i', SHAPE, { where }))).toEqual([])
    // A value may be looked at before as well, if the input ends in its record.
    expect(decoded.mock.calls.length - count).toBeOneOf([0, 1])
  })

  test('of lines of a dump has nothing else decoded, too', async () => {
    const revision = '<revision><id>1</id><comment>c</comment><text bytes="1">x</text></revision>'
    const pages = ids.map((id) => `<page><title>T${id}</title><ns>0</ns><id>${id}</id>${revision}</page>`)
    const decoded = vi.spyOn(CaptureTexts.prototype, 'textOf')
    const isWanted = ({ title, ns }: { title: string; ns?: number | undefined }) => ns === 0 && title === 'T7'
    const [lines] = await collectAll(readDump(`<mediawiki>${pages.join('')}</mediawiki>`).pageLines({ isWanted }))
    expect(new TextDecoder().decode(lines?.bytes)).toMatch(/^\{"id":7,.*"text":"x"\}\}\n$/)
    expect(decoded).toHaveBeenCalledTimes(COUNT)
  })

  test('sees the fields of a record, which can be copied', async () => {
    const seen: object[] = []
    const where = (record: object) => seen.push({ ...record }) === 1
    const [first, ...others] = await collectAll(readXml(document).records('i', SHAPE, { where }))
    expect(others).toEqual([])
    const values = { id: 0, title: 'T0', by: { name: 'N0', x: 'y' }, tags: ['a', 'b'], none: undefined, late: 'late' }
    expect(first).toEqual(values)
    expect(seen).toHaveLength(COUNT)
    expect(Object.keys(seen[0] as object)).toEqual(Object.keys(SHAPE))
    expect({ ...seen[0], by: undefined }).toEqual({ ...values, by: undefined, late: undefined })
  })

  test('cannot change a record', async () => {
    for (const change of [{ title: 'x' }, { y: 1 }]) {
      const where = (record: object) => Object.assign(record, change) === record
      await expect(collectAll(readXml(document).records('i', SHAPE, { where }))).rejects.toThrow(TypeError)
    }
  })

  test('that reads a value that is not valid gets the error, which has its place', async () => {
    const wrong = '<r><i><n>1</n></i><i><n>x</n></i></r>'
    const shape = { n: { path: 'n', as: 'integer' } } as const
    const read = (where: (record: { readonly n?: number | undefined }) => boolean) =>
      collectAll(readXml(wrong).records('i', shape, { where }))
    await expect(read(({ n }) => n !== 0)).rejects.toMatchObject({ code: 'invalid-value', byteOffset: 24 })
    expect(await read(() => false)).toEqual([])
  })
})
