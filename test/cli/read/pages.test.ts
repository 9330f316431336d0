import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { addFormats } from '../../../source/cli/inputs/added-formats.ts'
import { findInput, type Input } from '../../../source/cli/inputs/inputs.ts'
import { OpenInput } from '../../../source/cli/inputs/read-inputs.ts'
import { findMissing } from '../../../source/cli/output/findings.ts'
import { recordsIn } from '../../../source/cli/output/write-batches.ts'
import { ask } from '../../../source/cli/read/ask.ts'
import { type InputOptions, InputReader } from '../../../source/cli/read/input-reader.ts'
import type { DumpQuestion, Request } from '../../../source/cli/read/question.ts'
import type { LineBatch } from '../../../source/record/format/lines.ts'
import { FileSource } from '../../../source/stream/sources/node.ts'
import type { ByteSource } from '../../../source/stream/sources/source.ts'
import { ParseError } from '../../../source/text/parse-error.ts'
import { encodeBzip2 } from '../../support/bzip2-encoder.ts'
import { inPieces } from '../../support/collect.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { failing, stalling } from '../../support/sources.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const folder = mkdtempSync(join(tmpdir(), 'xylem-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Compared with their hashes, which is what is done in ranges, and without. */
const ALL: Request<DumpQuestion> = {
  format: 'jsonl',
  question: { kind: 'pages', onError: 'stop' },
  verify: true,
  counts: 'all',
}
/** What is wanted of the records. */
const asking = (question: Partial<DumpQuestion>, more: Partial<Request> = {}) => ({
  ...ALL,
  ...more,
  question: { ...ALL.question, ...question },
})

function makePage(id: number, filler: string): string {
  const ns = id % 3 === 0 ? 10 : 0
  const revision = (n: number) =>
    `<revision><id>${id * 10 + n}</id><timestamp>2026-01-01T00:00:00Z</timestamp><text bytes="${n}">${filler} ${id}</text></revision>`
  return `\n  <page>\n    <title>Page ${id}</title><ns>${ns}</ns><id>${id}</id>${revision(0)}${revision(1)}\n  </page>`
}

const HEADS = [
  '<mediawiki xml:lang="en" version="0.11">\n  <siteinfo>\n    <namespaces><namespace key="0"/><namespace key="10">Te&lt;mp</namespace></namespaces>\n  </siteinfo>',
  '<mediawiki>',
  '<?xml version="1.0"?><!-- no page yet --><mediawiki version="0.3"> ',
  '<mediawiki>\u0001<siteinfo><sitename>A & B</sitename>\n                </siteinfo>',
]

/** A file that is read. */
function write(bytes: Uint8Array): Input {
  const path = join(folder, 'dump')
  writeFileSync(path, bytes)
  return { name: path, path, storedIn: path, size: bytes.length, open: () => new FileSource(path) }
}

/** What is read from somewhere else. */
function inputOf(source: ByteSource): Input {
  const open = () => source as ReturnType<Input['open']>
  return { name: 'source', path: undefined, storedIn: undefined, size: undefined, open }
}

/** What a reader of a file gives on several threads. */
async function readFile(bytes: Uint8Array, jobs: number, request = ALL, options: Partial<InputOptions> = {}) {
  return await readInput(write(bytes), jobs, request, options)
}

/** What a reader of a source gives. */
async function read(source: ByteSource, jobs: number, request = ALL, options: Partial<InputOptions> = {}) {
  return await readInput(inputOf(source), jobs, request, options)
}

/** What a reader gives, joined, and how it ends. */
async function readInput(input: Input, jobs: number, request: typeof ALL, options: Partial<InputOptions>) {
  const { signal = new AbortController().signal } = options
  const faults: unknown[] = []
  const asked = await ask(request, (error) => faults.push(describeError(error)))
  const open = new OpenInput(input, { jobs, signal })
  const reader = new InputReader(open, asked, { jobs, rangeSize: 20_000, ...options, signal })
  let text = ''
  let records = 0
  let error: unknown
  try {
    for await (const batch of reader.batches()) {
      text += new TextDecoder().decode((batch as LineBatch).bytes)
      records += recordsIn(batch)
    }
  } catch (fault) {
    error = describeError(fault)
  }
  const { ranges, readAgain = 0, seen = {}, verification, ...counts } = asked.report.data
  const missing = error === undefined ? findMissing(request.question, { records, seen }) : undefined
  const different = verification?.counts.different ?? 0
  return {
    result: { ...counts, text, records, missing, different, error, faults },
    use: { ranges, readAgain },
  }
}

function describeError(error: unknown): unknown {
  if (!(error instanceof ParseError)) return String(error)
  const { name, message, code, byteOffset, line, column, excerpt } = error
  // The part of the excerpt after the error depends on what has arrived.
  const [shown = '', caret = ''] = excerpt?.split('\n') ?? []
  return { name, message, code, byteOffset, line, column, excerpt: shown.slice(0, caret.length) }
}

/** What may stand between two pages or in one, without harm or with. */
const ODDITIES = [
  '',
  '<!-- </page> -->',
  '<!-- </page><page> -->\n',
  '<page><id>1</id><title><![CDATA[</page>]]></title></page>',
  '<page><id>1</id><title>t</title><revision><id>5</id><text><!-- </page> -->\n</text></revision></page>',
  '\u0001\u0002',
  '<page><id>2</id><title>t</titel></page>',
  '<page><id>x</id><title>t</title></page>',
  '\n<page><id>2</id></page>',
  '<page><id>2</id><title>&nope;</title></page>',
  '<page><id>2</id><title>never closed</title>',
  'a < b',
  '</mediawiki>',
  '<a>\n\n</b>',
  '<newelement><page></page></newelement>',
]

describe('reading a dump in ranges', () => {
  test.runIf(isThorough)(
    'gives what reading it on one thread gives, lines and errors, whatever is in it and wherever it is cut off',
    async () => {
      const shape = fc.record({
        head: fc.constantFrom(...HEADS),
        pages: fc.integer({ min: 0, max: isThorough ? 260 : 60 }),
        filler: fc.constantFrom('word '.repeat(300), 'w\u00f6rd\n'.repeat(200), 'x'.repeat(3000)),
        oddity: fc.constantFrom(...ODDITIES),
        place: fc.double({ min: 0, max: 1, noNaN: true }),
        tail: fc.constantFrom('\n</mediawiki>\n', '</mediawiki>', '', '</mediawiki><page/>', '</mediawiki'),
        cutOff: fc.oneof({ arbitrary: fc.constant(1), weight: 3 }, fc.double({ min: 0, max: 1, noNaN: true })),
        rangeSize: fc.constantFrom(300, 2000, 20_000, 100_000),
        onError: fc.constantFrom('stop' as const, 'skip-page' as const),
        strict: fc.constantFrom(true as const, false as const),
      })
      /** An error that only a later range can have. */
      const inTheMiddle = {
        head: HEADS[0] as string,
        pages: 60,
        filler: 'x'.repeat(3000),
        oddity: '<page><id>2</id><title>t</titel></page>',
        place: 0.6,
        tail: '</mediawiki>',
        cutOff: 1,
        rangeSize: 20_000,
        onError: 'stop' as const,
        strict: false as const,
      }
      let inRangesCount = 0
      await fc.assert(
        fc.asyncProperty(
          shape,
          async ({ head, pages, filler, oddity, place, tail, cutOff, rangeSize, onError, strict }) => {
            const parts = Array.from({ length: pages }, (_, i) => makePage(i + 1, filler))
            parts.splice(Math.floor(place * pages), 0, oddity)
            const bytes = encode(`${head}${parts.join('')}${tail}`)
            const dump = bytes.subarray(0, Math.ceil(cutOff * bytes.length))
            const all = asking({ onError, ...(strict && { strict }) })
            const one = await read([dump], 1, all, { rangeSize })
            const two = await readFile(dump, 2, all, { rangeSize })
            expect(two.result).toEqual(one.result)
            const lines = await read([dump], 1, { ...all, verify: false }, { rangeSize })
            expect({ ...lines.result, different: 0 }).toEqual({ ...one.result, different: 0 })
            if ((two.use.ranges ?? 0) > 3 && one.result.error === undefined) inRangesCount++
          },
        ),
        { ...parameters(80, 4), examples: [[inTheMiddle]] },
      )
      // Only many runs are sure to have some.
      if (isThorough) expect(inRangesCount).toBeGreaterThan(0)
    },
  )

  const dump = encode(
    `${HEADS[0]}${Array.from({ length: 300 }, (_, i) => makePage(i + 1, 'some words '.repeat(90))).join('')}\n</mediawiki>\n`,
  )

  test.each<[string, typeof ALL]>([
    ['revisions', asking({ kind: 'revisions' })],
    ['some namespaces by name', asking({ ns: ['te<mp'] })],
    ['some fields', asking({ fields: ['id', 'title'] })],
    ['a table', asking({ fields: ['page.id', 'id', 'text'], kind: 'revisions' }, { format: 'csv' })],
    ['titles by a pattern, compared with their hashes', asking({ title: '7$' })],
  ])('gives the same of %s', async (_, request) => {
    const one = await read([dump], 1, request)
    const two = await readFile(dump, 2, request)
    expect(two.result).toEqual(one.result)
    expect(two.result.records).toBeGreaterThan(20)
    expect(two.use.ranges).toBeGreaterThan(1)
  })

  test('adds up what the ranges have seen of what is asked for', async () => {
    const titles = ['page 7', 'Page 150', 'Page 301', 'Temp:x']
    const request = asking({
      titles,
      ids: [7, 8, 150].map((id) => ({ first: id, last: id })),
      ns: ['main', '5', 'te<mp'],
      fields: ['id', 'redirect', 'revision.text'],
    })
    // Titles begin as the dump says.
    const bytes = encode(
      new TextDecoder().decode(dump).replace('<namespaces>', '<case>first-letter</case><namespaces>'),
    )
    const one = await read([bytes], 1, request)
    const two = await readFile(bytes, 4, request)
    expect(two.result).toEqual(one.result)
    expect(two.use.ranges).toBeGreaterThan(9)
    expect(two.result.missing).toEqual({ ns: ['5'], titles: ['Page 301', 'Temp:x'], ids: ['8'], fields: ['redirect'] })
  })

  test('reads no range of a dump twice', async () => {
    const { result } = await read([dump], 1)
    for (const [jobs, verify] of [
      [2, true],
      [3, false],
    ] as const) {
      const ranges = await readFile(dump, jobs, { ...ALL, verify })
      expect(ranges.result).toEqual({ ...result, different: verify ? result.different : 0 })
      // The first one is cut into three.
      expect(ranges.use).toEqual({ ranges: Math.round(dump.length / 20_000) + 2, readAgain: 0 })
    }
    expect((await readFile(dump, 1)).use).toEqual({ ranges: 1, readAgain: 0 })
  })

  test.runIf(isThorough)('counts each character that is replaced once', async () => {
    const text = [1, 2, 3, 40, 41, 42, 43].reduce(
      (all, id) => all.replace(`<title>Page ${id}<`, `<title>\u0001${id}<`),
      new TextDecoder().decode(dump),
    )
    const bytes = encode(text.replace('<namespaces>', '<sitename>A & B</sitename>\n                <namespaces>'))
    for (const rangeSize of [3000, 20_000]) {
      const request = asking({ ns: ['main', 'te<mp'] })
      const one = await read([bytes], 1, request)
      const two = await readFile(bytes, 2, request, { rangeSize })
      expect(two.result).toEqual(one.result)
      expect(two.result.replaced).toBe(8)
      expect(two.use.ranges).toBeGreaterThan(9)
    }
  })

  test('says where an error is in a dump of one line, after a byte order mark', async () => {
    const text = new TextDecoder()
      .decode(dump)
      .replaceAll(/\n */g, '')
      .replace('<title>Page 200<', '<titel>P\u00e4ge 200<')
    for (const bytes of [encode(text), encode(`\ufeff${text}`)]) {
      const { result } = await read([bytes], 1)
      expect(result.error).toMatchObject({ line: 1 })
      expect((await readFile(bytes, 2)).result).toEqual(result)
    }
  })

  test('says that the wiki has no such namespace', async () => {
    const { result } = await readFile(dump, 2, asking({ ns: ['nope'] }))
    expect(result.error).toMatch('the wiki has no namespace nope')
  })

  test('gives the same of a compressed dump, with few threads and with many', async () => {
    const archive = encodeBzip2(dump.subarray(0, isThorough ? 300_000 : 50_000), {
      blockSize: isThorough ? 40_000 : 8000,
    })
    const damaged = archive.slice()
    damaged[archive.length / 2] = (damaged[archive.length / 2] as number) ^ 4
    for (const bytes of sample([archive, archive.subarray(0, archive.length - 100), damaged], 2)) {
      const { result } = await read([bytes], 1)
      expect(result.error).toBeDefined()
      for (const jobs of isThorough ? [2, 6] : [6])
        expect((await readFile(bytes, jobs, ALL, { rangeSize: 3000 })).result).toEqual(result)
    }
  })

  test('does not decompress twice', async () => {
    addFormats()
    const archive = encodeBzip2(encodeBzip2(dump.subarray(0, 3000)))
    const { result } = await readFile(archive, 6, ALL, { rangeSize: 200 })
    expect(String(result.error)).toContain('what is in it is compressed with bzip2 once more')
  })

  test('gives everything before a source that fails', async () => {
    const source = (chunks: Uint8Array[]) => failing(chunks, new Error('the disk is gone'))
    const chunks = inPieces(dump.subarray(0, dump.length / 2), 30_000)
    const one = await read(source(chunks), 1)
    const two = await read(source(chunks), 2)
    expect(one.result.pages).toBeGreaterThan(100)
    expect(two.result).toEqual(one.result)
  })

  test('gives the pages that are there while the source is silent', async () => {
    const source = stalling([dump.subarray(0, dump.length / 2)])
    const controller = new AbortController()
    const options = { jobs: 2, rangeSize: 20_000, signal: controller.signal }
    const reader = new InputReader(new OpenInput(inputOf(source), options), await ask(ALL), options)
    const lines = reader.batches()
    let pages = 0
    const there = new TextDecoder().decode(dump.subarray(0, dump.length / 2)).split('</page>').length - 1
    while (pages < there) {
      const { value } = await lines.next()
      pages += recordsIn(value as LineBatch)
    }
    expect(pages).toBe(there)
    const pending = lines.next()
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow()
    expect(source.isClosed).toBe(true)
  })

  test('ends when it is asked to', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const pending = read(stalling([dump.subarray(0, 1000)]), 2, ALL, { signal })
    controller.abort(new Error('enough'))
    expect((await pending).result.error).toMatch('enough')
  })
})

test('a file that is overwritten by a larger one between ranges is an error, as on one thread', async () => {
  const path = join(folder, 'grown.xml')
  const page = (id: number, text: string) =>
    `<page><title>T</title><ns>0</ns><id>${id}</id><revision><id>${id}</id><text>${text.repeat(5000)}</text></revision></page>\n`
  // What this thread reads itself is the same, and so is where pages begin.
  const make = (count: number, text: string) =>
    `<mediawiki>${Array.from({ length: count }, (_, id) => page(id, id < 250 ? 'same' : text)).join('')}</mediawiki>`
  writeFileSync(path, make(1000, 'old '))
  const options = { jobs: 2, rangeSize: 1_500_000, signal: new AbortController().signal }
  const input = new OpenInput(await findInput(path), options)
  const asked = await ask(asking({ fields: ['id'] }))
  const reader = new InputReader(input, asked, options)
  let isGrown = false
  const readAll = async () => {
    for await (const _ of reader.batches()) {
      if (isGrown || asked.report.read('ranges') !== 6) continue
      isGrown = true
      writeFileSync(path, make(1001, 'new '))
    }
  }
  await expect(readAll()).rejects.toMatchObject({ code: 'source-changed' })
  expect(isGrown).toBe(true)
})
