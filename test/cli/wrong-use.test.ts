// What newcomers do: wrong files, wrong options, full disks, Ctrl-C. Each gives one clear message and the documented exit code.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finish, run, start } from '../support/command.ts'
import { sample } from '../support/extent.ts'
import { fixturePath } from '../support/fixtures.ts'
import { writeZip } from '../support/zip-writer.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const grammar = fixturePath('grammar/json/json.bnf')
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-wrong-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('a folder that is not there is named as what is missing', async () => {
  const output = join(folder, 'missing', 'x')
  for (const args of [
    ['pages', dump],
    ['index', dump],
    ['types', grammar],
  ]) {
    expect(await run([...args, '--output', output])).toEqual({
      code: 5,
      stdout: '',
      stderr: `xylem: cannot write ${output}: there is no such folder\n`,
    })
  }
})

test('an empty name, and one that is too long, are named as such', async () => {
  for (const args of [
    ['pages', ''],
    ['select', 'item', ''],
    ['check', ''],
    ['types', ''],
    ['get', '', '--id', '1'],
  ]) {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: 'xylem: the name of an input is empty\n' })
  }
  const long = join(folder, 'x'.repeat(300))
  expect(await run(['pages', long])).toMatchObject({ code: 5, stderr: `xylem: ${long}: the name is too long\n` })
})

test('an output is not written over a list, a shape, an index or an archive that the command reads', async () => {
  const ids = write('ids.jsonl', '1\n')
  const titles = write('titles.txt', 'Xylem\n')
  const shape = write('shape.jsonl', '{ "name": "@name" }')
  const index = join(folder, 'dump-index.txt')
  await run(['index', dump, '--output', index])
  const feed = '<rss><item/></rss>'
  const archive = join(folder, 'archive.svg')
  writeFileSync(archive, writeZip([{ name: 'feed.xml', content: feed }]))
  for (const [file, ...args] of [
    [ids, 'pages', dump, '--ids', `@${ids}`],
    [titles, 'revisions', dump, '--titles', `@${titles}`],
    [titles, 'plan', dump, '--titles', `@${titles}`],
    [shape, 'plan', fixturePath('recipes/junit.xml'), '--each', 'testcase', '--shape', shape],
    [index, 'get', dump, '--id', '1', '--text', '--index', index],
    [archive, 'edit', `${archive}/feed.xml`, '--remove', 'item'],
  ] as [string, ...string[]][]) {
    const before = readFileSync(file)
    expect(await run([...args, '--output', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `xylem: the output would overwrite the input: ${file}\n`,
    })
    expect(readFileSync(file).equals(before)).toBe(true)
  }
})

test.skipIf(process.platform === 'win32')('a pipe is refused where a file is read from the middle', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const [args, said] of [
    [['pages', pipe, '--resume', '-o', join(folder, 'parts')], '--resume can read files only, not'],
    [['plan', pipe], 'xylem plan can read files and URLs only, not'],
    [['index', pipe], 'an index finds pages in the middle of a dump; give a file or a URL, not'],
    [
      ['get', pipe, '--id', '1', '--index', dump],
      'with an index, a dump is read from the middle; give a file or a URL, not',
    ],
  ] as const) {
    expect(await run([...args])).toEqual({
      code: 2,
      stdout: '',
      stderr: `xylem: ${said} ${pipe}, which is not a regular file\n`,
    })
  }
})

test.skipIf(process.platform === 'win32')(
  'a pipe is read once, also where a file is looked into for advice',
  async () => {
    const pipe = join(folder, 'once')
    execFileSync('mkfifo', [pipe])
    for (const [args, code, last] of [
      [['pages', pipe], 3, `(to read other XML: xylem select PATH ${pipe})`],
      [['info', pipe], 3, `(to read other XML: xylem select PATH ${pipe})`],
      [['select', 'itm', pipe], 1, 'xylem: no element found'],
    ] as const) {
      const written = writeFile(pipe, '<rss><item>a</item><item>b</item></rss>')
      const outcome = await run([...args])
      await written
      expect([outcome.code, outcome.stderr.trimEnd().split('\n').at(-1)]).toEqual([code, last])
    }
  },
)

test('an empty input has no excerpt, only what was expected', async () => {
  const empty = write('empty', '')
  expect((await run(['parse', '-g', grammar, empty])).stderr).toBe(
    `xylem: ${empty}: expected value or blank, but the input ends (line 1, column 1, byte 0)\n  in program\n`,
  )
  expect((await run(['grammar', empty])).stderr).toBe(`xylem: ${empty}: the grammar has no rules (line 1, column 1)\n`)
})

