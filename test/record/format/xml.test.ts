// Records as one document of XML, wherever they are written.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import { USUAL_FORMAT } from '../../../source/record/format/index.ts'
import { format } from '../../../source/record/format/xml.ts'
import type { RecordValues } from '../../../source/record/value.ts'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import { encodeName } from '../../../source/text/markup/xml-names.ts'
import { readXmlInWorker } from '../../../source/worker/index.ts'
import { parseXml, readXml, type WriteOptions, type XmlShape } from '../../../source/xml/index.ts'
import { collectAll, everyCut, inPieces } from '../../support/collect.ts'
import { run } from '../../support/command.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { anyText, parameters } from '../../support/property.ts'
import { webStream } from '../../support/sources.ts'
import { collect } from '../../support/streams.ts'
import { isInstalled } from '../../support/xml-commands.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const encode = (text: string) => new TextEncoder().encode(text)
const textOf = async (bytes: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>) =>
  Buffer.concat(await collect(bytes)).toString()
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

/** The name that `encodeName` has made a name of XML. */
function decodeName(encoded: string): string {
  if (encoded === '_x_') return ''
  return encoded.replace(/_x([0-9A-Fa-f]{4}|[0-9A-Fa-f]{6})_/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  )
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-xml-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string): string => join(folder, name)

/** Some records as a document. */
function write(records: readonly RecordValues[], options: Pick<WriteOptions, 'absent' | 'elements'> = {}): string {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const fields = names.map((name) => ({ name, kind: 'string', isList: false, record: undefined }))
  const written = { ...USUAL_FORMAT, ...options }
  const collector = format.collect(fields, written)
  const unwritten = { hasLine: false, putLine: () => {}, readLine: () => {} }
  for (const record of records) collector.add({ ...unwritten, complete: () => record })
  const writer = format.open(fields, written)
  const bytes = [writer.begin(), ...collector.take([]).map(({ batch }) => writer.write(batch)), writer.end()]
  return Buffer.concat(bytes.flat() as Uint8Array[]).toString()
}

/** The one record of a document, without what is around it. */
const one = (record: RecordValues, options?: Pick<WriteOptions, 'absent' | 'elements'>): string =>
  write([record], options).split('\n')[2] as string

describe('a document of records', () => {
  const shape = { a: '@a', b: ['b'] } as const

  test('has an element for each on a line, whatever is cut, and none without records', async () => {
    const expected = `${DECLARATION}<records>\n<record><a>1&amp;</a><b>x</b><b/></record>\n<record/>\n</records>\n`
    const document = encode('<r><p a="1&amp;"><b>x</b><b/></p><p/></r>')
    for (const pieces of everyCut(document)) {
      for (const engine of ['wasm', 'plain'] as const)
        expect(await textOf(readXml(pieces, { engine }).write('xml', 'p', shape))).toBe(expected)
    }
    expect(
      await textOf(
        webStream([document]).pipeThrough(
          makeTransform((source) => readXml(source).write('xml', 'p', shape), { type: 'bytes' }),
        ),
      ),
    ).toBe(expected)
    expect(await textOf(readXmlInWorker(document).write('xml', 'p', shape))).toBe(expected)
    expect(await textOf(readXml('<r/>').write('xml', 'p', shape))).toBe(`${DECLARATION}<records>\n</records>\n`)
  })

  test('is not ended after an error', async () => {
    const pieces: Uint8Array[] = []
    await expect(
      (async () => {
        for await (const bytes of readXml('<r><p a="1"/></x>').write('xml', 'p', shape)) pieces.push(bytes)
      })(),
    ).rejects.toMatchObject({ code: 'tag-mismatch' })
    expect(Buffer.concat(pieces).toString()).toBe(`${DECLARATION}<records>\n<record><a>1</a></record>\n`)
  })

  test('has the names of elements that are asked for', async () => {
    const options = { elements: 'products/product' }
    const text = await textOf(readXml('<r><p a="1"/></r>').write('xml', 'p', { a: '@a' }, options))
    expect(text).toBe(`${DECLARATION}<products>\n<product><a>1</a></product>\n</products>\n`)
    for (const elements of ['a', 'a/b/c/d', 'a/', 'a:b/c', '1/2', 'a/b/']) {
      const failed = async () => await textOf(readXml('<r/>').write('xml', 'p', { a: '@a' }, { elements }))
      await expect(failed()).rejects.toMatchObject({ name: 'RangeError', code: 'invalid-option' })
    }
    expect(() => readXml('<r/>').write('xml', 'p', { a: '@a' }, { elements: 1 as never })).toThrow('must be a string')
  })
})

