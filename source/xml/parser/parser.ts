// The loop around the machine: feeds it, walks through what it recorded, and reports to a sink. It waits for nothing and opens nothing; where the
// text of an external entity is wanted it stops and says so.

import type { LazyModule } from '../../async/lazy-module.ts'
import type { KernelCode, Program } from '../../machine/program/program.ts'
import type { EngineName } from '../../machine/run/engine.ts'
import { canRunKernel } from '../../machine/run/kernel-engine.ts'
import type { MachineLimits } from '../../machine/run/limits.ts'
import type { Machine, Outcome } from '../../machine/run/machine.ts'
import { acquireMachine, makeEngine, releaseMachine } from '../../machine/run/pool.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import { LimitError } from '../../stream/errors.ts'
import { limitLength } from '../../text/length-limit.ts'
import type { Position } from '../../text/line-counter.ts'
import { LONGEST_STRING, StringTooLong } from '../../text/units.ts'
import { doctypes } from '../doctype/doctypes.ts'
import { Entities, type SkippedEntity } from '../doctype/entities.ts'
import { EntityCounter, type EntityLimits } from '../doctype/entity-limits.ts'
import { ExternalEntities, type ExternalRequest, type ExternalText } from '../doctype/external.ts'
import { explanations } from '../errors/explanations.ts'
import type { Failure } from '../errors/failure.ts'
import { Fault } from '../errors/fault.ts'
import { MarkupFinder } from '../errors/open-markup.ts'
import { NameTable, readName } from '../names/names.ts'
import { type PartTypes, partTypesOf } from '../tape/part-types.ts'
import { RECORD_WORDS, TapeFrame } from '../tape/tape-frame.ts'
import { XmlTape, type XmlTapeView } from '../tape/xml-tape.ts'
import { ContentReader } from './content-reader.ts'
import { EntityReferences } from './entity-references.ts'
import { ErrorPlaces, makeDepthError } from './error-places.ts'
import { countWithoutKernel, readableWithoutKernel } from './kernel-allowance.ts'
import { PassedNames } from './passed-names.ts'
import { Prolog } from './prolog.ts'
import type { Sink, TapeKernel, ToSource } from './sink.ts'
import { type StartTag, StartTagReader } from './start-tag.ts'
import { StepCounter } from './step-counter.ts'
import { UnfinishedParts } from './unfinished-parts.ts'

/** Bytes of input that are kept at the most because the end of a record has not come. */
const LARGEST_LEFT = 512 * 1024

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
  readonly onReplace?: ((offset: number) => void) | undefined
}

/**
 * Why a parser stopped: `part` to let what was reported be taken, or other work run; `resolve` when it needs what `request` asks for; `load` when it needs
 * a module that is not there yet (`load`).
 */
export type Advance = 'input' | 'part' | 'done' | 'resolve' | 'load'

/** Loads what runs a program, and the kernel of a sink. */
export async function loadKernels(kernel: LazyModule<KernelCode>, { tape }: Sink): Promise<KernelCode> {
  const [loaded] = await Promise.all([kernel.load(), tape?.loadKernel?.()])
  return loaded
}

/** Reads one document. */
export class XmlParser {
  readonly #options: XmlParserOptions
  readonly #sink: Sink
  readonly #machine: Machine
  readonly #types: PartTypes
  readonly #tape: XmlTape
  readonly #names: NameTable
  readonly #tags: StartTagReader
  readonly #prolog: Prolog
  readonly #references: EntityReferences
  readonly #content: ContentReader
  readonly #unfinished: UnfinishedParts
  readonly #places: ErrorPlaces
  readonly #passed: PassedNames
  readonly #documentStart: number | undefined
  readonly #markup: MarkupFinder
  #kernel: TapeKernel | undefined
  /** The kernel that is to continue when so much was read that it pays; undefined if it runs already, or cannot. */
  #awaited: LazyModule<KernelCode> | undefined
  /** The document's records on the bottom, then those of entities that are open. */
  readonly #frames: TapeFrame[] = []
  /** How many elements of the document and of its entities are open. */
  #depth = 0
  /** The depths of those of them that the sink got. */
  readonly #reportedDepths: number[] = []
  #view: XmlTapeView | undefined
  #outcome: Outcome = 'input'
  /** The limit that the machine has passed. What was recorded before is reported first. */
  #limitError: LimitError | undefined
  /** What is wrong with the document, once that is known. */
  #failure: Failure | undefined
  #isFinished = false
  /** Whether the part was read that is open where the machine has failed. */
  #hasReadOpen = false
  /** Why input after what has arrived is not text. */
  #refusal: string | undefined
  /** A start tag whose end is not known to be `>` or `/>`. */
  #tag: StartTag | undefined
  /** Offset up to which parts were read. */
  #readTo: number
  #answer: { readonly given: ExternalText } | undefined
  /** The module that it waits for. */
  #wanted: LazyModule<unknown> | undefined
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
  /** What was read one by one since others could do something. */
  readonly #steps = new StepCounter()

