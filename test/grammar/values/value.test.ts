import { describe, expect, test } from 'vitest'
import {
  Grammar,
  GrammarError,
  type GrammarValue,
  ParseError,
  type ValueRunOptions,
} from '../../../source/grammar/index.ts'

const encoder = new TextEncoder()

function makeValue(text: string, input: string, options: ValueRunOptions = {}): GrammarValue {
  return Grammar.from(text, { dialect: 'xylem' }).value(input, options)
}

/** The values of a rule, in whole input, byte by byte and at every cut, on both engines: they must be the same. */
async function valuesOf(text: string, input: string, emit: string): Promise<GrammarValue[]> {
  const grammar = Grammar.from(text, { dialect: 'xylem' })
  const bytes = encoder.encode(input)
  const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.slice(0, at), bytes.slice(at)])
  const ways = [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte)), ...cuts]
  const results: GrammarValue[][] = []
  for (const chunks of ways) {
    for (const engine of ['wasm', 'plain'] as const) {
      const values: GrammarValue[] = []
      for await (const value of grammar.values(chunks, { emit, engine })) values.push(value)
      results.push(values)
    }
  }
  for (const other of results) expect(other).toEqual(results[0])
  return results[0] as GrammarValue[]
}

const LETTERS = 'word ::= [a-z]+ ; digits ::= [0-9]+ ; number @integer ::= [0-9]+ ;'

describe('a rule without fields', () => {
  test.each<[rules: string, input: string, value: GrammarValue]>([
    // A rule that reaches no visible rule is text, without its omitted parts.
    ['program ::= [a-z]+ "-" [a-z]* ;', 'ab-c', 'ab-c'],
    ['program ::= ( "a" %"-" )* ;', 'a-a-', 'aa'],
    ['program ::= %"<" !">"* %">" ;', '<é🌳>', 'é🌳'],
    ['program ::= "yes" | "no" ;', 'no', 'no'],
    ['program ::= comma [a-z]+ comma ; comma ::= %"," ;', ',ab,', 'ab'],
    ['program ::= x ; x ::= "(" x* ")" ;', '(()())', '(()())'],
    ['program ::= "[" x "]" ; x ::= %"(" x? %")" | [a-z] ;', '[((a))]', 'a'],
    // One visible part gives what it gives; punctuation does not count.
    ['program ::= "(" word ")" ;', '(ab)', 'ab'],
    ['program ::= ( word | number ) %";" ;', '12;', 12],
    ['program ::= ...( word "-" word ) ;', 'a-b', 'a-b'],
    // Repetitions.
    ['program ::= word? ;', 'ab', 'ab'],
    ['program ::= word? ;', '', null],
    ['program ::= ( word %" " )* ;', 'a b ', ['a', 'b']],
    ['program ::= ( word %" " )+ ;', 'a ', ['a']],
    ['program ::= ( number %" " ){2,3} ;', '1 2 3 ', [1, 2, 3]],
    ['program ::= "[" word{* ","} "]" ;', '[a,b,c]', ['a', 'b', 'c']],
    ['program ::= "[" word{* ","} "]" ;', '[]', []],
    ['program ::= word{+ %"," %" "*} ;', 'a, b,c', ['a', 'b', 'c']],
    ['program ::= row{* ";"} ; row ::= number{* ","} ;', '1,2;;3', [[1, 2], [], [3]]],
    // What is omitted in a round gives nothing; a rule that gives nothing gives null.
    ['program ::= ( word | %";" )* ;', ';a;;b', ['a', 'b']],
    ['program ::= ( ( number | ( %"-" &[^] ) | word ) "," )+ ;', '1,-,a,', [1, 'a']],
    ['program ::= ( word | none | %";" )+ ; none ::= %"-" ;', ';a-;', ['a', null]],
    // Nothing visible.
    ['program ::= none ; none ::= %"x" ;', 'x', null],
    ['program ::= item{* ","} ; item ::= word | none ; none ::= %"-" ;', 'a,-,b', ['a', null, 'b']],
    ['program ::= %"x" &"y" %"y" ;', 'xy', null],
  ])('%s of %s', (rules, input, value) => {
    expect(makeValue(`${rules} ${LETTERS}`, input)).toEqual(value)
  })

  test.each([
    ['program ::= word digits ;', 'program has 2 parts that give something here'],
    ['program ::= [+-] number ;', 'program has 2 parts that give something here'],
    ['program ::= word ( "," word )* ;', 'program has 2 parts that give something here'],
    ['program ::= item* ; item ::= word number ;', 'item has 2 parts that give something here'],
    [
      'program ::= item* ; item ::= ( pair | %"-" )* size:number ; pair ::= a:word b:number ;',
      'in item, which has fields, no field holds what pair gives',
    ],
    ['program ::= a:word ( "," pairs )? ; pairs ::= pair* ; pair ::= a:word b:number ;', 'name it (pairs:pairs)'],
  ])('%s does not say what it gives', (rules, message) => {
    const grammar = Grammar.from(`${rules} ${LETTERS}`, { dialect: 'xylem' })
    expect(() => grammar.value('a')).toThrow(GrammarError)
    expect(() => grammar.value('a')).toThrow(message)
    expect(() => grammar.values('a')).toThrow(message)
    // Trees can be made of it all the same, and so can values of rules that do not need it.
    expect(grammar.test('!')).toBe(false)
    expect(grammar.value('ab', { entry: 'word' })).toBe('ab')
  })
})

