import { describe, expect, test } from 'vitest'
import { Automaton } from '../../../source/xml/question/automaton.ts'
import { placeOf, planOf } from '../../../source/xml/question/closed-plan.ts'
import { STATE_WORDS, StateFlag, StateWord } from '../../../source/xml/question/layout.ts'
import { Path } from '../../../source/xml/question/path.ts'
import { planShape } from '../../../source/xml/question/plan.ts'
import type { XmlShape } from '../../../source/xml/question/shape.ts'

function automatonOf(path: string, shape: XmlShape): Automaton {
  return new Automaton({ paths: [new Path(path)], plan: planShape(shape), nested: 'outermost' })
}

describe('a closed plan', () => {
  test('has the states of its automaton, and their steps by the classes of names', () => {
    const automaton = automatonOf('a', { b: 'b', c: '@c', text: '.' })
    const plan = planOf(automaton) as Int32Array
    for (const state of automaton.states ?? []) {
      const at = placeOf(state)
      const row = plan[at + StateWord.ROW] as number
      const steps = plan.subarray(row, row + automaton.elements.samples.length)
      expect([...steps]).toEqual(state.steps?.next.map((one) => one && placeOf(one)))
      expect((plan[at + StateWord.FLAGS] as number) & StateFlag.FOUND).toBe(state.isFound ? StateFlag.FOUND : 0)
      expect(plan[at + StateWord.ACTION_COUNT]).toBe(state.actions.length)
    }
  })

  test('has a guard, a negative place, where attributes decide', () => {
    const automaton = automatonOf('a', { b: 'b[@x="1"]' })
    const plan = planOf(automaton) as Int32Array
    const guards = (automaton.states ?? []).flatMap(({ steps }) => [...(steps?.guards.values() ?? [])])
    const [first] = guards
    const place = plan.find((word) => word < 0) as number
    const [count, condition, ...states] = plan.subarray(-place, -place + 4)
    expect([count, ...states]).toEqual([1, ...(first?.states.map(placeOf) ?? [])])
    expect(condition).toBeGreaterThan(STATE_WORDS)
  })

  test('is made once', () => {
    const automaton = automatonOf('a', { b: 'b' })
    expect(planOf(automaton)).toBe(planOf(automaton))
  })

  test('is not there for an automaton that is not closed, or too large', () => {
    expect(planOf(automatonOf(`a${'/*'.repeat(20)}`, { b: 'b' }))).toBeNull()
    const fields = Array.from({ length: 700 }, (_, i) => [`f${i}`, `n${i}/@a${i}`])
    expect(planOf(automatonOf('a', Object.fromEntries(fields)))).toBeNull()
  })
})
