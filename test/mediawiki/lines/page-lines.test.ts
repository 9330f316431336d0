import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { RangeReader } from '../../../source/mediawiki/dump-range.ts'
import { DumpReader, readDump } from '../../../source/mediawiki/dump-reader.ts'
import type { PageLineFilter, PageLines, RevisionLineFilter } from '../../../source/mediawiki/lines/page-lines.ts'
import type { PageRevisionTraits } from '../../../source/mediawiki/lines/page-traits.ts'
import type { PageFacts } from '../../../source/mediawiki/shape/page.ts'
import { Report } from '../../../source/record/report.ts'
import { FileSource } from '../../../source/stream/sources/node.ts'
import type { ByteSource } from '../../../source/stream/sources/source.ts'
import { RecordView } from '../../../source/xml/output/record-view.ts'
import { makeRandom } from '../../support/bzip2-encoder.ts'
import { collectAll, everyCut, inPieces } from '../../support/collect.ts'
import { isComplete, isThorough, range, sample } from '../../support/extent.ts'
import { findSharedData, readFixture } from '../../support/fixtures.ts'
import { chosenWriter, LINE_FORMATS } from '../../support/notations.ts'
import { parameters } from '../../support/property.ts'
import { anyPage } from '../../support/random-pages.ts'
import { failing } from '../../support/sources.ts'

const dump = readFixture('mediawiki/small-dump.xml')
const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

function countsOf({ report: { firstPage: _, lastPage: __, ...counts } }: DumpReader) {
  return counts
}

async function readLines(source: ByteSource, filter?: PageLineFilter) {
  let text = ''
  let records = 0
  let error: unknown
  const reader = readDump(source)
  try {
    for await (const batch of reader.pageLines(filter).batches()) {
      for (const lines of batch) {
        text += decode(lines.bytes)
        records += lines.records
      }
      // The report is exact between two batches.
      expect(reader.report.pages ?? records).toBe(records)
    }
  } catch (fault) {
    error = fault
  }
  return { text, counts: countsOf(reader), error }
}

/** The same by the pages as objects. */
async function stringifyPages(source: ByteSource, { namespaces, redirects = 'in' }: PageLineFilter = {}) {
  let text = ''
  const pages = readDump(source).pages(
    ({ ns, redirect }) =>
      (!namespaces || (ns !== undefined && namespaces.has(ns))) &&
      (redirects === 'in' || (redirects === 'only') === (redirect !== undefined)),
  )
  for await (const page of pages) text += `${JSON.stringify(page)}\n`
  return text
}

/** Whether a revision is wanted by a filter of pages. */
function takes({ namespaces, redirects = 'in' }: PageLineFilter, { ns, redirect }: PageFacts): boolean {
  if (namespaces && (ns === undefined || !namespaces.has(ns))) return false
  return redirects === 'in' || (redirects === 'only') === (redirect !== undefined)
}

async function readRevisionLines(source: ByteSource, filter: PageLineFilter, more: RevisionLineFilter = {}) {
  const isWanted = ({ page }: PageRevisionTraits) => takes(filter, page as PageFacts)
  const hasFilter = filter.namespaces !== undefined || filter.redirects !== undefined
  let text = ''
  const reader = readDump(source)
  for await (const { bytes } of reader.revisionLines({ ...(hasFilter && { isWanted }), ...more })) text += decode(bytes)
  return { text, counts: countsOf(reader) }
}

/** The same by the revisions as objects. */
async function stringifyRevisions(source: ByteSource, filter: PageLineFilter) {
  let text = ''
  const counts = { pages: 0, redirects: 0, revisions: 0, missingTexts: 0, suppressed: 0 }
  let last: number | undefined
  for await (const revision of readDump(source).revisions(({ page }) => takes(filter, page))) {
    text += `${JSON.stringify(revision)}\n`
    const { page, bytes = 0, contributor } = revision
    if (page.id !== last) counts.pages++
    if (page.id !== last && page.redirect !== undefined) counts.redirects++
    last = page.id
    counts.revisions++
    if (revision.text === undefined && bytes > 0) counts.missingTexts++
    if (bytes < 0 || (contributor && 'deleted' in contributor)) counts.suppressed++
  }
  return { text, counts }
}

