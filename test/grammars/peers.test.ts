// What the command line prints with the grammars that come along is what established readers of the formats make of inputs that others wrote. fixtures/formats/README.md says where they are from.
// To run a command takes longer than all else here: in npm test the library gives most of the values.

import { parse as parseCsv } from 'csv-parse/sync'
import { Parser, type Quad } from 'n3'
import { describe, expect, test } from 'vitest'
import { ParseError } from '../../source/text/parse-error.ts'
import { run } from '../support/command.ts'
import { isThorough } from '../support/extent.ts'
import { grammarOf, readSuite, type SuiteCase } from '../support/known-grammars.ts'

let inputs = 0
/** One of so many inputs is given to a command in npm test. */
const PACE = 40

/** What is printed for an input, as values; undefined if it is refused. */
async function print(grammar: string, input: Buffer, ...options: string[]): Promise<unknown[] | undefined> {
  if (!isThorough && options.length === 0 && inputs++ % PACE > 0) return await readValues(grammar, input)
  const { code, stdout, stderr } = await run(['parse', '--grammar', `@${grammar}`, '--allow-empty', ...options], input)
  if (code === 0) return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
  expect(code).toBe(3)
  expect(stderr).toMatch(/^xylem: standard input: .+/)
  return undefined
}

async function readValues(grammar: string, input: Buffer): Promise<unknown[] | undefined> {
  const values: unknown[] = []
  try {
    for await (const value of grammarOf(grammar).values([new Uint8Array(input)])) values.push(value)
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
    return undefined
  }
  return asPrinted(values)
}

/** Values as JSON has them: nothing that is undefined, and no -0. */
const asPrinted = <Value>(values: Value): Value => values && (JSON.parse(JSON.stringify(values)) as Value)

