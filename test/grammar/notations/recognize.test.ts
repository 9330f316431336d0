import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Grammar, GrammarError, type Problem } from '../../../source/grammar/index.ts'
import { KNOWN_GRAMMARS } from '../../../source/grammars/known-grammars.ts'
import { parameters } from '../../support/property.ts'

/** The problems that are reported of a text. */
function problemsOf(text: string, dialect: 'xylem' | 'bnf-parser' = 'bnf-parser'): readonly Problem[] {
  try {
    Grammar.from(text, { dialect })
    return []
  } catch (error) {
    if (error instanceof GrammarError) return error.problems
    throw error
  }
}

interface Case {
  /** What the notation is called. */
  readonly name: string
  readonly grammar: string
  /** The first rule, as it is written here. */
  readonly rule: string
}

const CASES: readonly Case[] = [
  {
    name: 'BNF with names in angle brackets',
    grammar: '<digit> ::= "0" | "1"\n<postal address> ::= <digit> <digit>\n',
    rule: 'digit ::= "0" | "1" ;',
  },
  {
    name: 'BNF with names in angle brackets',
    grammar: ' <signed-number> ::= "-" <digit> <digit> | <digit> | ""\n <digit> ::= "0"',
    rule: 'signed_number ::= ( ( "-" digit digit ) | digit )? ;',
  },
  {
    name: 'BNF with names in angle brackets',
    grammar: '<integer> ::= [ "-" ] <digit> { <digit> }\n<digit> ::= "0" | "1"',
    rule: 'integer ::= ( "-" )? digit ( digit )* ;',
  },
  {
    name: 'EBNF as in ISO 14977',
    grammar: '(* numbers *)\nnatural number = digit without zero, { digit } ;\ndigit without zero = "1" | \'2\' ;',
    rule: 'natural_number ::= digit_without_zero ( digit )* ;',
  },
  { name: 'EBNF as in ISO 14977', grammar: 'digit = "0" | "1" ;', rule: 'digit ::= "0" | "1" ;' },
  { name: 'EBNF as in ISO 14977', grammar: 'pair = name "=" name ;\nname = "a" ;', rule: 'pair ::= name "=" name ;' },
  {
    name: 'EBNF as in ISO 14977',
    grammar: 'line = 3 * "-", [ name ], \'"\' ; (* a line *)\nname = "\\" ;',
    rule: 'line ::= "-"{3} ( name )? "\\"" ;',
  },
  {
    name: 'EBNF with a full stop after each rule',
    grammar: 'Block = "{" StatementList "}" .\nStatementList = { Statement ";" } .\nStatement = "x" .',
    rule: 'Block ::= "{" StatementList "}" ;',
  },
  {
    name: 'EBNF with "="',
    grammar: 'word = letter { letter }\nletter = "a" | "b"',
    rule: 'word ::= letter ( letter )* ;',
  },
  {
    name: 'ABNF',
    grammar: 'header-field = field-name ":" 1*DIGIT *( "," %x41-5A ) ; a field\nfield-name = 2*5ALPHA / %x2D',
    rule: 'header_field ::= field_name ~":" DIGIT+ ( ~"," [\\u{41}-\\u{5A}] )* ;',
  },
  {
    name: 'EBNF of the W3C, whose rules end without ";"',
    grammar: "[4]  NameChar ::= Letter | '.' | [#x0300-#x036F] /* more */\n[5]  Letter   ::= [A-Za-z]\n",
    rule: 'NameChar ::= Letter | "." | [\\u{0300}-\\u{036F}] ;',
  },
  {
    name: 'EBNF of the W3C, whose rules end without ";"',
    grammar: 'pair ::= name "=" value\nname ::= [a-z]+\nvalue ::= [0-9]+',
    rule: 'pair ::= name "=" value ;',
  },
  {
    name: 'EBNF whose rules end without ";"',
    grammar: 'list ::= item { "," item }\nitem ::= "a" | "b"',
    rule: 'list ::= item ( "," item )* ;',
  },
  {
    name: 'EBNF whose rules end without ";"',
    grammar: 'call ::= name [ "(" name ")" ]\nname ::= "a" | "b"',
    rule: 'call ::= name ( "(" name ")" )? ;',
  },
  {
    name: 'EBNF whose rules end without ";"',
    grammar: 'number ::= ["-"] digits\ndigits ::= "0" | "1"',
    rule: 'number ::= ( "-" )? digits ;',
  },
  {
    name: 'BNF with names in angle brackets',
    grammar: '<value> ::= true | false | <name>\n<name> ::= x',
    rule: 'value ::= "true" | "false" | name ;',
  },
  { name: 'EBNF as in ISO 14977', grammar: 'line = 3 * "-" ;', rule: 'line ::= "-"{3} ;' },
  {
    name: 'a grammar for yacc or Bison',
    grammar: "%%\nsum: sum[left] '+' term[right] { $$ = $left + $right; } ;\nterm: N ;\n%%",
    rule: 'sum ::= sum "+" term ;',
  },
  {
    name: 'a grammar for ANTLR',
    grammar:
      "grammar Expr;\noptions {\n  language = Java;\n}\nexpr\n  : left=term (('+' | '-') term)* EOF # sum\n  ;\nterm : INT ;\nfragment DIGIT : [0-9] ;\nINT : DIGIT+ ;",
    rule: 'expr ::= left:term ( ( "+" | "-" ) term )* ;',
  },
  {
    name: 'a grammar for ANTLR',
    grammar: "DIGIT : '0'..'9' ;\nLINE : DIGIT ~[\\r\\n]* ;",
    rule: 'DIGIT ::= "0"->"9" ;',
  },
  {
    name: 'a grammar for yacc or Bison',
    grammar:
      "%{\nint value = 5;\n%}\n%token NUMBER\n%%\nlist: /* empty */ { $$ = 0; }\n    | item list { if (x) { y(); } } %prec LOW\n    ;\nitem: NUMBER ';' ;\n%%\nint main() { return 0; }",
    rule: 'list ::= ( item list )? ;',
  },
  {
    name: 'a grammar with ":", as for Lark',
    grammar: '?start: sum // all\nsum: product\n   | sum "+" product -> add\nproduct: NUMBER ["*" product]',
    rule: 'start ::= sum ;',
  },
  {
    name: 'a grammar with ":", as for Lark',
    grammar: 'pair.2: "let"i name ["=" value]\n    | name -> short\nname: "a".."z"',
    rule: 'pair ::= ( ~"let" name ( "=" value )? ) | name ;',
  },
  {
    name: 'a PEG with "<-"',
    grammar: 'Sum <- Product (("+" / "-") Product)* !.  # sums\nProduct <- [0-9]+',
    rule: 'Sum ::= Product ( ( "+" | "-" ) Product )* &![^] ;',
  },
  { name: 'a PEG with "<-"', grammar: "digit ← '0' / [1-9]", rule: 'digit ::= "0" | [1-9] ;' },
  {
    name: 'a PEG as for Peggy',
    grammar:
      'start "the start"\n  = head:word tail:("," @word)* { return [head, ...tail]; }\n  / $[0-9]+\n\nword = "let"i / [a-z]i+',
    rule: 'start ::= ( head:word tail:( "," word )* ) | ...[0-9]+ ;',
  },
  {
    name: 'a grammar for pest',
    grammar: 'pair = { name ~ "=" ~ (!"\\n" ~ ANY)* }\nname = @{ ASCII_ALPHA+ }\nWHITESPACE = _{ " " }',
    rule: 'pair ::= name "=" ( &!"\\n" ANY )* ;',
  },
  {
    name: 'a grammar for pest',
    grammar: "word = { letter+ }\nletter = { 'a'..'z' | 'A'..'Z' }",
    rule: 'word ::= letter+ ;',
  },
  {
    name: 'a grammar for Ohm',
    grammar: 'Arithmetic {\n  Sum = Product "+" Sum\n      | Product\n  Product = digit+\n}',
    rule: 'Sum ::= ( Product "+" Sum ) | Product ;',
  },
  { name: 'BNF with ":="', grammar: 'sum := number | sum "+" number', rule: 'sum ::= number | ( sum "+" number ) ;' },
  { name: 'a grammar with arrows', grammar: 'S → "a" S "b" | ε', rule: 'S ::= ( "a" S "b" )? ;' },
  {
    name: 'a grammar for nearley',
    grammar: '@{% const x = 1 %}\nmain -> word:+ "." {% id %}\nword -> [a-z]',
    rule: 'main ::= word+ "." ;',
  },
  {
    name: 'a grammar for nearley',
    grammar: 'list -> null | list "," word:+\nword -> [a-z]',
    rule: 'list ::= ( list "," word+ )? ;',
  },
  {
    name: 'a grammar with ":", as for Lark',
    grammar: 'start: WORD "," WORD\n\n%import common.WORD\n%ignore " "\n',
    rule: 'start ::= WORD "," WORD ;',
  },
]

