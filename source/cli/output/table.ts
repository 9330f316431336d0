// Tables: comma-separated values (RFC 4180), and tab-separated values as IANA registered them, with the escapes of PostgreSQL and MySQL for
// what cannot stand in them.

import type { FieldList } from './fields.ts'

export type TableKind = 'csv' | 'tsv'

/** The line with the names of the fields. */
export function formatTableHead(kind: TableKind, fields: FieldList): string {
  return formatRow(kind, fields.names)
}

/**
 * The line of a record. `isSafe`: a text that a spreadsheet would take for a formula gets an apostrophe before it, so that the file can be
 * opened whoever has written the texts.
 */
export function formatTableRow(kind: TableKind, fields: FieldList, record: object, isSafe: boolean): string {
  const values = fields.read(record)
  return formatRow(kind, values.map(isSafe ? describeSafely : describe))
}

/** How formulas begin, also after white space that some programs skip (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n]/

function describeSafely(value: unknown): string {
  const text = describe(value)
  return typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
}

function formatRow(kind: TableKind, values: readonly string[]): string {
  if (kind === 'csv') return `${values.map(quote).join(',')}\r\n`
  return `${values.map(escapeValue).join('\t')}\n`
}

function describe(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeValue(value: string): string {
  return value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string)
}
