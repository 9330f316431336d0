// Finds in a document what a shape wants of it, and nothing else.
//
// The document is read as it is for a check: nothing is recorded but tags. The text of a field is what lies between its tags. So what is in no
// field costs little more than a check, and no more is held of the input than a field that is open.

import { LazyModule } from '../../async/lazy-module.ts'
import { Decode } from '../../machine/program/registers.ts'
import type { Machine } from '../../machine/run/machine.ts'
import { LimitError } from '../../stream/errors.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import { Fault, shorten } from '../errors/fault.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import type { LineForm } from '../output/line-form.ts'
import { RecordBatch } from '../output/record-batch.ts'
import type { RecordWriter } from '../output/record-writer.ts'
import type { Consumer, ConsumerUse, DocumentFacts } from '../parser/consumer.ts'
import { type FrameEntity, PARTNER, RECORD_WORDS, SYMBOL, type TapeFrame } from '../tape/tape-frame.ts'
import { type Action, type Automaton, automatonOf, isForHost, type State } from './automaton.ts'
import { ABSENT_IF_EMPTY } from './capture-words.ts'
import { CaptureKind, Captures, RANK_SHIFT } from './captures.ts'
import { holds } from './condition.ts'
import type { KernelProjector } from './kernel-projector.ts'
import { SymbolClasses } from './name-classes.ts'
import { nestedMatches } from './nested-matches.ts'
import { Newest } from './newest.ts'
import type { Match, OpenGroup, OpenMatches } from './open-matches.ts'
import { OpenTexts } from './open-texts.ts'
import { type FieldPlan, isPresence, isReadAgain, type RecordPlan } from './plan.ts'
import type { Projection } from './projection.ts'
import type { Value } from './shape.ts'
import { Subject } from './subject.ts'

/** What is wanted of a document. */
export interface ProjectorOptions {
  readonly projection: Projection
  readonly writer: RecordWriter<object>
  /** Called at the start of each element that is watched: with where it begins, and how many are open with it. */
  readonly onWatched?: ((start: number, depth: number) => void) | undefined
  /** What the kernel is to write of each record (`RecordView.hasLine`). */
  readonly lineForm?: LineForm | undefined
  /** Called with the root element. */
  readonly onRoot?: ((name: Name, attributes: XmlAttributes, start: number) => void) | undefined
}

/** Finds values in what is read by a kernel: loaded with that. */
const kernelProjection = new LazyModule(() => import('./kernel-projector.ts'))

/** What takes a value. */
type FieldAction = Action & { readonly field: FieldPlan }

/** A record whose element is open. */
interface OpenRecord {
  readonly plan: RecordPlan
  readonly match: Match
  /** How many elements are open with its own. */
  readonly depth: number
  entry: number
  /** The entry that its plan had before; 0 for none. */
  outer: number
  /** The bytes that the record around it covered when it began, and how many records of the shape were found. */
  readonly covered: number
  readonly found: number
}

/** A record whose element is open, for those who look at it from outside. */
export interface OutermostRecord {
  /** Where its element begins, in the input. */
  readonly start: number
  /** The field in it that is open, and whether another record is. */
  readonly field: string | undefined
  readonly hasInner: boolean
  /** What is known of a field, by its name. */
  readField(name: string): Value
}

