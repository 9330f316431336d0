// Sees whether records have something that the fields of an inferred shape have no place for, while they are read. It goes over the same tags as the
// projector, before that does; only a record in which something is seen is parsed once more, to say what it is.
//
// What counts is found in the text of the record (leftover.ts). So this may stop at more than it need, but not at less. It is one walk
// with the state of that walk, and therefore longer than other files.

import type { Machine } from '../../../machine/run/machine.ts'
import { tally } from '../../../record/report.ts'
import type { Position } from '../../../text/line-counter.ts'
import { decodeUtf8 } from '../../../text/units.ts'
import type { DocumentType } from '../../doctype/document-type.ts'
import { LocatedError, type UnplacedError } from '../../errors/unplaced-error.ts'
import type { ParseElement } from '../../output/record-reader.ts'
import type { Consumer, DocumentFacts } from '../../parser/consumer.ts'
import type { Projector } from '../../projection/projector.ts'
import { NIL_CLASS } from '../../question/layout.ts'
import { SymbolClasses } from '../../question/name-classes.ts'
import { RECORD_WORDS, SYMBOL, type TapeFrame } from '../../tape/tape-frame.ts'
import type { XmlElementData } from '../../tree/element.ts'
import type { InferredRecords } from '../infer-shape.ts'
import { isPrintedAs } from '../value-kinds.ts'
import { AuditPlace } from './audit-places.ts'
import type { AuditReport } from './audit-report.ts'
import { type Left, Leftover, type Mistyped } from './leftover.ts'

/** What is to be said of a record when it is written. */
export interface Finding {
  /** Whether the element was seen beside records and is none. */
  readonly isOther?: true
  readonly left?: readonly Left[]
  readonly rest?: readonly XmlElementData[]
  readonly error?: UnplacedError
}

export interface AuditOptions {
  readonly records: InferredRecords
  /** Whether a value that is not of its kind is left out; otherwise, it is an error. */
  readonly isLenient: boolean
  readonly report: AuditReport
  readonly parse: ParseElement
  /** What an error says of a value that is not of its kind. */
  readonly explain: (mistyped: Mistyped) => string
}

const NOTHING: Finding = {}
const OTHER: Finding = { isOther: true }

