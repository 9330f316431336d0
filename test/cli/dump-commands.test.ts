import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { bytesReadBy, finish, run, start } from '../support/command.ts'
import { makeDump } from '../support/dump.ts'
import { extent, isThorough, sample } from '../support/extent.ts'
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
      'title,revision.contributor.username,restrictions',
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
    expect(stderr).toContain('cannot write ')
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
    for (const jobs of sample(['5', '2'], 1)) expect(await run(['pages', archive, '--jobs', jobs])).toEqual(alone)
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

  test('lists every option in its help', async () => {
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

describe('a revision that is larger than may be held', () => {
  const page = (id: number, text: string) =>
    `<page><title>Page ${id}</title><id>${id}</id><revision><id>${id + 100}</id><text>${text}</text></revision></page>\n`
  const limit = ['--max-retained', '100000']
  const message = '<revision> of page "Page 2" (id 2) is larger than the limit of 100000 bytes (--max-retained)'
  let file = ''
  beforeAll(() => {
    file = join(folder, 'large-revision.xml')
    const pages = [page(1, 'one'), page(2, 'x'.repeat(400_000)), page(3, 'three')]
    writeFileSync(file, `<mediawiki>${pages.join('')}</mediawiki>`)
  })

  test.each([
    ['pages', '--fields', 'id', '--check-all-fields'],
    ['revisions', '--fields', 'page.id', '--check-all-fields'],
    ['get', '--id', '3'],
  ])('is named by xylem %s, with the option that raises the limit', async (command, ...args) => {
    const { code, stdout, stderr } = await run([command, file, ...args, ...limit])
    expect(code).toBe(3)
    expect(stderr).toBe(`xylem: ${file}: ${message}\n`)
    expect(stdout.split('\n').length).toBe({ get: 1 }[command] ?? 2)
  })

  test('is indexed all the same: nothing of it is held', async () => {
    const { code, stdout } = await run(['index', file, '--output', '-', ...limit])
    expect(code).toBe(0)
    expect(stdout).toContain('Page 2')
    expect(stdout).toContain('Page 3')
  })

  test('is read without an error if its text is not asked for', async () => {
    const { code, stdout } = await run(['pages', file, '--fields', 'id', ...limit])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"id":1}\n{"id":2}\n{"id":3}\n' })
  })

  test('is skipped where pages with errors are', async () => {
    const args = ['--fields', 'id', '--check-all-fields', '--on-error', 'skip-page', ...limit]
    for (const jobs of ['1', '2']) {
      const { code, stdout, stderr } = await run(['pages', file, ...args, '--jobs', jobs])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '{"id":1}\n{"id":3}\n' })
      expect(stderr).toContain(message)
    }
  })
})

test('a missing file is found before the first of several is read', async () => {
  const missing = join(folder, 'missing.xml')
  for (const command of ['pages', 'revisions', 'plan']) {
    const { code, stdout, stderr } = await run([command, dump, missing])
    expect({ command, code, stdout, stderr }).toEqual({
      command,
      code: 5,
      stdout: '',
      stderr: `xylem: ${missing}: no such file\n`,
    })
  }
})

