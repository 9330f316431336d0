// Formats that are made of columns, as commands write them: the values of the same records as objects.

import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEncodings } from '../../../source/cli/plan/plan.ts'
import { readRange } from '../../../source/cli/plan/range-job.ts'
import { FORMATS } from '../../../source/record/format/index.ts'
import { collectAll } from '../../support/collect.ts'
import { COLUMN_FORMATS } from '../../support/column-formats.ts'
import { run, start } from '../../support/command.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { findReaders, readTables } from '../../support/python.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-columns-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const { signal } = new AbortController()
const pathOf = (name: string): string => join(folder, name)

/** The records of lines, with absent values as undefined. */
function parseLines(lines: string, names: readonly string[]): unknown[] {
  const records = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return records.map((record) => Object.fromEntries(names.map((name) => [name, record[name] ?? undefined])))
}

describe.each(sample(COLUMN_FORMATS, 2))('%s', (format, read) => {
  const [ending] = FORMATS[format].endings
  const select = [
    'select',
    'page',
    dump,
    '--field',
    'id:integer=id',
    '--field',
    'title',
    '--field',
    'ids[]=revision/id',
  ]

  test('is what select writes into a file of that name', async () => {
    const path = pathOf(`select.${ending}`)
    expect(await run([...select, '--quiet', '--output', path])).toMatchObject({ code: 0, stderr: '' })
    const { names, records, metadata } = await read(readFileSync(path))
    expect(names).toEqual(['id', 'title', 'ids'])
    expect(records).toEqual(parseLines((await run(select)).stdout, names))
    const shape = { id: { path: 'id', as: 'integer' }, title: 'title', ids: ['revision/id'] }
    expect(metadata.get('xylem:path')).toBe('["page"]')
    expect(JSON.parse(metadata.get('xylem:shape') ?? '')).toEqual(shape)
  })

  test('is written of shapes in files, with what they say', async () => {
    const shape = { 7: 'title', a: { of: 'revision', fields: { n: { path: 'id', as: 'integer' }, none: 'none' } } }
    writeFileSync(pathOf('shape.json'), `// Pages\n${JSON.stringify(shape)}`)
    const path = pathOf(`shaped.${ending}`)
    const args = [
      'select',
      'page',
      dump,
      '--shape',
      pathOf('shape.json'),
      '--field',
      '@none',
      '--quiet',
      '--output',
      path,
    ]
    expect(await run([...args, '--allow-empty', '--no-warnings'])).toMatchObject({ code: 0, stderr: '' })
    const { names, records, metadata } = await read(readFileSync(path))
    expect(names).toEqual(['7', 'a', '@none'])
    expect(records[0]).toEqual({
      7: expect.any(String),
      a: { n: expect.any(Number), none: undefined },
      '@none': undefined,
    })
    expect(metadata.get('xylem:shape')).toBe(JSON.stringify({ ...shape, '@none': '@none' }))
  })

  test.each(['pages', 'revisions'])('is what %s writes, on one thread and on two', async (command) => {
    const fields = ['--fields', 'id,comment,minor'].map((text) => {
      return command === 'pages' ? text.replace('comment,minor', 'ns,redirect,revision.comment,revision.minor') : text
    })
    const files: Buffer[] = []
    for (const jobs of ['1', '2']) {
      const path = pathOf(`${command}-${jobs}.${ending}`)
      const args = [command, dump, ...fields, '--jobs', jobs, '--quiet', '--output', path]
      expect(await run(args)).toMatchObject({ code: 0, stderr: '' })
      files.push(readFileSync(path))
    }
    const { names, records } = await read(files[0] as Buffer)
    expect(records).toEqual(parseLines((await run([command, dump, ...fields])).stdout, names))
    expect((await read(files[1] as Buffer)).records).toEqual(records)
  })

  test('is what parse writes of values', async () => {
    const input = fixturePath('grammar/access/lines.input.log')
    const args = ['parse', '--grammar', '@combined', input, '--fields', 'host,status,bytes']
    const path = pathOf(`log.${ending}`)
    expect(await run([...args, '--output', path, '--quiet'])).toMatchObject({ code: 0, stderr: '' })
    const { names, records } = await read(readFileSync(path))
    expect(records).toEqual(parseLines((await run(args)).stdout, names))
  })

  // Each starts a process: in `npm test`, one of a format.
  test.runIf(isThorough || format === 'arrow')('goes to standard output, with the same bytes', async () => {
    const path = pathOf(`printed.${ending}`)
    await run([...select, '--quiet', '--output', path])
    const main = fixturePath('../dist/cli/main.js')
    const printed = execFileSync(process.execPath, [main, ...select, '--format', format], { maxBuffer: 1e9 })
    expect(printed.equals(readFileSync(path))).toBe(true)
  })

  test('is refused where there are no fields', async () => {
    const { code, stderr } = await run(['select', 'page', dump, '--format', format])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`not as ${format}; use --field`),
    })
  })

  test.runIf(isThorough)(
    'has parts that are the same whoever writes them, and how often',
    { timeout: 60_000 },
    async () => {
      const parts: Map<string, Buffer>[] = []
      const common = ['--range-size', '2000', '--format', format]
      for (const jobs of ['1', '2']) {
        const output = pathOf(`parts-${format}-${jobs}`)
        const args = ['revisions', dump, '--resume', ...common, '--jobs', jobs, '--quiet', '--output', output]
        expect(await run(args)).toMatchObject({ code: 0, stderr: '' })
        parts.push(partsOf(output))
      }
      const plan = pathOf(`plan-${format}.jsonl`)
      const output = pathOf(`parts-${format}-read`)
      expect(await run(['plan', dump, '--revisions', ...common, '--output', plan])).toMatchObject({
        code: 0,
        stderr: '',
      })
      for (const line of readFileSync(plan, 'utf8').trim().split('\n').slice(1))
        expect(await run(['read', line, '--output', output])).toMatchObject({ code: 0, stderr: '' })
      expect(await run(['commit', plan, output])).toMatchObject({ code: 0 })
      parts.push(partsOf(output))
      const [first, ...others] = parts as [Map<string, Buffer>, Map<string, Buffer>, Map<string, Buffer>]
      expect(first.size).toBeGreaterThan(2)
      for (const other of others) {
        expect([...other.keys()]).toEqual([...first.keys()])
        for (const [name, bytes] of other) expect(bytes.equals(first.get(name) as Buffer), name).toBe(true)
      }
      const records = (await Promise.all([...first.values()].map(read))).flatMap((table) => table.records)
      const { stdout } = await run(['revisions', dump, '--fields', 'id'])
      expect(records.map((record) => (record as { id: number }).id)).toEqual(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id),
      )
      if (!findReaders() || format === 'arrows') return
      const [folderOfParts] = await readTables([join(output, `*.${ending}`)])
      for (const rows of Object.values(folderOfParts?.rows ?? {}))
        expect(rows.map((row) => (row as { id: number }).id)).toEqual(
          records.map((record) => (record as { id: number }).id),
        )
    },
  )

  test('has parts of any document of records, with the shape', async () => {
    const output = pathOf(`each-${format}`)
    const plan = pathOf(`each-${format}.jsonl`)
    const fields = select.slice(3)
    const planned = ['plan', '--each', 'page', dump, ...fields, '--range-size', '2000', '--format', format]
    expect(await run([...planned, '--output', plan])).toMatchObject({ code: 0, stderr: '' })
    for (const line of readFileSync(plan, 'utf8').trim().split('\n').slice(1))
      expect(await run(['read', line, '--output', output])).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['commit', plan, output])).toMatchObject({ code: 0 })
    const tables = await Promise.all([...partsOf(output).values()].map(read))
    expect(tables.length).toBeGreaterThan(2)
    const { names, metadata } = tables[0] as (typeof tables)[number]
    expect(metadata.get('xylem:shape')).toContain('"ids":["revision/id"]')
    expect(tables.flatMap((table) => table.records)).toEqual(parseLines((await run(select)).stdout, names))
  })

  test('is fixed in plans, with versions: who cannot write it refuses', async () => {
    const { stdout } = await run(['plan', dump, '--format', format])
    const [, line = ''] = stdout.split('\n')
    const { codecs = [] } = (await FORMATS[format].module.load()).format
    const range = JSON.parse(line)
    if (codecs.length === 0) return expect(range.encoding).toBeUndefined()
    expect(range.encoding).toBe(`${codecs[0]}, hyparquet-writer ${versionOf('hyparquet-writer')}`)
    // Snappy is there as well where zstd is the usual codec.
    const encodings = [...(await findEncodings(format)).keys()]
    expect(encodings.map((encoding) => encoding.split(', ')[0])).toEqual(codecs)
    const written = await Promise.all(
      encodings.map((encoding) => collectAll(readRange({ ...range, encoding }, { jobs: 1, signal, tell: () => {} }))),
    )
    for (const pieces of written) expect((await read(Buffer.concat(pieces))).records.length).toBeGreaterThan(2)
    const other = collectAll(readRange({ ...range, encoding: 'zstd 9' }, { jobs: 1, signal, tell: () => {} }))
    await expect(other).rejects.toThrow(
      `the plan is for parts in ${format} by zstd 9, but here they are written by ${encodings.join(' or ')}; install`,
    )
    const edited = await run(['read', JSON.stringify({ ...range, encoding: 'zstd 9' })])
    expect(edited).toMatchObject({ code: 2, stderr: expect.stringContaining('the range was edited') })
  })

  test('leaves a file .partial when there is an error in the input', async () => {
    writeFileSync(pathOf('broken.xml'), '<r><p a="1"/><p a="2"/></x>')
    const path = pathOf(`broken.${ending}`)
    const args = ['select', 'p', pathOf('broken.xml'), '--field', '@a', '--quiet', '--output', path]
    expect(await run(args)).toMatchObject({ code: 3 })
    expect(existsSync(path)).toBe(false)
    const kept = existsSync(`${path}.partial`) ? readFileSync(`${path}.partial`) : Buffer.alloc(0)
    // Parquet keeps rows until a group of them is full.
    expect(kept.length).toBeGreaterThan(3)
  })

  test.each(sample(['SIGKILL', 'SIGTERM'] as const, format === 'arrow' ? 1 : 0))(
    'leaves a file .partial when the command is ended by %s',
    async (signal) => {
      const name = `${signal}.${ending}`
      const namesBegin = () => readdirSync(folder).filter((one) => one.startsWith(name))
      const child = start('select', 'p', '--field', '@a', '--quiet', '--output', pathOf(name))
      child.stdin.write(`<r>${'<p a="1"/>'.repeat(70_000)}`)
      while (namesBegin().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      child.kill(signal)
      await new Promise((resolve) => child.once('close', resolve))
      // Killed, it has had no time to give the file its other name.
      expect(namesBegin()).toEqual([
        signal === 'SIGTERM' ? `${name}.partial` : expect.stringMatching(/\.[0-9a-f]{8}\.partial$/),
      ])
    },
  )

  const isTried = process.platform !== 'win32' && (isThorough || format === 'parquet')
  test.runIf(isTried)('leaves a file .partial when there is no more room', async () => {
    const path = pathOf(`large.${ending}`)
    const items = Array.from({ length: 4000 }, () => `<p a="${randomBytes(40).toString('base64')}"/>`)
    writeFileSync(pathOf('large.xml'), `<r>${items.join('')}</r>`)
    const command = [fixturePath('../dist/cli/main.js'), 'select', 'p', pathOf('large.xml'), '--field', '@a', '--quiet']
    // Files may have 64 KiB.
    const limited = ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, ...command, '--output', path]
    const { status, stderr } = spawnSync('bash', limited, { encoding: 'utf8' })
    expect(status).toBe(5)
    expect(stderr).toContain(`cannot write ${path}`)
    expect(existsSync(path)).toBe(false)
    expect(readFileSync(`${path}.partial`).length).toBeGreaterThan(0)
  })

  test.runIf(existsSync('/dev/full'))('fails on a device that is full (skipped without /dev/full)', async () => {
    const { code, stderr } = await run([...select, '--quiet', '--format', format, '--output', '/dev/full'])
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'xylem: cannot write /dev/full: no space left on the device\n',
    })
  })
})

function versionOf(name: string): string {
  return JSON.parse(readFileSync(fixturePath(`../node_modules/${name}/package.json`), 'utf8')).version
}

/** The parts in a folder, by their names. */
function partsOf(path: string): Map<string, Buffer> {
  mkdirSync(path, { recursive: true })
  const names = readdirSync(path).filter((name) => name.startsWith('part-'))
  return new Map(names.sort().map((name) => [name, readFileSync(join(path, name))]))
}
