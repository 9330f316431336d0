// What captured texts stand for.

import { Decode } from '../../machine/program/registers.ts'
import { limitLength } from '../../text/length-limit.ts'
import { concatText } from '../../text/units.ts'
import { shorten } from '../errors/unplaced-error.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { ABSENT_IF_EMPTY } from '../projection/capture-words.ts'
import { CaptureKind, type Captures } from '../projection/captures.ts'
import type { FieldPlan } from '../question/plan.ts'
import { decodePlainly, type TextKind } from '../text/character-data.ts'

/** Bytes of a text for which a call of the kernel would take longer. */
const SHORT = 32
/** Bytes up to which a text is decoded together with others, and of all that share one string: one text that is kept keeps that. */
const MOST_SHARED = 256
const LARGEST_SHARE = 16 * 1024
const LESS_THAN = 0x3c
const AMPERSAND = 0x26
const SPACE = 0x20

export class CaptureTexts {
  readonly #facts: DocumentFacts
  readonly #captures: Captures
  /**
   * Short texts that were decoded together, since one string for all of them takes a fraction of the time of one for each: the entry of the first,
   * and for each entry from there on, which of the texts it is, or -1. They hold as long as entries do not move.
   */
  #shared: string | undefined
  #generation = -1
  #first = 0
  readonly #numbers: number[] = []
  /** Three numbers for each text, and how many units there are up to its end. */
  readonly #ranges: number[] = []
  readonly #ends: number[] = []

  constructor(facts: DocumentFacts, captures: Captures) {
    this.#facts = facts
    this.#captures = captures
    facts.prepareDecoding()
  }

  /**
   * The text of a value, with all its pieces. `areMore`: the texts after it are likely to be wanted as well. Throws a `LimitError` if it is too long for
   * a string.
   */
  textOf(field: FieldPlan, entry: number, areMore = false): string {
    const captures = this.#captures
    let text = ''
    for (let piece = entry; piece !== 0; piece = captures.nextPiece(piece)) {
      try {
        text = concatText(text, this.#decode(piece, areMore))
      } catch (error) {
        throw limitLength(error, `the field ${shorten(field.fullName)}`, captures.originOf(entry))
      }
    }
    return text
  }

  /** Whether a value is absent: because it says so, or because it is empty. Most texts need not be decoded for that. */
  isAbsent(field: FieldPlan, entry: number): boolean {
    const captures = this.#captures
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.ABSENT) return true
    if ((captures.markOf(entry) & ABSENT_IF_EMPTY) === 0) return false
    if (kind > Decode.CONTENT && kind !== CaptureKind.STRING) return false
    // Blanks around numbers and booleans do not count.
    const hasBlanks = field.kind === 'integer' || field.kind === 'number' || field.kind === 'boolean'
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (kind <= Decode.CONTENT && end > from) {
      const isCopied = captures.isCopied(entry)
      const first = isCopied ? captures.bytes[from] : this.#facts.viewInput(from, from + 1)[0]
      const mayBeBlank = hasBlanks && (first as number) <= SPACE
      if (first !== LESS_THAN && first !== AMPERSAND && !mayBeBlank) return false
    }
    const text = this.textOf(field, entry)
    return (hasBlanks ? text.trim() : text) === ''
  }

  #decode(entry: number, areMore: boolean): string {
    const captures = this.#captures
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.STRING) return captures.stringOf(entry)
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (end <= from) return ''
    if (areMore && this.#isShared(entry) && !this.#isKnown(entry)) this.#decodeFrom(entry)
    const number = this.#isKnown(entry) ? (this.#numbers[entry - this.#first] as number) : -1
    if (number >= 0 && this.#shared !== undefined) {
      return this.#shared.substring(number === 0 ? 0 : (this.#ends[number - 1] as number), this.#ends[number])
    }
    const { normalizesLineEnds, decode, viewInput } = this.#facts
    if (captures.isCopied(entry)) {
      return decodePlainly(captures.bytes.subarray(from, end), kind as TextKind, normalizesLineEnds)
    }
    const isShort = end - from <= SHORT
    const text = normalizesLineEnds && !isShort ? decode([from, end, kind], 3) : undefined
    return text ?? decodePlainly(viewInput(from, end), kind as TextKind, normalizesLineEnds)
  }

  /** Whether an entry is a text in the input that is short. */
  #isShared(entry: number): boolean {
    const captures = this.#captures
    const length = captures.end(entry) - captures.from(entry)
    return captures.kindOf(entry) <= Decode.CONTENT && length > 0 && length <= MOST_SHARED && !captures.isCopied(entry)
  }

  /** Whether an entry is among those whose texts were decoded together. */
  #isKnown(entry: number): boolean {
    const isBefore = entry < this.#first || this.#generation !== this.#captures.generation
    return !isBefore && entry < this.#first + this.#numbers.length
  }

  /** Decodes the short texts from an entry on. */
  #decodeFrom(first: number): void {
    const captures = this.#captures
    const { normalizesLineEnds, decode } = this.#facts
    const ranges = this.#ranges
    let [count, bytes] = [0, 0]
    this.#numbers.length = 0
    for (let entry = first; entry < captures.entryCount && bytes < LARGEST_SHARE; entry++) {
      const isShared = this.#isShared(entry)
      this.#numbers.push(isShared ? count / 3 : -1)
      if (!isShared) continue
      const [from, end] = [captures.from(entry), captures.end(entry)]
      ranges[count++] = from
      ranges[count++] = end
      ranges[count++] = captures.kindOf(entry)
      bytes += end - from
    }
    this.#shared = normalizesLineEnds ? decode(ranges, count, this.#ends) : undefined
    this.#first = first
    this.#generation = captures.generation
  }
}
