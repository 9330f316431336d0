// Lines of records of which the kernel has written all but what is around them: that stands before the rest.

import type { FormatOptions, FormatRecord, LineNotation } from '../../record/format/format.ts'
import type { LineBytes } from '../../record/line-bytes.ts'
import type { RecordValues } from '../../record/value.ts'
import type { RecordView } from './record-view.ts'

const encoder = new TextEncoder()
const COMMA = 0x2c
/** Bytes of the line of an object without anything in it. */
const EMPTY_LENGTH = 3
/** The length of the line of a lone empty cell, `""` in CSV. */
const LONE_LENGTH = 4
const QUOTE = 0x22

export class OuterLines<Outer> {
  /** How lines are written, in formats of lines. */
  readonly #notation: LineNotation | undefined
  readonly #options: FormatOptions
  readonly #names: readonly string[]
  readonly #valuesOf: (outer: Outer) => RecordValues
  /** The last record around others, as lines begin with it, and its values. */
  #last: { readonly outer: Outer; readonly beginning: Uint8Array; readonly values: RecordValues } | undefined

  /** `names`: those of the fields that are around records; `valuesOf`: their values, of the record around others. */
  constructor(
    notation: LineNotation | undefined,
    options: FormatOptions,
    names: readonly string[],
    valuesOf: (outer: Outer) => RecordValues,
  ) {
    this.#notation = notation
    this.#options = options
    this.#names = names
    this.#valuesOf = valuesOf
  }

  /** What the kernel has written of a record, and what is around it, which it has not. The same object around others is not written again. */
  add(outer: Outer, record: RecordView): FormatRecord {
    const notation = this.#notation
    if (!this.#last || this.#last.outer !== outer) {
      const values = this.#valuesOf(outer)
      this.#last = { outer, values, beginning: encoder.encode(notation ? this.#begin(values, notation) : '') }
    }
    const { beginning, values } = this.#last
    const written = { hasLine: true, complete: () => record.complete() }
    if (notation) return { ...written, putLine: (output) => putAfter(beginning, output, record, notation) }
    return { ...written, readLine: (read) => record.readLine(read), around: values }
  }

  /** How a line begins. */
  #begin(values: RecordValues, { format, mode, separator }: LineNotation): string {
    const names = this.#names
    const line = format(
      names,
      names.map((name) => values[name]),
      this.#options,
    )
    if (mode === 'object') return line.slice(0, -1)
    return names.length === 0 ? '' : line + separator
  }
}

/** Writes the line of a record after how it begins. */
function putAfter(beginning: Uint8Array, output: LineBytes, record: RecordView, { mode }: LineNotation): void {
  const isJson = mode === 'object'
  output.put(beginning)
  // In JSON, its brace is there already.
  if (isJson && beginning.length > 1 && record.lineLength > EMPTY_LENGTH) output.putByte(COMMA)
  let skipped = isJson ? 1 : 0
  if (mode === 'csv' && beginning.length > 0 && record.lineLength === LONE_LENGTH) {
    // The kernel puts an empty cell in quotes if it is alone. Here it is not.
    record.readLine((bytes, from) => {
      if (bytes[from] === QUOTE) skipped = 2
    })
  }
  record.putLine(output, skipped)
}
