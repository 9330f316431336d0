// Options of the commands that read a grammar.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Dialect } from '../../grammar/syntax.ts'

/** Options of all commands that read a grammar. */
export interface GrammarFileOptions {
  dialect: Dialect
}

/** Adds the option for the dialect. */
export function addDialectOption(command: Command): Command {
  const option = new Option('--dialect <name>', 'precedence of sequence and choice').choices(['bnf-parser', 'xylem'])
  return command.addOption(option.default('bnf-parser'))
}

/** Names separated by commas. */
export function parseNames(text: string, previous: readonly string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.some((name) => name === ''))
    throw new InvalidArgumentError('It must be a list of rule names separated by commas.')
  return [...previous, ...names]
}