describe('what others have written', () => {
  const hostile = '\u009b31m\u001b[2J\u007f'

  test('is shown without control characters in messages and by xylem info', async () => {
    const name = join(folder, 'na\u001b[31mme\n.xml')
    const text = `<mediawiki><siteinfo><sitename>S\u009b31m</sitename></siteinfo><page><title>\u009b</titel></page></mediawiki>`
    writeFileSync(name, text)
    const shown = name.replace('\u001b', '\\u001b').replace('\n', '\\u000a')
    const { code, stderr } = await run(['pages', name])
    expect(code).toBe(3)
    expect(stderr).toContain(`xylem: ${shown}: the end tag </titel>`)
    const checked = await run(['check', name])
    expect(checked.stdout).toContain(`${shown}:1:`)
    const { stdout } = await run(['info', name])
    expect(stdout).toMatch(/^site +S\\u009b31m$/m)
    for (const output of [stderr, checked.stdout, stdout]) expect(output).not.toMatch(/(?!\n)\p{Cc}/u)
    expect((await run(['pages', 'no\u001bsuch'])).stderr).toBe('xylem: no\\u001bsuch: no such file\n')
    expect((await run([`pag\u001bes`])).stderr).not.toContain('\u001b')
  })

  test.runIf(existsSync('/usr/bin/script'))('is shown without them where the output is a terminal', async () => {
    const file = join(folder, 'hostile.xml')
    writeFileSync(file, `<mediawiki><page><title>${hostile.replace('\u001b', '')}</title><id>1</id></page></mediawiki>`)
    const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
    const show = (args: string) =>
      execFileSync('script', ['-qec', `"${process.execPath}" "${main}" ${args}`, '/dev/null']).toString()
    expect(show(`pages "${file}"`)).toBe('{"id":1,"title":"\\u009b31m[2J\\u007f"}\r\n')
    if (isThorough) {
      const csv = show(`pages "${file}" --format csv --fields title`)
      expect(csv).toBe('title\r\r\n\\u009b31m[2J\\u007f\r\r\n')
    }
    const { stdout } = await run(['pages', file])
    expect(stdout).toContain('\u009b31m')
  })

  test('is not a formula in tables with --csv-safe', async () => {
    const titles = ['=1+1', '+1', '-1', '@SUM(1)', '&#9;x', 'a=1', "'x"]
    const page = (title: string, id: number) =>
      `<page><title>${title}</title><id>${id}</id><revision><id>${-id}</id></revision></page>`
    const file = join(folder, 'formulas.xml')
    writeFileSync(file, `<mediawiki>${titles.map(page).join('')}</mediawiki>`)
    const args = ['pages', file, '--fields', 'title,revision.id', '--format']
    const rows = (text: string, end: string) => text.split(end).slice(1, -1)
    const safe = ["'=1+1,0", "'+1,-1", "'-1,-2", "'@SUM(1),-3", "'\tx,-4", 'a=1,-5', "'x,-6"]
    expect(rows((await run([...args, 'csv', '--csv-safe'])).stdout, '\r\n')).toEqual(safe)
    expect(rows((await run([...args, 'csv'])).stdout, '\r\n')[0]).toBe('=1+1,0')
    const tsv = rows((await run([...args, 'tsv', '--csv-safe'])).stdout, '\n')
    expect(tsv[0]).toBe("'=1+1\t0")
    expect(await run(['pages', file, '--csv-safe'])).toMatchObject({ code: 2 })
  })
})

