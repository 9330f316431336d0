// Options of a benchmark's command line.

import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Wrong use of the command line: reported without a stack, exit code 2. */
export class UsageError extends Error {}

type OptionTypes = NonNullable<ParseArgsConfig['options']>

/** The options given, by name. Throws a `UsageError` for an unknown one. */
export function parseOptions<Options extends OptionTypes>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('ERR_PARSE_ARGS')) throw new UsageError(message)
    throw error
  }
}

/** A number of at least `least`; `fallback` when the option is not given. */
export function parseNumber(name: string, text: string | undefined, fallback: number, least: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (text?.trim() !== '' && Number.isFinite(value) && value >= least) return value
  throw new UsageError(`--${name} must be a number of at least ${least}, not '${text}'`)
}

/** A whole number from 1; `fallback` when the option is not given. */
export function parseCount(name: string, text: string | undefined, fallback: number): number {
  const value = parseNumber(name, text, fallback, 1)
  if (Number.isInteger(value)) return value
  throw new UsageError(`--${name} must be a whole number, not ${value}`)
}
