// Rows whose cells have names: those of the first row of an input. For `--header`.

import type { GrammarValue } from '../../grammar/index.ts'
import type { Writing } from '../../grammar/values/written-values.ts'
import { makeExcerpt } from '../../machine/failure/excerpt.ts'
import { EXCERPT_CONTEXT } from '../../machine/failure/failure.ts'
import { FORMATS, type FormatName } from '../../record/format/index.ts'
import type { StreamCache } from '../../stream/stream-cache.ts'
import { LineCounter } from '../../text/line-counter.ts'
import { ParseError } from '../../text/parse-error.ts'
import { UsageError } from '../errors/errors.ts'

/** What a row is: the value of a rule with the field `cells`, with positions. */
interface Row {
  readonly cells: readonly string[]
  readonly start: number
}

type Named = Record<string, string>

/**
 * What is written of records with names, or of those fields of them that are asked for. Throws a `UsageError` if there are no rows with cells, and for a table whose fields only the
 * input knows.
 */
export function findNamed({ fields }: Writing, wanted: readonly string[] | undefined, format: FormatName): Writing {
  const cells = fields.find(({ name }) => name === 'cells')
  if (cells?.kind !== 'string' || !cells.isList)
    throw new UsageError('--header is for records that have a list of cells, such as those of @csv')
  if (!wanted && FORMATS[format].kind !== 'objects')
    throw new UsageError(`--header with --format ${format} needs --fields: which columns the table has`)
  return {
    fields: wanted?.map((name) => ({ name, kind: 'string', isList: false, record: undefined })) ?? [],
    paths: wanted?.map((name) => [name]),
    areRecords: true,
  }
}

/**
 * Makes a record of each row but the first, whose cells are the names. An empty line is skipped, unless there is one name. Throws a `ParseError` with the code `invalid-row`, after
 * the records before it, for a row with more or fewer cells than names, for a name that is there twice, and for one that is wanted and not there.
 */
export async function* nameCells(
  batches: AsyncGenerator<GrammarValue[], void, undefined>,
  wanted: readonly string[] = [],
  cache: StreamCache,
): AsyncGenerator<Named[], void, undefined> {
  let names: readonly string[] | undefined
  // Stands before the batch, so that the line of its rows can be counted and shown.
  const cursor = cache.cursor()
  const lines = new LineCounter()
  const moveTo = ({ start }: Row) => {
    while (cursor.offset < start) {
      const bytes = cursor.peekChunk().subarray(0, start - cursor.offset)
      lines.advance(bytes)
      cursor.skip(bytes.length)
    }
  }
  try {
    for await (const batch of batches) {
      const rows = batch as unknown as Row[]
      const named: Named[] = []
      for (const row of rows) {
        const message = names ? findMisfit(names, row) : (findRepeated(row) ?? findMissing(row, wanted))
        if (message !== undefined) {
          if (named.length > 0) yield named
          moveTo(row)
          const excerpt = makeExcerpt(new Uint8Array(), cursor.peekChunk().subarray(0, EXCERPT_CONTEXT))
          throw new ParseError(message, { code: 'invalid-row', ...lines.position, excerpt, rules: [] })
        }
        if (!names) names = row.cells
        else if (row.cells.length === names.length) named.push(nameRow(names, row.cells))
      }
      const last = rows.at(-1)
      if (last) moveTo(last)
      if (named.length > 0) yield named
    }
  } finally {
    cursor.release()
  }
}

function nameRow(names: readonly string[], cells: readonly string[]): Named {
  // `__proto__` is a name like any other.
  return Object.fromEntries(names.map((name, i) => [name, cells[i] as string]))
}

function findMisfit(names: readonly string[], row: Row): string | undefined {
  const { length } = row.cells
  const isEmptyLine = length === 1 && row.cells[0] === ''
  if (length === names.length || isEmptyLine) return undefined
  return `expected ${count(names.length, 'cell')}, as many as there are names, but found ${length}`
}

function findRepeated(row: Row): string | undefined {
  const repeated = row.cells.find((name, i) => row.cells.indexOf(name) !== i)
  return repeated === undefined ? undefined : `the name ${JSON.stringify(repeated)} is there twice in the header`
}

function findMissing(row: Row, wanted: readonly string[]): string | undefined {
  const missing = wanted.find((name) => !row.cells.includes(name))
  return missing === undefined
    ? undefined
    : `the header has no name ${JSON.stringify(missing)}; it has ${row.cells.map((name) => JSON.stringify(name)).join(', ')}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
