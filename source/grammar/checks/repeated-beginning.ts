// Finds choices and repetitions that parse nested input again: the option that is tried begins with a rule, and the option that is tried after a
// failure begins with the same rule. If the rule can contain the choice, each level of nesting multiplies the time.

import { Analysis } from '../analysis/analysis.ts'
import type { RewindPoint } from '../assembly/assemble.ts'
import { findCycles } from '../facts/components.ts'
import {
  childrenOf,
  itemsOf,
  type Origin,
  type Pattern,
  type Procedure,
  placesOf,
  proceduresFrom,
} from '../pattern/pattern.ts'
import { type Expression, namesIn, type Rule } from '../syntax/expression.ts'
import type { RewindCheck } from './check.ts'

/** Called rules that a search for beginnings visits. No grammar has more levels of operators. */
const MOST_CALLED = 200

/** Patterns that only record nodes. */
const RECORDS: ReadonlySet<Pattern['kind']> = new Set(['open', 'close', 'leaf'])

/** What comes after a pattern in its procedure. */
interface After {
  readonly pattern: Pattern
  readonly next: After | undefined
}

export const findRepeatedBeginnings: RewindCheck = (entry, rules) => {
  const beginnings = new Beginnings(proceduresFrom(entry))
  const components = findComponentsOf(rules)
  return (point) => {
    const rule = point.origin?.rule
    const component = rule === undefined ? undefined : components.get(rule)
    const name = component && beginnings.findShared(point, component)
    if (name === undefined) return undefined
    return {
      code: 'repeated-beginning',
      message:
        `in ${rule}, more than one way to continue here begins with ${name}, which is then parsed again; ` +
        `${name} can contain ${rule}, so the time can double with each level of nesting`,
      suggestion: `factor out the common beginning: write  ${name} ( "x" | "y" )?  instead of  ( ${name} "x" ) | ( ${name} "y" ) | ${name}`,
    }
  }
}

/** Of recursive rules, the rules that each can contain, and that can contain it. */
function findComponentsOf(rules: readonly Rule[]): ReadonlyMap<string, ReadonlySet<string>> {
  const references = new Map(rules.map(({ name, members }) => [name, [...namesIn(members)]]))
  const components = findCycles(references.keys(), (name) => references.get(name) ?? [])
  return new Map(
    components.flatMap((names) => {
      const all = new Set(names)
      return names.map((name) => [name, all] as const)
    }),
  )
}

/** What patterns begin with, of all procedures of a program. */
class Beginnings {
  readonly #analysis = new Analysis()
  readonly #ofProcedures = new Map<Procedure, Beginning>()
  readonly #after = new Map<Pattern, After | undefined>()
  readonly #lastOptions = new Map<readonly Pattern[], ReadonlyMap<string, number>>()

  constructor(procedures: readonly Procedure[]) {
    for (const { body } of procedures) this.#note(body, undefined)
  }

  /** The first of the `wanted` rules that both the tried pattern and what is tried next begin with; undefined if there is none. */
  findShared({ options, tried, origin }: RewindPoint, wanted: ReadonlySet<string>): string | undefined {
    const around = placesOf(origin)
    const first = new Beginning()
    this.#add(options[tried] as Pattern, first, true)
    const rules = this.#rulesOf(first, around, wanted)
    if (rules.size === 0) return undefined
    const lastOptions = this.#lastOptionsOf(options, around, wanted)
    return [...rules].find((rule) => (lastOptions.get(rule) ?? -1) > tried)
  }

  /** The index of the last of the options that begins with each of the `wanted` rules. Found once for all that are tried of them. */
  #lastOptionsOf(
    options: readonly Pattern[],
    around: readonly Expression[],
    wanted: ReadonlySet<string>,
  ): ReadonlyMap<string, number> {
    const known = this.#lastOptions.get(options)
    if (known) return known
    const last = new Map<string, number>()
    for (const [i, option] of options.entries()) {
      const beginning = new Beginning()
      // What follows one of the options follows each of them.
      let after = this.#add(option, beginning, false) ? this.#after.get(options[0] as Pattern) : undefined
      while (after && this.#add(after.pattern, beginning, false)) after = after.next
      for (const rule of this.#rulesOf(beginning, around, wanted)) last.set(rule, i)
    }
    this.#lastOptions.set(options, last)
    return last
  }

  /** Notes what follows each option and each repetition. If a round fails, what follows the repetition comes next. */
  #note(pattern: Pattern, after: After | undefined): void {
    let next = after
    for (const item of itemsOf(pattern).toReversed()) {
      this.#after.set(item, next)
      for (const child of childrenOf(item)) {
        this.#after.set(child, next)
        this.#note(child, next)
      }
      next = { pattern: item, next }
    }
  }

  /** Adds what a pattern begins with. Returns whether it can match nothing: then what follows it counts too. */
  #add(pattern: Pattern, to: Beginning, isTried: boolean): boolean {
    switch (pattern.kind) {
      case 'sequence':
        return this.#addItems(pattern.items, to, isTried)
      case 'choice':
        return pattern.options.map((option) => this.#add(option, to, isTried)).includes(true)
      case 'repeat':
        return this.#add(pattern.operand, to, isTried) || pattern.min === 0
      case 'throw':
        return false
      case 'cut':
        return !isTried
      default:
        if (pattern.kind === 'call') to.calls.add(pattern.procedure)
        if ('origins' in pattern) for (const origin of pattern.origins) to.origins.add(origin)
        return this.#analysis.isNullable(pattern)
    }
  }

  #addItems(items: readonly Pattern[], to: Beginning, isTried: boolean): boolean {
    return items.every((item, i) => {
      // If a cut follows, an item that has matched is not parsed again.
      const next = items.find((other, j) => j > i && !RECORDS.has(other.kind))
      if (isTried && next?.kind === 'cut') return this.#analysis.isNullable(item)
      return this.#add(item, to, isTried)
    })
  }

  /** The rules that begin there, the outermost first. The rules that are open `around` it are left out. */
  #rulesOf(beginning: Beginning, around: readonly Expression[], wanted: ReadonlySet<string>): Set<string> {
    const rules = new Set<string>()
    const waiting = new Set<Procedure>()
    const add = ({ origins, calls }: Beginning, outer: readonly Expression[]): void => {
      for (const origin of origins) {
        const places = placesOf(origin)
        const inner = places.findIndex((place, i) => place !== outer[i])
        for (const place of inner === -1 ? [] : places.slice(inner)) {
          if (place.kind === 'reference' && wanted.has(place.name)) rules.add(place.name)
        }
      }
      for (const procedure of calls) if (wanted.has(procedure.rule)) waiting.add(procedure)
    }
    add(beginning, around)
    for (const procedure of waiting) {
      if (waiting.size > MOST_CALLED) break
      rules.add(procedure.rule)
      add(this.#beginningOf(procedure), [])
    }
    return rules
  }

  #beginningOf(procedure: Procedure): Beginning {
    const known = this.#ofProcedures.get(procedure)
    if (known) return known
    const beginning = new Beginning()
    this.#ofProcedures.set(procedure, beginning)
    this.#add(procedure.body, beginning, false)
    return beginning
  }
}

/** What a pattern can begin with. */
class Beginning {
  /** The origins of its first terminals and calls. */
  readonly origins = new Set<Origin>()
  readonly calls = new Set<Procedure>()
}
