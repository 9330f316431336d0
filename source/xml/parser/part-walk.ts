// Goes over the parts that the machine has recorded, and those of entities: inspects what no grammar can say, settles what needs it, and lets a consumer
// read the rest in one go.

import { doctypes } from '../doctype/doctypes.ts'
import { Entities } from '../doctype/entities.ts'
import { EntityCounter } from '../doctype/entity-limits.ts'
import { ExternalEntities, type ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import { shorten, UnplacedError } from '../errors/unplaced-error.ts'
import type { OpenText, TapeFrame } from '../tape/tape-frame.ts'
import type { XmlTape } from '../tape/xml-tape.ts'
import type { Consumer } from './consumer.ts'
import { EntityReferences } from './entity-references.ts'
import { makeDepthError } from './error-places.ts'
import type { XmlParserOptions } from './parser-options.ts'
import type { PartReader } from './part-reader.ts'
import { Prolog } from './prolog.ts'
import { PassedNames, StartTagReader } from './start-tag.ts'
import { StepCounter } from './step-counter.ts'

/** Why it stopped: `done` when all was read; `part` to let others have their turn; `resolve` and `load` (doctypes) when something is wanted. */
export type WalkAdvance = 'part' | 'done' | 'resolve' | 'load'

export interface PartWalkOptions {
  readonly parsing: XmlParserOptions
  readonly tape: XmlTape
  readonly consumer: Consumer
  readonly reader: PartReader
  /** Byte offset where the document begins. */
  readonly documentStart: number
  /** Called with the byte offset after a document type declaration. */
  readonly onDoctype: (end: number) => void
}

/** The walk over one document. */
export class PartWalk {
  readonly tags: StartTagReader
  readonly prolog: Prolog
  readonly references: EntityReferences
  readonly externals: ExternalEntities
  readonly counter: EntityCounter
  readonly documentStart: number
  /** The document's records on the bottom, then those of entities that are open. */
  readonly frames: TapeFrame[] = []
  /** What was given for the last request. */
  answer: { readonly given: ExternalText } | undefined
  readonly #options: PartWalkOptions
  readonly #entities: Entities
  readonly #reader: PartReader
  readonly #passed: PassedNames
  /** What was inspected one by one since others could do something. */
  readonly #steps = new StepCounter()

  constructor(options: PartWalkOptions) {
    const { consumer, tape, parsing } = options
    const { namespaces, toSource, onSkippedEntity } = parsing
    const counter = new EntityCounter(parsing.entityLimits)
    const externals = new ExternalEntities(counter, parsing.resolves, (given) =>
      doctypes.required.readExternalText(given),
    )
    const entities = new Entities(counter, parsing.machineLimits, (name, byteOffset) => {
      const entity = { name, byteOffset: toSource?.(byteOffset) ?? byteOffset }
      consumer.skip?.(entity)
      onSkippedEntity?.(entity)
    })
    const tags = new StartTagReader(entities, counter, namespaces, toSource)
    this.#options = options
    this.#reader = options.reader
    this.documentStart = options.documentStart
    this.externals = externals
    this.counter = counter
    this.tags = tags
    this.#entities = entities
    this.references = new EntityReferences({ entities, externals, steps: this.#steps, frames: this.frames })
    this.prolog = new Prolog({ consumer, tags, entities, counter, externals, namespaces })
    this.#passed = new PassedNames(tape, tags)
  }

  /** The text that is wanted from outside; undefined for none. */
  get request(): ExternalRequest | undefined {
    return this.prolog.request ?? this.references.request
  }

  /** Continues up to the end of what was recorded, or until something is wanted. */
  advance(): WalkAdvance {
    const { entities } = this.#options.parsing
    if (entities && !this.#entities.known) {
      if (!doctypes.module) return 'load'
      this.#entities.known = doctypes.module.declareKnown(entities)
    }
    try {
      return this.#advance()
    } catch (error) {
      // What is before the error is read first.
      const frame = this.frames.at(-1)
      if (frame) this.#reader.read(frame, frame.first)
      throw error
    }
  }

  #advance(): WalkAdvance {
    for (;;) {
      const unsettled = this.prolog.isReading || this.references.request ? this.#settle() : undefined
      if (unsettled) return unsettled
      const frame = this.frames.at(-1)
      if (!frame) return 'done'
      if (this.#steps.isOver) {
        this.#reader.read(frame, frame.openText ? frame.first : frame.part + 1)
        this.#steps.restart()
        return 'part'
      }
      if (frame.openText) this.#readText(frame, frame.openText)
      else if (!this.#inspectNext(frame)) this.#leaveFrame(frame)
    }
  }

  /** Continues with what waits for text from outside, and with a document type declaration. Undefined when that is done. */
  #settle(): 'resolve' | 'part' | 'load' | undefined {
    if (this.prolog.isReading && !doctypes.module) return 'load'
    const answer = this.answer
    if (this.request && !answer) return 'resolve'
    this.answer = undefined
    if (!this.prolog.isReading) {
      this.references.answer(answer?.given)
      return undefined
    }
    const advance = this.prolog.advance(answer?.given)
    return advance === 'done' ? undefined : advance
  }

  /** Inspects parts up to one that cannot just be read with those before it. False at the end of the frame. */
  #inspectNext(frame: TapeFrame): boolean {
    // Text that was not written out at once is long, or comes without the kernel: what it stands for is found out step by step.
    if (frame.isOnTape && (frame.hasTranscript || this.#options.consumer.sharedText === 0)) {
      const { tape } = this.#options
      const skimmed = tape.skim(frame.part + 1, frame.count, this.#reader.depth, this.floor)
      this.#reader.depth = tape.skimDepth
      frame.moveTo(skimmed)
      // Of a tag at the end it may not be known whether its element is empty.
      if (skimmed === frame.count && frame.moveToOpenTag()) this.#reader.depth--
    }
    if (!frame.next()) {
      this.#reader.read(frame, frame.count)
      return false
    }
    this.#steps.add(1)
    return this.#inspect(frame)
  }

  /** The depth of the innermost element whose end has to be inspected; 0 for none. */
  get floor(): number {
    return Math.max(this.tags.declaredDepth, this.#reader.dropDepth ?? 0)
  }

  /** Inspects a part. False if it cannot be read yet. */
  #inspect(frame: TapeFrame): boolean {
    const { type, types, first, part } = frame
    switch (type) {
      case types.startTag:
        return this.#inspectStartTag(frame)
      case types.endTag:
      case types.emptyTag:
        this.#inspectEndTag(frame)
        return true
      case types.text:
        this.#inspectText(frame)
        return true
      case types.instruction:
      case types.target:
        this.checkTarget(frame, first)
        return true
      case types.characterReference:
        frame.standsFor(part)
        return true
      case types.cdata:
      case types.comment:
        return true
      default:
        this.#reader.read(frame, first)
        frame.unread = part + 1
        if (type === types.declaration) this.prolog.readDeclaration(frame)
        else {
          this.#options.onDoctype(frame.end)
          this.prolog.beginDoctype(frame)
        }
        this.#reader.readTo = frame.end
        return true
    }
  }

  #inspectStartTag(frame: TapeFrame): boolean {
    const { first, part, isOnTape } = frame
    if (isOnTape && !frame.isTagEnded(part)) {
      this.#reader.leaveTag(frame, first)
      return false
    }
    // The machine counts the elements of the document alone.
    const { maxDepth } = this.#options.parsing.machineLimits
    if (frame.entity && this.#reader.depth >= maxDepth) {
      throw makeDepthError(frame.nameOf(first).raw, frame.place(frame.start), maxDepth)
    }
    if (!this.tags.isPlain(frame)) {
      this.#reader.read(frame, first)
      this.tags.settle(frame, this.#reader.depth + 1)
      this.#passed.followScopes()
    }
    if (isOnTape) this.#passed.add(frame)
    this.#reader.depth++
    return true
  }

  /** Checks a start tag that was left, and whose end does not come. Throws an {@link UnplacedError}. */
  checkLeftTag(frame: TapeFrame): void {
    this.frames.push(frame)
    frame.next()
    if (!this.tags.isPlain(frame)) this.tags.settle(frame, this.#reader.depth + 1)
    this.frames.pop()
  }

  #inspectEndTag(frame: TapeFrame): void {
    const { part, first } = frame
    const depth = this.#reader.depth
    if (depth > this.floor) {
      this.#reader.depth--
      return
    }
    this.#reader.read(frame, first)
    this.#reader.depth--
    // The consumer reads the end of the element that it has dropped.
    if (depth === this.#reader.dropDepth) this.#reader.give(frame, part + 1)
    else this.#reader.read(frame, part + 1)
    if (depth > this.tags.declaredDepth) return
    this.tags.leave(depth)
    this.#passed.followScopes()
  }

  /** Whether a reference in a text is one to an entity. Throws an {@link UnplacedError} if it is wrong. */
  readonly checkReference = (frame: TapeFrame, hole: number): boolean => {
    const isEntity = frame.standsFor(hole) === undefined
    if (isEntity) this.references.check(frame.referenceName(hole))
    return isEntity
  }

  /** Inspects a text. If it refers to entities, it is read piece by piece. */
  #inspectText(frame: TapeFrame): void {
    const { first, part, start } = frame
    for (let hole = first; hole < part; hole++) {
      this.#steps.add(1)
      const isPlain = !frame.isReference(hole) || !this.#isEntity(frame, hole, { from: start, first })
      if (isPlain && !this.#steps.isOver) continue
      frame.openText = { from: start, first, next: hole }
      return
    }
  }

  /** Whether a hole in a text is a reference to an entity. If it is an error, the text before it is read first. */
  #isEntity(frame: TapeFrame, hole: number, { from, first }: Pick<OpenText, 'from' | 'first'>): boolean {
    try {
      return frame.standsFor(hole) === undefined
    } catch (error) {
      this.#reader.readPiece(frame, { from, first, next: hole }, frame.startOf(hole))
      throw error
    }
  }

  /** Reads more of a text with references to entities, up to one whose text comes first, or to its end. */
  #readText(frame: TapeFrame, text: OpenText): void {
    for (; text.next < frame.part && !this.#steps.isOver; text.next++) {
      this.#steps.add(1)
      const hole = text.next
      if (!frame.isReference(hole) || !this.#isEntity(frame, hole, text)) continue
      this.#reader.readPiece(frame, text, frame.startOf(hole))
      frame.openText = { from: frame.endOf(hole), first: hole + 1, next: hole + 1 }
      this.references.followIn(frame, hole)
      return
    }
    const { next } = text
    if (next < frame.part) {
      // Others are to have their turn: what a piece stands for is not found out all at once.
      this.#reader.readPiece(frame, text, frame.startOf(next))
      frame.openText = { from: frame.startOf(next), first: next, next }
      return
    }
    this.#reader.readPiece(frame, text, frame.end)
    frame.openText = undefined
    frame.unread = frame.part + 1
    if (!frame.entity) this.#reader.readTo = frame.end
  }

  #leaveFrame(frame: TapeFrame): void {
    this.frames.pop()
    if (frame.entity) this.references.leave(frame.entity)
  }

  /** Checks the target of an instruction, which is a record. Throws an {@link UnplacedError} if it may not have that. */
  checkTarget(frame: TapeFrame, record: number): void {
    const target = frame.text(frame.startOf(record), frame.endOf(record))
    const place = frame.place(frame.startOf(record))
    if (target === 'xml' && place === this.documentStart + 2) {
      const message = 'malformed XML declaration; expected version, then optionally encoding and standalone'
      throw new UnplacedError(message, 'malformed-declaration', undefined, this.documentStart)
    }
    // A fragment may be documents that follow each other.
    const isBetween = target === 'xml' && this.#options.parsing.fragment && this.#reader.depth === 0
    if (target.length === 3 && target.toLowerCase() === 'xml' && !isBetween) {
      const message = `the target ${target} is reserved: an XML declaration is allowed only at the very start`
      throw new UnplacedError(message, 'reserved-target', undefined, place)
    }
    if (this.#options.parsing.namespaces && target.includes(':')) {
      const message = `a colon is not allowed in the target ${shorten(target)} of a processing instruction`
      throw new UnplacedError(message, 'name-with-colon', 'Namespaces in XML, section 7', place)
    }
  }
}
