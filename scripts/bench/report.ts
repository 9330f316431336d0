// Statistics, tables, and the record that a benchmark leaves.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Summary {
  readonly min: number
  readonly median: number
  readonly mean: number
  readonly max: number
}

/** Of at least one value. */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = (at(sorted, Math.floor(middle)) + at(sorted, Math.ceil(middle))) / 2
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  return { min: at(sorted, 0), median, mean, max: at(sorted, sorted.length - 1) }
}

function at(values: readonly number[], index: number): number {
  const value = values[index]
  if (value === undefined) throw new RangeError('there is nothing to summarize')
  return value
}

/** The smallest, the median, the mean and the largest as the cells of a table. */
export function formatSummary({ min, median, mean, max }: Summary, decimals: number): string[] {
  return [min, median, mean, max].map((value) => formatNumber(value, decimals))
}

/** With thousands set apart; a dash for what is not known. */
export function formatNumber(value: number | undefined, decimals: number): string {
  if (value === undefined || Number.isNaN(value)) return '-'
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** Lines of aligned columns: the first to the left, the others, numbers, to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const formatRow = (cells: readonly string[]) =>
    widths
      .map((width, column) => (column === 0 ? (cells[0] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width)))
      .join('  ')
      .trimEnd()
  return [formatRow(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(formatRow)].join('\n')
}

export async function writeRecord(path: string, record: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${JSON.stringify(record, roundNumbers, 2)}\n`)
}

/** Six digits say more than any measurement does, and make records that can be compared by eye. */
function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
}
