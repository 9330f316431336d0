// Elements that paths match, one after the other.

import { XmlAttributes } from './names/attributes.ts'
import type { Name } from './names/names.ts'
import type { Declaration } from './names/namespaces.ts'
import type { DocumentFacts, Sink, TapeConsumer, TapeUse } from './parser/sink.ts'
import { type Automaton, automatonOf, type State } from './projection/automaton.ts'
import { SymbolClasses } from './projection/name-classes.ts'
import type { Nesting, Projection } from './projection/projection.ts'
import { PARTNER, RECORD_WORDS, type TapeFrame } from './tape/tape-frame.ts'
import type { XmlElement } from './tree/element.ts'
import { ElementBuilder } from './tree/element-builder.ts'
import { ElementRecorder } from './tree/element-recorder.ts'

/** Which elements are delivered. */
export interface SelectorOptions {
  readonly projection: Projection
  /** Whether the selector gets all elements that paths match, and those around them: then it takes none from the records. */
  readonly isTold?: boolean
  /** Whether the input of elements is to be a document of its own. */
  readonly standalone?: boolean
}

/** A match that is open, inside another one. */
interface InnerMatch {
  /** How many elements are open with it. */
  readonly depth: number
  /** Byte offset of its start tag in the UTF-8. */
  readonly start: number
  /** The namespaces that are declared where it begins, if it is to stand alone. */
  readonly declared: readonly Declaration[]
}

/** Records or builds those elements that match. */
export class Selector implements Sink, TapeConsumer {
  readonly tape = this
  readonly wantsText = false
  readonly textRoom = Number.POSITIVE_INFINITY
  readonly #automaton: Automaton
  #classes: SymbolClasses | undefined
  readonly #nested: Nesting
  readonly #isStandalone: boolean
  /** Whether the name of an element says whether it is selected, wherever it is. */
  readonly #isByName: boolean
  readonly #recorder = new ElementRecorder()
  readonly #builder = new ElementBuilder()
  /** What is wanted in the open elements that were reported or taken; in the document first. */
  readonly #states: State[]
  /** Whether it takes elements from the records, as far as they can be recorded. */
  #takes: boolean
  /** How many elements are open where the one begins that is recorded or built, with it; 0 for none. */
  #builtDepth = 0
  /** Where it begins in the UTF-8. */
  #start = 0
  /** The namespaces that are declared where it begins, if it is to stand alone. */
  #declared: readonly Declaration[] = []
  /** The matches in it that are open, where all are delivered. */
  readonly #inner: InnerMatch[] = []
  /** How deep the one in the document is whose start was taken last. */
  #takenDepth = 0
  #facts: DocumentFacts | undefined

  constructor({ projection, isTold = false, standalone = false }: SelectorOptions) {
    const { nested } = projection
    this.#automaton = automatonOf(projection)
    this.#nested = nested
    this.#isStandalone = standalone
    this.#takes = !isTold && !standalone && nested === 'outermost' && !this.#automaton.hasAttributes
    this.#states = [this.#automaton.start]
    const { start, hasNamespaces } = this.#automaton
    const next = hasNamespaces ? undefined : start.steps?.next
    this.#isByName = next?.every((state) => state === start || state?.isFound) === true
  }

