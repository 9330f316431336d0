// Python, which reads XML, bzip2, gzip and files of tables without anything of ours, where it is installed.

import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isThorough } from './extent.ts'

/** Whether to compare with Python 3: in `npm run test:all`, where it is here with the modules of its library that tests use. */
export function findPython(): boolean {
  if (!isThorough) return false
  try {
    execFileSync('python3', ['-c', 'import bz2, gzip, xml.etree.ElementTree'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Modules of Python that read tables (requirements.txt). */
const READERS = 'import pyarrow, polars, duckdb, pandas'
let found: string | undefined

/** The Python that `XYLEM_PYTHON` names, if it has all that read tables; undefined otherwise. */
export function findReaders(): string | undefined {
  const { XYLEM_PYTHON: python } = process.env
  if (!python || found) return found
  try {
    execFileSync(python, ['-c', READERS], { stdio: 'ignore' })
    found = python
  } catch {}
  return found
}

/** What programs in Python find in a file of a table, by their names: rows with null for what is absent, and dates as milliseconds since 1970. */
export interface ReadTable {
  /** The metadata of the schema that is ours. */
  readonly metadata: Readonly<Record<string, string>>
  readonly rows: Readonly<Record<string, readonly unknown[]>>
}

/** What programs in Python find in some files, or in patterns of them. */
export async function readTables(paths: readonly string[]): Promise<ReadTable[]> {
  const script = fileURLToPath(new URL('read-tables.py', import.meta.url))
  const options = { maxBuffer: 1024 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(findReaders() as string, [script, ...paths], options)
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** What Python's sqlite3 finds in a database; whole numbers as bigints. */
export interface ReadDatabase {
  readonly integrity: string
  readonly tables: readonly string[]
  readonly statements: readonly string[]
  readonly names: readonly string[]
  readonly rows: readonly (readonly (string | number | bigint | null)[])[]
}

/** A Python with sqlite3: that of `XYLEM_PYTHON`, or `python3`; undefined if there is none. */
export function findSqlite(): string | undefined {
  const python = process.env.XYLEM_PYTHON || 'python3'
  try {
    execFileSync(python, ['-c', 'import sqlite3'], { stdio: 'ignore' })
    return python
  } catch {
    return undefined
  }
}

export async function readDatabase(path: string): Promise<ReadDatabase> {
  const script = fileURLToPath(new URL('read-database.py', import.meta.url))
  const { stdout } = await promisify(execFile)(findSqlite() as string, [script, path], {
    maxBuffer: 1024 * 1024 * 1024,
  })
  return JSON.parse(stdout, (_, value) => (typeof value?.integer === 'string' ? BigInt(value.integer) : value))
}
