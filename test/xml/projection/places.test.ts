// Where errors in values are, whatever is read after them, and however the input is cut.

import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/index.ts'
import { readXml, type WriteOptions, type XmlShape } from '../../../source/xml/index.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { piecesOf } from '../../support/xml.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const
const SIZES = [300, 7, 30, 1 << 20]

/** What reading records in each way throws. */
async function messagesOf(
  document: string | Uint8Array,
  path: string,
  shape: XmlShape,
  options: WriteOptions = {},
): Promise<Set<string>> {
  const messages = new Set<string>()
  for (const engine of ENGINES) {
    for (const size of SIZES) {
      const open = () =>
        readXml(piecesOf(typeof document === 'string' ? encoder.encode(document) : document, size), { engine })
      const { absent: _, ...reading } = options
      for (const read of [
        () => open().records(path, shape, reading).batches(),
        () => open().write('jsonl', path, shape, options),
        () => open().columns(path, shape, reading),
      ]) {
        try {
          for await (const _ of read());
          messages.add('no error')
        } catch (error) {
          messages.add((error as Error).message)
        }
      }
    }
  }
  return messages
}

describe('the place of a value that is not of its kind', () => {
  test.each<readonly [string, string, XmlShape, string]>([
    [
      'of an element that is a record as well',
      `<r>\n<p><a n="1">x</a>${' '.repeat(30)}</p>\n<p><a>true</a></p></r>`,
      { v: { path: 'a', as: 'boolean' }, r: { of: 'a', fields: { t: 'b' } } },
      'the value "x" of the field v is not true, false, 1 or 0 (line 2, column 13, byte 16)',
    ],
    [
      'of a name before other values that are wrong',
      `<r>\n<p><h>1</h>\n${`<g>${' '.repeat(10)}</g>\n`.repeat(5)}</p>\n</r>`,
      { v: { path: 'h/name()', as: 'integer' }, g: { path: 'g', as: 'integer' } },
      'the value "h" of the field v is not a whole number from -9007199254740991 to 9007199254740991 (line 2, column 4, byte 7)',
    ],
    [
      'of a text that is open when the input goes, before a record in it',
      `<r>\n<p><n>1${' '.repeat(400)}x<m>${' '.repeat(400)}</m></n></p>\n</r>`,
      { n: { path: 'n', as: 'boolean' }, m: { of: './/m', fields: { t: { path: '.', as: 'integer' } } } },
      'the value "1                                                           …" of the field n is not true, false, 1 or 0 (line 2, column 7, byte 10)',
    ],
  ])('%s', async (_, document, shape, message) => {
    const messages = await messagesOf(document, 'p', shape)
    if (message.includes('…'))
      expect([...messages].every((one) => one.endsWith(message.slice(message.indexOf('(line'))))).toBe(true)
    else expect([...messages]).toEqual([message])
  })

  test('does not matter if the record is not wanted', async () => {
    const document = `<r>\n<p><a n="1">x</a>${' '.repeat(30)}</p>\n<p><a>true</a></p></r>`
    const shape = { v: { path: 'a', as: 'boolean' }, g: 'g', r: { of: 'a', fields: { t: 'b' } } } as const
    expect([...(await messagesOf(document, 'p', shape, { where: { g: { present: true } } }))]).toEqual(['no error'])
  })

  test('is that of the value in another encoding than UTF-8, too, whatever is made of the record', async () => {
    const document = Buffer.from(
      '\ufeff<?xml version="1.0" encoding="UTF-16"?>\n<r>\n<p><a>é</a>\n<n>x1</n></p></r>',
      'utf16le',
    )
    const shape = { a: 'a', n: { path: 'n', as: 'integer' } } as const
    expect([...(await messagesOf(document, 'p', shape))]).toEqual([
      'the value "x1" of the field n is not a whole number from -9007199254740991 to 9007199254740991 (line 4, column 4, byte 120)',
    ])
  })
})

test('errors in revisions that are skipped have their lines, after revisions that were written', async () => {
  const revision = (id: number | string) => {
    const comment = `<comment>\n\n${' '.repeat(50)}</comment>`
    return `<revision>\n<id>${id}</id>\n<timestamp>2010-01-01T00:00:00Z</timestamp>\n${comment}\n<text>a</text>\n</revision>\n`
  }
  const page = (id: number, revisions: number, wrong = -1) => {
    const all = Array.from({ length: revisions }, (_, i) => revision(i === wrong ? 'x' : 100 * id + i)).join('')
    return `<page>\n<title>T</title>\n<ns>0</ns>\n<id>${id}</id>\n${all}</page>\n`
  }
  const many = (from: number) => Array.from({ length: 20 }, (_, i) => page(from + i, 5)).join('')
  const document = `<mediawiki>\n${many(50)}${page(1, 6, 2)}${many(80)}${page(2, 6, 2)}</mediawiki>`
  const bytes = encoder.encode(document)
  for (const size of sample(SIZES, 2)) {
    const errors: { line?: number | undefined; byteOffset: number }[] = []
    const reader = readDump(piecesOf(bytes, size), { onFault: (error) => errors.push(error) })
    for await (const _ of reader.revisionLines().batches());
    expect(errors).toHaveLength(2)
    for (const { line, byteOffset } of errors) expect(line).toBe(document.slice(0, byteOffset).split('\n').length)
  }
})

test.runIf(isThorough)(
  'offsets are those of the source, in other encodings than UTF-8 and after their input has gone',
  async () => {
    const text = `<r>é<x><b/>${'é'.repeat(3000)}<b/>${'y'.repeat(90_000)}</x><x><b/></x></r>`
    const declared = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    const documents = [Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from(declared + text, 'latin1')]
    const shape = { at: { path: '.', as: 'offset' }, inner: [{ path: 'b', as: 'offset' }] } as const
    for (const bytes of documents) {
      const expected: object[] = []
      for await (const { start, childElements } of readXml([bytes]).select('x'))
        expected.push({ at: start, inner: childElements.map((child) => child.start) })
      for (const engine of ENGINES) {
        for (const size of sample([bytes.length, 10_000, 100], 2)) {
          const open = () => readXml(piecesOf(bytes, size), { engine })
          for (const nested of ['outermost', 'all'] as const) {
            const records: object[] = []
            for await (const batch of open().records('x', shape, { nested }).batches()) records.push(...batch)
            expect(records).toEqual(expected)
          }
          const lines: string[] = []
          for await (const line of open().write('jsonl', 'x', shape)) lines.push(Buffer.from(line).toString())
          expect(lines.join('')).toBe(expected.map((record) => `${JSON.stringify(record)}\n`).join(''))
          const columns: number[] = []
          for await (const batch of open().columns('x', { at: shape.at })) {
            const [column] = batch.columns
            if (column?.type === 'int64') columns.push(...Array.from(column.values, Number))
          }
          expect(columns).toEqual(expected.map((record) => (record as { at: number }).at))
        }
      }
    }
  },
)
