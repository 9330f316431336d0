// A command as data: an entry of a table in commands/.

import type { Command } from 'commander'
import { addHelp } from './help/help-text.ts'
import { type ArgumentEntry, addOptions, type OptionEntry, readFlags } from './options/option.ts'
import { watchParent } from './terminal/parent.ts'

/** What a command does, given its arguments, its options, and a signal that stops it. */
type Action = (...given: never[]) => Promise<void>

export interface CommandEntry {
  readonly name: string
  /** What the list of commands says of it. */
  readonly summary: string
  readonly arguments: readonly ArgumentEntry[]
  /** In the order of the help. */
  readonly options: readonly OptionEntry[]
  /** Whether standard input is read if the last argument is absent. */
  readonly usesStandardInput?: (options: object) => boolean
  /** The rest of the help: what the command does, and examples. */
  readonly help: string
  /** Loads the action. It is called when the command runs, so that a start loads the action of no other command. */
  readonly load: () => Promise<Action>
}

/** Adds the command of an entry to the program. `signal` stops it. Returns the command. */
export function addCommand(program: Command, entry: CommandEntry, signal: AbortSignal): Command {
  const { name, summary, help, load } = entry
  const command = program.command(name).summary(summary)
  for (const argument of entry.arguments) command.argument(...argument)
  return (
    addHelp(addOptions(command, entry.options), help)
      .showHelpAfterError(`(see xylem ${name} --help)`)
      // Commander gives the arguments, the options and the command.
      .action(async (...given: unknown[]) => {
        const act = (await load()) as (...given: unknown[]) => Promise<void>
        const values = given.slice(0, -1)
        if (!readsStandardInput(entry, values)) await watchParent()
        await act(...values, signal)
      })
  )
}

/** Whether a command reads standard input: where that is named by an argument or an option, or no input is. `values`: its arguments, then its options. */
function readsStandardInput({ usesStandardInput }: CommandEntry, values: readonly unknown[]): boolean {
  const [last, options] = values.slice(-2)
  const { output: _, ...others } = options as { readonly output?: unknown }
  if ([values.slice(0, -1), Object.values(others)].flat(2).includes('-')) return true
  return [last].flat().every((name) => name === undefined) && usesStandardInput?.(others) === true
}

/**
 * Ends the command where an option is given as the value of another, as in `--ns --limit 1`: the value was forgotten. A value that looks like
 * an option is written with an equals sign.
 */
export function refuseSwallowed(command: Command, entry: CommandEntry, args: readonly string[]): void {
  const flags = entry.options.map(([text]) => readFlags(text))
  const names = new Set(['--help', ...flags.map(({ long }) => long)])
  const withValue = new Map(
    flags.flatMap(({ short, long, value }) => {
      if (value === undefined) return []
      return [short, long].map((name) => [name, `${long} <${value}>`] as const)
    }),
  )
  for (let i = 0; i < args.length && args[i] !== '--'; i++) {
    const option = withValue.get(args[i])
    if (option === undefined) continue
    const value = args[++i] ?? ''
    if (!names.has(value.replace(/=.*/su, ''))) continue
    const long = option.replace(/ .*/, '')
    command.error(
      `error: option '${option}' has no value: the option ${value} follows it (write ${long}=${value} if it is the value)`,
    )
  }
}
