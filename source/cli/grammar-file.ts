// Grammars of commands, by the names of their files.

import { readFile } from 'node:fs/promises'
import { Grammar, GrammarError } from '../grammar/index.ts'
import { SourceError } from '../stream/errors.ts'
import { InputError, UsageError } from './errors.ts'
import type { GrammarFileOptions } from './grammar-options.ts'

/** Reads a grammar. Faults are `InputError`s that name the file. */
export async function loadGrammar(path: string, { dialect }: GrammarFileOptions): Promise<Grammar> {
  try {
    return Grammar.from(await readFile(path, 'utf8'), { dialect })
  } catch (error) {
    if (error instanceof GrammarError) throw new InputError(path, error)
    throw new InputError(path, new SourceError('source-failed', (error as Error).message, 0, error))
  }
}

/** Throws a `UsageError` that tells which rules there are, when one is asked for that is not. */
export function requireRules(grammar: Grammar, names: readonly string[]): void {
  const known = grammar.rules.map(({ name }) => name)
  const missing = names.find((name) => !known.includes(name))
  if (missing === undefined) return
  throw new UsageError(`the grammar has no rule ${missing}; it has ${known.join(', ')}`)
}
