// What filters return counts in the same way wherever there are filters, and whatever writes what they accept.

import { describe, expect, test } from 'vitest'
import type { Items } from '../source/async/items.ts'
import { readDump } from '../source/mediawiki/dump-reader.ts'
import { makeTransform } from '../source/stream/make-transform.ts'
import { readXml, type XmlOptions } from '../source/xml/index.ts'
import { everyCut, inPieces } from './support/collect.ts'
import { LINE_FORMATS } from './support/notations.ts'
import { webStream } from './support/sources.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const COUNT = 12

/** Of the records, each third is unusual: only parsers read it, and no kernel for usual records. */
const revision = (id: number) =>
  `<revision><id>${id}</id><timestamp>2026-01-02T03:04:05Z</timestamp>${id % 3 === 0 ? '<!-- odd -->' : ''}` +
  `<contributor><ip>1.1.1.1</ip></contributor><comment>c</comment><model>wikitext</model><format>text/x-wiki</format>` +
  `<text bytes="1" xml:space="preserve">x</text><sha1>a</sha1></revision>`
const page = (id: number) => `<page><title>T${id}</title><ns>0</ns><id>${id}</id>${revision(id)}</page>`
const idsOf = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const dumpOf = (some: readonly number[]) => encoder.encode(`<mediawiki>\n${some.map(page).join('\n')}\n</mediawiki>`)
const documentOf = (some: readonly number[]) => {
  return encoder.encode(`<r>${some.map((id) => `<i id="${id}">${id % 3 === 0 ? '<!---->' : ''}</i>`).join('')}</r>`)
}

type Pieces = readonly Uint8Array[]
type Decide = (id: number) => unknown
/** Gives the ids of what is accepted. */
type Read = (pieces: Pieces, decide: Decide) => AsyncIterable<number | readonly number[]>

const SHAPE = { id: { path: '@id', as: 'integer' } } as const
const idsOfLines = (bytes: Uint8Array): number[] => {
  const lines = decoder.decode(bytes).trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { id: number }).id)
}

async function* mapped<Item>(items: AsyncIterable<Item>, idOf: (item: Item) => number | readonly number[]) {
  for await (const item of items) yield idOf(item)
}

const idOf = ({ id }: { readonly id?: number | undefined }): number => id ?? 0
// Filters of JavaScript return anything.
const where = (decide: Decide) => ({ where: ({ id }: { id?: number | undefined }) => decide(id ?? 0) as boolean })
const ofElements = (decide: Decide) => ({
  where: (element: { attribute(name: string): string | undefined }) =>
    decide(Number(element.attribute('id'))) as boolean,
})

function ofXml(engine: XmlOptions['engine']): Record<string, Read> {
  return {
    [`select, ${engine}`]: (pieces, decide) =>
      mapped(readXml(pieces, { engine }).select('i', ofElements(decide)), (one) => Number(one.attribute('id'))),
    [`records, ${engine}`]: (pieces, decide) =>
      mapped(readXml(pieces, { engine }).records('i', SHAPE, where(decide)), idOf),
    [`lines, ${engine}`]: (pieces, decide) =>
      mapped(readXml(pieces, { engine }).write('jsonl', 'i', SHAPE, where(decide)), idsOfLines),
    [`columns, ${engine}`]: (pieces, decide) =>
      mapped(readXml(pieces, { engine }).columns('i', SHAPE, where(decide)), ({ columns: [column] }) =>
        column?.type === 'int64' ? Array.from(column.values, Number) : [],
      ),
  }
}

const READERS: Record<string, Read> = {
  ...ofXml('wasm'),
  ...ofXml('plain'),
  'a transform to elements': (pieces, decide) =>
    mapped(
      webStream(pieces).pipeThrough(makeTransform((source) => readXml(source).select('i', ofElements(decide)))),
      (one) => Number(one.attribute('id')),
    ),
  'a transform to records': (pieces, decide) =>
    mapped(
      webStream(pieces).pipeThrough(makeTransform((source) => readXml(source).records('i', SHAPE, where(decide)))),
      idOf,
    ),
  'a transform to lines': (pieces, decide) =>
    mapped(
      webStream(pieces).pipeThrough(
        makeTransform((source) => readXml(source).write('jsonl', 'i', SHAPE, where(decide)), { type: 'bytes' }),
      ),
      idsOfLines,
    ),
  'a transform to columns': (pieces, decide) =>
    mapped(
      webStream(pieces).pipeThrough(makeTransform((source) => readXml(source).columns('i', SHAPE, where(decide)))),
      ({ columns: [column] }) => (column?.type === 'int64' ? Array.from(column.values, Number) : []),
    ),
}

