// What every format of the table can rely on, shown with formats that only tests have.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { type FormatName, readXml } from '../../../source/xml/index.ts'
import { collect, collectAll } from '../../support/collect.ts'
import { run } from '../../support/command.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { webStream } from '../../support/sources.ts'
import { binary, failing, ownFile, readBinary, withFormat } from '../../support/test-formats.ts'
import { piecesOf } from '../../support/xml.ts'

const BIN = 'bin' as FormatName
const dump = fixturePath('mediawiki/small-dump.xml')
/** Without the library's own modules of the build: the table of the source is the one that tests change. */
const source = () => import('../../../source/cli/main.ts')
const runSource = (...args: string[]) => run([...args], '', source)

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-formats-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const pathOf = (name: string): string => join(folder, name)
const plain = (records: readonly unknown[]): unknown => JSON.parse(JSON.stringify(records))

describe('a format of columns with a footer', () => {
  const document = Buffer.from(products(60))

  test('has the records of the library, however the input is cut', async () => {
    const expected = plain(await collectAll(readXml(document).records('p', PRODUCT)))
    await withFormat('bin', binary, async () => {
      for (const size of sample([700, document.length, 1, 17], 2)) {
        for (const engine of ['wasm', 'plain'] as const) {
          const bytes = Buffer.concat(
            await collectAll(readXml(piecesOf(document, size), { engine }).write(BIN, 'p', PRODUCT)),
          )
          expect(readBinary(bytes)).toEqual({ names: Object.keys(PRODUCT), records: expected })
        }
      }
      const stream = webStream([document]).pipeThrough(
        makeTransform((source) => readXml(source).write(BIN, 'p', PRODUCT), { type: 'bytes' }),
      )
      expect(readBinary(Buffer.concat(await collectAll(stream))).records).toEqual(expected)
    })
  })

  test('is complete without records, and has no footer after an error', async () => {
    await withFormat('bin', binary, async () => {
      const empty = await collectAll(readXml('<r/>').write(BIN, 'p', { a: '@a' }))
      expect(readBinary(Buffer.concat(empty))).toEqual({ names: ['a'], records: [] })
      const pieces: Uint8Array[] = []
      const failed = readXml('<r><p a="1"/><p a="2"/></x>').write(BIN, 'p', { a: '@a' })
      await expect(
        (async () => {
          for await (const bytes of failed) pieces.push(bytes)
        })(),
      ).rejects.toMatchObject({ code: 'tag-mismatch' })
      const text = Buffer.concat(pieces).toString('latin1')
      expect(text).toContain('"a":"2"')
      expect(text).not.toContain('places')
    })
  })

  test.runIf(isThorough)('is written by all commands for records, by its option or the name of the file', async () => {
    const [{ stdout: lines }, { stdout: ids }] = [
      await run(['pages', dump, '--fields', 'id,title,revision.contributor,revision.minor']),
      await run(['select', 'page', dump, '--field', 'id', '--field', 'tags[]=revision/id', '--limit', '3']),
    ]
    const parse = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    await withFormat('bin', binary, async () => {
      const pages = ['pages', dump, '--fields', 'id,title,revision.contributor,revision.minor', '--quiet']
      expect(await runSource(...pages, '--output', pathOf('pages.bin'))).toMatchObject({ code: 0, stderr: '' })
      expect(await runSource(...pages, '--format', 'bin', '--jobs', '1', '--output', pathOf('x'))).toMatchObject({
        code: 0,
      })
      const { names, records } = readBinary(readFileSync(pathOf('pages.bin')))
      expect(names).toEqual(['id', 'title', 'revision.contributor', 'revision.minor'])
      expect(readBinary(readFileSync(pathOf('x')))).toEqual({ names, records })
      expect(records).toEqual(parse(lines))
      const select = [
        'select',
        'page',
        dump,
        '--field',
        'id',
        '--field',
        'tags[]=revision/id',
        '--limit',
        '3',
        '--quiet',
      ]
      expect(await runSource(...select, '--output', pathOf('select.bin'))).toMatchObject({ code: 0, stderr: '' })
      expect(readBinary(readFileSync(pathOf('select.bin'))).records).toEqual(parse(ids))
      // Two inputs are one output.
      const twice = ['select', 'page', dump, dump, '--field', 'id', '--quiet', '--output', pathOf('twice.bin')]
      expect(await runSource(...twice)).toMatchObject({ code: 0 })
      const { records: both } = readBinary(readFileSync(pathOf('twice.bin')))
      expect(both.slice(both.length / 2)).toEqual(both.slice(0, both.length / 2))
    })
  })

  test('writes parts that are complete files', async () => {
    await withFormat('bin', binary, async () => {
      const parts = ['revisions', dump, '--resume', '--range-size', '2000', '--format', 'bin', '--jobs', '1', '--quiet']
      expect(await runSource(...parts, '--output', pathOf('parts'))).toMatchObject({ code: 0, stderr: '' })
      const names = readdirSync(pathOf('parts'))
        .filter((name) => name.startsWith('part-'))
        .sort()
      expect(names.length).toBeGreaterThan(2)
      const records = names.flatMap((name) => readBinary(readFileSync(join(pathOf('parts'), name))).records)
      const { stdout } = await run(['revisions', dump, '--fields', 'id'])
      expect(records.map((record) => (record as { id: number }).id)).toEqual(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id),
      )
      const { records: total } = JSON.parse(readFileSync(join(pathOf('parts'), '_SUCCESS'), 'utf8'))
      expect(total).toBe(records.length)
    })
  })
})

