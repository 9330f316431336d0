import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { DumpOptions } from '../../source/mediawiki/dump-options.ts'
import { readDump } from '../../source/mediawiki/dump-reader.ts'
import type { Page } from '../../source/mediawiki/shape/page.ts'
import { format as JSON_LINES } from '../../source/record/format/jsonl.ts'
import { SourceError } from '../../source/stream/errors.ts'
import { FileSource } from '../../source/stream/sources/node.ts'
import type { ByteSource } from '../../source/stream/sources/source.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { collectAll, everyCut, inPieces } from '../support/collect.ts'
import { isThorough, range, sample } from '../support/extent.ts'
import { findSharedData, fixturePath, readFixture } from '../support/fixtures.ts'

const dump = readFixture('mediawiki/small-dump.xml')
const lines = new TextDecoder().decode(readFixture('mediawiki/small-dump.jsonl')).trimEnd().split('\n')
const expected = lines.map((line) => JSON.parse(line) as Page)

/** The pages that come before an error, and the error. */
async function read(source: ByteSource, options: DumpOptions = {}): Promise<{ pages: Page[]; error: unknown }> {
  const pages: Page[] = []
  try {
    for await (const page of readDump(source, options).pages()) pages.push(page)
    return { pages, error: undefined }
  } catch (error) {
    return { pages, error }
  }
}

const page = (id: number, title = `Page ${id}`) => `<page><title>${title}</title><ns>0</ns><id>${id}</id></page>\n`
const encode = (text: string) => new TextEncoder().encode(text)

