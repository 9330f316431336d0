// Finds in a document what a shape wants of it, and nothing else.
//
// The document is read as it is for a check: nothing is recorded but tags. The text of a field is what lies between its tags. So what is in no
// field costs little more than a check, and no more is held of the input than a field that is open.
//
// Half of its fields are given or made once: the question, the kernel, and the parts that hold what is open (`OpenFields`) and give out what is complete
// (`RecordDelivery`). Its own state is where the walk stands: the states of the elements that are open.

import { LazyModule } from '../../async/lazy-module.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import { OpenAround } from '../names/around.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import type { RecordWriter } from '../output/record-writer.ts'
import type { Consumer, DocumentFacts } from '../parser/consumer.ts'
import { type Action, type Automaton, automatonOf, isForHost, type State } from '../question/automaton.ts'
import { Expected, NIL_CLASS } from '../question/layout.ts'
import type { LineFormOptions } from '../question/line-form.ts'
import { SymbolClasses } from '../question/name-classes.ts'
import { type FieldPlan, isReadAgain, type RecordPlan } from '../question/plan.ts'
import type { Projection } from '../question/projection.ts'
import { type FrameEntity, PARTNER, RECORD_WORDS, SYMBOL, type TapeFrame } from '../tape/tape-frame.ts'
import type { KernelProjector } from './kernel-projector.ts'
import { nestedMatches } from './nested-matches.ts'
import { OpenFields, type OutermostRecord } from './open-fields.ts'
import type { OpenMatches } from './open-matches.ts'
import { RecordBatch } from './record-batch.ts'
import { RecordDelivery } from './record-delivery.ts'
import { Subject } from './subject.ts'

/** Sees what the host walks over of the elements in and around records, whose states say what records may have (`Expected`). Depths count the open elements. */
export interface WalkAudit {
  /** Where the input begins that it needs; undefined when it needs none. */
  readonly retainedFrom: number | undefined
  begin(facts: DocumentFacts): void
  documentType(start: number, end: number): void
  /** An element begins: its name and its tag stand at two records of the tape. */
  enter(frame: TapeFrame, nameRecord: number, tag: number, state: State, depth: number): void
  /** The kernel takes a record, and perhaps others after it, of which `passed` says the last record of the tape. */
  takeRecords(frame: TapeFrame, tag: number, depth: number): void
  /** An entity brings text. */
  addText(frame: TapeFrame, first: number, record: number, depth: number): void
  /** An element ends that has begun. Returns the mark of a record; 0 for none. */
  leave(frame: TapeFrame, record: number, depth: number): number
  /** What stands before the end of a record of the tape is known. */
  passed(frame: TapeFrame, record: number, depth: number): void
  /** The input is about to go. */
  release(depth: number): void
}

/** What is wanted of a document. */
export interface ProjectorOptions {
  readonly projection: Projection
  readonly writer: RecordWriter<object>
  /** Called at the start of each element that is watched: with where it begins, how many are open with it, and its name. */
  readonly onWatched?: ((start: number, depth: number, name: Name) => void) | undefined
  /** What the kernel is to write of each record (`RecordView.hasLine`). */
  readonly written?: LineFormOptions | undefined
  /** Called with the root element. */
  readonly onRoot?: ((name: Name, attributes: XmlAttributes, start: number) => void) | undefined
  readonly audit?: WalkAudit | undefined
  /** Whether records in one element around them share what the first of them has found of it (default: false). */
  readonly sharesAround?: boolean | undefined
}

/** Finds values in what is read by a kernel: loaded with that. */
const kernelProjection = new LazyModule(() => import('./kernel-projector.ts'))

