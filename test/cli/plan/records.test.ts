// `xylem plan --each`, and what `read` and `commit` make of its ranges.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../support/command.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { compress, encode } from '../../support/xml-ranges.ts'

const FIELDS = ['--field', 'id:integer=@Id', '--field', 'title=@Title', '--field', 'tags[]=tag']
const row = (id: number) => `  <row Id="${id}" Title="Title &lt;${id}&gt;"><tag>t${id % 7}</tag><tag>x</tag></row>\n`
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i)).join('')
const plain = `<?xml version="1.0"?>\n<posts>\n${rows(1, 120)}</posts>\n`
const hidden = `<posts>\n${rows(1, 40)}<!-- ${rows(900, 950)} -->${rows(40, 60)}<!-- <row> ${rows(970, 990)} </x> -->${rows(60, 100)}</posts>\n`

let folder = ''
const path = (name: string) => join(folder, name)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-'))
  writeFileSync(path('Posts.xml'), plain)
  writeFileSync(path('Posts.xml.bz2'), compress(encode(plain), 700))
  writeFileSync(path('hidden.xml'), hidden)
  writeFileSync(path('hidden.xml.bz2'), compress(encode(hidden), 400))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function makePlan(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['plan', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

/** Reads all ranges of a plan into a folder, commits it, and gives what the parts have together. */
async function readParts(name: string, lines: readonly string[], ...options: string[]) {
  const parts = path(`${name}.parts`)
  writeFileSync(path(`${name}.plan`), `${lines.join('\n')}\n`)
  for (const range of lines.slice(1).toReversed()) {
    const { code, stderr } = await run(['read', range, '--output', parts])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  const commit = await run(['commit', path(`${name}.plan`), parts, ...options])
  const files = readdirSync(parts).filter((file) => file.startsWith('part-'))
  return { commit, files, text: files.map((file) => readFileSync(join(parts, file), 'utf8')).join('') }
}

describe('a plan of records', () => {
  test('has a question as data, and the elements around the records', async () => {
    const where = ['--where', 'id>50', '--prefix', 'p=urn:p']
    const [head = '', ...ranges] = await makePlan(
      '--each',
      'row,p:line',
      path('Posts.xml'),
      '--ranges',
      '5',
      ...FIELDS,
      ...where,
    )
    expect(JSON.parse(head)).toMatchObject({ type: 'plan', version: 5, ranges: 5 })
    for (const range of ranges.map((line) => JSON.parse(line))) {
      expect(range).toMatchObject({ codec: 'none', within: { elements: ['posts'] } })
      expect(range.question).toEqual({
        kind: 'records',
        path: ['row', 'p:line'],
        fields: [
          ['id', { path: '@Id', as: 'integer' }],
          ['title', '@Title'],
          ['tags', ['tag']],
        ],
        where: ['id>50'],
        prefixes: { p: 'urn:p' },
        xml: {},
      })
    }
  })

  for (const name of sample(['Posts.xml', 'Posts.xml.bz2', 'hidden.xml.bz2', 'hidden.xml'], 2)) {
    test(`gives the records of select, in parts that are committed: ${name}`, async () => {
      for (const count of sample([7, 3, 60], 1)) {
        const lines = await makePlan('--each', 'row', path(name), '--ranges', String(count), ...FIELDS)
        const { commit, files, text } = await readParts(`${name}-${count}`, lines)
        const { stdout } = await run(['select', 'row', path(name), ...FIELDS])
        expect(text).toBe(stdout)
        expect(files).toHaveLength(count)
        expect(commit.code).toBe(0)
        const records = stdout.trimEnd().split('\n').length
        expect(JSON.parse(commit.stdout)).toMatchObject({ parts: count, records, bytes: Buffer.byteLength(stdout) })
        if (name.startsWith('Posts')) expect(commit.stderr).toBe('')
      }
    })
  }

  test.runIf(isThorough)('writes parts again whose first record was in a comment, and says so', async () => {
    const lines = await makePlan('--each', 'row', path('hidden.xml'), '--ranges', '12', ...FIELDS)
    const { commit } = await readParts('again', lines)
    const totals = JSON.parse(commit.stdout)
    expect(totals.readAgain).toBeGreaterThan(0)
    expect(totals.readAgain).toBeLessThan(8)
    expect(commit.stderr.trimEnd().split('\n')).toHaveLength(totals.readAgain)
    expect(commit.stderr).toContain(
      'is written again, because its first record is not the first that it seemed to have',
    )
    const again = await run(['commit', path('again.plan'), path('again.parts')])
    expect(again).toMatchObject({ code: 0, stderr: '' })
  })

  test('has parts in other formats', async () => {
    const lines = await makePlan('--each', 'row', path('Posts.xml'), '--ranges', '3', ...FIELDS, '--format', 'csv')
    const { text, files } = await readParts('csv', lines)
    expect(files.every((file) => file.endsWith('.csv'))).toBe(true)
    const { stdout } = await run(['select', 'row', path('Posts.xml'), ...FIELDS, '--format', 'csv'])
    const [head = ''] = stdout.split(/(?<=\n)/)
    expect(head + text.replaceAll(head, '')).toBe(stdout)
  })

  test('says at the end which fields no record has', async () => {
    const lines = await makePlan(
      '--each',
      'row',
      path('Posts.xml'),
      '--ranges',
      '3',
      ...FIELDS,
      '--field',
      'none=@None',
    )
    const { commit } = await readParts('none', lines)
    expect(commit).toMatchObject({ code: 1, stderr: 'xylem: nothing found for the field none\n' })
    const { commit: allowed } = await readParts('none', lines, '--allow-empty')
    expect(allowed.code).toBe(0)
  })

  test('of a document that is wrong says where, in bytes or after reading from the beginning', async () => {
    writeFileSync(path('wrong.xml'), plain.replace('<row Id="60"', '<row Id="60'))
    const lines = await makePlan('--each', 'row', path('wrong.xml'), '--ranges', '4', ...FIELDS)
    const outcomes = []
    for (const range of lines.slice(1)) outcomes.push(await run(['read', range, '--output', path('wrong.parts')]))
    const one = await run(['select', 'row', path('wrong.xml'), ...FIELDS])
    const place = /byte (\d+)/.exec(one.stderr)?.[1]
    expect(outcomes.map(({ code }) => code)).toEqual([0, 3, 0, 0])
    expect(outcomes[1]?.stderr).toContain(`byte ${place}`)
    expect(outcomes[1]?.stderr).not.toContain('line')
  })

  test('of a document that cannot be cut is one range, and it says why', async () => {
    writeFileSync(
      path('latin.xml'),
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a><row Id="1"/><row Id="2"/></a>', 'latin1'),
    )
    const { code, stdout, stderr } = await run(['plan', '--each', 'row', path('latin.xml'), '--ranges', '2', ...FIELDS])
    expect(code).toBe(0)
    expect(stderr).toContain('latin.xml: it is one range: only UTF-8 can be cut')
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect((await readParts('latin', lines)).text).toBe(
      `${[1, 2].map((id) => `{"id":${id},"title":null,"tags":[]}\n`).join('')}`,
    )
  })

  test('with --lenient reads null for a value that is not of its kind', async () => {
    writeFileSync(path('kinds.xml'), '<a><row Id="1"/><row Id="x"/></a>')
    const asked = ['--each', 'row', path('kinds.xml'), '--field', 'id:integer=@Id']
    const [, range = ''] = await makePlan(...asked)
    expect((await run(['read', range])).code).toBe(3)
    const lines = await makePlan(...asked, '--lenient')
    expect((await readParts('kinds', lines)).text).toBe('{"id":1}\n{"id":null}\n')
  })

  test('is read on after errors, as by select', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `<row Id="${i}" Title="T ${i}">${i % 20 === 7 ? '</z>' : ''}</row>\n`,
    )
    writeFileSync(path('wrong.xml'), `<posts>\n${rows.join('')}</posts>\n`)
    const skip = ['--on-error', 'skip'] as const
    const { code, stdout } = await run(['select', 'row', path('wrong.xml'), ...FIELDS, ...skip])
    expect(code).toBe(1)
    expect(stdout.trimEnd().split('\n')).toHaveLength(57)
    for (const cuts of [[], ['--cuts', 'guessed']]) {
      const lines = await makePlan('--each', 'row', path('wrong.xml'), '--ranges', '5', ...FIELDS, ...skip, ...cuts)
      const found = await Promise.all(lines.slice(1).map((range) => run(['read', range])))
      const outputs = found.map((one) => one.stdout.trimEnd().split('\n'))
      expect(outputs.flatMap((output) => output.slice(0, -1)).join('\n')).toBe(stdout.trimEnd())
      const trailers = outputs.map((output) => JSON.parse(output.at(-1) as string).trailer)
      const total = (of: (trailer: (typeof trailers)[0]) => number) => trailers.reduce((sum, one) => sum + of(one), 0)
      expect([total(({ faults }) => faults), total(({ skipped }) => skipped.records)]).toEqual([3, 3])
      expect(found.map((one) => one.code)).toEqual(trailers.map(({ faults }) => (faults > 0 ? 1 : 0)))
    }
  })

  test('refuses options that do not go together', async () => {
    for (const [args, message] of [
      [['--each', 'row', '--ns', '0'], '--ns is about dumps of wikis; it cannot be used together with --each'],
      [['--field', 'id'], '--field says what is wanted of records; use it together with --each'],
      [['--lenient'], '--lenient says what is wanted of records; use it together with --each'],
      [['--each', 'row'], '--each needs fields: name them with --field or --shape'],
      [
        ['--each', 'row', '--field', 'id', '--on-error', 'skip', '--cuts', 'verified'],
        '--on-error cannot be used together with --cuts verified; use --cuts guessed',
      ],
      [['--each', 'row|x', '--field', 'id'], 'in other commands, repeat the option'],
    ] as const) {
      const { code, stderr } = await run(['plan', path('Posts.xml'), ...args])
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })

  test('refuses fields that ranges cannot have, where a file has ranges', async () => {
    writeFileSync(path('place.json'), '{ "at": { "path": ".", "as": "offset" } }')
    const ask = (name: string) =>
      run(['plan', path(name), '--each', 'row', '--ranges', '2', '--shape', path('place.json')])
    expect(await ask('Posts.xml')).toMatchObject({ code: 0, stderr: '' })
    const { code, stdout, stderr } = await ask('Posts.xml.bz2')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Posts.xml.bz2: fields.at: a range of bzip2 does not know the offsets in the content')
  })
})
