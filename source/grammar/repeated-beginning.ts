// Finds choices and repetitions that parse nested input again: the option that is tried begins with a rule, and the option that is tried after a
// failure begins with the same rule. If the rule can contain the choice, each level of nesting multiplies the time.

import { Analysis } from './analysis/analysis.ts'
import type { RewindPoint } from './assembly/assemble.ts'
import type { Compilable } from './assembly/compile.ts'
import { findComponents } from './facts/components.ts'
import { childrenOf, itemsOf, type Origin, type Pattern, type Procedure, proceduresFrom } from './pattern/pattern.ts'
import type { ProblemDetails } from './syntax/errors.ts'
import { type Expression, namesIn, type Rule } from './syntax/expression.ts'

/** Called rules that a search for beginnings visits. No grammar has more levels of operators. */
const MOST_CALLED = 200

/** Patterns that only record nodes. */
const RECORDS: ReadonlySet<Pattern['kind']> = new Set(['open', 'close', 'leaf'])

/** What comes after a pattern in its procedure. */
interface After {
  readonly pattern: Pattern
  readonly next: After | undefined
}

/** Warnings about a grammar's text, for parses that begin with `program`; none where there is no such rule. */
export function findRepeatedBeginnings(grammar: Compilable): ProblemDetails[] {
  if (!grammar.rules.some(({ name }) => name === 'program')) return []
  // The program for trees parses more again than one that records nothing: options that match alike may record different nodes.
  const { rewindPoints, entry } = grammar.compile({ entry: 'program', parts: new Set(['program']) })
  const beginnings = new Beginnings(proceduresFrom(entry))
  const componentOf = findComponentOf(grammar.rules)
  const found = new Map<string, ProblemDetails>()
  for (const point of rewindPoints) {
    const { at, origin } = point
    if (!at || !origin || found.has(`${at.start} ${at.end}`)) continue
    const rule = origin.rule
    const component = componentOf.get(rule)
    const name = beginnings.findShared(
      point,
      (other) => component !== undefined && componentOf.get(other) === component,
    )
    if (name !== undefined) found.set(`${at.start} ${at.end}`, { ...describe(rule, name), at })
  }
  return [...found.values()]
}

function describe(rule: string, name: string): Omit<ProblemDetails, 'at'> {
  return {
    code: 'repeated-beginning',
    severity: 'warning',
    message:
      `in ${rule}, more than one way to continue here begins with ${name}, which is then parsed again; ` +
      `${name} can contain ${rule}, so the time can double with each level of nesting`,
    suggestion: `factor out the common beginning: write  ${name} ( "x" | "y" )?  instead of  ( ${name} "x" ) | ( ${name} "y" ) | ${name}`,
  }
}

/** Recursive rules, each with a number. Two rules have the same number if each can contain the other. */
function findComponentOf(rules: readonly Rule[]): ReadonlyMap<string, number> {
  const references = new Map(rules.map(({ name, members }) => [name, new Set(namesIn(members))]))
  const components = findComponents(references.keys(), (name) => references.get(name) ?? [])
  const componentOf = new Map<string, number>()
  components.forEach((names, number) => {
    const isRecursive = names.length > 1 || references.get(names[0] as string)?.has(names[0] as string)
    if (isRecursive) for (const name of names) componentOf.set(name, number)
  })
  return componentOf
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
  findShared({ options, tried, origin }: RewindPoint, wanted: (rule: string) => boolean): string | undefined {
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
    wanted: (rule: string) => boolean,
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
      case 'call':
        to.calls.add(pattern.procedure)
        for (const origin of pattern.origins) to.origins.add(origin)
        return this.#analysis.isNullable(pattern)
      case 'throw':
        return false
      case 'cut':
        return !isTried
      default:
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
  #rulesOf(beginning: Beginning, around: readonly Expression[], wanted: (rule: string) => boolean): Set<string> {
    const rules = new Set<string>()
    const waiting = new Set<Procedure>()
    const add = ({ origins, calls }: Beginning, outer: readonly Expression[]): void => {
      for (const origin of origins) {
        const places = placesOf(origin)
        const inner = places.findIndex((place, i) => place !== outer[i])
        for (const place of inner === -1 ? [] : places.slice(inner)) {
          if (place.kind === 'reference' && wanted(place.name)) rules.add(place.name)
        }
      }
      for (const procedure of calls) if (wanted(procedure.rule)) waiting.add(procedure)
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

/** The references whose inlined rules contain an origin, the outermost first, and the origin's own expression. */
function placesOf(origin: Origin | undefined): Expression[] {
  const places: Expression[] = []
  for (let next = origin; next; next = next.within) places.push(next.expression)
  return places.reverse()
}
