// Elements that paths match, one after the other.

import { LARGEST_SHARE } from '../machine/tree/largest-share.ts'
import type { SkippedEntity } from './doctype/skipped.ts'
import { makeInner } from './errors/unplaced-error.ts'
import { type Around, OpenAround } from './names/around.ts'
import type { Consumer, DocumentFacts } from './parser/consumer.ts'
import { Subject } from './projection/subject.ts'
import { type Automaton, automatonOf, type State } from './question/automaton.ts'
import { SymbolClasses } from './question/name-classes.ts'
import type { Nesting, Projection } from './question/projection.ts'
import { PARTNER, RECORD_WORDS, type TapeFrame } from './tape/tape-frame.ts'
import type { XmlElement } from './tree/element.ts'
import { ElementBuilder } from './tree/element-builder.ts'

/** Which elements are delivered. */
export interface SelectorOptions {
  readonly projection: Projection
  /** Whether the input of elements is to be a document of its own. */
  readonly standalone?: boolean
}

/** A match that is open. */
interface OpenMatch {
  /** How many elements are open with it. */
  readonly depth: number
  /** Byte offset of its start tag in the UTF-8. */
  readonly start: number
  /** What holds where it begins, if it is to stand alone. */
  readonly around: Around | undefined
}

/** A match that has ended, and where it lies in the UTF-8. */
interface EndedMatch {
  readonly element: XmlElement
  readonly start: number
  readonly end: number
}

/** Builds those elements that match. */
export class Selector implements Consumer {
  /** Texts are decoded together as long as a good part of what is read belongs to matches. */
  sharedText = LARGEST_SHARE
  readonly #automaton: Automaton
  readonly #nested: Nesting
  readonly #isStandalone: boolean
  /** Whether a match in the outermost one is an error. */
  readonly #refusesInner: boolean
  #facts: DocumentFacts | undefined
  #classes: SymbolClasses | undefined
  #builder: ElementBuilder | undefined
  /** What holds in the open elements, if those that match are to stand alone. */
  #around: OpenAround | undefined
  /** What is wanted in the open elements; in the document first. Elements in a match have none where only the outermost is wanted. */
  readonly #states: State[]
  /** The open matches from the outermost on; others than the first only where all are delivered. */
  readonly #matches: OpenMatch[] = []
  /** The matches that have ended since the input was copied, in the order of their ends. */
  #ended: EndedMatch[] = []
  /** Bytes of the matches that ended among the parts that are being read. */
  #endedBytes = 0
  /** The matches that are complete. */
  #elements: XmlElement[] = []

  constructor({ projection, standalone = false }: SelectorOptions) {
    this.#automaton = automatonOf(projection)
    this.#nested = projection.nested
    this.#isStandalone = standalone
    this.#refusesInner = projection.watch.length > 0
    this.#states = [this.#automaton.start]
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#matches[0]?.start
  }

  get openFrom(): number | undefined {
    return this.retainedFrom
  }

