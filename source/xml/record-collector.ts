// Records: of the elements that paths mean, the fields that somebody wants, and nothing else.
//
// The document is read as it is for a check: nothing is recorded but tags. The text of a field is what lies between its tags, and is decoded
// from the input when the end tag has come, markup and all. So what is in no field costs little more than a check, and no more is held of the
// input than a field that is open.

import { Decode } from '../machine/registers.ts'
import { LimitError } from '../stream/errors.ts'
import { limitLength } from '../text/length-limit.ts'
import { concatText } from '../text/units.ts'
import type { XmlAttributes } from './attributes.ts'
import { decodePlainly, type TextKind } from './character-data.ts'
import { shorten } from './fault.ts'
import { type Field, type FieldValues, putValue } from './field.ts'
import { matchesName, type NamePattern } from './name-pattern.ts'
import type { Name } from './names.ts'
import { OpenFields } from './open-fields.ts'
import type { Candidate, Path } from './path.ts'
import { PathSet } from './path-set.ts'
import { PathTable, StateFlag } from './path-table.ts'
import { PendingValues } from './pending-values.ts'
import { PARTNER } from './recorded-content.ts'
import type { DocumentFacts, Sink } from './sink.ts'
import { RECORD_WORDS, SYMBOL, type TapeFrame } from './tape-frame.ts'

/** Bytes up to which values share a string with others: one that is kept keeps that. */
const SHORT = 256
/** Bytes of such values that share one at the most. */
const LARGEST_SHARE = 16 * 1024

/** Which records are made. */
export interface RecordCollectorOptions {
  /** Of the elements that they are made of. */
  readonly paths: readonly Path[]
  readonly fields: readonly Field[]
  /** Of matches in matches. */
  readonly nested: 'outermost' | 'innermost'
}

/** Makes the records of a document that is read by a program for checks. */
export class RecordCollector implements Sink {
  readonly wantsText = false
  readonly textRoom = Number.POSITIVE_INFINITY
  readonly maySkip = true
  readonly #canTake: boolean
  readonly #elements: PathSet
  readonly #paths: PathSet
  readonly #elementTable: PathTable
  readonly #pathTable: PathTable
  /** By the numbers of the paths: what is wanted of an element that they mean; and of that of the record. */
  readonly #fields: readonly Field[]
  readonly #ownFields: readonly Field[]
  readonly #isInnermost: boolean
  readonly #hasAttributes: boolean
  /** A record without values. */
  readonly #empty: FieldValues
  readonly #lists: readonly Field[]
  #facts: DocumentFacts | undefined
  /**
   * What is wanted in the elements that are open, in the document first; in a record it is what is wanted for that. After `depth` there
   * are old ones: arrays that are cut grow again and again.
   */
  readonly #states: number[]
  #depth = 0
  /** The depth of the open element that the record is made of; 0 where none is open. */
  #recordDepth = 0
  /** Where inner records are wanted: what is wanted in the elements that are open, for more records. */
  readonly #outerStates: number[]
  /** The depth of an element in which nothing is wanted but its text, and whose end was not there when its start was taken; 0 for none. */
  #skipDepth = 0
  #values: FieldValues = {}
  /** Bytes of input that they cover, so far, and units that entities bring: fields in others cover the same again. */
  #covered = 0
  /** How many records were begun; and by the numbers of fields, in which of them each had its first value last. */
  #recordCount = 0
  readonly #begunIn: number[]
  readonly #open = new OpenFields()
  readonly #pending = new PendingValues()
  #records: FieldValues[] = []

