// Records as lines of text in UTF-8.

import type { FoundRecord } from '../output/found-record.ts'
import { LineBytes } from '../output/line-bytes.ts'
import { columnsOf, LineForm } from '../output/line-form.ts'
import type { LineTaker } from '../output/line-run.ts'
import { writtenFields } from '../projection/plan.ts'
import type { Collected, Collector, CollectorOptions, Format, FormatWriter, LineNotation } from './format.ts'

/** Complete lines, and how many records they are. */
export interface LineBatch {
  readonly bytes: Uint8Array
  readonly records: number
}

export type LineFormat = Format<LineBatch> & Required<Pick<Format<LineBatch>, 'notation' | 'open'>>

const NO_BYTES = new Uint8Array(0)
/** Writes lines as they are. */
export const PLAIN_LINES: FormatWriter<LineBatch> = {
  begin: () => NO_BYTES,
  write: ({ bytes }) => bytes,
  end: () => NO_BYTES,
}

/** A format of lines in a notation. Without `open`, nothing stands around the lines. */
export function lineFormat(notation: LineNotation, open: LineFormat['open'] = () => PLAIN_LINES): LineFormat {
  return { notation, open, collect: (options) => new LineCollector(notation, options) }
}

class LineCollector implements Collector<LineBatch> {
  /** Undefined if the kernel cannot write one of the fields. */
  readonly form: LineForm | undefined
  readonly lines: LineTaker
  readonly #notation: LineNotation
  readonly #options: CollectorOptions
  readonly #names: readonly string[]
  readonly #output = new LineBytes()
  #records = 0
  #left: number
  #end = 0

  constructor(notation: LineNotation, options: CollectorOptions) {
    const { plan, hasNulls, isSafe } = options
    const { mode } = notation
    const columns = mode && columnsOf(plan)
    this.form = columns && new LineForm({ columns, format: mode, hasNulls, isSafe })
    this.#notation = notation
    this.#options = options
    this.#left = options.limit
    this.#names = writtenFields(plan).map(({ name }) => name)
    this.lines = {
      isWanted: (record) => {
        if (!this.#isWanted(record)) return false
        this.#note(record)
        return true
      },
      add: (run) => {
        run.put(this.#output)
        this.#records += run.count
      },
    }
  }

  /** Writes a record that the kernel has not written. */
  readonly make = (record: FoundRecord): undefined => {
    if (!this.#isWanted(record)) return
    const before = this.#output.length
    try {
      record.addLate()
      const { values } = record
      const cells = this.#names.map((name) => values[name])
      const { format, lineEnd } = this.#notation
      this.#output.putText(format(this.#names, cells, this.#options) + lineEnd)
    } catch (error) {
      this.#output.cut(before)
      throw error
    }
    this.#records++
    this.#note(record)
  }

  take(): Collected<LineBatch>[] {
    if (this.#output.length === 0) return []
    const records = this.#records
    this.#records = 0
    return [{ batch: { bytes: this.#output.take(), records }, ends: [this.#end] }]
  }

  finish(): Collected<LineBatch>[] {
    return this.take()
  }

  #isWanted(record: FoundRecord): boolean {
    const { isWanted } = this.#options
    return this.#left > 0 && (!isWanted || isWanted(record.values))
  }

  /** The record is in the batch. */
  #note(record: FoundRecord): void {
    this.#left--
    if (this.#options.hasEnds) this.#end = record.end
  }
}
