// What is said of faults and limits, to somebody who writes XML: the same on both engines and however the input is cut.

import { describe, expect, test } from 'vitest'
import type { LimitError } from '../../source/stream/errors.ts'
import type { XmlError } from '../../source/xml/errors.ts'
import { parseXml, readXml, type XmlOptions } from '../../source/xml/index.ts'
import { piecesOf, read } from '../support/xml.ts'

const encoder = new TextEncoder()

/** The error of a check, with and without namespaces, on both engines and in pieces of these sizes: always the same. */
async function check(input: string | Uint8Array, options: XmlOptions = {}, sizes = [1, 1 << 30]): Promise<unknown> {
  const bytes = typeof input === 'string' ? encoder.encode(input) : input
  const told = new Map<string, unknown>()
  for (const size of sizes) {
    for (const namespaces of [true, false]) {
      for (const engine of ['wasm', 'plain'] as const) {
        const error = await readXml(piecesOf(bytes, size), { ...options, namespaces, engine })
          .check()
          .catch((reason: unknown) => reason)
        const { code, line, column, message } = (error ?? {}) as Partial<XmlError>
        told.set(`${code} ${line}:${column} ${message}`, error)
      }
    }
  }
  expect([...told.keys()]).toHaveLength(1)
  return [...told.values()][0]
}

async function detailOf(text: string, options: XmlOptions = {}): Promise<string | undefined> {
  const { error } = await read(text, options)
  expect(((await check(text, options)) as XmlError | undefined)?.detail).toBe(error?.detail)
  return error?.detail
}

describe('what is not closed at the end is told with its place', () => {
  test.each([
    ['<a>\n <![CDATA[oops</a>', 'the CDATA section opened at 2:2'],
    ['<a><![CDATA[<!-- <![CDATA[ ]]', 'the CDATA section opened at 1:4'],
    ['<a><!-- oops</a>', 'the comment opened at 1:4'],
    ['<a><!-- oops --', 'the comment opened at 1:4'],
    ['<a><?p oops</a>', 'the processing instruction opened at 1:4'],
    ['<!-- oops', 'the comment opened at 1:1'],
    ['\n<?p oops', 'the processing instruction opened at 2:1'],
    ['<!DOCTYPE a [<!-- \' -->]><!-- "', 'the comment opened at 1:26'],
    ['<a/>\n<!-- oops', 'the comment opened at 2:1'],
    ['<a/><?p oops', 'the processing instruction opened at 1:5'],
    ['<a b="oops>', 'the value opened at 1:6'],
    ['<a b="1"\nc=\'oops&lt;">', 'the value opened at 2:3'],
    ['<é b="1" c', 'the start tag <é> opened at 1:1'],
    ['<a><b', 'the start tag <b> opened at 1:4'],
    ['<a></a', 'the end tag opened at 1:4'],
    ['<a>x&am', '<a> opened at 1:1'],
    ['<a><', '<a> opened at 1:1'],
    ['<a><![CDATA[<"]]>', '<a> opened at 1:1'],
    ['<a><!--]]><?--><![CDATA[ <!-- <?', 'the CDATA section opened at 1:16'],
  ])('%j: %s', async (text, what) => {
    expect(await detailOf(text)).toBe(`the input ends, but ${what} is not closed`)
  })

  const long = 'x < y & ] - ? <b/> <!- <![CDATA[ <?q \n'.repeat(4000)
  const value = long.replace(/[<&]/g, '')
  test.each([
    ['CDATA section', '<![CDATA[', long],
    ['CDATA section', '<![CDATA[\r\n]]', long],
    ['comment', '<!-- \r', long],
    ['processing instruction', '<?p \r', long],
    ['value', '<b c="d" e="\r&lt;', value],
    ['start tag <b>', '<b c="', `${value}" `],
  ])('a %s also where its beginning is long gone', async (what, opening, behind) => {
    const text = `<a>${'<b c="d">e</b>\n'.repeat(4000)}${opening}${behind}`
    const place = what === 'value' ? '4001:12' : '4001:1'
    const error = await check(text, {}, [1000, 70_000, 1 << 30])
    expect((error as XmlError).detail).toBe(`the input ends, but the ${what} opened at ${place} is not closed`)
  })
})

