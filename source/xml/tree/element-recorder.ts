// Elements that are complete, with what they need of the input. The content of most of them is only recorded: nodes are made when they are asked
// for (recorded-content.ts). Records and input are the machine's as long as they are looked at, and are copied before they go.

import { RECORD_SIZE } from '../../machine/program/registers.ts'
import { LARGEST_SHARE } from '../../machine/tree/largest-share.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import type { Bindings, Declaration } from '../names/namespaces.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { RECORD_WORDS, type TapeFrame } from '../tape/tape-frame.ts'
import { type ElementHead, XmlElement } from './element.ts'
import { RecordedContent, Recording } from './recorded-content.ts'

/** An element that is being recorded. Offsets are those of the UTF-8. */
interface OpenElement {
  readonly head: ElementHead
  /** What prefixes stand for in it; undefined where namespaces are off. */
  readonly bindings: Bindings | undefined
  /** Its records that were copied, and the numbers of those that are still there. */
  readonly pieces: Int32Array[]
  first: number
  end: number
}

/** What consecutive elements are made of, which is to be copied: records that are still there, after those that were copied, and their input. */
interface Share {
  readonly recording: Recording
  readonly pieces: readonly Int32Array[]
  first: number
  end: number
  inputEnd: number
  /** Whether the ends of its elements are known. */
  isLinked: boolean
}

/** An element whose nodes were made at once. Offsets are those of the UTF-8. */
interface MadeElement {
  readonly element: XmlElement
  readonly start: number
  readonly end: number
}

/** Records one element at a time, and gives those that are complete in their order. */
export class ElementRecorder {
  #facts: DocumentFacts | undefined
  #open: OpenElement | undefined
  /** Of elements that are complete. */
  #shares: Share[] = []
  /** Those whose input is to be copied, in the order in which they ended. */
  #made: MadeElement[] = []
  #elements: XmlElement[] = []

  begin(facts: DocumentFacts): void {
    this.#facts = facts
  }

  get isRecording(): boolean {
    return this.#open !== undefined
  }

  /** Whether elements can be recorded: what is in them is decoded later, from the bytes. */
  get canRecord(): boolean {
    const { toSource, normalizesLineEnds } = this.#facts as DocumentFacts
    return !toSource && normalizesLineEnds
  }