test('a rule that makes no value need not say what it gives', () => {
  const rules = `program ::= %gap key:word gap rest:...both ; gap ::= [ ] both ; both ::= word digits ; ${LETTERS}`
  expect(makeValue(rules, ' a1b c2d3')).toEqual({ key: 'b', rest: 'd3' })
})

describe('a record', () => {
  test.each<[rules: string, input: string, value: GrammarValue]>([
    ['program ::= key:word "=" value:number ;', 'a=1', { key: 'a', value: 1 }],
    ['program ::= word key:word{* ","} digits ;', 'x', undefined],
    ['program ::= sign:[+-] number:number ;', '-3', { sign: '-', number: 3 }],
    ['program ::= words:word{* ","} end:"."? ;', 'a,b', { words: ['a', 'b'], end: undefined }],
    ['program ::= words:word{* ","} end:"."? ;', '.', { words: [], end: '.' }],
    ['program ::= all:...( word "-" word ) not?:"!" ;', 'a-b', { all: 'a-b', not: false }],
    ['program ::= all:...( word "-" word ) not?:"!" ;', 'a-b!', { all: 'a-b', not: true }],
    ['program ::= op:"+" | op:"-" ;', '-', { op: '-' }],
    // The same name on one way, or in a repetition, is one array in the order of the input.
    ['program ::= item:word ( "," item:word )* ;', 'a', { item: ['a'] }],
    ['program ::= item:word ( "," item:word )* ;', 'a,b,c', { item: ['a', 'b', 'c'] }],
    ['program ::= ( w:word | n:number )* ;', 'a1b22', { w: ['a', 'b'], n: [1, 22] }],
    ['program ::= x:word{* ","} ";" x:number* ;', 'a,b;7', { x: ['a', 'b', 7] }],
    ['program ::= ( x:word? ";" )* ;', 'a;;b;', { x: ['a', 'b'] }],
    ['program ::= x:none{2,3} ; none ::= %"-" ;', '--', { x: [null, null] }],
    ['program ::= x:( word | %";" )* n:number ;', ';a;1', { x: ['a'], n: 1 }],
    ['program ::= ( x:( word | %";" )* n:number )* ;', ';a;1b2;3', { x: ['a', 'b'], n: [1, 2, 3] }],
    // In different options one field, or records of different fields.
    ['program ::= ( x:word | x:number ) "." ;', '5.', { x: 5 }],
    ['program ::= w:word | n:number ;', '5', { n: 5 }],
    ['program ::= a:"<" ( w:word | n:number ) z:">" ;', '<b>', { a: '<', w: 'b', z: '>' }],
    ['program ::= a:"<" ( w:word | n:number ) z:">" ;', '<1>', { a: '<', n: 1, z: '>' }],
    ['program ::= w:word ( "=" n:number )? ;', 'a', { w: 'a', n: undefined }],
    ['program ::= ( w:word | n:number ) ( x:"x" | y:"y" ) ;', '1y', { w: undefined, n: 1, x: undefined, y: 'y' }],
    ['program ::= ( w:word | ( n:number | y:"-" ) ) "." ;', 'a.', { w: 'a' }],
    ['program ::= ( w:word | ( n:number | y:"-" ) ) "." ;', '-.', { n: undefined, y: '-' }],
    ['program ::= ( ( w:word | n:number ) "." | ( w:word n:number )* ) ;', '1.', { w: [], n: [1] }],
    // Brackets are transparent; with a name, and fields in them, they nest.
    ['program ::= ( ( a:word ) "," ) b:word ;', 'x,y', { a: 'x', b: 'y' }],
    ['program ::= at:( line:number ":" col:number ) ;', '1:2', { at: { line: 1, col: 2 } }],
    ['program ::= at:( line:number ":" col:number )? ;', '', { at: undefined }],
    [
      'program ::= pairs:( k:word "=" v:word ){* ","} ;',
      'a=b,c=d',
      {
        pairs: [
          { k: 'a', v: 'b' },
          { k: 'c', v: 'd' },
        ],
      },
    ],
    // Names are ordinary names, and harm nobody.
    [
      'program ::= __proto__:word "," constructor:word "," _1:word ;',
      'a,b,c',
      JSON.parse('{"__proto__":"a","constructor":"b","_1":"c"}'),
    ],
  ])('%s of %s', (rules, input, value) => {
    if (value === undefined) return expect(() => makeValue(`${rules} ${LETTERS}`, input)).toThrow(ParseError)
    const record = makeValue(`${rules} ${LETTERS}`, input)
    expect(record).toStrictEqual(value)
    expect(Object.keys(record as object)).toEqual(Object.keys(value as object))
  })

  test('has a type where records of other rules may stand, decided once for a rule', () => {
    const grammar = `program ::= item{* ";"} ; item ::= pair | flag | word ; pair ::= k:word "=" v:word ; flag ::= "-" name:word ; ${LETTERS}`
    expect(makeValue(grammar, 'a=b;-c;d')).toEqual([{ type: 'pair', k: 'a', v: 'b' }, { type: 'flag', name: 'c' }, 'd'])
    expect(makeValue(grammar, 'a=b', { entry: 'pair' })).toEqual({ type: 'pair', k: 'a', v: 'b' })
    const alone = `program ::= ( pair | word ){* ";"} ; pair ::= k:word "=" v:word ; ${LETTERS}`
    expect(makeValue(alone, 'a=b;c')).toEqual([{ k: 'a', v: 'b' }, 'c'])
    expect(makeValue(alone, 'a=b;c', { type: true })).toEqual([{ type: 'pair', k: 'a', v: 'b' }, 'c'])
    // In fields of one name, and in what rounds that there always are begin with.
    const options = `program ::= x:pair "." a:word | x:flag b:word ; pair ::= k:word "=" v:word ; flag ::= "-" name:word ";" ; ${LETTERS}`
    expect(makeValue(options, 'a=b.c')).toEqual({ x: { type: 'pair', k: 'a', v: 'b' }, a: 'c' })
    const fold = (count: string) =>
      `program ::= pair ( left:< "+" r:word )${count} ; pair ::= k:word "=" v:word ; ${LETTERS}`
    expect(makeValue(fold('+'), 'a=b+c')).toEqual({ type: 'program', left: { type: 'pair', k: 'a', v: 'b' }, r: 'c' })
    expect(makeValue(fold('{1}'), 'a=b+c')).toEqual({ left: { k: 'a', v: 'b' }, r: 'c' })
  })

  test('cannot have a field of a name that it has for something else', () => {
    const grammar = `program ::= pair | flag ; pair ::= type:word "=" end:word ; flag ::= "-" name:word ; ${LETTERS}`
    expect(() => makeValue(grammar, 'a=b')).toThrow('in pair, the record says what it is with "type"')
    const alone = `program ::= type:word "=" end:word ; ${LETTERS}`
    expect(makeValue(alone, 'a=b')).toEqual({ type: 'a', end: 'b' })
    expect(() => makeValue(alone, 'a=b', { type: true })).toThrow('says what it is with "type"')
    expect(() => makeValue(alone, 'a=b', { positions: true })).toThrow('records say where they are with "end"')
  })

  test('says where it is with positions, in bytes', () => {
    const grammar = `program ::= pair{* ","} ; pair ::= k:!"="+ %"=" v:at ; at ::= n:number ; ${LETTERS}`
    expect(makeValue(grammar, 'é=1,b=22', { positions: true })).toEqual([
      { k: 'é', v: { n: 1, start: 3, end: 4 }, start: 0, end: 4 },
      { k: 'b', v: { n: 22, start: 7, end: 9 }, start: 5, end: 9 },
    ])
  })
})

