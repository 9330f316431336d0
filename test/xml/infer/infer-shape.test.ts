import { describe, expect, test } from 'vitest'
import type { XmlShape } from '../../../source/xml/index.ts'
import { XmlError } from '../../../source/xml/index.ts'
import { type InferOptions, type InferredShape, inferShape } from '../../../source/xml/infer/index.ts'
import { readWith } from '../../support/inferred.ts'
import { cutsOf } from '../../support/machine.ts'

const encoder = new TextEncoder()

/** What is inferred, which is the same at every cut. */
async function infer(document: string, options: InferOptions = {}): Promise<InferredShape | undefined> {
  const all: (InferredShape | undefined)[] = []
  for (const pieces of cutsOf(encoder.encode(document))) all.push(await inferShape(pieces, options))
  const plain = all.map((one) => one && { ...one, source: undefined })
  for (const other of plain) expect(other).toEqual(plain[0])
  return all[0]
}

async function pathsOf(document: string, options?: InferOptions): Promise<readonly string[] | undefined> {
  return (await infer(document, options))?.paths
}

/** The shape without its last field. */
async function shapeOf(document: string, options?: InferOptions): Promise<XmlShape> {
  const { rest, ...shape } = (await infer(document, options))?.shape ?? {}
  expect(rest).toEqual({ as: 'rest' })
  return shape
}

describe('records are', () => {
  test.each([
    ['elements that repeat', '<r><a x="1"/><a x="2"/></r>', ['/r/a']],
    ['elements that repeat below others', '<r><c><t>x</t><a x="1"/><a x="2"/><a x="3"/></c></r>', ['/r/c/a']],
    [
      'the outermost that repeat',
      '<r><a n="1" m="2"><b x="1"/><b x="2"/></a><a n="3" m="4"><b x="1"/><b x="2"/></a></r>',
      ['/r/a'],
    ],
    [
      'not those that are little of what is around them',
      `<r><m x=""/><m x=""/><c>${'<a x="1">text</a>'.repeat(9)}</c></r>`,
      ['/r/c/a'],
    ],
    ['not those that only group others', `<r>${`<g>${'<a x="1">text</a>'.repeat(9)}</g>`.repeat(2)}</r>`, ['/r/g/a']],
    [
      'those that group others, if they are many',
      `<r>${`<g>${'<a x="1">text</a>'.repeat(9)}</g>`.repeat(20)}</r>`,
      ['/r/g'],
    ],
    [
      'of several names',
      '<r><a id="1" x="1"/><a id="2" x="1"/><b id="1" y="1"/><b id="2" y="1"/></r>',
      ['/r/a', '/r/b'],
    ],
    [
      'also those alike that do not repeat',
      '<r><a id="1" x="1"/><a id="2" x="1"/><b id="1" x="1"/><c z=""/></r>',
      ['/r/a', '/r/b'],
    ],
    ['elements with nothing but text, where only these repeat', '<r><a>1</a><a>2</a></r>', ['/r/a']],
  ])('%s', async (_, document, paths) => {
    expect(await pathsOf(document)).toEqual(paths)
  })

  test('several roots of a fragment', async () => {
    expect(await pathsOf('<a x="1"/>\n<a x="2"/>', { fragment: true })).toEqual(['/a'])
  })

  test('those that are said', async () => {
    const document = '<r><a><b>1</b></a><a><b>2</b><c/></a></r>'
    expect(await shapeOf(document, { each: 'b' })).toEqual({ text: { path: '.', as: 'integer' } })
    expect(await pathsOf(document, { each: ['//b', 'a/c'] })).toEqual(['//b', 'a/c'])
    expect(await infer(document, { each: 'd' })).toBeUndefined()
  })

  test.each([
    ['the tag of the root is long', `<r k="${'x'.repeat(500)}"><a><b>1</b></a><a><b>2</b></a></r>`, ['/r/a']],
    ['there is a comment', `<r><!--${'x'.repeat(500)}--><a><b>1</b></a><a><b>2</b></a></r>`, ['/r/a']],
    [
      'they are few',
      `<r><h><d>${'x'.repeat(90)}</d><c>${'y'.repeat(90)}</c></h><a><b>1</b></a><a><b>2</b></a></r>`,
      ['/r/a'],
    ],
  ])('also those that are a small part of the document because %s', async (_, document, paths) => {
    expect(await infer(document)).toMatchObject({ paths, isWhole: false })
  })

  test.each([
    ['nothing repeats', '<r><a><b>1</b></a></r>', { b: { path: 'a/b', as: 'integer' } }],
    [
      'hardly anything repeats',
      `<r><a><t k="1"/><t k="2"/></a><b>${'x'.repeat(500)}</b></r>`,
      { t: [{ path: 'a/t/@k', as: 'integer' }], b: 'b' },
    ],
    ['there is only a text', '<r>text</r>', { text: '.' }],
    ['there is only an attribute', '<r a="x"/>', { a: '@a' }],
  ])('the complete document where %s', async (_, document, shape) => {
    expect(await infer(document)).toMatchObject({ paths: ['/r'], records: 1, isWhole: true })
    expect(await shapeOf(document)).toEqual(shape)
  })

  test('none where there is nothing, or not all is seen in which nothing repeats', async () => {
    expect(await infer('<r/>')).toBeUndefined()
    expect(await infer('<r><a><b/></a><c/></r>', { bytes: 15 })).toBeUndefined()
    expect(await inferShape(`<r><a>${' '.repeat(16 * 1024 * 1024)}</a></r>`)).toBeUndefined()
  })
})

