// Elements that are whole, with what they need of the input. What is in most of them is only recorded: nodes are made when they are asked
// for (recorded-content.ts). Records and input are the machine's as long as they are looked at, and are copied before they go.

import { RECORD_SIZE } from '../machine/registers.ts'
import { LARGEST_SHARE } from '../machine/tape.ts'
import { type ElementHead, XmlElement } from './element.ts'
import type { Bindings } from './namespaces.ts'
import { RecordedContent, type Recording } from './recorded-content.ts'
import type { DocumentFacts } from './sink.ts'

/** An element that is being recorded. Offsets are those of the UTF-8. */
interface OpenElement {
  readonly head: ElementHead
  readonly start: number
  /** What prefixes stand for in it; undefined where namespaces are off. */
  readonly bindings: Bindings | undefined
  /** Its records that were copied, and the numbers of those that are still there. */
  readonly pieces: Int32Array[]
  first: number
  end: number
}

interface WholeElement {
  readonly element: XmlElement
  readonly start: number
  readonly end: number
  /** Undefined for one whose nodes were made at once. */
  readonly recorded: OpenElement | undefined
}

type RecordedElement = WholeElement & { readonly recorded: OpenElement }

/** Records one element at a time, and gives those that are whole in their order. */
export class ElementRecorder {
  #facts: DocumentFacts | undefined
  #open: OpenElement | undefined
  /** Elements whose end was told, and which refer to what is there. */
  #whole: WholeElement[] = []
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

  /** An element begins that is to be recorded. */
  open(head: ElementHead, start: number): void {
    const bindings = this.#facts?.scopes?.bindings
    this.#open = { head, start, bindings, pieces: [], first: 0, end: 0 }
  }

  /** Records that are in it were passed over. */
  add(first: number, end: number): void {
    if (!this.#open) return
    if (this.#open.first === this.#open.end) this.#open.first = first
    this.#open.end = end
  }

  /** Gives up the element: its records so far, and what is known of it. Undefined when none is open. */
  abandon(words: Int32Array): { words: Int32Array; start: number; head: ElementHead } | undefined {
    if (!this.#open) return undefined
    const { head, start, pieces, first, end } = this.#open
    this.#open = undefined
    const records = [...pieces, viewRecords(words, first, end)]
    return { words: join(records, new Int32Array(lengthOf(records))), start, head }
  }

  /** The element ends that was opened. */
  close(end: number): void {
    const { head, start } = this.#open as OpenElement
    this.#whole.push({ element: new XmlElement(head), start, end, recorded: this.#open })
    this.#open = undefined
  }

  /** An element is whole whose nodes were made at once. */
  addMade(element: XmlElement, start: number, end: number): void {
    this.#whole.push({ element, start, end, recorded: undefined })
  }

  /** Copies what is needed of the records that are there, and of their input. */
  leave(words: Int32Array): void {
    for (let from = 0; from < this.#whole.length; ) from = this.#deliver(from, words)
    this.#whole = []
    const open = this.#open
    if (!open) return
    if (open.first < open.end) open.pieces.push(viewRecords(words, open.first, open.end).slice())
    open.first = open.end = 0
  }

  /** The elements that are whole; none: an empty array. */
  take(): XmlElement[] {
    const elements = this.#elements
    if (elements.length > 0) this.#elements = []
    return elements
  }

  /** Gives whole elements from one on their own copy of what they are made of, small ones in a row a common one; says where to go on. */
  #deliver(from: number, words: Int32Array): number {
    const one = this.#whole[from] as WholeElement
    const { start, recorded } = one
    let next = from + 1
    if (!recorded) {
      const { viewInput } = this.#facts as DocumentFacts
      this.#finish(one, viewInput(start, one.end).slice(), start, undefined)
      return next
    }
    const { first, pieces } = recorded
    let { end } = one
    let lastRecord = recorded.end
    for (let more = this.#whole[next]; more && canShare(one, more); more = this.#whole[++next]) {
      end = more.end
      // One without content has no records.
      lastRecord = Math.max(lastRecord, more.recorded.end)
    }
    const recording = this.#record(recorded, words, lastRecord, end)
    for (let i = from; i < next; i++) {
      const whole = this.#whole[i] as RecordedElement
      const content =
        pieces.length > 0
          ? new RecordedContent(recording)
          : new RecordedContent(recording, whole.recorded.first - first, whole.recorded.end - first)
      this.#finish(whole, recording.bytes, start, content)
    }
    return next
  }

  /** Records from those of an element on and their input, in one piece of memory: to get some takes longer than to copy what is small. */
  #record({ start, first, pieces, bindings }: OpenElement, words: Int32Array, last: number, end: number): Recording {
    const { names, types, viewInput, linkTags } = this.#facts as DocumentFacts
    // Tags of what was copied in pieces are linked when it is asked for.
    const isLinked = pieces.length === 0
    if (isLinked) linkTags(first, last)
    const all = [...pieces, viewRecords(words, first, last)]
    const length = lengthOf(all)
    const buffer = new ArrayBuffer(4 * length + end - start)
    const copy = join(all, new Int32Array(buffer, 0, length))
    const bytes = new Uint8Array(buffer, 4 * length)
    bytes.set(viewInput(start, end))
    return { words: copy, bytes, start, names: names.known, types, bindings, isLinked }
  }

  #finish(whole: WholeElement, bytes: Uint8Array, bytesStart: number, content: RecordedContent | undefined): void {
    const { element, start, end } = whole
    if (content) element.record(content)
    element.close(this.#facts?.toSource?.(end) ?? end, bytes, start - bytesStart, end - bytesStart)
    this.#elements.push(element)
  }
}

/** Whether elements may share a copy: of which one that is kept keeps at most `LARGEST_SHARE` bytes more than its own. */
function canShare(one: WholeElement, other: WholeElement): other is RecordedElement {
  const { end, recorded } = other
  if (!one.recorded || one.recorded.pieces.length > 0) return false
  if (!recorded || recorded.pieces.length > 0 || recorded.bindings !== one.recorded.bindings) return false
  return end - one.start + (recorded.end - one.recorded.first) * RECORD_SIZE <= LARGEST_SHARE
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
