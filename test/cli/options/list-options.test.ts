// Lists of ids and titles: --ids, --titles.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseIds } from '../../../source/cli/options/list-options.ts'
import { run } from '../../support/command.ts'
import { isThorough } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'

const dump = fixturePath('mediawiki/small-dump.xml')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-lists-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The ids of the pages that are found. `missing`: what the command says it has not found. */
async function ids(args: string[], input: string | Uint8Array = '', missing = ''): Promise<number[]> {
  const { code, stdout, stderr } = await run(['pages', dump, ...args], input)
  const said = missing && `xylem: no page found with ${missing}\n`
  expect({ code, stderr }).toEqual({ code: missing === '' ? 0 : 1, stderr: said })
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).id)
}

describe('a range of ids', () => {
  test.each([
    ['7', { first: 7, last: 7 }],
    ['1-1000', { first: 1, last: 1000 }],
    ['2000-', { first: 2000, last: Number.MAX_SAFE_INTEGER }],
    ['5-5', { first: 5, last: 5 }],
  ])('%j is read', (text, range) => {
    expect(parseIds(text)).toEqual([range])
  })

  test.each(['', '-', '-5', '5-3', '1-2-3', '1 2', '0x7', '1.5', 'a'])('%j is not one', (text) => {
    expect(() => parseIds(text)).toThrow()
  })
})

describe('--titles', () => {
  test('keeps the pages with these titles, with underscores for spaces', async () => {
    expect(await ids(['--titles', 'Wood|Xylem'])).toEqual([1, 3])
    expect(await ids(['--titles', 'Help:_I_am_an_article'])).toEqual([4])
    expect(await ids(['--titles', 'Tree'], '', 'the title "Tree"')).toEqual([])
    expect(await ids(['--titles', '|Wood'])).toEqual([3])
  })

  test('keeps the revisions of these pages, and works with other filters', async () => {
    const { stdout } = await run(['revisions', dump, '--titles', 'Talk:Xylem', '--fields', 'id'])
    expect(stdout).toBe('{"id":108}\n{"id":109}\n')
    expect(await ids(['--titles', 'Wood|Xylem', '--ids', '2-'], '', 'the title "Xylem"')).toEqual([3])
  })

  test('is part of a plan, also where a title begins with @', async () => {
    const parts = join(folder, 'parts')
    const args = ['pages', dump, '--resume', '--output', parts, '--titles', 'Wood|@Xylem|-Xylem', '--quiet']
    const stderr = 'xylem: no page found with the titles "@Xylem", "-Xylem"\n'
    expect(await run(args)).toEqual({ code: 1, stdout: '', stderr })
    const own = ['plan', dump, '--titles', '|@Xylem']
    const [, range = ''] = (await run(own)).stdout.split('\n')
    expect(JSON.parse(range).question.titles).toEqual(['@Xylem'])
    expect((await run(['read', range])).stdout).toContain('"records":0')
  })

  test('refuses an empty title', async () => {
    expect(await run(['pages', dump, '--titles', 'Wood||Xylem'])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('a list that is given in several options', () => {
  test('has the items of all of them', async () => {
    expect(await ids(['--titles', 'Wood|Line ends', '--titles', 'Xylem'])).toEqual([1, 3, 7])
    expect(await ids(['--ids', '3', '--ids', '1,5-6'])).toEqual([1, 3, 5, 6])
    expect(await ids(['--ns', 'Talk', '--ns', '828'])).toEqual([8, 12])
    const { stdout } = await run(['pages', dump, '--fields', 'id', '--fields', 'ns,title', '--limit', '1'])
    expect(stdout).toBe('{"id":1,"ns":0,"title":"Xylem"}\n')
  })

  test('does not go together with a file', async () => {
    for (const lists of [
      ['@a', '3'],
      ['3', '@a'],
      ['@a', '@b'],
    ]) {
      const given = lists.flatMap((list) => ['--ids', list])
      expect(await run(['pages', dump, ...given])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('A list in a file is the only one: the option cannot be repeated.'),
      })
    }
  })
})

describe('a list in a file', () => {
  test('has one on each line: with a byte order mark, carriage returns, spaces and empty lines', async () => {
    const titles = write('titles.txt', '\ufeffXylem\r\n\r\n  Help:_I_am_an_article \r\nNowhere')
    expect(await ids(['--titles', `@${titles}`], '', 'the title "Nowhere"')).toEqual([1, 4])
    const numbers = write('ids.txt', '\ufeff12\r\n5-7\n\n1\n1\n')
    expect(await ids(['--ids', `@${numbers}`])).toEqual([1, 5, 6, 7, 12])
  })

  test('may be compressed, and may come from standard input', async () => {
    expect(await ids(['--titles', `@${write('titles.gz', gzipSync('Wood\n'))}`])).toEqual([3])
    expect(await ids(['--ids', '@-'], '3\n4\n')).toEqual([3, 4])
    const twice = await run(['pages', '-', '--ids', '@-'], readFileSync(dump))
    expect(twice).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('only once') })
  })

  test('may have any number of lines', async () => {
    const numbers = write(
      'many.txt',
      Array.from({ length: isThorough ? 1_000_000 : 30_000 }, (_, i) => 2 * i + 1).join('\n'),
    )
    const missing = `the ids 11, 13, 15, 17, 19 and ${(isThorough ? 1_000_000 : 30_000) - 10} more`
    expect(await ids(['--ids', `@${numbers}`], '', missing)).toEqual([1, 3, 5, 7, 9])
  })

  test('is part of a plan', async () => {
    const list = write('planned.txt', '1-3\n3\n7')
    const [, range = ''] = (await run(['plan', dump, '--ids', `@${list}`])).stdout.split('\n')
    expect(JSON.parse(range).question.ids).toEqual([
      { first: 1, last: 3 },
      { first: 3, last: 3 },
      { first: 7, last: 7 },
    ])
  })

  test.each([
    ['--ids', '1\n2\nthree\n', 'line 3 is not an id or a range of ids: three'],
    ['--ids', '5-3', 'line 1 is not an id or a range of ids: 5-3'],
    ['--ids', '1,2', 'line 1 is not an id or a range of ids: 1,2'],
    ['--titles', Buffer.from('Wood\n\xff\n', 'latin1'), 'line 2 is not a title: it is not UTF-8'],
  ])('%s with a bad line is refused, with its place', async (option, content, message) => {
    const list = write('bad.txt', content)
    expect(await run(['pages', dump, option, `@${list}`])).toEqual({
      code: 2,
      stdout: '',
      stderr: `xylem: ${list}: ${message}\n`,
    })
  })

  test('that is not there, or is empty, is refused', async () => {
    const missing = join(folder, 'missing.txt')
    expect(await run(['revisions', dump, '--ids', `@${missing}`])).toEqual({
      code: 5,
      stdout: '',
      stderr: `xylem: ${missing}: no such file\n`,
    })
    const empty = write('empty.txt', '\n')
    expect(await run(['pages', dump, '--titles', `@${empty}`])).toEqual({
      code: 2,
      stdout: '',
      stderr: `xylem: ${empty}: the list is empty\n`,
    })
  })
})
