// How many matches lie in the outermost ones, against reading all of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readXml } from '../../../source/xml/index.ts'
import type { RecordView } from '../../../source/xml/output/record-view.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments, repeatContent } from '../../support/random-xml.ts'

const ENGINES = ['wasm', 'plain'] as const
type Options = Parameters<ReturnType<typeof readXml>['writtenBatches']>[3]

async function viewsOf<Value>(
  pieces: readonly Uint8Array[],
  paths: readonly string[],
  { engine, ...options }: { engine?: (typeof ENGINES)[number] } & Options,
  look: (record: RecordView) => Value,
): Promise<Value[]> {
  const found: Value[] = []
  const onRecord = (record: RecordView) => void found.push(look(record))
  const reader = readXml(pieces, { engine })
  const batches = reader.writtenBatches('jsonl', paths, { n: '@n', b: ['b'] }, options, { onRecord, countsInner: true })
  for await (const _ of batches);
  return found
}

test('each outermost match knows how many matches are in it, in random documents', { timeout: 120_000 }, async () => {
  // The last question is not closed: too many steps follow each other.
  const paths = fc.constantFrom(['a'], ['a/b', 'b'], ['*/*'], ['/r/*'], ['c[@n]', 'd'], [`a${'/*'.repeat(14)}`, 'b'])
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(randomDocuments, fc.integer({ min: 1, max: 6 })),
      paths,
      fc.constantFrom(...ENGINES),
      fc.array(fc.nat(4000), { maxLength: 4 }),
      async ([one, times], asked, engine, cuts) => {
        const document = repeatContent(one, times)
        const pieces = cutAt(document, cuts)
        const all = await viewsOf(pieces, asked, { nested: 'all' }, ({ start }) => start)
        const outermost = await viewsOf(pieces, asked, { engine }, ({ start, end, innerMatches }) => {
          return { start, end, innerMatches }
        })
        const inner = outermost.reduce((sum, { innerMatches }) => sum + innerMatches, 0)
        expect(outermost.length + inner, document).toBe(all.length)
        // All elements that an entity brings are where the reference is.
        if (document.includes('&e;')) return
        const counted = outermost.map(({ start, end }) => all.filter((one) => one > start && one < end).length)
        expect(
          outermost.map(({ innerMatches }) => innerMatches),
          document,
        ).toEqual(counted)
      },
    ),
    parameters(300, 5),
  )
})

test('nothing is counted for innermost matches and for all', async () => {
  const document = [new TextEncoder().encode('<r><a><a/></a></r>')]
  for (const nested of ['innermost', 'all'] as const)
    expect(await viewsOf(document, ['a'], { nested }, (record) => record.innerMatches)).not.toContain(1)
  expect(await viewsOf(document, ['a'], {}, (record) => record.innerMatches)).toEqual([1])
})
