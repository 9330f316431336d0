// The command line that prints the records of a shape.

import type { PickedShape } from '../protocol.ts'

/** The command for a POSIX shell. `file`: the name of a file, or an address; undefined: standard input. */
export function showCommand({ record, fields }: PickedShape, file: string | undefined): string {
  const options = fields.map(({ name, path, isList }) => {
    const field = name === path && !isList ? name : `${name}${isList ? '[]' : ''}=${path}`
    return `--field ${quote(field)}`
  })
  // A name that begins with a hyphen would be an option.
  const input = file === undefined ? '' : ` ${quote(file.startsWith('-') ? `./${file}` : file)}`
  return [`npx xylem select ${quote(`/${record}`)}${input}`, ...options].join(' \\\n  ')
}

/** As one word of a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
