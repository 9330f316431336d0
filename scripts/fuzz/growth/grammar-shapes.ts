// Grammars that are long in one way. One that once took too long stays here.

import { Grammar } from '../../../source/grammar/index.ts'
import { ParseError } from '../../../source/text/parse-error.ts'
import type { GrowthShape } from '../../../test/support/growth.ts'
import { Random } from '../../../test/support/random.ts'

/** Makes the text of a grammar of a size, where one of so many parts is smaller than a line. */
type MakeText = (size: number) => string

function repeat(size: number, separator: string, make: (i: number) => string): string {
  return Array.from({ length: size }, (_, i) => make(i)).join(separator)
}

/** A number as a word: those of numbers in a row have different beginnings. */
function wordOf(i: number): string {
  return (Math.imul(i, 0x9e3779b1) >>> 0).toString(36)
}

function rules(size: number, make: (i: number) => string): string {
  return repeat(size, '\n', (i) => `r${i} ::= ${make(i)} ;`)
}

/** Rules that begin alike, each of which calls two of them. */
function rulesOfTwo(count: number, pickCalled: (i: number) => readonly [number, number]): string {
  return rules(count, (i) => {
    const [one, other] = pickCalled(i)
    return `"x" ( r${one % count} | r${other % count} ) "y" | [0-9]`
  })
}

/** Grammars by what there is much of. */
export const GRAMMAR_TEXTS: Readonly<Record<string, MakeText>> = {
  'options that are literals': (n) => `program ::= ( ${repeat(n, ' | ', (i) => `"k${i}"`)} )* ;`,
  'options that are words': (n) => `program ::= ( ${repeat(n, ' | ', (i) => `"${wordOf(i)}"`)} | " " )* ;`,
  'options that begin alike': (n) => `program ::= ( ${repeat(n, ' | ', (i) => `"a common beginning ${i}"`)} )* ;`,
  'options that begin the one before': (n) => `program ::= ( ${repeat(n, ' | ', (i) => `"${n - i}"`)} )* ;`,
  'options in any case': (n) => `program ::= ( ${repeat(n, ' | ', (i) => `~"k${i}"`)} )* ;`,
  'options of two items': (n) => `program ::= ( ${repeat(n, ' | ', (i) => `("k${i}" "v")`)} )* ;`,
  'options that are classes': (n) => `program ::= ( ${repeat(n, ' | ', (i) => `([a-z${i % 10}] "${i}")`)} )* ;`,
  'options in a look-ahead': (n) => `program ::= ( &!( ${repeat(n, ' | ', (i) => `"k${i}"`)} ) [a-z0-9] )* ;`,
  'options that are rules': (n) =>
    `program ::= ( ${repeat(n, ' | ', (i) => `r${i}`)} )* ;\n${rules(n, (i) => `"k${i}"`)}`,
  'options that are rules that begin with the same rule': (n) =>
    `program ::= ( ${repeat(n, ' | ', (i) => `r${i}`)} )* ;\n${rules(n, (i) => `name "=${i}"`)}\nname ::= [a-z]+ ;`,
  'options that are recursive rules': (n) =>
    `program ::= value ;\nvalue ::= ( ${repeat(n, ' | ', (i) => `r${i}`)} | "." ) ;\n${rules(n, (i) => `value "+${i}" value`).replaceAll('::= value', '::= "k" value')}`,
  'rules that call the next one': (n) => `program ::= r0 ;\n${rules(n, (i) => `"a" r${i + 1} | "b"`)}\nr${n} ::= "z" ;`,
  // Each stands in many others, so a fifth as many is enough.
  'rules that call the next two': (n) => `program ::= r0 ;\n${rulesOfTwo(Math.ceil(n / 5), (i) => [i + 1, i + 2])}`,
  'rules that call any two': (n) => {
    const random = new Random(33)
    return `program ::= r0 ;\n${rulesOfTwo(Math.ceil(n / 5), () => [random.below(n), random.below(n)])}`
  },
  'rules that are the next one': (n) => `program ::= r0 ;\n${rules(n, (i) => `r${i + 1}`)}\nr${n} ::= "z" ;`,
  'levels of operators': (n) =>
    `program ::= r0 ;\n${rules(n, (i) => `r${i + 1} ("+${i}" r${i + 1})*`)}\nr${n} ::= [0-9]+ | "(" r0 ")" ;`,
  'items that are literals': (n) => `program ::= ${repeat(n, ' ', (i) => `"k${i}"`)} ;`,
  'items that can be absent': (n) => `program ::= ${repeat(n, ' ', (i) => `"k${i}"?`)} ;`,
  'items that are one rule': (n) => `program ::= ${repeat(n, ' ', () => 'r')} ;\nr ::= [a-z]+ " " ;`,
  'characters of a class': (n) => `program ::= [${repeat(n, '', (i) => String.fromCodePoint(0x20000 + 2 * i))}]* ;`,
}

const WORD = '\nw ::= [a-z]+ ;'

