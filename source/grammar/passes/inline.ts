// Rules that are small, or are called in one place only, are put in the place of their calls.

import type { Expectation } from '../../machine/program.ts'
import { Analysis } from '../analysis.ts'
import {
  type CallPattern,
  contains,
  isTerminal,
  itemsOf,
  mapChildren,
  type Pattern,
  type Procedure,
  sequence,
  sizeOf,
} from '../pattern.ts'
import type { Pass } from './index.ts'

/** Patterns that a rule may be made of to be inlined in several places: about as much code as what a call costs is worth. */
const SMALL = 24
/** Patterns that a rule may be made of that is called in one place. */
const LARGE = 400

export const inline: Pass = (procedures, tell) => {
  const [entry] = procedures
  const analysis = new Analysis()
  let left = procedures.filter((procedure) => procedure !== entry && canInline(procedure))
  // Those first that call no others of them, so that a rule is measured with what it holds. Each step has one less: it ends.
  for (let next = findNext(left, procedures); next; next = findNext(left, procedures)) {
    const inlined = next
    left = left.filter((procedure) => procedure !== inlined)
    for (const caller of procedures) {
      if (caller === inlined || !callsOf(caller.body, inlined)) continue
      tell(caller.rule, `${inlined.rule} is inlined`)
      caller.body = replaceCalls(caller.body, inlined, analysis)
    }
  }
}

/** The next procedure that is worth inlining. One that calls itself is none. */
function findNext(left: readonly Procedure[], procedures: readonly Procedure[]): Procedure | undefined {
  const worth = left.filter((procedure) => {
    const size = sizeOf(procedure.body)
    if (size > LARGE || callsOf(procedure.body, procedure) > 0) return false
    return size <= SMALL || procedures.reduce((calls, { body }) => calls + callsOf(body, procedure), 0) === 1
  })
  const callsOthers = ({ body }: Procedure) => worth.some((other) => callsOf(body, other) > 0)
  return worth.find((procedure) => !callsOthers(procedure)) ?? worth[0]
}

/** A part needs a frame of its own, and a cut is bounded by the call. */
function canInline({ mode, body }: Procedure): boolean {
  return mode !== 'part' && !contains(body, ({ kind }) => kind === 'cut')
}

function callsOf(pattern: Pattern, procedure: Procedure): number {
  let calls = 0
  contains(pattern, (inner) => {
    if (inner.kind === 'call' && inner.procedure === procedure) calls++
    return false
  })
  return calls
}

function replaceCalls(pattern: Pattern, procedure: Procedure, analysis: Analysis): Pattern {
  if (pattern.kind === 'call') return pattern.procedure === procedure ? place(pattern, analysis) : pattern
  return mapChildren(pattern, (child) => replaceCalls(child, procedure, analysis))
}

/** What stands in the place of a call. */
function place({ procedure, path, begins }: CallPattern, analysis: Analysis): Pattern {
  const marks = { path: [...path, procedure.rule], begins: [...begins, procedure.rule] }
  const body = itemsOf(mark(procedure.body, marks, analysis, true))
  if (procedure.mode !== 'tree') return sequence(body)
  return sequence([{ kind: 'open' }, ...body, { kind: 'close', type: procedure.rule }])
}

/** The rules that an inlined body is in, and those that begin with it. */
interface Marks {
  readonly path: readonly string[]
  readonly begins: readonly string[]
}

/** Notes in a body which rules it belongs to, and where it can begin also which rules begin there. */
function mark(pattern: Pattern, marks: Marks, analysis: Analysis, isHead: boolean): Pattern {
  const begins = isHead ? marks.begins : []
  if (isTerminal(pattern)) {
    const expects = pattern.expects.map((expectation): Expectation => {
      return { ...expectation, rules: [...begins, ...expectation.rules] }
    })
    return { ...pattern, path: [...marks.path, ...pattern.path], expects }
  }
  if (pattern.kind === 'throw') return { ...pattern, path: [...marks.path, ...pattern.path] }
  if (pattern.kind === 'call') {
    return { ...pattern, path: [...marks.path, ...pattern.path], begins: [...begins, ...pattern.begins] }
  }
  if (pattern.kind !== 'sequence') {
    const marked = mapChildren(pattern, (child) => mark(child, marks, analysis, isHead))
    return marked.kind === 'choice' ? { ...marked, path: [...marks.path, ...(marked.path ?? [])] } : marked
  }
  let isAtHead = isHead
  return sequence(
    pattern.items.map((item) => {
      const marked = mark(item, marks, analysis, isAtHead)
      isAtHead &&= analysis.isNullable(item)
      return marked
    }),
  )
}
