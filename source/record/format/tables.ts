// Tables: a line for the names of the fields, and one for each record.

import { formatJson } from '../../text/json.ts'
import type { LineNotation } from './format.ts'
import { type LineFormat, lineFormat, PLAIN_LINES } from './lines.ts'

interface TableOptions extends Omit<LineNotation, 'format'> {
  /** A text as it stands in a cell. */
  readonly toCell: (text: string) => string
}

/** A format of tables. Absent values are empty cells; objects and arrays are JSON. */
export function tableFormat({ mode, lineEnd, separator, toCell }: TableOptions): LineFormat {
  const notation: LineNotation = {
    mode,
    separator,
    lineEnd,
    format: (_names, values, { safe = false }) => {
      const row = values.map((value) => toCell(describe(value, safe))).join(separator)
      // Readers skip an empty line.
      return mode === 'csv' && row === '' && values.length === 1 ? '""' : row
    },
  }
  return lineFormat(notation, (fields, options) => {
    const names = fields.map(({ name }) => name)
    const header = (options.bom ? '\u{feff}' : '') + notation.format(names, names, {}) + lineEnd
    return { ...PLAIN_LINES, begin: () => new TextEncoder().encode(header) }
  })
}

/** How formulas begin, or white space that some programs skip before them (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n]/

/** `isSafe`: a text that a spreadsheet would take for a formula gets an apostrophe before it, so that the file can be opened whoever has written the texts. */
function describe(value: unknown, isSafe: boolean): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'object' ? formatJson(value) : String(value)
  return isSafe && typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
}
