import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePlan, parseRange } from '../../../source/cli/plan/plan.ts'
import { sealObject } from '../../../source/cli/plan/seal.ts'
import { encodeBzip2 } from '../../support/bzip2-encoder.ts'
import { finish, type Outcome, run, start } from '../../support/command.ts'
import { isThorough, range, sample } from '../../support/extent.ts'
import { fixturePath, readFixture } from '../../support/fixtures.ts'
import { describeParts, killAfter, resume } from '../../support/resuming.ts'

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
  test('has dumps in xz, and reads only their beginning', async () => {
    const { code, stdout, stderr } = await run(['plan', dump, fixturePath('mediawiki/small-dump.xml.xz')])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
  })

  test('is refused for other XML, with the command that plans or reads it', async () => {
    const feed = fixturePath('recipes/feed.rss')
    for (const dumps of [[feed], [dump, feed]]) {
      expect(await run(['plan', ...dumps])).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(
          `not a MediaWiki dump: the root element is <rss>[^]*\\(to plan other XML: xylem plan --each item --field NAME ${feed}; to read it: xylem select item ${feed}\\)`,
        ),
      })
    }
  })

  test('is refused for what no range of it could read, unless errors are skipped', async () => {
    const cut = join(folder, 'cut-head.xml')
    writeFileSync(cut, readFileSync(dump).subarray(0, 100))
    expect(await run(['plan', dump, cut])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining(`${cut}: not a MediaWiki dump: the input ends`),
    })
    await makePlan(dump, cut, '--on-error', 'skip-page')
  })

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
    expect(JSON.parse(head)).toMatchObject({ type: 'plan', version: 5, ranges: 4, site: { dbName: 'xylemwiki' } })
    const parsed = ranges.map((line) => JSON.parse(line))
    expect(parsed[0].start).toBe(0)
    expect(parsed[3].end).toBe(parsed[0].size)
    for (const [i, range] of parsed.entries()) {
      expect(range).toMatchObject({ index: i, file: archive, codec: 'bzip2' })
      const ids = [
        { first: 1, last: 9 },
        { first: 20, last: Number.MAX_SAFE_INTEGER },
      ]
      expect(range.question).toEqual({ kind: 'pages', ns: ['1', '0'], title: '^X', ids, onError: 'stop' })
      expect(range.id).toMatch(/^[0-9a-f]{16}$/)
    }
    expect(new Set(parsed.map(({ id }) => id)).size).toBe(4)
    expect(await makePlan(archive, '--ranges', '4', '--ns', 'Talk,0', '--title', '^X', '--ids', '1-9,20-')).toEqual([
      head,
      ...ranges,
    ])
  })

  test.each(sample(['revisions', 'pages'], 1))('leads to all %s, each once, whoever reads its ranges', async (kind) => {
    const all = (await run([kind, archive])).stdout
    for (const file of sample([archive, dump], 1)) {
      const [, ...ranges] = await makePlan(file, '--ranges', '3', ...(kind === 'revisions' ? ['--revisions'] : []))
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

  test.runIf(isThorough)('is finished when the folder has all parts, which may be written twice', async () => {
    const plan = join(folder, 'plan.jsonl')
    const parts = join(folder, 'parts')
    const [head, ...ranges] = await makePlan(archive, dump, '--ranges', '3')
    writeFileSync(plan, [head, ...ranges, ''].join('\n'))
    expect(await run(['read', ranges[3] as string, '--output', parts])).toMatchObject({ code: 0 })
    const { code, stderr } = await run(['commit', plan, parts])
    const missing = [0, 1, 2, 4, 5].map((index) => `a part is missing \\(range ${index}, [0-9a-f]{16}\\)`)
    expect([code, stderr]).toEqual([3, expect.stringMatching(`5 parts are missing or wrong: ${missing.join('; ')}\n$`)])
    for (const range of [...ranges.slice(1).toReversed(), ranges[2] as string]) {
      expect(await run(['read', range, '--output', parts])).toEqual({ code: 0, stdout: '', stderr: '' })
    }
    const early = await run(['commit', plan, parts])
    expect(early.code).toBe(3)
    expect(early.stderr).toMatch(/a part is missing \(range 0, [0-9a-f]{16}\)/)
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
    const { stdout } = await run(['read', range])
    // Its time alone says nothing.
    utimesSync(file, 1, 1)
    const touched = await run(['read', range])
    const withoutState = (text: string) => text.replace(/"mtimeNs":"\d+"/, '')
    expect({ ...touched, stdout: withoutState(touched.stdout) }).toEqual({
      code: 0,
      stdout: withoutState(stdout),
      stderr: '',
    })
    writeFileSync(file, readFileSync(file, 'utf8').replace('<title>', '<titlE>'))
    expect(await run(['read', range])).toEqual({
      code: 4,
      stdout: '',
      stderr: `xylem: ${file}: the file has changed since the plan was created\n`,
    })
  })

  test.runIf(isThorough)('is of no use when the dump changes while a range is read', async () => {
    const file = join(folder, 'overwritten.xml')
    const pages = Array.from({ length: 60_000 }, (_, id) => `<page><title>t</title><id>${id}</id></page>\n`).join('')
    writeFileSync(file, `<mediawiki>${pages}</mediawiki>`)
    const [, range = ''] = await makePlan(file)
    const child = start('read', range)
    child.stdin.end()
    const outcome = finish(child)
    await once(child.stdout, 'data')
    child.kill('SIGSTOP')
    writeFileSync(file, `<mediawiki>${pages.replaceAll('<title>t', '<title>u')}</mediawiki>`)
    child.kill('SIGCONT')
    const { code, stdout, stderr } = await outcome
    expect(code).toBe(4)
    // Which of the two is noticed first depends on how far it was.
    expect([
      `xylem: ${file}: the file has changed since the plan was created\n`,
      `xylem: ${file} changed while it was read: it was written to\n`,
    ]).toContain(stderr)
    expect(stdout).not.toContain('trailer')
  })

  test('that was edited, shortened or mixed is refused, and so is a range', async () => {
    const [head = '', ...ranges] = await makePlan(archive, '--ranges', '4')
    const plan = join(folder, 'edited.jsonl')
    const parts = join(folder, 'edited')
    for (const range of ranges) expect(await run(['read', range, '--output', parts])).toMatchObject({ code: 0 })
    const commit = (...lines: string[]) => {
      writeFileSync(plan, lines.join('\n'))
      return run(['commit', plan, parts])
    }
    const edit = (line: string, change: object) => JSON.stringify({ ...JSON.parse(line), ...change })
    const [one = '', two = '', three = '', four = ''] = ranges
    for (const lines of [
      [head, one, one, three, four],
      [head, one, three, two, four],
      [head, one, two, three],
      [edit(head, { ranges: 3 }), one, two, four],
      [edit(head, { digest: '' }), one, two, three, four],
      [edit(head, { version: 99 }), one, two, three, four],
      [one, two, three, four],
      [head, one, two, three, edit(four, { end: 5 })],
    ]) {
      expect(() => parsePlan(lines.join('\n'))).toThrow(/^(the|not a) (plan|range)/)
    }
    const refused = await commit(head, one, two, three)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/^xylem: \S*edited\.jsonl: the plan .*\n$/)
    expect(await commit(head, one, two, three, four, '')).toMatchObject({ code: 0 })
    for (const change of [
      { id: '../../escaped' },
      { id: '0123456789abcdef' },
      { version: 2 },
      { version: 6 },
      { head: undefined },
      { head: { length: 5, digest: '' } },
      { version: undefined },
      { question: { kind: 'nothing' } },
      { start: -5 },
      { start: 10, end: 5 },
      { end: 1e18 },
      { end: 1000.7 },
      { size: undefined },
      { codec: 'none' },
      { question: { ns: ['1'] } },
      { question: 1 },
      { file: 5 },
      { index: '../0' },
    ]) {
      expect(() => parseRange(edit(one, change)), JSON.stringify(change)).toThrow(/^(the|not a) (plan|range)\b/)
    }
    const other = 'the plan is for the format orc, which this xylem does not have'
    expect(() => parseRange(edit(one, { format: 'orc' }))).toThrow(other)
    for (const line of ['null', '[]', '5', '"x"', '']) expect(() => parseRange(line), line).toThrow('not a range')
    const changed = await run(['read', edit(one, { start: -5 }), '--output', join(folder, 'in', 'ner')])
    expect(changed).toMatchObject({ code: 2, stdout: '' })
    expect(changed.stderr).toMatch(/^xylem: the range was edited.*\n$/)
    expect(readdirSync(folder)).not.toContain('in')
  })

  test('is not finished with parts or manifests that were edited, or do not account for the dump', async () => {
    const [head, ...ranges] = await makePlan(archive, '--ranges', '4')
    const plan = join(folder, 'finished.jsonl')
    writeFileSync(plan, [head, ...ranges].join('\n'))
    const parts = join(folder, 'finished')
    for (const range of ranges) expect(await run(['read', range, '--output', parts])).toMatchObject({ code: 0 })
    const { id } = JSON.parse(ranges[1] as string)
    const part = join(parts, `part-00001-${id}.jsonl`)
    const manifest = join(parts, '_manifest', `${id}.json`)
    const content = readFileSync(part, 'utf8')
    const trailer = readFileSync(manifest, 'utf8')
    const good = await run(['commit', plan, parts])
    expect(good).toMatchObject({ code: 0, stderr: '' })

    writeFileSync(part, content.replace('"title":"', '"title":"X').replace('"text":"?', '"text":"'))
    expect(await run(['commit', plan, parts])).toMatchObject({ code: 3, stdout: '' })
    writeFileSync(part, content.replace('"title":"H', '"title":"X'))
    const edited = await run(['commit', plan, parts])
    expect(edited).toMatchObject({ code: 3, stdout: '' })
    expect(edited.stderr).toMatch(/part-00001-\w+\.jsonl was changed after it was written \(range 1, \w+\)/)
    expect(readdirSync(parts)).not.toContain('_SUCCESS')
    const quick = await run(['commit', plan, parts, '--quick'])
    expect(quick).toMatchObject({ code: 0, stdout: good.stdout })
    expect(quick.stderr).toContain('only the sizes of the parts were checked')
    writeFileSync(part, content)

    const value = JSON.parse(trailer)
    for (const changed of [
      { ...value, records: 1e9 },
      { ...value, blocks: 'x' },
      { ...value, blocks: undefined },
      { ...value, digest: undefined },
      null,
    ]) {
      writeFileSync(manifest, JSON.stringify(changed))
      for (const args of isThorough ? [[], ['--quick']] : [['--quick']]) {
        const { code, stdout, stderr } = await run(['commit', plan, parts, ...args])
        expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
        expect(stderr).toMatch(/a manifest was edited or is damaged/)
      }
    }
    const { seal: _, ...rest } = value
    const hole = { ...rest, from: { ...rest.from, offset: rest.from.offset + 1 } }
    writeFileSync(manifest, JSON.stringify(sealObject(hole)))
    const holey = await run(['commit', plan, parts])
    expect(holey).toMatchObject({ code: 3, stdout: '' })
    expect(holey.stderr).toMatch(/the pages between byte \d+ of the block at bit \d+ and .* were skipped or read twice/)
    writeFileSync(manifest, trailer)
    expect(await run(['commit', plan, parts])).toEqual(good)
  })

  test('of an older version is refused, and so is a range of one', async () => {
    const [head = '', range = ''] = await makePlan(archive, '--ranges', '4')
    const old = (line: string) => JSON.stringify({ ...JSON.parse(line), version: 2 })
    const message = 'xylem: the plan has version 2, but this xylem reads version 5; create the plan again\n'
    expect(await run(['read', old(range)])).toEqual({ code: 2, stdout: '', stderr: message })
    const plan = join(folder, 'old.jsonl')
    writeFileSync(plan, `${old(head)}\n${old(range)}\n`)
    const { code, stderr } = await run(['commit', plan, join(folder, 'of-old')])
    expect({ code, stderr: stderr.replace(`${plan}: `, '') }).toEqual({ code: 2, stderr: message })
  })

  test('knows the head of the dump: another one is an error, whatever the file says of its time', async () => {
    const file = join(folder, 'headed.xml')
    const text = `<mediawiki xmlns="urn:one">${readFileSync(dump, 'utf8').replace(/^.*?<mediawiki[^>]*>/s, '')}`
    writeFileSync(file, text)
    utimesSync(file, 1000, 1000)
    const [, , second = ''] = await makePlan(file, '--ranges', '3')
    expect(JSON.parse(second).head).toEqual({ length: 27, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await run(['read', second])).toMatchObject({ code: 0 })
    writeFileSync(file, text.replace('urn:one', 'urn:two'))
    utimesSync(file, 1000, 1000)
    const { code, stderr } = await run(['read', second])
    expect(code).toBe(4)
    expect(stderr).toContain('headed.xml, in the range that starts at byte')
    expect(stderr).toContain('the dump has changed: its first 27 bytes')
  })

  test('names the pages of a range whose ids are numbers, where ids are not asked for', async () => {
    const file = join(folder, 'ids.xml')
    const pages = ['x', '0', '7', 'y'].map((id) => `<page><title>t</title><id>${id}</id></page>`)
    writeFileSync(file, `<mediawiki>${pages.join('')}</mediawiki>`)
    const trailerOf = async (path: string) => {
      const [, range = ''] = await makePlan(path, '--fields', 'title')
      const { stdout } = await run(['read', range])
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').trailer
    }
    expect(await trailerOf(file)).toMatchObject({ records: 4, pages: 4, firstPage: 0, lastPage: 7 })
    writeFileSync(file, `<mediawiki>${pages[0]}</mediawiki>`)
    const { firstPage, lastPage, records } = await trailerOf(file)
    expect({ firstPage, lastPage, records }).toEqual({ firstPage: undefined, lastPage: undefined, records: 1 })
  })

  test('that is not one, or a range that is not one, is refused', async () => {
    expect(await run(['read', '{}'])).toMatchObject({ code: 2 })
    expect(await run(['read', 'nothing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not a range'),
    })
    expect(await run(['commit', dump, folder])).toMatchObject({ code: 2 })
    expect(await run(['plan', '-'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('xylem plan can read files and URLs only, not standard input'),
    })
    expect(await run(['plan', dump, '--ranges', '2', '--range-size', '2000'])).toMatchObject({
      code: 2,
      stderr: 'xylem: --ranges cannot be used together with --range-size\n',
    })
    expect(await run(['plan', join(folder, 'missing')])).toMatchObject({ code: 5 })
    expect(await run(['commit', join(folder, 'missing'), folder])).toMatchObject({ code: 5 })
  })

  test('reports where a range is corrupt, with what is good before it', async () => {
    const damaged = Buffer.from(readFileSync(archive))
    const place = Math.floor(damaged.length * 0.8)
    damaged[place] = (damaged[place] as number) ^ 4
    const file = join(folder, 'damaged.bz2')
    writeFileSync(file, damaged)
    const [, ...ranges] = await makePlan(file, '--ranges', '2')
    const { code, stdout, stderr } = await run(['read', ranges[1] as string])
    expect(code).toBe(3)
    expect(stdout).not.toContain('trailer')
    expect(stderr).toMatch(/damaged\.bz2, in the range that starts at byte 2428: bzip2: .*, at bit \d+ \(byte \d+\)/)
  })
})

describe('xylem pages --resume', () => {
  const args = (parts: string) => ['pages', archive, '--output', parts, '--resume', '--range-size', '900', '--quiet']

  /** The parts of a run that was not disturbed, what it printed, and how long it took. */
  let whole = ''
  let outcome: Outcome
  let duration = 0
  beforeAll(async () => {
    whole = join(folder, 'whole')
    const started = performance.now()
    outcome = await run(args(whole))
    duration = performance.now() - started
  })

  /** A folder that has all parts. */
  const copyParts = (name: string) => {
    const parts = join(folder, name)
    cpSync(whole, parts, { recursive: true })
    return parts
  }

  test('writes the same bytes as without, in parts', async () => {
    const parts = copyParts('resumable')
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' })
    const files = readdirSync(parts)
      .filter((name) => name.startsWith('part-'))
      .sort()
    expect(files.length).toBeGreaterThan(3)
    expect(files.map((name) => readFileSync(join(parts, name), 'utf8')).join('')).toBe(expected)
    expect((await run([...args(parts), '--stats'])).stderr).toMatch(
      new RegExp(`^${files.length} parts \\(${files.length} of them from earlier runs\\)`),
    )
  })

  test.runIf(isThorough)('reads in each range what the beginning of the dump declares', async () => {
    const page = (id: number) =>
      `<page><title>&t;</title><id>${id}</id><x:c>${id}</x:c><revision><id>${id}</id><comment>secret</comment><text/></revision></page>\n`
    const doctype = '<!DOCTYPE mediawiki [<!ENTITY t "T"><!ATTLIST comment deleted CDATA "deleted">]>'
    const text = `${doctype}\n<mediawiki xmlns="urn:wiki" xmlns:x="urn:x">\n${range(1, 40).map(page).join('')}</mediawiki>\n`
    const chosen = ['--fields', 'id,title,revision.comment,t={urn:wiki}title,c=x:c,d={urn:x}c']
    for (const [name, bytes, ways] of [
      ['head.xml', Buffer.from(text), sample([[], chosen], 1)],
      ['head.xml.bz2', encodeBzip2(Buffer.from(text), { blockSize: 500 }), sample([chosen, []], 1)],
    ] as const) {
      const file = join(folder, name)
      writeFileSync(file, bytes)
      for (const fields of ways) {
        const { stdout } = await run(['pages', file, ...fields])
        expect(stdout.split('\n')).toHaveLength(40)
        expect(stdout).not.toContain('secret')
        const parts = join(folder, `${name}-${fields.length}`)
        const outcome = await run(['pages', file, ...fields, '--resume', '--output', parts, '--range-size', '700'])
        const said = 'xylem: warning: the field revision.comment is empty in every page\n'
        expect(outcome).toEqual({ code: 0, stdout: '', stderr: fields.length > 0 ? said : '' })
        const files = readdirSync(parts).filter((part) => part.startsWith('part-'))
        expect(files.length).toBeGreaterThan(2)
        expect(
          files
            .sort()
            .map((part) => readFileSync(join(parts, part), 'utf8'))
            .join(''),
        ).toBe(stdout)
      }
    }
  })

  test('reports the missing end of a dump that was cut off between two pages', async () => {
    const file = join(folder, 'cut.xml')
    writeFileSync(file, readFileSync(dump, 'utf8').replace('</mediawiki>', ''))
    const parts = join(folder, 'of-cut')
    const outcome = await run(['pages', file, '--resume', '--output', parts, '--range-size', '2000'])
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('the input ends, but <mediawiki>') })
    expect(readdirSync(parts)).not.toContain('_SUCCESS')
  })

  test.runIf(isThorough)('that was killed continues, and makes the same files as an uninterrupted run', async () => {
    for (const i of range(0, 6)) {
      const parts = join(folder, `killed-${i}`)
      await killAfter(duration * (0.4 + 0.1 * i), args(parts), parts, whole)
      await resume(args(parts))
      expect(describeParts(parts)).toEqual(describeParts(whole))
    }
  })

  test('reads a part again that was changed', async () => {
    const parts = copyParts('mended')
    const name = readdirSync(parts).find((file) => file.startsWith('part-00001')) as string
    const before = readFileSync(join(parts, name), 'utf8')
    writeFileSync(join(parts, name), before.replace('"id":', '"ID":'))
    const { stderr } = await run([...args(parts), '--stats'])
    expect(stderr).toMatch(/^(\d+) parts \(\d+ of them from earlier runs\)/)
    expect(readFileSync(join(parts, name), 'utf8')).toBe(before)
    expect(describeParts(parts)).toEqual(describeParts(whole))
  })

  test.runIf(isThorough)(
    'that is started several times at once gives the same parts, and succeeds each time',
    async () => {
      for (let round = 0; round < (isThorough ? 3 : 1); round++) {
        const parts = join(folder, `together-${round}`)
        const outcomes = await Promise.all(Array.from({ length: isThorough ? 4 : 2 }, () => run(args(parts))))
        expect(outcomes).toEqual(outcomes.map(() => ({ code: 0, stdout: '', stderr: '' })))
        expect(describeParts(parts)).toEqual(describeParts(whole))
      }
    },
  )

  test('says that the dump has changed since its parts were begun', async () => {
    const file = join(folder, 'replaced.xml')
    copyFileSync(dump, file)
    const parts = join(folder, 'of-replaced')
    const command = ['pages', file, '--output', parts, '--resume', '--quiet']
    expect(await run(command)).toMatchObject({ code: 0 })
    writeFileSync(file, readFileSync(file, 'utf8').replace('<id>', '<iD>'))
    const { code, stderr } = await run(command)
    expect(code).toBe(4)
    expect(stderr).toContain(`replaced.xml: the file has changed since the first run with ${parts}; use another folder`)
  })

  test.runIf(isThorough)('continues with a dump that was touched or copied', async () => {
    const file = join(folder, 'touched.xml')
    copyFileSync(dump, file)
    const parts = join(folder, 'of-touched')
    const command = ['pages', file, '--output', parts, '--resume', '--range-size', '2000', '--stats']
    expect((await run(command)).stderr).toMatch(/^3 parts \(0 of them/)
    utimesSync(file, 1, 1)
    expect((await run(command)).stderr).toMatch(/^3 parts \(3 of them/)
  })

  test.runIf(isThorough)('says that another run writes the parts only if one does', async () => {
    const parts = copyParts('busy')
    rmSync(join(parts, '_SUCCESS'))
    const busy = /another run seems to be writing the same parts/
    const attempt = async (process: number, host: string) => {
      mkdirSync(join(parts, '_attempts'), { recursive: true })
      writeFileSync(join(parts, '_attempts', `x.${process}.${host}.1`), '')
      return (await run(args(parts).filter((word) => word !== '--quiet'))).stderr
    }
    const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
    const gone = spawnSync(process.execPath, ['--version']).pid
    expect(await attempt(process.pid, host)).toMatch(busy)
    expect(await attempt(gone, host)).not.toMatch(busy)
    expect(await attempt(gone, '00000000')).toMatch(busy)
  })

  test('reads a dump that is not UTF-8 in one part', async () => {
    const text = readFileSync(dump, 'utf8').replace(/[^\0-\xff]/gu, '?')
    const wide = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le')
    const latin1 = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1')
    for (const [i, bytes] of sample([wide, latin1, encodeBzip2(wide), encodeBzip2(latin1)], 1).entries()) {
      const file = join(folder, `not-utf-8-${i}`)
      writeFileSync(file, bytes)
      const { stdout } = await run(['pages', file])
      expect(stdout.split('\n')).toHaveLength(11)
      const parts = join(folder, `of-not-utf-8-${i}`)
      expect(await run(['pages', file, '--output', parts, '--resume', '--range-size', '500'])).toMatchObject({
        code: 0,
      })
      const files = readdirSync(parts).filter((name) => name.startsWith('part-'))
      expect(files.map((name) => readFileSync(join(parts, name), 'utf8')).join('')).toBe(stdout)
    }
  })

  test('refuses a folder with parts of something else, and what does not go with it', async () => {
    const parts = copyParts('other')
    const other = await run([...args(parts), '--ns', '0'])
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('contains parts of a different plan, with another --ns, such as part-00000-')
    const several = await run([
      ...args(parts),
      '--range-size',
      '700',
      '--fields',
      'id',
      '--csv-safe',
      '--format',
      'csv',
    ])
    expect(several.stderr).toContain('with another --fields, --csv-safe, --format, --range-size, such as')
    const otherDump = await run(['pages', dump, archive, '--resume', '--output', parts])
    expect(otherDump.stderr).toContain(`a different plan, of ${basename(archive)}, such as`)
    const otherKind = await run(['revisions', ...args(parts).slice(1)])
    expect(otherKind.stderr).toContain('a different plan, of pages, such as')
    expect((await run(['pages', archive, '--resume'])).stderr).toContain('--output DIR')
    expect((await run([...args(parts), '--limit', '3'])).code).toBe(2)
    expect((await run(['pages', archive, '--resume', '--output', archive])).stderr).toContain('not a folder')
    expect((await run(['pages', '-', '--resume', '--output', parts])).code).toBe(2)
  })
})
