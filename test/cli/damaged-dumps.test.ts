// Dumps that are cut off, damaged or in odd shapes, and disks that are full, as the user of the command line meets them.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { finish, run, start } from '../support/command.ts'
import { isThorough, sample } from '../support/extent.ts'
import { parameters } from '../support/property.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A dump of so many pages of about a kilobyte, whose texts are not all alike. */
function makeDump(pages: number): Buffer {
  const page = (id: number) => {
    const text = Array.from({ length: 90 }, (_, i) => `${(id * 7919 + i * 104729) % 99991} &amp; word`).join(' ')
    const revision = `<revision><id>${id + 9}</id><text bytes="${text.length}">${text}</text></revision>`
    return `  <page>\n    <title>P\u00e4ge ${id}</title>\n    <ns>0</ns>\n    <id>${id}</id>\n    ${revision}\n  </page>\n`
  }
  const body = Array.from({ length: pages }, (_, i) => page(i + 1)).join('')
  return Buffer.from(`<mediawiki version="0.11">\n  <siteinfo/>\n${body}</mediawiki>\n`)
}

function write(name: string, content: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Several at once: what takes long is to start. */
async function forAll<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values()
  const work = async () => {
    for (const item of rest) await act(item)
  }
  await Promise.all([work(), work(), work()])
}

describe('a dump that is cut off at every kilobyte', () => {
  const dump = makeDump(30)
  test.each([
    ['plain', dump, /^xylem: \S+: .+ \(line \d+, column \d+, byte \d+\)$/m],
    ['in bzip2', encodeBzip2(dump, { blockSize: 3000 }), /^xylem: \S+: bzip2: .* \(byte \d+\)$/m],
    ['in gzip', gzipSync(dump, { level: 1 }), /^xylem: \S+: gzip: .* \(byte \d+\)$/m],
  ])('%s gives all pages before, and one clear message', async (name, bytes, message) => {
    const whole = (await run(['pages', '-', '--quiet'], bytes)).stdout
    expect(whole.split('\n')).toHaveLength(31)
    const places = Array.from({ length: Math.ceil(bytes.length / 1024) }, (_, i) => 1024 * i)
    const cuts = sample(places, 2)
    const counts: number[] = []
    await forAll(cuts, async (cut) => {
      const file = write(`${name.replace(' ', '-')}-${cut}`, bytes.subarray(0, cut))
      const { code, stdout, stderr } = await run(['pages', file])
      expect({ cut, code }).toEqual({ cut, code: 3 })
      expect(whole.startsWith(stdout) && (stdout === '' || stdout.endsWith('\n'))).toBe(true)
      if (cut === 0) expect(stderr).toMatch('not a MediaWiki dump')
      else expect(stderr).toMatch(message)
      counts.push(stdout.split('\n').length - 1)
    })
    // Most of what is there is delivered: all but the page, or the block, that is cut.
    expect(Math.max(...counts)).toBeGreaterThan(24)
  })
})

describe('a dump with a flipped bit', () => {
  test('in its archive never gives a page that is wrong', async () => {
    const dump = makeDump(40)
    const archive = encodeBzip2(dump, { blockSize: 5000 })
    const good = new Set((await run(['pages', '-'], archive)).stdout.split('\n'))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(archive.length * 8 - 1),
        fc.constantFrom('stop', 'skip-page', 'skip-block'),
        async (bit, onError) => {
          const damaged = Buffer.from(archive)
          damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
          const { code, stdout, stderr } = await run(['pages', '-', '--on-error', onError], damaged)
          for (const line of stdout.split('\n')) expect(good.has(line)).toBe(true)
          if (stdout.split('\n').length < good.size) {
            expect([1, 3]).toContain(code)
            expect(stderr).toMatch(/^(xylem: )?standard input: .+\n/)
          }
          // Without its first bytes it is not an archive.
          if (onError === 'skip-block' && bit >= 32) expect(stdout.split('\n').length).toBeGreaterThan(20)
        },
      ),
      parameters(25),
    )
  })
})

