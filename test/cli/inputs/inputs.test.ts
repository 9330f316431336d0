// What may stand where a command reads or writes a file: -, patterns, several files, URLs. One table for all commands.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../support/command.ts'
import { sample } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { RangeServer } from '../../support/range-server.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const grammar = fixturePath('grammar/json/json.bnf')

let folder = ''
let server: RangeServer
let address = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-inputs-'))
  for (const part of ['part2', 'part10']) copyFileSync(dump, join(folder, `${part}.xml`))
  for (const name of ['one', 'two']) writeFileSync(join(folder, `${name}.json`), `["${name}"]`)
  server = new RangeServer(folder, { ranges: false, says: 'nothing' })
  address = await server.listen()
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const inFolder = (name: string) => join(folder, name)

/** Standard output of a command that must do well. */
async function print(args: string[], input: string | Uint8Array = ''): Promise<string> {
  const { code, stdout, stderr } = await run(args, input)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

type Reader = readonly [name: string, options: readonly string[]]

/** Commands that read dumps or documents, with what one file of each gives. */
const READERS: readonly Reader[] = [
  ['pages', ['--fields', 'id']],
  ['revisions', ['--fields', 'id']],
  ['select', ['--field', '.']],
  ['check', []],
]

/** A command line that reads something. */
function read([name, options]: Reader, ...inputs: string[]): string[] {
  return [name, ...(name === 'select' ? ['title'] : []), ...inputs, ...options]
}

describe.each(sample(READERS, 2))('xylem %s', (...reader) => {
  test('reads standard input, a URL, several files, and a pattern in the order of numbers', async () => {
    const [two, ten] = [inFolder('part2.xml'), inFolder('part10.xml')]
    const once = await print(read(reader, two))
    expect(await print(read(reader, '-'), readFileSync(two))).toBe(once)
    expect(await print(read(reader, `${address}/part2.xml`))).toBe(once)
    expect(await print(read(reader, two, ten))).toBe(once + once)
    writeFileSync(ten, readFileSync(ten, 'utf8').replaceAll('Xylem', 'Cambium'))
    const both = once + (await print(read(reader, ten)))
    expect(await print(read(reader, inFolder('part*.xml')))).toBe(both)
    expect(await print([...read(reader, two, ten), '--jobs', '3'])).toBe(both)
    copyFileSync(dump, ten)
  })

  test('names the server that does not have the URL, once', async () => {
    const { code, stdout, stderr } = await run(read(reader, `${address}/nothing.xml`))
    expect({ code, stdout, stderr }).toEqual({
      code: 5,
      stdout: '',
      stderr: `xylem: ${address}/nothing.xml: the server answers 404 Not Found\n`,
    })
  })

  test('refuses what cannot be an input before it reads anything', async () => {
    const good = inFolder('part2.xml')
    for (const [names, message] of [
      [[good, '-', '-'], 'standard input can be read only once; give - only once'],
      [[good, inFolder('nothing*.xml')], `no file matches ${inFolder('nothing*.xml')}`],
      [
        [inFolder('*.zip/a.xml')],
        `no file matches ${inFolder('*.zip/a.xml')}; patterns for members need the name of one archive before them`,
      ],
      [[good, 'ftp://example.org/a.xml'], 'cannot read ftp: URLs (ftp://example.org/a.xml)'],
      [[good, 'https://'], 'not a valid URL: https://'],
    ] as const) {
      const { code, stdout, stderr } = await run(read(reader, ...names), '<a/>')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(message)
    }
  })
})

describe('a missing file among several', () => {
  test.each(READERS.slice(0, 3))('is found by xylem %s before the first is read', async (...reader) => {
    const { code, stdout, stderr } = await run(read(reader, inFolder('part2.xml'), inFolder('missing.xml')))
    expect({ code, stdout, stderr }).toEqual({
      code: 5,
      stdout: '',
      stderr: `xylem: ${inFolder('missing.xml')}: no such file\n`,
    })
  })

  test('is reported first by commands that judge the others all the same', async () => {
    const bad = inFolder('bad.xml')
    writeFileSync(bad, '<a>')
    const names = [bad, inFolder('missing.xml'), inFolder('part2.xml')]
    const checked = await run(['check', ...names])
    expect(checked.code).toBe(5)
    expect(checked.stdout).toContain(`${bad}:1:4: the input ends`)
    expect(checked.stderr).toBe(`xylem: ${inFolder('missing.xml')}: no such file\n`)
    const described = await run(['info', '--json', ...names])
    expect(described.code).toBe(5)
    expect(
      described.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).file),
    ).toEqual([names[2]])
    expect(described.stderr.split('\n')[0]).toBe(`xylem: ${inFolder('missing.xml')}: no such file`)
    rmSync(bad)
  })
})

