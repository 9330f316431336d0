// Finds what records of an inferred shape have that no field has a place for, and what stands around records. While a document is read, states say what
// elements may have (audited-records.ts). Only a record that may have more is parsed once more, to say what that is (leftover.ts). So this, and its twin in the
// kernel (`isUnexpected`), may mark more records than need be, but not fewer.

import type { FormatRecord } from '../../../record/format/format.ts'
import { countNames, Report, sum, type Tally, tally } from '../../../record/report.ts'
import { decodeUtf8 } from '../../../text/units.ts'
import { LocatedError } from '../../errors/unplaced-error.ts'
import { matchesName } from '../../names/name-pattern.ts'
import { makeName } from '../../names/names.ts'
import { XMLNS_NAMESPACE } from '../../names/namespaces.ts'
import type { ParseElement } from '../../output/record-reader.ts'
import type { RecordView } from '../../output/record-view.ts'
import type { DocumentFacts } from '../../parser/consumer.ts'
import { HAS_MORE } from '../../projection/capture-words.ts'
import type { State } from '../../question/automaton.ts'
import { Expected } from '../../question/layout.ts'
import type { ValueKind } from '../../question/shape.ts'
import type { RecordAudit } from '../../readings/record-question.ts'
import { PARTNER, RECORD_WORDS, type TapeFrame } from '../../tape/tape-frame.ts'
import type { XmlElementData } from '../../tree/element.ts'
import type { InferredRecords } from '../infer-shape.ts'
import { REST } from '../inferred-fields.ts'
import type { PathNode } from '../path-node.ts'
import type { ElementForm } from '../record-form.ts'
import { isPrintedAs } from '../value-kinds.ts'
import { type Left, Leftover, type Mistyped } from './leftover.ts'

/** Different paths that are counted. */
const MOST_PATHS = 1000

export interface AuditCounts {
  /** Grows if there are records: the kernel takes several at once. */
  readonly records: number
  /** What is left in records: why and where, with a space between them, and in how many records. */
  readonly left: Tally
  /** What is in no record, by its path. */
  readonly outside: Tally
}

