// The grammars that come along, as tests use them.

import { Grammar } from '../../source/grammar/index.ts'
import { KNOWN_GRAMMARS } from '../../source/grammars/known-grammars.ts'
import { readFixture } from './fixtures.ts'

export const names = [...KNOWN_GRAMMARS.keys()]

const known = new Map<string, Grammar>()

export function grammarOf(name: string): Grammar {
  const grammar = known.get(name) ?? Grammar.from(KNOWN_GRAMMARS.get(name) as string, { dialect: 'xylem' })
  known.set(name, grammar)
  return grammar
}

/** A case of a suite that others wrote: its input, and what is known of it. */
export interface SuiteCase {
  readonly name: string
  readonly input: Buffer
  /** What an established reader made of it, where that was recorded. */
  readonly value: unknown
  /** What an established reader said that is wrong with it, where that was recorded. */
  readonly error: string | undefined
}

/** The cases of a suite in fixtures/formats/. */
export function readSuite(suite: string): SuiteCase[] {
  const cases = JSON.parse(Buffer.from(readFixture(`formats/${suite}.json`)).toString()) as {
    name?: string
    text?: string
    base64?: string
    value?: unknown
    error?: string
  }[]
  return cases.map(({ name, text, base64, value, error }, i) => ({
    name: name ?? `${i} ${text}`,
    input: base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64'),
    value,
    error,
  }))
}