  /** `kernel`: what is to run the program when it is worth being loaded, unless it is there. */
  constructor(
    program: Program,
    sink: Sink,
    options: XmlParserOptions,
    start = TextPosition.START,
    kernel?: LazyModule<KernelCode>,
  ) {
    this.#options = options
    this.#sink = sink
    this.#machine = acquireMachine(program, options.engine)
    this.#awaited = program.kernel || options.engine ? undefined : kernel
    this.#machine.begin(program, options.machineLimits, start)
    this.#machine.replaceMalformed(options.onReplace)
    this.#machine.forgoIndices()
    this.#markup = new MarkupFinder(this.#machine, start.byteOffset)
    this.#types = partTypesOf(program)
    this.#tape = new XmlTape(this.#machine, this.#types)
    this.#names = new NameTable((symbol) => this.#machine.readName(symbol, readName))
    const { namespaces, normalizeLineEnds: normalizesLineEnds } = options
    const counter = new EntityCounter(options.entityLimits)
    const externals = new ExternalEntities(counter, options.resolves)
    const entities = new Entities(counter, options.machineLimits, (name, byteOffset) => {
      options.onSkippedEntity?.({ name, byteOffset: this.toSource(byteOffset) })
    })
    const tags = new StartTagReader(entities, counter, namespaces, options.toSource)
    const [machine, names, types, frames, steps] = [this.#machine, this.#names, this.#types, this.#frames, this.#steps]
    const references = new EntityReferences({ entities, externals, sink, steps, frames })
    const documentStart = start.byteOffset
    const content = new ContentReader({ sink, references, steps, namespaces, normalizesLineEnds, documentStart })
    this.#tags = tags
    this.#references = references
    this.#content = content
    const prolog = new Prolog({ sink, tags, entities, counter, externals, namespaces })
    this.#prolog = prolog
    this.#passed = new PassedNames(this.#tape, tags)
    this.#unfinished = new UnfinishedParts({ machine, sink, content, tags, names, types, frames })
    this.#documentStart = options.fragment ? undefined : documentStart
    const toSource = (offset: number) => this.toSource(offset)
    this.#places = new ErrorPlaces({ machine, types, frames, references, toSource })
    this.#kernel = sink.tape?.attachKernel?.(this.#machine)
    sink.begin({
      toSource: options.toSource,
      names: this.#names,
      types: this.#types,
      scopes: tags.scopes,
      normalizesLineEnds,
      maxRetained: options.machineLimits.maxRetained,
      entity: () => references.outermost,
      recall: (request) => externals.recall(request),
      viewInput: (from, to) => this.#machine.viewInput(from, to),
      viewWindow: () => this.#machine.viewWindow(),
      prepareDecoding: () => this.#tape.prepareDecoding(),
      decode: (ranges, count, ends) => this.#tape.decode(ranges, count, ends),
      linkTags: (first, end) => this.#tape.link(first, end),
      locate: (offset) => this.#machine.locate(offset),
      explain: (fault) => this.#places.locate(fault).makeError(),
    })
    this.#readTo = start.byteOffset
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

  /** Offset from which on somebody may still ask where something is in the source: what lies in the window is noted when it leaves. */
  get retainedFrom(): number {
    // The start of a tag whose end has not come will be reported, and the places in a part that waits for the text of an entity.
    const pending = [this.#tag?.start, this.#frames[0]?.start].filter((offset) => offset !== undefined)
    return Math.min(this.#machine.windowStart, ...pending)
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
    const isIdle = this.#depth === depth && this.#frames.length === 0 && !this.#tag && !this.#prolog.hasDoctype
    return isIdle && !this.#failure && this.#outcome === 'input' && this.#machine.canRelocate
  }

  /** Lets the input continue elsewhere: see `Machine.relocate`. */
  relocate(position: Position, before: Uint8Array | undefined): void {
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

  /** Says that the input continues after a limit. What was read before is reported first. */
  exceed(error: LimitError): void {
    this.#failure?.finish()
    this.#limitError ??= error
  }

  /** What is wanted after `resolve`; answer it with {@link answer}. */
  get request(): ExternalRequest | undefined {
    return this.#prolog.request ?? this.#references.request
  }

  /** Takes over some of the bytes, or none, and says how many. Call `advance` before the next. */
  append(bytes: Uint8Array): number {
    this.#failure?.add(bytes)
    if (this.#failure) return bytes.length
    try {
      if (!this.#awaited) return this.#machine.append(bytes)
      const length = this.#machine.append(bytes.subarray(0, readableWithoutKernel()))
      countWithoutKernel(length)
      return length
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

  /** Loads what is wanted after `load`. */
  async load(): Promise<void> {
    const wanted = this.#wanted
    this.#wanted = undefined
    if (wanted === this.#awaited) await this.#loadKernel()
    else await wanted?.load()
  }

  /** Lets the kernel continue. If it cannot be had, it is not needed. */
  async #loadKernel(): Promise<void> {
    const awaited = this.#awaited
    this.#awaited = undefined
    const kernel = await loadKernels(awaited as LazyModule<KernelCode>, this.#sink).catch(() => undefined)
    if (!kernel || !canRunKernel(kernel)) return
    this.#machine.moveTo(makeEngine(kernel))
    this.#kernel = this.#sink.tape?.attachKernel?.(this.#machine)
  }

  /** Continues until something is wanted. Throws an {@link XmlError} or a `LimitError` when all before it was reported, and then again. */
  advance(): Advance {
    try {
      if (!this.#failure) {
        const advance = this.#advance()
        const isSlow = advance === 'input' && this.#awaited && readableWithoutKernel() === 0 && !this.#isFinished
        return isSlow ? this.#want(this.#awaited as LazyModule<KernelCode>) : advance
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw this.#places.locateLimit(error, this.#held)
      this.#failure = this.#places.locate(error)
    }
    if (!this.#failure.isComplete && !this.#isFinished) return 'input'
    throw this.#failure.makeError()
  }

  #advance(): Advance {
    for (;;) {
      const walked = this.#walk()
      if (walked !== 'done') return walked
      this.#closeView()
      if (this.#openView()) {
        const opened = this.#walk()
        return opened === 'done' ? 'part' : opened
      }
      if (this.#limitError) {
        this.#endTagPassed()
        throw this.#limitError
      }
      switch (this.#outcome) {
        case 'done':
          return 'done'
        case 'failed':
        case 'label':
        case 'malformed': {
          const explaining = this.#machine.openRule === 'doctype' ? doctypes : explanations
          if (!explaining.module) return this.#want(explaining)
          if (this.#readOpen()) continue
          return this.#fail()
        }
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
        this.#readTo = this.#unfinished.cut() ?? this.#readTo
        const walked = this.#walk()
        if (this.#tag || this.#holdsTag) this.#holdInput()
        return walked === 'done' ? 'input' : walked
      }
    }
  }

  /** Runs the machine, which drops what nobody wants before it is recorded, where it can. */
  #runMachine(): void {
    const skips = this.#sink.tape?.use === 'drop' && !this.#tag
    this.#hasRun = true
    this.#tape.skimAhead(skips ? { depth: this.#depth, floor: this.#reportedDepths.at(-1) ?? 0 } : undefined)
    try {
      this.#outcome = this.#machine.run()
    } catch (error) {
      if (!(error instanceof LimitError)) throw error
      // Not what it stopped for before: nobody is to wait for input.
      this.#outcome = 'part'
      const { mark, marked } = this.#machine
      this.#limitError =
        error.code === 'depth-limit' ? makeDepthError(marked, mark - 1, this.#options.machineLimits.maxDepth) : error
    }
    if (!skips) return
    this.#depth = this.#tape.skimDepth
    this.#readTo = this.#tape.skimEnd ?? this.#readTo
  }

  /** What the machine has recorded, or some of it, becomes the frame at the bottom. False where there is nothing. */
  #openView(): boolean {
    this.#kernel?.reserve()
    this.#view = this.#tape.read(this.#sink.wantsText && this.#options.normalizeLineEnds)
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
    const isSparse = this.#sink.tape?.use === 'take' && !this.#sink.wantsText
    this.#frames.push(new TapeFrame({ words, bytes, start, from, names, types, transcript, isOnTape: true, isSparse }))
    return true
  }

  #closeView(): void {
    this.#view?.drop(this.#view.words.length / RECORD_WORDS - this.#left)
    this.#view = undefined
  }

  /** Reads all parts that are there, and says of errors where they are. */
  #walk(): Exclude<Advance, 'input'> {
    const view = this.#view
    try {
      return this.#walkFrames()
    } finally {
      if (view) this.#sink.tape?.leave(view.words)
    }
  }

  #walkFrames(): Exclude<Advance, 'input'> {
    for (;;) {
      const unsettled = this.#prolog.isReading || this.#references.request ? this.#settle() : undefined
      if (unsettled) return unsettled
      if (this.#steps.isOver) {
        this.#steps.restart()
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
      this.#steps.add(1)
      frame.isRead = this.#readPart(frame)
    }
  }

  /** Continues with what waits for text from outside, and with a document type declaration. Undefined when that is done. */
  #settle(): 'resolve' | 'part' | 'load' | undefined {
    if (this.#prolog.isReading && !doctypes.module) return this.#want(doctypes)
    const answer = this.#answer
    if (this.request && !answer) return 'resolve'
    this.#answer = undefined
    if (!this.#prolog.isReading) {
      this.#references.answer(answer?.given)
      return undefined
    }
    const advance = this.#prolog.advance(answer?.given)
    return advance === 'done' ? undefined : advance
  }

  /** Skips parts that are not wanted and that cannot be wrong. True when they are wanted all the same, and come first. */
  #skim(frame: TapeFrame): boolean {
    if (this.#tag && frame.hasNext && !frame.isEmptyTagNext) this.#endTag()
    const { tape, wantsText } = this.#sink
    if (!tape || this.#tag) return false
    const { use } = tape
    const takes = use === 'take' && (frame.hasTranscript || !wantsText)
    if (use === 'report' || (use === 'take' && !takes)) return false
    const floor = this.#reportedDepths.at(-1) ?? 0
    const first = frame.part + 1
    const skimmed = this.#tape.skim(first, frame.count, this.#depth, floor)
    const mayLeave = takes && skimmed === frame.count && this.#mayLeave
    let record = skimmed
    if (takes && skimmed > first) record = tape.takeRecords(frame, first, skimmed, this.#depth, mayLeave)
    // Of a start tag at the end, the next part says whether it is empty.
    let isLeft = mayLeave && record < skimmed && frame.tagAfter(record) + 1 < skimmed
    if (isLeft && !this.#isShort(frame, record)) {
      isLeft = false
      record = tape.takeRecords(frame, record, skimmed, this.#depth, false)
    }
    if (isLeft) this.#tape.skim(first, record, this.#depth, floor)
    if (record > first) {
      if (!takes) tape.skipped?.(first, record)
      this.#depth = this.#tape.skimDepth - (record < skimmed && !isLeft ? 1 : 0)
      this.#readTo = frame.endOf(record - 1)
      frame.moveTo(record)
    }
    if (isLeft) {
      this.#leave(frame, record)
      return true
    }
    if (takes) {
      const { takenDepth } = tape
      if (takenDepth !== undefined) this.#reportedDepths.push(takenDepth)
      return takenDepth !== undefined
    }
    // What must be looked at is either the end of what was to be skipped, or something in it.
    if (record === frame.count || (frame.isEndTag(record) && this.#depth <= floor)) return false
    const reclaimed = tape.reclaim?.(frame.words)
    if (!reclaimed) return false
    this.#depth = floor
    this.#frames.push(frame.withRecords(reclaimed.words, reclaimed.start))
    return true
  }

  /** Whether what there is of an element that begins with a record is little enough to be left. */
  #isShort(frame: TapeFrame, record: number): boolean {
    const hasRoom = frame.count - record <= this.#tape.capacity / 8
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

  #leaveFrame(frame: TapeFrame): void {
    this.#frames.pop()
    if (frame.entity) {
      this.#endTag()
      this.#references.leave(frame.entity)
    }
  }

  /** Reads a part, or continues with it. False when it is not yet at its end, since an entity comes first. */
  #readPart(frame: TapeFrame): boolean {
    const { type, start, end, types } = frame
    if (!frame.entity) this.#readTo = end
    if (type === types.emptyTag) {
      this.#endTag(true, end)
      return true
    }
    this.#endTag()
    switch (type) {
      case types.text:
        return this.#content.readText(frame)
      case types.startTag:
        this.#tag = this.#tags.read(frame, this.#depth + 1, this.#sink)
        this.#passed.followScopes()
        if (this.#sink.tape) this.#passed.add(frame, this.#sink.tape)
        return true
      case types.endTag:
        this.#endElement(frame.place(start), frame.place(end, true))
        return true
      case types.cdata:
        this.#content.readCdata(frame)
        return true
      case types.comment:
        this.#content.readComment(frame)
        return true
      case types.instruction:
      case types.target:
        this.#content.readInstruction(frame)
        return true
      case types.characterReference:
        this.#content.decodeReference(frame, start, end)
        return true
      case types.declaration:
        this.#prolog.readDeclaration(frame)
        return true
      default:
        this.#markup.restart(end)
        this.#prolog.beginDoctype(frame)
        return true
    }
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
    const { maxDepth } = this.#options.machineLimits
    if (isOfEntity && this.#depth >= maxDepth) throw makeDepthError(name.raw, start, maxDepth)
    this.#reportedDepths.push(++this.#depth)
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
    this.#passed.followScopes()
    // One that began among records which the sink took was not noted.
    if (this.#reportedDepths.at(-1) === this.#depth) this.#reportedDepths.pop()
    this.#depth--
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
    this.#references.follow(name, { start, end: end + 1 })
  }

  /**
   * Reads the part that is open where the machine has failed, as far as it goes: errors in it come first, and text before the error is text.
   * True when there is something to walk over.
   */
  #readOpen(): boolean {
    if (this.#hasReadOpen || this.#machine.openPart === undefined) return false
    this.#endTagPassed()
    this.#hasReadOpen = true
    return explanations.required.readFailedPart(this.#unfinished, this.#outcome === 'malformed')
  }

  /** Waits for a module. */
  #want(module: LazyModule<unknown>): 'load' {
    this.#wanted = module
    return 'load'
  }

  #fail(): Advance {
    const { isMoreWanted, explainFailure } = explanations.required
    // What the message depends on is to be the same however the input is cut.
    if (!this.#isFinished && isMoreWanted(this.#machine, this.#outcome)) return 'input'
    this.#endTagPassed()
    if (this.#outcome === 'malformed' && this.#refusal !== undefined) {
      throw new Fault(this.#refusal, 'malformed-text', undefined, this.#machine.inputEnd)
    }
    const [machine, markup, prolog, names] = [this.#machine, this.#markup, this.#prolog, this.#names]
    const context = { machine, markup, prolog, names, documentStart: this.#documentStart }
    const error = explainFailure(this.#outcome, context)
    const isUnfinished = this.#options.fragment && this.#isFinished && error.code === 'unexpected-end'
    if (isUnfinished) return 'done'
    throw error
  }
}
