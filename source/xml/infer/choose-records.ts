// Which elements of documents are their records: those that repeat in one place and are the largest part of them.

import type { PathNode } from './path-node.ts'

/** What is said of the records of documents. */
export interface RecordChoice {
  /** The elements of records, at one or several paths. */
  readonly nodes: readonly PathNode[]
  /** The elements around them that group them, from the outside. */
  readonly groups: readonly PathNode[]
}

/** Elements that repeat are records if they are this share of what is in the root. */
const SOME_OF_IT = 0.1
/** Those that have only a text are records if they are this share of what is in their parent. */
const MOST_OF_IT = 0.5
/** Those that have nothing in common with the others are records if they are this share of all that repeat. */
const GOOD_PART = 0.1
/** An element of which one child that repeats is this share is only a group of these, if it has hardly anything else. */
const NEARLY_ALL = 0.8

/** The records of documents; undefined if nothing repeats that is a good part of them. `top` is the parent of the roots. */
export function chooseRecords(top: PathNode): RecordChoice | undefined {
  const groups: PathNode[] = []
  let around = parentOfRecords(top) ?? parentOfTexts(top)
  while (around) {
    const children = [...around.children.values()]
    const nodes = recordsOf(repeatedIn(around), children)
    const [only] = nodes
    if (nodes.length > 1 || !only || !isGroup(only)) return { nodes, groups }
    groups.push(only)
    around = only
  }
  return undefined
}

/** All of each document as one record; undefined if there is nothing in them. */
export function wholeDocuments(top: PathNode): RecordChoice | undefined {
  const nodes = [...top.children.values()].filter((root) => root.count > 0 && (root.hasStructure || root.textual > 0))
  return nodes.length === 0 ? undefined : { nodes, groups: [] }
}

/** The element in which most bytes are in elements with content that repeat. Tags and comments around them do not count. */
function parentOfRecords(top: PathNode): PathNode | undefined {
  let [found, most]: [PathNode | undefined, number] = [undefined, 0]
  const look = (node: PathNode): void => {
    const bytes = sumOf(repeatedIn(node).filter(({ hasStructure }) => hasStructure))
    if (bytes > most) [found, most] = [node, bytes]
    for (const child of node.children.values()) look(child)
  }
  look(top)
  const inRoots = [...top.children.values()].flatMap(({ children }) => [...children.values()])
  return most >= SOME_OF_IT * sumOf(inRoots) ? found : undefined
}

/** The outermost of the largest elements of which texts that repeat are most. */
function parentOfTexts(top: PathNode): PathNode | undefined {
  let around: PathNode | undefined = top
  while (around) {
    const children: PathNode[] = [...around.children.values()]
    const repeated = repeatedIn(around)
    if (repeated.length > 0 && sumOf(repeated) >= MOST_OF_IT * sumOf(children)) return around
    around = children.toSorted((one, other) => other.bytes - one.bytes)[0]
  }
  return undefined
}

function repeatedIn({ children }: PathNode): PathNode[] {
  return [...children.values()].filter((child) => child.repeats && child.count > 0)
}

function sumOf(nodes: readonly PathNode[]): number {
  return nodes.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Whether elements only hold others together that repeat: each has more of these than there are of them, and at most one value of its own, such as a name. */
function isGroup(node: PathNode): boolean {
  const children = [...node.children.values()]
  const repeated = children.filter((child) => child.repeats)
  const [only] = repeated
  if (repeated.length !== 1 || !only?.hasStructure || node.isMixed || node.isCut) return false
  const areMany = only.count > node.count ** 2
  const others = children.filter((child) => child !== only)
  return (
    areMany &&
    others.length + node.attributes.size <= 1 &&
    !others.some(({ hasStructure }) => hasStructure) &&
    only.bytes >= NEARLY_ALL * node.bytes
  )
}

/**
 * The records among elements in one parent: those that repeat and are a good part of it, and others that have half of what all of the largest ones have,
 * whether they repeat or not.
 */
function recordsOf(repeated: readonly PathNode[], children: readonly PathNode[]): PathNode[] {
  const structured = repeated.filter(({ hasStructure }) => hasStructure)
  const candidates = structured.length > 0 ? structured : repeated
  const bytes = sumOf(candidates)
  const largest = candidates.reduce((most, node) => (node.bytes > most.bytes ? node : most))
  const always = alwaysIn(largest)
  return children.filter((child) => {
    if (child.count === 0) return false
    if (candidates.includes(child) && child.bytes >= GOOD_PART * bytes) return true
    const shared = always.filter((field) => hasField(child, field))
    return always.length > 0 && shared.length >= MOST_OF_IT * always.length
  })
}

/** What all elements at a path have. */
function alwaysIn({ attributes, children, count }: PathNode): string[] {
  const ofAttributes = [...attributes].flatMap(([name, values]) => (values.count >= count ? `@${name}` : []))
  return [...ofAttributes, ...[...children.values()].flatMap(({ name, parents }) => (parents >= count ? name : []))]
}

function hasField({ attributes, children }: PathNode, field: string): boolean {
  return field.startsWith('@') ? attributes.has(field.slice(1)) : children.has(field)
}

/** Elements outside the records that repeat, the largest first. */
export function otherRepeated(top: PathNode, chosen: readonly PathNode[]): PathNode[] {
  const found: PathNode[] = []
  const add = (node: PathNode): void => {
    if (chosen.includes(node)) return
    if (node.repeats && node.hasStructure) found.push(node)
    for (const child of node.children.values()) add(child)
  }
  add(top)
  return found.sort((one, other) => other.bytes - one.bytes)
}
