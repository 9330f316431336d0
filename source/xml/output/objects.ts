// Records as objects.

import { Decode } from '../../machine/registers.ts'
import { limitLength } from '../../text/length-limit.ts'
import type { Position } from '../../text/line-counter.ts'
import { concatText } from '../../text/units.ts'
import { decodePlainly, type TextKind } from '../character-data.ts'
import { Fault, LocatedFault, shorten } from '../fault.ts'
import { ABSENT_IF_EMPTY, CaptureKind, type Captures, RANK_SHIFT } from '../projection/captures.ts'
import type { FieldPlan, RecordPlan } from '../projection/plan.ts'
import type { RecordValues, Value, ValueKind } from '../projection/shape.ts'
import { KIND_WORDS, parseValue } from '../projection/value.ts'
import { planWhere, type WherePlan, type XmlWhere } from '../projection/where.ts'
import type { DocumentFacts } from '../sink.ts'

/** Bytes up to which values share a string with others: one that is kept keeps that. */
const SHORT = 256
/** Bytes of such values that share one at the most. */
const LARGEST_SHARE = 16 * 1024

type Container = Record<string | number, Value>

export interface ObjectWriterOptions {
  readonly plan: RecordPlan
  /** Whether a value that is not of its kind is undefined; otherwise it is an error. */
  readonly isLenient: boolean
  readonly where: XmlWhere | undefined
}

/** Makes objects of the captures of one document. */
export class ObjectWriter {
  readonly #plan: RecordPlan
  readonly #isLenient: boolean
  readonly #conditions: readonly WherePlan[]
  readonly #predicate: ((record: RecordValues) => boolean) | undefined
  #facts: DocumentFacts | undefined
  #captures: Captures | undefined
  /** The names of values in groups. */
  #names: readonly string[] = []
  /** Where values were that are not of their kind, and whose input has gone, by their entries. */
  #places = new Map<number, Position>()
  #items: RecordValues[] = []
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

  constructor({ plan, isLenient, where }: ObjectWriterOptions) {
    this.#plan = plan
    this.#isLenient = isLenient
    this.#conditions = where === undefined || typeof where === 'function' ? [] : planWhere(where, plan)
    this.#predicate = typeof where === 'function' ? (where as (record: RecordValues) => boolean) : undefined
  }

  begin(facts: DocumentFacts, captures: Captures, names: readonly string[]): void {
    this.#facts = facts
    this.#captures = captures
    this.#names = names
    facts.prepareDecoding()
  }

  /** The objects that are complete; none: an empty array. */
  take(): RecordValues[] {
    const items = this.#items
    if (items.length > 0) this.#items = []
    return items
  }

  /** Makes objects of records. If one of them has an invalid value, throws a `Fault` after those before it. */
  write(records: readonly number[]): void {
    let count = this.#items.length
    try {
      for (const record of records) {
        count = this.#items.length
        if (this.#conditions.every((condition) => this.#satisfies(record, condition))) this.#writeOne(record)
      }
      count = this.#items.length
      this.#decodePending()
    } catch (error) {
      throw this.#fail(count, error)
    }
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

  #writeOne(record: number): void {
    const predicate = this.#predicate
    if (!predicate) {
      this.#items.push(this.#build(this.#plan, record, undefined))
      return
    }
    const values = this.#build(this.#plan, record, false)
    this.#decodePending()
    if (!predicate(values)) return
    this.#fill(values, this.#plan, record, true)
    this.#items.push(values)
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
    this.#putField(values, field, record)
    this.#decodePending()
    return values[field.name]
  }

  /** `isLate`: only late fields, or only others; undefined for all. */
  #build(plan: RecordPlan, record: number, isLate: boolean | undefined): RecordValues {
    const values = { ...plan.empty }
    this.#fill(values, plan, record, isLate)
    return values
  }

