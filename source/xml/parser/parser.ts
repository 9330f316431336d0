// The loop around the machine: feeds it, inspects what it recorded, and gives that to a consumer. It waits for nothing and opens nothing; where the
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
import { Fault, shorten } from '../errors/fault.ts'
import { MarkupFinder } from '../errors/open-markup.ts'
import { NameTable, readName } from '../names/names.ts'
import { type PartTypes, partTypesOf } from '../tape/part-types.ts'
import { type OpenText, RECORD_WORDS, TapeFrame } from '../tape/tape-frame.ts'
import { XmlTape, type XmlTapeView } from '../tape/xml-tape.ts'
import type { Consumer, TapeKernel, ToSource } from './consumer.ts'
import { EntityReferences } from './entity-references.ts'
import { ErrorPlaces, makeDepthError } from './error-places.ts'
import { countWithoutKernel, readableWithoutKernel } from './kernel-allowance.ts'
import { PassedNames } from './passed-names.ts'
import { Prolog } from './prolog.ts'
import { StartTagReader } from './start-tag.ts'
import { StepCounter } from './step-counter.ts'
import { readAttributes } from './tag-attributes.ts'
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
  readonly onReplace?: (() => void) | undefined
}

/**
 * Why a parser stopped: `part` to let what was reported be taken, or other work run; `resolve` when it needs what `request` asks for; `load` when it needs
 * a module that is not there yet (`load`).
 */
export type Advance = 'input' | 'part' | 'done' | 'resolve' | 'load'

/** Loads what runs a program, and the kernel of a consumer. */
export async function loadKernels(kernel: LazyModule<KernelCode>, consumer: Consumer): Promise<KernelCode> {
  const [loaded] = await Promise.all([kernel.load(), consumer.loadKernel?.()])
  return loaded
}

/** Reads one document. */
export class XmlParser {
  readonly #options: XmlParserOptions
  readonly #consumer: Consumer
  readonly #machine: Machine
  readonly #types: PartTypes
  readonly #tape: XmlTape
  readonly #names: NameTable
  readonly #tags: StartTagReader
  readonly #prolog: Prolog
  readonly #references: EntityReferences
  readonly #unfinished: UnfinishedParts
  readonly #places: ErrorPlaces
  readonly #passed: PassedNames
  readonly #documentStart: number
  readonly #markup: MarkupFinder
  #kernel: TapeKernel | undefined
  /** The kernel that is to continue when so much was read that it pays; undefined if it runs already, or cannot. */
  #awaited: LazyModule<KernelCode> | undefined
  /** The document's records on the bottom, then those of entities that are open. */
  readonly #frames: TapeFrame[] = []
  /** How many elements of the document and of its entities are open after what was inspected, and after what the consumer got. */
  #depth = 0
  #readDepth = 0
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
  /** Offset up to which parts were read. */
  #readTo: number
  #answer: { readonly given: ExternalText } | undefined
  /** The module that it waits for. */
  #wanted: LazyModule<unknown> | undefined
  /** From where on the input must be kept: for the one who gets it, and for a reference whose end has not arrived. */
  #held: number | undefined
  #heldReference: number | undefined
  /** How many records were left on the tape, and where the element begins that they belong to. */
  #left = 0
  #leftFrom: number | undefined
  /** Offset after the input that had arrived when a tag was left, of which it is not known whether its element is empty; undefined for other elements. */
  #tagLeftAt: number | undefined
  /** Whether the machine has run since. */
  #hasRun = false
  /** Whether nothing may be left, because the machine has no room. */
  #wantsAll = false
  /** What was read one by one since others could do something. */
  readonly #steps = new StepCounter()

