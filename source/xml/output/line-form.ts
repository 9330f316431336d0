// What of a record is written as a line of JSON, and under which keys: a table of columns that the kernel follows (xml/kernel/lines.ts).

import { As, COLUMN_WORDS, ColumnFlag, ColumnWord, MOST_STEPS, NOTE_SHIFT } from '../question/layout.ts'
import type { FieldPlan, RecordPlan } from '../question/plan.ts'
import type { ValueKind } from '../question/shape.ts'

/** One key of an object, and what is written for it. */
export interface LineColumn {
  readonly key: string
  /** The field, after those of the records that it lies in. */
  readonly steps: readonly FieldPlan[]
  /**
   * What is written; `refused` if a record that has it is not for the kernel; `seen` for one that is not written, of which it is only to be known
   * whether it is there.
   */
  readonly as: keyof typeof As
  /** Of an object. */
  readonly columns?: readonly LineColumn[]
  /** Whether a record without it is not for the kernel. */
  readonly isRequired?: boolean
  /** Whether it is only looked at: a record in which it cannot be written is not for the kernel. */
  readonly isSilent?: boolean
  /** Whether nothing follows it in its object if it is there. */
  readonly endsObject?: boolean
  /**
   * The bit by which a written record says that it is there (`RecordView.notes`), counted from 0: of a whole number that it is positive, and by the next
   * bit that it is negative.
   */
  readonly note?: number
}

const Mode = { object: 1, csv: 2, tsv: 3, values: 0 } as const
/** What a line can be, in the kernel. */
export type LineMode = Exclude<keyof typeof Mode, 'values'>
const SAFE = 4

const encoder = new TextEncoder()

export interface LineFormOptions {
  readonly columns: readonly LineColumn[]
  /**
   * Whether a line is an object of JSON, a row of a table, or values (xml/kernel/values.ts). Columns of what is around records are not written
   * where the host has found that (`RecordView.isLineComplete`).
   */
  readonly format: keyof typeof Mode
  /** Whether texts in a table get an apostrophe if a spreadsheet would run them as formulas. */
  readonly isSafe?: boolean | undefined
  /** Whether objects have `null` for what is absent. */
  readonly hasNulls?: boolean
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

  constructor({ columns, format, isSafe = false, hasNulls = false }: LineFormOptions) {
    this.#columns = columns
    const isObject = format === 'object'
    this.#absent = hasNulls && isObject ? ColumnFlag.NULL : 0
    this.mode = Mode[format] | (isSafe && !isObject ? SAFE : 0)
    this.columnCount = columns.length
    this.isBinary = format === 'values'
    this.hasOffsets = haveOffsets(columns)
    this.hasAround = columns.some(isOfAround)
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
      words[at + ColumnWord.AS] = As[column.as]
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

  #flagsOf(column: LineColumn): number {
    const { isRequired, endsObject, isSilent, steps, as, note } = column
    const noted = note === undefined ? 0 : ColumnFlag.NOTED | (note << NOTE_SHIFT)
    const isAll = steps.at(-1)?.isList && as !== 'refused'
    const said =
      (isRequired ? ColumnFlag.REQUIRED : 0) | (endsObject ? ColumnFlag.ENDS : 0) | (isSilent ? ColumnFlag.SILENT : 0)
    const isAround = isOfAround(column)
    return said | noted | (isAll ? ColumnFlag.ALL : 0) | (isAround ? ColumnFlag.AROUND : 0) | this.#absent
  }
}

function isOfAround({ steps }: LineColumn): boolean {
  return steps[0]?.record?.outer !== undefined
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

/** What the kernel writes for a kind of value; undefined for those that it cannot write. */
const WRITTEN: { readonly [Kind in ValueKind]?: LineColumn['as'] } = {
  string: 'text',
  xml: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  present: 'true',
  offset: 'offset',
}

/** The columns of all fields of a record, with their names as keys; undefined if the kernel cannot write one of them. */
export function columnsOf({ fields }: RecordPlan): readonly LineColumn[] | undefined {
  const columns: LineColumn[] = []
  for (const field of fields) {
    if (field.isHidden) continue
    const column = columnOf(field.name, [field])
    if (!column) return undefined
    columns.push(column)
  }
  return columns
}

/** A column for the last of some fields, each of which lies in the record that is the value of the one before it; undefined if the kernel cannot write it. */
function columnOf(key: string, steps: readonly FieldPlan[]): LineColumn | undefined {
  const field = steps.at(-1)
  const isReachable = steps.length <= MOST_STEPS && steps.slice(0, -1).every(({ isList }) => !isList)
  if (!field || !isReachable || field.record?.outer) return undefined
  if (field.record) {
    const columns = columnsOf(field.record)
    return columns && { key, steps, as: 'object', columns }
  }
  const as = WRITTEN[field.kind as ValueKind]
  return as && { key, steps, as }
}
