import { describe, expect, test } from 'vitest'
import { Grammar } from 'xylem/grammar'
import { flattenTree } from '../../../playground/grammar/tree/flat-tree.ts'
import { TreeRows } from '../../../playground/list/tree-rows.ts'
import { isThorough } from '../../support/extent.ts'

const lists = Grammar.from('program ::= list ; list ::= %"(" list* %")" ;')

function rowsOf(grammar: Grammar, input: string): TreeRows {
  const rows = new TreeRows()
  rows.add(flattenTree(grammar.parse(input), input).parent)
  rows.openFirst()
  return rows
}

describe('the rows of a tree', () => {
  test('are all nodes of a small tree', () => {
    const rows = rowsOf(lists, '(()(()))')
    expect(rows.rows).toEqual(Array.from({ length: rows.length }, (_, node) => node))
  })

  test('are the first levels of a large tree', () => {
    const rows = rowsOf(lists, `(${'(())'.repeat(50)})`)
    expect(rows.rows.length).toBe(53)
  })

  test('leave out what is inside of a node that is closed', () => {
    const rows = rowsOf(lists, '(()(()))')
    rows.setOpen(1, false)
    expect(rows.rows).toEqual([0, 1])
    expect([rows.isOpen(1), rows.rowOf(1), rows.rowOf(2)]).toEqual([false, 1, undefined])
    rows.setOpen(1, true)
    expect(rows.rows.length).toBe(rows.length)
  })

  test('can all be opened, and all except the root can be closed', () => {
    const rows = rowsOf(lists, `(${'(())'.repeat(50)})`)
    rows.setAllOpen(true)
    expect(rows.rows.length).toBe(rows.length)
    rows.setAllOpen(false)
    expect(rows.rows).toEqual([0, 1])
  })

  test('show a node that is revealed, and what is around it', () => {
    const rows = rowsOf(lists, '('.repeat(40) + ')'.repeat(40))
    rows.setAllOpen(false)
    const last = rows.length - 1
    const row = rows.reveal(last)
    expect(rows.rows[row]).toBe(last)
    expect(rows.rows.length).toBe(rows.length)
    expect(rows.depthOf(last)).toBe(last)
  })

  test('lead keys from one to another, and not beyond the ends', () => {
    const rows = rowsOf(lists, '(()())')
    const { length } = rows.rows
    expect(rows.move(0, 'up', 5)).toBe(0)
    expect(rows.move(0, 'down', 5)).toBe(1)
    expect(rows.move(1, 'last', 5)).toBe(length - 1)
    expect(rows.move(length - 1, 'down', 5)).toBe(length - 1)
    expect(rows.move(0, 'pageDown', 3)).toBe(3)
    expect(rows.move(3, 'pageUp', 2)).toBe(1)
    expect(rows.move(3, 'first', 2)).toBe(0)
  })

  test('step over what is closed', () => {
    const rows = rowsOf(lists, '(()())')
    const { next } = flattenTree(lists.parse('(()())'), '(()())')
    const first = 3
    rows.setOpen(first, false)
    expect(rows.move(first, 'down', 5)).toBe(next[first])
    expect(rows.parentOf(first)).toBe(2)
    expect(rows.parentOf(0)).toBeUndefined()
  })

  test('come in the order of the tree, in whatever order nodes are added', () => {
    const rows = new TreeRows()
    rows.add([-1, 0, 0], 2)
    rows.add([1, 2, 1, 3, -1], 2)
    expect(rows.rows).toEqual([0, 1, 3, 5, 2, 4, 7])
    expect([rows.rowOf(2), rows.rowOf(6), rows.depthOf(6), rows.parentOf(6)]).toEqual([4, undefined, 3, 3])
    rows.setOpen(3, true)
    expect(rows.rows).toEqual([0, 1, 3, 6, 5, 2, 4, 7])
  })

  test('are found in trees of any depth', () => {
    const rows = new TreeRows()
    rows.add(Array.from({ length: 100_000 }, (_, node) => node - 1))
    rows.setAllOpen(true)
    expect([rows.rows.length, rows.depthOf(99_999), rows.rowOf(99_999)]).toEqual([100_000, 99_999, 99_999])
  })

  test.runIf(isThorough)('of a quarter of a million nodes are found quickly', () => {
    const rows = rowsOf(Grammar.from('program ::= "a"* ;'), 'a'.repeat(250_000))
    const began = performance.now()
    rows.setAllOpen(true)
    for (let node = 2; node < 250_002; node += 1000) expect(rows.rowOf(node)).toBe(node)
    expect(performance.now() - began).toBeLessThan(1000)
  })
})
