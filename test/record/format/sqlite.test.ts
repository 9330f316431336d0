// SQLite: Python's sqlite3 finds the values of the records, whichever of the two has written them.

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ColumnBatch } from '../../../source/record/format/column.ts'
import type { FormatField } from '../../../source/record/format/format.ts'
import { FORMATS, USUAL_FORMAT } from '../../../source/record/format/index.ts'
import { openNode, openPackage, sqliteBy } from '../../../source/record/format/sqlite.ts'
import { readXmlInWorker } from '../../../source/worker/index.ts'
import { readXml, type XmlRecord, type XmlShape } from '../../../source/xml/index.ts'
import { planShape, writtenFields } from '../../../source/xml/question/plan.ts'
import { collectAll } from '../../support/collect.ts'
import { run, start } from '../../support/command.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { findSqlite, readDatabase } from '../../support/python.ts'

/** Those that this version of Node has. */
const ENGINES = [
  ['node-sqlite3-wasm', openPackage],
  ...(openNode() ? [['node:sqlite', async () => openNode()] as const] : []),
] as const

const dump = fixturePath('mediawiki/small-dump.xml')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-sqlite-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string): string => join(folder, name)

/** Writes the records of a document. */
async function write(
  load: (typeof ENGINES)[number][1],
  path: string,
  document: string,
  element: string,
  shape: XmlShape,
  options: { readonly table?: string; readonly index?: readonly string[] } = {},
): Promise<void> {
  const format = sqliteBy(load as typeof openPackage)
  const fields = writtenFields(planShape(shape))
  const writer = format.open?.(fields as readonly FormatField[], { ...USUAL_FORMAT, ...options, path })
  await writer?.begin()
  for await (const batch of readXml(document).writtenBatches('sqlite', element, shape))
    await writer?.write(batch as ColumnBatch)
  await writer?.end()
}