const choice = { fields: ['id'], format: LINE_FORMATS.jsonl } as const
const DUMP_READERS: Record<string, Read> = {
  pages: (pieces, decide) =>
    mapped(
      readDump(pieces).pages(({ id }) => decide(id) as boolean),
      idOf,
    ),
  revisions: (pieces, decide) =>
    mapped(
      readDump(pieces).revisions(({ page }) => decide(page.id) as boolean),
      idOf,
    ),
  pageLines: (pieces, decide) =>
    mapped(readDump(pieces).pageLines({ isWanted: ({ id }) => decide(id) as boolean }), ({ bytes }) =>
      idsOfLines(bytes),
    ),
  'pageLines with chosen fields': (pieces, decide) =>
    mapped(readDump(pieces).pageLines({ choice, isWanted: ({ id }) => decide(id) as boolean }), ({ bytes }) =>
      idsOfLines(bytes),
    ),
  revisionLines: (pieces, decide) =>
    mapped(readDump(pieces).revisionLines({ isWanted: ({ page }) => decide(page.id) as boolean }), ({ bytes }) =>
      idsOfLines(bytes),
    ),
  'revisionLines with chosen fields': (pieces, decide) =>
    mapped(
      readDump(pieces).revisionLines({ choice, isWanted: ({ page }) => decide(page.id) as boolean }),
      ({ bytes }) => idsOfLines(bytes),
    ),
}

const ALL = [
  ...Object.entries(READERS).map(([name, read]) => [name, read, documentOf] as const),
  ...Object.entries(DUMP_READERS).map(([name, read]) => [name, read, dumpOf] as const),
]
const ACCEPTS: unknown[] = [true, 1, 'x', {}, [], Number.POSITIVE_INFINITY]
const REFUSES: unknown[] = [false, undefined, null, 0, '', Number.NaN, 0n]

/** What was accepted before an error, and that. */
async function outcomeOf(found: AsyncIterable<number | readonly number[]>) {
  const accepted: number[] = []
  try {
    for await (const some of found) accepted.push(...[some].flat())
    return { accepted, error: undefined }
  } catch (error) {
    return { accepted, error: error as { code?: string; message: string } }
  }
}

describe.each(ALL)('a filter of %s', (_, read, bytesOf) => {
  const ids = idsOf(COUNT)
  const bytes = bytesOf(ids)

  test('accepts what counts as true and refuses what does not, as in Array.filter', async () => {
    // Each record is decided by another value.
    for (const [i, yes] of ACCEPTS.entries()) {
      const decide = (id: number) => (id % 2 === 0 ? yes : REFUSES[(i + id) % REFUSES.length])
      const { accepted, error } = await outcomeOf(read([bytes], decide))
      expect([accepted, error]).toEqual([ids.filter((id) => id % 2 === 0), undefined])
    }
    for (const no of REFUSES) {
      expect(await outcomeOf(read([bytes], () => no))).toEqual({ accepted: [], error: undefined })
    }
    const isOdd = (id: number) => (id % 2 === 1 ? 1 : undefined)
    expect((await outcomeOf(read(inPieces(bytes, 1), isOdd))).accepted).toEqual(ids.filter(isOdd))
    const few = idsOf(3)
    for (const pieces of everyCut(bytesOf(few)))
      expect((await outcomeOf(read(pieces, isOdd))).accepted).toEqual(few.filter(isOdd))
  })

  test('that returns a promise is an error after what was accepted before, not one that accepts everything', async () => {
    const decide = (id: number) => (id < 5 ? id !== 2 : Promise.resolve(false))
    const { accepted, error } = await outcomeOf(read([bytes], decide))
    expect(accepted).toEqual([1, 3, 4])
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({
      code: 'invalid-option',
      message: expect.stringMatching(/^(?:where|filter|isWanted) must return true or false, not a promise$/),
    })
  })

  test('that rejects does not end the process: nobody waits for its promise', async () => {
    const rejections: unknown[] = []
    const onRejection = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', onRejection)
    const { error } = await outcomeOf(read([bytes], () => Promise.reject(new Error('no'))))
    await new Promise((resolve) => setTimeout(resolve))
    process.off('unhandledRejection', onRejection)
    expect([error?.code, rejections]).toEqual(['invalid-option', []])
  })
})

test('a filter that is not a function is refused', async () => {
  for (const method of ['pages', 'revisions'] as const) {
    for (const filter of ['x', { isWanted: () => true }]) {
      const read = () =>
        (readDump([dumpOf([1])]) as unknown as Record<typeof method, (given: unknown) => Items<number>>)[method](filter)
      for (const items of [read(), read().batches()]) {
        const { error } = await outcomeOf(items)
        expect(error).toMatchObject({ code: 'invalid-option', message: expect.stringContaining('must be a function') })
      }
    }
  }
})

test('a function in the place of conditions for lines is refused, and does not accept everything', () => {
  for (const method of ['pageLines', 'revisionLines'] as const) {
    const read = (filter: unknown) => readDump([dumpOf([1])])[method](filter as object)
    const invalid = expect.objectContaining({ code: 'invalid-option' })
    for (const filter of [() => false, { isWnted: () => false }, { isWanted: 'x' }])
      expect(() => read(filter)).toThrow(invalid)
    expect(() => read({ isWanted: undefined })).not.toThrow()
  }
})
