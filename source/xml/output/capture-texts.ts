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
      const isCopied = captures.isCopied(entry)
      const first = isCopied ? captures.bytes[from] : this.#facts.viewInput(from, from + 1)[0]
      const mayBeBlank = hasBlanks && (first as number) <= SPACE
      if (first !== LESS_THAN && first !== AMPERSAND && !mayBeBlank) return false
    }
    const text = this.textOf(field, entry)
    return (hasBlanks ? text.trim() : text) === ''
  }

  #decode(entry: number): string {
    const captures = this.#captures
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.STRING) return captures.stringOf(entry)
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (end <= from) return ''
    const { normalizesLineEnds, decode, viewInput } = this.#facts
    if (captures.isCopied(entry)) {
      return decodePlainly(captures.bytes.subarray(from, end), kind as TextKind, normalizesLineEnds)
    }
    const isShort = end - from <= SHORT
    const text = normalizesLineEnds && !isShort ? decode([from, end, kind], 3) : undefined
    return text ?? decodePlainly(viewInput(from, end), kind as TextKind, normalizesLineEnds)
  }
}