describe('a dump in an odd shape', () => {
  const dump = makeDump(5)

  test('may be in UTF-16', async () => {
    const { stdout } = await run(['pages', '-'], dump)
    const text = `<?xml version="1.0" encoding="UTF-16"?>${dump.toString()}`
    for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from(`\ufeff${text}`, 'utf16le').swap16()]) {
      expect(await run(['pages', write('wide.xml', bytes)])).toEqual({ code: 0, stdout, stderr: '' })
      const parts = join(folder, `wide-${bytes[0]}`)
      expect(await run(['pages', write('wide.xml', bytes), '--output', parts, '--resume'])).toMatchObject({ code: 0 })
      const [part] = readdirSync(parts).filter((name) => name.startsWith('part-'))
      expect(readFileSync(join(parts, part as string), 'utf8')).toBe(stdout)
    }
  })

  test('may end in a stream of bzip2 that is empty', async () => {
    const { stdout } = await run(['pages', '-'], dump)
    const empty = encodeBzip2(new Uint8Array(0))
    expect(await run(['pages', '-'], Buffer.concat([encodeBzip2(dump), empty]))).toEqual({
      code: 0,
      stdout,
      stderr: '',
    })
  })
})

describe('a dump that is empty or half there', () => {
  const half = encodeBzip2(makeDump(5)).slice(0, 700)

  test.each([
    ['pages', /empty\.xml: not a MediaWiki dump/, /half\.bz2: bzip2: the input ends inside a stream/],
    ['revisions', /empty\.xml: not a MediaWiki dump/, /half\.bz2: bzip2: the input ends inside a stream/],
    ['info', /empty\.xml: not a MediaWiki dump/, /half\.bz2: bzip2: the input ends inside a stream/],
    ['index', /empty\.xml: not a MediaWiki dump/, /half\.bz2: bzip2: the input ends inside a stream/],
  ])('is refused by xylem %s with one clear message', async (command, ofEmpty, ofHalf) => {
    for (const [file, message] of [
      [write('empty.xml', new Uint8Array(0)), ofEmpty],
      [write('half.bz2', half), ofHalf],
    ] as const) {
      const { code, stderr } = await run([command, file])
      expect(code).toBe(3)
      expect(stderr).toMatch(message)
    }
  })

  test('is refused when it is planned; where errors are skipped, when it is read', async () => {
    const file = write('empty.xml', new Uint8Array(0))
    expect(await run(['plan', file])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('empty.xml: not a MediaWiki dump'),
    })
    const { code, stdout } = await run(['plan', file, '--on-error', 'skip-page'])
    expect(code).toBe(0)
    const range = stdout.split('\n')[1] as string
    expect(await run(['read', range])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('empty.xml: not a MediaWiki dump'),
    })
    expect(await run(['read', '-'], '')).toMatchObject({ code: 2 })
  })
})

describe('several jobs', () => {
  const pages = isThorough ? 4000 : 2000
  let dump: Buffer
  beforeAll(() => {
    dump = makeDump(pages)
  })
  const title = `<title>P\u00e4ge ${pages - 100}</title>`
  const dumps = [
    ['plain', () => dump, 0],
    ['in gzip', () => gzipSync(dump, { level: 1 }), 0],
    ['with a fault', () => Buffer.from(dump.toString().replace(title, title.replace('</title>', '</titel>'))), 3],
    ['that is cut off', () => dump.subarray(0, dump.length * 0.7), 3],
  ] as const

  test.each(sample(dumps, 3))('print of a dump %s what one prints, and fail as one fails', async (name, make, code) => {
    const file = write(`jobs-${name}`, make())
    for (const more of isThorough ? [[], ['--on-error', 'skip-page', '--ns', '0']] : [[]]) {
      const one = await run(['pages', file, '--jobs', '1', ...more])
      expect(one.code === code || more.length > 0).toBe(true)
      expect(one.stdout.length).toBeGreaterThan(pages * 500)
      for (const jobs of isThorough ? ['2', '3'] : ['3']) {
        const many = await run(['pages', file, '--jobs', jobs, ...more])
        // Not by `toEqual`: a difference in megabytes cannot be shown.
        expect(many.stdout === one.stdout).toBe(true)
        expect({ code: many.code, stderr: many.stderr }).toEqual({ code: one.code, stderr: one.stderr })
      }
    }
  })

  test.runIf(isThorough)('end when the reader has gone, and on a signal', async () => {
    const file = write('jobs.xml', dump)
    const left = start('pages', file, '--jobs', '2')
    await once(left.stdout, 'data')
    left.stdout.destroy()
    expect(await finish(left)).toMatchObject({ code: 0, stderr: '' })
    const interrupted = start('pages', file, '--jobs', '2')
    await once(interrupted.stdout, 'data')
    interrupted.stdout.pause()
    interrupted.kill('SIGINT')
    interrupted.stdout.resume()
    expect(await finish(interrupted)).toMatchObject({ code: 130 })
  })
})

