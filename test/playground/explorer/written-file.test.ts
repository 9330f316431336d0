import { describe, expect, test } from 'vitest'
import { StreamCache } from 'xylem/stream'
import type { PickedShape } from '../../../playground/explorer/protocol.ts'
import { type DownloadRequest, writeFile } from '../../../playground/explorer/worker/written-file.ts'
import { collectAll } from '../../support/collect.ts'
import { run } from '../../support/command.ts'
import { readFixture } from '../../support/fixtures.ts'

const FORMULAS = ['=1+1', '+1', '-1', '@x', '\tx', 'a, "b"', '', 'two\nlines']
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const EVERY_PAGE = { namespaces: undefined, redirects: 'all', title: '' } as const

async function save(bytes: Uint8Array, request: Partial<DownloadRequest>): Promise<string> {
  const cache = StreamCache.from([bytes])
  const input = { cache, cursor: cache.cursor(), compression: 'none' } as const
  const complete = { wanted: EVERY_PAGE, format: 'csv', isSafe: false, ...request } as const
  return Buffer.concat(await collectAll(writeFile(input, complete))).toString()
}

describe('a file that is saved', () => {
  const shape: PickedShape = {
    record: 'r/p',
    fields: [
      { name: 'n', path: '@n', isList: false },
      { name: 't', path: 't', isList: true },
    ],
  }
  const fields = ['--field', 'n=@n', '--field', 't[]=t']
  const items = FORMULAS.map(
    (text) => `<p n="${text.replaceAll('"', '&quot;').replace('\t', '&#9;')}"><t>${text}</t><t>${text}</t></p>`,
  )
  const document = Buffer.from(`<r>${items.join('')}</r>`)
  const dump = readFixture('mediawiki/small-dump.xml')

  test.for([
    [false, []],
    [true, ['--csv-safe']],
  ] as const)('of records is that of the command line (safe: %s)', async ([isSafe, options]) => {
    const { stdout } = await run(['select', '/r/p', '-', ...fields, '--format', 'csv', ...options], document)
    expect(await save(document, { wanted: shape, isSafe })).toBe(stdout)
    expect(stdout.includes("'=1+1")).toBe(isSafe)
  })

  test('has null for what is absent, as on the command line', async () => {
    const part = encode('<r><p n="1"/><p/></r>')
    const { stdout } = await run(['select', '/r/p', '-', ...fields], part)
    expect(await save(part, { wanted: shape, format: 'jsonl' })).toBe(stdout)
    expect(stdout).toContain('{"n":null,"t":[]}')
  })

  test('frees its input when it ends at an error, or is left', async () => {
    const broken = encode('<r><p n="1"/><p/><p</r>')
    for (const read of [1, Number.POSITIVE_INFINITY]) {
      const cache = StreamCache.from([broken])
      const input = { cache, cursor: cache.cursor(), compression: 'none' } as const
      const pieces = writeFile(input, { wanted: shape, format: 'jsonl', isSafe: false })
      const reading = (async () => {
        let count = 0
        for await (const _ of pieces) if (++count === read) break
      })()
      await reading.catch(() => {})
      expect(cache.retained).toBe(0)
    }
  })

  test('of pages is that of the command line', async () => {
    for (const format of ['csv', 'jsonl'] as const) {
      const { stdout } = await run(['pages', '-', '--format', format], dump)
      expect(await save(dump, { format })).toBe(stdout)
    }
  })

  test('of pages has those that the filter lets through', async () => {
    const { stdout } = await run(['pages', '-', '--format', 'csv', '--ns', '0', '--redirects', 'only'], dump)
    expect(await save(dump, { wanted: { namespaces: [0], redirects: 'only', title: 'WOOD' } })).toBe(stdout)
  })
})
