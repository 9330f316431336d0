import { describe, expect, test } from 'vitest'
import { Grammar, type StreamOptions } from '../../../source/grammar/index.ts'
import { collectAll, drain, everyCut, inPieces } from '../../support/collect.ts'
import { extent } from '../../support/extent.ts'
import { type Derivation, deriveNaively, offsetsOf } from '../../support/naive-grammar.ts'
import { Random } from '../../support/random.ts'

const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const
const NESTED = ['outermost', 'innermost'] as const

const DOCUMENTS = Grammar.from(`
  program  ::= document ;
  document ::= "{" name:word ":" meta:meta ":" items:list ":" extra:element ":" %element "}" ;
  meta     ::= "<" :head own:element{* ","} ">" ;
  head     ::= id:word "=" ;
  list     ::= element{* %","} ;
  element  ::= word | object ;
  object   ::= "(" word ")" | "[" inner:element{* ","} "]" ;
  word     ::= [a-z]+ ;
`)
const DOCUMENT = '{n:<i=m>:a,(b),[c,[d]]:e:f}'

/** The elements of the document by where they are. */
const CASES: readonly [path: string, outermost: string[], innermost: string[]][] = [
  ['element', ['m', 'a', '(b)', '[c,[d]]', 'e'], ['m', 'a', '(b)', 'c', 'd', 'e']],
  ['document.items.element', ['a', '(b)', '[c,[d]]'], ['a', '(b)', '[c,[d]]']],
  ['items.element', ['a', '(b)', '[c,[d]]'], ['a', '(b)', '[c,[d]]']],
  ['items.list.element', ['a', '(b)', '[c,[d]]'], ['a', '(b)', '[c,[d]]']],
  ['meta.own', ['m'], ['m']],
  ['extra', ['e'], ['e']],
  ['document.items', ['a,(b),[c,[d]]'], ['a,(b),[c,[d]]']],
  ['object.inner', ['c', '[d]'], ['c', 'd']],
  ['inner.element.object.inner', ['d'], ['d']],
  ['items.word', ['a', 'b'], ['a', 'b']],
  ['meta.word', [], []],
  ['id.word', ['i'], ['i']],
  ['meta.id', ['i'], ['i']],
]