test.each(CASES)('$name is recognised: $grammar', ({ name, grammar, rule }) => {
  for (const dialect of ['bnf-parser', 'xylem'] as const) {
    const [problem, ...others] = problemsOf(grammar, dialect)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ code: 'other-notation', severity: 'error', message: `this looks like ${name}` })
    expect(problem?.suggestion).toBe(`write each rule as a name, "::=", what it matches, and ";":  ${rule}`)
    expect(grammar.slice(problem?.start, problem?.end)).toMatch(/^\S[\s\S]*(?:[:=→←]|<-|->)$/)
    const problems = problemsOf(rule, dialect)
    expect(problems.filter(({ code, severity }) => severity === 'error' && code === 'syntax')).toEqual([])
  }
})

test.each([
  ['a rule that has no end here', 'word: /[a-z]+/', 'word ::= … ;'],
  ['an exception', 'name = letter - "x" ;', 'name ::= … ;'],
  ['several characters by numbers', 'crlf-end = %x0D.0A', 'crlf_end ::= … ;'],
  ['a condition in code', 'a = "x" &{ return true } b\n  / "y"', 'a ::= … ;'],
  ['a stack', 'text = { PUSH("#"*) ~ quoted ~ POP }\nquoted = { "\\"" ~ PEEK }', 'text ::= … ;'],
  ['a class of one letter, which may be an option', 'call ::= [c] name\nc ::= "x"', 'call ::= … ;'],
  ['a count without a beginning', 'a = { b{,4} ~ "x" }\nb = @{ "y" }', 'a ::= … ;'],
  ['a sign that repeats, after a blank', 'word = letter * "x" ;', 'word ::= … ;'],
  ['a class where brackets are options', 'word = [a-z] ;', 'word ::= … ;'],
  ['a class that may be an option', 'call ::= name [args]\nargs ::= "x"', 'call ::= … ;'],
  ['a class with a backslash that is one', 'a ::= [a\\b] b\nb ::= "x"', 'a ::= … ;'],
  ['a rule with arguments', 'Sums {\n  Sum = ListOf<Term, ",">\n  Term = digit+\n}', 'Sum ::= … ;'],
  ['a very long rule', `word = ${'"some text", '.repeat(40)}"x" ;`, 'word ::= … ;'],
])('of %s, the suggestion has the name', (_, grammar, rule) => {
  expect(problemsOf(grammar)[0]?.suggestion?.endsWith(`:  ${rule}`)).toBe(true)
})

