// SQLite: one file with one table. It is written by Node where that has SQLite (22.13 and later), otherwise by node-sqlite3-wasm, a package that users install.

import type { JSValue } from 'node-sqlite3-wasm'
import { kindOf } from '../kinds.ts'
import { type Column, type ColumnBatch, valuesOf } from './column.ts'
import { columnBuilders } from './column-builder.ts'
import { format as COLUMNS, collectObjects } from './columns.ts'
import type { Format, FormatField, FormatSetup, FormatWriter } from './format.ts'

const PACKAGE = 'node-sqlite3-wasm'
const NO_BYTES = new Uint8Array(0)
/** The file has no name yet that others know, and is synchronised when it is complete. So there is nothing to be restored after an interruption, and nobody to be locked out. */
const SETTINGS = 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE'
/** What values of a column are, and a placeholder for one: texts come as their bytes, which is what SQLite has of them. */
const TYPES: Readonly<Partial<Record<Column['type'], readonly [type: string, placeholder: string]>>> = {
  int64: ['INTEGER', '?'],
  bool: ['INTEGER', '?'],
  float64: ['REAL', '?'],
  utf8: ['TEXT', 'CAST(? AS TEXT)'],
}
/** What becomes of a value that SQLite does not have. */
const CELLS: Readonly<Partial<Record<Column['type'], (value: unknown) => unknown>>> = {
  bool: Number,
  timestamp: (value) => new Date(Number(value)).toISOString(),
}
/** A list or a record is one text: its JSON. Of other values that SQLite does not have, the text. */
const JSON_TEXT = { kind: 'json', isList: false, record: undefined }

/** A database that is being written. */
interface Database {
  exec(sql: string): void
  /** What inserts a row. */
  prepare(sql: string): (values: unknown[]) => void
  close(): void
}

type OpenDatabase = (path: string) => Database

/** What is used of `node:sqlite`. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void
    prepare(sql: string): { run(...values: unknown[]): unknown }
    close(): void
  }
}
interface Files {
  rmSync(path: string, options: { recursive: true; force: true }): void
}
interface Runtime {
  process?: { getBuiltinModule?(name: string): unknown }
}

/** Asked for here: a module that is loaded late imports from all of what programs always load, or from none of it. */
const { process } = globalThis as Runtime

export const format: Format<ColumnBatch> = sqliteBy(async () => openNode() ?? (await openPackage()))

/** The format, written by one of the two. */
export function sqliteBy(load: () => Promise<OpenDatabase>): Format<ColumnBatch> {
  return {
    collect: (fields, options) =>
      (fields.some(isNested) ? collectObjects : COLUMNS.collect)(fields.map(toCell), options),
    open: (fields, options) => new SqliteOutput(fields.map(toCell), options, load),
  }
}

function isNested({ isList, kind }: FormatField): boolean {
  return isList || kind === 'record'
}

function toCell(field: FormatField): FormatField {
  if (isNested(field)) return { ...field, ...JSON_TEXT }
  const { column } = kindOf(field.kind)
  return column in TYPES || column in CELLS ? field : { ...field, kind: 'string' }
}

