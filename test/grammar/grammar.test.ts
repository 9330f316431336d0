import { describe, expect, test } from 'vitest'
import {
  Grammar,
  GrammarError,
  makeSchema,
  type SyntaxNode,
  type SyntaxNodeData,
  writeTypes,
} from '../../source/grammar/index.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { isThorough, sample } from '../support/extent.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const

const PAIRS = Grammar.from(`
program ::= pair* ;
pair    ::= ...( [a-z]+ ) %"=" value %";" ;
value   ::= number | word ;
number  ::= [0-9]+ ;
word    ::= [^;]* ;
`)

const children = (node: SyntaxNode) => node.value as SyntaxNode[]

function catchError(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('a grammar', () => {
  test('has its rules in the order of the text, with where they stand in it', () => {
    const text = ' b ::= "x" ;\na @"label" ::= b ;'
    const { rules } = Grammar.from(text)
    expect(rules.map(({ name, label }) => [name, label])).toEqual([
      ['b', undefined],
      ['a', 'label'],
    ])
    expect(rules.map(({ at }) => text.slice(at.start, at.end))).toEqual(['b ::= "x" ;', 'a @"label" ::= b ;'])
    expect(rules.map(({ nameAt }) => text.slice(nameAt.start, nameAt.end))).toEqual(['b', 'a'])
  })

  test('is read in two dialects, which differ in what sequence and choice bind', () => {
    const text = 'program ::= "a" "b" | "c" "d" ;'
    const matches = (grammar: Grammar) => ['ab', 'cd', 'abd', 'acd'].filter((input) => grammar.test(input))
    expect(matches(Grammar.from(text))).toEqual(['ab', 'cd'])
    expect(matches(Grammar.from(text, { dialect: 'bnf-parser' }))).toEqual(['cd', 'abd'])
    expect(matches(Grammar.from(text, { dialect: 'xylem' }))).toEqual(['ab', 'cd'])
  })

  test('is read by the rule program, or else by its first rule', async () => {
    const grammar = Grammar.from('list ::= item+ ; item ::= [a-z] ;')
    expect([grammar.entry, PAIRS.entry, Grammar.from('a ::= "b" ; program ::= a ;').entry]).toEqual([
      'list',
      'program',
      'program',
    ])
    expect(grammar.parse('ab').type).toBe('list')
    expect([grammar.test('ab'), grammar.test('1')]).toEqual([true, false])
    const types: string[] = []
    for await (const { type } of grammar.stream('ab')) types.push(type)
    expect(types).toEqual(['list'])
    await grammar.check('ab')
    expect(makeSchema(Grammar.from('list ::= item* ; item ::= n:[a-z] ;')).$ref).toBe('#/$defs/list')
    expect(Grammar.from('list ::= item* ; item ::= n:[a-z] ;').value('ab')).toEqual([{ n: 'a' }, { n: 'b' }])
  })

  test('of another kind than text, or in a dialect that there is not, is wrong use', () => {
    for (const text of [undefined, null, 1, new Uint8Array(1)]) {
      const error = catchError(() => Grammar.from(text as unknown as string))
      expect(error).toBeInstanceOf(TypeError)
      expect(error).toMatchObject({ code: 'invalid-option' })
    }
    const Made = Grammar as unknown as new (...given: string[]) => Grammar
    for (const given of [[], ['a ::= "b" ;']])
      expect(() => new Made(...given)).toThrow('make a grammar with Grammar.from(text)')
    const error = catchError(() => Grammar.from('a ::= "b" ;', { dialect: 'ebnf' as 'xylem' }))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ code: 'invalid-option' })
  })

  test('with several errors is refused with all of them, each with its place', () => {
    const text = 'program ::= a | b ;\nb ::= "c"?* ;\nb ::= ;\n'
    const error = catchError(() => Grammar.from(text)) as GrammarError
    expect(error).toBeInstanceOf(GrammarError)
    expect([error.name, error.code]).toEqual(['GrammarError', 'invalid-grammar'])
    expect(error.problems.length).toBeGreaterThan(1)
    for (const { message, line, column, excerpt, start } of error.problems) {
      expect(error.message).toContain(message)
      expect(error.message).toContain(`line ${line}, column ${column}`)
      const before = text.slice(0, start)
      expect([line, column]).toEqual([before.split('\n').length, before.length - before.lastIndexOf('\n')])
      expect(excerpt).toContain('^')
    }
    expect([error.line, error.column]).toEqual([error.problems[0]?.line, error.problems[0]?.column])
  })

  test('has warnings in the order of the text, and can be used all the same', () => {
    const grammar = Grammar.from('literal ::= "x" ;\nprogram ::= "c" | "a" "b" ;\nnever ::= "d" ;')
    expect(grammar.warnings.map(({ code, line, severity }) => [code, line, severity])).toEqual([
      ['unreachable-rule', 1, 'warning'],
      ['ambiguous-name', 1, 'warning'],
      ['mixed-operators', 2, 'warning'],
      ['unreachable-rule', 3, 'warning'],
    ])
    expect(grammar.warnings).toBe(grammar.warnings)
    expect(grammar.test('ab')).toBe(true)
    expect(PAIRS.warnings).toEqual([])
  })

  test('warns of a choice that will hold back input', () => {
    const grammar = Grammar.from('program ::= ( item+ "!" ) | ( item+ "?" ) ;\nitem ::= "x" "y" ;')
    expect(grammar.warnings.map(({ code }) => code)).toEqual([])
    const held = Grammar.from(
      'program ::= a | b ;\na ::= item+ "!" ; b ::= other+ "?" ;\nitem ::= [a-z] "," ; other ::= [a-y] "," ;',
    )
    expect(held.warnings.map(({ code, line }) => [code, line])).toEqual([['held-input', 1]])
    expect(held.warnings[0]?.suggestion).toContain('cut')
  })

  test.each([
    ['', true],
    ['^', false],
    ['( ^ )', false],
    ['( "!" ^ | "?" ^ )', false],
    ['( "!" ^ | "?" )', true],
    ['( "!" ^ )?', true],
    ['cut', true],
  ])('warns of a choice that will hold back input, unless there is a cut in time: %s', (cut, isHeld) => {
    const [first, last] = [`name ":" ${cut} record*`, 'word ";" record*']
    const rules = `name ::= [a-z]+ ; word ::= [a-z0-9]+ ; record ::= "-" name ; cut ::= "," ^ ;`
    const grammar = Grammar.from(`program ::= ( ${first} ) | ( ${last} ) ; ${rules}`, { dialect: 'xylem' })
    expect(grammar.warnings.some(({ code }) => code === 'held-input')).toBe(isHeld)
  })

  test('does not warn of a repetition that cuts in each round', () => {
    const rules = 'name ::= [a-z]+ ; word ::= [a-z0-9]+ ; record ::= "-" name ;'
    const read = (records: string): readonly string[] =>
      Grammar.from(`program ::= ( name ${records} ":" ) | ( word ";" ) ; ${rules}`).warnings.map(({ code }) => code)
    expect(read('record*')).toEqual(['held-input'])
    expect(read('( record ^ )*')).toEqual([])
  })
})

