// What is read of pages and revisions of which some fields are to be written, what kinds of values these are, and what the kernel writes of them.

import type { Collector, FormatField } from '../../record/format/format.ts'
import type { LineFormOptions } from '../../xml/question/line-form.ts'
import { pick, withRequested } from '../../xml/question/pick.ts'
import { type FieldPlan, planShape, type RecordPlan } from '../../xml/question/plan.ts'
import type { FieldShape, XmlShape } from '../../xml/question/shape.ts'
import { MARKUP, OURS } from '../shape/fields.ts'
import { PAGE, PAGE_REVISION } from '../shape/page.ts'
import {
  addFields,
  isAddedKey,
  isAddedToWritten,
  keysOfField,
  nameOfField,
  PREFIXES,
  parseAddedField,
  type RecordKind,
} from './added-fields.ts'
import type { LineChoice } from './chosen-fields.ts'

/** Fields with whatever a dump has in them. */
const OPEN: ReadonlySet<string> = new Set(['discussion', 'other'])
/** What a timestamp is as a date. */
const TIME = {
  ...OURS,
  as: 'date',
  empty: 'absent',
  error: { ...MARKUP, invalid: 'a timestamp is not a time of ISO 8601' },
} as const
/** What can be read of each kind of records. */
const SHAPES: Readonly<Record<RecordKind, XmlShape>> = { pages: PAGE, revisions: PAGE_REVISION }

/**
 * What is read of a kind of records: what is written of them, and what filters and counters look at; in what is `checked`, errors count. `hasDates`: whether timestamps are
 * dates, as they are in columns; in lines they are as the dump has them.
 */
export function chooseFields(
  kind: RecordKind,
  { fields, format, checksAll = false }: Partial<LineChoice> = {},
  { looks = [], checked = [] }: { readonly looks?: readonly string[]; readonly checked?: readonly string[] } = {},
  hasDates = fields !== undefined && !format?.notation,
): XmlShape {
  const shape = hasDates ? withDates(SHAPES[kind]) : SHAPES[kind]
  if (!fields) return withRequested(shape, [], looks)
  const [ofPage] = PREFIXES[kind]
  const names = [...fields.map((field) => keysOfField(kind, field).join('.')), ...checked]
  // Messages name the page.
  const looked = [`${ofPage}id`, `${ofPage}title`, ...looks]
  return addFields(kind, checksAll ? withRequested(shape, names, looks) : pick(shape, names, looked), fields)
}

/** A shape with its timestamps as dates: so columns have them, while lines have what is written in the dump. */
function withDates(shape: XmlShape): XmlShape {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, withDate(name, field)]))
}

function withDate(name: string, field: XmlShape[string]): XmlShape[string] {
  if (name === 'timestamp') return { ...(typeof field === 'string' ? { path: field } : field), ...TIME } as FieldShape
  if (Array.isArray(field)) return field.map((one) => withDate('', one) as FieldShape)
  const { fields } = field as { readonly fields?: XmlShape }
  return fields ? ({ ...(field as object), fields: withDates(fields) } as FieldShape) : field
}

/** All fields that conditions may be on. */
export function planConditions(kind: RecordKind): RecordPlan {
  return planShape(chooseFields(kind, undefined, { looks: [`${PREFIXES[kind][1]}size`] }, true))
}

/** Chosen fields as a format knows them, by the shape. */
export function formatFields(
  kind: RecordKind,
  fields: readonly string[] = [],
  format: LineChoice['format'],
): FormatField[] {
  const plan = planShape(chooseFields(kind, { fields, format }))
  return fields.map((text) => ({ ...fieldAt(plan, keysOfField(kind, text)), name: nameOfField(kind, text) }))
}

/** What keys lead to from a record. Where it is in something whose fields no shape knows, it is a text. */
function fieldAt(plan: RecordPlan, keys: readonly string[]): Omit<FormatField, 'name'> {
  let record: RecordPlan | undefined = plan
  let field: Pick<FieldPlan, 'kind' | 'isList' | 'record'> | undefined
  for (const key of keys) {
    if (field?.isList && /^\d+$/.test(key)) field = { ...field, isList: false }
    else field = field?.isList ? undefined : record?.fields.find(({ name }) => name === key)
    record = field?.record
  }
  const { kind = 'string', isList = false } = field ?? {}
  return { kind, isList, record: record && { fields: record.fields.filter(({ name }) => !isAddedKey(name)) } }
}

/** For each field of a list, the name by which it can be said whether a record has it. Items of lists have none, and what is in an open field. */
export function namesToWatch(kind: RecordKind, fields: readonly string[]): (string | undefined)[] {
  return fields.map((text) => {
    const keys = keysOfField(kind, text)
    const isInner = keys.some((key, i) => /^\d+$/.test(key) || OPEN.has(keys[i - 1] ?? ''))
    return isInner ? undefined : keys.join('.')
  })
}

/** What the kernel writes of pages, or of revisions: all of them, or what is chosen; undefined if it cannot. */
export function lineFormOf(
  kind: RecordKind,
  format: Collector<unknown>['writing'],
  { fields, setup, checksAll }: Partial<LineChoice> = {},
): LineFormOptions | undefined {
  if (!format || !fields) return format && { format }
  // A line without its page is put after that.
  const isLine = format !== 'values'
  if (checksAll || isAddedToWritten(kind, fields) || (isLine && kind === 'revisions' && !isPageFirst(fields)))
    return undefined
  const columns = fields.map((text) => ({ key: nameOfField(kind, text), names: keysOfField(kind, text) }))
  return { ...setup, columns, format }
}

/** Whether fields of a revision follow those of its page. */
function isPageFirst(fields: readonly string[]): boolean {
  const first = fields.findIndex((name) => !isOfPage(name))
  const isOfRevision = (name: string) => !isOfPage(name) && !parseAddedField('revisions', name)?.isOfOther
  return first !== -1 && fields.slice(first).every(isOfRevision)
}

/** Whether a field of a revision is one of its page. */
export function isOfPage(name: string): boolean {
  return name === 'page' || name.startsWith('page.')
}