describe('what may not stand somewhere is told in the words of XML', () => {
  const behindRoot =
    'a document has one root element: behind </r> only comments, processing instructions and white space may stand'
  const ampersand = 'an ampersand alone is written &amp;'
  test.each([
    ['<r>]]></r>', '"]]>" may not stand in text: write ]]&gt;'],
    ['<r>x &lt;]]>', '"]]>" may not stand in text: write ]]&gt;'],
    ['<r><!-- a -- b --></r>', '"--" may not stand in a comment: this one was opened at 1:4'],
    ['<!-- a ---><r/>', '"--" may not stand in a comment: this one was opened at 1:1'],
    ['<r/><s/>', behindRoot],
    ['<r/>text', behindRoot],
    ['<r></r></r>', behindRoot],
    ['<r/><!DOCTYPE r>', behindRoot],
    ['text<r/>', 'expected "<", but found "t": text may only stand in the root element'],
    ['', 'the document is empty'],
    ['\ufeff', 'the document is empty'],
    ['<!-- x -->\n', 'the input ends, but there is no root element'],
    ['</r>', 'expected a name, but found "/": no element is open that an end tag could close'],
    ['<!doctype html><r/>', '<!DOCTYPE is written in capitals'],
    ['<!DOCTYPE r><!DOCTYPE r><r/>', 'there is a second <!DOCTYPE'],
    ['<r><!DOCTYPE r></r>', '<!DOCTYPE may only stand before the root element'],
    ['<r><![cdata[x]]></r>', '<![CDATA[ is written in capitals'],
    ['<![CDATA[x]]><r/>', 'a CDATA section may only stand in an element'],
    ['<r><!ELEMENT a></r>', '<!ELEMENT may only stand in a document type declaration'],
    ['<r><!- x --></r>', '"<!" begins no comment and no CDATA section here'],
    ['<r><![CDATA[<!--]]><!x></r>', '"<!" begins no comment and no CDATA section here'],
    ['<!élé>', '"<!" begins no comment here'],
    ['<r><![CD', 'the input ends in the middle of "<![CD"'],
    ['<r><? x?></r>', 'expected a name behind "<?", but found " "'],
    ['<r>1 < 2</r>', 'expected a name behind "<", but found " " (a "<" in text is written &lt;)'],
    ['<1/>', 'expected a name behind "<", but found "1"'],
    ['<a b=c></a>', 'expected a value in quotes, but found "c"'],
    ['<a b></a>', 'expected "=" and a value behind the attribute b, but found ">"'],
    ['<a b="1"c="2">', 'expected white space between attributes, but found "c"'],
    ['<a 1="2">', 'expected an attribute, ">" or "/>", but found "1"'],
    ['<a,b>', 'expected white space, ">" or "/>", but found ","'],
    ['<a / >', 'expected ">" directly behind "/" in a tag'],
    ['<a></a b>', 'expected ">" at the end of the end tag, but found "b"'],
    ['<a></aé木𝄞>', 'the end tag </aé木𝄞> does not match <a> opened at 1:1 [WFC: Element Type Match]'],
    ['<a>a & b</a>', `expected a name behind "&", but found " ": ${ampersand}`],
    ['<a b="a & b"/>', `expected a name behind "&", but found " ": ${ampersand}`],
    ['<a>AT&T</a>', `expected ";" behind "&T", but found "<": ${ampersand}`],
    ['<a b="&x"/>', `expected ";" behind "&x", but found "\\"": ${ampersand}`],
    ['<a>&lta]]></a>', `expected ";" behind "&lta", but found "]": ${ampersand}`],
    ['<a>&木]]></a>', `expected ";" behind "&木", but found "]": ${ampersand}`],
    ['<a>]]]]></a>', '"]]>" may not stand in text: write ]]&gt;'],
    ['<a>x<1木</a>', 'expected a name behind "<", but found "1" (a "<" in text is written &lt;)'],
    ['<a b=木></a>', 'expected a value in quotes, but found "木"'],
    [
      `<a></${'🌳'.repeat(110)}></a>`,
      `the end tag </${'🌳'.repeat(100)}> does not match <a> opened at 1:1 [WFC: Element Type Match]`,
    ],
    [`<a>&${'木'.repeat(100)};</a>`, `the entity ${'木'.repeat(60)}… is not declared [WFC: Entity Declared]`],
    ['<a>&#;</a>', 'expected a decimal number or "x" behind "&#", but found ";"'],
    ['<a>&#xg;</a>', 'expected a hexadecimal number behind "&#x", but found "g"'],
    ['<a>&#1a;</a>', 'expected ";" behind "&#1", but found "a"'],
    [
      '<a b="x>\n<c d="y"/></a>',
      '"<" may not stand in a value: write &lt;, or close the value opened at 1:6 [WFC: No < in Attribute Values]',
    ],
  ])('%j: %s', async (text, detail) => {
    expect(await detailOf(text)).toBe(detail)
  })

  test('also where a character follows that is none of XML', async () => {
    expect(await detailOf('<!doc\u0001type>')).toBe('"<!" begins no comment here')
  })

  test.each([
    ['gzip', [0x1f, 0x8b, 8, 0, 0], 'malformed-text'],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41], 'unexpected-input'],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd, 1], 'unexpected-input'],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'malformed-text'],
    ['zip', [0x50, 0x4b, 3, 4, 20], 'unexpected-input'],
  ])('an input that is compressed with %s', async (format, bytes, code) => {
    const isRead = format !== 'xz' && format !== 'zip'
    const hint = isRead ? 'read it through decompress of xylem/compression' : 'it has to be decompressed before'
    expect(await check(Uint8Array.from(bytes))).toMatchObject({
      code,
      detail: `the input is no XML, but compressed with ${format}: ${hint}`,
      byteOffset: 0,
    })
  })

  test('of what comes before, all is delivered', async () => {
    const { events } = await read('<r>x<!doctype y></r>')
    expect(events).toEqual(['<r>', '"x"'])
  })
})