describe('a record', () => {
  test('repeats the element of a list, or has its items in one element', () => {
    const record = { tags: ['a', 'b'], none: [], lists: [['a'], [], ['b', 'c']] }
    expect(one(record)).toBe(
      '<record><tags>a</tags><tags>b</tags><lists><item>a</item></lists><lists/><lists><item>b</item><item>c</item></lists></record>',
    )
    expect(one(record, { elements: 'r/x/i' })).toBe(
      '<x><tags><i>a</i><i>b</i></tags><none/><lists><i><i>a</i></i><i/><i><i>b</i><i>c</i></i></lists></x>',
    )
  })

  test('has no element for what is absent, or one that says so', () => {
    const record = { a: undefined, '@b': undefined, c: ['x', undefined], d: { e: undefined } }
    expect(one(record)).toBe('<record><c>x</c><c/><d/></record>')
    const text = write([record], { absent: 'null' })
    const nil = ' xsi:nil="true"/>'
    expect(text).toContain(`<records ${XSI}>\n`)
    expect(text).toContain(`<record><a${nil}<c>x</c><c${nil}<d><e${nil}</d></record>`)
    expect(parseXml(text).root.childElements).toHaveLength(1)
  })

  test('has values as XML Schema and ISO 8601 write them', () => {
    const record = { a: true, b: 1.5, c: 2n ** 63n - 1n, d: new Date(0), e: 1e21, f: '' }
    expect(one(record)).toBe(
      '<record><a>true</a><b>1.5</b><c>9223372036854775807</c><d>1970-01-01T00:00:00.000Z</d><e>1e+21</e><f/></record>',
    )
  })

  test('has attributes for fields that begin with @ and are neither lists nor records', () => {
    const record = { a: '1', '@id': 7, '@x y': '"<\t\n', '@list': ['1'], in: { '@id': 8, b: 'c' } }
    expect(one(record)).toBe(
      '<record id="7" x_x0020_y="&quot;&lt;&#9;&#10;"><a>1</a><_x0040_list>1</_x0040_list><in id="8"><b>c</b></in></record>',
    )
  })

  test('keeps texts as they are: markup, blanks, line ends', () => {
    expect(one({ a: '<&>\r\n]]>' })).toBe('<record><a>&lt;&amp;&gt;&#13;')
    const text = ' <b>&amp;\r\n\t]]> '
    expect(parseXml(write([{ a: text }])).root.text.trim()).toBe(text.trim())
    expect(parseXml(write([{ a: text }])).root.childElements[0]?.childElements[0]?.text).toBe(text)
  })

  test('may be of any depth', () => {
    let value: RecordValues = { end: 'x' }
    for (let i = 0; i < 100_000; i++) value = { a: i % 2 === 0 ? [value] : value }
    const text = write([value])
    expect(text.match(/<a>/g)).toHaveLength(100_000)
    expect(text.match(/<\/a>/g)).toHaveLength(100_000)
  })

  test('that is in itself is an error with its place', () => {
    const record: Record<string, unknown> = { b: '1' }
    record.rest = [1, { record }]
    expect(() => one(record as RecordValues)).toThrow(new TypeError('the value at rest.record.rest is in itself'))
    const twice = [{ x: '1' }]
    expect(one({ a: twice, b: [twice, twice] } as RecordValues)).toContain('<b><item><x>1</x></item></b>')
  })

  test('with a character that XML does not have is an error with its record and field', async () => {
    const wrong = { a: 'x', b: [{ c: '1' }, { c: 'x\0' }] }
    expect(() => write([{ a: '1' }, wrong])).toThrow(
      'record 2 has U+0000 in the field b.c, a character that XML does not have',
    )
    expect(() => write([{ '@a': '\ud800' }])).toThrow('record 1 has U+D800 in the field @a')
    expect(() => write([{ a: '\uffff' }])).toThrow(expect.objectContaining({ code: 'xml-character' }))
    const grammar = Grammar.from('program ::= line* ;\nline ::= text:word "\\n" ;\nword ::= [^\\n]* ;')
    const lines = grammar.lines('a\n\u0001\n', { emit: ['line'], format: 'xml' })
    await expect(textOf(lines)).rejects.toMatchObject({ code: 'xml-character' })
  })
})

