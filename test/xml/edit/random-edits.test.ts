// Random edits of random documents, against the same edits made on trees, by a plain program and by lxml.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atTags, type Edit, XmlEditError } from '../../../source/xml/edit/index.ts'
import { editPieces } from '../../support/edited.ts'
import { isThorough } from '../../support/extent.ts'
import { type Call, callAll, editNaively, type NaiveEdit, treeOf } from '../../support/naive-editor.ts'
import { parameters } from '../../support/property.ts'
import { findReaders } from '../../support/python.ts'
import { cutAt, randomDocuments } from '../../support/random-xml.ts'

const TEXT = fc.constantFrom('', 'x', '&', ']]', ']', '>', '\r', '\n', 'é<', '𝄞"')
const NAME = fc.constantFrom('a', 'b', 'c', 'e')
const ATTRIBUTE = fc.constantFrom('n', 'm', 'o', 'xml:lang')
/** What can be done to a root, and what cannot. */
const inside: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(fc.constantFrom('prepend' as const, 'append' as const, 'setContent' as const), TEXT),
  fc.tuple(fc.constant('rename' as const), NAME),
  fc.tuple(fc.constant('setAttribute' as const), ATTRIBUTE, TEXT),
  fc.tuple(fc.constant('removeAttribute' as const), ATTRIBUTE),
)
const anywhere: fc.Arbitrary<Call> = fc.oneof(
  { arbitrary: inside, weight: 3 },
  {
    arbitrary: fc.tuple(fc.constantFrom('before' as const, 'after' as const, 'replaceWith' as const), TEXT),
    weight: 2,
  },
  { arbitrary: fc.tuple(fc.constantFrom('remove' as const, 'unwrap' as const)), weight: 1 },
)
const callsOf = (call: fc.Arbitrary<Call>) => fc.array(call, { maxLength: 4 })
const edits: fc.Arbitrary<NaiveEdit[]> = fc
  .tuple(
    fc.uniqueArray(
      fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), isHeld: fc.boolean(), calls: callsOf(anywhere) }),
      {
        selector: ({ name }) => name,
        maxLength: 3,
      },
    ),
    fc.option(fc.record({ name: fc.constant('r'), isHeld: fc.constant(false), calls: callsOf(inside) })),
  )
  .map(([others, root]) => (root ? [...others, root] : others))
const documents = randomDocuments.map((document) => document.replaceAll('&e;', '&s;'))

function makeEdit({ isHeld, calls }: NaiveEdit): Edit {
  return isHeld ? (element) => callAll(element, calls) : atTags((tag) => callAll(tag, calls))
}

/** What lxml makes of documents with the same edits, and what it reads of ours, in one form. */
function editWithLxml(cases: readonly object[]): [theirs: string, ours: string][] {
  const script = fileURLToPath(new URL('../../support/edit-with-lxml.py', import.meta.url))
  const input = cases.map((one) => `${JSON.stringify(one)}\n`).join('')
  const printed = execFileSync(findReaders() as string, [script], { input, maxBuffer: 1024 ** 3, encoding: 'utf8' })
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('random edits make of a document what they make of its tree', async () => {
  const cases: object[] = []
  let refused = 0
  let made = 0
  const property = fc.asyncProperty(
    documents,
    edits,
    fc.array(fc.nat(600), { maxLength: 6 }),
    async (document, wanted, cuts) => {
      const all = Object.fromEntries(wanted.map((one) => [one.name, makeEdit(one)]))
      const { bytes, error } = await editPieces(cutAt(document, cuts), all)
      if (error instanceof XmlEditError && ['nested-edit', 'namespace-declaration'].includes(error.code)) {
        refused++
        return
      }
      expect(error).toBe(undefined)
      made++
      expect(treeOf(`${bytes}`)).toEqual(editNaively(document, wanted))
      cases.push({ document, edits: wanted, edited: `${bytes}` })
    },
  )
  await fc.assert(property, parameters(10_000, 20))
  // Only many are sure to be of both kinds.
  if (isThorough) expect(made).toBeGreaterThan(refused)
  if (!findReaders()) return
  const read = editWithLxml(cases)
  expect(read).toHaveLength(cases.length)
  for (const [i, [theirs, ours]] of read.entries()) if (theirs !== ours) expect({ ...cases[i], theirs }).toEqual(ours)
})
