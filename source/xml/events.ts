// A document as a list of what happens in it.

import { NodeType } from '../machine/program/program.ts'
import type { DocumentType } from './doctype/document-type.ts'
import { ENTRY_LENGTH, XmlAttributes } from './names/attributes.ts'
import type { Name } from './names/names.ts'
import type { NamespaceScopes } from './names/namespaces.ts'
import type { DocumentFacts, Sink, TapeConsumer, TapeUse, ToSource, XmlDeclaration } from './parser/sink.ts'
import { JoinedText } from './tape/joined-text.ts'
import { addTranscribed, END, RECORD_WORDS, START, SYMBOL, type TapeFrame, transcribe } from './tape/tape-frame.ts'

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
export class EventCollector implements Sink, TapeConsumer {
  readonly tape = this
  readonly use: TapeUse
  readonly wantsContent = true
  readonly wantsText = true
  /** Of the open elements: two lists, because one of objects would have one for each tag. */
  readonly #open: Name[] = []
  readonly #namespaces: (string | undefined)[] = []
  readonly #keepsCdata: boolean
  readonly #maxText: number
  #toSource: ToSource | undefined
  #entity: DocumentFacts['entity'] | undefined
  #names: readonly (Name | undefined)[] = []
  #scopes: NamespaceScopes | undefined
  /** With room for more than there are. */
  #events: XmlEvent[] = []
  #count = 0
  readonly #text = new JoinedText()
  #isCdata = false
  #textStart = -1
  #textEnd = 0
  /** The first entity that brings some of the text. */
  #textEntity: string | undefined

  constructor({ cdata, maxText }: EventOptions) {
    this.#keepsCdata = cdata
    this.#maxText = Math.floor(maxText)
    // Text in pieces is reported.
    this.use = maxText === Number.POSITIVE_INFINITY ? 'take' : 'report'
  }

  get textRoom(): number {
    return this.#maxText - this.#text.length
  }

  /** The events so far, without text that may continue; none: an empty array. */
  take(): XmlEvent[] {
    const events = this.#events
    events.length = this.#count
    this.#events = []
    this.#count = 0
    return events
  }

  finish(): void {
    this.#flush()
  }

  begin({ toSource, names, scopes, entity }: DocumentFacts): void {
    this.#toSource = toSource
    this.#entity = entity
    this.#names = names.known
    this.#scopes = scopes
  }

  leave(): void {}

  canPass(): boolean {
    return true
  }

