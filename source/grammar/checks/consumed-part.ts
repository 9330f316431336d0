// A part that can never match, because a repetition before it goes on as long as what the part begins with comes.

import { CodePointSet } from '../../machine/program/code-point-set.ts'
import { findComponents } from '../facts/components.ts'
import { Forms } from '../facts/forms.ts'
import { casesOf, lowerSet, SingleSets } from '../pattern/character-sets.ts'
import { type Expression, namesIn, type Rule, walk } from '../syntax/expression.ts'
import type { Check } from './check.ts'

export const findConsumedParts: Check = ({ rules, source }, report) => {
  const edges = new Edges(rules)
  const bodies = rules.flatMap(({ members }) => [
    members,
    ...[...walk(members)].flatMap((expression) => (expression.kind === 'group' ? [expression.items] : [])),
  ])
  for (const items of bodies) {
    let before: Expression | undefined
    for (const part of items) {
      if (!takesText(part)) continue
      const last = before
      before = part
      if (!last || !edges.isConsumed(part, last)) continue
      report({
        code: 'consumed-part',
        severity: 'warning',
        message: `${source.quote(part.at)} can never match here: ${source.quote(last.at)} goes on as long as there is one`,
        suggestion: 'let the repetition stop before the last one: ( x &x )* x',
        at: part.at,
      })
    }
  }
}

/** What expressions begin with, and the repetitions that they end with. Of rules that can contain themselves it is not known. */
class Edges {
  readonly #singles: SingleSets
  readonly #forms = new Forms()
  readonly #starts = new Map<string, CodePointSet | undefined>()
  readonly #ends = new Map<string, Expression | undefined>()

  constructor(rules: readonly Rule[]) {
    const known = new Map(rules.map((rule) => [rule.name, rule]))
    this.#singles = new SingleSets(known)
    // What rules refer to comes before them.
    for (const [name, ...others] of findComponents(known.keys(), (rule) => namesIn(known.get(rule)?.members ?? []))) {
      const members = others.length > 0 ? [] : (known.get(name as string)?.members ?? [])
      this.#starts.set(name as string, this.#startOfItems(members))
      this.#ends.set(name as string, this.#end(members.at(-1)))
    }
  }

  /** Whether a part never matches after what stands before it. */
  isConsumed(part: Expression, before: Expression): boolean {
    const loop = this.#end(before)
    if (!loop) return false
    const isSame = loop.kind === 'repeat' && this.#forms.numberOf(loop.operand) === this.#forms.numberOf(part)
    const start = this.#start(part)
    const consumed = this.#setOf(loop)
    return isSame || (start !== undefined && consumed?.union(start).isEqual(consumed) === true)
  }

  /** The repetition without an upper bound that an expression always ends with. */
  #end(expression: Expression | undefined): Expression | undefined {
    switch (expression?.kind) {
      case 'class':
      case 'not':
        return expression.count.max === Number.POSITIVE_INFINITY ? expression : undefined
      case 'repeat':
        return expression.count.max === Number.POSITIVE_INFINITY && !expression.separator ? expression : undefined
      case 'group':
        return this.#end(expression.items.at(-1))
      case 'omit':
      case 'gather':
      case 'field':
        return this.#end(expression.operand)
      case 'reference':
        return this.#ends.get(expression.name)
      default:
        return undefined
    }
  }

  /** The code points of which one is what a round of a repetition matches; undefined where it may match anything else. */
  #setOf(loop: Expression): CodePointSet | undefined {
    if (loop.kind === 'class') return lowerSet(loop)
    if (loop.kind === 'not') return this.#singles.of(loop.operand)?.complement()
    return loop.kind === 'repeat' ? this.#singles.of(loop.operand) : undefined
  }

  /** The code points of which one must come; undefined where it is not known, or where nothing must come. */
  #start(expression: Expression): CodePointSet | undefined {
    switch (expression.kind) {
      case 'literal': {
        const [character] = expression.text
        const point = character?.codePointAt(0)
        if (character === undefined || point === undefined) return undefined
        return expression.ignoresCase ? casesOf(character) : CodePointSet.of([[point, point]])
      }
      case 'class':
      case 'not':
        return expression.count.min > 0 ? this.#setOf(expression) : undefined
      case 'repeat':
        return expression.count.min > 0 ? this.#start(expression.operand) : undefined
      case 'choice': {
        const starts = expression.options.map((option) => this.#start(option))
        return starts.every((start) => start !== undefined)
          ? CodePointSet.of(starts.flatMap(({ ranges }) => ranges))
          : undefined
      }
      case 'group':
        return this.#startOfItems(expression.items)
      case 'omit':
      case 'gather':
        return this.#start(expression.operand)
      case 'field':
        return expression.isFlag ? undefined : this.#start(expression.operand)
      case 'reference':
        return this.#starts.get(expression.name)
      default:
        return undefined
    }
  }

  #startOfItems(items: readonly Expression[]): CodePointSet | undefined {
    const first = items.find(takesText)
    return first && this.#start(first)
  }
}

/** Whether an expression is more than a condition on what comes after it. */
function takesText({ kind }: Expression): boolean {
  return kind !== 'look' && kind !== 'cut'
}
