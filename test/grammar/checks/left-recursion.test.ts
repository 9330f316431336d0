import { expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import { findProblems } from './find-problems.ts'

/** The cycles that are reported. */
function findCycles(text: string): (string | undefined)[] {
  return findProblems('left-recursion', text).map(({ message }) => /: (.*)/.exec(message)?.[1])
}

test.each([
  ['a ::= a "x" | "y" ;', ['a → a']],
  ['a ::= b "x" ; b ::= a | "y" ;', ['a → b → a']],
  ['a ::= b ; b ::= c ; c ::= "x" | a ;', ['a → b → c → a']],
  ['a ::= "x"? a ;', ['a → a']],
  ['a ::= b a ; b ::= "x"* ;', ['a → a']],
  ['a ::= &"x" ^ a ;', ['a → a']],
  ['a ::= ( "x" | ( "y"? %...a ) ) ;', ['a → a']],
  ['a ::= !a ;', ['a → a']],
  ['a ::= &!a "x" ;', ['a → a']],
  ['a ::= a? "x" ;', ['a → a']],
  ['a ::= a{2,} ;', ['a → a']],
])('%s begins with itself', (text, cycles) => {
  expect(findCycles(text)).toEqual(cycles)
})

test.each([
  'a ::= "x" a | "y" ;',
  'a ::= "(" a ")" | b ; b ::= "x" ;',
  'a ::= "x"+ a? ;',
  'a ::= b a? ; b ::= "x" ;',
  'a ::= "" a | "x" ;',
  'a ::= @"message" a ;',
  'a ::= nothing a? ;',
])('%s consumes before it comes to itself', (text) => {
  expect(findCycles(text)).toEqual([])
})

test('each cycle is reported once, with the shortest way around', () => {
  const text = 'a ::= b | c ; b ::= c | a ; c ::= d ; d ::= d "x" | "y" ; e ::= a ;'
  expect(findCycles(text)).toEqual(['a → b → a', 'd → d'])
  expect(findCycles('a ::= b | a ; b ::= c ; c ::= a ;')).toEqual(['a → a', 'b → c → a → b'])
})

test('the place is the name of the rule', () => {
  expect(findProblems('left-recursion', 'x ::= "q" ; a ::= a ;')[0]).toMatchObject({
    severity: 'error',
    start: 12,
    end: 13,
  })
})

test('thousands of rules are checked', () => {
  const chain = Array.from({ length: 3000 }, (_, i) => `r${i} ::= r${i + 1} ;`).join(' ')
  expect(findCycles(`${chain} r3000 ::= "x" ;`)).toEqual([])
  expect(findCycles(`${chain} r3000 ::= r3000 "x" | "y" ;`)).toEqual(['r3000 → r3000'])
})

test.each([
  ['sum ::= sum [+] product | product ;', 'sum ::= product ( left:< op:[+] right:product )* ;'],
  ['sum ::= sum "+" sum | product ;', 'sum ::= product ( left:< "+" right:product )* ;'],
  ['sum ::= a:sum "+" b:sum | product ;', 'sum ::= product ( a:< "+" b:product )* ;'],
  ['sum ::= sum "+" sum | product %";"? ;', 'sum ::= product %";"? ( left:< "+" right:( product %";"? ) )* ;'],
  [
    'sum ::= sum ( "+" | "-" ) sum | "(" sum ")" | product ;',
    'sum ::= ( ( "(" sum ")" ) | product ) ( left:< op:( "+" | "-" ) right:( ( "(" sum ")" ) | product ) )* ;',
  ],
  [
    'sum ::= sum "+" sum | sum "-" product | product ;',
    'sum ::= product ( ( left:< "+" right:product ) | ( left:< "-" right:product ) )* ;',
  ],
  ['sum ::= sum | product ;', undefined],
])('%s is said as a left fold that works', (rule, fold = 'sum ::= first ( left:< op:"…" right:next )* ;') => {
  const others = 'product ::= [0-9]+ ;'
  const [problem] = findProblems('left-recursion', `${rule} ${others}`)
  expect(problem?.suggestion).toBe(`use a repetition instead:  ${fold}`)
  if (fold.includes('first')) return
  for (const dialect of ['xylem', 'bnf-parser'] as const) {
    const value = Grammar.from(`program ::= sum ; ${fold} ${others}`, { dialect }).value('1+2+3')
    const [left] = Object.values(value as object)
    expect(Object.values(left)[0]).toBe('1')
    expect(JSON.stringify(value)).toMatch(/"3"\}$/)
  }
})
