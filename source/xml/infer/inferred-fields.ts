// The fields of inferred records: their names, where they are and how often, and the shape that they make.

import type { FieldShape, ValueField, ValueKind, XmlShape } from '../question/shape.ts'
import type { PathNode } from './path-node.ts'
import { type ElementForm, isBare, onlyAttribute, onlyChild, type ValueForm } from './record-form.ts'
import type { ValueSurvey } from './value-kinds.ts'

/** A field of an inferred shape, and what was seen of it. */
export interface InferredField {
  readonly name: string
  /** From the element of its record; that of `rest` is empty. */
  readonly path: string
  readonly kind: ValueKind | 'record' | 'outer'
  readonly isList: boolean
  /** How many records have it, of how many: for a field in a record in a record, of those. */
  readonly count: number
  readonly of: number
  /** A value, if there is one that is short and can be printed. */
  readonly example: string | undefined
  /** What else is to be said of it. */
  readonly note: string | undefined
  /** Of a record. */
  readonly fields: readonly InferredField[]
}

/** A field without its name. `steps`: what its name is made of. */
interface Draft extends Omit<InferredField, 'name'> {
  readonly steps: readonly string[]
}

/** Where an element lies in its record, below elements that are not fields. */
interface Before {
  readonly steps: readonly string[]
  readonly isList: boolean
  readonly count: number
  readonly of: number
}

/** The name of the field with what no other has. */
export const REST = 'rest'

/** The fields of records. `names`: how many names their elements have; `groups`: elements around them. */
export function inferFields(form: ElementForm, names: number, groups: readonly PathNode[]): InferredField[] {
  const total = form.node.count
  const always = { isList: false, count: total, of: total, example: undefined, note: undefined, fields: [] }
  const drafts: Draft[] = [
    ...(names > 1 ? [{ ...always, steps: ['element'], path: 'name()', kind: 'string' as const }] : []),
    ...groups.flatMap((group) => outerDraft(group, total)),
    ...draftsOf(form),
  ]
  const note = 'what no other field has'
  const rest = { ...always, name: REST, path: '', kind: 'rest' as const, count: 0, note }
  return [...named(drafts, [REST]), rest]
}

function named(drafts: readonly Draft[], reserved: readonly string[] = []): InferredField[] {
  const names = nameFields(
    drafts.map(({ steps }) => steps),
    reserved,
  )
  return drafts.map(({ steps, ...draft }, i) => ({ name: names[i] as string, ...draft }))
}

function draftsOf(form: ElementForm): Draft[] {
  const of = form.node.count
  const before = { steps: [], isList: false, count: of, of }
  const drafts = [...form.attributes].map(([name, value]) => {
    return valueDraft(value, { ...before, count: value.values.count }, `@${name}`, ['attribute', name])
  })
  if (form.text) drafts.push(valueDraft(form.text, { ...before, count: form.text.values.count }, '.', ['text']))
  if (form.isXml) drafts.push({ ...xmlDraft(form.node, before, '.'), steps: ['xml'] })
  for (const child of form.children.values()) {
    const { parents, nils } = child.node
    drafts.push(childDraft(child, { ...before, count: child.isList ? parents : parents - nils }))
  }
  return drafts
}

function childDraft(child: ElementForm, before: Before): Draft {
  const steps = [...before.steps, child.name]
  const isList = before.isList || child.isList
  const inside = { ...before, steps, isList }
  const path = steps.join('/')
  const inner = onlyChild(child)
  if (inner) return childDraft(inner, inside)
  const attribute = onlyAttribute(child)
  if (attribute !== undefined) {
    return valueDraft(child.attributes.get(attribute) as ValueForm, inside, `${path}/@${attribute}`, steps)
  }
  if (isBare(child)) return { ...valueDraft(undefined, inside, path, steps), kind: 'present' }
  const isValue = child.attributes.size === 0 && child.children.size === 0
  if (child.isXml && isValue) return { ...xmlDraft(child.node, inside, path), steps }
  if (isValue) return valueDraft(child.text, inside, path, steps)
  const fields = named(draftsOf(child))
  return { ...valueDraft(undefined, inside, path, steps), kind: 'record', fields }
}

