// The W3C suite in pieces of 1, 2, 3 and 7 bytes, and small documents at every cut.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyCut, inPieces } from '../support/collect.ts'
import { readPieces } from '../support/xml.ts'
import { readSuite } from './suite.ts'

const SMALL = 2048

test('every document is the same however it is cut', { timeout: 30 * 60_000 }, async () => {
  let cuts = 0
  for (const { id, file, hasNamespaces } of readSuite()) {
    const bytes = new Uint8Array(readFileSync(file))
    const options = { namespaces: hasNamespaces }
    const whole = await readPieces([bytes], options)
    const all = [1, 2, 3, 7].map((size) => inPieces(bytes, size))
    if (bytes.length < SMALL) all.push(...everyCut(bytes))
    for (const pieces of all) {
      const { events, places, error } = await readPieces(pieces, options)
      cuts++
      const got = { events, places, message: error?.message, code: error?.code }
      expect(got, id).toEqual({
        events: whole.events,
        places: whole.places,
        message: whole.error?.message,
        code: whole.error?.code,
      })
    }
  }
  console.log(`${cuts} cuts`)
})
