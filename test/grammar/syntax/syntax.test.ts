import { describe, expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/grammar.ts'
import type { Expression } from '../../../source/grammar/syntax/expression.ts'
import { type Dialect, parseGrammar } from '../../../source/grammar/syntax/syntax.ts'
import { isThorough, range } from '../../support/extent.ts'

/** An expression as text: `<…>` where a group or a choice stands without brackets, `[97-122]` for a class, counts in braces. */
function write(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return `${expression.ignoresCase ? '~' : ''}${JSON.stringify(expression.text)}`
    case 'class': {
      const ranges = expression.ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`))
      return `[${expression.isNegated ? '^' : ''}${ranges}]${writeCount(expression)}`
    }
    case 'not':
      return `!${write(expression.operand)}${writeCount(expression)}`
    case 'reference':
      return expression.name
    case 'group':
      return enclose(expression.items.map(write).join(' '), expression.isBracketed)
    case 'choice':
      return enclose(expression.options.map(write).join(' | '), expression.isBracketed)
    case 'repeat':
      if (!expression.separator) return `${write(expression.operand)}${expression.suffix}`
      return `${write(expression.operand)}{${expression.suffix} ${write(expression.separator)}}`
    case 'omit':
      return `%${write(expression.operand)}`
    case 'gather':
      return `...${write(expression.operand)}`
    case 'look':
      return `&${expression.isNegative ? '!' : ''}${write(expression.operand)}`
    case 'cut':
      return '^'
    case 'failure':
      return `@${JSON.stringify(expression.message)}`
    case 'field':
      return `${expression.name}${expression.isFlag ? '?' : ''}:${write(expression.operand)}`
    case 'fold':
      return `${expression.name}:<`
  }
}

const enclose = (text: string, isBracketed: boolean) => (isBracketed ? `(${text})` : `<${text}>`)

function writeCount({ count: { min, max } }: Extract<Expression, { kind: 'class' | 'not' }>): string {
  return min === 1 && max === 1 ? '' : `{${min},${max}}`
}

/** The members of a rule with this body. */
function read(body: string, dialect: Dialect = 'bnf-parser'): string {
  const { rules, found } = parseGrammar(`x ::= ${body} ;`, dialect)
  expect(found.problems).toEqual([])
  expect(rules.length).toBe(1)
  return (rules[0]?.members ?? []).map(write).join(' ')
}

/** The problems of a text, each as `line:column message`. */
function listProblems(text: string, dialect: Dialect = 'bnf-parser'): string[] {
  return parseGrammar(text, dialect).found.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

describe('sequence and choice without brackets', () => {
  test.each([
    ['"a" "b" "c"', '"a" "b" "c"', '"a" "b" "c"'],
    ['"a" | "b" | "c"', '<"a" | "b" | "c">', '<"a" | "b" | "c">'],
    ['"a" "b" | "c"', '<<"a" "b"> | "c">', '<<"a" "b"> | "c">'],
    ['"a" | "b" "c"', '<"a" | "b"> "c"', '<"a" | <"b" "c">>'],
    ['a b | c d', '<<a b> | c> d', '<<a b> | <c d>>'],
    ['"p" "q" | "r" "s" | "t" | "u"', '<<<<"p" "q"> | "r"> "s"> | "t" | "u">', '<<"p" "q"> | <"r" "s"> | "t" | "u">'],
    ['("a" | "b") | "c"', '<("a" | "b") | "c">', '<("a" | "b") | "c">'],
    ['a ( b | c d ) e', 'a (<b | c> d) e', 'a (b | <c d>) e'],
  ])('%s folds in one dialect, and has precedence in the other', (body, folded, byPrecedence) => {
    expect(read(body)).toBe(folded)
    expect(read(body, 'xylem')).toBe(byPrecedence)
  })

  test('covers from the first character of the first option to the last of the last', () => {
    for (const dialect of ['bnf-parser', 'xylem'] as const) {
      const { rules } = parseGrammar('x ::= "a"  |  "b" ;', dialect)
      expect(rules[0]?.members[0]?.at).toEqual({ start: 6, end: 17 })
    }
  })

  test('is read in time that grows with the number of options only', () => {
    const body = Array.from({ length: 50_000 }, (_, i) => `"${i}"`).join(' | ')
    const { rules } = parseGrammar(`x ::= ${body} ;`, 'bnf-parser')
    expect(rules[0]?.members[0]).toMatchObject({ kind: 'choice', options: { length: 50_000 } })
  })
})

describe('brackets', () => {
  test.each([
    ['("a" "b")', '("a" "b")'],
    ['("a")', '("a")'],
    ['(("a"))', '(("a"))'],
    ['("a" | "b")', '("a" | "b")'],
    ['(("a" | "b"))', '(("a" | "b"))'],
    ['( ( a b ) | c )', '((a b) | c)'],
    ['("a"->"z")', '([97-122])'],
  ])('%s is a group, unless a choice stands in it', (body, expected) => {
    for (const dialect of ['bnf-parser', 'xylem'] as const) expect(read(body, dialect)).toBe(expected)
  })

  test('round a choice belong to the choice', () => {
    const { rules } = parseGrammar('x ::= ( "a" | "b" ) ;', 'bnf-parser')
    expect(rules[0]?.members[0]).toMatchObject({ kind: 'choice', isBracketed: true, at: { start: 6, end: 19 } })
  })

  test.each(['bnf-parser', 'xylem'] as const)(
    'nested 100,000 deep are a problem, not a stack overflow (%s)',
    (dialect) => {
      const deep = `x ::= ${'('.repeat(100_000)}"a"${')'.repeat(100_000)} ; y ::= "b" ;`
      const { rules, found } = parseGrammar(deep, dialect)
      expect(found.problems.map(({ message }) => message)).toEqual([
        'brackets and choices are nested too deep: more than 500',
      ])
      expect(rules.map(({ name }) => name)).toEqual(['y'])
    },
  )

  test('that are closed again do not count', () => {
    expect(listProblems(`x ::= ${'("a" "b") '.repeat(2000)} ;`)).toEqual([])
    expect(listProblems(`x ::= ${'("a" "b" | "c") '.repeat(2000)} ;`)).toEqual([])
  })

  test('are not needed for a problem: each choice that follows a sequence is a level, where they fold', () => {
    const alternation = `x ::= ${'"a" "b" | '.repeat(isThorough ? 100_000 : 20_000)}"c" ;`
    expect(listProblems(alternation).length).toBe(1)
    expect(listProblems(alternation, 'xylem')).toEqual([])
    expect(listProblems(`x ::= ${'"a" "b" | '.repeat(400)}"c" ;`)).toEqual([])
  })
})

describe('prefixes and suffixes', () => {
  test.each([
    ['"a"? b* (c)+', '"a"? b* (c)+'],
    ['"a"->"z"*', '[97-122]{0,Infinity}'],
    ['[a-z]{2,5}', '[97-122]{2,5}'],
    ['!"a"*', '!"a"{0,Infinity}'],
    ['!("a"*)', '!("a"*)'],
    ['!"a"->"z"+', '![97-122]{1,Infinity}'],
    ['%"a"*', '%"a"*'],
    ['...x+', '...x+'],
    ['%...!x?', '%...!x{0,1}'],
    ['&x* &!"a"{2}', '&x* &!"a"{2}'],
    ['x{2} x{2,} x{2,65535}', 'x{2} x{2,} x{2,65535}'],
    ['~"select"?', '~"select"?'],
    ['^ @"a message" ^', '^ @"a message" ^'],
  ])('%s bind as they should', (body, expected) => {
    expect(read(body)).toBe(expected)
  })

  test.each([
    ['{2}', 2, 2],
    ['{2,}', 2, Number.POSITIVE_INFINITY],
    ['{0,1}', 0, 1],
    ['?', 0, 1],
    ['*', 0, Number.POSITIVE_INFINITY],
    ['+', 1, Number.POSITIVE_INFINITY],
  ])('%s counts', (suffix, min, max) => {
    const { rules } = parseGrammar(`x ::= y${suffix} ;`, 'xylem')
    expect(rules[0]?.members[0]).toMatchObject({ kind: 'repeat', suffix, count: { min, max } })
  })

  test.each(['{0}', '{0,0}', '{3,2}', '{65536}', '{1,65536}', '{65536,}'])('%s is not a valid count', (suffix) => {
    const message = '8 a count must be a number from 1 to 65535, or two in ascending order'
    expect(listProblems(`x ::= y${suffix} ;`)).toEqual([`1:${message}`])
  })

  test.each([
    '!%"a"',
    '!..."a"',
    '...%"a"',
    '%%"a"',
    '!!"a"',
    '! "a"',
    '% "a"',
    '"a" *',
    '"a"**',
    '"a"{2}{3}',
    '&&"a"',
  ])('%s is refused', (body) => {
    expect(listProblems(`x ::= ${body} ;`).length).toBe(1)
  })
})

describe('a literal', () => {
  test.each([
    ['"\\b\\f\\n\\r\\t\\v"', '\b\f\n\r\t\v'],
    ['"a\\n"', 'a\n'],
    ['"a\\"b"', 'a"b'],
    ['"\\\\"', '\\'],
    ['"\\x41\\xe9"', 'Aé'],
    ['"\\u6728"', '木'],
    ['"\\ud83c\\udf33"', '🌳'],
    ['"🌳"', '🌳'],
    ['"\\x4"', 'x4'],
    ['"\\u12"', 'u12'],
    ['"\\u{41}"', 'u{41}'],
    ['"\\q"', 'q'],
    ['"a\nb"', 'a\nb'],
    ['""', ''],
    ['"a;b#c"', 'a;b#c'],
  ])('%s is read with its escapes, wherever they stand', (body, text) => {
    expect(read(body)).toBe(JSON.stringify(text))
  })

  test.each(['"\\ud83c"', '"\\udf33"', '"\\udf33\\ud83c"', '"\ud83c"', '~"\\ud83c"'])(
    '%j with half a pair is refused',
    (body) => {
      expect(listProblems(`x ::= ${body} ;`)).toEqual([
        expect.stringContaining('half of a surrogate pair is not a character'),
      ])
    },
  )

  test('that is not closed is reported where it begins', () => {
    expect(listProblems('x ::= "a ;\ny ::= b ;\n')).toEqual(['1:7 the quotes are not closed'])
  })
})

describe('a class', () => {
  test.each([
    ['[a-z_]', '[97-122,95]'],
    ['[^a-z]', '[^97-122]'],
    ['[^]', '[^]'],
    ['[-a]', '[45,97]'],
    ['[a-]', '[97,45]'],
    ['[a-c-]', '[97-99,45]'],
    ['[\\]\\-\\^\\\\]', '[93,45,94,92]'],
    ['[a^]', '[97,94]'],
    ['[\\n\\x41\\u6728]', '[10,65,26408]'],
    ['[\\u{1F333}]', '[127795]'],
    ['[\\u{1F333}-\\u{1F335}]', '[127795-127797]'],
    ['[\\ud83c\\udf33-🌵]', '[127795-127797]'],
    ['[";#]', '[34,59,35]'],
    ['[\\d.]', '[48-57,46]'],
    ['[^\\w-]', '[^48-57,65-90,95,97-122,45]'],
    ['[\\D]', '[0-47,58-1114111]'],
    ['"\\ud83c\\udf33"->"🌵"', '[127795-127797]'],
    ['"z"->"a"', '[122-97]'],
    ['"a" # first\n -> # last\n "z"', '[97-122]'],
  ])('%s is of code points', (body, expected) => {
    expect(read(body)).toBe(expected)
  })

  test.each([
    ['[]', '1:7 the class is empty'],
    ['[z-a]', '1:8 the range is in descending order'],
    ['[\\ud83c]', '1:8 half of a surrogate pair is not a character'],
    ['[\\udf33]', '1:8 half of a surrogate pair is not a character'],
    ['[\\u{110000}]', '1:9 this code point does not exist'],
    ['[\\d-z]', '1:8 a range goes from one character to another'],
    ['[a-\\w]', '1:8 a range goes from one character to another'],
    ['[\\p{L}]', '1:8 properties of characters (\\p) are not known'],
    ['[a\\Pn]', '1:9 properties of characters (\\P) are not known'],
    ['"ab"->"z"', '1:7 the end of a range must be one character'],
    ['"a"->"yz"', '1:12 the end of a range must be one character'],
    ['"a"->""', '1:12 the end of a range must be one character'],
  ])('%s is refused', (body, expected) => {
    expect(listProblems(`x ::= ${body} ;`)).toEqual([expected])
  })

  test.each(['\\d', '\\s', '\\w', '\\D', '\\S', '\\W'])('%s is as in JavaScript', (written) => {
    const grammar = Grammar.from(`program ::= [${written}] ;`)
    const pattern = new RegExp(`^${written}$`, 'u')
    const wrong: number[] = []
    for (const point of [...range(0, 0x3100), ...range(0xfe00, 0x10000), 0x10000, 0x10ffff]) {
      const character = String.fromCodePoint(point)
      if (grammar.test(character) !== pattern.test(character)) wrong.push(point)
    }
    expect(wrong).toEqual([])
  })

  test.each(['[', '[a', '[a-', '[\\', '[a-\\', '[^'])('%s that is not closed is reported where it begins', (body) => {
    expect(listProblems(`x ::= ${body}`)).toEqual(['1:7 the class is not closed'])
  })
})

describe('a rule', () => {
  test('has a name, a label, members, and its places', () => {
    const { rules } = parseGrammar(' number @"a number" ::= [0-9]+ ; x ::= "a" ;', 'xylem')
    expect(rules).toMatchObject([
      { name: 'number', label: 'a number', at: { start: 1, end: 32 }, nameAt: { start: 1, end: 7 } },
      { name: 'x', label: undefined, at: { start: 33, end: 44 }, nameAt: { start: 33, end: 34 } },
    ])
  })

  test.each([
    'x ::="a";',
    'x\t::=\r\n"a"\n;',
    'x#c\n::= "a" ; # ::= ;',
    '\ufeffx ::= "a" ;',
    '# first\n\nx ::= "a" ;\n',
  ])('%j may have blanks and comments', (text) => {
    const { rules, found } = parseGrammar(text, 'bnf-parser')
    expect(found.problems).toEqual([])
    expect(rules.flatMap(({ members }) => members.map(write))).toEqual(['"a"'])
  })

  test.each([
    ['x::= "a" ;', '1:2 expected a space between the name and "::=", but found ":"'],
    ['x ::= "a" ;\ry ::= "b" ;', '1:12 expected the name of a rule, but found "\\r"'],
    ['1x ::= "a" ;', '1:1 expected the name of a rule, but found "1"'],
    ['a-b ::= "a" ;', '1:2 expected "::=", but found "-"'],
    ['x = "a" ;', '1:3 expected "::=", but found "="'],
    ['x ::= "a"', '1:10 expected ";", but the grammar ends'],
    ['x ::= "a" ) ;', '1:11 expected ";", but found ")"'],
    ['x ::= ( "a" ;', '1:13 expected ")", but found ";"'],
    ['', '1:1 the grammar has no rules'],
    ['# nothing\n', '2:1 the grammar has no rules'],
  ])('%j is refused', (text, expected) => {
    for (const dialect of ['bnf-parser', 'xylem'] as const) expect(listProblems(text, dialect)).toEqual([expected])
  })

  test.each(['', '| "a"', '"a" |', '"a" | | "b"', '()', '( | "a" )', "'a'"])('%j as its body is refused', (body) => {
    for (const dialect of ['bnf-parser', 'xylem'] as const) {
      expect(listProblems(`x ::= ${body} ;`, dialect)).toEqual([
        expect.stringContaining('expected a literal, a name, a class or a bracket'),
      ])
    }
  })

  test('that lacks its semicolon is reported, and the next one is read', () => {
    const { rules, found } = parseGrammar('x ::= "a"\ny ::= z\nz # name\n::= "c" ;', 'bnf-parser')
    expect(found.problems.map(({ line, column, message }) => [line, column, message])).toEqual([
      [2, 1, '";" is missing before this rule'],
      [3, 1, '";" is missing before this rule'],
    ])
    expect(rules.map(({ name }) => name)).toEqual(['z'])
  })

  test('is not seen in a comment', () => {
    expect(read('y #::= z\n "a"')).toBe('y "a"')
  })
})

test('each rule that is wrong is reported, and the others are read', () => {
  const text = 'a ::= * ; b ::= "x" ; c ::= !%"a;" ; # ;\nd ::= b | ; e ::= b ;'
  const { rules, found } = parseGrammar(text, 'bnf-parser')
  expect(rules.map(({ name }) => name)).toEqual(['b', 'e'])
  expect(found.problems.map(({ line, column }) => [line, column])).toEqual([
    [1, 7],
    [1, 30],
    [2, 11],
  ])
})

test.each([
  ["'a'", 'put literals in double quotes'],
  ['"a" *', 'put the count directly after what it counts, without a space'],
  ['"a" |', 'use "?" for something that can be absent'],
  ['!%"a"', 'use the order % ... ! without spaces after them'],
])('%s comes with a hint', (body, hint) => {
  expect(parseGrammar(`x ::= ${body} ;`, 'bnf-parser').found.problems[0]?.suggestion).toBe(hint)
})

describe('fields', () => {
  test.each([
    ['key:name "=" value:[a-z]+', 'key:name "=" value:[97-122]{1,Infinity}'],
    ['tags:word*', 'tags:word*'],
    ['key:...( a b )', 'key:...(a b)'],
    ['key:...!"x"*', 'key:...!"x"{0,Infinity}'],
    ['_a1:( x | y )', '_a1:(x | y)'],
    ['bold?:"*"', 'bold?:"*"'],
    ['term ( left:< op:[+] right:term )*', 'term (left:< op:[43] right:term)*'],
    ['a:b::c', undefined],
  ])('%s names what follows', (body, expected) => {
    if (expected === undefined) expect(listProblems(`x ::= ${body} ;`)).toHaveLength(1)
    else for (const dialect of ['bnf-parser', 'xylem'] as const) expect(read(body, dialect)).toBe(expected)
  })

  test.each([
    ['a: b', 'expected what the field a holds directly after the colon, but found a blank'],
    ['a:%b', 'what is omitted gives nothing that a field could hold'],
    ['a:&b', 'this gives nothing that a field could hold'],
    ['a:^', 'this gives nothing that a field could hold'],
    ['a:b:c', 'what has a name already cannot have another one'],
    ['a?:<', 'expected a literal, a name, a class or a bracket, but found "<"'],
    ['a:', 'expected what the field a holds directly after the colon, but found a blank'],
    [`${'a'.repeat(1001)}:b`, 'a name is longer than 1000 characters'],
  ])('%s is refused', (body, message) => {
    expect(listProblems(`x ::= ${body} ;`)[0]?.replace(/^\S+ /, '')).toBe(message)
  })

  test('the name of a rule without a blank before "::=" is not one', () => {
    expect(listProblems('x::= "a" ;')).toEqual(['1:2 expected a space between the name and "::=", but found ":"'])
    expect(listProblems('x ::= "a" y ::= "b" ;')).toEqual(['1:11 ";" is missing before this rule'])
  })
})

describe('separated repetitions', () => {
  test.each([
    ['x{* comma}', 'x{* comma}'],
    ['x{+ ","}', 'x{+ ","}'],
    ['x{*","}', 'x{* ","}'],
    ['x{* %"," ws }', 'x{* <%"," ws>}'],
    ['x{* ( "," | ";" )}', 'x{* ("," | ";")}'],
    ['[a-z]{+ " "}', '[97-122]{+ " "}'],
    ['!"x"{* ","}', '!"x"{* ","}'],
    ['f:x{* s{+ t}}', 'f:x{* s{+ t}}'],
  ])('%s has a separator', (body, expected) => {
    for (const dialect of ['bnf-parser', 'xylem'] as const) expect(read(body, dialect)).toBe(expected)
  })

  test.each([
    ['x{* }', 'expected a literal, a name, a class or a bracket, but found "}"'],
    ['x{* ","', 'expected "}", but found ";"'],
    ['x{? ","}', 'expected a literal, a name, a class or a bracket, but found "{"'],
  ])('%s is refused', (body, message) => {
    expect(listProblems(`x ::= ${body} ;`)[0]?.replace(/^\S+ /, '')).toBe(message)
  })

  test('they can be nested as deep as brackets', () => {
    expect(read(`${'x{* '.repeat(500)}"," ${'}'.repeat(500)}`)).toContain('x{* ')
    expect(listProblems(`x ::= ${'x{* '.repeat(501)}"," ${'}'.repeat(501)} ;`)[0]).toContain(
      'nested too deep: more than 500',
    )
  })
})

describe('annotations of rules', () => {
  const annotationsOf = (text: string) => {
    const { rules, found } = parseGrammar(text, 'xylem')
    expect(found.problems).toEqual([])
    const { label, textKind, notation, isMap } = rules[0] as (typeof rules)[number]
    return [label, textKind, notation, ...(isMap ? ['map'] : [])]
  }

  test('a rule has a label, a kind of text, a notation and @map, in any order', () => {
    expect(annotationsOf('x ::= "a" ;')).toEqual([undefined, undefined, undefined])
    expect(annotationsOf('x @integer ::= "a" ;')).toEqual([undefined, 'integer', undefined])
    expect(annotationsOf('x @percent @"an x" @number::= "a" ;')).toEqual(['an x', 'number', 'percent'])
    expect(annotationsOf('x @json-string ::= "a" ;')).toEqual([undefined, undefined, 'json-string'])
    expect(annotationsOf('x @map @"an x" ::= y* ; y ::= a:"a" b:"b" ;')).toEqual(['an x', undefined, undefined, 'map'])
  })

  test.each([
    ['x @whole ::= "a" ;', /what the rule gives, but found/],
    ['x @integer @number ::= "a" ;', /@integer is here already/],
    ['x @map @map ::= "a" ;', /@map is here already/],
    ['x @"a" @"b" ::= "a" ;', /a rule has one label/],
    ['x @ integer ::= "a" ;', /what the rule gives, but found " "/],
  ])('%s is refused', (text, message) => {
    expect(listProblems(text)[0]).toMatch(message)
  })
})

describe('the word end', () => {
  const source = 'lines ::= line* ; line ::= text:[a-z]+ ( "\\n" | end ) ;'

  test('is the end of the input', () => {
    expect(Grammar.from(source).value('ab\ncd')).toEqual([{ text: 'ab' }, { text: 'cd' }])
    expect(() => Grammar.from(source).value('ab1')).toThrow('expected [a-z], "\\n" or end of input, but found "1"')
    expect(Grammar.from(source, { dialect: 'bnf-parser' }).test('ab\ncd')).toBe(true)
  })

  test('is a rule, where one has that name', () => {
    expect(Grammar.from('line ::= [a-z] end ; end ::= "." ;').test('a.')).toBe(true)
    expect(Grammar.from('end ::= "." end? ;').test('..')).toBe(true)
  })

  test('may be counted, omitted and looked ahead to like any other look-ahead', () => {
    expect(() => Grammar.from('line ::= end* ;')).toThrow('end can match nothing, but is repeated with *')
    expect(Grammar.from('line ::= %end | ( &end | "a" ) ( &!end "b" )? !end* ;').test('abc')).toBe(true)
  })
})
