// What errors of a parse say. Each is tested with complete input, byte by byte and at every cut, on both engines.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Grammar, GrammarError, type GrammarOptions } from '../../source/grammar/index.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { everyCut } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'
import { makeRandomGrammar, makeRandomInput } from '../support/naive-grammar.ts'
import { Random } from '../support/random.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const
/** Of some 60 KB each. */
const CHUNKS = isThorough ? 20 : 3

interface UnplacedError {
  error: ParseError
  /** Message, excerpt and rules, a line each. */
  lines: string[]
}

/** What is wrong with an input: the same, however it is parsed. */
async function explain(
  source: string,
  input: string | Uint8Array,
  { entry = 'program', ...options }: GrammarOptions & { entry?: string } = {},
): Promise<UnplacedError> {
  const grammar = Grammar.from(source, options)
  const bytes = typeof input === 'string' ? encoder.encode(input) : input
  const error = catchError(() => grammar.parse(bytes, { entry }))
  expect(error).toBeInstanceOf(ParseError)
  for (const engine of ENGINES) {
    expect(compare(catchError(() => grammar.parse(input, { entry, engine })))).toEqual(compare(error))
    for (const pieces of everyCut(bytes)) {
      expect(compareCut(await readError(grammar, pieces, entry, engine))).toEqual(compareCut(error))
    }
  }
  expect(grammar.test(bytes, { entry })).toBe(false)
  return { error: error as ParseError, lines: (error as ParseError).report().split('\n') }
}

