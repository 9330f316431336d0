import { describe, expect, test } from 'vitest'
import { XmlAttributes } from '../../../source/xml/names/attributes.ts'
import { makeName } from '../../../source/xml/names/names.ts'
import { Automaton, type State } from '../../../source/xml/question/automaton.ts'
import { Path } from '../../../source/xml/question/path.ts'
import { NO_FIELDS } from '../../../source/xml/question/plan.ts'

function automatonOf(paths: readonly string[], nested: 'outermost' | 'innermost' = 'outermost'): Automaton {
  return new Automaton({ paths: paths.map((path) => new Path(path)), plan: NO_FIELDS, nested })
}

function enterNamed(automaton: Automaton, parent: State, name: string): State {
  return automaton.enter(parent, automaton.elements.of(makeName(name), undefined), XmlAttributes.NONE)
}

function follow(paths: readonly string[], ...names: string[]): { isFound: boolean; isDead: boolean } {
  const automaton = automatonOf(paths)
  let state = automaton.start
  for (const name of names) state = enterNamed(automaton, state, name)
  return state
}

describe('an automaton of several paths', () => {
  test('finds what one of its paths matches', () => {
    expect(follow(['/a/b', 'c'], 'a', 'b').isFound).toBe(true)
    expect(follow(['/a/b', 'c'], 'x', 'c').isFound).toBe(true)
    expect(follow(['/a/b', 'c'], 'x', 'b').isFound).toBe(false)
  })

  test('is dead where none of them can match anything, at any depth', () => {
    expect(follow(['/a/b', '/c'], 'x').isDead).toBe(true)
    expect(follow(['/a/b', '/c'], 'a').isDead).toBe(false)
    expect(follow(['/a/b', 'c'], 'x').isDead).toBe(false)
  })

  test('finds nothing in what it has found, unless the innermost counts', () => {
    expect(follow(['a'], 'a')).toMatchObject({ isFound: true, isDead: true })
    const automaton = automatonOf(['a'], 'innermost')
    const inA = enterNamed(automaton, automaton.start, 'a')
    expect(enterNamed(automaton, inA, 'a').isFound).toBe(true)
  })

  test('has the same state for the same names, however often they come', () => {
    const automaton = automatonOf(['a/b', '/x/*'])
    const enter = (parent: State, name: string) => enterNamed(automaton, parent, name)
    const inX = enter(automaton.start, 'x')
    expect(enter(automaton.start, 'x')).toBe(inX)
    expect(enter(enter(inX, 'a'), 'b')).toBe(enter(enter(inX, 'a'), 'b'))
  })

  test('looks at attributes and namespaces where a path does', () => {
    const automaton = automatonOf(['a[@id="7"]', '{urn:x}b'])
    const find = (name: string, namespace: string | undefined, id: string) => {
      const attributes = new XmlAttributes(['id', id, 0, 0])
      return automaton.enter(automaton.start, automaton.elements.of(makeName(name), namespace), attributes).isFound
    }
    expect(automaton.hasNamespaces).toBe(true)
    expect(find('a', undefined, '7')).toBe(true)
    expect(find('a', undefined, '8')).toBe(false)
    expect(find('x:b', 'urn:x', '')).toBe(true)
    expect(find('x:b', 'urn:y', '')).toBe(false)
  })

  test('knows all its states before a document begins, and which of them attributes lead to', () => {
    const automaton = automatonOf(['/a/b', 'c[@x]', 'c[@y="1"]'])
    const states = automaton.states ?? []
    const steps = states.map((state) => state.steps)
    expect(states.length).toBeLessThan(20)
    for (const one of steps) {
      expect(one?.next).toHaveLength(4)
      const targets = [...(one?.next ?? []), ...[...(one?.guards.values() ?? [])].flatMap((guard) => guard.states)]
      for (const state of targets) expect(state === undefined || states.includes(state)).toBe(true)
    }
    const [guard] = automaton.start.steps?.guards.values() ?? []
    expect(guard?.conditions).toHaveLength(2)
    expect(guard?.states.map(({ isFound }) => isFound)).toEqual([false, true, true, true])
  })

  test('follows paths as they are if there would be too many states, or too many conditions for one step', () => {
    const long = `a${'/*'.repeat(20)}`
    expect(automatonOf([long]).states).toBeUndefined()
    expect(follow([long], 'a', ...'x'.repeat(20)).isFound).toBe(true)
    expect(follow([long], 'a', ...'x'.repeat(19)).isFound).toBe(false)
    expect(follow([long], 'x', 'a', ...'a'.repeat(20)).isFound).toBe(true)
    expect(automatonOf([`a${'/*'.repeat(3)}`]).states).toBeDefined()
    expect(automatonOf(['a[@a][@b][@c][@d][@e]']).states).toBeUndefined()
  })
})
