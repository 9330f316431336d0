import { describe, expect, test } from 'vitest'
import {
  checkRanges,
  type DumpRange,
  guessCuts,
  planRanges,
  RangeReader,
  type RangeReport,
  verifyCuts,
} from '../../source/mediawiki/dump-range.ts'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { isThorough } from '../support/extent.ts'

const page = (id: number, more = '') =>
  `  <page>\n    <title>Page ${id}</title>\n    <id>${id}</id>\n${more}  </page>\n`
const pages = (from: number, to: number, more?: string) =>
  Array.from({ length: to - from }, (_, i) => page(from + i, more)).join('')
const write = (body: string) => new TextEncoder().encode(`<mediawiki>\n${body}</mediawiki>\n`)
const plain = write(pages(1, 40))
const hidden = write(`${pages(1, 10)}<!-- ${pages(90, 99)} -->${pages(10, 20)}`)
const compress = (file: Uint8Array) => new Uint8Array(encodeBzip2(file, { blockSize: 400 }))

async function readAll(file: Uint8Array, ranges: readonly DumpRange[]): Promise<number[]> {
  const ids: number[] = []
  const reports: (DumpRange & RangeReport)[] = []
  for (const range of ranges) {
    const ranged = new RangeReader(file, range)
    for await (const { id } of ranged.reader.pages()) ids.push(id)
    reports.push({ ...range, ...ranged.report })
  }
  checkRanges(file.length, reports)
  return ids
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe.each([
  ['plain', (file: Uint8Array) => file],
  ['in blocks of bzip2', compress],
])('the cuts of a dump that is %s', (_, store) => {
  test.each([
    ['guessed', guessCuts],
    ['verified', verifyCuts],
  ])('lead to every page once if they are %s', async (__, find) => {
    const file = store(plain)
    for (const count of isThorough ? [1, 2, 3, 9, 50, 200] : [9, 50]) {
      const ranges = await find(file, await planRanges(file, file.length, file.length / count))
      expect(ranges[0]?.cut?.from).toBe('start')
      expect(ranges.at(-1)?.cut?.to).toBe('end')
      for (const [i, { cut, start }] of ranges.slice(1).entries()) {
        expect(ranges[i]?.cut?.to).toEqual(cut?.from)
        expect(ranges[i]?.end).toBe(start)
      }
      expect(await readAll(file, ranges)).toEqual(numbers(1, 40))
    }
  })

  test('are an error if they are guessed in a comment, and right if they are verified', async () => {
    const file = store(hidden)
    const ranges = await planRanges(file, file.length, file.length / 12)
    await expect(readAll(file, await guessCuts(file, ranges))).rejects.toMatchObject({
      name: 'ParseError',
      code: 'wrong-cut',
      message: expect.stringMatching(
        /^the range ends at byte \d+.*, but was cut at byte \d+.*: no record begins there/,
      ),
    })
    expect(await readAll(file, await verifyCuts(file, ranges))).toEqual(numbers(1, 20))
  })
})

test('what is wrong with a dump is said by who verifies its cuts', async () => {
  const file = write(`${pages(1, 9)}<page></pag>${pages(9, 20)}`)
  const ranges = await planRanges(file, file.length, file.length / 5)
  await expect(verifyCuts(file, ranges)).rejects.toMatchObject({ code: 'tag-mismatch', line: 34 })
  const found: string[] = []
  await verifyCuts(file, ranges, { onFault: ({ code }) => found.push(code) })
  expect(found).toEqual(['tag-mismatch'])
})
