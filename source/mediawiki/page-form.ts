// What the kernel writes of pages and revisions as lines of JSON. What is not as it usually is, is left to those who make objects (page.ts, revision.ts):
// what they make is what stands in lines.

import { type LineColumn, LineForm } from '../xml/output/line-form.ts'
import type { FieldPlan, RecordPlan } from '../xml/question/plan.ts'
import { parseAddedField, type RecordKind } from './added-fields.ts'
import type { LineChoice } from './chosen-fields.ts'
import { NoteBit } from './line-output.ts'

/** Fields of a page before its revision, and of a revision, in the order in which they are written. */
const PAGE_FIELDS = ['id', 'ns', 'title', 'redirect', 'restrictions']
const REVISION_FIELDS = [
  'id',
  'parentid',
  'timestamp',
  'contributor',
  'minor',
  'comment',
  'origin',
  'model',
  'format',
  'bytes',
  'sha1',
  'location',
  'textid',
  'text',
]
/** Fields that are numbers. */
const NUMBERS = ['id', 'ns', 'parentid', 'origin', 'bytes', 'textid']
/** Fields that are read of the element `text`. */
const OF_CONTENT = ['bytes', 'location', 'textid']
/** Fields that every page and every revision has. */
const REQUIRED = ['id', 'title']
/** Fields that most pages and revisions do not have. */
const UNUSUAL = ['other', 'uploads', 'discussion', 'thread', 'slots']

/** Fields by which pages and revisions are counted. */
const NOTES: ReadonlyMap<string, number> = new Map([
  ['redirect', NoteBit.REDIRECT],
  ['bytes', NoteBit.BYTES],
  ['text', NoteBit.TEXT],
])

/** What the kernel writes of pages, or of revisions, by their plan. `choice` is what to write: all as JSON unless it is given. */
export function lineFormOf(plan: RecordPlan, choice?: LineChoice): LineForm {
  const { all, other, isOfPages } = columnsOf(plan)
  const { fields, notation, isSafe } = choice ?? {}
  const addedOf = (text: string): LineColumn | undefined => {
    const added = parseAddedField(isOfPages ? 'pages' : 'revisions', text)
    if (!added) return undefined
    const inner = other.record as RecordPlan
    const steps = added.isOfOther ? [other, fieldOf(inner, added.key)] : [fieldOf(plan, added.key)]
    return { key: added.name, steps, as: 'text' }
  }
  const columns = fields ? chosenOf(all, fields, addedOf) : all
  return new LineForm({ columns, format: notation?.mode ?? 'object', isSafe })
}

/** Columns of lines of pages, or of revisions. */
interface PageColumns {
  /** All that is written, in order. */
  readonly all: readonly LineColumn[]
  /** Of a page the field that has its revision, or of a revision the one that has its page. */
  readonly other: FieldPlan
  readonly isOfPages: boolean
}

/** Those of the plan of pages, or of revisions. */
function columnsOf(plan: RecordPlan): PageColumns {
  const revisionField = plan.fields.find(({ name }) => name === 'revision')
  const isOfPages = revisionField !== undefined
  const other = revisionField ?? fieldOf(plan, 'page')
  const inner = other.record as RecordPlan
  const [pagePlan, revisionPlan] = isOfPages ? [plan, inner] : [inner, plan]
  const pageColumns = [...refused(pagePlan), ...PAGE_FIELDS.map((name) => columnOf(pagePlan, name))]
  const revisionColumns = [...refused(revisionPlan), ...REVISION_FIELDS.map((name) => columnOf(revisionPlan, name))]
  const nested = { key: other.name, steps: [other], as: 'object' } as const
  const all = isOfPages
    ? [...pageColumns, { ...nested, columns: revisionColumns, note: NoteBit.REVISION }]
    : // Its page comes first.
      [{ ...nested, columns: pageColumns }, ...revisionColumns]
  return { all, other, isOfPages }
}

