// Records as lines of text in UTF-8: JSON lines, or rows of a table.

import { formatJson, formatObject } from '../../text/json.ts'
import type { RecordPlan } from '../projection/plan.ts'
import type { RecordValues } from '../projection/shape.ts'
import type { FoundRecord } from './found-record.ts'
import { LineBytes } from './line-bytes.ts'
import { columnsOf, LineForm } from './line-form.ts'
import type { LineTaker } from './line-run.ts'
import { formatRow, type TableKind } from './table.ts'

/** How lines are written: JSON (jsonlines.org), or values separated by commas (RFC 4180) or tabs. */
export type LineFormat = 'jsonl' | TableKind

export interface RecordLinesOptions {
  readonly plan: RecordPlan
  readonly format: LineFormat
  /** Whether what is absent is written as null in JSON. */
  readonly hasNulls: boolean
  /** Decides about each record besides the conditions of the reader. */
  readonly isWanted?: ((values: RecordValues) => boolean) | undefined
  /** Called with each record whose line is added. */
  readonly onAdd?: ((record: FoundRecord) => void) | undefined
}

/** Complete lines, and how many records they are. */
export interface LineBatch {
  readonly bytes: Uint8Array
  readonly records: number
}

/** Puts the lines of one document together. */
export class RecordLines {
  /** What the kernel writes; undefined if it cannot write one of the fields, or not in this format. */
  readonly form: LineForm | undefined
  readonly #options: RecordLinesOptions
  readonly #names: readonly string[]
  /** Whether objects have their keys in the order of the fields. */
  readonly #isInOrder: boolean
  readonly #output = new LineBytes()
  #records = 0

  constructor(options: RecordLinesOptions) {
    const { plan, format, hasNulls } = options
    const columns = columnsOf(plan)
    this.form =
      columns &&
      new LineForm({
        columns,
        format: format === 'jsonl' ? 'object' : format,
        hasNulls: hasNulls && format === 'jsonl',
      })
    this.#options = options
    this.#names = plan.fields.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
    this.#isInOrder = !this.#names.some(isIndex)
    if (format !== 'jsonl') this.#output.putText(formatRow(format, this.#names))
  }

  /** Adds the line of a record that the kernel has not written. */
  add(record: FoundRecord): undefined {
    const { isWanted, format, hasNulls, onAdd } = this.#options
    if (isWanted && !isWanted(record.values)) return
    const before = this.#output.length
    try {
      this.#write(record, format, hasNulls)
    } catch (error) {
      this.#output.cut(before)
      throw error
    }
    this.#records++
    onAdd?.(record)
  }

  /** Takes what the kernel has written. */
  get taker(): LineTaker {
    const { isWanted, onAdd } = this.#options
    return {
      isWanted: (record) => {
        if (isWanted && !isWanted(record.values)) return false
        onAdd?.(record)
        return true
      },
      add: (run) => {
        run.put(this.#output)
        this.#records += run.count
      },
    }
  }

  /** The lines since the last time; undefined if there are none. */
  take(): LineBatch | undefined {
    if (this.#output.length === 0) return undefined
    const records = this.#records
    this.#records = 0
    return { bytes: this.#output.take(), records }
  }

  #write(record: FoundRecord, format: LineFormat, hasNulls: boolean): void {
    const output = this.#output
    record.addLate()
    const { values } = record
    const inOrder = () => this.#names.map((name) => values[name])
    if (format !== 'jsonl') {
      output.putText(formatRow(format, inOrder()))
      return
    }
    const absent = hasNulls ? null : undefined
    const line = this.#isInOrder ? formatJson(values, absent) : formatObject(this.#names, inOrder(), absent)
    output.putText(`${line}\n`)
  }
}

/** Whether objects have a property of this name before others. */
function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(name)
}