  /** `kernel`: what is to run the program when it is worth being loaded, unless it is there. */
  constructor(
    program: Program,
    consumer: Consumer,
    options: XmlParserOptions,
    start = TextPosition.START,
    kernel?: LazyModule<KernelCode>,
  ) {
    this.#options = options
    this.#consumer = consumer
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
    const references = new EntityReferences({ entities, externals, steps, frames })
    this.#tags = tags
    this.#references = references
    this.#prolog = new Prolog({ consumer, tags, entities, counter, externals, namespaces })
    this.#passed = new PassedNames(this.#tape, tags)
    const checkTarget = (frame: TapeFrame, record: number) => this.#checkTarget(frame, record)
    const parts = { machine, consumer, tags, names, types, normalizesLineEnds, frames, checkTarget }
    this.#unfinished = new UnfinishedParts(parts)
    this.#documentStart = start.byteOffset
    const toSource = (offset: number) => this.toSource(offset)
    this.#places = new ErrorPlaces({ machine, types, frames, references, toSource })
    this.#kernel = consumer.attachKernel?.(this.#machine)
    consumer.begin?.({
      toSource: options.toSource,
      names: this.#names,
      types: this.#types,
      scopes: tags.scopes,
      normalizesLineEnds,
      maxRetained: options.machineLimits.maxRetained,
      recall: (request) => externals.recall(request),
      viewInput: (from, to) => this.#machine.viewInput(from, to),
      viewWindow: () => this.#machine.viewWindow(),
      prepareDecoding: () => this.#tape.prepareDecoding(),
      decode: (ranges, count, ends) => this.#tape.decode(ranges, count, ends),
      attributesOf: (frame, name, tag) => readAttributes(frame, name, tag, tags.scopes, options.toSource),
      linkTags: (frame, first, end) => this.#tape.link(frame, first, end),
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
    // An element that is left will be read, and the places in a part that waits for the text of an entity.
    const pending = [this.#leftFrom, this.#frames[0]?.start].filter((offset) => offset !== undefined)
    return Math.min(this.#machine.windowStart, ...pending)
  }

  /** The offset in the source of one that a consumer gets. */
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
    const isIdle = this.#depth === depth && this.#frames.length === 0 && this.#left === 0 && !this.#prolog.hasDoctype
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
    const offsets = [this.#held, this.#heldReference, this.#leftFrom].filter((offset) => offset !== undefined)
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
    const kernel = await loadKernels(awaited as LazyModule<KernelCode>, this.#consumer).catch(() => undefined)
    if (!kernel || !canRunKernel(kernel)) return
    this.#machine.moveTo(makeEngine(kernel))
    this.#kernel = this.#consumer.attachKernel?.(this.#machine)
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
      if (this.#limitError) throw this.#limitError
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
        this.#readTo = this.#unfinished.cut() ?? this.#readTo
        const walked = this.#walk()
        return walked === 'done' ? 'input' : walked
      }
    }
  }

  /** Runs the machine, which drops what nobody wants before it is recorded, where it can. */
  #runMachine(): void {
    const skips = this.#consumer.use === 'drop' && this.#left === 0
    this.#hasRun = true
    this.#tape.skimAhead(skips ? { depth: this.#depth, floor: this.#floor } : undefined)
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
    this.#depth = this.#readDepth = this.#tape.skimDepth
    this.#readTo = this.#tape.skimEnd ?? this.#readTo
  }

  /** What the machine has recorded, or some of it, becomes the frame at the bottom. False where there is nothing. */
  #openView(): boolean {
    this.#kernel?.reserve()
    this.#view = this.#tape.read(this.#consumer.wantsText && this.#options.normalizeLineEnds)
    if (!this.#view) return false
    const { words, bytes, start, transcript } = this.#view
    const hasNew = this.#left === 0 || words.length > this.#left * RECORD_WORDS
    // Where the machine stops without having found something new, it wants room for what is open.
    this.#wantsAll = !hasNew && ((this.#outcome === 'part' && this.#hasRun) || !this.#isSmall(this.#leftFrom ?? 0))
    if (!hasNew && (this.#mayLeave || this.#tagLeftAt === this.#machine.inputEnd)) {
      this.#view = undefined
      return false
    }
    this.#left = 0
    if (this.#leftFrom !== undefined) {
      this.#leftFrom = undefined
      this.#holdInput()
    }
    const { names, types } = { names: this.#names, types: this.#types }
    const { normalizeLineEnds: normalizesLineEnds } = this.#options
    // Field by field: V8 makes a new hidden class for each copy of an object that more is added to.
    this.#frames.push(
      new TapeFrame({
        words,
        bytes,
        start,
        from: this.#readTo,
        names,
        types,
        normalizesLineEnds,
        transcript,
        isOnTape: true,
        isSparse: !this.#consumer.wantsText,
      }),
    )
    return true
  }

  #closeView(): void {
    this.#view?.drop(this.#view.words.length / RECORD_WORDS - this.#left)
    this.#view = undefined
  }

  /** Inspects and reads all parts that are there. */
  #walk(): Exclude<Advance, 'input'> {
    const view = this.#view
    try {
      return this.#walkFrames()
    } catch (error) {
      // What is before the error is read first.
      const frame = this.#frames.at(-1)
      if (frame) this.#read(frame, frame.first)
      throw error
    } finally {
      if (view) this.#consumer.leave?.(view.words)
    }
  }

  #walkFrames(): Exclude<Advance, 'input'> {
    for (;;) {
      const unsettled = this.#prolog.isReading || this.#references.request ? this.#settle() : undefined
      if (unsettled) return unsettled
      const frame = this.#frames.at(-1)
      if (!frame) return 'done'
      if (this.#steps.isOver) {
        this.#read(frame, frame.openText ? frame.first : frame.part + 1)
        this.#steps.restart()
        return 'part'
      }
      if (frame.openText) this.#readText(frame, frame.openText)
      else if (!this.#inspectNext(frame)) this.#leaveFrame(frame)
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

  /** Inspects parts up to one that cannot just be read with those before it. False at the end of the frame. */
  #inspectNext(frame: TapeFrame): boolean {
    // Text that was not written out at once is long, or comes without the kernel: what it stands for is found out step by step.
    if (frame.isOnTape && (frame.hasTranscript || !this.#consumer.wantsText)) {
      const skimmed = this.#tape.skim(frame.part + 1, frame.count, this.#depth, this.#floor)
      this.#depth = this.#tape.skimDepth
      frame.moveTo(skimmed)
    }
    if (!frame.next()) {
      this.#read(frame, frame.count)
      return false
    }
    this.#steps.add(1)
    return this.#inspect(frame)
  }

  /** The depth of the innermost element whose end has to be inspected; 0 for none. */
  get #floor(): number {
    return Math.max(this.#tags.declaredDepth, this.#consumer.skipDepth ?? 0)
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
        this.#checkTarget(frame, first)
        return true
      case types.characterReference:
        frame.standsFor(part)
        return true
      case types.cdata:
      case types.comment:
        return true
      default:
        this.#read(frame, first)
        frame.unread = part + 1
        if (type === types.declaration) this.#prolog.readDeclaration(frame)
        else {
          this.#markup.restart(frame.end)
          this.#prolog.beginDoctype(frame)
        }
        this.#readTo = frame.end
        return true
    }
  }

  #inspectStartTag(frame: TapeFrame): boolean {
    const { first, part, isOnTape } = frame
    if (isOnTape && !frame.isTagEnded(part)) {
      this.#read(frame, first)
      this.#leave(frame, first)
      this.#tagLeftAt = this.#machine.inputEnd
      return false
    }
    // The machine counts the elements of the document alone.
    const { maxDepth } = this.#options.machineLimits
    if (frame.entity && this.#depth >= maxDepth) {
      throw makeDepthError(frame.nameOf(first).raw, frame.place(frame.start), maxDepth)
    }
    if (!this.#tags.isPlain(frame)) {
      this.#readUpTo(frame, first)
      this.#tags.settle(frame, this.#depth + 1)
      this.#passed.followScopes()
    }
    if (isOnTape) this.#passed.add(frame)
    this.#depth++
    return true
  }

  #inspectEndTag(frame: TapeFrame): void {
    const { part, first } = frame
    const depth = this.#depth
    if (depth > this.#floor) {
      this.#depth--
      return
    }
    this.#read(frame, first)
    this.#depth--
    // The end of the element up to which the consumer skips is not skipped.
    if (depth === this.#consumer.skipDepth) this.#give(frame, part + 1)
    else this.#read(frame, part + 1)
    if (depth > this.#tags.declaredDepth) return
    this.#tags.leave(depth)
    this.#passed.followScopes()
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
      this.#readPiece(frame, { from, first, next: hole }, frame.startOf(hole))
      throw error
    }
  }

  /** Reads more of a text with references to entities, up to one whose text comes first, or to its end. */
  #readText(frame: TapeFrame, text: OpenText): void {
    for (; text.next < frame.part && !this.#steps.isOver; text.next++) {
      this.#steps.add(1)
      const hole = text.next
      if (!frame.isReference(hole) || !this.#isEntity(frame, hole, text)) continue
      this.#readPiece(frame, text, frame.startOf(hole))
      frame.openText = { from: frame.endOf(hole), first: hole + 1, next: hole + 1 }
      this.#references.followIn(frame, hole)
      return
    }
    const { next } = text
    if (next < frame.part) {
      // Others are to have their turn: what a piece stands for is not found out all at once.
      this.#readPiece(frame, text, frame.startOf(next))
      frame.openText = { from: frame.startOf(next), first: next, next }
      return
    }
    this.#readPiece(frame, text, frame.end)
    frame.openText = undefined
    frame.unread = frame.part + 1
    if (!frame.entity) this.#readTo = frame.end
  }

  /** Reads a piece of a text, up to an offset. */
  #readPiece(frame: TapeFrame, { from, first, next }: OpenText, end: number): void {
    this.#readUpTo(frame, frame.first)
    if (from === end || !this.#isWanted(frame)) return
    const piece = frame.withText(first, next, from, end)
    this.#consumer.read(piece, 0, piece.count, this.#depth, false)
  }

  /** Lets the consumer read the inspected parts up to a record, or skip them. The depth is that at the record. */
  #read(frame: TapeFrame, end: number): void {
    const first = frame.unread
    if (end <= first) return
    if (this.#isWanted(frame)) {
      this.#give(frame, end)
      return
    }
    if (this.#consumer.use === 'skip' && frame.isOnTape) this.#consumer.skipped?.(first, end)
    this.#passTo(frame, end)
  }

  /** Whether the consumer reads the parts in a frame. What entities bring belongs to texts that are read from the input otherwise, and may be dropped. */
  #isWanted(frame: TapeFrame): boolean {
    const { use } = this.#consumer
    return use === 'read' || (use === 'drop' && frame.entity !== undefined)
  }

  /** The same before something that cannot be skipped. */
  #readUpTo(frame: TapeFrame, end: number): void {
    this.#read(frame, end)
    if (this.#consumer.use === 'skip' && frame.isOnTape) this.#consumer.readSkipped?.(frame, this.#depth)
  }

  /** Gives the consumer the inspected parts up to a record. */
  #give(frame: TapeFrame, end: number): void {
    const first = frame.unread
    const depth = this.#readDepth
    const before = this.#readTo
    const mayLeave = end === frame.count && frame.isOnTape && this.#mayLeave
    this.#passTo(frame, end)
    const left = this.#consumer.read(frame, first, end, depth, mayLeave)
    if (left >= end) return
    this.#depth -= frame.countOpen(left, end)
    if (this.#isShort(frame, left)) {
      this.#leave(frame, left)
      this.#readTo = left > first ? frame.endOf(left - 1) : before
    } else {
      this.#consumer.read(frame, left, end, this.#depth, false)
      this.#depth += frame.countOpen(left, end)
    }
  }

