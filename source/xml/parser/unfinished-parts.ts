// Parts whose end has not come: long text that is wanted in pieces. What is open where the machine has failed is read by syntax-failure.ts.

import { NodeType } from '../../machine/program/program.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { NameTable } from '../names/names.ts'
import type { PartTypes } from '../tape/part-types.ts'
import { END, RECORD_WORDS, START, TapeFrame } from '../tape/tape-frame.ts'
import type { Consumer } from './consumer.ts'
import type { StartTagReader } from './start-tag.ts'

const CDATA = new TextEncoder().encode('<![CDATA[')

export interface UnfinishedPartsOptions {
  readonly machine: Machine
  readonly consumer: Consumer
  readonly tags: StartTagReader
  readonly names: NameTable
  readonly types: PartTypes
  readonly normalizesLineEnds: boolean
  /** As in {@link FrameSource}. */
  readonly onReplace: ((offset: number) => void) | undefined
  /** On which texts are put. */
  readonly frames: TapeFrame[]
  /** Checks the target of an instruction, which is a record in a frame. Throws an `UnplacedError`. */
  readonly checkTarget: (frame: TapeFrame, record: number) => void
}

export class UnfinishedParts {
  readonly options: UnfinishedPartsOptions
  /** Offset up to which the CDATA section was read that was open last. */
  #sectionEnd: number | undefined
  /** How many holes were checked of the text that was open last, and where it begins. */
  #checked = { start: -1, holes: 0 }

  constructor(options: UnfinishedPartsOptions) {
    this.options = options
  }

  /** Reads what there is of an open text that is long and wanted in pieces, so that it is not held. Returns the offset after it; undefined if there is none. */
  cut(): number | undefined {
    const { machine, consumer } = this.options
    const { textRoom } = consumer
    const { openPart: start, openRule: rule, position } = machine
    if (textRoom === undefined || start === undefined || position - start <= textRoom) return undefined
    if (rule !== 'text' && rule !== 'cdata') return undefined
    // As xml.bnf has them: a text is what it gathers, a section has that in it.
    const cut = machine.cutLiteral(rule === 'cdata' ? 1 : 0)
    if (!cut) return undefined
    const bytes = machine.copyInput(start, cut.end)
    if (rule === 'text') this.pushText(cut.records, bytes, start, cut.end)
    else this.pushSection(cut.records, bytes, start, cut.end)
    return cut.end
  }

  /**
   * Makes what there is of an open text the frame on top, up to the first reference in it, if `check` throws for that: its error does not wait for the end of
   * the text. References after one to an entity do, because what that stands for comes before them. Returns whether it did.
   */
  pushMistaken(check: (frame: TapeFrame, hole: number) => boolean): boolean {
    const { machine } = this.options
    const { openPart: start, openRule: rule } = machine
    if (start === undefined || rule !== 'text') return false
    if (this.#checked.start !== start) this.#checked = { start, holes: 0 }
    const { holes } = this.#checked
    const records = machine.openRecordsFrom(holes)
    if (records.length === 0) return false
    this.#checked.holes += records.length / RECORD_WORDS
    const [from, to] = [offsetIn(records, START, start), offsetIn(records, END - RECORD_WORDS, start)]
    const frame = this.frameOf(records, machine.copyInput(from, to), from)
    for (let hole = 0; hole < frame.count; hole++) {
      try {
        if (!frame.isReference(hole) || !check(frame, hole)) continue
        this.#checked.holes = Number.POSITIVE_INFINITY
        return false
      } catch {
        const end = frame.endOf(hole)
        const before = machine.openRecords.subarray(0, (holes + hole + 1) * RECORD_WORDS)
        this.pushText(before, machine.copyInput(start, end), start, end)
        return true
      }
    }
    return false
  }

  /** Makes what there is of a text the frame on top, if there is something. */
  pushText(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    const { frames, types } = this.options
    if (start < end) frames.push(this.frameOf(records, bytes, start, [types.text, start, end, 0]))
  }

  /** Makes what there is of a CDATA section the frame on top. Its text is a literal before it. */
  pushSection(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    const { frames, types } = this.options
    const isContinued = start === this.#sectionEnd
    if (!isContinued && !CDATA.every((byte, i) => byte === bytes[i])) return
    this.#sectionEnd = end
    const literal = [NodeType.LITERAL, isContinued ? start : start + CDATA.length, end, 0]
    const frame = this.frameOf(records, bytes, start, [...literal, types.cdata, start, end, 0])
    frame.isSectionOpen = true
    frames.push(frame)
  }

  /** Records of some input, with others after them. */
  frameOf(records: Int32Array, bytes: Uint8Array, start: number, last: readonly number[] = []): TapeFrame {
    const { names, types, normalizesLineEnds, onReplace } = this.options
    const words = new Int32Array(records.length + last.length)
    words.set(records)
    words.set(last, records.length)
    return new TapeFrame({ words, bytes, start, from: start, names, types, normalizesLineEnds, onReplace })
  }
}

/** An offset in records of what begins at one. */
function offsetIn(records: Int32Array, word: number, start: number): number {
  return start + (((records.at(word) as number) - start) >>> 0)
}