/** Bytes of a value that are looked at. */
const LONGEST_CHECKED = 40
/** Bytes between tags around records that are held at once. */
const LONGEST_GAP = 64 * 1024
const NOT_BLANK = /[^ \t\r\n]/
/** Markup between tags, and what stands for something that is read by itself. */
const BETWEEN_TAGS = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|&(?!#|(?:amp|lt|gt|quot|apos);)[^;]*;/g

/** The record that is open. */
interface OpenRecord {
  readonly depth: number
  readonly place: number
  /** Undefined for one of which nothing was seen in the sample. */
  readonly at: AuditPlace | undefined
  /** Its path in the document. */
  readonly path: string
  readonly start: number
  /** Its text, if an entity brings it. */
  readonly source: string | undefined
  /** Whether something was seen in it that fields may have no place for. */
  isFlagged: boolean
  /** Where it begins, if its text has left the input. */
  position?: Position
}

/** Where it was before it has looked at some parts. */
interface Before {
  readonly depth: number
  readonly record: OpenRecord | undefined
  readonly contentFrom: number
}

export class Audit implements Consumer {
  readonly sharedText = 0
  readonly #projector: Projector
  readonly #options: AuditOptions
  #facts: DocumentFacts | undefined
  #classes: SymbolClasses | undefined
  #doctype = ''
  /** The places of the open elements, from the document on; null where nothing is looked at. After `depth` there are old ones. */
  readonly #places: (AuditPlace | null)[]
  /** The numbers of these elements. */
  readonly #numbers: number[] = [0]
  #depth = 0
  #count = 0
  #record: OpenRecord | undefined
  /** Where the content continues after the last tag. */
  #contentFrom = 0
  /** Of the open record, what has left the input. */
  #copied: Uint8Array[] = []
  #copiedTo = 0
  /** The first entry on the tape of the last record that began. */
  #begunAt = -1
  /** Whether it goes over what it has gone over before. */
  #isAgain = false
  /** Up to where it has looked around records, and the beginning of a comment or an instruction there that has not ended. */
  #outsideTo = -1
  #openMarkup = ''
  /** Whether the text after the last tag is counted: a long one comes in pieces. */
  #isTextCounted = false
  readonly #findings = new Map<number, Finding[]>()

  constructor(projector: Projector, options: AuditOptions) {
    this.#projector = projector
    this.#options = options
    const { records } = options
    this.#places = [new AuditPlace(records, records.top, undefined)]
  }

  get kernel(): Projector['kernel'] {
    return this.#projector.kernel
  }

  get dropDepth(): number | undefined {
    return this.#projector.dropDepth
  }

  get openFrom(): number | undefined {
    return this.#projector.openFrom
  }

  /** Where the input begins that is still needed; undefined when none is. */
  get retainedFrom(): number | undefined {
    const around = this.#record ? undefined : this.#around && this.#contentFrom
    const mine = this.#record && this.#record.source === undefined ? this.#copiedTo : around
    const theirs = this.#projector.retainedFrom
    return mine === undefined || theirs === undefined ? (mine ?? theirs) : Math.min(mine, theirs)
  }

  attachKernel(machine: Machine): ReturnType<Projector['attachKernel']> {
    return this.#projector.attachKernel(machine)
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#classes = new SymbolClasses(this.#options.records.names, facts)
    this.#projector.begin(facts)
  }

  documentType(type: DocumentType, start: number, end: number): void {
    const bytes = (this.#facts as DocumentFacts).machine.viewInput(start, end)
    this.#doctype = decodeUtf8(bytes, 0, bytes.length)
    this.#projector.documentType(type, start, end)
  }

  leave(): void {
    const record = this.#record
    if (record && record.source === undefined) {
      record.position ??= (this.#facts as DocumentFacts).machine.locate(record.start)
      this.#copy(this.#contentFrom)
    }
    const around = record ? undefined : this.#around
    const length = around ? this.#bytesTo(Number.MAX_SAFE_INTEGER).length : 0
    if (around && length > LONGEST_GAP && this.#lookAtGap(around)) this.#contentFrom += length
    this.#projector.leave()
  }

  finish(): void {
    this.#projector.finish()
  }

  read(frame: TapeFrame, first: number, end: number, depth: number, mayLeave: boolean): number {
    const before = { depth: this.#depth, record: this.#record, contentFrom: this.#contentFrom }
    this.#begunAt = -1
    this.#look(frame, first, end)
    const projector = this.#projector
    const left = projector.read(frame, first, end, depth, mayLeave)
    if (left < end) this.#return(frame, first, left, before)
    // What lies in an element that is dropped was looked at in part.
    this.#depth = projector.depth
    if (projector.dropDepth !== undefined && this.#record) this.#record.isFlagged = true
    return left
  }

  /** What was found in the next record that begins at an offset. */
  peek(place: number): Finding {
    // Those before it were not wanted.
    for (const known of this.#findings.keys()) {
      if (known >= place) break
      this.#findings.delete(known)
    }
    return this.#findings.get(place)?.[0] ?? NOTHING
  }

  /** The same, which is forgotten. */
  take(place: number): Finding {
    const finding = this.peek(place)
    const more = this.#findings.get(place)
    more?.shift()
    if (more?.length === 0) this.#findings.delete(place)
    return finding
  }

  /** An element is given again, with more: what was seen of it does not count. */
  #return(frame: TapeFrame, first: number, left: number, before: Before): void {
    if (left === this.#begunAt) {
      this.#record = undefined
      return
    }
    // It is no record: what lies before it is looked at again.
    this.#depth = before.depth
    this.#record = before.record
    this.#contentFrom = before.contentFrom
    this.#isAgain = true
    this.#look(frame, first, left)
    this.#isAgain = false
  }

  // One loop over numbers.
  #look(frame: TapeFrame, first: number, end: number): void {
    const { words, types, entity } = frame
    const { startTag, endTag, emptyTag, text, cdata, isPart } = types
    const classes = (this.#classes as SymbolClasses).in(frame)
    let part = first
    for (let record = first; record < end; record++) {
      const type = (words[record * RECORD_WORDS] as number) & 255
      if (type === startTag) {
        this.#enter(frame, part, record, classes.of(words[part * RECORD_WORDS + SYMBOL] as number))
        this.#contentFrom = frame.place(frame.tagEndOf(record), true)
        this.#isTextCounted = false
      } else if (type === endTag || type === emptyTag) {
        this.#exit(frame, record, type === endTag)
        this.#contentFrom = frame.place(frame.endOf(record), true)
        this.#isTextCounted = false
      } else if (isPart[type] === 0) {
        continue
      } else if (entity && (type === text || type === cdata)) {
        const place = this.#places[this.#depth]
        if (place?.isAround) this.#addText(place, frame.textOf(type === text ? record : record - 1, part))
        else if (this.#record && place && (place.hasNoText || place.isChecked)) this.#record.isFlagged = true
      }
      part = record + 1
    }
  }

  #enter(frame: TapeFrame, nameRecord: number, tag: number, number: number): void {
    const parent = this.#places[this.#depth]
    let place = parent?.child(number)
    if (this.#record) this.#enterInRecord(frame, nameRecord, tag, parent ?? undefined, place)
    else if (parent) {
      if (!place?.isRecord && (place || !parent.holdsRecords)) {
        place = this.#enterOutside(frame, nameRecord, tag, parent, place)
      } else {
        if (this.#isNew(frame, tag)) this.#lookBefore(frame, parent, tag)
        parent.recordIn = this.#numbers[this.#depth] as number
        this.#begin(frame, nameRecord, tag, place)
        if (place) this.#lookAtAttributes(frame, nameRecord, tag, place)
      }
    }
    this.#depth++
    this.#places[this.#depth] = this.#record && (!place?.form || place.form.isXml) ? null : (place ?? null)
    this.#numbers[this.#depth] = ++this.#count
  }

  /** An element begins that is not a record. Its place, if it is around records, or the value of a field of these. */
  #enterOutside(
    frame: TapeFrame,
    nameRecord: number,
    tag: number,
    parent: AuditPlace,
    place: AuditPlace | undefined,
  ): AuditPlace | undefined {
    const isNew = this.#isNew(frame, tag)
    if (isNew) this.#lookBefore(frame, parent, tag)
    if (place && parent.holdsRecords) this.#find(frame.place(frame.startOf(tag)), OTHER)
    const number = this.#numbers[this.#depth] as number
    const isOwn = parent.isGroup && parent.recordIn !== number && place?.seenIn !== number
    const { report } = this.#options
    if (place?.isAround || (place && isOwn)) {
      place.seenIn = number
      if (!isNew) return place
      for (const one of (this.#facts as DocumentFacts).attributesOf(frame, nameRecord, tag).details) {
        if (place.loses(one)) report.add({ outside: tally(`${place.path}/@${one.name}`) })
      }
      return place
    }
    if (isNew) report.add({ outside: tally(`${parent.path}/${frame.nameOf(nameRecord).raw}`) })
    return undefined
  }

  /** The element around records in which it stands. */
  get #around(): AuditPlace | undefined {
    const place = this.#places[this.#depth]
    return place?.isAround ? place : undefined
  }

  /** Whether a part around records is looked at for the first time. All that one entity brings is at one place. */
  #isNew(frame: TapeFrame, record: number): boolean {
    const place = frame.place(frame.startOf(record))
    if (this.#isAgain || place < this.#outsideTo || (place === this.#outsideTo && !frame.entity)) return false
    this.#outsideTo = place
    return true
  }

  /** Looks at what stands between the last tag and another one, around records. */
  #lookBefore(frame: TapeFrame, around: AuditPlace, tag: number): void {
    const end = frame.place(frame.startOf(tag))
    const isLooked = frame.entity || this.#openMarkup !== '' || this.#hasText(frame, end)
    if (around.isAround && isLooked) this.#lookAtGap(around, end)
    this.#openMarkup = ''
  }

  #bytesTo(end: number): Uint8Array {
    return (this.#facts as DocumentFacts).machine.viewInput(this.#contentFrom, Math.max(end, this.#contentFrom))
  }

  /** Looks at what stands after the last tag, up to the next one, or as far as it has arrived. Whether that has no tag. */
  #lookAtGap(around: AuditPlace, end = Number.MAX_SAFE_INTEGER): boolean {
    const bytes = this.#bytesTo(end)
    const gap = this.#openMarkup + decodeUtf8(bytes, 0, bytes.length)
    const text = gap.replace(BETWEEN_TAGS, (part) => {
      return part.startsWith('<![') && NOT_BLANK.test(part.slice(9, -3)) ? 'x' : ''
    })
    const open = /<(?:!--|\?|!\[CDATA\[)/.exec(text)
    const before = text.slice(0, open?.index)
    if (/<[^!?]/.test(before)) return false
    this.#openMarkup = open ? open[0] + text.slice(open.index + open[0].length).slice(-2) : ''
    this.#addText(around, open?.[0].endsWith('[') ? 'x' : before)
    return true
  }

  #addText(around: AuditPlace, text: string): void {
    if (this.#isAgain || this.#isTextCounted || !NOT_BLANK.test(text)) return
    this.#isTextCounted = true
    this.#options.report.add({ outside: tally(`${around.path}/text()`) })
  }

  #begin(frame: TapeFrame, nameRecord: number, tag: number, at: AuditPlace | undefined): void {
    const start = frame.startOf(tag)
    const source = frame.entity ? frame.sourceOf(tag) : undefined
    const place = frame.place(start)
    const path = `${this.#places[this.#depth]?.path}/${frame.nameOf(nameRecord).raw}`
    this.#record = {
      depth: this.#depth + 1,
      place,
      at,
      path,
      start,
      source,
      isFlagged: !at || frame.entity !== undefined,
    }
    this.#begunAt = nameRecord
    this.#copied = []
    this.#copiedTo = start
  }

  #enterInRecord(
    frame: TapeFrame,
    nameRecord: number,
    tag: number,
    parent: AuditPlace | undefined,
    place: AuditPlace | undefined,
  ): void {
    const record = this.#record as OpenRecord
    if (!parent || record.isFlagged) return
    const number = this.#numbers[this.#depth] as number
    const isRepeated = place?.form && !place.form.isList && place.seenIn === number
    if (!place || isRepeated || frame.entity || (parent.hasNoText && this.#hasText(frame, frame.startOf(tag)))) {
      record.isFlagged = true
      return
    }
    place.seenIn = number
    this.#lookAtAttributes(frame, nameRecord, tag, place)
  }

  #lookAtAttributes(frame: TapeFrame, nameRecord: number, tag: number, place: AuditPlace): void {
    const classes = (this.#classes as SymbolClasses).in(frame)
    const record = this.#record as OpenRecord
    if (frame.settled?.tag === tag) {
      const { names } = this.#options.records
      for (const attribute of frame.settled.attributes.details) {
        if (names.isNoValue(attribute)) continue
        const known = place.attribute(names.attributes.of({ raw: attribute.name }, attribute.namespace))
        if (known === 'unseen' || !isPrintedAs(known.kind, attribute.value)) record.isFlagged = true
      }
      return
    }
    for (let at = nameRecord + 1; at < tag && !record.isFlagged; at++) {
      if (!frame.isName(at)) continue
      const number = classes.of(frame.symbolOf(at), 1)
      at = frame.nextLiteral(at + 1)
      if ((number & NIL_CLASS) !== 0) continue
      const known = place.attribute(number)
      if (known === 'unseen') record.isFlagged = true
      else if (known.kind !== 'string' && !isWrittenAs(known.kind, frame, frame.startOf(at), frame.endOf(at))) {
        record.isFlagged = true
      }
    }
  }

  #exit(frame: TapeFrame, tag: number, isTag: boolean): void {
    const place = this.#places[this.#depth]
    const record = this.#record
    if (record && place && !record.isFlagged) {
      const end = isTag ? frame.startOf(tag) : this.#contentFrom
      if (place.hasNoText && isTag && this.#hasText(frame, end)) record.isFlagged = true
      else if (place.isChecked) {
        const kind = place.form?.text?.kind ?? 'string'
        if (frame.entity || !isTag || !isWrittenAs(kind, frame, this.#contentFrom, end)) record.isFlagged = true
      }
    }
    if (record?.depth === this.#depth) this.#end(frame, record, frame.endOf(tag))
    else if (!record && place?.isAround && isTag && this.#isNew(frame, tag)) {
      this.#lookBefore(frame, place, tag)
      const isEmpty = place.isGroup && place.recordIn !== this.#numbers[this.#depth]
      if (isEmpty) this.#options.report.add({ outside: tally(place.path) })
    }
    this.#depth--
  }

  /** Whether something other than blanks stands between the last tag and an offset. */
  #hasText(frame: TapeFrame, end: number): boolean {
    if (frame.entity) return true
    if (this.#contentFrom < frame.inputStart) return true
    for (let at = this.#contentFrom; at < end; at++) {
      const byte = frame.byteAt(at)
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d) return true
    }
    return false
  }

  #end(frame: TapeFrame, record: OpenRecord, end: number): void {
    this.#record = undefined
    if (this.#isAgain) return
    this.#options.report.add({ records: 1 })
    if (record.isFlagged) this.#find(record.place, this.#inspect(record, end), frame.entity !== undefined)
    this.#copied = []
  }

  /** Several records may begin at the place of a reference; otherwise, what is found later counts. */
  #find(place: number, finding: Finding, isOfEntity = false): void {
    if (this.#isAgain) return
    const known = isOfEntity ? this.#findings.get(place) : undefined
    if (known) known.push(finding)
    else this.#findings.set(place, [finding])
  }

  #inspect(record: OpenRecord, end: number): Finding {
    const { parse, isLenient, records } = this.#options
    const source = record.source ?? this.#sourceOf(record, end)
    const element = parse(this.#doctype + source, this.#facts as DocumentFacts)
    if (!record.at) return { left: [{ path: record.path, why: 'unseen' }], rest: [element.toJSON()] }
    const { scopes } = this.#facts as DocumentFacts
    const leftover = new Leftover(records.names, record.source !== undefined, (prefix) => scopes?.resolve(prefix))
    const rest = leftover.of(element, records.form)
    const [mistyped] = leftover.mistyped
    if (mistyped && !isLenient) return { error: this.#mistypedError(record, mistyped) }
    return rest.length > 0 ? { left: leftover.left, rest } : NOTHING
  }

  #sourceOf({ start }: OpenRecord, end: number): string {
    this.#copy(end)
    const bytes = new Uint8Array(end - start)
    let length = 0
    for (const piece of this.#copied) {
      bytes.set(piece, length)
      length += piece.length
    }
    if (length !== bytes.length) throw new Error('the text of a record was let go before it was looked at')
    return decodeUtf8(bytes, 0, length)
  }

  /** Copies the text of the open record up to an offset. */
  #copy(end: number): void {
    if (end <= this.#copiedTo) return
    const bytes = (this.#facts as DocumentFacts).machine.viewInput(this.#copiedTo, end)
    this.#copied.push(bytes.slice())
    this.#copiedTo = end
  }

  #mistypedError(record: OpenRecord, mistyped: Mistyped): UnplacedError {
    const { start } = mistyped
    const message = this.#options.explain(mistyped)
    const offset = start === undefined || record.source !== undefined ? record.place : this.#offsetOf(record, start)
    const { machine } = this.#facts as DocumentFacts
    const isThere = offset >= machine.viewWindow().start || !record.position
    const position = isThere ? machine.locate(offset) : (record.position as Position)
    return new LocatedError(message, 'invalid-value', undefined, position)
  }

  /** The offset in the document of one in the text that was parsed. */
  #offsetOf({ start }: OpenRecord, offset: number): number {
    return start + Math.max(0, offset - new TextEncoder().encode(this.#doctype).length)
  }
}

/** Whether the bytes between two offsets are a short text that a kind prints in the same way. A reference is not. */
function isWrittenAs(kind: Parameters<typeof isPrintedAs>[0], frame: TapeFrame, from: number, end: number): boolean {
  const length = end - from
  if (length > LONGEST_CHECKED || length <= 0 || from < frame.inputStart) return false
  if (kind === 'integer' && length < 16) return isWhole(frame, from, end)
  return isPrintedAs(kind, frame.text(from, end))
}

/** Whether it is a whole number of so few digits that it is a safe one. */
function isWhole(frame: TapeFrame, from: number, end: number): boolean {
  let at = from
  if (frame.byteAt(at) === 0x2d) at++
  const first = frame.byteAt(at)
  if (first === 0x30) return at + 1 === end && at === from
  if (first < 0x31 || first > 0x39) return false
  for (at++; at < end; at++) {
    const byte = frame.byteAt(at)
    if (byte < 0x30 || byte > 0x39) return false
  }
  return true
}
