// What the package bnf-parser 4.1.3 gives, case by case (fixtures/grammar/bnf-parser-cases.json). A case with a `bug` shows an error of
// that package: what is right instead stands in a table here.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Grammar, GrammarError, type NodeReference, type Place, type SyntaxNode } from '../../source/grammar/index.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { cutPlaces, inPieces } from '../support/collect.ts'
import { isThorough } from '../support/extent.ts'

interface RecordedNode {
  type: string
  start: number
  end: number
  count: number
  value: string | RecordedNode[]
  ref: NodeReference
}

type Recorded =
  | { kind: 'tree'; isPartial: boolean; root: RecordedNode; nodes: number; depth: number; canonicalSha256: string }
  | { kind: 'fail' | 'throw' | 'grammar-error' | 'grammar-throw' }

interface Case {
  id: string
  bug?: string
  grammar: string
  entry: string
  input?: string
  inputParts?: [string, number][]
  digest?: boolean
  expect: Recorded
}

const path = new URL('../../fixtures/grammar/bnf-parser-cases.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] }

/** Longer inputs are not cut in two. */
const SHORT = 100
const encoder = new TextEncoder()
const ENGINES = ['wasm', 'plain'] as const

const inputOf = ({ input, inputParts = [] }: Case) =>
  input ?? inputParts.map(([text, times]) => text.repeat(times)).join('')

/** A tree on one line: `type start-end(children)`, or `"text" start-end`, with the count where it is not what it seems to be. */
function format(node: RecordedNode | SyntaxNode): string {
  const { type, start, end, value, count } = node
  if (typeof value === 'string') return `${type} ${JSON.stringify(value)} ${start}-${end}#${count}`
  return `${type} ${start}-${end}#${count}(${value.map(format).join(', ')})`
}

function* walk(node: RecordedNode): Generator<RecordedNode> {
  yield node
  if (typeof node.value !== 'string') for (const child of node.value) yield* walk(child)
}

/** A tree in brief: how many nodes, how deep, and a digest of a line for each. */
function summarize(root: SyntaxNode) {
  const hash = createHash('sha256')
  let nodes = 0
  let deepest = 0
  const visit = (node: SyntaxNode, depth: number): void => {
    const { type, start, end, value, count } = node
    hash.update(`${[depth, type, start, end, typeof value === 'string' ? JSON.stringify(value) : count].join('\t')}\n`)
    nodes++
    deepest = Math.max(deepest, depth + 1)
    if (typeof value !== 'string') for (const child of value) visit(child, depth + 1)
  }
  visit(root, 0)
  return { nodes, depth: deepest, canonicalSha256: hash.digest('hex') }
}

/** Where an offset in bytes is, counted from the start. */
function locate(input: string, offset: number): Place {
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoder.encode(input).subarray(0, offset))
  return {
    line: before.split('\n').length,
    col: before.length - before.lastIndexOf('\n'),
    index: before.length,
  }
}

/** A recorded end without B8: it was one column and one index too far. */
const correct = ({ line, col, index }: Place): Place => ({ line, col: col - 1, index: index - 1 })

/** The references of a tree as they should be: as recorded, except for B8 and, after characters outside the BMP, B9. */
function referencesOf(root: RecordedNode, input: string): NodeReference[] {
  return Array.from(walk(root), ({ ref, start, end }) => {
    if (/[\u{10000}-\u{10ffff}]/u.test(input)) return { start: locate(input, start), end: locate(input, end) }
    return { start: ref.start, end: correct(ref.end) }
  })
}

