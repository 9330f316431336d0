// Records as objects.

import { Decode } from '../../machine/program/registers.ts'
import { limitLength } from '../../text/length-limit.ts'
import type { Position } from '../../text/line-counter.ts'
import { concatText, decodeUtf8 } from '../../text/units.ts'
import type { XmlError } from '../errors/errors.ts'
import { Fault, LocatedFault, shorten } from '../errors/fault.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { ABSENT_IF_EMPTY } from '../projection/capture-words.ts'
import { CaptureKind, type Captures, RANK_SHIFT } from '../projection/captures.ts'
import type { KernelProjector } from '../projection/kernel-projector.ts'
import type { FieldPlan, RecordPlan } from '../projection/plan.ts'
import type { RecordValues, Value, ValueKind } from '../projection/shape.ts'
import { KIND_WORDS, parseValue } from '../projection/value.ts'
import type { WherePlan } from '../projection/where.ts'
import { decodePlainly, type TextKind } from '../text/character-data.ts'
import type { XmlElement, XmlElementData } from '../tree/element.ts'
import type { CompleteRecords } from './complete-records.ts'
import { FoundRecord, type RecordAccess } from './found-record.ts'
import { LineRun, type LineTaker } from './line-run.ts'

const LESS_THAN = 0x3c
const AMPERSAND = 0x26

/** Bytes up to which values share a string with others: one that is kept keeps that. */
const SHORT = 256
/** Bytes of such values that share one at the most. */
const LARGEST_SHARE = 16 * 1024

type Container = Record<string | number, Value | XmlElementData[]>

/** Bytes from one index to another. */
export interface ByteRange {
  bytes: Uint8Array
  from: number
  end: number
}

/** The record of an element around others, and the entries that it is made of. */
interface OuterRecord {
  readonly plan: RecordPlan
  readonly generation: number
  readonly entries: readonly number[]
  readonly values: RecordValues
}

/** How elements are made of their text (tree/parse-element.ts). */
export type ParseElement = (text: string, resolve: DocumentFacts['recall']) => XmlElement

export interface ObjectWriterOptions<Item extends object> {
  /** Whether a value that is not of its kind is undefined; otherwise it is an error. */
  readonly isLenient: boolean
  /** What must hold of a record. */
  readonly conditions?: readonly WherePlan[] | undefined
  /** To be given if there are fields whose elements are read once more. */
  readonly parse?: ParseElement | undefined
  /** What becomes of a record, which may be nothing. It may throw a `Fault`. By default, its values are delivered. */
  readonly make?: ((record: FoundRecord) => Item | undefined) | undefined
  /** What becomes of records that the kernel has written with all that is to be in their lines; `make` gets the others. */
  readonly lines?: LineTaker | undefined
  /** Whether `make` gets records around others as well, when they end without any in them. */
  readonly wantsEmptyOuter?: boolean | undefined
  /** Called with an error in a record instead of throwing it. The record is then left out. */
  readonly onFault?: ((error: XmlError) => void) | undefined
}

/** Makes objects of the captures of one document. */
export class ObjectWriter<Item extends object = RecordValues> {
  /** Whether it gets records around others in which there are none. */
  readonly wantsEmptyOuter: boolean
  readonly #isLenient: boolean
  readonly #conditions: readonly WherePlan[]
  /** The record that something is made of. */
  readonly #found: FoundRecord
  readonly #make: ((record: FoundRecord) => Item | undefined) | undefined
  readonly #parse: ParseElement | undefined
  readonly #lines: LineTaker | undefined
  readonly #onFault: ObjectWriterOptions<Item>['onFault']
  #facts: DocumentFacts | undefined
  #kernel: KernelProjector | undefined
  #captures: Captures | undefined
  /** The names of values in groups. */
  #names: readonly string[] = []
  /** The document type declaration, if there is one. */
  #doctype = ''
  /** Offsets in the source of those in its UTF-8, in ascending order, where the input has gone that says so. */
  readonly #sources = new Map<number, number>()
  /** The places of offsets whose input has gone, of values that are an error, or may be part of one. */
  readonly #places = new Map<number, Position>()
  /** The input while records are written. */
  #window: { readonly bytes: Uint8Array; readonly start: number } | undefined
  readonly #range: ByteRange = { bytes: new Uint8Array(0), from: 0, end: 0 }
  #items: Item[] = []
  /** Gives the records around those that are written, which are still open. */
  #around: () => readonly number[] = () => []
  /** The record of an element around that was made last, with the entries of its fields. */
  #outer: OuterRecord | undefined
  /** Short texts that are to be decoded together: three numbers for each, and how many units there are up to its end. */
  readonly #ranges: number[] = []
  readonly #ends: number[] = []
  readonly #containers: Container[] = []
  readonly #keys: (string | number)[] = []
  readonly #fields: FieldPlan[] = []
  readonly #entries: number[] = []
  /** How many objects there were before the one that it is for; and of one that is being decoded. */
  readonly #counts: number[] = []
  #failedAt: number | undefined
  #pending = 0
  #bytes = 0

