// Gives complete records to a writer, and lets go of the input that open ones do not need.

import { UnplacedError } from '../errors/unplaced-error.ts'
import type { RecordWriter } from '../output/record-writer.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { FieldPlan } from '../question/plan.ts'
import { CaptureKind } from './captures.ts'
import type { OpenFields } from './open-fields.ts'

export class RecordDelivery {
  readonly #writer: RecordWriter<object>
  readonly #open: OpenFields
  /** By their numbers. */
  readonly #fields: readonly FieldPlan[]
  #facts: DocumentFacts | undefined
  /** Whether one of the records was an error. */
  #hasFailed = false
  /** Whether some were written since the input has gone last. */
  #hasWritten = false

  constructor(writer: RecordWriter<object>, open: OpenFields, fields: readonly FieldPlan[]) {
    this.#writer = writer
    this.#open = open
    this.#fields = fields
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#writer.begin(facts, this.#open.captures, this.#open.names)
  }

  /** The records that are there, and their input, are about to go. */
  leave(): void {
    if (this.#hasFailed) return
    this.writeAll()
    const { first } = this.#open
    const hasWritten = this.#hasWritten
    this.#hasWritten = false
    if (!first) return
    this.#writer.reader.places.forget(this.#open.captures.originOf(first.entry))
    // What was before the open record is complete. In one around others, there are those among its fields.
    this.#open.captures.skipTo(first.entry)
    if (first.plan.outer && hasWritten && this.#open.captures.areFew)
      this.#open.captures.tidy((move) => this.#open.forward(move))
    const { machine } = this.#facts as DocumentFacts
    this.#open.captures.leave(machine, (move) => this.#open.forward(move), this.#note)
  }

  /** Nothing more comes: elements may have ended after the last records left. */
  finish(): void {
    if (this.#hasFailed) return
    try {
      this.write()
    } catch (error) {
      throw error instanceof UnplacedError ? (this.#facts as DocumentFacts).explain(error) : error
    }
  }

  /** Gives the writer the records that are complete; if nothing is open, everything is forgotten then. */
  writeAll(): void {
    this.write()
    if (this.#open.first) return
    this.#open.captures.clear()
    this.#open.newest.forget()
    this.#writer.reader.places.forget(Number.POSITIVE_INFINITY)
  }

  /** Gives the writer the records that are complete. */
  write(): void {
    const { complete } = this.#open
    if (complete.count === 0) return
    this.#hasWritten = true
    // After an error nothing more is written.
    this.#hasFailed = true
    this.#writer.write(complete)
    this.#hasFailed = false
    complete.clear()
  }

  /** The input of an entry is about to go: notes where it is if an error may be there. */
  readonly #note = (entry: number, isOpen: boolean): void => {
    const field = this.#fields[this.#open.captures.fieldOf(entry)]
    const kind = this.#open.captures.kindOf(entry)
    const origin = this.#open.captures.originOf(entry)
    const { reader } = this.#writer
    if (kind === CaptureKind.RECORD || kind === CaptureKind.PRESENT) reader.places.noteSource(origin)
    if (kind === CaptureKind.RECORD) reader.places.note(origin)
    else if (field) reader.note(field, entry, isOpen)
  }
}
