// The passes, in their order.

import { type Procedure, proceduresFrom } from '../pattern/pattern.ts'
import { factor } from './factor.ts'
import { inline } from './inline.ts'
import { joinLeaves } from './leaves.ts'
import { joinLiterals } from './literals.ts'
import { joinLoops } from './loops.ts'
import { joinNames } from './names.ts'
import type { Pass } from './pass.ts'
import { skipToCandidates } from './search.ts'
import { joinSets } from './sets.ts'
import { joinSpans } from './spans.ts'

/** What a pass did, for reports. */
export interface PassNote {
  /** Name of the pass. */
  readonly pass: string
  readonly rule: string
  readonly text: string
}

const PASSES: readonly (readonly [name: string, pass: Pass])[] = [
  // Small rules first, so that what they hold can be joined with what stands around them.
  ['inline', inline],
  ['literals', joinLiterals],
  ['leaves', joinLeaves],
  ['sets', joinSets],
  ['spans', joinSpans],
  ['names', joinNames],
  ['loops', joinLoops],
  // Again: a set or span may have become the only thing in its node.
  ['leaves', joinLeaves],
  ['sets', joinSets],
  ['search', skipToCandidates],
  ['factor', factor],
]

/** Runs all passes on what the entry can reach. */
export function runPasses(entry: Procedure): PassNote[] {
  const notes: PassNote[] = []
  for (const [name, pass] of PASSES) {
    pass(proceduresFrom(entry), (rule, text) => {
      notes.push({ pass: name, rule, text })
    })
  }
  return notes
}
