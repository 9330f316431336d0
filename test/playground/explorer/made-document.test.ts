import { describe, expect, test } from 'vitest'
import { readDump } from 'xylem/mediawiki'
import type { SeekableSource } from 'xylem/stream'
import { readXml } from 'xylem/xml/streaming'
import { BLOCK, makeDocument } from '../../../playground/explorer/worker/made/made-document.ts'
import { collect } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'

const read = async (document: SeekableSource, from = 0, to?: number) =>
  Buffer.from(await collect(document.from(from, to) as AsyncIterable<Uint8Array>))

describe.each(['wiki', 'register'] as const)('the %s that is made', (make) => {
  const document = makeDocument({ make }, 3)

  test('has its size, and the same bytes from anywhere and each time', async () => {
    const all = await read(document)
    expect(all.length).toBe(3 * BLOCK)
    expect(await document.size()).toBe(3 * BLOCK)
    for (const [from, to] of [
      [0, 10],
      [BLOCK - 1, BLOCK + 1],
      [2 * BLOCK, undefined],
      [BLOCK + 7, 3 * BLOCK - 1],
    ]) {
      expect((await read(makeDocument({ make }, 3), from, to)).equals(all.subarray(from, to))).toBe(true)
    }
    await readXml(all).check()
  })

  test('is read at once, and knows how far it is', async () => {
    const large = makeDocument({ make })
    const source = large.from(0) as AsyncIterable<Uint8Array> & { readonly progress: unknown }
    for await (const chunk of source) {
      expect(chunk.length).toBe(BLOCK)
      break
    }
    expect(source.progress).toEqual({ bytesRead: BLOCK, totalBytes: 100_000_000 })
  })
})

test.runIf(isThorough)('a wiki that is made has pages of several kinds, whose links lead to pages of it', async () => {
  const document = makeDocument({ make: 'wiki' })
  const titles = new Set<string>()
  const targets = new Set<string>()
  const namespaces = new Map<number, number>()
  let redirects = 0
  for await (const { title, ns = 0, redirect, revision } of readDump(document.from(0)).pages()) {
    titles.add(title)
    namespaces.set(ns, (namespaces.get(ns) ?? 0) + 1)
    if (redirect !== undefined) redirects++
    for (const [, target = ''] of (revision?.text ?? '').matchAll(/\[\[([^|\]]*)/g)) targets.add(target)
  }
  expect(titles.size).toBe(40_000)
  expect([...targets].filter((target) => !titles.has(target))).toEqual(['User:Ada'])
  expect([redirects, namespaces.get(0), namespaces.get(1), namespaces.get(14)]).toEqual([3996, 37_194, 2766, 40])
})
