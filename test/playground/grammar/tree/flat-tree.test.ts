import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { Grammar } from 'xylem/grammar'
import { BytePositions } from '../../../../playground/grammar/byte-positions.ts'
import { type FlatTree, findInnermost, findRule, flattenTree } from '../../../../playground/grammar/tree/flat-tree.ts'

const fixtures = fileURLToPath(new URL('../../../../fixtures/grammar', import.meta.url))
const folders = readdirSync(fixtures, { withFileTypes: true }).filter((entry) => entry.isDirectory())

function flatten(grammar: string, input: string, most?: number): FlatTree {
  return flattenTree(Grammar.from(grammar).parse(input), input, most)
}

/** A tree as the fixtures write it: a node a line, deeper ones indented. */
function write(tree: FlatTree, input: string): string {
  const lines = Array.from(tree.type, (type, node) => {
    let depth = 0
    for (let around = tree.parent[node] ?? -1; around >= 0; around = tree.parent[around] ?? -1) depth++
    const text = tree.values.get(node) ?? input.slice(tree.start[node], tree.end[node])
    const { kind, name } = tree.types[type] ?? { kind: 'rule', name: '?' }
    const shown = kind === 'text' ? JSON.stringify(text) : name
    return `${'  '.repeat(depth)}${shown} ${tree.startByte[node]}-${tree.endByte[node]}\n`
  })
  return lines.join('')
}

describe('a tree in columns', () => {
  for (const { name } of folders) {
    const folder = join(fixtures, name)
    const grammar = Grammar.from(readFileSync(join(folder, `${name}.bnf`), 'utf8'))
    const inputs = readdirSync(folder).filter((file) => file.includes('.input.'))
    test.each(inputs)(`is that of ${name}/%s`, (file) => {
      const input = readFileSync(join(folder, file), 'utf8')
      const tree = readFileSync(join(folder, file.replace(/\.input\..*$/, '.tree')), 'utf8')
      expect(write(flattenTree(grammar.parse(input), input), input)).toBe(tree)
    })
  }

  test('has the first nodes of a tree that is too large', () => {
    const tree = flatten('program ::= "a"* ;', 'a'.repeat(100), 10)
    expect([tree.isCut, tree.type.length, Array.from(tree.next)]).toEqual([true, 10, [10, 10, 3, 4, 5, 6, 7, 8, 9, 10]])
  })

  test('has indices of text, not offsets of bytes', () => {
    const tree = flatten('program ::= "木" "🌳" "a" ;', '木🌳a')
    expect(Array.from(tree.start)).toEqual([0, 0, 1, 3])
    expect(Array.from(tree.end)).toEqual([4, 1, 3, 4])
    expect(Array.from(tree.endByte)).toEqual([8, 3, 7, 8])
  })

  test('knows values that are not what the input has', () => {
    expect([...flatten('program ::= "a" ...( "b" %"-" "c" ) ;', 'ab-c').values]).toEqual([[2, 'bc']])
  })
})

describe('the innermost node', () => {
  const tree = flatten('program ::= pair* ; pair ::= [a-z]+ %"=" [0-9]+ %";" ;', 'a=1;bc=23;')
  const nameAt = (index: number): string | undefined => {
    const node = findInnermost(tree, index)
    if (node === undefined) return undefined
    return `${tree.types[tree.type[node] ?? 0]?.name} ${tree.start[node]}-${tree.end[node]}`
  }

  test.each([
    [0, 'literal 0-1'],
    [1, 'literal 0-1'],
    [2, 'literal 2-3'],
    [4, 'literal 4-6'],
    [6, 'literal 4-6'],
    [8, 'literal 7-9'],
    [10, 'pair 4-10'],
  ])('at %i is %s', (index, name) => {
    expect(nameAt(index)).toBe(name)
  })

  test('is none outside of the tree', () => {
    expect(nameAt(11)).toBeUndefined()
  })
})

test('the rule of a node is the next one around it', () => {
  const tree = flatten('program ::= ( word " "? )* ; word ::= [a-z]+ ;', 'ash birch')
  const rules = Array.from(tree.type, (_, node) => findRule(tree, node))
  expect(rules).toEqual([
    'program',
    'program',
    'program',
    'word',
    'word',
    'program',
    'program',
    'program',
    'word',
    'word',
    'program',
  ])
})

test('an offset inside of a character is its index', () => {
  const positions = new BytePositions('a木🌳b')
  expect(Array.from({ length: 11 }, (_, offset) => positions.indexOf(offset))).toEqual([
    0, 1, 1, 1, 2, 2, 2, 2, 4, 5, 5,
  ])
})