  // Nearly all events are made here: one loop over numbers, and nothing that is made but the events. There is room for all of them from
  // the start: an array that grows is copied.
  takeRecords(frame: TapeFrame, first: number, end: number): number {
    const { words, types, transcript, inputStart, count } = frame
    const { startTag, endTag, emptyTag, name: nameType, text, cdata, comment, instruction, isPart } = types
    const toSource = this.#toSource
    if (this.#events.length === 0) this.#events = new Array<XmlEvent>(frame.count - first)
    const events = this.#events
    const names = this.#names
    const scopes = this.#scopes
    const open = this.#open
    const namespaces = this.#namespaces
    let part = first
    let made = this.#count
    for (let record = first; record < end; record++) {
      const at = record * RECORD_WORDS
      const type = (words[at] as number) & 255
      if (isPart[type] === 0) continue
      const child = part
      const startOffset = inputStart + (((words[at + START] as number) - inputStart) >>> 0)
      const endOffset = inputStart + (((words[at + END] as number) - inputStart) >>> 0)
      const start = toSource ? toSource(startOffset) : startOffset
      const last = toSource ? toSource(endOffset) : endOffset
      if (type === text || type === cdata) {
        let next = record + 1 < count ? (words[at + RECORD_WORDS] as number) & 255 : -1
        // What a comment says stands before it.
        if (next === NodeType.LITERAL && record + 2 < count) next = (words[at + 2 * RECORD_WORDS] as number) & 255
        // Before a tag or a comment it is the complete text, unless there was some of it before.
        const isEnded = next === nameType || next === endTag || next === comment
        if (type === text && this.#textStart === -1 && isEnded) {
          const whole = transcribe(words, transcript, record)
          events[made++] = { type: 'text', text: whole, cdata: false, start, end: last }
        } else {
          const isCdata = type === cdata
          this.#count = made
          this.#beginText(isCdata, startOffset, endOffset)
          made = this.#count
          addTranscribed(this.#text, words, transcript, isCdata ? record - 1 : record)
        }
      } else if (type === startTag) {
        if (record + 1 === count) break
        if (this.#textStart !== -1) made = this.#flushBehind(made)
        const name = names[words[child * RECORD_WORDS + SYMBOL] as number] as Name
        const namespace = name.prefix === '' ? scopes?.default : scopes?.resolve(name.prefix)
        const selfClosing = ((words[at + RECORD_WORDS] as number) & 255) === emptyTag
        const attributes = child + 1 === record ? XmlAttributes.NONE : this.#takeAttributes(frame, child + 1, record)
        // The recorded tag is followed by `>` or `/>`.
        const tagEnd = endOffset + (selfClosing ? 2 : 1)
        open.push(name)
        namespaces.push(namespace)
        events[made++] = {
          type: 'start',
          name: name.raw,
          localName: name.localName,
          namespace,
          attributes,
          selfClosing,
          start,
          end: toSource ? toSource(tagEnd) : tagEnd,
        }
      } else if (type === endTag || type === emptyTag) {
        if (this.#textStart !== -1) made = this.#flushBehind(made)
        // An empty element ends where its tag does, and nowhere begins.
        const place = type === endTag ? start : last
        const { raw, localName } = open.pop() as Name
        events[made++] = { type: 'end', name: raw, localName, namespace: namespaces.pop(), start: place, end: last }
      } else if (type === comment) {
        if (this.#textStart !== -1) made = this.#flushBehind(made)
        events[made++] = { type: 'comment', text: transcribe(words, transcript, record - 1), start, end: last }
      } else if (type === instruction) {
        if (this.#textStart !== -1) made = this.#flushBehind(made)
        const target = transcribe(words, transcript, child)
        const data = child + 1 < record ? transcribe(words, transcript, record - 1) : ''
        events[made++] = { type: 'instruction', target, data, start, end: last }
      }
      part = record + 1
    }
    this.#count = made
    return part
  }

  /** Ends the text that is open, where so many events are made. Gives how many they are then. */
  #flushBehind(count: number): number {
    this.#count = count
    this.#flush()
    return this.#count
  }

  /** The attributes whose records are these: of each a name, then holes and a literal. */
  #takeAttributes(frame: TapeFrame, first: number, end: number): XmlAttributes {
    const { words, types, transcript, inputStart } = frame
    let count = 0
    for (let record = first; record < end; record++) {
      if (((words[record * RECORD_WORDS] as number) & 255) === types.name) count++
    }
    // An array that grows has room for sixteen at once.
    const entries = new Array<string | number>(count * ENTRY_LENGTH)
    let namespaces: (string | undefined)[] | undefined
    let i = 0
    for (let record = first, at = 0; record < end; record++) {
      const word = record * RECORD_WORDS
      const type = (words[word] as number) & 255
      if (type === types.name) {
        const { raw, prefix } = this.#names[words[word + SYMBOL] as number] as Name
        entries[at] = raw
        entries[at + 2] = this.#at(inputStart + (((words[word + START] as number) - inputStart) >>> 0))
        if (prefix !== '' && this.#scopes) {
          namespaces ??= new Array<string | undefined>(count)
          namespaces[i] = this.#scopes.resolve(prefix)
        }
      } else if (type === NodeType.LITERAL) {
        entries[at + 1] = transcribe(words, transcript, record)
        entries[at + 3] = this.#at(inputStart + (((words[word + END] as number) - inputStart) >>> 0))
        at += ENTRY_LENGTH
        i++
      }
    }
    return new XmlAttributes(entries, namespaces)
  }

  #report(event: XmlEvent): void {
    this.#add(event, this.#entity?.())
  }

  /** Only events that an entity brings have its name: nearly all events are objects of one kind each. */
  #add(event: XmlEvent, entity: string | undefined): void {
    this.#events[this.#count++] = entity === undefined ? event : { ...event, entity }
  }

  wantsTag(): boolean {
    return true
  }

  /** An offset as it is reported. */
  #at(offset: number): number {
    return this.#toSource ? this.#toSource(offset) : offset
  }

  declaration({ version, encoding, standalone }: XmlDeclaration, start: number, end: number): void {
    this.#report({
      type: 'declaration',
      version,
      encoding,
      standalone,
      start: this.#at(start),
      end: this.#at(end),
    })
  }

  documentType(declarations: DocumentType, start: number, end: number): void {
    const { name, publicId, systemId, internalSubset } = declarations
    this.#report({
      type: 'doctype',
      name,
      publicId,
      systemId,
      internalSubset,
      declarations,
      start: this.#at(start),
      end: this.#at(end),
    })
  }

  startElement(
    name: Name,
    namespace: string | undefined,
    attributes: XmlAttributes,
    start: number,
    end: number,
    selfClosing: boolean,
  ): void {
    this.#flush()
    this.#open.push(name)
    this.#namespaces.push(namespace)
    this.#report({
      type: 'start',
      name: name.raw,
      localName: name.localName,
      namespace,
      attributes,
      selfClosing,
      start: this.#at(start),
      end: this.#at(end),
    })
  }

  endElement(start: number, end: number): void {
    this.#flush()
    const { raw, localName } = this.#open.pop() as Name
    const namespace = this.#namespaces.pop()
    this.#report({ type: 'end', name: raw, localName, namespace, start: this.#at(start), end: this.#at(end) })
  }

  text(text: string, isCdata: boolean, start: number, end: number, isVerbatim: boolean): void {
    if (this.#maxText === Number.POSITIVE_INFINITY) {
      this.#beginText(isCdata, start, end)
      this.#text.add(text)
    } else {
      this.#addPieces(text, isCdata, start, end, isVerbatim)
    }
  }

  beginCdata(start: number, end: number): void {
    this.#beginText(true, start, end)
  }

  /** A text or CDATA section comes, which is part of the text before or an event of its own. */
  #beginText(isCdata: boolean, start: number, end: number): void {
    if (this.#keepsCdata && (isCdata || this.#isCdata)) this.#flush()
    this.#extend(isCdata, start, end)
  }

  /** Fills one piece after the other: the same ones in whatever stretches the text comes. A full one waits for more, or for its end. */
  #addPieces(text: string, isCdata: boolean, start: number, end: number, isVerbatim: boolean): void {
    if (this.#isCdata && !isCdata) this.#flush()
    if (text === '') this.#extend(isCdata, start, end)
    let offset = start
    for (let from = 0; from < text.length; ) {
      if (this.textRoom <= 0) this.#flush()
      const to = endOfPiece(text, from, this.textRoom)
      const piece = text.slice(from, to)
      const pieceEnd = isVerbatim && to < text.length ? offset + encoder.encode(piece).length : end
      this.#extend(isCdata, offset, pieceEnd)
      this.#text.add(piece)
      if (isVerbatim) offset = pieceEnd
      from = to
    }
  }

  /** Says where something lies that is part of the text. */
  #extend(isCdata: boolean, start: number, end: number): void {
    if (this.#textStart === -1) this.#textStart = this.#at(start)
    this.#textEntity ??= this.#entity?.()
    this.#isCdata = isCdata && this.#keepsCdata
    this.#textEnd = this.#at(end)
  }

  comment(text: string, start: number, end: number): void {
    this.#flush()
    this.#report({ type: 'comment', text, start: this.#at(start), end: this.#at(end) })
  }

  instruction(target: string, data: string, start: number, end: number): void {
    this.#flush()
    this.#report({ type: 'instruction', target, data, start: this.#at(start), end: this.#at(end) })
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