function catchError(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

async function readError(
  grammar: Grammar,
  pieces: Uint8Array[],
  entry: string,
  engine: 'wasm' | 'plain',
): Promise<unknown> {
  try {
    for await (const _ of grammar.stream(pieces, { entry, engine }));
    return undefined
  } catch (error) {
    return error
  }
}

function compare(error: unknown): object {
  const { message, code, byteOffset, line, column, expected, rules, excerpt } = error as ParseError
  return { message, code, byteOffset, line, column, expected, rules, excerpt }
}

/** The same without what stands after the error: that may not have arrived. */
function compareCut(error: unknown): object {
  const { excerpt = '' } = error as ParseError
  const [text = '', caret = ''] = excerpt.split('\n')
  return { ...compare(error), excerpt: [text.slice(0, caret.length - 1), caret] }
}

const JSON_GRAMMAR = `
program ::= %ws* value %ws* ;
value   ::= object | array | string | number ;
object  ::= %( "{" ws* ) ( pair ( %( ws* "," ws* ) pair )* )? %( ws* "}" ) ;
pair    ::= string %( ws* ":" ws* ) value ;
array   ::= %( "[" ws* ) ( value ( %( ws* "," ws* ) value )* )? %( ws* "]" ) ;
string  ::= %"\\"" ...( [^"\\\\]* ) %"\\"" ;
number  ::= ...( [0-9]+ ) ;
ws @"white space" ::= [ \\t\\r\\n] ;
`

describe('a message', () => {
  test('names blanks last, as a class, literals, a rule or a label, since they can stand nearly anywhere', async () => {
    const rules = 'program ::= ( word ws "=" ws value ws ";" ws )+ ; word ::= [a-z]+ ; value ::= [0-9]+ | "(" ;'
    for (const [ws, name] of [
      ['ws ::= [ \\t\\r\\n]* ;', '[ \\t\\r\\n]'],
      ['ws ::= ( " " | "\\t" )* ;', '" " or "\\t"'],
      ['ws ::= ( " " | "\\t" | "\\r" | "\\n" )* ;', 'ws'],
      ['ws @"a blank" ::= [ \\n]* ;', 'a blank'],
    ] as const) {
      const or = name.includes(' or ') ? ', ' : ' or '
      const { error } = await explain(`${rules} ${ws}`, 'a=')
      expect(error.message).toContain(`expected [0-9], "("${or}${name}, but the input ends`)
      expect(error.expected?.slice(0, 2)).toEqual(['[0-9]', '"("'])
      expect((await explain(`${rules} ${ws}`, 'a ! 3')).error.expected?.[0]).toBe('"="')
    }
  })

  test('leaves line ends where they are, and blanks that are all that is expected', async () => {
    const { error } = await explain('program ::= "a" ( "," | "\\r\\n" | [\\n] )+ "b" ;', 'a,x')
    expect(error.expected).toEqual(['","', '"\\r\\n"', '[\\n]', '"b"'])
    expect((await explain('program ::= "a" [ ]+ "b" ;', 'ab')).error.expected).toEqual(['[ ]'])
  })

  test('says how many of the open rules it leaves out', async () => {
    const { error, lines } = await explain('program ::= "(" program ")" | "x" ;', '('.repeat(20))
    expect(error.rules).toHaveLength(21)
    expect(lines.at(-1)).toBe(`  in … 13 more > ${Array.from({ length: 8 }, () => 'program').join(' > ')}`)
    expect((await explain('program ::= "(" program ")" | "x" ;', '('.repeat(7))).lines.at(-1)).not.toContain('more')
  })

  test('names what is missing in a file of two lines, and where: the line, the column, the rules', async () => {
    const { error, lines } = await explain(JSON_GRAMMAR, '{"a": 1,\n "b" 2}')
    expect(lines).toEqual([
      'expected ":" or white space, but found "2" (line 2, column 6, byte 14)',
      '   "b" 2}',
      '       ^',
      '  in program > value > object > pair',
    ])
    expect(error).toMatchObject({
      code: 'unexpected-input',
      line: 2,
      column: 6,
      byteOffset: 14,
      expected: ['":"', 'white space'],
      rules: ['program', 'value', 'object', 'pair'],
    })
  })

  test('is about the same place in the example grammar for JSON', async () => {
    const source = readFileSync(new URL('../../fixtures/grammar/json/json.bnf', import.meta.url), 'utf8')
    const { error } = await explain(source, '{"a": 1,\n "b" 2}')
    expect(error).toMatchObject({ line: 2, column: 6 })
    expect(error.expected).toContain('":"')
  })

  test('has labels first, then names of rules that stand for many things, then literals and classes', async () => {
    const source = `
      program ::= ( "x" | color | [0-9] | size )+ ";" ;
      color ::= "red" | "green" | "blue" | "white" ;
      size @"a size" ::= "small" | "large" ;`
    const { error } = await explain(source, 'x?')
    expect(error.expected).toEqual(['a size', 'color', '"x"', '[0-9]', '";"'])
    expect(error.message).toBe('expected a size, color, "x", [0-9] or ";", but found "?" (line 1, column 2, byte 1)')
  })

  test('names a rule that stands for a few things by these things', async () => {
    const { error } = await explain('program ::= color ; color ::= "red" | "green" ;', 'x')
    expect(error.expected).toEqual(['"red"', '"green"'])
  })

  test('names the outermost of rules that begin with many things', async () => {
    const source = `
      program ::= "(" expression ")" ;
      expression ::= term ( "+" term )* ;
      term ::= "a" | "b" | "c" | "d" | "e" ;`
    const { error } = await explain(source, '(+')
    expect(error.expected).toEqual(['expression'])
    expect(error.rules?.[0]).toBe('program')
  })

  test('is about the farthest place that was come to, though other options failed before', async () => {
    const source = 'program ::= statement* ; statement ::= ( "let " name ";" ) | ( "loop" ) ; name ::= [a-z]+ ;'
    const { error } = await explain(source, 'looplet x!')
    expect(error).toMatchObject({ byteOffset: 9, expected: ['[a-z]', '";"'] })
  })

  test('is about what comes after a repetition, where that came farther than a round that a look-ahead refuses', async () => {
    const source = 'program ::= !( ~"abc" | "b" | "aa" )* "a" ;'
    for (const [input, byteOffset] of [
      ['aa', 1],
      ['xaab', 2],
      ['ab', 1],
      ['xxAbc', 2],
      ['xa', 2],
    ] as const) {
      expect((await explain(source, input)).error).toMatchObject({ byteOffset })
    }
  })

  test('is about the place where options differ, when none of them continues', async () => {
    const { error } = await explain('program ::= "select" | "set" ;', 'sex')
    expect(error.expected).toEqual(['"select"', '"set"'])
    expect(error.byteOffset).toBe(0)
  })

  test('does not say what a look-ahead has tried', async () => {
    const { error } = await explain('program ::= &( "ab" "c" ) "abd" | "x" ;', 'abd', { dialect: 'xylem' })
    expect(error.byteOffset).toBe(0)
    expect(error.expected).not.toContain('"c"')
  })

  test('has all that a look-ahead asks for, where its beginning alone may be there', async () => {
    const rules = 'pair ::= name "=" [0-9]+ ";" ; head ::= name "=" ; name @"a name" ::= [a-z] [a-z0-9]* ;'
    for (const [ahead, expected] of [
      ['&( name "=" )', 'name "="'],
      ['&( ...( [a-z1]+ ) ( "=" | ":=" ) [ ]? )', '[a-z1]+ ( "=" or ":=" ) [ ]?'],
      ['&( name+ ( "=" [0-9] ){1,3} )', 'name+ ( "=" [0-9] ){1,3}'],
      ['&[0-9a-z]{2}', '[0-9a-z]{2}'],
      ['&head', 'head'],
    ]) {
      const { error } = await explain(`program ::= ( ${ahead} pair )* ; ${rules}`, 'a1=1;b:2;')
      expect(error).toMatchObject({ byteOffset: 5, expected: [expected, 'end of input'] })
    }
    const { error } = await explain(`program ::= &( "<?xml" [ ] ) "<?xml " ;`, '<?x')
    expect(error).toMatchObject({ code: 'unexpected-end', byteOffset: 0, expected: ['"<?xml" [ ]'] })
  })

  test('has what a look-ahead begins with, where that is all that it asks for', async () => {
    const rules = 'letter ::= [a-z] ; sign @"a sign" ::= "+" | "-" ;'
    for (const ahead of ['&( letter | sign | "0" )', '&letter | &( ...( sign | "0" )+ )']) {
      const { error } = await explain(`program ::= "(" ( ${ahead} ) [^]* ; ${rules}`, '(!')
      expect(error.expected).toEqual(['a sign', '[a-z]', '"0"'])
    }
  })

  test('does not have a look-ahead that has succeeded, but what comes after it', async () => {
    for (const [number, expected] of [
      ['[0-9]+ &[ )\\]]', ['[0-9]', '";"']],
      ['[0-9]+ &![^ )\\]]', ['[0-9]', '";"']],
      ['[0-9]+ &( ")" | "]" | "é" )', ['[0-9]', '";"']],
      ['[0-9]+ &end ; end ::= ")" | "]!"', ['[0-9]', '";"']],
      ['[0-9]+ &( [)] "\\n" )', ['[0-9]', '[)] "\\n"']],
      ['&( [0-9] [)] ) [0-9] &[)] &")" "!"', ['"!"']],
    ] as const) {
      const { error } = await explain(`program ::= "[" n ";" ; n ::= ${number} ;`, '[1)')
      expect(error).toMatchObject({ byteOffset: 2, expected })
    }
    const { error: first } = await explain('program ::= &[a-z] "b" ;', 'c')
    expect(first).toMatchObject({ byteOffset: 0, expected: ['"b"'] })
    const { error: either } = await explain('program ::= ( &[a-z] "b" ) | [a-z] "!" ;', 'c')
    expect(either).toMatchObject({ byteOffset: 1, expected: ['"!"'] })
  })

  test('does not have what can never match', async () => {
    const { error } = await explain('program ::= !( "a"? ) | "b" ;', 'cd', { dialect: 'xylem' })
    expect(error.expected).toEqual(['"b"'])
  })

  test('says what must not follow', async () => {
    const { error } = await explain('program ::= !"-" "x" ;', '-x')
    expect(error.expected).toEqual(['anything but "-"'])
  })

  test('lists a dozen things, and that there are more', async () => {
    const options = Array.from('abcdefghijklmnop', (letter) => `"${letter}${letter}"`).join(' | ')
    const { error } = await explain(`program ::= "(" ( ${options} ) ")" ;`, '(?')
    expect(error.message).toMatch(/something else, but found "\?"/)
  })
})

describe('the place', () => {
  test('is counted in UTF-16 units from the start of the line, and in bytes from the start of the input', async () => {
    const { error, lines } = await explain('program ::= ( [^!]* "\\n" )* ;', 'é\r\n🌳é!x\nnext')
    expect(error).toMatchObject({ line: 2, column: 4, byteOffset: 10 })
    expect(lines[1]).toBe('  🌳é!x')
    // A terminal shows the tree in two cells.
    expect(lines[2]).toBe('     ^')
  })

  test('is shown with a caret under it, in a line that is cut where it is long', async () => {
    const { lines } = await explain('program ::= [a-z ]* ;', `${'word '.repeat(40)}!${' word'.repeat(40)}`)
    const [, text = '', caret = ''] = lines
    expect(text.length).toBeLessThan(100)
    expect(text.startsWith('  …')).toBe(true)
    expect(text.endsWith('…')).toBe(true)
    expect(text[caret.indexOf('^')]).toBe('!')
  })

  test('is the end of the input, where more should have come', async () => {
    const { error, lines } = await explain('program ::= "a" rest ; rest ::= "b" ;', 'a')
    expect(error).toMatchObject({ code: 'unexpected-end', byteOffset: 1, line: 1, column: 2, expected: ['"b"'] })
    expect(lines).toEqual([
      'expected "b", but the input ends (line 1, column 2, byte 1)',
      '  a',
      '   ^',
      '  in program > rest',
    ])
  })

  test('is the start of text within which the input ends: more could have completed it', async () => {
    const source = 'program ::= "<" ( "true" | ~"null" | "été" | [0-9]+ ) "-->" ;'
    for (const [input, begun] of [
      ['<tr', 'tr'],
      ['<NuL', 'NuL'],
      ['<ét', 'ét'],
    ] as const) {
      const { error } = await explain(source, input)
      expect([error.code, error.byteOffset]).toEqual(['unexpected-end', 1])
      expect(error.message).toBe(
        `expected "true", ~"null", "été" or [0-9], but the input ends after "${begun}" (line 1, column 2, byte 1)`,
      )
    }
    const { error } = await explain(source, '<true--')
    expect([error.code, error.byteOffset]).toEqual(['unexpected-end', 5])
    expect(error.message).toContain('expected "-->", but the input ends after "--"')
    for (const input of ['<trx', '<trux-->', '<true--.', '<n!', '<Éé']) {
      expect((await explain(source, input)).error.code).toBe('unexpected-input')
    }
  })

  test('is that also of a text that is longer than what a message shows', async () => {
    const text = 'abcdefghij'.repeat(300)
    const { error } = await explain(`program ::= "${text}" ;`, text.slice(0, 2500))
    expect(error.code).toBe('unexpected-end')
    expect(error.message).toContain(`, but the input ends after "${text.slice(0, 40)}…" (line 1`)
    expect((await explain(`program ::= "${text}" ;`, `${text.slice(0, 2500)}!`)).error.code).toBe('unexpected-input')
  })

  test('is the start of what is left over, with what could have gone on', async () => {
    const { error } = await explain('program ::= item* ; item ::= [a-z] ";" ;', 'a;b;!')
    expect(error).toMatchObject({ code: 'unexpected-input', byteOffset: 4, expected: ['[a-z]', 'end of input'] })
  })

  test('is the start of the input, where it is empty', async () => {
    const { error } = await explain('program ::= "a" ;', '')
    expect(error).toMatchObject({ code: 'unexpected-end', byteOffset: 0, line: 1, column: 1 })
  })

  test('is correct after much input that was freed', async () => {
    const grammar = Grammar.from('program ::= line* ; line ::= %word %"\\n" ; word ::= [a-zé]+ ;')
    const count = isThorough ? 10_000 : 3000
    const chunk = encoder.encode('wordé\n'.repeat(count))
    function* source() {
      for (let i = 0; i < CHUNKS; i++) yield chunk
      yield encoder.encode('wo!rd\n')
    }
    for (const engine of ENGINES) {
      const reading = (async () => {
        for await (const nodes of grammar.stream(source(), { emit: 'line', engine }).batches())
          expect(nodes).toBeTruthy()
      })()
      await expect(reading).rejects.toMatchObject({
        code: 'unexpected-input',
        byteOffset: CHUNKS * chunk.length + 2,
        line: CHUNKS * count + 1,
        column: 3,
        expected: ['[a-zé]', '"\\n"'],
        excerpt: 'wo!rd\n  ^',
      })
    }
  })
})

describe('a labelled failure', () => {
  const source = 'program ::= item* ; item ::= [a-z] ( ";" | @"an item ends with a semicolon" ) ;'

  test('says what the grammar says, where it stands', async () => {
    const { error, lines } = await explain(source, 'a;b?')
    expect(error).toMatchObject({ code: 'labelled-failure', byteOffset: 3, rules: ['program', 'item'] })
    expect(lines[0]).toBe('an item ends with a semicolon (line 1, column 4, byte 3)')
    expect(error.expected).toBeUndefined()
  })

  test('counts where nothing failed beyond it', async () => {
    const source = 'program ::= "{" pair{* ","} ( "}" | @"the brace is not closed" ) ; pair ::= [a-z]+ "=" [0-9]+ ;'
    const { error } = await explain(source, '{a=12,b=x}')
    expect(error).toMatchObject({
      code: 'unexpected-input',
      column: 9,
      expected: ['[0-9]'],
      rules: ['program', 'pair'],
    })
    const { error: end } = await explain(source, '{a=12,b=')
    expect(end).toMatchObject({ code: 'unexpected-end', expected: ['[0-9]'] })
    const { error: labelled } = await explain(source, '{a=12;b=x}')
    expect(labelled).toMatchObject({ code: 'labelled-failure', column: 6 })
  })

  test('is not caught by other options, but by a look-ahead', async () => {
    const { error } = await explain('program ::= ( "a" @"no" ) | "ab" ;', 'ab')
    expect(error.code).toBe('labelled-failure')
    const grammar = Grammar.from('program ::= &!( "a" @"no" ) "ab" ;')
    expect(grammar.test('ab')).toBe(true)
  })
})

describe('text that is not UTF-8', () => {
  const malformed: [string, number[], number][] = [
    ['a byte that never stands in it', [0x61, 0xff, 0x61], 1],
    ['a continuation without a start', [0x61, 0x61, 0x80], 2],
    ['a sequence that is broken off', [0xc3, 0x61], 0],
    ['a sequence that is cut off by the end', [0x61, 0xf0, 0x9f, 0x8c], 1],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
    ['a character that is too long', [0xc0, 0x80], 0],
  ]

  test.each(malformed)('is reported where it begins: %s', async (_, bytes, offset) => {
    const { error } = await explain('program ::= [^]* ;', new Uint8Array(bytes))
    expect(error).toMatchObject({ code: 'malformed-text', byteOffset: offset, column: offset + 1 })
    expect(error.message).toContain('not valid UTF-8')
  })

  test('does not matter after an earlier error', async () => {
    const bytes = new Uint8Array([...encoder.encode('ab!'), ...new Array<number>(50).fill(0x61), 0xff])
    const { error } = await explain('program ::= [a-z]* ;', bytes)
    expect(error).toMatchObject({ code: 'unexpected-input', byteOffset: 2 })
  })
})

test('what is expected depends on the grammar alone, not on which nodes are wanted', async () => {
  const random = new Random(1)
  let compared = 0
  for (let i = 0; i < (isThorough ? 150 : 45); i++) {
    const grammar = makeGrammar(random)
    for (const input of grammar ? random.many(3, 3, () => makeRandomInput(random)) : []) {
      const expected = compareCut(catchError(() => (grammar as Grammar).parse(input)))
      if (!(catchError(() => (grammar as Grammar).parse(input)) instanceof ParseError)) continue
      expect(compareCut(await (grammar as Grammar).check(input).catch((error) => error))).toEqual(expected)
      compared++
      for (const emit of ['x', 'y', 'z']) {
        const nodes = catchError(() => (grammar as Grammar).stream([encoder.encode(input)], { emit }))
        if (nodes instanceof RangeError) continue // the rule cannot be reached
        const error = await readAll(nodes as AsyncIterable<unknown>)
        expect(compareCut(error)).toEqual(expected)
        compared++
      }
    }
  }
  expect(compared).toBeGreaterThan(isThorough ? 50 : 10)
})

function makeGrammar(random: Random): Grammar | undefined {
  try {
    return Grammar.from(makeRandomGrammar(random), { dialect: 'xylem' })
  } catch (error) {
    if (error instanceof GrammarError) return undefined
    throw error
  }
}

async function readAll(nodes: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of nodes);
    return undefined
  } catch (error) {
    return error
  }
}

test('an excerpt shows what follows the error, wherever it is cut', async () => {
  const grammar = Grammar.from('program ::= "a"+ "b" ;', { dialect: 'xylem' })
  const bytes = encoder.encode('aa木木')
  for (let length = 5; length <= bytes.length; length++) {
    const error = await readAll(grammar.stream([bytes.subarray(0, length), bytes.subarray(length)]))
    expect((error as ParseError).excerpt).toBe('aa木木\n  ^')
  }
})