describe('fields are', () => {
  test.each([
    [
      'attributes and texts, with their kinds',
      '<a i="1" s="01"><b>true</b></a><a i="2" s="02"><b>false</b></a>',
      { i: { path: '@i', as: 'integer' }, s: '@s', b: { path: 'b', as: 'boolean' } },
    ],
    ['the text of the element itself', '<a i="x">1</a><a i="y">2</a>', { i: '@i', text: { path: '.', as: 'integer' } }],
    ['lists of what occurs several times in one record', '<a><b>x</b></a><a><b>y</b><b>z</b></a>', { b: ['b'] }],
    [
      'records of elements with attributes',
      '<a><b n="x">t</b></a><a><b n="y">u</b></a>',
      { b: { of: 'b', fields: { n: '@n', text: '.' } } },
    ],
    ['lists of records', '<a><b n="x">t</b><b>v</b></a><a/>', { b: [{ of: 'b', fields: { n: '@n', text: '.' } }] }],
    [
      'paths through elements that have nothing else',
      '<a><l><b>x</b><b>y</b></l></a><a><l><b>z</b></l></a>',
      { b: ['l/b'] },
    ],
    [
      'records where such an element is empty at times',
      '<a><l><b>x</b></l></a><a><l/></a>',
      { l: { of: 'l', fields: { b: 'b' } } },
    ],
    [
      'the only attribute of elements that have nothing else',
      '<a><b r="1"/><b r="2"/></a><a/>',
      { b: [{ path: 'b/@r', as: 'integer' }] },
    ],
    [
      'whether an empty element is there',
      '<a n="1"><b/></a><a n="2"/>',
      { n: { path: '@n', as: 'integer' }, b: { path: 'b', as: 'present' } },
    ],
    ['XML where text has elements in it', '<a><b>x<i>y</i></b></a><a><b>z</b></a>', { b: { path: 'b', as: 'xml' } }],
    [
      'attributes beside XML',
      '<a><b n="v">x<i>y</i></b></a><a/>',
      { b: { of: 'b', fields: { n: '@n', xml: { path: '.', as: 'xml' } } } },
    ],
    [
      'not declarations of namespaces',
      '<a xmlns="u" xmlns:p="v" p:n="x"><p:b>t</p:b></a><a xmlns="u"/>',
      { n: '@p:n', b: 'p:b' },
    ],
    ['values from entities and defaults', '<a><b>&e;</b></a><a d="w"><b>y</b></a>', { d: '@d', b: 'b' }],
  ] as [string, string, XmlShape][])('%s', async (_, content, shape) => {
    const document = `<!DOCTYPE r [<!ENTITY e "x"><!ATTLIST q k CDATA "v">]><r>${content}</r>`
    expect(await shapeOf(document)).toEqual(shape)
  })

  test('the name of the element, where records have several', async () => {
    const shape = await shapeOf('<r><a id="1" x="1"/><a id="2" x="1"/><b id="1" x="1"/></r>')
    expect(shape).toEqual({ element: 'name()', id: { path: '@id', as: 'integer' }, x: { path: '@x', as: 'integer' } })
  })

  test('what a group around records says of its own', async () => {
    const group = (name: string) => `<g><n>${name}</n>${'<a x="1"><t>text</t></a>'.repeat(9)}</g>`
    const { g } = await shapeOf(`<r>${group('one')}${group('two')}</r>`)
    expect(g).toEqual({ outer: '/r/g', fields: { n: 'n' } })
  })

  test('required only where that is wanted, and all records have them', async () => {
    const document = '<r><a n="x"><b>1</b></a><a n="y" m="z"><b>2</b><b>3</b></a></r>'
    expect(await shapeOf(document, { required: true })).toEqual({
      n: { path: '@n', required: true },
      m: '@m',
      b: [{ path: 'b', as: 'integer' }],
    })
  })

  test('counted, with an example', async () => {
    const inferred = await infer('<r><a n="x"/><a n="y" m="z"/><a n="é"/></r>')
    const [n, m] = inferred?.fields ?? []
    expect(n).toMatchObject({ name: 'n', path: '@n', count: 3, of: 3, example: 'x' })
    expect(m).toMatchObject({ name: 'm', count: 1, of: 3, example: 'z' })
  })
})