describe('joined fields', () => {
  const HEAD = `head ::= id:number " " ( user:word | %"-" ) ; ${LETTERS}`

  test.each<[rules: string, input: string, value: GrammarValue]>([
    ['program ::= :head %": " text:word ;', '7 -: a', { id: 7, user: undefined, text: 'a' }],
    ['program ::= ( :head ";" )? text:word ;', '7 x;a', { id: 7, user: 'x', text: 'a' }],
    ['program ::= :head? text:word ;', 'a', { id: undefined, user: undefined, text: 'a' }],
    [
      'program ::= text:word ";" rest:( more:word "," :head ) ;',
      'a;b,1 c',
      { text: 'a', rest: { more: 'b', id: 1, user: 'c' } },
    ],
    ['program ::= :both ";" z:word ; both ::= :head "," y:word ;', '1 a,b;c', { id: 1, user: 'a', y: 'b', z: 'c' }],
    ['program ::= :kind z:number ; kind ::= a:word | b:[!] ;', '!1', { b: '!', z: 1 }],
  ])('%s of %s', (rules, input, value) => {
    expect(makeValue(`${rules} ${HEAD}`, input)).toStrictEqual(value)
  })

  test('change no tree, and are in columns', async () => {
    const text = `program ::= row{* ";"} ; row ::= :head "," x:word ; ${HEAD}`
    const grammar = Grammar.from(text)
    const input = '1 a,b;2 -,d'
    expect(grammar.parse(input).toJSON()).toEqual(Grammar.from(text.replace(':head', 'head')).parse(input).toJSON())
    let written = ''
    for await (const bytes of grammar.lines(input, { format: 'csv' })) written += new TextDecoder().decode(bytes)
    expect(written).toBe('id,user,x\r\n1,a,b\r\n2,,d\r\n')
    expect(await valuesOf(text, input, 'row')).toStrictEqual(grammar.value(input))
  })

  test.each([
    ['program ::= :head id:word ;', 'program has a field id already, and so has head'],
    ['program ::= :head :again ; again ::= user:word ;', 'program has a field user already'],
    ['program ::= a:word ( "," :program )? ;', 'program joins its own fields'],
    ['program ::= a:word ( "," :x )? ; x ::= b:word :program? ;', 'program has a field a already, and so has x'],
    ['program ::= :word a:number ;', 'word gives no record whose fields could be joined'],
    ['program ::= :sum "." a:number ; sum ::= word ( left:< "+" r:word )* ;', 'sum gives no record'],
    ['program ::= ( :head "," )* ;', ':head joins fields in a repetition'],
    ['program ::= x:word{* :head} ;', ':head joins fields in a separator'],
    ['program ::= x:word %( :head ) ;', ':head joins fields in what is omitted'],
  ])('%s is refused', (rules, message) => {
    expect(() => Grammar.from(`${rules} ${HEAD}`)).toThrow(message)
  })
})

