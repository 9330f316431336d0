// What each pass changes, and what it must leave as it is. Patterns are compared as text:
//
//   "a"   [a-c]   [a-c]{1,∞}   until "a" "b"   ( x | y )   x{0,∞}   &x   &!x   <open   close type>   leaf   ^   @message   rule:mode

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Grammar } from '../../source/grammar/index.ts'
import { factor } from '../../source/grammar/passes/factor.ts'
import { runPasses } from '../../source/grammar/passes/index.ts'
import { inline } from '../../source/grammar/passes/inline.ts'
import { joinLeaves } from '../../source/grammar/passes/leaves.ts'
import { joinNames } from '../../source/grammar/passes/names.ts'
import type { Pass } from '../../source/grammar/passes/pass.ts'
import { skipToCandidates } from '../../source/grammar/passes/search.ts'
import { joinSets } from '../../source/grammar/passes/sets.ts'
import { joinSpans } from '../../source/grammar/passes/spans.ts'
import { Lowering, type Wanted } from '../../source/grammar/pattern/lower.ts'
import {
  itemsOf,
  netOpens,
  type Pattern,
  type Procedure,
  proceduresFrom,
} from '../../source/grammar/pattern/pattern.ts'
import type { CodePointSet } from '../../source/machine/program/code-point-set.ts'
import { parameters } from '../support/property.ts'

const decoder = new TextDecoder()

function write(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'literal':
      return `${pattern.ignoresCase ? '~' : ''}${JSON.stringify(decoder.decode(pattern.bytes))}`
    case 'class':
      return `${writeSet(pattern.set)}${writeCount(pattern.min, pattern.max)}`
    case 'name':
      return `${writeSet(pattern.set)}${writeSet(pattern.rest)}*`
    case 'listed':
      return `one of ${pattern.literals.map((bytes) => JSON.stringify(decoder.decode(bytes))).join(' ')}`
    case 'match':
      return `=${write(pattern.name)}`
    case 'action':
      return `!${pattern.action}`
    case 'until': {
      const literals = pattern.literals.map((bytes) => JSON.stringify(decoder.decode(bytes)))
      return `until ${literals.join(' ')}${writeCount(pattern.min, Number.POSITIVE_INFINITY)}`
    }
    case 'sequence':
      return pattern.items.map(write).join(' ')
    case 'choice':
      return `( ${pattern.options.map(write).join(' | ')} )`
    case 'repeat': {
      const items = itemsOf(pattern.operand)
      const operand = items.length === 1 ? write(pattern.operand) : `( ${write(pattern.operand)} )`
      return `${operand}${writeCount(pattern.min, pattern.max)}`
    }
    case 'rounds':
    case 'round':
      return write(pattern.operand)
    case 'look':
      return `&${pattern.isNegative ? '!' : ''}${write(pattern.operand)}`
    case 'call':
      return `${pattern.procedure.rule}:${pattern.procedure.mode}`
    case 'open':
      return '<'
    case 'close':
      return `${pattern.type}>`
    case 'leaf':
      return 'leaf'
    case 'cut':
      return '^'
    case 'throw':
      return `@${pattern.message}`
  }
}

function writeSet(set: CodePointSet): string {
  const complement = set.complement()
  const isShorter = complement.ranges.length < set.ranges.length || set.has(0x10ffff)
  const { ranges } = isShorter ? complement : set
  const written = ranges.map(([first, last]) => {
    const one = String.fromCodePoint(first)
    return first === last ? one : `${one}-${String.fromCodePoint(last)}`
  })
  return `[${isShorter ? '^' : ''}${written.join('')}]`
}

function writeCount(min: number, max: number): string {
  return min === 1 && max === 1 ? '' : `{${min},${max === Number.POSITIVE_INFINITY ? '∞' : max}}`
}

const SILENT: Wanted = { parts: new Set(), nested: 'outermost' }
const TREE: Wanted = { parts: new Set(['program']), nested: 'outermost' }

function lower(source: string, wanted: Wanted): Procedure {
  const { rules } = Grammar.from(source, { dialect: 'bnf-parser' })
  return new Lowering(new Map(rules.map((rule) => [rule.name, rule])), wanted).entry('program')
}

/** What passes make of the entry, and what they report. */
function run(source: string, wanted: Wanted, ...passes: Pass[]): { body: string; told: string[] } {
  const entry = lower(source, wanted)
  const told: string[] = []
  for (const pass of passes) pass(proceduresFrom(entry), (rule, text) => told.push(`${rule}: ${text}`))
  return { body: write(entry.body), told }
}