test.each([
  ['--emit', 'member'],
  ['--limit', '1'],
  ['--output', 'x'],
])('parse --check prints nothing, and refuses %s', async (...option) => {
  const { code, stdout, stderr } = await run(['parse', '-g', grammar, '--check', '-', ...option], '1')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('--check prints nothing')
})

describe('an input that holds an archive', () => {
  /** What a file has that tar has written: one header, and no member. */
  const tar = Buffer.alloc(1024)
  tar.write('a.xml')
  tar.write('ustar', 257)

  test.each([
    ['a.tar', tar, 'tar: archives are not read; extract the document first: tar -xOf FILE MEMBER | … (byte 0)'],
    [
      'a.tgz',
      gzipSync(tar),
      'tar: archives are not read; extract the document first: tar -xOf FILE MEMBER | … (byte 0)',
    ],
    [
      'a.xml.gz.gz',
      gzipSync(gzipSync('<a/>')),
      'gzip: what is in it is compressed with gzip once more; decompress it first: gzip -dc FILE | … (byte 0)',
    ],
  ])('is refused with what to do: %s', async (name, content, message) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    for (const args of [
      ['check', path],
      ['select', 'a', path],
      ['pages', path],
      ['parse', '-g', '@csv', path],
    ])
      expect(await run(args)).toEqual({ code: 3, stdout: '', stderr: `xylem: ${path}: ${message}\n` })
  })
})

test('a field whose path ends with a kind is a path, with advice if nothing is found', async () => {
  const path = write('kinds.xml', '<r xmlns:dc="urn:x"><i><id>5</id><dc:date>d</dc:date></i></r>')
  expect(await run(['select', 'i', path, '--field', 'dc:date'])).toEqual({
    code: 0,
    stdout: '{"dc:date":"d"}\n',
    stderr: '',
  })
  expect(await run(['select', 'i', path, '--field', 'id:integer'])).toEqual({
    code: 1,
    stdout: '{"id:integer":null}\n',
    stderr: 'xylem: nothing found for the field id:integer; for a value of a kind, write --field id:integer=id\n',
  })
})

test('a path in another language is refused with the words of the command line', async () => {
  const path = write('paths.xml', '<r/>')
  const refuse = async (one: string) => (await run(['select', one, path])).stderr
  expect(await refuse('i[contains(@a,"1")]')).toContain('but not(): [not(@id)]; xylem select --where compares values')
  expect(await refuse('i[@a="1" or @a="2"]')).toContain('in select, use --path for each of several paths')
})

describe('an option that is given as the value of another', () => {
  test.each([
    [['pages', dump, '--ns', '--limit', '1'], '--ns <list>', '--ns', '--limit'],
    [['pages', dump, '--limit', '--ns', '1'], '--limit <n>', '--limit', '--ns'],
    [['pages', dump, '--title', '--limit=1'], '--title <pattern>', '--title', '--limit=1'],
    [['parse', '-g', '--limit', '1'], '--grammar <file>', '--grammar', '--limit'],
    [['select', 'a', '--output', '--help'], '--output <file>', '--output', '--help'],
    [['check', '--jobs', '--no-namespaces', 'x'], '--jobs <n>', '--jobs', '--no-namespaces'],
  ])('is an error that says so: %j', async (args, option, name, next) => {
    expect(await run(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `xylem: option '${option}' has no value: the option ${next} follows it (write ${name}=${next} if it is the value)\n(see xylem ${args[0]} --help)\n`,
    })
  })

  test('is a value after an equals sign, and where no option has this name', async () => {
    expect(await run(['pages', dump, '--title=--limit'])).toMatchObject({ code: 1, stdout: '' })
    expect(await run(['pages', dump, '--title', '--nothing'])).toMatchObject({ code: 1, stdout: '' })
    expect(await run(['pages', '--limit', '0', '--', '--ns', '--limit'])).toMatchObject({ code: 5 })
  })
})

