// What a person sees. Names of files, titles and texts are written by others: a control character in them could erase what was printed, or
// make the terminal do worse. So they are shown as escapes.

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

/** Prints a line on standard error. */
export function tell(line: string): void {
  process.stderr.write(`${escapeLine(line)}\n`)
}

/** Prints a text of lines on standard error. */
export function tellText(text: string): void {
  process.stderr.write(`${escapeText(text)}\n`)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
