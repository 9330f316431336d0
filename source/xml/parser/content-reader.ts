// Reads parts that are no tags: text, CDATA sections, comments, instructions and references to characters. Reports what they stand for to a sink.

import { concatText } from '../../text/units.ts'
import { Fault, shorten } from '../errors/fault.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { predefinedEntity, referredCharacter } from '../text/references.ts'
import type { EntityReferences } from './entity-references.ts'
import type { ContentHandler } from './sink.ts'
import type { StepCounter } from './step-counter.ts'

const HASH = 0x23
const AMPERSAND = 0x26

export interface ContentReaderOptions {
  readonly sink: ContentHandler
  readonly references: EntityReferences
  readonly steps: StepCounter
  readonly namespaces: boolean
  readonly normalizesLineEnds: boolean
  /** Offset where the document begins. */
  readonly documentStart: number
}

export class ContentReader {
  readonly #options: ContentReaderOptions
  readonly #sink: ContentHandler
  /** Whether the CDATA section that comes next was reported, as far as it had arrived, except for its end. */
  #isCdataReported = false

  constructor(options: ContentReaderOptions) {
    this.#options = options
    this.#sink = options.sink
  }

  /** Whether a CDATA section is open that was reported as far as it had arrived. */
  get isCdataReported(): boolean {
    return this.#isCdataReported
  }

  /** False when an entity in the text comes first, or others: it is then continued. */
  readText(frame: TapeFrame): boolean {
    const { start, end } = frame
    const whole = frame.transcribed(frame.part)
    if (whole !== undefined && whole.length <= this.#sink.textRoom) {
      // There is nothing where it was cut at its end.
      if (start < end && this.#sink.wantsContent) this.#sink.text(whole, false, start, end, false)
      return true
    }
    const { steps, references } = this.#options
    while (frame.child < frame.part) {
      steps.add(1)
      if (steps.isOver) return false
      const hole = frame.child++
      const holeStart = frame.startOf(hole)
      this.#report(frame, frame.from, holeStart)
      frame.from = frame.endOf(hole)
      const piece = this.#decodeHole(frame, holeStart, frame.from)
      if (piece !== undefined) {
        if (this.#sink.wantsContent) this.#reportPiece(frame, piece, false, holeStart, frame.from)
      } else if (references.followIn(frame, holeStart, frame.from)) return false
    }
    this.#report(frame, frame.from, end)
    return true
  }

  readCdata(frame: TapeFrame): void {
    const literal = frame.part - 1
    this.reportCdata(frame, literal)
    if (this.#isCdataReported) this.#reportPiece(frame, '', true, frame.endOf(literal), frame.end)
    this.#isCdataReported = false
  }

  /** Reports the text of a section; if it is reported in stretches, what there is of it. */
  reportCdata(frame: TapeFrame, literal: number, start = frame.start, end = frame.end): void {
    if (!this.#sink.wantsContent) return
    if (this.#sink.textRoom === Number.POSITIVE_INFINITY) {
      this.#reportPiece(frame, this.#textOf(frame, literal), true, start, end)
      return
    }
    let from = frame.startOf(literal)
    if (!this.#isCdataReported) this.#sink.beginCdata(frame.place(start), frame.place(from, true))
    this.#isCdataReported = true
    for (; frame.child < literal; frame.child++) {
      const [holeStart, holeEnd] = [frame.startOf(frame.child), frame.endOf(frame.child)]
      this.#report(frame, from, holeStart, true)
      this.#reportPiece(frame, this.#decodeHole(frame, holeStart, holeEnd) as string, true, holeStart, holeEnd)
      from = holeEnd
    }
    this.#report(frame, from, frame.endOf(literal), true)
  }

  readComment(frame: TapeFrame): void {
    if (!this.#sink.wantsContent) return
    const text = this.#textOf(frame, frame.part - 1)
    this.#sink.comment(text, frame.place(frame.start), frame.place(frame.end, true))
  }

  readInstruction(frame: TapeFrame): void {
    const isAlone = frame.typeOf(frame.part) === frame.types.target
    const literal = isAlone ? frame.part : frame.child++
    const target = this.checkTarget(frame, literal)
    if (!this.#sink.wantsContent || isAlone) return
    const data = frame.part - 1 > literal ? this.#textOf(frame, frame.part - 1) : ''
    this.#sink.instruction(target, data, frame.place(frame.start), frame.place(frame.end, true))
  }

  /** The target of an instruction, if it may have that. */
  checkTarget(frame: TapeFrame, record: number): string {
    const { documentStart, namespaces } = this.#options
    const target = frame.text(frame.startOf(record), frame.endOf(record))
    const place = frame.place(frame.startOf(record))
    if (target === 'xml' && place === documentStart + 2) {
      const message = 'malformed XML declaration; expected version, then optionally encoding and standalone'
      throw new Fault(message, 'malformed-declaration', undefined, documentStart)
    }
    if (target.length === 3 && target.toLowerCase() === 'xml') {
      const message = `the target ${target} is reserved: an XML declaration is allowed only at the very start`
      throw new Fault(message, 'reserved-target', undefined, place)
    }
    if (namespaces && target.includes(':')) {
      const message = `a colon is not allowed in the target ${shorten(target)} of a processing instruction`
      throw new Fault(message, 'name-with-colon', 'Namespaces in XML, section 7', place)
    }
    return target
  }

  /** What a reference to a character stands for. Throws a `Fault` for what is not a character of XML. */
  decodeReference(frame: TapeFrame, start: number, end: number): string {
    const number = frame.text(start + 1, end - 1)
    const character = referredCharacter(number)
    if (character !== undefined) return character
    const message = `&${shorten(number)}; is not a character that XML 1.0 allows`
    throw new Fault(message, 'character-reference', 'WFC: Legal Character', frame.place(start))
  }

  #report(frame: TapeFrame, start: number, end: number, isCdata = false): void {
    if (start === end || !this.#sink.wantsContent) return
    this.#reportPiece(frame, frame.text(start, end), isCdata, start, end, !frame.entity)
  }

  #reportPiece(frame: TapeFrame, text: string, isCdata: boolean, start: number, end: number, isVerbatim = false): void {
    this.#sink.text(text, isCdata, frame.place(start), frame.place(end, true), isVerbatim)
  }

  /** What a line end, or a reference other than to a general entity, stands for; undefined for general entities. */
  #decodeHole(frame: TapeFrame, start: number, end: number): string | undefined {
    if (frame.byteAt(start) !== AMPERSAND) {
      // The line ends of entities were normalised when they were declared: a carriage return that is left was referred to.
      return this.#options.normalizesLineEnds && !frame.entity ? '\n' : frame.text(start, end)
    }
    if (frame.byteAt(start + 1) === HASH) return this.decodeReference(frame, start, end)
    return predefinedEntity(frame.text(start + 1, end - 1))
  }

  /** The text of a literal with line ends as they are to be. */
  #textOf(frame: TapeFrame, literal: number): string {
    const known = frame.transcribed(literal)
    if (known !== undefined) return known
    let text = ''
    let from = frame.startOf(literal)
    for (; frame.child < literal; frame.child++) {
      const start = frame.startOf(frame.child)
      text = concatText(text, frame.text(from, start))
      text = concatText(text, this.#decodeHole(frame, start, frame.endOf(frame.child)) as string)
      from = frame.endOf(frame.child)
    }
    return concatText(text, frame.text(from, frame.endOf(literal)))
  }
}