describe('a name that matches nothing', () => {
  test.each([
    [['pages', dump, '--fields', 'nope'], 'unknown field nope in pages (xylem pages --list-fields'],
    [['pages', dump, '--fields', 'id,text'], 'unknown field text in pages; did you mean revision.text?'],
    [['pages', dump, '--fields', 'titel'], 'unknown field titel in pages; did you mean title?'],
    [['pages', dump, '--fields', 'ID'], 'unknown field ID in pages; did you mean id?'],
    [['pages', dump, '--fields', 'revision.txt'], 'did you mean revision.text?'],
    [['pages', dump, '--fields', 'usrname'], 'did you mean revision.contributor.username?'],
    [['pages', dump, '--fields', 'id,page.title'], 'unknown field page.title in pages; did you mean title?'],
    [['pages', dump, '--fields', 'title.length'], 'unknown field title.length in pages'],
    [['pages', dump, '--fields', 'revision.constructor'], 'unknown field revision.constructor'],
    [['revisions', dump, '--fields', 'revision.text'], 'unknown field revision.text in revisions; did you mean text?'],
    [['plan', dump, '--revisions', '--fields', 'title'], 'did you mean page.title?'],
    [['pages', dump, '--fields', 'id,x=a['], 'the field x: invalid path "a["'],
    [['pages', dump, '--fields', 'id,id=title'], 'the field name id is used twice'],
    [['revisions', dump, '--fields', 'id,page.id,id'], 'the field name id is used twice'],
    [['plan', dump, '--fields', 'x=/a/b'], 'the field x: '],
    [['revisions', dump, '--fields', 'x[]=page/restrictions'], 'the field x[] cannot be an array'],
    [['pages', dump, '--ids', '5-3'], 'The end of the range 5-3 is less than its start.'],
    [
      ['pages', dump, '--since', '2026-02-01', '--until', '2026-01'],
      '--since 2026-02-01 is later than --until 2026-01',
    ],
    [['revisions', dump, '--since', '2026', '--until', '2025-12-31T00:00Z'], 'is later than --until'],
    [['pages', dump, '--range-size', '1000'], 'use it together with --resume'],
    [['pages', dump, '--ns', 'Nowhere'], 'the wiki has no namespace Nowhere'],
  ])('is refused, with what may be meant: xylem %j', async (args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('is distinguished from those that records may have', async () => {
    const names = [
      'revision.contributor.deleted',
      'revision.contributor',
      'discussion.ThreadSubject',
      'uploads.0.filename',
      'revision.slots.1.contributor',
    ]
    for (const [i, name] of names.entries()) {
      const { code } = await run(['pages', dump, '--fields', name, '--limit', '1'])
      expect({ name, code }).toEqual({ name, code: i === 4 ? 2 : 0 })
    }
    const dates = ['--since', '2026-01-15', '--until', '2026-01']
    expect(await run(['pages', dump, ...dates])).toMatchObject({ code: 1, stderr: 'xylem: no page found\n' })
  })

  test.each(['pages', 'revisions'])('is not among the fields that --list-fields prints for %s', async (kind) => {
    for (const args of [
      [kind, '--list-fields'],
      [kind, dump, '--list-fields'],
    ]) {
      const { code, stdout, stderr } = await run(args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const names = stdout.split('\n').flatMap((line) => line.split(/\s/)[0] || [])
      expect(names).toContain(kind === 'pages' ? 'revision.contributor.username' : 'contributor.username')
      const fields = names.map((name) => name.replace('…', 'x')).join(',')
      const all = await run([kind, dump, '--fields', fields, '--format', 'csv'])
      const empty =
        kind === 'pages'
          ? 'other, revision.other are empty in every page'
          : 'page.other, other are empty in every revision'
      expect(all).toMatchObject({ code: 0, stderr: `xylem: warning: the fields ${empty}\n` })
    }
  })

  test('but may be that of a namespace is warned of at the end', async () => {
    const warning = 'xylem: warning: no page found in namespaces 99, 12\n'
    const options = [[], ['--jobs', '1'], ['--fields', 'id'], ['--title', 'nothing'], ['--redirects', 'only']]
    for (const more of sample(options, 2)) {
      const { code, stdout, stderr } = await run(['pages', dump, '--ns', '0,99,828,12', ...more])
      const nothing = { code: 1, stderr: `${warning}xylem: no page found\n` }
      expect({ code, stderr }).toEqual(stdout === '' ? nothing : { code: 0, stderr: warning })
    }
    expect((await run(['revisions', dump, '--ns', '99'])).stderr).toContain('no page found in namespace 99')
    expect((await run(['pages', dump, '--ns', '0,Talk'])).stderr).toBe('')
    expect((await run(['pages', dump, '--ns', '0,99', '--limit', '1'])).stderr).toBe('')
    const parts = join(folder, 'empty-namespaces')
    const resumed = await run(['pages', dump, '--ns', '0,99', '--resume', '--output', parts, '--range-size', '2000'])
    expect(resumed).toMatchObject({ code: 0, stderr: 'xylem: warning: no page found in namespace 99\n' })
  })
})

describe('a dump with errors', () => {
  const text = readFileSync(dump, 'utf8')

  test('is read beyond a bad page when that is asked for, and the lost page is reported', async () => {
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
      /^.*bad-page\.xml: the end tag <\/titel> does not match .* \(line \d+, column \d+, byte \d+\); skipped\n$/,
    )
  })

  test('is read beyond a bad block when that is asked for, and only then', async () => {
    const archive = Buffer.from(encodeBzip2(readFixture('mediawiki/small-dump.xml'), { blockSize: 900 }))
    const place = Math.floor(archive.length * 0.6)
    archive[place] = (archive[place] as number) ^ 16
    const file = join(folder, 'bad-block.bz2')
    writeFileSync(file, archive)
    for (const how of sample(['stop', 'skip-page'], 1)) {
      const { code, stdout, stderr } = await run(['pages', file, '--on-error', how])
      expect(code).toBe(3)
      expect(lines.join('\n').startsWith(stdout.trimEnd())).toBe(true)
      expect(stderr).toMatch(/^xylem: .*bad-block\.bz2: bzip2: .*, at bit \d+ \(byte \d+\)\n$/)
    }
    const { code, stdout, stderr } = await run(['pages', file, '--on-error', 'skip-block'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/at bit \d+ \(byte \d+\); skipped\n$/)
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

describe('what xylem pages reports at the end', () => {
  test('counts what was read', async () => {
    const file = join(folder, 'hash.xml')
    writeFileSync(file, readFileSync(dump, 'utf8').replace('<sha1>o9btu', '<sha1>o9xxx'))
    const { code, stderr } = await run(['pages', file, '--stats', '--verify'])
    expect(code).toBe(1)
    expect(stderr).toContain('revision 101: the text does not match its size or hash in the dump')
    expect(stderr).toMatch(/^pages +10$/m)
    expect(stderr).toMatch(/^revisions +9$/m)
    expect(stderr).toMatch(/^redirects +1$/m)
    expect(stderr).toMatch(/^texts missing +1 /m)
    expect(stderr).toMatch(/^suppressed +2$/m)
    expect(stderr).toMatch(/^texts compared +6$/m)
    expect(stderr).toMatch(/MB\/s$/m)
  })
})

describe('a dump of an old schema', () => {
  const revision = '<revision><timestamp>2001-01-15T13:15:00Z</timestamp><text>x</text></revision>'
  const pages = ['Oak', 'talk', 'Talk:Oak', 'Talk: no', 'Foo: Bar', 'Special:x']
    .map((title) => `<page><title>${title}</title>${revision}</page>\n`)
    .join('')
  const site =
    '<siteinfo><case>first-letter</case><namespaces><namespace key="-1">Special</namespace><namespace key="0"/><namespace key="1">Talk</namespace></namespaces></siteinfo>'
  const write = () => {
    const file = join(folder, 'old.xml')
    writeFileSync(file, `<mediawiki version="0.5">${site}${pages}</mediawiki>`)
    return file
  }

  test('has the namespaces of its pages in their titles', async () => {
    const file = write()
    const titlesIn = async (...args: string[]) => {
      const { stdout } = await run(['pages', file, '--fields', 'title', '--format', 'tsv', ...args])
      return stdout.trimEnd().split('\n').slice(1)
    }
    expect(await titlesIn('--ns', '1')).toEqual(['Talk:Oak', 'Talk: no'])
    expect(await titlesIn('--ns', 'Talk,Special')).toEqual(['Talk:Oak', 'Talk: no', 'Special:x'])
    expect(await titlesIn('--ns', '0')).toEqual(['Oak', 'talk', 'Foo: Bar'])
    const { stdout } = await run(['revisions', file, '--ns', 'talk', '--fields', 'page.title'])
    expect(stdout).toBe('{"page.title":"Talk:Oak"}\n{"page.title":"Talk: no"}\n')
    const { stdout: plan } = await run(['plan', file, '--ns', '1', '--fields', 'title'])
    const read = await run(['read', '-'], new TextEncoder().encode(plan.split('\n')[1]))
    expect(read.stdout).toContain('{"title":"Talk:Oak"}\n{"title":"Talk: no"}\n{"trailer"')
  })

  test('finds titles as they are given, and as the wiki writes them', async () => {
    const file = write()
    for (const [title, found] of [
      ['Talk: no', 'Talk: no'],
      ['talk', 'talk'],
      ['oak', 'Oak'],
      ['talk:oak', 'Talk:Oak'],
    ] as const) {
      expect((await run(['get', file, '--title', title])).stdout).toContain(`"title":"${found}"`)
      const { code, stdout } = await run(['pages', file, '--titles', title, '--fields', 'title'])
      expect([code, stdout]).toEqual([0, `${JSON.stringify({ title: found })}\n`])
    }
    const missing = await run(['pages', file, '--titles', 'talk|elm', '--fields', 'title'])
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no page found with the title "elm"') })
  })

  test('says where ids are needed and missing', async () => {
    const file = write()
    expect((await run(['pages', file])).code).toBe(0)
    const message = expect.stringContaining('the id of a page is missing')
    expect(await run(['pages', file, '--ids', '1'])).toMatchObject({ code: 3, stderr: message })
    expect(await run(['index', file])).toMatchObject({ code: 3, stderr: message })
    const stderr = expect.stringContaining('a page of this dump has no id; use --title')
    expect(await run(['get', file, '--id', '1'])).toMatchObject({ code: 2, stderr })
  })
})

describe('an index', () => {
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  test('may have line ends of Windows, and gives the page with the title as given before another one', async () => {
    const [first, second] = ['Elm', 'elm'].map((title, id) => `<page><title>${title}</title><id>${id}</id></page>\n`)
    const head = '<mediawiki>\n<siteinfo><case>first-letter</case></siteinfo>\n'
    const file = put('elms.xml', `${head}${first}${second}</mediawiki>\n`)
    const at = [head.length, head.length + (first as string).length]
    for (const end of ['\n', '\r\n']) {
      const index = put('elms.txt', `${at[0]}:0:Elm${end}${at[1]}:1:elm${end}`)
      const get = async (title: string) => (await run(['get', file, '--index', index, '--title', title])).stdout
      expect(await get('elm')).toBe('{"id":1,"title":"elm"}\n')
      expect(await get('Elm')).toBe('{"id":0,"title":"Elm"}\n')
      expect(await get('elM')).toBe('')
    }
    const single = put('elm.txt', `${at[0]}:0:Elm\r\n`)
    expect((await run(['get', file, '--index', single, '--title', 'elm'])).stdout).toBe('{"id":0,"title":"Elm"}\n')
  })
})

describe('a dump that is large enough for several threads', () => {
  let own = ''
  beforeAll(() => {
    own = mkdtempSync(join(folder, 'large-'))
    const bytes = Buffer.concat([...makeDump(18_500, 800)])
    const at = bytes.indexOf('<id>15000</id>')
    const write = (name: string, id: string) =>
      writeFileSync(join(own, name), Buffer.concat([bytes.subarray(0, at), Buffer.from(id), bytes.subarray(at + 14)]))
    write('good.xml', '<id>15000</id>')
    write('wrong.xml', '<id>1500x</id>')
    write('open.xml', '<id>15000</di>')
  })

  const commands: [number, string, string[]][] = [
    [0, 'good.xml', []],
    [3, 'wrong.xml', []],
    [1, 'wrong.xml', ['--on-error', 'skip-page', '--ns', 'Talk']],
    [3, 'open.xml', ['--format', 'csv', '--fields', 'title']],
  ]
  test.each(sample(commands, 2))('gives the same as with one, and exits with %d: %s %o', async (code, name, args) => {
    const command = ['pages', join(own, name), '--verify', ...args]
    const one = await run([...command, '--jobs', '1'])
    expect(one.code).toBe(code)
    expect(await run([...command, '--jobs', '2'])).toEqual(one)
    if (code === 0) expect(one.stderr).toMatch(/^different +0$/m)
  })
})

describe('a dump that is written to while it is read', () => {
  const COUNT = extent(15_000, 60_000, 60_000)
  const readings: [string, string[]][] = [
    ['pages', ['--jobs', '1']],
    ['revisions', ['--jobs', '1']],
    ['index', ['--output', '-']],
    ['get', ['--id', `${COUNT - 1}`]],
    ['pages', ['--verify', '--jobs', '2']],
  ]
  test.each(sample(readings, 1))('is noticed by xylem %s %o', async (command, args) => {
    const file = join(folder, `changing-${command}.xml`)
    const more = 'x'.repeat(200)
    const page = (id: number) =>
      `<page><title>t${more}</title><id>${id}</id><revision><id>1</id><text>${more}</text></revision></page>\n`
    const text = `<mediawiki>${Array.from({ length: COUNT }, (_, id) => page(id)).join('')}</mediawiki>`
    writeFileSync(file, text)
    const child = start(command, file, ...args)
    // One that prints is stopped by a reader that does not read, long before the file ends.
    if (command !== 'get') await once(child.stdout, 'readable')
    else while (bytesReadBy(child.pid as number) < text.length / 4) await sleep(1)
    child.kill('SIGSTOP')
    writeFileSync(file, text.replaceAll('<title>t', '<title>u'))
    child.kill('SIGCONT')
    const { code, stderr } = await finish(child)
    expect(code).toBe(4)
    expect(stderr).toContain(`xylem: ${file} changed while it was read: it was written to\n`)
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
    for (const name of sample(['small-dump.xml', 'small-dump.xml.bz2', 'small-dump-multistream.xml.bz2'], 2)) {
      const file = join(folder, name)
      copyFileSync(fixturePath(`mediawiki/${name}`), file)
      expect(await run(['index', file])).toEqual({ code: 0, stdout: '', stderr: '' })
      expect(readFileSync(`${file}.index`, 'utf8').split('\n')).toHaveLength(13)
      for (const line of sample(lines, 2)) {
        const { id } = JSON.parse(line)
        expect((await run(['get', file, '--id', String(id)])).stdout).toBe(`${line}\n`)
      }
    }
  })

  test('reads a page by an index with what the beginning of the dump declares', async () => {
    const doctype = '<!DOCTYPE mediawiki [<!ENTITY t "T"><!ATTLIST comment deleted CDATA "deleted">]>'
    const page = (id: number) =>
      `<page><title>P${id}</title><id>${id}</id><x:c/><revision><id>${id}</id><comment>secret</comment><text>&t;</text></revision></page>\n`
    const file = join(folder, 'declared.xml')
    writeFileSync(file, `${doctype}<mediawiki xmlns:x="urn:x">${page(1)}${page(2)}${page(3)}</mediawiki>`)
    const expected = await run(['get', file, '--id', '2'])
    expect(JSON.parse(expected.stdout)).toMatchObject({ id: 2, revision: { text: 'T' } })
    expect(expected.stdout).not.toContain('secret')
    expect(await run(['index', file])).toMatchObject({ code: 0 })
    expect(await run(['get', file, '--id', '2'])).toEqual(expected)
  })

  test('does not believe the index of another dump, or one that is not complete', async () => {
    const file = join(folder, 'indexed.xml')
    const text = readFileSync(dump, 'utf8')
    writeFileSync(file, text)
    expect(await run(['index', file])).toMatchObject({ code: 0 })
    const index = readFileSync(`${file}.index`, 'utf8')
    // Same size, same number of pages, other texts; then another size.
    for (const other of [text.replace('Wood', 'Good'), `${text}\n`]) {
      writeFileSync(file, other)
      const { code, stdout, stderr } = await run(['get', file, '--id', '3'])
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
      expect(stderr).toMatch(/indexed\.xml\.index is not an index of .*indexed\.xml, or the dump has changed/)
    }
    writeFileSync(file, text)
    writeFileSync(`${file}.index`, index.split('\n').slice(0, 5).join('\n'))
    const missing = await run(['get', file, '--id', '12'])
    expect(missing).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('this index is not complete'),
    })
    // An index of MediaWiki says nothing of its dump, but a page that is not where it should be is noticed.
    writeFileSync(`${file}.index`, '10:3:Another title\n')
    expect(await run(['get', file, '--id', '3'])).toMatchObject({ code: 4, stdout: '' })
    writeFileSync(`${file}.index`, '6000:3:Wood\n')
    expect(await run(['get', file, '--id', '3'])).toMatchObject({ code: 4, stdout: '' })
  })

  test.runIf(isThorough)('leaves no index when it is interrupted', async () => {
    const file = join(folder, 'interrupted.xml')
    const page = (id: number) => `<page><title>t</title><id>${id}</id></page>`
    writeFileSync(file, `<mediawiki>${Array.from({ length: 200_000 }, (_, id) => page(id)).join('')}</mediawiki>`)
    const child = start('index', file)
    const outcome = finish(child)
    while (!readdirSync(folder).some((name) => name.startsWith('interrupted.xml.index.'))) await sleep(1)
    child.kill('SIGINT')
    expect(await outcome).toMatchObject({ code: 130 })
    expect(readdirSync(folder).filter((name) => name.startsWith('interrupted.xml.index'))).toEqual(
      readdirSync(folder).filter((name) => name === 'interrupted.xml.index.partial'),
    )
  })

  test('reads a part of a dump over HTTP, by an index', async () => {
    const archive = readFileSync(multistream)
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers.range)
      const [, from = '0', to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
      const end = Math.min(to ? Number(to) + 1 : archive.length, archive.length)
      response.writeHead(206, { 'content-range': `bytes ${from}-${end - 1}/${archive.length}` })
      response.end(archive.subarray(Number(from), end))
    }).listen(0)
    const url = `http://localhost:${(server.address() as AddressInfo).port}/dump.bz2`
    const index = join(folder, 'http.index')
    await run(['index', multistream, '--output', index])
    const { stdout } = await run(['get', url, '--index', index, '--title', 'Line_ends'])
    server.close()
    expect(stdout).toBe(`${lines[5]}\n`)
    // Its size, its beginning and its end, by which it is known; then its head, and the page.
    expect(asked.slice(0, 3)).toEqual(['bytes=0-0', `bytes=0-${archive.length - 1}`, `bytes=0-${archive.length - 1}`])
    expect(asked.slice(3).sort()).toEqual(['bytes=0-4194303', expect.stringMatching(/^bytes=[1-9]\d*-/)])
  })

  test('says that there is no such page, and what is missing on the command line', async () => {
    const none = await run(['get', dump, '--title', 'Nowhere'])
    expect(none).toEqual({ code: 1, stdout: '', stderr: `xylem: ${dump}: found no page with the title Nowhere\n` })
    expect(await run(['get', dump])).toMatchObject({
      code: 2,
      stderr: 'xylem: select the page with either --title or --id\n',
    })
    expect((await run(['get', join(folder, 'missing'), '--id', '1'])).code).toBe(5)
  })
})

test.runIf(isThorough)('xylem info describes a compressed dump that is larger than its sample', async () => {
  const name = join(folder, 'large.xml.gz')
  const text = randomBytes(12 * 1024 * 1024).toString('base64')
  const pages = Array.from({ length: 16 }, (_, i) => {
    const part = text.slice((i * text.length) / 16, ((i + 1) * text.length) / 16)
    return `<page><title>${i}</title><ns>0</ns><id>${i}</id><revision><id>${i}</id><text>${part}</text></revision></page>`
  }).join('')
  const document = `<mediawiki><siteinfo><sitename>Large</sitename></siteinfo>${pages}${pages}</mediawiki>`
  writeFileSync(name, gzipSync(document, { level: 1 }))
  const { code, stdout } = await run(['info', name])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^pages +about \d\d$/m)])
})