describe('a map', () => {
  const HEADERS =
    'program ::= part* ; part @map ::= header+ %";" ; header ::= name:[^=;]+ %"=" value:( number | word ) %"."? ;'

  test('has the first fields of records for keys, and the second ones', async () => {
    const values = await valuesOf(`${HEADERS} ${LETTERS}`, 'é=1.b=x.__proto__=y;a=1.a=2;', 'part')
    expect(values.map((value) => Object.entries(value as object))).toEqual([
      [
        ['é', 1],
        ['b', 'x'],
        ['__proto__', 'y'],
      ],
      [['a', 2]],
    ])
  })

  test('may be in a map, and its entries may be delivered as records', async () => {
    const rules =
      'program @map ::= entry* ; entry ::= key:[a-c] value:( "(" program ")" | number ) ; number @integer ::= [0-9] ;'
    expect(await valuesOf(rules, 'a1b(a2c())', 'program')).toEqual([{ a: 1, b: { a: 2, c: {} } }])
    expect(await valuesOf(rules, 'a1b(a2c())', 'entry')).toEqual([
      { key: 'a', value: 1 },
      { key: 'b', value: { a: 2, c: {} } },
    ])
  })

  test('has keys that are of their kind, also with lenient', () => {
    const rules =
      'program @map ::= entry{* ","} ; entry ::= key:key value:number ; key @percent ::= "%" [0-9a-z]{2} ; number @integer ::= [0-9]+ ;'
    expect(makeValue(rules, '%411,%422')).toEqual({ A: 1, B: 2 })
    expect(() => makeValue(rules, '%411,%zz2')).toThrow('expected text with percent-encoded bytes of UTF-8 for key')
    expect(() => makeValue(rules, '%411,%zz2', { lenient: true })).toThrow(
      expect.objectContaining({ code: 'invalid-value', byteOffset: 5, rules: ['program', 'entry'] }),
    )
  })

  test.each([
    ['program @map ::= word ;'],
    ['program @map ::= [a-z]+ ;'],
    ['program @map ::= word* ;'],
    ['program @map ::= a:word* ;'],
    ['program @map ::= x? ; x ::= a:word b:word ;'],
    ['program @map ::= x* ; x ::= a:word ;'],
    ['program @map ::= x* ; x ::= a:word b:word c:word ;'],
    ['program @map ::= x* ; x ::= a:word b:word? ;'],
    ['program @map ::= x* ; x ::= a:number b:word ;'],
    ['program @map ::= x* ; x ::= a:word* b:word ;'],
    ['program @map ::= x* ; x ::= a:word | "-" b:word ;'],
    ['program @map ::= x* ; x @map ::= a:word b:word ;'],
  ])('%s is refused', (rules) => {
    expect(() => makeValue(`${rules} ${LETTERS}`, '')).toThrow('is @map, but does not repeat one rule with two fields')
  })
})

describe('left folding', () => {
  const CALCULATOR = `program ::= sum ; sum ::= product ( left:< op:[+\\-] right:product )* ;
    product ::= power ( left:< op:[*/] right:power )* ; power ::= factor ( left:< "^" right:power )? ;
    factor ::= number | "(" sum ")" ; number @number ::= [0-9]+ ;`

  test('makes records from the left, and gives what a rule begins with where there is no round', () => {
    expect(makeValue(CALCULATOR, '1')).toBe(1)
    expect(makeValue(CALCULATOR, '((7))')).toBe(7)
    expect(makeValue(CALCULATOR, '1-2-3')).toEqual({
      type: 'sum',
      left: { type: 'sum', left: 1, op: '-', right: 2 },
      op: '-',
      right: 3,
    })
    expect(makeValue(CALCULATOR, '2^3^4*5')).toEqual({
      type: 'product',
      left: { type: 'power', left: 2, right: { type: 'power', left: 3, right: 4 } },
      op: '*',
      right: 5,
    })
  })

  test('begins where its rule does', () => {
    expect(makeValue(CALCULATOR, '(1+2)-3', { positions: true })).toEqual({
      type: 'sum',
      left: { type: 'sum', left: 1, op: '+', right: 2, start: 1, end: 4 },
      op: '-',
      right: 3,
      start: 0,
      end: 7,
    })
    expect(makeValue(CALCULATOR.replace('sum ::= ', 'sum ::= %" "* '), ' 1-2-3', { positions: true })).toMatchObject({
      left: { start: 0, end: 4 },
      start: 0,
      end: 6,
    })
  })

  test('has records of different fields for different options, and fields that may be absent', () => {
    const rules = `program ::= call ; call ::= word ( left:< "." name:word | left:< "(" args:word{* ","} ")" | left:< "[" at:number? "]" )* ; ${LETTERS}`
    expect(makeValue(rules, 'a.b(c,d)[]')).toStrictEqual({
      left: { left: { left: 'a', name: 'b' }, args: ['c', 'd'] },
      at: undefined,
    })
    const loose = `program ::= word ( left:< ":" x:word ( "," x:word )* )* ; ${LETTERS}`
    expect(makeValue(loose, 'a:b,c:d')).toEqual({ left: { left: 'a', x: ['b', 'c'] }, x: ['d'] })
  })

  test.each([
    ['program ::= left:< "+" word ;', 'left:< must stand in a repetition'],
    ['program ::= word ( "+" left:< r:word )* ;', 'left:< must come first in a round'],
    ['program ::= word ( left:< "+" r:word | "-" r:word )* ;', 'each option of the rounds must begin with left:<'],
    ['program ::= a:word ( left:< "+" r:word )* ;', 'all fields of program must be in its repetition'],
    ['program ::= ( left:< "+" r:word )* ;', 'but nothing that gives something stands before the rounds'],
    ['program ::= word digits ( left:< "+" r:word )* ;', 'but more than one part that gives something'],
    [
      'program ::= word ( left:< "+" r:word )* digits ;',
      'after the rounds of program, there is a part that no field holds',
    ],
    ['program ::= word ( left:< r:word ){* ","} ;', 'left:< must stand in a repetition'],
  ])('%s is refused', (rules, message) => {
    expect(() => Grammar.from(`${rules} ${LETTERS}`, { dialect: 'xylem' })).toThrow(message)
  })
})

