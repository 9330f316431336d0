// Elements that paths match, one after the other.

import type { Declaration } from './names/namespaces.ts'
import type { Consumer, ConsumerUse, DocumentFacts } from './parser/consumer.ts'
import { Subject } from './projection/subject.ts'
import { type Automaton, automatonOf, type State } from './question/automaton.ts'
import { SymbolClasses } from './question/name-classes.ts'
import type { Nesting, Projection } from './question/projection.ts'
import { PARTNER, RECORD_WORDS, type TapeFrame } from './tape/tape-frame.ts'
import { XmlElement } from './tree/element.ts'
import { ElementBuilder } from './tree/element-builder.ts'
import { ElementRecorder } from './tree/element-recorder.ts'

/** Which elements are delivered. */
export interface SelectorOptions {
  readonly projection: Projection
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
export class Selector implements Consumer {
  readonly wantsText = false
  readonly #automaton: Automaton
  readonly #nested: Nesting
  readonly #isStandalone: boolean
  readonly #recorder = new ElementRecorder()
  #facts: DocumentFacts | undefined
  #classes: SymbolClasses | undefined
  #builder: ElementBuilder | undefined
  /** What is wanted in the open elements; in the document first. */
  readonly #states: State[]
  /** How many elements are open with the one that is recorded or built; 0 for none. */
  #matchDepth = 0
  /** Byte offset of its start tag in the UTF-8. */
  #start = 0
  /** The namespaces that are declared where it begins, if it is to stand alone. */
  #declared: readonly Declaration[] = []
  /** The matches in it that are open, where all are delivered. */
  readonly #inner: InnerMatch[] = []

  constructor({ projection, standalone = false }: SelectorOptions) {
    this.#automaton = automatonOf(projection)
    this.#nested = projection.nested
    this.#isStandalone = standalone
    this.#states = [this.#automaton.start]
  }

  /** What is in an element that is recorded is skipped. */
  get use(): ConsumerUse {
    return this.#recorder.isRecording ? 'skip' : 'read'
  }

  get skipDepth(): number | undefined {
    return this.#recorder.isRecording ? this.#matchDepth : undefined
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#matchDepth > 0 ? this.#start : undefined
  }

  /** The elements that are complete; none: an empty array. */
  take(): XmlElement[] {
    return this.#recorder.take()
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#builder = new ElementBuilder(facts)
    this.#classes = new SymbolClasses(this.#automaton, facts)
    this.#recorder.begin(facts)
  }

  read(frame: TapeFrame, first: number, end: number, depth: number): number {
    const facts = this.#facts as DocumentFacts
    const { words, types } = frame
    const { startTag, endTag, emptyTag, isPart } = types
    const builder = this.#builder as ElementBuilder
    const classes = (this.#classes as SymbolClasses).in(frame)
    const states = this.#states
    // Of nested matches it is known at their end only which is the innermost. What an entity brings does not stand in the input.
    const canRecord = this.#nested === 'outermost' && !this.#isStandalone && frame.isOnTape && this.#recorder.canRecord
    facts.tape.link(frame, first, end)
    let part = first
    let open = depth
    for (let record = first; record < end; record++) {
      const type = (words[record * RECORD_WORDS] as number) & 255
      if (isPart[type] === 0) continue
      if (type === startTag) {
        const parent = states[states.length - 1] as State
        const nameClass = classes.of(frame.symbolOf(part))
        const state = parent.steps?.next[nameClass] ?? this.#decide(frame, part, record, parent, nameClass)
        const partner = words[record * RECORD_WORDS + PARTNER] as number
        if (partner > 0 && !builder.isOpen && (state.isFound ? canRecord : state.isDead)) {
          if (state.isFound) this.#recorder.record(frame, part, record, record + partner)
          record += partner
          part = record + 1
          continue
        }
        states.push(state)
        open++
        if (state.isFound && canRecord && !builder.isOpen) {
          this.#matchDepth = open
          this.#start = frame.startOf(record)
          this.#recorder.open(frame, part, record, end)
          return end
        }
        if (state.isFound) this.#beginMatch(frame, record, open)
        if (builder.isOpen || state.isFound) builder.add(frame, part, record)
      } else if (type === endTag || type === emptyTag) {
        states.pop()
        if (this.#recorder.isRecording) {
          this.#recorder.close(frame.endOf(record))
          this.#matchDepth = 0
        } else if (builder.isOpen) {
          const element = builder.add(frame, part, record) as XmlElement
          this.#endElement(element, frame.place(frame.endOf(record), true), open)
        }
        open--
      } else if (builder.isOpen) {
        builder.add(frame, part, record)
      }
      part = record + 1
    }
    return end
  }

  skipped(first: number, end: number): void {
    this.#recorder.add(first, end)
  }

  readSkipped(frame: TapeFrame, depth: number): void {
    const { head, words } = this.#recorder.abandon(frame.words)
    const { name, namespace, start, attributes } = head
    this.#builder?.open(new XmlElement(name, namespace, start, attributes))
    const skipped = frame.withRecords(words, start)
    this.read(skipped, 0, skipped.count, depth)
  }

  leave(words: Int32Array): void {
    this.#recorder.leave(words)
  }

  #decide(frame: TapeFrame, nameRecord: number, tag: number, parent: State, nameClass: number): State {
    const subject = new Subject(this.#facts as DocumentFacts, frame, nameRecord, tag)
    return this.#automaton.decide(parent, nameClass, subject)
  }

  /** A match begins that is built, as deep as this. */
  #beginMatch(frame: TapeFrame, tag: number, depth: number): void {
    const builder = this.#builder as ElementBuilder
    const start = frame.place(frame.startOf(tag))
    const declared = (this.#isStandalone && this.#facts?.scopes?.declarations) || []
    if (this.#nested === 'innermost') builder.clear()
    if (!builder.isOpen) {
      this.#matchDepth = depth
      this.#start = start
      this.#declared = declared
    } else if (this.#nested === 'all') {
      this.#inner.push({ depth, start, declared })
    }
  }

  /** An element that was built ends, as deep as this: it is delivered if it is a match. */
  #endElement(element: XmlElement, end: number, depth: number): void {
    if (depth === this.#matchDepth) {
      this.#matchDepth = 0
      this.#deliver(element, this.#start, end, this.#declared)
    } else if (this.#inner.at(-1)?.depth === depth) {
      const { start, declared } = this.#inner.pop() as InnerMatch
      // The one in the tree of the match around it has no input of its own.
      this.#deliver(element.copy(), start, end, declared)
    }
  }

  #deliver(element: XmlElement, start: number, end: number, declared: readonly Declaration[]): void {
    if (this.#isStandalone) this.#recorder.addStandalone(element, declared)
    else this.#recorder.addMade(element, start, end)
  }
}