  /** What is before a record was read. */
  #passTo(frame: TapeFrame, end: number): void {
    frame.unread = end
    this.#readDepth = this.#depth
    if (!frame.entity) this.#readTo = frame.endOf(end - 1)
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
    this.#readDepth = this.#depth
    this.#leftFrom = frame.startOf(frame.tagAfter(record))
    this.#tagLeftAt = undefined
    this.#holdInput()
    frame.unread = frame.count
    frame.moveTo(frame.count)
  }

  #leaveFrame(frame: TapeFrame): void {
    this.#frames.pop()
    if (frame.entity) this.#references.leave(frame.entity)
  }

  /** Checks the target of an instruction, which is a record. Throws a {@link Fault} if it may not have that. */
  #checkTarget(frame: TapeFrame, record: number): void {
    const target = frame.text(frame.startOf(record), frame.endOf(record))
    const place = frame.place(frame.startOf(record))
    if (target === 'xml' && place === this.#documentStart + 2) {
      const message = 'malformed XML declaration; expected version, then optionally encoding and standalone'
      throw new Fault(message, 'malformed-declaration', undefined, this.#documentStart)
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

  /** The machine has met a reference, where nothing is recorded that would report it. */
  #followSignal(): void {
    const end = this.#machine.position
    const start = this.#machine.mark - 1
    if (end - start > LONGEST_STRING) throw limitLength(new StringTooLong(), 'the name of an entity', start)
    const name = this.#machine.marked
    if (this.#machine.textAt(end, end + 1) !== ';') return
    this.#references.follow(name, { start, end: end + 1 })
  }

  /**
   * Reads the part that is open where the machine has failed, as far as it goes: errors in it come first, and text before the error is text.
   * True when there is something to walk over.
   */
  #readOpen(): boolean {
    if (this.#hasReadOpen || this.#machine.openPart === undefined) return false
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
    if (this.#outcome === 'malformed' && this.#refusal !== undefined) {
      throw new Fault(this.#refusal, 'malformed-text', undefined, this.#machine.inputEnd)
    }
    const [machine, markup, prolog, names] = [this.#machine, this.#markup, this.#prolog, this.#names]
    const context = {
      machine,
      markup,
      prolog,
      names,
      documentStart: this.#options.fragment ? undefined : this.#documentStart,
    }
    const error = explainFailure(this.#outcome, context)
    const isUnfinished = this.#options.fragment && this.#isFinished && error.code === 'unexpected-end'
    if (isUnfinished) return 'done'
    throw error
  }
}
