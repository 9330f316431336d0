// What is checked of a grammar that could be read, and of what it is compiled to, in this order.

import type { Compilable } from '../assembly/compile.ts'
import type { ProblemDetails } from '../syntax/errors.ts'
import type { Dialect, GrammarText } from '../syntax/syntax.ts'
import type { Check, RewindCheck } from './check.ts'
import { findConsumedParts } from './consumed-part.ts'
import { findEmptyLookAheads } from './empty-look-ahead.ts'
import { findEmptyRepetitions } from './empty-repetition.ts'
import { findHeldInput } from './held-input.ts'
import { findLeftRecursion } from './left-recursion.ts'
import { findMisplacedFields } from './misplaced-field.ts'
import { findMixedOperators } from './mixed-operators.ts'
import { findRepeatedBeginnings } from './repeated-beginning.ts'
import { findAmbiguousNames, findDuplicateRules, findUnknownRules, findUnreachableRules } from './rule-names.ts'
import { findUnreachableOptions } from './unreachable-option.ts'

const CHECKS: readonly Check[] = [
  findUnknownRules,
  findDuplicateRules,
  findLeftRecursion,
  findEmptyRepetitions,
  findUnreachableOptions,
  findEmptyLookAheads,
  findMixedOperators,
  findUnreachableRules,
  findAmbiguousNames,
  findMisplacedFields,
]

/** Whether the grammar is compiled for trees, and whether what begins at one place of the text is warned about once. */
const REWIND_CHECKS: readonly (readonly [check: RewindCheck, isOfTrees: boolean, isOncePerStart: boolean])[] = [
  [findHeldInput, false, true],
  // The program for trees parses more again than one that records nothing: options that match alike may record different nodes.
  [findRepeatedBeginnings, true, false],
]

/** Adds all problems to those of the text. */
export function check({ rules, source, found }: GrammarText, dialect: Dialect | undefined): void {
  for (const find of CHECKS) find({ rules, source, dialect }, (problem) => found.report(problem))
}

/** Warnings about what the grammar is compiled to: parts that never match, and places where the machine may have to go back. */
export function findProgramWarnings(grammar: Compilable): ProblemDetails[] {
  const { rules, entry: name } = grammar
  const consumed = findConsumedParts(grammar.compile({ entry: name, parts: new Set() }).entry)
  const rewound = REWIND_CHECKS.flatMap(([check, isOfTrees, isOncePerStart]) => {
    const { rewindPoints, entry } = grammar.compile({ entry: name, parts: new Set(isOfTrees ? [name] : []) })
    const find = check(entry, rules)
    const found = new Map<string, ProblemDetails>()
    for (const point of rewindPoints) {
      const { at } = point
      const key = `${at?.start} ${isOncePerStart || at?.end}`
      const problem = at && !found.has(key) ? find(point, at) : undefined
      if (at && problem) found.set(key, { ...problem, severity: 'warning', at })
    }
    return [...found.values()]
  })
  return [...consumed, ...rewound]
}
