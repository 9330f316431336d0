// Elements that paths mean, one after the other.

import type { XmlAttributes } from './attributes.ts'
import type { XmlElement } from './element.ts'
import { ElementBuilder } from './element-builder.ts'
import { ElementRecorder } from './element-recorder.ts'
import type { Name } from './names.ts'
import type { Path } from './path.ts'
import type { DocumentFacts, Sink } from './sink.ts'
import type { TapeFrame } from './tape-frame.ts'

/** Which elements are handed over. */
export interface SelectorOptions {
  readonly paths: readonly Path[]
  /** Of matches in matches. */
  readonly nested: 'outermost' | 'innermost'
}

/** Records or builds those elements that match. */
export class Selector implements Sink {
  readonly wantsText = false
  readonly maySkip = true
  readonly skipsAlways = false
  readonly takesRecords = false
  readonly #paths: readonly Path[]
  readonly #isInnermost: boolean
  readonly #needsAttributes: boolean
  /** The names of what is meant, where it is nothing but names. */
  readonly #soleNames: ReadonlySet<string> | undefined
  readonly #recorder = new ElementRecorder()
  readonly #builder = new ElementBuilder()
  /** The states of each path in the open elements that were told of; those of the document first. */
  readonly #states: number[]
  #depth = 0
  /** How deep the element is that is being built; 0 for none. */
  #builtDepth = 0
  /** Where it begins in the UTF-8. */
  #start = 0
  #toSource: DocumentFacts['toSource']

  constructor({ paths, nested }: SelectorOptions) {
    this.#paths = paths
    this.#isInnermost = nested === 'innermost'
    this.#needsAttributes = paths.some((path) => path.hasPredicates)
    this.#states = paths.map((path) => path.start)
    const names = paths.map((path) => path.soleName)
    if (names.every((name) => name !== undefined)) this.#soleNames = new Set(names)
  }

  /**
   * What is in an element that is recorded is recorded as it is, as long as nothing in it needs a look. What no path can mean is passed
   * over, and so is all between elements of certain names, where that is what the paths mean.
   */
  get skips(): boolean {
    if (this.#recorder.isRecording) return true
    return !this.#builder.isOpen && (this.#soleNames !== undefined || this.#isDead())
  }

  get wantsContent(): boolean {
    return this.#builder.isOpen
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#isBuilding ? this.#start : undefined
  }

  /** The elements that are whole; none: an empty array. */
  take(): XmlElement[] {
    return this.#recorder.take()
  }

  begin(facts: DocumentFacts): void {
    this.#toSource = facts.toSource
    this.#recorder.begin(facts)
  }

  canPass(name: Name): boolean {
    return !this.#soleNames?.has(name.raw)
  }

  takeRecords(_frame: TapeFrame, first: number): number {
    return first
  }

  skipped(first: number, end: number): void {
    this.#recorder.add(first, end)
  }

  reclaim(words: Int32Array): { words: Int32Array; start: number } | undefined {
    const abandoned = this.#recorder.abandon(words)
    if (abandoned) this.#builder.startElement(abandoned.head)
    return abandoned
  }

  leave(words: Int32Array): void {
    this.#recorder.leave(words)
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
    const head = { name, namespace, attributes, start: this.#toSource?.(start) ?? start }
    if (!isOpen) {
      this.#builtDepth = this.#depth
      this.#start = start
    }
    // Of nested matches it is known at their end only which is the innermost.
    if (!isOpen && !this.#isInnermost && this.#recorder.canRecord) this.#recorder.open(head, start)
    else this.#builder.startElement(head)
  }

  endElement(_start: number, end: number): void {
    // One by one: V8 sets the length of an array in its runtime.
    for (let i = 0; i < this.#paths.length; i++) this.#states.pop()
    this.#depth--
    // Of an element that was given up for one in it nothing is left to end.
    if (!this.#isBuilding || this.#depth + 1 < this.#builtDepth) return
    if (this.#recorder.isRecording) {
      this.#recorder.close(end)
      return
    }
    const element = this.#builder.endElement(this.#toSource?.(end) ?? end)
    if (element) this.#recorder.addMade(element, this.#start, end)
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
    return this.#recorder.isRecording || this.#builder.isOpen
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
    for (let i = 0; i < this.#paths.length; i++) {
      const path = this.#paths[i] as Path
      const state = path.enter(this.#states[base + i] as number, candidate)
      this.#states.push(state)
      isMatch ||= path.isMatch(state)
    }
    this.#depth++
    return isMatch
  }
}

/** What a path without predicates does not look at. */
const NOTHING = { namespace: undefined, attributes: undefined as unknown as XmlAttributes }
