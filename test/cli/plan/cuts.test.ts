// `xylem plan --cuts`: where ranges begin and end stands in the plan, and whoever reads a range proves it.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../support/command.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { fixturePath, readFixture } from '../../support/fixtures.ts'
import { compress, encode } from '../../support/xml-ranges.ts'

const EACH = ['--each', 'row', '--field', 'id:integer=@Id']
const row = (id: number) => `  <row Id="${id}"><tag>t${id % 7}</tag></row>\n`
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i)).join('')
const plain = `<?xml version="1.0"?>\n<posts>\n${rows(1, 120)}</posts>\n`
const hidden = `<posts>\n${rows(1, 40)}<!-- ${rows(900, 950)} -->${rows(40, 60)}<![CDATA[ ${rows(970, 990)} ]]>${rows(60, 100)}</posts>\n`
const page = (id: number) => `<page><title>t</title><id>${id}</id></page>\n`
const pages = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => page(from + i)).join('')
const hiddenPages = `<mediawiki>\n${pages(1, 40)}<!-- ${pages(900, 950)} -->${pages(40, 100)}</mediawiki>\n`

let folder = ''
const path = (name: string) => join(folder, name)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-cuts-'))
  writeFileSync(path('rows.xml'), plain)
  writeFileSync(path('rows.xml.bz2'), compress(encode(plain), 300))
  writeFileSync(path('hidden.xml'), hidden)
  writeFileSync(path('hidden.xml.bz2'), compress(encode(hidden), 300))
  writeFileSync(path('pages.xml'), readFixture('mediawiki/small-dump.xml'))
  writeFileSync(path('pages.xml.bz2'), compress(readFixture('mediawiki/small-dump.xml'), 400))
  writeFileSync(path('hidden-pages.xml'), hiddenPages)
  writeFileSync(path('hidden-pages.xml.bz2'), compress(encode(hiddenPages), 300))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface PlannedLine {
  readonly start: number
  readonly end: number
  readonly size: number
  readonly id: string
  readonly cut: { readonly from: unknown; readonly to: unknown }
}

