// What of a record is written as a line of JSON, and under which keys: a table of columns that the kernel follows (xml/kernel/lines.ts).

import { As, COLUMN_WORDS, ColumnFlag, ColumnWord, MOST_STEPS } from './layout.ts'
import { type FieldPlan, type RecordPlan, writtenFields } from './plan.ts'

/** One key of an object, and what is written for it. */
interface LineColumn {
  readonly key: string
  /** The field, after those of the records that it lies in. */
  readonly steps: readonly FieldPlan[]
  /** What is written; `refused`: a record that has it is not for the kernel. */
  readonly as: keyof typeof As
  /** Of an object; else of the one of several records that the value lies in. */
  readonly columns?: readonly LineColumn[] | undefined
  /** Whether it is a list, which is written without values, too. */
  readonly isList?: boolean
  /** Whether a record without it is not for the kernel. */
  readonly isRequired?: boolean
  /** Whether nothing follows it in its object if it is there. */
  readonly endsObject?: boolean
}

/** What a line is, in the kernel. */
const Mode = { object: 1, csv: 2, tsv: 3, values: 0 } as const
const SAFE = 4

const encoder = new TextEncoder()

/** What is to be written of each record. */
export interface LineFormOptions {
  /** The keys of a line, and the names of the fields that lead to their values; undefined for all fields of the record. */
  readonly columns?: readonly { readonly key: string; readonly names: readonly string[] }[]
  /**
   * Whether a line is an object of JSON, a row of a table, or values (xml/kernel/values.ts). Columns of what is around records are not written
   * where the host has found that (`RecordView.isLineComplete`).
   */
  readonly format: keyof typeof Mode
  /** Whether texts in a table get an apostrophe if a spreadsheet would run them as formulas. */
  readonly safe?: boolean | undefined
  /** Whether objects have `null` for what is absent. */
  readonly absent?: 'omit' | 'null' | undefined
}

/** Columns as numbers. */
export class LineForm {
  /** What a line is, in the kernel. */
  readonly mode: number
  readonly columnCount: number
  /** Whether values are written, and no text. */
  readonly isBinary: boolean
  /** Whether offsets of the input are written. */
  readonly hasOffsets: boolean
  /** Whether something is written of what is around records. */
  readonly hasAround: boolean
  readonly #columns: readonly LineColumn[]
  readonly #absent: number

  constructor(plan: RecordPlan, { columns: chosen, format, safe = false, absent }: LineFormOptions) {
    const columns = chosen?.map(({ key, names }) => columnFor(key, plan, names)) ?? columnsOf(plan)
    this.#columns = columns
    const isObject = format === 'object'
    this.#absent = absent === 'null' && isObject ? ColumnFlag.NULL : 0
    this.mode = Mode[format] | (safe && !isObject ? SAFE : 0)
    this.columnCount = columns.length
    this.isBinary = format === 'values'
    this.hasOffsets = haveOffsets(columns)
    this.hasAround = columns.some(({ steps }) => steps[0]?.record?.outer)
  }

  /** The words, after so many others; they begin with the columns. */
  encode(base: number): readonly number[] {
    const words: number[] = []
    this.#put(words, this.#columns, base)
    return words
  }

  /** Where columns come to be. */
  #put(words: number[], columns: readonly LineColumn[], base: number): number {
    const first = words.length
    for (let i = 0; i < columns.length * COLUMN_WORDS; i++) words.push(0)
    for (const [i, column] of columns.entries()) {
      const at = first + i * COLUMN_WORDS
      const key = encoder.encode(`,${JSON.stringify(column.key)}:`)
      // Dates are for columns: in a line, one is not written as it is read.
      words[at + ColumnWord.AS] = As[column.as === 'date' && !this.isBinary ? 'refused' : column.as]
      words[at + ColumnWord.KEY] = base + putBytes(words, key)
      words[at + ColumnWord.KEY_LENGTH] = key.length
      words[at + ColumnWord.FLAGS] = this.#flagsOf(column)
      words[at + ColumnWord.STEP_COUNT] = column.steps.length
      for (const [step, { slot }] of column.steps.entries()) words[at + ColumnWord.STEPS + step] = slot
      if (!column.columns) continue
      words[at + ColumnWord.INNER] = base + this.#put(words, column.columns, base)
      words[at + ColumnWord.INNER_COUNT] = column.columns.length
    }
    return first
  }

  #flagsOf({ isRequired, endsObject, isList }: LineColumn): number {
    return (
      (isRequired ? ColumnFlag.REQUIRED : 0) |
      (endsObject ? ColumnFlag.ENDS : 0) |
      (isList ? ColumnFlag.ALL : 0) |
      this.#absent
    )
  }
}

function haveOffsets(columns: readonly LineColumn[]): boolean {
  return columns.some(({ as, columns: inner }) => as === 'offset' || (inner && haveOffsets(inner)))
}

function putBytes(words: number[], bytes: Uint8Array): number {
  const at = words.length
  const padded = new Int32Array(Math.ceil(bytes.length / 4))
  new Uint8Array(padded.buffer).set(bytes)
  words.push(...padded)
  return at
}

/** The columns of all fields of a record, with their names as keys. */
function columnsOf(plan: RecordPlan): readonly LineColumn[] {
  return writtenFields(plan).map((field) => columnOf(field.name, [field]))
}

/** A column for the value that names lead to from a record. What lies in a list is refused. */
function columnFor(key: string, plan: RecordPlan, names: readonly string[]): LineColumn {
  const steps: FieldPlan[] = []
  let record: RecordPlan | undefined = plan
  for (const name of names) {
    const field: FieldPlan | undefined = record?.fields.find((one) => one.name === name)
    if (!field) return { key, steps, as: 'refused' }
    steps.push(field)
    record = field.isList ? undefined : field.record
  }
  const choice = steps.findIndex(({ record }, i) => record?.options && i < steps.length - 1)
  const column = columnOf(key, steps)
  if (choice === -1) return column
  const around = columnOf(key, steps.slice(0, -1))
  const isKnown = choice === steps.length - 2 && around.as === 'object' && !column.columns && !column.isList
  return isKnown ? { key, steps, as: column.as, columns: around.columns } : { key, steps, as: 'refused' }
}

/** A column for the last of some fields, each of which lies in the record that is the value of the one before it. */
function columnOf(key: string, steps: readonly FieldPlan[]): LineColumn {
  const { record, values, isEmptyAbsent, isList, ...field } = steps.at(-1) as FieldPlan
  // The host writes the default.
  const isRequired = field.isRequired || field.default !== undefined
  if (!record) return { key, steps, as: values.written as LineColumn['as'], isRequired, isList }
  const options = record.options?.flat()
  const fields = writtenFields(record)
  const isChoice =
    record.options?.slice(0, -1).every(({ length }) => length === 1) &&
    options?.length === fields.length &&
    options.every((field, i) => field === fields[i])
  if (isEmptyAbsent || steps.length > MOST_STEPS || (record.options && !isChoice)) return { key, steps, as: 'refused' }
  return {
    key,
    steps,
    as: 'object',
    columns: record.options ? choiceOf(record.options) : columnsOf(record),
    isRequired,
    isList,
  }
}

/** The columns of one of several records: after the first field of each but the last, nothing follows. */
function choiceOf(options: readonly (readonly FieldPlan[])[]): LineColumn[] {
  return options.flatMap((fields, option) =>
    fields.map((field, i) => {
      const isLast = option === options.length - 1
      return {
        ...columnOf(field.name, [field]),
        ...(i === 0 && (isLast ? { isRequired: true } : { endsObject: true })),
      }
    }),
  )
}
