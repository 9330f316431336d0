// A shape that was checked, with its paths parsed: what a projection needs to know of it.

import { KIND_NAMES, type Kind, kindOf, nameKind, PARAMETERS } from '../../record/kinds.ts'
import type { RecordValues } from '../../record/value.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { findNearest } from '../../stream/nearest.ts'
import type { NamePattern } from '../names/name-pattern.ts'
import { type Condition, parseCondition } from './condition.ts'
import { type ChildCondition, childError, Path } from './path.ts'
import { type PathNames, parseAttributeName, pathError } from './path-names.ts'
import {
  type FieldError,
  type FieldShape,
  INTERNAL,
  type OuterField,
  type RecordField,
  type ValueField,
  type ValueKind,
  type XmlShape,
} from './shape.ts'

/** A record: that of a shape, or one in it. */
export interface RecordPlan {
  /** Among the records of a shape, from 0. */
  readonly number: number
  readonly fields: readonly FieldPlan[]
  /** The field that it is the value of; undefined for that of the shape. */
  readonly owner: FieldPlan | undefined
  /** The elements around that of the record in which its fields are; undefined if it is not such a record. */
  readonly outer: Path | undefined
  /** The fields that say which of several is the newest; none where nothing does. */
  readonly keys: readonly FieldPlan[]
  /** A record without values. */
  readonly empty: RecordValues
  /** The fields of each record that it may be, if it is one of several. */
  readonly options: readonly (readonly FieldPlan[])[] | undefined
  /** Those of its fields that are required. */
  readonly required: readonly FieldPlan[]
  /** Those of its fields that are late, and those with a record that has such fields. */
  readonly late: readonly FieldPlan[]
  /** The hidden field whose values are the matches in a match that become no records; undefined where nobody counts these. */
  readonly inner?: FieldPlan | undefined
  /** By the places of paths, the hidden fields that say which of them a record matches; none where all records are alike. */
  readonly marks?: readonly FieldPlan[] | undefined
}

/** One field. */
export interface FieldPlan {
  /** Among all fields of a shape, from 0; and among those of its record. */
  readonly number: number
  readonly slot: number
  readonly name: string
  /** With those of the records around it, for messages. */
  readonly fullName: string
  readonly isList: boolean
  readonly kind: KindName | 'record'
  readonly values: Kind
  /** The record that is its value. */
  readonly record: RecordPlan | undefined
  /** Where its value is; the first of several that has one counts. None for a record of an element around. */
  readonly sources: readonly FieldSource[]
  /** Whether its element is to be a document of its own. */
  readonly isStandalone: boolean
  /** Whether the text of elements in its element does not belong to it. */
  readonly isOwn: boolean
  readonly pick: 'first' | 'last' | 'newest'
  readonly unless: Condition | undefined
  /** Whether an empty value is absent, or under which condition. */
  readonly isEmptyAbsent: boolean | Condition
  /** Whether a record without it is an error. */
  readonly isRequired: boolean
  readonly isLate: boolean
  /** Whether it is not in the record. */
  readonly isHidden: boolean
  /** The condition on a child of which it says whether it holds (`entry[title]`); undefined for the fields of a shape. */
  readonly condition: ChildCondition | undefined
  readonly isUnique: boolean
  /** Its value if there is none. */
  readonly default: ValueField['default']
  readonly error: FieldError | undefined
}

/** The name of a kind, with its parameters. */
type KindName = ValueKind | `${ValueKind}(${string})`

/** Where a value is. */
export interface FieldSource {
  /** The elements; undefined for the one that the record is made of. */
  readonly path: Path | undefined
  /** What is taken of them. */
  readonly takes: 'content' | 'name' | 'attribute'
  /** The name of the attribute; undefined if it takes none. */
  readonly attribute: NamePattern | undefined
  /** The elements in those of `path` that are values with names (`children`); and those whose text does not belong to a value (`own`). */
  readonly members?: Path
  readonly holes?: Path
}