describe('parsing', () => {
  test.each(ENGINES)('gives a tree (%s)', (engine) => {
    const root = PAIRS.parse('a=1;bc=x y;', { engine })
    const [pairs] = children(root)
    expect([root.type, root.start, root.end, root.count]).toEqual(['program', 0, 11, 1])
    expect(children(pairs as SyntaxNode).map(({ type, start, end, count }) => [type, start, end, count])).toEqual([
      ['pair', 0, 4, 2],
      ['pair', 4, 11, 2],
    ])
    const [, second] = children(pairs as SyntaxNode)
    const [name, value] = children(second as SyntaxNode)
    expect([name?.type, name?.value, name?.text, name?.count]).toEqual(['literal', 'bc', 'bc', 2])
    expect([value?.type, value?.text]).toEqual(['value', 'x y'])
    expect(value?.ref).toEqual({ start: { line: 1, col: 8, index: 7 }, end: { line: 1, col: 11, index: 10 } })
  })

  test.each(ENGINES)('finds each of any number of options that begin with the same byte (%s)', (engine) => {
    for (const count of sample([20, 53, 54, 70, 200], 3)) {
      const options = Array.from({ length: count }, (_, i) => `"<${i}>" [a-z]+`)
      const grammar = Grammar.from(`program ::= item* ; item ::= ${options.join(' | ')} ;`, { dialect: 'xylem' })
      const text = options.map((_, i) => `<${i}>x`).join('')
      expect(grammar.test(text, { engine })).toBe(true)
      expect(grammar.test(`${text}<${count}>x`, { engine })).toBe(false)
    }
  })

  test.each(ENGINES)('takes bytes as well as text, and gives the same (%s)', (engine) => {
    const input = 'e=🌳;b=你;'
    const bytes = encoder.encode(`..${input}..`).subarray(2, -2)
    expect(PAIRS.parse(bytes, { engine }).toJSON()).toEqual(PAIRS.parse(input, { engine }).toJSON())
    expect(PAIRS.test(bytes, { engine })).toBe(true)
    expect(PAIRS.parse(Buffer.from(input), { engine }).text).toBe(input)
  })

  test.each(ENGINES)('reads half of a surrogate pair as the replacement character, as encoders do (%s)', (engine) => {
    const grammar = Grammar.from('program ::= [^]* ;')
    for (const input of ['a\ud800b', '\udc00', '🌳\ud83c']) {
      const expected = input.replace(/\p{Surrogate}/gu, '\ufffd')
      const root = grammar.parse(input, { engine })
      expect([root.text, root.end]).toEqual([expected, encoder.encode(expected).length])
      expect(children(root)[0]?.value).toBe(expected)
    }
  })

  test('begins with the rule that is asked for', () => {
    expect(PAIRS.parse('12', { entry: 'number' }).type).toBe('number')
    expect(PAIRS.test('12', { entry: 'number' })).toBe(true)
    expect(PAIRS.test('x', { entry: 'number' })).toBe(false)
    for (const act of [() => PAIRS.parse('', { entry: 'x' }), () => PAIRS.test('', { entry: 'toString' })]) {
      const error = catchError(act)
      expect(error).toBeInstanceOf(RangeError)
      expect(error).toMatchObject({ code: 'unknown-rule' })
    }
  })

  test('of input that continues after the entry is an error, unless it is partial', () => {
    expect(() => PAIRS.parse('a=1;!')).toThrow(ParseError)
    expect(PAIRS.test('a=1;!')).toBe(false)
    expect(PAIRS.parse('a=1;!', { partial: true }).end).toBe(4)
    expect(PAIRS.test('a=1;!', { partial: true })).toBe(true)
  })

  test.each(ENGINES)('of neither text nor bytes is wrong use (%s)', (engine) => {
    for (const input of [undefined, null, 1, {}, ['a'], new DataView(new ArrayBuffer(1)), new Uint16Array(1)]) {
      for (const act of [PAIRS.parse.bind(PAIRS), PAIRS.test.bind(PAIRS)]) {
        const error = catchError(() => act(input as unknown as string, { engine }))
        expect(error).toBeInstanceOf(TypeError)
        expect(error).toMatchObject({ code: 'invalid-chunk' })
      }
    }
  })

  test('can be done with one grammar in between parses of it that are under way', async () => {
    const came: string[] = []
    for await (const node of PAIRS.stream(['a=1;', 'b=2;'], { emit: 'pair' })) {
      came.push(node.text, PAIRS.parse('c=3;').text)
    }
    expect(came).toEqual(['a=1;', 'c=3;', 'b=2;', 'c=3;'])
  })

  test('after an error starts anew', () => {
    for (const engine of ENGINES) {
      for (let i = 0; i < 3; i++) {
        expect(catchError(() => PAIRS.parse('a=1;b', { engine }))).toBeInstanceOf(ParseError)
        expect(catchError(() => PAIRS.parse('a=1;b=2;', { engine, limits: { maxNodes: 2 } }))).toMatchObject({
          code: 'node-limit',
        })
        expect(PAIRS.parse('b=2;', { engine }).text).toBe('b=2;')
      }
    }
  })

  test.each(ENGINES)('of nothing is a tree of nothing, or an error (%s)', (engine) => {
    const root = PAIRS.parse('', { engine })
    expect(root.toJSON()).toMatchObject({ type: 'program', start: 0, end: 0, count: 1, value: [{ value: [] }] })
    expect(root.ref).toEqual({ start: { line: 1, col: 1, index: 0 }, end: { line: 1, col: 1, index: 0 } })
    expect(PAIRS.test(new Uint8Array(0), { entry: 'number', engine })).toBe(false)
  })
})