  /** An element begins whose start tag is among the records: where its name stands, and where the tag; the records end before its own do. */
  open(frame: TapeFrame, nameRecord: number, tag: number, end: number): void {
    const { names, types, machine } = this.#facts as DocumentFacts
    const start = frame.startOf(tag)
    const bindings = this.#bindings
    const recording = new Recording(start, names.known, types, bindings)
    recording.fill(frame.words, machine.viewInput(start, frame.endOf(tag)))
    const name = frame.nameOf(nameRecord)
    const attributes = settledOf(frame, tag) ?? new RecordedContent(recording, tag + 1, tag + 1, nameRecord).attributes
    const head = { name, namespace: this.#namespaceOf(name), attributes, start }
    this.#open = { head, bindings, pieces: [], first: 0, end: 0 }
    this.add(tag + 1, end)
  }

  /** Records in it were skipped. */
  add(first: number, end: number): void {
    if (!this.#open) return
    if (this.#open.first === this.#open.end) this.#open.first = first
    this.#open.end = end
  }

  /** Gives up the element that is open: its records so far, and what is known of it. */
  abandon(words: Int32Array): { readonly words: Int32Array; readonly head: ElementHead } {
    const { head, pieces, first, end } = this.#open as OpenElement
    this.#open = undefined
    const records = [...pieces, viewRecords(words, first, end)]
    return { words: join(records, new Int32Array(lengthOf(records))), head }
  }

  /** The element ends that was opened. */
  close(end: number): void {
    const { head, bindings, pieces, first, end: lastRecord } = this.#open as OpenElement
    this.#open = undefined
    const share = this.#shareOf(head.start, end, first, lastRecord, bindings, pieces)
    // Its content came in pieces, each of which was linked by itself, or not at all.
    share.isLinked = false
    const from = pieces.length > 0 || first === lastRecord ? 0 : first - share.first
    const count = lengthOf(pieces) / RECORD_WORDS + lastRecord - first
    const content = new RecordedContent(share.recording, from, from + count)
    this.#elements.push(XmlElement.recorded(head, end, content, share.recording))
  }

  /** A complete element is among the records, and linked: where its name stands, and its tags. */
  record(frame: TapeFrame, nameRecord: number, tag: number, endTag: number): void {
    const bindings = this.#bindings
    const start = frame.startOf(tag)
    const end = frame.endOf(endTag)
    const share = this.#shareOf(start, end, nameRecord, endTag + 1, bindings, NONE)
    const { first } = share
    const content = new RecordedContent(share.recording, tag + 1 - first, endTag - first, nameRecord - first)
    const name = frame.nameOf(nameRecord)
    const head = { name, namespace: this.#namespaceOf(name), start, attributes: settledOf(frame, tag) }
    this.#elements.push(XmlElement.recorded(head, end, content, share.recording))
  }

  /** An element is complete, and its nodes were made at once. */
  addMade(element: XmlElement, start: number, end: number): void {
    this.#made.push({ element, start, end })
    this.#elements.push(element)
  }

  /** Such an element is complete, and a document of its own with these declarations around it. */
  addStandalone(element: XmlElement, declarations: readonly Declaration[]): void {
    element.close(element.end, declarations)
    this.#elements.push(element)
  }

  /** Copies the input of elements that were made: one that fills at least half of a copy for one around it gets a part of that. */
  #copyMade(): void {
    const { machine } = this.#facts as DocumentFacts
    const copies: { readonly start: number; readonly end: number; readonly bytes: Uint8Array }[] = []
    // Elements in others ended before these.
    for (const { element, start, end } of this.#made.reverse()) {
      while (copies.length > 0 && start < (copies.at(-1)?.start as number)) copies.pop()
      let copy = copies.at(-1)
      if (!copy || end > copy.end || 2 * (end - start) < copy.end - copy.start) {
        copy = { start, end, bytes: machine.viewInput(start, end).slice() }
        copies.push(copy)
      }
      element.close(element.end, copy.bytes.subarray(start - copy.start, end - copy.start))
    }
    this.#made = []
  }

  /** Copies what is needed of the records that are there, and of their input. */
  leave(words: Int32Array): void {
    for (const share of this.#shares) this.#copy(share, words)
    if (this.#shares.length > 0) this.#shares = []
    if (this.#made.length > 0) this.#copyMade()
    const open = this.#open
    if (!open) return
    if (open.first < open.end) open.pieces.push(viewRecords(words, open.first, open.end).slice())
    open.first = open.end = 0
  }

  /** The elements that are complete; none: an empty array. */
  take(): XmlElement[] {
    const elements = this.#elements
    if (elements.length > 0) this.#elements = []
    return elements
  }

  #namespaceOf({ prefix }: Name): string | undefined {
    const { scopes } = this.#facts as DocumentFacts
    return prefix === '' ? scopes?.default : scopes?.resolve(prefix)
  }

  get #bindings(): Bindings | undefined {
    return this.#facts?.scopes?.bindings
  }

  /** A copy for an element, with those before it where they are small. */
  #shareOf(
    start: number,
    end: number,
    first: number,
    lastRecord: number,
    bindings: Bindings | undefined,
    pieces: readonly Int32Array[],
  ): Share {
    const before = this.#shares[this.#shares.length - 1]
    if (before && pieces.length === 0 && canShare(before, end, lastRecord, bindings)) {
      if (before.first === before.end) before.first = first
      before.inputEnd = end
      // An element that is empty may have no records of its content.
      before.end = Math.max(before.end, lastRecord)
      return before
    }
    const { names, types } = this.#facts as DocumentFacts
    const recording = new Recording(start, names.known, types, bindings)
    const share = { recording, pieces, first, end: lastRecord, inputEnd: end, isLinked: pieces.length === 0 }
    this.#shares.push(share)
    return share
  }

  /** Records and input in one piece of memory: to get some takes longer than to copy what is small. */
  #copy({ recording, pieces, first, end, inputEnd, isLinked }: Share, words: Int32Array): void {
    const { machine } = this.#facts as DocumentFacts
    const records = viewRecords(words, first, end)
    const length = lengthOf(pieces) + records.length
    const buffer = new ArrayBuffer(4 * length + inputEnd - recording.start)
    const copy = new Int32Array(buffer, 0, length)
    join(pieces, copy).set(records, lengthOf(pieces))
    const bytes = new Uint8Array(buffer, 4 * length)
    bytes.set(machine.viewInput(recording.start, inputEnd))
    recording.fill(copy, bytes)
    recording.isLinked = isLinked
  }
}

const NONE: readonly Int32Array[] = []

/** The attributes of a tag whose records do not say them all. */
function settledOf({ settled }: TapeFrame, tag: number): XmlAttributes | undefined {
  return settled?.tag === tag ? settled.attributes : undefined
}

/** Whether an element may share a copy. An element that is kept retains at most `LARGEST_SHARE` bytes of it more than its own. */
function canShare(share: Share, end: number, lastRecord: number, bindings: Bindings | undefined): boolean {
  if (share.pieces.length > 0 || share.recording.bindings !== bindings) return false
  return end - share.recording.start + (lastRecord - share.first) * RECORD_SIZE <= LARGEST_SHARE
}

/** Records where they are. */
function viewRecords(words: Int32Array, first: number, end: number): Int32Array {
  return words.subarray((first * RECORD_SIZE) / 4, (end * RECORD_SIZE) / 4)
}

function lengthOf(pieces: readonly Int32Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

function join(pieces: readonly Int32Array[], joined: Int32Array): Int32Array {
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
