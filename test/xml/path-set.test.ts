import { describe, expect, test } from 'vitest'
import { XmlAttributes } from '../../source/xml/attributes.ts'
import { makeName } from '../../source/xml/names.ts'
import { Path } from '../../source/xml/path.ts'
import { PathSet } from '../../source/xml/path-set.ts'

function follow(paths: readonly string[], ...names: string[]): { isMatch: boolean; isDead: boolean } {
  const set = new PathSet(paths.map((path) => new Path(path)))
  const state = names.reduce((parent, name) => set.enterNamed(parent, makeName(name)), set.start)
  return { isMatch: set.isMatch(state), isDead: set.isDead(state) }
}

describe('a set of paths', () => {
  test('matches what one of its paths matches', () => {
    expect(follow(['/a/b', 'c'], 'a', 'b').isMatch).toBe(true)
    expect(follow(['/a/b', 'c'], 'x', 'c').isMatch).toBe(true)
    expect(follow(['/a/b', 'c'], 'x', 'b').isMatch).toBe(false)
  })

  test('is dead where none of them can mean anything, at any depth', () => {
    expect(follow(['/a/b', '/c'], 'x').isDead).toBe(true)
    expect(follow(['/a/b', '/c'], 'a').isDead).toBe(false)
    expect(follow(['/a/b', 'c'], 'x').isDead).toBe(false)
  })

  test('has the same state for the same names, however often they come', () => {
    const set = new PathSet([new Path('a/b'), new Path('/x/*')])
    const [a, b, x] = ['a', 'b', 'x'].map(makeName) as [
      ReturnType<typeof makeName>,
      ReturnType<typeof makeName>,
      ReturnType<typeof makeName>,
    ]
    const inX = set.enterNamed(set.start, x)
    expect(set.enterNamed(set.start, x)).toBe(inX)
    expect(set.enterNamed(set.enterNamed(inX, a), b)).toBe(set.enterNamed(set.enterNamed(inX, a), b))
  })

  test('looks at attributes where a path does', () => {
    const set = new PathSet([new Path('a[@id="7"]')])
    const candidate = (id: string) => ({
      name: makeName('a'),
      namespace: undefined,
      attributes: new XmlAttributes(['id', id, 0, 0]),
    })
    expect(set.hasPredicates).toBe(true)
    expect(set.isMatch(set.enter(set.start, candidate('7')))).toBe(true)
    expect(set.isMatch(set.enter(set.start, candidate('8')))).toBe(false)
  })
})
