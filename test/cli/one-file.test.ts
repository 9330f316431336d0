// The command line as one file, alone in a folder: it needs no packages beside it, and its workers start from it.

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { finish, start } from '../support/command.ts'
import { isThorough, sample } from '../support/extent.ts'
import { fixturePath } from '../support/fixtures.ts'

const built = fileURLToPath(new URL('../../python/xylem_reader/js/xylem.mjs', import.meta.url))
const dump = fixturePath('mediawiki/small-dump.xml')
/** Bytes of a file that threads read in ranges. */
const LARGE = 34 * 1024 * 1024

/** Counts the messages of workers that have got something to do, by what they do. */
const COUNTER = `
const threads = require('node:worker_threads')
const counts = {}
threads.Worker = class extends threads.Worker {
  constructor(url) {
    super(url)
    this.on('message', (message) => {
      if (message !== 'ready') counts[this.name] = (counts[this.name] ?? 0) + 1
    })
  }
  postMessage(message, transfer) {
    if ('mostWaiting' in message) this.name = message.setup?.kind ?? 'block'
    super.postMessage(message, transfer)
  }
}
process.on('exit', () => require('node:fs').writeFileSync('counts.json', JSON.stringify(counts)))`

let folder = ''
const path = (name: string) => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-one-file-'))
  copyFileSync(built, path('xylem.mjs'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function runAlone(args: readonly string[], ...options: string[]) {
  const command = [...options, path('xylem.mjs'), ...args]
  const env = { ...process.env, NODE_PATH: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, env, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

describe('the command line as one file', () => {
  test.each(
    sample(
      [
        [['--version']],
        [['grammar', '--list']],
        [['parse', '--grammar', '@csv', fixturePath('recipes/Posts.xml'), '--limit', '2']],
        [['select', 'row', `${fixturePath('recipes/book.xlsx')}/xl/worksheets/*.xml`, '--field', 'row=@r']],
        [['select', 'item', fixturePath('recipes/feed.rs?'), '--field', 'title', '--format', 'csv']],
        [['select', '--infer', fixturePath('recipes/Posts.xml'), '--format', 'arrows']],
        [['pages', dump, '--verify']],
        [['info', dump]],
        [['check', fixturePath('recipes/dblp.xml')]],
      ],
      2,
    ),
  )('prints what the package prints: %j', async (args) => {
    expect(runAlone(args)).toEqual(await finish(start(...args)))
  })

  test.runIf(spawnSync('xz', ['--version']).status === 0)('reads xz', () => {
    writeFileSync(path('x.xml.xz'), execFileSync('xz', ['-c'], { input: '<a><b/></a>' }))
    expect(runAlone(['select', 'b', path('x.xml.xz')])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"b"'),
    })
  })

  test.runIf(isThorough)('reads a range of a plan', () => {
    const [, range = ''] = runAlone(['plan', dump]).stdout.split('\n')
    expect(runAlone(['read', range]).stdout.split('\n').at(-2)).toContain('"trailer"')
  })

  test('says what must be installed for Parquet', () => {
    const { code, stderr } = runAlone(['select', 'title', dump, '--field', 'x=.', '--output', path('x.parquet')])
    expect([code, stderr]).toEqual([
      2,
      'xylem: Parquet is written by the package hyparquet-writer, which is not installed; run: npm install hyparquet-writer\n',
    ])
  })

  test('has the licences of what is in it', () => {
    const text = readFileSync(built, 'utf8')
    for (const name of ['commander', 'fdir', 'pend', 'picomatch', 'tinyglobby', 'xz-decompress', 'yauzl'])
      expect(text).toMatch(new RegExp(`^(/\\*! )?${name}: `, 'm'))
  })
})

describe('its workers', () => {
  /** Runs a command, and counts the messages of each kind of worker. */
  function countMessages(...args: string[]): Record<string, number> {
    writeFileSync(path('counter.cjs'), COUNTER)
    rmSync(path('out'), { recursive: true, force: true })
    expect(runAlone([...args, '--output', path('out')], '-r', path('counter.cjs'))).toMatchObject({ code: 0 })
    return JSON.parse(readFileSync(path('counts.json'), 'utf8'))
  }

  test.runIf(isThorough)('read ranges of dumps and of documents', () => {
    const [head = '', ...pages] = readFileSync(dump, 'utf8').split('  <page>')
    const texts = pages.join('').slice(0, -20)
    const page = `  <page><title>T</title><ns>0</ns><id>1</id><revision><id>1</id><text>${'x'.repeat(texts.length * 20)}</text></revision></page>\n`
    writeFileSync(path('large.xml'), `${head}${page.repeat(Math.ceil(LARGE / page.length))}</mediawiki>\n`)
    expect(countMessages('pages', path('large.xml'), '--jobs', '3', '--fields', 'id')).toEqual({
      batches: expect.any(Number),
    })
    expect(countMessages('select', 'page', path('large.xml'), '--jobs', '3', '--field', 'id')).toEqual({
      batches: expect.any(Number),
    })
  })

  test.runIf(isThorough)('read ranges of a plan', () => {
    expect(countMessages('pages', dump, '--jobs', '2', '--resume', '--range-size', '2000')).toEqual({
      parts: expect.any(Number),
    })
  })

  test.runIf(isThorough)('decode blocks of bzip2', () => {
    const [begin, rows, end] = ['<t>', '<r a="b"/>\n'.repeat(9000), '</t>'].map((text) =>
      encodeBzip2(Buffer.from(text)),
    )
    const streams = [begin, ...Array.from({ length: 40 }, () => rows), end] as Uint8Array[]
    writeFileSync(path('blocks.xml.bz2'), Buffer.concat(streams))
    expect(countMessages('select', 'r', path('blocks.xml.bz2'), '--jobs', '2', '--field', 'a=@a')).toEqual({
      block: expect.any(Number),
    })
  })
})
