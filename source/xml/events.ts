// A document as a list of what happens in it.

import { NodeType } from '../machine/program/program.ts'
import { doctypes } from './doctype/doctypes.ts'
import type { DocumentType } from './doctype/document-type.ts'
import type { SkippedEntities, SkippedEntity } from './doctype/skipped.ts'
import type { XmlAttributes } from './names/attributes.ts'
import type { Name } from './names/names.ts'
import type { Consumer, DocumentFacts, XmlDeclaration } from './parser/consumer.ts'
import { JoinedText } from './tape/joined-text.ts'
import { END, RECORD_WORDS, START, type Stretch, SYMBOL, type TapeFrame } from './tape/tape-frame.ts'
import { USUAL_TRANSCRIPT } from './tape/xml-tape.ts'

/** Where an event lies in the input, in bytes from 0; what an entity brings lies where the reference to it does. */
interface Range {
  readonly start: number
  readonly end: number
  /**
   * The name of the entity that brings the event, or some of its text; there is no such property otherwise. `start` and `end` are then those
   * of the reference to it in the document, or of text with the reference. If entities refer to others, it is the outermost.
   */
  readonly entity?: string
}

export interface XmlDeclarationEvent extends Range {
  readonly type: 'declaration'
  readonly version: string
  readonly encoding: string | undefined
  readonly standalone: boolean | undefined
}

export interface XmlDoctypeEvent extends Range {
  readonly type: 'doctype'
  readonly name: string
  readonly publicId: string | undefined
  readonly systemId: string | undefined
  /** The text between the brackets. */
  readonly internalSubset: string | undefined
  /** What it declares. */
  readonly declarations: DocumentType
}

/** The name of an element. */
interface Named {
  /** As it is written. */
  readonly name: string
  /** Without its prefix. */
  readonly localName: string
  /** Undefined when it is in none, or namespaces are off. */
  readonly namespace: string | undefined
}

export interface XmlStartEvent extends Range, Named {
  readonly type: 'start'
  readonly attributes: XmlAttributes
  /** Whether it is written `<name/>`; an `end` follows all the same. */
  readonly selfClosing: boolean
}

export interface XmlEndEvent extends Range, Named {
  readonly type: 'end'
}

export interface XmlTextEvent extends Range {
  readonly type: 'text'
  readonly text: string
  /** Whether it is a CDATA section, where these are kept apart. */
  readonly cdata: boolean
}

export interface XmlCommentEvent extends Range {
  readonly type: 'comment'
  readonly text: string
}

export interface XmlInstructionEvent extends Range {
  readonly type: 'instruction'
  readonly target: string
  readonly data: string
}

export type XmlEvent =
  | XmlDeclarationEvent
  | XmlDoctypeEvent
  | XmlStartEvent
  | XmlEndEvent
  | XmlTextEvent
  | XmlCommentEvent
  | XmlInstructionEvent

/** Which text is one event. */
export interface EventOptions {
  /** Whether CDATA sections are events of their own; otherwise they are part of the text they stand in. */
  readonly cdata: boolean
  /** Longer text is delivered in pieces of so many UTF-16 units; the last may have fewer, and a piece that ends at a surrogate pair one more. */
  readonly maxText: number
}

const encoder = new TextEncoder()

/** After so many units of a text, or one more where a surrogate pair would be cut. */
function endOfPiece(text: string, from: number, length: number): number {
  const end = Math.min(from + length, text.length)
  return end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end
}

/** Collects events. Text waits for what ends it. */
export class EventCollector implements Consumer {
  readonly sharedText = USUAL_TRANSCRIPT
  /** Of the open elements: two lists, because one of objects would have one for each tag. */
  readonly #open: Name[] = []
  readonly #namespaces: (string | undefined)[] = []
  readonly #keepsCdata: boolean
  readonly #maxText: number
  #facts: DocumentFacts | undefined
  /** With room for more than there are. */
  #events: XmlEvent[] = []
  #count = 0
  readonly #text = new JoinedText()
  #isCdata = false
  #textStart = -1
  #textEnd = 0
  /** The first entity that brings some of the text. */
  #textEntity: string | undefined
  /** Entities that are left out, of which no event is made yet. */
  #skipped: SkippedEntities | undefined
  /** Whether a CDATA section continues, of which some was read. */
  #isSectionOpen = false