test.each([
  'program = "a" word ;\nword ::= "x" ;',
  'program ::= "a" word ;\nword: "x" ;',
  'program ::= "a" word ;\nword <- "x" ;',
  'program ::= "a" word\nword ::= "x" ;',
  'program ::= "a" word ;\nword ::= "x"',
  'program ::= "a"',
  "program ::= 'a' ;\nword ::= 'b' ;",
  'program ::= "a" word ;\n<word> ::= "x" ;',
  'pair ::=\n  key:word %"="\n  value: word ;\nword ::= [a-z]+ ;',
  'program::= "a" ;\nword::= "b" ;',
  'program : := "a" ;',
  'program =::= "a" ;',
  'program =:= "a" ;',
  'program :(= "a" ;',
  'program ::= "a ;\nword ::= b ;',
  '"a"',
  '',
])('%j is this notation, with a mistake in it', (grammar) => {
  const problems = problemsOf(grammar)
  expect(problems.length).toBeGreaterThan(0)
  expect(problems.filter(({ code }) => code === 'other-notation')).toEqual([])
})

test.each([
  'name: xylem\nversion: "1.0"\nscripts:\n  build: node build.js\n  test: vitest',
  'on:\n  push:\n    branches: [main]\njobs:\n  build:\n    steps: []\n  test:\n    needs: build',
  "const a = require('a')\nfunction f(x) { return x }\nlet b = 3;\nmodule.exports = { f, b };",
  'title = "a tree"\n[owner]\nname = "Tom"',
  'x = 1;\ny = x / 2;',
  'type Shape = Circle | Square;\ntype Circle = { kind: "circle" };',
  'export type Letter =\n  | "a"\n  | "b"\n\nexport type Word = Letter[]',
  'const a = "x" | b\nlet b = "y"',
  'FOO=bar',
  'Content-Type: text/html\nDate: now',
])('%j is not called a grammar in another notation', (text) => {
  expect(problemsOf(text).filter(({ code }) => code === 'other-notation')).toEqual([])
})