describe('fields where nothing is given', () => {
  test.each([
    ['program ::= %( a:word ) ;', 'a is a field in what is omitted'],
    ['program ::= &( a:word ) word ;', 'a is a field in a look-ahead'],
    ['program ::= !( a:"x" ) ;', 'a is a field in a negation'],
    ['program ::= ...( a:word ) ;', 'a is a field in a gathered text'],
    ['program ::= word{* a:","} ;', 'a is a field in a separator'],
    ['program ::= f?:( a:word ) ;', 'a is a field in what only says whether it matched'],
  ])('%s is refused', (rules, message) => {
    expect(() => Grammar.from(`${rules} ${LETTERS}`, { dialect: 'xylem' })).toThrow(message)
  })
})

describe('functions', () => {
  test('give null in lines, where JSON has no such value', async () => {
    const grammar = Grammar.from('program ::= r* ; r ::= a:[0-9] ";" ;')
    for (const result of [undefined, () => 1, Symbol('x'), null]) {
      const lines = grammar.map<{ r: unknown }>({ r: () => result }).lines('1;2;')
      let text = ''
      for await (const bytes of lines) text += Buffer.from(bytes)
      expect(text).toBe('null\nnull\n')
    }
  })

  test('may throw what says nothing', () => {
    for (const thrown of [Object.create(null), new Error(''), undefined]) {
      const throwing = Grammar.from('program ::= n ; n ::= [0-9]+ ;').map<{ n: never }>({
        n: () => {
          throw thrown
        },
      })
      expect(() => throwing.value('12')).toThrow('the function of n threw what says nothing (line 1, column 1, byte 0)')
    }
  })

  const JSON_LIKE = `program ::= value{* ";"} ; value ::= object | list | number | word ; object ::= "{" members:member{* ","} "}" ;
    member ::= key:word ":" value:value ; list ::= "[" value{* ","} "]" ; ${LETTERS}`
  type Made = string | number | Map<string, Made> | { list: Made[] }

  test('make the values of rules, once each and in order, also in streams and lines', async () => {
    const calls: unknown[] = []
    const grammar = Grammar.from(JSON_LIKE).map<{ object: Made; member: [string, Made]; list: Made; number: number }>({
      object: ({ members }: { members: [string, Made][] }) => new Map(members),
      member: ({ key, value }: { key: string; value: Made }) => [key, value],
      list: (list: Made[], start, end) => ({ list, start, end }),
      number(value: number, start, end) {
        calls.push([value, start, end])
        return -value
      },
    })
    const input = 'e;{a:1,b:[x,2]};3'
    const expected = [
      'e',
      new Map<string, unknown>([
        ['a', -1],
        ['b', { list: ['x', -2], start: 9, end: 14 }],
      ]),
      -3,
    ]
    expect(grammar.value(input)).toEqual(expected)
    expect(calls).toEqual([
      [1, 5, 6],
      [2, 12, 13],
      [3, 16, 17],
    ])
    for (const chunks of [[input], [...input]]) {
      const values: unknown[] = []
      for await (const value of grammar.values(chunks)) values.push(value)
      expect(values).toEqual(expected)
    }
    expect(calls.length).toBe(9)
    let written = ''
    for await (const bytes of grammar.lines('3;4', { emit: 'number' })) written += new TextDecoder().decode(bytes)
    expect(written).toBe('-3\n-4\n')
  })

  test('may give anything for a rule: undefined is a value, and what is folded is one', () => {
    const sum = `program ::= sum ; sum ::= number ( left:< "+" right:number )* ; ${LETTERS}`
    const add = (value: number | { left: number; right: number }): unknown =>
      typeof value === 'number' ? value : [value.left, value.right]
    expect(Grammar.from(sum).map<{ sum: unknown }>({ sum: add }).value('1+2')).toEqual([1, 2])
    const none = Grammar.from(`program ::= a:word b:number ; ${LETTERS}`).map<{ word: undefined }>({
      word: () => undefined,
    })
    expect(none.value('a1')).toStrictEqual({ a: undefined, b: 1 })
  })

  test('that throw give an error with the place, the field and the cause, after the values before it', async () => {
    const rules = `program ::= day{* "\n"} ; day ::= month:number "/" day:number ; ${LETTERS}`
    const cause = new RangeError('there is no month 13')
    const grammar = Grammar.from(rules).map<{ number: number }>({
      number(value: number) {
        if (value === 13) throw cause
        return value
      },
    })
    const place = {
      code: 'invalid-value',
      line: 2,
      column: 1,
      byteOffset: 4,
      field: 'month',
      rules: ['program', 'day', 'number'],
      excerpt: '13/4\n^',
      cause,
    }
    const values: unknown[] = []
    const reading = (async () => {
      for await (const value of grammar.values('1/2\n13/4\n5/6')) values.push(value)
    })()
    await expect(reading).rejects.toMatchObject(place)
    expect(values).toEqual([{ month: 1, day: 2 }])
    expect(() => grammar.value('1/2\n13/4\n5/6')).toThrow(expect.objectContaining(place))
    expect(() => grammar.value('13/4')).toThrow('there is no month 13 (line 1, column 1, byte 0)')
  })

  test('are refused for rules that do not exist, and for columns', () => {
    const grammar = Grammar.from(`program ::= word ; ${LETTERS}`)
    expect(() => grammar.map<{ none: string }>({ none: () => '' })).toThrow('the grammar has no rule none; it has ')
    expect(() => grammar.map({ word: 'x' as never })).toThrow('the action of word must be a function')
    expect(() => grammar.map<{ word: string }>({ word: () => '' }).columns('a')).toThrow('use values or lines')
  })
})

