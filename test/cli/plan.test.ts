import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { run } from '../support/command.ts'
import { fixturePath, readFixture } from '../support/fixtures.ts'
import { describeParts, killAfter, resume } from '../support/resuming.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const expected = readFileSync(fixturePath('mediawiki/small-dump.jsonl'), 'utf8')

let folder = ''
let archive = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-'))
  archive = join(folder, 'dump.xml.bz2')
  writeFileSync(archive, encodeBzip2(readFixture('mediawiki/small-dump.xml'), { blockSize: 400 }))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function makePlan(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['plan', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

describe('a plan', () => {
  test('has a head with the site, and a range a line with all that is needed to read it', async () => {
    const [head = '', ...ranges] = await makePlan(
      archive,
      '--ranges',
      '4',
      '--ns',
      'Talk,0',
      '--title',
      '^X',
      '--ids',
      '1-9,20-',
    )
    expect(JSON.parse(head)).toMatchObject({ type: 'plan', version: 1, ranges: 4, site: { dbName: 'xylemwiki' } })
    const parsed = ranges.map((line) => JSON.parse(line))
    expect(parsed[0].start).toBe(0)
    expect(parsed[3].end).toBe(parsed[0].size)
    for (const [i, range] of parsed.entries()) {
      expect(range).toMatchObject({ index: i, file: archive, codec: 'bzip2', kind: 'pages' })
      expect(range.arguments).toEqual(['--ns', '1,0', '--title', '^X', '--ids', '1-9,20-'])
      expect(range.id).toMatch(/^[0-9a-f]{16}$/)
    }
    expect(new Set(parsed.map(({ id }) => id)).size).toBe(4)
    expect(await makePlan(archive, '--ranges', '4', '--ns', 'Talk,0', '--title', '^X', '--ids', '1-9,20-')).toEqual([
      head,
      ...ranges,
    ])
  })

  test.each(['pages', 'revisions'])('leads to all %s, each once, whoever reads its ranges', async (kind) => {
    const all = (await run([kind, archive])).stdout
    for (const file of [archive, dump]) {
      const [, ...ranges] = await makePlan(file, '--ranges', '5', ...(kind === 'revisions' ? ['--revisions'] : []))
      let records = ''
      for (const range of ranges) {
        const { code, stdout } = await run(['read', '-'], range)
        expect(code).toBe(0)
        const lines = stdout.trimEnd().split('\n')
        const { trailer } = JSON.parse(lines.pop() as string)
        expect(trailer).toMatchObject({ range: JSON.parse(range).id, records: lines.length, faults: 0 })
        records += lines.map((line) => `${line}\n`).join('')
      }
      expect(records).toBe(all)
    }
  })

  test('is finished when the folder has all parts, which may be written twice', async () => {
    const plan = join(folder, 'plan.jsonl')
    const parts = join(folder, 'parts')
    const [head, ...ranges] = await makePlan(archive, dump, '--ranges', '3')
    writeFileSync(plan, [head, ...ranges, ''].join('\n'))
    for (const range of [...ranges.slice(1).toReversed(), ranges[2] as string]) {
      expect(await run(['read', range, '--output', parts])).toEqual({ code: 0, stdout: '', stderr: '' })
    }
    const early = await run(['commit', plan, parts])
    expect(early.code).toBe(3)
    expect(early.stderr).toMatch(/the part of range 0 \([0-9a-f]{16}\) is missing/)
    await Promise.all([
      run(['read', ranges[0] as string, '--output', parts]),
      run(['read', ranges[0] as string, '--output', parts]),
    ])
    const done = await run(['commit', plan, parts])
    expect(done).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ parts: 6, records: 20, pages: 20, bytes: 2 * Buffer.byteLength(expected), replaced: 0, faults: 0 })}\n`,
      stderr: '',
    })
    const files = readdirSync(parts)
      .filter((name) => name.startsWith('part-'))
      .sort()
    expect(files.map((name) => readFileSync(join(parts, name), 'utf8')).join('')).toBe(expected + expected)
    expect(readdirSync(parts)).not.toContain('_attempts')
  })

  test('is of no use when the dump has changed', async () => {
    const file = join(folder, 'changing.xml')
    copyFileSync(dump, file)
    const [, range = ''] = await makePlan(file)
    utimesSync(file, 1, 1)
    expect(await run(['read', range])).toEqual({
      code: 4,
      stdout: '',
      stderr: `xylem: ${file}: it has changed since the plan was made\n`,
    })
  })

  test('that is none, or a range that is none, is refused', async () => {
    expect(await run(['read', '{}'])).toMatchObject({ code: 2 })
    expect(await run(['read', 'nothing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this is no range'),
    })
    expect(await run(['commit', dump, folder])).toMatchObject({ code: 2 })
    expect(await run(['plan', '-'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only files can be planned'),
    })
    expect(await run(['plan', join(folder, 'missing')])).toMatchObject({ code: 5 })
    expect(await run(['commit', join(folder, 'missing'), folder])).toMatchObject({ code: 5 })
  })

  test('tells where a range is corrupt, with what is good before it', async () => {
    const damaged = Buffer.from(readFileSync(archive))
    const place = Math.floor(damaged.length * 0.8)
    damaged[place] = (damaged[place] as number) ^ 4
    const file = join(folder, 'damaged.bz2')
    writeFileSync(file, damaged)
    const [, ...ranges] = await makePlan(file, '--ranges', '2')
    const { code, stdout, stderr } = await run(['read', ranges[1] as string])
    expect(code).toBe(3)
    expect(stdout).not.toContain('trailer')
    expect(stderr).toMatch(/damaged\.bz2, in the range from byte 2428 on: bzip2: .*, at bit \d+ \(byte \d+\)/)
  })
})

describe('xylem pages --resume', () => {
  const args = (parts: string) => ['pages', archive, '--output', parts, '--resume', '--range-size', '900', '--quiet']

  test('writes the same bytes as without, in parts', async () => {
    const parts = join(folder, 'resumable')
    expect(await run(args(parts))).toEqual({ code: 0, stdout: '', stderr: '' })
    const files = readdirSync(parts)
      .filter((name) => name.startsWith('part-'))
      .sort()
    expect(files.length).toBeGreaterThan(3)
    expect(files.map((name) => readFileSync(join(parts, name), 'utf8')).join('')).toBe(expected)
    expect((await run([...args(parts), '--stats'])).stderr).toMatch(
      new RegExp(`^${files.length} parts \\(${files.length} of them from before\\)`),
    )
  })

  test('that was killed goes on, and makes the same files as an uninterrupted run', async () => {
    const whole = join(folder, 'whole')
    const started = performance.now()
    await run(args(whole))
    const duration = performance.now() - started
    for (let i = 0; i < 6; i++) {
      const parts = join(folder, `killed-${i}`)
      await killAfter(duration * (0.4 + 0.1 * i), args(parts), parts, whole)
      await resume(args(parts))
      expect(describeParts(parts)).toEqual(describeParts(whole))
    }
  })

  test('refuses a folder with parts of something else, and what does not go with it', async () => {
    const parts = join(folder, 'other')
    await run(args(parts))
    const other = await run([...args(parts), '--ns', '0'])
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('has parts of another plan')
    expect((await run(['pages', archive, '--resume'])).stderr).toContain('--output DIR')
    expect((await run([...args(parts), '--limit', '3'])).code).toBe(2)
    expect((await run(['pages', archive, '--resume', '--output', archive])).stderr).toContain('it is no folder')
    expect((await run(['pages', '-', '--resume', '--output', parts])).code).toBe(2)
  })
})