function catchError(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

async function streamTree(grammar: Grammar, entry: string, pieces: Uint8Array[]): Promise<SyntaxNode> {
  const nodes: SyntaxNode[] = []
  for await (const node of grammar.stream(pieces, { entry, partial: true })) nodes.push(node)
  expect(nodes.length).toBe(1)
  return nodes[0] as SyntaxNode
}

/** The input byte by byte, and cut in two where it is short. */
function* cutsOf(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield inPieces(bytes, bytes.length > 10_000 ? 7 : 1)
  const places = bytes.length <= SHORT ? cutPlaces(bytes.length) : []
  for (const at of places) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

/** Expects that the same tree comes out in all ways, with leftover input or not, and gives it. */
async function parseEveryWay(source: string, entry: string, input: string, isPartial: boolean): Promise<SyntaxNode> {
  const grammar = Grammar.from(source, { dialect: 'bnf-parser' })
  const bytes = encoder.encode(input)
  const [root, plain] = ENGINES.map((engine) => grammar.parse(input, { entry, partial: true, engine }))
  if (!root || !plain) throw new Error('two engines give two trees')
  const data = root.toJSON()
  expect(plain.toJSON()).toEqual(data)
  expect(grammar.parse(bytes, { entry, partial: true }).toJSON()).toEqual(data)
  expect(root.end < bytes.length).toBe(isPartial)
  for (const engine of ENGINES) {
    expect(grammar.test(input, { entry, engine })).toBe(!isPartial)
    expect(grammar.test(input, { entry, engine, partial: true })).toBe(true)
    const whole = catchError(() => grammar.parse(input, { entry, engine }))
    if (isPartial) expect(whole).toBeInstanceOf(ParseError)
    else expect((whole as SyntaxNode).end).toBe(bytes.length)
  }
  for (const pieces of cutsOf(bytes)) expect((await streamTree(grammar, entry, pieces)).toJSON()).toEqual(data)
  return root
}

/** Expects a `ParseError` in all ways. */
async function failEveryWay(source: string, entry: string, input: string): Promise<void> {
  const grammar = Grammar.from(source, { dialect: 'bnf-parser' })
  for (const engine of ENGINES) {
    expect(catchError(() => grammar.parse(input, { entry, partial: true, engine }))).toBeInstanceOf(ParseError)
    expect(grammar.test(input, { entry, partial: true, engine })).toBe(false)
  }
  for (const pieces of cutsOf(encoder.encode(input))) {
    await expect(streamTree(grammar, entry, pieces)).rejects.toBeInstanceOf(ParseError)
  }
}

describe('what bnf-parser gives is given too', () => {
  const good = cases.filter(({ bug }) => bug === undefined)
  const ofKind = (...kinds: Recorded['kind'][]) => good.filter(({ expect: { kind } }) => kinds.includes(kind))

  // A tree of so many nodes, compared on every way, takes seconds.
  const trees = ofKind('tree').filter(({ id }) => isThorough || id !== 'limits/tree-fits')
  test.each(trees)('$id: the tree', async (example) => {
    const { grammar, entry, digest, expect: expected } = example
    if (expected.kind !== 'tree') throw new Error('not a tree')
    const input = inputOf(example)
    const root = await parseEveryWay(grammar, entry, input, expected.isPartial)
    if (digest) {
      const { nodes, depth, canonicalSha256 } = expected
      const { type, start, end, count } = root
      expect({ type, start, end, count }).toEqual(expected.root)
      expect(summarize(root)).toEqual({ nodes, depth, canonicalSha256 })
      return
    }
    expect(format(root)).toBe(format(expected.root))
    expect(Array.from(walk(root.toJSON()), ({ ref }) => ref)).toEqual(referencesOf(expected.root, input))
  })

  test.each(ofKind('fail'))('$id: an error', async (example) => {
    await failEveryWay(example.grammar, example.entry, inputOf(example))
  })

  test.each(ofKind('grammar-error', 'grammar-throw'))('$id: no grammar', ({ grammar }) => {
    expect(catchError(() => Grammar.from(grammar))).toBeInstanceOf(GrammarError)
  })

  test.each(ofKind('throw'))('$id: no such rule', ({ grammar: source, entry, input = '' }) => {
    const grammar = Grammar.from(source, { dialect: 'bnf-parser' })
    const acts = [
      () => grammar.parse(input, { entry }),
      () => grammar.test(input, { entry }),
      () => grammar.stream(input, { entry }),
    ]
    for (const act of acts) {
      const error = catchError(act)
      expect(error).toBeInstanceOf(RangeError)
      expect(error).toMatchObject({ code: 'unknown-rule' })
    }
  })

  test('and all cases are of one of these kinds', () => {
    expect(good.length).toBe(cases.length - Object.keys(CORRECTED).length)
    expect(ofKind('throw').map(({ id }) => id)).toEqual(['rule/no-program'])
  })
})

/** For each case that shows an error, what is correct: a tree, with `…` after it where input is left over; an error; or no grammar. */
const CORRECTED: Record<string, string> = {
  // B1: escapes count everywhere in a literal.
  'literal/escape-after-text': 'program 0-2#1(literal "a\\n" 0-2#2)',
  'literal/escape-after-text-is-raw': 'error',
  'literal/escaped-quote-after-text': 'program 0-3#1(literal "a\\"b" 0-3#3)',
  // B2: nothing matches after the end of the input.
  'limits/nul-past-end': 'error',
  // B3: what is omitted is not counted, also as an option.
  'omit/select-option-top': 'program 0-1#0()',
  'omit/select-option-inner': 'program 0-2#1(literal "c" 1-2#1)',
  // B4: a repetition of what can be empty is not a valid grammar.
  'repeat/empty-body-star': 'empty-repetition',
  'repeat/empty-body-plus': 'empty-repetition',
  'repeat/empty-rule-star': 'empty-repetition',
  'repeat/empty-select-option-star': 'empty-repetition',
  // B5: ranges and nots match code points.
  'range/bytes-of-utf8': 'program 0-2#1(literal "é" 0-2#2)',
  'range/bytes-of-utf8-plus': 'program 0-2#1(literal "é" 0-2#2)',
  'range/cjk-never-matches': 'program 0-3#1(literal "你" 0-3#3)',
  'not/bytewise': 'program 0-2#1(literal "é" 0-2#2)',
  // B6: left recursion is not a valid grammar.
  'rule/left-recursion': 'left-recursion',
  'rule/left-recursion-nullable': 'left-recursion',
  // B7: there is no limit of 64 KiB, neither for the input nor for the tree.
  'limits/input-65537': `program 0-65537#1(literal ${JSON.stringify('a'.repeat(65_537))} 0-65537#65537)`,
  'limits/tree-too-big-rules': `program 0-20000#1((...)* 0-20000#20000(${Array.from({ length: 20_000 }, (_, i) => `x ${i}-${i + 1}#1(literal "a" ${i}-${i + 1}#1)`).join(', ')}))`,
  // B8: an end is where the node ends. B10: there is no `reach`.
  'sequence/newline-refs': 'program 0-5#3(literal "ab" 0-2#2, literal "\\n" 2-3#1, literal "cd" 3-5#2)',
  'mixed/reach-ref-double-counted':
    'program 0-4#2((...)* 0-3#1((...) 0-3#3(literal "a" 0-1#1, literal "b" 1-2#1, literal "c" 2-3#1)), literal "a" 3-4#1)…',
  // B11: a rule may have any name.
  'rule/named-literal': 'program 0-2#1(literal 0-2#2(literal "a" 0-1#1, literal "b" 1-2#1))',
  'rule/named-input': 'program 0-1#1(input 0-1#1(literal "a" 0-1#1))',
  // B15: the fold is the language, whatever its documentation expands.
  'select/flipflop-long-not-as-documented': 'error',
  // B16: text is kept as it is.
  'literal/bom-decoded-away': 'program 0-4#2(literal "\ufeff" 0-3#3, literal "a" 3-4#1)',
}

describe('what bnf-parser does wrong is put right', () => {
  // A tree of 20,000 nodes, compared on every way, takes seconds.
  const bad = cases.filter(({ bug, id }) => bug !== undefined && (isThorough || id !== 'limits/tree-too-big-rules'))

  test.each(bad)('$bug $id', async (example) => {
    const { id, grammar, entry } = example
    const expected = CORRECTED[id]
    const input = inputOf(example)
    if (expected === 'error') {
      await failEveryWay(grammar, entry, input)
    } else if (expected === 'empty-repetition' || expected === 'left-recursion') {
      const error = catchError(() => Grammar.from(grammar))
      expect(error).toBeInstanceOf(GrammarError)
      expect((error as GrammarError).problems.map(({ code }) => code)).toContain(expected)
    } else {
      const isPartial = expected?.endsWith('…') ?? false
      const root = await parseEveryWay(grammar, entry, input, isPartial)
      expect(`${format(root)}${isPartial ? '…' : ''}`).toBe(expected)
      // Of long inputs the places of some nodes, since counting them here is slow.
      for (const { ref, start, end } of Array.from(walk(root.toJSON())).slice(0, 100)) {
        expect(ref).toEqual({ start: locate(input, start), end: locate(input, end) })
      }
    }
  })

  test('B14: a comment at the end of the file needs no line feed', async () => {
    const root = await parseEveryWay('program ::= "a" ; # bye', 'program', 'a', false)
    expect(format(root)).toBe('program 0-1#1(literal "a" 0-1#1)')
  })

  test('B13: the ends of a range are single characters', () => {
    for (const range of ['"ab"->"mz"', '"a"->""', '"a"->"mz"']) {
      expect(() => Grammar.from(`program ::= ${range} ;`)).toThrow('the end of a range must be one character')
    }
  })

  test('B9: positions after a character outside the BMP are correct', async () => {
    const root = await parseEveryWay('program ::= "😀" "b" "c" ;', 'program', '😀bc', false)
    const [, b] = root.value as SyntaxNode[]
    expect(b?.ref).toEqual({ start: { line: 1, col: 3, index: 2 }, end: { line: 1, col: 4, index: 3 } })
  })

  test('B2: an input is not continued by one that was parsed before', () => {
    const grammar = Grammar.from('program ::= "a"* "b" ;')
    for (const engine of ENGINES) {
      expect(grammar.test('aab', { engine })).toBe(true)
      expect(grammar.test('aa', { engine })).toBe(false)
      expect(catchError(() => grammar.parse('aa', { engine }))).toMatchObject({ code: 'unexpected-end', byteOffset: 2 })
    }
  })
})
