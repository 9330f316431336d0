// Mutated documents: the error is the same (message, code, offset, line, column and excerpt) whatever is wanted of the document, on both
// engines, complete, byte by byte and at every cut. The seed is printed when it is not; XYLEM_MUTANTS sets how many there are.

import { expect, test } from 'vitest'
import { LimitError, readXml, XmlError, type XmlOptions } from '../../source/xml/index.ts'
import { drain } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'
import { cutsOf } from '../support/machine.ts'
import { DOCUMENTS_WITH_TYPES, mutate, PLAIN_DOCUMENTS } from '../support/mutants.ts'
import { Random } from '../support/random.ts'
import { piecesOf } from '../support/xml.ts'

const encoder = new TextEncoder()
const MUTANTS = Number(process.env.XYLEM_MUTANTS ?? (isThorough ? 60 : 3))
const SEED = Number(process.env.XYLEM_SEED ?? Math.floor(Math.random() * 2 ** 31))

const DOCUMENTS = [
  ...PLAIN_DOCUMENTS,
  ...DOCUMENTS_WITH_TYPES,
  "<!DOCTYPE r [<!ENTITY e \"E<b m='1'><c/>in</b>\"><!ENTITY s 'S'>]>\r\n<r><a n='&s;'>x&e;y</a>&s;\r\n<a>&#10;</a><b/></r>",
  '<?xml version="1.0" standalone="yes"?>\r\n<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY % p "<!ENTITY q \'1\'>">\r\n%p;<!ATTLIST a b CDATA "x&lt;"\r\n>]>\r\n<a>木&q;</a>',
  '<a>木木木<b é="木"/><![CDATA[木]]]]><!--木- --><?木 ?>?></a>',
]

/** Reads a document for something, to its end. */
type Way = (pieces: readonly Uint8Array[], options: XmlOptions) => Promise<void>

const WAYS: Record<string, Way> = {
  check: (pieces, options) => readXml(pieces, options).check(),
  events: (pieces, options) => drain(readXml(pieces, options).events().batches()),
  'events in pieces': (pieces, options) =>
    drain(readXml(pieces, options).events({ maxText: 3, cdata: true }).batches()),
  'select a': (pieces, options) => drain(readXml(pieces, options).select('a')),
  'select b[@x]': (pieces, options) => drain(readXml(pieces, options).select('b[@x]')),
  'select all': (pieces, options) => drain(readXml(pieces, options).select('*', { nested: 'all' })),
  'records of all': (pieces, options) =>
    drain(readXml(pieces, options).records('*', { text: '.', b: ['**/b'], rest: { as: 'rest' } }, { nested: 'all' })),
  'select innermost': (pieces, options) => drain(readXml(pieces, options).select('*', { nested: 'innermost' })),
  'select nothing': (pieces, options) => drain(readXml(pieces, options).select('/zz')),
  records: (pieces, options) => drain(readXml(pieces, options).records('a', { text: '.', b: '**/b', n: '@n' })),
  'records of nothing': (pieces, options) => drain(readXml(pieces, options).records('/zz', { text: '.' })),
}

async function errorOf(way: Way, pieces: readonly Uint8Array[], options: XmlOptions): Promise<string> {
  try {
    await way(pieces, options)
    return 'none'
  } catch (reason) {
    if (!(reason instanceof XmlError || reason instanceof LimitError)) throw reason
    const { name, code, message, byteOffset, line, column } = reason
    const excerpt = reason instanceof XmlError ? reason.excerpt : undefined
    return JSON.stringify({ name, code, message, byteOffset, line, column, excerpt }, undefined, 1)
  }
}

/** How a document is read, and as what: each with the error of a check of all of it at once. */
async function compare(text: string, options: XmlOptions, random: Random): Promise<boolean> {
  const bytes = encoder.encode(text)
  const wanted = await errorOf(WAYS.check as Way, [bytes], options)
  for (const [name, way] of Object.entries(WAYS)) {
    for (const engine of ['wasm', 'plain'] as const) {
      // Every cut in one way; in the others some.
      const all =
        random.below(12) === 0
          ? [...cutsOf(bytes)]
          : [[bytes], piecesOf(bytes, 1), piecesOf(bytes, 2 + random.below(40))]
      for (const pieces of all) {
        const error = await errorOf(way, pieces, { ...options, engine })
        const cut = pieces.map(({ length }) => length).join()
        expect(error, `${name} (${engine}, cut in ${cut}) of ${JSON.stringify(text)} ${JSON.stringify(options)}`).toBe(
          wanted,
        )
      }
    }
  }
  return wanted !== 'none'
}

test(`${MUTANTS} mutants have one error (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const random = new Random(SEED)
  let refused = 0
  for (let i = 0; i < MUTANTS; i++) {
    const text = mutate(random, DOCUMENTS)
    const options: XmlOptions = random.pick([{}, {}, {}, { namespaces: false }, { fragment: true }])
    try {
      if (await compare(text, options, random)) refused++
    } catch (error) {
      ;(error as Error).message = `seed ${SEED}, mutant ${i}: ${(error as Error).message}`
      throw error
    }
  }
  // Only many are sure to have some.
  if (isThorough) expect(refused).toBeGreaterThan(MUTANTS / 10)
})
