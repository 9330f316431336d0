// What a shell can complete, from the table of commands.

import type { CommandEntry } from '../command.ts'
import { type Flags, readFlags, wordsOf } from '../options/option.ts'

/** An option. `words` are all that its value may be; where there are none, it may be a file. */
export interface OptionWords extends Flags {
  readonly summary: string
  readonly words: readonly string[]
}

export interface CommandWords {
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionWords[]
  /** All that the first argument may be; where there are none, arguments may be files. */
  readonly words: readonly string[]
}

/** Every command has it. */
const HELP: OptionWords = { short: '-h', long: '--help', value: undefined, summary: 'print help', words: [] }

/** The options of the program itself. */
export const PROGRAM_OPTIONS: readonly OptionWords[] = [
  { short: '-v', long: '--version', value: undefined, summary: 'print the version', words: [] },
  HELP,
]

/** The commands in the order of the help, and `help` itself. */
export function describeCommands(commands: readonly CommandEntry[]): CommandWords[] {
  const words = commands.map(({ name, summary, options, arguments: given }) => ({
    name,
    summary,
    options: [
      ...options.map(([flags, text, details]) => ({ ...readFlags(flags), summary: text, words: wordsOf(details) })),
      HELP,
    ],
    words: wordsOf(given[0]?.[2]),
  }))
  return [
    ...words,
    { name: 'help', summary: 'print the help of a command', options: [], words: words.map(({ name }) => name) },
  ]
}

/** The flags of an option, the short one first. */
export function flagsOf({ short, long }: Flags): string[] {
  return short === undefined ? [long] : [short, long]
}