  constructor({ cdata, maxText }: EventOptions) {
    this.#keepsCdata = cdata
    this.#maxText = Math.floor(maxText)
  }

  get textRoom(): number | undefined {
    return this.#maxText === Number.POSITIVE_INFINITY ? undefined : this.#maxText - this.#text.length
  }

  /** The events so far, without text that may continue; none: an empty array. */
  take(): XmlEvent[] {
    const events = this.#events
    events.length = this.#count
    this.#events = []
    this.#count = 0
    this.#skipped?.takeEvents(events)
    return events
  }

  skip(entity: SkippedEntity): void {
    this.#skipped ??= new doctypes.required.SkippedEntities()
    this.#skipped.add(entity)
  }

  finish(): void {
    this.#flush()
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
  }

  // One loop over numbers, and nothing that is made but the events. There is room for all of them from the start: an array that grows is copied.
  read(frame: TapeFrame, first: number, end: number): number {
    const { words, types, inputStart, count, entity, names } = frame
    const { startTag, endTag, emptyTag, name: nameType, text, cdata, comment, instruction, isPart } = types
    const { scopes, toSource, attributesOf } = this.#facts as DocumentFacts
    if (this.#events.length === 0) this.#events = new Array<XmlEvent>(end - first)
    const outermost = entity?.outermost
    const isCut = this.textRoom !== undefined
    const open = this.#open
    const namespaces = this.#namespaces
    let part = first
    for (let record = first; record < end; record++) {
      const at = record * RECORD_WORDS
      const type = (words[at] as number) & 255
      if (isPart[type] === 0) continue
      const child = part
      part = record + 1
      const startOffset = inputStart + (((words[at + START] as number) - inputStart) >>> 0)
      const endOffset = inputStart + (((words[at + END] as number) - inputStart) >>> 0)
      const start = entity ? this.#at(entity.start) : toSource ? toSource(startOffset) : startOffset
      const last = entity ? this.#at(entity.end) : toSource ? toSource(endOffset) : endOffset
      if (type === text || type === cdata) {
        let next = record + 1 < count ? (words[at + RECORD_WORDS] as number) & 255 : -1
        // What a comment says stands before it.
        if (next === NodeType.LITERAL && record + 2 < count) next = (words[at + 2 * RECORD_WORDS] as number) & 255
        // Before a tag or a comment it is the complete text, unless there was some of it before.
        const isEnded = next === nameType || next === endTag || next === comment
        const isWhole = type === text && this.#textStart === -1 && isEnded && !entity && !isCut
        if (isWhole) {
          const event = { type: 'text', text: frame.textOf(record, child), cdata: false, start, end: last } as const
          this.#events[this.#count++] = event
        } else this.#readText(frame, child, record, type === cdata)
        continue
      }
      if (this.#textStart !== -1) this.#flush()
      if (type === startTag) {
        const name = names.get(words[child * RECORD_WORDS + SYMBOL] as number)
        const namespace = name.prefix === '' ? scopes?.default : scopes?.resolve(name.prefix)
        const selfClosing = frame.isEmptyTag(record)
        const attributes = attributesOf(frame, child, record)
        // The recorded tag is followed by `>` or `/>`.
        const tagEnd = endOffset + (selfClosing ? 2 : 1)
        open.push(name)
        namespaces.push(namespace)
        this.#add(
          {
            type: 'start',
            name: name.raw,
            localName: name.localName,
            namespace,
            attributes,
            selfClosing,
            start,
            end: entity ? last : toSource ? toSource(tagEnd) : tagEnd,
          },
          outermost,
        )
      } else if (type === endTag || type === emptyTag) {
        // An empty element ends where its tag does, and nowhere begins.
        const place = type === endTag || entity ? start : last
        const { raw, localName } = open.pop() as Name
        const namespace = namespaces.pop()
        this.#add({ type: 'end', name: raw, localName, namespace, start: place, end: last }, outermost)
      } else if (type === comment) {
        this.#add({ type: 'comment', text: frame.textOf(record - 1, child), start, end: last }, outermost)
      } else if (type === instruction) {
        const target = frame.textOf(child, child)
        const data = child + 1 < record ? frame.textOf(record - 1, child + 1) : ''
        this.#add({ type: 'instruction', target, data, start, end: last }, outermost)
      }
    }
    return end
  }

  /** A text or a CDATA section that may be only some of the text of an event, or of several. */
  #readText(frame: TapeFrame, first: number, record: number, isCdata: boolean): void {
    const literal = isCdata ? record - 1 : record
    const from = frame.startOf(record)
    // There is nothing where a text was cut at its end.
    if (!isCdata && from === frame.endOf(record)) return
    const [start, end] = [frame.place(from), frame.place(frame.endOf(record), true)]
    const entity = frame.entity?.outermost
    const isContinued = isCdata && this.#isSectionOpen
    this.#isSectionOpen = isCdata && frame.isSectionOpen
    if (this.#keepsCdata && !isContinued && (isCdata || this.#isCdata)) this.#flush()
    if (this.textRoom === undefined) {
      this.#extend(isCdata, start, end, entity)
      this.#text.add(frame.textOf(literal, first))
      return
    }
    if (isCdata && !isContinued) this.#extend(true, start, frame.place(frame.startOf(literal), true), entity)
    for (const stretch of frame.stretches(literal, first)) this.#addPieces(stretch, isCdata, entity)
    if (isCdata && !frame.isSectionOpen) this.#extend(true, frame.place(frame.endOf(literal)), end, entity)
  }

  /** Only events that an entity brings have its name: nearly all events are objects of one kind each. */
  #add(event: XmlEvent, entity?: string): void {
    this.#events[this.#count++] = entity === undefined ? event : { ...event, entity }
  }

