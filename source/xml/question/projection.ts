// What is wanted of documents, worked out once: the plan of a shape, its paths, and the automaton that follows them. It says nothing of any one
// document, so the latest ones are kept: a program that reads many small documents asks the same of all of them, and working that out would take as
// long as reading one.

import { Path, parsePaths } from './path.ts'
import { NO_FIELDS, type OrderedShape, planShape, type RecordPlan } from './plan.ts'

/** Which of matches in matches are wanted. */
export type Nesting = 'outermost' | 'innermost' | 'all'

/** What is asked of a document. */
export interface Question {
  /** The elements that records are made of. */
  readonly path: string | readonly string[]
  /** What is wanted of each; if it is left out, the element itself. */
  readonly shape?: OrderedShape
  /** What prefixes stand for, if they do not stand for themselves. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined
  readonly nested: Nesting
  /** Elements that are to be known of wherever they are. */
  readonly watch?: string | undefined
  /** Whether reading continues after errors: then it must be known where one of the outermost elements begins in another. */
  readonly recovers?: boolean
  /** Whether it is counted how many matches lie in the outermost ones. */
  readonly countsInner?: boolean | undefined
  /** Whether it is to be known which of several paths a record matches. */
  readonly marksPaths?: boolean
}

/** What is wanted of documents. */
export interface Projection {
  readonly paths: readonly Path[]
  readonly plan: RecordPlan
  readonly nested: Question['nested']
  /** The outermost elements of which something is read; undefined if it is not known which they are. */
  readonly anchors: readonly Path[] | undefined
  readonly watch: readonly Path[]
}

/** So many are kept, the latest first. */
const MOST_KEPT = 16
const kept: { readonly question: Question; readonly projection: Projection }[] = []

/** The answer to a question about no document in particular. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for an invalid path or shape. */
export function projectionOf(question: Question): Projection {
  const place = kept.findIndex((one) => isSame(one.question, question))
  const known = place < 0 ? undefined : kept.splice(place, 1)[0]
  const projection = known?.projection ?? project(question)
  // What is given may be changed later, so a copy of it is kept.
  if (known || isPlain(question)) kept.unshift(known ?? { question: copyOf(question), projection })
  if (kept.length > MOST_KEPT) kept.pop()
  return projection
}

function project(question: Question): Projection {
  const { path, prefixes, nested, watch, countsInner, marksPaths, recovers } = question
  const names = { prefixes }
  const paths = parsePaths(path, names)
  // Whoever gives undefined for a shape has made a mistake.
  const children = paths[0]?.children ?? []
  // Whether an element in a record has a child that the path asks for is not known, so such elements are not counted.
  const hidden = {
    children,
    countsInner: countsInner && nested === 'outermost' && children.length === 0,
    marks: marksPaths ? paths.length : 0,
  }
  const plan = 'shape' in question ? planShape(question.shape, names, hidden) : NO_FIELDS
  const outer = plan.fields.flatMap(({ record }) => record?.outer ?? [])
  const anchors = outer.length > 1 ? undefined : outer.length === 1 ? outer : paths
  const watched = watch === undefined ? [] : [new Path(watch)]
  return { paths, plan, nested, anchors, watch: (recovers && nested === 'outermost' && anchors) || watched }
}

/** Whether plain data is the same, with keys in the same order: that is the order of the fields of records. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other) || !isPlainObject(other))
    return false
  const [keys, otherKeys] = [Object.keys(one), Object.keys(other)]
  return (
    keys.length === otherKeys.length && keys.every((key, i) => key === otherKeys[i] && isSame(one[key], other[key]))
  )
}

function isPlain(value: unknown): boolean {
  return !isObject(value) || (isPlainObject(value) && Object.values(value).every(isPlain))
}

/** Whether all that an object says is in properties of its own: those of classes may say more. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

function copyOf<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyOf) as Value
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOf(one)])) as Value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