/** The fields of a record that are in what is delivered. */
export function writtenFields({ fields }: RecordPlan): FieldPlan[] {
  return fields.filter(({ isHidden }) => !isHidden)
}

/**
 * The fields that lead to a value: those of records in records by their names with dots between them, though a name may have dots in it, too. `fail` makes
 * the error for an unknown name, of the full names of those that are known.
 */
export function findFields(plan: RecordPlan, name: string, fail: (known: string[]) => Error): FieldPlan[] {
  let known: readonly FieldPlan[] = []
  const find = (record: RecordPlan, rest: string): FieldPlan[] | undefined => {
    known = record.fields.filter((field) => !field.condition && field !== plan.inner && !plan.marks?.includes(field))
    const exact = known.find((field) => field.name === rest)
    if (exact) return [exact]
    for (const field of known) {
      const isAround = field.record && rest.startsWith(`${field.name}.`)
      const inner = isAround && find(field.record, rest.slice(field.name.length + 1))
      if (inner) return [field, ...inner]
    }
    return undefined
  }
  const found = find(plan, name)
  if (!found) throw fail(known.map(({ fullName }) => fullName))
  return found
}

/** The element that a record is made of. */
const OWN_CONTENT: FieldSource = { path: undefined, takes: 'content', attribute: undefined }
const VALUE_KEYS = [
  'path',
  'firstOf',
  'as',
  ...PARAMETERS,
  'standalone',
  'own',
  'pick',
  'unless',
  'empty',
  'required',
  'late',
  'hidden',
  'default',
]
/** Those of fields of our own. */
const INTERNAL_KEYS = ['onRequest', 'unique', 'error']
const RECORD_KEYS = ['of', 'fields', 'oneOf', 'pick', 'unless', 'empty', 'required', 'late', 'hidden']
const OUTER_KEYS = ['outer', 'fields', 'required', 'hidden']
const NAME_OF = 'name()'
/** What a path takes of its elements, if not their text. */
const LAST = /(?<=^|\/)(?:@(?:\{[^{}]*\})?[^/[\]{}]*|name\(\))$/u

/** A shape as an object, or as a map where its fields have an order that an object cannot have: there, names that are whole numbers come first. */
export type OrderedShape = XmlShape | ReadonlyMap<string, FieldShape | readonly FieldShape[]>

/** What is to be known of the elements that records are made of, beside the fields of a shape. */
interface HiddenFields {
  /** The conditions on their children. */
  readonly children?: readonly ChildCondition[] | undefined
  /** Whether matches in them are counted. */
  readonly countsInner?: boolean | undefined
  /** How many paths there are, if it is to be known which of them a record matches. */
  readonly marks?: number | undefined
}

/** The plan of a shape, with the fields that are hidden. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for an invalid shape. */
export function planShape(
  shape: OrderedShape,
  names: PathNames = {},
  { children = [], countsInner = false, marks: paths = 0 }: HiddenFields = {},
): RecordPlan {
  const planner = new Planner(names)
  const plan = planner.record(shape, { prefix: '' })
  const fields = [...plan.fields]
  const add = (field: FieldPlan) => {
    fields.push(field)
    return field
  }
  for (const child of children) add(planner.condition(child, fields.length))
  const inner = countsInner ? add(planner.presence(fields.length, true)) : undefined
  const marks = Array.from({ length: paths }, () => add(planner.presence(fields.length, false)))
  return { ...plan, fields, inner, marks }
}

/** That of a record without fields. */
export const NO_FIELDS: RecordPlan = {
  number: 0,
  fields: [],
  owner: undefined,
  outer: undefined,
  keys: [],
  empty: {},
  options: undefined,
  required: [],
  late: [],
}

/** What is known of a record before its fields are. */
interface Place {
  /** The names of the fields around it. */
  readonly prefix: string
  readonly owner?: FieldPlan
  readonly outer?: Path
}

