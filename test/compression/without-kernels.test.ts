// What decodes where WebAssembly is refused, as by a policy of a page.

import { afterEach, expect, test, vi } from 'vitest'
import type * as Compression from '../../source/compression/index.ts'
import { collect, inPieces } from '../support/collect.ts'
import { readFixture } from '../support/fixtures.ts'

// Other files of tests load the same modules, and these know that there are no kernels.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function loadWithoutKernels(): Promise<typeof Compression> {
  const refuse = vi.fn(function refuse() {
    throw new Error('refused')
  })
  vi.stubGlobal('WebAssembly', { Module: refuse })
  vi.resetModules()
  return import('../../source/compression/index.ts')
}

test.each(['lines.bz2', 'two-streams.bz2', 'lines.zst'])('%s is decoded without WebAssembly', async (name) => {
  const file = readFixture(`compression/${name}`)
  const { decompress } = await import('../../source/compression/index.ts')
  const expected = await collect(decompress(file))
  const { decompress: decompressPlainly } = await loadWithoutKernels()
  for (const threads of [1, 2]) {
    const content = await collect(decompressPlainly(inPieces(file, 1000), { threads }))
    expect(Buffer.from(content).equals(Buffer.from(expected))).toBe(true)
  }
  if (name.endsWith('.bz2')) expect(WebAssembly.Module).toHaveBeenCalled()
})