describe('reading a dump', () => {
  test('gives every page with its oddities, from complete input, byte by byte and at every cut', async () => {
    for (const chunks of everyCut(dump)) {
      const { pages, error } = await read(chunks)
      expect(error).toBeUndefined()
      if (JSON.stringify(pages) !== JSON.stringify(expected)) expect(pages).toEqual(expected)
    }
  })

  test('gives the pages of a part at whose end comments and processing instructions follow the root', async () => {
    const end = '</mediawiki >\n<!-- -x- > -->\n<?pi ?y?><!---->  '
    for (const chunks of everyCut(encode(`${page(1)}${page(2)}${end}`))) {
      const { pages, error } = await read(chunks, { isPart: true })
      expect(error).toBeUndefined()
      expect(pages.map(({ id }) => id)).toEqual([1, 2])
    }
    for (const trailing of sample(['<!-- x --', '<?pi ?', '<!- x -->', '<x/>', '<', 'x'], 3)) {
      const text = `${page(1)}${end}${trailing}`
      const { error } = await read(`<mediawiki>${text}`)
      const { code, byteOffset = Number.NaN } = error as ParseError
      expect(code).toMatch(/^unexpected-/)
      for (const chunks of everyCut(encode(text))) {
        const { pages, error } = await read(chunks, { isPart: true })
        expect(pages).toHaveLength(1)
        expect(error).toMatchObject({ code, byteOffset: byteOffset - '<mediawiki>'.length })
      }
    }
  })

  test('leaves the entities alone that a dump declares', async () => {
    const text = `<!DOCTYPE mediawiki [<!ENTITY n "Wood &amp; Bark"><!ENTITY m "(&n;)">]><mediawiki><siteinfo><sitename>&n;</sitename></siteinfo><page><title>&m;</title><id>1</id></page></mediawiki>`
    const reader = readDump([encode(text)])
    expect(await reader.siteInfo).toMatchObject({ siteName: 'Wood & Bark' })
    for (const chunks of everyCut(encode(text))) {
      expect(await read(chunks)).toMatchObject({ pages: [{ title: '(Wood & Bark)' }], error: undefined })
    }
  })

  test.each(['small-dump.xml', 'small-dump.xml.bz2', 'small-dump-multistream.xml.bz2', 'small-dump.xml.gz'])(
    'gives the same from %s, with keys in the documented order',
    async (name) => {
      const { pages, error } = await read(new FileSource(fixturePath(`mediawiki/${name}`)))
      expect(error).toBeUndefined()
      expect(pages.map((page) => JSON.stringify(page))).toEqual(lines)
    },
  )

  test('gives pages as the published JSON Schema describes them', () => {
    const schema = JSON.parse(readFileSync(new URL('../../docs/page.schema.json', import.meta.url), 'utf8'))
    const validate = new Ajv({ allErrors: true }).compile(schema)
    for (const page of expected) {
      validate(page)
      expect(validate.errors).toBeNull()
    }
    expect(validate({ id: '1', title: 'x' })).toBe(false)
    expect(validate({ id: 1, title: 'x', unknown: true })).toBe(false)
  })

  test('gives of parts of a discussion that come twice the last text, as of all elements', async () => {
    const parts = '<ThreadID>1</ThreadID><ThreadSubject>a</ThreadSubject><ThreadSubject>b</ThreadSubject><ThreadID/>'
    const text = `<mediawiki><page><title>x</title><id>1</id><DiscussionThreading>${parts}</DiscussionThreading></page></mediawiki>`
    for (const chunks of everyCut(encode(text))) {
      const { pages } = await read(chunks)
      expect(pages).toEqual([{ title: 'x', id: 1, discussion: { ThreadID: '', ThreadSubject: 'b' } }])
    }
  })

  test('gives the same in batches', async () => {
    const pages: Page[] = []
    for await (const batch of readDump(dump).pages().batches()) {
      expect(batch.length).toBeGreaterThan(0)
      pages.push(...batch)
    }
    expect(pages).toEqual(expected)
  })

  test('yields a page as soon as its end tag has arrived', async () => {
    let release: () => void = () => {}
    async function* slow() {
      yield `<mediawiki>${page(1)}${page(2)}<page><title>`
      await new Promise<void>((resolve) => {
        release = resolve
      })
      yield 'three</title><id>3</id></page></mediawiki>'
    }
    const pages = readDump(slow()).pages()
    expect((await pages.next()).value).toMatchObject({ id: 1 })
    expect((await pages.next()).value).toMatchObject({ id: 2 })
    const third = pages.next()
    release()
    expect((await third).value).toMatchObject({ id: 3, title: 'three' })
    expect((await pages.next()).done).toBe(true)
  })

  test('closes the source when the loop is left', async () => {
    let isClosed = false
    async function* endless() {
      try {
        yield '<mediawiki>'
        for (let id = 1; ; id++) yield page(id)
      } finally {
        isClosed = true
      }
    }
    for await (const { id } of readDump(endless()).pages()) if (id === 5) break
    expect(isClosed).toBe(true)
  })

  test('may be left after any page, in any encoding', async () => {
    const text = `<mediawiki>${page(1)}${page(2)}${page(3)}</mediawiki>`
    const wide = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
    const declared = encode(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`)
    for (const bytes of [encode(text), wide, declared]) {
      for (const chunks of [[bytes], inPieces(bytes, 50)]) {
        for (const last of [1, 2, 3]) {
          const seen: number[] = []
          for await (const { id } of readDump(chunks).pages()) {
            seen.push(id)
            if (id === last) break
          }
          expect(seen).toHaveLength(last)
        }
      }
    }
  })

  test('lets the event loop turn while everything is there already', async () => {
    const count = isThorough ? 30_000 : 5000
    function* many() {
      yield '<mediawiki>'
      for (let id = 1; id <= count; id++) yield page(id)
      yield '</mediawiki>'
    }
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    for await (const _ of readDump(many()).pages());
    const elapsed = performance.now() - start
    clearInterval(timer)
    expect(turns).toBeGreaterThan(elapsed / 60)
  })

  test('gives each page with its newest revision, wherever that stands', async () => {
    const revision = (id: number, time: string | undefined) =>
      `<revision><id>${id}</id>${time ? `<timestamp>${time}</timestamp>` : ''}<text>of ${id}</text></revision>`
    const january = '2026-01-02T03:04:05Z'
    const february = '2026-02-02T03:04:05Z'
    const cases: [revisions: string[], newest: number][] = [
      [[revision(1, january), revision(2, february)], 2],
      [[revision(2, february), revision(1, january)], 2],
      [[revision(1, february), revision(9, january), revision(3, january)], 1],
      [[revision(7, january), revision(8, january), revision(6, january)], 8],
      [[revision(10, january), revision(9, january)], 10],
      [[revision(5, january), revision(6, undefined)], 5],
      [[revision(6, undefined), revision(5, undefined)], 6],
      [[revision(-5, january), revision(-6, january)], -5],
      [[revision(1, '2026-02'), revision(2, '2026')], 1],
      [[revision(1, '2026-02-02T03:04:05&#90;'), revision(2, january)], 1],
      [[revision(3, `${february}<!-- -->`), revision(2, january)], 3],
    ]
    for (const [revisions, newest] of cases) {
      const text = `<mediawiki><page><title>t</title><id>1</id>${revisions.join('')}</page></mediawiki>`
      for (const chunks of [[text], [text.slice(0, 90), text.slice(90)]]) {
        const { pages, error } = await read(chunks)
        expect(error).toBeUndefined()
        expect(pages[0]?.revision).toMatchObject({ id: newest, text: `of ${newest}` })
        const lines: string[] = []
        for await (const batch of readDump(chunks).pageLines().batches())
          lines.push(...batch.map(({ bytes }) => new TextDecoder().decode(bytes)))
        expect(lines).toEqual([`${JSON.stringify(pages[0])}\n`])
      }
    }
  })

  test('holds no more of the history of a page than the revisions that are compared', async () => {
    const text = 'word '.repeat(20_000)
    function* history() {
      yield '<mediawiki><page><title>Long</title><id>1</id>'
      for (let id = 1; id <= 60; id++)
        yield `<revision><id>${id}</id><timestamp>2026-01-01T00:00:${String(id - 1).padStart(2, '0')}Z</timestamp><text>${text}</text></revision>`
      yield `</page>${page(2)}</mediawiki>`
    }
    // The page has 6 MB, a revision 100 kB.
    const options: DumpOptions = { limits: { maxRetained: 400_000 }, highWaterMark: 100_000 }
    const { pages, error } = await read(history(), options)
    expect(error).toBeUndefined()
    expect(pages.map(({ id, revision }) => [id, revision?.id])).toEqual([
      [1, 60],
      [2, undefined],
    ])
    let lines = 0
    for await (const { records } of readDump(history(), options).pageLines()) lines += records
    expect(lines).toBe(2)
    const ids: number[] = []
    for await (const { id } of readDump(history(), options).pages(({ id }) => id === 2)) ids.push(id)
    for await (const { id, end } of readDump(history(), options).places()) ids.push(id, end)
    expect(ids.slice(0, 2)).toEqual([2, 1])
    expect(ids).toHaveLength(5)
  })

  test('knows a page from the site description before it, and from words that look like tags', async () => {
    const text = `<mediawiki><siteinfo><case>&lt;page&gt;</case></siteinfo>${page(1, '&lt;/page&gt;')}</mediawiki>`
    for (const chunks of everyCut(encode(text))) {
      expect(await read(chunks)).toMatchObject({ pages: [{ id: 1, title: '</page>' }], error: undefined })
    }
  })

  test('may begin with a byte-order mark and an XML declaration, and have no pages', async () => {
    const text = '\ufeff<?xml version="1.0"?>\n<mediawiki></mediawiki>\n'
    for (const chunks of everyCut(encode(text))) expect(await read(chunks)).toEqual({ pages: [], error: undefined })
  })

  test('lets the event loop turn while its consumer works through a batch', async () => {
    const text = `<mediawiki>${Array.from({ length: 400 }, (_, id) => page(id)).join('')}</mediawiki>`
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    for await (const _ of readDump(text).pages()) {
      const end = performance.now() + 0.5
      while (performance.now() < end);
    }
    const elapsed = performance.now() - start
    clearInterval(timer)
    expect(turns).toBeGreaterThan(elapsed / 60)
  })

  test('stops at once when it is aborted, with the reason', async () => {
    const controller = new AbortController()
    const text = `<mediawiki>${Array.from({ length: 100 }, (_, id) => page(id)).join('')}</mediawiki>`
    let count = 0
    const reading = (async () => {
      for await (const _ of readDump([text, '<page>'], { signal: controller.signal, highWaterMark: 0 }).pages()) {
        count++
        if (count === 3) controller.abort('enough')
      }
    })()
    await expect(reading).rejects.toBe('enough')
    expect(count).toBe(3)
  })

  test('is done once', async () => {
    const reader = readDump(dump)
    for await (const _ of reader.pages());
    await expect(reader.pages().batches().next()).rejects.toMatchObject({ name: 'TypeError', code: 'dump-read' })
  })

  test('may be in UTF-16', async () => {
    const text = `\ufeff<mediawiki>${page(1, 'größe 🌳')}</mediawiki>`
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      for (const size of [1, 7, 1000]) {
        expect(await read(inPieces(new Uint8Array(bytes), size))).toMatchObject({
          pages: [{ id: 1, title: 'größe 🌳' }],
          error: undefined,
        })
      }
    }
  })

  test('skips what comes after the pages', async () => {
    const text = `<mediawiki>${page(1)}<logitem><id>9</id><params xml:space="preserve">a&amp;b</params></logitem></mediawiki>`
    expect((await read(text)).pages).toHaveLength(1)
    expect((await read(text)).error).toBeUndefined()
  })
})

describe('a dump with an error', () => {
  test('that is cut off anywhere gives the pages before the cut, and a ParseError', async () => {
    const text = `<mediawiki>\n${page(1)}${page(2)}${page(3)}</mediawiki>`
    const ends = [...text.matchAll(/<\/page>/g)].map((match) => match.index + match[0].length)
    const bytes = encode(text)
    for (const length of sample(range(0, bytes.length), 40)) {
      const { pages, error } = await read(bytes.slice(0, length))
      expect(pages).toHaveLength(ends.filter((end) => end <= length).length)
      expect(error).toBeInstanceOf(ParseError)
    }
  })

  test('reports line, column and byte offset of a wrong end tag, after the pages before', async () => {
    const before = `<mediawiki>\n${page(1, 'Zwölf 🌳')}`
    const wrong = '<page>\n<title>é🌳</titel>\n<id>2</id></page>\n'
    const chunked = everyCut(encode(`${before}${wrong}${page(3)}</mediawiki>`))
    for (const chunks of chunked) {
      const { pages, error } = await read(chunks)
      expect(pages).toMatchObject([{ id: 1 }])
      expect(error).toMatchObject({ name: 'XmlError', code: 'tag-mismatch', line: 4, column: 13 })
      expect((error as ParseError).byteOffset).toBe(encode(`${before}<page>\n<title>é🌳</`).length)
      expect((error as ParseError).message).toMatch(
        /^the end tag <\/titel> does not match <title> opened at 4:1 \[WFC: Element Type Match\] \(line 4, column 13, byte \d+\)$/,
      )
      expect((error as ParseError).excerpt).toContain('</titel>')
    }
  })

  test('counts folded line ends as they stand in the file', async () => {
    const before = '<mediawiki>\r\n<page>\r\n<title>a\r\n\r\nb</title>\r\n'
    const { error } = await read(`${before}<id>x</id></oops></page></mediawiki>`)
    expect(error).toMatchObject({ line: 6, column: 13, byteOffset: encode(`${before}<id>x</id></`).length })
  })

  test('says which page is not closed', async () => {
    const { pages, error } = await read(`<mediawiki>\n${page(1)}  <page><title>x`)
    expect(pages).toHaveLength(1)
    expect((error as ParseError).message).toContain('the input ends, but <title> opened at 3:9 is not closed')
  })

  test('says that the end is missing when it stops between two pages', async () => {
    const { error } = await read(`<mediawiki>\n${page(1)}`)
    expect((error as ParseError).message).toBe(
      'the input ends, but <mediawiki> opened at 1:1 is not closed (line 3, column 1, byte 67)',
    )
  })

  test.each([
    ['', 'not a MediaWiki dump'],
    ['{"json": true}', 'not a MediaWiki dump'],
    ['<html><body/></html>', 'the root element is <html>'],
    [page(1), 'the root element is <page>, not <mediawiki>'],
    ['<mediawiki></mediawiki><page></page>', 'one root element: after </mediawiki>'],
    [`<mediawiki>${page(1)}<oops>${page(2)}</mediawiki>`, 'a page must be inside <mediawiki>'],
    ['<mediawiki><page><title>x</title><id>1x</id></page></mediawiki>', 'the id of a page is not a whole number: "1x"'],
    ['<mediawiki><page><title>x</title></page></mediawiki>', 'the id of a page is missing'],
    ['<mediawiki><page><id>1</id></page></mediawiki>', 'a page has no title'],
    ['<mediawiki><page><title>&nbsp;</title><id>1</id></page></mediawiki>', 'the entity nbsp is not declared'],
    ['<mediawiki><page><title>x</title><id>0x1F</id></page></mediawiki>', 'not a whole number: "0x1F"'],
    ['<mediawiki><page/></mediawiki>', 'a page has no title'],
    ['<mediawiki></mediawiki><mediawiki></mediawiki>', 'one root element: after </mediawiki>'],
    ['\ufffe<mediawiki></mediawiki>', 'not a MediaWiki dump'],
  ])('%j is refused: %s', async (text, message) => {
    const { error } = await read(text)
    expect(error).toBeInstanceOf(ParseError)
    expect((error as ParseError).message).toContain(message)
  })

  const marked = (title: string, name: string, comment: string, text: string) =>
    `<page><title>${title}</title><id>2</id><revision><id>3</id><contributor><username>${name}</username></contributor><comment>${comment}</comment><text>${text}</text></revision></page>`
  test.each([
    ['title', 'page.title', marked('a<b>x</b>c', 'n', 'c', 't')],
    ['revision.contributor.username', 'contributor.username', marked('t', '<i/>n', 'c', 't')],
    ['revision.comment', 'comment', marked('t', 'n', 'c<br />', 't')],
    ['revision.text', 'text', marked('t', 'n', 'c', 'te<br/>xt')],
    ['revision.id', 'id', marked('t', 'n', 'c', 't').replace('>3<', '><b/>3<')],
  ])('with an element in a text reports the text: %s', async (ofPage, ofRevision, wrong) => {
    const many = range(10, 20).map((id) => page(id))
    for (const before of ['', many.join('')]) {
      const bytes = encode(`<mediawiki>${before}${page(1)}${wrong}${page(4)}</mediawiki>`)
      for (const chunks of before === '' ? everyCut(bytes) : sample([...everyCut(bytes)], 2, 50)) {
        const places = new Set<unknown>()
        const expectFault = (fault: unknown, field: string) => {
          expect(fault).toMatchObject({ code: 'malformed-page', line: before === '' ? 2 : 12 })
          expect((fault as Error).message).toContain(`${field} contains an element; `)
          places.add((fault as ParseError).byteOffset)
        }
        const { pages, error } = await read(chunks)
        expect(pages.at(-1)?.id).toBe(1)
        expectFault(error, ofPage)
        const faults: unknown[] = []
        const open = () => readDump(chunks, { onFault: (fault) => faults.push(fault) })
        expect((await collectAll(open().pages())).map(({ id }) => id).slice(-2)).toEqual([1, 4])
        expect(await collectAll(open().revisions())).toEqual([])
        for await (const { records } of open().pageLines()) expect(records).toBeGreaterThan(0)
        for await (const { records } of open().revisionLines()) expect(records).toBe(0)
        expect(faults).toHaveLength(4)
        for (const [i, fault] of faults.entries()) expectFault(fault, i % 2 === 0 ? ofPage : ofRevision)
        expect(places.size).toBe(1)
        const choice = { fields: ['ns'], format: JSON_LINES }
        const lines = await collectAll(readDump(chunks).pageLines({ choice }))
        // What is not asked for is not looked at.
        expect(lines.reduce((sum, { records }) => sum + records, 0)).toBe(before === '' ? 3 : 13)
      }
    }
  })

  test('with a byte that is not UTF-8 reports its place, if it is to be strict', async () => {
    const bytes = encode(`<mediawiki>\n${page(1)}<page><title>ab?</title><id>2</id></page></mediawiki>`)
    const place = bytes.indexOf(0x3f)
    bytes[place] = 0xff
    for (const chunks of everyCut(bytes)) {
      const { pages, error } = await read(chunks, { strict: true })
      expect(pages).toHaveLength(1)
      expect(error).toMatchObject({ code: 'malformed-text', byteOffset: place, line: 3, column: 16 })
    }
  })

  test('whose source fails gives the pages before, and the failure', async () => {
    async function* failing() {
      yield `<mediawiki>${page(1)}${page(2)}<page>`
      throw new Error('the disk is gone')
    }
    const { pages, error } = await read(failing())
    expect(pages).toHaveLength(2)
    expect(error).toBeInstanceOf(SourceError)
    expect(error).toMatchObject({ cause: { message: 'the disk is gone' } })
  })

  test('of an archive that is corrupt gives the pages before, and the error of the archive', async () => {
    const archive = readFixture('mediawiki/small-dump-multistream.xml.bz2')
    const { pages, error } = await read(archive.slice(0, archive.length - 200))
    expect(pages.length).toBeGreaterThan(5)
    expect(error).toMatchObject({ code: 'source-damaged', cause: { name: 'CompressionError', code: 'truncated' } })
  })
})

const real = findSharedData('ltgwiki-pages-articles.xml.bz2')
test.runIf(real)('a real dump of 2,004 pages is read in full', async () => {
  const { pages, error } = await read(new FileSource(real as string))
  expect(error).toBeUndefined()
  expect(pages).toHaveLength(2004)
  expect(pages.map((page) => page.id)).toEqual(pages.map((page) => page.id).sort((a, b) => a - b))
  expect(pages.reduce((sum, page) => sum + (page.revision?.text?.length ?? 0), 0)).toBe(2_297_154)
})