/** A value as a cell has it. */
function cellOf(value: unknown, kind: string | undefined): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return BigInt(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number' && kind !== 'number') return BigInt(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

describe.skipIf(!findSqlite())('a database (skipped without Python)', () => {
  test.each(ENGINES)('has all values of the records: %s', async (_, load) => {
    const path = pathOf('products.sqlite')
    rmSync(path, { force: true })
    await write(load, path, products(100), 'p', PRODUCT)
    const { integrity, tables, names, rows } = await readDatabase(path)
    expect({ integrity, tables, names }).toEqual({
      integrity: 'ok',
      tables: ['records'],
      names: Object.keys(PRODUCT),
    })
    const records = (await collectAll(readXml(products(100)).records('p', PRODUCT))) as XmlRecord<typeof PRODUCT>[]
    const kinds = Object.values(PRODUCT).map((field) =>
      typeof field === 'object' && 'as' in field ? field.as : undefined,
    )
    expect(rows).toEqual(
      records.map((record) => names.map((name, i) => cellOf(record[name as keyof typeof record], kinds[i]))),
    )
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test.each(ENGINES)('has whole numbers of 64 bits, dates and texts of all kinds exactly: %s', async (_, load) => {
    const path = pathOf('exact.sqlite')
    rmSync(path, { force: true })
    const shape = {
      n: { path: '@n', as: 'int64' },
      t: '@t',
      d: { path: '@d', as: 'date' },
      all: [{ path: 'n', as: 'int64' }],
      r: { of: 'r', fields: { d: { path: '@d', as: 'date' }, x: '@x' } },
    } as const
    const cases = [
      [-(2n ** 63n), '', '2026-11-24'],
      [2n ** 63n - 1n, 'é木🌳 \'quoted\' "x"', '1969-12-31T23:59:59.999Z'],
      [9007199254740993n, '007', undefined],
      [0n, 'x'.repeat(100_000), '0001-01-01'],
    ] as const
    const quote = (text: string) => text.replaceAll('"', '&quot;')
    const elements = cases.map(
      ([n, t, d]) => `<e n="${n}" t="${quote(t)}"${d ? ` d="${d}"` : ''}><n>${n}</n><n>1</n><r d="2026-11-24"/></e>`,
    )
    await write(load, path, `<x>${elements.join('')}<e/></x>`, 'e', shape)
    const { rows } = await readDatabase(path)
    const record = '{"d":"2026-11-24T00:00:00.000Z"}'
    expect(rows).toEqual([
      ...cases.map(([n, t, d]) => [n, t, d ? new Date(d).toISOString() : null, `[${n},1]`, record]),
      [null, null, null, '[]', null],
    ])
  })

  test.each(ENGINES)('has JSON in lists and records as it is, not as text: %s', async (_, load) => {
    const path = pathOf('nested.sqlite')
    rmSync(path, { force: true })
    const shape = {
      objects: [{ path: 'a', as: 'object' }],
      r: { of: 'a', fields: { rest: { as: 'rest' }, attributes: { path: '.', as: 'attributes' } } },
      own: { path: 'a', as: 'object' },
    } as const
    await write(load, path, '<x><e><a n="1">{"b":2}<c/></a><a>[3]</a></e></x>', 'e', shape)
    const { rows } = await readDatabase(path)
    const own = '{"@n":"1","#text":"{\\"b\\":2}","c":""}'
    expect(rows).toEqual([
      [`[${own},"[3]"]`, `{"rest":[{"name":"c","attributes":[],"children":[]}],"attributes":{"n":"1"}}`, own],
    ])
  })

  test.each(ENGINES)('has a table and indexes of any names: %s', async (_, load) => {
    const path = pathOf('names.sqlite')
    rmSync(path, { force: true })
    const shape = { 'a "b"': '@a', select: '@b', É: '@c', é: '@d' }
    const document = '<r><e a="1" b="2" c="3" d="4"/></r>'
    await write(load, path, document, 'e', shape, { table: 'my "table"', index: ['a "b"', 'select', 'select'] })
    const { tables, names, statements, rows, integrity } = await readDatabase(path)
    expect({ tables, names, rows, integrity }).toEqual({
      tables: ['my "table"'],
      names: ['a "b"', 'select', 'É', 'é'],
      rows: [['1', '2', '3', '4']],
      integrity: 'ok',
    })
    expect(statements.slice(1)).toEqual([
      'CREATE INDEX "my ""table""_a ""b""" ON "my ""table""" ("a ""b""")',
      'CREATE INDEX "my ""table""_select" ON "my ""table""" ("select")',
    ])
  })

  test.each(sample(['pages', 'revisions'], 1))('is what %s writes, on one thread and on two', async (command) => {
    const { stdout } = await run([
      command,
      dump,
      '--format',
      'jsonl',
      '--fields',
      'id,minor'.replace(...fieldsFor(command)),
    ])
    for (const jobs of ['1', '2']) {
      const path = pathOf(`${command}.sqlite`)
      const fields = 'id,minor'.replace(...fieldsFor(command))
      const args = [command, dump, '--fields', fields, '--jobs', jobs, '--index', 'id', '--quiet', '--output', path]
      expect(await run(args)).toMatchObject({ code: 0, stderr: '' })
      const { integrity, tables, names, rows, statements } = await readDatabase(path)
      expect({ integrity, tables, names, indexes: statements.length - 1 }).toEqual({
        integrity: 'ok',
        tables: [command],
        names: fields.split(','),
        indexes: 1,
      })
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(rows).toEqual(lines.map((line) => names.map((name) => cellOf(line[name], undefined))))
    }
  })

  test.runIf(isThorough)('is what select and parse write', async () => {
    const path = pathOf('of a-select.sqlite3')
    const select = ['select', 'page', dump, '--field', 'id:integer=id', '--field', 'ids[]=revision/id', '--quiet']
    expect(await run([...select, '--output', path])).toMatchObject({ code: 0, stderr: '' })
    expect(await readDatabase(path)).toMatchObject({ tables: ['of a-select'], names: ['id', 'ids'] })
    const input = fixturePath('grammar/access/lines.input.log')
    const parse = ['parse', '--grammar', '@combined', input, '--fields', 'host,status,bytes', '--quiet']
    expect(await run([...parse, '--output', path, '--table', 'log'])).toMatchObject({ code: 0, stderr: '' })
    const { tables, rows, integrity } = await readDatabase(path)
    expect({ tables, integrity }).toEqual({ tables: ['log'], integrity: 'ok' })
    const { stdout } = await run(parse)
    expect(rows).toHaveLength(stdout.trim().split('\n').length)
  })

  test('takes the place of what stood under its name, and of what a link leads to', async () => {
    const path = pathOf('old.sqlite')
    const select = ['select', 'page', dump, '--field', 'id', '--quiet', '--output']
    writeFileSync(path, 'not a database')
    symlinkSync(path, pathOf('link.sqlite'))
    for (const name of ['old.sqlite', 'old.sqlite', 'link.sqlite'])
      expect(await run([...select, pathOf(name)])).toMatchObject({ code: 0, stderr: '' })
    const { integrity, tables, rows } = await readDatabase(path)
    expect({ integrity, tables }).toEqual({ integrity: 'ok', tables: ['link'] })
    expect(rows).toHaveLength((await run(select.slice(0, -2))).stdout.trim().split('\n').length)
    expect(
      readdirSync(folder)
        .filter((name) => /^(old|link)/.test(name))
        .sort(),
    ).toEqual(['link.sqlite', 'old.sqlite'])
  })

  test.runIf(isThorough)('that is not complete is kept as .partial, and is sound', async () => {
    const path = pathOf('broken.sqlite')
    writeFileSync(pathOf('broken.xml'), `<r>${'<p a="1"/>'.repeat(70_000)}</x>`)
    const args = ['select', 'p', pathOf('broken.xml'), '--field', '@a', '--quiet', '--output', path]
    const { code, stderr } = await run(args)
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining(`kept in ${path}.partial`) })
    expect(existsSync(path)).toBe(false)
    const { integrity, rows } = await readDatabase(`${path}.partial`)
    expect({ integrity, rows: rows.length }).toEqual({ integrity: 'ok', rows: 70_000 })
  })

  test.runIf(isThorough).each(['SIGKILL', 'SIGTERM'] as const)(
    'is written by the next run after %s',
    async (signal) => {
      const own = mkdtempSync(join(folder, 'ended-'))
      const path = join(own, 'ended.sqlite')
      const select = ['select', 'p', '--field', '@a', '--quiet', '--output', path]
      const child = start(...select)
      child.stdin.on('error', () => {})
      child.stdin.write(`<r>${'<p a="1"/>'.repeat(300_000)}`)
      const partials = () => readdirSync(own).filter((name) => name.endsWith('.partial'))
      while (!partials().some((name) => statSync(join(own, name)).size > 100_000))
        await new Promise((resolve) => setTimeout(resolve, 10))
      child.kill(signal)
      await new Promise((resolve) => child.once('close', resolve))
      expect(existsSync(path)).toBe(false)
      // Neither a lock nor a journal stays.
      expect(readdirSync(own)).toEqual(partials())
      expect(partials()).toHaveLength(1)
      expect(await run(select, '<r><p a="2"/></r>')).toMatchObject({ code: 0, stderr: '' })
      expect(await readDatabase(path)).toMatchObject({ integrity: 'ok', rows: [['2']] })
      expect(readdirSync(own)).toHaveLength(2)
    },
  )
})

/** What is replaced in fields, since those of pages have other names. */
function fieldsFor(command: string): [RegExp, string] {
  return command === 'pages'
    ? [/minor/, 'ns,title,redirect,revision.id,revision.minor']
    : [/minor/, 'comment,minor,bytes']
}

describe('a database is refused', () => {
  const select = ['select', 'page', dump, '--field', 'id']
  const db = () => pathOf('refused.sqlite')
  const noFields = () => {
    writeFileSync(pathOf('none.json'), '{}')
    return pathOf('none.json')
  }

  test.each<[name: string, args: () => readonly string[], message: string]>([
    ['on standard output', () => [...select, '--format', 'sqlite'], 'SQLite is written into a file: use --output'],
    [
      'under the name of a compressed file',
      () => [...select, '--output', pathOf('x.sqlite.gz')],
      'cannot be written as .gz',
    ],
    [
      'as a device',
      () => [...select, '--format', 'sqlite', '--output', '/dev/null'],
      'is written into a file, which /dev/null is not',
    ],
    [
      'in parts',
      () => ['pages', dump, '--resume', '--format', 'sqlite', '--output', pathOf('parts')],
      'ranges cannot be written as sqlite, which is one file',
    ],
    ['in plans', () => ['plan', dump, '--format', 'sqlite'], 'ranges cannot be written as sqlite, which is one file'],
    [
      'without fields',
      () => ['select', 'page', dump, '--shape', noFields(), '--output', db()],
      'none.json: the shape has no fields',
    ],
    [
      'with names that differ in their case alone',
      () => [...select, '--field', 'ID=title', '--output', db()],
      'the columns id and ID have the same name for SQLite',
    ],
    [
      'with an index of no column',
      () => [...select, '--index', 'ids', '--output', db()],
      'no column is named ids; an index can be of id',
    ],
    [
      'with a reserved name of its table',
      () => [...select, '--table', 'sqlite_x', '--output', db()],
      'a table cannot be named "sqlite_x"',
    ],
    [
      'a name that makes the name of an index a reserved one',
      () => [...select, '--table', 'SQLite', '--index', 'id', '--output', db()],
      'a table cannot be named "SQLite"',
    ],
    [
      'in another format with --table',
      () => [...select, '--table', 'x'],
      '--table applies to databases only; use it with --format sqlite',
    ],
    [
      'in another format with --index',
      () => [...select, '--index', 'id', '--format', 'csv'],
      '--index applies to databases only',
    ],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await run([...args()])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(readdirSync(folder).filter((name) => name.startsWith('refused'))).toEqual([])
  })

  test('as its own input', async () => {
    const path = pathOf('input.sqlite')
    writeFileSync(path, '<r><p a="1"/></r>')
    const args = ['select', 'p', path, '--field', '@a', '--output', path]
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('would overwrite the input') })
    expect(readFileSync(path, 'utf8')).toBe('<r><p a="1"/></r>')
  })

  test('in a folder that there is not', async () => {
    const { code, stderr } = await run([...select, '--output', pathOf('none/x.sqlite')])
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('there is no such folder') })
  })

  test('in programs, and in workers', async () => {
    expect(FORMATS.sqlite.place).toBe('file')
    const error = { code: 'invalid-option', message: expect.stringContaining('is written into a file') }
    // The first one loads the format.
    for (let count = 0; count < 2; count++)
      await expect(collectAll(readXml('<r/>').write('sqlite', 'p', { a: '@a' }))).rejects.toMatchObject(error)
    const worker = readXmlInWorker('<r/>').write('sqlite', 'p', { a: '@a' })
    await expect(collectAll(worker as unknown as AsyncIterable<unknown>)).rejects.toMatchObject(error)
  })
})
