// What captured texts stand for.

import { Decode } from '../../machine/program/registers.ts'
import { concatText, limitLength } from '../../text/units.ts'
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
const ZERO = 0x30
/** Digits of a number that is certainly exact. */
const MOST_DIGITS = 15

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
  #count = 0
  readonly #numbers: number[] = []
  /** Three numbers for each text, and how many units there are up to its end. */
  readonly #ranges: number[] = []
  readonly #ends: number[] = []

  constructor(facts: DocumentFacts, captures: Captures) {
    this.#facts = facts
    this.#captures = captures
    facts.tape.prepareDecoding()
  }

  /**
   * The text of a value, with all its pieces. `areMore`: the texts after it are likely to be wanted as well. Throws a `LimitError` if it is too long for
   * a string.
   */
  textOf(field: FieldPlan, entry: number, areMore = false): string {
    const captures = this.#captures
    try {
      let text = this.#decode(entry, areMore)
      for (let piece = captures.nextPiece(entry); piece !== 0; piece = captures.nextPiece(piece)) {
        text = concatText(text, this.#decode(piece, areMore))
      }
      return text
    } catch (error) {
      throw limitLength(error, `the field ${shorten(field.fullName)}`, captures.originOf(entry))
    }
  }

  /** Whether a value is absent: because it says so, or because it is empty. Most texts need not be decoded for that. */
  isAbsent(field: FieldPlan, entry: number): boolean {
    const captures = this.#captures
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.ABSENT) return true
    if ((captures.markOf(entry) & ABSENT_IF_EMPTY) === 0) return false
    if (kind > Decode.CONTENT && kind !== CaptureKind.STRING) return false
    // Blanks around anything but texts do not count.
    const hasBlanks = field.values.words !== undefined
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (kind <= Decode.CONTENT && end > from) {
      const { bytes, toAddress } = this.#placeOf(entry)
      const first = bytes[from + toAddress] as number
      const mayBeBlank = hasBlanks && first <= SPACE
      if (first !== LESS_THAN && first !== AMPERSAND && !mayBeBlank) return false
    }
    const text = this.textOf(field, entry)
    return (hasBlanks ? text.trim() : text) === ''
  }

  /** What a text of digits stands for; undefined for any other. No string is made. */
  digitsOf(entry: number): number | undefined {
    const captures = this.#captures
    const [from, end] = [captures.from(entry), captures.end(entry)]
    const isText = captures.kindOf(entry) <= Decode.CONTENT && captures.nextPiece(entry) === 0
    if (!isText || end <= from || end - from > MOST_DIGITS) return undefined
    const { bytes, toAddress } = this.#placeOf(entry)
    let number = 0
    for (let at = from + toAddress; at < end + toAddress; at++) {
      const digit = (bytes[at] as number) - ZERO
      if (digit < 0 || digit > 9) return undefined
      number = 10 * number + digit
    }
    return number
  }

  /** What the bytes of a text are in, and what is added to its offsets for an index of that. */
  #placeOf(entry: number): { readonly bytes: Uint8Array; readonly toAddress: number } {
    const captures = this.#captures
    return captures.isCopied(entry) ? { bytes: captures.bytes, toAddress: 0 } : this.#facts.machine.viewWindow()
  }

  #decode(entry: number, areMore: boolean): string {
    const captures = this.#captures
    let number = this.#numberOf(entry)
    if (number === undefined && areMore && captures.isShortText(entry, MOST_SHARED)) {
      this.#decodeFrom(entry)
      number = 0
    }
    if (number !== undefined && number >= 0 && this.#shared !== undefined) {
      return this.#shared.substring(number === 0 ? 0 : (this.#ends[number - 1] as number), this.#ends[number])
    }
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.STRING) return captures.stringOf(entry)
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (end <= from) return ''
    const { normalizesLineEnds, tape } = this.#facts
    const isForKernel = normalizesLineEnds && end - from > SHORT && !captures.isCopied(entry)
    const text = isForKernel ? tape.decode([from, end, kind], 3) : undefined
    if (text !== undefined) return text
    const { bytes, toAddress } = this.#placeOf(entry)
    return decodePlainly(bytes, from + toAddress, end + toAddress, kind as TextKind, normalizesLineEnds)
  }

  /** Which of the texts that were decoded together an entry is, or -1; undefined for an entry before or after these. */
  #numberOf(entry: number): number | undefined {
    const at = entry - this.#first
    return at >= 0 && at < this.#count && this.#generation === this.#captures.generation ? this.#numbers[at] : undefined
  }

  /** Decodes the short texts from an entry on. */
  #decodeFrom(first: number): void {
    const captures = this.#captures
    const { normalizesLineEnds, tape } = this.#facts
    const ranges = this.#ranges
    const numbers = this.#numbers
    const { entryCount } = captures
    let [texts, bytes, entry] = [0, 0, first]
    for (; entry < entryCount && bytes < LARGEST_SHARE; entry++) {
      const isShared = captures.isShortText(entry, MOST_SHARED)
      numbers[entry - first] = isShared ? texts : -1
      if (!isShared) continue
      const [from, end] = [captures.from(entry), captures.end(entry)]
      ranges[3 * texts] = from
      ranges[3 * texts + 1] = end
      ranges[3 * texts + 2] = captures.kindOf(entry)
      texts++
      bytes += end - from
    }
    this.#shared = normalizesLineEnds ? tape.decode(ranges, 3 * texts, this.#ends) : undefined
    this.#first = first
    this.#count = entry - first
    this.#generation = captures.generation
  }
}
