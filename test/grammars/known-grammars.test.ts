// What holds for all grammars that come along, and what is special about each.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inCommandWords } from '../../source/cli/errors/or-usage.ts'
import { type Grammar, type GrammarValue, ParseError } from '../../source/grammar/index.ts'
import { KNOWN_GRAMMARS, summarize } from '../../source/grammars/known-grammars.ts'
import { cutPlaces } from '../support/collect.ts'
import { isThorough, sample } from '../support/extent.ts'
import { grammarOf, names } from '../support/known-grammars.ts'
import { root } from '../support/markdown.ts'

/** Inputs, each with all that its format has. The last line of none is ended. */
const INPUTS: Readonly<Record<string, string>> = {
  combined: String.raw`${'\ufeff'}192.0.2.1 - frank [22/Nov/2026:12:00:00 +0000] "GET /größe?a=b HTTP/1.1" 200 2326 "https://example.org/" "curl/8.5.0"
2001:db8::1 id a b [22/Nov/2026:12:00:01 -0330] "\x16\x03" - - "-" "-" "192.0.2.9"
h - - [22/Nov/2026:12:00:02 +0000] "-" 408 -`,
  csv: '\ufeffid,name\r\n1,"größe, ""木""\r\n🌳"\n\n,',
  json: '\ufeff\n{ "a" : [ 1, -2.5e-3, true, false, null, [ ], { } ], "größe" : "\\ud83c\\udf33\\n🌳" } ',
  'json-lines': '\ufeff{"a":[1,{"b":null}]}\n\n \t"🌳"  \r\n[]\n-0.5',
  logfmt: '\ufeffat=info msg="größe \\"木\\" \\u6728\\x21\\/\\ud83c\\udf33" flag empty= path=/?a=b  \r\n\n  x',
  ntriples:
    '# a\n\n<http://a.example/x> <http://a.example/\\u6728>\t_:b.1 . # b\n_:b <http://a.example/p> "größe\\n\\"\\U0001F333"@en-GB.\r\n_:0 <urn:p> "1"^^<urn:int>.',
  syslog:
    '<165>1 2026-11-22T12:00:00.000003-07:00 web-1 app 8710 ID47 [a@1 x="\\"\\]\\\\\\n" y=""][b] \ufeffgröße\n<0>1 - - - - - -\r\n<1>12 - - - - - - x',
  'syslog-bsd':
    "<34>Oct 11 22:14:15 web-1 su: 'su root' failed\nNov  2 12:00:00 web-1 sshd[123]: größe\r\n2026-11-22T12:00:00.123456+01:00 web-1 last message repeated 2 times",
}

const EXPECTED: Readonly<Record<string, readonly unknown[]>> = {
  combined: [
    {
      host: '192.0.2.1',
      ident: undefined,
      user: 'frank',
      time: '22/Nov/2026:12:00:00 +0000',
      method: 'GET',
      path: '/größe?a=b',
      protocol: 'HTTP/1.1',
      request: undefined,
      status: 200,
      bytes: 2326,
      referrer: 'https://example.org/',
      agent: 'curl/8.5.0',
      forwarded: undefined,
    },
    {
      host: '2001:db8::1',
      ident: 'id',
      user: 'a b',
      time: '22/Nov/2026:12:00:01 -0330',
      method: undefined,
      path: undefined,
      protocol: undefined,
      request: String.raw`\x16\x03`,
      status: undefined,
      bytes: undefined,
      referrer: undefined,
      agent: undefined,
      forwarded: '192.0.2.9',
    },
    {
      host: 'h',
      ident: undefined,
      user: undefined,
      time: '22/Nov/2026:12:00:02 +0000',
      method: undefined,
      path: undefined,
      protocol: undefined,
      request: undefined,
      status: 408,
      bytes: undefined,
      referrer: undefined,
      agent: undefined,
      forwarded: undefined,
    },
  ],
  csv: [{ cells: ['id', 'name'] }, { cells: ['1', 'größe, "木"\r\n🌳'] }, { cells: [''] }, { cells: ['', ''] }],
  json: [{ a: [1, -0.0025, true, false, null, [], {}], größe: '🌳\n🌳' }],
  'json-lines': [{ a: [1, { b: null }] }, '🌳', [], -0.5],
  logfmt: [
    {
      pairs: [
        { key: 'at', value: 'info' },
        { key: 'msg', value: 'größe "木" 木!/🌳' },
        { key: 'flag', value: undefined },
        { key: 'empty', value: '' },
        { key: 'path', value: '/?a=b' },
      ],
    },
    { pairs: [{ key: 'x', value: undefined }] },
  ],
  ntriples: [
    { subject: 'http://a.example/x', predicate: 'http://a.example/木', object: '_:b.1' },
    { subject: '_:b', predicate: 'http://a.example/p', literal: 'größe\n"🌳', language: 'en-GB', datatype: undefined },
    { subject: '_:0', predicate: 'urn:p', literal: '1', language: undefined, datatype: 'urn:int' },
  ],
  syslog: [
    {
      priority: 165,
      version: 1,
      timestamp: '2026-11-22T12:00:00.000003-07:00',
      hostname: 'web-1',
      appname: 'app',
      procid: '8710',
      msgid: 'ID47',
      data: [
        {
          id: 'a@1',
          parameters: [
            { name: 'x', value: '"]\\\\n' },
            { name: 'y', value: '' },
          ],
        },
        { id: 'b', parameters: [] },
      ],
      message: 'größe',
    },
    ...[
      [0, 1, undefined],
      [1, 12, 'x'],
    ].map(([priority, version, message]) => ({
      priority,
      version,
      timestamp: undefined,
      hostname: undefined,
      appname: undefined,
      procid: undefined,
      msgid: undefined,
      data: undefined,
      message,
    })),
  ],
  'syslog-bsd': [
    {
      priority: 34,
      timestamp: 'Oct 11 22:14:15',
      hostname: 'web-1',
      appname: 'su',
      procid: undefined,
      message: "'su root' failed",
    },
    {
      priority: undefined,
      timestamp: 'Nov  2 12:00:00',
      hostname: 'web-1',
      appname: 'sshd',
      procid: '123',
      message: 'größe',
    },
    {
      priority: undefined,
      timestamp: '2026-11-22T12:00:00.123456+01:00',
      hostname: 'web-1',
      appname: undefined,
      procid: undefined,
      message: 'last message repeated 2 times',
    },
  ],
}