test('xylem info says what is wrong with a dump, with the exit code of bad input', async () => {
  const whole = readFileSync(dump)
  const cases = {
    'cut.xml': [whole.subarray(0, 4000), 'the input ends, but <revision> opened at 118:5 is not closed'],
    'cut.xml.gz': [readFileSync(`${dump}.gz`).subarray(0, -50), 'gzip: the input ends inside a member'],
    'cut.xml.bz2': [readFileSync(`${dump}.bz2`).subarray(0, -50), 'bzip2: the input ends inside a stream'],
    'wrong.xml': [Buffer.from(whole.toString().replace('<title>Wood<', '<title>Wo&od<')), 'expected ";"'],
  } as const
  for (const [name, [bytes, message]] of Object.entries(cases)) {
    const file = join(folder, name)
    writeFileSync(file, bytes)
    const { code, stderr, stdout } = await run(['info', file])
    expect([name, code]).toEqual([name, 3])
    expect(stderr).toContain(message)
    if (!name.endsWith('bz2')) expect(stdout).toContain('database    xylemwiki')
  }
  // Who describes a dump needs no ids.
  const old = join(folder, 'no-ids.xml')
  writeFileSync(old, '<mediawiki version="0.3"><page><title>x</title></page></mediawiki>')
  expect(await run(['info', old])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pages +1$/m) })
})

test('a dump of log items is named as such by who looks for pages in it', async () => {
  const file = join(folder, 'log.xml')
  writeFileSync(file, '<mediawiki><logitem><id>1</id><type>move</type></logitem></mediawiki>')
  for (const [command, ...args] of [['pages'], ['revisions'], ['get', '--title', 'x']] as const) {
    const { code, stderr } = await run([command, file, ...args])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`; this is a dump of log items: xylem select logitem ${file}`),
    ])
  }
  writeFileSync(file, '<mediawiki><logitem><id>1</id></logitem><page><title>x</title><id>1</id></page></mediawiki>')
  expect((await run(['pages', file, '--ns', '3'])).stderr).not.toContain('log items')
})

test('xylem info describes a dump', async () => {
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
