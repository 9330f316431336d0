import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import type { PageRevision } from '../../../source/mediawiki/shape/page.ts'
import type { Revision } from '../../../source/mediawiki/shape/revision.ts'
import type { ByteSource } from '../../../source/stream/sources/source.ts'
import { everyCut, inPieces } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { LINE_FORMATS } from '../../support/notations.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const revision = (id: number, more = '') =>
  `<revision><id>${id}</id><timestamp>T${id}</timestamp><text>text ${id}</text>${more}</revision>`
const history = `<mediawiki version="0.10">
<page><title>One</title><ns>0</ns><id>1</id>${revision(10)}${revision(11)}<upload><filename>x</filename></upload>${revision(12)}</page>
<page><title>Two</title><ns>1</ns><id>2</id><redirect title="One" />${revision(13)}</page>
<page><title>None</title><id>3</id></page>
</mediawiki>`

async function read(source: ByteSource, ...filter: Parameters<ReturnType<typeof readDump>['revisions']>) {
  const revisions: PageRevision[] = []
  let error: unknown
  try {
    for await (const item of readDump(source).revisions(...filter)) revisions.push(item)
  } catch (fault) {
    error = fault
  }
  return { revisions, error }
}

describe('the revisions of a dump', () => {
  test('come one by one with what is known of their pages, from complete input, byte by byte and at every cut', async () => {
    const one = { id: 1, ns: 0, title: 'One' }
    const two = { id: 2, ns: 1, title: 'Two', redirect: 'One' }
    const expected = [10, 11, 12, 13].map((id) => ({
      page: id === 13 ? two : one,
      id,
      timestamp: `T${id}`,
      text: `text ${id}`,
    }))
    for (const chunks of everyCut(encode(history)))
      expect(await read(chunks)).toEqual({ revisions: expected, error: undefined })
  })

  test('are those of pages, where each page has one', async () => {
    const dump = readFixture('mediawiki/small-dump.xml')
    const { revisions } = await read(dump)
    const newest = new Map(revisions.map(({ page, ...rest }) => [page.id, rest]))
    for await (const { id, revision: own } of readDump(dump).pages()) expect(newest.get(id)).toEqual(own)
  })

  test('can be filtered by anything but their content, which is then not decoded', async () => {
    const { revisions } = await read(history, (facts) => {
      expect(facts).not.toHaveProperty('text')
      return facts.page.ns === 1 || facts.timestamp === 'T11'
    })
    expect(revisions.map(({ id }) => id)).toEqual([11, 13])
  })

  test('of a page come while it is not complete', async () => {
    async function* endless() {
      yield '<mediawiki><page><title>Long</title><id>1</id>'
      for (let id = 1; ; id++) yield revision(id)
    }
    for await (const { id, page } of readDump(endless()).revisions()) {
      expect(page.title).toBe('Long')
      if (id === 300) break
    }
  })

  test('do not need more memory where a page has many', async () => {
    const text = 'x'.repeat(10_000)
    const revisions = isThorough ? 3000 : 500
    async function* many() {
      yield '<mediawiki><page><title>Long</title><id>1</id>'
      for (let id = 1; id <= revisions; id++) yield `<revision><id>${id}</id><text>${text}</text></revision>`
      yield '</page></mediawiki>'
    }
    let count = 0
    for await (const _ of readDump(many(), { limits: { maxRetained: 300_000 } }).revisions()) count++
    expect(count).toBe(revisions)
  })

  test('before an error come before it', async () => {
    const { revisions, error } = await read(history.replace('<text>text 12</text>', '<text>text 12</txt>'))
    expect(revisions.map(({ id }) => id)).toEqual([10, 11])
    expect(error).toMatchObject({ code: 'tag-mismatch', line: 2 })
  })

  test('of a page without title or id are refused, with the place of the page', async () => {
    for (const [text, message] of [
      ['<page><id>1</id>', 'a page has no title'],
      ['<page><title>x</title>', 'the id of a page is missing'],
    ]) {
      for (const inner of ['', revision(5)]) {
        const { error } = await read(`<mediawiki>\n${text}${inner}</page></mediawiki>`)
        expect(error).toMatchObject({ code: 'malformed-page', line: 2, column: 1, byteOffset: 12 })
        expect((error as Error).message).toContain(message)
      }
    }
  })

  test.runIf(isThorough)(
    'have of elements that come twice the last one, and of a text the last content and the last of each attribute',
    async () => {
      const twice = (id: number, texts: string) =>
        `<revision><id>${id}</id><timestamp>T</timestamp><comment>1</comment>${texts}<comment>2</comment></revision>`
      const cases: [texts: string, found: Partial<PageRevision>][] = [
        ['<text bytes="1">A</text><text bytes="2">BB</text>', { bytes: 2, text: 'BB' }],
        ['<text bytes="1" id="5">A</text><text bytes="2" deleted="deleted"/>', { bytes: 2, textid: 5 }],
        ['<text bytes="1" deleted="deleted"/><text bytes="2">BB</text>', { bytes: 2, text: 'BB' }],
        ['<text bytes="1">A</text><text bytes="2"/>', { bytes: 2 }],
        ['<text bytes="1">A</text><text bytes="0"/>', { bytes: 0, text: '' }],
        ['<text>A</text><text>B&#66;<!-- --></text><text>C</text>', { text: 'C' }],
      ]
      const expected = cases.map(([, found], i) => {
        return { id: i + 2, timestamp: 'T', comment: '2', ...found }
      })
      const usual = (id: number) => twice(id, '<text bytes="1">x</text>').replace('<comment>2</comment>', '')
      const pages = cases.map(([texts], i) => {
        const id = i + 2
        return `<page><title>T${id}</title><ns>0</ns><id>${id}</id>${twice(id, texts)}</page>\n<page><title>U</title><ns>0</ns><id>${id + 100}</id>${usual(id + 100)}</page>`
      })
      const dumpOf = (some: readonly string[]) => encode(`<mediawiki>\n${some.join('\n')}\n</mediawiki>`)
      const isTwice = ({ id }: { id: number }) => id < 100
      const all = [[dumpOf(pages)], inPieces(dumpOf(pages), 1)].map((pieces) => [pieces, expected] as const)
      const few = Array.from(everyCut(dumpOf(pages.slice(0, 2))), (pieces) => [pieces, expected.slice(0, 2)] as const)
      for (const [pieces, expected] of [...all, ...few]) {
        const { revisions } = await read(pieces)
        expect(revisions.filter(isTwice).map(({ page: _, ...rest }) => rest)).toEqual(expected)
        const found: unknown[] = []
        for await (const { id, revision: own } of readDump(pieces).pages()) if (isTwice({ id })) found.push(own)
        expect(found).toEqual(expected)
        const lines = { pages: '', revisions: '', chosen: '' }
        const choice = {
          fields: ['id', 'timestamp', 'comment', 'bytes', 'textid', 'text'],
          format: LINE_FORMATS.jsonl,
        } as const
        for await (const { bytes } of readDump(pieces).pageLines()) lines.pages += decode(bytes)
        for await (const { bytes } of readDump(pieces).revisionLines()) lines.revisions += decode(bytes)
        for await (const { bytes } of readDump(pieces).revisionLines({ choice })) lines.chosen += decode(bytes)
        const parsed = (text: string) => {
          const all = text.trimEnd().split('\n')
          return all.map((line) => JSON.parse(line) as PageRevision & { revision: Revision }).filter(isTwice)
        }
        expect(parsed(lines.pages).map(({ revision: own }) => own)).toEqual(expected)
        expect(parsed(lines.revisions).map(({ page: _, ...rest }) => rest)).toEqual(expected)
        expect(parsed(lines.chosen)).toEqual(expected)
      }
    },
  )

  test('keep elements that no schema has', async () => {
    const { revisions } = await read(
      `<mediawiki><page><title>x</title><id>1</id><new a="1">b</new>${revision(2, '<newer/>')}</page></mediawiki>`,
    )
    expect(revisions[0]).toMatchObject({
      page: { other: [{ name: 'new', attributes: [['a', '1']], children: [{ type: 'text', text: 'b' }] }] },
      other: [{ name: 'newer', attributes: [], children: [] }],
    })
  })
})
