import { describe, expect, test } from 'vitest'
import { parseNamePattern } from '../../../source/xml/names/name-pattern.ts'
import { makeName, NameTable } from '../../../source/xml/names/names.ts'
import { Automaton } from '../../../source/xml/question/automaton.ts'
import { NameClasses, SymbolClasses } from '../../../source/xml/question/name-classes.ts'
import { Path } from '../../../source/xml/question/path.ts'
import { NO_FIELDS } from '../../../source/xml/question/plan.ts'
import type { TapeFrame } from '../../../source/xml/tape/tape-frame.ts'

const NAMES = ['a', 'b', 'c', 'p:a', 'q:a', 'p:b', 'p:c', 'xmlns:a', 'xmlns:c']
const NAMESPACES = [undefined, 'u', 'v', 'w']

describe('the classes of names', () => {
  test('are one for each name that is written, and one for all others', () => {
    const classes = new NameClasses(['a', 'p:b', 'a'].map(parseNamePattern))
    expect(classes.samples).toHaveLength(3)
    expect(classes.of(makeName('x'), undefined)).toBe(0)
    expect(classes.of(makeName('a'), 'u')).toBe(classes.of(makeName('a'), undefined))
    expect(classes.of(makeName('p:b'), undefined)).not.toBe(classes.of(makeName('a'), undefined))
  })

  test('separate names exactly where a pattern does', () => {
    const patterns = ['a', 'p:b', '{u}a', '{u}c', '{}a', '*:c', '{v}b']
    const parsed = patterns.map(parseNamePattern)
    const classes = new NameClasses(parsed)
    for (const raw of NAMES) {
      for (const namespace of NAMESPACES) {
        const name = makeName(raw)
        const matched = parsed.map((pattern) => classes.matches(pattern, classes.of(name, namespace)))
        const alone = parsed.map((pattern) => {
          const only = new NameClasses([pattern])
          return only.matches(pattern, only.of(name, namespace))
        })
        expect(matched, `${raw} ${namespace}`).toEqual(alone)
      }
    }
  })

  test('do not depend on namespaces where no pattern has one', () => {
    const classes = new NameClasses(['*:a', 'b'].map(parseNamePattern))
    expect(classes.hasNamespaces).toBe(false)
    expect(classes.samples).toHaveLength(3)
    for (const namespace of NAMESPACES)
      expect(classes.of(makeName('p:a'), namespace)).toBe(classes.of(makeName('a'), 'x'))
  })
})

describe('the classes of the symbols of a document', () => {
  test('are asked for once for each set of declarations, however many symbols there are', () => {
    const asked: number[] = []
    const names = new NameTable((symbol) => {
      asked.push(symbol)
      return makeName(`n${symbol}`)
    })
    const automaton = new Automaton({ paths: [new Path('{u}n7')], plan: NO_FIELDS, nested: 'outermost' })
    const scopes = { bindings: new Map([['', 'u']]) }
    const classes = new SymbolClasses(automaton, { names, scopes } as unknown as ConstructorParameters<
      typeof SymbolClasses
    >[1])
    const others = new Map([['', 'v']])
    for (const bindings of [scopes.bindings, others, scopes.bindings]) {
      scopes.bindings = bindings
      classes.in({ names } as TapeFrame)
      expect(classes.of(7)).toBe(bindings === others ? 0 : 1)
      expect(classes.of(70_000)).toBe(0)
    }
    expect(asked).toEqual([7, 70_000])
  })
})
