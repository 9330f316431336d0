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
const SMALL = 16
/** Patterns that a rule may be made of that is called in one place. */
const LARGE = 400

export const inline: Pass = (procedures, tell) => {
  const [entry] = procedures
  const analysis = new Analysis()
  let left = procedures.filter((procedure) => procedure !== entry && canInline(procedure))
  // The smallest first, so that what is larger is measured with what it holds. Each step has one procedure less: it ends.
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

/** The smallest procedure that is worth inlining. One that calls itself is none. */
function findNext(left: readonly Procedure[], procedures: readonly Procedure[]): Procedure | undefined {
  let smallest: Procedure | undefined
  for (const procedure of left) {
    if (callsOf(procedure.body, procedure) > 0) continue
    const size = sizeOf(procedure.body)
    if (size > LARGE || (smallest && size >= sizeOf(smallest.body))) continue
    if (size > SMALL && procedures.reduce((calls, { body }) => calls + callsOf(body, procedure), 0) > 1) continue
    smallest = procedure
  }
  return smallest
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
function place({ procedure, path }: CallPattern, analysis: Analysis): Pattern {
  const within = [...path, procedure.rule]
  const body = itemsOf(markHead(procedure.body, within, procedure.rule, analysis, true))
  if (procedure.mode !== 'tree') return sequence(body)
  return sequence([{ kind: 'open' }, ...body, { kind: 'close', type: procedure.rule }])
}

/** Notes in terminals that they belong to the rule, and in those that it can begin with that they stand for it. */
function markHead(
  pattern: Pattern,
  within: readonly string[],
  rule: string,
  analysis: Analysis,
  isHead: boolean,
): Pattern {
  if (isTerminal(pattern)) {
    const mark = ({ text, rules }: Expectation): Expectation => ({ text, rules: [rule, ...rules] })
    return { ...pattern, path: [...within, ...pattern.path], expects: isHead ? pattern.expects.map(mark) : pattern.expects }
  }
  if (pattern.kind === 'call' || pattern.kind === 'throw') return { ...pattern, path: [...within, ...pattern.path] }
  if (pattern.kind !== 'sequence') {
    return mapChildren(pattern, (child) => markHead(child, within, rule, analysis, isHead))
  }
  let isAtHead = isHead
  return sequence(
    pattern.items.map((item) => {
      const marked = markHead(item, within, rule, analysis, isAtHead)
      isAtHead &&= analysis.isNullable(item)
      return marked
    }),
  )
}
