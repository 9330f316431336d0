// `xylem commit --reports`: the proof from the trailers of ranges alone.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealObject } from '../../../source/cli/plan/seal.ts'
import { run } from '../../support/command.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { compress } from '../../support/xml-ranges.ts'

let folder = ''
let dump = ''
let archive = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-reports-'))
  dump = join(folder, 'dump.xml')
  writeFileSync(dump, readFixture('mediawiki/small-dump.xml'))
  archive = join(folder, 'dump.xml.bz2')
  writeFileSync(archive, compress(readFixture('mediawiki/small-dump.xml'), 400))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Trailer = Readonly<Record<string, unknown>> & { readonly range: string }

/** A plan, and the trailers of its ranges. */
async function makeReports(name: string, ...args: string[]) {
  const { stdout } = await run(['plan', ...args])
  const plan = join(folder, `${name}.plan.jsonl`)
  writeFileSync(plan, stdout)
  const trailers: Trailer[] = []
  for (const line of stdout.trimEnd().split('\n').slice(1)) {
    const read = await run(['read', line])
    trailers.push(JSON.parse(read.stdout.trimEnd().split('\n').at(-1) as string).trailer)
  }
  const reports = join(folder, name)
  mkdirSync(join(reports, '_manifest'), { recursive: true })
  for (const trailer of trailers) write(reports, trailer)
  return { plan, reports, trailers }
}

function write(reports: string, trailer: Trailer): void {
  writeFileSync(join(reports, '_manifest', `${trailer.range}.json`), JSON.stringify(sealObject(trailer)))
}

test.each(
  sample(
    [
      ['of dumps', []],
      ['of dumps with cuts', ['--cuts', 'guessed']],
      ['of records', ['--each', 'page', '--field', 'id', '--cuts', 'verified']],
    ] as const,
    1,
  ),
)('reports %s give the totals of parts', async (name, options) => {
  const { plan, reports } = await makeReports(name, archive, dump, '--ranges', '3', ...options)
  const parts = join(folder, `${name} parts`)
  for (const line of readFileSync(plan, 'utf8').trimEnd().split('\n').slice(1))
    expect(await run(['read', line, '--output', parts])).toMatchObject({ code: 0 })
  const committed = await run(['commit', plan, parts])
  expect(committed).toMatchObject({ code: 0, stderr: '' })
  expect(await run(['commit', plan, reports, '--reports'])).toEqual(committed)
  const success = JSON.parse(readFileSync(join(reports, '_SUCCESS'), 'utf8'))
  expect(success).toMatchObject({ records: 20, scrutiny: 'report' })
  // Without the option, these are parts that are not there.
  expect(await run(['commit', plan, reports])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('a part is missing'),
  })
})

test.runIf(isThorough)('a range without a report is named', async () => {
  const { plan, reports, trailers } = await makeReports('missing', archive, '--ranges', '4')
  const [, second, third] = trailers as [Trailer, Trailer, Trailer]
  rmSync(join(reports, '_manifest', `${second.range}.json`))
  expect(await run(['commit', plan, reports, '--reports'])).toEqual({
    code: 3,
    stdout: '',
    stderr: `xylem: ${reports}: a report is missing (range 1, ${second.range})\n`,
  })
  writeFileSync(join(reports, '_manifest', `${third.range}.json`), '{}')
  expect((await run(['commit', plan, reports, '--reports'])).stderr).toBe(
    `xylem: ${reports}: 2 reports are missing or wrong: a report is missing (range 1, ${second.range}); a report was edited or is damaged; delete it, and read the range again (range 2, ${third.range})\n`,
  )
  expect((await run(['commit', plan, join(folder, 'nowhere'), '--reports'])).code).toBe(3)
})

test.runIf(isThorough)('reports that do not fit together are an error', async () => {
  const { plan, reports, trailers } = await makeReports('unfit', archive, '--ranges', '4')
  const [, second] = trailers as [Trailer, Trailer]
  write(reports, { ...second, from: { block: 5, offset: 1 } })
  expect(await run(['commit', plan, reports, '--reports'])).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/the pages between .* were skipped or read twice/),
  })
})

test('a plan without cuts whose ranges began in a comment is an error, because nothing can be read again', async () => {
  const row = (id: number) => `<row><id>${id}</id></row>`
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i)).join('')
  writeFileSync(join(folder, 'hidden.xml'), `<r>${rows(1, 9)}<!-- ${rows(90, 99)} -->${rows(9, 20)}</r>`)
  const each = ['--each', 'row', '--field', 'id', '--ranges', '8']
  const { plan, reports } = await makeReports('hidden', join(folder, 'hidden.xml'), ...each)
  const { code, stderr } = await run(['commit', plan, reports, '--reports'])
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('were skipped or read twice') })
})

test('--quick and --reports are not both wanted', async () => {
  expect(await run(['commit', dump, folder, '--quick', '--reports'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'xylem: --quick cannot be used together with --reports: there are no parts whose content is compared\n',
  })
})