describe('a sample', () => {
  const row = '<a n="1">text</a>'
  const document = `<r>${row.repeat(20)}<a n="x" late="1">text</a></r>`

  test('is the beginning of a document, and only what has ended in it counts', async () => {
    const inferred = await infer(document, { bytes: 3 + 5 * row.length + 10 })
    expect(inferred).toMatchObject({ records: 5, isComplete: false, shape: { n: { path: '@n', as: 'integer' } } })
    expect(inferred?.shape.late).toBeUndefined()
  })

  test('does not count what is in a record that has not ended', async () => {
    const rows = '<a n="1"><b>x</b></a><a><c><d>x</d></c></a><a n="3"><b>x</b><c><d>x</d><d>y</d></c></a>'
    const cut = `<r>${rows}<a n="4"><b>x</b><c><d>x</d>`
    const inferred = await infer(`${cut}<d>${'y'.repeat(100)}</d></c></a></r>`, { bytes: cut.length, required: true })
    const counts = inferred?.fields.slice(0, -1).map(({ name, count, of }) => [name, count, of])
    expect(counts).toEqual([
      ['n', 2, 3],
      ['b', 2, 3],
      ['d', 2, 3],
    ])
    expect(inferred?.shape).toMatchObject({ n: { path: '@n', as: 'integer' }, b: 'b', d: ['c/d'] })
  })

  test('may be all of it', async () => {
    expect(await infer(document)).toMatchObject({
      records: 21,
      isComplete: true,
      shape: { n: '@n', late: { path: '@late', as: 'integer' } },
    })
  })

  test('ends before an error', async () => {
    const inferred = await infer(`<r>${row.repeat(3)}<b></r>`)
    expect(inferred).toMatchObject({ records: 3, isComplete: false })
    expect(inferred?.error).toBeInstanceOf(XmlError)
    await expect(inferShape('<r><a></r>')).rejects.toThrow(XmlError)
  })
})

test('elements that are null say nothing of the kind of the others, and are not required', async () => {
  const nil = 'x:nil="true"'
  const document = `<r xmlns:x="http://www.w3.org/2001/XMLSchema-instance"><a><b>1</b><c ${nil}/><d>1</d></a><a><b ${nil}/><c ${nil}></c><d x:nil="false">2</d></a></r>`
  expect(await shapeOf(document, { required: true })).toEqual({
    b: { path: 'b', as: 'integer' },
    c: 'c',
    d: { path: 'd', as: 'integer', required: true },
  })
  expect((await infer(document))?.fields[0]).toMatchObject({ count: 1, of: 2 })
  expect(await shapeOf(document, { namespaces: false })).toMatchObject({
    b: { of: 'b', fields: { nil: { path: '@x:nil' } } },
  })
})

