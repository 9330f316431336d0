// Small rules are put in the place of their calls.

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
  proceduresFrom,
  sequence,
  sizeOf,
} from '../pattern.ts'
import type { Pass } from './index.ts'

/** Patterns that a rule may be made of to be inlined: about as much code as what a call costs is worth. */
const LARGEST = 16

export const inline: Pass = (procedures, tell) => {
  const analysis = new Analysis()
  const small = new Set(procedures.filter(canInline))
  const done = new Set<Procedure>()
  const visit = (procedure: Procedure): void => {
    if (done.has(procedure)) return
    done.add(procedure)
    procedure.body = change(procedure.body, procedure)
  }
  const change = (pattern: Pattern, caller: Procedure): Pattern => {
    if (pattern.kind !== 'call') return mapChildren(pattern, (child) => change(child, caller))
    const { procedure } = pattern
    if (!small.has(procedure)) return pattern
    visit(procedure) // its own calls first
    if (sizeOf(procedure.body) > LARGEST) return pattern
    tell(caller.rule, `${procedure.rule} is inlined`)
    return place(pattern, analysis)
  }
  for (const procedure of procedures) visit(procedure)
}

/** A part needs a frame of its own, a cut is bounded by the call, and a recursion has no end. */
function canInline(procedure: Procedure): boolean {
  if (procedure.mode === 'part' || contains(procedure.body, ({ kind }) => kind === 'cut')) return false
  const isCallOfItself = (pattern: Pattern) => pattern.kind === 'call' && pattern.procedure === procedure
  return !proceduresFrom(procedure).some(({ body }) => contains(body, isCallOfItself))
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