function columnOf(plan: RecordPlan, name: string): LineColumn {
  const content = OF_CONTENT.includes(name) ? fieldOf(plan, 'content') : undefined
  const field = fieldOf(content?.record ?? plan, name)
  const steps = content ? [content, field] : [field]
  if (name === 'contributor') {
    return { key: name, steps, as: 'object', columns: contributorColumns(field.record?.fields ?? []) }
  }
  if (name === 'minor') return { key: name, steps, as: 'true' }
  const as = NUMBERS.includes(name) ? 'integer' : 'text'
  const note = NOTES.get(name)
  return { key: name, steps, as, isRequired: REQUIRED.includes(name), ...(note !== undefined && { note }) }
}

/** Of a suppressed contributor nothing else is written, and of one with an address no name. */
function contributorColumns(fields: readonly FieldPlan[]): LineColumn[] {
  const columnOf = (name: string, as: LineColumn['as'], more: Partial<LineColumn> = {}): LineColumn => {
    return { key: name, steps: fields.filter((field) => field.name === name), as, ...more }
  }
  return [
    columnOf('deleted', 'true', { endsObject: true, note: NoteBit.DELETED_CONTRIBUTOR }),
    columnOf('ip', 'text', { endsObject: true }),
    columnOf('username', 'text', { isRequired: true }),
    columnOf('id', 'integer'),
  ]
}

/** The columns of some fields, by their dotted names, after all others that show what is wrong with a page or a revision. */
function chosenOf(
  columns: readonly LineColumn[],
  fields: readonly string[],
  addedOf: (field: string) => LineColumn | undefined,
): LineColumn[] {
  const chosen = fields.flatMap((name) => {
    const added = addedOf(name)
    if (added) return [added]
    const [first, second] = name.split('.')
    const column = columns.find(({ key }) => key === first)
    const inner = column?.columns?.find(({ key }) => key === second)
    if (second === undefined) return column ? [column] : []
    return column && inner ? [{ ...inner, key: name, steps: [...column.steps, ...inner.steps] }] : []
  })
  const others = columns
    .filter(isSeen)
    .map((column) => ({ ...withoutTexts(column), isSilent: column.as !== 'refused' }))
  return [...others, ...chosen]
}

/** Whether something can be wrong with a field, or is counted by it: texts are always good. */
function isSeen({ as, isRequired, endsObject, note }: LineColumn): boolean {
  return as !== 'text' || isRequired === true || endsObject === true || note !== undefined
}

/** The same column where nothing of it is written. */
function withoutTexts(column: LineColumn): LineColumn {
  const { columns, as } = column
  if (as === 'text') return { ...column, as: 'seen' }
  return columns ? { ...column, columns: columns.filter(isSeen).map(withoutTexts) } : column
}

/**
 * Whether the kernel can write chosen fields of pages, or of revisions: not those of contributors, which depend on each other, and not
 * those that most pages do not have. Of revisions, the fields of their pages come first.
 */
export function canChoose(kind: RecordKind, fields: readonly string[]): boolean {
  const isOfRevision = (name: string) => {
    const added = parseAddedField(kind, name)
    return added ? !added.isOfOther : REVISION_FIELDS.includes(name)
  }
  if (kind === 'revisions') {
    const first = fields.findIndex((name) => !isOfPage(name))
    const isKnown = (name: string) => name === 'page' || PAGE_FIELDS.includes(name.slice('page.'.length))
    return first !== -1 && fields.slice(0, first).every(isKnown) && fields.slice(first).every(isOfRevision)
  }
  return fields.every((name) => {
    if (parseAddedField(kind, name)) return true
    const isOfItsRevision = name.startsWith('revision.') && isOfRevision(name.slice('revision.'.length))
    return PAGE_FIELDS.includes(name) || name === 'revision' || isOfItsRevision
  })
}

/** Whether a field of a revision is one of its page. */
export function isOfPage(name: string): boolean {
  return name === 'page' || name.startsWith('page.')
}

/** What the kernel does not write. What is only known to be there is not written at all. */
function refused({ fields }: RecordPlan): LineColumn[] {
  return fields
    .filter(({ name, kind }) => UNUSUAL.includes(name) && kind !== 'present')
    .map((field) => ({ key: field.name, steps: [field], as: 'refused' }))
}

function fieldOf({ fields }: RecordPlan, name: string): FieldPlan {
  return fields.find((field) => field.name === name) as FieldPlan
}
