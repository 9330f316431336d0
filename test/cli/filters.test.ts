// Filters by size and by titles without regard to case; byte order marks; parts in every format of lines.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyCut, inPieces } from '../support/collect.ts'
import { run } from '../support/command.ts'
import { isThorough, sample } from '../support/extent.ts'
import { fixturePath } from '../support/fixtures.ts'

const dump = fixturePath('mediawiki/small-dump.xml')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-filters-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const TEXTS = [
  '<text bytes="10">é</text>',
  '<text>é&amp;</text>',
  '<text bytes="-1">four</text>',
  '<text bytes="10" id="7"/>',
  '<text bytes="0"/>',
  '<text/>',
  '<text bytes="10" deleted="deleted"/>',
  '<text bytes="-1" deleted="deleted"/>',
  '<text deleted="deleted"/>',
  '',
]
const sizes = `<mediawiki>${TEXTS.map(
  (text, i) => `<page><title>T</title><id>${i}</id><revision><id>${i}</id>${text}</revision></page>`,
).join('')}</mediawiki>`

describe('--min-size and --max-size', () => {
  const find = async (args: string[], input: Parameters<typeof run>[1] = sizes) => {
    const { stdout } = await run([...args, '--no-warnings'], input)
    const lines = stdout.trimEnd().split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line)).map((record) => [record.id, Object.keys(record).sort().join()])
  }
  const idsOf = async (...args: Parameters<typeof find>) => (await find(...args)).map(([id]) => id)

  test.each([
    [
      ['--min-size', '10'],
      [0, 3],
    ],
    [
      ['--min-size', '3'],
      [0, 1, 2, 3],
    ],
    [
      ['--max-size', '3'],
      [1, 4, 5],
    ],
    [
      ['--max-size', '0'],
      [4, 5],
    ],
    [
      ['--min-size', '0'],
      [0, 1, 2, 3, 4, 5],
    ],
    [
      ['--min-size', '3', '--max-size', '4'],
      [1, 2],
    ],
    [
      ['--max-size', '1k'],
      [0, 1, 2, 3, 4, 5],
    ],
  ])(
    'compare the size that the dump gives, otherwise the size of the text, which must not be suppressed: %j',
    async (args, ids) => {
      for (const kind of ['pages', 'revisions']) {
        for (const more of [
          [],
          ['--fields', 'id'],
          ['--check-all-fields', '--fields', 'id'],
          ['--verify'],
          ['--stats'],
        ])
          expect({ kind, more, ids: await idsOf([kind, '-', ...args, ...more]) }).toEqual({ kind, more, ids })
      }
    },
  )

  test.runIf(isThorough)('leave records as they are, however the dump arrives', async () => {
    const all = await find(['pages', '-'])
    const args = ['pages', '-', '--min-size', '3']
    expect(await find(args)).toEqual(all.slice(0, 4))
    const bytes = Buffer.from(sizes)
    expect(await find(args, inPieces(bytes, 1))).toEqual(all.slice(0, 4))
    for (const pieces of sample([...everyCut(bytes)], 12)) expect(await idsOf(args, pieces)).toEqual([0, 1, 2, 3])
  })

  test('are refused where no size is between them', async () => {
    const { code, stderr } = await run(['plan', dump, '--min-size', '2k', '--max-size', '1k'])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--min-size 2000 is greater than'),
    })
  })
})

describe('--ignore-case', () => {
  test('matches a pattern without regard to case, in parts as well', async () => {
    const asked = ['--title', '^x|ÉÉ$', '--fields', 'id']
    expect((await run(['pages', dump, ...asked])).code).toBe(1)
    expect(await run(['pages', dump, ...asked, '--ignore-case'])).toMatchObject({ code: 0, stdout: '{"id":1}\n' })
    const parts = join(folder, 'case')
    await run(['pages', dump, ...asked, '--ignore-case', '--resume', '--output', parts])
    expect(readParts(parts)).toEqual(['{"id":1}\n'])
  })

  test('is refused without a pattern', async () => {
    const { code, stderr } = await run(['pages', dump, '--titles', 'Wood', '--ignore-case'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('use both together') })
  })
})