/** What a field is called, and where it is. */
type FieldPlace = Pick<FieldPlan, 'name' | 'fullName' | 'slot' | 'isList'>

/** What fields are unless their shape says otherwise. All properties are here: an object that gets others when it is copied takes thirty times as long. */
const USUAL = {
  number: 0,
  slot: 0,
  name: '',
  fullName: '',
  isList: false,
  kind: 'string',
  values: kindOf('string'),
  record: undefined,
  sources: [],
  isStandalone: false,
  isOwn: false,
  pick: 'first',
  unless: undefined,
  isEmptyAbsent: false,
  isRequired: false,
  isLate: false,
  isHidden: false,
  condition: undefined,
  isUnique: false,
  default: undefined,
  error: undefined,
} as const

/** The record of a field is known after the field. */
interface MutableRecord {
  record: RecordPlan | undefined
}

class Planner {
  readonly #names: PathNames
  #records = 0
  #fields = 0
  /** Whether there is an error that says in which field it is. */
  #hasField = false

  constructor(names: PathNames) {
    this.#names = names
  }

  record(shape: unknown, { prefix, owner, outer }: Place): RecordPlan {
    const entries = isPlainObject(shape) ? (shape instanceof Map ? [...shape] : Object.entries(shape)) : []
    // Without fields, it must be an object that could have some: a promise or a set has none either.
    if (entries.length === 0 && Object.prototype.toString.call(shape) !== '[object Object]') {
      throw shapeError(TypeError, `fields must be an object with a path for each field, not ${describeValue(shape)}`)
    }
    const fields: FieldPlan[] = []
    const empty: RecordValues = {}
    const plan = {
      number: this.#records++,
      fields,
      owner,
      outer,
      keys: [] as FieldPlan[],
      empty,
      options: undefined as (readonly FieldPlan[])[] | undefined,
      required: [] as FieldPlan[],
      late: [] as FieldPlan[],
    }
    for (const [name, given] of entries) {
      if (name === '__proto__') throw shapeError(RangeError, 'a field cannot be named __proto__')
      if (isOnRequest(given)) continue
      const field = this.#field(name, `${prefix}${name}`, given, fields.length)
      fields.push(field)
      if (field.isHidden) continue
      if (field.isRequired) plan.required.push(field)
      if (field.isLate || (field.record?.late.length ?? 0) > 0) plan.late.push(field)
      empty[name] = field.default
    }
    return plan
  }

  /** Says whether an element has a child. */
  condition(condition: ChildCondition, slot: number): FieldPlan {
    const path = Path.childOf(undefined, condition.element)
    const place = { name: '', fullName: '', slot, isList: false }
    const sources = [{ ...OWN_CONTENT, path }]
    return this.#plan(place, { kind: 'present', sources, isHidden: true, condition })
  }

  /** Has a value for each match in a match, or where a record matches a path. The automaton knows where that is: its path is that of the records. */
  presence(slot: number, isList: boolean): FieldPlan {
    return this.#plan({ name: '', fullName: '', slot, isList }, { kind: 'present', isHidden: true })
  }

  #field(name: string, fullName: string, given: unknown, slot: number): FieldPlan {
    const isList = Array.isArray(given)
    const shape = (isList ? given[0] : given) as FieldShape
    const place = { name, fullName, slot, isList }
    try {
      if (isList && given.length !== 1) {
        throw new RangeError(`an array of ${given.length} paths; use an array with one path to get all values`)
      }
      if (typeof shape === 'object' && shape !== null && !Array.isArray(shape)) {
        if ('of' in shape) return this.#recordField(shape, place)
        if ('outer' in shape) return this.#outerField(shape, place)
        return this.#valueField(shape as ValueField, place)
      }
      return this.#valueField({ path: shape as string }, place)
    } catch (error) {
      if (this.#hasField) throw error
      this.#hasField = true
      throw shapeError(error instanceof TypeError ? TypeError : RangeError, (error as Error).message, fullName)
    }
  }