describe('a path of rules and fields', () => {
  test('gives the nodes and the values that are there, and no others, however the input is cut', async () => {
    const bytes = encoder.encode(DOCUMENT)
    for (const [emit, outermost, innermost] of CASES) {
      for (const nested of NESTED) {
        const expected = nested === 'outermost' ? outermost : innermost
        if (expected.length === 0) {
          expect(() => DOCUMENTS.stream('', { emit, nested }), emit).toThrow(RangeError)
          continue
        }
        for (const engine of ENGINES) {
          const options = { emit, nested, engine }
          const values = await collectAll(DOCUMENTS.values([DOCUMENT], options))
          expect(values.length, `${emit} ${nested}`).toBe(expected.length)
          for (const pieces of [inPieces(bytes, 1), ...(engine === 'wasm' ? everyCut(bytes) : [])]) {
            const nodes = await collectAll(DOCUMENTS.stream(pieces, options))
            expect(
              nodes.map(({ text }) => text),
              `${emit} ${nested}`,
            ).toEqual(expected)
            expect(await collectAll(DOCUMENTS.values(pieces, options))).toEqual(values)
          }
        }
      }
    }
  })

  test('may be one of several', async () => {
    const nodes = await collectAll(DOCUMENTS.stream(DOCUMENT, { emit: ['items.element', 'document.name', 'own.word'] }))
    expect(nodes.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'word n',
      'word m',
      'element a',
      'element (b)',
      'element [c,[d]]',
    ])
  })

  test('gives lines and columns of the rule that it ends with', async () => {
    const grammar = Grammar.from('program ::= "<" rows:row{* ";"} ">" other:row ; row ::= a:[a-z] b:[0-9] ;')
    const options = { emit: 'program.rows' }
    let text = ''
    for await (const bytes of grammar.lines('<x1;y2>z3', { ...options, format: 'csv' })) text += Buffer.from(bytes)
    expect(text).toBe('a,b\r\nx,1\r\ny,2\r\n')
    const batches = await collectAll(grammar.columns('<x1;y2>z3', options))
    expect(batches.map(({ rows, columns }) => [rows, columns.map(({ name }) => name)])).toEqual([[2, ['a', 'b']]])
  })

  test('lets the elements of one huge array stream in bounded memory', async () => {
    const head = '{n:<i=m>:a'
    function* make(): Generator<Uint8Array> {
      yield encoder.encode(head)
      for (let i = 0; i < 60; i++) yield encoder.encode(`,${'abcdefg,'.repeat(1000)}z`)
      yield encoder.encode(':e:f}')
    }
    const limits = { maxRetained: 128 * 1024 }
    for (const engine of ENGINES) {
      let count = 0
      for await (const values of DOCUMENTS.values(make(), { emit: 'document.items.element', limits, engine }).batches())
        count += values.length
      expect(count).toBe(1 + 60 * 1001)
    }
    await expect(drain(DOCUMENTS.values(make(), { emit: 'document.items', limits }))).rejects.toThrow('maxRetained')
  })

  test('that no part is at is refused, with what there is', () => {
    const cases: [emit: string, message: string][] = [
      [
        'document.itms.element',
        'there is no itms in document, or only where its nodes are omitted or gathered; it has name, meta, items, extra',
      ],
      [
        'document.element',
        'there is no element in document, or only where its nodes are omitted or gathered; it has name, meta, items, extra',
      ],
      [
        'items.meta',
        'there is no meta in items, or only where its nodes are omitted or gathered; it has list, element, word, object, inner',
      ],
      [
        'docment.items',
        'there is no docment in program, or only where its nodes are omitted or gathered; it has program, document, name, meta, items, extra, word, list, element, ',
      ],
      [
        'items.nothing',
        'the grammar has no rule nothing; it has program, document, meta, head, list, element, object, word',
      ],
      ['word.element', 'there is no element in word, or only where its nodes are omitted or gathered; it has none'],
    ]
    for (const [emit, message] of cases) {
      for (const read of [() => DOCUMENTS.stream('', { emit }), () => DOCUMENTS.values('', { emit })]) {
        expect(read, emit).toThrow(message)
        expect(read, emit).toThrow(expect.objectContaining({ code: 'unknown-rule' }))
      }
    }
    const several = Grammar.from('program ::= f:( a | b ) ; a ::= "a" ; b ::= "b" ;')
    expect(() => several.stream('', { emit: 'program.f' })).toThrow(
      'write one of the rules of the field f at the end of program.f; it has a, b',
    )
    const inner = Grammar.from('program ::= outer ; outer ::= "(" inner ")" ; inner ::= "x" ;')
    expect(() => inner.stream('', { emit: ['outer', 'inner'] })).toThrow(
      'inner is only in other parts that are delivered, which are complete; deliver it without these, or the innermost parts',
    )
    expect(() => inner.stream('', { emit: ['outer', 'inner'], nested: 'innermost' })).not.toThrow()
  })

  test('says that a rule is only joined', () => {
    const message =
      'there is no head in program, or only where :head joins its fields to another record; it has program, document, name, meta, items, extra, word, list, element, id, own, object, inner'
    expect(() => DOCUMENTS.values('', { emit: 'head' })).toThrow(message)
    expect(() => DOCUMENTS.stream('', { emit: 'head' })).not.toThrow()
  })

  test('gives what a naive reader finds, for any grammar', async () => {
    let found = 0
    for (let seed = 0; seed < extent(100, 1000, 10_000); seed++) {
      const random = new Random(seed)
      const { grammar, makeInput } = makeGrammar(random)
      const emit = random.many(0, 2, () => random.pick(['x', 'y', 'z', 'f', 'g']))
      emit.push(random.pick(['x', 'y', 'z']))
      for (let i = 0; i < 5; i++) {
        const input = makeInput()
        const options: StreamOptions = {
          emit: emit.join('.'),
          nested: random.pick(NESTED),
          engine: random.pick(ENGINES),
        }
        const derivation = deriveNaively(grammar.rules, input, false)
        if (typeof derivation === 'string') continue
        const offsets = offsetsOf(input)
        const expected = findParts(derivation, '', emit, options.nested === 'innermost').map(
          ({ start, end }) => `${offsets[start]} ${offsets[end]}`,
        )
        try {
          const nodes = await collectAll(grammar.stream(inPieces(encoder.encode(input), 1 + random.below(3)), options))
          expect(
            nodes.map(({ start, end }) => `${start} ${end}`),
            `${seed} ${options.emit}`,
          ).toEqual(expected)
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          expect(expected, `${seed} ${options.emit} ${error.message}`).toEqual([])
        }
        found += expected.length
      }
    }
    expect(found).toBeGreaterThan(50)
  })
})

