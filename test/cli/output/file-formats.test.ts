// What the names of outputs promise, and what is written there.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listWords } from '../../../source/cli/terminal/word-list.ts'
import { FORMATS, formatNames } from '../../../source/record/format/index.ts'
import { run } from '../../support/command.ts'
import { isThorough } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const grammar = fixturePath('grammar/json/json.bnf')

let folder = ''
let value = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-formats-'))
  value = join(folder, 'value')
  writeFileSync(value, '[1]')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Names for files of all formats. */
const usual = formatNames().map((name) => `x.${FORMATS[name].endings[0]}`)
const columns = ['.arrow', '.arrows', '.parquet', '.sqlite']
const compressed = ', also compressed as .gz or .zst'
/** Which names to use for records. */
const anyRecords = `${listWords(usual.map((name) => name.slice(1)).filter((ending) => !columns.includes(ending)))}${compressed}, or ${listWords(columns)}`

/** Command lines by what they are called in messages, which of them say what they write, and what should be used. */
const commands: Readonly<Record<string, { args: () => string[]; writes: string; use: string; fitting: string[] }>> = {
  pages: {
    args: () => ['pages', dump, '--limit', '2'],
    writes: listWords(formatNames().map((name) => FORMATS[name].title)),
    use: anyRecords,
    fitting: ['x.jsonl', 'x.NDJSON', 'x.csv', 'x.tsv.gz', 'x.json', ...usual],
  },
  revisions: {
    args: () => ['revisions', dump, '--limit', '2'],
    writes: listWords(formatNames().map((name) => FORMATS[name].title)),
    use: anyRecords,
    fitting: ['x.ndjson.gz', 'x.jsonl', 'x.CSV', 'x.tsv', 'x.json.gz', ...usual],
  },
  'pages --format jsonl': {
    args: () => ['pages', dump, '--limit', '2', '--format', 'jsonl'],
    writes: 'JSON lines',
    use: `.jsonl${compressed}`,
    fitting: ['x.jsonl', 'x.txt'],
  },
  'pages --format csv': {
    args: () => ['pages', dump, '--limit', '2', '--format', 'csv'],
    writes: 'CSV',
    use: `.csv${compressed}`,
    fitting: ['x.csv', 'x.csv.gz', 'x.data'],
  },
  select: {
    args: () => ['select', 'page/title', dump],
    writes: 'JSON lines or JSON',
    use: `.jsonl or .json${compressed}`,
    fitting: ['x.json', 'x.jsonl', 'x.ndjson', 'x.jsonl.gz', 'x', 'x.y/../x.gz'],
  },
  'select --xml': {
    args: () => ['select', 'page/title', dump, '--xml'],
    writes: 'XML',
    use: `.xml${compressed}`,
    fitting: ['x.xml', 'x.xml.gz', 'x.html'],
  },
  get: {
    args: () => ['get', dump, '--id', '1'],
    writes: 'JSON or JSON lines',
    use: `.json or .jsonl${compressed}`,
    fitting: ['x.json', 'x.JSON.GZ', 'x.jsonl'],
  },
  'get --text': {
    args: () => ['get', dump, '--id', '1', '--text'],
    writes: 'the text of a page',
    use: `.txt${compressed}`,
    fitting: ['x.txt', 'x.wiki', 'x.css', 'x.json'],
  },
  parse: {
    args: () => ['parse', '-g', grammar, '--emit', 'value', value],
    writes: 'JSON lines or JSON',
    use: `.jsonl or .json${compressed}`,
    fitting: ['x.jsonl', 'x.ndjson', 'x.json'],
  },
  plan: {
    args: () => ['plan', dump],
    writes: 'JSON lines',
    use: `.jsonl${compressed}`,
    fitting: ['x.jsonl'],
  },
  index: {
    args: () => ['index', dump],
    writes: 'an index',
    use: `.index${compressed}`,
    fitting: ['x.xml.index', 'x-index.txt', 'x-index.txt.gz'],
  },
  types: {
    args: () => ['types', grammar],
    writes: 'TypeScript',
    use: `.ts${compressed}`,
    fitting: ['x.ts', 'x.types.ts'],
  },
}

/** Endings, and which commands write them. */
const writers: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    formatNames().map((name) => [
      FORMATS[name].endings[0],
      `pages, revisions and select --field, with --format ${name}`,
    ]),
  ),
  xml: 'select --xml, and by pages, revisions and select --field, with --format xml',
  ts: 'types',
  index: 'index',
}

