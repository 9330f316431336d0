// Reading on after errors: the rounds that are dropped, compared with a naive interpreter that reads all again from the start after each error.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Grammar, GrammarError, LimitError, type SyntaxNode } from '../../source/grammar/index.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { everyCut } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../support/growth.ts'
import { makeRandomTerm, type Node, readOnNaively } from '../support/naive-grammar.ts'
import { Random } from '../support/random.ts'

/** Rules around random ones: `x`, `y` and `z`. */
const FRAMES = [
  'program ::= entry* ;',
  'program ::= "a" entry+ "c"? ;',
  'program ::= entry{* ","} ;',
  'program ::= "a" entry{+ "\\n"} "\\n"? ;',
  'program ::= ( entry | "b" z "\\n" )* ;',
  'program ::= ( entry ^ )* ;',
  'program ::= ( %";"* entry )* "c" ;',
  'program ::= section* ; section ::= "[" z "]" entry* ;',
  'program ::= section* ; section ::= "[" ( entry | z )+ "]" "\\n" ~> "]" ;',
  'program ::= ( "a" entry* ";" ) | ( "b" entry* ) ;',
]
/** What rounds begin and end with: none matches nothing. */
const STARTS = ['', '', '', '[ab]', '"a"']
const ENDS = ['"\\n"', '";"', '( "," | ";" @"no" | "\\n" )', '( "\\n" | &";" )', '&!"a"', '']
const SYNCS = ['"\\n"', '&"a"', '( ";" | "\\n" )', '[,\\n]+', '"b"?']

