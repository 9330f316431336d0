// Rules that are called and match nothing: they may call each other twice, and those others, and so on. That grows with the grammar as powers of
// two do, and reads nothing, so that no limit would be met.

import { DependentFacts } from '../facts/dependent-facts.ts'
import { callsIn, type Procedure } from '../pattern/pattern.ts'
import type { Analysis } from './analysis.ts'

/** Calls within one that matches nothing, from which on it is worth to be counted. */
const MANY = 64

/** The procedures that may match nothing by very many calls of others. */
export function findIdlers(procedures: readonly Procedure[], analysis: Analysis): Set<Procedure> {
  const calls: DependentFacts<Procedure, number> = new DependentFacts((procedure) => {
    if (!analysis.isNullable(procedure.body)) return 0
    return callsIn(procedure.body).reduce(
      (sum, callee) => Math.min(sum + calls.get(callee), Number.MAX_SAFE_INTEGER),
      1,
    )
  }, 0)
  return new Set(procedures.filter((procedure) => calls.get(procedure) > MANY))
}