  #valueField(shape: ValueField, place: FieldPlace): FieldPlan {
    requireKeys(shape, INTERNAL in shape ? [...VALUE_KEYS, ...INTERNAL_KEYS] : VALUE_KEYS)
    const { as = 'string', own = false, pick = 'first', unless, empty, late = false, hidden = false } = shape
    const kind = nameKind(as, shape) as KindName
    const isStandalone = requireBoolean('standalone', shape.standalone ?? false)
    requireBoolean('onRequest', shape.onRequest ?? false)
    if (isStandalone && kind !== 'xml') throw new TypeError('standalone is for the kind xml')
    if (!KIND_NAMES.includes(as))
      throw new RangeError(`as must be one of ${KIND_NAMES.join(', ')}, not ${describeValue(as)}`)
    if (!['first', 'last'].includes(pick)) {
      throw new RangeError(`pick must be first or last, not ${describeValue(pick)}`)
    }
    const isOwn = requireBoolean('own', own)
    const sources = this.#sources(shape, kind, place.isList)
    const hasInner = isOwn || kind === 'children'
    return this.#plan(place, {
      kind,
      sources: hasInner ? sources.map((source) => addInner(source, kind, isOwn)) : sources,
      isStandalone,
      isOwn,
      pick,
      unless: this.#condition(unless),
      isEmptyAbsent: this.#emptiness(empty),
      isRequired: this.#isRequired(shape, place),
      isLate: requireBoolean('late', late),
      isHidden: requireBoolean('hidden', hidden),
      isUnique: shape.unique ?? false,
      default: this.#default(shape, kind, place),
      error: shape.error,
    })
  }

  /** Where a value is. */
  #sources({ path, firstOf, pick }: ValueField, kind: KindName, isList: boolean): FieldSource[] {
    if (path !== undefined && firstOf !== undefined) throw new TypeError('path and firstOf cannot be used together')
    if (isList && (firstOf || pick)) throw new TypeError('firstOf and pick are for one value, not for all')
    if (firstOf !== undefined && (!Array.isArray(firstOf) || firstOf.length === 0)) {
      throw new TypeError(`firstOf must be an array of paths, not ${describeValue(firstOf)}`)
    }
    if (kind === 'rest') {
      if (path === undefined && !firstOf && !isList) return [OWN_CONTENT]
      throw new TypeError('rest is for the record itself: use it without a path, and without an array')
    }
    const sources = (firstOf ?? [path]).map((text) => this.#source(text))
    if (kindOf(kind).of !== 'elements' || sources.every(({ takes }) => takes === 'content')) return sources
    throw new TypeError(`the kind ${kind} is for elements, not for attributes and names`)
  }

  #condition(unless: string | undefined): Condition | undefined {
    return unless === undefined ? undefined : parseCondition(unless, this.#names)
  }

  #isRequired({ required = false, hidden }: ValueField | RecordField | OuterField, { isList }: FieldPlace): boolean {
    if (requireBoolean('required', required) && (isList || hidden)) {
      throw new TypeError(`required is not for ${isList ? 'all values: a list may be empty' : 'hidden fields'}`)
    }
    return required
  }

  #default({ default: preset, required }: ValueField, kind: KindName, { isList }: FieldPlace): ValueField['default'] {
    if (preset === undefined) return undefined
    if (isList || required) throw new TypeError('default is not for lists and required fields')
    // A text that is the value says what the kind has.
    const text = preset instanceof Date ? (Number.isNaN(preset.getTime()) ? '' : preset.toISOString()) : String(preset)
    const { of, parse } = kindOf(kind)
    const value = of === 'texts' ? parse(text) : undefined
    if (typeof value === typeof preset && value?.valueOf() === preset.valueOf()) return preset
    throw new TypeError(`default must be a value of the kind ${kind}, not ${describeValue(preset)}`)
  }

  #emptiness(empty: ValueField['empty']): boolean | Condition {
    if (empty === undefined) return false
    if (empty === 'absent') return true
    if (!isPlainObject(empty)) {
      throw new TypeError(`empty must be "absent" or { absentIf }, not ${describeValue(empty)}`)
    }
    requireKeys(empty, ['absentIf'])
    return parseCondition((empty as { absentIf: unknown }).absentIf, this.#names)
  }

  #recordField(shape: RecordField, place: FieldPlace): FieldPlan {
    requireKeys(shape, RECORD_KEYS)
    const { of, fields, oneOf, pick = 'first', unless, empty, late = false, hidden = false } = shape
    if (oneOf !== undefined && (fields !== undefined || place.isList)) {
      throw new TypeError('oneOf is for one record, without fields')
    }
    if (empty !== undefined && (empty !== 'absent' || !place.isList)) {
      throw new TypeError('empty of records must be "absent", in an array')
    }
    const source = this.#source(of)
    if (source.takes !== 'content') throw pathError(of, 'the path of a record must lead to elements')
    if (place.isList && shape.pick) throw new TypeError('pick is for one record, not for all')
    const newest = isPlainObject(pick) ? pick.newest : undefined
    if (newest === undefined && pick !== 'first' && pick !== 'last') {
      throw new TypeError(`pick must be first, last or { newest: [field, …] }, not ${describeValue(pick)}`)
    }
    const field = this.#plan(place, {
      kind: 'record',
      sources: [source],
      pick: newest ? 'newest' : (pick as 'first' | 'last'),
      unless: this.#condition(unless),
      isEmptyAbsent: empty === 'absent',
      isRequired: this.#isRequired(shape, place),
      isLate: requireBoolean('late', late),
      isHidden: requireBoolean('hidden', hidden),
    })
    const inside = { prefix: `${place.fullName}.`, owner: field }
    const record = oneOf === undefined ? this.record(fields, inside) : this.#oneOf(oneOf, inside)
    field.record = record
    if (newest) (record.keys as FieldPlan[]).push(...keysOf(record, newest))
    return field
  }

  /** A record that is one of several: its plan has the fields of all. */
  #oneOf(shapes: readonly XmlShape[], place: Place): RecordPlan {
    if (!Array.isArray(shapes) || shapes.length === 0) {
      throw new TypeError(`oneOf must be an array of shapes, not ${describeValue(shapes)}`)
    }
    const names = shapes.flatMap((shape) => Object.keys(shape))
    if (new Set(names).size < names.length)
      throw new TypeError('the shapes of oneOf must have fields of different names')
    const record = this.record(Object.assign({}, ...shapes), place)
    if (record.late.length > 0) throw new TypeError('fields of oneOf cannot be late')
    if (record.fields.length < names.length) throw new TypeError('fields of oneOf cannot be onRequest')
    const fieldOf = (name: string) => record.fields.find((field) => field.name === name) as FieldPlan
    const options = shapes.map((shape) => Object.keys(shape).map(fieldOf))
    return Object.assign(record, { options, empty: {} })
  }

  #outerField(shape: OuterField, place: FieldPlace): FieldPlan {
    requireKeys(shape, OUTER_KEYS)
    const { name, fullName, isList } = place
    if (isList) throw new TypeError('there is only one element around it; use outer without an array')
    if (fullName !== name) throw new TypeError('outer is for the fields of the shape itself')
    const isHidden = requireBoolean('hidden', shape.hidden ?? false)
    const field = this.#plan(place, { kind: 'record', isRequired: this.#isRequired(shape, place), isHidden })
    const outer = new Path(shape.outer, false, this.#names)
    if (outer.children.length > 0) throw childError(shape.outer)
    field.record = this.record(shape.fields, { prefix: `${fullName}.`, owner: field, outer })
    // What is read of it until a record ends is copied for each record.
    const other = field.record.fields.find(({ isList, kind }) => isList || kind === 'record')
    if (other) throw new TypeError(`${other.name}: the fields of outer must be single values, and no records`)
    return field
  }

  #plan(place: FieldPlace, given: Partial<FieldPlan> & Pick<FieldPlan, 'kind'>): FieldPlan & MutableRecord {
    return { ...USUAL, ...place, ...given, number: this.#fields++, values: kindOf(given.kind) }
  }

  #source(text: unknown): FieldSource {
    if (typeof text !== 'string') throw pathError(text, 'it is not a string')
    if (/^\/(?!\/)/.test(text)) throw pathError(text, 'the path of a field starts at the element, without "/"')
    if (text === '') throw pathError(text, 'it is empty')
    const [last = ''] = LAST.exec(text) ?? []
    const path = this.#steps(last === '' ? text : trimSteps(text.slice(0, -last.length)))
    if (last === '') return { path, takes: 'content', attribute: undefined }
    if (last === NAME_OF) return { path, takes: 'name', attribute: undefined }
    return { path, takes: 'attribute', attribute: parseAttributeName(last.slice(1), text, this.#names) }
  }

  /** A path from the element of the record; undefined for that element. */
  #steps(text: string): Path | undefined {
    return text === '' || text === '.' ? undefined : new Path(text, true, this.#names)
  }
}