describe('xylem select', () => {
  test('counts its limit through all documents, and reads standard input where none is named', async () => {
    const all = (await print(['select', 'title', dump])).split('\n').slice(0, -1)
    const limit = all.length + 2
    const stdout = await print(['select', 'title', dump, dump, dump, '--limit', String(limit)])
    expect(stdout.split('\n').slice(0, -1)).toEqual([...all, ...all.slice(0, 2)])
    expect(await print(['select', 'title'], readFileSync(dump))).toBe(all.map((line) => `${line}\n`).join(''))
  })

  test('prints what comes before the document with an error, and names that document', async () => {
    const bad = inFolder('bad.xml')
    writeFileSync(bad, '<a><title>1</title>')
    const { code, stdout, stderr } = await run(['select', 'title', '--field', '.', bad, dump])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '{".":"1"}\n' })
    expect(stderr).toContain(`xylem: ${bad}: the input ends`)
    rmSync(bad)
  })
})

describe('xylem parse', () => {
  test('prints the trees of several inputs, in order', async () => {
    const files = [inFolder('one.json'), inFolder('two.json')]
    const trees = await Promise.all(files.map((file) => print(['parse', '-g', grammar, file])))
    expect(await print(['parse', '-g', grammar, ...files])).toBe(trees.join(''))
    expect(await print(['parse', '-g', grammar, inFolder('*.json'), '--jobs', '2'])).toBe(trees.join(''))
    expect(await print(['parse', '-g', grammar, `${address}/one.json`])).toBe(trees[0])
    expect(await print(['parse', '-g', grammar], readFileSync(inFolder('one.json')))).toBe(trees[0])
  })

  test('reads its grammar from standard input, but not the input as well', async () => {
    const text = readFileSync(grammar)
    const tree = await print(['parse', '-g', grammar, inFolder('one.json')])
    expect(await print(['parse', '-g', '-', inFolder('one.json')], text)).toBe(tree)
    expect(await run(['parse', '-g', '-'], text)).toMatchObject({ code: 2, stdout: '' })
  })

  test('--check reports each input that does not match, and checks the others', async () => {
    const [one, bad, worse] = [inFolder('one.json'), inFolder('bad.json'), inFolder('worse.json')]
    writeFileSync(bad, '[')
    writeFileSync(worse, ']')
    const { code, stdout, stderr } = await run(['parse', '-g', grammar, '--check', bad, one, worse])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const reported = stderr.split('\n').filter((line) => line.startsWith('xylem: '))
    expect(reported.map((line) => line.split(': ')[1])).toEqual([bad, worse])
    const missing = await run(['parse', '-g', grammar, '--check', inFolder('missing.json'), bad])
    expect(missing.code).toBe(5)
    expect(missing.stderr).toContain(`xylem: ${bad}: `)
    for (const file of [bad, worse]) rmSync(file)
  })
})

describe('xylem info', () => {
  test('describes several dumps, also from standard input and a URL', async () => {
    const bytes = readFileSync(dump)
    const [file, same, input, remote] = (
      await print(['info', '--json', dump, inFolder('part2.xml'), '-', `${address}/part2.xml`], bytes)
    )
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    expect(file).toMatchObject({ file: dump, bytes: bytes.length, compression: 'none', estimate: { pages: 10 } })
    expect(same).toEqual({ ...file, file: inFolder('part2.xml') })
    expect(input).toEqual({ ...file, file: 'standard input' })
    expect(remote).toEqual({ ...file, file: `${address}/part2.xml` })
    expect((await print(['info', dump, dump])).split('\n\n')).toHaveLength(2)
  })

  test('does not estimate the pages of a stream that is longer than what it reads', async () => {
    const page = `<page><title>T</title><ns>0</ns><id>1</id><revision><id>1</id><text>${'x'.repeat(999_000)}</text></revision></page>`
    const { code, stdout } = await run(['info', '--json', '-'], `<mediawiki>${page.repeat(20)}</mediawiki>`)
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(stdout))).toEqual(['file', 'compression', 'site'])
    expect((await run(['info', '-'], `<mediawiki>${page.repeat(20)}</mediawiki>`)).stdout).toContain(
      'size        unknown',
    )
  })
})

