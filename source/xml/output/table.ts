// Tables: comma-separated values (RFC 4180), and tab-separated values as IANA registered them, with the escapes of PostgreSQL and MySQL for
// what cannot stand in them.

import { formatJson } from '../../text/json.ts'

export type TableKind = 'csv' | 'tsv'

/**
 * A row of values, with its line end: absent ones are empty, and objects and arrays are JSON. `isSafe`: a text that a spreadsheet would take for a
 * formula gets an apostrophe before it, so that the file can be opened whoever has written the texts.
 */
export function formatRow(kind: TableKind, values: readonly unknown[], isSafe = false): string {
  return `${formatCells(kind, values, isSafe)}${kind === 'csv' ? '\r\n' : '\n'}`
}

/** The same without the line end. */
export function formatCells(kind: TableKind, values: readonly unknown[], isSafe = false): string {
  const cells = values.map(isSafe ? describeSafely : describe)
  return kind === 'csv' ? cells.map(quote).join(',') : cells.map(escapeValue).join('\t')
}

/** How formulas begin, also after white space that some programs skip (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n]/

function describeSafely(value: unknown): string {
  const text = describe(value)
  return typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
}

function describe(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' && value !== null ? formatJson(value) : String(value)
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeValue(value: string): string {
  return value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string)
}
