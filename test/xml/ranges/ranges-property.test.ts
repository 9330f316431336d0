// Documents that nobody made for ranges: those of the conformance suite, and random ones.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guessCuts, planXmlRanges, readXmlRange, verifyCuts, type XmlRange } from '../../../source/xml/ranges/index.ts'
import { extent, isThorough, sample } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { randomDocuments } from '../../support/random-xml.ts'
import { compareCuts, SHAPE, suiteDocuments } from '../../support/suite-ranges.ts'
import { compress, cutAt, encode, readInRanges, readWhole } from '../../support/xml-ranges.ts'

describe('documents of the conformance suite in ranges', () => {
  const documents = suiteDocuments()

  test('are many', () => {
    expect(documents.length).toBeGreaterThan(1000)
  })

  test.runIf(isThorough)('give what one reading gives, cut in many places', async () => {
    const cuts = { step: extent(97, 27, 9), few: extent(4, 6, 8) }
    for (const document of sample(documents, 60, 600)) await compareCuts(document, cuts)
  })
})

describe('random documents in ranges', () => {
  test('give what one reading gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomDocuments,
        fc.array(fc.nat(2000), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(['a'], ['b', 'c'], ['/r/a', '/r/d'], ['{u}a', '{v}a'], ['a/b'], ['a[@n]']),
        fc.boolean(),
        fc.option(fc.nat(2000)),
        fc.constantFrom('outermost', 'innermost', 'all'),
        async (document, cuts, path, isCompressed, lost, nested) => {
          // With a tag that is lost, it is most often wrong.
          const text =
            lost === null ? document : document.replace(/(<\/?\w+>)/g, (tag, _, at) => (at === lost ? '' : tag))
          const content = encode(lost === null ? text : text.slice(0, -(lost % 5)) || text)
          const whole = await readWhole(content, path, SHAPE, {}, { nested })
          const file = isCompressed ? compress(content, 200) : content
          const { records, error } = await readInRanges(file, cuts, path, SHAPE, {}, { nested })
          expect({ records, error }).toEqual({ records: whole.records, error: whole.error })
        },
      ),
      parameters(120, 3),
    )
  })

  test.runIf(isThorough)(
    'give what one reading gives if their cuts are verified, and that or an error if they are guessed',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomDocuments,
          fc.array(fc.nat(2000), { minLength: 1, maxLength: 8 }),
          fc.constantFrom(['a'], ['b', 'c'], ['/r/a', '/r/d'], ['a/b'], ['a[@n]']),
          fc.boolean(),
          async (document, cuts, path, isCompressed) => {
            const content = encode(document)
            const file = isCompressed ? compress(content, 200) : content
            const { records, error } = await readWhole(content, path, SHAPE)
            const [planned] = await planXmlRanges(file, file.length, path, { target: file.length / 2 })
            const ranges = cutAt(file.length, planned as XmlRange, cuts)
            const read = async (divided: readonly XmlRange[]) => {
              const found: unknown[] = []
              for (const range of divided) {
                const reader = readXmlRange(file, range)
                for await (const record of reader.records(SHAPE)) found.push(record)
                expect(reader.report.to).toEqual(range.cut?.to)
              }
              return found
            }
            if (error) return
            expect(await read(await verifyCuts(file, ranges))).toEqual(records)
            const guessed = await guessCuts(file, ranges)
            expect(await read(guessed).catch(() => records)).toEqual(records)
          },
        ),
        parameters(60, 6),
      )
    },
  )
})
