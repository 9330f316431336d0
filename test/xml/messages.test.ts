// What is said of errors and limits, to somebody who writes XML: the same on both engines and however the input is cut. What is said of
// documents that are not well-formed is in the case files (cases.test.ts).

import { describe, expect, test } from 'vitest'
import type { LimitError } from '../../source/stream/errors.ts'
import type { XmlError } from '../../source/xml/errors/errors.ts'
import { parseXml, readXml, type XmlOptions } from '../../source/xml/index.ts'
import { isThorough, sample } from '../support/extent.ts'
import { piecesOf } from '../support/xml.ts'

const encoder = new TextEncoder()

/** The error of a check, with and without namespaces, on both engines and in pieces of these sizes: always the same. */
async function check(input: string | Uint8Array, options: XmlOptions = {}, sizes = [1, 1 << 30]): Promise<unknown> {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input
  const told = new Map<string, unknown>()
  const engines = ['wasm', 'plain'] as const
  const ways = sizes.flatMap((size) => {
    return [true, false].flatMap((namespaces) => engines.map((engine) => ({ size, namespaces, engine })))
  })
  for (const { size, ...how } of sample(ways, 4)) {
    const error = await readXml(piecesOf(bytes, size), { ...options, ...how })
      .check()
      .catch((reason: unknown) => reason)
    const { code, line, column, message } = (error ?? {}) as Partial<XmlError>
    told.set(`${code} ${line}:${column} ${message}`, error)
  }
  expect([...told.keys()]).toHaveLength(1)
  return [...told.values()][0]
}

describe('what is not closed at the end is reported with its place', () => {
  const lines = isThorough ? 4000 : 1000
  const long = 'x < y & ] - ? <b/> <!- <![CDATA[ <?q \n'.repeat(lines)
  const value = long.replace(/[<&]/g, '')
  test.each([
    ['CDATA section', '<![CDATA[', long],
    ['CDATA section', '<![CDATA[\r\n]]', long],
    ['comment', '<!-- \r', long],
    ['processing instruction', '<?p \r', long],
    ['value', '<b c="d" e="\r&lt;', value],
    ['start tag <b>', '<b c="', `${value}" `],
  ])('a %s also where its beginning is long gone', async (what, opening, behind) => {
    const text = `<a>${'<b c="d">e</b>\n'.repeat(lines)}${opening}${behind}`
    const place = `${lines + 1}:${what === 'value' ? 12 : 1}`
    const error = await check(text, {}, [...sample([1000, 70_000, 1 << 30], 2)])
    expect((error as XmlError).detail).toBe(`the input ends, but the ${what} opened at ${place} is not closed`)
  })
})

test.each([
  [`<a></${'🌳'.repeat(110)}></a>`, `the end tag </${'🌳'.repeat(100)}> does not match <a> opened at 1:1`],
  [`<a>&${'木'.repeat(100)};</a>`, `the entity ${'木'.repeat(60)}… is not declared`],
])('long names are shortened: %s', async (text, detail) => {
  expect(((await check(text)) as XmlError).detail).toContain(detail)
})

describe('an input that is not XML', () => {
  test.each([
    ['gzip', [0x1f, 0x8b, 8, 0, 0], 'malformed-text'],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41], 'unexpected-input'],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd, 1], 'unexpected-input'],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'malformed-text'],
    ['zip', [0x50, 0x4b, 3, 4, 20], 'unexpected-input'],
  ])('but compressed with %s is reported as such', async (format, bytes, code) => {
    const isRead = format !== 'xz' && format !== 'zip'
    const hint = isRead ? 'decompress it with decompress from xylem/compression' : 'decompress it first'
    expect(await check(Uint8Array.from(bytes))).toMatchObject({
      code,
      detail: `the input is not XML but compressed with ${format}: ${hint}`,
      byteOffset: 0,
    })
  })
})