/** What audits have found in all documents: counts by paths. */
export class AuditReport extends Report<never, AuditCounts> {
  constructor() {
    super([sum('records'), countNames('left', MOST_PATHS), countNames('outside', MOST_PATHS)])
  }
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

/** In the mark of a record: it is an element beside records that is none; the sample has no record of its name; and above that, the number of its source, if an entity brings it. */
const IS_OTHER = 2
const IS_UNSEEN = 4
const SOURCE_NUMBER = 8

/** Bytes between tags around records that are held at once. */
const LONGEST_GAP = 64 * 1024
const LESS_THAN = 0x3c
const EXCLAMATION = 0x21
const QUESTION = 0x3f
const NOT_BLANK = /[^ \t\r\n]/
/** Markup between tags, and what stands for something that is read by itself. */
const BETWEEN_TAGS = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|&(?!#|(?:amp|lt|gt|quot|apos);)[^;]*;/g

/** An open element. */
interface Level {
  /** Of one around records, or whose value is a field of these: its place in the sample. */
  readonly node?: PathNode | undefined
  readonly expected: number
  /** Whether a record began in it, and what else. */
  hasRecord?: boolean
  readonly seen: Set<State | PathNode>
  /** Of a record, or an element beside records that is none. */
  mark?: number
}

export class Audit implements RecordAudit {
  readonly #options: AuditOptions
  readonly #hasDates: boolean
  #facts: DocumentFacts | undefined
  #doctype = ''
  /** The document, and the open elements by their depths; after these there are old ones. */
  readonly #levels: Level[]
  /** The record that is open, and where it begins. */
  #record: Level | undefined
  #start = 0
  /** Where the content continues after the last tag. */
  #textFrom = 0
  /** Around records: the beginning of a comment or an instruction that has not ended, and whether the text after the last tag is counted. */
  #openMarkup = ''
  #isTextCounted = false
  #around = false
  /** The sources of records that entities bring, by their numbers. */
  readonly #sources = new Map<number, string>()
  #sourceCount = 0

  constructor(options: AuditOptions) {
    this.#options = options
    this.#hasDates = hasDates(options.records.form)
    this.#levels = [{ node: options.records.top, expected: 0, seen: new Set() }]
  }

  get retainedFrom(): number | undefined {
    if (this.#record) return this.#start
    return this.#around ? this.#textFrom : undefined
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
  }

  documentType(start: number, end: number): void {
    this.#doctype = this.#read(start, end)
  }

  enter(frame: TapeFrame, nameRecord: number, tag: number, state: State, depth: number): void {
    const parent = this.#levels[depth - 1] as Level
    const isInAll = this.#record && (parent.expected & Expected.ALL) !== 0
    let level: Level = { expected: isInAll ? Expected.ALL : state.expected, seen: new Set() }
    if (this.#record) {
      const isMarked = isInAll || this.#record.mark !== 0
      if (!isMarked && this.#isUnexpected(frame, nameRecord, tag, state, parent)) this.#record.mark = HAS_MORE
      parent.seen.add(state)
    } else {
      this.#lookBefore(frame, tag, parent)
      level = this.#enterAround(frame, nameRecord, tag, state, parent)
    }
    this.#levels[depth] = level
    this.#textFrom = frame.place(frame.tagEndOf(tag), true)
    this.#isTextCounted = false
    this.#turnTo(level)
  }

  takeRecords(frame: TapeFrame, tag: number, depth: number): void {
    const parent = this.#levels[depth] as Level
    this.#lookBefore(frame, tag, parent)
    this.#foundIn(parent)
  }

  addText(frame: TapeFrame, first: number, record: number, depth: number): void {
    const { text, cdata } = frame.types
    const type = frame.typeOf(record)
    if (type !== text && type !== cdata) return
    const level = this.#levels[depth] as Level
    if (this.#around) this.#countText(level, frame.textOf(type === text ? record : record - 1, first))
    else if (this.#record && level.expected & Expected.NO_TEXT) this.#record.mark ||= HAS_MORE
  }

  leave(frame: TapeFrame, record: number, depth: number): number {
    const level = this.#levels[depth] as Level
    const isTag = frame.typeOf(record) === frame.types.endTag
    if (this.#record) {
      const hasNoText = isTag && (level.expected & Expected.NO_TEXT) !== 0
      if (hasNoText && this.#hasText(frame, frame.startOf(record))) this.#record.mark ||= HAS_MORE
      if (level === this.#record) this.#record = undefined
    } else if (this.#around && isTag) {
      this.#lookBefore(frame, record, level)
      const { node } = level
      if (node && this.#options.records.groups.includes(node) && !level.hasRecord) this.#count(node.path)
    }
    return level.mark ?? 0
  }

  passed(frame: TapeFrame, record: number, depth: number): void {
    const { types } = frame
    let last = record
    // After an element, the kernel has passed comments and instructions, too.
    while (frame.typeOf(last) !== types.endTag && frame.typeOf(last) !== types.emptyTag) last--
    this.#textFrom = frame.place(frame.endOf(last), true)
    this.#isTextCounted = false
    this.#turnTo(this.#levels[depth] as Level)
  }

  release(depth: number): void {
    if (!this.#around) return
    const gap = this.#viewGap()
    const { length } = gap
    const open = gap.indexOf(LESS_THAN)
    // Most often a tag comes next.
    const isTag = this.#openMarkup === '' && open !== -1 && gap[open + 1] !== EXCLAMATION && gap[open + 1] !== QUESTION
    if (!isTag && length > LONGEST_GAP && this.#lookAtGap(this.#levels[depth] as Level)) this.#textFrom += length
  }

  isRecord({ mark }: RecordView): boolean {
    return mark !== IS_OTHER
  }

  /** Throws an `UnplacedError` for a value that is not of its kind. */
  complete(record: RecordView): FormatRecord {
    const { mark } = record
    // Values in lines of the kernel are printed as they stand there, but for dates.
    const isChecked = mark === 0 && (this.#hasDates || !record.hasLine)
    const isOdd =
      mark !== 0 || (isChecked && record.someText(({ kind }, text) => !isPrintedAs(kind as ValueKind, text)))
    if (!isOdd) return record
    const { left, rest } = this.#inspect(record)
    for (const { path, why } of left) this.#options.report.add({ left: tally(`${why} ${path}`) })
    return rest.length === 0 ? record : { complete: () => ({ ...record.complete(), [REST]: rest }) }
  }

  /** An element in the open record, or that of the record. */
  #isUnexpected(frame: TapeFrame, nameRecord: number, tag: number, state: State, parent?: Level): boolean {
    const { expected, isDead } = state
    if (expected === 0 || frame.entity) return true
    if (parent && (expected & Expected.ONCE) !== 0 && parent.seen.has(state)) return true
    const isTextLost = parent && (parent.expected & Expected.NO_TEXT) !== 0
    if (isTextLost && this.#hasText(frame, frame.startOf(tag))) return true
    // What lies in an element that is dropped is not seen.
    const isOpen = frame.words[tag * RECORD_WORDS + PARTNER] === 0
    if (isOpen && isDead && (expected & Expected.ALL) === 0) return true
    const { names } = this.#options.records
    const { details } = (this.#facts as DocumentFacts).attributesOf(frame, nameRecord, tag)
    return details.some((attribute) => {
      const { name, namespace } = attribute
      const takes = ({ source }: State['attributes'][number]) => {
        return source?.attribute && matchesName(source.attribute, makeName(name), namespace)
      }
      return !names.isNoValue(attribute) && !state.attributes.some(takes)
    })
  }

  /** An element begins that is not in a record. */
  #enterAround(frame: TapeFrame, nameRecord: number, tag: number, state: State, parent: Level): Level {
    const { records } = this.#options
    const { around, groups, isOpen, names, nodes } = records
    const { scopes, attributesOf } = this.#facts as DocumentFacts
    const name = frame.nameOf(nameRecord)
    const known = names.elements.find(name.raw, name.prefix === '' ? scopes?.default : scopes?.resolve(name.prefix))
    const node = parent.node?.children.get(known ?? '')
    const isOther = state.isFound && isOpen && node !== undefined && !nodes.includes(node)
    const level: Level = { node, expected: state.expected, seen: new Set(), ...(isOther && { mark: IS_OTHER }) }
    if (state.isFound && !isOther) {
      this.#foundIn(parent)
      this.#record = level
      this.#start = frame.place(frame.startOf(tag))
      level.mark = isOpen && !node ? IS_UNSEEN : 0
      if (frame.entity) {
        this.#sources.set(++this.#sourceCount, frame.sourceOf(tag))
        level.mark += HAS_MORE + this.#sourceCount * SOURCE_NUMBER
      } else if (level.mark === 0 && this.#isUnexpected(frame, nameRecord, tag, state)) level.mark = HAS_MORE
      return level
    }
    if (!parent.node) return level
    const isOwn = node && groups.includes(parent.node) && !parent.hasRecord && !parent.seen.has(node)
    if (!node || !(around.has(node) || isOwn)) {
      this.#count(`${parent.node.path}/${name.raw}`)
      return { ...level, node: undefined }
    }
    parent.seen.add(node)
    for (const { name: attribute, namespace } of attributesOf(frame, nameRecord, tag).details) {
      const isDeclaration = names.hasNamespaces && namespace === XMLNS_NAMESPACE
      const isKnown = groups.includes(node) && node.attributes.has(names.attributes.find(attribute, namespace) ?? '')
      if (!isDeclaration && !isKnown) this.#count(`${node.path}/@${attribute}`)
    }
    return level
  }

  #foundIn(parent: Level): void {
    parent.hasRecord = true
    this.#options.report.add({ records: 1 })
  }

  #turnTo({ node }: Level): void {
    this.#around = !this.#record && node !== undefined && this.#options.records.around.has(node)
  }

  /** Whether something other than blanks stands between the last tag and an offset. */
  #hasText(frame: TapeFrame, end: number): boolean {
    if (frame.entity || this.#textFrom < frame.inputStart) return true
    for (let at = this.#textFrom; at < end; at++) {
      const byte = frame.byteAt(at)
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d) return true
    }
    return false
  }

  /** Looks at what stands between the last tag and another one, around records. */
  #lookBefore(frame: TapeFrame, tag: number, level: Level): void {
    if (!this.#around) return
    const end = frame.place(frame.startOf(tag))
    if (frame.entity || this.#openMarkup !== '' || this.#hasText(frame, end)) this.#lookAtGap(level, end)
    this.#openMarkup = ''
  }

  /** What stands after the last tag, up to the next one, or as far as it has arrived. */
  #viewGap(end = Number.MAX_SAFE_INTEGER): Uint8Array {
    return (this.#facts as DocumentFacts).machine.viewInput(this.#textFrom, Math.max(end, this.#textFrom))
  }

  /** Looks at it. Whether it has no tag. */
  #lookAtGap(level: Level, end?: number): boolean {
    const bytes = this.#viewGap(end)
    const gap = this.#openMarkup + decodeUtf8(bytes, 0, bytes.length)
    const text = gap.replace(BETWEEN_TAGS, (part) => {
      return part.startsWith('<![') && NOT_BLANK.test(part.slice(9, -3)) ? 'x' : ''
    })
    const open = /<(?:!--|\?|!\[CDATA\[)/.exec(text)
    const before = text.slice(0, open?.index)
    if (/<[^!?]/.test(before)) return false
    this.#openMarkup = open ? open[0] + text.slice(open.index + open[0].length).slice(-2) : ''
    this.#countText(level, open?.[0].endsWith('[') ? 'x' : before)
    return true
  }

  #countText({ node }: Level, text: string): void {
    if (this.#isTextCounted || !NOT_BLANK.test(text)) return
    this.#isTextCounted = true
    this.#count(`${node?.path}/text()`)
  }

  #count(path: string): void {
    this.#options.report.add({ outside: tally(path) })
  }

  /** Parses a record, and says what of it is left. */
  #inspect(record: RecordView): { readonly left: readonly Left[]; readonly rest: readonly XmlElementData[] } {
    const { parse, isLenient, records, explain } = this.#options
    const facts = this.#facts as DocumentFacts
    const { mark, place, placeEnd } = record
    const number = Math.floor(mark / SOURCE_NUMBER)
    const source = this.#sources.get(number)
    // Those before it were not wanted.
    for (const known of this.#sources.keys()) if (known <= number) this.#sources.delete(known)
    const element = parse(this.#doctype + (source ?? this.#read(place, placeEnd)), facts)
    if ((mark & IS_UNSEEN) !== 0) {
      return {
        left: [{ path: `${records.nodes[0]?.parent?.path}/${element.name}`, why: 'unseen' }],
        rest: [element.toJSON()],
      }
    }
    const leftover = new Leftover(records.names, source !== undefined, (prefix) => facts.scopes?.resolve(prefix))
    const rest = leftover.of(element, records.form)
    const [mistyped] = leftover.mistyped
    if (!mistyped || isLenient) return { left: leftover.left, rest }
    const before = new TextEncoder().encode(this.#doctype).length
    const offset = source !== undefined ? 0 : Math.max(0, (mistyped.start ?? 0) - before)
    throw new LocatedError(explain(mistyped), 'invalid-value', undefined, facts.machine.locate(place + offset))
  }

  #read(start: number, end: number): string {
    const bytes = (this.#facts as DocumentFacts).machine.viewInput(start, end)
    return decodeUtf8(bytes, 0, bytes.length)
  }
}

function hasDates({ attributes, text, children }: ElementForm): boolean {
  const values = text ? [text, ...attributes.values()] : [...attributes.values()]
  return values.some(({ kind }) => kind === 'date') || [...children.values()].some(hasDates)
}
