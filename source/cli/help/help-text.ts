// The free part of help as data: it is written to 100 columns, and shown in as many as there are.

import type { Command } from 'commander'
import { columnsOf } from '../terminal/terminal.ts'

/** A part of a help text. An example is a line for the shell; a row explains a term, its description begins at `column`. */
export type HelpBlock =
  | { readonly kind: 'blank' }
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'example'; readonly text: string }
  | { readonly kind: 'row'; readonly term: string; readonly column: number; readonly text: string }

/** Two spaces before it, and two or more between the term and what it means. */
const ROW = /^( {2}\S.*?\S?)( {2,})(\S.*)$/
/** Least columns for a description beside its term. With fewer, it stands below. */
const LEAST_COLUMNS = 30
/** How far what does not fit on a line is moved in. */
const INDENT = ' '.repeat(6)

/** The parts of a help text, in their order. Lines that belong together are one text. */
export function readHelp(help: string): HelpBlock[] {
  const blocks: HelpBlock[] = []
  for (const line of help.split('\n')) blocks.push(readLine(line, blocks))
  return blocks
}

/** The block that a line makes with those before it. One that it continues is taken from them. */
function readLine(line: string, before: HelpBlock[]): HelpBlock {
  const last = before.at(-1)
  const text = line.trim()
  if (text === '') return { kind: 'blank' }
  if (!line.startsWith(' ')) {
    if (last?.kind !== 'prose') return { kind: 'prose', text }
    before.pop()
    return { kind: 'prose', text: `${last.text} ${text}` }
  }
  if (line.startsWith('   ') && last?.kind === 'row') {
    before.pop()
    return { ...last, text: `${last.text} ${text}` }
  }
  if (line.startsWith('   ') && last?.kind === 'example') {
    before.pop()
    return { kind: 'row', term: last.text, column: line.length - line.trimStart().length, text }
  }
  const [, term, gap, description] = ROW.exec(line) ?? []
  if (term === undefined || gap === undefined || description === undefined) return { kind: 'example', text }
  return { kind: 'row', term: term.trim(), column: term.length + gap.length, text: description }
}

/** A help text in as many columns. */
export function layOut(help: string, columns: number): string {
  return readHelp(help)
    .map((block) => {
      if (block.kind === 'blank') return ''
      if (block.kind === 'prose') return wrap(block.text, columns)
      if (block.kind === 'row') return layOutRow(block.term, block.column, block.text, columns)
      return layOutExample(block.text, columns)
    })
    .join('\n')
}

/** A term with its description beside it, or below it where the columns are few. */
function layOutRow(term: string, column: number, description: string, columns: number): string {
  if (description === '') return `  ${term}`
  const longest = Math.max(...description.split(' ').map((word) => word.length))
  const isNarrow = columns - column < Math.max(LEAST_COLUMNS, longest)
  const indent = isNarrow ? INDENT : ' '.repeat(column)
  const lines = wrap(description, columns - indent.length).replaceAll('\n', `\n${indent}`)
  return isNarrow || term.length + 4 > column ? `  ${term}\n${indent}${lines}` : `  ${term}`.padEnd(column) + lines
}

/** An example that is too long is cut between its words, as shells allow. */
function layOutExample(text: string, columns: number): string {
  // What stands in quotes stays together, and so does an option with its value.
  const words = text.match(/(?:--?[\w-]+ )?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return `  ${fill(words, columns - 4, INDENT.length - 2).join(` \\\n${INDENT}`)}`
}

/** A text in lines of at most as many columns, unless a word is longer. */
export function wrap(text: string, columns: number): string {
  return fill(text.split(/ +/), columns).join('\n')
}

/** Words in lines. Each but the first has `indent` columns less. */
function fill(words: readonly string[], columns: number, indent = 0): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    const width = lines.length > 1 ? columns - indent : columns
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Columns of prose at most: longer lines are hard to read. */
const MOST_COLUMNS = 100
/** Columns at least: with fewer, a terminal wraps words by itself. */
const NARROWEST = 24
const USAGE = 'Usage: '

function helpColumns(stream: NodeJS.WriteStream): number {
  return Math.max(NARROWEST, columnsOf(stream))
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
