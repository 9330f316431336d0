import { describe, expect, test } from 'vitest'
import {
  checkRanges,
  guessCuts,
  planXmlRanges,
  type RangeReport,
  readXmlRange,
  type Seekable,
  type SeekableSource,
  verifyCuts,
  type XmlRange,
} from '../../../source/xml/ranges/index.ts'
import { readXml } from '../../../source/xml/reader.ts'
import { extent, isThorough, sample } from '../../support/extent.ts'
import { DOCUMENTS, rows, SHAPE } from '../../support/uneven-documents.ts'
import { describeError } from '../../support/xml.ts'
import { compress, cutAt, encode, readWhole } from '../../support/xml-ranges.ts'

/** Ranges of a file that is cut at some bytes. */
async function plan(file: Uint8Array<ArrayBuffer>, cuts: readonly number[]): Promise<XmlRange[]> {
  const planned = await planXmlRanges(file, file.length, 'row', { target: file.length / 2 })
  return cutAt(file.length, planned[0] as XmlRange, cuts)
}

/** What the ranges give, each read by itself; the error of the first one that has one. */
async function readCut(file: Uint8Array<ArrayBuffer>, ranges: readonly XmlRange[]) {
  const records: unknown[] = []
  const reports: (XmlRange & RangeReport)[] = []
  for (const range of ranges) {
    const reader = readXmlRange(file, range)
    for await (const record of reader.records(SHAPE)) records.push(record)
    reports.push({ ...range, ...reader.report })
  }
  checkRanges(file.length, reports)
  return records
}

/** A file that is read byte by byte, and counts what is read. */
class SlowFile {
  readonly #file: Uint8Array
  bytesRead = 0

  constructor(file: Uint8Array) {
    this.#file = file
  }

  async *from(start: number, end?: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (const byte of this.#file.subarray(start, end)) {
      this.bytesRead++
      yield Uint8Array.of(byte)
    }
  }

  async size(): Promise<number> {
    return this.#file.length
  }
}

const places = (length: number, step: number) =>
  Array.from({ length: Math.ceil(length / step) }, (_, i) => 1 + (length % 3) + i * step)

describe('cuts', () => {
  for (const [name, text] of sample(Object.entries(DOCUMENTS), 4)) {
    const content = encode(text)
    const files: [string, Uint8Array<ArrayBuffer>, number][] = [
      ['', content, extent(47, 5, 1)],
      [', in blocks of bzip2', compress(content, 40), extent(601, 93, 31)],
    ]
    for (const [how, file, step] of files) {
      test(`that are verified lead to what one reading gives, wherever they are: ${name}${how}`, async () => {
        const whole = await readWhole(content, 'row', SHAPE)
        const error = await readXml(content).check().catch(describeError)
        for (const cut of places(file.length, step)) {
          const ranges = await plan(file, [cut, cut + 30, cut + 150])
          const read = async () => await readCut(file, await verifyCuts(file, ranges))
          if (error && ranges.length > 1) expect(await read().catch(describeError)).toEqual(error)
          else if (!error) expect({ cut, records: await read() }).toEqual({ cut, records: whole.records })
        }
      })

      test(`that are guessed lead to what one reading gives, or to an error: ${name}${how}`, async () => {
        const whole = await readWhole(content, 'row', SHAPE)
        for (const cut of places(file.length, step)) {
          const ranges = await plan(file, [cut, cut + 30, cut + 150])
          const guessed = await guessCuts(file, ranges)
          for (const [i, { cut }] of guessed.entries()) expect(cut?.to).toEqual(guessed[i + 1]?.cut?.from ?? 'end')
          const records = await readCut(file, guessed).catch((error: unknown) => (error as { code: string }).code)
          if (Array.isArray(records))
            expect({ cut, records, error: undefined }).toEqual({ cut, error: undefined, ...whole })
          else expect(records).toBeTypeOf('string')
        }
      })
    }
  }

  test('do not depend on how a file is read', async () => {
    for (const file of [
      encode(DOCUMENTS['rows in comments'] as string),
      compress(encode(DOCUMENTS.rows as string), 40),
    ]) {
      const ranges = await plan(file, [90, 190])
      for (const find of [guessCuts, verifyCuts]) {
        const slow: Seekable = new SlowFile(file)
        expect(await find(slow, ranges)).toEqual(await find(file, ranges))
      }
    }
  })
})

