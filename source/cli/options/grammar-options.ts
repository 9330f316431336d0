// Options of the commands that read a grammar.

import { InvalidArgumentError } from 'commander'
import type { Dialect } from '../../grammar/syntax/syntax.ts'
import { GIVEN_KINDS, type GivenKind } from '../../grammar/values/text-kinds.ts'
import { kindOf } from '../../record/kinds.ts'
import { listWords } from '../terminal/word-list.ts'
import type { ArgumentEntry, OptionEntry } from './option.ts'
import { INPUT, oneOf } from './option-values.ts'

/** Options of all commands that read a grammar. */
export interface GrammarFileOptions {
  dialect: Dialect
}

/** What a grammar can be. */
export const GRAMMAR_SOURCE = `@name (see "xylem grammar --list") or ${INPUT}`
export const GRAMMAR: ArgumentEntry = ['<grammar>', `the grammar: ${GRAMMAR_SOURCE}`]
export const DIALECT: OptionEntry = [
  '--dialect <name>',
  'precedence of sequence and choice in a file: as in bnf-parser or in xylem',
  { parse: oneOf('bnf-parser', 'xylem'), default: 'bnf-parser' },
]

/** Names separated by commas. */
export function parseNames(text: string, previous: readonly string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.some((name) => name === ''))
    throw new InvalidArgumentError('It must be a list of rule names separated by commas.')
  return [...previous, ...names]
}

export const AS: OptionEntry = [
  '--as <name=kind>',
  `what the text of a rule or field is: ${listWords(GIVEN_KINDS)}; repeatable`,
  parseKind,
]

/** What the text of a rule or of a field is: `size=integer`. */
function parseKind(text: string, previous: readonly [string, GivenKind][] = []): [string, GivenKind][] {
  const [, name, kind] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(text) ?? []
  if (name === undefined || kind === undefined || !isOfTexts(kind)) {
    throw new InvalidArgumentError(`It must be name=kind, with one of the kinds ${GIVEN_KINDS.join(', ')}.`)
  }
  return [...previous, [name, kind as GivenKind]]
}

function isOfTexts(kind: string): boolean {
  try {
    return kindOf(kind).of === 'texts'
  } catch {
    return false
  }
}