describe('the lines of pages', () => {
  test('are those of the pages as objects, from complete input, byte by byte and at every cut', async () => {
    const expected = await stringifyPages(dump)
    let cut = 0
    for (const chunks of everyCut(dump)) {
      if (cut++ % 7 > 0) continue
      const { text, error } = await readLines(chunks)
      expect(error).toBeUndefined()
      if (text !== expected) expect(text).toBe(expected)
    }
  })

  test('are those of the pages as objects for pages of any shape', async () => {
    const filter = fc.oneof(
      fc.constant({}),
      fc.record({
        namespaces: fc.option(fc.uniqueArray(fc.constantFrom(0, 7, -1, 5), { minLength: 1 })).map((list) => {
          return list ? new Set(list) : undefined
        }),
        redirects: fc.constantFrom('in' as const, 'out' as const, 'only' as const),
      }),
    )
    const sizes = fc.integer({ min: 1, max: 3000 })
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage(), { maxLength: 5 }), sizes, filter, async (pages, size, wanted) => {
        const bytes = encode(`<mediawiki>${pages.join('')}</mediawiki>`)
        const { text: lines, error } = await readLines(inPieces(bytes, size), wanted)
        expect(error).toBeUndefined()
        const expected = await stringifyPages(bytes, wanted)
        expect(lines).toBe(expected)
        const limit = pages.length >> 1
        const limited = await readLines(inPieces(bytes, size), { ...wanted, limit })
        expect(limited.text).toBe(
          expected
            .split(/(?<=\n)/)
            .slice(0, limit)
            .join(''),
        )
        // No page is usual: the kernel of XML writes the lines.
        const odd = encode(`<mediawiki>${pages.join('').replaceAll('<page>', '<page><!-- c -->')}</mediawiki>`)
        expect(await readLines(inPieces(odd, size), wanted)).toMatchObject({ text: expected, error: undefined })
        for (const dump of [bytes, odd]) {
          const lines = await readRevisionLines(inPieces(dump, size), wanted)
          expect(lines).toEqual(await stringifyRevisions(bytes, wanted))
        }
      }),
      parameters(500, 6),
    )
  })

  test('are those of the pages as objects for dumps of many megabytes, with pages of any size', async () => {
    const count = isThorough ? 6000 : 200
    const random = makeRandom(7)
    const word = () =>
      ['tree ', '"leaf"', 'r\u00f6\u00f6t &amp; ', '\u6728\n', '&lt;bark/&gt; '][Math.floor(random() * 5)] as string
    const page = (id: number, size: number) => {
      const words = Array.from({ length: 40 }, word).join('')
      const text = words.repeat(Math.ceil(size / words.length))
      // Some are not usual: those with a comment, alone and many in a row.
      const odd = id % 37 === 0 || (id > count / 2 && id < count / 2 + 100) ? '<!-- odd -->' : ''
      return `<page>${odd}<title>${id}</title><id>${id}</id><revision><id>${id}</id><text>${text}</text></revision></page>\n`
    }
    const sizes = Array.from({ length: count }, (_, i) => {
      if (i === count / 6) return 9_000_000 // more than the scanner holds
      if (i % (count / 4) === 100) return 600_000
      return i > count * 0.7 ? 0 : Math.floor(random() * 4000)
    })
    const dump = encode(`<mediawiki>\n${sizes.map((size, i) => page(i + 1, size)).join('')}</mediawiki>`)
    const expected = await stringifyPages(dump)
    for (const size of sample([dump.length, 1 << 20, 60_000], 2)) {
      const { text, counts, error } = await readLines(inPieces(dump, size))
      expect({ error, pages: counts.pages }).toEqual({ error: undefined, pages: count })
      expect(text === expected).toBe(true)
      const limited = await readLines(inPieces(dump, size), { limit: count })
      expect({ counts: limited.counts, isSame: limited.text === expected }).toEqual({ counts, isSame: true })
    }
  })

  test.each(sample(['small-dump', 'oddities'], 1))('of chosen fields are those of the objects: %s', async (name) => {
    const bytes = readFixture(`mediawiki/${name}.xml`)
    const read = async (batches: AsyncIterable<PageLines[]>) => {
      let text = ''
      for await (const batch of batches) for (const lines of batch) text += decode(lines.bytes)
      return text
    }
    for (const format of ['jsonl', 'csv', 'tsv'] as const) {
      const end = format === 'csv' ? '\r\n' : '\n'
      for (const size of sample([900, bytes.length, 5000], 1)) {
        for (const fields of [
          ['title', 'id'],
          ['revision.text', 'ns', 'revision.bytes', 'redirect'],
          ['id', 'revision'],
          ['revision.contributor.username', 'id', 'revision.contributor.id', 'revision.contributor.deleted'],
        ]) {
          const choice = { fields, format: LINE_FORMATS[format], setup: { rows: 1000, safe: format === 'csv' } }
          const write = chosenWriter('pages', choice)
          let expected = ''
          for await (const page of readDump(bytes).pages()) expected += `${write(page)}${end}`
          expect(await read(readDump(inPieces(bytes, size)).pageLines({ choice }).batches())).toBe(expected)
        }
        for (const fields of [
          ['id', 'text'],
          ['page.id', 'page.title', 'id', 'comment', 'minor'],
          ['page', 'contributor'],
          ['contributor.ip', 'contributor.username'],
        ]) {
          const choice = { fields, format: LINE_FORMATS[format] }
          const write = chosenWriter('revisions', choice)
          let expected = ''
          for await (const revision of readDump(bytes).revisions()) expected += `${write(revision)}${end}`
          expect(await read(readDump(inPieces(bytes, size)).revisionLines({ choice }).batches())).toBe(expected)
        }
      }
    }
  })

  test('are those of a page that is as large as what is held at once, or nearly', async () => {
    const lengths = range(0, 21).map((i) => 97 * i)
    for (const missing of sample(lengths, 5)) {
      const page = (size: number) =>
        `<page><title>t</title><id>1</id><revision><id>1</id><text>${'x'.repeat(size)}</text></revision></page>`
      const bytes = encode(`<mediawiki>${page(512 * 1024 - missing)}${page(3)}</mediawiki>`)
      const { counts, text, error } = await readLines([bytes])
      expect({ pages: counts.pages, length: text.length, error }).toMatchObject({ pages: 2, error: undefined })
      expect(text.length).toBeGreaterThan(512 * 1024 - missing)
    }
  })

  test('are those of pages with elements that are there twice', async () => {
    const contributors = [
      '<contributor><id>7</id></contributor>',
      '<contributor><username>u</username></contributor>',
      '<contributor><ip>::1</ip></contributor>',
      '<contributor></contributor>',
    ]
    for (const one of contributors) {
      for (const two of contributors) {
        const revision = `<revision><id>1</id>${one}${two}</revision>`
        const bytes = encode(`<mediawiki><page><title>t</title><id>1</id>${revision}</page></mediawiki>`)
        expect((await readLines(bytes)).text).toBe(await stringifyPages(bytes))
      }
    }
  })

  test('have fields of a contributor that is one of several kinds as the object has them', async () => {
    const parts = ['<username>u</username>', '<username/>', '<ip>::1</ip>', '<ip/>', '<id>7</id>', '<id>x</id>', '']
    const fields = ['username', 'id', 'ip', 'deleted'].map((name) => `revision.contributor.${name}`)
    const contributors = ['', ' deleted="deleted"'].flatMap((attribute) =>
      parts.flatMap((one) => parts.map((two) => `<contributor${attribute}>${one}${two}</contributor>`)),
    )
    for (const contributor of [...sample(contributors, 12), '']) {
      const revision = `<revision><id>1</id>${contributor}</revision>`
      // So many that the kernel writes them.
      const pages = range(0, 30).map((id) => `<page><title>t</title><id>${id}</id>${revision}</page>`)
      const bytes = encode(`<mediawiki>${pages.join('')}</mediawiki>`)
      const objects = await collectAll(readDump(bytes).pages()).catch(String)
      for (const names of [fields, ...fields.map((field) => [field, 'id'])]) {
        const choice = { fields: names, format: LINE_FORMATS.jsonl }
        const { text, error } = await readLines(bytes, { choice })
        const write = chosenWriter('pages', choice)
        const expected = typeof objects === 'string' ? objects : objects.map((page) => `${write(page)}\n`).join('')
        expect({ contributor, lines: error ? String(error) : text }).toEqual({ contributor, lines: expected })
      }
    }
  })

  test('report an error in what has arrived, also if the source fails after it', async () => {
    const good = '<page><title>x</title><id>1</id></page>\n'
    const faults = [
      '<page></foo>',
      '<page><title>x</titel>',
      '<page><title>&bad;</title>',
      '</mediawikx>',
      '</mediawiki><x>',
    ]
    const both = '<page><title>x</title><id>1</id><revision><id>2</id><contributor><ip>1</ip><username>&bad;</username>'
    for (const bad of [...faults, both]) {
      const source = () => failing([encode(`<mediawiki>${good}${bad}`)], new Error('gone'))
      let fault: unknown
      try {
        for await (const _ of readDump(source()).pages());
      } catch (error) {
        fault = error
      }
      expect(String(fault)).toMatch('XmlError')
      expect(String((await readLines(source())).error)).toBe(String(fault))
    }
  })

  test('keep nothing of what is between pages', async () => {
    const items = '<logitem><id>1</id></logitem>\n'.repeat(100)
    function* dump() {
      yield encode('<mediawiki><page><title>x</title><id>1</id></page>')
      for (let i = 0; i < (isThorough ? 2000 : 1000); i++) yield encode(items)
      yield encode('<page><title>y</title><id>2</id></page></mediawiki>')
    }
    let pages = 0
    const reader = readDump(dump(), { limits: { maxRetained: 2_000_000 }, highWaterMark: 100_000 })
    for await (const batch of reader.pageLines().batches()) for (const { records } of batch) pages += records
    expect(pages).toBe(2)
  })

  test.runIf(isThorough)('have their places where they are read from a page on, far from the start', async () => {
    const page = '<page><title>x</title><id>1</id></page>\n'
    const filler = encode(`${' '.repeat(2 ** 24 - 1)}\n`)
    const hows = ['pageLines', 'pages'] as const
    for (const gigabytes of isComplete ? [0.125, 2.5, 3, 5, 7] : [0.125, 2.25, 4.5]) {
      const count = gigabytes * 64
      const source = function* () {
        yield encode('<mediawiki>')
        for (let i = 0; i < count; i++) yield filler
        yield encode(`${page}${page}</mediawikx>`)
      }
      const startOffset = 11 + count * filler.length
      // In `npm run test:all`, only one of them reads gigabytes.
      for (const how of gigabytes < 1 ? hows : sample(hows, 1, 1)) {
        let error: unknown
        try {
          for await (const _ of new DumpReader(source(), {}, { startOffset })[how]());
        } catch (fault) {
          error = fault
        }
        expect(error).toMatchObject({ line: count + 3, byteOffset: startOffset + 2 * page.length + 2 })
        expect(String(error)).toMatch('</mediawikx> does not match <mediawiki> opened at 1:1')
      }
    }
  })

  test('can be those of some namespaces, and with or without redirects', async () => {
    const ids = async (filter: PageLineFilter) => {
      const { text } = await readLines(dump, filter)
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).id)
    }
    expect(await ids({ namespaces: new Set([1, 828]) })).toEqual([8, 12])
    expect(await ids({ redirects: 'only' })).toEqual([3])
    expect(await ids({ redirects: 'out', namespaces: new Set([0]) })).toEqual([1, 4, 5, 6, 7, 10])
  })

  test('can have fields that say nothing of what a filter looks at', async () => {
    const choice = { fields: ['title'], format: LINE_FORMATS.jsonl }
    const { text } = await readLines(dump, { choice, where: { minor: 'only' }, report: new Report([]) })
    expect(text).toBe('{"title":"Xylem"}\n')
  })

  test('are those of what document types declare, and of namespaces of any number', async () => {
    const page = '<page><title>&name;</title><ns>0</ns><id>1</id><revision><id>2</id><text>x</text></revision></page>'
    const plain = page.replace('&name;', 't')
    const type =
      '<!DOCTYPE mediawiki [<!ENTITY name "of a &lt;page>"><!ATTLIST text deleted CDATA "deleted" bytes CDATA "9">]>'
    const bytes = encode(`${type}<mediawiki>${page}${plain}${plain}</mediawiki>`)
    const { text, error } = await readLines(bytes)
    expect({ text, error }).toEqual({ text: await stringifyPages(bytes), error: undefined })
    expect(text).toContain('"title":"of a <page>"')
    expect(text).toContain('"bytes":9')
    const filter = { namespaces: new Set([2 ** 32, 5.5]) }
    expect((await readLines(`<mediawiki>${plain}${plain}</mediawiki>`, filter)).text).toBe('')
  })

  test('are counted', async () => {
    expect((await readLines(dump)).counts).toEqual({
      pages: 10,
      redirects: 1,
      revisions: 9,
      missingTexts: 1,
      suppressed: 2,
    })
  })

  test('are those of the pages before an error, and the error is the same, wherever it is', async () => {
    const good = (id: number) =>
      `<page><title>t${id}</title><ns>0</ns><id>${id}</id><redirect title="r" /><revision><id>1</id><parentid>2</parentid><timestamp>x</timestamp><contributor><username>u</username><id>3</id></contributor><minor /><comment>c</comment><model>m</model><format>f</format><text xml:space="preserve" bytes="4">text&amp;text</text><sha1>s</sha1></revision></page>\n`
    const whole = good(2)
    const faults = [
      '<',
      '>',
      '&',
      ']]>',
      '&nope;',
      '&#0;',
      '&#x110000;',
      '&#65',
      '&#x;',
      '</text>',
      '<b/>',
      '"',
      "'",
      ' x="1"',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.oneof(fc.constantFrom(...faults, '\u0001', '\ufffe'), fc.constant('')),
        fc.nat(6),
        fc.integer({ min: 1, max: 700 }),
        async (at, inserted, deleted, size) => {
          const bad = whole.slice(0, at) + inserted + whole.slice(at + deleted)
          const bytes = encode(`<mediawiki>\n${good(1)}${bad}${good(3)}</mediawiki>`)
          const { text, error } = await readLines(inPieces(bytes, size))
          let expected = ''
          let fault: unknown
          try {
            for await (const page of readDump(bytes).pages()) expected += `${JSON.stringify(page)}\n`
          } catch (found) {
            fault = found
          }
          // What could stand between two pages is not always known where the parser continues there.
          const describe = (value: unknown) => String(value).replace(/(unexpected:|expected .*, but)(?= found "]")/, '')
          expect({ text, fault: describe(error) }).toEqual({ text: expected, fault: describe(fault) })
        },
      ),
      parameters(1000, 8),
    )
  })

  test('before an error come before it, and malformed pages are errors', async () => {
    const good = '<page><title>x</title><id>1</id></page>\n'
    for (const bad of [
      '<page><title>y</titel></page>',
      '<page><id>2</id></page>',
      '<page><title>y</title><id>x</id></page>',
    ]) {
      const { text, error } = await readLines(`<mediawiki>${good}${bad}</mediawiki>`)
      expect(text).toBe('{"id":1,"title":"x"}\n')
      expect(error).toBeInstanceOf(Error)
    }
  })

  test('do not hide a page that is none where it is not asked for', async () => {
    for (const bad of [
      '<id>x</id><ns>5</ns>',
      '<ns>5</ns>',
      '<id>2</id><ns>x</ns>',
      '<id>2</id><ns>5</ns><revision/>',
    ]) {
      const { error } = await readLines(`<mediawiki><page><title>y</title>${bad}</page></mediawiki>`, {
        namespaces: new Set([0]),
      })
      expect(error).toMatchObject({ code: 'malformed-page' })
    }
  })

  test('of ranges are those of the pages that begin in them', async () => {
    let text = ''
    const cuts = [0, 700, 701, 2500, 5000, dump.length]
    for (const [i, start] of cuts.slice(0, -1).entries()) {
      const { reader } = new RangeReader(dump, { codec: 'none', start, end: cuts[i + 1] as number })
      for await (const batch of reader.pageLines().batches()) for (const { bytes } of batch) text += decode(bytes)
    }
    expect(text).toBe(await stringifyPages(dump))
  })
})