  constructor(options: ObjectWriterOptions<Item>) {
    const { isLenient, conditions = [], parse, make, lines, wantsEmptyOuter = false, onFault } = options
    this.wantsEmptyOuter = wantsEmptyOuter
    this.#found = new FoundRecord(this.#makeAccess())
    this.#isLenient = isLenient
    this.#onFault = onFault
    this.#conditions = conditions
    this.#lines = lines
    this.#make = make
    this.#parse = parse
  }

  #makeAccess(): RecordAccess {
    const originOf = (entry: number) => (this.#captures as Captures).originOf(entry)
    return {
      originOf,
      toSource: (offset) => this.toSource(offset),
      firstOf: (entry, { slot }) => (this.#captures as Captures).firstOf(entry, slot),
      build: (plan, entry) => {
        const values = this.#build(plan, entry, false)
        this.#decodePending()
        return values
      },
      buildOwn: (plan, entry) => {
        const values: RecordValues = {}
        for (const field of plan.fields) {
          if (!field.record?.outer && !field.isHidden && !field.isLate) this.#putField(values, field, entry, false)
        }
        this.#decodePending()
        return values
      },
      addLate: (values, plan, entry) => {
        this.#addLate(values, plan, entry)
        this.#decodePending()
      },
      readField: (entry, field) => this.#valueNow(entry, field),
      viewWritten: () => (this.#kernel as KernelProjector).bytes,
    }
  }

  /** What writes lines of records from now on; undefined if none can run. */
  attachKernel(kernel: KernelProjector | undefined): void {
    this.#kernel = kernel
  }

  begin(facts: DocumentFacts, captures: Captures, names: readonly string[]): void {
    this.#facts = facts
    this.#captures = captures
    this.#names = names
    facts.prepareDecoding()
  }

  /** The document type declaration stands between two offsets. */
  keepDoctype(start: number, end: number): void {
    const bytes = (this.#facts as DocumentFacts).viewInput(start, end)
    this.#doctype = decodeUtf8(bytes, 0, bytes.length)
  }

  /** The objects that are complete; none: an empty array. */
  take(): Item[] {
    const items = this.#items
    if (items.length > 0) this.#items = []
    return items
  }

  /**
   * Makes objects of records. If one of them has an invalid value, throws a `Fault` after those before it. `around` gives records of
   * elements around them that are still open.
   */
  write(records: CompleteRecords, around: () => readonly number[]): void {
    this.#around = around
    this.#window = undefined
    let count = this.#items.length
    const lines = this.#lines
    const run = lines && this.#beginRun(records)
    try {
      for (let i = 0; i < records.count; i++) {
        count = this.#items.length
        const entry = records.entryOf(i)
        if (!this.#conditions.every((condition) => this.#satisfies(entry, condition))) continue
        if (!lines || !run || !records.isWhole(i) || !this.#canTake(lines, records, i)) {
          this.#giveRun(run)
          this.#writeOne(records, i)
        } else if (this.#do(lines.isWanted, records, i) && !run.add(i)) {
          this.#giveRun(run)
          run.add(i)
        }
      }
      count = this.#items.length
      this.#giveRun(run)
      this.#decodePending()
    } catch (error) {
      this.#giveRun(run)
      throw this.#fail(count, error)
    }
  }

  #canTake({ canTake }: LineTaker, records: CompleteRecords, i: number): boolean {
    if (!canTake) return true
    this.#found.become(records, i)
    return canTake(this.#found)
  }

  #beginRun(records: CompleteRecords): LineRun | undefined {
    const kernel = this.#kernel
    return kernel && new LineRun(records, kernel.bytes)
  }

  /** The lines so far go before all that comes. */
  #giveRun(run: LineRun | undefined): void {
    if (!run || run.count === 0) return
    this.#lines?.add(run)
    run.clear()
  }

  /** Leaves the objects that were complete before an error, `count` at most. Gives the error, or one before it. */
  #fail(count: number, error: unknown): unknown {
    let first = error
    if (this.#failedAt === undefined) {
      while (this.#pending > 0 && (this.#counts[this.#pending - 1] as number) >= count) this.#pending--
      try {
        this.#decodePending()
      } catch (earlier) {
        first = earlier
      }
    }
    this.#items.length = Math.min(count, this.#failedAt ?? count)
    this.#failedAt = undefined
    this.#clear()
    return first
  }

  #writeOne(records: CompleteRecords, i: number): void {
    if (!this.#make) {
      this.#items.push(this.#build(records.planOf(i), records.entryOf(i), undefined) as Item)
      return
    }
    const item = this.#do(this.#make, records, i)
    if (item !== undefined) this.#items.push(item)
  }

  /** What a function gives for a record; undefined if it throws an error that is reported. */
  #do<Result>(make: (record: FoundRecord) => Result, records: CompleteRecords, i: number): Result | undefined {
    const record = this.#found
    try {
      record.become(records, i)
      return make(record)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const fault = this.#place(this.#inInput(error, record.entry))
      if (!this.#onFault) throw fault
      this.#clear()
      // Places have to be asked for in ascending order.
      for (const entry of this.#around()) {
        if ((this.#captures as Captures).originOf(entry) < (fault.offset ?? 0)) this.noteRecord(entry)
      }
      this.#onFault((this.#facts as DocumentFacts).explain(fault))
      return undefined
    }
  }

  /** The same error; if offsets in the input are not those of its UTF-8, at the start of the record. */
  #inInput(fault: Fault, record: number): Fault {
    if (!(this.#facts as DocumentFacts).toSource) return fault
    return new Fault(fault.message, fault.code, fault.constraint, (this.#captures as Captures).originOf(record))
  }

  /** The same error, with its place if its input has gone. */
  #place(fault: Fault): Fault {
    const { message, code, constraint, offset } = fault
    const position = offset === undefined ? undefined : this.#places.get(offset)
    return position && !(fault instanceof LocatedFault) ? new LocatedFault(message, code, constraint, position) : fault
  }

  #satisfies(record: number, { fields, test }: WherePlan): boolean {
    const [field, ...inner] = fields as [FieldPlan, ...FieldPlan[]]
    const captures = this.#captures as Captures
    if (!field.record || inner.length === 0) return test(this.#valueNow(record, field))
    for (let entry = captures.firstOf(record, field.slot); entry !== 0; entry = captures.next(entry)) {
      if (this.#satisfies(entry, { fields: inner, test })) return true
      if (!field.isList) return false
    }
    return test(undefined)
  }

  /** The value of one field, at once. */
  #valueNow(record: number, field: FieldPlan): Value {
    const values: RecordValues = {}
    this.#putField(values, field, record, false)
    this.#decodePending()
    return values[field.name]
  }

  /** `isLate`: undefined for all fields, false for those that are not late. */
  #build(plan: RecordPlan, record: number, isLate: false | undefined): RecordValues {
    const captures = this.#captures as Captures
    const { generation } = captures
    // What is late is added to the values, and is not to be seen by those who get them next.
    const isShared = plan.outer !== undefined && plan.late.length === 0
    const entries = isShared
      ? plan.fields.flatMap(({ slot }) => [captures.firstOf(record, slot), captures.lastOf(record, slot)])
      : undefined
    const known = this.#outer
    const isKnown = known?.plan === plan && known.generation === generation
    if (isKnown && entries?.every((entry, i) => entry === known.entries[i])) return known.values
    const values = { ...plan.empty }
    const { fields } = plan
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as FieldPlan
      if (!field.isHidden && (isLate === undefined || !field.isLate)) this.#putField(values, field, record, isLate)
    }
    if (entries) this.#outer = { plan, generation, entries, values }
    return values
  }

  /** Adds the fields that are late, those of records in the record as well. */
  #addLate(values: RecordValues, { late }: RecordPlan, record: number): void {
    const captures = this.#captures as Captures
    for (const field of late) {
      if (field.isLate) {
        this.#putField(values, field, record, undefined)
        continue
      }
      const value = values[field.name] as RecordValues | RecordValues[] | undefined
      let entry = captures.firstOf(record, field.slot)
      for (const inner of Array.isArray(value) ? value : value ? [value] : []) {
        this.#addLate(inner, field.record as RecordPlan, entry)
        entry = captures.next(entry)
      }
    }
  }

  #putField(values: RecordValues, field: FieldPlan, record: number, isLate: false | undefined): void {
    const captures = this.#captures as Captures
    const first = captures.firstOf(record, field.slot)
    if (!field.isList) {
      if (first === 0) return
      if (field.sources.length > 1)
        values[field.name] = this.#firstOf(field, first, captures.lastOf(record, field.slot))
      else this.#put(values as Container, field.name, field, first, isLate)
      return
    }
    const list: Value[] = []
    values[field.name] = list
    for (let entry = first; entry !== 0; entry = captures.next(entry)) {
      // A value that is not of its kind keeps its place.
      if (this.#isAbsent(field, entry)) continue
      list.push(undefined)
      this.#put(list as unknown as Container, list.length - 1, field, entry, isLate)
    }
  }

  /** Of the values from several sources the first that is not absent. */
  #firstOf(field: FieldPlan, first: number, last: number): Value {
    const captures = this.#captures as Captures
    for (const rank of field.sources.keys()) {
      let entry = first
      // More may follow that came later.
      const next = () => (entry === last ? 0 : captures.next(entry))
      while (entry !== 0 && captures.markOf(entry) >> RANK_SHIFT !== rank) entry = next()
      const value = entry === 0 ? undefined : this.#putNow(field, entry)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** One value of a field, at once. */
  #putNow(field: FieldPlan, entry: number): Value {
    const holder: Container = {}
    this.#put(holder, 0, field, entry, undefined)
    this.#decodePending()
    return holder[0]
  }

  #put(container: Container, key: string | number, field: FieldPlan, entry: number, isLate: false | undefined): void {
    const captures = this.#captures as Captures
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.ABSENT) return
    if (field.kind === 'present') {
      const isThere = kind === CaptureKind.PRESENT || !this.#isAbsent(field, entry)
      container[key] = isThere ? true : undefined
    } else if (kind <= Decode.CONTENT) {
      this.#putText(container, key, field, entry, kind as TextKind)
    } else if (kind === CaptureKind.STRING) {
      this.#settle(container, key, field, entry, this.#decodeAll(field, entry))
    } else if (kind === CaptureKind.PRESENT) {
      container[key] = this.toSource(captures.originOf(entry))
    } else if (kind === CaptureKind.RECORD) {
      container[key] = this.#build(field.record as RecordPlan, entry, isLate)
    } else if (field.isStandalone) {
      container[key] = this.#standalone(field, entry)
    } else container[key] = field.kind === 'rest' ? this.#rest(field, entry) : this.#group(field, entry)
  }

