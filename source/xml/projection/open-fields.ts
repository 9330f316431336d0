// What is open of records while a document is read: their elements, and the texts and groups in them; and what elements mean to them.

import { Decode } from '../../machine/program/registers.ts'
import type { Value } from '../../record/value.ts'
import { LimitError } from '../../stream/errors.ts'
import { shorten } from '../errors/unplaced-error.ts'
import type { OpenAround } from '../names/around.ts'
import type { RecordWriter } from '../output/record-writer.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { Action } from '../question/automaton.ts'
import { holds } from '../question/condition.ts'
import { type FieldPlan, isNillable, isPresence, type RecordPlan } from '../question/plan.ts'
import { ABSENT_IF_EMPTY, IS_NIL } from './capture-words.ts'
import { CaptureKind, Captures, RANK_SHIFT } from './captures.ts'
import { Newest } from './newest.ts'
import { type Match, type OpenGroup, OpenTexts } from './open-texts.ts'
import type { RecordBatch } from './record-batch.ts'
import type { Subject } from './subject.ts'

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

/** The open records of one document. Values that are complete are linked into captures, and records that are into a batch. */
export class OpenFields {
  /** The depth of the element whose tag is being read, and of the innermost one in which something is open; 0 for none. */
  depth = 0
  depthOfInnermost = 0
  /** What holds in the open elements, if a field is to stand alone. */
  around: OpenAround | undefined
  readonly captures = new Captures()
  readonly texts: OpenTexts
  /** Records that are complete, and those around none. */
  readonly complete: RecordBatch
  /** The names of values in groups. */
  readonly names: string[] = []
  readonly newest: Newest
  /** Whether records in one element around them share what the first of them has found of it; and that, of the element by its entry. */
  readonly sharesAround: boolean
  #shared: { readonly around: number; readonly copy: number } | undefined
  readonly #plan: RecordPlan
  readonly #isInnermost: boolean
  readonly #writer: RecordWriter<object>
  #facts: DocumentFacts | undefined
  readonly #records: OpenRecord[] = []
  readonly #groups: OpenGroup[] = []
  /** The match that what is around all matches belongs to, and where only one is read at a time, that one. */
  readonly #main: Match
  /** The match for which something is being done. */
  #match: Match
  /** By the numbers of plans, that of the record around. */
  readonly #parents: RecordPlan[] = []
  /** By the names of values in groups, their numbers. */
  readonly #nameNumbers = new Map<string, number>()

  /** `plan` is that of the shape; `plans` are all, by their numbers. */
  constructor(
    plan: RecordPlan,
    plans: readonly RecordPlan[],
    { isInnermost, sharesAround }: { readonly isInnermost: boolean; readonly sharesAround: boolean },
    complete: RecordBatch,
    writer: RecordWriter<object>,
  ) {
    this.#plan = plan
    this.#isInnermost = isInnermost
    this.sharesAround = sharesAround
    this.#writer = writer
    this.complete = complete
    this.newest = new Newest((record, field) => writer.reader.peekValue(record, field))
    for (const outer of plans) for (const { record } of outer.fields) if (record) this.#parents[record.number] = outer
    this.#match = this.#main = { entries: plans.map(() => 0), covered: 0, groups: [] }
    this.texts = new OpenTexts(this.captures, {
      count: (match, field, bytes, offset) => this.#count(match, field, bytes, offset),
      note: (field, entry) => writer.reader.note(field, entry, true),
    })
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    // An element may have begun after the last records left.
    const ofRecords = this.#records.length > 0 ? this.captures.addedFrom : undefined
    const least = Math.min(ofRecords ?? Number.POSITIVE_INFINITY, this.texts.retainedFrom)
    return least === Number.POSITIVE_INFINITY ? undefined : least
  }

  /** The outermost open record: its plan and entry; undefined if none is. */
  get first(): OpenRecord | undefined {
    return this.#records[0]
  }

  /** Whether an element is in a record of the shape. */
  get isInRecord(): boolean {
    return this.#match.entries[this.#plan.number] !== 0
  }

  /** The outermost record that is open; undefined if none is. */
  get outermost(): OutermostRecord | undefined {
    const [record, inner] = this.#records
    if (!record) return undefined
    const start = this.#writer.reader.places.toSource(this.captures.originOf(record.entry))
    const field = inner?.plan.owner ?? this.texts.outermost ?? this.#groups[0]?.field
    const readField = (name: string) => {
      const wanted = record.plan.fields.find((one) => one.name === name)
      return wanted && this.#writer.reader.peekValue(record.entry, wanted)
    }
    return { start, field: field?.name, hasInner: inner !== undefined, readField }
  }

