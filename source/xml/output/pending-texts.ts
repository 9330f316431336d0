// Short texts of many records, which are decoded together: one string for all of them takes a fraction of the time of one for each.

import type { DocumentFacts } from '../parser/consumer.ts'
import type { Captures } from '../projection/captures.ts'
import type { FieldPlan } from '../question/plan.ts'
import type { Container } from './record-reader.ts'

/** Bytes of texts that share one string at the most: one that is kept keeps that. */
const LARGEST_SHARE = 16 * 1024

/** Puts a text into the container that it belongs to, under its key. `text` is undefined if it could not be decoded with others. */
type Settle = (
  container: Container,
  key: string | number,
  field: FieldPlan,
  entry: number,
  text: string | undefined,
) => void

export class PendingTexts {
  /** The number of the record that texts are added for; and of that whose text could not be settled, if there is one. */
  record = 0
  failedRecord: number | undefined
  readonly #facts: DocumentFacts
  readonly #captures: Captures
  readonly #settle: Settle
  readonly #containers: Container[] = []
  readonly #keys: (string | number)[] = []
  readonly #fields: FieldPlan[] = []
  readonly #entries: number[] = []
  readonly #records: number[] = []
  /** Three numbers for each, and how many units there are up to its end. */
  readonly #ranges: number[] = []
  readonly #ends: number[] = []
  #count = 0
  #bytes = 0

  constructor(facts: DocumentFacts, captures: Captures, settle: Settle) {
    this.#facts = facts
    this.#captures = captures
    this.#settle = settle
  }

  /** Adds the text of an entry that has one piece, in the input. */
  add(container: Container, key: string | number, field: FieldPlan, entry: number): void {
    const captures = this.#captures
    const [from, end] = [captures.from(entry), captures.end(entry)]
    const i = this.#count++
    this.#containers[i] = container
    this.#keys[i] = key
    this.#fields[i] = field
    this.#entries[i] = entry
    this.#records[i] = this.record
    this.#ranges[3 * i] = from
    this.#ranges[3 * i + 1] = end
    this.#ranges[3 * i + 2] = captures.kindOf(entry)
    this.#bytes += end - from
    if (this.#bytes > LARGEST_SHARE) this.settle()
  }

  /** Decodes all texts. */
  settle(): void {
    const count = this.#count
    if (count === 0) return
    const { normalizesLineEnds, decode } = this.#facts
    const all = normalizesLineEnds ? decode(this.#ranges, 3 * count, this.#ends) : undefined
    for (let i = 0, from = 0; i < count; i++) {
      this.failedRecord = this.#records[i] as number
      const end = this.#ends[i] as number
      const text = all?.substring(from, end)
      from = end
      const [container, key] = [this.#containers[i] as Container, this.#keys[i] as string | number]
      this.#settle(container, key, this.#fields[i] as FieldPlan, this.#entries[i] as number, text)
    }
    this.failedRecord = undefined
    this.clear()
  }

  /** Forgets texts of records with this number or a later one. */
  clear(from = 0): void {
    while (this.#count > 0 && (this.#records[this.#count - 1] as number) >= from) this.#count--
    if (this.#count > 0) return
    this.#bytes = 0
    // Records are not to be kept by who made them.
    this.#containers.length = 0
  }
}