/** Reads a document by a program for checks, and lets a writer make something of each record. */
export class Projector implements Consumer {
  readonly kernel: typeof kernelProjection | undefined
  readonly sharedText = 0
  readonly #plan: RecordPlan
  readonly #automaton: Automaton
  readonly #options: ProjectorOptions
  /** The fields of the shape with what is around its element. */
  readonly #outerFields: readonly FieldPlan[]
  readonly #open: OpenFields
  readonly #delivery: RecordDelivery
  readonly #hasStandalone: boolean
  /** The writer, if it needs the document type declaration. */
  readonly #doctypeWriter: RecordWriter<object> | undefined
  #facts: DocumentFacts | undefined
  #kernel: KernelProjector | undefined
  #classes: SymbolClasses | undefined
  /**
   * What is wanted in the elements that are open, in the document first. After `depth` there are old ones: arrays that are cut grow again
   * and again.
   */
  readonly #states: State[]
  #depth = 0
  /** The depth of an element in which nothing is wanted but its text, and whose end was not there when its start was read; undefined for none. */
  dropDepth: number | undefined
  /** The matches that are open, where all are read; undefined where only the outermost or the innermost are. */
  readonly #matches: OpenMatches | undefined

  constructor(options: ProjectorOptions) {
    const { projection, writer, sharesAround = false } = options
    const { plan, nested } = projection
    const plans: RecordPlan[] = []
    const fields: FieldPlan[] = []
    const collect = (record: RecordPlan): void => {
      plans[record.number] = record
      for (const field of record.fields) {
        fields[field.number] = field
        if (field.record) collect(field.record)
      }
    }
    collect(plan)
    this.#options = options
    this.#plan = plan
    this.#automaton = automatonOf(projection)
    this.kernel = nested === 'outermost' && this.#automaton.states ? kernelProjection : undefined
    const complete = new RecordBatch(plans, writer.wantsEmptyOuter)
    this.#open = new OpenFields(plan, plans, { isInnermost: nested === 'innermost', sharesAround }, complete, writer)
    this.#delivery = new RecordDelivery(writer, this.#open, fields)
    this.#matches = nested === 'all' ? new nestedMatches.required.OpenMatches(this.#automaton, this.#open) : undefined
    this.#outerFields = plan.fields.filter(({ record }) => record?.outer)
    this.#states = [this.#automaton.start]
    this.#hasStandalone = fields.some(({ isStandalone }) => isStandalone)
    // Elements that are read again are read with the entities that are declared there.
    this.#doctypeWriter = fields.some(isReadAgain) ? writer : undefined
  }

