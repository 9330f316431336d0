// Gives the records of a document to whoever makes something of them: those that satisfy all conditions, in the order in which they ended.

import type { RecordValues } from '../../record/value.ts'
import type { XmlError } from '../errors/errors.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { Captures } from '../projection/captures.ts'
import type { RecordBatch } from '../projection/record-batch.ts'
import type { FieldError } from '../question/shape.ts'
import type { WherePlan } from '../question/where.ts'
import { type ElementParsing, RecordReader } from './record-reader.ts'
import { RecordView } from './record-view.ts'
import { satisfies } from './satisfies.ts'

export interface RecordWriterOptions<Item extends object> {
  /** Whether a value that is not of its kind is undefined; otherwise it is an error. */
  readonly isLenient: boolean
  /** What must hold of a record. */
  readonly conditions?: readonly WherePlan[] | undefined
  /** To be given if there are fields whose elements are read once more. */
  readonly parsing?: ElementParsing | undefined
  /** Whether a required field may be absent in this document. */
  readonly mayLack?: ((error: FieldError) => boolean) | undefined
  /** What becomes of a record, which may be nothing. It may throw an `UnplacedError`. */
  readonly make: (record: RecordView) => Item | undefined
  /** Whether `make` may get all records of a batch in one view, if the kernel has written them completely (`RecordView.count`). */
  readonly isJoining?: boolean | undefined
  /** Whether `make` gets records around others as well, when they end without any in them. */
  readonly wantsEmptyOuter?: boolean | undefined
  /** Called with an error in a record instead of throwing it. The record is then left out. */
  readonly onFault?: ((error: XmlError, record: RecordView) => void) | undefined
}

export class RecordWriter<Item extends object = RecordValues> {
  readonly #options: RecordWriterOptions<Item>
  #facts: DocumentFacts | undefined
  #reader: RecordReader | undefined
  #items: Item[] = []

  constructor(options: RecordWriterOptions<Item>) {
    this.#options = options
  }

  get wantsEmptyOuter(): boolean {
    return this.#options.wantsEmptyOuter ?? false
  }

  /** What reads the records of the document. */
  get reader(): RecordReader {
    return this.#reader as RecordReader
  }

  begin(facts: DocumentFacts, captures: Captures, names: readonly string[]): void {
    const { isLenient, parsing, mayLack } = this.#options
    this.#facts = facts
    this.#reader = new RecordReader({ facts, captures, names, isLenient, parsing, mayLack })
  }

  /** The items that are complete; none: an empty array. */
  take(): Item[] {
    const items = this.#items
    if (items.length > 0) this.#items = []
    return items
  }

  /** Makes items of records. If one of them has an invalid value, throws an `UnplacedError` after those before it. */
  write(batch: RecordBatch): void {
    const record = new RecordView(this.reader, batch)
    const count = this.#options.isJoining && batch.areComplete ? batch.count : 1
    try {
      for (let i = 0; i < batch.count; i += count) {
        record.turnTo(i, count)
        const item = this.#make(record)
        if (item !== undefined) this.#items.push(item)
      }
    } finally {
      batch.settle()
    }
  }

  /** What becomes of a record; undefined also if it has an error that is reported. */
  #make(record: RecordView): Item | undefined {
    const { conditions = [], make, onFault } = this.#options
    try {
      const isWanted = conditions.every((condition) => satisfies(this.reader, record.entry, condition))
      return isWanted ? make(record) : undefined
    } catch (error) {
      if (!(error instanceof UnplacedError)) throw error
      const fault = this.reader.places.locate(this.#inInput(error, record))
      if (!onFault) throw fault
      onFault((this.#facts as DocumentFacts).explain(fault), record)
      return undefined
    }
  }

  /** An error with an offset in the UTF-8 of the input. Who makes something of a record may only know offsets in the source. */
  #inInput(fault: UnplacedError, { place }: RecordView): UnplacedError {
    const { message, code, constraint } = fault
    const isOfValue = code === 'invalid-value' || code === 'missing-value'
    return isOfValue || !this.#facts?.toSource ? fault : new UnplacedError(message, code, constraint, place)
  }
}