/** Whether a field of a shape is given only where it is asked for (pick.ts). */
export function isOnRequest(given: unknown): boolean {
  const one: { readonly onRequest?: unknown; readonly [INTERNAL]?: unknown } | null | undefined = Array.isArray(given)
    ? given[0]
    : given
  return one?.onRequest === true && one[INTERNAL] === true
}

/** Whether it is enough for a value that its element or attribute is there: what it contains is not looked at. */
export function isPresence({ kind, isEmptyAbsent }: FieldPlan): boolean {
  return kind === 'offset' || (kind === 'present' && isEmptyAbsent === false)
}

/** Whether `xsi:nil` on its element makes its value null. Other kinds say what the element has. */
export function isNillable({ kind, values }: FieldPlan): boolean {
  return kind === 'record' || kind === 'byteLength' || values.of === 'texts'
}

/** Whether elements of its value are read once more, from their text. */
export function isReadAgain({ kind, isStandalone }: FieldPlan): boolean {
  return kind === 'rest' || kind === 'object' || isStandalone
}

function addInner(source: FieldSource, kind: KindName, isOwn: boolean): FieldSource {
  const child = Path.childOf(source.path)
  if (kind !== 'children') return { ...source, holes: child }
  return { ...source, members: child, ...(isOwn && { holes: Path.childOf(child) }) }
}

