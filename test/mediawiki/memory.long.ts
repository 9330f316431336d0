import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { fixturePath } from '../support/fixtures.ts'

/** Reads a dump of so many gigabytes, made of the fixture's pages over and over; its pages, and the peak of memory in MB. */
function readLargeDump(gigabytes: number): { pages: number; peak: number } {
  const script = `
    import { readFileSync } from 'node:fs'
    import { readDump } from 'xylem'
    const text = readFileSync(${JSON.stringify(fixturePath('mediawiki/small-dump.xml'))}, 'utf8')
    const first = text.indexOf('  <page>')
    const last = text.lastIndexOf('</mediawiki>')
    const encoder = new TextEncoder()
    function* dump() {
      yield text.slice(0, first)
      const pages = encoder.encode(text.slice(first, last).repeat(20))
      for (let written = 0; written < ${gigabytes} * 1e9; written += pages.length) yield pages.slice()
      yield text.slice(last)
    }
    let pages = 0
    for await (const batch of readDump(dump()).pages().batches()) pages += batch.length
    console.log(JSON.stringify({ pages, peak: process.resourceUsage().maxRSS / 1024 }))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

test('memory is as flat for a dump of 4 GB as for one of 1 GB', () => {
  const small = readLargeDump(1)
  const large = readLargeDump(4)
  console.log(`peak: ${small.peak.toFixed(0)} MB at 1 GB, ${large.peak.toFixed(0)} MB at 4 GB`)
  expect(large.pages).toBeGreaterThan(3.9 * small.pages)
  expect(large.peak).toBeLessThan(1.1 * small.peak)
})
