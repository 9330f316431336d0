import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import type { PageWriteOptions } from '../../../source/mediawiki/index.ts'
import type { FormatName } from '../../../source/record/format/index.ts'
import type { ByteSource } from '../../../source/stream/sources/source.ts'
import { collectAll, inPieces } from '../../support/collect.ts'
import { run } from '../../support/command.ts'
import { isThorough } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'

const dump = readFixture('mediawiki/small-dump.xml')
const titles = ['=1+1', '+1', '-1', '@x', '\tx', 'plain, &quot;quoted&quot;']
const pages = titles.map((title, i) => `<page><title>${title}</title><ns>0</ns><id>${i + 1}</id></page>`)
const formulas = new TextEncoder().encode(`<mediawiki>${pages.join('')}</mediawiki>`)

async function write(source: ByteSource, format: FormatName, options?: PageWriteOptions): Promise<string> {
  return Buffer.concat(await collectAll(readDump(source).writePages(format, options))).toString()
}

describe('pages in a format', () => {
  test.for(['csv', 'tsv', 'jsonl', 'json', 'xml'] as const)('are what the command writes as %s', async (format) => {
    for (const input of [dump, formulas]) {
      const { stdout } = await run(['pages', '-', '--format', format], input)
      expect(await write([input], format)).toBe(stdout)
    }
  })

  test('are kept from being formulas as the command does it', async () => {
    const { stdout } = await run(['pages', '-', '--format', 'csv', '--csv-safe'], formulas)
    expect(await write([formulas], 'csv', { safe: true })).toBe(stdout)
    expect(stdout).toContain("'=1+1")
  })

  test('are those that a filter lets through', async () => {
    const all = await write([dump], 'csv', { redirects: 'only', limit: 1, isWanted: ({ id }) => id > 1 })
    const { stdout } = await run(['pages', '-', '--format', 'csv', '--redirects', 'only', '--limit', '1'], dump)
    expect(all).toBe(stdout)
  })

  test.runIf(isThorough)('are the same however the dump is cut', async () => {
    const expected = await write([dump], 'csv')
    // The places at which lines are cut are tried by those of pages as JSON lines.
    const cuts = [1, 500, 2000, dump.length - 1].map((cut) => [dump.subarray(0, cut), dump.subarray(cut)])
    for (const pieces of [...cuts, inPieces(dump, 1)]) expect(await write(pieces, 'csv')).toBe(expected)
  })

  test('come before the error', async () => {
    const pieces: Uint8Array[] = []
    const reading = async () => {
      for await (const piece of readDump([dump.subarray(0, 5000)]).writePages('csv')) pieces.push(piece)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'unexpected-end' })
    const whole = await write([dump], 'csv')
    const before = Buffer.concat(pieces).toString()
    expect(whole.startsWith(before)).toBe(true)
    expect(before).toContain('Xylem')
  })

  test('can be left, which closes the source', async () => {
    let isClosed = false
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(dump.subarray(0, 5000)),
      cancel: () => {
        isClosed = true
      },
    })
    const written = readDump(endless).writePages('csv')
    expect((await written.next()).done).toBe(false)
    const waiting = written.next()
    await written.return()
    expect([(await waiting).done, isClosed]).toEqual([true, true])
  })

  test('of columns end when the signal aborts, also where all of the dump was read', async () => {
    for (const format of ['arrow', 'parquet'] as const) {
      const stopping = new AbortController()
      const written = readDump([dump], { signal: stopping.signal }).writePages(format)
      expect((await written.next()).done).toBe(false)
      stopping.abort(new Error('stopped'))
      await expect(written.next()).rejects.toThrow('stopped')
      expect(await written.next()).toEqual({ done: true, value: undefined })
    }
  })

  test('cannot be written in a format that is not known, or with other options', () => {
    expect(() => readDump([dump]).writePages('cvs' as FormatName)).toThrow('unknown format cvs')
    expect(() => readDump([dump]).writePages('csv', { sfe: true } as PageWriteOptions)).toThrow(TypeError)
  })
})