class SqliteOutput implements FormatWriter<ColumnBatch> {
  readonly #path: string
  readonly #table: string
  readonly #indexes: readonly string[]
  readonly #columns: readonly Column[]
  readonly #load: () => Promise<OpenDatabase>
  #database: Database | undefined
  #insert: ((values: unknown[]) => void) | undefined

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option`. */
  constructor(fields: readonly FormatField[], options: FormatSetup, load: () => Promise<OpenDatabase>) {
    const { path, finalPath, table = tableNameOf(finalPath), index: indexes = [] } = options
    if (path === undefined) {
      throw refuse(
        new TypeError('SQLite is written into a file by the command line: xylem select --output items.sqlite'),
      )
    }
    const columns = columnBuilders(fields).map((builder) => builder.take())
    if (columns.length === 0) throw refuse(new RangeError('a table of SQLite needs at least one field'))
    requireNames(columns.map(({ name }) => name))
    // An index has the name of the table before its own.
    const isReserved = [table, ...indexes.map(() => `${table}_`)].some((name) => /^sqlite_/i.test(name))
    if (isReserved || table === '') throw refuse(new RangeError(`a table cannot be named ${JSON.stringify(table)}`))
    const unknown = indexes.find((name) => !columns.some((column) => column.name === name))
    if (unknown !== undefined) {
      const names = columns.map(({ name }) => name).join(', ')
      throw refuse(new RangeError(`no column is named ${unknown}; an index can be of ${names}`))
    }
    this.#path = path
    this.#table = table
    this.#indexes = [...new Set(indexes)]
    this.#columns = columns
    this.#load = load
  }

  async begin(): Promise<Uint8Array> {
    const open = await this.#load()
    return this.#attempt(() => {
      const database = open(this.#path)
      this.#database = database
      const types = this.#columns.map(({ type }) => TYPES[type] ?? ['TEXT', '?'])
      const columns = this.#columns.map(({ name }, i) => `${quote(name)} ${types[i]?.[0]}`)
      database.exec(SETTINGS)
      database.exec(`CREATE TABLE ${quote(this.#table)} (${columns.join(', ')})`)
      const placeholders = types.map(([, placeholder]) => placeholder)
      this.#insert = database.prepare(`INSERT INTO ${quote(this.#table)} VALUES (${placeholders.join(', ')})`)
    })
  }

  /** One transaction. */
  write({ rows, columns }: ColumnBatch): Uint8Array {
    return this.#attempt((database) => {
      const insert = this.#insert as (values: unknown[]) => void
      const values = columns.map(cellsOf)
      database.exec('BEGIN')
      for (let row = 0; row < rows; row++) insert(values.map((cells) => cells[row]))
      database.exec('COMMIT')
    })
  }

  end(): Uint8Array {
    return this.#attempt((database) => {
      for (const name of this.#indexes) {
        const index = quote(`${this.#table}_${name}`)
        database.exec(`CREATE INDEX ${index} ON ${quote(this.#table)} (${quote(name)})`)
      }
      this.#close()
    })
  }

  abandon(): void {
    this.#close()
  }

  #close(): void {
    const database = this.#database
    this.#database = undefined
    database?.close()
  }

  /** Does something in the database. Throws an `Error` with the code `output-failed`. */
  #attempt(act: (database: Database) => void): Uint8Array {
    try {
      act(this.#database as Database)
      return NO_BYTES
    } catch (cause) {
      throw Object.assign(new Error((cause as Error).message, { cause }), { code: 'output-failed' })
    }
  }
}

/** For SQLite, names that differ in the case of letters of ASCII are one name. */
function requireNames(names: readonly string[]): void {
  const known = new Map<string, string>()
  for (const name of names) {
    const folded = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    const other = known.get(folded)
    if (other !== undefined) {
      const message = `the columns ${other} and ${name} have the same name for SQLite; give one of them another name`
      throw refuse(new RangeError(message))
    }
    known.set(folded, name)
  }
}

/** The values of a column as SQLite has them. */
function cellsOf(column: Column): unknown[] {
  const cellOf = CELLS[column.type]
  const values = valuesOf(column)
  return cellOf ? values.map((value) => (value === null ? null : cellOf(value))) : values
}

/** The name of the table in a file. */
function tableNameOf(path = ''): string {
  const name = path.replace(/^.*[\\/]/, '').replace(/(?!^)\.[^.]*$/, '')
  return name === '' || /^sqlite_/i.test(name) ? 'records' : name
}

function refuse(error: Error): Error {
  return Object.assign(error, { code: 'invalid-option' })
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Opens databases by Node's SQLite; undefined where it has none. */
export function openNode(): OpenDatabase | undefined {
  const sqlite = process?.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined
  if (!sqlite) return undefined
  return (path) => {
    const database = new sqlite.DatabaseSync(path)
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql)
        return (values) => void statement.run(...values)
      },
      close: () => database.close(),
    }
  }
}

/** Opens databases by the package. Throws an `Error` with the code `package-missing` where it is not installed. */
export async function openPackage(): Promise<OpenDatabase> {
  const { Database } = await loadPackage()
  const files = process?.getBuiltinModule?.('node:fs') as Files
  return (path) => {
    const database = new Database(path)
    let finalize = (): void => {}
    return {
      exec: (sql) => {
        database.exec(sql)
        // It locks by a folder, which would stay after the process. The file is ours, under a name that nobody else has.
        files.rmSync(`${path}.lock`, { recursive: true, force: true })
      },
      prepare: (sql) => {
        const statement = database.prepare(sql)
        finalize = () => statement.finalize()
        return (values) => void statement.run(values as JSValue[])
      },
      close: () => {
        finalize()
        database.close()
      },
    }
  }
}

async function loadPackage(): Promise<typeof import('node-sqlite3-wasm')> {
  try {
    // Bundlers would look for a name.
    return (await import(String(PACKAGE))).default
  } catch (cause) {
    const message = `SQLite is written by Node 22.13 and later, or by the package ${PACKAGE}, which is not installed; run: npm install ${PACKAGE}`
    throw Object.assign(new Error(message, { cause }), { code: 'package-missing' })
  }
}
