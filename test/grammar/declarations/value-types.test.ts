// Types of values: what is declared, what it lets users do, and how a grammar has them.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Grammar, GrammarError, type ValueFormOptions, writeTypes } from '../../../source/grammar/index.ts'
import { isThorough } from '../../support/extent.ts'
import { checkTypes } from '../../support/type-check.ts'

const LETTERS = 'word ::= [a-z]+ ; number @integer ::= [0-9]+ ; date @date ::= [0-9-]+ ;'

function declare(rules: string, form: ValueFormOptions = {}): string {
  const [, values = ''] = writeTypes(Grammar.from(`${rules} ${LETTERS}`, { dialect: 'xylem' }), form).split(
    '// Values.\n',
  )
  return values.split('/** For `Grammar.from')[0] as string
}

/** The declaration of a type, and what `Values` says of a rule. */
function findType(text: string, name: string): string | undefined {
  return new RegExp(`^export type ${name} = ?([^]*?)\\n\\n`, 'm').exec(text)?.[1]?.trim()
}
function findValue(text: string, rule: string): string | undefined {
  return new RegExp(`^  ${rule}: (.*)$`, 'm').exec(text)?.[1]
}

describe('the value of a rule', () => {
  test.each<[rules: string, type: string]>([
    ['program ::= word ;', 'string'],
    ['program ::= number ;', 'number'],
    ['program ::= date? ;', 'Date | null'],
    ['program ::= long ; long @int64 ::= [0-9]+ ;', 'bigint'],
    ['program ::= "yes" | "it\'s" ;', 'Program'],
    ['program ::= %"x" ;', 'null'],
    ['program ::= "(" program ")" ;', 'string'],
    ['program ::= "(" program ")" | word ;', 'string'],
    ['program ::= word{* ","} ;', 'Program'],
  ])('of %s is %s', (rules, type) => {
    expect(findValue(declare(rules), 'program')).toBe(type)
  })

  test.each<[rules: string, type: string]>([
    ['program ::= "yes" | "it\'s" ;', "'yes' | 'it\\'s'"],
    ['program ::= word{* ","} ;', 'string[]'],
    ['program ::= ( word | number ){+ ","} ;', '[string | number, ...(string | number)[]]'],
    ['program ::= ( word{+ ","} %";" )* ;', '[string, ...string[]][]'],
    ['program ::= k:word "=" v:number ;', '{\n  k: string\n  v: number\n}'],
    ['program ::= :head? v:number ; head ::= k:word ;', '{\n  k: string | undefined\n  v: number\n}'],
    ['program ::= k:word? f?:"!" ;', '{\n  k: string | undefined\n  f: boolean\n}'],
    ['program ::= "a" w:word | "b" n:number ;', '| { w: string; n?: never }\n  | { n: number; w?: never }'],
    ['program ::= at:( l:number ":" c:number )* ;', '{\n  at: { l: number; c: number }[]\n}'],
    ['program ::= word ( left:< "+" r:word )* ;', 'string | ProgramFold'],
    ['program ::= word ( left:< "+" r:word )+ ;', '{\n  left: string | Program\n  r: string\n}'],
    ['program @map ::= x* ; x ::= k:word "=" v:number ;', '{ [key: string]: number }'],
    ['program @map ::= x* ; x ::= k:word ( "=" v:word | "(" v:program ")" ) ;', '{ [key: string]: string | Program }'],
    ['program ::= a | b ; a ::= "-" x:word ; b ::= "+" y:word ;', 'A | B'],
  ])('of %s is declared as %s', (rules, type) => {
    expect(findType(declare(rules), 'Program')).toBe(type)
  })

  test('says the rule where others may stand, places, and that it may be null, as options do', () => {
    const rules = 'program ::= x:number ;'
    expect(findType(declare(rules, { type: true, positions: true, lenient: true }), 'Program')).toBe(
      "{\n  type: 'program'\n  x: number | null\n  start: number\n  end: number\n}",
    )
    expect(findType(declare('program ::= x:word ;', { as: { x: 'number' } }), 'Program')).toBe('{\n  x: number\n}')
  })

  test('in a circle of rules is written once', () => {
    const text = declare(
      'program ::= sum ; sum ::= product ( left:< "+" right:product )* ; product ::= factor ( left:< "*" right:factor )? ; factor ::= number | "(" sum ")" ;',
    )
    expect(findType(text, 'Sum')).toBe('number | SumFold | ProductFold')
    expect(findType(text, 'Product')).toBe('Sum')
    expect(findType(text, 'Factor')).toBe('Sum')
    expect(findType(text, 'ProductFold')).toBe("{\n  type: 'product'\n  left: Sum\n  right: Sum\n}")
  })

  test('is left out with a reason if the rule does not say what it gives', () => {
    const text = declare('program ::= two ; two ::= word number ;')
    expect(text).toContain('// two: two has 2 parts that give something here')
    expect(text).toContain('// program: see two, which it refers to')
    expect(findValue(text, 'word')).toBe('string')
  })

  test('has a name of its own', () => {
    const rules =
      'program ::= x:( object | date1 | string | values | term_Word | literal | x | X ) ; object ::= "a" | "b" ; date1 ::= "c" | "d" ; string ::= "e" | "f" ; values ::= "g" | "h" ; term_Word ::= "i" | "j" ; literal ::= "k" | "l" ; x ::= "m" | "n" ; X ::= "o" | "p" ;'
    const text = declare(rules)
    const names = [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name)
    expect(names).toEqual(
      'Program ObjectValue Date1 StringValue ValuesValue Term_WordValue LiteralValue X XValue'.split(' '),
    )
  })
})