  /** A match that begins: nothing is open in it. */
  newMatch(): Match {
    return { entries: this.#main.entries.map(() => 0), covered: 0, groups: [] }
  }

  /** The next actions are for this match. */
  turnTo(match: Match = this.#main): void {
    this.#match = match
  }

  /** What an element is to records. */
  act(action: Action, subject: Subject): void {
    const { field, record, takes, rank } = action
    if (!field) {
      this.#openRecord(record, subject)
      return
    }
    const parent = this.#match.entries[record.number] as number
    if (parent === 0) return
    if (takes === 'hole') this.#openHole(field, subject)
    else if (takes === 'member') this.#openMember(field, subject)
    else if (takes === 'rest') {
      // What an entity brings does not stand in the input, so a field with all of that lacks it.
      if (subject.isOfEntity || !record.fields.some(takesAll)) this.#openRest(field, parent, subject)
    } else {
      this.#take(field, rank, parent, subject, subject.start, () => {
        return field.record ? this.#openRecord(field.record, subject) : this.#open(field, takes, subject)
      })
    }
  }

  /** A value of a field comes, which `begin` gives the entry of, if it is wanted; 0 for none. */
  #take(field: FieldPlan, rank: number, parent: number, subject: Subject, start: number, begin: () => number): void {
    if (!this.#isWanted(field, rank, parent)) return
    const mark = markOf(field, rank, subject)
    // A null record is not the newest one.
    if (mark === undefined || (field.pick === 'newest' && (mark & IS_NIL) !== 0)) {
      this.#linkAbsent(field, rank, parent, start)
      return
    }
    const entry = begin()
    if (entry !== 0 && field.pick !== 'newest') this.#link(field, parent, entry, mark)
  }

  /** Begins a value, and gives its entry; 0 where there is none. */
  #open(field: FieldPlan, takes: Action['takes'], subject: Subject): number {
    const captures = this.captures
    if (isPresence(field)) return captures.addPresent(subject.start)
    if (takes === 'name') return captures.addString(subject.name.raw, subject.start)
    if (field.kind === 'attributes' || field.kind === 'children') return this.#openGroup(field, subject)
    if (field.isStandalone) return this.#openStandalone(field, subject)
    if (field.kind === 'object') return this.#openSource(field, subject)
    // What an entity brings does not stand in the input.
    if (field.kind === 'xml') return subject.isOfEntity ? 0 : this.#openText(field, Decode.PLAIN, subject.start)
    return this.#openText(field, Decode.CONTENT, subject.content)
  }

  #openText(field: FieldPlan, kind: number, from: number): number {
    this.depthOfInnermost = this.depth
    return this.texts.open(this.#match, field, kind, from, this.depth)
  }

  /** The element as it stands in the input, or in the text of an entity. */
  #openSource(field: FieldPlan, subject: Subject): number {
    if (!subject.isOfEntity) return this.#openText(field, Decode.PLAIN, subject.start)
    const { source, content } = subject
    this.#count(this.#match, field, source.length, content)
    return this.captures.addString(source, subject.start)
  }

  /** An element that is to stand alone: what holds where it begins, and its source. */
  #openStandalone(field: FieldPlan, subject: Subject): number {
    const captures = this.captures
    const { start } = subject
    const group = captures.addLists(CaptureKind.GROUP, 1, start)
    const around = JSON.stringify(this.around?.of(subject) ?? [])
    const source = this.#openSource(field, subject)
    for (const entry of [captures.addString(around, start), source]) {
      captures.mark(entry, field.number, 0)
      captures.append(group, 0, entry)
    }
    return group
  }

  #openGroup(field: FieldPlan, subject: Subject): number {
    const captures = this.captures
    const group = captures.addLists(CaptureKind.GROUP, 1, subject.start)
    if (field.kind === 'children') {
      const open = { field, match: this.#match, depth: this.depth, entry: group }
      this.#groups.push(open)
      this.#match.groups.push(open)
      this.depthOfInnermost = this.depth
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
    const depth = this.depth - 1
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
    this.captures.mark(entry, field.number, this.#numberOf(name.raw))
    this.captures.append(group.entry, 0, entry)
  }

  /** A child whose text does not belong to that of its parent. */
  #openHole(field: FieldPlan, { start }: Subject): void {
    if (this.texts.openHole(field, start, this.depth)) this.depthOfInnermost = this.depth
  }

  /** A child that no field names. */
  #openRest(field: FieldPlan, parent: number, subject: Subject): void {
    const captures = this.captures
    let group = captures.firstOf(parent, field.slot)
    if (group === 0) {
      group = captures.addLists(CaptureKind.GROUP, 1, subject.start)
      this.#link(field, parent, group, 0)
    }
    const entry = this.#openSource(field, subject)
    captures.mark(entry, field.number, 0)
    captures.append(group, 0, entry)
  }

  #numberOf(name: string): number {
    let number = this.#nameNumbers.get(name)
    if (number === undefined) {
      number = this.names.push(name) - 1
      this.#nameNumbers.set(name, number)
    }
    return number
  }

  addAttribute(action: Action, subject: Subject): void {
    const { field, rank, source } = action
    const parent = this.#recordOf(action)
    if (parent === 0 || !field || !source?.attribute) return
    const { start } = subject
    for (const value of subject.findAll(source.attribute)) {
      this.#take(field, rank, parent, subject, start, () => {
        return isPresence(field) ? this.captures.addPresent(start) : this.captures.addString(value, start)
      })
    }
  }

  /** An attribute begins and ends at offsets of the input: an action may want its value. */
  addWritten(action: Action, subject: Subject, from: number, end: number): void {
    const { field, rank } = action as FieldAction
    const parent = this.#recordOf(action)
    if (parent === 0) return
    this.#take(field, rank, parent, subject, from, () => {
      if (isPresence(field)) return this.captures.addPresent(from)
      this.#count(this.#match, field, end - from, end)
      return this.captures.addText(Decode.VALUE, from, end)
    })
  }

  /** The entry of the open record that an attribute is about; 0 for none. */
  #recordOf({ record, isOfEnclosing }: Action): number {
    if (!isOfEnclosing) return this.#match.entries[record.number] as number
    return this.#records.findLast(({ plan }) => plan === record)?.outer ?? 0
  }

  /** Begins a record, and gives its entry. */
  #openRecord(plan: RecordPlan, { start }: Subject): number {
    const isTop = plan.owner === undefined
    const isFirst = this.#records.length === 0
    // An outer one is given up for one in it.
    if (isTop && this.#isInnermost) this.#giveUp()
    if (isTop || isFirst) this.#main.covered = 0
    const entry = this.captures.addLists(CaptureKind.RECORD, plan.fields.length, start)
    const match = this.#match
    const outer = match.entries[plan.number] as number
    const found = this.complete.foundCount
    this.#records.push({ plan, match, depth: this.depth, entry, outer, covered: match.covered, found })
    match.entries[plan.number] = entry
    this.depthOfInnermost = this.depth
    return entry
  }

  /** Forgets the open record, and what is open in it. */
  #giveUp(): void {
    const isKept = (plan: RecordPlan) => plan.outer !== undefined
    const kept = this.#records.filter(({ plan }) => isKept(plan))
    for (const { plan, match } of this.#records) if (!isKept(plan)) match.entries[plan.number] = 0
    this.#records.splice(0, this.#records.length, ...kept)
    this.texts.keep((field) => kept.some(({ plan }) => plan.fields.includes(field)))
    this.#groups.length = this.#main.groups.length = 0
  }

  /** Marks the open record of the shape. */
  markRecord(mark: number): void {
    this.captures.setMark(this.#match.entries[this.#plan.number] as number, mark)
  }

  /** The innermost element ends in which something is open: its content before one offset, and the element before another. */
  close(depth: number, contentEnd: number, end: number): void {
    const texts = this.texts
    texts.close(depth, contentEnd, end)
    const groups = this.#groups
    while (groups.at(-1)?.depth === depth) groups.pop()?.match.groups.pop()
    const records = this.#records
    for (let open = records.at(-1); open && open.depth === depth; open = records.at(-1)) {
      records.pop()
      this.#closeRecord(open, end)
    }
    this.depthOfInnermost = Math.max(texts.depth, groups.at(-1)?.depth ?? 0, records.at(-1)?.depth ?? 0)
  }

  #closeRecord({ plan, match, entry, outer, covered, found }: OpenRecord, end: number): void {
    match.entries[plan.number] = outer
    const { owner } = plan
    if (plan.outer) this.#shared = undefined
    if (plan.outer || !owner) {
      if (!owner) this.#addOuter(plan, entry)
      if (!owner || found === this.complete.foundCount) this.complete.add(plan.number, entry, end)
      return
    }
    this.captures.setSize(entry, match.covered - covered)
    if (owner.pick !== 'newest') return
    const parent = match.entries[(this.#parents[plan.number] as RecordPlan).number] as number
    const held = this.captures.firstOf(parent, owner.slot)
    if (held !== 0 && !this.newest.isAsNew(plan, entry, held)) {
      match.covered = covered
      return
    }
    if (held !== 0) match.covered -= this.captures.sizeOf(held)
    this.#link(owner, parent, entry, 0)
  }

  /** Adds to a record what is known of the elements around it. */
  #addOuter({ fields }: RecordPlan, entry: number): void {
    for (const field of fields) {
      const copy = field.record?.outer ? this.copyAround(field) : 0
      if (copy !== 0) this.captures.replace(entry, field.slot, copy)
    }
  }

  /** What is known now of the element around that is the value of a field; 0 for nothing. */
  copyAround(field: FieldPlan): number {
    const around = this.#main.entries[(field.record as RecordPlan).number] as number
    if (around === 0) return 0
    if (this.#shared?.around === around) return this.#shared.copy
    const copy = this.captures.copyRecord(around)
    this.captures.mark(copy, field.number, 0)
    if (this.sharesAround) this.#shared = { around, copy }
    return copy
  }

  /** Whether the field of an action, which begins a value, needs no other value in a match. */
  isSettled({ field, record, rank }: Action, { entries }: Match): boolean {
    return !this.#isWanted(field as FieldPlan, rank, entries[record.number] as number)
  }

  /** Whether another value of a field is wanted. */
  #isWanted(field: FieldPlan, rank: number, parent: number): boolean {
    if (field.isList) return true
    const captures = this.captures
    let entry = captures.firstOf(parent, field.slot)
    if (entry === 0 || field.pick !== 'first') return true
    if (field.sources.length === 1) return false
    for (; entry !== 0; entry = captures.next(entry)) if (captures.markOf(entry) >> RANK_SHIFT === rank) return false
    return true
  }

  /** The value that counts is absent. Lists have those that are there. */
  #linkAbsent(field: FieldPlan, rank: number, parent: number, start: number): void {
    if (field.isList || field.pick === 'newest') return
    this.#link(field, parent, this.captures.addAbsent(start), rank << RANK_SHIFT)
  }

  #link(field: FieldPlan, parent: number, entry: number, mark: number): void {
    this.captures.mark(entry, field.number, mark)
    if (field.isList || field.pick === 'first') {
      this.captures.append(parent, field.slot, entry)
      return
    }
    this.#forget(this.captures.firstOf(parent, field.slot))
    this.captures.replace(parent, field.slot, entry)
  }

  /** Another value counts: what is open of one is not read any further. */
  #forget(entry: number): void {
    const captures = this.captures
    if (entry === 0) return
    this.texts.forget(entry)
    if (captures.kindOf(entry) !== CaptureKind.GROUP) return
    const group = this.#groups.findLast((one) => one.entry === entry)
    if (!group) return
    for (const groups of [this.#groups, group.match.groups]) groups.splice(groups.lastIndexOf(group), 1)
    const member = captures.lastOf(entry, 0)
    if (member !== 0) this.texts.forget(member)
  }

  /** Counts what a record covers: where fields lie in others, that grows with the square of the depth. */
  #count(match: Match, field: FieldPlan, bytes: number, byteOffset: number): void {
    if (bytes > 0) match.covered += bytes
    const limit = (this.#facts as DocumentFacts).maxRetained
    if (match.covered <= limit) return
    const message = `the fields of one record, up to ${shorten(field.fullName)}, are larger than ${limit} bytes (maxRetained)`
    throw new LimitError(message, { code: 'retained-limit', byteOffset, limit })
  }

  /** The entries move. */
  forward(move: (entry: number) => number): void {
    this.newest.forget()
    if (this.#shared) this.#shared = { around: move(this.#shared.around), copy: move(this.#shared.copy) }
    const matches = new Set([this.#main])
    for (const record of this.#records) {
      record.entry = move(record.entry)
      record.outer = move(record.outer)
      matches.add(record.match)
    }
    this.texts.forward(move)
    for (const group of this.#groups) group.entry = move(group.entry)
    for (const { entries } of matches) {
      entries.forEach((entry, i) => {
        entries[i] = move(entry)
      })
    }
  }
}

/** What is marked of a value of an element, if it is wanted; undefined if it is not. */
function markOf(field: FieldPlan, rank: number, subject: Subject): number | undefined {
  const { unless, isEmptyAbsent, sources } = field
  if (unless && holds(unless, subject.find(unless.attribute))) return undefined
  const isAbsent =
    typeof isEmptyAbsent === 'boolean' ? isEmptyAbsent : holds(isEmptyAbsent, subject.find(isEmptyAbsent.attribute))
  const isNull = sources[rank]?.takes === 'content' && isNillable(field) && subject.isNil
  return (rank << RANK_SHIFT) | (isAbsent ? ABSENT_IF_EMPTY : 0) | (isNull ? IS_NIL : 0)
}

/** Whether a field has the complete element of its record. */
function takesAll({ kind, unless, isHidden, sources: [first] }: FieldPlan): boolean {
  return (kind === 'xml' || kind === 'object') && !unless && !isHidden && first?.path === undefined
}
