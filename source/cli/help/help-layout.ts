// Help in the columns of the terminal. Commander does not wrap where they are few.

import type { Command } from 'commander'
import { columnsOf } from '../terminal/terminal.ts'
import { layOut, layOutRow, wrap } from './help-text.ts'

/** Columns of prose at most: longer lines are hard to read. */
const MOST_COLUMNS = 100
/** Columns at least: with fewer, a terminal wraps words by itself. */
const LEAST_COLUMNS = 24
const USAGE = 'Usage: '

function helpColumns(stream: NodeJS.WriteStream): number {
  return Math.max(LEAST_COLUMNS, columnsOf(stream))
}

/** Lets a program, and the commands that are added afterwards, print help in as many columns as there are. */
export function fitHelp(program: Command): Command {
  return program
    .configureOutput({
      getOutHelpWidth: () => helpColumns(process.stdout),
      getErrHelpWidth: () => helpColumns(process.stderr),
    })
    .configureHelp({
      minWidthToWrap: 1,
      styleUsage(usage) {
        return wrap(usage, (this.helpWidth ?? MOST_COLUMNS) - USAGE.length).replaceAll(
          '\n',
          `\n${' '.repeat(USAGE.length)}`,
        )
      },
      formatItem: (term, width, description, { helpWidth = MOST_COLUMNS }) =>
        layOutRow(term, width + 4, description, helpWidth),
    })
}

/** Adds a text after the help of a command. */
export function addHelp(command: Command, text: string): Command {
  return command.addHelpText('after', ({ error }) => {
    const columns = helpColumns(error ? process.stderr : process.stdout)
    return layOut(text, Math.min(MOST_COLUMNS, columns))
  })
}
