import { expect, test } from 'vitest'
import { readXml } from 'xylem/xml/streaming'
import { Structure } from '../../../playground/explorer/worker/document/structure.ts'

async function propose(document: string): Promise<string | undefined> {
  const structure = new Structure(1000)
  for await (const events of readXml([document]).events().batches()) for (const event of events) structure.add(event)
  const node = structure.likelyRecord
  return node === undefined ? undefined : structure.pick(node)?.path
}

const entry = '<entry id="1"><link href="a"/><link href="b"/><link href="c"/></entry>'

test.each([
  ['entries of a feed, not the links in them', `<feed><link href="x"/>${entry}${entry}</feed>`, 'feed/entry'],
  [
    'items in a channel',
    '<rss><channel><title>x</title><item><title>a</title></item><item><title>b</title></item></channel></rss>',
    'rss/channel/item',
  ],
  [
    'what has most, of several kinds',
    '<osm><way id="1"/><way id="2"/><node id="1"/><node id="2"/><node id="3"/></osm>',
    'osm/node',
  ],
  ['addresses of a sitemap', '<urlset><url><loc>a</loc></url><url><loc>b</loc></url></urlset>', 'urlset/url'],
  ['rows of attributes alone', '<posts><row Id="1"/><row Id="2"/></posts>', 'posts/row'],
  [
    'rows, not settings that stand above them',
    `<t><set k="a"/><set k="b"/><data>${'<row a="1"/>'.repeat(9)}</data></t>`,
    't/data/row',
  ],
  ['rows, not their more numerous cells', `<t>${`<row>${'<c r="1"/>'.repeat(9)}</row>`.repeat(3)}</t>`, 't/row'],
  [
    'books, not the few shelves around them',
    `<t>${`<shelf>${'<book id="1"/>'.repeat(50)}</shelf>`.repeat(2)}</t>`,
    't/shelf/book',
  ],
  ['nothing where nothing is repeated', '<a><b c="1"/><d><b c="1"/></d></a>', undefined],
  ['texts, where nothing else is repeated', '<a><c id="1"/><b>1</b><b>2</b></a>', 'a/b'],
  ['not texts, where something with fields is repeated', `<a>${'<b>1</b>'.repeat(9)}<c id="1"/><c id="2"/></a>`, 'a/c'],
  ['nothing where what is repeated is empty', '<a><b/><b/></a>', undefined],
  ['nothing in an empty document', '<a/>', undefined],
])('the records that are proposed are %s', async (_, document, path) => {
  expect(await propose(document)).toBe(path)
})
