// Reads the values of records from what was captured of them.

import { Decode } from '../../machine/program/registers.ts'
import type { RecordValues, Value } from '../../record/value.ts'
import { decodeUtf8 } from '../../text/units.ts'
import { shorten, UnplacedError } from '../errors/unplaced-error.ts'
import type { XmlObjectContent } from '../object/xml-object.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { ABSENT_IF_EMPTY } from '../projection/capture-words.ts'
import { CaptureKind, type Captures, HAS_ELEMENTS, RANK_SHIFT } from '../projection/captures.ts'
import { type FieldPlan, findFields, type RecordPlan } from '../question/plan.ts'
import type { FieldError } from '../question/shape.ts'
import type { XmlElement, XmlElementData } from '../tree/element.ts'
import { CaptureTexts } from './capture-texts.ts'
import { Places } from './places.ts'

/** How one field of a record is read, without the late fields in it: an invalid value is an error for `one`, and undefined for `seen`, whose errors are reported by who writes it. */
export type Looking = 'one' | 'seen'
/** Which fields of a record are read: all; those that are not late; of these, those that are not of elements around the record; or one field. */
type Part = 'all' | 'early' | 'own' | Looking

/** How elements are made of their text (tree/parse-element.ts). */
export type ParseElement = (text: string, facts: Pick<DocumentFacts, 'recall' | 'entities'>) => XmlElement

/** How elements are read once more: made of their text, and as objects. */
export interface ElementParsing {
  readonly parseElement: ParseElement
  /** To be given if there are fields that are objects. */
  readonly contentOf?: (element: XmlElement) => XmlObjectContent
}

export interface RecordReaderOptions {
  readonly facts: DocumentFacts
  readonly captures: Captures
  /** The names of values in groups. */
  readonly names: readonly string[]
  /** Whether a value that is not of its kind is undefined; otherwise it is an error. */
  readonly isLenient: boolean
  /** To be given if there are fields whose elements are read once more. */
  readonly parsing: ElementParsing | undefined
  /** Whether a required field may be absent in this document. */
  readonly mayLack?: ((error: FieldError) => boolean) | undefined
}

/** The record of an element around others, and the entries that it is made of. */
interface OuterRecord {
  readonly plan: RecordPlan
  readonly generation: number
  readonly entries: readonly number[]
  readonly values: RecordValues
}

/** Reads records of one document. */
export class RecordReader {
  readonly captures: Captures
  readonly texts: CaptureTexts
  readonly places: Places
  readonly #options: RecordReaderOptions
  /** The document type declaration, if there is one. */
  #doctype = ''
  /** The record of an element around that was made last. */
  #outer: OuterRecord | undefined
  /** By plans, and names of fields in them. */
  readonly #fields = new Map<RecordPlan, Map<string, readonly FieldPlan[]>>()

  constructor(options: RecordReaderOptions) {
    const { facts, captures } = options
    this.#options = options
    this.captures = captures
    this.places = new Places(facts)
    this.texts = new CaptureTexts(facts, captures)
  }

  /** The document type declaration stands between two offsets. */
  keepDoctype(start: number, end: number): void {
    const bytes = this.#options.facts.machine.viewInput(start, end)
    this.#doctype = decodeUtf8(bytes, 0, bytes.length)
  }

