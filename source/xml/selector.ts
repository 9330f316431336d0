// Elements that paths mean, one after the other.

import { RECORD_SIZE } from '../machine/registers.ts'
import { LARGEST_SHARE } from '../machine/tape.ts'
import type { XmlAttributes } from './attributes.ts'
import { type ElementHead, XmlElement } from './element.ts'
import { ElementBuilder } from './element-builder.ts'
import type { Name } from './names.ts'
import type { Path } from './path.ts'
import { RecordedContent, type Recording } from './recorded-content.ts'
import type { DocumentFacts, Sink } from './sink.ts'

/** An element that is whole, with the offsets of its UTF-8. */
interface Whole {
  readonly element: XmlElement
  readonly start: number
  readonly end: number
}

interface WholeElement extends Whole {
  /** Where its nodes are not made yet: records that were copied, and numbers of those that are still there. */
  readonly recorded:
    | { readonly pieces: readonly Int32Array[]; readonly first: number; readonly end: number }
    | undefined
}

type RecordedElement = WholeElement & { readonly recorded: object }

/** Which elements are handed over. */
export interface SelectorOptions {
  readonly paths: readonly Path[]
  /** Of matches in matches. */
  readonly nested: 'outermost' | 'innermost'
  /** The input between two offsets, which has not been let go since the first one. */
  readonly copyInput: (start: number, end: number) => Uint8Array
}

/** Builds those elements that match. */
export class Selector implements Sink {
  readonly #paths: readonly Path[]
  readonly #isInnermost: boolean
  readonly #needsAttributes: boolean
  /** The names of what is meant, where it is nothing but names. */
  readonly #soleNames: ReadonlySet<string> | undefined
  readonly #copyInput: SelectorOptions['copyInput']
  readonly #builder = new ElementBuilder()
  /** The states of each path in the open elements; those of the document first. */
  readonly #states: number[]
  #depth = 0
  /** How deep the element is that is being built; 0 for none. */
  #builtDepth = 0
  #elements: XmlElement[] = []
  #facts: DocumentFacts | undefined
  /** The records of the element that is built; undefined where its nodes are made at once. */
  #recorded: Int32Array[] | undefined
  #head: ElementHead | undefined
  /** The records of it among those that are there. */
  #first = 0
  #end = 0
  /** Elements whose end was told, and which refer to what is there. */
  #whole: WholeElement[] = []
  /** Where the element that is being built begins in the UTF-8. */
  #start = 0

  constructor({ paths, nested, copyInput }: SelectorOptions) {
    this.#paths = paths
    this.#isInnermost = nested === 'innermost'
    this.#needsAttributes = paths.some((path) => path.hasPredicates)
    this.#copyInput = copyInput
    this.#states = paths.map((path) => path.start)
    const names = paths.map((path) => path.soleName)
    if (names.every((name) => name !== undefined)) this.#soleNames = new Set(names)
  }

  readonly wantsText = false

  /**
   * What is in an element that is built is recorded as it is, as long as nothing in it needs a look. What no path can mean is passed over,
   * and so is all between elements of certain names, where that is what the paths mean.
   */
  get skips(): boolean {
    return this.#recorded !== undefined || (!this.#builder.isOpen && (this.#soleNames !== undefined || this.#isDead()))
  }

  canPass(name: Name): boolean {
    return !this.#soleNames?.has(name.raw)
  }

  get wantsContent(): boolean {
    return this.#builder.isOpen
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#isBuilding ? this.#start : undefined
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
  }