  /**
   * What is in an element that is recorded is recorded as it is, as long as nothing in it needs inspection. What no path can match is
   * skipped. If the paths match elements of certain names, everything between such elements is skipped as well.
   */
  get use(): TapeUse {
    if (this.#recorder.isRecording) return 'skip'
    if (this.#builder.isOpen) return 'report'
    if (this.#takes) return 'take'
    return this.#isByName || this.#state.isDead ? 'skip' : 'report'
  }

  get takenDepth(): number | undefined {
    return this.#recorder.isRecording ? this.#takenDepth : undefined
  }

  get wantsContent(): boolean {
    return this.#builder.isOpen
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#isBuilding ? this.#start : undefined
  }

  /** The elements that are complete; none: an empty array. */
  take(): XmlElement[] {
    return this.#recorder.take()
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#classes = new SymbolClasses(this.#automaton, facts)
    this.#recorder.begin(facts)
    if (!this.#recorder.canRecord) this.#takes = false
  }

  canPass(name: Name): boolean {
    const { start, elements } = this.#automaton
    return this.#takes || !this.#isByName || start.steps?.next[elements.of(name, undefined)] === start
  }

  /** Finds elements among the records. In one that is meant, and where no path can mean anything, it looks at nothing. */
  takeRecords(frame: TapeFrame, first: number, end: number, depth: number): number {
    const { words, types, count } = frame
    const { linkTags } = this.#facts as DocumentFacts
    const { startTag, endTag, emptyTag, isPart } = types
    const classes = this.#classes as SymbolClasses
    classes.update()
    const states = this.#states
    linkTags(first, end)
    let part = first
    let open = depth
    for (let record = first; record < end; record++) {
      const type = words[record * RECORD_WORDS] as number
      if (isPart[type] === 0) continue
      if (type === startTag) {
        // Of the last one it is not known whether it is empty.
        if (record + 1 === count) break
        const nameClass = classes.of(frame.symbolOf(part))
        const state = this.#automaton.enter(this.#state, nameClass, XmlAttributes.NONE)
        const isMatch = state.isFound
        const partner = words[record * RECORD_WORDS + PARTNER] as number
        if (partner > 0 && (isMatch || state.isDead)) {
          if (isMatch) this.#recorder.record(frame, part, record, record + partner)
          record += partner
        } else {
          states.push(state)
          open++
          if (isMatch) {
            this.#builtDepth = this.#depth
            this.#start = frame.startOf(record)
            this.#recorder.openRecorded(frame, part, record, end)
            this.#takenDepth = open
            return end
          }
        }
      } else if (type === endTag || type === emptyTag) {
        states.pop()
        open--
      }
      part = record + 1
    }
    return part
  }

  skipped(first: number, end: number): void {
    this.#recorder.add(first, end)
  }

  reclaim(words: Int32Array): { words: Int32Array; start: number } | undefined {
    const abandoned = this.#recorder.abandon(words)
    if (!abandoned) return undefined
    const { name, namespace, start, attributes } = abandoned.head
    this.#builder.startElement(name, namespace, start, attributes, undefined)
    return abandoned
  }

  leave(words: Int32Array): void {
    this.#recorder.leave(words)
  }

  wantsTag(name: Name): boolean {
    const { hasAttributes, hasNamespaces } = this.#automaton
    if (hasAttributes || hasNamespaces || this.#builder.isOpen) return true
    return this.#enter(name, undefined, XmlAttributes.NONE).isFound
  }

  startElement(
    name: Name,
    namespace: string | undefined,
    attributes: XmlAttributes,
    start: number,
    _end: number,
    _isEmpty: boolean,
    isOfEntity: boolean,
  ): void {
    const state = this.#enter(name, namespace, attributes)
    this.#states.push(state)
    const isMatch = state.isFound
    if (isMatch && this.#nested === 'innermost') this.#builder.clear()
    const isOpen = this.#builder.isOpen
    if (!isMatch && !isOpen) return
    const head = { name, namespace, attributes, start: this.#toSource(start) }
    if (!isOpen) {
      this.#builtDepth = this.#depth
      this.#start = start
      this.#declared = this.#declarations
    } else if (isMatch && this.#nested === 'all') {
      this.#inner.push({ depth: this.#depth, start, declared: this.#declarations })
    }
    // Of nested matches it is known at their end only which is the innermost. What an entity brings does not stand in the input.
    const canRecord = this.#nested === 'outermost' && !this.#isStandalone && !isOfEntity && this.#recorder.canRecord
    if (!isOpen && canRecord) this.#recorder.open(head)
    else this.#builder.startElement(name, namespace, head.start, attributes, this.#facts?.entity())
  }

  endElement(_start: number, end: number): void {
    this.#states.pop()
    // Of an element that was given up for one in it nothing is left to end.
    if (!this.#isBuilding || this.#depth + 1 < this.#builtDepth) return
    if (this.#recorder.isRecording) {
      // Elements of an entity in a text that an error ends are reported while the element around them is recorded.
      if (this.#depth + 1 === this.#builtDepth) this.#recorder.close(end)
      return
    }
    const element = this.#builder.endElement(this.#toSource(end))
    if (!this.#builder.isOpen) this.#deliver(element, this.#start, end, this.#declared)
    else if (this.#inner.at(-1)?.depth === this.#depth + 1) {
      const { start, declared } = this.#inner.pop() as InnerMatch
      // The one in the tree of the match around it has no input of its own.
      this.#deliver(element.copy(), start, end, declared)
    }
  }

  #deliver(element: XmlElement, start: number, end: number, declared: readonly Declaration[]): void {
    if (this.#isStandalone) this.#recorder.addStandalone(element, declared)
    else this.#recorder.addMade(element, start, end)
  }

  beginCdata(): void {}

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

  /** How many of the elements that were reported or taken are open. */
  get #depth(): number {
    return this.#states.length - 1
  }

  /** What is wanted in the innermost of them. */
  get #state(): State {
    return this.#states[this.#states.length - 1] as State
  }

  /** What is wanted in an element in that. */
  #enter(name: Name, namespace: string | undefined, attributes: XmlAttributes): State {
    const automaton = this.#automaton
    return automaton.enter(this.#state, automaton.elements.of(name, namespace), attributes)
  }

  get #declarations(): readonly Declaration[] {
    return (this.#isStandalone && this.#facts?.scopes?.declarations) || []
  }

  #toSource(offset: number): number {
    return this.#facts?.toSource?.(offset) ?? offset
  }
}