const bodyOf = (source: string, wanted: Wanted, ...passes: Pass[]) => run(source, wanted, ...passes).body

describe('lowering', () => {
  test('makes nodes explicit where they are recorded, and leaves them out elsewhere', () => {
    const source = 'program ::= "a" ( "b" | "c" ) %"d" "e"* ;'
    expect(bodyOf(source, SILENT)).toBe('"a" ( "b" | "c" ) "d" "e"{0,∞}')
    expect(bodyOf(source, TREE)).toBe(
      '< "a" #literal> ( < "b" #literal> | < "c" #literal> ) "d" < ( < "e" #literal> ){0,∞} (...)*>',
    )
  })
})

describe('lowering keeps the meaning of an expression', () => {
  test('of text that is gathered: one literal, with holes for what is omitted', () => {
    const source = 'program ::= ...( "a" %"b" ) ...( "c" "d" ) ;'
    expect(bodyOf(source, TREE)).toBe('< "a" < "b" #hole> #literal> < "c" "d" #literal>')
  })

  test('of what is not to match: a set, a search for text, or a look before each character', () => {
    const source = 'program ::= !"a" !"ab"* !( "a" | "b" )+ !x ; x ::= "q"+ ;'
    expect(bodyOf(source, SILENT)).toBe('[^a] until "ab"{0,∞} [^a-b]{1,∞} &!x:silent [^]')
  })

  test('of counts, of nothing, and of text without case', () => {
    const source = 'program ::= [a]{2,} [b]{3} "b"->"a" "" ~"aB" ~"é" ;'
    expect(bodyOf(source, SILENT)).toBe('[a]{2,2} [a]{0,∞} [b]{3,3} (  ) (  ) ~"ab" [Éé]')
  })
})

describe('inlining', () => {
  test('puts small rules in the place of their calls, from the inside out, with their nodes', () => {
    const source = 'program ::= x x ; x ::= "a" y ; y ::= "b" ;'
    expect(run(source, SILENT, inline)).toEqual({
      body: '"a" "b" "a" "b"',
      told: ['x: y is inlined', 'program: x is inlined'],
    })
    expect(bodyOf('program ::= x ; x ::= "a" ;', TREE, inline)).toBe('< < "a" #literal> x>')
  })

  test('leaves a rule that comes to itself', () => {
    expect(run('program ::= x ; x ::= "(" x? ")" ;', SILENT, inline)).toEqual({ body: 'x:silent', told: [] })
  })

  test('leaves a rule with a cut, which the call bounds', () => {
    expect(bodyOf('program ::= x y ; x ::= "a" ^ "b" ; y ::= "c" ;', SILENT, inline)).toBe('x:silent "c"')
  })

  test('leaves a part, which has a frame of its own', () => {
    const wanted: Wanted = { parts: new Set(['x']), nested: 'outermost' }
    expect(bodyOf('program ::= x y ; x ::= "a" ; y ::= "c" ;', wanted, inline)).toBe('x:part "c"')
  })

  test('leaves a large rule that is called more than once', () => {
    const large = Array.from({ length: 30 }, (_, i) => `"${i}"`).join(' ')
    expect(bodyOf(`program ::= x x ; x ::= ${large} ;`, SILENT, inline)).toBe('x:silent x:silent')
    expect(bodyOf(`program ::= x ; x ::= ${large} ;`, SILENT, inline)).not.toContain('x:silent')
  })
})

describe('joining leaves', () => {
  test('needs no frame for a node round a single terminal', () => {
    expect(bodyOf('program ::= "a" [b]+ ( "c" ) "d"* ;', TREE, joinLeaves)).toBe(
      '"a" leaf [b]{1,∞} leaf < "c" leaf (...)> < ( "d" leaf ){0,∞} (...)*>',
    )
  })

  test('leaves a node round more than that', () => {
    expect(bodyOf('program ::= ...( "a" "b" ) ...[c] ;', TREE, joinLeaves)).toBe('< "a" "b" #literal> [c] leaf')
  })
})

