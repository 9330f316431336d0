import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { run } from '../support/command.ts'
import { fixturePath, readFixture } from '../support/fixtures.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const multistream = fixturePath('mediawiki/small-dump-multistream.xml.bz2')
const lines = readFileSync(fixturePath('mediawiki/small-dump.jsonl'), 'utf8').trimEnd().split('\n')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Ids of the pages that are printed. */
async function pageIds(...args: string[]): Promise<number[]> {
  const { code, stdout, stderr } = await run(['pages', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).id)
}

describe('the filters of xylem pages', () => {
  test.each([
    [
      ['--ns', 'Talk,828'],
      [8, 12],
    ],
    [['--ns', 'talk'], [8]],
    [['--redirects', 'only'], [3]],
    [
      ['--redirects', 'out', '--ns', '0', '--limit', '3'],
      [1, 4, 5],
    ],
    [
      ['--title', '^(Wood|Help)'],
      [3, 4],
    ],
    [
      ['--ids', '1,5-7,12-'],
      [1, 5, 6, 7, 12],
    ],
    [
      ['--since', '2026-01-02T03:04:10Z'],
      [7, 8, 9],
    ],
    [
      ['--until', '2026-01-02T03:04:06'],
      [1, 3, 12],
    ],
    [
      ['--since', '2026-01-02', '--until', '2026-01-02', '--ns', '0'],
      [1, 3, 4, 5, 6, 7],
    ],
    [
      ['--model', 'error-no-model,Scribunto'],
      [5, 12],
    ],
    [['--minor', 'only'], [1]],
    [['--minor', 'out', '--contributor', 'Ada'], [9]],
    [['--contributor', '2001:db8::7'], [3]],
  ])('%j keep the pages %j', async (args, expected) => {
    expect(await pageIds(dump, ...args)).toEqual(expected)
  })
})

describe('the outputs of xylem pages', () => {
  test('may be some fields, by their paths', async () => {
    const { stdout } = await run([
      'pages',
      dump,
      '--fields',
      'title,revision.contributor.username,nothing',
      '--limit',
      '2',
    ])
    expect(stdout).toBe('{"title":"Xylem","revision.contributor.username":"Ada"}\n{"title":"Wood"}\n')
  })

  test('may be comma-separated, with quotes where they are needed', async () => {
    const { stdout } = await run([
      'pages',
      dump,
      '--format',
      'csv',
      '--fields',
      'id,title,revision.comment,revision.text',
      '--limit',
      '2',
    ])
    expect(stdout).toBe(
      `id,title,revision.comment,revision.text\r\n1,Xylem,"A ""better"" lead & a tree: 🌳","'''Xylem''' & ""phloem"" <ref>a</ref> <page>\nWood é 木 🌳 ]]>\n\nEnd."\r\n3,Wood,,#REDIRECT [[Xylem]]\r\n`,
    )
  })

  test('may be tab-separated, with escapes', async () => {
    const { stdout } = await run([
      'pages',
      dump,
      '--format',
      'tsv',
      '--fields',
      'id,revision.text,revision.contributor',
      '--ids',
      '7',
    ])
    expect(stdout).toBe(
      'id\trevision.text\trevision.contributor\n7\tone\\ntwo\\nthree\\n\u0085it\'s\t{"username":"Bo <3>","id":8}\n',
    )
  })

  test('have usual fields where none are said, and the format that the name of the file says', async () => {
    const file = join(folder, 'pages.csv')
    expect(await run(['pages', dump, '--output', file, '--limit', '1'])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(file, 'utf8')).toMatch(/^id,ns,title,redirect,revision\.id,.*\r\n1,0,Xylem,,101,2026/)
  })

  test('are compressed where the name of the file ends in .gz', async () => {
    const file = join(folder, 'pages.jsonl.gz')
    expect((await run(['pages', dump, '--output', file])).code).toBe(0)
    expect(gunzipSync(readFileSync(file)).toString()).toBe(`${lines.join('\n')}\n`)
  })

  test('that are compressed and cannot be written are an error', async () => {
    const file = join(folder, 'full.gz')
    symlinkSync('/dev/full', file)
    const { code, stderr } = await run(['pages', dump, '--output', file])
    expect(code).toBe(5)
    expect(stderr).toContain('the output failed')
  })

  test('join those of several dumps and of patterns, parts in the order of their numbers', async () => {
    for (const name of ['part-p10p20.xml', 'part-p9p9.xml']) copyFileSync(dump, join(folder, name))
    writeFileSync(join(folder, 'part-p9p9.xml'), readFileSync(dump, 'utf8').replaceAll('<id>1</id>', '<id>4711</id>'))
    const ids = await pageIds(join(folder, 'part-*.xml'))
    expect(ids).toHaveLength(20)
    expect(ids[0]).toBe(4711)
    expect(await pageIds(dump, multistream, '--limit', '13')).toHaveLength(13)
  })

  test('are the same with one job and with two', async () => {
    const archive = join(folder, 'blocks.bz2')
    writeFileSync(archive, encodeBzip2(readFixture('mediawiki/small-dump.xml'), { blockSize: 300 }))
    const alone = await run(['pages', archive, '--jobs', '1'])
    expect(alone.stdout).toBe(`${lines.join('\n')}\n`)
    for (const jobs of ['2', '5']) expect(await run(['pages', archive, '--jobs', jobs])).toEqual(alone)
  })
})

