// What the kernel writes of pages and revisions as lines of JSON, and what filters and counts see of those lines. What is not as it usually is, is
// left to those who make objects (page.ts, revision.ts): what they make is what stands in lines.

import { type LineColumn, LineForm } from '../xml/output/line-form.ts'
import type { ObjectWriter } from '../xml/output/objects.ts'
import type { FieldPlan, RecordPlan } from '../xml/projection/plan.ts'
import { parseAddedField, type RecordKind } from './added-fields.ts'
import type { LineChoice } from './chosen-fields.ts'
import { type Contributor, makeContributor } from './contributor.ts'
import { NoteBit } from './line-output.ts'
import type { PageRevisionTraits, PageTraits } from './page-lines.ts'
import { type WrittenFields, WrittenPage, WrittenPageRevision } from './written-traits.ts'

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

type Steps = ReadonlyMap<string, readonly FieldPlan[]>

export class PageForm {
  readonly form: LineForm
  readonly #writer: ObjectWriter<object>
  readonly #contributor: readonly FieldPlan[]
  /** All fields of pages. */
  readonly #ofPage: readonly FieldPlan[]
  /** Of a page the field that has its revision, or of a revision the one that has its page. */
  readonly #other: FieldPlan
  /** By the keys of columns, the fields that lead to them. */
  readonly #steps: { readonly page: Steps; readonly revision: Steps }

  /** `plan` is that of pages, or of revisions; `choice` is what to write: all as JSON unless it is given. */
  constructor(writer: ObjectWriter<object>, plan: RecordPlan, choice?: LineChoice) {
    this.#writer = writer
    const { all, other, contributor, ofPage, ofRevision, isOfPages } = columnsOf(plan)
    this.#other = other
    this.#contributor = contributor
    this.#steps = { page: stepsOf(ofPage), revision: stepsOf(ofRevision) }
    this.#ofPage = isOfPages ? plan.fields : (other.record?.fields ?? [])
    const { fields, notation, isSafe } = choice ?? {}
    const addedOf = (text: string): LineColumn | undefined => {
      const added = parseAddedField(isOfPages ? 'pages' : 'revisions', text)
      if (!added) return undefined
      const inner = other.record as RecordPlan
      const steps = added.isOfOther ? [other, fieldOf(inner, added.key)] : [fieldOf(plan, added.key)]
      return { key: added.name, steps, as: 'text' }
    }
    const columns = fields ? chosenOf(all, fields, addedOf) : all
    this.form = new LineForm({ columns, format: notation?.mode ?? 'object', isSafe })
  }

  /** The id of a page that the kernel has written. */
  idOf(page: number): number {
    return this.#numberOf(this.#entryOf('page', page, 'id'))
  }

  /** What filters look at of a page that the kernel has written. */
  traitsOf(page: number): PageTraits {
    return new WrittenPage(this.#fieldsOf(page, this.otherOf(page)))
  }

  /** The same of a revision, of a page. */
  traitsOfRevision(revision: number, page: PageRevisionTraits['page']): PageRevisionTraits {
    return new WrittenPageRevision(this.#fieldsOf(0, revision), page)
  }

  /** The revision of a page, or the page of a revision; 0 for none. */
  otherOf(record: number): number {
    return this.#writer.entryOf(record, this.#other)
  }

  /** Whether two records of pages have the same fields: where the revisions of a page find it at different times, it may have more. */
  isSamePage(page: number, other: number): boolean {
    return this.#ofPage.every((field) => this.#writer.entryOf(page, field) === this.#writer.entryOf(other, field))
  }

  #fieldsOf(page: number, revision: number): WrittenFields {
    const entries = { page, revision }
    const has = (of: 'page' | 'revision', name: string) => this.#entryOf(of, entries[of], name) !== 0
    const textOf = (of: 'page' | 'revision', name: string) => {
      const field = this.#steps[of].get(name)?.[0] as FieldPlan
      return has(of, name) ? (this.#writer.valueOf(entries[of], field) as string) : undefined
    }
    const contributorOf = () => this.#contributorOf(revision)
    return {
      has,
      textOf,
      hasRevision: revision !== 0,
      get contributor() {
        return contributorOf()
      },
    }
  }

  #contributorOf(revision: number): Contributor | undefined {
    const entry = this.#entryOf('revision', revision, 'contributor')
    if (entry === 0) return undefined
    const values = this.#contributor.map((one) => {
      if (this.#writer.entryOf(entry, one) === 0) return [one.name, undefined]
      return [one.name, one.kind === 'present' ? true : this.#writer.valueOf(entry, one)]
    })
    return makeContributor(Object.fromEntries(values), { start: 0 })
  }

  /** The value of an entry that is a number; 0 for none. */
  #numberOf(entry: number): number {
    const range = entry === 0 ? undefined : this.#writer.rangeOf(entry)
    if (!range) return 0
    let number = 0
    const { bytes, from, end } = range
    const isNegative = bytes[from] === MINUS
    for (let i = isNegative ? from + 1 : from; i < end; i++) number = 10 * number + (bytes[i] as number) - ZERO
    return isNegative ? -number : number
  }

  #entryOf(of: 'page' | 'revision', record: number, name: string): number {
    return this.#follow(record, this.#steps[of].get(name) ?? [])
  }

  /** The entry to which fields lead; 0 for none. */
  #follow(record: number, steps: readonly FieldPlan[]): number {
    let entry = record
    for (let i = 0; i < steps.length && entry !== 0; i++) entry = this.#writer.entryOf(entry, steps[i] as FieldPlan)
    return entry
  }
}

/** Columns of lines of pages, or of revisions. */
export interface PageColumns {
  /** All that is written, in order. */
  readonly all: readonly LineColumn[]
  readonly ofPage: readonly LineColumn[]
  readonly ofRevision: readonly LineColumn[]
  /** Of a page the field that has its revision, or of a revision the one that has its page. */
  readonly other: FieldPlan
  /** The fields of contributors. */
  readonly contributor: readonly FieldPlan[]
  readonly isOfPages: boolean
}

/** Those of the plan of pages, or of revisions. */
export function columnsOf(plan: RecordPlan): PageColumns {
  const revisionField = plan.fields.find(({ name }) => name === 'revision')
  const isOfPages = revisionField !== undefined
  const other = revisionField ?? fieldOf(plan, 'page')
  const inner = other.record as RecordPlan
  const [pagePlan, revisionPlan] = isOfPages ? [plan, inner] : [inner, plan]
  const ofPage = PAGE_FIELDS.map((name) => columnOf(pagePlan, name))
  const ofRevision = REVISION_FIELDS.map((name) => columnOf(revisionPlan, name))
  const pageColumns = [...refused(pagePlan), ...ofPage]
  const revisionColumns = [...refused(revisionPlan), ...ofRevision]
  const nested = { key: other.name, steps: [other], as: 'object' } as const
  const all = isOfPages
    ? [...pageColumns, { ...nested, columns: revisionColumns, note: NoteBit.REVISION }]
    : // Its page comes first.
      [{ ...nested, columns: pageColumns }, ...revisionColumns]
  const contributor = fieldOf(revisionPlan, 'contributor').record?.fields ?? []
  return { all, ofPage, ofRevision, other, contributor, isOfPages }
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

const MINUS = 0x2d
const ZERO = 0x30

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

function stepsOf(columns: readonly LineColumn[]): Steps {
  return new Map(columns.map(({ key, steps }) => [key, steps]))
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
