// What a row of the tree shows.

import { element } from '../../shell/element.ts'
import type { FlatTree } from './flat-tree.ts'

/** Characters of the input that a row shows. */
const LONGEST_TEXT = 80

/** The name of a node, what it matches or the value of a text, and where that is. */
export function describeNode(tree: FlatTree, node: number, input: string): (HTMLElement | undefined)[] {
  const { types, type, start, end, startByte, endByte, values } = tree
  const { name, kind } = types[type[node] ?? 0] ?? { name: '', kind: 'bracket' }
  const [from, to] = [start[node] ?? 0, end[node] ?? 0]
  const text = shorten(values.get(node) ?? input.slice(from, Math.min(to, from + LONGEST_TEXT + 1)))
  const isText = kind === 'text'
  return [
    isText ? undefined : element('span', { class: `tree-name tree-${kind}` }, name),
    element(
      'span',
      { class: isText ? 'tree-text tree-literal' : 'tree-text' },
      isText ? JSON.stringify(text) : showLine(text),
    ),
    element('span', { class: 'tree-span' }, `${startByte[node] ?? 0}–${endByte[node] ?? 0}`),
  ]
}

function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
}

/** Text on one line, with signs for what ends a line. */
function showLine(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '⏎').replaceAll('\t', '⇥')
}