async function plan(args: readonly string[]) {
  const { code, stdout, stderr } = await run(['plan', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
  const lines = stdout.trimEnd().split('\n').slice(1)
  return { lines, ranges: lines.map((line) => JSON.parse(line) as PlannedLine), stderr }
}

/** What the ranges give together, each read by itself; the code and the messages of those that fail. */
async function read(lines: readonly string[]) {
  const failed: { code: number | null; message: string }[] = []
  let text = ''
  for (const line of lines.toReversed()) {
    const { code, stdout, stderr } = await run(['read', line])
    if (code === 0) text = stdout.replace(/[^\n]*\n$/, '') + text
    else failed.push({ code, message: stderr })
  }
  return { text, failed }
}

/** The command that plans a file, and the one that gives all of its records. */
const commandsFor = (name: string): readonly [plan: string[], all: string[]] =>
  name.includes('pages')
    ? [[path(name)], ['pages', path(name)]]
    : [
        [path(name), ...EACH],
        ['select', 'row', path(name), ...EACH.slice(2)],
      ]

describe('xylem plan --cuts', () => {
  for (const name of sample(['rows.xml', 'rows.xml.bz2', 'pages.xml', 'pages.xml.bz2'], 2)) {
    test.each(sample(['guessed', 'verified'], name === 'rows.xml' ? 2 : 1))(
      `%s leads to all records, each once: ${name}`,
      async (how) => {
        const [args, all] = commandsFor(name)
        for (const count of sample([5, 2, 60], 1)) {
          const { lines, ranges } = await plan([...args, '--cuts', how, '--ranges', String(count)])
          expect(ranges.length).toBeGreaterThan(1)
          expect(ranges.map(({ start }) => start)).toEqual([0, ...ranges.slice(0, -1).map(({ end }) => end)])
          expect(ranges.map(({ cut }) => cut.from)).toEqual(['start', ...ranges.slice(0, -1).map(({ cut }) => cut.to)])
          expect(ranges.at(-1)).toMatchObject({ end: ranges[0]?.size, cut: { to: 'end' } })
          const { text, failed } = await read(lines)
          expect(failed).toEqual([])
          expect(text).toBe((await run(all)).stdout)
        }
      },
    )
  }

  for (const name of sample(['hidden.xml', 'hidden.xml.bz2', 'hidden-pages.xml.bz2', 'hidden-pages.xml'], 2)) {
    test(`never leads to a wrong count where tags of records are in a comment across a cut: ${name}`, async () => {
      const [args, all] = commandsFor(name)
      const expected = (await run(all)).stdout
      let wrong = 0
      for (const count of sample([2, 3, 4, 6, 9, 14], 2)) {
        const guessed = await read((await plan([...args, '--cuts', 'guessed', '--ranges', String(count)])).lines)
        if (guessed.text !== expected) expect(guessed.failed).not.toEqual([])
        for (const { code, message } of guessed.failed) {
          expect(code).toBe(3)
          if (!message.includes('but was cut at')) continue
          wrong++
          expect(message).toMatch(
            /^xylem: .*hidden[^ ]*(?:, in the range that starts at byte \d+)?: the range ends at byte \d+.*, but was cut at byte \d+.*: no record begins there, or the file has changed; plan it with verified cuts \(byte \d+\)\n$/,
          )
        }
        const verified = await read((await plan([...args, '--cuts', 'verified', '--ranges', String(count)])).lines)
        expect(verified).toEqual({ text: expected, failed: [] })
      }
      expect(wrong).toBeGreaterThan(0)
    })
  }

  test('has the cut in the id of a range, which cannot be edited', async () => {
    const [args] = commandsFor('rows.xml')
    const { lines, ranges } = await plan([...args, '--cuts', 'guessed', '--ranges', '3'])
    const without = await plan([...args, '--ranges', '3'])
    expect(new Set([...ranges, ...without.ranges].map(({ id }) => id)).size).toBe(6)
    for (const { cut } of without.ranges) expect(cut).toBeUndefined()
    const edited = (lines[1] as string).replace(/"from":\{"offset":\d+/, '"from":{"offset":7')
    expect(await run(['read', edited])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the range was edited'),
    })
  })

  test('joins ranges in which no record begins, and parts are committed', async () => {
    writeFileSync(path('long.xml'), `<r>${row(1)}<row Id="2">${'x'.repeat(5000)}</row>${rows(3, 9)}</r>`)
    for (const how of ['guessed', 'verified']) {
      const { lines, ranges } = await plan([path('long.xml'), ...EACH, '--cuts', how, '--ranges', '40'])
      expect(ranges.length).toBeLessThan(8)
      const parts = path(`long-${how}`)
      for (const line of lines) expect(await run(['read', line, '--output', parts])).toMatchObject({ code: 0 })
      const head = (await run(['plan', path('long.xml'), ...EACH, '--cuts', how, '--ranges', '40'])).stdout
      const { code, stdout, stderr } = await run(['commit', '-', parts], head)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ parts: ranges.length, records: 8 })
    }
  })

  test('a part of a range whose cut is wrong is not written', async () => {
    const [args] = commandsFor('hidden.xml')
    const { lines } = await plan([...args, '--cuts', 'guessed', '--ranges', '4'])
    const parts = path('wrong-parts')
    const codes: (number | null)[] = []
    for (const line of lines) codes.push((await run(['read', line, '--output', parts])).code)
    expect(codes).toContain(3)
    const written = readdirSync(parts).filter((name) => name.startsWith('part-'))
    expect(written).toHaveLength(codes.filter((code) => code === 0).length)
  })

  test('finds nothing in a file that is one range', async () => {
    writeFileSync(path('rows.xml.gz'), gzipSync(plain))
    for (const how of ['guessed', 'verified']) {
      const { lines, ranges, stderr } = await plan([path('rows.xml.gz'), ...EACH, '--cuts', how])
      expect(stderr).toBe('')
      expect(ranges.map(({ cut }) => cut)).toEqual([{ from: 'start', to: 'end' }])
      expect((await read(lines)).failed).toEqual([])
    }
    expect(existsSync(path('.rows.xml.gz.xylem-cuts.json'))).toBe(false)
  })
})

