// The table of steps against the automaton that it is made of.

import { describe, expect, test } from 'vitest'
import { makeName, NameTable } from '../../../source/xml/names/names.ts'
import { Automaton } from '../../../source/xml/projection/automaton.ts'
import { Path } from '../../../source/xml/projection/path.ts'
import { planShape } from '../../../source/xml/projection/plan.ts'
import { StateFlag, Table } from '../../../source/xml/projection/table.ts'

const names = new NameTable((symbol) => makeName(`n${symbol}`))

/** An automaton that looks for elements and the texts of their children. */
function find(...paths: readonly string[]): Automaton {
  const plan = planShape({ text: 'n2', attribute: 'n7/@n8' })
  return new Automaton({ paths: paths.map((path) => new Path(path)), plan, nested: 'outermost' })
}

/** The state that the table has for a step, or finds. */
function step(table: Table, parent: number, symbol: number): number {
  const known = symbol < table.width ? (table.next[parent * table.width + symbol] ?? -1) : -1
  return known === -1 ? table.enter(parent, symbol) : known
}

describe('a table of steps', () => {
  test('leads where the paths lead, whatever comes up first', () => {
    const automaton = find('n1/n2', '/n3/*')
    const table = new Table(automaton, names, undefined)
    for (let round = 0; round < 2; round++) {
      for (const symbols of [[1, 2], [900, 1, 2], [3, 70], [3, 1, 2], [5], [5000, 1, 2], [3, 1, 7]]) {
        let [state, expected] = [automaton.start as number, automaton.start as number]
        for (const symbol of symbols) {
          state = step(table, state, symbol)
          expected = automaton.enterNamed(expected, names.get(symbol), undefined)
        }
        expect(state).toBe(expected)
        const flags = [
          automaton.actionsIn(state).length > 0 ? StateFlag.ACTS : 0,
          automaton.attributesIn(state).length > 0 ? StateFlag.ATTRIBUTES : 0,
          automaton.isDead(state) ? StateFlag.DEAD : 0,
          automaton.actionsIn(state).some(({ field, takes }) => !field && takes === 'record') ? StateFlag.FOUND : 0,
        ]
        expect(table.flags[state]).toBe(flags.reduce((sum, flag) => sum + flag))
      }
    }
  })

  test('stays small, however many names and states there are', () => {
    const table = new Table(find(`n1${'/*'.repeat(20)}`), names, undefined)
    for (let symbol = 1; symbol < 10_000; symbol++) step(table, 0, symbol)
    let states = [0]
    for (let depth = 0; depth < 10; depth++)
      states = states.flatMap((state) => [step(table, state, 1), step(table, state, 2)])
    expect(new Set(states).size).toBe(1024)
    expect(table.next.length).toBeLessThan(2 ** 23)
  })
})