  constructor({ paths, fields, nested }: RecordCollectorOptions) {
    this.#elements = new PathSet(paths)
    this.#fields = fields.filter(({ path }) => path !== undefined)
    // A path of any number of elements matches that of the record too.
    this.#ownFields = fields.filter(({ path }) => path === undefined || path.isMatch(path.start))
    this.#paths = new PathSet(this.#fields.map(({ path }) => path as Path))
    this.#elementTable = new PathTable(this.#elements)
    this.#pathTable = new PathTable(this.#paths)
    this.#isInnermost = nested === 'innermost'
    this.#hasAttributes = fields.some(({ tells }) => tells === 'attribute')
    this.#begunIn = new Array<number>(fields.length).fill(0)
    this.#lists = fields.filter(({ isList }) => isList)
    this.#empty = Object.fromEntries(fields.map(({ name }) => [name, undefined]))
    this.#states = [this.#elements.start]
    this.#outerStates = [this.#elements.start]
    const hasPredicates = this.#elements.hasPredicates || this.#paths.hasPredicates
    this.#canTake = !hasPredicates && !this.#isInnermost
  }

  get takesRecords(): boolean {
    return this.#canTake && this.#skipDepth === 0
  }

  get skips(): boolean {
    return this.#skipDepth > 0
  }

  get skipsAhead(): boolean {
    return this.#skipDepth > 0
  }

  get takenDepth(): number | undefined {
    return this.#skipDepth > 0 ? this.#skipDepth : undefined
  }

  /** Of text there is only that of entities: it stands where the reference to them does. */
  get wantsContent(): boolean {
    return this.#open.count > 0
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    return this.#open.from
  }

  /** The records that are complete; none: an empty array. */
  take(): FieldValues[] {
    this.#decodePending()
    const records = this.#records
    if (records.length > 0) this.#records = []
    return records
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    facts.prepareDecoding()
  }

