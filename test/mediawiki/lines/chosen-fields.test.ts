// The fields of lines stand in the order in which they were asked for, whatever writes the lines. In objects of JavaScript, names that are whole numbers
// come first.

import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import type { PageLines } from '../../../source/mediawiki/lines/page-lines.ts'
import { count, keepFirst, Report } from '../../../source/record/report.ts'
import { everyCut, inPieces } from '../../support/collect.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { chosenWriter, LINE_FORMATS } from '../../support/notations.ts'

const revision = (id: number) =>
  `<revision><id>${id}</id><timestamp>2026-01-02T03:04:05Z</timestamp>${id % 4 === 0 ? '<!-- odd -->' : ''}<text bytes="1">x</text></revision>`
const page = (id: number) => `<page><title>T${id}</title><ns>0</ns><id>${id}</id>${revision(id)}</page>`
const ids = Array.from({ length: 40 }, (_, i) => i + 1)
const dumpOf = (some: readonly number[]) =>
  new TextEncoder().encode(`<mediawiki>\n${some.map(page).join('\n')}\n</mediawiki>`)
/** Objects are made of the records whose texts are looked at. */
/** Looks at texts that are not written. */
const counting = (kind: 'pages' | 'revisions') => {
  const fields = [kind === 'pages' ? 'revision.text' : 'text']
  return new Report([count('texts', keepFirst, { on: 'written', fields, checks: true })])
}

const encoder = new TextEncoder()

async function collect(lines: AsyncIterable<PageLines>): Promise<string> {
  let text = ''
  for await (const { bytes } of lines) text += new TextDecoder().decode(bytes)
  return text
}

async function linesOf(
  kind: 'pages' | 'revisions',
  pieces: readonly Uint8Array[],
  fields: readonly string[],
  isSeen: boolean,
) {
  const choice = { fields, format: LINE_FORMATS.jsonl } as const
  const options = { choice, ...(isSeen && { report: counting(kind) }) }
  const reader = readDump(pieces)
  const lines: AsyncIterable<PageLines> = kind === 'pages' ? reader.pageLines(options) : reader.revisionLines(options)
  let text = ''
  for await (const { bytes } of lines) text += new TextDecoder().decode(bytes)
  return text
}

describe('chosen fields', () => {
  const CASES = [
    [
      'pages',
      ['title', '10=revision/timestamp', 'id', '1=title', 'none=none', '0=ns'],
      (id: number) => `{"title":"T${id}","10":"2026-01-02T03:04:05Z","id":${id},"1":"T${id}","0":"0"}\n`,
    ],
    [
      'revisions',
      ['page.title', '2=page/id', 'id', '1=text/@bytes', 'timestamp'],
      (id: number) => `{"page.title":"T${id}","2":"${id}","id":${id},"1":"1","timestamp":"2026-01-02T03:04:05Z"}\n`,
    ],
    [
      'revisions',
      ['id', '1=timestamp', 'page.title'],
      (id: number) => `{"id":${id},"1":"2026-01-02T03:04:05Z","page.title":"T${id}"}\n`,
    ],
    // What is added to a record is not in that record, where it is written completely.
    [
      'pages',
      ['revision', 'at=revision/timestamp'],
      (id: number) =>
        `{"revision":{"id":${id},"timestamp":"2026-01-02T03:04:05Z","bytes":1,"text":"x"},"at":"2026-01-02T03:04:05Z"}\n`,
    ],
    [
      'revisions',
      ['t=page/title', 'page'],
      (id: number) => `{"t":"T${id}","page":{"id":${id},"ns":0,"title":"T${id}"}}\n`,
    ],
  ] as const

  test.each(sample(CASES, 2))(
    'of %s stand in the order of %j, whoever writes the line',
    async (kind, fields, lineOf) => {
      const bytes = dumpOf(ids)
      const expected = ids.map(lineOf).join('')
      for (const isSeen of [false, true]) {
        for (const pieces of [[bytes], inPieces(bytes, 1), inPieces(bytes, 100)])
          expect(await linesOf(kind, pieces, fields, isSeen)).toBe(expected)
        for (const pieces of everyCut(dumpOf([3, 4])))
          expect(await linesOf(kind, pieces, fields, isSeen)).toBe([3, 4].map(lineOf).join(''))
      }
    },
  )

  test.runIf(isThorough)(
    'are alone looked at: an error in another field is one only if all are to be checked',
    async () => {
      const bad = (inner: string) => encoder.encode(`<mediawiki><page><title>T</title>${inner}</page></mediawiki>`)
      for (const inner of [
        '<id>x</id>',
        '',
        '<id>1</id><ns>n</ns>',
        '<id>1</id><revision/>',
        '<id>1</id><revision><id>2</id><text bytes="b"/></revision>',
        '<id>1</id><revision><id>2</id><contributor><username>u</username><id>i</id></contributor></revision>',
      ]) {
        for (const pieces of everyCut(bad(inner))) {
          const choice = { fields: ['title'], format: LINE_FORMATS.jsonl, counts: true }
          expect(await collect(readDump(pieces).pageLines({ choice }))).toBe('{"title":"T"}\n')
          const all = collect(readDump(pieces).pageLines({ choice: { ...choice, checksAll: true } }))
          await expect(all).rejects.toMatchObject({ code: 'malformed-page' })
        }
      }
    },
  )

  test('are written with all names that JSON can have, and without those that are absent', () => {
    const write = chosenWriter('pages', {
      fields: ['__proto__=a', '7="', 'id', 'x"y=b'],
      format: LINE_FORMATS.jsonl,
    })
    const values = { '=__proto__': 'p', '=7': 'seven', '=x"y': undefined }
    expect(write({ id: 1 }, values)).toBe('{"__proto__":"p","7":"seven","id":1}')
  })
})
