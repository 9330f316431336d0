import { expect, test } from 'vitest'
import { readXml, type XmlOptions } from '../../../source/xml/index.ts'
import { everyCut } from '../../support/collect.ts'

const encoder = new TextEncoder()

async function read(chunks: Uint8Array[], options: XmlOptions): Promise<unknown[]> {
  const found: unknown[] = []
  const reader = () => readXml(chunks, options)
  for await (const events of reader().events().batches()) for (const event of events) found.push(JSON.stringify(event))
  for await (const { name, start, end, text } of reader().select('b', { nested: 'all' }))
    found.push([name, start, end, text])
  for await (const record of reader().records('b', { at: { path: '.', as: 'offset' }, c: ['c'], k: 'c/@k' }))
    found.push(record)
  return found
}

// Names that were seen before are passed by the kernel without a look at each tag.
test.each(['wasm', 'plain'] as const)('whether an element is empty does not depend on cuts (%s)', async (engine) => {
  const document = '<a><b/><b></b><b k="1"><c k="2"/><c k="3">é</c><c/></b><b/>\n<b k="4" /><c/></a>'
  for (const bytes of [encoder.encode(document), new Uint8Array(Buffer.from(`\ufeff${document}`, 'utf16le'))]) {
    const complete = await read([bytes], { engine })
    expect(complete.length).toBeGreaterThan(20)
    for (const cut of everyCut(bytes)) expect(await read(cut, { engine })).toEqual(complete)
  }
})
