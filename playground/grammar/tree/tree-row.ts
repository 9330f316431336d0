// A row of the tree.

import { element } from '../../shell/element.ts'
import type { NodeType } from './flat-tree.ts'
import type { TreeRows } from './tree-rows.ts'

/** Pixels, as in `grammar.css`. */
export const ROW_HEIGHT = 28

/** Levels that are indented; deeper ones stand below each other. */
const MOST_INDENTED = 24
/** Characters of the input that a row shows. */
const LONGEST_TEXT = 80

/** What a row shows. */
export interface NodeDescription {
  readonly node: number
  readonly name: string
  readonly kind: NodeType['kind']
  /** What it matches; the value of a text. */
  readonly text: string
  readonly startByte: number
  readonly endByte: number
  readonly depth: number
  /** Undefined: it has nothing inside. */
  readonly isOpen: boolean | undefined
}

export function describeNode(rows: TreeRows, node: number, input: string): NodeDescription {
  const { types, type, start, end, startByte, endByte, values } = rows.tree
  const { name, kind } = types[type[node] ?? 0] ?? { name: '', kind: 'bracket' }
  const [from, to] = [start[node] ?? 0, end[node] ?? 0]
  const text = values.get(node) ?? input.slice(from, Math.min(to, from + LONGEST_TEXT + 1))
  return {
    node,
    name,
    kind,
    text: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text,
    startByte: startByte[node] ?? 0,
    endByte: endByte[node] ?? 0,
    depth: rows.depthOf(node),
    isOpen: rows.hasChildren(node) ? rows.isOpen(node) : undefined,
  }
}

export function makeRow(description: NodeDescription, row: number, isCurrent: boolean): HTMLElement {
  const { node, name, kind, text, startByte, endByte, depth, isOpen } = description
  const made = element(
    'div',
    {
      role: 'treeitem',
      id: `tree-node-${node}`,
      class: 'tree-row',
      'data-kind': kind,
      'data-node': node,
      'aria-level': depth + 1,
      'aria-expanded': isOpen === undefined ? undefined : String(isOpen),
      'aria-selected': String(isCurrent),
    },
    element('span', { class: isOpen === undefined ? 'tree-leaf' : 'tree-toggle', 'aria-hidden': 'true' }),
    kind === 'text' ? undefined : element('span', { class: 'tree-name' }, name),
    element('span', { class: 'tree-text' }, kind === 'text' ? JSON.stringify(text) : showLine(text)),
    element('span', { class: 'tree-span' }, `${startByte}–${endByte}`),
  )
  made.style.transform = `translateY(${row * ROW_HEIGHT}px)`
  made.style.setProperty('--level', String(Math.min(depth, MOST_INDENTED)))
  return made
}

/** Text on one line, with signs for what ends a line. */
function showLine(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '⏎').replaceAll('\t', '⇥')
}
