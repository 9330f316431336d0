import { describe, expect, test } from 'vitest'
import { Grammar } from 'xylem/grammar'
import { flattenTree } from '../../../../playground/grammar/tree/flat-tree.ts'
import { TreeRows } from '../../../../playground/grammar/tree/tree-rows.ts'

const lists = Grammar.from('program ::= list ; list ::= %"(" list* %")" ;')

function rowsOf(grammar: Grammar, input: string): TreeRows {
  return new TreeRows(flattenTree(grammar.parse(input), input))
}

describe('the rows of a tree', () => {
  test('are all nodes of a small tree', () => {
    const rows = rowsOf(lists, '(()(()))')
    expect(rows.rows).toEqual(Array.from(rows.tree.type.keys()))
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
    expect(rows.rows.length).toBe(rows.tree.type.length)
  })

  test('can all be opened, and all except the root can be closed', () => {
    const rows = rowsOf(lists, `(${'(())'.repeat(50)})`)
    rows.setAllOpen(true)
    expect(rows.rows.length).toBe(rows.tree.type.length)
    rows.setAllOpen(false)
    expect(rows.rows).toEqual([0, 1])
  })

  test('show a node that is revealed, and what is around it', () => {
    const rows = rowsOf(lists, '('.repeat(40) + ')'.repeat(40))
    rows.setAllOpen(false)
    const last = rows.tree.type.length - 1
    const row = rows.reveal(last)
    expect(rows.rows[row]).toBe(last)
    expect(rows.rows.length).toBe(rows.tree.type.length)
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
    const first = 3
    rows.setOpen(first, false)
    expect(rows.move(first, 'down', 5)).toBe(rows.tree.next[first])
    expect(rows.parentOf(first)).toBe(2)
    expect(rows.parentOf(0)).toBeUndefined()
  })

  test('of a quarter of a million nodes are found quickly', () => {
    const rows = rowsOf(Grammar.from('program ::= "a"* ;'), 'a'.repeat(250_000))
    const began = performance.now()
    rows.setAllOpen(true)
    for (let node = 2; node < 250_002; node += 1000) expect(rows.rowOf(node)).toBe(node)
    expect(performance.now() - began).toBeLessThan(1000)
  })
})
