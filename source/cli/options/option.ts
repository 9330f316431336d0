// Options and arguments as data, and the options that several commands have.

import { availableParallelism } from 'node:os'
import { type Command, Option } from 'commander'
import { parseName, parsePositive, type WordParser } from './option-values.ts'

/**
 * Reads the value of an option; `before` is what was read of an earlier one. Throws an `InvalidArgumentError` with what the value must be.
 * This is the type of a method, so that each function may say what `before` is.
 */
type ReadValue = { read(text: string, before?: unknown): unknown }['read']

interface OptionDetails {
  readonly parse?: ReadValue
  readonly default?: unknown
  readonly isRequired?: true
}

/** An option, and how its value is read if it is not the text itself. The value has the name of the long flag, in camel case. */
export type OptionEntry = readonly [flags: string, description: string, details?: ReadValue | OptionDetails]

/** The name of a value: that of the long flag, in camel case. Nothing is known of flags that are no literal. */
type NameOf<Flags> = Flags extends `-${string}, ${infer Long}`
  ? NameOf<Long>
  : Flags extends `--no-${infer Long}` | `${infer Long} <${string}>`
    ? NameOf<Long extends `--${string}` ? Long : `--${Long}`>
    : Flags extends `--${infer Long}`
      ? Camel<Long>
      : never
type Camel<Name extends string> = Name extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name
type Parsed<Details> = Details extends { readonly parse: infer Parse }
  ? Parsed<Parse>
  : Details extends (...given: never[]) => infer Value
    ? Value
    : string
type ValueOf<Entry> = Entry extends readonly [unknown, unknown, infer Details]
  ? Parsed<Details>
  : Entry extends readonly [`--no-${string}`, unknown]
    ? boolean
    : Entry extends readonly [`${string}>`, unknown]
      ? string
      : true
/** An option that has a value always. */
type Always =
  | readonly [`--no-${string}`, string]
  | readonly [string, string, { readonly default: unknown } | { readonly isRequired: true }]

/** What the values of options are, by their names. */
export type OptionValues<Entries extends readonly OptionEntry[]> = {
  -readonly [Entry in Extract<Entries[number], Always> as NameOf<Entry[0]>]: ValueOf<Entry>
} & {
  -readonly [Entry in Exclude<Entries[number], Always> as NameOf<Entry[0]>]?: ValueOf<Entry>
}

/** An argument: `<name>`, `<name...>` where there may be several, `[name...]` where there may also be none; and how it is read if it is one of some words. */
export type ArgumentEntry = readonly [name: string, description: string, parse?: WordParser]

/** What flags such as `-g, --grammar <file>` say; `value` is undefined where none follows. */
export interface Flags {
  readonly short: string | undefined
  readonly long: string
  readonly value: string | undefined
}

export function readFlags(flags: string): Flags {
  const [, short, long = flags, value] = /^(?:(-\w), )?(--[\w-]+)(?: <(.+)>)?$/.exec(flags) ?? []
  return { short, long, value }
}

/** The name of the value of an option. */
export function nameOfValue({ long }: Flags): string {
  return long.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The words that are all that a value may be; empty where it may be others. */
export function wordsOf(parse: ReadValue | OptionDetails | undefined): readonly string[] {
  if (parse === undefined) return []
  if (typeof parse === 'function') return 'words' in parse ? (parse as WordParser).words : []
  return wordsOf(parse.parse)
}

/** Threads, unless said otherwise: more than these one reader of the file cannot keep busy. */
const MOST_JOBS = 4

/** How many threads a command uses. */
export function jobs(use = 'use N threads to decompress bzip2', threads = Math.min(MOST_JOBS, availableParallelism())) {
  return ['--jobs <n>', use, { parse: parsePositive, default: threads }] as const satisfies OptionEntry
}

// Several commands write to a file, and show how far they are.
export const OUTPUT = [
  '-o, --output <file>',
  'write to a file instead of standard output',
  parseName,
] as const satisfies OptionEntry
export const QUIET = ['--quiet', 'do not show progress'] as const satisfies OptionEntry

// What is not found is said at the end.
export const ALLOW_EMPTY = [
  '--allow-empty',
  'exit with 0 also if nothing, or not everything, was found',
] as const satisfies OptionEntry
export const VERIFY_INPUTS = [
  '--verify-inputs',
  'read inputs again that may have changed between two parts, and compare digests',
] as const satisfies OptionEntry
export const NO_WARNINGS = [
  '--no-warnings',
  'do not say what was not found, and print no warnings',
] as const satisfies OptionEntry

/** The first of some options that is given. */
export function findGiven(options: object, names: readonly string[]): string | undefined {
  return names.find((name) => (options as Readonly<Record<string, unknown>>)[name] !== undefined)
}

/** Adds options to a command, in this order. Returns the command. */
export function addOptions(command: Command, entries: readonly OptionEntry[]): Command {
  for (const [flags, description, given = {}] of entries) {
    const details: OptionDetails = typeof given === 'function' ? { parse: given } : given
    const option = new Option(flags, description).default(details.default)
    if (details.parse) option.argParser(details.parse)
    command.addOption(option.makeOptionMandatory(details.isRequired === true))
  }
  return command
}
