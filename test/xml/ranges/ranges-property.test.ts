// Documents that nobody made for ranges: those of the conformance suite, and random ones.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSuite } from '../../conformance/suite.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { randomDocuments } from '../../support/random-xml.ts'
import { compress, encode, readInRanges, readWhole } from '../../support/xml-ranges.ts'

const SHAPE = {
  text: '.',
  all: ['.//*'],
  own: [{ of: '*', fields: { n: '@n', id: '@id', name: 'name()' } }],
  attributes: { path: '.', as: 'attributes' },
  xml: { path: '*', as: 'xml' },
  rest: { as: 'rest' },
} as const
/** Bytes of a document that is read whose cuts are all tried. */
const SMALL = 600
/** So many cuts of one that is larger. */
const FEW_CUTS = 40

/** The names of some elements that are not the root. */
function namesIn(content: Uint8Array): string[] {
  const text = new TextDecoder().decode(content)
  const names = [...text.matchAll(/<([A-Za-z_][\w:.-]*)(?=[\s/>])/g)].map(([, name]) => name as string)
  const found = [...new Set(names.slice(1))].slice(0, 3)
  return found.length > 0 ? found : ['none']
}

describe('documents of the conformance suite in ranges', () => {
  const documents = [...new Set(readSuite().map(({ file }) => file))]
    .map((file) => ({ file, content: new Uint8Array(readFileSync(file)) }))
    .map((document) => ({ ...document, names: namesIn(document.content) }))
    .filter(({ content }) => content.length > 1 && content.length < 20_000)

  test('are many', () => {
    expect(documents.length).toBeGreaterThan(1000)
  })

  test('give what one reading gives, wherever they are cut', async () => {
    for (const { file, content, names } of sample(documents, 60)) {
      const whole = await readWhole(content, names, SHAPE)
      const all = Array.from({ length: content.length - 1 }, (_, i) => i + 1)
      const step = isThorough && content.length <= SMALL ? 1 : Math.ceil(content.length / (isThorough ? FEW_CUTS : 5))
      const single = all.filter((cut) => cut % step === 0).map((cut) => [cut])
      for (const cuts of [...single, all.filter((cut) => cut % 9 === 0)]) {
        const { records, error } = await readInRanges(content, cuts, names, SHAPE)
        expect({ file, cuts, records, error }).toEqual({ file, cuts, records: whole.records, error: whole.error })
      }
    }
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