describe('a limit is reported with its place', () => {
  const nested = (depth: number) => `${'<a>'.repeat(depth)}<!--x--><?p?><![CDATA[x]]>&amp;&#65;${'</a>'.repeat(depth)}`

  test.each([1, 3, 1000, isThorough ? 20_000 : 2000])('of %i elements, and not of one less', async (depth) => {
    const limits = { maxDepth: depth }
    const sizes = [depth > 3 ? 1000 : 1, 1 << 30]
    expect(await check(nested(depth), { limits }, sizes)).toBeUndefined()
    expect(parseXml(nested(depth), { limits }).root.name).toBe('a')
    expect(await check(`\n${nested(depth + 1)}`, { limits }, sizes)).toMatchObject({
      name: 'LimitError',
      code: 'depth-limit',
      message: `<a> is nested too deeply: more than ${depth} elements are open (maxDepth) (line 2, column ${3 * depth + 1}, byte ${3 * depth + 1})`,
      byteOffset: 3 * depth + 1,
      line: 2,
      column: 3 * depth + 1,
      limit: depth,
    })
  })

  test('also where an entity brings the elements', () => {
    const text = '<!DOCTYPE a [<!ENTITY e "<b><c/></b>">]>\n<a>&e;</a>'
    const errorOf = (maxDepth: number) => {
      try {
        return parseXml(text, { limits: { maxDepth } }).root.name
      } catch (error) {
        return error as LimitError
      }
    }
    expect(errorOf(3)).toBe('a')
    const place = { code: 'depth-limit', byteOffset: 44, line: 2, column: 4 }
    const words = '(maxDepth) (line 2, column 4, byte 44)'
    expect(errorOf(2)).toMatchObject({
      ...place,
      message: `<c> is nested too deeply: more than 2 elements are open ${words}`,
    })
    expect(errorOf(1)).toMatchObject({
      ...place,
      message: `in the entity e: more than 1 elements are open ${words}`,
    })
  })

  test('of names, and of what entities make', async () => {
    expect(await check('<a>\n<b/></a>', { limits: { maxNames: 1 } })).toMatchObject({ code: 'name-limit', line: 2 })
    const text = '<!DOCTYPE a [<!ENTITY e "<b/>">]>\n<a>&e;</a>'
    const limits = { maxAmplification: 0, freeExpansion: 0 }
    expect(await check(text, { limits })).toMatchObject({ code: 'entity-limit', line: 2, column: 4 })
  })

  test.each([
    ['<a>\n<!--', 'x', 'the comment that begins at 2:1 is larger than 300000 bytes (maxRetained)'],
    ['<a>\n<![CDATA[', 'x', 'the CDATA section that begins at 2:1 is larger than 300000 bytes (maxRetained)'],
    ['<a>\nx', 'x', 'the text that begins at 1:4 is larger than 300000 bytes (maxRetained)'],
    ['<a>\n<?p ', 'x', 'the processing instruction that begins at 2:1 is larger than 300000 bytes (maxRetained)'],
    ['<a>\n<b c="', 'x', 'the start tag that begins at 2:1 is larger than 300000 bytes (maxRetained)'],
    [
      '\n<!DOCTYPE a [<!--',
      'x',
      'the document type declaration that begins at 2:1 is larger than 300000 bytes (maxRetained)',
    ],
  ])('of input that is held: %s', async (before, filling, message) => {
    for (const engine of ['wasm', 'plain'] as const) {
      const source = [before, ...Array.from({ length: 80 }, () => filling.repeat(10_000))]
      const events = readXml(source, { limits: { maxRetained: 300_000 }, engine })
        .events()
        .batches()
      const error = await (async () => {
        for await (const _ of events);
      })().catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'retained-limit', limit: 300_000 })
      expect((error as Error).message).toContain(message)
    }
  })

  test('of what is selected', async () => {
    const source = ['<r>\n<a>', ...Array.from({ length: isThorough ? 80 : 40 }, () => '<b>x</b>'.repeat(1000))]
    const limits = { maxRetained: 300_000 }
    const what = 'the selected element or the field that begins at 2'
    const select = async () => {
      for await (const _ of readXml(source, { limits }).select('a'));
    }
    const collect = async () => {
      for await (const _ of readXml(source, { limits }).records('a', { text: '.' }));
    }
    await expect(select()).rejects.toThrow(`${what}:1 is larger than 300000 bytes (maxRetained)`)
    await expect(collect()).rejects.toThrow(`${what}:4 is larger than 300000 bytes (maxRetained)`)
  })
})

test('excerpts show no controls to terminals, and the caret stays where it is', async () => {
  const { excerpt } = (await check('<a>\u009b31m\u0085\u202e\u2066\u200e\u061c\u007f</b>')) as XmlError
  expect(excerpt).toBe(`<a>\ufffd31m${'\ufffd'.repeat(5)}\u2421</b>\n${' '.repeat(15)}^`)
})