const real = findSharedData('ltgwiki-pages-articles.xml.bz2')
test.runIf(real)('the lines of a real dump are those of its pages as objects', async () => {
  expect((await readLines(new FileSource(real as string))).text).toBe(
    await stringifyPages(new FileSource(real as string)),
  )
})

describe('the lines of revisions', () => {
  const page = (id: number, inside: string) => `<page><title>p${id}</title><id>${id}</id>${inside}</page>\n`
  const pages = (inside: (id: number) => string) =>
    encode(`<mediawiki>${Array.from({ length: 40 }, (_, i) => page(i + 1, inside(i + 1))).join('')}</mediawiki>`)

  test('have of a page what its first revision found, however the dump arrives', async () => {
    const late = (id: number) =>
      `<revision><id>${id}1</id></revision><title>late</title><redirect title="R"/><revision><id>${id}2</id></revision>`
    for (const odd of ['', '<!-- c -->']) {
      const bytes = pages((id) => odd + late(id))
      const expected = await stringifyRevisions(bytes, {})
      for (const size of [bytes.length, 1000, 7]) {
        expect(await readRevisionLines(inPieces(bytes, size), {})).toEqual(expected)
      }
    }
  })

  test('have of a page what its first revision found, also if that has come and gone long ago', async () => {
    const revision = (id: number) => `<revision><id>${id}</id><text>${'&lt;text&gt; '.repeat(9)}${id}</text></revision>`
    const late = (id: number) =>
      `${[1, 2, 3].map((i) => revision(10 * id + i)).join('\n')}<redirect title="R${id}"/>${revision(10 * id + 4)}`
    const bytes = pages(late)
    for (const fields of [
      ['id', 'text'],
      ['page.redirect', 'id'],
      ['id', 'page.redirect', 'page.title'],
    ]) {
      const choice = { fields, format: LINE_FORMATS.jsonl }
      const write = chosenWriter('revisions', choice)
      let expected = ''
      for await (const found of readDump(bytes).revisions()) expected += `${write(found)}\n`
      for (const size of [bytes.length, 900, 90]) {
        const { text } = await readRevisionLines(inPieces(bytes, size), {}, { choice })
        expect(text).toBe(expected)
      }
    }
  })

  test('are left out for a page that is reported as not valid, whatever comes later in it', async () => {
    const revisions = '<revision><id>1</id></revision><title>late</title><revision><id>2</id></revision>'
    const invalid = encode(`<mediawiki>${`<page><id>5</id>${revisions}</page>\n`.repeat(40)}</mediawiki>`)
    for (const choice of [undefined, { fields: ['page.title', 'id'], format: LINE_FORMATS.jsonl } as const]) {
      const faults: unknown[] = []
      let lines = 0
      const reader = readDump(invalid, { onFault: (fault) => faults.push(fault) })
      for await (const { records } of reader.revisionLines({ choice })) lines += records
      expect({ lines, faults: faults.length }).toEqual({ lines: 0, faults: 40 })
    }
  })

  test.each(['jsonl', 'csv', 'tsv'] as const)('count texts that are missing: %s', async (format) => {
    const stubs = pages((id) => `<revision><id>${id}1</id><text bytes="5"/></revision>`)
    const fields = ['id', 'text']
    const { counts } = await readRevisionLines(stubs, {}, { choice: { fields, format: LINE_FORMATS[format] } })
    expect(counts).toMatchObject({ pages: 40, revisions: 40, missingTexts: 40 })
  })

  test('end at a limit, also within a page', async () => {
    const many = pages((id) => `<revision><id>${id}1</id></revision>`.repeat(5))
    const all = await stringifyRevisions(many, {})
    for (const limit of [0, 1, 5, 7, 199, 200, 201]) {
      const { text, counts } = await readRevisionLines(many, {}, { limit })
      expect(text).toBe(
        all.text
          .split(/(?<=\n)/)
          .slice(0, limit)
          .join(''),
      )
      expect(counts).toMatchObject({ revisions: Math.min(limit, 200), pages: Math.min(40, Math.ceil(limit / 5)) })
    }
  })

  test('before a filter throws are given, and then what it has thrown', async () => {
    const many = pages((id) => `<revision><id>${id}1</id></revision>`.repeat(3))
    const isWanted = ({ page: { id } }: PageRevisionTraits) => {
      if (id === 17) throw new Error('no more')
      return true
    }
    let lines = 0
    const reading = async () => {
      for await (const { records } of readDump(many).revisionLines({ isWanted })) lines += records
    }
    await expect(reading()).rejects.toThrow('no more')
    expect(lines).toBe(48)
  })

  test('find the contributors that are suppressed, who have no name', async () => {
    const contributor = '<contributor deleted="deleted"><username>hid</username><id>x</id></contributor>'
    for (const odd of ['', '<!-- c -->']) {
      const bytes = pages((id) => `${odd}<revision><id>${id}1</id>${contributor}</revision>`)
      const isWanted = ({ contributor: who }: PageRevisionTraits) => who !== undefined && 'deleted' in who
      expect((await readRevisionLines(bytes, {}, { isWanted })).counts.revisions).toBe(40)
    }
  })
})

test.each(['pageLines', 'revisionLines'] as const)('%s looks at no record if nobody asks for that', async (method) => {
  const revision = '<revision><id>2</id><text bytes="1">a</text></revision>'
  const page = `<page><title>A</title><ns>0</ns><id>1</id>${revision}<redirect title="B" />${revision}</page>`
  const source = encode(`<mediawiki>${page.repeat(300)}</mediawiki>`)
  const turn = vi.spyOn(RecordView.prototype, 'turnTo')
  const read = async (filter: object) => {
    turn.mockClear()
    const batches = await collectAll(readDump([source])[method](filter))
    const lines = batches.map(({ bytes }) => decode(bytes)).join('')
    return { lines, records: batches.reduce((sum, { records }) => sum + records, 0), turns: turn.mock.calls.length }
  }
  // The first reading loads the kernel.
  const [seen, passed] = [await read({ isWanted: () => true }), await read({ report: new Report([]) })]
  turn.mockRestore()
  expect(passed).toMatchObject({ lines: seen.lines, records: seen.records })
  expect(seen.turns).toBe(seen.records)
  expect(passed.turns).toBeLessThan(passed.records / 10)
  if (method === 'revisionLines') expect(passed.lines).not.toContain('redirect')
})