describe('xylem get', () => {
  test('looks in several dumps, one after another, and in standard input and URLs', async () => {
    const other = inFolder('other.xml')
    writeFileSync(other, readFileSync(dump, 'utf8').replaceAll('Xylem', 'Cambium'))
    const page = await print(['get', dump, '--title', 'Xylem'])
    expect(await print(['get', other, dump, '--title', 'Xylem'])).toBe(page)
    expect(await print(['get', '-', '--title', 'Xylem', '--jobs', '2'], readFileSync(dump))).toBe(page)
    expect(await print(['get', `${address}/other.xml`, `${address}/part2.xml`, '--title', 'Xylem'])).toBe(page)
    expect(await run(['get', other, '-', '--title', 'Nowhere'], '<mediawiki/>')).toEqual({
      code: 1,
      stdout: '',
      stderr: `xylem: ${other}, standard input: found no page with the title Nowhere\n`,
    })
    rmSync(other)
  })

  test('takes one index for one dump, also from standard input', async () => {
    const index = await print(['index', dump, '--output', '-'])
    const page = await print(['get', dump, '--title', 'Xylem'])
    expect(await print(['get', dump, '--index', '-', '--title', 'Xylem'], index)).toBe(page)
    for (const [args, message] of [
      [[dump, dump], '--index is the index of one dump'],
      [['-'], 'with an index, a dump is read from the middle; give a file or a URL, not standard input'],
    ] as const) {
      const file = inFolder('index')
      writeFileSync(file, index)
      const { code, stderr } = await run(['get', ...args, '--index', file, '--title', 'Xylem'], '')
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    }
  })
})

describe('xylem index', () => {
  test('writes an index beside each of several dumps', async () => {
    const own = inFolder('indexed')
    mkdirSync(own)
    for (const name of ['a.xml', 'b.xml']) copyFileSync(dump, join(own, name))
    await print(['index', join(own, '*.xml')])
    const index = await print(['index', dump, '--output', '-'])
    for (const name of ['a.xml', 'b.xml']) expect(readFileSync(join(own, `${name}.index`), 'utf8')).toBe(index)
  })

  test.each([
    [['-'], 'give a file or a URL, not standard input'],
    [[dump, dump, '--output', 'x'], '--output names the index of one dump'],
    [['https://example.org/dump.xml'], 'the index of https://example.org/dump.xml needs a name: use --output'],
  ])('refuses %j, and says why', async (args, message) => {
    const { code, stdout, stderr } = await run(['index', ...args])
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('plans', () => {
  test('are of files alone, or of URLs', async () => {
    const resume = ['pages', '--resume', '--output', inFolder('parts')]
    const url = `${address}/part2.xml`
    for (const [args, message] of [
      [['plan', '-'], 'xylem plan can read files and URLs only, not standard input'],
      [[...resume, '-'], '--resume can read files only, not standard input'],
      [[...resume, url], `--resume can read files only, not ${url}`],
    ] as const) {
      const { code, stderr } = await run([...args], '')
      expect({ code, stderr }).toEqual({ code: 2, stderr: `xylem: ${message}\n` })
    }
  })

  test('are read from standard input by xylem read and xylem commit', async () => {
    const plan = await print(['plan', dump])
    const parts = inFolder('parts')
    await print(['read', '-', '--output', parts], plan.split('\n')[1])
    expect(JSON.parse(await print(['commit', '-', parts], plan))).toMatchObject({ parts: 1, pages: 10 })
  })
})

describe('--output -', () => {
  test.each([
    ['pages', dump],
    ['pages', '--format', 'csv', dump],
    ['revisions', dump],
    ['get', dump, '--id', '1'],
    ['plan', dump],
    ['select', 'title', dump],
    ['parse', '-g', grammar, fixturePath('grammar/json/blanks.input.json')],
    ['types', grammar],
  ])('is standard output: xylem %s %s', async (...args) => {
    expect(await print([...args, '--output', '-'])).toBe(await print(args))
    expect(existsSync('-')).toBe(false)
  })

  test('is standard output for a range, and not a folder for --resume', async () => {
    const [, range = ''] = (await print(['plan', dump])).split('\n')
    expect(await print(['read', range, '--output', '-'])).toBe(await print(['read', range]))
    expect(await run(['pages', dump, '--resume', '--output', '-'])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('a grammar', () => {
  test('may come from standard input, a URL, and compressed', async () => {
    const text = readFileSync(grammar)
    writeFileSync(inFolder('json.bnf.gz'), gzipSync(text))
    for (const command of ['grammar', 'types']) {
      const expected = await print([command, grammar])
      expect(await print([command, '-'], text)).toBe(expected)
      expect(await print([command, `${address}/json.bnf.gz`])).toBe(expected)
    }
  })
})