describe('a format that writes its file by itself', () => {
  test('gets the path of the output, and ends it', async () => {
    const log: string[] = []
    await withFormat('own', ownFile(log), async () => {
      const path = pathOf('pages.own')
      expect(await runSource('pages', dump, '--quiet', '--output', path)).toMatchObject({ code: 0, stderr: '' })
      const { stdout } = await run(['pages', dump])
      expect(readFileSync(path, 'utf8')).toBe(`${stdout.trim().split('\n').length} records\n`)
      expect(log).toEqual(['begin', 'end'])
    })
  })

  test('learns that the output is not completed', async () => {
    const log: string[] = []
    await withFormat('own', ownFile(log), async () => {
      const path = pathOf('broken.own')
      const whole = readFileSync(dump)
      writeFileSync(pathOf('broken.xml'), whole.subarray(0, 0.8 * whole.length))
      expect(await runSource('pages', pathOf('broken.xml'), '--quiet', '--output', path)).toMatchObject({ code: 3 })
      expect(log).toEqual(['begin', 'abandon'])
      expect(existsSync(path)).toBe(false)
    })
  })

  test.each(['begin', 'write', 'end', 'abandon'] as const)(
    'may fail in %s, and what was opened is closed',
    async (place) => {
      const log: string[] = []
      await withFormat('own', failing(place, ownFile(log)), async () => {
        const path = pathOf(`${place}.own`)
        writeFileSync(pathOf('cut.xml'), readFileSync(dump).subarray(0, 5000))
        const { code, stderr } = await runSource(
          'pages',
          place === 'abandon' ? pathOf('cut.xml') : dump,
          '--quiet',
          '--output',
          path,
        )
        expect({ code, stderr }).toMatchObject({ code: place === 'abandon' ? 3 : 70 })
        if (place !== 'abandon') expect(stderr).toContain(`${place} fails`)
        expect(log.at(-1)).toBe('abandon')
        expect(existsSync(path)).toBe(false)
        const write = readXml(readFileSync(dump)).write('own' as FormatName, 'page', { id: 'id' })
        if (place !== 'abandon') await expect(collectAll(write)).rejects.toThrow(`${place} fails`)
      })
    },
  )

  test('is refused on standard output, and for parts', async () => {
    await withFormat('own', ownFile([]), async () => {
      expect(await runSource('pages', dump, '--format', 'own')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('OWN is written into a file: use --output'),
      })
      expect(
        await runSource('pages', dump, '--format', 'own', '--resume', '--output', pathOf('no-parts')),
      ).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('ranges cannot be written as own, which is one file'),
      })
    })
  })
})

test('a limit ends a reading as columns, as it does one as lines', async () => {
  const errorAfter = '<r><p a="1"/><p a="2"/></x>'
  writeFileSync(pathOf('error.xml'), errorAfter)
  await withFormat('bin', binary, async () => {
    for (const format of ['jsonl', 'bin']) {
      const args = ['select', 'p', pathOf('error.xml'), '--field', '@a', '--limit', '1', '--format', format]
      expect(await runSource(...args, '--output', pathOf('limited'), '--quiet')).toMatchObject({ code: 0, stderr: '' })
    }
    expect(readBinary(readFileSync(pathOf('limited'))).records).toEqual([{ '@a': '1' }])
  })
})

test('a format that is taken out of the table is unknown everywhere, and back in everything', async () => {
  const select = ['select', 'page', dump, '--field', 'id', '--limit', '1']
  await withFormat('tsv', undefined, async () => {
    expect(() => readXml('<r/>').write('tsv', 'r', { a: '@a' })).toThrow('unknown format tsv')
    expect(() => makeTransform((source) => readXml(source).write('tsv', 'r', { a: '@a' }), { type: 'bytes' })).toThrow(
      'unknown format tsv',
    )
    for (const command of [['pages', dump], ['revisions', dump], select, ['plan', dump]]) {
      const { code, stderr } = await runSource(...command, '--format', 'tsv')
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/It must be jsonl(, \w+)* or \w+\./),
      })
    }
    await runSource(...select, '--output', pathOf('x.tsv'))
    expect(readFileSync(pathOf('x.tsv'), 'utf8')).toBe('{"id":"1"}\n')
  })
  expect((await runSource(...select, '--format', 'tsv')).stdout).toBe('id\n1\n')
  await runSource(...select, '--output', pathOf('x.tsv'))
  expect(readFileSync(pathOf('x.tsv'), 'utf8')).toBe('id\n1\n')
})

describe('an option of a format', () => {
  test('is refused where it is one of another format, or is not valid, before anything is read', () => {
    for (const [format, option, message] of [
      ['jsonl', { safe: true }, 'safe applies to tables only, not to jsonl; use it with csv or tsv'],
      ['csv', { elements: 'a/b' }, 'elements applies to XML only, not to csv; use it with xml'],
      ['tsv', { index: ['a'] }, 'index applies to databases only, not to tsv; use it with sqlite'],
      ['csv', { bom: 1 }, 'bom must be true or false, not 1'],
      ['xml', { elements: 'a' }, 'elements must be two or three names of XML with "/" between them, not "a"'],
    ] as const) {
      const write = () => readXml('<r/>').write(format, 'p', { a: '@a' }, option as object)
      expect(write, message).toThrow(expect.objectContaining({ code: 'invalid-option', message }))
    }
  })

  test('may be left out, undefined or false for any format, and has its effect in its own', async () => {
    const write = (format: FormatName, options: object) =>
      collect(readXml('<r><p a="1"/></r>').write(format, 'p', { a: '@a' }, options))
    expect(Buffer.from(await write('jsonl', { safe: false, bom: undefined })).toString()).toBe('{"a":"1"}\n')
    expect(Buffer.from(await write('csv', { bom: true })).toString()).toBe('\ufeffa\r\n1\r\n')
  })
})
