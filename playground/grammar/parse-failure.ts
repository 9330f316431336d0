// What is told of an input that gives no tree.

import { LimitError, ParseError } from 'xylem/grammar'
import { BytePositions } from './byte-positions.ts'
import type { ParseFailure } from './protocol.ts'

/** Rules of a chain that are shown: those of a deep input would be thousands. */
const MOST_RULES = 12

export function describeParseFailure(error: unknown, input: string): ParseFailure {
  const nowhere = {
    index: undefined,
    line: undefined,
    column: undefined,
    byteOffset: undefined,
    excerpt: undefined,
    expected: [],
    rules: [],
    rulesAround: 0,
  }
  if (error instanceof ParseError) {
    const { message, line, column, byteOffset, excerpt, expected = [], rules = [] } = error
    return {
      kind: 'input',
      // The page says where it is in its own way.
      message: message.replace(/ \((?:line \d+, column \d+, )?byte \d+\)$/, ''),
      index: new BytePositions(input).indexOf(byteOffset),
      line,
      column,
      byteOffset,
      excerpt,
      expected,
      rules: rules.slice(-MOST_RULES),
      rulesAround: Math.max(0, rules.length - MOST_RULES),
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { kind: error instanceof LimitError ? 'limit' : 'other', message, ...nowhere }
}
