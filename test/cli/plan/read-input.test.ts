// Files that change between the ranges of a plan: their middle alone, so that their size, beginning and end say nothing.

import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isSameState } from '../../../source/cli/plan/planned-file.ts'
import { sealObject } from '../../../source/cli/plan/seal.ts'
import { run } from '../../support/command.ts'
import { isThorough } from '../../support/extent.ts'
import { RangeServer } from '../../support/range-server.ts'

const COUNT = 2000

/** A dump of 250 KB. */
function makeDump(word: string): string {
  const page = (id: number) =>
    `<page><title>T</title><ns>0</ns><id>${id}</id><revision><id>${id}</id><text>${id < 600 || id > 1400 ? 'same' : word} text of a page</text></revision></page>\n`
  return `<mediawiki>\n${Array.from({ length: COUNT }, (_, i) => page(i + 1)).join('')}</mediawiki>\n`
}

let folder = ''
let dump = ''
let parts = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-state-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0
beforeEach(() => {
  count++
  dump = join(folder, `dump-${count}.xml`)
  parts = join(folder, `parts-${count}`)
  writeFileSync(dump, makeDump('good'))
})

/** What happens to a file between two ranges. */
const HAPPENS = {
  changed: () => writeFileSync(dump, makeDump('evil')),
  'replaced by another file': () => {
    writeFileSync(`${dump}.new`, makeDump('evil'))
    utimesSync(`${dump}.new`, 1e9, 1e9)
    renameSync(`${dump}.new`, dump)
  },
  touched: () => utimesSync(dump, 1e9, 1e9),
  copied: () => {
    cpSync(dump, `${dump}.copy`)
    renameSync(`${dump}.copy`, dump)
  },
} as const
const REALLY = ['changed', 'replaced by another file'] as const
const SEEMINGLY = ['touched', 'copied'] as const

async function makePlan(file: string): Promise<{ plan: string; lines: string[] }> {
  const { stdout } = await run(['plan', file, '--ranges', '4'])
  const plan = join(folder, `plan-${count}.jsonl`)
  writeFileSync(plan, stdout)
  return { plan, lines: stdout.trimEnd().split('\n').slice(1) }
}

/** Reads ranges into the folder of parts, and lets something happen before the third one. */
async function readParts(lines: readonly string[], happen: () => void): Promise<void> {
  for (const [i, line] of lines.entries()) {
    if (i === 2) happen()
    expect(await run(['read', line, '--output', parts])).toMatchObject({ code: 0, stderr: '' })
  }
}

const refused = {
  code: 4,
  stdout: '',
  stderr: expect.stringMatching(
    /^xylem: .*: the file has changed between the ranges: range 2 was read from another state than range 0\. .*--verify-inputs/,
  ),
}

describe('parts', () => {
  for (const how of REALLY) {
    test(`of a file that was ${how} between two ranges are refused, also with --verify-inputs`, async () => {
      const { plan, lines } = await makePlan(dump)
      await readParts(lines, HAPPENS[how])
      expect(await run(['commit', plan, parts])).toEqual(refused)
      expect(await run(['commit', plan, parts, '--verify-inputs'])).toEqual({
        code: 4,
        stdout: '',
        stderr: expect.stringMatching(/the file has changed since range [01] was read: its bytes \d+ to \d+ are not/),
      })
      expect(readdirSync(parts)).not.toContain('_SUCCESS')
    })
  }

  for (const how of SEEMINGLY) {
    test(`of a file that was only ${how} between two ranges pass with --verify-inputs`, async () => {
      const { plan, lines } = await makePlan(dump)
      await readParts(lines, HAPPENS[how])
      expect(await run(['commit', plan, parts])).toEqual(refused)
      expect(await run(['commit', plan, parts, '--verify-inputs'])).toMatchObject({ code: 0, stderr: '' })
      expect(readdirSync(parts)).toContain('_SUCCESS')
    })
  }

  test('of a file that is not there any more are complete, and so are those of one that has changed since', async () => {
    const { plan, lines } = await makePlan(dump)
    await readParts(lines, () => {})
    HAPPENS.changed()
    expect(await run(['commit', plan, parts])).toMatchObject({ code: 0, stderr: '' })
    rmSync(dump)
    expect(await run(['commit', plan, parts])).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['commit', plan, parts, '--verify-inputs'])).toMatchObject({ code: 5 })
  })

  test('whose `_SUCCESS` was written before lose it', async () => {
    const { plan, lines } = await makePlan(dump)
    await readParts(lines, () => {})
    expect(await run(['commit', plan, parts])).toMatchObject({ code: 0 })
    rmSync(join(parts, readdirSync(parts).find((name) => name.startsWith('part-00002')) as string))
    HAPPENS.changed()
    expect(await run(['read', lines[2] as string, '--output', parts])).toMatchObject({ code: 0 })
    expect(await run(['commit', plan, parts])).toEqual(refused)
    expect(readdirSync(parts)).not.toContain('_SUCCESS')
  })

  test.runIf(isThorough)('that do not say what was read are refused, and read again by --resume', async () => {
    const resume = ['pages', dump, '--resume', '--range-size', '60000', '--output', parts, '--stats']
    expect((await run(resume)).stderr).toMatch(/^4 parts \(0 of them/)
    const plan = join(parts, '_plan.jsonl')
    for (const name of readdirSync(join(parts, '_manifest'))) {
      const path = join(parts, '_manifest', name)
      const { input: _, seal: __, ...old } = JSON.parse(readFileSync(path, 'utf8'))
      writeFileSync(path, JSON.stringify(sealObject(old)))
    }
    expect(await run(['commit', plan, parts])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a manifest does not say what state of its file was read'),
    })
    expect((await run(resume)).stderr).toMatch(/^4 parts \(0 of them/)
    expect(await run(['commit', plan, parts])).toMatchObject({ code: 0 })
  })
})

