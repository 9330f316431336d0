// Declarations are compiled, together with trees of real parses that they must describe, and with uses that must not compile.

import { describe, expect, test } from 'vitest'
import { writeTreeTypes } from '../../../source/grammar/declarations/tree-types.ts'
import { Grammar, type SyntaxNode, type SyntaxNodeData } from '../../../source/grammar/index.ts'
import { parseGrammar } from '../../../source/grammar/syntax/syntax.ts'
import { isThorough } from '../../support/extent.ts'
import { checkTypes } from '../../support/type-check.ts'

/** What the compiler says of a file with this text. */
const compile = (text: string) => checkTypes(new Map([['typings.ts', text]]))

const declare = (grammar: string) =>
  `import type { Term } from 'xylem/grammar'\n${writeTreeTypes(parseGrammar(grammar, 'xylem').rules)}`

/** A tree as an expression. */
function writeTree({ type, start, end, count, value }: SyntaxNodeData): string {
  const content = typeof value === 'string' ? JSON.stringify(value) : `[${value.map(writeTree).join(', ')}]`
  return `{ type: ${JSON.stringify(type)}, start: ${start}, end: ${end}, count: ${count}, text, ref, value: ${content}, ...methods }`
}

/** The declarations, and the trees of some inputs as values of the type of `program`. */
function declareWith(grammar: string, inputs: readonly string[]): string {
  const trees = inputs.map((input) => {
    const tree: SyntaxNode = Grammar.from(grammar, { dialect: 'xylem' }).parse(input)
    return `export const _: Term_Program = ${writeTree(tree.toJSON())}\n`
  })
  const values = trees.map((tree, i) => tree.replace('_', `tree${i}`)).join('')
  const methods = "Pick<Term<string, unknown>, 'child' | 'children' | 'walk' | 'toObject' | 'toJSON'>"
  return `${declare(grammar)}
    declare const { text, ref }: Term<string, unknown>
    declare const methods: ${methods}
    ${values}`
}

describe('types', () => {
  const grammars: [what: string, grammar: string, inputs: string[]][] = [
    ['literals', 'program ::= "it\'s" "\\\\n\\n" "`$x" "\\u4f600" "🌳" "\\u2028" ;', ["it's\\n\n`$x\u4f600🌳\u2028"]],
    ['literals that ignore case', 'program ::= ~"select" ;', ['SELECT', 'select']],
    ['classes, nots and gathered text', 'program ::= [a-z]+ !"x"* ...( %"x" "y" ) ;', ['abc--xy']],
    ['sequences in brackets', 'program ::= ( "a" ( ( "b" ) ) ) ;', ['ab']],
    ['options', 'program ::= "a" | x | "b" "c" ; x ::= "x" ;', ['a', 'x', 'bc']],
    ['repetitions', 'program ::= "a"? x* ( "c" | "d" )+ ; x ::= "x" ;', ['c', 'axxcd']],
    [
      'counted repetitions',
      'program ::= "a"{2} x{1,3} "c"{0,1} "d"{6} "e"{3,} ( "f" ){4} ; x ::= "x" ;',
      ['aaxddddddeeeffff', 'aaxxxcddddddeeeeffff'],
    ],
    ['what has no node', 'program ::= %"a" &"b" ^ "b" &!"c" %x ( "d" | @"no d" ) ; x ::= "x" ;', ['abxd']],
    [
      'options without a node',
      'program ::= ( "a" | %"b" ) ( %"c" | %"d" ) ( x | %"e" )* ; x ::= "x" | %"y" ;',
      ['acxexy', 'bd'],
    ],
    [
      'rules that hold themselves',
      'program ::= list ; list ::= %"(" ( list | %"-" | "a" )* %")" ;',
      ['()', '(a(-)((a)))'],
    ],
    [
      'rules in a circle',
      'program ::= a+ ; a ::= "a" b? ; b ::= ( "b" a{2} ) | c ; c ::= "c" ( a | %"d" ) ;',
      ['aa', 'aacd', 'abaaa'],
    ],
    [
      'names that differ in their first letter only',
      'program ::= x X literal Literal ; x ::= "x" ; X ::= "X" ; literal ::= "l" ; Literal ::= "L" ;',
      ['xXlL'],
    ],
    [
      'names that mean something elsewhere',
      'program ::= constructor string Term ; constructor ::= "c" ; string ::= "s" ; Term ::= "t" ;',
      ['cst'],
    ],
  ]
  test.runIf(isThorough).each(grammars)('of %s describe the trees', (_, grammar, inputs) => {
    expect(compile(declareWith(grammar, inputs))).toEqual([])
  })

  test.runIf(isThorough)('narrow the members of a node', () => {
    const uses = `
      export function read(program: Term_Program): string {
        const [key, value, tail] = program.value
        const name: 'key' = key.type
        const letter: 'k' = key.value[0].value
        const others: readonly Term_Key[] = tail.value
        const first: Term_Key = tail.value[0]
        const second: Term_Key | undefined = tail.value[1]
        return value.type === 'literal' ? value.value : value.value[0].text + name + letter + others.length + first.text + second?.text
      }
      export function misread(program: Term_Program): void {
        // @ts-expect-error there are three members
        program.value[3]
        // @ts-expect-error nothing else is in it
        const other: 'x' = program.value[0].value[0].value
        // @ts-expect-error trees are not changed
        program.value[0].start = 1
        void other
      }`
    const grammar = 'program ::= key ( [0-9]+ | key ) key+ ; key ::= "k" ;'
    expect(compile(declare(grammar) + uses)).toEqual([])
  })

  test.runIf(isThorough)('can be given to what was parsed', () => {
    const uses = `
      import { Grammar } from 'xylem/grammar'
      export const program = Grammar.from('').parse('') as Term_Program
      export const key: 'k' = program.value[0].value
      export const first: string | undefined = program.child('literal')?.value`
    expect(compile(declare('program ::= "k" ;') + uses)).toEqual([])
  })
})

test('each rule has an exported type, named with a capital', () => {
  const declarations = declare('program ::= "a" key_name X1 ; key_name ::= [a-z]* ; X1 ::= %"b" ;')
  expect(declarations).toContain(
    "export interface Term_Program extends Term<'program', readonly [Literal<'a'>, Term_Key_name, Term_X1]>",
  )
  expect(declarations).toContain("export interface Term_Key_name extends Term<'key_name', readonly [Literal]>")
  expect(declarations).toContain("export interface Term_X1 extends Term<'X1', readonly []>")
})

test('what is not ASCII is escaped, so that a digit after it stays one', () => {
  expect(declare('program ::= "\\u4f600\'\\\\" ;')).toContain(`Literal<'\\u{4f60}0\\'\\\\'>`)
})

test('repetitions within repetitions do not make the text grow without bound', () => {
  for (const count of ['+', '{2}', '{2,}', '{4}', '?']) {
    const deep = declare(`program ::= ${'("q" '.repeat(200)}"a"${`)${count}`.repeat(200)} ;`)
    expect(deep.length).toBeLessThan(50_000)
  }
})