describe('a name', () => {
  const NAMES = [
    ['a b', 'a_x0020_b'],
    ['1', '_x0031_'],
    ['a:b', 'a_x003A_b'],
    ['xml-lang', '_x0078_ml-lang'],
    ['XMLs', '_x0058_MLs'],
    ['_x0020_', '_x005F_x0020_'],
    ['-', '_x002D_'],
    ['a-ü', 'a-ü'],
    ['\u{f0000}', '_x0F0000_'],
    ['__proto__', '__proto__'],
    ['', '_x_'],
  ] as const

  test.each(NAMES)('%j is %j in XML', (name, encoded) => {
    expect(encodeName(name)).toBe(encoded)
    expect(decodeName(encoded)).toBe(name)
    expect(parseXml(`<${encoded}/>`).root.name).toBe(encoded)
  })

  test('comes back from XML, whatever it is', () => {
    const names = fc.oneof(anyText(), fc.stringMatching(/^[_x0-9A-Fml:]*$/))
    fc.assert(
      fc.property(names, (name) => {
        const encoded = encodeName(name)
        expect(decodeName(encoded)).toBe(name)
        expect(parseXml(`<${encoded}/>`).root.localName).toBe(encoded)
      }),
      parameters(1000, 60),
    )
  })
})

describe('records that were written', () => {
  const texts = anyText().map((text) => text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, ''))
  const scalar = {
    s: texts,
    i: fc.maxSafeInteger(),
    n: fc.double({ noNaN: true, noDefaultInfinity: true }),
    b: fc.boolean(),
  }
  const values = fc.record(
    {
      ...scalar,
      l: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      d: fc.date({ noInvalidDate: true }),
      '@a': texts,
      'a b': texts,
      'x:y': fc.array(texts),
      in: fc.record(scalar),
      list: fc.array(fc.record(scalar)),
    },
    { requiredKeys: ['in', 'x:y', 'list'] },
  )
  const inner = (item: string): XmlShape => ({
    s: `${item}s`,
    i: { path: `${item}i`, as: 'integer' },
    n: { path: `${item}n`, as: 'number' },
    b: { path: `${item}b`, as: 'boolean' },
  })
  const shapeOf = (item: '' | '/item'): XmlShape => ({
    ...inner(''),
    l: { path: 'l', as: 'int64' },
    d: { path: 'd', as: 'date' },
    '@a': '@a',
    'a b': 'a_x0020_b',
    'x:y': [`x_x003A_y${item}`],
    in: { of: 'in', fields: inner('') },
    list: [{ of: `list${item}`, fields: inner('') }],
  })

  test('are the same when they are read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(values as fc.Arbitrary<RecordValues>), fc.boolean(), async (records, hasItems) => {
        const text = write(records, hasItems ? { elements: 'records/record/item' } : {})
        const read = await collectAll(readXml(text).records('record', shapeOf(hasItems ? '/item' : '')))
        const plain = (all: readonly unknown[]) =>
          all.map((record) =>
            JSON.parse(JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))),
          )
        expect(plain(read)).toEqual(plain(records))
      }),
      parameters(1000, 50),
    )
  })

  test('are those of the library, whatever the engine', async () => {
    const bytes = encode(products(30))
    for (const size of [100, bytes.length]) {
      const text = await textOf(readXml(inPieces(bytes, size)).write('xml', 'p', PRODUCT))
      const records = await collectAll(readXml(bytes).records('p', PRODUCT))
      expect(text.match(/^<record[ >/]/gm)).toHaveLength(records.length)
      if (isInstalled('xmllint')) execFileSync('xmllint', ['--noout', '-'], { input: text })
    }
  })
})