  /** The elements that are complete; none: an empty array. */
  take(): XmlElement[] {
    const elements = this.#elements
    if (elements.length > 0) this.#elements = []
    return elements
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#builder = new ElementBuilder(facts)
    if (this.#isStandalone) this.#around = new OpenAround(facts)
    this.#classes = new SymbolClasses(this.#automaton, facts)
  }

  skip(entity: SkippedEntity): void {
    this.#builder?.skip(entity)
  }

  read(frame: TapeFrame, first: number, end: number, depth: number): number {
    const { tape } = this.#facts as DocumentFacts
    const { words, types } = frame
    const { startTag, endTag, emptyTag, isPart } = types
    const builder = this.#builder as ElementBuilder
    const classes = (this.#classes as SymbolClasses).in(frame)
    const states = this.#states
    const isOutermost = this.#nested === 'outermost' && !this.#refusesInner
    tape.link(frame, first, end)
    let part = first
    let open = depth
    for (let record = first; record < end; record++) {
      const type = (words[record * RECORD_WORDS] as number) & 255
      if (isPart[type] === 0) continue
      if (type === startTag) {
        open++
        if (!builder.isOpen || !isOutermost) {
          const parent = states[states.length - 1] as State
          const nameClass = classes.of(frame.symbolOf(part))
          const state = parent.steps?.next[nameClass] ?? this.#decide(frame, part, record, parent, nameClass)
          const partner = words[record * RECORD_WORDS + PARTNER] as number
          if (state.isDead && !state.isFound && partner > 0 && !builder.isOpen) {
            open--
            record += partner
            part = record + 1
            continue
          }
          states.push(state)
          this.#around?.enter(open, new Subject(this.#facts as DocumentFacts, frame, part, record))
          if (this.#refusesInner && builder.isOpen && state.actions.some(({ takes }) => takes === 'watch'))
            throw makeInner(frame.nameOf(part).raw, frame.place(frame.startOf(record)))
          if (state.isFound) this.#beginMatch(frame, part, record, open)
        }
        if (this.#matches.length > 0) builder.add(frame, part, record)
      } else if (type === endTag || type === emptyTag) {
        if (builder.isOpen) {
          const element = builder.add(frame, part, record) as XmlElement
          if (this.#matches.at(-1)?.depth === open) this.#endMatch(element, frame.place(frame.endOf(record), true))
        }
        if (states.length > open) states.pop()
        open--
      } else if (builder.isOpen) {
        builder.add(frame, part, record)
      }
      part = record + 1
    }
    const isDense = builder.isOpen || 4 * this.#endedBytes >= frame.endOf(end - 1) - frame.startOf(first)
    this.sharedText = isDense ? LARGEST_SHARE : 0
    this.#endedBytes = 0
    return end
  }

  /** Copies the input of the matches that have ended: small ones share a copy, and one that fills half of a copy for one around it shares that. */
  leave(): void {
    const ended = this.#ended
    if (ended.length === 0) return
    const { machine } = this.#facts as DocumentFacts
    const earliest = (ended[0] as EndedMatch).start
    const copies: { readonly start: number; readonly bytes: Uint8Array }[] = []
    // Elements in others ended before these.
    for (const { element, start, end } of ended.reverse()) {
      while (copies.length > 0 && start < (copies.at(-1)?.start as number)) copies.pop()
      let copy = copies.at(-1)
      if (!copy || copy.bytes.length > Math.max(LARGEST_SHARE, 2 * (end - start))) {
        const from = Math.min(start, Math.max(earliest, end - LARGEST_SHARE))
        copy = { start: from, bytes: machine.viewInput(from, end).slice() }
        copies.push(copy)
      }
      element.close(element.end, copy.bytes.subarray(start - copy.start, end - copy.start))
    }
    this.#ended = []
  }

  #decide(frame: TapeFrame, nameRecord: number, tag: number, parent: State, nameClass: number): State {
    const subject = new Subject(this.#facts as DocumentFacts, frame, nameRecord, tag)
    return this.#automaton.decide(parent, nameClass, subject)
  }

  /** A match begins, with so many open elements. */
  #beginMatch(frame: TapeFrame, nameRecord: number, tag: number, depth: number): void {
    if (this.#nested === 'innermost') {
      this.#builder?.clear()
      this.#matches.length = 0
    }
    const around = this.#around?.of(new Subject(this.#facts as DocumentFacts, frame, nameRecord, tag))
    this.#matches.push({ depth, start: frame.place(frame.startOf(tag)), around })
  }

  /** The innermost open match ends. */
  #endMatch(built: XmlElement, end: number): void {
    const { start, around } = this.#matches.pop() as OpenMatch
    // The one in the tree of the match around it has no input of its own.
    const element = this.#matches.length > 0 ? built.copy() : built
    this.#elements.push(element)
    this.#endedBytes += end - start
    if (around) element.close(element.end, around)
    else this.#ended.push({ element, start, end })
  }
}