describe('--resume', () => {
  const resume = (...more: string[]) =>
    run(['pages', dump, '--resume', '--range-size', '60000', '--output', parts, '--jobs', '1', '--stats', ...more])

  /** Leaves the parts that a run has written which was interrupted. */
  async function interrupt(): Promise<void> {
    expect(await resume()).toMatchObject({ code: 0 })
    for (const name of readdirSync(parts)) if (/^(part-0000[23]|_SUCCESS)/.test(name)) rmSync(join(parts, name))
  }

  test.each(REALLY)('does not continue with a file that was %s', async (how) => {
    await interrupt()
    HAPPENS[how]()
    expect(await resume()).toEqual(refused)
    expect(await resume('--verify-inputs')).toMatchObject({ code: 4 })
    expect(readdirSync(parts)).not.toContain('_SUCCESS')
  })

  test.each(SEEMINGLY)('continues with a file that was only %s if inputs are verified', async (how) => {
    await interrupt()
    HAPPENS[how]()
    expect(await resume()).toEqual(refused)
    expect(await resume('--verify-inputs')).toMatchObject({ code: 0, stderr: expect.stringContaining('4 parts') })
    expect(readdirSync(parts)).toContain('_SUCCESS')
  })

  test('alone has inputs to verify', async () => {
    expect(await run(['pages', dump, '--verify-inputs'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'xylem: --verify-inputs is about parts of earlier runs; use it together with --resume\n',
    })
  })
})

describe('of a URL', () => {
  /** The exit codes of commit, without and with --verify-inputs, where something happens to the file between two ranges. */
  async function commitRemote(says: 'tags' | 'times' | 'nothing', happen: () => void) {
    utimesSync(dump, 1.5e9, 1.5e9)
    const server = new RangeServer(folder, { says })
    try {
      const { plan, lines } = await makePlan(`${await server.listen()}/dump-${count}.xml`)
      await readParts(lines, happen)
      const outcomes = [await run(['commit', plan, parts]), await run(['commit', plan, parts, '--verify-inputs'])]
      return { codes: outcomes.map(({ code }) => code), stderr: outcomes[0]?.stderr }
    } finally {
      server.close()
    }
  }

  test.runIf(isThorough).each([
    ['tags', 'changed', 4],
    ['times', 'touched', 0],
  ] as const)('the parts must have the same %s: one that was %s', async (says, how, verified) => {
    expect((await commitRemote(says, HAPPENS[how])).codes).toEqual([4, verified])
  })

  test('nothing is known where the server says nothing: that is said, and --verify-inputs finds it out', async () => {
    const { codes, stderr } = await commitRemote('nothing', HAPPENS.changed)
    expect(codes).toEqual([0, 4])
    expect(stderr).toContain('the server sends neither ETag nor Last-Modified, so it is unknown whether')
  })
})

test('states of hosts that share a file differ in its device alone, which is a number of each host', () => {
  const state = { size: 1, host: 'a', dev: '1', ino: '2', mtimeNs: '3' }
  expect(isSameState(state, { ...state, dev: '9' })).toBe(false)
  expect(isSameState(state, { ...state, host: 'b', dev: '9' })).toBe(true)
  for (const name of ['size', 'ino', 'mtimeNs']) expect(isSameState(state, { ...state, [name]: '0' })).toBe(false)
})
