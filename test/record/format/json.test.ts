// One array of JSON, wherever records are written.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { readXmlInWorker } from '../../../source/worker/index.ts'
import { readXml } from '../../../source/xml/index.ts'
import { collectAll, everyCut, inPieces } from '../../support/collect.ts'
import { run } from '../../support/command.ts'
import { isThorough } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { webStream } from '../../support/sources.ts'
import { collect } from '../../support/streams.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const encode = (text: string) => new TextEncoder().encode(text)
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const textOf = async (bytes: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>) =>
  Buffer.concat(await collect(bytes)).toString()

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-json-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string): string => join(folder, name)

describe('an array of records', () => {
  test('is that of the records as objects, however the input is cut', async () => {
    const bytes = encode(products(30))
    const expected = plain(await collectAll(readXml(bytes).records('p', PRODUCT)))
    for (const engine of ['wasm', 'plain'] as const) {
      for (const size of [1, 100, bytes.length]) {
        const text = await textOf(readXml(inPieces(bytes, size), { engine }).write('json', 'p', PRODUCT))
        expect(JSON.parse(text)).toEqual(expected)
      }
    }
    for (const pieces of everyCut(encode('<r><p a="1"/><p a="&#10;]"/><p/></r>'))) {
      const text = await textOf(readXml(pieces).write('json', 'p', { a: '@a' }, { absent: 'null' }))
      expect(text).toBe('[{"a":"1"},\n{"a":"\\n]"},\n{"a":null}]\n')
    }
  })

  test('comes from pipes and workers too, and is empty without records', async () => {
    const document = encode('<r><p a="1"/><p a="2"/></r>')
    const expected = '[{"a":"1"},\n{"a":"2"}]\n'
    expect(
      await textOf(
        webStream([document]).pipeThrough(
          makeTransform((source) => readXml(source).write('json', 'p', { a: '@a' }), { type: 'bytes' }),
        ),
      ),
    ).toBe(expected)
    expect(await textOf(readXmlInWorker(document).write('json', 'p', { a: '@a' }))).toBe(expected)
    expect(await textOf(readXml('<r/>').write('json', 'p', { a: '@a' }))).toBe('[]\n')
  })

  test('is not ended after an error', async () => {
    const pieces: Uint8Array[] = []
    await expect(
      (async () => {
        for await (const bytes of readXml('<r><p a="1"/></x>').write('json', 'p', { a: '@a' })) pieces.push(bytes)
      })(),
    ).rejects.toMatchObject({ code: 'tag-mismatch' })
    expect(Buffer.concat(pieces).toString()).toBe('[{"a":"1"}')
  })
})

describe('commands write an array', () => {
  const objectsOf = async (...args: string[]): Promise<unknown[]> => {
    const { stdout } = await run(args)
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
  }

  test.each([
    ['pages', ['pages', dump]],
    ['pages with fields', ['pages', dump, '--fields', 'id,title']],
    ['no pages', ['pages', dump, '--ids', '99999', '--allow-empty', '--no-warnings']],
    ['revisions of two dumps on two threads', ['revisions', dump, dump, '--jobs', '2']],
    [
      'fields of elements',
      ['select', 'page', dump, '--field', 'id', '--field', 'x=nothing', '--allow-empty', '--no-warnings'],
    ],
    ['elements of two documents', ['select', 'page', dump, dump, '--limit', '13']],
    [
      'nodes',
      [
        'parse',
        '-g',
        fixturePath('grammar/json/json.bnf'),
        '--emit',
        'string',
        fixturePath('mediawiki/small-dump.jsonl'),
        '--partial',
      ],
    ],
  ])('of %s', async (name, args) => {
    const expected = await objectsOf(...args)
    const path = pathOf(`${name}.json`)
    expect(await run([...args, '--quiet', '--output', path])).toMatchObject({ code: 0, stderr: '' })
    const text = readFileSync(path, 'utf8')
    expect(JSON.parse(text)).toEqual(expected)
    expect((await run([...args, '--format', 'json'])).stdout).toBe(text)
  })

  test.runIf(isThorough)('in each part of a plan, which counts its records', async () => {
    const expected = await objectsOf('pages', dump)
    const args = ['pages', dump, '--resume', '--range-size', '2000', '--format', 'json', '--quiet', '--jobs', '2']
    expect(await run([...args, '--output', pathOf('parts')])).toMatchObject({ code: 0, stderr: '' })
    const names = readdirSync(pathOf('parts')).filter((name) => name.startsWith('part-'))
    expect(names.length).toBeGreaterThan(2)
    expect(names.every((name) => name.endsWith('.json'))).toBe(true)
    const parts = names.sort().map((name) => JSON.parse(readFileSync(join(pathOf('parts'), name), 'utf8')) as unknown[])
    expect(parts.flat()).toEqual(expected)
    expect(JSON.parse(readFileSync(join(pathOf('parts'), '_SUCCESS'), 'utf8'))).toMatchObject({
      records: expected.length,
    })
    // A part that was changed is read again.
    const [first = ''] = names
    const path = join(pathOf('parts'), first)
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, before.replace('[', ' '))
    expect(await run([...args, '--output', pathOf('parts')])).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  test('from plan, read and commit', async () => {
    const { stdout } = await run(['plan', dump, '--format', 'json', '--range-size', '2000'])
    writeFileSync(pathOf('plan.jsonl'), stdout)
    const [, ...ranges] = stdout.trim().split('\n')
    for (const range of ranges) {
      const printed = (await run(['read', range])).stdout
      const [array = '', trailer = ''] = printed.split(/(?=\{"trailer":)/)
      const { records } = JSON.parse(trailer).trailer
      expect(JSON.parse(array)).toHaveLength(records)
      expect(await run(['read', range, '--output', pathOf('read')])).toMatchObject({ code: 0 })
    }
    const { code, stdout: totals } = await run(['commit', pathOf('plan.jsonl'), pathOf('read')])
    expect(code).toBe(0)
    expect(JSON.parse(totals)).toMatchObject({ parts: ranges.length, records: (await objectsOf('pages', dump)).length })
  })
})
