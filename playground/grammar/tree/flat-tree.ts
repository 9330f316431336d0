// A tree as columns of numbers, one entry for each node in document order. It goes from the worker to the page without being copied, and a tree of
// half a million nodes is a few megabytes.

import type { SyntaxNode } from 'xylem/grammar'
import { BytePositions } from '../byte-positions.ts'

/** Nodes that are kept. What comes after them is not shown. */
const MOST_NODES = 500_000

/** What a node is: a rule, text, or a bracket or a repetition. */
interface NodeType {
  readonly name: string
  readonly kind: 'rule' | 'text' | 'bracket'
}

export interface FlatTree {
  readonly types: readonly NodeType[]
  /** An index in `types`. */
  readonly type: Uint32Array
  /** Indices in UTF-16 units; the end is exclusive. */
  readonly start: Uint32Array
  readonly end: Uint32Array
  /** The same in bytes, as the library counts. */
  readonly startByte: Uint32Array
  readonly endByte: Uint32Array
  /** The node around it; -1 for the root. */
  readonly parent: Int32Array
  /** The first node after it that is not inside it. */
  readonly next: Uint32Array
  /** Values of texts that are not what the input has between `start` and `end`, because parts are left out. */
  readonly values: ReadonlyMap<number, string>
  /** Whether there are more nodes than `MOST_NODES`. */
  readonly isCut: boolean
}

/** Makes columns of a tree of an input. */
export function flattenTree(root: SyntaxNode, input: string, most = MOST_NODES): FlatTree {
  const positions = new BytePositions(input)
  const types: NodeType[] = []
  const typeNumbers = new Map<string, number>()
  const type: number[] = []
  const startByte: number[] = []
  const endByte: number[] = []
  const parent: number[] = []
  const values = new Map<number, string>()
  const waiting: (readonly [node: SyntaxNode, parent: number])[] = [[root, -1]]
  let next = waiting.pop()
  for (; next && type.length < most; next = waiting.pop()) {
    const [node, around] = next
    const number = type.length
    const { value, start, end } = node
    const kind = typeof value === 'string' ? 'text' : node.type.startsWith('(') ? 'bracket' : 'rule'
    const key = `${kind} ${node.type}`
    let typeNumber = typeNumbers.get(key)
    if (typeNumber === undefined) {
      typeNumber = types.push({ name: node.type, kind }) - 1
      typeNumbers.set(key, typeNumber)
    }
    type.push(typeNumber)
    startByte.push(start)
    endByte.push(end)
    parent.push(around)
    if (typeof value === 'string') {
      if (value !== input.slice(positions.indexOf(start), positions.indexOf(end))) values.set(number, value)
    } else {
      for (let i = value.length - 1; i >= 0; i--) waiting.push([value[i] as SyntaxNode, number])
    }
  }
  const bytes = { startByte: Uint32Array.from(startByte), endByte: Uint32Array.from(endByte) }
  const indexOf = (offset: number): number => positions.indexOf(offset)
  return {
    types,
    type: Uint32Array.from(type),
    start: positions.areSame ? bytes.startByte : bytes.startByte.map(indexOf),
    end: positions.areSame ? bytes.endByte : bytes.endByte.map(indexOf),
    ...bytes,
    parent: Int32Array.from(parent),
    next: findNext(parent),
    values,
    isCut: next !== undefined,
  }
}

function findNext(parent: readonly number[]): Uint32Array {
  const next = Uint32Array.from(parent, (_, number) => number + 1)
  for (let number = parent.length - 1; number > 0; number--) {
    const around = parent[number] as number
    next[around] = Math.max(next[around] as number, next[number] as number)
  }
  return next
}

/** The buffers of the columns, to be transferred. */
export function buffersOf(tree: FlatTree): ArrayBufferLike[] {
  const { type, start, end, startByte, endByte, parent, next } = tree
  return [...new Set([type, start, end, startByte, endByte, parent, next].map(({ buffer }) => buffer))]
}

/** The innermost node that holds an index, or that ends there where none begins; undefined if the index is outside of the tree. */
export function findInnermost({ start, end, next }: FlatTree, index: number): number | undefined {
  if (start.length === 0 || index < at(start, 0) || index > at(end, 0)) return undefined
  let found = 0
  for (;;) {
    let inner: number | undefined
    const last = at(next, found)
    for (let child = found + 1; child < last && at(start, child) <= index; child = at(next, child)) {
      if (index < at(end, child)) {
        inner = child
        break
      }
      if (index === at(end, child) && (inner === undefined || at(start, child) < at(end, child))) inner = child
    }
    if (inner === undefined) return found
    found = inner
  }
}

/** The rule whose node a node is or is inside of; undefined if there is none. */
export function findRule({ types, type, parent }: FlatTree, node: number): string | undefined {
  for (let around = node; around >= 0; around = at(parent, around)) {
    const found = types[at(type, around)]
    if (found?.kind === 'rule') return found.name
  }
  return undefined
}

function at(column: Uint32Array | Int32Array, node: number): number {
  return column[node] ?? 0
}