describe('a cut', () => {
  const hidden = encode(`<r>${rows(1, 9)}<!-- ${rows(10, 9)} -->${rows(19, 9)}</r>`)
  const at = (text: string) => new TextDecoder().decode(hidden).indexOf(text)

  test('that is guessed in a comment makes the range before it fail, with both places', async () => {
    const [first, second, ...others] = await guessCuts(hidden, await plan(hidden, [at('<row id="12"') - 1]))
    expect([first?.cut, second?.cut, others]).toEqual([
      { from: 'start', to: { offset: at('<row id="12"') } },
      { from: { offset: at('<row id="12"') }, to: 'end' },
      [],
    ])
    const reader = readXmlRange(hidden, first as XmlRange)
    await reader.check()
    expect(() => reader.report).toThrow(
      expect.objectContaining({
        name: 'ParseError',
        code: 'wrong-cut',
        message: `the range ends at byte ${at('<row id="19"')}, but was cut at byte ${at('<row id="12"')}: no record begins there, or the file has changed; plan it with verified cuts (byte ${first?.end})`,
      }),
    )
  })

  test('that is verified is at the first record after the comment', async () => {
    const [first, second, ...others] = await verifyCuts(hidden, await plan(hidden, [at('<row id="12"') - 1]))
    expect([first?.cut, second?.cut, others]).toEqual([
      { from: 'start', to: { offset: at('<row id="19"') } },
      { from: { offset: at('<row id="19"') }, to: 'end' },
      [],
    ])
  })

  test('is not verified where the elements around the record have another namespace or depth', async () => {
    const text = `<r xmlns="u"><g>${rows(1, 3)}</g><g xmlns="v">${rows(4, 3)}</g><h><g>${rows(7, 3)}</g></h><g>${rows(10, 3)}</g></r>`
    const file = encode(text)
    const offset = (id: number) => text.indexOf(`<row id="${id}"`)
    const ranges = await verifyCuts(file, await plan(file, [4, 5, 7, 8, 11].map(offset)))
    expect(ranges.map(({ start, end, cut }) => [start, end, cut?.from])).toEqual([
      [0, offset(8), 'start'],
      [offset(8), offset(11), { offset: offset(10) }],
      [offset(11), file.length, { offset: offset(11) }],
    ])
  })

  test('without a record after it is none: the range is joined with the one before', async () => {
    const text = `<r>${rows(1, 2)}<row id="3">${'x'.repeat(500)}</row>${rows(4, 2)}</r>`
    const file = encode(text)
    const ranges = await plan(file, [200, 300, 400, 640])
    for (const find of [guessCuts, verifyCuts]) {
      const found = await find(file, ranges)
      expect(found.map(({ start, end }) => [start, end])).toEqual([
        [0, 400],
        [400, file.length],
      ])
    }
  })

  test.runIf(isThorough)('reads up to the first start tag, and no more than 8 MiB of content', async () => {
    const text = `<r>${rows(1, 2)}<row id="3">${'x'.repeat(100_000)}</row>${rows(4, 2)}</r>`
    const near = new SlowFile(encode(text))
    const ranges = await plan(encode(text), [1000])
    expect(await guessCuts(near, ranges)).toHaveLength(2)
    expect(near.bytesRead).toBeLessThan(100_000)
    const size = 1 << 20
    const far = encode(`<r>${rows(1, 2)}<row id="3">${' '.repeat(20 * size)}</row>${rows(4, 2)}</r>`)
    let bytesRead = 0
    const source: Seekable = {
      size: async () => far.length,
      from: async function* (start: number, end: number) {
        for (let at = start; at < end; at += 1024) {
          yield far.subarray(at, Math.min(end, at + 1024))
          bytesRead += 1024
        }
      } as SeekableSource['from'],
    }
    expect(await guessCuts(source, await plan(far, [size]))).toHaveLength(1)
    expect(bytesRead).toBeGreaterThan(7 * size)
    expect(bytesRead).toBeLessThan(9 * size)
  })

  test('is that of the document where a file is one range', async () => {
    const file = encode('<r/>')
    const ranges = await planXmlRanges(file, file.length, 'row')
    for (const find of [guessCuts, verifyCuts]) {
      const [range] = await find(file, ranges)
      expect(range).toEqual({ ...ranges[0], cut: { from: 'start', to: 'end' } })
      const reader = readXmlRange(file, range as XmlRange)
      await reader.check()
      expect(reader.report).toMatchObject({ from: 'start', to: 'end' })
    }
  })

  test('is not found by a reading that is cancelled', async () => {
    const ranges = await plan(hidden, [at('<row id="12"') - 1])
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(guessCuts(hidden, ranges, { signal })).rejects.toThrow('enough')
    await expect(verifyCuts(hidden, ranges, { signal })).rejects.toThrow('enough')
  })
})
