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
  'rules that call the next two': (n) => `program ::= r0 ;\n${rulesOfTwo(n / 5, (i) => [i + 1, i + 2])}`,
  'rules that call any two': (n) => {
    const random = new Random(33)
    return `program ::= r0 ;\n${rulesOfTwo(n / 5, () => [random.below(n), random.below(n)])}`
  },
  'rules that are the next one': (n) => `program ::= r0 ;\n${rules(n, (i) => `r${i + 1}`)}\nr${n} ::= "z" ;`,
  'levels of operators': (n) =>
    `program ::= r0 ;\n${rules(n, (i) => `r${i + 1} ("+${i}" r${i + 1})*`)}\nr${n} ::= [0-9]+ | "(" r0 ")" ;`,
  'items that are literals': (n) => `program ::= ${repeat(n, ' ', (i) => `"k${i}"`)} ;`,
  'items that can be absent': (n) => `program ::= ${repeat(n, ' ', (i) => `"k${i}"?`)} ;`,
  'items that are one rule': (n) => `program ::= ${repeat(n, ' ', () => 'r')} ;\nr ::= [a-z]+ " " ;`,
  'characters of a class': (n) => `program ::= [${repeat(n, '', (i) => String.fromCodePoint(0x20000 + 2 * i))}]* ;`,
}

/** What a newcomer does first: reads the grammar, tests, parses, and looks at the warnings and at an error. */
export function useGrammar(text: string): void {
  const grammar = Grammar.from(text)
  grammar.test('k1')
  grammar.warnings.at(0)
  try {
    grammar.parse('k1?')
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
  }
}

export const GRAMMAR_SHAPES: Readonly<Record<string, GrowthShape>> = Object.fromEntries(
  Object.entries(GRAMMAR_TEXTS).map(([name, make]) => [`grammars with many ${name}`, shapeOf(make)]),
)

function shapeOf(make: MakeText): GrowthShape {
  return {
    count: 250,
    make(size) {
      const text = make(size)
      return async () => useGrammar(text)
    },
  }
}
