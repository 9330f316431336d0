// Reads an input again for the records of a shape.

import type { PickedShape, ToldError } from '../../protocol.ts'
import type { Gate } from '../gate.ts'
import type { OpenInput } from '../input.ts'
import { RecordRows } from './record-rows.ts'

/** Milliseconds between two reports. */
const REPORT_EVERY = 200

/** What a reading is asked for, and whom it reports to. */
export interface RecordQuestion {
  readonly shape: PickedShape
  /** How many records are read. Undefined: all. */
  readonly most: number | undefined
  readonly open: (signal: AbortSignal) => OpenInput
  readonly gate: Gate
  readonly tell: (error: unknown) => ToldError
  /** Called a few times a second, and at the end. */
  readonly onRows: (rows: RecordRows, isDone: boolean, error: ToldError | undefined) => void
}

export class RecordReading {
  readonly rows: RecordRows
  readonly #abort = new AbortController()
  #reported = 0

  /** `limit`: how many rows are kept. */
  constructor(limit: number) {
    this.rows = new RecordRows(limit)
  }

  /** Never rejects: errors are told. */
  async run({ shape, most, open, gate, tell, onRows }: RecordQuestion): Promise<void> {
    const { signal } = this.#abort
    try {
      await this.rows.read(open(signal), shape, gate, () => {
        if (this.rows.kept === most) this.end()
        else if (performance.now() - this.#reported > REPORT_EVERY) {
          this.#reported = performance.now()
          onRows(this.rows, false, undefined)
        }
      })
      onRows(this.rows, true, undefined)
    } catch (error) {
      onRows(this.rows, true, signal.aborted ? undefined : tell(error))
    }
  }

  /** Ends reading. What was read stays. */
  end(): void {
    this.#abort.abort()
  }
}
