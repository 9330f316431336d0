// Records as lines: the same as the records as objects, whatever writes them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeTransform } from '../../../source/stream/make-transform.ts'
import {
  type FormatName,
  readXml,
  type WriteOptions,
  type XmlOptions,
  type XmlShape,
} from '../../../source/xml/index.ts'
import { extent, isThorough, sample } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { PRODUCT, products } from '../../support/products.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments, repeatContent } from '../../support/random-xml.ts'
import { describeError, piecesOf } from '../../support/xml.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const

/** Options of `linesOf`: JSON lines are written unless `format` says otherwise. */
type LineOptions = XmlOptions & WriteOptions & { readonly format?: FormatName }

interface Lines {
  readonly text: string
  readonly error: unknown
}

/** The lines of a document, which come complete. */
async function linesOf(
  pieces: readonly Uint8Array[],
  path: string,
  shape: XmlShape,
  { nested, where, lenient, format = 'jsonl', absent, ...options }: LineOptions = {},
): Promise<Lines> {
  let text = ''
  try {
    const lines = readXml(pieces, options).write(format, path, shape, { nested, where, lenient, absent })
    for await (const bytes of lines) {
      const more = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      if (!more.endsWith('\n')) throw new Error(`lines that are cut: ${more}`)
      text += more
    }
    return { text, error: undefined }
  } catch (error) {
    return { text, error: describeError(error) }
  }
}

/** The same from the records as objects, without the kernel. */
async function stringified(
  pieces: readonly Uint8Array[],
  path: string,
  shape: XmlShape,
  { nested, where, lenient, absent, ...options }: LineOptions = {},
): Promise<Lines> {
  let text = ''
  const nulls = (_name: string, value: unknown): unknown => (value === undefined ? null : value)
  try {
    const records = readXml(pieces, { ...options, engine: 'plain' }).records(path, shape, { nested, where, lenient })
    for await (const record of records) text += `${JSON.stringify(record, absent === 'null' ? nulls : undefined)}\n`
    return { text, error: undefined }
  } catch (error) {
    return { text, error: describeError(error) }
  }
}

/** How many products most tests read. */
const COUNT = isThorough ? 150 : 50

