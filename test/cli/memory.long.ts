// Memory of the command line for dumps of 1 and of 4 GB, by one job and by several.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { fixturePath } from '../support/fixtures.ts'

const main = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'xylem-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a dump of so many gigabytes, made of the fixture's pages over and over. */
async function writeDump(gigabytes: number): Promise<string> {
  const text = readFileSync(fixturePath('mediawiki/small-dump.xml'), 'utf8')
  const first = text.indexOf('  <page>')
  const last = text.lastIndexOf('</mediawiki>')
  const path = join(folder, `${gigabytes}.xml`)
  const file = await open(path, 'w')
  await file.write(text.slice(0, first))
  const pages = Buffer.from(text.slice(first, last).repeat(400))
  for (let written = 0; written < gigabytes * 1e9; written += pages.length) await file.write(pages)
  await file.write(text.slice(last))
  await file.close()
  return path
}

/** The peak of memory in MB, and the pages that were counted, of `xylem pages`. */
async function measure(path: string, jobs: number): Promise<{ peak: number; pages: number }> {
  const child = spawn(process.execPath, [main, 'pages', path, '--jobs', String(jobs), '--stats', '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const told = new Map<string, string>()
  for await (const line of createInterface({ input: child.stderr })) {
    const [name = '', value = ''] = line.split(/ {2,}/)
    told.set(name, value)
  }
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  return { peak: Number.parseFloat(told.get('memory') ?? ''), pages: Number(told.get('pages')?.replaceAll(',', '')) }
}

describe('the memory of xylem pages', () => {
  test.each([1, 2])('is as flat for 4 GB as for 1 GB with %d jobs', async (jobs) => {
    const small = await measure(await writeDump(1), jobs)
    const large = await measure(await writeDump(4), jobs)
    console.log(`${jobs} jobs: ${small.peak} MB at 1 GB, ${large.peak} MB at 4 GB`)
    expect(large.pages).toBeGreaterThan(3.9 * small.pages)
    expect(large.peak).toBeLessThan(1.15 * small.peak)
  })
})