describe('texts of a kind', () => {
  test('match what is only omitted in them once', () => {
    for (const text of ['...( %"a" %"b" )', '( ...( %"a" ) ...( %"b" ) )', '...( %"a" %"b" )?']) {
      const grammar = Grammar.from(`program ::= x:${text} ;`)
      expect([grammar.test('ab'), grammar.test('aab')]).toEqual([true, false])
      expect(grammar.value('ab')).toEqual({ x: '' })
      expect(() => grammar.value('aab')).toThrow(ParseError)
    }
  })

  test('in percent notation have no quotes around them, with escapes and without', () => {
    const grammar = Grammar.from(`program ::= q{* ","} ; q @percent ::= "'" [^']* "'" ;`)
    expect(grammar.value(`'abc','a%20b'`)).toEqual(['abc', 'a b'])
  })

  test.each<[annotation: string, input: string, value: GrammarValue]>([
    ['@integer', '-12', -12],
    ['@integer', '123456789012345678', undefined],
    ['@integer', '1.5', undefined],
    ['@int64', '-9223372036854775808', -9223372036854775808n],
    ['@int64', '9223372036854775808', undefined],
    ['@int64', '1.5', undefined],
    ['@number', '-1.5e3', -1500],
    ['@number', '007', 7],
    ['@boolean', 'true', true],
    ['@boolean', '0', false],
    ['@boolean', 'no', undefined],
    ['@json-string', '"a\\n\\u00e9\\"é"', 'a\né"é'],
    ['@json-string', '"a\\x"', undefined],
    ['@json-string', '"a', undefined],
    ['@c-string', '"a\\t\\x41\\101\\u00e9\\\\"', 'a\tAAé\\'],
    ['@c-string', '"\\q"', undefined],
    ['@c-string', '"a\\/\\ud83c\\uDF33"', 'a/🌳'],
    ['@c-string', '"\\ud83c\\ud83c"', undefined],
    ['@c-string', '"\\uDF33"', undefined],
    ['@sql-string', '"it""s"', 'it"s'],
    ['@sql-string', '"it"s"', undefined],
    ['@percent', 'a%20b%C3%A9+', 'a bé+'],
    ['@percent', '100%', undefined],
    ['@percent', '%FF', undefined],
    ['@percent @integer', '%31%32', 12],
  ])('%s of %s', (annotation, input, value) => {
    const first = annotation.includes('string') ? '"\\"" ' : ''
    const grammar = Grammar.from(`program ::= text ; text ${annotation} ::= ${first}[^\\n]* ;`, { dialect: 'xylem' })
    if (value !== undefined) return expect(grammar.value(input)).toEqual(value)
    expect(grammar.value(input, { lenient: true })).toBe(null)
    expect(() => grammar.value(input)).toThrow(ParseError)
  })

  test('may have a table of escapes in the grammar: the longest counts', () => {
    const rules = String.raw`program ::= text ; text @escapes("\\n" → "\n", "\\" -> "", "&amp;" -> "&", "&a" -> "é") ::= "\"" ( [^"\\] | "\\" [^] )* "\"" ;`
    expect(makeValue(rules, String.raw`"a\nb\"c&amp;&a"`)).toBe('a\nb"c&é')
    const bare = 'program ::= text ; text @escapes("&lt;" -> "<") ::= [^;]* ";" ;'
    expect(makeValue(bare, 'é&lt;')).toBe('é<')
    expect(() => Grammar.from('a @escapes ::= "b" ;')).toThrow('expected "(" and what is written for what')
    expect(() => Grammar.from('a @escapes("" -> "b") ::= "b" ;')).toThrow('is empty')
    expect(() => Grammar.from('a @escapes("x" "b") ::= "b" ;')).toThrow('expected "->"')
  })

  test('quotes that are omitted are not in the text', () => {
    const rules = (notation: string, quote: string) =>
      `program ::= text ; text ${notation} ::= %${quote} ...( !${quote} | ${quote} ${quote} | "\\\\" [^] )* %${quote} ;`
    expect(makeValue(rules('@sql-string', `"'"`), "'it''s'")).toBe("it's")
    expect(makeValue(rules('@sql-string', `"'"`), "'''a'''")).toBe("'a'")
    expect(makeValue(rules('@json-string', '"\\""'), '"a\\u0041"')).toBe('aA')
    expect(() => makeValue('program ::= text ; text @sql-string ::= [a-z]+ ;', 'a')).toThrow(
      'does not begin with quotes',
    )
  })

  test('what is not of its kind is an error with its place, and what comes before it is delivered', async () => {
    const grammar = Grammar.from('program ::= line* ; line ::= n:number %"\\n" ; number @integer ::= !"\\n"+ ;', {
      dialect: 'xylem',
    })
    const values: GrammarValue[] = []
    const reading = async () => {
      for await (const value of grammar.values(['1\n', '2\né', 'x\n4\n'])) values.push(value)
    }
    await expect(reading()).rejects.toMatchObject({
      code: 'invalid-value',
      line: 3,
      column: 1,
      byteOffset: 4,
      rules: ['program', 'line', 'number'],
      field: 'n',
      excerpt: 'éx\n^',
    })
    expect(values).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('what is not of its kind is shown with its line, all rules around it and its field, wherever the input is cut', async () => {
    const rules = `program ::= row{* "\n"} ; row ::= name:[a-z]+ %"=" ( size:list | flag?:"-" ) ; list ::= value{+ "/"} ;
      value ::= ( amount | other ) %" "* ; amount @"an amount" @integer ::= [0-9.]+ ; other ::= at:( x:"x" y:amount "/" z:amount ) ;`
    const grammar = Grammar.from(rules)
    const errorsOf = async (input: string) => {
      const bytes = encoder.encode(input)
      const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.slice(0, at), bytes.slice(at)])
      const reports = new Set<string>()
      for (const chunks of [Array.from(bytes, (byte) => Uint8Array.of(byte)), ...cuts]) {
        try {
          for await (const _ of grammar.values(chunks));
        } catch (error) {
          if (!(error instanceof ParseError)) throw error
          reports.add(`${error.report()}; ${error.field}; ${error.expected}`)
        }
      }
      return [...reports]
    }
    const words = '(a whole number from -9007199254740991 to 9007199254740991)'
    expect(await errorsOf('b=-\na=1/2.3 /4\nb=-')).toEqual([
      `expected an amount ${words} in the field size, but found "2.3" (line 2, column 5, byte 8)
  a=1/2.3 /4
      ^
  in program > row > list > value > amount; size; an amount`,
    ])
    expect(await errorsOf('a=1/x5/6/4\nc=x5/6.6')).toEqual([
      `expected an amount ${words} in the field z, but found "6.6" (line 2, column 6, byte 16)
  c=x5/6.6
       ^
  in program > row > list > value > other > amount; z; an amount`,
    ])
  })

  test.each([
    ['no,no,no', 0],
    ['1,no,no', 2],
    ['1,0,no', 4],
  ])('in %s, the first in the input is the error, whatever the order of fields', (input, byteOffset) => {
    const rules = 'program ::= a:flag "," b:flag "," a:flag ; flag @boolean ::= [a-z01]+ ;'
    expect(() => makeValue(rules, input)).toThrow(expect.objectContaining({ code: 'invalid-value', byteOffset }))
  })

  test('can be given beside the grammar, by the names of rules or of fields', () => {
    const rules = `program ::= line{* ";"} ; line ::= size:word ":" count:[0-9]+ more:( "," word )* last:digits? ; word ::= [0-9]+ ; digits ::= "." [0-9]+ ;`
    const input = '1:2;3:4,5.6'
    const grammar = Grammar.from(rules, { dialect: 'xylem' })
    const plain = [
      { size: '1', count: '2', more: [], last: undefined },
      { size: '3', count: '4', more: ['5'], last: '.6' },
    ]
    expect(grammar.value(input)).toEqual(plain)
    expect(grammar.value(input, { as: { size: 'integer', count: 'number', last: 'number' } })).toEqual([
      { size: 1, count: 2, more: [], last: undefined },
      { size: 3, count: 4, more: ['5'], last: 0.6 },
    ])
    expect(grammar.value(input, { as: { word: 'integer' } })).toEqual([
      { size: 1, count: '2', more: [], last: undefined },
      { size: 3, count: '4', more: [5], last: '.6' },
    ])
    expect(() => grammar.value(input, { as: { size: 'boolean' } })).toThrow(
      'expected true, false, 1 or 0 for size, but found "3"',
    )
    expect(() => grammar.value(input, { as: { none: 'integer' } })).toThrow('no rule and no field is called none')
    expect(() => grammar.value(input, { as: { line: 'integer' } })).toThrow('line gives no text')
    expect(() => grammar.value(input, { as: { size: 'whole' as 'integer' } })).toThrow(
      'must be string, integer, int64, number, boolean, date',
    )
    expect(grammar.value(input)).toEqual(plain)
  })

  test('can be text again, whatever the grammar says', () => {
    const rules = 'program ::= size:number "," other:number ; number @integer ::= [0-9]+ ;'
    const grammar = Grammar.from(rules, { dialect: 'xylem' })
    const input = '007,9007199254740993'
    expect(() => grammar.value(input)).toThrow(ParseError)
    expect(grammar.value(input, { as: { number: 'string' } })).toEqual({ size: '007', other: '9007199254740993' })
    expect(grammar.value(input, { as: { other: 'string' } })).toEqual({ size: 7, other: '9007199254740993' })
    expect(grammar.value(input, { as: { number: 'int64' } })).toEqual({ size: 7n, other: 9007199254740993n })
  })

  test('only a rule of text has a kind', () => {
    expect(() => makeValue(`program ::= n ; n @integer ::= digits ; ${LETTERS}`, '1')).toThrow(
      'n is @integer, but it does not give a text',
    )
    expect(makeValue(`program ::= n ; n @integer ::= ...digits ; ${LETTERS}`, '1')).toBe(1)
  })
})