describe('lines of JSON', () => {
  const bytes = encoder.encode(products(COUNT))

  test.each(['omit', 'null'] as const)('are what JSON.stringify makes of the records, absent: %s', async (absent) => {
    const expected = await stringified([bytes], 'p', PRODUCT, { absent })
    expect(expected.error).toBeUndefined()
    expect(expected.text.split('\n')).toHaveLength(COUNT + 1)
    for (const engine of ENGINES) {
      for (const size of sample([bytes.length, 1, 7000, 333], 2))
        expect(await linesOf(piecesOf(bytes, size), 'p', PRODUCT, { absent, engine })).toEqual(expected)
    }
  })

  test('are those of a large document with records of any size', async () => {
    const row = (i: number) =>
      `<row a="${i}"><b>${'&lt;x> "é"\n'.repeat(i % 97 === 0 ? extent(8000, 40_000, 40_000) : i % 50)}</b></row>`
    const document = encoder.encode(
      `<r>${Array.from({ length: isThorough ? 400 : 80 }, (_, i) => row(i)).join('')}</r>`,
    )
    const shape = { a: { path: '@a', as: 'integer' }, b: 'b' } as const
    const expected = await stringified([document], 'row', shape)
    for (const size of sample([5000, 64 * 1024, document.length], 1)) {
      const { text, error } = await linesOf(piecesOf(document, size), 'row', shape)
      expect({ error, isSame: text === expected.text }).toEqual({ error: undefined, isSame: true })
    }
  })

  test('are those of the records that are wanted', async () => {
    for (const where of [
      { id: { from: 20, to: 40 } },
      { 'maker.mail': { present: true } },
      ({ id = 0 }: { id?: number | undefined }) => id % 7 === 0,
    ] as const) {
      const expected = await stringified([bytes], 'p', PRODUCT, { where: where as LineOptions['where'] })
      expect(expected.text).not.toBe('')
      for (const engine of ENGINES)
        expect(await linesOf([bytes], 'p', PRODUCT, { where: where as LineOptions['where'], engine })).toEqual(expected)
    }
  })

  test('end before a value that is not of its kind, or leave it out', async () => {
    const wrong = products(60).replace('<price>-49</price>', '<price>much</price>')
    for (const engine of ENGINES) {
      for (const lenient of [false, true]) {
        const expected = await stringified([encoder.encode(wrong)], 'p', PRODUCT, { lenient })
        expect(expected.text.split('\n')).toHaveLength(lenient ? 61 : 50)
        for (const size of sample([900, 1 << 20], 1))
          expect(await linesOf(piecesOf(encoder.encode(wrong), size), 'p', PRODUCT, { lenient, engine })).toEqual(
            expected,
          )
      }
    }
  })

  test('end where the document is wrong, after all lines before', async () => {
    const broken = products(100).replace('<price>-49', '<price>-49</x>')
    for (const size of sample([5000, 1 << 20, 100], 1)) {
      const pieces = piecesOf(encoder.encode(broken), size)
      const { text, error } = await linesOf(pieces, 'p', PRODUCT)
      expect(text).toBe((await stringified(pieces, 'p', PRODUCT)).text)
      expect(error).toMatchObject({ name: 'XmlError', code: 'tag-mismatch' })
    }
  })

  test('have what entities and other encodings bring', async () => {
    const entities = `<!DOCTYPE r [<!ENTITY e "<tag>of &#34;e&#34;</tag>">]>${products(40).replaceAll('<new/>', '&e;')}`
    const utf16 = Uint8Array.from(Buffer.from(`\ufeff${products(40)}`, 'utf16le'))
    for (const document of [encoder.encode(entities), utf16]) {
      const expected = await stringified([document], 'p', PRODUCT)
      expect(expected.error).toBeUndefined()
      for (const engine of ENGINES) expect(await linesOf([document], 'p', PRODUCT, { engine })).toEqual(expected)
    }
  })

  // Those of many names and fields take long.
  const odd: readonly (readonly [name: string, content: () => string, shape: XmlShape])[] = [
    [
      'what an element around has in the records',
      () => Array.from({ length: 200 }, (_, i) => `<p><id>${i}</id></p>`).join(''),
      {
        id: 'id',
        around: { outer: 'r', fields: { id: { path: './/id', pick: 'last' }, has: { path: 'p', as: 'present' } } },
      },
    ],
    [
      'many fields of one element',
      () => '<p><id>1</id>t</p>'.repeat(400),
      Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`f${i}`, { path: '.', as: i % 2 ? 'offset' : 'string' }]),
      ),
    ],
    [
      'many names',
      () =>
        Array.from({ length: 6000 }, (_, i) => `<p a${i % 5000}="1"><n${i % 4500}><t>${i}</t></n${i % 4500}></p>`).join(
          '',
        ),
      { t: '*/t', deep: '**/t', a: '@a7', late: '@a4999' },
    ],
    [
      'values with blanks that are compared',
      () => '<p><v k="a b">1</v><v k="a\tb">2</v><v k="a\nb">3</v></p>'.repeat(200),
      { v: { of: 'v', pick: { newest: ['k'] }, fields: { k: '@k', t: '.' } } },
    ],
  ]
  test.each(sample(odd, 2))('have %s', async (_, write, shape) => {
    const document = encoder.encode(`<r>${write()}</r>`)
    for (const size of isThorough ? [document.length, 3000] : [3000]) {
      const pieces = piecesOf(document, size)
      expect(await linesOf(pieces, 'p', shape)).toEqual(await stringified(pieces, 'p', shape))
    }
  })

  test('have line ends as they are if they are not normalised', async () => {
    const options = { normalizeLineEnds: false }
    const expected = await stringified([bytes], 'p', PRODUCT, options)
    expect(expected.text).toContain('\\r\\n')
    expect(await linesOf([bytes], 'p', PRODUCT, options)).toEqual(expected)
  })

  test('have what the kernel cannot write', async () => {
    const shape = {
      all: { path: '.', as: 'attributes' },
      children: { path: '.', as: 'children' },
      rest: { as: 'rest' },
    } as const
    expect(await linesOf([bytes], 'p', shape)).toEqual(await stringified([bytes], 'p', shape))
    const outer = { product: { outer: 'r', fields: { name: 'name()' } }, vote: '.' } as const
    expect(await linesOf([bytes], 'p/vote', outer)).toEqual(await stringified([bytes], 'p/vote', outer))
  })

  test('of random documents are those of the records', { timeout: 300_000 }, async () => {
    const shapes = fc.constantFrom<XmlShape>(
      { n: '@n', t: '.', b: 'b', c: ['**/c'] },
      { n: { path: '@n', as: 'integer' }, xml: { path: '*', as: 'xml' }, own: { path: '.', own: true } },
      { all: [{ of: 'b', fields: { m: '@m', t: { path: '.', empty: 'absent' } } }], last: { path: '*', pick: 'last' } },
      { c: { path: '**/c', unless: '@n', as: 'present' }, at: { path: 'd', as: 'offset' }, k: '**/d/@k' },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(randomDocuments, fc.integer({ min: 1, max: 6 })),
        shapes,
        fc.record({
          nested: fc.constantFrom('outermost' as const, 'innermost' as const, 'all' as const),
          absent: fc.constantFrom('omit' as const, 'null' as const),
          lenient: fc.boolean(),
          engine: fc.constantFrom(...ENGINES),
        }),
        fc.array(fc.nat(4000), { maxLength: 4 }),
        async ([one, times], shape, options, cuts) => {
          const document = repeatContent(one, times)
          const pieces = cutAt(document, cuts)
          const expected = await stringified(pieces, 'a', shape, options)
          expect(await linesOf(pieces, 'a', shape, options), document).toEqual(expected)
        },
      ),
      parameters(1000, 12),
    )
  })
})

