// Rules that are small, or are called in one place only, are put in the place of their calls.

import {
  type CallPattern,
  callsIn,
  contains,
  itemsOf,
  mapChildren,
  type Origin,
  type Pattern,
  type Procedure,
  sequence,
  sizeOf,
} from '../pattern/pattern.ts'
import type { Pass } from './pass.ts'

/** Patterns that a rule may be made of to be inlined in several places: about as much code as what a call costs is worth. */
const SMALL = 24
/** Patterns that a rule may be made of that is called in one place. */
const LARGE = 400
/** Rules that may stand in each other in the place of calls: each is one more step for whoever asks where a pattern comes from. */
const DEEPEST = 50

export const inline: Pass = (procedures, tell) => {
  new Inliner(procedures, tell).run()
}

/** How often procedures call others, or are called by others. */
type Counts = Map<Procedure, number>

/**
 * Goes over the procedures, those first that call no others of those that may be inlined: so that a rule is measured with what it holds, and
 * each is changed once.
 */
class Inliner {
  readonly #procedures: readonly Procedure[]
  readonly #tell: (rule: string, text: string) => void
  /** Those that may be inlined, and how many of them each calls that were not gone over yet. */
  readonly #open = new Map<Procedure, number>()
  readonly #ready: Procedure[] = []
  /** Those that are inlined, in the order in which that was found. */
  readonly #inlined = new Map<Procedure, number>()
  /** How many stand in each other in one. */
  readonly #depths = new Map<Procedure, number>()
  readonly #callees = new Map<Procedure, Counts>()
  readonly #callers = new Map<Procedure, Counts>()

