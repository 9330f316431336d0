// `--max-input`, for all commands that have limits.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { makeDump } from '../support/dump.ts'

let folder: string
let dump: string
let packed: string
let grammar: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-max-input-'))
  const bytes = Buffer.concat([...makeDump(200, 1000)])
  dump = join(folder, 'dump.xml')
  packed = join(folder, 'dump.xml.gz')
  grammar = join(folder, 'lines.bnf')
  writeFileSync(dump, bytes)
  writeFileSync(packed, gzipSync(bytes))
  writeFileSync(grammar, 'program ::= line* ; line ::= [^\\n]* [\\n] ;')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lines = (text: string) => text.split('\n').length - 1

test.each<[string, (file: string) => string[], number]>([
  ['check', (file) => ['check', file], 0],
  ['select', (file) => ['select', 'page', file], 80],
  ['select with fields', (file) => ['select', 'page', '--field', 'id', file], 80],
  ['parse', (file) => ['parse', '-g', grammar, '--emit', 'line', file], 82],
  ['parse --check', (file) => ['parse', '-g', grammar, '--check', file], 0],
  ['pages', (file) => ['pages', file, '--fields', 'id'], 80],
  ['pages with several threads', (file) => ['pages', file, '--fields', 'id', '--ns', '0,1', '--jobs', '3'], 80],
  ['pages that skip errors', (file) => ['pages', file, '--fields', 'id', '--on-error', 'skip-block'], 80],
  ['revisions', (file) => ['revisions', file], 80],
  ['get', (file) => ['get', file, '--id', '150'], 0],
])('xylem %s stops after so many bytes, decompressed, and prints what came before', async (_, args, least) => {
  for (const file of [dump, packed]) {
    const { code, stdout, stderr } = await run([...args(file), '--max-input', '100k', '--quiet'].filter(isKnown(args)))
    expect(stderr).toContain('the input has more than 100000 bytes, the limit (--max-input)')
    expect(code).toBe(3)
    expect(lines(stdout)).toBeGreaterThanOrEqual(least)
    expect(lines(stdout)).toBeLessThan(95)
    const complete = await run([...args(file), '--max-input', '1Gi'])
    expect([complete.code, complete.stderr]).toEqual([0, ''])
  }
})

/** `parse --check` shows no progress that could be switched off. */
function isKnown(args: (file: string) => string[]): (arg: string) => boolean {
  const [command] = args('')
  return (arg) => arg !== '--quiet' || command !== 'parse'
}

test('xylem index stops as well', async () => {
  const { code, stderr } = await run(['index', dump, '--output', '-', '--max-input', '100k'])
  expect([code, stderr]).toEqual([3, expect.stringContaining('(--max-input)')])
})

test('--max-input does not go together with --resume', async () => {
  const { code, stderr } = await run([
    'pages',
    dump,
    '--resume',
    '--output',
    join(folder, 'parts'),
    '--max-input',
    '1M',
  ])
  expect(code).toBe(2)
  expect(stderr).toContain('--max-input counts all of a dump; it cannot be used together with --resume')
})