describe('values of a stream', () => {
  const LOG = `program ::= entry* ; entry ::= at:number %" " ( level:( "INFO" | "WARN" ) %" " )? text:!"\\n"* tags:( %"\\n " t:word )* %"\\n" ; ${LETTERS}`
  const input = '1 INFO é🌳\n2 x\n a\n b\n33 WARN \n'
  const expected = [
    { at: 1, level: 'INFO', text: 'é🌳', tags: [] },
    { at: 2, level: undefined, text: 'x', tags: [{ t: 'a' }, { t: 'b' }] },
    { at: 33, level: 'WARN', text: '', tags: [] },
  ]

  test('are the same in one piece, byte by byte and at every cut', async () => {
    expect(await valuesOf(LOG, input, 'entry')).toStrictEqual(expected)
    expect(await valuesOf(LOG, input, 'word')).toEqual(['a', 'b'])
    expect(await valuesOf(LOG, input, 'program')).toStrictEqual([expected])
  })

  test('are the innermost ones wherever nodes would be', async () => {
    const rules = `program ::= ( pair ";" )* ; pair ::= word "=" at:( n:number m:list? ) ; list ::= "[" item:pair* "]" ; ${LETTERS}`
    const grammar = Grammar.from(rules, { dialect: 'xylem' })
    const values: GrammarValue[] = []
    for await (const value of grammar.values('a=1[b=2c=3];d=4;', { emit: 'pair', nested: 'innermost' }))
      values.push(value)
    expect(values).toEqual([{ at: { n: 2 } }, { at: { n: 3 } }, { at: { n: 4 } }])
    const words: GrammarValue[] = []
    for await (const value of grammar.values('a=1[b=2];', { emit: ['pair', 'word'], nested: 'innermost' }))
      words.push(value)
    expect(words).toEqual(['a', 'b'])
  })

  test('are of the rule that the entry repeats, if nobody says which', async () => {
    for (const program of [
      'entry*',
      '%" "* entry* %" "*',
      '( entry %";"? )*',
      'entry{* %";"?}',
      '( entry{+ %";"?} )?',
      '( entry | %";" )*',
      'entry+ | %";"',
    ]) {
      const grammar = Grammar.from(LOG.replace('entry*', program), { dialect: 'xylem' })
      const values: GrammarValue[] = []
      for await (const batch of grammar.values(input).batches()) values.push(...batch)
      expect(values).toStrictEqual(expected)
    }
    const grammar = Grammar.from(LOG.replace('entry*', 'all:entry*'), { dialect: 'xylem' })
    const values: GrammarValue[] = []
    for await (const value of grammar.values(input)) values.push(value)
    expect(values).toStrictEqual([{ all: expected }])
  })
})

