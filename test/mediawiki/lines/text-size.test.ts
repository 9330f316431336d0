// The sizes of texts, counted, are those of the texts that objects have.

import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { collectAll, everyCut, inPieces } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { LINE_FORMATS } from '../../support/notations.ts'

type Pieces = readonly Uint8Array[]

const lineOf = (id: number, text: string | undefined) =>
  `${JSON.stringify({ id, size: text === undefined ? undefined : Buffer.byteLength(text) })}\n`

async function sizesOfTexts(pieces: Pieces): Promise<string> {
  const revisions = await collectAll(readDump(pieces).revisions())
  return revisions.map(({ id, text }) => lineOf(id, text)).join('')
}

async function countedSizes(pieces: Pieces, options: object): Promise<string> {
  const choice = { fields: ['id', 'size'], format: LINE_FORMATS.jsonl, ...options }
  const lines = await collectAll(readDump(pieces).revisionLines({ choice }))
  return new TextDecoder().decode(Buffer.concat(lines.map(({ bytes }) => bytes)))
}

describe.each(['small-dump.xml', 'oddities.xml', 'oddities-doctype.xml'])('in %s', (name) => {
  const dump = readFixture(`mediawiki/${name}`)

  test.runIf(isThorough)('the size of each text is that of its bytes, however the dump is cut', async () => {
    const expected = await sizesOfTexts([dump])
    expect(expected).toContain('"size":')
    const ways =
      name === 'small-dump.xml' ? everyCut(dump) : [[dump], inPieces(dump, isThorough ? 1 : 11), inPieces(dump, 1000)]
    for (const pieces of ways) expect(await countedSizes(pieces, {})).toBe(expected)
    // By objects.
    expect(await countedSizes([dump], { checksAll: true })).toBe(expected)
  })

  test('lines and objects have it only where it is asked for', async () => {
    const [revision] = await collectAll(readDump([dump]).revisions())
    const [line] = await collectAll(readDump([dump]).revisionLines())
    expect(revision).not.toHaveProperty('size')
    expect(new TextDecoder().decode(line?.bytes)).not.toContain('"size"')
  })
})
