// Grammars of commands: files, and those that come along, by their names.

import { Grammar, GrammarError } from '../../grammar/index.ts'
import { formatProblem } from '../../grammar/syntax/errors.ts'
import { findNearest } from '../../stream/nearest.ts'
import { InputError, UsageError } from '../errors/errors.ts'
import type { TypesOptions } from '../options/grammar-options.ts'
import { tellText } from '../terminal/terminal.ts'
import { readSmallText } from './read-inputs.ts'

/** What the name of a grammar that comes along begins with. A file whose name begins with it is `./@…`. */
const MARK = '@'

/**
 * Reads a grammar. Errors in a file are `InputError`s that name it; a name that there is not is a `UsageError`. Warns of a file whose dialect is not given,
 * if the other one reads it otherwise.
 */
export async function loadGrammar(
  path: string,
  { dialect, warnings }: Pick<TypesOptions, 'dialect'> & { readonly warnings?: boolean },
  signal: AbortSignal,
): Promise<Grammar> {
  if (path.startsWith(MARK)) return Grammar.from(await findKnownText(path.slice(MARK.length)), { dialect: 'xylem' })
  const { name, text } = await readSmallText(path, signal)
  try {
    const grammar = Grammar.from(text, { dialect })
    const warning = grammar.earlyWarnings.find(({ code }) => code === 'mixed-operators')
    if (warning && dialect === undefined && warnings !== false)
      tellText(`xylem: warning: ${name}: ${formatProblem(warning)}\n`)
    return grammar
  } catch (error) {
    throw error instanceof GrammarError ? new InputError(name, error) : error
  }
}

/** A line for each of the grammars that come along: what it is called, and what it is for. */
export async function listGrammars(): Promise<string> {
  const { KNOWN_GRAMMARS, summarize } = await import('../../grammars/known-grammars.ts')
  const width = Math.max(...[...KNOWN_GRAMMARS.keys()].map(({ length }) => length))
  return [...KNOWN_GRAMMARS].map(([name, text]) => `${MARK}${name.padEnd(width)}  ${summarize(text)}\n`).join('')
}

async function findKnownText(name: string): Promise<string> {
  const { KNOWN_GRAMMARS } = await import('../../grammars/known-grammars.ts')
  const text = KNOWN_GRAMMARS.get(name)
  if (text !== undefined) return text
  const names = [...KNOWN_GRAMMARS.keys()]
  const nearest = findNearest(name, names)
  const advice = nearest === undefined ? '.' : `; did you mean ${MARK}${nearest}?`
  const list = names.map((known) => MARK + known).join(', ')
  throw new UsageError(
    `there is no grammar ${MARK}${name}${advice} The grammars are ${list}; write ./${MARK}${name} for a file`,
  )
}