/** What a peer makes of an input; undefined if it throws. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const text = ({ input }: SuiteCase): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input)

describe('JSON', () => {
  // Infinite, or not exact as a number of JavaScript.
  const refusedNumbers =
    /^i_number_(huge_exp|neg_int_huge_exp|pos_double_huge_exp|real_(neg|pos)_overflow|too_big_neg_int|very_big_negative_int)$/
  const suite = readSuite('json-test-suite')
  // What the file of the suite would be that is too large for a fixture.
  const deep = ['['.repeat(100_000), '[{"":'.repeat(50_000)].map((input, i) => ({
    ...(suite[0] as SuiteCase),
    name: `n_deep_${i}`,
    input: Buffer.from(input),
  }))

  test.runIf(isThorough)('is accepted and read as JSON.parse does it', async () => {
    let [accepted, refused] = [0, 0]
    for (const one of [...suite, ...deep]) {
      const printed = await print('json', one.input)
      // JSON.parse refuses a byte order mark, which RFC 8259 lets a reader skip.
      const parsed = asPrinted(attempt(() => [JSON.parse(text(one).replace(/^\ufeff/, '')) as unknown]))
      if (refusedNumbers.test(one.name)) expect([one.name, printed]).toEqual([one.name, undefined])
      else expect([one.name, printed]).toEqual([one.name, parsed])
      if (one.name.startsWith('y_')) expect([one.name, printed !== undefined]).toEqual([one.name, true])
      if (one.name.startsWith('n_')) expect([one.name, printed]).toEqual([one.name, undefined])
      if (printed) accepted++
      else refused++
    }
    expect([accepted, refused]).toEqual([110, 208])
  })

  test('is read in lines as well', async () => {
    const valid = suite.filter(({ name, input }) => name.startsWith('y_') && !input.includes('\n'))
    const printed = await print('json-lines', Buffer.concat(valid.flatMap(({ input }) => [input, Buffer.from('\r\n')])))
    expect(printed).toEqual(asPrinted(valid.map((one) => JSON.parse(text(one)) as unknown)))
  })
})

describe('CSV', () => {
  const suite = [...readSuite('csv-spectrum'), ...readSuite('csv-parser')]

  test('has the cells that csv-parse finds', async () => {
    let refused = 0
    for (const one of suite) {
      const printed = (await print('csv', one.input)) as { cells: string[] }[] | undefined
      const parsed = attempt(() => parseCsv(one.input, { bom: true, relax_column_count: true }) as string[][])
      expect([one.name, printed?.map(({ cells }) => cells)]).toEqual([one.name, parsed])
      if (!printed) refused++
    }
    expect([suite.length, refused]).toEqual([34, 3])
  })

  test.runIf(isThorough)('has the records that csv-parse makes with the names of the first row', async () => {
    for (const one of suite) {
      const parsed = attempt(() => parseCsv(one.input, { bom: true, columns: true }) as object[])
      const named = await print('csv', one.input, '--header')
      // Of names that are there twice, csv-parse takes the last.
      if (one.name === 'empty-columns') expect(named).toBe(undefined)
      else expect([one.name, named]).toEqual([one.name, parsed])
    }
  })
})

test('N-Triples are read as the suite of W3C wants it, and as N3 reads them', async () => {
  const toRecord = ({ subject, predicate, object }: Quad): object => {
    const nameOf = (term: Quad['subject'] | Quad['object']) =>
      term.termType === 'BlankNode' ? `_:${term.value}` : term.value
    const rest =
      object.termType === 'Literal'
        ? { literal: object.value, language: object.language || undefined, datatype: object.datatype.value }
        : { object: nameOf(object) }
    return { subject: nameOf(subject), predicate: predicate.value, ...rest }
  }
  // N3 says of each literal what it is, and writes languages small.
  const toSame = (record: Record<string, string>): object => {
    if (record.literal === undefined) return record
    const implied = `http://www.w3.org/${record.language ? '1999/02/22-rdf-syntax-ns#langString' : '2001/XMLSchema#string'}`
    return { ...record, language: record.language?.toLowerCase(), datatype: record.datatype ?? implied }
  }
  const suite = readSuite('n-triples')
  let refused = 0
  for (const one of suite) {
    const printed = (await print('ntriples', one.input)) as Record<string, string>[] | undefined
    const parser = new Parser({ format: 'N-Triples', blankNodePrefix: '' })
    const parsed = attempt(() => parser.parse(text(one)).map(toRecord))
    expect([one.name, printed?.map(toSame)]).toEqual([one.name, parsed])
    expect([one.name, printed === undefined]).toEqual([one.name, one.name.includes('-bad-')])
    if (!printed) refused++
  }
  expect([suite.length, refused]).toEqual([72, 29])
})

describe('logs', () => {
  /** Compares what is printed with what was recorded of another reader; the names of cases that differ. */
  async function findDifferent(
    grammar: string,
    suite: string,
    toSame: (values: unknown[]) => unknown,
    toSameRecorded: (value: unknown) => unknown = (value) => value,
  ): Promise<string[]> {
    const different: string[] = []
    for (const one of readSuite(suite)) {
      const printed = await print(grammar, one.input)
      const recorded = one.error === undefined ? toSameRecorded(one.value) : undefined
      try {
        expect(printed && toSame(printed)).toEqual(recorded)
      } catch {
        different.push(text(one))
      }
    }
    return different
  }

  test('of Apache have the fields that apachelogs finds', async () => {
    const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
    const toInstant = (time: string) => {
      const [, day, month = '', year, clock, zone, minutes] = /^(\d+)\/(\w+)\/(\d+):(\S+) (...)(..)$/.exec(time) ?? []
      return Date.parse(`${year}-${`${MONTHS.indexOf(month) + 1}`.padStart(2, '0')}-${day}T${clock}${zone}:${minutes}`)
    }
    // apachelogs puts characters for escapes, and leaves the request line as it is.
    const putCharacters = (written?: string) =>
      written?.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex: string | undefined, character: string) =>
        hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    const toSame = ([entry]: unknown[]) => {
      const { method, path, protocol, request, time = '', ...rest } = entry as Record<string, string>
      const line =
        request ??
        (method === undefined ? undefined : [method, path, protocol].filter((part) => part !== undefined).join(' '))
      return { ...rest, time: toInstant(time), request: putCharacters(line), agent: putCharacters(rest.agent) }
    }
    const toSameRecorded = (value: unknown) => ({
      ...(value as object),
      time: Date.parse((value as { time: string }).time),
    })
    expect(await findDifferent('combined', 'access-log', toSame, toSameRecorded)).toEqual([
      // An empty request line is absent.
      '192.0.2.8 - - [01/Jan/2026:00:00:02 +0000] "" 400 226 "-" "-"',
    ])
  })

  test('of syslog have the fields that go-syslog finds', async () => {
    type Element = { id: string; parameters: { name: string; value: string }[] }
    const toSame = (entries: unknown[]) => {
      const [{ data, timestamp, ...rest }] = entries as [{ data?: Element[]; timestamp?: string }]
      const pairs = data?.map(({ id, parameters }) => [
        id,
        Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
      ])
      return {
        ...rest,
        timestamp: timestamp && Date.parse(timestamp),
        data: pairs && Object.fromEntries(pairs),
        count: entries.length,
      }
    }
    const toSameRecorded = (value: unknown) => {
      const { timestamp } = value as { timestamp?: string }
      return { ...(value as object), timestamp: timestamp && Date.parse(timestamp), count: 1 }
    }
    expect(await findDifferent('syslog', 'syslog', toSame, toSameRecorded)).toEqual([
      // Nothing is no message, and a message may be empty.
      '',
      '<165>222 2003-08-24T05:14:15.000003-07:00 - - - - - ',
      // Elements with the same id are read.
      '<165>3 2003-10-11T22:14:15.003Z example.com evnts - ID27 [id1][id1]',
      '<165>3 2003-10-11T22:14:15.003Z example.com evnts - ID27 [dupe e="1"][id1][dupe class="l"]',
      // A backslash before anything but `"`, `\` and `]` is one (section 6.3.3).
      '<29>8 2016-01-15T01:00:43Z hn S - - [meta escape="\\n"] 127.0.0.1 - - 1452819643 "GET"',
      // The byte order mark says that a message is UTF-8 (section 6.4), and is not part of it.
      '<1>1 - - - - - - \ufeff',
      '<1>1 - - - - - - \ufeff 𐌼',
      // A line is a message.
      '<1>1 - - - - - - x\ny',
      '<1>2 - - - - - - x\ny',
    ])
  })

  test('of the older syslog have the fields that go-syslog finds', async () => {
    expect(await findDifferent('syslog-bsd', 'syslog-bsd', ([entry]) => entry)).toEqual([])
  })

  test('in logfmt have the pairs that go-logfmt finds', async () => {
    type Line = { pairs: { key: string; value?: string }[] }
    const toSame = (lines: unknown[]) =>
      (lines as Line[]).map(({ pairs }) => pairs.map(({ key, value = '' }) => [key, value]))
    // Empty lines are skipped.
    const toSameRecorded = (lines: unknown) => (lines as unknown[][]).filter(({ length }) => length > 0)
    expect(await findDifferent('logfmt', 'logfmt', toSame, toSameRecorded)).toEqual([
      // Control characters are no blanks.
      'y=f  \n\x1e y=g',
      // A blank separates pairs.
      'y="f\\n"y=g',
      // `=` may be in a value, as in path=/?a=b.
      'a==',
      'a=1\nk=b=ar',
      // U+FFFD is a character.
      'a\ufffd=bar',
    ])
  })
})