/** Those whose records are lines. */
const OF_LINES = names.filter((name) => name !== 'json')

async function collect(
  grammar: Grammar,
  chunks: Iterable<Uint8Array | string>,
  emit?: string,
): Promise<GrammarValue[]> {
  const values: GrammarValue[] = []
  for await (const value of grammar.values(chunks, { emit })) values.push(value)
  return values
}

describe('the grammars that come along', () => {
  test.runIf(isThorough)('are those of grammars/, as modules', () => {
    const files = readdirSync(join(root, 'grammars')).filter((file) => file.endsWith('.bnf'))
    expect(names.map((name) => `${name}.bnf`).sort()).toEqual(files.sort())
    for (const [name, text] of KNOWN_GRAMMARS)
      expect(text).toBe(readFileSync(join(root, 'grammars', `${name}.bnf`), 'utf8'))
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate-grammars.ts', '--check'], { cwd: root })
  })

  test.each(names)('@%s says in its first line what it is for', (name) => {
    expect(summarize(KNOWN_GRAMMARS.get(name) as string)).toMatch(/^.{10,110}$/)
  })

  test.each(names)('@%s holds back nothing, and has nothing to warn of', (name) => {
    expect(grammarOf(name).warnings).toEqual([])
  })

  test.each(names)('@%s gives the same values complete, byte by byte and at every cut', async (name) => {
    const bytes = new TextEncoder().encode(INPUTS[name])
    const expected = EXPECTED[name]
    const grammar = grammarOf(name)
    expect(await collect(grammar, [bytes])).toStrictEqual(expected)
    expect(
      await collect(
        grammar,
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toStrictEqual(expected)
    for (const at of cutPlaces(bytes.length))
      expect(await collect(grammar, [bytes.slice(0, at), bytes.slice(at)])).toStrictEqual(expected)
    if (OF_LINES.includes(name)) expect(await collect(grammar, [`${INPUTS[name]}\n`])).toStrictEqual(expected)
  })

  test.each(OF_LINES)('@%s finds no records in nothing', async (name) => {
    expect(await collect(grammarOf(name), [])).toEqual([])
    expect(grammarOf(name).value('')).toEqual([])
  })

  test.each(OF_LINES)('@%s gives a record as soon as its line ends, without what comes after it', async (name) => {
    const line = `${INPUTS[name]?.split(/\r?\n(?= *\S)/).at(-1)}\n`
    let given = 0
    const counts: number[] = []
    async function* lines(): AsyncGenerator<string> {
      for (let i = 0; i < 3; i++) {
        yield line
        // The reader has had its turns.
        await new Promise((resolve) => setTimeout(resolve, 20))
        counts.push(given)
      }
    }
    for await (const _ of grammarOf(name).values(lines())) given++
    expect(counts).toEqual([1, 2, 3])
  })

  test.each(sample([...OF_LINES.map((name) => [name, undefined] as const), ['json', 'element'] as const], 1))(
    '@%s reads two megabytes while a fifth of it is held at the most',
    async (name, emit) => {
      const piece = name === 'json' ? `${INPUTS.json?.trim()},` : `${INPUTS[name]?.replace('\ufeff', '')}\n`
      const records = name === 'json' ? 1 : (EXPECTED[name] as unknown[]).length
      const many = piece.repeat(100)
      const rounds = Math.ceil(2_000_000 / many.length)
      function* pieces(): Generator<string> {
        if (name === 'json') yield '['
        for (let round = 0; round < rounds; round++) yield many
        if (name === 'json') yield '0]'
      }
      const maxRetained = 400_000
      let given = 0
      for await (const batch of grammarOf(name).values(pieces(), { emit, limits: { maxRetained } }).batches())
        given += batch.length
      expect(given).toBe(100 * rounds * records + (name === 'json' ? 1 : 0))
    },
  )
})

describe('@json', () => {
  test('gives the elements of an array, or the members of an object, one by one', async () => {
    expect(await collect(grammarOf('json'), ['[1, [2], {"a": ', '3}]'], 'element')).toEqual([1, [2], { a: 3 }])
    expect(await collect(grammarOf('json'), ['{"a": {"b": ', '1}, "c": 2}'], 'member')).toEqual([
      { key: 'a', value: { b: 1 } },
      { key: 'c', value: 2 },
    ])
  })

  test('has the last of members with one name', () => {
    expect(grammarOf('json').value('{"a": 1, "b": 2, "a": 3}')).toEqual({ a: 3, b: 2 })
  })

  test('refuses numbers that would be other numbers, or makes them null', () => {
    expect(() => grammarOf('json').value('12345678901234567890')).toThrow('a finite decimal number that is exact')
    const said = 'expected a finite decimal number that is exact if it is an integer for number, but found '
    expect(inCommandWords(`${said}"12345678901234567890" (line 1, column 1, byte 0)`)).toContain('--as number=int64')
    expect(inCommandWords(`${said}"1e999" (line 1, column 1, byte 0)`)).not.toContain('--as')
    expect(grammarOf('json').value('[1e400]', { lenient: true })).toEqual([null])
  })

  test.each(['json', 'json-lines'])('has numbers as text, or as whole numbers of 64 bits, in @%s too', (name) => {
    const value = (as: 'string' | 'int64') =>
      [grammarOf(name).value('[9007199254740993,-1]', { as: { number: as } })].flat(2)
    expect(value('string')).toEqual(['9007199254740993', '-1'])
    expect(value('int64')).toEqual([9007199254740993n, -1n])
    expect(() => grammarOf(name).value('1.5', { as: { number: 'int64' } })).toThrow(
      'a whole number from -9223372036854775808',
    )
  })

  test.each(['json', 'json-lines'])('skips a byte order mark in @%s at the start alone', (name) => {
    expect([grammarOf(name).value('\ufeff 1')].flat()).toEqual([1])
    for (const input of ['\ufeff\ufeff1', ' \ufeff1', '[\ufeff1]', '1\ufeff'])
      expect(() => grammarOf(name).value(input)).toThrow(ParseError)
  })
})

describe('@syslog-bsd', () => {
  /** The fields that a line has, without those that are absent. */
  const read = (line: string) => JSON.parse(JSON.stringify(grammarOf('syslog-bsd').value(line))) as unknown[]

  test.each([
    ['su[12]: msg', { appname: 'su', procid: '12', message: 'msg' }],
    ['kernel: usb 1-1: new device', { appname: 'kernel', message: 'usb 1-1: new device' }],
    ['su:', { appname: 'su', message: '' }],
    ['App::Tree: leaf', { appname: 'App::Tree', message: 'leaf' }],
    ['web-1 App::Tree: leaf', { hostname: 'web-1', appname: 'App::Tree', message: 'leaf' }],
    ['[12.3]: leaf', { message: '[12.3]: leaf' }],
    ['2001:db8::1 su: msg', { hostname: '2001:db8::1', appname: 'su', message: 'msg' }],
    ['::1 su: msg', { hostname: '::1', appname: 'su', message: 'msg' }],
    ['last message repeated 2 times', { message: 'last message repeated 2 times' }],
    ['--- last message repeated 2 times ---', { message: '--- last message repeated 2 times ---' }],
    ['last su: msg', { hostname: 'last', appname: 'su', message: 'msg' }],
    ['1234 su: msg', { hostname: '1234', appname: 'su', message: 'msg' }],
  ])('finds a host in %j only if there is one', (rest, fields) => {
    for (const time of ['Feb  5 17:32:18', '2026-02-05T17:32:18Z'])
      expect(read(`${time} ${rest}`)).toEqual([{ timestamp: time, ...fields }])
  })

  test.each(['2026 Feb  5 17:32:18', 'Feb  5 2026 17:32:18', 'Feb  5 17:32:18 1999'])(
    'has the year with the time in %j',
    (time) => {
      expect(read(`${time} web-1 su: msg`)).toEqual([
        { timestamp: time, hostname: 'web-1', appname: 'su', message: 'msg' },
      ])
      expect(read(`${time} su: msg`)).toEqual([{ timestamp: time, appname: 'su', message: 'msg' }])
    },
  )

  test.each([
    'Feb  5 17:32:18 su[12] msg',
    'Feb  5 17:32:18 (root) CMD',
    'Feb  5 17:32:18 word',
    'Feb  5 17:32:18 2026',
    'Feb 32 17:32:18 h m',
    'Feb  0 17:32:18 h m',
    'Feb  5 24:32:18 h m',
    'Feb  5 17:60:18 h m',
    '1826 Feb  5 17:32:18 h m',
    '2126 Feb  5 17:32:18 h m',
    '2026 Feb  5 2026 17:32:18 h m',
    '2026-13-05T17:32:18Z h m',
    '2026-02-05T17:32:18+24:00 h m',
  ])('refuses %j, which is not a form of it', (line) => {
    expect(() => read(line)).toThrow(ParseError)
  })
})

describe('what is wrong', () => {
  test.each([
    ['json', '[1, 2,]', 'expected a value or [ \\t\\n\\r], but found "]" (line 1, column 7, byte 6)'],
    ['json', '', 'expected a value, "\\ufeff" or [ \\t\\n\\r], but the input ends (line 1, column 1, byte 0)'],
    ['json', '{"a" 1}', 'expected ":" or [ \\t\\n\\r], but found "1" (line 1, column 6, byte 5)'],
    ['json', '["a\\q"]', 'expected ["\\\\/bfnrt] or "u", but found "q" (line 1, column 5, byte 4)'],
    ['json-lines', '{"a":\n1}', 'expected a value or [ \\t], but found "\\n" (line 1, column 6, byte 5)'],
    [
      'json-lines',
      '1 2',
      'expected the end of the line, end of input or [ \\t], but found "2" (line 1, column 3, byte 2)',
    ],
    [
      'csv',
      'a\nb"c",d',
      'put a cell that has quotation marks in quotes, and double those in it (line 2, column 2, byte 3)',
    ],
    ['csv', '"a"b,c', 'expected the end of the line, "," or end of input, but found "b" (line 1, column 4, byte 3)'],
    ['csv', '"a', 'expected [^"], "\\"\\"" or "\\"", but the input ends (line 1, column 3, byte 2)'],
    ['logfmt', 'a=1\n=2', 'expected a key, end of input or [ \\t\\r\\n], but found "=" (line 2, column 1, byte 4)'],
    [
      'combined',
      'h - - [22/Okt/2026:12:00:00 +0000] "',
      'expected a month: Jan, Feb, …, but found "O" (line 1, column 11, byte 10)',
    ],
    [
      'combined',
      'h - - [now] "',
      'expected a time like 22/Nov/2026:12:00:00 +0000, but found "n" (line 1, column 8, byte 7)',
    ],
    [
      'combined',
      'h - - [22/Nov/2026:12:00:00 +0000] "-" 200 1 "-"\n',
      'expected " \\"", but found "\\n" (line 1, column 49, byte 48)',
    ],
    [
      'combined',
      'example.org:80 192.0.2.1 - frank [22/Nov/2026:12:00:00 +0000] "GET /" 200 5',
      'a line begins with the host of the client; remove what stands before it (line 1, column 28, byte 27)',
    ],
    ['syslog', '<192>1 - - - - - -', 'expected [01] or ">", but found "2" (line 1, column 4, byte 3)'],
    ['syslog', '<1>1 2026-11-31T24:00:00Z', 'expected [0-3], but found "4" (line 1, column 18, byte 17)'],
    ['syslog', '<1>1 now', 'expected a time of RFC 3339 or "-", but found "n" (line 1, column 6, byte 5)'],
    [
      'syslog-bsd',
      'now',
      'expected a time like Nov 22 12:00:00, a time of RFC 3339, "<" or end of input, but found "n" (line 1, column 1, byte 0)',
    ],
    ['ntriples', '<http://a> "b" "c" .', 'expected an IRI or [ \\t], but found "\\"" (line 1, column 12, byte 11)'],
    [
      'ntriples',
      '<urn:a> <urn:b> "c"',
      'expected "@", "^^", "." or [ \\t], but the input ends (line 1, column 20, byte 19)',
    ],
  ])('is said by @%s of %j', (name, input, message) => {
    const refusal = () => grammarOf(name).value(input)
    expect(refusal).toThrow(ParseError)
    expect(refusal).toThrow(message)
  })
})