  constructor(procedures: readonly Procedure[], tell: (rule: string, text: string) => void) {
    this.#procedures = procedures
    this.#tell = tell
    for (const procedure of procedures) {
      this.#callees.set(procedure, new Map())
      this.#callers.set(procedure, new Map())
    }
    for (const caller of procedures) for (const callee of callsIn(caller.body)) this.#count(caller, callee, 1)
    const [entry] = procedures
    for (const procedure of procedures) if (procedure !== entry && canInline(procedure)) this.#open.set(procedure, 0)
    for (const procedure of this.#open.keys()) {
      const callees = [...this.#calleesOf(procedure).keys()]
      const count = callees.filter((callee) => callee !== procedure && this.#open.has(callee)).length
      this.#open.set(procedure, count)
      if (count === 0) this.#ready.push(procedure)
    }
    this.#ready.reverse()
  }

  run(): void {
    for (let next = this.#ready.pop(); next; next = this.#ready.pop()) this.#goOver(next)
    // Those that call each other in a circle: the first of them opens it.
    for (const procedure of this.#procedures) {
      if (this.#open.has(procedure)) this.#goOver(procedure)
      for (let next = this.#ready.pop(); next; next = this.#ready.pop()) this.#goOver(next)
    }
    for (const procedure of this.#procedures) if (!this.#inlined.has(procedure)) this.#change(procedure)
  }

  #goOver(procedure: Procedure): void {
    this.#open.delete(procedure)
    this.#change(procedure)
    const callers = [...this.#callersOf(procedure)].filter(([caller]) => caller !== procedure)
    if (this.#isWorthwhile(procedure)) {
      this.#inlined.set(procedure, this.#inlined.size)
      for (const [caller, count] of callers) this.#inlineIn(caller, procedure, count)
    }
    for (const [caller] of callers) {
      const left = this.#open.get(caller)
      if (left === undefined) continue
      this.#open.set(caller, left - 1)
      if (left === 1) this.#ready.push(caller)
    }
  }

  /** Whether it is small, or called once; one that calls itself is not. */
  #isWorthwhile(procedure: Procedure): boolean {
    const size = sizeOf(procedure.body)
    if (size > LARGE || this.#depthOf(procedure) >= DEEPEST || this.#calleesOf(procedure).has(procedure)) return false
    if (size <= SMALL) return true
    let calls = 0
    for (const count of this.#callersOf(procedure).values()) calls += count
    return calls === 1
  }

  /** Counts what its caller calls instead. The body of that is changed when it is gone over. */
  #inlineIn(caller: Procedure, procedure: Procedure, count: number): void {
    this.#tell(caller.rule, `${procedure.rule} is inlined`)
    this.#depths.set(caller, Math.max(this.#depthOf(caller), this.#depthOf(procedure) + 1))
    for (const [callee, calls] of this.#calleesOf(procedure)) this.#count(caller, callee, count * calls)
    this.#calleesOf(caller).delete(procedure)
    this.#callersOf(procedure).delete(caller)
  }

  #count(caller: Procedure, callee: Procedure, calls: number): void {
    const callees = this.#calleesOf(caller)
    const callers = this.#callersOf(callee)
    callees.set(callee, (callees.get(callee) ?? 0) + calls)
    callers.set(caller, (callers.get(caller) ?? 0) + calls)
  }

  #depthOf(procedure: Procedure): number {
    return this.#depths.get(procedure) ?? 0
  }

  #calleesOf(procedure: Procedure): Counts {
    return this.#callees.get(procedure) as Counts
  }

  #callersOf(procedure: Procedure): Counts {
    return this.#callers.get(procedure) as Counts
  }

  #change(procedure: Procedure): void {
    procedure.body = this.#replaceCalls(procedure.body, -1)
  }

  /** Puts procedures in the place of their calls that were found later than so many others. */
  #replaceCalls(pattern: Pattern, later: number): Pattern {
    if (pattern.kind !== 'call') return mapChildren(pattern, (child) => this.#replaceCalls(child, later))
    const number = this.#inlined.get(pattern.procedure) ?? -1
    // What it calls itself was found before, or is found later.
    return number > later ? this.#replaceCalls(place(pattern), number) : pattern
  }
}

/** A part needs a frame of its own, a cut is bounded by the call, and rounds are those of one repetition. */
function canInline({ mode, body }: Procedure): boolean {
  return mode !== 'part' && !contains(body, ({ kind }) => kind === 'cut' || kind === 'rounds')
}

/** What stands in the place of a call. */
function place({ procedure, origins }: CallPattern): Pattern {
  const body = itemsOf(
    putInto(
      procedure.body,
      origins.map((reference) => new Placing(reference)),
    ),
  )
  if (procedure.mode !== 'tree') return sequence(body)
  return sequence([{ kind: 'open' }, ...body, { kind: 'close', type: procedure.rule }])
}

/** A copy of a pattern, which comes from where it did in a rule that stands in the place of references. */
function putInto(pattern: Pattern, placings: readonly Placing[]): Pattern {
  const changed = mapChildren(pattern, (child) => putInto(child, placings))
  const putAll = (origins: readonly Origin[]) => {
    return placings.flatMap((placing) => origins.map((origin) => placing.put(origin)))
  }
  if (changed.kind === 'name') {
    return { ...changed, origins: putAll(changed.origins), restOrigins: putAll(changed.restOrigins) }
  }
  if ('origins' in changed) return { ...changed, origins: putAll(changed.origins) }
  const [placing] = placings
  if (!placing || (changed.kind !== 'choice' && changed.kind !== 'repeat') || !changed.origin) return changed
  return { ...changed, origin: placing.put(changed.origin) }
}

/** Puts origins into a reference, each once: those of a rule that stands in the rule have it in common. */
class Placing {
  readonly #reference: Origin
  readonly #placed = new Map<Origin, Origin>()

  constructor(reference: Origin) {
    this.#reference = reference
  }

  put(origin: Origin): Origin {
    const known = this.#placed.get(origin)
    if (known) return known
    const placed = { ...origin, within: origin.within ? this.put(origin.within) : this.#reference }
    this.#placed.set(origin, placed)
    return placed
  }
}