describe('xylem plan --cuts verified', () => {
  const args = () => [path('kept.xml'), ...EACH, '--cuts', 'verified', '--ranges', '4']
  const kept = () => path('.kept.xml.xylem-cuts.json')
  const wasRead = () =>
    expect.stringMatching(
      /kept\.xml: the cuts were verified by reading [\d,]+ bytes in \d+\.\d s, and are kept in .*\.kept\.xml\.xylem-cuts\.json\n$/,
    )
  const wasKept = () => `xylem: ${path('kept.xml')}: the cuts were verified before, and are read from ${kept()}\n`

  test('says what it costs, and keeps the cuts for the next plan of the same question alone', async () => {
    writeFileSync(path('kept.xml'), plain)
    const first = await plan(args())
    expect(first.stderr).toEqual(wasRead())
    const second = await plan(args())
    expect(second).toEqual({ ...first, stderr: wasKept() })
    // What is wanted of records has no part in it.
    expect((await plan([...args(), '--field', 'tag'])).stderr).toBe(wasKept())
    for (const other of [
      [path('kept.xml'), ...EACH, '--cuts', 'verified', '--ranges', '5'],
      [path('kept.xml'), ...EACH, '--cuts', 'verified', '--range-size', '1000'],
      [path('kept.xml'), '--each', 'posts/row', ...EACH.slice(2), '--cuts', 'verified', '--ranges', '4'],
      [...args(), '--prefix', 'p=u'],
      [...args(), '--no-namespaces'],
    ]) {
      expect((await plan(other)).stderr).toEqual(wasRead())
      expect((await plan(other)).stderr).toBe(wasKept())
    }
  })

  test('reads a file again that was changed or touched, or whose cuts were edited', async () => {
    writeFileSync(path('kept.xml'), plain)
    await plan(args())
    utimesSync(path('kept.xml'), 1, 1)
    expect((await plan(args())).stderr).toEqual(wasRead())
    writeFileSync(path('kept.xml'), `${plain}\n`)
    expect((await plan(args())).stderr).toEqual(wasRead())
    for (const edit of [(text: string) => text.replace('"offset":', '"offset":1'), () => '{', () => 'null']) {
      const before = readFileSync(kept(), 'utf8')
      writeFileSync(kept(), edit(before))
      expect((await plan(args())).stderr).toEqual(wasRead())
      expect(readFileSync(kept(), 'utf8')).toBe(before)
    }
  })

  test('says once that cuts cannot be kept, and continues', async () => {
    for (const name of ['one.xml', 'two.xml']) {
      writeFileSync(path(name), plain)
      mkdirSync(path(`.${name}.xylem-cuts.json`))
    }
    const { ranges, stderr } = await plan([path('one.xml'), path('two.xml'), ...args().slice(1)])
    expect(ranges).toHaveLength(8)
    expect(
      stderr.match(/verified cuts are not kept for the next plan: cannot write .*\.one\.xml\.xylem-cuts\.json/g),
    ).toHaveLength(1)
    expect(stderr.match(/verified by reading [\d,]+ bytes in \d+\.\d s\n/g)).toHaveLength(2)
    expect(readdirSync(folder).filter((name) => /cuts\.json\./.test(name))).toEqual([])
  })

  test('reports what is wrong with a document, with its line', async () => {
    writeFileSync(path('wrong.xml'), `<posts>\n${rows(1, 50)}<row></raw>\n${rows(50, 99)}</posts>`)
    const { code, stdout, stderr } = await run([
      'plan',
      path('wrong.xml'),
      ...EACH,
      '--cuts',
      'verified',
      '--ranges',
      '4',
    ])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('(line 51, column ')
    expect(existsSync(path('.wrong.xml.xylem-cuts.json'))).toBe(false)
  })

  test('reads a dump with errors if these are skipped', async () => {
    writeFileSync(path('wrong-pages.xml'), `<mediawiki>${pages(1, 50)}<page></x>\n${pages(50, 99)}</mediawiki>`)
    const wrong = [path('wrong-pages.xml'), '--ranges', '4', '--cuts', 'verified']
    expect(await run(['plan', ...wrong])).toMatchObject({ code: 3 })
    for (const how of ['verified', 'guessed']) {
      const { lines } = await plan([...wrong.slice(0, 3), '--cuts', how, '--on-error', 'skip-page'])
      let count = 0
      for (const line of lines) {
        const { code, stdout } = await run(['read', line])
        expect([0, 1]).toContain(code)
        count += stdout.trimEnd().split('\n').length - 1
      }
      expect(count).toBe(98)
    }
  })

  test.runIf(isThorough)('loses no page in silence if the one that is skipped is the first after a cut', async () => {
    const broken = path('broken-page.xml')
    const ids = Array.from({ length: 30 }, (_, i) => i + 1)
    for (const skipped of sample(ids, 10)) {
      writeFileSync(
        broken,
        `<mediawiki>${ids.map((id) => (id === skipped ? `<page><title>${id}</x></page>\n` : page(id))).join('')}</mediawiki>`,
      )
      for (const how of ['verified', 'guessed']) {
        const { lines } = await plan([broken, '--ranges', '6', '--cuts', how, '--on-error', 'skip-page'])
        let pages = 0
        let isRefused = false
        for (const line of lines) {
          const { code, stdout, stderr } = await run(['read', line])
          if (code === 3) isRefused = stderr.includes('but was cut at')
          else pages += stdout.trimEnd().split('\n').length - 1
        }
        expect({ how, skipped, isComplete: pages === 29 || isRefused }).toMatchObject({ isComplete: true })
      }
    }
  })
})

test('cuts of a dump are those that its ranges find by themselves', async () => {
  const file = fixturePath('mediawiki/small-dump.xml')
  const { lines } = await plan([file, '--ranges', '3', '--cuts', 'guessed'])
  for (const line of lines) {
    const { trailer } = JSON.parse((await run(['read', line])).stdout.trimEnd().split('\n').at(-1) as string)
    const { cut } = JSON.parse(line)
    expect({ from: trailer.from, to: trailer.to }).toEqual(cut)
  }
})
