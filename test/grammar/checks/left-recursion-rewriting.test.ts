import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Grammar, GrammarError, type Problem } from '../../../source/grammar/index.ts'
import { parseGrammar } from '../../../source/grammar/syntax/syntax.ts'
import { acceptsContextFree } from '../../support/context-free.ts'
import { isThorough } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'

const DIALECTS = ['xylem', 'bnf-parser'] as const
type Dialect = (typeof DIALECTS)[number]

/** The problem of the first rule that begins with itself. */
function problemOf(text: string, dialect: Dialect): Problem | undefined {
  try {
    Grammar.from(text, { dialect })
    return undefined
  } catch (error) {
    if (error instanceof GrammarError) return error.problems.find(({ code }) => code === 'left-recursion')
    throw error
  }
}

/** The grammar with its first rule rewritten. */
function rewrite(text: string, dialect: Dialect): string | undefined {
  const replacement = problemOf(text, dialect)?.replacement
  if (!replacement) return undefined
  return text.slice(0, replacement.start) + replacement.text + text.slice(replacement.end)
}

const OTHERS = 'product ::= [0-9]+ ;\nopen ::= %"<" ;'

test.each([
  ['sum ::= sum "+" product | product ;', 'sum ::= product ( left:< "+" right:product )* ;'],
  ['sum ::= product | sum "+" product ;', 'sum ::= product ( left:< "+" right:product )* ;'],
  [
    'sum @"a sum" ::=\n    sum "+" product\n  | sum "-" product\n  | product\n  ;',
    'sum @"a sum" ::=\n    product ( ( left:< "+" right:product ) | ( left:< "-" right:product ) )*\n  ;',
  ],
  ['sum ::= a:sum op:[+\\-] b:product | product ;', 'sum ::= product ( a:< op:[+\\-] b:product )* ;'],
  ['sum ::= "0" | sum "+" "0" ;', 'sum ::= "0" ( "+" "0" )* ;'],
  ['sum ::= open product | sum "," sum ;', 'sum ::= open product ( left:< "," right:( open product ) )* ;'],
  ['sum ::= product product | sum "," sum ;', 'sum ::= product product ( "," ( product product ) )* ;'],
  ['sum ::= a:product | sum "+" b:product ;', 'sum ::= a:product ( "+" b:product )* ;'],
  ['sum ::= sum left:"+" product | product ;', 'sum ::= product ( left:"+" product )* ;'],
  ['sum ::= sum "?" sum ":" sum | product ;', 'sum ::= product ( left:< "?" right:sum ":" right:product )* ;'],
  ['sum ::= sum "[" sum "]" | product ;', 'sum ::= product ( left:< "[" right:sum "]" )* ;'],
])('%s becomes %s', (rule, rewritten) => {
  for (const dialect of DIALECTS) {
    const text = rewrite(`${rule}\n${OTHERS}`, dialect)
    expect(text).toBe(`${rewritten}\n${OTHERS}`)
    expect(Grammar.from(text ?? '', { dialect }).rules[0]?.name).toBe('sum')
    const suggested = rewritten.replace(/^.*::=\s*|\s*;$/gs, '')
    expect(problemOf(`${rule}\n${OTHERS}`, dialect)?.suggestion).toBe(
      `use a repetition instead:  sum ::= ${suggested} ;`,
    )
  }
})

test('a field that has no place is said to be lost', () => {
  const rule = 'sum ::= left:sum "+" b:product | a:product ;'
  for (const dialect of DIALECTS) {
    expect(problemOf(`${rule}\n${OTHERS}`, dialect)?.suggestion).toBe(
      'use a repetition instead, without the field left:  sum ::= a:product ( "+" b:product )* ;',
    )
  }
})

test.each([
  ['a ::= b "x" | "y" ;\nb ::= a "z" | "w" ;', /^make one rule of those, and use a repetition in it: /],
  ['a ::= "x"? a "y" | "z" ;', /^what stands before a there may match nothing; use a repetition instead: /],
  ['a ::= a | "x" ;', /^use a repetition instead: {2}a ::= first/],
  ['a ::= a "x" ;', /^use a repetition instead: {2}a ::= first/],
  ['a ::= a "x"? | "y" ;', /^use a repetition instead: {2}a ::= first/],
  ['a ::= a "x" | "y"? a "z" | "w" ;', /^use a repetition instead: {2}a ::= first/],
  ['a ::= ( a "+" | a "-" ) "x" | "y" ;', /^use a repetition instead: {2}a ::= first/],
  ['a ::= a a | &"x" | "y" "z" ;', /^use a repetition instead: {2}a ::= first/],
  ['a ::= %a "x" | "y" ;', /^use a repetition instead: {2}a ::= first/],
])('%s is not rewritten, and the problem says what to do', (text, suggestion) => {
  for (const dialect of DIALECTS) {
    expect(problemOf(text, dialect)).toMatchObject({
      replacement: undefined,
      suggestion: expect.stringMatching(suggestion),
    })
  }
})