describe('joining sets', () => {
  test('makes one set of single characters in a row', () => {
    expect(run('program ::= "a" | [b-c] | "é" | "xy" | "d" | "e" ;', SILENT, joinSets)).toEqual({
      body: '( [a-cé] | "xy" | [d-e] )',
      told: ['program: 4 options are one set'],
    })
    expect(bodyOf('program ::= "a" | "b" ;', TREE, joinLeaves, joinSets)).toBe('[a-b] leaf')
  })

  test('leaves options apart that record something else', () => {
    expect(bodyOf('program ::= "a" | %"b" ;', TREE, joinLeaves, joinSets)).toBe('( "a" leaf | "b" )')
  })

  test('leaves what is more than one character, or is repeated, or has no case', () => {
    expect(bodyOf('program ::= "a" | [b]+ | ~"c" | "d" ;', SILENT, joinSets)).toBe('( "a" | [b]{1,∞} | ~"c" | "d" )')
  })
})

describe('joining spans', () => {
  test('makes a span of a repeated character, with any count', () => {
    expect(bodyOf('program ::= "a"* "b"+ ( "c" | "d" )* ;', SILENT, joinSets, joinSpans)).toBe(
      '[a]{0,∞} [b]{1,∞} [c-d]{0,∞}',
    )
    expect(bodyOf('program ::= ...( "a"* ) %( "b" )* ;', TREE, joinSpans)).toBe('< [a]{0,∞} #literal> [b]{0,∞}')
  })

  test('leaves rounds that are recorded one by one', () => {
    expect(run('program ::= "a"* ;', TREE, joinLeaves, joinSpans)).toEqual({
      body: '< ( "a" leaf ){0,∞} (...)*>',
      told: [],
    })
  })

  test('makes spans of rounds in which a set is tried first', () => {
    expect(bodyOf('program ::= ( [ab] | "cd" )* ( "cd" | [ab] )* ( [ab] | "cd" ){3} ;', SILENT, joinSpans)).toBe(
      '( [a-b]{1,∞} | "cd" ){0,∞} ( "cd" | [a-b] ){0,∞} ( [a-b] | "cd" ){3,3}',
    )
  })

  test('leaves rounds of several characters', () => {
    expect(bodyOf('program ::= "ab"* ( [a] [b] )* ( [a]{2} )* ;', SILENT, joinSpans)).toBe(
      '"ab"{0,∞} ( [a] [b] ){0,∞} [a]{2,2}{0,∞}',
    )
  })
})

describe('skipping to candidates', () => {
  test('skips what cannot begin what must not come', () => {
    expect(run('program ::= !( "a" x )* ; x ::= [bc] ;', SILENT, skipToCandidates)).toEqual({
      body: '( [^a]{1,∞} | &!"a" x:silent [a] ){0,∞}',
      told: ['program: a search for anything but "a" x skips what cannot begin it'],
    })
    expect(bodyOf('program ::= !( "a" "b"? )+ ;', SILENT, skipToCandidates)).toBe(
      '( [^a]{1,∞} | &!"a" "b"{0,1} [a] ){1,∞}',
    )
  })

  test('leaves a search for what can begin with anything, or be nothing', () => {
    expect(bodyOf('program ::= !( [^] "a" )* ;', SILENT, skipToCandidates)).toBe('( &![^] "a" [^] ){0,∞}')
    expect(bodyOf('program ::= !( "a"? "b"? )* ;', SILENT, skipToCandidates)).toBe('( &!"a"{0,1} "b"{0,1} [^] ){0,∞}')
  })

  test('leaves counted searches', () => {
    const body = '( &!"a" [b] [^] ){2,∞} ( &!"a" [b] [^] ){0,3}'
    expect(bodyOf('program ::= !( "a" [b] ){2,} !( "a" [b] ){0,3} ;', SILENT, skipToCandidates)).toBe(body)
  })
})

describe('names', () => {
  test('are one code point and a repetition of others', () => {
    expect(bodyOf('program ::= [a-z] [a-z0-9]* ;', SILENT, joinNames)).toBe('[a-z][0-9a-z]*')
    expect(bodyOf('program ::= [a-z] [a-z0-9]+ ;', SILENT, joinNames)).toBe('[a-z] [0-9a-z]{1,∞}')
    expect(bodyOf('program ::= [a-z]{2} [a-z0-9]* ;', SILENT, joinNames)).toBe('[a-z]{2,2} [0-9a-z]{0,∞}')
    expect(bodyOf('program ::= %[a-z] [a-z0-9]* ;', TREE, joinLeaves, joinNames)).toBe('[a-z] [0-9a-z]{0,∞} leaf')
    expect(bodyOf('program ::= [a-z] [a-z0-9]* ;', TREE, joinNames)).toBe('< [a-z] #literal> < [0-9a-z]{0,∞} #literal>')
  })
})