describe('tables', () => {
  const document = '<r><p id="1"><t>a, "b"\n</t><u>1</u><u>2</u></p><p id="2"><t>=1</t></p></r>'
  const shape = { id: '@id', t: 't', u: ['u'], deep: { of: 'x', fields: { y: 'y' } } } as const

  test('of comma-separated values have a line with the names of the fields', async () => {
    const { text } = await linesOf([encoder.encode(document)], 'p', shape, { format: 'csv' })
    expect(text).toBe('id,t,u,deep\r\n1,"a, ""b""\n","[""1"",""2""]",\r\n2,=1,[],\r\n')
  })

  test('have dates as JSON has them, without its quotes', async () => {
    const document = '<r><p d="2026-11-24T10:00:00+01:00"/><p d="-000001-01-01"><d>2026-11-24</d></p><p/></r>'
    const shape = { d: { path: '@d', as: 'date' }, all: [{ path: 'd', as: 'date' }] } as const
    const { text } = await linesOf([encoder.encode(document)], 'p', shape, { format: 'csv' })
    const lines = ['2026-11-24T09:00:00.000Z,[]', '-000001-01-01T00:00:00.000Z,"[""2026-11-24T00:00:00.000Z""]"', ',[]']
    expect(text).toBe(['d,all', ...lines, ''].join('\r\n'))
    expect(await linesOf([encoder.encode(document)], 'p', shape)).toEqual(
      await stringified([encoder.encode(document)], 'p', shape),
    )
  })

  test('of tab-separated values escape what cannot stand in them', async () => {
    const { text } = await linesOf([encoder.encode(document)], 'p', shape, { format: 'tsv' })
    expect(text).toBe('id\tt\tu\tdeep\n1\ta, "b"\\n\t["1","2"]\t\n2\t=1\t[]\t\n')
  })

  test.each(['csv', 'tsv'] as const)('are the same with the kernel and without it: %s', async (format) => {
    const bytes = encoder.encode(products(COUNT))
    const expected = await linesOf([bytes], 'p', PRODUCT, { format, engine: 'plain' })
    expect(expected).toMatchObject({
      error: undefined,
      text: expect.stringContaining(format === 'csv' ? '"P ""1"" \\ <' : 'P "1" \\\\ <'),
    })
    for (const size of sample([4000, bytes.length], 1))
      expect(await linesOf(piecesOf(bytes, size), 'p', PRODUCT, { format, engine: 'wasm', absent: 'null' })).toEqual(
        expected,
      )
  })

  test('without records are that line alone', async () => {
    expect(await linesOf([encoder.encode('<r/>')], 'p', shape, { format: 'csv' })).toEqual({
      text: 'id,t,u,deep\r\n',
      error: undefined,
    })
  })
})

test('the options are checked at the call', () => {
  const reader = readXml('<r/>')
  expect(() => reader.write('jsonl', 'r', [] as never, {})).toThrow(TypeError)
  expect(() => reader.write('jsonl', 'r[', { a: 'a' })).toThrow(RangeError)
  for (const name of ['yaml', 'columns', 'objects', undefined, Symbol('csv'), 7]) {
    const refusal = expect.objectContaining({
      code: 'invalid-option',
      message: expect.stringMatching(/^unknown format /),
    })
    expect(() => reader.write(name as 'csv', 'r', { a: 'a' })).toThrow(refusal)
  }
  expect(() =>
    makeTransform((source) => readXml(source).write('jsonl', 'r', { a: 'a' }, { absent: 'nil' as 'null' }), {
      type: 'bytes',
    }),
  ).toThrow(/absent must be/)
})

test('a Web Stream of lines has the same lines', async () => {
  const { readable, writable } = makeTransform(
    (source) => readXml(source).write('jsonl', 'p', PRODUCT, { absent: 'null' }),
    { type: 'bytes' },
  )
  const writer = writable.getWriter()
  const written = writer.write(products(50)).then(() => writer.close())
  let text = ''
  for await (const bytes of readable) text += new TextDecoder().decode(bytes)
  await written
  expect(text).toBe((await stringified([encoder.encode(products(50))], 'p', PRODUCT, { absent: 'null' })).text)
})

test('leaving the loop closes the source', async () => {
  const { createReadStream } = await import('node:fs')
  const stream = createReadStream(fixturePath('mediawiki/small-dump.xml'), { highWaterMark: 512 })
  for await (const _ of readXml(stream).write('jsonl', 'page', { title: 'title' })) break
  expect(stream.destroyed).toBe(true)
})