describe('commands write a document', () => {
  const linesOf = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await run(args)
    return stdout.split('\n').filter((line) => line !== '')
  }
  const recordsIn = (text: string) => parseXml(text).root.childElements

  test.each([
    ['pages', ['pages', dump]],
    ['pages with fields', ['pages', dump, '--fields', 'id,title,revision.text']],
    ['no pages', ['pages', dump, '--ids', '99999', '--allow-empty', '--no-warnings']],
    ['revisions of two dumps on two threads', ['revisions', dump, dump, '--jobs', '2']],
    [
      'fields of elements',
      ['select', 'page', dump, '--field', 'id', '--field', '@x', '--allow-empty', '--no-warnings'],
    ],
  ])('of %s', async (name, args) => {
    const expected = await linesOf(...args)
    const path = pathOf(`${name}.xml`)
    expect(await run([...args, '--quiet', '--output', path])).toMatchObject({ code: 0, stderr: '' })
    const text = readFileSync(path, 'utf8')
    const records = recordsIn(text)
    expect(records).toHaveLength(expected.length)
    const first = (line: string) => Object.entries(JSON.parse(line)).filter(([, value]) => typeof value !== 'object')
    for (const [i, line] of expected.entries()) {
      for (const [field, value] of first(line)) {
        const elements = records[i]?.childElements.filter((element) => element.name === encodeName(field))
        expect(elements?.map((element) => element.text)).toEqual([String(value)])
      }
    }
    expect((await run([...args, '--format', 'xml'])).stdout).toBe(text)
  })

  test('with the names of --elements, which is refused for other formats and for invalid names', async () => {
    writeFileSync(pathOf('items.xml'), '<r><i id="1"><n>a</n><n>b</n></i><i id="2"/></r>')
    const args = ['select', 'i', pathOf('items.xml'), '--field', '@id', '--field', 'names[]=n', '--limit', '1']
    const { stdout } = await run([...args, '--format', 'xml', '--elements', 'pages/page/one'])
    expect(stdout).toBe(
      `${DECLARATION}<pages>\n<page id="1"><names><one>a</one><one>b</one></names></page>\n</pages>\n`,
    )
    const { code, stderr } = await run([...args, '--elements', 'a/b'])
    expect([code, stderr]).toEqual([2, 'xylem: --elements applies to XML only; use it with --format xml\n'])
    expect(await run([...args, '--format', 'xml', '--elements', 'a'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It must be two or three names of XML'),
    })
    const pages = ['pages', dump, '--fields', 'id', '--elements', 'pages/page', '--format', 'xml', '--limit', '1']
    expect((await run(pages)).stdout).toBe(`${DECLARATION}<pages>\n<page><id>1</id></page>\n</pages>\n`)
  })

  test('of values of a grammar, with an error for a character that XML does not have', async () => {
    writeFileSync(pathOf('lines.bnf'), 'program ::= line* ;\nline ::= text:word "\\n" ;\nword ::= [^\\n]* ;')
    writeFileSync(pathOf('lines.txt'), 'a\n<b>\n')
    const args = ['parse', '-g', pathOf('lines.bnf'), '--emit', 'line', '--format', 'xml']
    expect((await run([...args, pathOf('lines.txt'), '--elements', 'lines/line'])).stdout).toBe(
      `${DECLARATION}<lines>\n<line><text>a</text></line>\n<line><text>&lt;b&gt;</text></line>\n</lines>\n`,
    )
    writeFileSync(pathOf('control.txt'), 'a\n\u0001\n')
    const { code, stderr } = await run([...args, pathOf('control.txt')])
    expect(code).toBe(3)
    expect(stderr).toContain('record 2 has U+0001 in the field text, a character that XML does not have')
  })

  test('in each part of a plan, and from plan, read and commit', async () => {
    const expected = await linesOf('pages', dump)
    const args = ['pages', dump, '--resume', '--range-size', '2000', '--format', 'xml', '--quiet', '--jobs', '2']
    expect(await run([...args, '--elements', 'a/b', '--output', pathOf('parts')])).toMatchObject({
      code: 0,
      stderr: '',
    })
    const names = readdirSync(pathOf('parts')).filter((name) => name.startsWith('part-'))
    expect(names.length).toBeGreaterThan(2)
    expect(names.every((name) => name.endsWith('.xml'))).toBe(true)
    const parts = names.sort().map((name) => recordsIn(readFileSync(join(pathOf('parts'), name), 'utf8')))
    expect(parts.flat().map(({ name }) => name)).toEqual(expected.map(() => 'b'))
    // Other names are another plan.
    expect(await run([...args, '--elements', 'a/c', '--output', pathOf('parts')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--elements'),
    })
    const plan = [
      'plan',
      '--each',
      'page',
      dump,
      '--field',
      'id',
      '--format',
      'xml',
      '--elements',
      'p/q',
      '--ranges',
      '2',
    ]
    const [, range = ''] = (await run(plan)).stdout.split('\n')
    const { stdout } = await run(['read', range])
    expect(stdout).toContain('<p>\n<q><id>1</id></q>\n')
  })
})