  /** Whether a text is absent because it is empty. Most texts need not be decoded for that. */
  #isAbsent(field: FieldPlan, entry: number): boolean {
    const captures = this.#captures as Captures
    if ((captures.markOf(entry) & ABSENT_IF_EMPTY) === 0) return false
    const kind = captures.kindOf(entry)
    if (kind > Decode.CONTENT && kind !== CaptureKind.STRING) return false
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (kind <= Decode.CONTENT && end > from) {
      const bytes = captures.isCopied(entry) ? captures.bytes : (this.#facts as DocumentFacts).viewInput(from, from + 1)
      const first = bytes[captures.isCopied(entry) ? from : 0]
      if (first !== LESS_THAN && first !== AMPERSAND) return false
    }
    return this.#decodeAll(field, entry) === ''
  }

  #putText(container: Container, key: string | number, field: FieldPlan, entry: number, kind: TextKind): void {
    const captures = this.#captures as Captures
    const [from, end] = [captures.from(entry), captures.end(entry)]
    const isShort = end - from <= SHORT && captures.nextPiece(entry) === 0 && !captures.isCopied(entry)
    if (!isShort || end <= from) {
      this.#settle(container, key, field, entry, this.#decodeAll(field, entry))
      return
    }
    const i = this.#pending++
    this.#containers[i] = container
    this.#keys[i] = key
    this.#fields[i] = field
    this.#entries[i] = entry
    this.#counts[i] = this.#items.length
    this.#ranges[3 * i] = from
    this.#ranges[3 * i + 1] = end
    this.#ranges[3 * i + 2] = kind
    this.#bytes += end - from
    if (this.#bytes > LARGEST_SHARE) this.#decodePending()
  }