  attachKernel(machine: Machine): KernelProjector | undefined {
    this.#kernel = this.kernel?.module?.KernelProjector.of(machine, this.#automaton, this.#plan, this.#options.written)
    return this.#kernel
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#classes = new SymbolClasses(this.#automaton, facts)
    this.#open.begin(facts)
    if (this.#hasStandalone) this.#open.around = new OpenAround(facts)
    this.#delivery.begin(facts)
    this.#options.audit?.begin(facts)
  }

  /** How many elements are open, without those in one that is dropped. */
  get depth(): number {
    return this.#depth
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    const [one, other] = [this.#open.retainedFrom, this.#options.audit?.retainedFrom]
    return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
  }

  /** The outermost record that is open; undefined if none is. */
  get openRecord(): OutermostRecord | undefined {
    return this.#open.outermost
  }

  get openFrom(): number | undefined {
    return this.openRecord?.start
  }

  /** The records that are there, and their input, are about to go. */
  leave(): void {
    this.#delivery.leave()
    this.#options.audit?.release(this.#depth)
  }

  /** Nothing more comes: elements may have ended after the last records left. */
  finish(): void {
    this.#delivery.finish()
  }

  // One loop over numbers, which leaves what is rare to others.
  read(frame: TapeFrame, first: number, end: number, _depth: number, mayLeave: boolean): number {
    const { words, types, entity, settled } = frame
    const { startTag, endTag, emptyTag, isPart } = types
    const kernel = frame.isOnTape ? this.#kernel : undefined
    this.#facts?.tape.link(frame, first, end)
    const states = this.#states
    const matches = this.#matches
    const open = this.#open
    const { texts, around } = open
    const { audit } = this.#options
    const classes = (this.#classes as SymbolClasses).in(frame)
    let depth = this.#depth
    let part = first
    for (let record = first; record < end; record++) {
      const at = record * RECORD_WORDS
      const type = (words[at] as number) & 255
      if (type === startTag) {
        if (depth === 0) this.#beginRoot(frame, part, record)
        const parent = states[depth] as State
        const nameClass = classes.of(words[part * RECORD_WORDS + SYMBOL] as number)
        const state = parent.steps?.next[nameClass] ?? this.#decide(frame, part, record, parent, nameClass)
        const partner = words[at + PARTNER] as number
        if (partner === 0 && mayLeave && settled?.tag !== record && this.#isLeft(frame, record, end, state)) {
          // With its end, the kernel can read all of it. What was settled is not to be settled again.
          this.#depth = depth
          return part
        }
        if ((state.isFound || state.isAround) && partner > 0 && settled?.tag !== record && kernel?.isFor(end - part)) {
          this.#depth = depth
          const left = this.#takeComplete(frame, part, record, end, state)
          if (left > part) {
            if (audit) this.#writeAudited(frame, left - 1, depth)
            record = left - 1
            part = left
            continue
          }
        }
        // The text of an entity's element may belong to one around it.
        const isUnwanted = state.isDead && !matches && !entity
        if (isUnwanted && state.isIdle && partner > 0) {
          audit?.enter(frame, part, record, state, depth + 1)
          record += partner
          audit?.passed(frame, record, depth)
          part = record + 1
          continue
        }
        states[++depth] = state
        audit?.enter(frame, part, record, state, depth)
        around?.enter(depth, new Subject(this.#facts as DocumentFacts, frame, part, record))
        if (!state.isIdle || matches || entity) {
          this.#depth = depth
          this.#readTag(frame, part, record, state, nameClass)
        }
        if (partner === 0 && isUnwanted) {
          // It continues after the available input: all of that is in it.
          this.#depth = depth
          this.dropDepth = depth
          return end
        }
      } else if (type === endTag || type === emptyTag) {
        this.#depth = depth
        if (this.dropDepth === depth) this.dropDepth = undefined
        const mark = audit ? audit.leave(frame, record, depth) : 0
        if (mark !== 0) open.markRecord(mark)
        if (open.depthOfInnermost === depth) {
          const after = frame.place(frame.endOf(record), true)
          open.close(depth, type === endTag || entity ? frame.place(frame.startOf(record)) : after, after)
        }
        matches?.leave()
        depth--
        if (audit) this.#writeAudited(frame, record, depth)
      } else if (isPart[type] === 0) {
        continue
      } else if (entity) {
        audit?.addText(frame, part, record, depth)
        if (!texts.isEmpty) this.#addOfEntity(frame, part, record)
      }
      part = record + 1
    }
    this.#depth = depth
    return end
  }

  /** Audited records are written as long as prefixes stand for what they do where the records end. */
  #writeAudited(frame: TapeFrame, record: number, depth: number): void {
    this.#delivery.write()
    this.#options.audit?.passed(frame, record, depth)
  }

  /** Whether an element that has not ended is left until it has: one that is a record, or one around records of which none is complete. */
  #isLeft({ words, types }: TapeFrame, tag: number, end: number, { isFound, isAround, steps }: State): boolean {
    if (isFound || !isAround) return isFound
    const classes = this.#classes as SymbolClasses
    let inner = steps
    for (let record = tag + 1, part = record; record < end; record++) {
      const type = (words[record * RECORD_WORDS] as number) & 255
      if (type === types.startTag) {
        const child = inner?.next[classes.of(words[part * RECORD_WORDS + SYMBOL] as number)]
        const partner = words[record * RECORD_WORDS + PARTNER] as number
        // What its attributes decide may be a record.
        if (!child) return false
        if (child.isFound) return partner === 0
        if (partner === 0) inner = child.steps
        record += partner
      } else if (types.isPart[type] === 0) continue
      part = record + 1
    }
    return true
  }

  #beginRoot(frame: TapeFrame, nameRecord: number, tag: number): void {
    const { onRoot } = this.#options
    if (!onRoot) return
    const { attributesOf } = this.#facts as DocumentFacts
    const attributes = attributesOf(frame, nameRecord, tag)
    onRoot(frame.nameOf(nameRecord), attributes, frame.startOf(tag))
  }

  /** Text that an entity brings: it stands where the reference does. */
  #addOfEntity(frame: TapeFrame, first: number, record: number): void {
    const { text, cdata } = frame.types
    const { start, end } = frame.entity as FrameEntity
    const type = frame.typeOf(record)
    if (type !== text && type !== cdata) return
    this.#open.texts.addText(frame.textOf(type === text ? record : record - 1, first), start, end)
  }

  /** The state in an element, where its attributes decide. */
  #decide(frame: TapeFrame, nameRecord: number, tag: number, parent: State, nameClass: number): State {
    const subject = new Subject(this.#facts as DocumentFacts, frame, nameRecord, tag)
    return this.#automaton.decide(parent, nameClass, subject)
  }

  /**
   * Lets the kernel take the elements of which records are made that are complete, from one in a state on, whose name and tag are given, up to
   * something else. The first record that it leaves.
   */
  #takeComplete(frame: TapeFrame, nameRecord: number, tag: number, end: number, state: State): number {
    const kernel = this.#kernel
    const outer = this.#outerFields
    // In a record that is open, what may lie in others is wanted as well.
    if (!kernel || outer.length > 1 || this.#open.isInRecord || state.expected & Expected.HOST) return nameRecord
    this.#options.audit?.takeRecords(frame, tag, this.#depth)
    this.#actForHost(state, new Subject(this.#facts as DocumentFacts, frame, nameRecord, tag))
    const [field] = outer
    return kernel.project(
      {
        facts: this.#facts as DocumentFacts,
        classes: this.#classes as SymbolClasses,
        first: nameRecord,
        end,
        state: this.#states[this.#depth] as State,
        doneState: state,
        around: field ? this.#open.copyAround(field) : 0,
        sharesAround: this.#open.sharesAround,
        batch: this.#open.complete,
        onWritten: (areAll) => (areAll ? this.#delivery.writeAll() : this.#delivery.write()),
      },
      this.#open.captures,
    )
  }

  /** What is to be done at the first of several records that the kernel takes. */
  #actForHost(state: State, subject: Subject): void {
    this.#open.depth = this.#depth + 1
    for (const action of state.actions) if (isForHost(action)) this.#act(action, subject)
  }

  /** Reads a start tag that may matter: where its name stands, and the tag. */
  #readTag(frame: TapeFrame, nameRecord: number, tag: number, state: State, nameClass: number): void {
    const { actions, attributes } = state
    const subject = new Subject(this.#facts as DocumentFacts, frame, nameRecord, tag)
    this.#open.depth = this.#depth
    this.#matches?.enter(nameClass, subject)
    for (let i = 0; i < actions.length; i++) this.#act(actions[i] as Action, subject)
    if (subject.hasWrittenAttributes) this.#readAttributes(frame, nameRecord, tag, state, subject)
    else for (const action of attributes) this.#open.addAttribute(action, subject)
  }

  /** Reads the attributes in a tag that stands in the input. */
  #readAttributes(frame: TapeFrame, nameRecord: number, tag: number, state: State, subject: Subject): void {
    if (state.attributes.length === 0) return
    const classes = this.#classes as SymbolClasses
    for (let record = nameRecord + 1; record < tag; record++) {
      if (!frame.isName(record)) continue
      const takers = this.#automaton.takersOf(state, classes.of(frame.symbolOf(record), 1) & ~NIL_CLASS)
      record = frame.nextLiteral(record + 1)
      const [from, to] = [frame.startOf(record), frame.endOf(record)]
      for (let i = 0; i < takers.length; i++) this.#open.addWritten(takers[i] as Action, subject, from, to)
    }
  }

  #act(action: Action, subject: Subject): void {
    if (action.takes === 'watch') this.#options.onWatched?.(subject.start, this.#open.depth, subject.name)
    else if (action.takes === 'match') this.#matches?.begin(this.#open.newMatch(), subject, action.marks)
    else this.#open.act(action, subject)
  }

  documentType(_type: DocumentType, start: number, end: number): void {
    this.#doctypeWriter?.reader.keepDoctype(start, end)
    this.#options.audit?.documentType(start, end)
  }
}
