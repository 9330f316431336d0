// Comma-separated values (RFC 4180).

import { tableFormat } from './tables.ts'

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const format = tableFormat({ mode: 'csv', separator: ',', lineEnd: '\r\n', toCell: quote })