describe('a disk that is full', () => {
  let disk = ''
  let dump: Buffer
  beforeAll(() => {
    dump = makeDump(isThorough ? 1500 : 1100)
  })
  const isMounted = tryMount()

  /** Mounts a disk of a megabyte; where that is not allowed, there is none. */
  function tryMount(): boolean {
    const path = mkdtempSync(join(tmpdir(), 'xylem-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', path], { stdio: 'ignore' })
      disk = path
      return true
    } catch {
      rmSync(path, { recursive: true })
      return false
    }
  }

  afterAll(() => {
    if (!isMounted) return
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })

  test.runIf(isMounted)('is reported by name, with the exit code for that', async () => {
    const file = write('large.xml', dump)
    const output = join(disk, 'pages.jsonl')
    const { code, stderr } = await run(['pages', file, '--output', output])
    expect(code).toBe(5)
    expect(stderr).toMatch(/^xylem: .* kept in .*\.partial\nxylem: .*pages\.jsonl: no space left on the device\n$/)
    expect(readdirSync(disk)).toEqual(['pages.jsonl.partial'])
    rmSync(`${output}.partial`)
  })

  test.runIf(isThorough && isMounted)('leaves parts that can be gone on with when there is room again', async () => {
    const file = write('large.xml', dump)
    const parts = join(disk, 'parts')
    const args = ['pages', file, '--output', parts, '--resume', '--range-size', '200000']
    const { code, stderr } = await run(args)
    expect(code).toBe(5)
    expect(stderr).toMatch(/no space left on the device/)
    expect(readdirSync(parts)).not.toContain('_SUCCESS')
    // A part counts when its manifest is there, too: the disk may be full between the two.
    const isKnown = (name: string) => existsSync(join(parts, '_manifest', `${name.slice(11, -6)}.json`))
    const before = readdirSync(parts).filter((name) => name.startsWith('part-') && isKnown(name))
    expect(before.length).toBeGreaterThan(0)
    execFileSync('mount', ['-o', 'remount,size=8m', disk])
    const times = before.map((name) => statSync(join(parts, name)).mtimeMs)
    expect(await run(args)).toMatchObject({ code: 0 })
    expect(before.map((name) => statSync(join(parts, name)).mtimeMs)).toEqual(times)
    const whole = await run(['pages', file])
    const joined = readdirSync(parts)
      .filter((name) => name.startsWith('part-'))
      .sort()
      .map((name) => readFileSync(join(parts, name), 'utf8'))
    expect(joined.join('') === whole.stdout).toBe(true)
  })

  test('of a folder that is a file is reported as a wrong command', async () => {
    const path = join(folder, 'a-file')
    mkdirSync(path, { recursive: true })
    rmSync(path, { recursive: true })
    writeFileSync(path, '')
    const { code, stderr } = await run(['pages', write('small.xml', dump), '--output', path, '--resume'])
    expect(code).toBe(2)
    expect(stderr).toMatch('not a folder')
  })
})
