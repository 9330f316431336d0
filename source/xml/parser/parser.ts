// The loop around the machine: feeds it, walks through what it recorded, and reports to a sink. It waits for nothing and opens nothing; where the
// text of an external entity is wanted it stops and says so.

import { NodeType } from '../../machine/program/program.ts'
import type { EngineName } from '../../machine/run/engine.ts'
import type { MachineLimits } from '../../machine/run/limits.ts'
import type { Machine, Outcome, TapeView } from '../../machine/run/machine.ts'
import { acquireMachine, releaseMachine } from '../../machine/run/pool.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import { LimitError } from '../../stream/errors.ts'
import { limitLength } from '../../text/length-limit.ts'
import type { Position } from '../../text/line-counter.ts'
import { concatText, LONGEST_STRING, StringTooLong } from '../../text/units.ts'
import { DoctypeReader } from '../doctype/doctype-reader.ts'
import { Entities, type SkippedEntity } from '../doctype/entities.ts'
import { EntityCounter, type EntityLimits } from '../doctype/entity-limits.ts'
import { ExternalEntities, type ExternalRequest, type ExternalText } from '../doctype/external.ts'
import { explainSyntax, isMoreWanted, type OpenElement } from '../errors/explain.ts'
import { explainLimit } from '../errors/explain-limit.ts'
import { EXCERPT, Failure } from '../errors/failure.ts'
import { Fault, LocatedFault, shorten } from '../errors/fault.ts'
import { MarkupFinder } from '../errors/open-markup.ts'
import type { ProgramName } from '../language/assemble-programs.ts'
import { getProgram } from '../language/programs.ts'
import { NameTable, readName } from '../names/names.ts'
import { KernelProjector } from '../projection/kernel-projector.ts'
import { type PartTypes, partTypesOf } from '../tape/part-types.ts'
import { END, RECORD_WORDS, TapeFrame } from '../tape/tape-frame.ts'
import { predefinedEntity, referredCharacter } from '../text/references.ts'
import type { Sink, ToSource, XmlDeclaration } from './sink.ts'
import { type StartTag, StartTagReader } from './start-tag.ts'

const HASH = 0x23
const AMPERSAND = 0x26
const CARRIAGE_RETURN = 0x0d
const CDATA = new TextEncoder().encode('<![CDATA[')
const EXCLAMATION_MARK = 0x21
const QUESTION_MARK = 0x3f

/** Bytes of input that are kept at the most because the end of a record has not come. */
const LARGEST_LEFT = 512 * 1024

/** Parts and references that are read at once, which takes some milliseconds at the most; and what an entity counts as. */
const MOST_STEPS = 4000
const ENTITY_STEPS = 20

/** How a document is to be read. */
export interface XmlParserOptions {
  readonly namespaces: boolean
  readonly fragment: boolean
  readonly normalizeLineEnds: boolean
  /** Whether text of external entities can be had. */
  readonly resolves: boolean
  readonly machineLimits: MachineLimits
  readonly entityLimits: EntityLimits
  readonly engine?: EngineName | undefined
  /** The offset in the source of one in the UTF-8 that was made of it; undefined where they are the same. */
  readonly toSource?: ToSource | undefined
  /** Called for each reference that is left out. */
  readonly onSkippedEntity?: ((entity: SkippedEntity) => void) | undefined
  /** Called for each malformed byte or character, which is then replaced; without this, it is an error. */
  readonly onReplace?: (() => void) | undefined
}

/**
 * Why a parser stopped: `part` to let what was reported be taken, or other work run; `resolve` when it needs what `request` asks for.
 */
export type Advance = 'input' | 'part' | 'done' | 'resolve'

/** Reads one document. */
export class XmlParser {
  readonly #options: XmlParserOptions
  readonly #sink: Sink
  readonly #machine: Machine
  readonly #types: PartTypes
  readonly #names: NameTable
  readonly #tags: StartTagReader
  readonly #counter: EntityCounter
  readonly #externals: ExternalEntities
  readonly #entities: Entities
  readonly #markup: MarkupFinder
  readonly #kernel: KernelProjector | undefined
  /** The document's records on the bottom, then those of entities that are open. */
  readonly #frames: TapeFrame[] = []
  readonly #open = new Set<string>()
  /** How many elements of the document and of its entities are open. */
  #depth = 0
  /** The depths of those of them that the sink got. */
  readonly #told: number[] = []
  #view: TapeView | undefined
  #outcome: Outcome = 'input'
  /** The limit that the machine has passed. What was recorded before is reported first. */
  #limitError: LimitError | undefined
  /** What is wrong with the document, once that is known. */
  #failure: Failure | undefined
  #isFinished = false
  /** Why input after what has arrived is not text. */
  #refusal: string | undefined
  /** Whether what was open where the machine has failed was read. */
  #hasReadOpen = false
  /** A start tag whose end is not known to be `>` or `/>`. */
  #tag: StartTag | undefined
  /** Offset up to which parts were read. */
  #readTo: number
  /** Offset where the document begins. */
  readonly #start: number
  #doctype: DoctypeReader | undefined
  #hasDoctype = false
  #request: ExternalRequest | undefined
  #answer: { readonly given: ExternalText } | undefined
  /** From where on the input must be kept: for the one who gets it, and for a reference whose end has not arrived. */
  #held: number | undefined
  #heldReference: number | undefined
  /** Whether it is kept for a tag whose end has not arrived: it will be asked where that is. */
  #holdsTag = false
  /** How many records were left on the tape, and where the element begins that they belong to. */
  #left = 0
  #leftFrom: number | undefined
  /** Whether the machine has run since. */
  #hasRun = false
  /** Whether nothing may be left, because the machine has no room. */
  #wantsAll = false
  /** Symbols of names with prefixes that need no look as long as the same declarations hold, which this number stands for. */
  readonly #passedInScope: number[] = []
  #scopesVersion = 0
  /** What was read one by one since others could do something. */
  #steps = 0
  #isStandalone = false
  /** Whether the CDATA section that comes next was reported, as far as it had arrived, except for its end. */
  #isCdataTold = false

