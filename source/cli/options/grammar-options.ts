// Options of the commands that read a grammar.

import { InvalidArgumentError } from 'commander'
import { GIVEN_KINDS, type GivenKind } from '../../grammar/values/text-kinds.ts'
import { kindOf } from '../../record/kinds.ts'
import { listWords } from '../terminal/word-list.ts'
import { FORMAT, formatOptions } from './format-options.ts'
import { PARSE_LIMITS } from './limit-options.ts'
import {
  ALLOW_EMPTY,
  type ArgumentEntry,
  jobs,
  NO_WARNINGS,
  type OptionEntry,
  type OptionValues,
  OUTPUT,
  QUIET,
} from './option.ts'
import { INPUT, oneOf, parseCount, parseList, requireValues } from './option-values.ts'

/** What a grammar can be. */
export const GRAMMAR_SOURCE = `@name (see "xylem grammar --list") or ${INPUT}`
export const GRAMMAR: ArgumentEntry = ['<grammar>', `the grammar: ${GRAMMAR_SOURCE}`]
export const DIALECT = [
  '--dialect <name>',
  'how a file is read: xylem (the default, sequence before choice) or bnf-parser (from left to right)',
  oneOf('xylem', 'bnf-parser'),
] as const satisfies OptionEntry

/** Names separated by commas. */
export function parseNames(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...requireValues(text.split(','), 'rule names')]
}

const AS = [
  '--as <name=kind>',
  `what the text of a rule or field is: ${listWords(GIVEN_KINDS)}; repeatable`,
  parseKind,
] as const satisfies OptionEntry

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

export type ParseOptions = OptionValues<typeof PARSE_OPTIONS>
export type TypesOptions = OptionValues<typeof TYPES_OPTIONS>

export const PARSE_OPTIONS = [
  ['-g, --grammar <file>', `the grammar (required): ${GRAMMAR_SOURCE}`, { isRequired: true }],
  ['--entry <rule>', 'the rule to start with (default: "program", or the first rule)'],
  ['--emit <rules>', 'print what these rules or paths give, separated by commas (default: see below)', parseNames],
  ['--values', 'print values also where the grammar has no fields'],
  ['--tree', 'print nodes of the tree also where the grammar has fields'],
  ['--fields <names>', 'of records, print only these fields in this order, separated by commas', parseList],
  AS,
  ['--positions', 'add start and end to records: offsets in bytes'],
  ['--header', 'of rows with cells, such as those of @csv, take the first as the names of the others'],
  ['--lenient', 'print null for a text that is not of its kind; otherwise it is an error'],
  [
    '--nested <which>',
    'of matches inside each other, print the outermost or innermost',
    { parse: oneOf('outermost', 'innermost'), default: 'outermost' },
  ],
  ['--check', 'print nothing; check whether the input matches (exit code 0 or 1)'],
  [
    '--on-error <how>',
    'at an error in a repetition of a rule with "~>": stop (the default), or skip to the next round',
    oneOf('stop', 'skip'),
  ],
  ['--partial', 'allow more input after what the entry rule matches'],
  FORMAT,
  ...formatOptions(),
  ...formatOptions('file'),
  ['--limit <n>', 'stop after N values or nodes', parseCount],
  ...Object.values(PARSE_LIMITS),
  DIALECT,
  jobs(),
  OUTPUT,
  ALLOW_EMPTY,
  NO_WARNINGS,
  QUIET,
] as const satisfies readonly OptionEntry[]

export const TYPES_OPTIONS = [
  ['--schema', 'write the JSON Schema of the values'],
  ['--entry <rule>', 'the rule whose values the schema is of (default: "program", or the first rule)'],
  AS,
  ['--type', 'say the rule of each record in a field type'],
  ['--positions', 'add start and end to records: offsets in bytes'],
  ['--lenient', 'a text that is not of its kind gives null'],
  OUTPUT,
  ['--check', 'write nothing; check whether the output is up to date (exit code 0 or 1)'],
  ['--watch', 'write the output again whenever the grammar changes, until interrupted'],
  DIALECT,
] as const satisfies readonly OptionEntry[]
