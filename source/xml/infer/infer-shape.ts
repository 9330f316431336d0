// A shape for the records of documents, of what is in them.

import type { Cursor } from '../../stream/cursor.ts'
import { withCode } from '../../stream/errors.ts'
import { type OptionKinds, requireNumber, requireOptions } from '../../stream/options.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { makeName } from '../names/names.ts'
import { XML_OPTIONS, type XmlOptions } from '../options.ts'
import { Path } from '../question/path.ts'
import type { XmlShape } from '../question/shape.ts'
import { chooseRecords, otherRepeated, type RecordChoice, wholeDocuments } from './choose-records.ts'
import { type InferredField, inferFields, shapeOf } from './inferred-fields.ts'
import { PathNode } from './path-node.ts'
import { type ElementForm, formOf } from './record-form.ts'
import type { ShapeNames } from './shape-names.ts'
import { type Survey, survey } from './survey.ts'

/** Options for inferring a shape. */
export interface InferOptions extends XmlOptions {
  /** The elements of records, as a path or several, instead of those that repeat. Paths have names alone. */
  each?: string | readonly string[] | undefined
  /** Documents after the first one that have the same records. */
  more?: readonly (ByteSource | Cursor)[] | undefined
  /** Bytes of all documents together, decompressed, that are looked at (default: all). */
  bytes?: number | undefined
  /** Different paths of elements and attributes that are distinguished (default: 10,000). Elements with more than there is room for are kept as XML. */
  maxPaths?: number | undefined
  /** Whether the shape says of what all records have that it is required (default: false). */
  required?: boolean | undefined
}

/** Elements at one path. */
export interface RepeatedElements {
  readonly path: string
  readonly count: number
}

/** What was inferred of documents. */
export interface InferredShape {
  /** The paths of the elements that are records, and how many of them were seen to their end. */
  readonly paths: readonly string[]
  /** What prefixes in paths stand for, that of elements without a prefix under the empty one; undefined where namespaces are off. */
  readonly prefixes: Readonly<Record<string, string>> | undefined
  readonly records: number
  /** Whether each document is one record, because nothing repeats in them. */
  readonly isWhole: boolean
  readonly shape: XmlShape
  readonly fields: readonly InferredField[]
  /** How many bytes were looked at, and whether that is all of the documents. */
  readonly bytes: number
  readonly isComplete: boolean
  /** Whether the documents have more different paths than `maxPaths`. */
  readonly isCut: boolean
  /** Other elements with content that repeat, and are not in the records; those with most bytes first. */
  readonly others: readonly RepeatedElements[]
  /** The first error that has ended the reading of a document, if there was one. */
  readonly error: unknown
  /** @internal */
  readonly source: InferredRecords
}

/** What audits need to know. */
export interface InferredRecords {
  readonly top: PathNode
  readonly form: ElementForm
  readonly nodes: readonly PathNode[]
  /** The elements around records, and those of them of which fields have what they say of their own. */
  readonly around: ReadonlySet<PathNode>
  readonly groups: readonly PathNode[]
  readonly names: ShapeNames
  /** Whether others beside the records may be records, too: not if the user has said which are. */
  readonly isOpen: boolean
}

const INFER_OPTIONS: OptionKinds<InferOptions> = {
  ...XML_OPTIONS,
  each: 'any',
  more: 'any',
  bytes: 'any',
  maxPaths: 'any',
  required: 'boolean',
}
const MAX_PATHS = 10_000
/** A document of fewer bytes in which nothing repeats is one record. */
export const LARGEST_RECORD = 16 * 1024 * 1024
/** So many other elements are named. */
const MOST_OTHERS = 5

/**
 * Looks for the elements of documents that repeat, and for what is in them. Gives a shape for `records` and others, in which no text and no attribute of what was seen is missing.
 * Where nothing repeats, all of a document is one record if it has less than 16 MiB. Undefined if nothing matches `each`, or there is nothing else. Memory is bounded by `maxPaths`, and not by the
 * size of documents.
 *
 * If a document has an error, what is before it counts; without any records there, the error is thrown. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options.
 */
