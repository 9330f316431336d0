// Which choices and repetitions parse something nested again: where what is tried begins with a rule, and what is tried when that fails begins with
// it too. Where that rule can contain the choice, the time is multiplied by each level of nesting.

import { Analysis } from './analysis.ts'
import type { RewindPoint } from './assemble.ts'
import { findComponents } from './components.ts'
import type { ProblemDetails } from './errors.ts'
import { type Expression, type Rule, walk } from './expression.ts'
import type { Grammar } from './grammar.ts'
import { childrenOf, itemsOf, type Origin, type Pattern, type Procedure, proceduresFrom } from './pattern.ts'

/** Rules that are called to find what something begins with: no grammar has more levels of operators. */
const MOST_CALLED = 200

/** What records nodes, and matches nothing. */
const RECORDS: ReadonlySet<Pattern['kind']> = new Set(['open', 'close', 'leaf'])

/** What comes after a pattern in its procedure. */
interface After {
  readonly pattern: Pattern
  readonly next: After | undefined
}

/** Warnings about a grammar's text, for parses that begin with `program`; none where there is no such rule. */
export function findRepeatedBeginnings(grammar: Grammar): ProblemDetails[] {
  if (!grammar.rules.some(({ name }) => name === 'program')) return []
  // Where trees are wanted, more is parsed again than where nothing is recorded: what is the same may be recorded as something else.
  const { rewindPoints, entry } = grammar.compile({
    entry: 'program',
    parts: new Set(['program']),
    nested: 'outermost',
    isPartial: false,
  })
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

/** Rules that can contain themselves, each with a number that it shares with those that it can contain and that can contain it. */
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

function* namesIn(members: readonly Expression[]): Generator<string, void, undefined> {
  for (const expression of walk(members)) if (expression.kind === 'reference') yield expression.name
}

/** What patterns begin with, of all procedures of a program. */
class Beginnings {
  readonly #analysis = new Analysis()
  readonly #ofProcedures = new Map<Procedure, Beginning>()
  readonly #after = new Map<Pattern, After | undefined>()

  constructor(procedures: readonly Procedure[]) {
    for (const { body } of procedures) this.#note(body, undefined)
  }

  /** The first of the rules that are `wanted` with which a pattern that is tried begins, and what is tried next begins as well. */
  findShared({ tried, others, origin }: RewindPoint, wanted: (rule: string) => boolean): string | undefined {
    const around = placesOf(origin)
    const first = new Beginning()
    this.#add(tried, first, true)
    const rules = this.#rulesOf(first, around, wanted)
    if (rules.size === 0) return undefined
    const second = new Beginning()
    for (const other of others) {
      let after = this.#add(other, second, false) ? this.#after.get(tried) : undefined
      while (after && this.#add(after.pattern, second, false)) after = after.next
    }
    const shared = this.#rulesOf(second, around, wanted)
    return [...rules].find((rule) => shared.has(rule))
  }

  /** Notes what comes after options and after repetitions. What comes after a round that fails is what comes after the repetition. */
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

  /** Adds what a pattern begins with. Returns whether it can match nothing: what comes after it then counts as well. */
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
      // What a cut follows is not parsed again when it has matched.
      const next = items.find((other, j) => j > i && !RECORDS.has(other.kind))
      if (isTried && next?.kind === 'cut') return this.#analysis.isNullable(item)
      return this.#add(item, to, isTried)
    })
  }

  /** The rules that begin where something begins, from the outermost on; not those that are open `around` it. */
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
  /** Where its first terminals and calls come from. */
  readonly origins = new Set<Origin>()
  readonly calls = new Set<Procedure>()
}

/** The references in whose place the rules stand that an origin is in, from the outermost in, and a reference itself. */
function placesOf(origin: Origin | undefined): Expression[] {
  const places: Expression[] = []
  for (let next = origin; next; next = next.within) places.push(next.expression)
  return places.reverse()
}