function makeGrammar(random: Random): string {
  // Of a repetition in itself, the naive interpreter cannot tell the rounds that begin at one place. How far a parse comes within the four bytes that decide is not
  // the same for all that looks ahead, cuts, or counts.
  const term = (): string => {
    const made = makeRandomTerm(random, 2).replaceAll('program', 'y')
    return /[&!^{~]/.test(made) ? term() : made
  }
  const start = random.below(STARTS.length)
  const end = random.below(start < 3 ? 3 : ENDS.length)
  return `${random.pick(FRAMES)}
    entry ::= ${STARTS[start]} ${term()} ${random.chance(0.5) ? term() : ''} ${ENDS[end]} ~> ${random.pick(SYNCS)} ;
    x ::= ${term()} ; y ::= ${term()} ; z ::= ${term()} ;`
}

function nodeOf({ type, start, end, value }: { type: string; start: number; end: number; value: unknown }): Node {
  return [type, start, end, typeof value === 'string' ? [] : (value as []).map(nodeOf)]
}

test('rounds with errors are dropped as a naive interpreter drops them, and byte by byte', async () => {
  const random = new Random(51)
  let dropped = 0
  let ended = 0
  for (let i = 0; i < (isThorough ? 2000 : 20); i++) {
    const text = makeGrammar(random)
    let grammar: Grammar
    try {
      grammar = Grammar.from(text)
    } catch (error) {
      if (error instanceof GrammarError) continue
      throw error
    }
    for (let j = 0; j < 4; j++) {
      const input = random
        .many(0, 14, () => random.pick(['a', 'a', 'b', 'b', 'c', 'é', ',', ';', '\n', '\n', '[', ']']))
        .join('')
      const expected = readOnNaively(grammar.rules, input)
      if (expected === 'too long') continue
      for (const engine of ['wasm', 'plain'] as const) {
        const errors: number[] = []
        const onError = ({ byteOffset }: ParseError) => errors.push(byteOffset)
        let tree: Node | undefined
        try {
          tree = nodeOf(grammar.parse(input, { engine, onError }))
        } catch (error) {
          if (error instanceof LimitError) continue
          if (!(error instanceof ParseError)) throw error
        }
        expect(
          grammar.errors(input, { engine }).map(({ byteOffset }) => byteOffset),
          `${text}\n${JSON.stringify(input)}`,
        ).toEqual(expected.errors)
        expect({ errors, tree }, `${text}\n${JSON.stringify(input)}`).toEqual({
          errors: expected.tree ? expected.errors : errors,
          tree: expected.tree,
        })
      }
      const bytes = Array.from(new TextEncoder().encode(input), (byte) => Uint8Array.of(byte))
      const errors: number[] = []
      await grammar
        .check(bytes, { onError: ({ byteOffset }) => errors.push(byteOffset) })
        .catch((error: ParseError) => {
          errors.push(error.byteOffset)
        })
      expect(errors, `${text}\n${JSON.stringify(input)}`).toEqual(expected.errors)
      dropped += expected.errors.length
      ended += Number(!expected.tree)
    }
  }
  expect(dropped).toBeGreaterThan(ended)
})

const SETTINGS = Grammar.from(String.raw`
  program ::= section* ;
  section ::= %"[" name:word %"]\n" pairs:pair* ;
  pair    ::= key:word %"=" ( value:word | %"\"" text:[^"]* %"\"" ) %"\n" ~> "\n" ;
  word    ::= [a-z]+ ;`)

/** What is yielded, and messages of errors, with how reading ended. */
async function readAll(
  grammar: Grammar,
  chunks: readonly Uint8Array[],
  emit?: string,
  engine: 'wasm' | 'plain' = 'wasm',
) {
  const errors: string[] = []
  const values: unknown[] = []
  try {
    const options = { emit, engine, onError: ({ message }: ParseError) => errors.push(message) }
    for await (const value of grammar.values(chunks, options)) values.push(value)
  } catch (error) {
    errors.push(`ends: ${(error as Error).message}`)
  }
  return { values, errors }
}

test.each([
  ['[a]\nb=c\n', [], 1],
  // An error in a line, and none but a line.
  ['[a]\nb\nc=d\n[e]\n', ['line 2'], 2],
  ['[a]\n\n1\nc=d\n', ['line 2', 'line 3'], 1],
  // A line break in quotes is none that ends a line: from the place of the error on, the next one is.
  ['[a]\nb="c\nd"e\nf=g\n', ['line 3'], 1],
  ['[a]\nb="c\nd=e\n', ['line 4'], 1],
  // No match before the end: the rest is one error.
  ['[a]\nb=c\nd=', ['line 3'], 1],
  // No round is open.
  ['a]\n', ['ends'], 0],
])('after errors in %j, reading continues with the next line, at every cut', async (text, lines, count) => {
  const input = new TextEncoder().encode(text)
  const whole = await readAll(SETTINGS, [input])
  expect(whole.errors).toHaveLength(lines.length)
  for (const [i, line] of lines.entries()) expect(whole.errors[i]).toContain(line)
  expect(whole.values).toHaveLength(count)
  expect(await readAll(SETTINGS, [input], undefined, 'plain')).toEqual(whole)
  for (const cut of everyCut(input)) expect(await readAll(SETTINGS, cut)).toEqual(whole)
  const messages = SETTINGS.errors(input).map(({ message }) => message)
  expect(messages).toEqual(whole.errors.map((message) => message.replace('ends: ', '')))
  if (lines[0] === 'ends') return
  expect(SETTINGS.value(input, { onError: 'skip' })).toEqual(whole.values)
  expect(lines.length > 0 || SETTINGS.value(input)).toEqual(lines.length > 0 || whole.values)
  await expect(SETTINGS.check(input, { onError: 'skip' })).resolves.toBeUndefined()
})

test('what says where reading continues may have repetitions in it that continue after errors themselves', () => {
  const itself = Grammar.from('program ::= item* ; item ::= "a" "\\n" ~> "[" item* "]" ;')
  expect(itself.errors('b').map(({ byteOffset }) => byteOffset)).toEqual([0])
  expect(itself.errors('a\nb[a\n]a\n').map(({ byteOffset }) => byteOffset)).toEqual([2])
  const rules = 'block ::= name:[a-z]+ %"{" line* %"}" ~> &all ; all ::= "<" line* ">" ; line ::= %[0-9]+ %";" ~> ";" ;'
  const grammar = Grammar.from(`program ::= block* ; ${rules}`)
  expect(grammar.errors('<1;>').map(({ byteOffset }) => byteOffset)).toEqual([0])
})

test('what was yielded of a round stays, and the error says so', async () => {
  const grammar = Grammar.from('program ::= list* ; list ::= %"(" item{* ","} %")" ~> ")" ; item ::= [a-z]+ ;')
  const { values, errors } = await readAll(grammar, [new TextEncoder().encode('(a,b,!)(c)')], 'item')
  expect(values).toEqual(['a', 'b', 'c'])
  expect(errors).toEqual([expect.stringContaining('parts of the same round before it were yielded')])
})

test('text that is not UTF-8 is an error of its round', async () => {
  const input = Uint8Array.of(0x61, 0x0a, 0x61, 0xff, 0xfe, 0x0a, 0x61, 0x0a)
  const grammar = Grammar.from('program ::= line* ; line ::= text:[a-z]+ %"\\n" ~> "\\n" ;')
  const { values, errors } = await readAll(grammar, [input])
  expect([values.length, errors.length]).toEqual([2, 1])
  for (const cut of everyCut(input)) expect(await readAll(grammar, cut)).toEqual({ values, errors })
})

test.each([
  // The end of line breaks is known only from what is next.
  [
    '"\\n"+',
    'good\n!bad\n\xffa\xfebc\nlast\n\xe2\x82',
    'good last',
    ['line 2, column 1', 'line 3, column 1', 'line 5, column 1'],
  ],
  ['[,\\n]+', 'good\n!\xffd\n\xff\xff\n,\xe2\n\xf0\x9f\n', 'good', ['line 2', 'line 3', 'line 4, column 2', 'line 5']],
  // What is not text farther on is that of the round in which it is.
  ['( "\\n" &( [^z]+ "z" ) | "\\n" )', '!\n\xe2\x82\xac\nok\nla\xffst\n', '€ ok', ['line 1', 'line 4, column 3']],
  ['"\\n" "\\r"?', '!\n\xff', '', ['line 1', 'line 2, column 1']],
  // A byte that is not text is one column.
  ['"\\n"', 'a\xff\x80\xe2\x82\xff!\xed\xa0\x80\nb\n', 'b', ['line 1, column 2']],
  [
    '&[^!]',
    '!\xff\x80\xe2\x82\xff!!\xc3\xa9\n',
    'é',
    ['column 1', 'column 2', 'column 3', 'column 4', 'column 5', 'column 6'],
  ],
])(
  'text that is not UTF-8 where %s was looked for in %j is an error of its round, at every cut',
  async (sync, latin1, texts, places) => {
    const grammar = Grammar.from(`program ::= line* ; line ::= text:( [^!\\n]+ ) %"\\n" ~> ${sync} ;`)
    const input = Buffer.from(latin1, 'latin1')
    for (const engine of ['wasm', 'plain'] as const) {
      const { values, errors } = await readAll(grammar, [input], undefined, engine)
      expect(values).toEqual(texts.split(' ').flatMap((text) => (text === '' ? [] : { text })))
      expect(errors).toHaveLength(places.length)
      for (const [i, place] of places.entries()) expect(errors[i]).toContain(place)
      for (const cut of everyCut(input))
        expect(await readAll(grammar, cut, undefined, engine)).toEqual({ values, errors })
      const messages: string[] = []
      expect(grammar.value(input, { engine, onError: ({ message }) => messages.push(message) })).toEqual(values)
      expect(messages).toEqual(errors)
      expect(grammar.errors(input, { engine }).map(({ message }) => message)).toEqual(errors)
    }
  },
)

test('values in which a text is not of its kind are left out, at every cut', async () => {
  const grammar = Grammar.from(
    'program ::= line* ; line ::= count:number %"\\n" ~> "\\n" ; number @integer ::= [0-9a-z]+ ;',
  )
  const input = new TextEncoder().encode('1\nx\n2\n!\nyz\n3\n')
  const { values, errors } = await readAll(grammar, [input])
  expect(values).toEqual([{ count: 1 }, { count: 2 }, { count: 3 }])
  expect(errors.map((message) => /line \d/.exec(message)?.[0])).toEqual(['line 2', 'line 4', 'line 5'])
  for (const cut of everyCut(input)) expect(await readAll(grammar, cut)).toEqual({ values, errors })
})

test('values before an error are yielded before it is reported, also if the function for errors throws', async () => {
  const grammar = Grammar.from('program ::= line* ; line ::= x:[a-z]+ %"\\n" ~> "\\n" ;')
  const input = new TextEncoder().encode('a\nb\n!\nc\n')
  const read = async (chunks: readonly Uint8Array[], engine: 'wasm' | 'plain', stops: boolean) => {
    const seen: unknown[] = []
    const onError = (error: ParseError) => {
      seen.push(`line ${error.line}`)
      if (stops) throw error
    }
    try {
      for await (const { x } of grammar.values(chunks, { engine, onError }) as AsyncIterable<{ x: string }>)
        seen.push(x)
    } catch (error) {
      seen.push(`ends: ${(error as ParseError).line}`)
    }
    return seen
  }
  for (const engine of ['wasm', 'plain'] as const) {
    for (const cut of [[input], ...everyCut(input)]) {
      expect(await read(cut, engine, false)).toEqual(['a', 'b', 'line 3', 'c'])
      expect(await read(cut, engine, true)).toEqual(['a', 'b', 'line 3', 'ends: 3'])
    }
  }
})

test('parts of a dropped round that could yet be undone are not yielded, and those after it are, at every cut', async () => {
  const grammar = Grammar.from(String.raw`
    program ::= ( head line* ";" ) | ( head line* "." ) ;
    head    ::= "h"+ ;
    line    ::= ( item+ ( "x" | @"no" ) | item+ "z" ) "\n" ~> "\n" ;
    item    ::= [a-c] ;`)
  const input = new TextEncoder().encode('habx\nabcq\nabx\nabcx\n;')
  for (const cut of [[input], ...everyCut(input)]) {
    for (const engine of ['wasm', 'plain'] as const) {
      const seen: string[] = []
      const onError = ({ line }: ParseError) => seen.push(`line ${line}`)
      for await (const { start, end } of grammar.stream(cut, { emit: 'item', engine, onError }))
        seen.push(`${start}-${end}`)
      expect(seen).toEqual(['1-2', '2-3', 'line 2', '10-11', '11-12', '14-15', '15-16', '16-17'])
    }
  }
})

test('what is missing at the end is an error also after a line that is dropped, at every cut', async () => {
  const grammar = Grammar.from('program ::= "H\\n" line* "." ; line ::= key:[a-z]+ %"\\n" ~> "\\n" ;')
  for (const [text, lines] of [
    ['H\na\n', [3]],
    ['H\na\n!\n', [3, 4]],
    ['H\na\n!\nb\n', [3, 5]],
    // Nothing says that another line begins: the rest is one error.
    ['H\na\n!', [3]],
    ['H\na\n!\n.', [3]],
  ] as const) {
    const input = new TextEncoder().encode(text)
    expect(
      grammar.errors(input).map(({ line }) => line),
      text,
    ).toEqual(lines)
    for (const engine of ['wasm', 'plain'] as const) {
      for (const cut of [[input], ...everyCut(input)]) {
        const errors: (number | undefined)[] = []
        await grammar
          .check(cut, { engine, onError: ({ line }) => errors.push(line) })
          .catch(({ line }: ParseError) => errors.push(line))
        expect(errors, text).toEqual(lines)
      }
    }
  }
})

test('values for which a function throws are left out, too', async () => {
  const grammar = Grammar.from(
    'program ::= line* ; line ::= name:[a-z]+ %" " size:size %"\\n" ~> "\\n" ; size @integer ::= [0-9]+ ;',
  ).map<{ line: string }>({
    line: (line) => {
      const { name, size } = line as { name: string; size: number }
      if (size > 90) throw new RangeError(`${name} is too large`)
      return name
    },
  })
  const input = new TextEncoder().encode('a 1\nb 99\nc x\nd 3\n')
  const mapped = grammar as unknown as Grammar
  const { values, errors } = await readAll(mapped, [input])
  expect(values).toEqual(['a', 'd'])
  expect(errors).toEqual([
    'b is too large (line 2, column 1, byte 4)',
    'expected [0-9], but found "x" (line 3, column 3, byte 11)',
  ])
  for (const cut of everyCut(input)) expect(await readAll(mapped, cut)).toEqual({ values, errors })
})

test('a function stops reading by throwing, and without ~> there is nothing to continue with', async () => {
  const stop = () => {
    throw new Error('enough')
  }
  expect(() => SETTINGS.value('[a]\nb', { onError: stop })).toThrow('enough')
  const grammar = Grammar.from('program ::= "a"* ;')
  expect(() => grammar.parse('b', { onError: 'skip' })).toThrow('no rule says where that begins')
  expect(() => grammar.values('b', { onError: 'other' as 'skip' })).toThrow('onError must be stop, skip or a function')
  expect(grammar.errors('b')).toHaveLength(1)
})

/** Of each grammar that comes along and reads lines: a good line, and one with an error after a line break in quotes, or none where it has no such. */
const LINES: Readonly<Record<string, readonly [good: string, bad: string]>> = {
  combined: [
    'h - - [22/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1\n',
    'h - - [22/Nov/2026:12:00:00 +0000] "GET\n',
  ],
  csv: ['a,"b\nc"\n', 'a,"b\nc"d\n'],
  'json-lines': ['{"a": 1}\n', '{"a": "b\n'],
  logfmt: ['a=b c="d"\n', 'a="b\n'],
  ntriples: ['<a:b> <a:c> "d" .\n', '<a:b> <a:c> "d\n'],
  'syslog-bsd': ['<1>Nov 22 12:00:00 h p: m\n', '<1>Nov 33 12:00:00 h p: "\n'],
  syslog: ['<1>1 - - - - - -\n', '<1>1 - - - - - [a b="c\n'],
}

test.each(Object.entries(LINES))('%s drops lines with errors', async (name, [good, bad]) => {
  const grammar = Grammar.from(readFileSync(new URL(`../../grammars/${name}.bnf`, import.meta.url), 'utf8'))
  const { values } = await readAll(grammar, [new TextEncoder().encode(good + good)])
  expect(values).toHaveLength(2)
  for (const text of [good + bad + good, bad + good + good, `${good}${good}${bad}`]) {
    const input = new TextEncoder().encode(text)
    const read = await readAll(grammar, [input])
    expect(read.values, text).toEqual(values)
    expect(read.errors, text).toHaveLength(1)
    expect(
      await readAll(
        grammar,
        Array.from(input, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(read)
  }
})

test('nodes after text that is not UTF-8 have their own texts', () => {
  const grammar = Grammar.from('program ::= item* ; item ::= [^;!\\xff]+ %";" ~> ";" ;')
  const tree = grammar.parse(Buffer.from('a;\xff\xff\xff;bcd;\xe2\x82\xacuv;e;', 'latin1'), { onError: 'skip' })
  const items = (tree.value as SyntaxNode[]).flatMap(({ value }) => value as SyntaxNode[])
  expect(items.map((item) => (item.value as SyntaxNode[])[0]?.text)).toEqual(['a', 'bcd', '€uv', 'e'])
})

test('errors are found in a time that grows as they do', async () => {
  const grammar = Grammar.from('program ::= line* ; line ::= [a-z]+ "\\n" ~> "\\n" ;')
  const makeInput = (count: number) => `${'!'.repeat(100)}\n`.repeat(count)
  expect(grammar.errors(makeInput(300)).at(-1)).toMatchObject({ line: 300, column: 1, byteOffset: 299 * 101 })
  if (!isThorough) return
  const make = (count: number) => {
    const input = makeInput(count)
    return async () => expect(grammar.errors(input)).toHaveLength(count)
  }
  expect(await growthOf({ count: 500, make })).toBeLessThan(MOST_GROWTH)
})
