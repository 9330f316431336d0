// The loop around the machine: feeds it, inspects what it recorded, and gives that to a consumer. It waits for nothing and opens nothing; where the
// text of an external entity is wanted it stops and says so.
//
// Ten of its fields are the parts that it puts together. The others are what it must know when it is called again: why it stopped, which error waits until
// everything before it was read, and what input is held for whom.

import type { LazyModule } from '../../async/lazy-module.ts'
import type { KernelCode, Program } from '../../machine/program/program.ts'
import { canRunKernel } from '../../machine/run/kernel-engine.ts'
import type { Machine, Outcome } from '../../machine/run/machine.ts'
import { acquireMachine, makeEngine, releaseMachine } from '../../machine/run/pool.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import { LimitError } from '../../stream/errors.ts'
import type { Position } from '../../text/line-counter.ts'
import { LONGEST_STRING, limitLength, StringTooLong } from '../../text/units.ts'
import { doctypes } from '../doctype/doctypes.ts'
import type { ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import { explanations } from '../errors/explanations.ts'
import type { Failure } from '../errors/failure.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import { MarkupFinder } from '../explanation/open-markup.ts'
import { countWithoutKernel, readableWithoutKernel } from '../language/kernels.ts'
import { NameTable, readName } from '../names/names.ts'
import { partTypesOf } from '../tape/part-types.ts'
import { RECORD_WORDS, TapeFrame } from '../tape/tape-frame.ts'
import { XmlTape, type XmlTapeView } from '../tape/xml-tape.ts'
import type { Consumer, DocumentFacts, TapeKernel } from './consumer.ts'
import { ErrorPlaces, makeDepthError } from './error-places.ts'
import type { XmlParserOptions } from './parser-options.ts'
import { PartReader } from './part-reader.ts'
import { PartWalk } from './part-walk.ts'
import { readAttributes } from './start-tag.ts'
import { UnfinishedParts } from './unfinished-parts.ts'

/**
 * Why a parser stopped: `part` to let what was read be delivered, or other work run; `resolve` when it needs what `request` asks for; `load` when it needs
 * a module that is not there yet (`load`).
 */
export type Advance = 'input' | 'part' | 'done' | 'resolve' | 'load'

/** Loads what runs a program, and the kernel of a consumer. */
export async function loadKernels(kernel: LazyModule<KernelCode>, consumer: Consumer): Promise<KernelCode> {
  const [loaded] = await Promise.all([kernel.load(), consumer.kernel?.load()])
  return loaded
}

/** Reads one document. */
export class XmlParser {
  readonly #options: XmlParserOptions
  readonly #consumer: Consumer
  readonly #walk: PartWalk
  readonly #reader: PartReader
  readonly #machine: Machine
  readonly #tape: XmlTape
  readonly #names: NameTable
  readonly #unfinished: UnfinishedParts
  readonly #places: ErrorPlaces
  readonly #markup: MarkupFinder
  /** Replaces references to what is no character. */
  #onReplace: ((offset: number) => void) | undefined
  #kernel: TapeKernel | undefined
  /** The kernel that is to continue when so much was read that it pays; undefined if it runs already, or cannot. */
  #awaited: LazyModule<KernelCode> | undefined
  #view: XmlTapeView | undefined
  #outcome: Outcome = 'input'
  /** The limit that the machine has passed. What was recorded before is read first. */
  #limitError: LimitError | undefined
  /** What is wrong with the document, once that is known. */
  #failure: Failure | undefined
  #isFinished = false
  /** Whether the part was read that is open where the machine has failed. */
  #hasReadOpen = false
  /** Why input after what has arrived is not text. */
  #refusal: string | undefined
  /** The module that it waits for. */
  #wanted: LazyModule<unknown> | undefined
  /** From where on the input must be kept: for the one who gets it, and for a reference whose end has not arrived. */
  #held: number | undefined
  #heldReference: number | undefined

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
    let replacedTo = -1
    // What is inspected in a copy first, because its end has not arrived, is inspected again.
    const onReplace =
      options.onReplace &&
      ((offset: number) => {
        if (offset > replacedTo) options.onReplace?.(offset)
        replacedTo = Math.max(replacedTo, offset)
      })
    this.#onReplace = onReplace
    this.#machine.forgoIndices()
    this.#markup = new MarkupFinder(this.#machine, start.byteOffset, () => {
      if (!explanations.module) explanations.load().catch(() => {})
    })
    const types = partTypesOf(program)
    const tape = new XmlTape(this.#machine, types)
    this.#tape = tape
    this.#names = new NameTable((symbol) => this.#machine.readName(symbol, readName))
    const [machine, names] = [this.#machine, this.#names]
    const documentStart = start.byteOffset
    const toSource = (offset: number) => this.toSource(offset)
    const reader = new PartReader({
      machine,
      tape,
      consumer,
      boundary: options.boundary,
      start: documentStart,
      maxRetained: options.machineLimits.maxRetained,
      mayLeave: () => this.#mayLeave,
      onLeave: () => this.#holdInput(),
    })
    this.#reader = reader
    const onDoctype = (end: number) => this.#markup.restart(end)
    this.#walk = new PartWalk({ parsing: options, tape, consumer, reader, documentStart, onDoctype })
    const { frames, tags, references, externals, counter } = this.#walk
    const checkTarget = (frame: TapeFrame, record: number) => this.#walk.checkTarget(frame, record)
    const normalizesLineEnds = options.normalizeLineEnds
    const parts = { machine, consumer, tags, names, types, normalizesLineEnds, frames, checkTarget, onReplace }
    this.#unfinished = new UnfinishedParts(parts)
    this.#places = new ErrorPlaces({ machine, types, frames, references, toSource })
    this.#kernel = consumer.attachKernel?.(machine)
    const facts: DocumentFacts = {
      toSource: options.toSource,
      names,
      types,
      scopes: tags.scopes,
      normalizesLineEnds,
      maxRetained: options.machineLimits.maxRetained,
      recall: (request) => externals.recall(request),
      count: (units, byteOffset, what, name) => counter.expand(units, byteOffset, what, name),
      entities: options.entities,
      machine,
      tape,
      attributesOf: (frame, name, tag) => readAttributes(frame, name, tag, tags.scopes, options.toSource),
      explain: (fault) => this.#places.locate(fault).makeError(),
    }
    options.boundary?.begin(facts)
    consumer.begin?.(facts)
  }

  /** Gives the machine back. The parser is not to be used any more. */
  release(): void {
    releaseMachine(this.#machine)
  }

  /** Offset after what was matched. */
  get position(): number {
    return this.#machine.position
  }

  /** Offset after what was read; after an error, the error is not before it. */
  get readTo(): number {
    return Math.min(this.#reader.readTo, this.#failure?.offset ?? Number.POSITIVE_INFINITY)
  }

  /** Whether what it reads is not the bytes of the source. */
  get isTranscoded(): boolean {
    return this.#options.toSource !== undefined
  }

  /** Offset from which on somebody may still ask where something is in the source: what lies in the window is noted when it leaves. */
  get retainedFrom(): number {
    // An element that is left will be read, and the places in a part that waits for the text of an entity.
    const pending = [this.#reader.leftFrom, this.#walk.frames[0]?.start].filter((offset) => offset !== undefined)
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

  /** Lets the input continue elsewhere: see `Machine.relocate`. */
  relocate(position: Position, before: Uint8Array | undefined): void {
    this.#machine.relocate(position, before)
    this.#markup.restart(position.byteOffset)
    this.#reader.readTo = position.byteOffset
  }

  /** The offset of what is wrong, once that is known: input is then wanted for nothing but the excerpt of the error. */
  get failedAt(): number | undefined {
    return this.#failure?.offset
  }

  /** Says that what comes next is not text, and why. It is the error unless there is one before it. */
  refuse(message: string): void {
    this.#failure?.finish()
    this.#refusal = message
    this.#machine.refuse()
    // An error whose message waits for more of the input comes before.
    if (this.#outcome !== 'failed') this.#outcome = 'malformed'
  }

  /** Says that the input continues after a limit. What was recorded before is read first. */
  exceed(error: LimitError): void {
    this.#failure?.finish()
    this.#limitError ??= error
  }

  /** What is wanted after `resolve`; answer it with {@link answer}. */
  get request(): ExternalRequest | undefined {
    return this.#walk.request
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
    const offsets = [this.#held, this.#heldReference, this.#reader.leftFrom].filter((offset) => offset !== undefined)
    this.#machine.hold(offsets.length === 0 ? undefined : Math.min(...offsets))
  }

  /** Gives what was asked for, or undefined where it is not to be had. Call `advance` then. */
  answer(given: ExternalText): void {
    this.#walk.answer = { given }
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

  /** Continues until something is wanted. Throws an {@link XmlError} or a `LimitError` when all before it was read, and then again. */
  advance(): Advance {
    try {
      if (!this.#failure) {
        const advance = this.#advance()
        const isSlow = advance === 'input' && this.#awaited && readableWithoutKernel() === 0 && !this.#isFinished
        return isSlow ? this.#want(this.#awaited as LazyModule<KernelCode>) : advance
      }
    } catch (error) {
      if (!(error instanceof UnplacedError)) throw this.#places.locateLimit(error, this.#held, this.#reader.readTo)
      this.#failure = this.#places.locate(error)
    }
    if (!this.#failure.isComplete && !this.#isFinished) return 'input'
    throw this.#failure.makeError()
  }

  #advance(): Advance {
    for (;;) {
      const walked = this.#walkParts()
      if (walked !== 'done') return walked
      this.#closeView()
      if (this.#openView()) {
        const opened = this.#walkParts()
        return opened === 'done' ? 'part' : opened
      }
      if (this.#limitError) {
        this.#checkLeftTag()
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
        return this.#walkParts() === 'resolve' ? 'resolve' : 'part'
      }
      if (this.#outcome === 'input') {
        do {
          const walked = this.#walkParts()
          if (walked !== 'done') return walked
          this.#closeView()
        } while (this.#openView())
        this.#reader.readTo = this.#unfinished.cut() ?? this.#reader.readTo
        if (!this.#isFinished && this.#walk.frames.length === 0)
          this.#unfinished.pushMistaken(this.#walk.checkReference)
        const walked = this.#walkParts()
        return walked === 'done' ? 'input' : walked
      }
    }
  }

  /** Runs the machine, which drops what nobody wants before it is recorded, where it can. */
  #runMachine(): void {
    const reader = this.#reader
    const skips = reader.dropDepth !== undefined && reader.left === 0
    reader.hasRun = true
    this.#tape.skimAhead(skips ? { depth: reader.depth, floor: this.#walk.floor } : undefined)
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
    if (skips) reader.follow(this.#tape.skimDepth, this.#tape.skimEnd)
  }

  /** What the machine has recorded, or some of it, becomes the frame at the bottom. False where there is nothing. */
  #openView(): boolean {
    this.#kernel?.reserve()
    this.#view = this.#tape.read(this.#options.normalizeLineEnds ? this.#consumer.sharedText : 0)
    if (!this.#view) return false
    if (this.#reader.resume(this.#view.words.length / RECORD_WORDS, this.#outcome === 'part')) {
      this.#walk.frames.push(this.#frameOf(this.#view))
      return true
    }
    this.#view = undefined
    return false
  }

  #frameOf({ words, bytes, start, transcript }: XmlTapeView): TapeFrame {
    // Field by field: V8 makes a new hidden class for each copy of an object that more is added to.
    return new TapeFrame({
      words,
      bytes,
      start,
      from: this.#reader.readTo,
      names: this.#names,
      types: this.#tape.types,
      normalizesLineEnds: this.#options.normalizeLineEnds,
      transcript,
      isOnTape: true,
      isSparse: this.#consumer.sharedText === 0,
      onReplace: this.#onReplace,
    })
  }

  /** Errors in a start tag whose end does not come are before any other. */
  #checkLeftTag(): void {
    const view = this.#reader.isTagLeft ? this.#tape.read(0) : undefined
    if (view) this.#walk.checkLeftTag(this.#frameOf(view))
  }

  #closeView(): void {
    this.#view?.drop(this.#view.words.length / RECORD_WORDS - this.#reader.left)
    this.#view = undefined
  }

  /** Inspects and reads all parts that are there. */
  #walkParts(): Exclude<Advance, 'input'> {
    const hasView = this.#view !== undefined
    try {
      const walked = this.#walk.advance()
      return walked === 'load' ? this.#want(doctypes) : walked
    } finally {
      if (hasView) this.#consumer.leave?.()
    }
  }

  /** Whether the end of an element may yet come. */
  get #mayLeave(): boolean {
    const isOpen = this.#outcome === 'input' || this.#outcome === 'part' || this.#outcome === 'paused'
    return isOpen && !this.#isFinished && !this.#limitError && this.#kernel !== undefined
  }

  /** The machine has met a reference, where nothing is recorded that would report it. */
  #followSignal(): void {
    const end = this.#machine.position
    const start = this.#machine.mark - 1
    if (end - start > LONGEST_STRING) throw limitLength(new StringTooLong(), 'the name of an entity', start)
    const name = this.#machine.marked
    if (this.#machine.textAt(end, end + 1) !== ';') return
    this.#walk.references.follow(name, { start, end: end + 1 })
  }

  /**
   * Reads the part that is open where the machine has failed, as far as it goes: errors in it come first, and text before the error is text.
   * True when there is something to walk over.
   */
  #readOpen(): boolean {
    this.#checkLeftTag()
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
      throw new UnplacedError(this.#refusal, 'malformed-text', undefined, this.#machine.inputEnd)
    }
    const [machine, markup, names] = [this.#machine, this.#markup, this.#names]
    const { prolog, documentStart } = this.#walk
    const context = {
      machine,
      markup,
      prolog,
      names,
      documentStart: this.#options.fragment ? undefined : documentStart,
    }
    const error = explainFailure(this.#outcome, context)
    const isUnfinished = this.#options.fragment && this.#isFinished && error.code === 'unexpected-end'
    if (isUnfinished) return 'done'
    throw error
  }
}