export async function inferShape(
  source: ByteSource | Cursor,
  options: InferOptions = {},
): Promise<InferredShape | undefined> {
  requireOptions(options, INFER_OPTIONS)
  const { more = [], ...others } = options
  if (!Array.isArray(more)) throw withCode(new TypeError('more must be an array of sources'), 'invalid-option')
  const { inferred, seen } = await inferFrom([source, ...more], 1 + more.length, others)
  if (!inferred && seen.error !== undefined) throw seen.error
  return inferred
}

/** The same for documents that are opened one after the other, and what was seen of them, for those who say why there is no shape. Throws no error of a document. `mostBytes`: how far to look for records at most. */
export async function inferFrom(
  sources: Iterable<ByteSource | Cursor>,
  count: number,
  { mostBytes, ...options }: Omit<InferOptions, 'more'> & { readonly mostBytes?: number | undefined },
): Promise<{ readonly inferred: InferredShape | undefined; readonly seen: Survey }> {
  const { each, bytes = Number.POSITIVE_INFINITY, maxPaths = MAX_PATHS, required = false, ...reading } = options
  const paths = each === undefined ? undefined : [each].flat().map((text) => pathOfNames(text))
  const limits = { bytes: requireNumber('bytes', bytes, 1), maxPaths: requireNumber('maxPaths', maxPaths, 1) }
  const seen = await survey(sources, count, { ...reading, ...limits, mostBytes: (!paths && mostBytes) || bytes })
  const { top, isComplete, longest } = seen
  const found = paths ? matching(seen, paths) : chooseRecords(top)
  const isWhole = !found && !paths && isComplete && longest < LARGEST_RECORD
  const choice = isWhole ? wholeDocuments(top) : found
  return { inferred: choice && describe(seen, choice, each, required, isWhole), seen }
}

function describe(
  seen: Survey,
  { nodes, groups }: RecordChoice,
  each: InferOptions['each'],
  isRequired: boolean,
  isWhole: boolean,
): InferredShape {
  const [only] = nodes
  const node = nodes.length === 1 && only ? only : mergeAll(nodes)
  const form = { ...formOf(node), isList: false }
  const count = new Set(nodes.map(({ name }) => name)).size
  const fields = inferFields(form, count, groups)
  const { bytes, isComplete, isCut, top, error, names } = seen
  // Where there are no namespaces, others do not matter.
  if (names.prefixes?.size === 1 && names.prefixes.get('') === '') names.prefixes.clear()
  return {
    paths: each === undefined ? nodes.map(({ path }) => path) : [each].flat(),
    prefixes: names.prefixes && Object.fromEntries(names.prefixes),
    records: node.count,
    isWhole,
    shape: shapeOf(fields, isRequired),
    fields,
    bytes,
    isComplete,
    isCut,
    others: otherRepeated(top, nodes)
      .slice(0, MOST_OTHERS)
      .map(({ path, count }) => ({ path, count })),
    error,
    source: { top, form, nodes, around: aroundAll(nodes), groups, names, isOpen: each === undefined },
  }
}

function aroundAll(nodes: readonly PathNode[]): Set<PathNode> {
  const around = new Set<PathNode>()
  for (const { parent } of nodes) for (let node = parent; node?.parent; node = node.parent) around.add(node)
  return around
}

function mergeAll(nodes: readonly PathNode[]): PathNode {
  const merged = new PathNode('')
  for (const node of nodes) merged.merge(node)
  return merged
}

function pathOfNames(text: string): Path {
  const path = new Path(text)
  if (path.conditions.length === 0 && path.children.length === 0) return path
  throw withCode(new RangeError(`the path ${text} must have names alone, without predicates`), 'invalid-option')
}

/** The outermost elements at the paths that were seen which match one of some. */
function matching({ top, names }: Survey, paths: readonly Path[]): RecordChoice | undefined {
  const nodes: PathNode[] = []
  const look = (node: PathNode, states: readonly number[]): void => {
    for (const child of node.children.values()) {
      const name = makeName(child.name)
      const candidate = { name, namespace: names.prefixes?.get(name.prefix), holds: () => true }
      const next = paths.map((path, i) => path.enter(states[i] as number, candidate))
      if (child.count > 0 && paths.some((path, i) => path.isMatch(next[i] as number))) nodes.push(child)
      else look(child, next)
    }
  }
  look(
    top,
    paths.map(({ start }) => start),
  )
  return nodes.length === 0 ? undefined : { nodes, groups: [] }
}
