// A command as data: an entry of the table in main.ts.

import type { Command } from 'commander'
import { type ArgumentEntry, addOptions, type OptionEntry } from './options/option.ts'

/** What a command does, given its arguments, its options, and a signal that stops it. */
type Action = (...given: never[]) => Promise<void>

export interface CommandEntry {
  readonly name: string
  /** What the list of commands says of it. */
  readonly summary: string
  readonly arguments: readonly ArgumentEntry[]
  /** In the order of the help. */
  readonly options: readonly OptionEntry[]
  /** The rest of the help: what the command does, and examples. */
  readonly help: string
  /** Loads the action. It is called when the command runs, so that a start loads the action of no other command. */
  readonly load: () => Promise<Action>
}

/** Adds the command of an entry to the program. `signal` stops it. */
export function addCommand(program: Command, entry: CommandEntry, signal: AbortSignal): void {
  const { name, summary, help, load } = entry
  const command = program.command(name).summary(summary)
  for (const argument of entry.arguments) command.argument(...argument)
  addOptions(command, entry.options)
    .addHelpText('after', help)
    .showHelpAfterError(`(see xylem ${name} --help)`)
    // Commander gives the arguments, the options and the command.
    .action(async (...given: unknown[]) => {
      const act = (await load()) as (...given: unknown[]) => Promise<void>
      await act(...given.slice(0, -1), signal)
    })
}
