// Tab-separated values as IANA registered them, with the escapes of PostgreSQL and MySQL for what cannot stand in them.

import { tableFormat } from './tables.ts'

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeText(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string)
}

export const format = tableFormat({ mode: 'tsv', separator: '\t', lineEnd: '\n', toCell: escapeText })
