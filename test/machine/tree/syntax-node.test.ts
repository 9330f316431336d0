// Nodes as users hold them. This file is compiled in strict TypeScript: it needs no cast where a node says of which type it is.

import { describe, expect, test } from 'vitest'
import { Grammar, SyntaxNode } from '../../../source/grammar/index.ts'
import { everyCut } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { collectGarbage } from '../../support/resources.ts'

const SETTINGS = Grammar.from(
  `program ::= ( %"\\n"* entry )* %"\\n"* ;
   entry   ::= key %" "* "=" %" "* ( list | word ) ;
   key     ::= [a-z]+ ;
   list    ::= "[" ( word ( %"," word )* )? "]" ;
   word    ::= ...( "\\"" ( !"\\""+ | %"\\"\\"" )* "\\"" ) | [a-z]+ ;`,
  { dialect: 'xylem' },
)
const INPUT = 'ash=one\noak = [two,three]\n\nelm=[]\n'
const entries = () => SETTINGS.parse(INPUT).children('entry')

/** A node that must be there. */
function some<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('nothing was found')
  return found
}

/** All nodes by a plain walk over `value`. */
function listByValue(node: SyntaxNode): SyntaxNode[] {
  return node.type === 'literal' ? [node] : [node, ...node.value.flatMap(listByValue)]
}

describe('child and children', () => {
  test('look through brackets and repetitions, in the order of the input', () => {
    expect(entries().map(({ text }) => text)).toEqual(['ash=one', 'oak = [two,three]', 'elm=[]'])
    const list = some(entries()[1]?.child('list'))
    expect(list.children('word').map(({ text }) => text)).toEqual(['two', 'three'])
    expect(list.child('word')?.text).toBe('two')
  })

  test('do not look into other rules', () => {
    const root = SETTINGS.parse(INPUT)
    expect(root.child('key')).toBeUndefined()
    expect(root.children('word')).toEqual([])
  })

  test('find text, brackets and repetitions too', () => {
    const entry = some(entries()[1])
    expect(entry.children('literal').map(({ value }) => value)).toEqual(['='])
    const list = some(entry.child('list'))
    expect(list.children('literal').map(({ value }) => value)).toEqual(['[', ']'])
    expect(list.child('(...)?')?.text).toBe('two,three')
    expect(list.children('(...)').map(({ text }) => text)).toEqual(['two,three', ',three'])
  })

  test('of brackets and repetitions are what these contain', () => {
    const repetition = some(SETTINGS.parse(INPUT).child('(...)*'))
    expect(repetition.children('entry').length).toBe(3)
  })

  test('of text are none', () => {
    const text = some(some(entries()[0]?.child('key')).child('literal'))
    expect(text.child('literal')).toBeUndefined()
    expect(text.children('literal')).toEqual([])
  })

  test('are the nodes that value has', () => {
    const entry = some(entries()[0])
    expect(entry.child('key')).toBe(entry.value[0])
    expect(entry.child('key')).toBe(entry.child('key'))
  })
})

describe('value', () => {
  test('is text for a literal and an array for others, also to TypeScript', () => {
    const lengths = [...SETTINGS.parse(INPUT).walk()].map((node) => {
      if (node.type !== 'literal') return node.value.map(({ type }) => type).length
      const text: string = node.value
      return text.length
    })
    expect(lengths.length).toBeGreaterThan(20)
  })

  test('is not made anew at each access', () => {
    for (const node of SETTINGS.parse(INPUT).walk()) expect(node.value).toBe(node.value)
    const root = SETTINGS.parse(INPUT)
    const nodes = listByValue(root)
    expect(listByValue(root).every((node, i) => node === nodes[i])).toBe(true)
  })

  test('of a large tree may be made anew, but what was read stays what it is', () => {
    const count = isThorough ? 20_000 : 2_000
    const root = SETTINGS.parse('ash=[one,two]\n'.repeat(count))
    const held = root.children('entry')
    const values = held.map(({ value }) => value)
    const texts = listByValue(some(held[0])).map(({ type, text }) => [type, text])
    expect(held.length).toBe(count)
    for (const [i, entry] of root.children('entry').entries()) {
      expect([entry.start, held[i]?.start]).toEqual([14 * i, 14 * i])
      expect(values[i]?.map(({ start }) => start - 14 * i)).toEqual([0, 3, 4])
      for (const node of [entry, some(held[i])]) {
        expect(node.count).toBe(3)
        if (i % 97 === 0) expect(listByValue(node).map(({ type, text }) => [type, text])).toEqual(texts)
      }
    }
  })

  test('of a node with many children is read by index in linear time', () => {
    const root = Grammar.from('program ::= item* ; item ::= "a" %"\\n" ;').parse('a\n'.repeat(20_000))
    let length = 0
    for (let i = 0; i < some(root.child('(...)*')).count; i++)
      length += some(root.child('(...)*')?.value[i]).text.length
    expect(length).toBe(40_000)
  })

  test('leaves out what is omitted in gathered text', () => {
    const words = SETTINGS.parse('ash="a""b"').child('entry')?.children('word')
    expect(words?.map((word) => word.child('literal')?.value)).toEqual(['"ab"'])
  })
})

