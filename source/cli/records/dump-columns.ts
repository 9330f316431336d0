// Chosen fields of the records of a dump as columns.

import type { ColumnBatch } from '../../record/format/column.ts'
import { columnBuilders } from '../../record/format/column-builder.ts'
import type { FormatField, LineNotation } from '../../record/format/format.ts'
import type { Value } from '../../record/value.ts'

export class DumpColumns {
  /** Adds the values of each record to the columns, instead of writing a line. The kernel does not know it (`mode`), so every record comes here completely. */
  readonly notation: LineNotation
  readonly #builders: ReturnType<typeof columnBuilders>

  constructor(fields: readonly FormatField[]) {
    this.#builders = columnBuilders(fields)
    this.notation = {
      mode: undefined,
      separator: '',
      lineEnd: '',
      format: (_names, values) => {
        for (const [i, builder] of this.#builders.entries()) builder.add(values[i] as Value)
        return ''
      },
    }
  }

  /** The records since the last call. */
  take(): ColumnBatch {
    const rows = this.#builders[0]?.length ?? 0
    return { rows, columns: this.#builders.map((builder) => builder.take()) }
  }
}