test.each(['access', 'calculator'])('the fixture %s is what is written for its grammar', async (name) => {
  const path = `../../../fixtures/grammar/${name}/${name}`
  const grammar = Grammar.from(readFileSync(new URL(`${path}.bnf`, import.meta.url), 'utf8'))
  await expect(writeTypes(grammar)).toMatchFileSnapshot(`${path}.types.ts`)
})

const GRAMMAR = `program ::= entry* ; entry ::= at:date " " level:( "INFO" | "WARN" )? " " text:text tags:( " #" t:word )* %"\\n" ;
  text ::= [A-Za-z]+ ; sum ::= product ( left:< op:[+\\-] right:product )* ; product ::= number | "(" sum ")" ; pair ::= word number ; ${LETTERS}`

/** A program that has the types of the grammar, and of it with positions. */
function checkUses(uses: string, extra: ReadonlyMap<string, string> = new Map()): string[] {
  const grammar = Grammar.from(GRAMMAR, { dialect: 'xylem' })
  const files = new Map([
    ['log.ts', writeTypes(grammar)],
    ['places.ts', writeTypes(grammar, { positions: true })],
    [
      'uses.ts',
      `import { Grammar, type GrammarValue, type RuleTypes, type SyntaxNode, type TreeOf } from 'xylem/grammar'
       import { makeTransform, type TextOrBytes, type Transform } from 'xylem/stream'
       import { types, type Entry, type Sum, type Types, type Values } from './log.ts'
       import { types as places } from './places.ts'
       declare const text: string
       const grammar = Grammar.from(text, { types })
       const placed = Grammar.from(text, { types: places })
       ${uses}`,
    ],
    ...extra,
  ])
  return checkTypes(files)
}

