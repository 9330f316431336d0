// Parts whose end has not come: what is open where the machine has failed, and long text that is wanted in pieces.

import { NodeType } from '../../machine/program/program.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { NameTable } from '../names/names.ts'
import type { PartTypes } from '../tape/part-types.ts'
import { END, RECORD_WORDS, TapeFrame } from '../tape/tape-frame.ts'
import type { ContentReader } from './content-reader.ts'
import type { ContentHandler } from './sink.ts'
import type { StartTagReader } from './start-tag.ts'

const AMPERSAND = 0x26
const CARRIAGE_RETURN = 0x0d
const EXCLAMATION_MARK = 0x21
const QUESTION_MARK = 0x3f
const CDATA = new TextEncoder().encode('<![CDATA[')

export interface UnfinishedPartsOptions {
  readonly machine: Machine
  readonly sink: ContentHandler
  readonly content: ContentReader
  readonly tags: StartTagReader
  readonly names: NameTable
  readonly types: PartTypes
  /** On which texts are put. */
  readonly frames: TapeFrame[]
}

export class UnfinishedParts {
  readonly #options: UnfinishedPartsOptions
  #isRead = false

  constructor(options: UnfinishedPartsOptions) {
    this.#options = options
  }

  /** Whether a part is open that was not read yet. */
  get isOpen(): boolean {
    return !this.#isRead && this.#options.machine.openPart !== undefined
  }

  /**
   * Reads the part that is open where the machine has failed, as far as it goes: errors in it come first, and text before the error is text.
   * True when there is something to walk over. `isMalformed`: it has failed because what follows is not text.
   */
  read(isMalformed: boolean): boolean {
    this.#isRead = true
    const { machine, content, tags, names, types, frames } = this.#options
    const start = machine.openPart as number
    const end = isMalformed ? machine.validEnd : machine.farthest
    const rule = machine.openRule
    const bytes = machine.copyInput(start, end)
    const records = machine.openRecords
    if (rule === 'text') {
      this.#pushText(records, bytes, start, endOfText(records, bytes, start, AMPERSAND))
      return frames.length > 0
    }
    if (rule === 'cdata') {
      const holes = withoutLiteral(records)
      this.#reportCdata(holes, bytes, start, endOfText(holes, bytes, start))
      return false
    }
    const frame = new TapeFrame({ words: records, bytes, start, from: start, names, types })
    if (bytes[1] === QUESTION_MARK && frame.count > 0) content.checkTarget(frame, 0)
    else if (bytes[1] !== QUESTION_MARK && bytes[1] !== EXCLAMATION_MARK) tags.checkOpen(frame)
    return false
  }

  /** Reads what there is of an open text that is long and wanted in pieces, so that it is not held. Gives the offset after it; undefined if there is none. */
  cut(): number | undefined {
    const { machine, sink } = this.#options
    if (sink.textRoom === Number.POSITIVE_INFINITY) return undefined
    const { openPart: start, openRule: rule, position } = machine
    if (start === undefined || position - start <= sink.textRoom || !(rule === 'text' || rule === 'cdata')) {
      return undefined
    }
    // As xml.bnf has them: a text is what it gathers, a section has that in it.
    const cut = machine.cutLiteral(rule === 'cdata' ? 1 : 0)
    if (!cut) return undefined
    const bytes = machine.copyInput(start, cut.end)
    if (rule === 'text') this.#pushText(cut.records, bytes, start, cut.end)
    else this.#reportCdata(cut.records, bytes, start, cut.end)
    return cut.end
  }

  /** Makes what there is of a text the frame on top, if there is something. */
  #pushText(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    const { frames, types } = this.#options
    if (start < end) frames.push(this.#frameOf(records, bytes, start, [types.text, start, end]))
  }

  /** Reports what there is of a CDATA section. */
  #reportCdata(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    const { content } = this.#options
    if (!content.isCdataReported && !CDATA.every((byte, i) => byte === bytes[i])) return
    const literalStart = content.isCdataReported ? start : start + CDATA.length
    const frame = this.#frameOf(records, bytes, start, [NodeType.LITERAL, literalStart, end])
    content.reportCdata(frame, frame.count - 1, start, end)
  }

  /** Records of some input, with one more after them. */
  #frameOf(records: Int32Array, bytes: Uint8Array, start: number, last: readonly number[]): TapeFrame {
    const { names, types } = this.#options
    const words = new Int32Array(records.length + RECORD_WORDS)
    words.set(records)
    words.set(last, records.length)
    return new TapeFrame({ words, bytes, start, from: start, names, types })
  }
}

/** The holes in a text that is open. Where the input ends in it, the machine has recorded the text as well, and failed after that. */
function withoutLiteral(records: Int32Array): Int32Array {
  const last = records.length - RECORD_WORDS
  return last >= 0 && ((records[last] as number) & 255) === NodeType.LITERAL ? records.subarray(0, last) : records
}

/** Where text ends that is open: before a reference that has no end, where there are some, and before half of a line end. */
function endOfText(records: Int32Array, bytes: Uint8Array, start: number, reference?: number): number {
  const read = records.length > 0 ? ((records.at(END - RECORD_WORDS) as number) - start) >>> 0 : 0
  const length = reference === undefined ? -1 : bytes.indexOf(reference, read)
  if (length !== -1) return start + length
  const isCut = bytes.length > read && bytes[bytes.length - 1] === CARRIAGE_RETURN
  return start + bytes.length - (isCut ? 1 : 0)
}