describe('xylem revisions', () => {
  test('prints one revision a line, with its page', async () => {
    const { code, stdout } = await run(['revisions', dump])
    expect(code).toBe(0)
    const revisions = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    expect(revisions.map(({ page, id }) => [page.id, id])).toEqual([
      [1, 101],
      [3, 103],
      [4, 104],
      [5, 105],
      [6, 106],
      [7, 107],
      [8, 108],
      [8, 109],
      [9, 110],
      [12, 112],
    ])
    expect(revisions[1].page).toEqual({ id: 3, ns: 0, title: 'Wood', redirect: 'Xylem' })
  })

  test('filters by page and by revision', async () => {
    const { stdout } = await run([
      'revisions',
      dump,
      '--ns',
      'Talk',
      '--minor',
      'only',
      '--fields',
      'page.title,id,comment',
    ])
    expect(stdout).toBe('{"page.title":"Talk:Xylem","id":108,"comment":"first"}\n')
  })

  test('tells every option in its help', async () => {
    const { stdout } = await run(['revisions', '--help'])
    for (const option of [
      'ns',
      'redirects',
      'title',
      'ids',
      'since',
      'until',
      'model',
      'minor',
      'contributor',
      'limit',
      'fields',
      'format',
      'output',
      'jobs',
      'on-error',
      'strict',
      'verify',
      'stats',
      'quiet',
    ]) {
      expect(stdout).toContain(`--${option}`)
    }
  })
})

