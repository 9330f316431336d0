import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { nameOfField, parseAddedField } from '../../../source/mediawiki/lines/added-fields.ts'
import type { PageLines } from '../../../source/mediawiki/lines/page-lines.ts'
import { inPieces } from '../../support/collect.ts'
import { LINE_FORMATS } from '../../support/notations.ts'

const revision = (id: number, more: string, attributes = '') =>
  `<revision>
      <id>${id}</id>
      <timestamp>2026-01-0${id}T00:00:00Z</timestamp>
      <contributor><username>A</username><id>1</id></contributor>${more}
      <text bytes="4" ${attributes}>text</text>
    </revision>`
const page = (id: number, more: string, revisions: string) =>
  `<page>
    <title>T &amp; ${id}</title>
    <ns>0</ns>
    <id>${id}</id>${more}
    ${revisions}
  </page>`
const dump = `<mediawiki>
  ${page(1, '', revision(2, '<model>new</model>', 'xml:space="preserve"') + revision(1, '<model>old</model>'))}
  ${page(2, '<mark n="1">a</mark><mark n="2">b</mark>', revision(3, '<tag>x</tag><tag>y &lt; z</tag>'))}
  ${page(3, '<mark/>', '')}
</mediawiki>`
const bytes = new TextEncoder().encode(dump)

async function linesOf(
  kind: 'pages' | 'revisions',
  fields: readonly string[],
  { format = 'jsonl', size = bytes.length }: { format?: keyof typeof LINE_FORMATS; size?: number } = {},
): Promise<string[]> {
  const choice = { fields, format: LINE_FORMATS[format] }
  const reader = readDump(inPieces(bytes, size))
  const batches: AsyncIterable<PageLines[]> =
    kind === 'pages' ? reader.pageLines({ choice }).batches() : reader.revisionLines({ choice }).batches()
  let text = ''
  for await (const batch of batches) for (const lines of batch) text += new TextDecoder().decode(lines.bytes)
  return text.split(/\r?\n/).slice(0, -1)
}

describe('a field that is added to records', () => {
  test('has a name and a path, which may lead into the newest revision, or into the page of a revision', () => {
    expect(parseAddedField('pages', 'revision.id')).toBeUndefined()
    expect(parseAddedField('pages', 'a=b/@c')).toMatchObject({
      name: 'a',
      path: 'b/@c',
      isList: false,
      isOfOther: false,
    })
    expect(parseAddedField('pages', 'a[]=revision/b')).toMatchObject({ path: 'b', isList: true, isOfOther: true })
    expect(parseAddedField('pages', 'a=revision//b')).toMatchObject({ path: '//b', isOfOther: true })
    expect(parseAddedField('pages', 'a=revision')).toMatchObject({ path: '.', isOfOther: true })
    expect(parseAddedField('pages', 'a=revisions')).toMatchObject({ path: 'revisions', isOfOther: false })
    expect(parseAddedField('revisions', 'a=revision')).toMatchObject({ path: 'revision', isOfOther: false })
    expect(parseAddedField('revisions', 'a=page/@b')).toMatchObject({ path: '@b', isOfOther: true })
    expect(parseAddedField('pages', 'a=revision/')).toMatchObject({ path: 'revision/', isOfOther: false })
    expect(nameOfField('pages', 'a[]=b')).toBe('a')
    expect(nameOfField('pages', 'id')).toBe('id')
  })

  test('may be in any namespace', async () => {
    for (const fields of [['id'], ['id', 'revision.other']]) {
      const lines = await linesOf('pages', [...fields, 'marks[]=*:mark', 'n=*:mark/@*:n', 'model=revision/*:model'])
      expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
        { id: 1, marks: [], model: 'new' },
        { id: 2, marks: ['a', 'b'], n: '1' },
        { id: 3, marks: [''] },
      ])
    }
  })

  test.each([
    ['the kernel writes', ['id']],
    ['are written from objects', ['id', 'revision.other']],
  ])('stands among fields that %s', async (_, fields) => {
    const added = [
      'mark=mark/@n',
      'marks[]=mark',
      'model=revision/model',
      'tags[]=revision/tag',
      'space=revision/text/@xml:space',
    ]
    for (const size of [bytes.length, 7]) {
      const lines = await linesOf('pages', [...fields, ...added], { size })
      const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(rows.map(({ 'revision.other': _, ...row }) => row)).toEqual([
        { id: 1, marks: [], model: 'new', tags: [], space: 'preserve' },
        { id: 2, mark: '1', marks: ['a', 'b'], tags: ['x', 'y < z'] },
        { id: 3, marks: [''] },
      ])
    }
  })

  test('stands in cells of tables', async () => {
    expect(await linesOf('pages', ['marks[]=mark', 'id', 'n=mark/@n'], { format: 'csv' })).toEqual([
      '[],1,',
      '"[""a"",""b""]",2,1',
      '"[""""]",3,',
    ])
  })

  test('is read of a revision, or of its page as far as that is known', async () => {
    for (const size of [bytes.length, 7]) {
      const ofRevision = await linesOf('revisions', ['page.id', 'id', 'model=model', 'tags[]=tag'], { size })
      expect(ofRevision.map((line) => JSON.parse(line))).toEqual([
        { 'page.id': 1, id: 2, model: 'new', tags: [] },
        { 'page.id': 1, id: 1, model: 'old', tags: [] },
        { 'page.id': 2, id: 3, tags: ['x', 'y < z'] },
      ])
      const ofPage = await linesOf('revisions', ['id', 'mark=page/mark', 'title=page/title'], { size })
      expect(ofPage.map((line) => JSON.parse(line))).toEqual([
        { id: 2, title: 'T & 1' },
        { id: 1, title: 'T & 1' },
        { id: 3, mark: 'a', title: 'T & 2' },
      ])
    }
  })

  test('of a revision that a page does not have is absent, whoever writes the line', async () => {
    const pages = Array.from({ length: 40 }, (_, i) => `<page><title>p</title><ns>0</ns><id>${i}</id></page>`).join('')
    const reader = readDump(`<mediawiki>${pages}</mediawiki>`)
    const choice = { fields: ['ns', 'ids[]=revision/id'], format: LINE_FORMATS.csv } as const
    let text = ''
    for await (const { bytes: lines } of reader.pageLines({ choice })) text += new TextDecoder().decode(lines)
    expect(text).toBe('0,\r\n'.repeat(40))
  })

  test('may be at any depth, and a page in a page is still an error', async () => {
    const inner = '<page><title>in</title><id>5</id><revision><id>6</id></revision></page>'
    for (const place of ['page', 'revision']) {
      const pages = Array.from({ length: 40 }, (_, i) => {
        const [inPage, inRevision] = i !== 19 ? ['', ''] : place === 'page' ? [inner, ''] : ['', inner]
        const own = `<revision><id>${i}1</id><comment>xxxxxxxxxxxxxx</comment>${inRevision}</revision>`
        return `<page><title>p${i}</title><ns>0</ns><id>${i}</id>${inPage}${own}</page>\n`
      })
      const choice = { fields: ['id', 'x=//id'], format: LINE_FORMATS.jsonl } as const
      let lines = 0
      const reading = async () => {
        for await (const { records } of readDump(`<mediawiki>${pages.join('')}</mediawiki>`).revisionLines({
          choice,
        })) {
          lines += records
        }
      }
      await expect(reading()).rejects.toThrow('a page must be inside <mediawiki>')
      expect(lines).toBe(19)
    }
  })
})