  constructor(program: ProgramName, sink: Sink, options: XmlParserOptions, start = TextPosition.START) {
    this.#options = options
    this.#sink = sink
    this.#machine = acquireMachine(getProgram(program), options.engine)
    this.#machine.begin(getProgram(program), options.machineLimits, start)
    this.#machine.replaceMalformed(options.onReplace)
    this.#machine.forgoIndices()
    this.#markup = new MarkupFinder(this.#machine, start.byteOffset)
    this.#types = partTypesOf(program)
    this.#machine.setRoles(this.#types.roles)
    this.#names = new NameTable((symbol) => this.#machine.readName(symbol, readName))
    this.#counter = new EntityCounter(options.entityLimits)
    this.#externals = new ExternalEntities(this.#counter, options.resolves)
    this.#entities = new Entities(this.#counter, options.machineLimits, (name, byteOffset) => {
      options.onSkippedEntity?.({ name, byteOffset: this.toSource(byteOffset) })
    })
    this.#tags = new StartTagReader(this.#entities, this.#counter, options.namespaces, options.toSource)
    const kernel = sink.takesRecords && !sink.wantsText ? KernelProjector.of(this.#machine) : undefined
    this.#kernel = kernel
    sink.begin({
      toSource: options.toSource,
      names: this.#names,
      types: this.#types,
      scopes: this.#tags.scopes,
      normalizesLineEnds: options.normalizeLineEnds,
      maxRetained: options.machineLimits.maxRetained,
      viewInput: (from, to) => this.#machine.viewInput(from, to),
      viewWindow: () => this.#machine.viewWindow(),
      prepareDecoding: () => this.#machine.prepareDecoding(),
      decode: (ranges, count, ends) => this.#machine.decode(ranges, count, ends),
      kernel,
      linkTags: (first, end) => this.#machine.linkTags(first, end),
      locate: (offset) => this.#machine.locate(offset),
      explain: (fault) => this.#locate(fault).makeError(),
    })
    this.#readTo = start.byteOffset
    this.#start = start.byteOffset
  }

  /** Gives the machine back. The parser is not to be used any more. */
  release(): void {
    releaseMachine(this.#machine)
  }

  /** Offset after what was matched. */
  get position(): number {
    return this.#machine.position
  }

  /** Offset after what was reported; after an error, the error is not before it. */
  get readTo(): number {
    return Math.min(this.#readTo, this.#failure?.offset ?? Number.POSITIVE_INFINITY)
  }

  /** Whether what it reads is not the bytes of the source. */
  get isTranscoded(): boolean {
    return this.#options.toSource !== undefined
  }

  /** Offset from which on the input may still be needed. */
  get retainedFrom(): number {
    // The start of a tag whose end has not come will be reported, and the places in a part that waits for the text of an entity.
    const pending = [this.#tag?.start, this.#frames[0]?.start].filter((offset) => offset !== undefined)
    return Math.min(this.#machine.retainedFrom, ...pending)
  }

  /** The offset in the source of an offset that a sink gets. */
  toSource(offset: number): number {
    return this.#options.toSource?.(offset) ?? offset
  }

  /** Offset after the input that was taken over. */
  get inputEnd(): number {
    return this.#machine.inputEnd
  }

  /** Line and column after what was matched. */
  locate(): TextPosition {
    return this.#machine.locatePosition()
  }

  /**
   * Whether it stands between two children of an element, where so many are open, has read all that has arrived, and nothing was declared
   * that could say what is in them.
   */
  standsBetween(depth: number): boolean {
    const isIdle = this.#depth === depth && this.#frames.length === 0 && !this.#tag && !this.#hasDoctype
    return isIdle && !this.#failure && this.#outcome === 'input' && this.#machine.canRelocate
  }

  /** Lets the input continue elsewhere: see `Machine.relocate`. */
  relocate(position: Position, before: Uint8Array): void {
    this.#machine.relocate(position, before)
    this.#markup.restart(position.byteOffset)
    this.#readTo = position.byteOffset
  }

  /** Whether it wants input for nothing but the excerpt of an error. */
  get isFailing(): boolean {
    return this.#failure !== undefined
  }

  /** Says that what comes next is not text, and why. It is the error unless there is one before it. */
  refuse(message: string): void {
    this.#failure?.finish()
    this.#refusal = message
    this.#machine.refuse()
    // An error whose message waits for more of the input comes before.
    if (this.#outcome !== 'failed') this.#outcome = 'malformed'
  }

  /** What is wanted after `resolve`; answer it with {@link answer}. */
  get request(): ExternalRequest | undefined {
    return this.#request
  }

  /** Takes over some of the bytes, and says how many. Call `advance` before the next. */
  append(bytes: Uint8Array): number {
    this.#failure?.add(bytes)
    if (this.#failure) return bytes.length
    try {
      return this.#machine.append(bytes)
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      this.#limitError = error
      return bytes.length
    }
  }

  /** Says that no more input comes. */
  finish(): void {
    this.#machine.finish()
    this.#isFinished = true
  }

  /** Keeps the input from an offset on, until it is said otherwise. */
  hold(offset: number | undefined): void {
    this.#held = offset
    this.#holdInput()
  }

  #holdReference(offset: number | undefined): void {
    this.#heldReference = offset
    this.#holdInput()
  }

  #holdInput(): void {
    const tag = this.#tag && !this.#tag.isOfEntity ? this.#tag.start : undefined
    this.#holdsTag = tag !== undefined
    const offsets = [this.#held, this.#heldReference, this.#leftFrom, tag].filter((offset) => offset !== undefined)
    this.#machine.hold(offsets.length === 0 ? undefined : Math.min(...offsets))
  }

  /** Gives what was asked for, or undefined where it is not to be had. Call `advance` then. */
  answer(given: ExternalText): void {
    this.#answer = { given }
  }

  /** Continues until something is wanted. Throws an {@link XmlError} or a `LimitError` when all before it was reported, and then again. */
  advance(): Advance {
    try {
      if (!this.#failure) return this.#advance()
    } catch (error) {
      if (!(error instanceof Fault)) throw this.#locateLimit(error)
      this.#failure = this.#locate(error)
    }
    if (!this.#failure.isComplete && !this.#isFinished) return 'input'
    throw this.#failure.makeError()
  }

  #advance(): Advance {
    for (;;) {
      const walked = this.#walk()
      if (walked !== 'done') return walked
      this.#closeView()
      if (this.#openView()) return this.#walk() === 'resolve' ? 'resolve' : 'part'
      if (this.#limitError) {
        this.#endTagPassed()
        throw this.#limitError
      }
      switch (this.#outcome) {
        case 'done':
          return 'done'
        case 'failed':
        case 'label':
        case 'malformed':
          if (this.#readOpen()) continue
          return this.#fail()
        case 'signal':
          // The reference is one when a semicolon follows, which may not have arrived.
          if (this.#isFinished || this.#machine.position < this.#machine.validEnd) this.#holdReference(undefined)
          else {
            this.#holdReference(this.#machine.mark)
            return 'input'
          }
          this.#outcome = 'part'
          this.#followSignal()
          continue
        default:
          break
      }
      this.#runMachine()
      this.#openView()
      if (this.#outcome === 'part' || this.#outcome === 'paused') {
        // What is made of the parts should be gone before there is more of it: the garbage collector copies what is still there.
        return this.#walk() === 'resolve' ? 'resolve' : 'part'
      }
      if (this.#outcome === 'input') {
        do {
          const walked = this.#walk()
          if (walked !== 'done') return walked
          this.#closeView()
        } while (this.#openView())
        this.#endTagPassed()
        this.#cutText()
        const walked = this.#walk()
        if (this.#tag || this.#holdsTag) this.#holdInput()
        return walked === 'done' ? 'input' : walked
      }
    }
  }

  /** Runs the machine, which drops what nobody wants before it is recorded, where it can. */
  #runMachine(): void {
    const skips = this.#sink.skipsAhead && !this.#tag
    this.#hasRun = true
    this.#machine.skimAhead(skips ? { depth: this.#depth, floor: this.#told.at(-1) ?? 0 } : undefined)
    try {
      this.#outcome = this.#machine.run()
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      // Not what it stopped for before: nobody is to wait for input.
      this.#outcome = 'part'
      const { mark, marked } = this.#machine
      this.#limitError = error.code === 'depth-limit' ? this.#depthError(marked, mark - 1) : error
    }
    if (!skips) return
    this.#depth = this.#machine.skimDepth
    this.#readTo = this.#machine.skimEnd ?? this.#readTo
  }

  /** What the machine has recorded, or some of it, becomes the frame at the bottom. False where there is nothing. */
  #openView(): boolean {
    this.#kernel?.reserve()
    this.#view = this.#machine.readTape(this.#sink.wantsText && this.#options.normalizeLineEnds)
    if (!this.#view) return false
    const { words, bytes, start, transcript } = this.#view
    const hasNew = this.#left === 0 || words.length > this.#left * RECORD_WORDS
    // Where the machine stops without having found something new, it wants room for what is open.
    this.#wantsAll = !hasNew && ((this.#outcome === 'part' && this.#hasRun) || !this.#isSmall(this.#leftFrom ?? 0))
    if (!hasNew && this.#mayLeave) {
      this.#view = undefined
      return false
    }
    this.#left = 0
    if (this.#leftFrom !== undefined) {
      this.#leftFrom = undefined
      this.#holdInput()
    }
    const [from, names, types] = [this.#readTo, this.#names, this.#types]
    // Field by field: V8 makes a new hidden class for each copy of an object that more is added to.
    const isSparse = this.#sink.takesRecords && !this.#sink.wantsText
    this.#frames.push(new TapeFrame({ words, bytes, start, from, names, types, transcript, isOnTape: true, isSparse }))
    return true
  }

  #closeView(): void {
    this.#view?.drop(this.#view.words.length / RECORD_WORDS - this.#left)
    this.#view = undefined
  }

  /** Reads all parts that are there, and says of errors where they are. */
  #walk(): 'done' | 'resolve' | 'part' {
    const view = this.#view
    try {
      return this.#walkFrames()
    } finally {
      if (view) this.#sink.leave(view.words)
    }
  }

  #walkFrames(): 'done' | 'resolve' | 'part' {
    for (;;) {
      const unsettled = this.#request || this.#doctype ? this.#settle() : undefined
      if (unsettled) return unsettled
      if (this.#steps > MOST_STEPS) {
        this.#steps = 0
        return 'part'
      }
      const frame = this.#frames.at(-1)
      if (!frame) return 'done'
      if (frame.isRead) {
        if (frame.isOnTape && this.#skim(frame)) continue
        if (!frame.next()) {
          this.#leaveFrame(frame)
          continue
        }
      }
      this.#steps++
      frame.isRead = this.#readPart(frame)
    }
  }

  /** Continues with what waits for text from outside, and with a document type declaration. Undefined when that is done. */
  #settle(): 'resolve' | 'part' | undefined {
    const [request, answer, doctype] = [this.#request, this.#answer, this.#doctype]
    if (request && !answer) return 'resolve'
    this.#request = undefined
    this.#answer = undefined
    if (!doctype) {
      this.#enterExternal(request as ExternalRequest, answer?.given)
      return undefined
    }
    const advance = doctype.advance(answer?.given)
    this.#request = doctype.request
    if (advance !== 'done') return advance
    this.#doctype = undefined
    this.#entities.declare(doctype.type, this.#isStandalone)
    this.#tags.declare(doctype.type)
    this.#sink.documentType(doctype.type, doctype.start, doctype.end)
    return undefined
  }

  /** Skips parts that are not wanted and that cannot be wrong. True when they are wanted all the same, and come first. */
  #skim(frame: TapeFrame): boolean {
    if (this.#tag && frame.hasNext && !frame.isEmptyTagNext) this.#endTag()
    const takes = this.#sink.takesRecords && (frame.hasTranscript || !this.#sink.wantsText)
    if (!(this.#sink.skips || takes) || this.#tag) return false
    const floor = this.#told.at(-1) ?? 0
    const first = frame.part + 1
    const skimmed = this.#machine.skimTape(first, frame.count, this.#depth, floor)
    const mayLeave = takes && skimmed === frame.count && this.#mayLeave
    let record = skimmed
    if (takes && skimmed > first) record = this.#sink.takeRecords(frame, first, skimmed, this.#depth, mayLeave)
    // Of a start tag at the end, the next part says whether it is empty.
    let isLeft = mayLeave && record < skimmed && frame.tagAfter(record) + 1 < skimmed
    if (isLeft && !this.#isShort(frame, record)) {
      isLeft = false
      record = this.#sink.takeRecords(frame, record, skimmed, this.#depth, false)
    }
    if (isLeft) this.#machine.skimTape(first, record, this.#depth, floor)
    if (record > first) {
      if (!takes) this.#sink.skipped(first, record)
      this.#depth = this.#machine.skimDepth - (record < skimmed && !isLeft ? 1 : 0)
      this.#readTo = frame.endOf(record - 1)
      frame.moveTo(record)
    }
    if (isLeft) {
      this.#leave(frame, record)
      return true
    }
    if (takes) {
      const { takenDepth } = this.#sink
      if (takenDepth !== undefined) this.#told.push(takenDepth)
      return takenDepth !== undefined
    }
    // What must be looked at is either the end of what was to be skipped, or something in it.
    if (record === frame.count || (frame.isEndTag(record) && this.#depth <= floor)) return false
    const reclaimed = this.#sink.reclaim(frame.words)
    if (!reclaimed) return false
    this.#depth = floor
    this.#frames.push(frame.withRecords(reclaimed.words, reclaimed.start))
    return true
  }

  /** Whether what there is of an element that begins with a record is little enough to be left. */
  #isShort(frame: TapeFrame, record: number): boolean {
    const hasRoom = frame.count - record <= this.#machine.tapeCapacity / 8
    return hasRoom && this.#isSmall(frame.startOf(frame.tagAfter(record)))
  }

  /** Whether the input from an offset on is little enough to be kept for an element that is left. */
  #isSmall(offset: number): boolean {
    return this.#machine.inputEnd - offset <= Math.min(LARGEST_LEFT, this.#options.machineLimits.maxRetained / 4)
  }

  /** Whether an element may be left on the tape whose end has not come: as long as more comes. */
  get #mayLeave(): boolean {
    const isOpen = this.#outcome === 'input' || this.#outcome === 'part' || this.#outcome === 'paused'
    return isOpen && !this.#wantsAll && !this.#isFinished && !this.#limitError && this.#kernel !== undefined
  }

  /** Leaves the records of an element from one on, until more of it has come. */
  #leave(frame: TapeFrame, record: number): void {
    this.#left = frame.count - record
    this.#hasRun = false
    this.#leftFrom = frame.startOf(frame.tagAfter(record))
    this.#holdInput()
    frame.moveTo(frame.count)
  }

  /** Says of the names in a tag that they need no look the next time. */
  #passNames(frame: TapeFrame): void {
    if (frame.entity) return
    for (let record = frame.part - 1; record >= frame.child; record--) {
      if (!frame.isName(record)) continue
      const symbol = frame.symbolOf(record)
      const name = frame.names.get(symbol)
      if (!this.#sink.canPass(name)) continue
      if (this.#tags.isPassable(name)) {
        this.#machine.passName(symbol)
      } else if (this.#tags.isPassableInScope(name)) {
        this.#machine.passName(symbol)
        this.#passedInScope.push(symbol)
      }
    }
  }

  /** Names with prefixes need inspection again when other declarations hold. */
  #followScopes(): void {
    if (this.#tags.scopesVersion === this.#scopesVersion) return
    this.#scopesVersion = this.#tags.scopesVersion
    for (const symbol of this.#passedInScope) this.#machine.passName(symbol, false)
    this.#passedInScope.length = 0
  }

  #leaveFrame(frame: TapeFrame): void {
    this.#frames.pop()
    if (frame.entity) {
      this.#endTag()
      this.#open.delete(frame.entity.name)
    }
  }

  /** Reads a part, or continues with it. False when it is not yet at its end, since an entity comes first. */
  #readPart(frame: TapeFrame): boolean {
    const { part, type, start, end, types } = frame
    if (!frame.entity) this.#readTo = end
    if (type === types.emptyTag) {
      this.#endTag(true, end)
      return true
    }
    this.#endTag()
    switch (type) {
      case types.text:
        return this.#readText(frame, start, end)
      case types.startTag:
        this.#tag = this.#tags.read(frame, this.#depth + 1, this.#sink)
        this.#followScopes()
        if (this.#sink.maySkip) this.#passNames(frame)
        return true
      case types.endTag:
        this.#endElement(this.#whole(frame, start), this.#whole(frame, end, true))
        return true
      case types.cdata:
        this.#readCdata(frame, start, end)
        return true
      case types.comment:
        if (this.#sink.wantsContent) {
          const text = this.#textOf(frame, part - 1)
          this.#sink.comment(text, this.#whole(frame, start), this.#whole(frame, end, true))
        }
        return true
      case types.instruction:
      case types.target:
        this.#readInstruction(frame, start, end)
        return true
      case types.characterReference:
        this.#decodeReference(frame, start, end)
        return true
      case types.declaration:
        this.#readDeclaration(frame.text(start, end), start, end)
        return true
      default:
        this.#hasDoctype = true
        this.#markup.restart(end)
        this.#doctype = this.#openDoctype(frame.text(start, end), start, end)
        return true
    }
  }

  // The prolog.

  #readDeclaration(text: string, start: number, end: number): void {
    const find = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(text)?.[1]
    const version = find('version') as string
    const standalone = find('standalone')
    if (version === '1.1') {
      throw new Fault('XML 1.1 is not supported; use XML 1.0', 'unsupported-version', undefined, start)
    }
    this.#isStandalone = standalone === 'yes'
    const declaration: XmlDeclaration = {
      version,
      encoding: find('encoding'),
      standalone: standalone === undefined ? undefined : standalone === 'yes',
    }
    this.#sink.declaration(declaration, start, end)
  }

  #openDoctype(text: string, start: number, end: number): DoctypeReader {
    const { namespaces } = this.#options
    const [counter, externals, isStandalone] = [this.#counter, this.#externals, this.#isStandalone]
    return new DoctypeReader(text, { start, end, counter, externals, namespaces, isStandalone })
  }

  // Elements.

  /** A start tag is at its end: with `/>` the element is, too. */
  #endTag(isEmpty = false, end = 0): void {
    const tag = this.#tag
    if (!tag) return
    this.#tag = undefined
    // The recorded tag is followed by `>` or `/>`; content of an entity has the place of the reference.
    const tagEnd = tag.isOfEntity ? tag.end : isEmpty ? end : tag.end + 1
    const { name, namespace, attributes, start, isOfEntity } = tag
    // The machine counts the elements of the document alone.
    if (isOfEntity && this.#depth >= this.#options.machineLimits.maxDepth) throw this.#depthError(name.raw, start)
    this.#told.push(++this.#depth)
    this.#sink.startElement(name, namespace, attributes, start, tagEnd, isEmpty, isOfEntity)
    if (isEmpty) this.#endElement(tag.isOfEntity ? start : tagEnd, tagEnd)
  }

  /** The same where no part shows that the start tag is complete, but the machine has matched its `>`. */
  #endTagPassed(): void {
    if (this.#tag && this.#machine.position > this.#tag.end) this.#endTag()
  }

  #endElement(start: number, end: number): void {
    this.#sink.endElement(start, end)
    this.#tags.leave(this.#depth)
    this.#followScopes()
    // One that began among records which the sink took was not noted.
    if (this.#told.at(-1) === this.#depth) this.#told.pop()
    this.#depth--
  }

  // Text.

  #readText(frame: TapeFrame, start: number, end: number): boolean {
    const whole = frame.transcribed(frame.part)
    if (whole !== undefined && whole.length <= this.#sink.textRoom) {
      // There is nothing where it was cut at its end.
      if (start < end && this.#sink.wantsContent) this.#sink.text(whole, false, start, end, false)
      return true
    }
    while (frame.child < frame.part) {
      if (++this.#steps > MOST_STEPS) return false
      const hole = frame.child++
      const holeStart = frame.startOf(hole)
      this.#tellText(frame, frame.from, holeStart)
      frame.from = frame.endOf(hole)
      const piece = this.#decodeHole(frame, holeStart, frame.from)
      if (piece !== undefined) {
        if (this.#sink.wantsContent) this.#tellPiece(frame, piece, false, holeStart, frame.from)
      } else if (this.#referIn(frame, holeStart, frame.from)) return false
    }
    this.#tellText(frame, frame.from, end)
    return true
  }

  #tellText(frame: TapeFrame, start: number, end: number, isCdata = false): void {
    if (start === end) return
    if (this.#sink.wantsContent) this.#tellPiece(frame, frame.text(start, end), isCdata, start, end, !frame.entity)
  }

  #tellPiece(frame: TapeFrame, text: string, isCdata: boolean, start: number, end: number, isVerbatim = false): void {
    this.#sink.text(text, isCdata, this.#whole(frame, start), this.#whole(frame, end, true), isVerbatim)
  }

  /** What a line end, or a reference other than to a general entity, stands for; undefined for general entities. */
  #decodeHole(frame: TapeFrame, start: number, end: number): string | undefined {
    if (frame.byteAt(start) !== AMPERSAND) {
      // The line ends of entities were normalised when they were declared: a carriage return that is left was referred to.
      return this.#options.normalizeLineEnds && !frame.entity ? '\n' : frame.text(start, end)
    }
    if (frame.byteAt(start + 1) === HASH) return this.#decodeReference(frame, start, end)
    return predefinedEntity(frame.text(start + 1, end - 1))
  }

  #decodeReference(frame: TapeFrame, start: number, end: number): string {
    const number = frame.text(start + 1, end - 1)
    const character = referredCharacter(number)
    if (character !== undefined) return character
    const message = `&${shorten(number)}; is not a character that XML 1.0 allows`
    throw new Fault(message, 'character-reference', 'WFC: Legal Character', this.#whole(frame, start))
  }

  #readCdata(frame: TapeFrame, start: number, end: number): void {
    const literal = frame.part - 1
    this.#tellCdata(frame, literal, start, end)
    if (this.#isCdataTold) this.#tellPiece(frame, '', true, frame.endOf(literal), end)
    this.#isCdataTold = false
  }

  /** Reports the text of a section; if it is reported in stretches, what there is of it. */
  #tellCdata(frame: TapeFrame, literal: number, start: number, end: number): void {
    if (!this.#sink.wantsContent) return
    if (this.#sink.textRoom === Number.POSITIVE_INFINITY) {
      this.#tellPiece(frame, this.#textOf(frame, literal), true, start, end)
      return
    }
    let from = frame.startOf(literal)
    if (!this.#isCdataTold) this.#sink.beginCdata(this.#whole(frame, start), this.#whole(frame, from, true))
    this.#isCdataTold = true
    for (; frame.child < literal; frame.child++) {
      const [holeStart, holeEnd] = [frame.startOf(frame.child), frame.endOf(frame.child)]
      this.#tellText(frame, from, holeStart, true)
      this.#tellPiece(frame, this.#decodeHole(frame, holeStart, holeEnd) as string, true, holeStart, holeEnd)
      from = holeEnd
    }
    this.#tellText(frame, from, frame.endOf(literal), true)
  }

  /** The text of a literal with line ends as they are to be. */
  #textOf(frame: TapeFrame, literal: number): string {
    const known = frame.transcribed(literal)
    if (known !== undefined) return known
    let text = ''
    let from = frame.startOf(literal)
    for (; frame.child < literal; frame.child++) {
      const start = frame.startOf(frame.child)
      text = concatText(text, frame.text(from, start))
      text = concatText(text, this.#decodeHole(frame, start, frame.endOf(frame.child)) as string)
      from = frame.endOf(frame.child)
    }
    return concatText(text, frame.text(from, frame.endOf(literal)))
  }

  #readInstruction(frame: TapeFrame, start: number, end: number): void {
    const isAlone = frame.typeOf(frame.part) === frame.types.target
    const literal = isAlone ? frame.part : frame.child++
    const target = frame.text(frame.startOf(literal), frame.endOf(literal))
    this.#checkTarget(target, this.#whole(frame, frame.startOf(literal)))
    if (!this.#sink.wantsContent || isAlone) return
    const data = frame.part - 1 > literal ? this.#textOf(frame, frame.part - 1) : ''
    this.#sink.instruction(target, data, this.#whole(frame, start), this.#whole(frame, end, true))
  }

  #checkTarget(target: string, place: number): void {
    if (target === 'xml' && place === this.#start + 2) {
      const message = 'malformed XML declaration; expected version, then optionally encoding and standalone'
      throw new Fault(message, 'malformed-declaration', undefined, this.#start)
    }
    if (target.length === 3 && target.toLowerCase() === 'xml') {
      const message = `the target ${target} is reserved: an XML declaration is allowed only at the very start`
      throw new Fault(message, 'reserved-target', undefined, place)
    }
    if (this.#options.namespaces && target.includes(':')) {
      const message = `a colon is not allowed in the target ${shorten(target)} of a processing instruction`
      throw new Fault(message, 'name-with-colon', 'Namespaces in XML, section 7', place)
    }
  }

  // References to general entities.

  /** Follows a reference in content. True when something was put before what comes after it. */
  #referIn(frame: TapeFrame, start: number, end: number): boolean {
    return this.#refer(frame.text(start + 1, end - 1), frame.entity ?? { start, end })
  }

  #refer(name: string, place: { start: number; end: number }): boolean {
    try {
      return this.#follow(name, place)
    } catch (error) {
      throw error instanceof Fault ? error.at(place.start) : error
    }
  }

  #follow(name: string, place: { start: number; end: number }): boolean {
    const declaration = this.#entities.find(name)
    if (!declaration) {
      this.#entities.skip(name, place.start)
      return false
    }
    if (this.#open.has(name)) {
      throw new Fault(`the entity ${shorten(name)} refers to itself`, 'entity-loop', 'WFC: No Recursion')
    }
    this.#referred = { name, start: place.start, end: place.end }
    const text = this.#entities.textOf(declaration)
    if (text === undefined && !this.#entities.isKnown(name)) {
      this.#request = this.#externals.request(declaration, place.start)
      if (this.#request) return true
    }
    if (text === undefined) this.#entities.skip(name, place.start)
    else this.#enterText(text)
    return text !== undefined
  }

  /** The reference that is being followed. */
  #referred = { name: '', start: 0, end: 0 }

  /** Continues in the text of an external entity that was asked for. */
  #enterExternal(request: ExternalRequest, given: ExternalText): void {
    const { name, start } = this.#referred
    const content = this.#externals.read(given, request, start)
    const text = content?.text.slice(content.start)
    this.#entities.setText(name, text)
    if (text === undefined) this.#entities.skip(name, start)
    else this.#enterText(text)
  }

  #enterText(text: string): void {
    const entity = this.#referred
    this.#entities.count(text.length, entity.name, entity.start)
    this.#steps += ENTITY_STEPS
    const replacement = this.#entities.replacementOf(entity.name, text, entity.start)
    if ('text' in replacement) {
      if (this.#sink.wantsContent && text !== '') this.#sink.text(text, false, entity.start, entity.end, false)
      return
    }
    this.#open.add(entity.name)
    this.#frames.push(new TapeFrame(replacement.source, entity))
  }

  /** The machine has met a reference, where nothing is recorded that would report it. */
  #followSignal(): void {
    const end = this.#machine.position
    const start = this.#machine.mark - 1
    if (end - start > LONGEST_STRING) throw limitLength(new StringTooLong(), 'the name of an entity', start)
    const name = this.#machine.marked
    if (this.#machine.textAt(end, end + 1) !== ';') return
    // A tag before it is at its end, and the element not empty.
    this.#endTag()
    this.#refer(name, { start, end: end + 1 })
  }

  // Places and errors.

  /** An offset in the document: of what an entity brings, the reference's. */
  #whole({ entity }: TapeFrame, offset: number, isEnd = false): number {
    if (!entity) return offset
    return isEnd ? entity.end : entity.start
  }

  /** Finds the place of an error, which is that of the part that is being read where it has none. */
  #locate(fault: Fault): Failure {
    const { message, code, constraint, offset = this.#partOffset() } = fault
    const { position, expected } = fault instanceof LocatedFault ? fault : { position: undefined, expected: undefined }
    const { byteOffset, line, column } = position ?? this.#machine.locate(offset)
    const details = { code, byteOffset: this.toSource(byteOffset), line, column, expected, constraint }
    const before = this.#machine.copyBefore(byteOffset, EXCERPT)
    return new Failure(message, details, byteOffset, before, this.#machine.copyInput(byteOffset, byteOffset + EXCERPT))
  }

  /** What is being read, for the message of a limit. */
  #describePart(): string {
    const frame = this.#frames.at(-1)
    const { text, cdata, comment, instruction, startTag } = this.#types
    switch (frame?.entity ? text : frame?.type) {
      case text:
      case cdata:
        return 'a text (use maxText to get it in pieces)'
      case comment:
        return 'a comment'
      case instruction:
        return 'a processing instruction'
      case startTag:
        return 'a name or a value in a start tag'
      default:
        return 'the document type declaration'
    }
  }

  #partOffset(): number {
    const frame = this.#frames.at(-1)
    if (!frame) return this.#referred.start
    return frame.entity ? frame.entity.start : frame.startOf(frame.part)
  }

  /**
   * Reads the part that is open where the machine has failed, as far as it goes: errors in it come first, and text before the error is text.
   * True when there is something to walk over.
   */
  #readOpen(): boolean {
    const start = this.#machine.openPart
    if (start === undefined || this.#hasReadOpen) return false
    this.#hasReadOpen = true
    const end = this.#outcome === 'malformed' ? this.#machine.validEnd : this.#machine.farthest
    const rule = this.#machine.openRule
    this.#endTagPassed()
    const bytes = this.#machine.copyInput(start, end)
    const records = this.#machine.openRecords
    if (rule === 'text') {
      this.#pushOpenText(records, bytes, start, endOfText(records, bytes, start, AMPERSAND))
      return this.#frames.length > 0
    }
    if (rule === 'cdata') {
      const holes = withoutLiteral(records)
      this.#tellOpenCdata(holes, bytes, start, endOfText(holes, bytes, start))
      return false
    }
    const [names, types] = [this.#names, this.#types]
    const frame = new TapeFrame({ words: records, bytes, start, from: start, names, types })
    if (bytes[1] === QUESTION_MARK && frame.count > 0) {
      this.#checkTarget(frame.text(frame.startOf(0), frame.endOf(0)), frame.startOf(0))
    } else if (bytes[1] !== EXCLAMATION_MARK) {
      this.#tags.checkOpen(frame)
    }
    return false
  }

  /** Reports what there is of an open text that is long and wanted in pieces, so that it is not held. */
  #cutText(): void {
    const { textRoom } = this.#sink
    if (textRoom === Number.POSITIVE_INFINITY) return
    const { openPart: start, openRule: rule, position } = this.#machine
    if (start === undefined || position - start <= textRoom || !(rule === 'text' || rule === 'cdata')) return
    // As xml.bnf has them: a text is what it gathers, a section has that in it.
    const cut = this.#machine.cutLiteral(rule === 'cdata' ? 1 : 0)
    if (!cut) return
    this.#readTo = cut.end
    const bytes = this.#machine.copyInput(start, cut.end)
    if (rule === 'text') this.#pushOpenText(cut.records, bytes, start, cut.end)
    else this.#tellOpenCdata(cut.records, bytes, start, cut.end)
  }

  /** Makes what there is of a text the frame on top, if there is something. */
  #pushOpenText(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    if (start < end) this.#frames.push(this.#frameOf(records, bytes, start, [this.#types.text, start, end]))
  }

  /** Reports what there is of a CDATA section. */
  #tellOpenCdata(records: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    if (!this.#isCdataTold && !CDATA.every((byte, i) => byte === bytes[i])) return
    const literalStart = this.#isCdataTold ? start : start + CDATA.length
    const frame = this.#frameOf(records, bytes, start, [NodeType.LITERAL, literalStart, end])
    this.#tellCdata(frame, frame.count - 1, start, end)
  }

  /** Records of some input, with one more after them. */
  #frameOf(records: Int32Array, bytes: Uint8Array, start: number, last: readonly number[]): TapeFrame {
    const words = new Int32Array(records.length + RECORD_WORDS)
    words.set(records)
    words.set(last, records.length)
    return new TapeFrame({ words, bytes, start, from: start, names: this.#names, types: this.#types })
  }

  /** For an element that begins at an offset, or comes of a reference there. */
  #depthError(name: string, byteOffset: number): LimitError {
    const limit = this.#options.machineLimits.maxDepth
    const message = `<${shorten(name)}> is nested too deeply: more than ${limit} elements are open (maxDepth)`
    return new LimitError(message, { code: 'depth-limit', byteOffset, limit })
  }

  /** Adds the place to the error of a limit, as for other errors. */
  #locateLimit(thrown: unknown): unknown {
    const error = limitLength(thrown, this.#describePart(), this.#partOffset())
    if (!(error instanceof LimitError)) return error
    const { retainedFrom } = error
    const heldFrom = retainedFrom === undefined ? undefined : this.#machine.locate(retainedFrom)
    const message = explainLimit(error, {
      rule: this.#machine.openRule,
      isHeld: this.#held === retainedFrom,
      heldFrom: heldFrom && `${heldFrom.line}:${heldFrom.column}`,
    })
    const { line, column } = this.#machine.locate(error.byteOffset)
    const byteOffset = this.toSource(error.byteOffset)
    const place = `(line ${line}, column ${column}, byte ${byteOffset})`
    return new LimitError(`${message} ${place}`, { ...error, byteOffset, line, column })
  }

  #fail(): Advance {
    // What the message depends on is to be the same however the input is cut.
    if (!this.#isFinished && isMoreWanted(this.#machine, this.#outcome)) return 'input'
    this.#endTagPassed()
    if (this.#outcome === 'malformed' && this.#refusal !== undefined) {
      throw new Fault(this.#refusal, 'malformed-text', undefined, this.#machine.inputEnd)
    }
    this.#explainDoctype()
    const error = explainSyntax(this.#machine, this.#outcome, {
      element: this.#openElement(),
      markup: this.#outcome === 'failed' ? this.#markup.find(this.#machine.farthest) : undefined,
      documentStart: this.#options.fragment ? undefined : this.#start,
      input: 'the input',
    })
    const isUnfinished = this.#options.fragment && this.#isFinished && error.code === 'unexpected-end'
    if (isUnfinished) return 'done'
    throw error
  }

  /** If a document type declaration has no end, its content may show why. */
  #explainDoctype(): void {
    const { openPart: start, openRule: rule } = this.#machine
    // A text may look like one.
    if (start === undefined || rule !== 'doctype') return
    // Not what may have arrived after it: the message is to be the same however the input is cut.
    const end = this.#machine.farthest
    if (end - start > LONGEST_STRING) return
    const text = this.#machine.textAt(start, end)
    if (!text.startsWith('<!DOCTYPE')) return
    const reader = this.#openDoctype(text, start, end)
    while (reader.advance(undefined) === 'part');
  }

  #openElement(): OpenElement | undefined {
    const open = this.#machine.openSymbol
    if (!open) return undefined
    const { symbol, position } = open
    // The name stands after the "<".
    return { name: this.#names.get(symbol).raw, place: position && `${position.line}:${position.column - 1}` }
  }
}

/** The holes in a text that is open. Where the input ends in it, the machine has recorded the text as well, and failed after that. */
function withoutLiteral(records: Int32Array): Int32Array {
  const last = records.length - RECORD_WORDS
  return last >= 0 && ((records[last] as number) & 255) === NodeType.LITERAL ? records.subarray(0, last) : records
}

/** Where text ends that is open: before a reference that has no end, where there are some, and before half of a line end. */
function endOfText(records: Int32Array, bytes: Uint8Array, start: number, reference?: number): number {
  const read = records.length > 0 ? ((records.at(END - RECORD_WORDS) as number) - start) >>> 0 : 0
  const length = reference === undefined ? -1 : bytes.indexOf(reference, read)
  if (length !== -1) return start + length
  const isCut = bytes.length > read && bytes[bytes.length - 1] === CARRIAGE_RETURN
  return start + bytes.length - (isCut ? 1 : 0)
}
