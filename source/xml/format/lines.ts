// Records as lines of text in UTF-8.

import { LineBytes } from '../output/line-bytes.ts'
import { columnsOf, LineForm } from '../output/line-form.ts'
import type { RecordView } from '../output/record-view.ts'
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
  }

  add(record: RecordView): undefined {
    const { isWanted, hasEnds } = this.#options
    if (this.#left <= 0 || (isWanted && !isWanted(record.values))) return
    if (record.hasLine) record.putLine(this.#output)
    else this.#output.putText(this.#format(record))
    this.#records++
    this.#left--
    if (hasEnds) this.#end = record.end
  }

  /** The line of a record that the kernel has not written. */
  #format(record: RecordView): string {
    record.addLate()
    const { values } = record
    const cells = this.#names.map((name) => values[name])
    const { format, lineEnd } = this.#notation
    return format(this.#names, cells, this.#options) + lineEnd
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
}