describe('factoring', () => {
  test('takes out what options in a row begin with, again and again', () => {
    const source = 'program ::= ( "a" "b" "c" ) | ( "a" "b" "d" ) | ( "a" "e" ) | "f" ;'
    expect(run(source, SILENT, factor)).toEqual({
      body: '( "a" ( "b" ( "c" | "d" ) | "e" ) | "f" )',
      told: ['program: 3 options begin alike', 'program: 2 options begin alike'],
    })
  })

  test('keeps the order of the options, and those that can never match', () => {
    expect(bodyOf('program ::= ( "a" "b" ) | "d" | ( "a" "c" ) ;', SILENT, factor)).toBe('( "a" "b" | "d" | "a" "c" )')
    expect(bodyOf('program ::= ( "a" "b" ) | "a" | ( "a" "c" ) ;', SILENT, factor)).toBe('"a" ( "b" |  | "c" )')
  })

  test('shares the start of nodes with what begins them, whatever their types', () => {
    expect(bodyOf('program ::= x | y ; x ::= "a" "b" ; y ::= "a" "c" ;', TREE, inline, factor)).toBe(
      '( < < "a" #literal> < "b" #literal> x> | < < "a" #literal> < "c" #literal> y> )',
    )
    expect(bodyOf('program ::= x | y ; x ::= "a" "b" ; y ::= "a" "c" ;', TREE, inline, joinLeaves, factor)).toBe(
      '< "a" leaf ( "b" leaf x> | "c" leaf y> )',
    )
  })

  test('leaves cuts and labelled failures in their options', () => {
    expect(bodyOf('program ::= ( ^ "a" ) | ( ^ "b" ) ;', SILENT, factor)).toBe('( ^ "a" | ^ "b" )')
    expect(bodyOf('program ::= ( @"no" "a" ) | ( @"no" "b" ) ;', SILENT, factor)).toBe('( @no "a" | @no "b" )')
  })

  test('leaves what matches the same in another way', () => {
    const source = 'program ::= ( [a] "b" ) | ( "a" "c" ) | ( ~"a" "d" ) ;'
    expect(bodyOf(source, SILENT, factor)).toBe('( [a] "b" | "a" "c" | ~"a" "d" )')
  })
})

describe('all passes', () => {
  test('report by name what they did', () => {
    const entry = lower('program ::= ( x | "b" )* "c" ; x ::= "a" ;', SILENT)
    expect(runPasses(entry).map(({ pass, text }) => [pass, text])).toEqual([
      ['inline', 'x is inlined'],
      ['sets', '2 options are one set'],
      ['spans', 'a repetition of "a" or "b" is one span'],
    ])
    expect(write(entry.body)).toBe('[a-b]{0,∞} "c"')
  })

  test('leave as many nodes closed as were opened, in each option alike', () => {
    const terms = fc.constantFrom(
      '"a"',
      '"ab"',
      '[a-c]',
      'x',
      'y',
      '...( "a" %"b" )',
      '%"c"',
      '( "a" "b" )',
      '( "a" x )',
    )
    const options = fc.array(fc.array(terms, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(options, options, (program, x) => {
        const choose = (all: string[][]) => all.map((items) => `( ${items.join(' ')} )`).join(' | ')
        const source = `program ::= ${choose(program)} ; x ::= ${choose(x).replaceAll('x', 'y')} ; y ::= "a" "b" ;`
        const entry = lower(source, TREE)
        runPasses(entry)
        for (const { body } of proceduresFrom(entry)) expect(countOpens(body), write(body)).toBe(0)
      }),
      parameters(200),
    )
  })
})

/** How many nodes are opened more than are closed, when all options agree on it. */
function countOpens(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'sequence':
      return pattern.items.reduce((depth, item) => depth + countOpens(item), 0)
    case 'choice': {
      const [first = 0, ...others] = pattern.options.map(countOpens)
      for (const other of others) expect(other, write(pattern)).toBe(first)
      return first
    }
    case 'repeat':
    case 'look':
      expect(countOpens(pattern.operand)).toBe(0)
      return 0
    default:
      return netOpens(pattern)
  }
}
