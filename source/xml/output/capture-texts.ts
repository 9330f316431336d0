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
const LESS_THAN = 0x3c
const AMPERSAND = 0x26
const SPACE = 0x20
const ZERO = 0x30
/** Digits of a number that is certainly exact. */
const MOST_DIGITS = 15

export class CaptureTexts {
  readonly #facts: DocumentFacts
  readonly #captures: Captures

  constructor(facts: DocumentFacts, captures: Captures) {
    this.#facts = facts
    this.#captures = captures
    facts.prepareDecoding()
  }

  /** The text of a value, with all its pieces. Throws a `LimitError` if it is too long for a string. */
  textOf(field: FieldPlan, entry: number): string {
    const captures = this.#captures
    let text = ''
    for (let piece = entry; piece !== 0; piece = captures.nextPiece(piece)) {
      try {
        text = concatText(text, this.#decode(piece))
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
    return captures.isCopied(entry) ? { bytes: captures.bytes, toAddress: 0 } : this.#facts.viewWindow()
  }

  #decode(entry: number): string {
    const captures = this.#captures
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.STRING) return captures.stringOf(entry)
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (end <= from) return ''
    const { normalizesLineEnds, decode } = this.#facts
    const isForKernel = normalizesLineEnds && end - from > SHORT && !captures.isCopied(entry)
    const text = isForKernel ? decode([from, end, kind], 3) : undefined
    if (text !== undefined) return text
    const { bytes, toAddress } = this.#placeOf(entry)
    return decodePlainly(bytes, from + toAddress, end + toAddress, kind as TextKind, normalizesLineEnds)
  }
}
