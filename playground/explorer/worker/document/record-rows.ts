// The records of a shape as rows of a table: the first ones are kept, the others counted.

import { readXml, type XmlShape } from 'xylem/xml/streaming'
import type { PickedShape } from '../../protocol.ts'
import type { Gate } from '../gate.ts'
import type { OpenInput } from '../input.ts'
import { detachText } from './detach-text.ts'

/** The shape for the library. */
export function toShape({ fields }: PickedShape): XmlShape {
  return Object.fromEntries(fields.map(({ name, path, isList }) => [name, isList ? [path] : path]))
}

/** The path of the records for the library: from the root on. */
export function toPath({ record }: PickedShape): string {
  return `/${record}`
}

const SEPARATOR = ' · '
/** UTF-16 units of a value that are kept: the table shows no more, and a hundred thousand long texts would not fit into memory. */
const LONGEST = 2000

export class RecordRows {
  readonly #limit: number
  readonly #rows: string[][] = []
  #all = 0

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

  /** Reads records to the end, and releases the cursor. `onRows` is called after each batch. Throws what reading throws, after the records before. */
  async read({ cursor }: OpenInput, shape: PickedShape, gate: Gate, onRows: () => void): Promise<void> {
    const names = shape.fields.map(({ name }) => name)
    try {
      for await (const batch of readXml(cursor).records(toPath(shape), toShape(shape)).batches()) {
        this.#all += batch.length
        for (const record of batch.slice(0, this.#limit - this.#rows.length)) {
          this.#rows.push(names.map((name) => formatValue((record as Record<string, unknown>)[name])))
        }
        onRows()
        await gate.passed()
      }
    } finally {
      cursor.release()
    }
  }
}

function formatValue(value: unknown): string {
  const text = Array.isArray(value) ? value.join(SEPARATOR) : value === undefined ? '' : String(value)
  return text.length <= LONGEST ? text : detachText(`${text.slice(0, LONGEST)} …`)
}
