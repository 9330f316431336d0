import { expect, test } from 'vitest'
import { readXml, type XmlOptions } from '../../../source/xml/index.ts'
import { everyCut, inPieces } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../../support/growth.ts'

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

test.each(['wasm', 'plain'] as const)(
  'what an entity or a default brings to a tag counts once, however small the pieces are (%s)',
  async (engine) => {
    const types = '<!ENTITY e "{}"><!ATTLIST p d CDATA "{}">'.replaceAll('{}', 'y'.repeat(2000))
    const document = `<!DOCTYPE r [${types}]><r><p a="&e;">${'<b>x</b>'.repeat(500)}</p></r>`
    for (const size of [8, 1000]) {
      const found: unknown[] = []
      for await (const { b } of readXml(inPieces(encoder.encode(document), size), { engine }).records('p', {
        b: ['b'],
      }))
        found.push(b.length)
      expect(found).toEqual([500])
    }
  },
)

test.each(['wasm', 'plain'] as const)(
  'a limit names the place of the field that is held, also after values were looked at (%s)',
  async (engine) => {
    const document = `<r>\n<p>${'<n>1</n>\n'.repeat(300)}</p></r>`
    const reader = readXml(inPieces(encoder.encode(document), 7), { engine, limits: { maxRetained: 2000 } })
    const reading = reader
      .records('p', { t: '.', n: [{ path: 'n', as: 'number' }] })
      .batches()
      [Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toThrow(/begins at 2:4 .*\(line 224, column 5, byte 2009\)/)
  },
)

test.each([
  ['<r><p:', 'qualified-name', 3],
  ['<r><u:v', 'undeclared-prefix', 3],
  ['<r><u:v <', 'undeclared-prefix', 3],
  ['<r><u:v a="1" <', 'undeclared-prefix', 3],
  ['<r><a x="1" x="2" <', 'duplicate-attribute', 13],
])('an error in a tag comes before its missing end: %s', async (document, code, byteOffset) => {
  for (const engine of ['wasm', 'plain'] as const) {
    for (const cut of everyCut(encoder.encode(document))) {
      await expect(readXml(cut, { engine }).check()).rejects.toMatchObject({ code, byteOffset })
    }
  }
})

test.runIf(isThorough)('an element whose end has not come is not read again and again', async () => {
  const attributes = Array.from({ length: 50_000 }, (_, i) => ` a${i}=""`).join('')
  const make = (count: number) => {
    const rest = inPieces(encoder.encode(`<p>${'<b/>'.repeat(count)}</p></r>`), 8)
    const chunks = [encoder.encode(`<r><q${attributes}/>`), ...rest]
    return async () => {
      for await (const _ of readXml(chunks, { engine: 'wasm' })
        .records('p', { b: ['b'] })
        .batches());
    }
  }
  expect(await growthOf({ count: 3000, make })).toBeLessThan(MOST_GROWTH)
})