/** Reads a document by a program for checks, and lets a writer make something of each record. */
export class Projector implements Consumer {
  readonly wantsText = false
  readonly #automaton: Automaton
  readonly #writer: RecordWriter<object>
  readonly #onRoot: ProjectorOptions['onRoot']
  readonly #onWatched: ProjectorOptions['onWatched']
  readonly #lineForm: LineForm | undefined
  readonly #isInnermost: boolean
  readonly #hasKernel: boolean
  readonly #plan: RecordPlan
  readonly #fields: FieldPlan[] = []
  /** Those of the shape with what is around its element. */
  readonly #outerFields: readonly FieldPlan[]
  readonly #captures = new Captures()
  #facts: DocumentFacts | undefined
  #kernel: KernelProjector | undefined
  #classes: SymbolClasses | undefined
  /**
   * What is wanted in the elements that are open, in the document first. After `depth` there are old ones: arrays that are cut grow again
   * and again.
   */
  readonly #states: State[]
  #depth = 0
  /** The depth of an element in which nothing is wanted but its text, and whose end was not there when its start was taken; 0 for none. */
  #skipDepth = 0
  readonly #openRecords: OpenRecord[] = []
  readonly #openTexts: OpenTexts<Match>
  readonly #openGroups: OpenGroup[] = []
  /** The depth of the innermost of all of them; 0 for none. */
  #openDepth = 0
  /** The matches that are open, where all are read; undefined where only the outermost or the innermost are. */
  readonly #matches: OpenMatches | undefined
  /** The match that what is around all matches belongs to, and where only one is read at a time, that one. */
  readonly #main: Match
  /** The match for which something is being done, and its entries. */
  #match: Match
  #entries: readonly number[]
  /** By their numbers, all of them. */
  readonly #plans: RecordPlan[] = []
  /** By the numbers of plans, that of the record around. */
  readonly #parents: RecordPlan[] = []
  readonly #newest = new Newest((record, field) => this.#writer.reader.peekValue(record, field))
  /** Records that are complete, and those around none. */
  readonly #complete: RecordBatch
  /** Whether one of them was an error. */
  #hasFailed = false
  /** Whether some were written since the input has gone last. */
  #hasWritten = false
  /** The names of values in groups, and their numbers. */
  readonly #names: string[] = []
  readonly #nameNumbers = new Map<string, number>()

