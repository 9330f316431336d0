// Documents that nobody made for ranges: those of the conformance suite, and random ones.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isThorough, sample } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { randomDocuments } from '../../support/random-xml.ts'
import { compareCuts, SHAPE, suiteDocuments } from '../../support/suite-ranges.ts'
import { compress, encode, readInRanges, readWhole } from '../../support/xml-ranges.ts'

describe('documents of the conformance suite in ranges', () => {
  const documents = suiteDocuments()

  test('are many', () => {
    expect(documents.length).toBeGreaterThan(1000)
  })

  test('give what one reading gives, cut in many places', async () => {
    const cuts = isThorough ? { step: 5, few: 12 } : { step: 97, few: 4 }
    for (const document of sample(documents, 60)) await compareCuts(document, cuts)
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
      parameters(400, 12),
    )
  })
})