describe('a dump with faults', () => {
  const text = readFileSync(dump, 'utf8')

  test('is read on behind a bad page when that is asked for, and what was lost is told', async () => {
    const file = join(folder, 'bad-page.xml')
    writeFileSync(
      file,
      text.replace('</title>\n    <ns>0</ns>\n    <id>4</id>', '</titel>\n    <ns>0</ns>\n    <id>4</id>'),
    )
    const stopped = await run(['pages', file])
    expect(stopped.code).toBe(3)
    expect(stopped.stdout.split('\n').slice(0, -1)).toEqual(lines.slice(0, 2))
    const { code, stdout, stderr } = await run(['pages', file, '--on-error', 'skip-page'])
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(0, -1)).toEqual([...lines.slice(0, 2), ...lines.slice(3)])
    expect(stderr).toMatch(
      /^.*bad-page\.xml: the end tag <\/titel> does not match .* \(line \d+, column \d+, byte \d+\); passed over\n$/,
    )
  })

  test('is read on behind a bad block when that is asked for, and only then', async () => {
    const archive = Buffer.from(encodeBzip2(readFixture('mediawiki/small-dump.xml'), { blockSize: 900 }))
    const place = Math.floor(archive.length * 0.6)
    archive[place] = (archive[place] as number) ^ 16
    const file = join(folder, 'bad-block.bz2')
    writeFileSync(file, archive)
    for (const how of ['stop', 'skip-page']) {
      const { code, stdout, stderr } = await run(['pages', file, '--on-error', how])
      expect(code).toBe(3)
      expect(lines.join('\n').startsWith(stdout.trimEnd())).toBe(true)
      expect(stderr).toMatch(/^xylem: .*bad-block\.bz2: bzip2: .*, at bit \d+ \(byte \d+\)\n$/)
    }
    const { code, stdout, stderr } = await run(['pages', file, '--on-error', 'skip-block'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/at bit \d+ \(byte \d+\); passed over\n$/)
    const read = stdout.split('\n').slice(0, -1)
    expect(read.length).toBeGreaterThan(5)
    for (const line of read) expect(lines).toContain(line)
    expect(read.at(-1)).toBe(lines.at(-1))
  })

  test('of characters is read unless it is to be strict', async () => {
    const file = join(folder, 'characters.xml')
    writeFileSync(file, text.replace('better', 'bet\u0001ter'))
    const { code, stderr } = await run(['pages', file, '--stats', '--quiet'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^characters replaced {2}1$/m)
    expect((await run(['pages', file, '--strict'])).code).toBe(3)
  })
})

describe('what xylem pages tells at the end', () => {
  test('counts what was read', async () => {
    const file = join(folder, 'hash.xml')
    writeFileSync(file, readFileSync(dump, 'utf8').replace('<sha1>o9btu', '<sha1>o9xxx'))
    const { code, stderr } = await run(['pages', file, '--stats', '--verify'])
    expect(code).toBe(1)
    expect(stderr).toContain('revision 101: the text does not have the hash that the dump gives for it')
    expect(stderr).toMatch(/^pages +10$/m)
    expect(stderr).toMatch(/^revisions +9$/m)
    expect(stderr).toMatch(/^redirects +1$/m)
    expect(stderr).toMatch(/^texts missing +1 /m)
    expect(stderr).toMatch(/^suppressed +2$/m)
    expect(stderr).toMatch(/^hashes equal +3$/m)
    expect(stderr).toMatch(/^hashes different +1, and 2 of texts that the dump has changed$/m)
    expect(stderr).toMatch(/MB\/s$/m)
  })

  test('compares the checksum of the file with what stands beside it', async () => {
    const own = mkdtempSync(join(folder, 'sums-'))
    const file = join(own, 'dump.xml')
    writeFileSync(file, readFileSync(dump, 'utf8').replace('zzz', ''))
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
    writeFileSync(join(own, 'SHA256SUMS'), `${sum}  dump.xml\n`)
    const good = await run(['pages', file, '--verify', '--stats'])
    expect(good.stderr).toContain('has the sha256 of')
    expect(good.code).toBe(0)
    writeFileSync(join(own, 'SHA256SUMS'), `${'0'.repeat(64)} *dump.xml\n`)
    const bad = await run(['pages', file, '--verify'])
    expect(bad.code).toBe(1)
    expect(bad.stderr).toContain(`its sha256 is ${sum}`)
  })
})

describe('xylem get', () => {
  test('finds a page by title and by id, without an index', async () => {
    expect(await run(['get', dump, '--title', 'Talk:Xylem'])).toEqual({ code: 0, stdout: `${lines[6]}\n`, stderr: '' })
    expect((await run(['get', dump, '--id', '12', '--text'])).stdout).toBe(
      `${JSON.parse(lines[9] as string).revision.text}\n`,
    )
  })

  test('finds a page by the index that xylem index writes', async () => {
    for (const name of ['small-dump.xml', 'small-dump.xml.bz2', 'small-dump-multistream.xml.bz2']) {
      const file = join(folder, name)
      copyFileSync(fixturePath(`mediawiki/${name}`), file)
      expect(await run(['index', file])).toEqual({ code: 0, stdout: '', stderr: '' })
      expect(readFileSync(`${file}.index`, 'utf8').split('\n')).toHaveLength(11)
      for (const line of lines) {
        const { id } = JSON.parse(line)
        expect((await run(['get', file, '--id', String(id)])).stdout).toBe(`${line}\n`)
      }
    }
  })

  test('reads a part of a dump over HTTP, by an index', async () => {
    const archive = readFileSync(multistream)
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers.range)
      const [, from = '0'] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? []
      response.writeHead(206, { 'content-range': `bytes ${from}-${archive.length - 1}/${archive.length}` })
      response.end(archive.subarray(Number(from)))
    }).listen(0)
    const url = `http://localhost:${(server.address() as AddressInfo).port}/dump.bz2`
    const index = join(folder, 'http.index')
    await run(['index', multistream, '--output', index])
    const { stdout } = await run(['get', url, '--index', index, '--title', 'Line_ends'])
    server.close()
    expect(stdout).toBe(`${lines[5]}\n`)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^bytes=[1-9]\d*-/)
  })

  test('says that there is no such page, and what is missing on the command line', async () => {
    const none = await run(['get', dump, '--title', 'Nowhere'])
    expect(none).toEqual({ code: 1, stdout: '', stderr: `xylem: ${dump}: there is no page with the title Nowhere\n` })
    expect(await run(['get', dump])).toMatchObject({ code: 2, stderr: 'xylem: say which page: --title or --id\n' })
    expect((await run(['get', 'https://example.org/x', '--id', '1'])).stderr).toContain('--index')
    expect((await run(['get', join(folder, 'missing'), '--id', '1'])).code).toBe(5)
  })
})

test('xylem info tells what a dump is', async () => {
  const { code, stdout } = await run(['info', fixturePath('mediawiki/small-dump.xml.bz2')])
  expect(code).toBe(0)
  for (const part of ['bzip2', 'Xylem & Phloem', 'xylemwiki', '0.11', '828 Module']) expect(stdout).toContain(part)
  expect(stdout).toMatch(/^pages +10$/m)
  const json = JSON.parse((await run(['info', dump, '--json'])).stdout)
  expect(json).toMatchObject({ compression: 'none', site: { dbName: 'xylemwiki' }, estimate: { pages: 10 } })
  expect(await run(['info', join(folder, 'missing')])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('no such file'),
  })
  expect((await run(['info', fixturePath('mediawiki/README.md')])).code).toBe(3)
})
