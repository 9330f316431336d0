// Edits that change nothing give the same bytes.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { atTags, type XmlEdits } from '../../../source/xml/edit/index.ts'
import { readXml } from '../../../source/xml/index.ts'
import { makeResolver, readSuite } from '../../conformance/suite.ts'
import { inPieces } from '../../support/collect.ts'
import { editPieces } from '../../support/edited.ts'
import { isComplete, isThorough, sample } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'

const AT_TAGS: XmlEdits = { '*': atTags(() => {}) }
const HELD: XmlEdits = {
  '/*/*': (element) => void [element.text, element.element],
  '*': atTags(() => {}),
}
const ROOT: XmlEdits = { '/*': async (element) => void [element.element, element.text] }

/** In one piece, byte by byte, and, if it is short and wanted, in two pieces at every place. */
function cutsOf(bytes: Uint8Array, inTwo: boolean): Uint8Array[][] {
  const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))
  const isShort = inTwo && bytes.length <= 120
  const halves = isShort ? Array.from(bytes, (_, i) => [bytes.subarray(0, i), bytes.subarray(i)]) : []
  return [[bytes], ...(bytes.length < 4000 ? [single] : []), ...sample(halves, 2)]
}

describe('edits that change nothing', () => {
  test.runIf(isThorough)('copy every well-formed document of the suite', async () => {
    let count = 0
    let entities = 0
    const suite = readSuite().filter(({ group }) => !group.includes('1.1'))
    for (const { file, id, hasNamespaces: namespaces } of sample(suite, 250, 1200)) {
      const bytes = new Uint8Array(readFileSync(file))
      for (const options of [{ namespaces }, { namespaces, resolve: makeResolver(file) }]) {
        const isWellFormed = await readXml([bytes], options)
          .check()
          .then(
            () => true,
            () => false,
          )
        if (!isWellFormed) continue
        count++
        for (const edits of [AT_TAGS, HELD, ROOT]) {
          for (const pieces of cutsOf(bytes, edits === HELD && !('resolve' in options))) {
            const { bytes: edited, error } = await editPieces(pieces, edits, options)
            const code = (error as { code?: string } | undefined)?.code
            if (code === 'unsupported-encoding') break
            if (code === 'match-in-entity' && edits !== ROOT) {
              entities++
              expect(Buffer.from(bytes.subarray(0, edited.length)).equals(edited), id).toBe(true)
              continue
            }
            const cut = `${id} ${pieces.map(({ length }) => length).slice(0, 3)}`
            expect(error, cut).toBe(undefined)
            expect(edited.equals(bytes), cut).toBe(true)
          }
        }
      }
    }
    expect(count).toBeGreaterThan(isComplete ? 2000 : 800)
    expect(entities).toBeGreaterThan(isThorough ? 100 : 0)
  })

  test.each([
    'mediawiki/small-dump.xml',
    'mediawiki/oddities.xml',
    'recipes/Posts.xml',
    'recipes/dblp.xml',
    'recipes/drawing.svg',
    'recipes/feed.atom',
    'recipes/feed.rss',
    'recipes/junit.xml',
    'recipes/map.osm',
    'recipes/pubmed.xml',
  ])('copy %s', async (name) => {
    const bytes = readFixture(name)
    // Each element is held once: those in one are edited at their tags.
    for (const edits of [AT_TAGS, HELD, ROOT]) {
      for (const pieces of [[bytes], inPieces(bytes, 997)]) {
        const { bytes: edited, error } = await editPieces(pieces, edits, { onSkippedEntity: () => {} })
        expect(error).toBe(undefined)
        expect(edited.equals(bytes)).toBe(true)
      }
    }
  })
})