function valueDraft(value: ValueForm | undefined, before: Before, path: string, steps: readonly string[]): Draft {
  const { isList, count, of } = before
  const kind = value?.kind ?? 'string'
  const [example, note] = value ? [value.values.example, noteOf(value.values)] : []
  return { steps, path, kind, isList, count, of, example, note, fields: [] }
}

function noteOf(values: ValueSurvey): string | undefined {
  return values.areOtherDates ? 'dates, which "as": "date" would write in another way' : undefined
}

function xmlDraft({ isCut }: PathNode, before: Before, path: string): Draft {
  const note = isCut ? 'as XML, since it has too many different names' : 'as XML, since it has elements in its text'
  return { ...valueDraft(undefined, before, path, before.steps), kind: 'xml', note }
}

/** What a group says of its own before its records: at most one value. */
function outerDraft(group: PathNode, of: number): Draft[] {
  const [attribute] = group.attributes.keys()
  const [first] = group.children.values()
  const child = first?.hasStructure ? undefined : first
  const path = attribute === undefined ? child?.name : `@${attribute}`
  if (path === undefined) return []
  const values = attribute === undefined ? child?.texts : group.attributes.get(attribute)
  const before = { steps: [], isList: false, count: of, of }
  const inner = { ...valueDraft(undefined, before, path, [path.replace('@', '')]), example: values?.example }
  return [{ ...valueDraft(undefined, before, group.path, [group.name]), kind: 'outer', fields: named([inner]) }]
}

/** The shape that fields make. `isRequired`: whether what all records have is required. */
export function shapeOf(fields: readonly InferredField[], isRequired: boolean): XmlShape {
  return Object.fromEntries(fields.map((field) => [field.name, fieldShape(field, isRequired)]))
}

function fieldShape(field: InferredField, isRequired: boolean): FieldShape | readonly FieldShape[] {
  const { path, kind, isList, count, of, fields } = field
  if (kind === 'outer') return { outer: path, fields: shapeOf(fields, false) }
  if (kind === 'rest') return { as: kind }
  const required = isRequired && !isList && count === of && { required: true }
  if (kind === 'record') {
    const record = { of: path, fields: shapeOf(fields, isRequired), ...required }
    return isList ? [record] : record
  }
  const value: ValueField = { path, ...(kind !== 'string' && { as: kind }), ...required }
  const one = Object.keys(value).length === 1 ? path : value
  return isList ? [one] : one
}

/**
 * A name for each of some fields, short, and different for tables in which case does not count. It is made of the steps of their paths: the last step; where names would be equal, with as many steps before it as it takes; and
 * where that is not enough, with a number. `reserved` are names that none gets.
 */
export function nameFields(paths: readonly (readonly string[])[], reserved: readonly string[] = []): string[] {
  const counts = paths.map(() => 1)
  const nameOf = (i: number) => joinLast(paths[i] as readonly string[], counts[i] as number)
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    const used = new Map<string, number>(reserved.map((name) => [keyOf(name), 1]))
    for (const i of paths.keys()) used.set(keyOf(nameOf(i)), (used.get(keyOf(nameOf(i))) ?? 0) + 1)
    const clashing = [...paths.keys()].filter((i) => (used.get(keyOf(nameOf(i))) as number) > 1)
    for (const i of clashing) {
      if ((counts[i] as number) === paths[i]?.length) continue
      counts[i] = (counts[i] as number) + 1
      isChanged = true
    }
  }
  const used = new Set(reserved.map(keyOf))
  return paths.map((_, i) => {
    const name = nameOf(i)
    let unique = name
    for (let number = 2; used.has(keyOf(unique)); number++) unique = `${name}_${number}`
    used.add(keyOf(unique))
    return unique
  })
}

function joinLast(steps: readonly string[], count: number): string {
  const name = steps
    .slice(-count)
    .map((step) => step.slice(step.lastIndexOf(':') + 1))
    .join('_')
  return name === '' || name === '__proto__' ? 'field' : name
}

function keyOf(name: string): string {
  return name.toLowerCase()
}
