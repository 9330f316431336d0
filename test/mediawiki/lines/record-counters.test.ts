// What is counted of the records of dumps.

import { expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { countLists, countRecords } from '../../../source/mediawiki/lines/record-counters.ts'
import { Report } from '../../../source/record/report.ts'
import { readFixture } from '../../support/fixtures.ts'

const page = (id: number, ns: number, more = '') =>
  `<page><title>p${id}</title><ns>${ns}</ns><id>${id}</id>${more}<revision><id>${id}</id><model>wikitext</model></revision></page>`

test('the namespaces that pages are in are noted, whatever else is wanted of these', async () => {
  const where = { ns: ['0', '10'], redirects: 'out', titles: ['p1', 'p3', 'p3'] } as const
  const report = new Report(countLists('pages', where))
  const dump = `<mediawiki>${page(1, 10, '<redirect title="x"/>')}${page(2, 4)}</mediawiki>`
  for await (const _ of readDump(dump).pageLines({ where, report }));
  expect(report.data).toEqual({ seen: { ns: [1], titles: [] } })
})

test('a value that is listed twice is seen twice, and ranges of ids may overlap', async () => {
  const ids = [
    { first: 5, last: 9 },
    { first: 1, last: 100 },
    { first: 2, last: 2 },
    { first: 7, last: 7 },
  ]
  const where = { titles: ['p2', 'p9', 'p2'], ids, model: ['x', 'wikitext'] }
  const report = new Report(countLists('revisions', where))
  for await (const _ of readDump(`<mediawiki>${page(2, 0)}${page(3, 0)}</mediawiki>`).revisionLines({ where, report }));
  expect(report.data).toEqual({ seen: { titles: [0, 2], ids: [1, 2], model: [1] } })
})

test.each(['pages', 'revisions'] as const)('reports on parts add up: %s', async (kind) => {
  const start = () => new Report(countRecords(kind))
  const read = async (bytes: Uint8Array | string, report: ReturnType<typeof start>) => {
    const reader = readDump(bytes)
    for await (const _ of kind === 'pages' ? reader.pageLines({ report }) : reader.revisionLines({ report }));
    return report
  }
  const dump = readFixture('mediawiki/small-dump.xml')
  const text = new TextDecoder().decode(dump)
  const head = text.slice(0, text.indexOf('<page>'))
  const pages = text.slice(head.length, text.lastIndexOf('</page>') + 7).split(/(?=<page>)/)
  const whole = await read(dump, start())
  for (let cut = 0; cut <= pages.length; cut++) {
    const sum = start()
    for (const part of [pages.slice(0, cut), pages.slice(cut)])
      sum.add(JSON.parse(JSON.stringify((await read(`${head}${part.join('')}</mediawiki>`, start())).data)))
    expect(sum.data).toEqual(whole.data)
  }
})