test('comments are not lost: then the rule is shown, and there is nothing to put into its place', () => {
  const problem = problemOf(`sum ::= sum "+" product # from the left\n  | product ;\n${OTHERS}`, 'xylem')
  expect(problem?.replacement).toBe(undefined)
  expect(problem?.suggestion).toContain('sum ::= product ( left:< "+" right:product )* ;')
  expect(rewrite(`sum ::= sum ( "+" # plus\n ) product | product ;\n${OTHERS}`, 'xylem')).toContain('# plus')
})

test.runIf(isThorough)('a rule that is rewritten matches the same texts, in both dialects', () => {
  const bases = ['"n"', 'name', '"(" e ")"', '"-" e', '"f" "g"', '"n" name', 'x:name', 'x:"n"']
  const rounds = [
    'e "+" e',
    'e "*" name',
    'e "!"',
    'e "?" e ":" e',
    'e "[" e "]"',
    'e "," "n"? ";"',
    'l:e "/" r:e',
    'e ( "<" | ">" ) e',
    'e ( "=" e )+',
  ]
  const parts = fc.tuple(
    fc.uniqueArray(fc.constantFrom(...bases), {
      minLength: 1,
      maxLength: 2,
      selector: (base) => base.replace('x:', '')[0],
    }),
    fc.subarray(rounds, { minLength: 1, maxLength: 3 }),
  )
  const letters = fc.array(fc.constantFrom(...'nnnmm()-fg+*!?:[],;/<>='), { maxLength: 7 })
  let accepted = 0
  fc.assert(
    fc.property(
      parts,
      fc.array(letters, { minLength: 20, maxLength: 20 }),
      fc.boolean(),
      ([begin, next], inputs, isLast) => {
        const options = isLast ? [...begin, ...next] : [...next, ...begin]
        const text = `e ::= ${options.join(' | ')} ;\nname ::= "m" ;`
        const { rules } = parseGrammar(text, 'xylem')
        // Short texts that match are seldom met by chance.
        const likely = inputs.map((input) => input.map((letter) => (/[()[\]f]/.test(letter) ? 'n' : letter)))
        for (const dialect of DIALECTS) {
          const rewritten = rewrite(text, dialect)
          expect(rewritten).toBeDefined()
          const grammar = Grammar.from(rewritten ?? '', { dialect })
          for (const input of [...inputs, ...likely, ...derive(begin, next)]) {
            const letters = typeof input === 'string' ? input : input.join('')
            const isExpected = acceptsContextFree(rules, letters)
            if (isExpected) accepted++
            expect(grammar.test(letters, { entry: 'e' }), `${rewritten} with ${letters}`).toBe(isExpected)
          }
        }
      },
    ),
    parameters(400, 15),
  )
  expect(accepted).toBeGreaterThan(50)
})

/** Texts that match: each base alone, and with one or two rounds. */
function derive(bases: readonly string[], rounds: readonly string[]): string[] {
  const write = (items: string, self: string): string =>
    items
      .replace(/\w:/g, '')
      .replace(/\( "(.)" \| "." \)/, '"$1"')
      .replace(/[()+?]+(?= |$)/g, '')
      .replace(/"n"(?= ";")/, '')
      .replace(/\( /g, '')
      .replace(/\bname\b/g, 'm')
      .replace(/\be\b/g, self)
      .replace(/[" ]/g, '')
  const simple = bases.map((base) =>
    write(base.replace(/"\(" e "\)"/, '"<<" e ">>"'), 'n')
      .replace('<<', '(')
      .replace('>>', ')'),
  )
  const once = simple.flatMap((base) => rounds.map((round) => write(round, base)))
  return [...simple, ...once, ...once.flatMap((text) => rounds.map((round) => write(round, text)))].filter(
    (text) => text.length < 16,
  )
}