/** The steps before `@id` or `name()`: `a` for `a/@id`. For `a//@id`, steps that match the same as `a/**`. */
function trimSteps(text: string): string {
  return text.endsWith('//') ? `${text}**` : text.replace(/\/$/, '')
}

/** The fields by which records are compared. */
function keysOf({ fields }: RecordPlan, newest: readonly string[]): FieldPlan[] {
  if (!Array.isArray(newest) || newest.length === 0) {
    throw new TypeError(`newest must be an array of fields, not ${describeValue(newest)}`)
  }
  return newest.map((name) => {
    const field = fields.find((one) => one.name === name)
    const known = fields.map((one) => one.name)
    if (!field) throw new RangeError(unknownName('field', String(name), known))
    if (field.isList || field.values.of !== 'texts') throw new TypeError(`the field ${name} cannot be compared`)
    return field
  })
}

function requireKeys(shape: object, known: readonly string[]): void {
  const unknown = Object.keys(shape).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new TypeError(unknownName('property', unknown, known))
}

/** What is said of a name that is none of those that there are. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  const advice = nearest === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${nearest}?`
  return `unknown ${what} ${name}: ${advice}`
}

function requireBoolean(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, not ${describeValue(value)}`)
  return value
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shapeError(type: typeof TypeError | typeof RangeError, message: string, field?: string): Error {
  return withCode(new type(field === undefined ? message : `the field ${field}: ${message}`), 'invalid-option')
}
