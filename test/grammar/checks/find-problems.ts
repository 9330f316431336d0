// The problems of one kind in a grammar that can be read.

import { expect } from 'vitest'
import { check } from '../../../source/grammar/checks/index.ts'
import type { Problem, ProblemCode } from '../../../source/grammar/syntax/errors.ts'
import { type Dialect, parseGrammar } from '../../../source/grammar/syntax/syntax.ts'

/** In the order of the text. `none`: as if no dialect is given. */
export function findProblems(code: ProblemCode, text: string, dialect: Dialect | 'none' = 'xylem'): Problem[] {
  const given = dialect === 'none' ? undefined : dialect
  const grammar = parseGrammar(text, given ?? 'xylem')
  expect(grammar.found.problems).toEqual([])
  check(grammar, given)
  return grammar.found.problems.filter((problem) => problem.code === code)
}

/** The pieces of the text that the problems are about. */
export function findPlaces(code: ProblemCode, text: string, dialect: Dialect = 'xylem'): string[] {
  return findProblems(code, text, dialect).map(({ start, end }) => text.slice(start, end))
}