describe('a node', () => {
  const grammar = Grammar.from('program ::= %"<" ...( "a" %"-" "é" %"-" "b" )+ %">" tail? ; tail ::= "!" ;')

  test('that is gathered has a value without what is omitted, and a text with it', () => {
    const [literal] = children(grammar.parse('<a-é-ba-é-b>'))
    expect([literal?.value, literal?.text, literal?.count]).toEqual(['aébaéb', 'a-é-ba-é-b', 8])
    expect([literal?.start, literal?.end]).toEqual([1, 13])
    expect(literal?.ref.end).toEqual({ line: 1, col: 12, index: 11 })
  })

  test('gives an equal value each time it is asked, and an empty array where it has none', () => {
    const root = grammar.parse('<a-é-b>')
    expect(children(root).map(({ start, end }) => [start, end])).toEqual(
      children(root).map(({ start, end }) => [start, end]),
    )
    expect(children(root)[1]?.value).toEqual([])
    expect(children(root)[1]?.type).toBe('(...)?')
  })

  test('is written as plain data, and reads back as such', () => {
    const root = grammar.parse('<a-é-b>!')
    const data = root.toJSON()
    expect(JSON.parse(JSON.stringify(root))).toEqual(data)
    expect(data).toEqual({
      type: 'program',
      start: 0,
      end: 9,
      count: 2,
      ref: root.ref,
      value: [
        { type: 'literal', start: 1, end: 7, count: 4, value: 'aéb', ref: children(root)[0]?.ref },
        {
          type: '(...)?',
          start: 8,
          end: 9,
          count: 1,
          ref: { start: { line: 1, col: 8, index: 7 }, end: { line: 1, col: 9, index: 8 } },
          value: [
            {
              type: 'tail',
              start: 8,
              end: 9,
              count: 1,
              ref: { start: { line: 1, col: 8, index: 7 }, end: { line: 1, col: 9, index: 8 } },
              value: [expect.objectContaining({ type: 'literal', value: '!' })],
            },
          ],
        },
      ],
    })
    expect(children(children(root)[1] as SyntaxNode)[0]?.toJSON()).toEqual(
      (data.value as { value: unknown[] }[])[1]?.value[0],
    )
  })

  test.each(ENGINES)('of a tree that is far deeper than the stack works (%s)', (engine) => {
    const depth = isThorough ? 200_000 : 12_000
    const lists = Grammar.from('program ::= %"(" program? %")" ;')
    const root = lists.parse('('.repeat(depth) + ')'.repeat(depth), { engine })
    let levels = 0
    for (let node: SyntaxNode | undefined = root; node; levels++) node = children(children(node)[0] as SyntaxNode)[0]
    expect(levels).toBe(depth)
    let data = root.toJSON()
    for (levels = 1; ; levels++) {
      const [optional] = data.value as [SyntaxNodeData]
      const [inner] = optional.value as SyntaxNodeData[]
      if (!inner) break
      data = inner
    }
    expect([levels, data.start, data.end]).toEqual([depth, depth - 1, depth + 1])
  })

  test('of a long text finds its places quickly, from any side', () => {
    const lines = Grammar.from('program ::= line* ; line ::= [^\\n]* %"\\n" ;')
    const input = 'é🌳 text\r\n'.repeat(20_000)
    const nodes = children(children(lines.parse(input))[0] as SyntaxNode)
    for (let i = nodes.length - 1; i >= 0; i -= 997) {
      const { ref, text } = nodes[i] as SyntaxNode
      expect(ref.start).toEqual({ line: i + 1, col: 1, index: i * 10 })
      expect(ref.end).toEqual({ line: i + 2, col: 1, index: (i + 1) * 10 })
      expect(text).toBe('é🌳 text\r\n')
    }
  })
})

