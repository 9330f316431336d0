// What a person sees. Names of files, titles and texts are written by others: a control character in them could erase what was printed, or
// make the terminal do worse. So they are shown as escapes. The only control sequence that xylem writes is here as well, and it writes no colours.

import { escapeUnseen } from '../../text/markup/visible.ts'

/** Control characters: C0, DEL and C1. */
const CONTROLS = /\p{Cc}/gu
/** Control characters, except for tabs and line ends. */
const CONTROLS_OF_TEXT = /(?![\t\n]|\r\n)\p{Cc}/gu

/** A line with `\u001b` and the like for control characters, line feeds among them. */
export function escapeLine(text: string): string {
  return text.replace(CONTROLS, escapeCharacter)
}

/** A text with `\u001b` and the like for control characters; it keeps its tabs and line ends. */
export function escapeText(text: string): string {
  return text.replace(CONTROLS_OF_TEXT, escapeCharacter)
}

/** Whether a line is shown that the next one replaces. */
let isReplaced = false

/** Prints a line on standard error. */
export function tell(line: string): void {
  if (isReplaced) replaceLine('')
  process.stderr.write(`${escapeUnseen(escapeLine(line))}\n`)
}

/** Prints lines on standard error. */
export function tellAll(lines: Iterable<string>): void {
  for (const line of lines) tell(line)
}

/** Prints a text of lines on standard error. */
export function tellText(text: string): void {
  process.stderr.write(`${escapeText(text)}\n`)
}

/** Columns where nobody says how many there are. */
const USUAL_COLUMNS = 80

/** The columns of a terminal. For anything else, those of COLUMNS. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  // A terminal may say that it has none.
  return (stream.isTTY ? stream.columns : Number(process.env.COLUMNS)) || USUAL_COLUMNS
}

/** Whether a line on standard error can be replaced. */
export function canReplaceLine(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== 'dumb'
}

/** Puts a text in the place of the last line on standard error, which is a terminal. Nothing else is ever sent to control it. */
export function replaceLine(text: string): void {
  isReplaced = text !== ''
  // A line that wraps could not be erased.
  process.stderr.write(`\r\u001b[K${escapeLine(text).slice(0, columnsOf(process.stderr) - 1)}`)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
