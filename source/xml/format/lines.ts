// Records as lines of text in UTF-8.

import { LineBytes } from '../output/line-bytes.ts'
import { columnsOf, LineForm } from '../output/line-form.ts'
import type { RecordView } from '../output/record-view.ts'
import { type RecordPlan, writtenFields } from '../question/plan.ts'
import type { RecordValues } from '../question/shape.ts'
import type { Collected, Collector, Format, FormatOptions, FormatWriter, LineNotation } from './format.ts'

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
  return { notation, open, collect: (plan, options) => new LineCollector(notation, plan, options) }
}

class LineCollector implements Collector<LineBatch> {
  /** Undefined if the kernel cannot write the records. */
  readonly form: LineForm | undefined
  readonly #notation: LineNotation
  readonly #options: FormatOptions
  readonly #names: readonly string[]
  readonly #output = new LineBytes()
  #records = 0

  constructor(notation: LineNotation, plan: RecordPlan, options: FormatOptions) {
    const { hasNulls, isSafe } = options
    const { mode } = notation
    const canWrite = !plan.fields.some(({ record }) => record?.outer)
    this.form =
      mode && canWrite ? new LineForm({ columns: columnsOf(plan), format: mode, hasNulls, isSafe }) : undefined
    this.#notation = notation
    this.#options = options
    this.#names = writtenFields(plan).map(({ name }) => name)
  }

  add(record: RecordView): undefined {
    if (record.hasLine) record.putLine(this.#output)
    else this.#output.putText(this.#format(record.complete()))
    this.#records++
  }

  take(): Collected<LineBatch>[] {
    const records = this.#records
    this.#records = 0
    return records === 0 ? [] : [{ batch: { bytes: this.#output.take(), records }, records }]
  }

  finish(): Collected<LineBatch>[] {
    return this.take()
  }

  #format(values: RecordValues): string {
    const { format, lineEnd } = this.#notation
    const cells = this.#names.map((name) => values[name])
    return format(this.#names, cells, this.#options) + lineEnd
  }
}
