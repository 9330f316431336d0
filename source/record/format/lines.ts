// Records as lines of text in UTF-8.

import { LineBytes } from '../line-bytes.ts'
import type {
  Collected,
  Collector,
  Format,
  FormatField,
  FormatRecord,
  FormatSetup,
  FormatWriter,
  LineMode,
  LineNotation,
} from './format.ts'

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
  return { notation, open, collect: (fields, options) => new LineCollector(notation, fields, options) }
}

class LineCollector implements Collector<LineBatch> {
  readonly writing: LineMode | undefined
  readonly #notation: LineNotation
  readonly #options: FormatSetup
  readonly #names: readonly string[]
  readonly #output = new LineBytes()
  #records = 0

  constructor(notation: LineNotation, fields: readonly FormatField[], options: FormatSetup) {
    this.writing = notation.mode
    this.#notation = notation
    this.#options = options
    this.#names = fields.map(({ name }) => name)
  }

  add(record: FormatRecord): undefined {
    if (record.hasLine) record.putLine?.(this.#output)
    else this.#output.putText(this.#format(record) + this.#notation.lineEnd)
    this.#records += record.count ?? 1
  }

  take(): Collected<LineBatch>[] {
    const records = this.#records
    this.#records = 0
    return records === 0 ? [] : [{ batch: { bytes: this.#output.take(), records }, records }]
  }

  finish(): Collected<LineBatch>[] {
    return this.take()
  }

  #format(record: FormatRecord): string {
    const { format, formatAny } = this.#notation
    if (formatAny && record.bare !== undefined) return formatAny(record.bare, this.#options)
    const values = record.complete()
    // Of a field that is absent, objects may have another value, such as `constructor`.
    const cells = this.#names.map((name) => (Object.hasOwn(values, name) ? values[name] : undefined))
    return format(this.#names, cells, this.#options)
  }
}
