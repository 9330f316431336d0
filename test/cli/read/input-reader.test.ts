import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findInput } from '../../../source/cli/inputs/inputs.ts'
import { OpenInput } from '../../../source/cli/inputs/read-inputs.ts'
import { ask } from '../../../source/cli/read/ask.ts'
import { InputReader } from '../../../source/cli/read/input-reader.ts'
import type { RecordQuestion } from '../../../source/cli/read/question.ts'
import type { FormatName } from '../../../source/record/format/index.ts'
import { run } from '../../support/command.ts'
import { DOCUMENTS_OF_RECORDS } from '../../support/documents-of-records.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { compress, encode } from '../../support/xml-ranges.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const { signal } = new AbortController()

/** What is written of a document, and how it was read. */
async function read(
  content: Uint8Array,
  question: RecordQuestion,
  { jobs = 6, rangeSize = 3000, format = 'jsonl' as FormatName, limit = Number.POSITIVE_INFINITY } = {},
) {
  const path = join(folder, 'document.xml')
  writeFileSync(path, content)
  const faults: string[] = []
  const asked = await ask({ question, format }, ({ message }) => faults.push(message))
  const input = new OpenInput(await findInput(path), { jobs, signal })
  const reader = new InputReader(input, asked, { jobs, rangeSize, limit, signal })
  const written: unknown[] = []
  let error: unknown
  try {
    for await (const batch of reader.batches())
      written.push('rows' in batch ? batch.rows : new TextDecoder().decode(batch.bytes))
  } catch (thrown) {
    error = thrown
  }
  const { ranges, readAgain = 0, entities: skipped, skipped: left, ...counts } = asked.report.data
  const { message, line, column } = (error ?? {}) as { message?: string; line?: number; column?: number }
  return {
    text: written.join(''),
    error: { message, line, column },
    counts,
    skipped,
    left,
    faults,
    use: { ranges, readAgain },
    progress: input.progress.bytesRead,
  }
}

const one = { jobs: 1 }
/** The first range is cut into three, so that the first records come soon. */
const MORE = 2

describe.each(sample(Object.entries(DOCUMENTS_OF_RECORDS), 2))('a document as of %s', (_, { path, fields, make }) => {
  const question = { kind: 'records', path, fields } as RecordQuestion
  const content = encode(make(isThorough ? 3000 : 200))

  test('is read in ranges without a second reading, with the records of one thread', async () => {
    const whole = await read(content, question, one)
    for (const rangeSize of sample([700, 3000, content.length / 2], 1)) {
      const ranges = await read(content, question, { rangeSize })
      const count = Math.round(content.length / rangeSize) + MORE
      expect(ranges).toEqual({ ...whole, use: { ranges: count, readAgain: 0 } })
    }
    expect(whole.use).toEqual({ ranges: 1, readAgain: 0 })
  })

  test.runIf(isThorough)('is read in ranges of bzip2 without a second reading', async () => {
    const file = compress(content, 2000)
    const whole = await read(file, question, one)
    const ranges = await read(file, question, { rangeSize: file.length / 4 })
    expect(ranges).toEqual({ ...whole, use: { ranges: 4 + MORE, readAgain: 0 } })
  })

  test('is read on after errors, with the same records and errors in ranges', async () => {
    const wrong = content.slice()
    for (const part of [0.3, 0.31, 0.7]) wrong.set(encode('<&>'), Math.floor(content.length * part))
    const skipping = { ...question, onError: 'skip' } as const
    const whole = await read(wrong, skipping, one)
    const ranges = await read(wrong, skipping)
    expect(whole.left?.errors).toBe(whole.faults.length)
    expect(whole.faults.length).toBeGreaterThan(1)
    const { text, error, left, faults } = whole
    expect(error.message).toBeUndefined()
    expect(text.length).toBeGreaterThan((await read(content, question, one)).text.length / 2)
    expect({ text: ranges.text, faults: ranges.faults }).toEqual({ text, faults })
    expect(ranges.left?.errors).toBe(left?.errors)
  })

  test.runIf(isThorough)('is an error at its place where it is wrong', async () => {
    for (const part of isThorough ? [0.1, 0.3, 0.5, 0.7, 0.99] : [0.5]) {
      const at = Math.floor(content.length * part)
      const wrong = content.slice()
      wrong.set(encode('<&>'), at)
      const whole = await read(wrong, question, one)
      const ranges = await read(wrong, question)
      expect(whole.error.message).toBeDefined()
      expect({ text: ranges.text, error: ranges.error }).toEqual({ text: whole.text, error: whole.error })
    }
  })
})