/** What a random rule has after its name: a pattern, and a text that often matches it. */
interface Item {
  readonly pattern: string
  readonly rules: readonly string[]
}

/** A random grammar of rules in rules and fields, and inputs for it. A rule begins with its name and ends with a point. */
function makeGrammar(random: Random): { grammar: Grammar; makeInput: () => string } {
  const name = () => random.pick(['x', 'y', 'z'])
  const field = () => (random.chance(0.5) ? `${random.pick(['f', 'g'])}:` : '')
  const makeItem = (): Item => {
    const [one, other] = [name(), name()]
    const pattern = random.pick([
      `${field()}${one}?`,
      `${field()}${one}*`,
      `( ${field()}${one}? ${field()}${other}? )`,
      `${random.pick(['f', 'g'])}:( ${field()}${one}? ${other}* )`,
      `%${one}?`,
    ])
    return { pattern, rules: [one, other] }
  }
  const rules = new Map(['x', 'y', 'z'].map((rule) => [rule, random.many(0, 3, makeItem)]))
  const write = (rule: string, depth: number): string => {
    const inner = depth > 4 ? [] : (rules.get(rule) as Item[]).flatMap((item) => item.rules)
    return `${rule}${inner.map((one) => (random.chance(0.4) ? write(one, depth + 1) : '')).join('')}.`
  }
  const bodies = [...rules].map(([rule, items]) => {
    return `${rule} ::= %"${rule}" ${items.map(({ pattern }) => pattern).join(' ')} %"." ;`
  })
  const grammar = Grammar.from(`program ::= x f:y g:z ;\n${bodies.join('\n')}`)
  return { grammar, makeInput: () => ['x', 'y', 'z'].map((rule) => write(rule, 0)).join('') }
}

/** What is at the end of a path. `around`: the rules and fields around an expression, each with a mark before it. */
function findParts(derivation: Derivation, around: string, path: readonly string[], isInner: boolean): Derivation[] {
  const { expression, below } = derivation
  if (expression.kind === 'omit' || expression.kind === 'gather' || expression.kind === 'look') return []
  if (expression.kind === 'not') return []
  const mark =
    expression.kind === 'reference' ? `>${expression.name}` : expression.kind === 'field' ? `.${expression.name}` : ''
  const within = around + mark
  const isPart =
    expression.kind === 'reference' &&
    new RegExp(`${path.map((name) => `[>.]${name}`).join('(>[a-z]+)*')}$`).test(within)
  if (isPart && !isInner) return [derivation]
  const inner = below.flatMap((one) => findParts(one, within, path, isInner))
  return isPart && inner.length === 0 ? [derivation] : inner
}
