// What of a record is written as a line of JSON, and under which keys: a table of columns that the kernel follows (kernel/xml/lines.ts).

import type { FieldPlan, RecordPlan } from '../projection/plan.ts'
import type { ValueKind } from '../projection/shape.ts'

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
   * The bit by which a written record says that it is there (`LineRun.notesOf`), counted from 0: of a whole number that it is positive, and by the next
   * bit that it is negative.
   */
  readonly note?: number
}

/** What a column is in the kernel. */
const As = { text: 0, integer: 1, number: 2, boolean: 3, true: 4, offset: 5, object: 6, refused: 7, seen: 8 } as const
const Flag = { REQUIRED: 1, ENDS: 2, ALL: 4, NULL: 8, SILENT: 16, AROUND: 32, NOTED: 64 } as const
const Mode = { object: 1, csv: 2, tsv: 3, values: 0 } as const
/** What a line can be, in the kernel. */
export type LineMode = Exclude<keyof typeof Mode, 'values'>
const SAFE = 4
/** Bits after which the number of a note stands among flags. */
const NOTE_SHIFT = 8
const COLUMN_WORDS = 12
const MOST_STEPS = 4

const encoder = new TextEncoder()

export interface LineFormOptions {
  readonly columns: readonly LineColumn[]
  /**
   * Whether a line is an object of JSON, a row of a table, or values (kernel/xml/values.ts). Columns of what is around records are not written
   * where the host has found that (`CompleteRecords.isWhole`).
   */
  readonly format: keyof typeof Mode
  /** Whether cells of a table are kept from being taken for formulas. */
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
  #base = -1
  #words: Int32Array<ArrayBuffer> = new Int32Array()

  constructor({ columns, format, isSafe = false, hasNulls = false }: LineFormOptions) {
    this.#columns = columns
    const isObject = format === 'object'
    this.#absent = hasNulls && isObject ? Flag.NULL : 0
    this.mode = Mode[format] | (isSafe && !isObject ? SAFE : 0)
    this.columnCount = columns.length
    this.isBinary = format === 'values'
    this.hasOffsets = haveOffsets(columns)
    this.hasAround = columns.some(isOfAround)
  }

  /** The words, of which the first is the one with this number in the job; they begin with the columns. */
  encode(base: number): Int32Array<ArrayBuffer> {
    if (this.#base === base) return this.#words
    const words: number[] = []
    this.#put(words, this.#columns, base)
    this.#base = base
    this.#words = Int32Array.from(words)
    return this.#words
  }

  /** Where columns come to be. */
  #put(words: number[], columns: readonly LineColumn[], base: number): number {
    const first = words.length
    for (let i = 0; i < columns.length * COLUMN_WORDS; i++) words.push(0)
    for (const [i, column] of columns.entries()) {
      const at = first + i * COLUMN_WORDS
      const key = encoder.encode(`,${JSON.stringify(column.key)}:`)
      words[at] = As[column.as]
      words[at + 1] = 4 * (base + putBytes(words, key))
      words[at + 2] = key.length
      words[at + 3] = this.#flagsOf(column)
      words[at + 4] = column.steps.length
      for (const [step, { slot }] of column.steps.entries()) words[at + 5 + step] = slot
      if (!column.columns) continue
      words[at + 9] = base + this.#put(words, column.columns, base)
      words[at + 10] = column.columns.length
    }
    return first
  }

  #flagsOf(column: LineColumn): number {
    const { isRequired, endsObject, isSilent, steps, as, note } = column
    const noted = note === undefined ? 0 : Flag.NOTED | (note << NOTE_SHIFT)
    const isAll = steps.at(-1)?.isList && as !== 'refused'
    const said = (isRequired ? Flag.REQUIRED : 0) | (endsObject ? Flag.ENDS : 0) | (isSilent ? Flag.SILENT : 0)
    const isAround = isOfAround(column)
    return said | noted | (isAll ? Flag.ALL : 0) | (isAround ? Flag.AROUND : 0) | this.#absent
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
