// Parts whose end has not come: long text that is wanted in pieces. What is open where the machine has failed is read by failed-part.ts.

import { NodeType } from '../../machine/program/program.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { NameTable } from '../names/names.ts'
import type { PartTypes } from '../tape/part-types.ts'
import { RECORD_WORDS, TapeFrame } from '../tape/tape-frame.ts'
import type { ContentReader } from './content-reader.ts'
import type { ContentHandler } from './sink.ts'
import type { StartTagReader } from './start-tag.ts'

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
  readonly options: UnfinishedPartsOptions

  constructor(options: UnfinishedPartsOptions) {
    this.options = options
  }

  /** Reads what there is of an open text that is long and wanted in pieces, so that it is not held. Gives the offset after it; undefined if there is none. */
  cut(): number | undefined {
    const { machine, sink } = this.options
    if (sink.textRoom === Number.POSITIVE_INFINITY) return undefined
    const { openPart: start, openRule: rule, position } = machine
    if (start === undefined || position - start <= sink.textRoom || !(rule === 'text' || rule === 'cdata')) {
      return undefined
    }
    // As xml.bnf has them: a text is what it gathers, a section has that in it.
    const cut = machine.cutLiteral(rule === 'cdata' ? 1 : 0)
    if (!cut) return undefined
    const bytes = machine.copyInput(start, cut.end)
    if (rule === 'text') this.pushText(cut.records, bytes, start, cut.end)
    else this.reportCdata(cut.records, bytes, start, cut.end)
    return cut.end
  }

  /** Makes what there is of a text the frame on top, if there is something. */
  pushText(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    const { frames, types } = this.options
    if (start < end) frames.push(this.#frameOf(records, bytes, start, [types.text, start, end]))
  }

  /** Reports what there is of a CDATA section. */
  reportCdata(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    const { content } = this.options
    if (!content.isCdataReported && !CDATA.every((byte, i) => byte === bytes[i])) return
    const literalStart = content.isCdataReported ? start : start + CDATA.length
    const frame = this.#frameOf(records, bytes, start, [NodeType.LITERAL, literalStart, end])
    content.reportCdata(frame, frame.count - 1, start, end)
  }

  /** Records of some input, with one more after them. */
  #frameOf(records: Int32Array, bytes: Uint8Array, start: number, last: readonly number[]): TapeFrame {
    const { names, types } = this.options
    const words = new Int32Array(records.length + RECORD_WORDS)
    words.set(records)
    words.set(last, records.length)
    return new TapeFrame({ words, bytes, start, from: start, names, types })
  }
}
