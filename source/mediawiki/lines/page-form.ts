// What is read of pages and revisions whose lines are to have some of their fields, and what the kernel writes of them.

import type { LineFormOptions } from '../../xml/question/line-form.ts'
import { pick, withRequested } from '../../xml/question/pick.ts'
import type { XmlShape } from '../../xml/question/shape.ts'
import { addFields, nameOfField, OTHER, parseAddedField, type RecordKind } from './added-fields.ts'
import type { LineChoice } from './chosen-fields.ts'
import type { LineFilter } from './page-lines.ts'
import { SUPPRESSION } from './traits.ts'

/** Fields of a revision by which its text is compared. */
const COMPARED = ['id', 'bytes', 'sha1', 'text', 'slots']
/** Fields with whatever a dump has in them. */
const OPEN: ReadonlySet<string> = new Set(['discussion', 'other'])
/** Fields by which pages and revisions are counted. */
const COUNTED = ['bytes', 'text', 'contributor']

/** A shape with the field that says whether the text of a revision is suppressed. */
export function withSuppression(kind: RecordKind, shape: XmlShape): XmlShape {
  const field = { path: 'text/@deleted', as: 'present', hidden: true } as const
  if (kind === 'revisions') return { ...shape, [SUPPRESSION]: field }
  const revision = shape.revision as { readonly fields: XmlShape }
  return { ...shape, revision: { ...revision, fields: { ...revision.fields, [SUPPRESSION]: field } } } as XmlShape
}

/** A shape with what is written of records, and what is looked at: `looks` by filters. */
export function chooseFields(
  kind: RecordKind,
  shape: XmlShape,
  choice: LineChoice,
  { counts = true, onRevision }: LineFilter,
  looks: readonly string[],
): XmlShape {
  const { fields, checksAll = false } = choice
  const [ofPage, ofRevision] = kind === 'pages' ? ['', 'revision.'] : ['page.', '']
  const inRevision = (names: readonly string[]) => names.map((name) => ofRevision + name)
  const names = [
    ...fields.map((field) => keysOfField(kind, field).join('.')),
    ...(onRevision ? inRevision(COMPARED) : []),
  ]
  // Messages name the page.
  const looked = [
    `${ofPage}id`,
    `${ofPage}title`,
    ...looks,
    ...(counts ? [`${ofPage}redirect`, ...inRevision(COUNTED)] : []),
  ]
  return addFields(kind, checksAll ? withRequested(shape, names) : pick(shape, names, looked), fields)
}

/** The names of the fields that lead to one of a list. */
function keysOfField(kind: RecordKind, text: string): readonly string[] {
  const added = parseAddedField(kind, text)
  if (!added) return text.split('.')
  return added.isOfOther ? [OTHER[kind], added.key] : [added.key]
}

/** For each field of a list, the name by which it can be said whether a record has it. Items of lists have none, and what is in an open field. */
export function namesToWatch(kind: RecordKind, fields: readonly string[]): (string | undefined)[] {
  return fields.map((text) => {
    const keys = keysOfField(kind, text)
    const isInner = keys.some(
      (key, i) => /^\d+$/.test(key) || (i > 0 && (key.includes('.') || OPEN.has(keys[i - 1] ?? ''))),
    )
    return isInner ? undefined : keys.join('.')
  })
}

/** What the kernel writes of pages, or of revisions: all as JSON, or what is chosen; undefined if it cannot. */
export function lineFormOf(kind: RecordKind, choice?: LineChoice): LineFormOptions | undefined {
  if (!choice) return { format: 'object' }
  const { fields, notation, isSafe, checksAll } = choice
  if (!notation.mode || checksAll || (kind === 'revisions' && !isPageFirst(fields))) return undefined
  const columns = fields.map((text) => ({ key: nameOfField(kind, text), names: keysOfField(kind, text) }))
  return { columns, format: notation.mode, isSafe }
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
