// The table of steps against the set of paths that it is made of.

import { describe, expect, test } from 'vitest'
import { makeName, NameTable } from '../../source/xml/names.ts'
import { Path } from '../../source/xml/path.ts'
import { PathSet } from '../../source/xml/path-set.ts'
import { PathTable, StateFlag } from '../../source/xml/path-table.ts'

const names = new NameTable((symbol) => makeName(`n${symbol}`))

/** The state that the table has for a step, or finds. */
function step(table: PathTable, parent: number, symbol: number): number {
  const known = symbol < table.width ? (table.next[parent * table.width + symbol] ?? -1) : -1
  return known === -1 ? table.enter(parent, symbol, names) : known
}

describe('a table of steps', () => {
  test('leads where the paths lead, whatever comes up first', () => {
    const set = new PathSet([new Path('n1/n2'), new Path('/n3/*')])
    const table = new PathTable(set)
    for (let round = 0; round < 2; round++) {
      for (const symbols of [[1, 2], [900, 1, 2], [3, 70], [3, 1, 2], [5], [5000, 1, 2]]) {
        let [state, expected] = [set.start as number, set.start as number]
        for (const symbol of symbols) {
          state = step(table, state, symbol)
          expected = set.enterNamed(expected, names.get(symbol))
        }
        expect(state).toBe(expected)
        const flags = (set.isMatch(state) ? StateFlag.MATCH : 0) | (set.isDead(state) ? StateFlag.DEAD : 0)
        expect(table.flags[state]).toBe(flags)
      }
    }
  })

  test('stays small, however many names and states there are', () => {
    const table = new PathTable(new PathSet([new Path(`n1${'/*'.repeat(20)}`)]))
    for (let symbol = 1; symbol < 10_000; symbol++) step(table, 0, symbol)
    let states = [0]
    for (let depth = 0; depth < 10; depth++)
      states = states.flatMap((state) => [step(table, state, 1), step(table, state, 2)])
    expect(new Set(states).size).toBe(1024)
    expect(table.next.length).toBeLessThan(2 ** 23)
  })
})