describe('walk', () => {
  test('yields a node, then what is in it, in the order of the input', () => {
    const root = SETTINGS.parse(INPUT)
    expect([...root.walk()].every((node, i) => node === listByValue(root)[i])).toBe(true)
    expect([...some(entries()[0]).walk()].map(({ type }) => type)).toEqual([
      'entry',
      'key',
      'literal',
      'literal',
      'word',
      'literal',
    ])
  })

  test('of text yields only itself', () => {
    const [, text] = [...some(entries()[0]?.child('key')).walk()]
    expect([...some(text).walk()]).toEqual([text])
  })

  test('can be left early', () => {
    const types: string[] = []
    for (const { type } of SETTINGS.parse(INPUT).walk()) {
      types.push(type)
      if (type === 'key') break
    }
    expect(types.at(-1)).toBe('key')
  })
})

describe('toObject', () => {
  test('has rules by name, and text as strings', () => {
    expect(SETTINGS.parse(INPUT).toObject()).toEqual({
      program: [
        { entry: [{ key: 'ash' }, '=', { word: 'one' }] },
        { entry: [{ key: 'oak' }, '=', { list: ['[', { word: 'two' }, { word: 'three' }, ']'] }] },
        { entry: [{ key: 'elm' }, '=', { list: '[]' }] },
      ],
    })
  })

  test('of text is a string, and of brackets an array', () => {
    const list = some(entries()[1]?.child('list'))
    expect(list.child('literal')?.toObject()).toBe('[')
    expect(list.child('(...)?')?.toObject()).toEqual([{ word: 'two' }, { word: 'three' }])
    expect(entries()[2]?.child('list')?.child('(...)?')?.toObject()).toEqual([])
    expect(list.toObject()).toEqual({ list: ['[', { word: 'two' }, { word: 'three' }, ']'] })
  })

  test('has all text of the tree once, without omitted parts', () => {
    const grammar = Grammar.from('program ::= ( x | ( "é" ( y "🌳" )* ) )+ ; x ::= ...( "a" %"b" "c" )+ ; y ::= "y"? ;')
    expect(grammar.parse('abcéy🌳🌳abcabc').toObject()).toEqual({
      program: [{ x: 'ac' }, 'é', { y: 'y' }, '🌳', { y: '' }, '🌳', { x: 'acac' }],
    })
  })

  test('keeps names that mean something elsewhere', () => {
    const grammar = Grammar.from(
      'program ::= constructor literal toString ; constructor ::= "c" ; literal ::= "l" ; toString ::= %"t" ;',
    )
    expect(JSON.stringify(grammar.parse('clt').toObject())).toBe(
      '{"program":[{"constructor":"c"},{"literal":"l"},{"toString":""}]}',
    )
  })
})

test('nodes are instances of SyntaxNode', () => {
  const root = SETTINGS.parse(INPUT)
  for (const node of root.walk()) expect(node instanceof SyntaxNode).toBe(true)
  expect(root.toJSON() instanceof SyntaxNode).toBe(false)
  expect(root.constructor.name).toBe('SyntaxNode')
})

test('nodes of a stream are those of the tree, at every cut', async () => {
  const expected = entries().map((entry) =>
    [...entry.walk()].map(({ type, start, value }) => [type, start, String(value)]),
  )
  const objects = entries().map((entry) => entry.toObject())
  for (const pieces of everyCut(new TextEncoder().encode(INPUT))) {
    const nodes: SyntaxNode[] = []
    for await (const node of SETTINGS.stream(pieces, { emit: 'entry' })) nodes.push(node)
    expect(
      nodes.map((entry) => [...entry.walk()].map(({ type, start, value }) => [type, start, String(value)])),
    ).toEqual(expected)
    expect(nodes.map((entry) => entry.toObject())).toEqual(objects)
  }
})

describe.each([
  [
    'in brackets',
    'program ::= "(" program ")" | "x" ;',
    (levels: number) => `${'('.repeat(levels)}x${')'.repeat(levels)}`,
  ],
  ['to the right', 'program ::= "(" program | "x" ;', (levels: number) => `${'('.repeat(levels)}x`],
])('a tree that is nested %s', (_, text, write) => {
  const levels = isThorough ? 1_000_000 : 50_000
  const parse = () => Grammar.from(text).parse(write(levels), { limits: { maxDepth: 5 * levels } })

  test('is walked', () => {
    let count = 0
    for (const _ of parse().walk()) count++
    expect(count).toBeGreaterThan(2 * levels)
  })

  test('is followed by child', () => {
    let depth = 0
    for (let node: SyntaxNode | undefined = parse(); node; depth++) node = node.child('program')
    expect(depth).toBe(levels + 1)
  })

  test('becomes plain data', () => {
    let depth = 0
    let object: unknown = parse().toObject()
    for (; typeof object === 'object' && object !== null; depth++) {
      const { program }: { program?: unknown } = object
      object = Array.isArray(program) ? program.find((member) => typeof member === 'object') : program
    }
    expect([depth, object]).toEqual([levels + 1, 'x'])
  })
})

test.runIf(isThorough)('a kept node of a stream retains no other nodes', async () => {
  const kept: SyntaxNode[] = []
  const others: WeakRef<SyntaxNode>[] = []
  for await (const entry of SETTINGS.stream(['ash=[one,two]\n'.repeat(50)], { emit: 'entry' })) {
    if (kept.length === 0) kept.push(entry)
    else for (const node of entry.walk()) others.push(new WeakRef(node))
  }
  await collectGarbage()
  expect(others.filter((node) => node.deref()).length).toBeLessThan(20)
  expect(kept[0]?.child('list')?.children('word').length).toBe(2)
})