  /** A record. */
  build(plan: RecordPlan, record: number, part: Part): RecordValues {
    const { captures } = this
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
    const { fields, required } = plan
    for (let i = required.length - 1; i >= 0; i--) {
      const field = required[i] as FieldPlan
      if (isIn(field, part) && captures.firstOf(record, field.slot) === 0) this.#lack(field, record)
    }
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as FieldPlan
      if (isIn(field, part)) this.#putField(values, field, record, part)
    }
    if (entries) this.#outer = { plan, generation, entries, values }
    return values
  }

  /** Adds the fields that are late, those of records in the record as well. */
  addLate(values: RecordValues, { late }: RecordPlan, record: number): void {
    for (const field of late) {
      if (field.isLate) {
        this.#putField(values, field, record, 'all')
        continue
      }
      const value = values[field.name] as RecordValues | RecordValues[] | undefined
      let entry = this.captures.firstOf(record, field.slot)
      for (const inner of Array.isArray(value) ? value : value ? [value] : []) {
        if (inner) this.addLate(inner, field.record as RecordPlan, entry)
        entry = this.captures.next(entry)
      }
    }
  }

  /** A value of a record that may be open, as it is compared; undefined also if it is not of its kind. */
  peekValue(record: number, field: FieldPlan): Value {
    const entry = this.captures.firstOf(record, field.slot)
    if (entry === 0 || this.captures.kindOf(entry) === CaptureKind.ABSENT || this.captures.isNil(entry))
      return undefined
    return field.values.comparable(field.values.parse(this.texts.textOf(field, entry)))
  }

  /** The value of a field of a record. */
  valueOf(record: number, field: FieldPlan, part: Looking = 'one'): Value {
    return this.#valueOf(field, record, part) ?? field.default
  }

  /** The element that is the value of a field, made of its text. */
  elementOf(record: number, field: FieldPlan): XmlElement {
    const entry = this.captures.firstOf(record, field.slot)
    const element = this.#parseElement(field, entry)
    element.close(element.end, new TextEncoder().encode(this.texts.textOf(field, entry)))
    return element
  }

  /** How many values of a list a record has. */
  countOf(record: number, field: FieldPlan): number {
    const { captures } = this
    let count = 0
    for (let entry = captures.firstOf(record, field.slot); entry !== 0; entry = captures.next(entry)) {
      if (!this.texts.isAbsent(field, entry)) count++
    }
    return count
  }

  /** The entry of the first value to which fields lead from a record, in lists too; 0 if there is none. */
  entryOf(record: number, fields: readonly FieldPlan[], from = 0): number {
    const field = fields[from]
    if (!field) return record
    for (let entry = this.captures.firstOf(record, field.slot); entry !== 0; entry = this.captures.next(entry)) {
      const isAbsent = this.texts.isAbsent(field, entry) || this.captures.isNil(entry)
      const value = isAbsent ? 0 : this.entryOf(entry, fields, from + 1)
      if (value !== 0 || !field.isList) return value
    }
    return 0
  }

  /** Whether a test holds of some value of a record that is no text, as it is written; in lists and records in it, too. */
  someText({ fields }: RecordPlan, record: number, test: (field: FieldPlan, text: string) => boolean): boolean {
    const { captures } = this
    return fields.some((field) => {
      for (let entry = captures.firstOf(record, field.slot); entry !== 0; entry = captures.next(entry)) {
        const kind = captures.kindOf(entry)
        const isTyped = kind <= CaptureKind.STRING && field.values.words !== undefined
        if (isTyped && test(field, this.texts.textOf(field, entry))) return true
        if (kind === CaptureKind.RECORD && field.record && this.someText(field.record, entry, test)) return true
      }
      return false
    })
  }

  /** The fields that lead to a value in a record, by their names (`findFields`). */
  fieldsOf(plan: RecordPlan, name: string): readonly FieldPlan[] {
    const known = this.#fields.get(plan)?.get(name)
    if (known) return known
    const fields = findFields(plan, name, () => new TypeError(`unknown field ${name}`))
    const all = this.#fields.get(plan) ?? new Map<string, readonly FieldPlan[]>()
    this.#fields.set(plan, all.set(name, fields))
    return fields
  }

  /** The input of a value is about to go: notes where it is, if it is not of its kind, if it may be required and absent, or if it is not complete yet. */
  note(field: FieldPlan, entry: number, isOpen = false): void {
    const { isRequired, isEmptyAbsent, unless, values, error } = field
    if (error) {
      // Such an error has the place of the record, but for elements in a text.
      if (isOpen || (this.captures.markOf(entry) & HAS_ELEMENTS) !== 0) this.places.note(this.captures.originOf(entry))
      return
    }
    const mayBeMissing = isRequired && (isEmptyAbsent !== false || unless !== undefined)
    const isNull = this.captures.isNil(entry)
    const isChecked = values.words !== undefined && (isRequired || !this.#options.isLenient)
    if (!isChecked && !mayBeMissing && !isNull) return
    if (!isOpen && !mayBeMissing && !isNull && values.parse(this.texts.textOf(field, entry)) !== undefined) return
    this.places.note(this.captures.originOf(entry))
  }

  /** The fields of that of several records whose first field has a value; undefined if there is none. */
  optionOf(options: readonly (readonly FieldPlan[])[], record: number): readonly FieldPlan[] | undefined {
    return options.find(([first]) => first && this.entryOf(record, [first]) !== 0)
  }

  #buildOption(options: readonly (readonly FieldPlan[])[], record: number, part: Part): RecordValues | undefined {
    const fields = this.optionOf(options, record)
    const values: RecordValues = {}
    for (const field of fields ?? []) this.#putField(values, field, record, part)
    return fields && values
  }

  #putField(values: RecordValues, field: FieldPlan, record: number, part: Part): void {
    const value = this.#valueOf(field, record, part)
    if (value !== undefined) values[field.name] = value
  }

  #valueOf(field: FieldPlan, record: number, part: Part): Value {
    const { captures } = this
    const first = captures.firstOf(record, field.slot)
    if (!field.isList) {
      if (first === 0 && field.isRequired) this.#lack(field, record)
      return first === 0 ? undefined : this.#singleOf(field, record, first, part)
    }
    if (first === 0 && field.record && field.isEmptyAbsent) return undefined
    const list: Value[] = []
    for (let entry = first; entry !== 0; entry = captures.next(entry)) {
      // A value that is not of its kind, or null, keeps its place.
      if (!this.texts.isAbsent(field, entry)) list.push(this.#read(field, record, entry, part))
    }
    return list
  }

  /** The value that counts, whose first entry is given: of those from several sources the first that is not absent. */
  #singleOf(field: FieldPlan, record: number, first: number, part: Part): Value {
    if (field.sources.length <= 1) return this.#read(field, record, first, part)
    const { captures } = this
    const last = captures.lastOf(record, field.slot)
    for (const rank of field.sources.keys()) {
      let entry = first
      // More may follow that came later.
      const next = () => (entry === last ? 0 : captures.next(entry))
      while (entry !== 0 && captures.markOf(entry) >> RANK_SHIFT !== rank) entry = next()
      const value = entry === 0 ? undefined : this.#read(field, record, entry, part)
      if (value !== undefined) return value
    }
    if (field.isRequired) throw this.#missing(field, record)
    return undefined
  }

  /** The value of an entry of a field; undefined where it is absent. */
  #read(field: FieldPlan, record: number, entry: number, part: Part): Value {
    const kind = this.captures.kindOf(entry)
    if (kind === CaptureKind.ABSENT) return this.#absent(field, record, entry)
    if (this.captures.isNil(entry)) return part === 'seen' ? undefined : this.#nil(field, record, entry)
    if (field.kind === 'present') {
      const isThere = kind === CaptureKind.PRESENT || !this.texts.isAbsent(field, entry)
      return isThere || this.#absent(field, record, entry)
    }
    if (field.kind === 'object') return this.#options.parsing?.contentOf?.(this.#parseElement(field, entry))
    if (kind <= Decode.CONTENT || kind === CaptureKind.STRING) {
      const isAlone = part === 'one' || part === 'seen'
      // Elements in it may be an error.
      const isPlain = part === 'seen' || (part === 'one' && !field.error)
      const digits = isPlain && field.kind === 'integer' ? this.texts.digitsOf(entry) : undefined
      return digits ?? this.#parse(field, record, entry, this.texts.textOf(field, entry, !isAlone), part)
    }
    if (kind === CaptureKind.PRESENT) return this.places.toSource(this.captures.originOf(entry))
    if (field.record?.options) {
      const option = this.#buildOption(field.record.options, entry, part)
      if (!option && field.isRequired) throw this.#missing(field, record, entry)
      return option
    }
    if (kind === CaptureKind.RECORD) return this.build(field.record as RecordPlan, entry, part)
    if (field.isStandalone) return this.#standalone(field, entry)
    return field.kind === 'rest' ? this.#rest(field, entry) : this.#group(field, entry)
  }

  /** A value is absent. That is an error if it is required; of several sources, another one may have it. */
  #absent(field: FieldPlan, record: number, entry: number): undefined {
    if (field.isRequired && field.sources.length < 2) this.#lack(field, record, entry)
  }

  /** A required value is not there. `entry`: a value that is absent. */
  #lack(field: FieldPlan, record: number, entry?: number): void {
    if (!field.error || !this.#options.mayLack?.(field.error)) throw this.#missing(field, record, entry)
  }

  /** The element of a value says that it is null: then it has no content (XML Schema Part 1, cvc-elt 3.2.1). */
  #nil(field: FieldPlan, record: number, entry: number): undefined {
    if (!this.#hasContent(field, entry)) return this.#absent(field, record, entry)
    if (this.#options.isLenient && !field.isRequired) return undefined
    const { fullName, error } = field
    if (error?.invalid !== undefined) throw this.#fault(`${error.invalid}: xsi:nil, with content`, error.code, record)
    const message = `the field ${shorten(fullName)} has content, although its element is null (xsi:nil)`
    throw this.#fault(message, 'invalid-value', entry)
  }

  /** Whether a value that is null has a text, or a record elements that its fields see. */
  #hasContent(field: FieldPlan, entry: number): boolean {
    if (!field.record) return this.texts.textOf(field, entry) !== ''
    return field.record.fields.some((inner) => {
      const first = this.captures.firstOf(entry, inner.slot)
      if (first === 0) return false
      return inner.sources.some(({ path }) => path) || (this.captures.isNil(first) && this.#hasContent(inner, first))
    })
  }

  /** The value that a text is; undefined where that is absent, or not of its kind. */
  #parse(field: FieldPlan, record: number, entry: number, text: string, part: Part): Value {
    const { values, error } = field
    const mark = this.captures.markOf(entry)
    if (error?.elements !== undefined && part !== 'seen' && (mark & HAS_ELEMENTS) !== 0)
      throw this.#fault(`${field.fullName} ${error.elements}`, error.code, entry)
    // Blanks around numbers and booleans do not count.
    const isEmpty = text === '' || (values.words !== undefined && text.trim() === '')
    if (isEmpty && (mark & ABSENT_IF_EMPTY) !== 0) return this.#absent(field, record, entry)
    const value = values.parse(text)
    if (value !== undefined || part === 'seen' || !(field.isRequired || !this.#options.isLenient)) return value
    throw error?.invalid === undefined
      ? this.#invalid(field, entry, text)
      : this.#fault(`${error.invalid}: ${JSON.stringify(text)}`, error.code, record)
  }

  /** `entry`: a value that is absent. */
  #missing({ error, fullName }: FieldPlan, record: number, entry = record): UnplacedError {
    if (error?.missing !== undefined) return this.#fault(error.missing, error.code, record)
    return this.#fault(`the field ${shorten(fullName)} is required, but it has no value`, 'missing-value', entry)
  }

  #fault(message: string, code: string, entry: number): UnplacedError {
    return this.places.locate(new UnplacedError(message, code, undefined, this.captures.originOf(entry)))
  }

  #invalid(field: FieldPlan, entry: number, text: string): UnplacedError {
    const shown = JSON.stringify(shorten(text))
    const message = `the value ${shown} of the field ${shorten(field.fullName)} is not ${field.values.words}`
    return this.#fault(message, 'invalid-value', entry)
  }

  /** Values by their names; of several with one name an array. */
  #group(field: FieldPlan, group: number): Record<string, string | string[]> {
    const values: Record<string, string | string[]> = {}
    for (const entry of this.#entriesOf(group)) {
      const name = this.#options.names[this.captures.markOf(entry)] as string
      const text = this.texts.textOf(field, entry)
      // Attributes have names of their own.
      const isAdded = field.kind === 'children' && !field.isUnique && Object.hasOwn(values, name)
      const known = isAdded ? values[name] : undefined
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

  /** An element as a document of its own: of what holds around it, and of its source. */
  #standalone(field: FieldPlan, group: number): string {
    const [around = 0, source = 0] = this.#entriesOf(group)
    return this.#parseElement(field, source).standalone(JSON.parse(this.texts.textOf(field, around)))
  }

  #parseElement(field: FieldPlan, entry: number): XmlElement {
    const { facts, parsing } = this.#options
    return (parsing as ElementParsing).parseElement(this.#doctype + this.texts.textOf(field, entry), facts)
  }

  *#entriesOf(group: number): Generator<number, void, undefined> {
    const last = this.captures.lastOf(group, 0)
    let entry = this.captures.firstOf(group, 0)
    // More may follow that came later.
    for (; entry !== last; entry = this.captures.next(entry)) yield entry
    if (entry !== 0) yield entry
  }
}

function isIn(field: FieldPlan, part: Part): boolean {
  return !field.isHidden && (part === 'all' || (!field.isLate && (part === 'early' || !field.record?.outer)))
}