describe('--bom', () => {
  test.each([
    ['pages', [dump, '--fields', 'id', '--limit', '1']],
    ['revisions', [dump, '--fields', 'id', '--limit', '1']],
    ['select', ['page', dump, '--field', 'id', '--limit', '1']],
    ['parse', ['--grammar', '@csv', '--header', '--fields', 'id', 'CELLS']],
  ])('begins the tables of %s with a byte order mark', async (command, given) => {
    const cells = join(folder, 'cells.csv')
    writeFileSync(cells, 'id,x\n1,2\n')
    const args = given.map((arg) => (arg === 'CELLS' ? cells : arg))
    for (const format of ['csv', 'tsv']) {
      const plain = await run([command, ...args, '--format', format])
      const marked = await run([command, ...args, '--format', format, '--bom'])
      expect(plain.stdout).toMatch(/^id\r?\n/)
      expect(marked).toEqual({ ...plain, stdout: `\ufeff${plain.stdout}` })
    }
    for (const format of ['jsonl', 'json']) {
      const { code, stderr } = await run([command, ...args, '--format', format, '--bom'])
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--bom applies to tables only'),
      })
    }
  })

  test.runIf(isThorough)('begins each part, also one without records, and is counted in its digest', async () => {
    const parts = join(folder, 'marked')
    const args = ['pages', dump, '--ids', '1', '--fields', 'id', '--format', 'csv', '--bom', '--resume']
    const made = [...args, '--range-size', '2000', '--output', parts]
    for (const _ of ['first', 'again']) expect(await run(made)).toMatchObject({ code: 0, stderr: '' })
    const [first, ...others] = readParts(parts)
    expect(first).toBe('\ufeffid\r\n1\r\n')
    expect(new Set(others)).toEqual(new Set(['\ufeffid\r\n']))
  })
})

describe('--resume', () => {
  test.each(sample(['jsonl', 'json', 'csv', 'tsv'], 1))('writes parts as %s', async (format) => {
    const parts = join(folder, `parts-${format}`)
    const args = ['--fields', 'id', '--format', format]
    const made = ['pages', dump, ...args, '--resume', '--range-size', '2000', '--output', parts]
    expect(await run(made)).toMatchObject({ code: 0, stderr: '' })
    const ids = (texts: string[]) => texts.flatMap((text) => text.match(/\d+/g) ?? [])
    expect(readParts(parts).length).toBeGreaterThan(2)
    expect(ids(readParts(parts))).toEqual(ids([(await run(['pages', dump, ...args])).stdout]))
  })
})

function readParts(path: string): string[] {
  const names = readdirSync(path).filter((name) => name.startsWith('part-'))
  return names.sort().map((name) => readFileSync(join(path, name), 'utf8'))
}

test('--where asks for conditions on fields of pages and of revisions, in plans too', async () => {
  const ids = async (...args: string[]) => {
    const { stdout } = await run([...args, '--fields', 'id'])
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id: number }).id)
  }
  expect(await ids('pages', dump, '--where', 'title=Xylem')).toEqual([1])
  expect(await ids('pages', dump, '--where', 'revision.size>50')).toEqual([1])
  expect(await ids('revisions', dump, '--where', 'page.title~^Talk:', '--where', 'timestamp<=2026-01-02')).toEqual([
    108, 109,
  ])
  const { stdout } = await run(['plan', dump, '--fields', 'id', '--where', 'title=Xylem'])
  const [, range = ''] = stdout.split('\n')
  expect((await run(['read', range])).stdout).toMatch(/^\{"id":1\}\n\{"trailer"/)
  expect(await run(['pages', dump, '--where', 'titel=x'])).toMatchObject({
    code: 2,
    stderr: "xylem: --where 'titel=x': unknown field titel: did you mean title?\n",
  })
})