describe('several documents', () => {
  const [one, two] = ['<r><h><b>x</b></h><a n="1"/></r>', '<r><a n="2"/><a n="3" m="x"/></r>']

  test('have the records that repeat in one of them', async () => {
    for (const more of [[two], [[two.slice(0, 9), two.slice(9)], '<r/>'], ['<other/>', encoder.encode(two)]]) {
      expect(await infer(one, { more })).toMatchObject({
        paths: ['/r/a'],
        records: 3,
        isComplete: true,
        isWhole: false,
      })
    }
    expect(await shapeOf(one, { more: [two] })).toEqual({ n: { path: '@n', as: 'integer' }, m: '@m' })
  })

  test('are records where nothing repeats in any of them', async () => {
    const documents = ['<r><b>1</b></r>', '<r><b>2</b><c/></r>', '<q><b>3</b></q>']
    const [first = '', ...more] = documents
    expect(await infer(first, { more })).toMatchObject({ paths: ['/r', '/q'], records: 3, isWhole: true })
    expect(await infer(first, { more, each: 'b' })).toMatchObject({ paths: ['b'], records: 3 })
  })

  test('share the sample, and each has at least 64 KiB of it', async () => {
    const long = (n: number) => `<r>${`<a n="${n}"/>`.repeat(40_000)}</r>`
    const [first, ...more] = [1, 2, 3, 4].map(long) as [string, ...string[]]
    const inferred = await inferShape(first, { more, bytes: 200_000 })
    expect(inferred).toMatchObject({ isComplete: false })
    expect(inferred?.records).toBeGreaterThan(19_900)
    expect(inferred?.records).toBeLessThan(20_001)
    const short = await inferShape(one, { more: [two, two, first], bytes: 100_000 })
    expect(short?.records).toBeGreaterThan(9_900)
  })

  test('may have errors: what is before them counts', async () => {
    expect(await infer('<r><a>', { more: [two, '<r><a n="4"/><b></r>'] })).toMatchObject({
      records: 3,
      isComplete: false,
      error: { byteOffset: 6 },
    })
    await expect(inferShape('<r><a></r>', { more: ['<r/>'] })).rejects.toThrow(XmlError)
  })
})

describe('memory', () => {
  test('has a limit: elements with more different names than there is room for are XML', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `<n${i}>x</n${i}>`).join('')
    const inferred = await inferShape(`<r><a id="1"><b>${names}</b></a><a id="2"/></r>`, { maxPaths: 10 })
    expect(inferred).toMatchObject({ isCut: true, shape: { id: { as: 'integer' }, b: { path: 'b', as: 'xml' } } })
  })

  test('and time do not depend on names that are data', async () => {
    const names = Array.from({ length: 1200 }, (_, i) => `<n${i}>x</n${i}>`).join('')
    const inferred = await inferShape(`<r>${`<a id="1">${names}</a>`.repeat(2)}</r>`)
    expect(inferred?.shape).toMatchObject({ id: { as: 'integer' }, xml: { path: '.', as: 'xml' } })
    expect(inferred?.fields).toHaveLength(3)
  })

  test('does not depend on how deep elements are in each other', async () => {
    const deep = `${'<x>'.repeat(3000)}t${'</x>'.repeat(3000)}`
    const document = `<r><a id="1">${deep}</a><a id="2">${deep}</a></r>`
    const inferred = await inferShape(document)
    expect(inferred?.paths).toEqual(['/r/a'])
    const { records } = await readWith(inferred as InferredShape, document)
    expect(JSON.stringify(records[1])).toContain('<x><x><x>t</x></x></x>')
  })
})

test.each([
  [{ bytes: 0 }],
  [{ maxPaths: -1 }],
  [{ each: 'a[@b]' }],
  [{ each: '' }],
  [{ more: '<r/>' as unknown as [] }],
  [{ other: 1 } as InferOptions],
])('wrong options are refused: %j', async (options) => {
  await expect(inferShape('<r/>', options)).rejects.toMatchObject({ code: 'invalid-option' })
})