describe('a grammar with its types', () => {
  test.runIf(isThorough)('has values, items, trees and streams of them, without a cast', () => {
    const uses = `
      export const all: Entry[] = grammar.value(text)
      export const first: 'INFO' | 'WARN' | undefined = grammar.value(text, { entry: 'entry' }).level
      export const sum: Sum = grammar.value(text, { entry: 'sum', partial: true })
      export function evaluate(value: Sum): number {
        if (typeof value === 'number') return value
        const [left, right] = [evaluate(value.left), evaluate(value.right)]
        return value.op === '+' ? left + right : left - right
      }
      export async function read(): Promise<void> {
        for await (const { at, text, tags: [tag] } of grammar.values(text_)) console.log(at.getTime(), text.length, tag?.t)
        for await (const word of grammar.values(text_, { emit: 'word' })) word.toUpperCase()
        for await (const word of grammar.values(text_, { emit: 'program.entry.word' })) word.toUpperCase()
        for await (const one of grammar.values(text_, { emit: ['entry', 'word'] })) if (typeof one !== 'string') one.text.length
        for await (const sum of grammar.values(text_, { entry: 'sum' })) evaluate(sum)
        for await (const batch of grammar.values(text_).batches()) batch.map(({ level }) => level)
        for await (const node of grammar.stream(text_, { emit: 'entry' })) node.value[0].type satisfies 'date'
        for await (const node of grammar.stream(text_, { emit: 'program.entry' })) node.value[0].type satisfies 'date'
      }
      declare const text_: string
      declare const console: { log(...all: (string | number | undefined)[]): void }
      export const tree: 'entry' = grammar.parse(text, { entry: 'entry' }).type
      export const start: number = placed.value(text, { entry: 'entry' }).start
      export function count<Types extends RuleTypes>(grammar: Grammar<Types>): number {
        return grammar.rules.length
      }
      export const counted = count(grammar) + count(Grammar.from(text))
      export const any: GrammarValue = grammar.value(text)
      export const stream: Transform<TextOrBytes, TreeOf<Types, 'entry'>> = makeTransform((source) => grammar.stream(source, { emit: 'entry' }))
      export const untyped: GrammarValue = Grammar.from(text).value(text, { positions: true, entry: text })
      export const node: SyntaxNode = Grammar.from(text, { dialect: 'xylem' }).parse(text, { entry: text })
      export type All = Values['program']`
    expect(checkUses(uses)).toEqual([])
  })

  test.runIf(isThorough)('begins with the first rule where none is called program', () => {
    const lists = writeTypes(Grammar.from('list ::= item* ; item ::= n:[a-z] ;'))
    const uses = `
      import { types as listTypes, type Item } from './lists.ts'
      const lists = Grammar.from(text, { types: listTypes })
      export const items: Item[] = lists.value(text)
      export const node: 'list' = lists.parse(text).type
      export async function read(): Promise<void> {
        for await (const item of lists.values(text)) item satisfies Item
      }
      export type All = [RuleTypes, Types, Entry, Sum, Values, SyntaxNode, GrammarValue, TreeOf<Types, 'entry'>, Transform<TextOrBytes, Entry>, typeof makeTransform, typeof placed, typeof grammar]`
    expect(checkUses(uses, new Map([['lists.ts', lists]]))).toEqual([])
  })

  test.runIf(isThorough)('refuses rules that it has not, and what the types say already', () => {
    const wrong = [
      "grammar.value(text, { entry: 'entries' })",
      "grammar.value(text, { entry: 'pair' })",
      "grammar.values(text, { emit: 'entries' })",
      "grammar.values(text, { emit: ['entry', 'entries'] })",
      "grammar.values(text, { emit: 'program.entries' })",
      "grammar.parse(text, { entry: 'entries' })",
      "grammar.stream(text, { emit: 'entries' })",
      'grammar.value(text, { positions: true })',
      'grammar.value(text, { lenient: true })',
      "grammar.value(text, { entry: 'entry' }).start",
      "grammar.value(text, { entry: 'entry' }).levels",
      'grammar.value(text)[0].level',
    ]
    const uses = wrong.map((use) => `// @ts-expect-error\n${use}`).join('\n')
    expect(
      checkUses(
        `grammar.parse(text, { entry: 'pair' })\n${uses}\nexport type All = [RuleTypes, Types, Entry, Sum, Values, SyntaxNode, GrammarValue, TreeOf<Types, 'entry'>, Transform<TextOrBytes, Entry>, typeof makeTransform, typeof placed]`,
      ),
    ).toEqual([])
  })

  const typesOf = (source: string, form: ValueFormOptions = {}) => {
    const [, hash = ''] = /hash: '(\w+)'/.exec(writeTypes(Grammar.from(source))) ?? []
    return { hash, ...form }
  }

  test('is refused when it has changed since the types were written', () => {
    const source = 'program ::= word* ;\nword ::= a:[a-z] %"," ;'
    const types = typesOf(source)
    expect(Grammar.from(source, { types }).value('a,b,')).toEqual([{ a: 'a' }, { a: 'b' }])
    const refusal = (text: string) => {
      try {
        Grammar.from(text, { types })
        return undefined
      } catch (error) {
        return error as GrammarError
      }
    }
    const changed = [
      source.replace('a:', 'b:'),
      source.replace('*', '+'),
      source.replace('word ::=', 'word @integer ::='),
      source.replace('program ::=', 'program @map ::='),
      source.replace('%', ''),
      `${source} more ::= "x" ;`,
    ]
    for (const text of changed) {
      expect(refusal(text), text).toBeInstanceOf(GrammarError)
      expect(refusal(text)?.problems).toContainEqual(
        expect.objectContaining({ code: 'stale-types', line: 1, column: 1 }),
      )
      expect(refusal(text)?.message).toContain('write them again: xylem types')
    }
    // What says nothing of types may change.
    const [one, other] = source.split('\n') as [string, string]
    for (const text of [
      `# words\n${other}\n${one}`,
      source.replace('a-z', 'a-y'),
      source.replace('word ::=', 'word @"a word" ::='),
    ])
      expect(refusal(text), text).toBeUndefined()
  })

  test('is refused when brackets round a separator were added, which give a node', () => {
    const source = 'program ::= "a"{* "," " "} ;'
    const bracketed = source.replace('"," " "', '( "," " " )')
    expect(() => Grammar.from(bracketed, { types: typesOf(source) })).toThrow('the types are not those of this grammar')
    // The same node is without them.
    const choice = 'program ::= "a"{* "," | ";"} ;'
    expect(Grammar.from(choice.replace('"," | ";"', '( "," | ";" )'), { types: typesOf(choice) })).toBeInstanceOf(
      Grammar,
    )
  })

  test('makes values as the types say', async () => {
    const source = 'program ::= pair* ; pair ::= n:number %"\\n" ; number @integer ::= [^\\n]+ ;'
    const types = typesOf(source, { positions: true, lenient: true, type: true })
    const grammar: Grammar = Grammar.from(source, { types })
    const pair = { type: 'pair', n: null, start: 0, end: 2 }
    expect(grammar.value('x\n')).toEqual([pair])
    for await (const value of grammar.values('x\n')) expect(value).toEqual(pair)
    let lines = ''
    for await (const bytes of grammar.lines('x\n')) lines += new TextDecoder().decode(bytes)
    expect(JSON.parse(lines)).toEqual(pair)
  })

  test('refuses what is not types', () => {
    const from = (types: unknown) => () => Grammar.from('program ::= "a" ;', { types: types as { hash: string } })
    expect(from('0123')).toThrow('types must be an object')
    expect(from({ hash: 1 })).toThrow('hash must be a string')
    expect(from({ hash: '', position: true })).toThrow('did you mean positions?')
    expect(from({})).toThrow('the types are not those of this grammar')
  })
})