  #fill(values: RecordValues, { fields }: RecordPlan, record: number, isLate: boolean | undefined): void {
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as FieldPlan
      if (isLate === undefined || isLate === field.isLate) this.#putField(values, field, record)
    }
  }

  #putField(values: RecordValues, field: FieldPlan, record: number): void {
    const captures = this.#captures as Captures
    const first = captures.firstOf(record, field.slot)
    if (!field.isList) {
      if (first === 0) return
      if (field.sources.length > 1) values[field.name] = this.#firstOf(field, first)
      else this.#put(values as Container, field.name, field, first)
      return
    }
    const list: Value[] = []
    values[field.name] = list
    if (field.isEmptyAbsent !== false) {
      list.push(...this.#presentOf(field, first))
      return
    }
    for (let entry = first; entry !== 0; entry = captures.next(entry)) {
      list.push(undefined)
      this.#put(list as unknown as Container, list.length - 1, field, entry)
    }
  }

  /** Of the values from several sources the first that is not absent. */
  #firstOf(field: FieldPlan, first: number): Value {
    const captures = this.#captures as Captures
    for (const rank of field.sources.keys()) {
      let entry = first
      while (entry !== 0 && captures.markOf(entry) >> RANK_SHIFT !== rank) entry = captures.next(entry)
      const value = entry === 0 ? undefined : this.#putNow(field, entry)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Of all values those that are not absent. */
  #presentOf(field: FieldPlan, first: number): Value[] {
    const captures = this.#captures as Captures
    const values: Value[] = []
    for (let entry = first; entry !== 0; entry = captures.next(entry)) {
      const value = this.#putNow(field, entry)
      if (value !== undefined) values.push(value)
    }
    return values
  }

  /** One value of a field, at once. */
  #putNow(field: FieldPlan, entry: number): Value {
    const holder: Container = {}
    this.#put(holder, 0, field, entry)
    this.#decodePending()
    return holder[0]
  }

  #put(container: Container, key: string | number, field: FieldPlan, entry: number): void {
    const captures = this.#captures as Captures
    const kind = captures.kindOf(entry)
    if (kind <= Decode.CONTENT) {
      this.#putText(container, key, field, entry, kind as TextKind)
    } else if (kind === CaptureKind.STRING) {
      this.#settle(container, key, field, entry, this.#decodeAll(field, entry))
    } else if (kind === CaptureKind.PRESENT) container[key] = true
    else if (kind === CaptureKind.RECORD) container[key] = this.#build(field.record as RecordPlan, entry, undefined)
    else container[key] = this.#group(field, entry)
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

  #group(field: FieldPlan, group: number): Record<string, string> {
    const captures = this.#captures as Captures
    const values: Record<string, string> = {}
    for (let entry = captures.firstOf(group, 0); entry !== 0; entry = captures.next(entry)) {
      const name = this.#names[captures.markOf(entry)] as string
      if (Object.hasOwn(values, name)) continue
      // An object has a property of this name already.
      if (name === '__proto__') Object.defineProperty(values, name, { value: '', enumerable: true, writable: true })
      values[name] = this.#decodeAll(field, entry)
    }
    return values
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
    const position = this.#places.get(entry)
    if (position) return new LocatedFault(message, 'invalid-value', undefined, position)
    return new Fault(message, 'invalid-value', undefined, (this.#captures as Captures).originOf(entry))
  }

  /** The input of a value is about to go: notes where it is, if it is not of its kind, or if it is not complete yet. */
  note(field: FieldPlan, entry: number, isOpen = false): void {
    if (this.#isLenient || KIND_WORDS[field.kind as ValueKind] === undefined || this.#places.has(entry)) return
    if (!isOpen && parseValue(field.kind as ValueKind, this.#decodeAll(field, entry)) !== undefined) return
    const { locate } = this.#facts as DocumentFacts
    this.#places.set(entry, locate((this.#captures as Captures).originOf(entry)))
  }

  /** There are no entries any more. */
  forget(): void {
    if (this.#places.size > 0) this.#places.clear()
  }

  /** Entries move. */
  forward(move: (entry: number) => number): void {
    if (this.#places.size === 0) return
    this.#places = new Map(Array.from(this.#places, ([entry, place]) => [move(entry), place]))
  }

  /** A value by which records are compared; undefined if there is none, or it is not of its kind. */
  keyOf(record: number, field: FieldPlan): Value {
    const entry = (this.#captures as Captures).firstOf(record, field.slot)
    return entry === 0 ? undefined : parseValue(field.kind as ValueKind, this.#decodeAll(field, entry))
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