  constructor({ projection, writer, onRoot, onWatched, lineForm }: ProjectorOptions) {
    const { plan, nested } = projection
    this.#onRoot = onRoot
    this.#onWatched = onWatched
    this.#lineForm = lineForm
    this.#automaton = automatonOf(projection)
    this.#writer = writer
    this.#isInnermost = nested === 'innermost'
    this.#hasKernel = nested === 'outermost' && this.#automaton.states !== undefined
    this.#matches = nested === 'all' ? this.#openMatches() : undefined
    this.#plan = plan
    this.#collect(plan)
    this.#complete = new RecordBatch({ plans: this.#plans, form: lineForm, keepsOuter: writer.wantsEmptyOuter })
    this.#match = this.#main = this.#newMatch()
    this.#entries = this.#main.entries
    this.#outerFields = plan.fields.filter(({ record }) => record?.outer)
    this.#states = [this.#automaton.start]
    this.#openTexts = new OpenTexts(this.#captures, {
      count: (match, field, bytes, offset) => this.#count(match, field, bytes, offset),
      note: (field, entry) => this.#writer.reader.note(field, entry, true),
    })
  }

  #collect(plan: RecordPlan): void {
    this.#plans[plan.number] = plan
    for (const field of plan.fields) {
      this.#fields[field.number] = field
      if (!field.record) continue
      this.#parents[field.record.number] = plan
      this.#collect(field.record)
    }
  }

  #openMatches(): OpenMatches {
    return new nestedMatches.required.OpenMatches(this.#automaton, {
      turnTo: (match = this.#main) => this.#turnTo(match),
      act: (action, subject) => this.#act(action, subject),
      actOnAttribute: (action, subject) => this.#addAttribute(action, subject),
      isSettled: ({ field, record, rank }, { entries }) => {
        return !this.#isWanted(field as FieldPlan, rank, entries[record.number] as number)
      },
    })
  }

  #newMatch(): Match {
    return { entries: this.#plans.map(() => 0), covered: 0, groups: [] }
  }

  /** The next actions are for this match. */
  #turnTo(match: Match): void {
    this.#match = match
    this.#entries = match.entries
  }

  get isKernelLoaded(): boolean {
    return !this.#hasKernel || kernelProjection.module !== undefined
  }

  async loadKernel(): Promise<void> {
    if (this.#hasKernel) await kernelProjection.load()
  }

  attachKernel(machine: Machine): KernelProjector | undefined {
    const Kernel = this.#hasKernel ? kernelProjection.module?.KernelProjector : undefined
    this.#kernel = Kernel?.of(machine, this.#automaton, this.#lineForm)
    return this.#kernel
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#classes = new SymbolClasses(this.#automaton, facts)
    this.#writer.begin(facts, this.#captures, this.#names)
  }

  get use(): ConsumerUse {
    return this.#skipDepth > 0 ? 'drop' : 'read'
  }

  get skipDepth(): number | undefined {
    return this.#skipDepth > 0 ? this.#skipDepth : undefined
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    // An element may have begun after the last records left.
    const ofRecords = this.#openRecords.length > 0 ? this.#captures.addedFrom : undefined
    const least = Math.min(ofRecords ?? Number.POSITIVE_INFINITY, this.#openTexts.retainedFrom)
    return least === Number.POSITIVE_INFINITY ? undefined : least
  }

  // One loop over numbers, which leaves what is rare to others.
  read(frame: TapeFrame, first: number, end: number, _depth: number, mayLeave: boolean): number {
    const { words, types, entity, settled } = frame
    const { startTag, endTag, emptyTag, isPart } = types
    const { linkTags } = this.#facts as DocumentFacts
    const kernel = frame.isOnTape ? this.#kernel : undefined
    linkTags(frame, first, end)
    const states = this.#states
    const matches = this.#matches
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
        if (partner === 0 && mayLeave && state.isFound) {
          // With its end, the kernel can read all of it.
          this.#depth = depth
          return part
        }
        if ((state.isFound || state.isAround) && partner > 0 && settled?.tag !== record && kernel?.isFor(end - part)) {
          this.#depth = depth
          const left = this.#takeComplete(frame, part, record, end, state)
          if (left > part) {
            record = left - 1
            part = left
            continue
          }
        }
        // The text of an entity's element may belong to one around it.
        const isUnwanted = state.isDead && !matches && !entity
        if (isUnwanted && state.isIdle && partner > 0) {
          record += partner
          part = record + 1
          continue
        }
        states[++depth] = state
        if (!state.isIdle || matches || entity) {
          this.#depth = depth
          this.#readTag(frame, part, record, state, nameClass)
        }
        if (partner === 0 && isUnwanted) {
          // It continues after the available input: all of that is in it.
          this.#depth = depth
          this.#skipDepth = depth
          return end
        }
      } else if (type === endTag || type === emptyTag) {
        this.#depth = depth
        if (this.#skipDepth === depth) this.#skipDepth = 0
        if (entity) this.#openTexts.endElement(entity.end)
        if (this.#openDepth === depth) {
          const after = frame.place(frame.endOf(record), true)
          this.#close(depth, type === endTag || entity ? frame.place(frame.startOf(record)) : after, after)
        }
        matches?.leave()
        depth--
      } else if (isPart[type] === 0) {
        continue
      } else if (entity && !this.#openTexts.isEmpty) {
        this.#addOfEntity(frame, part, record)
      }
      part = record + 1
    }
    this.#depth = depth
    return end
  }

  #beginRoot(frame: TapeFrame, nameRecord: number, tag: number): void {
    if (!this.#onRoot) return
    const { attributesOf } = this.#facts as DocumentFacts
    const attributes = attributesOf(frame, nameRecord, tag)
    this.#onRoot(frame.nameOf(nameRecord), attributes, frame.startOf(tag))
  }

  /** Text and markup that an entity brings: it stands where the reference does. */
  #addOfEntity(frame: TapeFrame, first: number, record: number): void {
    const { types } = frame
    const { start, end } = frame.entity as FrameEntity
    const texts = this.#openTexts
    const type = frame.typeOf(record)
    if (type === types.text) texts.addText(frame.textOf(record, first), start, end)
    else if (type === types.cdata) texts.addText(frame.textOf(record - 1, first), start, end)
    else if (type === types.comment) texts.addMarkup(`<!--${frame.textOf(record - 1, first)}-->`, end)
    else if (type === types.instruction) {
      const data = record - 1 > first ? frame.textOf(record - 1, first + 1) : ''
      texts.addMarkup(`<?${frame.textOf(first, first)} ${data}?>`, end)
    }
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
    const isInRecord = this.#entries[this.#plan.number] !== 0
    if (!kernel || outer.length > 1 || isInRecord) return nameRecord
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
        around: field ? this.#copyAround(field) : 0,
        batch: this.#complete,
        onWritten: (areAll) => (areAll ? this.#writeAll() : this.#write()),
      },
      this.#captures,
    )
  }

  /** What is to be done at the first of several records that the kernel takes. */
  #actForHost(state: State, subject: Subject): void {
    this.#depth++
    for (const action of state.actions) if (isForHost(action)) this.#act(action, subject)
    this.#depth--
  }

  /** What is known now of the element around that is the value of a field; 0 for nothing. */
  #copyAround(field: FieldPlan): number {
    const around = this.#main.entries[(field.record as RecordPlan).number] as number
    if (around === 0) return 0
    const copy = this.#captures.copyRecord(around)
    this.#captures.mark(copy, field.number, 0)
    return copy
  }

  /** Reads a start tag that may matter: where its name stands, and the tag. */
  #readTag(frame: TapeFrame, nameRecord: number, tag: number, state: State, nameClass: number): void {
    const { actions, attributes } = state
    const subject = new Subject(this.#facts as DocumentFacts, frame, nameRecord, tag)
    this.#matches?.enter(nameClass, subject)
    for (let i = 0; i < actions.length; i++) this.#act(actions[i] as Action, subject)
    if (subject.hasWrittenAttributes) this.#readAttributes(frame, nameRecord, tag, state, subject)
    else for (const action of attributes) this.#addAttribute(action, subject)
    if (!frame.entity || this.#openTexts.isEmpty) return
    const { attributesOf } = this.#facts as DocumentFacts
    this.#openTexts.startElement(subject.name, attributesOf(frame, nameRecord, tag), frame.entity.end)
  }

  /** Reads the attributes in a tag that stands in the input. */
  #readAttributes(frame: TapeFrame, nameRecord: number, tag: number, state: State, subject: Subject): void {
    if (state.attributes.length === 0) return
    const classes = this.#classes as SymbolClasses
    for (let record = nameRecord + 1; record < tag; record++) {
      if (!frame.isName(record)) continue
      const takers = this.#automaton.takersOf(state, classes.of(frame.symbolOf(record), 1))
      record = frame.nextLiteral(record + 1)
      for (let i = 0; i < takers.length; i++) {
        const { field, rank } = takers[i] as FieldAction
        const parent = this.#recordOf(takers[i] as Action)
        if (parent === 0 || !this.#isWanted(field, rank, parent)) continue
        const mark = markOf(field, rank, subject)
        if (mark === undefined) this.#linkAbsent(field, rank, parent, frame.startOf(record))
        else this.#takeValue(field, parent, mark, frame.startOf(record), frame.endOf(record))
      }
    }
  }

  /** The entry of the open record that an attribute is about; 0 for none. */
  #recordOf({ record, isOfEnclosing }: Action): number {
    if (!isOfEnclosing) return this.#entries[record.number] as number
    return this.#openRecords.findLast(({ plan }) => plan === record)?.outer ?? 0
  }

  /** The value of an attribute is among the records. */
  #takeValue(field: FieldPlan, parent: number, mark: number, from: number, end: number): void {
    const isThere = isPresence(field)
    if (!isThere) this.#count(this.#match, field, end - from, end)
    const captures = this.#captures
    const entry = isThere ? captures.addPresent(from) : captures.addText(Decode.VALUE, from, end)
    this.#link(field, parent, entry, mark)
  }

  /** The records that are there, and their input, are about to go. */
  leave(): void {
    if (this.#hasFailed) return
    this.#writeAll()
    const [first] = this.#openRecords
    const hasWritten = this.#hasWritten
    this.#hasWritten = false
    if (!first) return
    this.#writer.reader.places.forget(this.#captures.originOf(first.entry))
    // What was before the open record is complete. In one around others, there are those among its fields.
    this.#captures.skipTo(first.entry)
    if (first.plan.outer && hasWritten && this.#captures.areFew) this.#captures.tidy(this.#forward)
    const { viewInput } = this.#facts as DocumentFacts
    this.#captures.leave(viewInput, this.#forward, this.#note)
  }

  /** The same; if nothing is open, everything is forgotten. */
  #writeAll(): void {
    this.#write()
    if (this.#openRecords.length > 0) return
    this.#captures.clear()
    this.#newest.forget()
    this.#writer.reader.places.forget(Number.POSITIVE_INFINITY)
  }

  /** Gives the writer the records that are complete. */
  #write(): void {
    const complete = this.#complete
    if (complete.count === 0) return
    this.#hasWritten = true
    const around = () => this.#openRecords.flatMap(({ plan, entry }) => (plan.outer ? [entry] : []))
    // Places are known in ascending order: after an error, none is to be asked for before that of the error.
    this.#hasFailed = true
    this.#writer.write(complete, around)
    this.#hasFailed = false
    complete.clear()
  }

  /** The entries move. */
  readonly #forward = (move: (entry: number) => number): void => {
    this.#newest.forget()
    const matches = new Set([this.#main])
    for (const record of this.#openRecords) {
      record.entry = move(record.entry)
      record.outer = move(record.outer)
      matches.add(record.match)
    }
    this.#openTexts.forward(move)
    for (const group of this.#openGroups) group.entry = move(group.entry)
    for (const { entries } of matches) {
      entries.forEach((entry, i) => {
        entries[i] = move(entry)
      })
    }
  }

  /** The input of an entry is about to go: notes where it is if an error may be there. */
  readonly #note = (entry: number, isOpen: boolean): void => {
    const field = this.#fields[this.#captures.fieldOf(entry)]
    const kind = this.#captures.kindOf(entry)
    const origin = this.#captures.originOf(entry)
    const { reader } = this.#writer
    if (kind === CaptureKind.RECORD || kind === CaptureKind.PRESENT) reader.places.noteSource(origin)
    if (kind === CaptureKind.RECORD) reader.places.note(origin)
    else if (field) reader.note(field, entry, isOpen)
  }

  /** Nothing more comes: elements may have ended after the last records left. */
  finish(): void {
    if (this.#hasFailed) return
    try {
      this.#write()
    } catch (error) {
      throw error instanceof Fault ? (this.#facts as DocumentFacts).explain(error) : error
    }
  }

  #addAttribute(action: Action, subject: Subject): void {
    const { field, rank, source } = action
    const parent = this.#recordOf(action)
    if (parent === 0 || !field || !source?.attribute) return
    const captures = this.#captures
    const { start } = subject
    for (const value of subject.findAll(source.attribute)) {
      if (!this.#isWanted(field, rank, parent)) return
      const mark = markOf(field, rank, subject)
      if (mark === undefined) {
        this.#linkAbsent(field, rank, parent, start)
        continue
      }
      const entry = isPresence(field) ? captures.addPresent(start) : captures.addString(value, start)
      this.#link(field, parent, entry, mark)
    }
  }

  documentType(_type: DocumentType, start: number, end: number): void {
    // They are read with the entities that are declared there.
    if (this.#fields.some(isReadAgain)) this.#writer.reader.keepDoctype(start, end)
  }

  /** What an element is to records. */
  #act(action: Action, subject: Subject): void {
    const { field, record, takes, rank } = action
    if (takes === 'watch') {
      this.#onWatched?.(subject.start, this.#depth)
      return
    }
    if (takes === 'match') {
      this.#matches?.begin(this.#newMatch(), subject)
      return
    }
    if (!field) {
      this.#openRecord(record, subject)
      return
    }
    const parent = this.#entries[record.number] as number
    if (parent === 0) return
    if (takes === 'hole') this.#openHole(field, subject)
    else if (takes === 'member') this.#openMember(field, subject)
    else if (takes === 'rest') this.#openRest(field, parent, subject)
    else if (this.#isWanted(field, rank, parent)) this.#take(action as FieldAction, parent, subject)
  }

  /** A value of a field begins. */
  #take({ field, takes, rank }: FieldAction, parent: number, subject: Subject): void {
    const mark = markOf(field, rank, subject)
    if (mark === undefined) {
      this.#linkAbsent(field, rank, parent, subject.start)
      return
    }
    const entry = field.record ? this.#openRecord(field.record, subject) : this.#open(field, takes, subject)
    if (entry !== 0 && field.pick !== 'newest') this.#link(field, parent, entry, mark)
  }

  /** The outermost record that is open; undefined if none is. */
  get openRecord(): OutermostRecord | undefined {
    const [record, inner] = this.#openRecords
    if (!record) return undefined
    const start = this.#writer.reader.places.toSource(this.#captures.originOf(record.entry))
    const field = inner?.plan.owner ?? this.#openTexts.outermost ?? this.#openGroups[0]?.field
    const readField = (name: string) => {
      const wanted = record.plan.fields.find((one) => one.name === name)
      return wanted && this.#writer.reader.peekValue(record.entry, wanted)
    }
    return { start, field: field?.name, hasInner: inner !== undefined, readField }
  }

  /** Begins a value, and gives its entry; 0 where there is none. */
  #open(field: FieldPlan, takes: Action['takes'], subject: Subject): number {
    const captures = this.#captures
    if (isPresence(field)) return captures.addPresent(subject.start)
    if (takes === 'name') return captures.addString(subject.name.raw, subject.start)
    if (field.kind === 'attributes' || field.kind === 'children') return this.#openGroup(field, subject)
    if (field.isStandalone) return this.#openStandalone(field, subject)
    // What an entity brings does not stand in the input.
    if (field.kind === 'xml') return subject.isOfEntity ? 0 : this.#openText(field, Decode.PLAIN, subject.start)
    return this.#openText(field, Decode.CONTENT, subject.content)
  }

  #openText(field: FieldPlan, kind: number, from: number): number {
    this.#openDepth = this.#depth
    return this.#openTexts.open(this.#match, field, kind, from, this.#depth)
  }

  /** An element that is to stand alone: what is declared where it begins, and its source. */
  #openStandalone(field: FieldPlan, { start, isOfEntity }: Subject): number {
    const captures = this.#captures
    const group = captures.addLists(CaptureKind.GROUP, 1, start)
    const declarations = JSON.stringify(this.#facts?.scopes?.declarations ?? [])
    const source = this.#openText(field, isOfEntity ? CaptureKind.STRING : Decode.PLAIN, start)
    for (const entry of [captures.addString(declarations, start), source]) {
      captures.mark(entry, field.number, 0)
      captures.append(group, 0, entry)
    }
    return group
  }

  #openGroup(field: FieldPlan, subject: Subject): number {
    const captures = this.#captures
    const group = captures.addLists(CaptureKind.GROUP, 1, subject.start)
    if (field.kind === 'children') {
      const open = { field, match: this.#match, depth: this.#depth, entry: group }
      this.#openGroups.push(open)
      this.#match.groups.push(open)
      this.#openDepth = this.#depth
      return group
    }
    subject.capture(captures, (name, entry) => {
      if (captures.kindOf(entry) === Decode.VALUE) {
        this.#count(this.#match, field, captures.end(entry) - captures.from(entry), captures.end(entry))
      }
      captures.mark(entry, field.number, this.#numberOf(name))
      captures.append(group, 0, entry)
    })
    return group
  }

  /** The group of a field whose element is the parent of the innermost one. Groups are in the order of their depths. */
  #findGroupAround(field: FieldPlan): OpenGroup | undefined {
    const { groups } = this.#match
    const depth = this.#depth - 1
    for (let i = groups.length - 1; i >= 0; i--) {
      const group = groups[i] as OpenGroup
      if (group.depth < depth) return undefined
      if (group.depth === depth && group.field === field) return group
    }
    return undefined
  }

  /** A child of an element whose children are wanted. */
  #openMember(field: FieldPlan, { name, content }: Subject): void {
    const group = this.#findGroupAround(field)
    if (!group) return
    const entry = this.#openText(field, Decode.CONTENT, content)
    this.#captures.mark(entry, field.number, this.#numberOf(name.raw))
    this.#captures.append(group.entry, 0, entry)
  }

  /** A child whose text does not belong to that of its parent. */
  #openHole(field: FieldPlan, { start }: Subject): void {
    if (this.#openTexts.openHole(field, start, this.#depth)) this.#openDepth = this.#depth
  }

  /** A child that no field names. */
  #openRest(field: FieldPlan, parent: number, { start, isOfEntity }: Subject): void {
    const captures = this.#captures
    let group = captures.firstOf(parent, field.slot)
    if (group === 0) {
      group = captures.addLists(CaptureKind.GROUP, 1, start)
      this.#link(field, parent, group, 0)
    }
    // What an entity brings does not stand in the input.
    const entry = this.#openText(field, isOfEntity ? CaptureKind.STRING : Decode.PLAIN, start)
    captures.mark(entry, field.number, 0)
    captures.append(group, 0, entry)
  }

  #numberOf(name: string): number {
    let number = this.#nameNumbers.get(name)
    if (number === undefined) {
      number = this.#names.push(name) - 1
      this.#nameNumbers.set(name, number)
    }
    return number
  }

  /** Begins a record, and gives its entry. */
  #openRecord(plan: RecordPlan, { start }: Subject): number {
    const isTop = plan.owner === undefined
    const isFirst = this.#openRecords.length === 0
    // An outer one is given up for one in it.
    if (isTop && this.#isInnermost) this.#giveUp()
    if (isTop || isFirst) this.#main.covered = 0
    const entry = this.#captures.addLists(CaptureKind.RECORD, plan.fields.length, start)
    const match = this.#match
    const outer = match.entries[plan.number] as number
    const found = this.#complete.foundCount
    this.#openRecords.push({ plan, match, depth: this.#depth, entry, outer, covered: match.covered, found })
    match.entries[plan.number] = entry
    this.#openDepth = this.#depth
    return entry
  }

  /** Forgets the open record, and what is open in it. */
  #giveUp(): void {
    const isKept = (plan: RecordPlan) => plan.outer !== undefined
    const kept = this.#openRecords.filter(({ plan }) => isKept(plan))
    for (const { plan, match } of this.#openRecords) if (!isKept(plan)) match.entries[plan.number] = 0
    this.#openRecords.splice(0, this.#openRecords.length, ...kept)
    this.#openTexts.keep((field) => kept.some(({ plan }) => plan.fields.includes(field)))
    this.#openGroups.length = this.#main.groups.length = 0
  }

  /** The innermost element ends in which something is open: its content before one offset, and the element before another. */
  #close(depth: number, contentEnd: number, end: number): void {
    const texts = this.#openTexts
    texts.close(depth, contentEnd, end)
    const groups = this.#openGroups
    while (groups.at(-1)?.depth === depth) groups.pop()?.match.groups.pop()
    const records = this.#openRecords
    for (let open = records.at(-1); open && open.depth === depth; open = records.at(-1)) {
      records.pop()
      this.#closeRecord(open, end)
    }
    this.#openDepth = Math.max(texts.depth, groups.at(-1)?.depth ?? 0, records.at(-1)?.depth ?? 0)
  }

  #closeRecord({ plan, match, entry, outer, covered, found }: OpenRecord, end: number): void {
    match.entries[plan.number] = outer
    const { owner } = plan
    if (plan.outer || !owner) {
      if (!owner) this.#addOuter(plan, entry)
      if (!owner || found === this.#complete.foundCount) this.#complete.add(plan.number, entry, end)
      return
    }
    this.#captures.setSize(entry, match.covered - covered)
    if (owner.pick !== 'newest') return
    const parent = match.entries[(this.#parents[plan.number] as RecordPlan).number] as number
    const held = this.#captures.firstOf(parent, owner.slot)
    if (held !== 0 && !this.#newest.isAsNew(plan, entry, held)) {
      match.covered = covered
      return
    }
    if (held !== 0) match.covered -= this.#captures.sizeOf(held)
    this.#link(owner, parent, entry, 0)
  }

  /** Adds to a record what is known of the elements around it. */
  #addOuter({ fields }: RecordPlan, entry: number): void {
    for (const field of fields) {
      const copy = field.record?.outer ? this.#copyAround(field) : 0
      if (copy !== 0) this.#captures.replace(entry, field.slot, copy)
    }
  }

  /** Whether another value of a field is wanted. */
  #isWanted(field: FieldPlan, rank: number, parent: number): boolean {
    if (field.isList) return true
    const captures = this.#captures
    let entry = captures.firstOf(parent, field.slot)
    if (entry === 0 || field.pick !== 'first') return true
    if (field.sources.length === 1) return false
    for (; entry !== 0; entry = captures.next(entry)) if (captures.markOf(entry) >> RANK_SHIFT === rank) return false
    return true
  }

  /** The value that counts is absent. Lists have those that are there. */
  #linkAbsent(field: FieldPlan, rank: number, parent: number, start: number): void {
    if (field.isList || field.pick === 'newest') return
    this.#link(field, parent, this.#captures.addAbsent(start), rank << RANK_SHIFT)
  }

  #link(field: FieldPlan, parent: number, entry: number, mark: number): void {
    this.#captures.mark(entry, field.number, mark)
    if (field.isList || field.pick === 'first') {
      this.#captures.append(parent, field.slot, entry)
      return
    }
    this.#forget(this.#captures.firstOf(parent, field.slot))
    this.#captures.replace(parent, field.slot, entry)
  }

  /** Another value counts: what is open of one is not read any further. */
  #forget(entry: number): void {
    const captures = this.#captures
    if (entry === 0) return
    this.#openTexts.forget(entry)
    if (captures.kindOf(entry) !== CaptureKind.GROUP) return
    const group = this.#openGroups.findLast((one) => one.entry === entry)
    if (!group) return
    for (const groups of [this.#openGroups, group.match.groups]) groups.splice(groups.lastIndexOf(group), 1)
    const member = captures.lastOf(entry, 0)
    if (member !== 0) this.#openTexts.forget(member)
  }

  /** Counts what a record covers: where fields lie in others, that grows with the square of the depth. */
  #count(match: Match, field: FieldPlan, bytes: number, byteOffset: number): void {
    if (bytes > 0) match.covered += bytes
    const limit = (this.#facts as DocumentFacts).maxRetained
    if (match.covered <= limit) return
    const message = `the fields of one record, up to ${shorten(field.fullName)}, are larger than ${limit} bytes (maxRetained)`
    throw new LimitError(message, { code: 'retained-limit', byteOffset, limit })
  }
}

/** What is marked of a value of an element, if it is wanted; undefined if it is not. */
function markOf({ unless, isEmptyAbsent }: FieldPlan, rank: number, subject: Subject): number | undefined {
  if (unless && holds(unless, subject.find(unless.attribute))) return undefined
  const isAbsent =
    typeof isEmptyAbsent === 'boolean' ? isEmptyAbsent : holds(isEmptyAbsent, subject.find(isEmptyAbsent.attribute))
  return (rank << RANK_SHIFT) | (isAbsent ? ABSENT_IF_EMPTY : 0)
}