  skipped(first: number, end: number): void {
    if (!this.#recorded) return
    if (this.#first === this.#end) this.#first = first
    this.#end = end
  }

  reclaim(words: Int32Array): { words: Int32Array; start: number } | undefined {
    if (!this.#recorded) return undefined
    const all = join([...this.#recorded, copyRecords(words, this.#first, this.#end)])
    this.#recorded = undefined
    this.#builder.startElement(this.#head as ElementHead)
    return { words: all, start: this.#start }
  }

  leave(words: Int32Array): void {
    for (let from = 0; from < this.#whole.length; ) from = this.#deliver(from, words)
    this.#whole = []
    if (this.#recorded && this.#first < this.#end) this.#recorded.push(copyRecords(words, this.#first, this.#end))
    this.#first = this.#end = 0
  }

  /** The elements that are whole; none: an empty array. */
  take(): XmlElement[] {
    const elements = this.#elements
    if (elements.length > 0) this.#elements = []
    return elements
  }

  wantsTag(name: Name): boolean {
    if (this.#needsAttributes || this.#builder.isOpen) return true
    return this.#paths.some((path, i) => path.isMatch(path.enter(this.#stateOf(i), { name, ...NOTHING })))
  }

  startElement(name: Name, namespace: string | undefined, attributes: XmlAttributes, start: number): void {
    const isMatch = this.#enter(name, namespace, attributes)
    if (isMatch && this.#isInnermost) this.#builder.clear()
    const isOpen = this.#builder.isOpen
    if (!isMatch && !isOpen) return
    const head = { name, namespace, attributes, start: this.#toSource(start) }
    if (!isOpen) {
      this.#builtDepth = this.#depth
      this.#start = start
      this.#head = head
      // Of an element with a prefix it is not known what namespace those without one have.
      if (this.#canRecord && name.prefix === '') {
        this.#recorded = []
        this.#first = this.#end = 0
        return
      }
    }
    this.#builder.startElement(head)
  }

  endElement(_start: number, end: number): void {
    this.#states.length -= this.#paths.length
    this.#depth--
    // Of an element that was given up for one in it nothing is left to end.
    if (!this.#isBuilding || this.#depth + 1 < this.#builtDepth) return
    const sourceEnd = this.#toSource(end)
    if (this.#recorded) {
      const recorded = { pieces: this.#recorded, first: this.#first, end: this.#end }
      this.#whole.push({ element: new XmlElement(this.#head as ElementHead), start: this.#start, end, recorded })
      this.#recorded = undefined
      return
    }
    const element = this.#builder.endElement(sourceEnd)
    if (element) this.#whole.push({ element, start: this.#start, end, recorded: undefined })
  }

  text(text: string): void {
    if (this.#builder.isOpen) this.#builder.text(text)
  }

  comment(text: string): void {
    if (this.#builder.isOpen) this.#builder.comment(text)
  }

  instruction(target: string, data: string): void {
    if (this.#builder.isOpen) this.#builder.instruction(target, data)
  }

  finish(): void {}
  declaration(): void {}
  documentType(): void {}

  get #isBuilding(): boolean {
    return this.#recorded !== undefined || this.#builder.isOpen
  }

  get #canRecord(): boolean {
    const { toSource, normalizesLineEnds } = this.#facts as DocumentFacts
    return !this.#isInnermost && !toSource && normalizesLineEnds
  }

  /** Gives whole elements from one on their own copy of what they are made of, small ones in a row a common one; says where to go on. */
  #deliver(from: number, words: Int32Array): number {
    const one = this.#whole[from] as WholeElement
    const { start } = one
    let next = from + 1
    if (!one.recorded || one.recorded.pieces.length > 0) {
      const bytes = this.#copyInput(start, one.end)
      const { recorded } = one
      const records = recorded && join([...recorded.pieces, copyRecords(words, recorded.first, recorded.end)])
      const content = records && new RecordedContent(this.#recordingOf(one.element, records, bytes, start))
      this.#finish(one, bytes, start, content)
      return next
    }
    const { first } = one.recorded
    let { end } = one
    let lastRecord = one.recorded.end
    for (let more = this.#whole[next]; more && canShare(one, more, first); more = this.#whole[++next]) {
      end = more.end
      // One without content has no records.
      lastRecord = Math.max(lastRecord, more.recorded.end)
    }
    const bytes = this.#copyInput(start, end)
    const recording = this.#recordingOf(one.element, copyRecords(words, first, lastRecord), bytes, start)
    for (let i = from; i < next; i++) {
      const { recorded, ...whole } = this.#whole[i] as RecordedElement
      this.#finish(whole, bytes, start, new RecordedContent(recording, recorded.first - first, recorded.end - first))
    }
    return next
  }

  #recordingOf({ namespace }: XmlElement, words: Int32Array, bytes: Uint8Array, start: number): Recording {
    const { names, types, hasNamespaces } = this.#facts as DocumentFacts
    return { words, bytes, start, names, types, hasNamespaces, namespace, hasEnds: false }
  }

  #finish({ element, start, end }: Whole, bytes: Uint8Array, bytesStart: number, content?: RecordedContent): void {
    if (content) element.record(content)
    element.close(this.#toSource(end), bytes, start - bytesStart, end - bytesStart)
    this.#elements.push(element)
  }

  #toSource(offset: number): number {
    return this.#facts?.toSource?.(offset) ?? offset
  }

  #isDead(): boolean {
    return this.#paths.every((path, i) => path.isDead(this.#stateOf(i)))
  }

  #stateOf(path: number): number {
    return this.#states[this.#states.length - this.#paths.length + path] as number
  }

  /** Whether a path means the element that begins. */
  #enter(name: Name, namespace: string | undefined, attributes: XmlAttributes): boolean {
    let isMatch = false
    const candidate = { name, namespace, attributes }
    const base = this.#states.length - this.#paths.length
    for (const [i, path] of this.#paths.entries()) {
      const state = path.enter(this.#states[base + i] as number, candidate)
      this.#states.push(state)
      isMatch ||= path.isMatch(state)
    }
    this.#depth++
    return isMatch
  }
}

/** Whether elements may share a copy: of which one that is kept keeps at most `LARGEST_SHARE` bytes more than its own. */
function canShare(one: WholeElement, other: WholeElement, first: number): other is RecordedElement {
  if (!other.recorded || other.recorded.pieces.length > 0 || other.element.namespace !== one.element.namespace)
    return false
  return other.end - one.start + (other.recorded.end - first) * RECORD_SIZE <= LARGEST_SHARE
}

function copyRecords(words: Int32Array, first: number, end: number): Int32Array {
  return words.slice((first * RECORD_SIZE) / 4, (end * RECORD_SIZE) / 4)
}

function join(pieces: readonly Int32Array[]): Int32Array {
  const [first, ...more] = pieces
  if (first && more.length === 0) return first
  const joined = new Int32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/** What a path without predicates does not look at. */
const NOTHING = { namespace: undefined, attributes: undefined as unknown as XmlAttributes }
