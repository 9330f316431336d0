// Which choices and repetitions will hold back input when it is streamed: where the machine may have to go back behind something that
// can be of any length.

import type { RewindPoint } from './assemble.ts'
import { makeProblem, type Problem } from './errors.ts'
import type { Grammar } from './grammar.ts'
import { childrenOf, isTerminal, type Pattern, type Procedure } from './pattern.ts'

/** Warnings about a grammar's text, for parses that begin with `program`; none where there is no such rule. */
export function findHeldInput(text: string, grammar: Grammar): Problem[] {
  if (!grammar.rules.some(({ name }) => name === 'program')) return []
  const { rewindPoints } = grammar.compile({
    entry: 'program',
    parts: new Set(),
    nested: 'outermost',
    isPartial: false,
  })
  const told = new Set<number>()
  return rewindPoints.flatMap((point) => {
    const { at } = point
    if (!at || told.has(at.start) || !isUnbounded(point.tried, new Set())) return []
    told.add(at.start)
    return describe(text, point, at)
  })
}

function describe(text: string, { rule }: RewindPoint, at: { start: number; end: number }): Problem {
  return makeProblem(text, {
    code: 'held-input',
    severity: 'warning',
    message: `in ${rule}, input is held back here: the first four bytes do not tell whether to go on or to do something else`,
    suggestion: 'let what can come next begin with other bytes, or put a cut (^) behind what makes it certain',
    at,
  })
}

/** Whether a pattern holds a repetition of more than characters, or a recursion. */
function isUnbounded(pattern: Pattern, within: ReadonlySet<Procedure>): boolean {
  if (pattern.kind === 'repeat') return pattern.max === Number.POSITIVE_INFINITY && !isTerminal(pattern.operand)
  if (pattern.kind === 'look') return false
  if (pattern.kind !== 'call') return childrenOf(pattern).some((child) => isUnbounded(child, within))
  const { procedure } = pattern
  return within.has(procedure) || isUnbounded(procedure.body, new Set([...within, procedure]))
}
