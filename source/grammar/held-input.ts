// Which choices and repetitions will hold back input when it is streamed: where the machine may have to go back behind something that
// can be of any length.

import type { RewindPoint } from './assemble.ts'
import type { ProblemDetails } from './errors.ts'
import type { TextRange } from './expression.ts'
import type { Grammar } from './grammar.ts'
import { childrenOf, isTerminal, type Pattern, type Procedure } from './pattern.ts'

/**
 * Warnings about a grammar's text, for parses that begin with `program`; none where there is no such rule. They are about choices that a
 * parse comes to once: those in a repetition are over with the round they are in.
 */
export function findHeldInput(grammar: Grammar): ProblemDetails[] {
  if (!grammar.rules.some(({ name }) => name === 'program')) return []
  const { rewindPoints, entry } = grammar.compile({
    entry: 'program',
    parts: new Set(),
    nested: 'outermost',
    isPartial: false,
  })
  const once = findOnce(entry.body, new Set())
  const told = new Set<number>()
  return rewindPoints.flatMap((point) => {
    const { at } = point
    if (!at || told.has(at.start) || !once.has(at) || !isUnbounded(point.tried, new Set())) return []
    told.add(at.start)
    return describe(point, at, grammar)
  })
}

/** Where the choices and options are that stand in no repetition. */
function findOnce(pattern: Pattern, within: Set<Procedure>): Set<TextRange> {
  const found = new Set<TextRange>()
  const visit = (inner: Pattern): void => {
    if (inner.kind === 'repeat' && inner.max > 1) return
    if (inner.kind === 'call' && !within.has(inner.procedure)) {
      within.add(inner.procedure)
      visit(inner.procedure.body)
    }
    if ((inner.kind === 'repeat' || inner.kind === 'choice') && inner.at) found.add(inner.at)
    for (const child of childrenOf(inner)) visit(child)
  }
  visit(pattern)
  return found
}

function describe(point: RewindPoint, at: TextRange, grammar: Grammar): ProblemDetails {
  const written = grammar.rules.find((rule) => rule.at.start <= at.start && at.end <= rule.at.end)
  const rule = written?.name ?? point.rule
  return {
    code: 'held-input',
    severity: 'warning',
    message: `in ${rule}, input is held back here: the first four bytes do not decide how to continue`,
    suggestion: 'let the alternatives begin with different bytes, or put a cut (^) after the part that decides',
    at,
  }
}

/** Whether a pattern holds a repetition of more than characters, or a recursion. */
function isUnbounded(pattern: Pattern, within: ReadonlySet<Procedure>): boolean {
  if (pattern.kind === 'repeat') return pattern.max === Number.POSITIVE_INFINITY && !isTerminal(pattern.operand)
  if (pattern.kind === 'look') return false
  if (pattern.kind !== 'call') return childrenOf(pattern).some((child) => isUnbounded(child, within))
  const { procedure } = pattern
  return within.has(procedure) || isUnbounded(procedure.body, new Set([...within, procedure]))
}