  /** An offset as it is reported. */
  #at(offset: number): number {
    return this.#facts?.toSource?.(offset) ?? offset
  }

  declaration({ version, encoding, standalone }: XmlDeclaration, from: number, to: number): void {
    const [start, end] = [this.#at(from), this.#at(to)]
    this.#add({ type: 'declaration', version, encoding, standalone, start, end })
  }

  documentType(declarations: DocumentType, from: number, to: number): void {
    const { name, publicId, systemId, internalSubset } = declarations
    const [start, end] = [this.#at(from), this.#at(to)]
    this.#add({ type: 'doctype', name, publicId, systemId, internalSubset, declarations, start, end })
  }

  /** Fills one piece after the other: the same ones in whatever stretches the text comes. A full one waits for more, or for its end. */
  #addPieces({ text, start, end, isVerbatim }: Stretch, isCdata: boolean, entity: string | undefined): void {
    let offset = start
    for (let from = 0; from < text.length; ) {
      if (this.#maxText <= this.#text.length) this.#flush()
      const to = endOfPiece(text, from, this.#maxText - this.#text.length)
      const piece = text.slice(from, to)
      const pieceEnd = isVerbatim && to < text.length ? offset + encoder.encode(piece).length : end
      this.#extend(isCdata, offset, pieceEnd, entity)
      this.#text.add(piece)
      if (isVerbatim) offset = pieceEnd
      from = to
    }
  }

  /** Says where something lies that is part of the text. */
  #extend(isCdata: boolean, start: number, end: number, entity: string | undefined): void {
    if (this.#textStart === -1) this.#textStart = this.#at(start)
    this.#textEntity ??= entity
    this.#isCdata = isCdata && this.#keepsCdata
    this.#textEnd = this.#at(end)
  }

  #flush(): void {
    if (this.#textStart === -1) return
    const text = this.#text.take()
    // An empty CDATA section says nothing, unless such sections are wanted.
    if (text !== '' || this.#isCdata) {
      const event = { type: 'text', text, cdata: this.#isCdata, start: this.#textStart, end: this.#textEnd } as const
      this.#add(event, this.#textEntity)
    }
    this.#textStart = -1
    this.#textEntity = undefined
    this.#isCdata = false
  }
}
