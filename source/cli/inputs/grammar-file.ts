// Grammars of commands, by the names of their files.

import { Grammar, GrammarError } from '../../grammar/index.ts'
import { InputError, UsageError } from '../errors/errors.ts'
import type { GrammarFileOptions } from '../options/grammar-options.ts'
import { readSmallInput } from './read-inputs.ts'

/** Reads a grammar. Faults are `InputError`s that name the file. */
export async function loadGrammar(
  path: string,
  { dialect }: GrammarFileOptions,
  signal: AbortSignal,
): Promise<Grammar> {
  const { name, bytes } = await readSmallInput(path, signal)
  try {
    return Grammar.from(new TextDecoder().decode(bytes), { dialect })
  } catch (error) {
    throw error instanceof GrammarError ? new InputError(name, error) : error
  }
}

/** Throws a `UsageError` that tells which rules there are, when one is asked for that is not. */
export function requireRules(grammar: Grammar, names: readonly string[]): void {
  const known = grammar.rules.map(({ name }) => name)
  const missing = names.find((name) => !known.includes(name))
  if (missing === undefined) return
  throw new UsageError(`the grammar has no rule ${missing}; it has ${known.join(', ')}`)
}