describe('XML that is not a dump', () => {
  const feed = '<rss><channel><title>T</title><item><b>1</b><b>2</b></item><item><b>3</b></item></channel></rss>'

  test.each([['pages'], ['revisions'], ['get', '--id', '1'], ['index', '--output', '-']])(
    'is refused once by xylem %s, which says what reads it',
    async (...args) => {
      const file = write('feed.rss', feed)
      const { code, stdout, stderr } = await run([...args, file])
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr.match(/not a MediaWiki dump/g)).toHaveLength(1)
      expect(stderr).toContain('the root element is <rss>, not <mediawiki> (line 1')
      expect(stderr.split('\n').at(-2)).toBe(`(to read other XML: xylem select item ${file})`)
    },
  )

  test('has its file in quotes where a shell needs them, and PATH where nothing repeats', async () => {
    const file = write("it's one.xml", '<a><b/></a>')
    const { stderr } = await run(['pages', file])
    expect(stderr).toContain(`(to read other XML: xylem select PATH '${file.replace("'", "'\\''")}')`)
  })

  test('on standard input is not read again', async () => {
    const { code, stderr } = await run(['pages', '-'], feed)
    expect(code).toBe(3)
    expect(stderr).toContain('(to read other XML: xylem select PATH -)')
  })

  test('that is malformed later names what repeats before that, or nothing', async () => {
    const file = write('cut.rss', '<rss><channel><item/><item/><')
    expect((await run(['pages', file])).stderr).toMatch(/xylem select (item|PATH) /)
  })
})

test('select without a path names the file that stands in its place', async () => {
  const file = write('feed.rss', '<rss><item/></rss>')
  const stderr = `xylem: ${file} is a file, and the path of elements comes first: xylem select PATH ${file}\n`
  for (const names of [[file], [file, file]])
    expect(await run(['select', ...names], '<a/>')).toEqual({ code: 2, stdout: '', stderr })
})

describe('select with its arguments swapped', () => {
  test.each([['item'], ['item[1]'], ['/rss/channel/item']])('says so: FILE %s', async (path) => {
    const file = write('feed.rss', '<rss/>')
    const { code, stdout, stderr } = await run(['select', file, path])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`no such file: ${path}; the path comes first, and ${file} is a file: xylem select `)
  })

  test('is not suspected where the path is not a file', async () => {
    expect(await run(['select', 'item', join(folder, 'nofile')])).toEqual({
      code: 5,
      stdout: '',
      stderr: `xylem: ${join(folder, 'nofile')}: no such file\n`,
    })
  })
})

test.skipIf(!existsSync('/dev/full'))('a full disk is reported, whatever is printed', async () => {
  const commands = [['--help'], ['pages', '--list-fields'], ['grammar', grammar], ['info', dump], ['plan', dump]]
  const outcomes = sample(commands, 2).map((args) => {
    const command = [process.execPath, main, ...args].map((part) => `"${part}"`).join(' ')
    return finish(spawn('sh', ['-c', `${command} > /dev/full`]))
  })
  const stderr = 'xylem: cannot write standard output: no space left on the device\n'
  expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => ({ code: 5, stdout: '', stderr })))
})

describe('Ctrl-C', () => {
  let server: Server
  let address = ''
  // Each command reads from a path of its own.
  let paths = 0
  const requests = new Set<string | undefined>()
  beforeAll(async () => {
    // Answers, and then nothing more comes.
    server = createServer(({ url }, response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('<mediawiki>')
      requests.add(url)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close().closeAllConnections())

  // All at once: most of their time is waiting.
  const waiting = [
    ['pages', 'URL'],
    ['check', 'URL'],
    ['select', 'a', 'URL'],
    ['info', 'URL'],
    ['get', '--id', '1', 'URL'],
    ['get', '--id', '1', dump, '--index', 'URL'],
    ['grammar', 'URL'],
    ['pages', dump, '--ids', '@URL'],
    ['commit', 'URL', 'parts'],
    ['read', '-'],
  ]
  test.concurrent.each(sample(waiting, 1))('ends xylem %s while it waits for its input: %s %s', async (...args) => {
    const path = `/${++paths}`
    const child = start(...args.map((part) => part.replace('URL', address + path)))
    const outcome = finish(child)
    // It has begun when it asks, or when it has read more than a pipe holds.
    if (args.at(-1) === '-') await new Promise((resolve) => child.stdin.write('{'.padEnd(1024 * 1024), resolve))
    else while (!requests.has(path)) await sleep(10)
    await sleep(100)
    child.kill('SIGINT')
    expect(await outcome).toEqual({ code: 130, stdout: '', stderr: '' })
  })
})