describe('a name that promises another format', () => {
  test.each(Object.keys(commands))('is refused before anything is read or written: %s', async (name) => {
    const { args, writes, use, fitting } = commands[name] as (typeof commands)[string]
    const endings = [...Object.keys(writers), 'avro', 'orc', 'xlsx', 'ods', 'bz2', 'xz', 'zstd', 'html', 'yaml']
    const others = endings.filter((ending) => !fitting.some((file) => file.toLowerCase().includes(`.${ending}`)))
    expect(others.length).toBeGreaterThan(9)
    for (const [i, ending] of others.entries()) {
      if (ending === 'ndjson' || (ending === 'html' && name.endsWith('--xml'))) continue
      const files = [`x.${ending}`, `X.${ending.toUpperCase()}`, `x.${ending}.gz`, `x.${ending}.zst`]
      for (const file of isThorough ? files : files.slice(i % 4, (i % 4) + 1)) {
        const output = join(folder, 'refused', file)
        const { code, stdout, stderr } = await run([...args(), '--output', output])
        const writer = ending === 'html' ? 'select --xml' : writers[ending]
        const elsewhere = writer ? `; .${ending} is written by ${writer}` : ''
        expect({ code, stdout, stderr }).toEqual({
          code: 2,
          stdout: '',
          stderr: `xylem: ${name} writes ${writes}, not .${ending} (${output}); use ${use}${elsewhere}\n`,
        })
      }
    }
    expect(existsSync(join(folder, 'refused'))).toBe(false)
  })

  test.each(Object.keys(commands))('is not one that fits: %s', async (name) => {
    const { args, fitting } = commands[name] as (typeof commands)[string]
    for (const file of fitting) {
      const output = join(folder, file.replace(/^x\.y.*\//, ''))
      expect(await run([...args(), '--output', output, ...(/plan|types/.test(name) ? [] : ['--quiet'])])).toMatchObject(
        {
          code: 0,
          stderr: '',
        },
      )
      expect(readFileSync(output).length).toBeGreaterThan(0)
    }
  })

  test.each([
    ['parquet', 'x.parquet.gz', 'x.parquet', 'Parquet cannot be written as .gz'],
    ['arrow', 'x.feather.zst', 'x.feather', 'Arrow cannot be written as .zst'],
    ['arrows', 'x.ARROWS.GZ', 'x.ARROWS', 'Arrow streams cannot be written as .GZ'],
    ['sqlite', 'x.sqlite.gz', 'x.sqlite', 'SQLite cannot be written as .gz'],
    ['parquet', 'x.gz', 'x.parquet', 'Parquet cannot be written as .gz'],
  ])('is that of a compressed file, for columns: %s in %s', async (format, file, use, said) => {
    const path = (name: string) => join(folder, 'refused', name)
    const fields = ['page', dump, '--field', 'title']
    const commands = [
      ['pages', dump],
      ['select', ...fields],
      ['select', ...fields, '--format', format],
    ]
    for (const args of file === 'x.gz' ? [['pages', dump, '--format', format]] : commands) {
      expect(await run([...args, '--output', path(file)])).toEqual({
        code: 2,
        stdout: '',
        stderr: `xylem: ${said} (${path(file)}), because most programs that read it cannot open that; use ${path(use)}\n`,
      })
    }
    expect(existsSync(join(folder, 'refused'))).toBe(false)
  })

  test.each([
    ['x.cvs', 'csv'],
    ['x.jsno.gz', 'json'],
    ['x.parqet', 'parquet'],
    ['x.tvs', 'tsv'],
  ])('is refused if it is nearly that of a format: %s', async (name, meant) => {
    const { code, stderr } = await run(['pages', dump, '--output', join(folder, 'refused', name)])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`; did you mean .${meant}?\n`) })
  })

  test.each(['x.data', 'x.log', 'x.css', 'x.text', 'x.lua', 'x.vcs'])('may be unknown: %s', async (name) => {
    expect(await run(['pages', dump, '--limit', '1', '--output', join(folder, name)])).toMatchObject({ code: 0 })
  })

  test('is .json for one tree, and for an array of several', async () => {
    const output = join(folder, 'tree.json')
    expect(await run(['parse', '-g', grammar, value, '--output', output])).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({ type: 'program' })
    expect(await run(['parse', '-g', grammar, value, value, '--output', output])).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject([{ type: 'program' }, { type: 'program' }])
  })

  test.each(['x.csv', 'x.TSV/', 'x.csv.gz'])('is refused for a folder of parts too: %s', async (name) => {
    const output = join(folder, 'parts', name)
    const ending = /csv|tsv/i.exec(name)?.[0].toLowerCase()
    const advice = `a folder with JSON lines, not .${ending} (${output}); use a name without .${ending}\n`
    expect(await run(['pages', dump, '--resume', '--output', output])).toEqual({
      code: 2,
      stdout: '',
      stderr: `xylem: pages --resume writes ${advice}`,
    })
    const [, range = ''] = (await run(['plan', dump])).stdout.split('\n')
    expect(await run(['read', range, '--output', output])).toEqual({
      code: 2,
      stdout: '',
      stderr: `xylem: read --output writes ${advice}`,
    })
    expect(existsSync(join(folder, 'parts'))).toBe(false)
  })
})

test.each(['pages.jsonl', 'dump.xml', 'dump.xml.bz2', 'pages'])(
  'a folder of parts may have the name %s',
  async (name) => {
    const output = join(folder, name)
    expect(await run(['pages', dump, '--resume', '--quiet', '--output', output])).toMatchObject({ code: 0 })
    expect(existsSync(join(output, '_SUCCESS'))).toBe(true)
  },
)