describe('a document of records', () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `<row id="${from + i}"><a>x</a></row>\n`).join('')
  const question: RecordQuestion = {
    kind: 'records',
    path: ['row'],
    fields: [
      ['id', '@id'],
      ['a', ['a']],
      ['b', ['a/@n']],
    ],
  }

  test('with rows in comments is read again where a range began in one', async () => {
    const text = `<rows>${rows(0, 300)}<!-- ${rows(1000, 1300)} -->${rows(300, 600)}</rows>`
    const whole = await read(encode(text), question, one)
    const ranges = await read(encode(text), question)
    expect(ranges).toEqual({ ...whole, use: expect.anything() })
    expect(ranges.use.ranges).toBe(Math.round(text.length / 3000) + MORE)
    expect(ranges.use.readAgain).toBeGreaterThan(0)
    expect(ranges.use.readAgain).toBeLessThan(15_000)
  })

  test('whose rows stand in elements of other namespaces is joined there', async () => {
    const group = (uri: string, from: number) => `<g xmlns:p="${uri}">${rows(from, from + 200)}</g>`
    const text = `<rows>${group('u1', 0)}${group('u2', 200)}${group('u1', 400)}</rows>`
    const whole = await read(encode(text), question, one)
    const ranges = await read(encode(text), question)
    expect(ranges).toEqual({ ...whole, use: expect.anything() })
    expect(ranges.use.readAgain).toBeGreaterThan(0)
  })

  test('has references that are left out counted once, those of its head too', async () => {
    const text = `<!DOCTYPE rows SYSTEM "x.dtd"><rows>&head;${rows(0, 100)}<row id="100">&one;</row>${rows(101, 400)}<row>&two;&one;</row></rows>`
    const skipping = { ...question, xml: { entities: 'skip' } } as const
    const whole = await read(encode(text), skipping, one)
    expect(whole.skipped?.names.reduce((sum, [, { count }]) => sum + count, 0)).toBe(4)
    expect(await read(encode(text), skipping)).toEqual({
      ...whole,
      use: { ranges: Math.round(text.length / 3000) + MORE, readAgain: 0 },
    })
  })

  test('ends with the error of an entity whose text is missing, after the rows before it', async () => {
    const text = `<!DOCTYPE rows SYSTEM "x.dtd"><rows>\n${rows(0, 300)}<row id="300">&one;</row>${rows(301, 400)}</rows>`
    const whole = await read(encode(text), question, one)
    expect(whole.error).toMatchObject({
      message: expect.stringContaining('use --dtd FILE or --entities html'),
      line: 302,
    })
    const ranges = await read(encode(text), question)
    expect([ranges.text, ranges.error]).toEqual([whole.text, whole.error])
    const known = { ...question, xml: { dtd: '<!ENTITY one "1">' } }
    const complete = await read(encode(text), known, one)
    expect(complete.error.message).toBeUndefined()
    expect(await read(encode(text), known)).toEqual({ ...complete, use: expect.anything() })
  })

  test.runIf(isThorough)(
    'is read on one thread where ranges cannot know what is asked, or little is wanted',
    async () => {
      const text = `<rows name="x">${rows(0, 300)}</rows>`
      const single = { ranges: 1, readAgain: 0 }
      const outer = {
        kind: 'records',
        path: ['row'],
        fields: [['rows', { outer: 'rows', fields: { name: '@name' } }]],
      } as unknown as RecordQuestion
      expect((await read(encode(text), outer)).use).toEqual(single)
      expect((await read(encode(text), { ...question, path: ['rows[@name]/row'] })).use).toEqual(single)
      expect((await read(encode(text), question, { limit: 5 })).use).toEqual(single)
      expect((await read(encode(text), { ...question, xml: { fragment: true } })).use).toEqual(single)
      const offsets = {
        kind: 'records',
        path: ['row'],
        fields: [['at', { path: '.', as: 'offset' }]],
      } as unknown as RecordQuestion
      expect((await read(encode(text), offsets)).use.ranges).toBeGreaterThan(2)
      expect((await read(compress(encode(text), 500), offsets, { rangeSize: 300 })).use).toEqual(single)
      expect((await read(encode(text), offsets)).text).toBe((await read(encode(text), offsets, one)).text)
    },
  )

  test('that changes while it is read is an error', async () => {
    const path = join(folder, 'changing.xml')
    const text = `<rows>${rows(0, 3000)}</rows>`
    writeFileSync(path, text)
    const options = { jobs: 3, rangeSize: 3000, signal }
    const input = new OpenInput(await findInput(path), options)
    const batches = new InputReader(input, await ask({ question, format: 'jsonl' }), options).batches()
    await batches.next()
    writeFileSync(path, text.replace('<a>x', '<a>y'))
    await expect(
      (async () => {
        for await (const _ of batches);
      })(),
    ).rejects.toThrow('changing.xml changed while it was read: it was written to')
  })

  test('is not mixed with a larger one that is written over it', async () => {
    const path = join(folder, 'grown.xml')
    const record = (text: string) => `<a>${text.repeat(5000)}</a>\n`
    // What this thread reads itself is the same, and so is where records begin.
    const make = (count: number, text: string) =>
      `<rows>${Array.from({ length: count }, (_, i) => record(i < 250 ? 'same' : text)).join('')}</rows>`
    writeFileSync(path, make(1000, 'old '))
    const texts = { kind: 'records', path: ['a'], fields: [['a', { path: '.' }]] } as unknown as RecordQuestion
    const options = { jobs: 3, rangeSize: 1_500_000, signal }
    const input = new OpenInput(await findInput(path), options)
    const asked = await ask({ question: texts, format: 'jsonl' })
    let size = 0
    const readAll = async () => {
      for await (const batch of new InputReader(input, asked, options).batches()) {
        const before = size
        size += 'rows' in batch ? 0 : batch.bytes.length
        if (before < 8e6 && size >= 8e6) writeFileSync(path, make(1001, 'new '))
      }
    }
    await expect(readAll()).rejects.toMatchObject({ code: 'source-changed' })
  })

  test('is written in any format', async () => {
    const text = encode(`<rows>${rows(0, 300)}</rows>`)
    for (const format of ['csv', 'json', 'jsonl'] as const) {
      const whole = await read(text, { ...question, where: ['id!=5'] }, { jobs: 1, format })
      const ranges = await read(text, { ...question, where: ['id!=5'] }, { format })
      expect(ranges.text.length).toBe(whole.text.length)
    }
  })
})

describe('select --jobs', () => {
  test.runIf(isThorough)('writes in workers what one thread writes, and --stats counts the ranges', async () => {
    const { make } = DOCUMENTS_OF_RECORDS['Stack Overflow'] ?? { make: () => '' }
    const path = join(folder, 'large.xml')
    const text = make(60_000)
    writeFileSync(
      path,
      `${text.replace('</posts>', '')}${' '.repeat(1000)}<row Id="0"/>${'x'.repeat(Math.max(0, 33_000_000 - text.length))}</posts>`,
    )
    const args = ['select', 'row', path, '--field', '@Id', '--field', '@Body', '--stats', '--quiet']
    const single = await run([...args, '--jobs', '1'])
    const several = await run([...args, '--jobs', '3'])
    expect(several.stdout === single.stdout).toBe(true)
    expect(single.stderr).toBe('ranges used       1\nbytes read twice  0\n')
    expect(several.stderr).toBe('ranges used       4\nbytes read twice  0\n')
    const shape = await run([...args.slice(0, 3), '--stats'])
    expect(shape).toMatchObject({ code: 2, stderr: expect.stringContaining('--stats counts ranges of records') })
  })
})