  /** Values by their names; of several with one name an array. */
  #group(field: FieldPlan, group: number): Record<string, string | string[]> {
    const captures = this.#captures as Captures
    const values: Record<string, string | string[]> = {}
    for (const entry of this.#entriesOf(group)) {
      const name = this.#names[captures.markOf(entry)] as string
      const text = this.#decodeAll(field, entry)
      // Attributes have names of their own.
      const known = field.kind === 'children' && Object.hasOwn(values, name) ? values[name] : undefined
      if (Array.isArray(known)) known.push(text)
      else if (known !== undefined) values[name] = [known, text]
      // An object has a property of this name already.
      else if (name === '__proto__')
        Object.defineProperty(values, name, { value: text, enumerable: true, writable: true, configurable: true })
      else values[name] = text
    }
    return values
  }

  /** Elements from their source. The entities that it refers to are declared where those of the document are. */
  #rest(field: FieldPlan, group: number): XmlElementData[] {
    return Array.from(this.#entriesOf(group), (entry) => this.#parseElement(field, entry).toJSON())
  }

  #parseElement(field: FieldPlan, entry: number): XmlElement {
    const { recall } = this.#facts as DocumentFacts
    return (this.#parse as ParseElement)(this.#doctype + this.#decodeAll(field, entry), recall)
  }

  /** An element as a document of its own: of what is declared around it, and of its source. */
  #standalone(field: FieldPlan, group: number): string {
    const [declarations = 0, source = 0] = this.#entriesOf(group)
    return this.#parseElement(field, source).standalone(JSON.parse(this.#decodeAll(field, declarations)))
  }

  *#entriesOf(group: number): Generator<number, void, undefined> {
    const captures = this.#captures as Captures
    const last = captures.lastOf(group, 0)
    let entry = captures.firstOf(group, 0)
    // More may follow that came later.
    for (; entry !== last; entry = captures.next(entry)) yield entry
    if (entry !== 0) yield entry
  }

  /** A value is known as text. */
  #settle(container: Container, key: string | number, field: FieldPlan, entry: number, text: string): void {
    if (text === '' && ((this.#captures as Captures).markOf(entry) & ABSENT_IF_EMPTY) !== 0) return
    if (field.kind === 'string') container[key] = text
    else container[key] = this.#convert(field, entry, text)
  }

  #convert(field: FieldPlan, entry: number, text: string): Value {
    const value = parseValue(field.kind as ValueKind, text)
    if (value !== undefined || this.#isLenient) return value
    throw this.#invalid(field, entry, text)
  }

  #invalid(field: FieldPlan, entry: number, text: string): Fault {
    const expected = KIND_WORDS[field.kind as ValueKind] as string
    const shown = JSON.stringify(shorten(text))
    const message = `the value ${shown} of the field ${shorten(field.fullName)} is not ${expected}`
    return this.#place(new Fault(message, 'invalid-value', undefined, (this.#captures as Captures).originOf(entry)))
  }

  /** The input of a value is about to go: notes where it is, if it is not of its kind, or if it is not complete yet. */
  note(field: FieldPlan, entry: number, isOpen = false): void {
    if (this.#isLenient || KIND_WORDS[field.kind as ValueKind] === undefined) return
    if (!isOpen && parseValue(field.kind as ValueKind, this.#decodeAll(field, entry)) !== undefined) return
    this.#notePlace(entry)
  }

  /** The same of the start of a record, for what is made of it. */
  noteRecord(entry: number): void {
    if (this.#make) this.#notePlace(entry)
  }

  #notePlace(entry: number): void {
    const offset = (this.#captures as Captures).originOf(entry)
    if (!this.#places.has(offset)) this.#places.set(offset, (this.#facts as DocumentFacts).locate(offset))
  }

  /** The input of something that is there is about to go: notes where that is in the source. */
  noteSource(entry: number): void {
    const offset = (this.#captures as Captures).originOf(entry)
    const source = (this.#facts as DocumentFacts).toSource?.(offset)
    if (source !== undefined) this.#sources.set(offset, source)
  }

  /** The offset in the source of an offset in its UTF-8. */
  toSource(offset: number): number {
    return this.#sources.get(offset) ?? (this.#facts as DocumentFacts).toSource?.(offset) ?? offset
  }

  /** The places of offsets before one are not needed any more. */
  forgetPlaces(before: number): void {
    for (const offset of this.#places.keys()) if (offset < before) this.#places.delete(offset)
    for (const offset of this.#sources.keys()) {
      if (offset >= before) break
      this.#sources.delete(offset)
    }
  }

  /** The entry of a field of a record; 0 if it has no value. */
  entryOf(record: number, field: FieldPlan): number {
    const captures = this.#captures as Captures
    const entry = captures.firstOf(record, field.slot)
    if (entry === 0 || captures.kindOf(entry) === CaptureKind.ABSENT) return 0
    return field.record === undefined && this.#isAbsent(field, entry) ? 0 : entry
  }

  /** Where the bytes of a text lie that is in one piece; undefined for others. It holds until the next call. */
  rangeOf(entry: number): ByteRange | undefined {
    const captures = this.#captures as Captures
    if (captures.kindOf(entry) > Decode.CONTENT || captures.nextPiece(entry) !== 0) return undefined
    const range = this.#range
    const isCopied = captures.isCopied(entry)
    this.#window ??= (this.#facts as DocumentFacts).viewWindow()
    const { bytes, start } = this.#window
    range.bytes = isCopied ? captures.bytes : bytes
    range.from = isCopied ? captures.from(entry) : captures.from(entry) - start
    range.end = isCopied ? captures.end(entry) : captures.end(entry) - start
    return range
  }

  /** A value of a record that may be open; undefined if there is none, or it is not of its kind. */
  valueOf(record: number, field: FieldPlan): Value {
    const captures = this.#captures as Captures
    const entry = captures.firstOf(record, field.slot)
    return entry === 0 || captures.kindOf(entry) === CaptureKind.ABSENT
      ? undefined
      : parseValue(field.kind as ValueKind, this.#decodeAll(field, entry))
  }

  /** A text with all its pieces. */
  #decodeAll(field: FieldPlan, entry: number): string {
    const captures = this.#captures as Captures
    let text = ''
    for (let piece = entry; piece !== 0; piece = captures.nextPiece(piece)) {
      try {
        text = concatText(text, this.#decodePiece(piece))
      } catch (error) {
        throw limitLength(error, `the field ${shorten(field.fullName)}`, captures.originOf(entry))
      }
    }
    return text
  }

  #decodePiece(entry: number): string {
    const captures = this.#captures as Captures
    const kind = captures.kindOf(entry)
    if (kind === CaptureKind.STRING) return captures.stringOf(entry)
    const [from, end] = [captures.from(entry), captures.end(entry)]
    if (end <= from) return ''
    const { normalizesLineEnds, decode, viewInput } = this.#facts as DocumentFacts
    if (captures.isCopied(entry)) {
      return decodePlainly(captures.bytes.subarray(from, end), kind as TextKind, normalizesLineEnds)
    }
    const text = normalizesLineEnds ? decode([from, end, kind], 3) : undefined
    return text ?? decodePlainly(viewInput(from, end), kind as TextKind, normalizesLineEnds)
  }

  #decodePending(): void {
    const count = this.#pending
    if (count === 0) return
    const { normalizesLineEnds, decode } = this.#facts as DocumentFacts
    const all = normalizesLineEnds ? decode(this.#ranges, 3 * count, this.#ends) : undefined
    for (let i = 0, from = 0; i < count; i++) {
      const [field, entry] = [this.#fields[i] as FieldPlan, this.#entries[i] as number]
      this.#failedAt = this.#counts[i] as number
      const end = this.#ends[i] as number
      const text = all === undefined ? this.#decodeAll(field, entry) : all.substring(from, end)
      from = end
      this.#settle(this.#containers[i] as Container, this.#keys[i] as string | number, field, entry, text)
    }
    this.#failedAt = undefined
    this.#clear()
  }

  #clear(): void {
    this.#pending = this.#bytes = 0
    // Records are not to be kept by who made them.
    this.#containers.length = 0
  }
}
