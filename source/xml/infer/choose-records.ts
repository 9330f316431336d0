// Which elements of a document are its records: the outermost ones that repeat and are most of what lies around them.

import type { PathNode } from './path-node.ts'

/** What is said of a document's records. */
export interface RecordChoice {
  /** The elements of records, at one or several paths. */
  readonly nodes: readonly PathNode[]
  /** The elements around them that group them, from the outside. */
  readonly groups: readonly PathNode[]
}

/** Elements that repeat are records if they are this share of what is around them. */
const MOST_OF_IT = 0.5
/** Those that have nothing in common with the others are records if they are this share of all that repeat. */
const GOOD_PART = 0.1
/** An element of which one child that repeats is this share is only a group of these, if it has hardly anything else. */
const NEARLY_ALL = 0.8

/** The records of a document; undefined if nothing repeats that is most of it. `top` is the parent of the root. */
export function chooseRecords(top: PathNode): RecordChoice | undefined {
  let around = top
  const groups: PathNode[] = []
  for (;;) {
    const children = [...around.children.values()]
    const repeated = children.filter((child) => child.repeats && child.count > 0)
    const covered = repeated.reduce((sum, { bytes }) => sum + bytes, 0)
    if (repeated.length > 0 && covered >= MOST_OF_IT * around.bytes) {
      const nodes = recordsOf(repeated, children)
      const [only] = nodes
      if (nodes.length > 1 || !only || !isGroup(only)) return { nodes, groups }
      groups.push(only)
      around = only
      continue
    }
    const largest = children.reduce<PathNode | undefined>((most, child) => {
      return !most || child.bytes > most.bytes ? child : most
    }, undefined)
    if (!largest || largest.children.size === 0) return undefined
    around = largest
  }
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
  const bytes = candidates.reduce((sum, node) => sum + node.bytes, 0)
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