describe('typings', () => {
  test('declare a type for each rule, with its members as a tuple', () => {
    const typings = writeTypes(PAIRS)
    expect(typings).toContain("import type { GrammarTypes, Term } from 'xylem/grammar'")
    for (const name of ['Program', 'Pair', 'Value', 'Number', 'Word']) {
      expect(typings).toContain(`export interface Term_${name} extends Term<`)
    }
    expect(typings).toContain("extends Term<'value', readonly [(Term_Number | Term_Word)]>")
    expect(typings).toContain("extends Term<'pair', readonly [Literal, Term_Value]>")
  })

  test('keep names apart that differ in the case of the first letter', () => {
    const typings = writeTypes(Grammar.from('program ::= x X ; x ::= "a" ; X ::= "b" ;'))
    expect(typings).toContain('interface Term_x ')
    expect(typings).toContain('interface Term_X ')
  })
})

describe('a grammar of very many rules', () => {
  /** Rules that refer to the next one each. */
  const chain = (count: number, write: (next: string) => string) => {
    const rules = Array.from({ length: count }, (_, i) => `r${i} ::= ${write(`r${i + 1}`)} ;`)
    return Grammar.from(`program ::= r0 ;\n${rules.join('\n')}\nr${count} ::= "x" ;`, { dialect: 'xylem' })
  }

  test('may go to any depth', () => {
    const count = isThorough ? 5000 : 1200
    const grammar = chain(count, (next) => next)
    expect(grammar.warnings).toEqual([])
    expect(grammar.test('x')).toBe(true)
    expect(grammar.parse('x').type).toBe('program')
    expect(() => grammar.parse('y')).toThrow('expected "x", but found "y"')
    expect(writeTypes(grammar)).toContain(`r${count}`)
  })

  test('is checked and compiled in time that does not double with each rule that is referred to twice', () => {
    const grammar = chain(40, (next) => `${next} | ( "y" ${next} )`)
    expect(grammar.warnings.length).toBeLessThan(42)
    expect(grammar.test('yyx')).toBe(true)
  })

  const chains = [
    ['choices of a rule and text', (next: string) => `${next} | "x"`],
    ['choices with a rule at the end', (next: string) => `"x" | ${next}`],
    ['repetitions of a rule', (next: string) => `${next}+`],
    ['repetitions with something after each round', (next: string) => `( ${next} "a" )*`],
    ['optional rules', (next: string) => `${next}? "a"`],
    ['counted rules', (next: string) => `${next}{2,3} "a"?`],
  ] as const
  test.each(sample(chains, 3))('has code in proportion to it, for a chain of %s', (_, refer) => {
    const lengthOf = (count: number, parts: readonly string[]) => {
      const purpose = { entry: 'program', parts: new Set(parts), nested: 'outermost', isPartial: false } as const
      return chain(count, refer).compile(purpose).program.code.length
    }
    for (const parts of [[], ['program']]) {
      // Few rules may become a single set.
      for (const count of [8, isThorough ? 50 : 25])
        expect(lengthOf(2 * count, parts)).toBeLessThan(4 * lengthOf(count, parts) + 1000)
    }
  })
})