describe('deep values', () => {
  const DEEP = 200_000

  test('are made without recursion: brackets, right nesting and left folds', () => {
    const limits = { maxDepth: 10_000_000, maxNodes: 100_000_000 }
    const brackets = Grammar.from('program ::= x ; x ::= "(" x ")" | word ; word ::= [a-z]+ ;', { dialect: 'xylem' })
    expect(brackets.value(`${'('.repeat(DEEP)}a${')'.repeat(DEEP)}`, { limits })).toBe('a')
    const list = Grammar.from('program ::= x ; x ::= "[" inner:x? "]" ;', { dialect: 'xylem' })
    let depth = 0
    for (let value = list.value('['.repeat(DEEP) + ']'.repeat(DEEP), { limits }); value; depth++) {
      value = (value as { inner: GrammarValue }).inner
    }
    expect(depth).toBe(DEEP)
    const sum = Grammar.from('program ::= sum ; sum ::= [a-z] ( left:< "+" r:[a-z] )* ;', { dialect: 'xylem' })
    let value = sum.value(`a${'+b'.repeat(DEEP)}`, { limits })
    let rounds = 0
    for (; typeof value === 'object'; rounds++) value = (value as { left: GrammarValue }).left
    expect([value, rounds]).toEqual(['a', DEEP])
  })
})