/** Grammars that give values, by what there is much of. */
const VALUE_TEXTS: Readonly<Record<string, MakeText>> = {
  fields: (n) => `program ::= ${repeat(n, ' ', (i) => `f${i}:[a-z] ","`)} ;`,
  'fields of one name': (n) => `program ::= ${repeat(n, ' ', () => 'f:[a-z] ","')} ;`,
  'fields that may be absent': (n) => `program ::= ( ${repeat(n, ' ', (i) => `f${i}:w? "${i}"`)} )? ;${WORD}`,
  flags: (n) => `program ::= ${repeat(n, ' ', (i) => `f${i}?:"k${i}"`)} ;`,
  'options with fields of their own': (n) =>
    `program ::= a:w "," ( ${repeat(n, ' | ', (i) => `( "k${i}" f${i}:w )`)} ) b:w ;${WORD}`,
  'options with fields of their own and no others': (n) =>
    `program ::= ${repeat(n, ' | ', (i) => `( "k${i}" f${i}:w )`)} ;${WORD}`,
  'repeated options with fields of their own': (n) =>
    `program ::= ( ${repeat(n, ' | ', (i) => `( "k${i}" f${i}:w )`)} )* ;${WORD}`,
  'choices between two fields': (n) =>
    `program ::= ${repeat(n, ' ', (i) => `( ( "k${i}" f${i}:w ) | ( "l${i}" g${i}:w ) )`)} ;${WORD}`,
  'rules whose records meet': (n) =>
    `program ::= ( ${repeat(n, ' | ', (i) => `r${i}`)} )* ;\n${rules(n, (i) => `"k${i}" f:w`)}${WORD}`,
  'rules that are the next one or a record': (n) => {
    const half = Math.ceil(n / 2)
    return `program ::= r0 ;\n${rules(half, (i) => `r${i + 1} | q${i} ;\nq${i} ::= "k${i}" f:w`)}\nr${half} ::= "z" ;${WORD}`
  },
  'rules with a record of the next one': (n) =>
    `program ::= r0 ;\n${rules(n, (i) => `"k${i}" f:r${i + 1}`)}\nr${n} ::= "z" ;`,
  'levels of left folds': (n) =>
    `program ::= r0 ;\n${rules(n, (i) => `r${i + 1} ( left:< "+${i}" right:r${i + 1} )*`)}\nr${n} ::= [0-9]+ | ( "(" r0 ")" ) ;`,
  'rounds of a left fold': (n) =>
    `program ::= w ( ${repeat(n, ' | ', (i) => `( left:< "k${i}" f${i}:w )`)} )* ;${WORD}`,
  'separated lists': (n) => `program ::= ${repeat(n, ' ', (i) => `f${i}:w{* ","} ";"`)} ;${WORD}`,
  constants: (n) => `program ::= k:( ${repeat(n, ' | ', (i) => `"k${i}"`)} ) ;`,
  'brackets with fields': (n) => `program ::= ${repeat(n, ' ', (i) => `f${i}:( a:w "," b:w )`)} ;${WORD}`,
}

/** What a newcomer does first: reads the grammar, tests, parses, and looks at the warnings and at an error. */
export function useGrammar(text: string): void {
  const grammar = Grammar.from(text, { dialect: 'bnf-parser' })
  grammar.test('k1')
  grammar.warnings.at(0)
  seeError(() => grammar.parse('k1?'))
}

/** The same for one that gives values. */
function useValues(text: string): void {
  const grammar = Grammar.from(text, { dialect: 'bnf-parser' })
  seeError(() => grammar.value('k1?'))
  seeError(() => grammar.value('k1?', { positions: true, type: true }))
}

function seeError(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
  }
}

/** Values that are large in one way: a grammar, and an input of it. */
const VALUES: Readonly<Record<string, readonly [grammar: string, makeInput: MakeText]>> = {
  'items of a separated list': ['program ::= all:w{* ","} ;', (n) => repeat(n, ',', (i) => `w${i}`)],
  'rounds of a left fold': ['program ::= w ( left:< "+" right:w )* ;', (n) => repeat(n, '+', (i) => `w${i}`)],
  'brackets in brackets': ['program ::= "[" inner:program? "]" ;', (n) => '['.repeat(n) + ']'.repeat(n)],
  'lists in lists': ['program ::= "[" program{* ","} "]" | w ;', (n) => '['.repeat(n) + ']'.repeat(n)],
  'fields of one name': [
    'program ::= ( a:w ";" | b:( c:w "!" ) )* ;',
    (n) => repeat(n, '', (i) => `w${i}${i % 2 ? ';' : '!'}`),
  ],
  'parts left out of a text': ['program ::= ( [a-z] %"-" )* ;', (n) => 'a-'.repeat(n)],
}

const NO_LIMITS = { maxDepth: 1e8, maxNodes: 1e9 }

export const GRAMMAR_SHAPES: Readonly<Record<string, GrowthShape>> = Object.fromEntries([
  ...Object.entries(GRAMMAR_TEXTS).map(([name, make]) => [
    `grammars with many ${name}`,
    shapeOf(250, make, useGrammar),
  ]),
  ...Object.entries(VALUE_TEXTS).map(([name, make]) => [
    `grammars of values with many ${name}`,
    shapeOf(250, make, useValues),
  ]),
  ...Object.entries(VALUES).map(([name, [text, make]]) => {
    const grammar = Grammar.from(`${text} w ::= [a-z0-9]+ ;`, { dialect: 'xylem' })
    return [`values with many ${name}`, shapeOf(10_000, make, (input) => grammar.value(input, { limits: NO_LIMITS }))]
  }),
])

function shapeOf(count: number, make: MakeText, use: (text: string) => void): GrowthShape {
  return {
    count,
    make(size) {
      const text = make(size)
      return async () => use(text)
    },
  }
}
