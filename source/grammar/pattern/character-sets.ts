// Expressions as sets of code points.

import { CodePointSet } from '../../machine/program/code-point-set.ts'
import { findComponents } from '../facts/components.ts'
import { type CharacterClass, type Expression, namesIn, type Rule } from '../syntax/expression.ts'

export function lowerSet({ ranges, isNegated }: CharacterClass): CodePointSet {
  const set = CodePointSet.of(ranges.map(({ first, last }) => [first, last]))
  return isNegated ? set.complement() : set
}

/** A character and what it is in the other case, where that is a single character. */
export function casesOf(character: string): CodePointSet {
  const cases = [character, character.toLowerCase(), character.toUpperCase()]
  const points = cases.filter((text) => Array.from(text).length === 1).map((text) => text.codePointAt(0) as number)
  return setOf(points)
}

function setOf(points: readonly number[]): CodePointSet {
  return CodePointSet.of(points.map((point) => [point, point]))
}

/** What expressions match one code point of, where they can match nothing else. */
export class SingleSets {
  readonly #ofRules = new Map<string, CodePointSet>()

  /** Looks at those rules first that others refer to. */
  constructor(rules: ReadonlyMap<string, Rule>) {
    const aliasesOf = (name: string) => namesIn(rules.get(name)?.members ?? [])
    for (const [name, ...others] of findComponents(rules.keys(), aliasesOf)) {
      const [only, ...more] = rules.get(name as string)?.members ?? []
      const set = only && more.length + others.length === 0 ? this.of(only) : undefined
      if (set) this.#ofRules.set(name as string, set)
    }
  }

  /** Undefined where it can match anything but one code point. */
  of(expression: Expression): CodePointSet | undefined {
    switch (expression.kind) {
      case 'literal': {
        const points = Array.from(expression.text, (character) => character.codePointAt(0) as number)
        if (points.length === 0) return CodePointSet.of([])
        return points.length === 1 && !expression.ignoresCase ? setOf(points) : undefined
      }
      case 'class':
        return expression.count.min === 1 && expression.count.max === 1 ? lowerSet(expression) : undefined
      case 'choice': {
        const sets = expression.options.map((option) => this.of(option))
        return sets.every((set) => set !== undefined)
          ? CodePointSet.of(sets.flatMap(({ ranges }) => ranges))
          : undefined
      }
      case 'group':
        return expression.items.length === 1 ? this.of(expression.items[0] as Expression) : undefined
      case 'reference':
        return this.#ofRules.get(expression.name)
      default:
        return undefined
    }
  }
}