  // Nearly all tags are seen here: one loop over numbers, which leaves what is rare to others.
  takeRecords(frame: TapeFrame, first: number, end: number): number {
    const { words, types, count } = frame
    const { startTag, endTag, emptyTag, isPart } = types
    const { names, linkTags } = this.#facts as DocumentFacts
    linkTags(first, end)
    const states = this.#states
    const open = this.#open
    let depth = this.#depth
    let recordDepth = this.#recordDepth
    let table = recordDepth > 0 ? this.#pathTable : this.#elementTable
    let { next, width, flags } = table
    let part = first
    for (let record = first; record < end; record++) {
      const at = record * RECORD_WORDS
      const type = words[at] as number
      if (type === startTag) {
        // Of the last one it is not known whether it is empty.
        if (record + 1 === count) break
        const symbol = words[part * RECORD_WORDS + SYMBOL] as number
        // States of elements that were reported need not be in the table.
        let state = symbol < width ? (next[(states[depth] as number) * width + symbol] ?? -1) : -1
        if (state === -1) {
          state = table.enter(states[depth] as number, symbol, names)
          ;({ next, width, flags } = table)
        }
        const flag = flags[state] as number
        const partner = words[at + PARTNER] as number
        if (flag === StateFlag.DEAD && partner > 0) {
          // Nothing of the element is wanted.
          record += partner
          part = record + 1
          continue
        }
        states[++depth] = state
        if ((flag & StateFlag.MATCH) !== 0) {
          this.#depth = depth
          this.#takeTag(frame, part, record)
          if (recordDepth === 0) {
            recordDepth = depth
            table = this.#pathTable
            ;({ next, width, flags } = table)
          }
        }
        if (partner === 0 && (recordDepth > 0 ? this.#paths : this.#elements).isDead(states[depth] as number)) {
          // It continues after the available input: all of that is in it.
          this.#depth = depth
          this.#skipDepth = depth
          return end
        }
      } else if (type === endTag || type === emptyTag) {
        if (open.depth === depth) this.#closeTexts(type === endTag ? frame.startOf(record) : frame.endOf(record))
        if (depth === recordDepth) {
          this.#endRecord()
          recordDepth = 0
          table = this.#elementTable
          ;({ next, width, flags } = table)
        }
        depth--
      } else if (isPart[type] === 0) {
        continue
      }
      part = record + 1
    }
    this.#depth = depth
    return part
  }

  /** Something is wanted of an element whose start tag is among the records: where its name stands, and the tag. */
  #takeTag(frame: TapeFrame, nameRecord: number, tag: number): void {
    // The recorded tag is followed by `>` or `/>`.
    const content = frame.endOf(tag) + (frame.typeOf(tag + 1) === frame.types.emptyTag ? 2 : 1)
    if (this.#recordDepth > 0) {
      for (const i of this.#paths.matches(this.#states[this.#depth] as number)) {
        this.#take(this.#fields[i] as Field, frame, nameRecord, tag, content)
      }
    } else {
      this.#beginRecord()
      for (const field of this.#ownFields) this.#take(field, frame, nameRecord, tag, content)
    }
  }

  /** The records that are there, and their input, are about to go. */
  leave(): void {
    this.#decodePending()
  }

  wantsTag(): boolean {
    return this.#hasAttributes || this.#elements.hasPredicates || this.#paths.hasPredicates
  }

  canPass(): boolean {
    return true
  }

  skipped(): void {}
  reclaim(): undefined {}
  declaration(): void {}
  documentType(): void {}
  beginCdata(): void {}
  comment(): void {}
  instruction(): void {}
  finish(): void {}

  startElement(
    name: Name,
    namespace: string | undefined,
    attributes: XmlAttributes,
    _start: number,
    end: number,
  ): void {
    const candidate = { name, namespace, attributes }
    const parent = this.#states[this.#depth] as number
    const isInRecord = this.#recordDepth > 0
    const outer = this.#isInnermost ? (this.#outerStates[this.#depth] as number) : parent
    const depth = ++this.#depth
    let isRecord = false
    if (!isInRecord || this.#isInnermost) {
      const state = this.#elements.enter(outer, candidate)
      this.#states[depth] = state
      this.#outerStates[depth] = state
      isRecord = this.#elements.isMatch(state)
    }
    if (isRecord) {
      this.#beginRecord()
      for (const field of this.#ownFields) this.#tell(field, candidate, end)
    } else if (isInRecord) {
      const state = this.#paths.enter(parent, candidate)
      this.#states[depth] = state
      for (const i of this.#paths.matches(state)) this.#tell(this.#fields[i] as Field, candidate, end)
    }
  }

  endElement(start: number): void {
    const depth = this.#depth
    if (this.#skipDepth === depth) this.#skipDepth = 0
    if (this.#open.depth === depth) this.#closeTexts(start)
    if (this.#recordDepth === depth) this.#endRecord()
    // Of an outer element that was given up, what is wanted in it is wanted for more records.
    else if (this.#recordDepth === 0 && this.#isInnermost)
      this.#states[depth - 1] = this.#outerStates[depth - 1] as number
    this.#depth--
  }

  text(text: string, _isCdata: boolean, start: number, end: number): void {
    const { field } = this.#open.innermost
    this.#count(field, this.#open.count * text.length, end)
    this.#open.addText(text, end, (from, before) => {
      this.#count(field, start - from, start)
      return this.#decode(field, from, start, Decode.CONTENT, before)
    })
  }

  #beginRecord(): void {
    // An outer one is given up for one in it.
    this.#open.clear()
    const values = { ...this.#empty }
    for (let i = 0; i < this.#lists.length; i++) values[(this.#lists[i] as Field).name] = []
    this.#values = values
    this.#covered = 0
    this.#recordCount++
    this.#recordDepth = this.#depth
    this.#states[this.#depth] = this.#paths.start
  }

  #endRecord(): void {
    this.#records.push(this.#values)
    this.#recordDepth = 0
  }

  /** Takes the value of a field from the records of a tag: where its name stands, and the tag. */
  #take(field: Field, frame: TapeFrame, nameRecord: number, tag: number, content: number): void {
    if (field.tells === 'text') {
      if (this.#begins(field)) this.#open.add(field, this.#slotOf(field), this.#depth, content)
    } else if (field.tells === 'name') {
      if (this.#begins(field))
        putValue(this.#values, field, this.#slotOf(field), frame.names.get(frame.symbolOf(nameRecord)).raw)
    } else {
      const literal = this.#findAttribute(frame, nameRecord + 1, tag, field.attribute as NamePattern)
      if (literal === -1 || !this.#begins(field)) return
      this.#add(field, this.#slotOf(field), frame.startOf(literal), frame.endOf(literal), Decode.VALUE)
    }
  }

  /** The same for an element that is reported. */
  #tell(field: Field, { name, attributes }: Candidate, content: number): void {
    if (field.tells === 'text') {
      if (this.#begins(field)) this.#open.add(field, this.#slotOf(field), this.#depth, content)
      return
    }
    const value = field.tells === 'name' ? name.raw : attributes.find(field.attribute as NamePattern)
    if (value !== undefined && this.#begins(field)) putValue(this.#values, field, this.#slotOf(field), value)
  }

  /** Whether a value is wanted: it is the first, or all are. */
  #begins({ isList, number }: Field): boolean {
    if (isList) return true
    if (this.#begunIn[number] === this.#recordCount) return false
    this.#begunIn[number] = this.#recordCount
    return true
  }

  /** Where the next value of a field stands among several: they are in the order in which they begin. */
  #slotOf({ isList, name }: Field): number {
    return isList ? (this.#values[name] as string[]).push('') - 1 : 0
  }

  /** The innermost element ends in which fields are open. */
  #closeTexts(end: number): void {
    const open = this.#open
    for (const depth = open.depth; open.depth === depth; ) {
      const closed = open.pop()
      const { field, slot, from, text } = closed
      closed.text = undefined
      if (text === undefined) this.#add(field, slot, from, end, Decode.CONTENT)
      else {
        this.#count(field, end - from, end)
        putValue(this.#values, field, slot, this.#decode(field, from, end, Decode.CONTENT, text))
      }
    }
  }

  /** Counts what a field covers: where some lie in others, that grows with the square of the depth. */
  #count(field: Field, bytes: number, byteOffset: number): void {
    if (bytes > 0) this.#covered += bytes
    const limit = (this.#facts as DocumentFacts).maxRetained
    if (this.#covered <= limit) return
    const message = `the fields of one record, up to ${shorten(field.name)}, are larger than ${limit} bytes (maxRetained)`
    throw new LimitError(message, { code: 'retained-limit', byteOffset, limit })
  }

  /** A value lies between two offsets. */
  #add(field: Field, slot: number, from: number, end: number, kind: TextKind): void {
    this.#count(field, end - from, end)
    if (end - from > SHORT) putValue(this.#values, field, slot, this.#decode(field, from, end, kind))
    else if (end <= from) putValue(this.#values, field, slot, '')
    else {
      this.#pending.add(this.#values, field, slot, from, end, kind)
      if (this.#pending.bytes > LARGEST_SHARE) this.#decodePending()
    }
  }

  /** What lies between two offsets, after a text that comes before it. */
  #decode(field: Field, from: number, end: number, kind: TextKind, before = ''): string {
    if (from >= end) return before
    const { normalizesLineEnds, decode, viewInput } = this.#facts as DocumentFacts
    try {
      const text = normalizesLineEnds ? decode([from, end, kind], 3) : undefined
      return concatText(before, text ?? decodePlainly(viewInput(from, end), kind, normalizesLineEnds))
    } catch (error) {
      throw limitLength(error, `the field ${shorten(field.name)}`, from)
    }
  }

  #decodePending(): void {
    const pending = this.#pending
    if (pending.count === 0) return
    const { normalizesLineEnds, decode } = this.#facts as DocumentFacts
    const text = normalizesLineEnds ? decode(pending.ranges, 3 * pending.count, pending.ends) : undefined
    if (text !== undefined) pending.settle(text)
    else pending.settleEach((field, from, end, kind) => this.#decode(field, from, end, kind))
  }

  /** The record of the value of an attribute among those of a tag; -1 where it has none of the name. */
  #findAttribute(frame: TapeFrame, first: number, end: number, test: NamePattern): number {
    const { scopes } = this.#facts as DocumentFacts
    for (let record = first; record < end; record++) {
      if (!frame.isName(record)) continue
      const name = frame.names.get(frame.symbolOf(record))
      const namespace = name.prefix === '' ? undefined : scopes?.resolve(name.prefix)
      if (matchesName(test, name, namespace)) return frame.nextLiteral(record + 1)
    }
    return -1
  }
}
