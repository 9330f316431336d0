// Documents with random damage: what is read of them is what each of their parts gives alone.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LimitError } from '../../../source/stream/errors.ts'
import type { XmlError } from '../../../source/xml/errors/errors.ts'
import { readXml } from '../../../source/xml/reader.ts'
import { inPieces } from '../../support/collect.ts'
import { readParts } from '../../support/naive-recovery.ts'
import { parameters } from '../../support/property.ts'
import { compress, encode, readInRanges } from '../../support/xml-ranges.ts'

const HEAD = '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY e "E">]>\n<r x="1"><about>these</about>\n'
const ID = { path: '@id', as: 'integer', required: true } as const
const SHAPE = { id: ID, n: { path: 'n', as: 'integer' }, all: ['b/c'] } as const
const OUTER_SHAPE = { page: { outer: 'page', fields: { id: '@id' } }, id: '@id', n: 'n' } as const

const item = fc
  .tuple(
    fc.nat(99),
    fc.constantFrom('1', '22', 'x', ''),
    fc.constantFrom('', 'é&amp;', '<b><c>1</c><c k="v"/></b>', '&e;'),
  )
  .map(([id, n, more]) => `<item id="${id}"><n>${n}</n>${more}</item>`)
const items = fc.array(item, { minLength: 1, maxLength: 8 })
const pages = fc
  .array(fc.tuple(fc.nat(99), items), { minLength: 1, maxLength: 4 })
  .map((all) => all.map(([id, inner]) => `<page id="${id}">${inner.join('')}</page>`))

interface Damage {
  readonly at: number
  readonly length: number
  readonly text: string
}
const damages = fc.array(
  fc.record<Damage>({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.constantFrom(0, 0, 1, 1, 2, 5, 30),
    text: fc.constantFrom(
      '',
      '',
      '<',
      '>',
      '&',
      '"',
      '/',
      '&no;',
      '<item>',
      '</item>',
      '</b>',
      '</r>',
      '<z>',
      '\u0001',
      'item',
    ),
  }),
  { maxLength: 3 },
)

/** The content with damage after its first start tag. */
function damage(content: string, all: readonly Damage[]): string {
  const first = content.indexOf('>') + 1
  let text = content
  for (const { at, length, text: added } of all) {
    const place = first + Math.floor(at * (text.length - first))
    text = text.slice(0, place) + added + text.slice(place + length)
  }
  return text
}

type Fault = XmlError | LimitError

/** Errors as data; no error is reported twice. */
function requireOnce(faults: readonly Fault[]): string[] {
  const seen = faults.map(({ code, byteOffset }) => `${code} at ${byteOffset}`)
  expect(seen).toEqual([...new Set(seen)])
  return faults.map(({ message }) => message)
}

test('documents with damage give the records of their parts, in every way of reading', async () => {
  await fc.assert(
    fc.asyncProperty(
      items,
      damages,
      fc.array(fc.nat(600), { maxLength: 5 }),
      fc.boolean(),
      async (good, wrong, cuts, isCompressed) => {
        const content = damage(`${good.join('\n')}</r>\n`, wrong)
        const expected = await readParts(HEAD, content, 'item', 'item', SHAPE)
        const bytes = encode(HEAD + content)
        const errors: string[][] = []
        for (const source of [bytes, inPieces(bytes, 1), inPieces(bytes, 7)]) {
          const faults: Fault[] = []
          const records: unknown[] = []
          const reader = readXml(source)
          for await (const record of reader.records('item', SHAPE, { onError: (error) => faults.push(error) }))
            records.push(record)
          expect(records).toEqual(expected)
          errors.push(requireOnce(faults))
          expect(reader.skipped.errors).toBe(faults.length)
        }
        expect(errors[1]).toEqual(errors[0])
        expect(errors[2]).toEqual(errors[0])
        const lines: Uint8Array[] = []
        for await (const piece of readXml(bytes).write('jsonl', 'item', SHAPE, { onError: 'skip' })) lines.push(piece)
        const written = Buffer.concat(lines).toString().split('\n').slice(0, -1)
        expect(written.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(expected)))
        const file = isCompressed ? compress(bytes, 200) : bytes
        const ranges = await readInRanges(file, cuts, 'item', SHAPE, {}, { onError: 'skip' })
        expect(ranges).toEqual({ records: expected, again: expect.any(Number) })
      },
    ),
    parameters(900, 16),
  )
})

test('elements of documents with damage are those of their parts', async () => {
  await fc.assert(
    fc.asyncProperty(items, damages, async (good, wrong) => {
      const content = damage(`${good.join('\n')}</r>\n`, wrong)
      const expected = await readParts(HEAD, content, 'item', 'item', { id: '@id' })
      const bytes = encode(HEAD + content)
      for (const source of [bytes, inPieces(bytes, 1)]) {
        const found: unknown[] = []
        for await (const { attributes } of readXml(source).select('item', { onError: 'skip' }))
          found.push({ id: attributes.get('id') })
        expect(found).toEqual(expected)
      }
    }),
    parameters(900, 16),
  )
})

test('records with what is around them continue at the next element around', async () => {
  await fc.assert(
    fc.asyncProperty(pages, damages, async (good, wrong) => {
      const content = damage(`${good.join('\n')}</r>\n`, wrong)
      const expected = await readParts(HEAD, content, 'page', 'page/item', OUTER_SHAPE)
      const bytes = encode(HEAD + content)
      for (const source of [bytes, inPieces(bytes, 1)]) {
        const found: unknown[] = []
        for await (const record of readXml(source).records('page/item', OUTER_SHAPE, { onError: 'skip' }))
          found.push(record)
        expect(found).toEqual(expected)
      }
    }),
    parameters(900, 16),
  )
})
