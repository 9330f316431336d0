// Reads an input again for the records of a shape, as rows of a table: the first ones are kept, the others counted.

import { readXml, type XmlShape } from 'xylem/xml/streaming'
import type { PickedShape, ToldError } from '../../protocol.ts'
import type { Gate } from '../gate.ts'
import type { OpenInput } from '../input.ts'
import { detachText } from './detach-text.ts'

/** Milliseconds between two reports. */
const REPORT_EVERY = 200
const SEPARATOR = ' · '
/** UTF-16 units of a value that are kept: the table shows no more, and a hundred thousand long texts would not fit into memory. */
const LONGEST = 2000

/** The shape for the library. */
export function toShape({ fields }: PickedShape): XmlShape {
  return Object.fromEntries(fields.map(({ name, path, isList }) => [name, isList ? [path] : path]))
}

/** The path of the records for the library: from the root on. */
export function toPath({ record }: PickedShape): string {
  return `/${record}`
}

/** What a reading is asked for, and whom it reports to. */
export interface RecordQuestion {
  readonly shape: PickedShape
  /** How many records are read. Undefined: all. */
  readonly most: number | undefined
  readonly open: (signal: AbortSignal) => OpenInput
  readonly gate: Gate
  readonly tell: (error: unknown) => ToldError
  /** Called a few times a second, and at the end. */
  readonly onRows: (rows: RecordReading, isDone: boolean, error: ToldError | undefined) => void
}

export class RecordReading {
  readonly #limit: number
  readonly #rows: string[][] = []
  readonly #abort = new AbortController()
  #all = 0
  #reported = 0

  /** `limit`: how many rows are kept. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get kept(): number {
    return this.#rows.length
  }

  /** How many records there were. */
  get all(): number {
    return this.#all
  }

  get isFull(): boolean {
    return this.#all > this.kept
  }

  /** Rows from one number up to, and without, another, as far as they are kept. */
  slice(from: number, to: number): readonly (readonly string[])[] {
    return this.#rows.slice(from, to)
  }

  /** Never rejects: errors are told, after the records before. */
  async run({ shape, most, open, gate, tell, onRows }: RecordQuestion): Promise<void> {
    const { signal } = this.#abort
    const { cursor } = open(signal)
    const names = shape.fields.map(({ name }) => name)
    try {
      for await (const batch of readXml(cursor).records(toPath(shape), toShape(shape)).batches()) {
        this.#all += batch.length
        for (const record of batch.slice(0, this.#limit - this.kept)) {
          this.#rows.push(names.map((name) => formatValue((record as Record<string, unknown>)[name])))
        }
        if (this.kept === most) this.end()
        else if (performance.now() - this.#reported > REPORT_EVERY) {
          this.#reported = performance.now()
          onRows(this, false, undefined)
        }
        await gate.passed()
      }
      onRows(this, true, undefined)
    } catch (error) {
      onRows(this, true, signal.aborted ? undefined : tell(error))
    } finally {
      cursor.release()
    }
  }

  /** Ends reading. What was read stays. */
  end(): void {
    this.#abort.abort()
  }
}

function formatValue(value: unknown): string {
  const text = Array.isArray(value) ? value.join(SEPARATOR) : value === undefined ? '' : String(value)
  return text.length <= LONGEST ? text : detachText(`${text.slice(0, LONGEST)} …`)
}