test('a mistyped character in a grammar never makes another notation of it', () => {
  const typed = fc.constantFrom('', '=', ':', ';', '"', "'", '/', '<', '>', '|', '-', '{', 'x', '\n')
  const mistake = fc.record({ text: fc.constantFrom(...KNOWN_GRAMMARS.values()), at: fc.nat(), typed, left: fc.nat(1) })
  fc.assert(
    fc.property(mistake, ({ text, at, typed, left }) => {
      const start = at % text.length
      const problems = problemsOf(text.slice(0, start) + typed + text.slice(start + left), 'xylem')
      expect(problems.filter(({ code }) => code === 'other-notation')).toEqual([])
    }),
    parameters(1000, 100),
  )
})

test('the place is found after a byte order mark, blanks and a heading', () => {
  const [problem] = problemsOf('\ufeff\n  <a> ::= <b>\n  <b> ::= "x"')
  expect(problem).toMatchObject({ line: 2, column: 3, excerpt: '  <a> ::= <b>\n  ^^^^^^^' })
})

test('whatever a text is, it is refused with problems, and what is suggested can be read', () => {
  const pieces = [
    '<a>',
    'a',
    'b c',
    '_',
    ' = ',
    ' ::= ',
    ': ',
    ' <- ',
    ' → ',
    '\n',
    ' | ',
    ' / ',
    ', ',
    ';',
    '.',
    '"x"',
    "'y'",
    "'",
    '"',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '?',
    '*',
    '+',
    '~',
    '!',
    '..',
    '%x41',
    '#x41',
    '2',
    '-',
    '\\',
    '%%',
    'i',
    '$',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
      for (const { code, suggestion = '' } of problemsOf(parts.join(''))) {
        const [, written = ''] = suggestion.split('";":  ')
        if (code !== 'other-notation' || written.includes('…')) continue
        expect(problemsOf(written).map((problem) => problem.code)).not.toContain('syntax')
      }
    }),
    parameters(20_000, 1000),
  )
})

test('a long text of something else is refused soon', () => {
  for (const part of [
    'a ',
    '\n',
    '/*',
    '(*',
    'a = {',
    '"',
    'a\n',
    'a = b / ',
    '<',
    '[',
    "'a",
    'x = (',
    'x = ((((',
    'x: {{',
    '(',
  ]) {
    const began = performance.now()
    expect(problemsOf(part.repeat(50_000)).length).toBeGreaterThan(0)
    expect(performance.now() - began).toBeLessThan(2000)
  }
})