describe('an entity that is declared, but no content', () => {
  test.each([
    ['<b>', 'its text ends, but <b> is not closed'],
    ['</b>', 'expected a name, but found "/": no element is open that an end tag could close'],
    ['<!-- x', 'its text ends, but the comment is not closed'],
    ['<b c=d/>', 'expected a value in quotes, but found "d"'],
  ])('%j: %s', async (content, message) => {
    const text = `<!DOCTYPE r [<!ENTITY e "${content}">]><r>&e;</r>`
    const { error } = await read(text)
    expect(error).toMatchObject({ code: 'entity-content', constraint: 'XML 1.0, section 4.3.2' })
    expect(error?.message).toContain(`in the entity e: ${message}`)
  })
})

describe('a limit is told with its place', () => {
  const nested = (depth: number) => `${'<a>'.repeat(depth)}<!--x--><?p?><![CDATA[x]]>&amp;&#65;${'</a>'.repeat(depth)}`

  test.each([1, 3, 1000, 20_000])('of %i elements, and not of one less', async (depth) => {
    const limits = { maxDepth: depth }
    const sizes = [depth > 3 ? 1000 : 1, 1 << 30]
    expect(await check(nested(depth), { limits }, sizes)).toBeUndefined()
    expect(parseXml(nested(depth), { limits }).root.name).toBe('a')
    expect(await check(`\n${nested(depth + 1)}`, { limits }, sizes)).toMatchObject({
      name: 'LimitError',
      code: 'depth-limit',
      message: `with <a>, more than ${depth} elements are open (maxDepth) (line 2, column ${3 * depth + 1}, byte ${3 * depth + 1})`,
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
    expect(errorOf(2)).toMatchObject({ ...place, message: `with <c>, more than 2 elements are open ${words}` })
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
      const events = readXml(source, { limits: { maxRetained: 300_000 }, engine }).events()
      const error = await (async () => {
        for await (const _ of events);
      })().catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'retained-limit', limit: 300_000 })
      expect((error as Error).message).toContain(message)
    }
  })

  test('of what is selected', async () => {
    const source = ['<r>\n<a>', ...Array.from({ length: 80 }, () => '<b>x</b>'.repeat(1000))]
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
